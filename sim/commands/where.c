/* keysim where: which node does a key go to, and why? */
#include "commands/explain.h"
#include "commands/find.h"
#include "commands/keys.h"
#include "commands/request.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct asking {
    const struct args *args;
    struct study study;
    const struct cluster *cluster, *after;
    struct placement *p, *changed; /* changed: after --change; NULL: none */
    struct explainer *explainer;   /* NULL: no --explain */
    struct keys keys;
    struct rows rows;
    uint32_t *copy;                /* the nodes of a key: before, then after --change */
    uint64_t unplaced, salted;
};

static struct field node_field(const struct asking *q, uint32_t id)
{
    const char *name = id == NO_NODE ? "-" : registry_name(q->study.registry, id);
    return (struct field){name, strlen(name), id != NO_NODE};
}

static int refuse_key(const struct asking *q, const char *key, size_t len, char why[WHY])
{
    char where[512], shown[80];
    keys_where(&q->keys, where, sizeof where);
    return fail(why, EINVAL, "%s: '%s' is no key for %s: it wants %s", where, text_printable(key, len, shown, sizeof shown), q->p->strategy->name,
                placement_wants(q->p));
}

/* The node of a key, or with --replicas those of its copies; `most` values are set, NO_NODE where there is none. How many. */
static size_t nodes_of(const struct asking *q, const struct placement *p, const char *key, size_t len, bool hashed, uint64_t digest,
                       uint32_t *id, size_t most, bool *salted)
{
    size_t n = 0;
    for (size_t i = 0; i < most; i++)
        id[i] = NO_NODE;
    if (hashed && q->args->replicas)
        n = placement_replicas(p, digest, id, most, salted);
    if (hashed && n == 0)
        id[0] = placement_owner(p, key, len, digest); /* the one that a second hashing found, or none */
    return n ? n : 1;
}

/* The rows of one key: one, or one a copy. */
static int answer(struct asking *q, const char *key, size_t len, char why[WHY])
{
    uint64_t digest, digest_after;
    enum key_verdict v = placement_digest(q->p, key, len, &digest);
    if (v == KEY_INVALID)
        return refuse_key(q, key, len, why);
    bool hashed = v == KEY_HASHED, salted = false;
    size_t most = q->args->replicas ? q->args->replicas : 1;
    uint32_t *id = q->copy, *after = q->copy + most;
    size_t copies = nodes_of(q, q->p, key, len, hashed, digest, id, most, &salted);
    if (q->changed) {
        bool hashed_after = placement_digest(q->changed, key, len, &digest_after) == KEY_HASHED;
        nodes_of(q, q->changed, key, len, hashed_after, digest_after, after, most, &salted);
    }
    q->unplaced += !hashed;
    q->salted += salted;
    if (q->explainer && args_format(q->args) == FORMAT_TABLE)
        return explain_words(q->explainer, key, len, hashed, digest, id, copies, q->changed ? after : NULL, q->rows.out.file);
    for (size_t i = 0; i < copies; i++) {
        struct field field[8] = {{key, len, true}, node_field(q, id[i])};
        size_t n = 2;
        char number[24];
        if (q->args->replicas) {
            int digits = snprintf(number, sizeof number, "%zu", i + 1);
            field[n++] = (struct field){number, (size_t)digits, false};
        }
        if (q->explainer)
            n += explain_fields(q->explainer, key, len, hashed, digest, field + n);
        if (q->changed)
            field[n++] = node_field(q, after[i]);
        rows_write(&q->rows, field);
    }
    return 0;
}

static size_t headings(const struct asking *q, const char *heading[8])
{
    size_t n = 0;
    heading[n++] = "key";
    heading[n++] = "node";
    if (q->args->replicas)
        heading[n++] = "replica";
    if (q->explainer)
        n += explain_headings(q->explainer, heading + n);
    if (q->changed)
        heading[n++] = "node_after";
    return n;
}

/* Copies on different racks are availability's matter; a system does what it does. */
static void tell_racks(const struct asking *q)
{
    size_t len;
    bool racks = false;
    for (uint32_t i = 0; i < q->cluster->size && !racks; i++)
        racks = node_attribute(&q->cluster->node[i], "rack", &len);
    if (racks && q->args->replicas > 1 && !q->p->strategy->version)
        warn(q->args, "--replicas: copies lie on different nodes, racks (rack=) are not looked at here; keysim availability keeps copies on different racks");
}

static int open_placements(struct asking *q, char why[WHY])
{
    const struct args *a = q->args;
    const struct study *s = &q->study;
    int e = request_single(s, "where", why);
    if (!e && a->changes.count > 1)
        e = fail(why, EINVAL, "where: one --change; join several with ';'");
    if (!e)
        e = study_cluster(s, 0, 0, &q->cluster, why);
    if (!e && a->replicas > q->cluster->size)
        e = fail(why, EINVAL, "--replicas %" PRIu64 ": there are only %u nodes", a->replicas, q->cluster->size);
    if (!e)
        e = study_open(s, s->spec[0], q->cluster, &q->p, why);
    if (!e && a->changes.count) {
        e = cluster_change(s->registry, q->cluster, a->changes.item[0], q->p->strategy->addresses, &q->after, why);
        if (!e)
            e = placement_open(&q->changed, s->spec[0], q->cluster, &s->hash, why);
        if (!e)
            e = placement_change(q->changed, q->after, why);
    }
    if (!e && !(q->copy = mem_alloc(a->replicas ? a->replicas : 1, 2 * sizeof *q->copy)))
        e = fail(why, ENOMEM, "no memory for %" PRIu64 " replicas", a->replicas);
    if (!e)
        tell_racks(q);
    if (!e && a->explain)
        e = explain_open(&q->explainer, s->registry, q->p, why);
    return e;
}

static int run(struct args *a, char why[WHY])
{
    struct asking q = {.args = a};
    const char *heading[8], *key;
    size_t len;
    bool writing = false;
    if (a->find)
        return find_run(a, why);
    int e = request_open(&q.study, a, "where", why);
    if (e)
        return e;
    e = open_placements(&q, why);
    if (!e)
        e = keys_open(&q.keys, a, "where", why);
    if (!e) {
        size_t n = headings(&q, heading);
        bool choosy = q.p->key.filter || q.p->key.hash.hash->accepts || a->percent;
        e = rows_open(&q.rows, a, heading, n, choosy && !(a->explain && args_format(a) == FORMAT_TABLE), why);
        writing = !e;
    }
    while (!e && !rows_broken(&q.rows) && (e = keys_next(&q.keys, &key, &len, why)) == 1)
        e = answer(&q, key, len, why);
    if (writing && e < 0)
        rows_abandon(&q.rows);
    else if (writing)
        e = rows_close(&q.rows, why);
    if (!e && q.unplaced)
        warn(a, "%s itself gives no node to %" PRIu64 " of these keys: '-'", q.p->strategy->name, q.unplaced);
    if (!e && q.salted)
        warn(a, "%s has no replicas of its own: copies are look-ups of salted digests", q.p->strategy->name);
    keys_close(&q.keys);
    explain_close(q.explainer);
    placement_close(q.p);
    placement_close(q.changed);
    mem_free(q.copy);
    request_close(&q.study);
    return e;
}

static const int takes[] = {'s', 'n', 'H', FLAG_REPLICAS, FLAG_EXPLAIN, FLAG_CHANGE, FLAG_FIND, FLAG_COUNT, 'f', '0', FLAG_PERCENT, 0};

const struct command command_where = {
    .name = "where",
    .summary = "which node a key goes to, and why",
    .usage = "-s SPEC -n NODES [--replicas R] [--explain] [--change CHANGE] [-0] [--percent] [-f FILE|-] [KEY...]\n"
             "keysim where -s SPEC -n NODES --find node=NAME|slot=N [--count N]",
    .takes = takes,
    .run = run,
    .details = "Prints key,node; '-' where the system itself gives no node. With --replicas a row a copy; with --explain the part\n"
               "hashed, the digest and the slot or ring point; with --change the node afterwards. Without KEY and -f, keys are read\n"
               "from standard input, a line a key.\n\n"
               "  keysim where -s ring:vnodes=150 -n 10 --explain user:1001\n"
               "  keysim where -s tutorial-ts -n redis-01,redis-02,redis-03 --change +redis-04 user:1001 user:1002\n"
               "  keysim where -s slots -n @nodes.txt --replicas 2 -f keys.txt\n"
               "  keysim where -s slots -n 3 --find slot=866\n",
};
