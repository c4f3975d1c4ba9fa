/* Measured load: a CSV file whose first line names a column key or slot, and a column load (or bytes, where the load is in bytes). */
#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiments/feed.h"
#include "experiments/plan_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_READ = 64 };

/* Which of the columns has this name, from 1; 0: none. */
static size_t column_named(const struct reader_text *field, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (field[k].len == strlen(name) && !memcmp(field[k].text, name, field[k].len))
            return k + 1;
    return 0;
}

int plan_load_look(struct plan_load *l, const char *path, char why[WHY])
{
    struct reader *r = NULL;
    struct reader_text field[COLUMNS_READ];
    size_t n = 0;
    *l = (struct plan_load){.path = path};
    if (!strcmp(path, "-"))
        return fail(why, EINVAL, "--load -: is read twice, so standard input will not do: give a file");
    int e = reader_open(&r, path, '\n', false, why);
    if (!e)
        e = reader_record(r, ',', field, COLUMNS_READ, &n, why);
    if (e >= 0) {
        n = n < COLUMNS_READ ? n : COLUMNS_READ;
        size_t key = column_named(field, n, "key"), slot = column_named(field, n, "slot"), bytes = column_named(field, n, "bytes");
        l->by_slot = !key;
        l->what = key ? key : slot;
        l->bytes = bytes > 0;
        l->load = bytes ? bytes : column_named(field, n, "load");
        e = l->what && l->load ? 0 : fail(why, EINVAL, "%s line 1: must name the columns: key,load or slot,load (bytes instead of load, where it is in bytes)", path);
    }
    reader_close(r);
    return e;
}

char *plan_load_workload(const struct plan_load *l)
{
    size_t size = 2 * strlen(l->path) + 120;
    char *text = mem_alloc(size, 1), *to = text;
    if (!text)
        return NULL;
    to += sprintf(to, "file:path=");
    for (const char *c = l->path; *c; c++) {
        if (*c == ',' || *c == '\\')
            *to++ = '\\';
        *to++ = *c;
    }
    sprintf(to, ",column=%zu,size-column=%zu,header=1", l->what, l->load);
    return text;
}

/* Which slots the file names. */
struct named {
    bool *slot;
    uint64_t slots, again, line; /* distinct ones; lines that name one again, and the first of them */
};

static int load_row(const struct plan_load *l, uint64_t line, const struct reader_text *field, size_t count, uint64_t cells, uint64_t *load, struct named *named, char why[WHY])
{
    size_t most = l->what > l->load ? l->what : l->load;
    char shown[80];
    uint64_t slot, amount;
    if (count < most)
        return fail(why, EINVAL, "%s line %" PRIu64 ": has %zu column%s, column %zu was asked for", l->path, line, count, count == 1 ? "" : "s", most);
    const struct reader_text *what = &field[l->what - 1], *given = &field[l->load - 1];
    if (text_count(what->text, what->len, &slot) || slot >= cells)
        return fail(why, EINVAL, "%s line %" PRIu64 ": slot '%s': must be 0 to %" PRIu64, l->path, line,
                    text_printable(what->text, what->len, shown, sizeof shown), cells - 1);
    if (text_amount(given->text, given->len, &amount))
        return fail(why, EINVAL, "%s line %" PRIu64 ": load '%s': must be a number, 0 to 10^12, without a unit", l->path, line,
                    text_printable(given->text, given->len, shown, sizeof shown));
    if (load[slot] + amount < amount)
        return fail(why, EINVAL, "%s line %" PRIu64 ": slot %" PRIu64 " has more load than can be added up", l->path, line, slot);
    load[slot] += amount;
    if (named->slot[slot] && !named->again++)
        named->line = line;
    named->slots += !named->slot[slot];
    named->slot[slot] = true;
    return 0;
}

static void tell_named(const struct study *s, const struct plan_load *l, const struct named *named, uint64_t cells, char why[WHY])
{
    if (named->again && s->warn) {
        fail(why, EINVAL, "%s: %" PRIu64 " line%s (the first is line %" PRIu64 ") name%s a slot that stands above: its loads are added", l->path, named->again,
             named->again == 1 ? "" : "s", named->line, named->again == 1 ? "s" : "");
        s->warn(s->warn_to, why);
    }
    if (named->slots < cells && s->warn) {
        fail(why, EINVAL, "%s names %" PRIu64 " of %" PRIu64 " slots: the others are taken to have no load", l->path, named->slots, cells);
        s->warn(s->warn_to, why);
    }
}

int plan_load_slots(const struct study *s, const struct plan_load *l, uint64_t cells, uint64_t *load, char why[WHY])
{
    struct reader *r = NULL;
    struct reader_text field[COLUMNS_READ];
    struct named named = {.slot = mem_alloc(cells, sizeof *named.slot)};
    size_t count;
    int e = named.slot ? reader_open(&r, l->path, '\n', false, why) : fail(why, ENOMEM, "no memory for loads a slot"), more = 1;
    if (!e)
        e = reader_record(r, ',', field, COLUMNS_READ, &count, why); /* the names */
    while (e >= 0 && more > 0) {
        more = reader_record(r, ',', field, COLUMNS_READ, &count, why);
        e = more > 0 ? load_row(l, reader_line_number(r), field, count, cells, load, &named, why) : more;
        if (!more)
            break;
    }
    if (e >= 0)
        tell_named(s, l, &named, cells, why);
    reader_close(r);
    mem_free(named.slot);
    return e < 0 ? e : 0;
}

/* One block's keys into their slots. */
static int pile_block(struct plan *p, const struct workload *w, const struct key_block *b, uint64_t *digest, uint8_t *verdict, char why[WHY])
{
    const struct placement *at = p->stage[0].placement;
    bool plain;
    size_t where;
    if (placement_digests(at, b->text, b->len, b->count, digest, verdict, &plain))
        return feed_refuse(at, w, b, verdict, &where, why);
    for (size_t i = 0; i < b->count; i++) {
        uint64_t slot = digest[i] % p->piles.cells;
        if (verdict[i] != KEY_HASHED)
            continue;
        if (p->piles.load[slot] + b->amount[i] < b->amount[i])
            return fail(why, EINVAL, "%s: slot %" PRIu64 " has more load than can be added up", p->study->workload, slot);
        p->piles.load[slot] += b->amount[i];
        p->piles.keys[slot]++;
    }
    p->piles.requests += b->count;
    return 0;
}

static int pile_keys(struct plan *p, char why[WHY])
{
    struct workload *w = NULL;
    struct key_block b = {0};
    uint64_t *digest = mem_alloc(KEY_BLOCK, sizeof *digest);
    uint8_t *verdict = mem_alloc(KEY_BLOCK, 1);
    int e = study_workload(p->study, &w, why);
    p->piles.keys = mem_alloc(p->piles.cells, sizeof *p->piles.keys);
    if (!e && (!digest || !verdict || !p->piles.keys || key_block_init(&b)))
        e = fail(why, ENOMEM, "no memory for a plan");
    while (!e && !(e = workload_next(w, &b, why)) && b.count)
        e = pile_block(p, w, &b, digest, verdict, why);
    key_block_release(&b);
    if (w)
        workload_close(w);
    mem_free(digest);
    mem_free(verdict);
    return e;
}

int plan_piles_read(struct plan *p, const struct plan_wish *wish, char why[WHY])
{
    if (!(p->piles.load = mem_alloc(p->piles.cells, sizeof *p->piles.load)))
        return fail(why, ENOMEM, "no memory for loads a slot");
    return wish->load.by_slot ? plan_load_slots(p->study, &wish->load, p->piles.cells, p->piles.load, why) : pile_keys(p, why);
}
