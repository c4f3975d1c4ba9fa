/* Changes and look-ups over every strategy, driven by bytes and held against naive oracles.
 *
 * The head picks a spec of the contract's, a hash, the first nodes and their attributes; then come operations of four bytes. After each change the
 * placement must answer as one opened anew on the same nodes, or, where it remembers, as a twin that went the same way undisturbed; what is refused, or
 * fails for want of memory, leaves all as it was. */
#include "tests/contract/specs.h"
#include "tests/fuzz/sequence_oracle.h"

enum { OPERATIONS = 24, LONG = 1 << 15, TEXTS = 512 };

/* -- specs -- */

/* Options whose defaults take long to open: small where the spec does not say. */
static const struct {
    const char *name, *option, *value;
} lighter[] = {
    {"ring", "vnodes", "9"}, {"maglev", "table", "251"}, {"envoy-maglev", "table", "251"}, {"ipvs-mh", "table", "251"}, {"slots", "count", "160"},
    {"envoy-ring", "max", "512,min=64"}, {"anchor", "capacity", "32"}, {"dx", "capacity", "64"}, {"bounded", "over", "ring:vnodes=9"}, {"choices", "over", "ring:vnodes=9"},
    {"dynamo", "tokens", "8,parts=512"},
};

static char *texts[TEXTS];
static size_t text_total;

static void keep_text(const char *text, enum origin from, void *to)
{
    char more[160];
    size_t name = strcspn(text, ":");
    (void)to;
    snprintf(more, sizeof more, "%s", text);
    for (size_t i = 0; i < sizeof lighter / sizeof *lighter; i++) {
        if (strlen(lighter[i].name) != name || memcmp(text, lighter[i].name, name))
            continue;
        if (!strstr(text + name, lighter[i].option))
            snprintf(more, sizeof more, "%s%c%s=%s", text, text[name] ? ',' : ':', lighter[i].option, lighter[i].value);
        else if (from == CHOICE)
            return;
    }
    HOLD(text_total < TEXTS);
    HOLD(texts[text_total++] = strdup(more));
}

/* -- looks -- */

static void anew(struct run *r, bool whole)
{
    struct placement *p;
    char why[WHY] = "";
    int e = placement_open(&p, r->spec, r->cluster, &r->hash, why);
    if (e)
        fprintf(stderr, "%s\n", why);
    HOLD(!e);
    as_if(r, p, whole);
    r->most = r->most > placement_memory(p) ? r->most : placement_memory(p);
    HOLD(placement_memory(r->p) <= 2 * r->most + 4096);
    placement_close(p);
}

static void looked_at(struct run *r, bool last)
{
    answers(r, r->p, r->owner);
    for (size_t i = 0; i < ANSWERS; i++)
        HOLD(may_own(r, r->owner[i]));
    HOLD(r->p->cluster->size == r->cluster->size && r->p->cluster->node == r->cluster->node);
    if (r->twin)
        as_if(r, r->twin, last);
    else if (last || !r->most || r->most <= LONG) /* more takes long to open */
        anew(r, last);
}

/* -- changes -- */

static const struct node *standing(const struct cluster *before, const struct cluster *after, uint32_t id)
{
    const struct node *a = cluster_by_id(before, id), *b = cluster_by_id(after, id);
    return a && b && a->weight == b->weight && a->down == b->down && !strcmp(a->attributes, b->attributes) ? a : NULL;
}

/* Whether those that stay stand in the same order: where points or seats collide, the order decides. */
static bool same_order(const struct cluster *before, const struct cluster *after)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < before->size; i++) {
        const struct node *n = cluster_by_id(after, before->node[i].id);
        if (n && n < after->node + next)
            return false;
        next = n ? (uint32_t)(n - after->node) : next;
    }
    return true;
}

static void no_bystander(const struct run *r, const struct cluster *before, const uint32_t owner[DIGESTS])
{
    for (size_t i = 0; i < DIGESTS; i++)
        HOLD(owner[i] == r->owner[i] || !standing(before, r->cluster, owner[i]) || !standing(before, r->cluster, r->owner[i]));
}

static bool only_at_the_end(const struct cluster *before, const struct cluster *after)
{
    uint32_t n = before->size < after->size ? before->size : after->size;
    for (uint32_t i = 0; i < n; i++)
        if (before->node[i].id != after->node[i].id)
            return false;
    return true;
}

/* A change that one who opens anew would not refuse is refused only where nodes must leave in order. */
static void rightly_refused(const struct run *r, const struct cluster *after)
{
    struct placement *p;
    char why[WHY] = "";
    if (r->p->caps & CAP_HISTORY || !(r->p->caps & CAP_ANY_REMOVAL))
        return;
    int e = placement_open(&p, r->spec, after, &r->hash, why);
    placement_close(p);
    HOLD(refused(e, why));
}

static void as_before(const struct run *r, const struct placement *was, const struct cluster *cluster)
{
    HOLD(r->p->cluster == cluster && r->p->engine == was->engine && r->p->caps == was->caps && r->p->law == was->law);
    same_answers(r, r->p);
}

/* As a program does that changes without end: names that no cluster holds are forgotten, and their ids given again. */
static void forget(const struct run *r, const struct cluster *c)
{
    if (r->forgets && c != r->cluster && c != r->earlier && !(r->p->caps & CAP_DEPARTED))
        cluster_release(r->registry, c);
}

/* Goes to another cluster; the nth allocation fails first, if there are so many. */
static void go(struct run *r, const struct cluster *after, uint64_t nth)
{
    const struct cluster *before = r->cluster, *seen = r->p->cluster;
    const struct placement was = *r->p;
    uint32_t owner[ANSWERS];
    char why[WHY] = "";
    uint64_t rest = mem_live() - placement_memory(r->p); /* room that was made may stay, and is counted */
    mem_fail_at(nth);
    int e = placement_change(r->p, after, why);
    mem_fail_at(0);
    if (e == -ENOMEM && nth) {
        HOLD(*why && mem_live() - placement_memory(r->p) == rest);
        as_before(r, &was, seen);
        e = placement_change(r->p, after, why);
    }
    if (refused(e, why)) {
        HOLD(mem_live() - placement_memory(r->p) == rest);
        as_before(r, &was, seen);
        rightly_refused(r, after);
        HOLD(!r->twin || placement_change(r->twin, after, why) == e);
        forget(r, after);
        return;
    }
    HOLD(r->p->caps & CAP_ANY_REMOVAL || only_at_the_end(before, after));
    if (r->twin)
        HOLD(!placement_change(r->twin, after, why));
    memcpy(owner, r->owner, sizeof owner);
    r->cluster = after;
    looked_at(r, false);
    if (was.caps & r->p->caps & CAP_MINIMAL && same_order(before, after))
        no_bystander(r, before, owner);
    forget(r, before);
}

/* -- operations -- */

enum { ADD, REMOVE, WEIGH, DOWN, JOINED, BACK, LOOK, COPY, LOAD, MAP, STARVED, KINDS };

static const uint32_t weight[16] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 9, 20, WEIGHT_MAX};

static void name_of(const struct run *r, unsigned k, char name[32])
{
    snprintf(name, 32, r->addresses ? "10.0.0.%u" : "node-%u", k % NODES + r->addresses);
}

/* One part of a CHANGE. */
static void change_text(const struct run *r, unsigned what, unsigned a, unsigned b, char text[64])
{
    const struct node *n = &r->cluster->node[a % r->cluster->size];
    char name[32];
    name_of(r, a, name);
    if (what % 4 == ADD)
        snprintf(text, 64, "+%s=%u", name, weight[b % 16]);
    else if (what % 4 == REMOVE)
        snprintf(text, 64, "-%s", n->name);
    else if (what % 4 == WEIGH)
        snprintf(text, 64, "%s=%u", n->name, weight[b % 16]);
    else
        snprintf(text, 64, "%s=%s", n->name, n->down ? "up" : "down");
}

static void change(struct run *r, const char *text, uint64_t nth)
{
    const struct cluster *after;
    char why[WHY] = "";
    if (!refused(cluster_change(r->registry, r->cluster, text, r->addresses, &after, why), why))
        go(r, after, nth);
}

static void operation(struct run *r, unsigned what, unsigned a, unsigned b, unsigned c)
{
    char text[200] = "", other[64];
    uint64_t digest = rng_upto(rng_mix(a << 16 | b << 8 | c), r->p->key.hash.hash->last);
    what %= KINDS;
    if (what <= DOWN || what == STARVED) {
        change_text(r, what == STARVED ? c >> 6 : what, a, b, text);
        change(r, text, what == STARVED ? 1 + c % 64 : 0);
    } else if (what == JOINED) {
        change_text(r, b >> 6, a, b, text);
        change_text(r, b >> 4, c, c >> 4, other);
        strcat(strcat(text, ";"), other);
        change(r, text, 0);
    } else if (what == BACK) {
        if (r->earlier != r->cluster)
            go(r, r->earlier, c & 1 ? 1 + c / 2 % 32 : 0);
        r->earlier = a & 1 ? r->cluster : r->earlier;
    } else if (what == LOOK) {
        against_naive(r, a == b ? r->digest[c % DIGESTS] : digest);
    } else if (what == COPY) {
        replicas(r, digest, 1 + c % (c & 64 ? 2 * NODES : COPIES));
    } else if (what == LOAD) {
        if (r->p->engine->lookup_loaded)
            same_loads(r, r->p);
    } else if (has_map(r->p) || c % 64 == 0) { /* else all digests are looked up, which takes long */
        map(r);
    }
}

/* -- the head -- */

/* n nodes of default names; attributes say what some system asks for. */
static const struct cluster *first_nodes(const struct run *r, unsigned n, unsigned attributes, unsigned salt)
{
    char text[NODES * 80], why[WHY] = "", name[32], nodes[80];
    const struct cluster *c = NULL;
    int at = 0;
    for (unsigned i = 0; i < n; i++) {
        name_of(r, i, name);
        at += sprintf(text + at, "%s %u", name, weight[(salt + i * (attributes >> 4)) % 14]);
        if (attributes % 8 == 1)
            at += sprintf(text + at, " id=%u", 1 + i * (salt % 3));
        if (attributes % 8 == 2)
            at += sprintf(text + at, " dc=datacenter%u rack=rack%u", 1 + i % 2, 1 + i % 3);
        if (attributes % 8 == 3)
            at += sprintf(text + at, " tokens=%u,%u", i * 1000 + salt, 60000 - i);
        if (attributes % 8 == 4)
            at += sprintf(text + at, " slots=%u-%u", i * 1024, i + 1 == n ? 16383 : i * 1024 + 1023);
        if (attributes % 8 == 5)
            at += sprintf(text + at, " down=%u", i % 3 == salt % 3);
        text[at++] = '\n';
    }
    snprintf(nodes, sizeof nodes, "@%s", file_of(text, (size_t)at));
    HOLD(!cluster_read(r->registry, nodes, r->addresses, &c, why));
    return c;
}

static void sequence(struct run *r, const uint8_t *data, size_t size)
{
    char why[WHY] = "";
    if (refused(placement_open(&r->p, r->spec, r->cluster, &r->hash, why), why))
        return;
    if (r->p->caps & CAP_HISTORY)
        HOLD(!placement_open(&r->twin, r->spec, r->cluster, &r->hash, why));
    uint64_t last = r->p->key.hash.hash->last;
    for (uint64_t i = 0; i < DIGESTS; i++)
        r->digest[i] = i < 2 ? i * last : rng_upto(rng_at(77, i), last);
    looked_at(r, false);
    for (int i = 0; i < OPERATIONS && size; i++) {
        unsigned what = take(&data, &size), a = take(&data, &size), b = take(&data, &size), c = take(&data, &size);
        operation(r, what, a, b, c);
    }
    looked_at(r, true);
    placement_close(r->p);
    placement_close(r->twin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const hashes[] = {"xxh3", "crc16", "xxh3", "crc32"};
    if (!text_total)
        walk_texts(keep_text, NULL, &(char *){NULL});
    uint64_t live = mem_live();
    unsigned spec = take(&data, &size) << 8, hash, nodes, attributes;
    spec = (spec | take(&data, &size)) % (unsigned)text_total;
    hash = take(&data, &size);
    nodes = take(&data, &size);
    attributes = take(&data, &size);
    struct spec *parsed = spec_of(texts[spec]);
    struct run r = {.spec = parsed, .hash = {hash_find(hashes[hash % 4]), 0}, .registry = registry_create()};
    HOLD(r.registry);
    r.addresses = catalog_find(parsed->name)->addresses;
    r.forgets = attributes & 8;
    r.cluster = r.earlier = first_nodes(&r, 1 + nodes % NODES, attributes, hash >> 2);
    sequence(&r, data, size);
    registry_destroy(r.registry);
    spec_destroy(parsed);
    HOLD(mem_live() == live);
    return 0;
}
