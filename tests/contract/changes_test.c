/* What every strategy keeps when nodes come, leave, weigh otherwise or go down, and when memory runs out meanwhile: each spec of specs.h. */
#include "tests/contract/specs.h"

enum { SPARE = 4096 }; /* bytes: what was changed in place may keep room beyond what it holds */
enum { NEEDED, MINIMAL, BYSTANDERS, ANEW, RESTORED, UNNOTICED, REFUSED };
static const char *const promise[] = {
    [NEEDED] = "no change moves less than the shares before and after demand",
    [MINIMAL] = "a change in one direction moves no more than it must, if so promised",
    [BYSTANDERS] = "no change moves anything between nodes that stay as they are, if so promised",
    [ANEW] = "changed equals opened anew, unless it remembers",
    [RESTORED] = "a node that came and left leaves no trace, unless it remembers",
    [UNNOTICED] = "a node that goes down moves nothing where that is not known",
    [REFUSED] = "where only the last can leave, another's leaving is refused and nothing changed",
    NULL,
};

/* What moves in real keys, where there is no exact comparison. */
static void key_moves(const struct placement *before, const struct placement *after, const bool *standing, uint32_t ids, struct moves *moves, double *needed)
{
    double *from = mem_alloc(ids, sizeof *from), *to = mem_alloc(ids, sizeof *to), lost, missed;
    uint32_t *x = key_owners(before, FEW_KEYS), *y = key_owners(after, FEW_KEYS);
    key_shares(x, FEW_KEYS, ids, from, &lost);
    key_shares(y, FEW_KEYS, ids, to, &missed);
    *needed = share_distance(from, to, ids);
    *moves = (struct moves){0, 0};
    for (size_t i = 0; i < FEW_KEYS; i++)
        if (x[i] != y[i]) {
            moves->moved += 1.0 / FEW_KEYS;
            moves->bystander += x[i] < ids && y[i] < ids && standing[x[i]] && standing[y[i]] ? 1.0 / FEW_KEYS : 0;
        }
    mem_free(x);
    mem_free(y);
    mem_free(from);
    mem_free(to);
}

/* From the maps; false where they cannot be compared. */
static bool map_moves(const struct placement *before, const struct placement *after, const bool *standing, uint32_t ids, struct moves *moves, double *needed)
{
    if (!has_map(before) || !has_map(after))
        return false;
    struct map m = map_of(before), n = map_of(after);
    double *from = mem_alloc(ids, sizeof *from), *to = mem_alloc(ids, sizeof *to), unplaced;
    char why[WHY] = "";
    int e = map_compare(&m, &n, standing, ids, moves, why);
    if (!e)
        must(map_shares(&m, from, &unplaced, why) || map_shares(&n, to, &unplaced, why), why);
    *needed = share_distance(from, to, ids);
    map_release(&m);
    map_release(&n);
    mem_free(from);
    mem_free(to);
    return e == 0;
}

/* How much lies differently in two placements, and how much their shares demand. */
static void movement(const struct placement *before, const struct placement *after, struct moves *moves, double *needed)
{
    const struct cluster *a = before->cluster, *b = after->cluster;
    uint32_t ids = a->ids > b->ids ? a->ids : b->ids;
    bool *standing = mem_alloc(ids, sizeof *standing);
    const struct node **was = mem_alloc(ids, sizeof *was);
    for (uint32_t i = 0; i < a->size; i++)
        was[a->node[i].id] = &a->node[i];
    for (uint32_t i = 0; i < b->size; i++) {
        const struct node *n = &b->node[i], *o = was[n->id];
        standing[n->id] = o && o->weight == n->weight && o->down == n->down;
    }
    if (!map_moves(before, after, standing, ids, moves, needed))
        key_moves(before, after, standing, ids, moves, needed);
    mem_free(was);
    mem_free(standing);
}

enum direction { ONE_WAY, MIXED, DOWN };

static void one_change(struct trial *t, const char *change, enum direction way)
{
    struct placement *p = open_on_hash(t->spec, t->cluster, t->hash), *before = open_on_hash(t->spec, t->cluster, t->hash);
    const struct cluster *after = cluster_with(t, change);
    change_to(p, after);
    bool minimal = before->caps & p->caps & CAP_MINIMAL;
    struct moves moves;
    double needed;
    movement(before, p, &moves, &needed);
    check(t, NEEDED, moves.moved >= needed - 1e-12, change);
    if (minimal)
        check(t, BYSTANDERS, moves.bystander == 0, change);
    if (minimal && way != MIXED)
        check(t, MINIMAL, fabs(moves.moved - needed) < 1e-12, change);
    if (way == DOWN && !(p->caps & CAP_DOWN))
        check(t, UNNOTICED, moves.moved == 0, change);
    if (!(p->caps & CAP_HISTORY)) {
        struct placement *anew = open_on_hash(t->spec, after, t->hash);
        check(t, ANEW, same_places(p, anew) && placement_memory(p) <= 2 * placement_memory(anew) + SPARE && p->caps == anew->caps && p->law == anew->law, change);
        placement_close(anew);
        if (*change == '+' || way == DOWN) {
            change_to(p, t->cluster);
            check(t, RESTORED, same_places(p, before) && p->cluster->size == t->cluster->size && p->cluster->node == t->cluster->node, change);
        }
    }
    placement_close(p);
    placement_close(before);
}

/* One node in the middle leaves. */
static void removal(struct trial *t, const char *change)
{
    struct placement *p = open_on_hash(t->spec, t->cluster, t->hash);
    bool any = p->caps & CAP_ANY_REMOVAL;
    if (!any) {
        struct placement *before = open_on_hash(t->spec, t->cluster, t->hash);
        char why[WHY] = "";
        int e = placement_change(p, cluster_with(t, change), why);
        check(t, REFUSED, e == -EINVAL && *why && p->cluster == t->cluster && same_places(p, before), change);
        placement_close(before);
    }
    placement_close(p);
    if (any)
        one_change(t, change, ONE_WAY);
}

static bool leaves_freely(const struct trial *t)
{
    struct placement *p = open_on_hash(t->spec, t->cluster, t->hash);
    bool any = p->caps & CAP_ANY_REMOVAL;
    placement_close(p);
    return any;
}

static void changes(struct trial *t)
{
    const struct cluster *c = t->cluster;
    const char *x = t->addresses ? "10.9.0.1" : "x", *first = c->node[0].name, *middle = c->node[c->size / 2].name;
    uint32_t weight = c->node[c->size / 2].weight;
    char text[256];
    one_change(t, "+1", ONE_WAY);
    snprintf(text, sizeof text, "%s=%u", middle, weight + 2);
    one_change(t, text, ONE_WAY);
    if (c->size < 3)
        return;
    snprintf(text, sizeof text, "-%s", c->node[c->size / 3].name);
    removal(t, text);
    if (c->size > 100)
        return;
    snprintf(text, sizeof text, "-%s", first);
    removal(t, text);
    one_change(t, "-1", ONE_WAY);
    one_change(t, "-2", ONE_WAY);
    snprintf(text, sizeof text, "+2;+%s=2;+%s0", x, x);
    one_change(t, text, ONE_WAY);
    if (weight > 1) {
        snprintf(text, sizeof text, "%s=1", middle);
        one_change(t, text, ONE_WAY);
    }
    if (leaves_freely(t)) {
        snprintf(text, sizeof text, "-%s;+%s=2;%s=%u", first, x, middle, weight + 1);
        one_change(t, text, MIXED);
    }
    snprintf(text, sizeof text, "%s=down", middle);
    one_change(t, text, DOWN);
}

/* The nth allocation of what follows fails, for each n until none is left. */
static void starving(struct trial *t)
{
    const struct keyed_hash hash = {hash_find(t->hash), 0};
    t->registry = registry_create();
    t->cluster = cluster_sized(t, 24, true);
    char change[128], why[WHY];
    bool good = true;
    size_t at = (size_t)snprintf(change, sizeof change, "+1;%s=9;+%s=2", t->cluster->node[7].name, t->addresses ? "10.9.0.1" : "x");
    if (leaves_freely(t))
        snprintf(change + at, sizeof change - at, ";-%s", t->cluster->node[5].name);
    const struct cluster *after = cluster_with(t, change);
    uint64_t live = mem_live(), opening = 0, changing = 0;
    struct placement *p = NULL, *before;
    struct map m = {0};
    for (int e = -1; e; opening++) {
        *why = 0;
        mem_fail_at(opening + 1);
        e = placement_open(&p, t->spec, t->cluster, &hash, why);
        mem_fail_at(0);
        good &= !e || (e == -ENOMEM && *why && !p && mem_live() == live);
    }
    before = open_on_hash(t->spec, t->cluster, t->hash);
    uint64_t held = mem_live();
    for (int e = -1; e; changing++) {
        *why = 0;
        mem_fail_at(changing + 1);
        e = placement_change(p, after, why);
        mem_fail_at(0);
        good &= !e || (e == -ENOMEM && *why && mem_live() == held && p->cluster == t->cluster && same_places(p, before));
    }
    held = mem_live();
    mem_fail_at(1);
    good &= placement_map(p, false, &m, why) == (has_map(p) ? -ENOMEM : -EINVAL) && mem_live() == held;
    mem_fail_at(0);
    placement_close(p);
    placement_close(before);
    ok(good && mem_live() == live && changing > 1, "%s: each of %" PRIu64 " and %" PRIu64 " allocations failing once leaves what was there, and no leak",
       t->text, opening - 1, changing - 1);
    registry_destroy(t->registry);
}

static void hold(const char *text, const char *hash, enum origin from)
{
    static const uint32_t sizes[] = {1, 3, 24, 1000};
    struct spec *spec = spec_of(text);
    struct trial t = {.spec = spec, .text = text, .hash = hash, .promise = promise, .addresses = catalog_find(spec->name)->addresses};
    for (int i = 0; i < 2 * (from == CATALOG && !SANITIZED ? 4 : 3); i++) {
        t.registry = registry_create();
        t.cluster = cluster_sized(&t, sizes[i / 2], i % 2);
        changes(&t);
        registry_destroy(t.registry);
    }
    report(&t);
    if (strcmp(hash, "crc16"))
        starving(&t);
    spec_destroy(spec);
}

/* Removing a node of this ring removes nothing, as published. */
static void departed_stay(void)
{
    struct registry *r = registry_create();
    struct spec *spec = spec_of("tutorial-java-fnv");
    const struct cluster *five = cluster_of(r, "5");
    struct placement *p = open_on_hash(spec, five, "xxh3"), *before = open_on_hash(spec, five, "xxh3");
    change_to(p, changed(r, five, "-node-2"));
    ok(same_map(p, before), "tutorial-java-fnv: a removed node keeps its keys");
    change_to(p, five);
    ok(same_map(p, before), "and has them still when it comes back");
    placement_close(p);
    placement_close(before);
    spec_destroy(spec);
    registry_destroy(r);
}

int main(int argc, char **argv)
{
    uint64_t live = mem_live();
    (void)argc;
    walk_specs(hold, argv + 1);
    if (asked_for("tutorial-java-fnv", argv + 1))
        departed_stay();
    ok(mem_live() == live, "all memory given back");
    return tap_done();
}
