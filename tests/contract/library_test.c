/* The library on every spec: through a history of changes it says what a placement says whose registry forgets no name, its memory does not grow with the
 * nodes that came and left, and what fails leaves all as it was. */
#include "library/keysim.h"
#include "tests/contract/specs.h"

#include <pthread.h>

enum { KEYS = 200, STEPS = 25, COPIES = 3 };

/* The library, and the same spec on clusters that are all kept. */
struct pair {
    struct keysim *k;
    struct registry *registry;
    const struct cluster *cluster;
    struct spec *spec;
    struct placement *p;
    char key[KEYS][64];
    const void *text[KEYS];
    uint32_t len[KEYS];
};

static const char *name_or_none(const char *name)
{
    return name ? name : "-";
}

static const char *kept_name(const struct pair *t, uint32_t id)
{
    return id == NO_NODE ? "-" : registry_name(t->registry, id);
}

static bool same_copies(const struct pair *t, size_t i, uint64_t digest)
{
    int node[COPIES];
    uint32_t id[COPIES];
    bool salted;
    int n = keysim_replicas(t->k, t->key[i], t->len[i], node, COPIES);
    size_t want = COPIES < t->cluster->size ? COPIES : t->cluster->size;
    size_t m = placement_replicas(t->p, digest, id, want, &salted);
    if (m == 0 && (id[0] = placement_owner(t->p, t->key[i], t->len[i], digest)) != NO_NODE)
        m = 1;
    bool same = n == (int)m;
    for (size_t k = 0; k < m && same; k++)
        same = !strcmp(keysim_name(t->k, node[k]), kept_name(t, id[k]));
    return same;
}

static bool same_answers(const struct pair *t)
{
    int many[KEYS];
    bool same = true;
    keysim_where_many(t->k, t->text, t->len, KEYS, many);
    for (size_t i = 0; i < KEYS && same; i++) {
        uint64_t digest;
        int node = keysim_where(t->k, t->key[i], t->len[i]);
        enum key_verdict v = placement_digest(t->p, t->key[i], t->len[i], &digest);
        uint32_t id = v == KEY_HASHED ? placement_owner(t->p, t->key[i], t->len[i], digest) : NO_NODE;
        same = node == many[i] && (node == KEYSIM_NO_KEY) == (v == KEY_INVALID) && !strcmp(name_or_none(keysim_name(t->k, node)), kept_name(t, id)) &&
               (v != KEY_HASHED || same_copies(t, i, digest));
    }
    return same;
}

static bool same_nodes(const struct pair *t)
{
    bool same = keysim_nodes(t->k) == t->cluster->size;
    for (uint32_t i = 0; i < t->cluster->size && same; i++) {
        int node = keysim_node(t->k, i);
        const struct node *n = &t->cluster->node[i];
        same = node >= 0 && node < keysim_numbers(t->k) && !strcmp(keysim_name(t->k, node), n->name) && keysim_weight(t->k, node) == n->weight &&
               keysim_find(t->k, n->name) == node;
    }
    return same;
}

/* A node that is there, one that may have left, one that never came. */
static void draw_change(const struct pair *t, struct rng *g, char text[128])
{
    const char *member = t->cluster->node[rng_below(g, t->cluster->size)].name;
    unsigned old = (unsigned)rng_below(g, 12), fresh = (unsigned)rng_below(g, 65536);
    switch (rng_below(g, 6)) {
    case 0: snprintf(text, 128, "+10.9.%u.%u", fresh >> 8, fresh & 255); break;
    case 1: snprintf(text, 128, "+10.0.0.%u", old + 1); break;
    case 2: snprintf(text, 128, "-%s", member); break;
    case 3: snprintf(text, 128, "-%s;+10.9.%u.%u", member, fresh >> 8, fresh & 255); break;
    case 4: snprintf(text, 128, "%s=%s", member, fresh & 1 ? "down" : "up"); break;
    default: snprintf(text, 128, "%s=%u", member, 1 + old % 3); break;
    }
}

/* The same change on both sides: the same outcome, and the same answers then. */
static bool step(struct pair *t, const char *change)
{
    char why[WHY] = "", said[WHY] = "";
    const struct cluster *after;
    int e = cluster_change(t->registry, t->cluster, change, t->p->strategy->addresses, &after, why);
    if (!e)
        e = placement_change(t->p, after, why);
    int got = keysim_change(t->k, change, said, sizeof said);
    if (!e)
        t->cluster = after;
    return e == got && !strcmp(why, said) && same_nodes(t) && same_answers(t);
}

static void history(struct pair *t, const char *text)
{
    struct rng g = rng_start(rng_stream(1, "library", text, 0));
    char change[128] = "as opened";
    bool same = same_nodes(t) && same_answers(t);
    for (int i = 0; i < STEPS && same; i++) {
        draw_change(t, &g, change);
        same = step(t, change);
    }
    if (!ok(same, "%s: the library answers as a placement that keeps all names, through %d changes", text, STEPS))
        note("%s", change);
}

/* New names come and others leave, many times over: the first, or where only the last can, that one. */
static void turnover(struct keysim *k, const char *text, unsigned caps)
{
    char change[128], why[WHY] = "";
    uint64_t live = 0;
    int numbers = 0, e = 0;
    for (unsigned i = 0; i < 90 && !e; i++) {
        snprintf(change, sizeof change, "+10.8.%u.%u", i >> 8, i & 255);
        e = keysim_change(k, change, why, sizeof why);
        snprintf(change, sizeof change, "-%s", keysim_name(k, keysim_node(k, caps & CAP_ANY_REMOVAL ? 0 : keysim_nodes(k) - 1)));
        if (!e)
            e = keysim_change(k, change, why, sizeof why);
        if (i == 29)
            live = mem_live(), numbers = keysim_numbers(k);
    }
    bool grows = mem_live() > live + live / 8 || keysim_numbers(k) > numbers, keeps = caps & CAP_DEPARTED;
    if (!ok(!e && grows == keeps, "%s: memory after 90 names is %s after 30", text, keeps ? "more than" : "that"))
        note("%s %d; %" PRIu64 " bytes after %" PRIu64 ", numbers below %d after %d", why, e, mem_live(), live, keysim_numbers(k), numbers);
}

static void hold(const char *text, const char *hash, enum origin from)
{
    static const char nodes[] = "10.0.0.1,10.0.0.2=2,10.0.0.3,10.0.0.4,10.0.0.5,10.0.0.6", even[] = "10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4,10.0.0.5,10.0.0.6";
    struct pair t = {.registry = registry_create(), .spec = spec_of(text)};
    char why[WHY] = "";
    (void)from;
    if (strcmp(hash, "xxh3") != 0) /* the library's own */
        goto done;
    for (size_t i = 0; i < KEYS; i++) {
        t.len[i] = key_text((int)(i % KEY_KINDS), i, t.key[i]);
        t.text[i] = t.key[i];
    }
    const char *both = keysim_open(&t.k, text, nodes, why, sizeof why) ? even : nodes;
    must(!t.k && keysim_open(&t.k, text, even, why, sizeof why), why);
    t.cluster = cluster_of(t.registry, both);
    t.p = open_on_hash(t.spec, t.cluster, hash);
    history(&t, text);
    turnover(t.k, text, t.p->caps);
done:
    keysim_close(t.k);
    placement_close(t.p);
    spec_destroy(t.spec);
    registry_destroy(t.registry);
}

/* -- the face -- */

static void refusals(void)
{
    static const struct { const char *spec, *nodes, *says; } row[] = {
        {"rin", "3", "ring"}, {"ring:vnodes=1/2", "3", "sweep"}, {"ring", "3/4", "sweep"}, {"ring", "", "no nodes"}, {"ring", "a,a", "twice"},
        {NULL, "3", "which strategy"}, {"ring", "@/nonexistent", "/nonexistent"}, {"slots:count=2", "3", "slots"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char why[WHY] = "";
        struct keysim *k = (struct keysim *)1;
        int e = keysim_open(&k, row[i].spec, row[i].nodes, why, sizeof why);
        if (!ok(e == -EINVAL && !k && strstr(why, row[i].says), "open %s on '%s' is refused", row[i].spec ? row[i].spec : "NULL", row[i].nodes))
            note("%d %s", e, why);
    }
    struct keysim *k;
    ok(keysim_open(&k, "rin", "3", NULL, 0) == -EINVAL, "nobody need listen");
    char two[2] = "x";
    ok(keysim_open(&k, "rin", "3", two, sizeof two) == -EINVAL && two[0] && !two[1], "a sentence is cut to its room");
    keysim_close(NULL);
}

static void numbers(void)
{
    struct keysim *k;
    char why[WHY] = "";
    must(keysim_open(&k, "ring", "a,b=2,c", why, sizeof why), why);
    int b = keysim_find(k, "b"), c = keysim_find(k, "c");
    ok(!*keysim_warning(k) && keysim_nodes(k) == 3 && keysim_weight(k, b) == 2 && keysim_node(k, 1) == b, "nodes as written");
    ok(keysim_node(k, 3) == KEYSIM_NOWHERE && !keysim_name(k, -1) && !keysim_name(k, 3) && !keysim_weight(k, -1) && keysim_find(k, "d") == KEYSIM_NOWHERE, "none beyond");
    must(keysim_change(k, "-b;+d", why, sizeof why), why);
    ok(keysim_find(k, "c") == c && keysim_find(k, "d") != b && !keysim_name(k, b), "a node keeps its number; one that leaves does not give it to one of the same change");
    must(keysim_change(k, "+e", why, sizeof why), why);
    ok(keysim_find(k, "e") == b, "but to a later one");
    ok(keysim_change(k, "+f;-nobody", why, sizeof why) == -EINVAL && strstr(why, "nobody") && keysim_nodes(k) == 4 && keysim_numbers(k) == 4, "a change fails whole");
    ok(keysim_where(k, "\0\xff", 2) >= 0 && keysim_where(k, "", 0) >= 0, "a key is any bytes");
    keysim_close(k);
    must(keysim_open(&k, "jump", "3", why, sizeof why), why);
    must(keysim_change(k, "node-1=2", why, sizeof why), why);
    ok(strstr(keysim_warning(k), "weights"), "a warning is that of the nodes as they are");
    ok(keysim_change(k, "-node-0", why, sizeof why) == -EINVAL && keysim_nodes(k) == 3, "jump loses its last node only");
    keysim_close(k);
    must(keysim_open(&k, "ring", "a,b,c", why, sizeof why), why);
    must(keysim_change(k, "b=down", why, sizeof why), why);
    ok(strstr(keysim_warning(k), "node b keeps its keys"), "a node that goes down is told of where that changes nothing");
    must(keysim_change(k, "b=up;+d", why, sizeof why), why);
    ok(!*keysim_warning(k), "until it is up again");
    keysim_close(k);
}

static void configuration(void)
{
    char path[64], nodes[80], why[WHY] = "";
    struct keysim *k;
    temporary("upstream cache { hash $uri consistent; server 10.0.0.1:80; server 10.0.0.2:80 weight=2 max_conns=5; }\n", path);
    snprintf(nodes, sizeof nodes, "@nginx:%s", path);
    must(keysim_open(&k, NULL, nodes, why, sizeof why), why);
    ok(keysim_nodes(k) == 2 && keysim_weight(k, keysim_node(k, 1)) == 2 && keysim_where(k, "/index.html", 11) >= 0, "a configuration says its strategy itself");
    ok(strstr(keysim_warning(k), "max_conns"), "and what it says that cannot be told");
    keysim_close(k);
    unlink(path);
}

/* Each allocation in turn fails. */
static void starving(void)
{
    char why[WHY] = "";
    uint64_t live = mem_live(), n = 0, m = 0;
    struct keysim *k = NULL;
    bool right = true;
    for (int e = -1; e; right &= !e || (e == -ENOMEM && mem_live() == live)) {
        mem_fail_at(++n);
        e = keysim_open(&k, "slots:count=64", "a,b,c", why, sizeof why);
        mem_fail_at(0);
    }
    ok(right && n > 10, "opening: each of %" PRIu64 " allocations failing leaves nothing", n - 1);
    uint64_t open = mem_live();
    for (int e = -1; e; right &= !e || (e == -ENOMEM && keysim_nodes(k) == 3 && keysim_numbers(k) == 3 && mem_live() <= open + 1024)) {
        mem_fail_at(++m);
        e = keysim_change(k, "-b;+d=2", why, sizeof why);
        mem_fail_at(0);
    }
    ok(right && m > 5, "a change: each of %" PRIu64 " allocations failing leaves what was there", m - 1);
    keysim_close(k);
}

static void *look_up(void *of)
{
    const struct keysim *k = of;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 20000; i++)
        sum = sum * 31 + (uint64_t)keysim_where(k, &i, sizeof i);
    return (void *)(uintptr_t)sum;
}

static void threads(void)
{
    struct keysim *k;
    char why[WHY] = "";
    pthread_t thread[3];
    void *sum[3] = {0};
    must(keysim_open(&k, "ring", "20", why, sizeof why), why);
    for (int i = 0; i < 3; i++)
        must(pthread_create(&thread[i], NULL, look_up, k), "no thread");
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], &sum[i]);
    void *alone = look_up(k);
    ok(sum[0] == alone && sum[1] == alone && sum[2] == alone, "threads look up at once");
    keysim_close(k);
}

int main(int argc, char **argv)
{
    uint64_t live = mem_live();
    (void)argc;
    refusals();
    numbers();
    configuration();
    starving();
    threads();
    walk_specs(hold, argv + 1);
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
