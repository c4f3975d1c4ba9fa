/* keysim check: does a recorded placement still hold? The file is CSV as `keysim where` writes it. */
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
    struct reader *reader;
    size_t column[FIELDS];            /* from 1; 0: the file has no such column */
    struct reader_text field[FIELDS]; /* of the row last read */
    char *decoded[FIELDS];            /* with --percent */
    size_t room[FIELDS];
};

static void record_close(struct record *r)
{
    reader_close(r->reader);
    for (int f = 0; f < FIELDS; f++)
        mem_free(r->decoded[f]);
}

/* Opens the file and learns from its first line which column is which. */
static int record_open(struct record *r, const char *path, char why[WHY])
{
    struct reader_text field[COLUMNS_READ];
    size_t count = 0;
    int e = reader_open(&r->reader, path, '\n', false, why);
    if (!e)
        e = reader_record(r->reader, ',', field, COLUMNS_READ, &count, why);
    if (e < 0)
        return e;
    for (size_t k = 0; k < count && k < COLUMNS_READ; k++)
        for (int f = 0; f < FIELDS; f++)
            if (field[k].len == strlen(names[f]) && !memcmp(field[k].text, names[f], field[k].len))
                r->column[f] = k + 1;
    return r->column[KEY] && r->column[NODE]
               ? 0
               : fail(why, EINVAL, "%s: its first line must name the columns key and node, as keysim where writes them", path);
}

static int decode(struct record *r, int f, char why[WHY])
{
    struct reader_text *field = &r->field[f];
    if (mem_grow(&r->decoded[f], &r->room[f], field->len + 1, 1))
        return fail(why, ENOMEM, "no memory for a key of %zu bytes", field->len);
    long n = text_percent_decode(field->text, field->len, r->decoded[f]);
    if (n < 0)
        return fail(why, EINVAL, "%s line %" PRIu64 ": a %% must be followed by two hexadecimal digits", reader_path(r->reader),
                    reader_line_number(r->reader));
    *field = (struct reader_text){r->decoded[f], (size_t)n};
    return 0;
}

/* 1, 0 at the end, or a negative errno. */
static int record_next(struct record *r, bool percent, char why[WHY])
{
    struct reader_text field[COLUMNS_READ];
    size_t count;
    int e = reader_record(r->reader, ',', field, COLUMNS_READ, &count, why);
    for (int f = 0; f < FIELDS && e == 1; f++) {
        if (!r->column[f])
            continue;
        if (r->column[f] > count)
            return fail(why, EINVAL, "%s line %" PRIu64 ": has %zu column%s, %s stands in column %zu", reader_path(r->reader),
                        reader_line_number(r->reader), count, count == 1 ? "" : "s", names[f], r->column[f]);
        r->field[f] = field[r->column[f] - 1];
        int bad = percent && f != REPLICA ? decode(r, f, why) : 0;
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
    enum key_verdict v = placement_digest(c->p, r->field[KEY].text, r->field[KEY].len, &digest);
    *owner = NO_NODE;
    if (v == KEY_INVALID)
        return fail(why, EINVAL, "%s line %" PRIu64 ": no key for %s: it wants %s", c->args->against, reader_line_number(r->reader),
                    c->p->strategy->name, placement_wants(c->p));
    if (v == KEY_HASHED && replica == 1)
        *owner = placement_owner(c->p, r->field[KEY].text, r->field[KEY].len, digest);
    else if (v == KEY_HASHED && placement_replicas(c->p, digest, c->copy, replica, &salted) == replica)
        *owner = c->copy[replica - 1];
    return 0;
}

static int check_row(struct checking *c, char why[WHY])
{
    const struct record *r = &c->record;
    uint64_t replica = 1;
    uint32_t owner;
    if (r->column[REPLICA] && (text_count(r->field[REPLICA].text, r->field[REPLICA].len, &replica) || replica == 0 || replica > c->p->cluster->size))
        return fail(why, EINVAL, "%s line %" PRIu64 ": replica must be 1 to %u, as there are so many nodes", c->args->against,
                    reader_line_number(r->reader), c->p->cluster->size);
    int e = owner_now(c, replica, &owner, why);
    if (e)
        return e;
    const char *name = owner == NO_NODE ? "-" : registry_name(c->study.registry, owner);
    c->rows_read++;
    if (r->field[NODE].len == strlen(name) && !memcmp(r->field[NODE].text, name, r->field[NODE].len))
        return 0;
    if (c->differ++ < SHOWN) {
        char number[24];
        int digits = snprintf(number, sizeof number, "%" PRIu64, replica);
        rows_write(&c->rows, (struct field[]){{r->field[KEY].text, r->field[KEY].len, true}, {r->field[NODE].text, r->field[NODE].len, true},
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
    char shown[256];
    struct checking c = {.args = a};
    bool writing = false;
    int e = request_open(&c.study, a, "check", why);
    if (e)
        return e;
    e = open_all(&c, why);
    if (!e) {
        e = rows_open(&c.rows, a, heading, c.record.column[REPLICA] ? 4 : 3, false, why);
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
        fprintf(stderr, "keysim: %" PRIu64 " of %" PRIu64 " rows of %s hold%s\n", c.rows_read - c.differ, c.rows_read,
                text_printable(reader_path(c.record.reader), strlen(reader_path(c.record.reader)), shown, sizeof shown), c.differ > SHOWN ? "; the first that do not are shown" : "");
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
