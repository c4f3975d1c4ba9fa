/* Which rings, over which names: the tables, and the rows they make. */
#include "experiments/names_parts.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pattern patterns[] = {
    {"ports", "10.0.0.1:{11211}"}, {"numbers", "node-{0}"},  {"hosts", "cache-{001}"}, {"domains", "cache{1}.example.com:11211"},
    {"addresses", "{ip}"},         {"endpoints", "{ip}:11211"}, {"uuids", "{uuid}"},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static const char *const hashes[] = {"xxh3", "xxh64", "murmur3-32", "md5-32", "fnv1a-64", "fnv1a-32", "fnv1-32", "crc32"};
enum { HASHES = sizeof hashes / sizeof *hashes };

static const char *const labels[] = {"{node}#{i}", "{node}-{i}", "{node}:{i}", "{node}{i}", "{i}{node}", "{i}-{node}"};
enum { LABELS = sizeof labels / sizeof *labels };

#define LABEL_DEFAULT "{node}#{i}"
#define VNODES_DEFAULT 40 /* and 4 and 16 times as many */
#define POINTS_MOST 1e6   /* on a ring that only shows what more points would do */
#define POINTS_SOON 1.2e8 /* of all rings of a run: some seconds on two cores */
#define POINTS_LAST 2.5e8 /* what is still run */

/* -- names -- */

/* The name of number i, at `to` (64 bytes are enough); its length. */
static size_t name_write(const char *format, uint64_t i, struct rng *r, char *to)
{
    char *start = to;
    for (const char *at = format; *at;) {
        size_t word = *at == '{' ? strcspn(at, "}") + 1 : 1;
        if (*at != '{') {
            *to++ = *at;
        } else if (at[1] == 'i') {
            to += sprintf(to, "10.0.%" PRIu64 ".%" PRIu64, i / 254, i % 254 + 1);
        } else if (at[1] == 'u') {
            uint64_t a = rng_next(r), b = rng_next(r);
            to += sprintf(to, "%08x-%04x-4%03x-%04x-%012" PRIx64, (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xfff),
                          (unsigned)(b >> 62 | 8) << 12 | (unsigned)(b >> 48 & 0xfff), b & 0xffffffffffff);
        } else {
            to += sprintf(to, "%0*llu", (int)(word - 2), strtoull(at + 1, NULL, 10) + i);
        }
        at += word;
    }
    return (size_t)(to - start);
}

int pattern_cluster(struct registry *r, const struct pattern *pattern, uint32_t n, size_t placement, uint64_t seed, const struct cluster **out,
                    char why[WHY])
{
    char *list = mem_alloc(n, 65), *to = list;
    struct rng g = rng_start(rng_stream(seed, "names", pattern->name, placement));
    if (!list)
        return fail(why, ENOMEM, "no memory for %u names", n);
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            *to++ = ',';
        to += name_write(pattern->format, placement * n + i, &g, to);
    }
    *to = 0;
    int e = cluster_read(r, list, false, out, why);
    mem_free(list);
    return e;
}

/* -- rings -- */

static const char *value_of(const struct spec *spec, const char *name)
{
    for (size_t i = 0; i < spec->count; i++)
        if (!strcmp(spec->item[i].name, name))
            return spec->item[i].value;
    return NULL;
}

static char *append(char *to, const char *name, const char *value)
{
    to += sprintf(to, ",%s=", name);
    for (; *value; value++) {
        if (*value == ',' || *value == '\\')
            *to++ = '\\';
        *to++ = *value;
    }
    *to = 0;
    return to;
}

/* Adds the rings of one text; *first: the first of them. */
static int add_text(struct names_plan *plan, const char *text, char why[WHY])
{
    struct spec **some;
    size_t n;
    int e = catalog_expand(text, &some, &n, why);
    if (e)
        return e;
    if (mem_grow(&plan->spec, &plan->spec_capacity, plan->specs + n, sizeof *plan->spec))
        e = fail(why, ENOMEM, "no memory for the rings");
    for (size_t i = 0; i < n; i++)
        if (e)
            spec_destroy(some[i]);
        else
            plan->spec[plan->specs++] = some[i];
    mem_free(some);
    return e;
}

/* Adds a ring like `given` (NULL: the plain one) with other values, which may be sweeps; NULL keeps the given hash. */
static int add_ring(struct names_plan *plan, const struct spec *given, const char *hash, const char *label, const char *vnodes, char why[WHY])
{
    size_t size = 256 + strlen(label) * 2 + (hash ? strlen(hash) : 0) + strlen(vnodes);
    for (size_t i = 0; given && i < given->count; i++)
        size += strlen(given->item[i].name) + 2 * strlen(given->item[i].value) + 2;
    char *text = mem_alloc(size, 1), *to = text;
    if (!text)
        return fail(why, ENOMEM, "no memory for the rings");
    if (hash)
        to = append(to, "hash", hash);
    to = append(to, "label", label);
    for (size_t i = 0; given && i < given->count; i++) {
        const char *name = given->item[i].name;
        if (strcmp(name, "label") && strcmp(name, "vnodes") && (!hash || strcmp(name, "hash")))
            to = append(to, name, given->item[i].value);
    }
    append(to, "vnodes", vnodes);
    char *whole = mem_alloc(size + 8, 1);
    int e = whole ? 0 : fail(why, ENOMEM, "no memory for the rings");
    if (!e) {
        sprintf(whole, "ring:%s", text + 1);
        e = add_text(plan, whole, why);
    }
    mem_free(text);
    mem_free(whole);
    return e;
}

/* All hashes and labels over so many kinds of names. On a large cluster fewer points a node do, and two numbers of them. */
static int add_everything(struct names_plan *plan, const struct spec *given, uint32_t nodes, size_t kinds, char why[WHY])
{
    static const unsigned ladder[][3] = {{VNODES_DEFAULT, 4 * VNODES_DEFAULT, 16 * VNODES_DEFAULT},
                                         {VNODES_DEFAULT / 4, VNODES_DEFAULT, 4 * VNODES_DEFAULT}, {VNODES_DEFAULT / 4, VNODES_DEFAULT, 0}};
    char vnodes[64] = "";
    for (size_t k = 0; k < sizeof ladder / sizeof *ladder; k++) {
        const unsigned *v = ladder[k];
        snprintf(vnodes, sizeof vnodes, v[2] ? "%u/%u/%u" : "%u/%u", v[0], v[1], v[2]);
        if ((double)(v[0] + v[1] + v[2]) * nodes * (double)(kinds * HASHES * LABELS) <= POINTS_SOON)
            break;
    }
    int e = 0;
    for (size_t i = 0; i < HASHES * LABELS && !e; i++)
        e = add_ring(plan, given, hashes[i / LABELS], labels[i % LABELS], vnodes, why);
    return e;
}

static int refuse_other(const struct spec *spec, char why[WHY])
{
    if (strcmp(spec->name, "ring"))
        return fail(why, EINVAL, "names: %s comes with its own hash and names for its points; give a ring with the same, such as -s ring:hash=crc32,label={i}{node}",
                    spec->name);
    const char *points = value_of(spec, "points");
    return points ? fail(why, EINVAL, "names: points=%s is what shares depend on, not the keys' hash: give -s ring:hash=%s without points=", points, points) : 0;
}

/* The study's rings, each at its points and at more; and beside a lone one on given names all that could be chosen instead. */
static int add_given(struct names_plan *plan, const struct study *s, uint32_t nodes, bool patterns_too, char why[WHY])
{
    int e = 0;
    for (size_t i = 0; i < s->specs && !e; i++) {
        const struct spec *given = s->spec[i];
        const char *label = value_of(given, "label"), *vnodes = value_of(given, "vnodes"), *hash = value_of(given, "hash");
        uint64_t own = 150;
        char ladder[80];
        if ((e = refuse_other(given, why)))
            return e;
        if (vnodes)
            text_count(vnodes, strlen(vnodes), &own);
        label = label ? label : LABEL_DEFAULT;
        plan->own = s->specs == 1 ? own : 0;
        int at = sprintf(ladder, "%" PRIu64, own);
        for (uint64_t more = 4; more <= 16 && s->specs == 1 && (double)(own * more) * nodes <= POINTS_MOST; more *= 4)
            at += sprintf(ladder + at, "/%" PRIu64, own * more);
        e = add_ring(plan, given, hash, label, ladder, why);
        hash = hash ? hash : s->hash.hash->name;
        for (size_t k = 0; k < HASHES && s->specs == 1 && !patterns_too && !e; k++)
            e = strcmp(hashes[k], hash) ? add_ring(plan, given, hashes[k], label, ladder, why) : 0;
        for (size_t k = 0; k < LABELS && s->specs == 1 && !patterns_too && !e; k++)
            e = strcmp(labels[k], label) ? add_ring(plan, given, hash, labels[k], ladder, why) : 0;
    }
    return e;
}

/* -- rows -- */

static int add_rows(struct names_plan *plan, const struct cluster *given, const struct pattern *pattern, char why[WHY])
{
    if (mem_grow(&plan->row, &plan->row_capacity, plan->rows + plan->specs, sizeof *plan->row))
        return fail(why, ENOMEM, "no memory for the rows");
    for (size_t i = 0; i < plan->specs; i++) {
        struct naming *row = &plan->row[plan->rows++];
        const char *vnodes = value_of(plan->spec[i], "vnodes");
        *row = (struct naming){.spec = plan->spec[i], .pattern = pattern, .given = given, .label = value_of(plan->spec[i], "label")};
        text_count(vnodes, strlen(vnodes), &row->vnodes);
        row->extra = plan->own && row->vnodes > plan->own;
    }
    return 0;
}

static int check_size(const struct study *s, const struct cluster *c, char why[WHY])
{
    if (c->size < 2)
        return fail(why, EINVAL, "names: one node has every key, whatever its name: -n must name two or more");
    if (s->placements > 1 && !names_are_patterns(s->nodes[0]))
        return fail(why, EINVAL, "names: -n %s gives the names, so there are no others to draw: leave out --placements", s->nodes[0]);
    return 0;
}

/* How many sets of names can be had soon, at most those that are usual. */
static int choose_sets(const struct study *s, uint32_t nodes, struct names_plan *plan, char why[WHY])
{
    double points = 0;
    for (size_t i = 0; i < plan->rows; i++)
        points += (double)plan->row[i].vnodes * nodes;
    if (points > POINTS_LAST)
        return fail(why, EINVAL, "names: %zu rings of %u nodes have %.2g points, and %.2g are what can be had soon: give -n %.0f or fewer, which tell a weak hash as well",
                    plan->rows, nodes, points, POINTS_LAST, floor(nodes * (POINTS_LAST / points)));
    plan->sets = names_are_patterns(s->nodes[0]) ? s->placements : 1;
    if (!plan->sets)
        for (plan->sets = NAMES_PLACEMENTS; plan->sets > 1 && (double)plan->sets * points > POINTS_SOON;)
            plan->sets--;
    return 0;
}

int names_plan(const struct study *s, bool everything, struct names_plan *plan, char why[WHY])
{
    const struct cluster *c;
    bool patterned = names_are_patterns(s->nodes[0]);
    size_t kinds = patterned ? PATTERNS : 1;
    int e = study_cluster(s, 0, 0, &c, why);
    if (!e)
        e = check_size(s, c, why);
    if (!e)
        e = everything ? add_everything(plan, s->spec[0], c->size, kinds, why) : add_given(plan, s, c->size, patterned, why);
    for (size_t i = 0; i < kinds && !e; i++)
        e = add_rows(plan, c, patterned ? &patterns[i] : NULL, why);
    return e ? e : choose_sets(s, c->size, plan, why);
}

void names_plan_release(struct names_plan *plan)
{
    for (size_t i = 0; i < plan->specs; i++)
        spec_destroy(plan->spec[i]);
    for (size_t i = 0; i < plan->rows; i++) {
        mem_free(plan->row[i].cv);
        identity_release(&plan->row[i].identity);
    }
    mem_free(plan->spec);
    mem_free(plan->row);
    *plan = (struct names_plan){0};
}
