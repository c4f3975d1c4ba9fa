/* keysim list: strategies, systems, hashes, workloads, and the columns of results. */
#include "commands/list.h"
#include "commands/request.h"

#include "base/mem.h"
#include "base/text.h"
#include "experiments/columns.h"

#include <errno.h>
#include <string.h>

#define LIST_COLUMN(id, text) static const struct column id = {#id, COLUMN_TEXT, 0, "-", text}
LIST_COLUMN(kind, "strategy, system, hash, workload or column");
LIST_COLUMN(name, "its name");
LIST_COLUMN(summary, "what it is");
LIST_COLUMN(version, "of a real system: the version whose placement it gives");
LIST_COLUMN(source, "paper or system");
LIST_COLUMN(cost, "look-up and memory");
LIST_COLUMN(options, "options with their defaults");
LIST_COLUMN(exact, "what --exact can tell: the placement of every key is exact");
LIST_COLUMN(traits, "load follows weights; minimal movement; any node can leave; it remembers changes; it knows of nodes that are down; copies of its own; bounded loads; visits every node; stays assigned");
LIST_COLUMN(unit, "unit of a column");
LIST_COLUMN(type, "type of a column");
LIST_COLUMN(bits, "width of a hash");
LIST_COLUMN(verification, "of a hash: SMHasher's verification procedure, on the digest");
static const struct column *const list_columns[] = {&kind, &name, &summary, &version, &source, &cost, &options, &bits, &verification, &unit, &type, &exact, &traits};
enum { LIST_COLUMNS = sizeof list_columns / sizeof *list_columns };

/* "vnodes=150,hash=" ; cut where it does not fit. */
static void option_text(const struct option *o, char *text, size_t size)
{
    size_t n = 0;
    *text = 0;
    for (; o && o->name && n < size; o++)
        if (!o->refuse)
            n += (size_t)snprintf(text + n, size - n, "%s%s=%s", n ? "," : "", o->name, o->fallback ? o->fallback : "");
}

static int add(struct table *t, const char *is, const char *called, const char *says)
{
    return table_row(t) || table_text(t, &kind, is) || table_text(t, &name, called) || table_text(t, &summary, says);
}

static void traits_of(const struct placement *p, char text[256])
{
    const struct {
        bool kept;
        const char *word;
    } promise[] = {
        {p->caps & CAP_WEIGHTS, "weights"},          {p->caps & CAP_MINIMAL, "minimal"}, {p->caps & CAP_ANY_REMOVAL, "any node leaves"},
        {p->caps & CAP_HISTORY, "remembers"},        {p->caps & CAP_DOWN, "knows down"}, {p->engine->replicas, "own copies"},
        {p->engine->capacity, "bounded loads"},       {p->engine->among, "least load"},            {p->caps & CAP_SCANS, "visits every node"},
        {p->caps & CAP_ASSIGNED, "stays assigned"},
    };
    *text = 0;
    for (size_t i = 0; i < sizeof promise / sizeof *promise; i++)
        if (promise[i].kept)
            snprintf(text + strlen(text), 256 - strlen(text), "%s%s", *text ? ", " : "", promise[i].word);
}

/* Every key's placement is exact; shares and movement where the strategy has an ownership map, or a law of its own. */
int nature_of(const struct strategy *s, const struct keyed_hash *hash, struct nature *out, char why[WHY])
{
    const struct cluster *c;
    struct placement *p = NULL;
    struct spec **spec = NULL;
    struct map map = {0};
    size_t n = 0;
    char inner[WHY];
    double share[16], unplaced;
    struct registry *r = registry_create();
    int e = r ? catalog_expand(s->name, &spec, &n, why) : fail(why, ENOMEM, "no memory for the list");
    if (!e && !(e = cluster_read(r, "4", s->addresses, &c, why)) && !(e = placement_open(&p, spec[0], c, hash, why))) {
        int no_map = placement_map(p, false, &map, inner), no_shares = no_map ? placement_shares(p, share, &unplaced, inner) : 0;
        if ((no_map && no_map != -EINVAL) || (no_shares && no_shares != -EINVAL))
            e = fail(why, ENOMEM, "%s", inner);
        out->exact = !no_map                    ? "placement, shares, remap"
                     : !no_shares               ? "placement, shares"
                     : p->engine->lookup_loaded ? "first choice"
                                                : "placement";
        traits_of(p, out->traits);
    }
    map_release(&map);
    placement_close(p);
    for (size_t i = 0; i < n; i++)
        spec_destroy(spec[i]);
    mem_free(spec);
    registry_destroy(r);
    return e;
}

static int add_strategies(const struct args *a, struct table *t, bool systems)
{
    char text[512], why[WHY];
    const struct keyed_hash hash = {.hash = hash_find(a->hash)};
    struct nature nature;
    int e = 0;
    for (const struct strategy *const *s = catalog; *s && !e; s++) {
        if (((*s)->version != NULL) != systems)
            continue;
        option_text((*s)->option, text, sizeof text);
        e = add(t, systems ? "system" : "strategy", (*s)->name, (*s)->summary) || table_text(t, &source, (*s)->source) ||
            table_text(t, &cost, (*s)->cost) || table_text(t, &version, systems ? (*s)->version : "") || table_text(t, &options, text) ||
            nature_of(*s, &hash, &nature, why) || table_text(t, &exact, nature.exact) || table_text(t, &traits, nature.traits);
    }
    return e;
}

static int add_hashes(struct table *t)
{
    int e = 0;
    for (const struct hash *const *h = hash_table; *h && !e; h++) {
        char width[16], value[16];
        snprintf(width, sizeof width, "%u", (*h)->bits);
        snprintf(value, sizeof value, "%08x", (*h)->verification);
        e = add(t, "hash", (*h)->name, (*h)->summary) || table_text(t, &bits, width) || table_text(t, &verification, value) ||
            table_text(t, &options, (*h)->seed_bits ? "seed=0" : "");
    }
    return e;
}

static int add_workloads(struct table *t)
{
    char text[512];
    int e = 0;
    for (const struct workload_kind *k = workload_kinds; k->name && !e; k++) {
        option_text(k->option, text, sizeof text);
        e = add(t, "workload", k->name, k->summary) || table_text(t, &options, text);
    }
    return e;
}

static int add_columns(struct table *t)
{
    int e = 0;
    for (size_t i = 0; i < COLUMN_IDS && !e; i++) {
        static const char *const types[] = {"text", "whole number", "real"};
        e = add(t, "column", columns[i].name, columns[i].meaning) || table_text(t, &unit, columns[i].unit) ||
            table_text(t, &type, types[columns[i].type]);
    }
    return e;
}

/* name, options, summary: as many lines as it takes, a heading a kind. */
static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    static const char *const headings[][2] = {{"strategy", "strategies"}, {"system", "systems"}, {"hash", "hashes"}, {"workload", "workloads"}, {"column", "columns of results"}};
    const char *before = "";
    (void)a, (void)s, (void)why;
    for (size_t r = 0; r < table_rows(t); r++) {
        const char *is = table_get_text(t, r, &kind), *option = table_get_text(t, r, &options), *of = table_get_text(t, r, &version);
        for (size_t i = 0; i < sizeof headings / sizeof *headings && strcmp(is, before); i++)
            if (!strcmp(is, headings[i][0]))
                fprintf(to, "%s%s\n", r ? "\n" : "", headings[i][1]);
        before = is;
        const char *wide = table_get_text(t, r, &bits);
        fprintf(to, "  %-18s %s%s%s%s\n", table_get_text(t, r, &name), table_get_text(t, r, &summary), *wide ? " [" : "", wide, *wide ? " bits]" : "");
        if (*of)
            fprintf(to, "  %-18s version: %s\n", "", of);
        if (*option)
            fprintf(to, "  %-18s options: %s\n", "", option);
        if (*table_get_text(t, r, &exact))
            fprintf(to, "  %-18s exact:   %s\n", "", table_get_text(t, r, &exact));
        if (*table_get_text(t, r, &traits))
            fprintf(to, "  %-18s traits:  %s\n", "", table_get_text(t, r, &traits));
    }
    fputs("\nkeysim help NAME explains the options of a strategy, system or workload.\n", to);
    return 0;
}

static int run(struct args *a, char why[WHY])
{
    static const char *const kinds[] = {"strategies", "systems", "hashes", "workloads", "columns"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    size_t which = KINDS;
    if (a->rest_count > 1)
        return fail(why, EINVAL, "list: one of strategies, systems, hashes, workloads, columns");
    for (size_t i = 0; a->rest_count && i < KINDS; i++)
        if (!strcmp(a->rest[0], kinds[i]))
            which = i;
    if (a->rest_count && which == KINDS)
        return fail_unknown(why, "list", a->rest[0], kinds, KINDS);
    struct table *t = table_create(list_columns, LIST_COLUMNS);
    bool all = which == KINDS;
    int e = !t || ((all || which == 0) && add_strategies(a, t, false)) || ((all || which == 1) && add_strategies(a, t, true)) ||
            ((all || which == 2) && add_hashes(t)) || ((all || which == 3) && add_workloads(t)) || (which == 4 && add_columns(t));
    e = e ? fail(why, ENOMEM, "no memory for the list") : request_write(a, NULL, t, words, why);
    table_destroy(t);
    return e;
}

static const int takes[] = {0};

const struct command command_list = {
    .name = "list",
    .summary = "strategies, systems, hashes, workloads",
    .usage = "[strategies|systems|hashes|workloads|columns]",
    .takes = takes,
    .run = run,
};
