/* keysim check: does a recorded placement still hold?
 *
 * The file is CSV as `keysim where` writes it. Each of its columns is read by a reader of its own, in step: the file may be of
 * any size and quoted as it likes. */
#include "commands/keys.h"
#include "commands/request.h"

#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEY, NODE, REPLICA, FIELDS, SHOWN = 10, COLUMNS_READ = 16 };
static const char *const names[FIELDS] = {"key", "node", "replica"};

struct record {
    struct reader *reader[FIELDS]; /* NULL: the file has no such column */
    size_t column[FIELDS];
    const char *text[FIELDS];
    size_t len[FIELDS];
    char *decoded[FIELDS];         /* with --percent */
    size_t room[FIELDS];
};

static void record_close(struct record *r)
{
    for (int f = 0; f < FIELDS; f++) {
        if (r->reader[f])
            reader_close(r->reader[f]);
        mem_free(r->decoded[f]);
    }
}

/* Which columns the header names. */
static int find_columns(struct record *r, const char *path, char why[WHY])
{
    for (size_t column = 1; column <= COLUMNS_READ; column++) {
        struct reader *in;
        const char *text;
        size_t len;
        int e = reader_open(&in, path, '\n', false, why);
        if (e)
            return e;
        e = reader_field(in, ',', column, &text, &len, why);
        for (int f = 0; f < FIELDS && e == 1; f++)
            if (len == strlen(names[f]) && !memcmp(text, names[f], len))
                r->column[f] = column;
        reader_close(in);
        if (e != 1)
            break; /* no further column */
    }
    return r->column[KEY] && r->column[NODE]
               ? 0
               : fail(why, EINVAL, "%s: its first line must name the columns key and node, as keysim where writes them", path);
}

static int record_open(struct record *r, const char *path, char why[WHY])
{
    *r = (struct record){0};
    int e = find_columns(r, path, why);
    for (int f = 0; f < FIELDS && !e; f++)
        if (r->column[f]) {
            e = reader_open(&r->reader[f], path, '\n', false, why);
            if (!e)
                e = reader_field(r->reader[f], ',', r->column[f], &r->text[f], &r->len[f], why); /* the header */
            e = e == 1 ? 0 : e;
        }
    return e;
}

static int decode(struct record *r, int f, char why[WHY])
{
    if (r->len[f] > r->room[f] && mem_grow(&r->decoded[f], &r->room[f], r->len[f], 1))
        return fail(why, ENOMEM, "no memory for a key of %zu bytes", r->len[f]);
    long n = text_percent_decode(r->text[f], r->len[f], r->decoded[f]);
    if (n < 0)
        return fail(why, EINVAL, "%s line %" PRIu64 ": a %% must be followed by two hexadecimal digits", reader_path(r->reader[f]),
                    reader_line_number(r->reader[f]));
    r->text[f] = r->decoded[f];
    r->len[f] = (size_t)n;
    return 0;
}

/* 1, 0 at the end, or a negative errno. */
static int record_next(struct record *r, bool percent, char why[WHY])
{
    int e = 1;
    for (int f = 0; f < FIELDS && e == 1; f++) {
        if (!r->reader[f])
            continue;
        e = reader_field(r->reader[f], ',', r->column[f], &r->text[f], &r->len[f], why);
        int bad = e == 1 && percent && f != REPLICA ? decode(r, f, why) : 0;
        e = bad ? bad : e;
    }
    return e;
}

struct checking {
    const struct args *args;
    struct study study;
    struct placement *p;
    struct record record;
    struct rows rows;
    uint32_t *copy;
    uint64_t rows_read, differ;
};

/* The node that the recorded row should name. */
static int owner_now(struct checking *c, uint64_t replica, uint32_t *owner, char why[WHY])
{
    const struct record *r = &c->record;
    uint64_t digest;
    bool salted;
    enum key_verdict v = placement_digest(c->p, r->text[KEY], r->len[KEY], &digest);
    *owner = NO_NODE;
    if (v == KEY_INVALID)
        return fail(why, EINVAL, "%s line %" PRIu64 ": no key for %s: it wants %s", c->args->against, reader_line_number(r->reader[KEY]),
                    c->p->strategy->name, placement_wants(c->p));
    if (v == KEY_HASHED && replica == 1)
        *owner = placement_owner(c->p, r->text[KEY], r->len[KEY], digest);
    else if (v == KEY_HASHED && placement_replicas(c->p, digest, c->copy, replica, &salted) == replica)
        *owner = c->copy[replica - 1];
    return 0;
}

static int check_row(struct checking *c, char why[WHY])
{
    const struct record *r = &c->record;
    uint64_t replica = 1;
    uint32_t owner;
    if (r->reader[REPLICA] && (text_count(r->text[REPLICA], r->len[REPLICA], &replica) || replica == 0 || replica > c->p->cluster->size))
        return fail(why, EINVAL, "%s line %" PRIu64 ": replica must be 1 to %u, as there are so many nodes", c->args->against,
                    reader_line_number(r->reader[REPLICA]), c->p->cluster->size);
    int e = owner_now(c, replica, &owner, why);
    if (e)
        return e;
    const char *name = owner == NO_NODE ? "-" : registry_name(c->study.registry, owner);
    c->rows_read++;
    if (r->len[NODE] == strlen(name) && !memcmp(r->text[NODE], name, r->len[NODE]))
        return 0;
    if (c->differ++ < SHOWN) {
        char number[24];
        int digits = snprintf(number, sizeof number, "%" PRIu64, replica);
        rows_write(&c->rows, (struct field[]){{r->text[KEY], r->len[KEY], true}, {r->text[NODE], r->len[NODE], true},
                                              {name, strlen(name), owner != NO_NODE}, {number, (size_t)digits, false}});
    }
    return 0;
}

static int open_all(struct checking *c, char why[WHY])
{
    const struct args *a = c->args;
    const struct cluster *nodes;
    int e = request_single(&c->study, "check", why);
    if (!e && !a->against)
        e = fail(why, EINVAL, "check: against what? --against FILE, as keysim where wrote it");
    if (!e && !strcmp(a->against, "-"))
        e = fail(why, EINVAL, "check: --against wants a file: standard input cannot be read column by column");
    if (!e)
        e = study_cluster(&c->study, 0, 0, &nodes, why);
    if (!e)
        e = study_open(&c->study, c->study.spec[0], nodes, &c->p, why);
    if (!e && !(c->copy = mem_alloc(c->p->cluster->size, sizeof *c->copy)))
        e = fail(why, ENOMEM, "no memory for %u copies", c->p->cluster->size);
    if (!e)
        e = record_open(&c->record, a->against, why);
    return e;
}

static int run(struct args *a, char why[WHY])
{
    static const char *const heading[] = {"key", "node", "node_now", "replica"};
    struct checking c = {.args = a};
    bool writing = false;
    int e = request_open(&c.study, a, "check", why);
    if (e)
        return e;
    e = open_all(&c, why);
    if (!e) {
        e = rows_open(&c.rows, a, heading, c.record.reader[REPLICA] ? 4 : 3, false, why);
        writing = !e;
    }
    while (!e && (e = record_next(&c.record, a->percent, why)) == 1)
        e = check_row(&c, why);
    if (!e && c.rows_read == 0)
        e = fail(why, EINVAL, "%s: holds no placement: a header and nothing else", a->against);
    if (writing && e < 0)
        rows_abandon(&c.rows);
    else if (writing)
        e = rows_close(&c.rows, why);
    if (!e && !a->quiet)
        fprintf(stderr, "keysim: %" PRIu64 " of %" PRIu64 " rows of %s hold%s\n", c.rows_read - c.differ, c.rows_read, a->against,
                c.differ > SHOWN ? "; the first that do not are shown" : "");
    record_close(&c.record);
    mem_free(c.copy);
    placement_close(c.p);
    request_close(&c.study);
    return e ? e : c.differ > 0;
}

static const int takes[] = {'s', 'n', 'H', FLAG_AGAINST, FLAG_PERCENT, 0};

const struct command command_check = {
    .name = "check",
    .summary = "does a recorded placement still hold?",
    .usage = "-s SPEC -n NODES --against FILE",
    .takes = takes,
    .run = run,
    .details = "FILE is CSV as keysim where writes it: key,node, or key,node,replica. Prints key,node,node_now for the first rows that\n"
               "differ; exit 1 if any does, 0 if all hold.\n\n"
               "  keysim where -s ring -n @nodes.txt -f keys.txt > placement.csv\n"
               "  keysim check -s ring -n @nodes.txt --against placement.csv\n",
};
