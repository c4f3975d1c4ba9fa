#include "commands/request.h"

#include "base/mem.h"
#include "base/ranks.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void pass_warning(void *to, const char *text)
{
    warn(to, "%s", text);
}

static int expand_spec(struct study *s, const char *text, size_t *capacity, char why[WHY])
{
    struct spec **some;
    size_t n;
    int e = catalog_expand(text, &some, &n, why);
    if (e)
        return e;
    if (mem_grow(&s->spec, capacity, s->specs + n, sizeof *s->spec)) {
        for (size_t k = 0; k < n; k++)
            spec_destroy(some[k]);
        mem_free(some);
        return fail(why, ENOMEM, "no memory for the strategies");
    }
    memcpy(s->spec + s->specs, some, n * sizeof *some);
    s->specs += n;
    mem_free(some);
    return 0;
}

static int expand_specs(struct study *s, const struct args *a, char why[WHY])
{
    size_t capacity = 0;
    int e = 0;
    for (size_t i = 0; i < a->specs.count && !e; i++)
        e = expand_spec(s, a->specs.item[i], &capacity, why);
    return e;
}

static int expand_nodes(struct study *s, const struct args *a, char why[WHY])
{
    size_t capacity = 0;
    for (size_t i = 0; i < a->nodes.count; i++) {
        char **some;
        size_t n;
        int e = cluster_sweep(a->nodes.item[i], &some, &n, why);
        if (e)
            return e;
        if (mem_grow(&s->nodes, &capacity, s->sizes + n, sizeof *s->nodes)) {
            for (size_t k = 0; k < n; k++)
                mem_free(some[k]);
            mem_free(some);
            return fail(why, ENOMEM, "no memory for the nodes");
        }
        memcpy(s->nodes + s->sizes, some, n * sizeof *some);
        s->sizes += n;
        mem_free(some);
    }
    return 0;
}

static int one_spec(const char *text, struct spec **out, char why[WHY])
{
    struct spec **some;
    size_t n;
    int e = catalog_expand(text, &some, &n, why);
    if (e)
        return e;
    *out = some[0];
    for (size_t i = 1; i < n; i++)
        spec_destroy(some[i]);
    mem_free(some);
    if (n == 1)
        return 0;
    spec_destroy(*out);
    *out = NULL;
    return fail(why, EINVAL, "'%s' is a sweep of %zu: one strategy is wanted here", text, n);
}

/* --to names one cluster. */
static int check_to(const char *nodes, char why[WHY])
{
    char **some;
    size_t n;
    int e = cluster_sweep(nodes, &some, &n, why);
    for (size_t i = 0; !e && i < n; i++)
        mem_free(some[i]);
    if (!e)
        mem_free(some);
    return e == -EINVAL || (!e && n > 1) ? fail(why, EINVAL, "--to %.200s: is a sweep, and one cluster is wanted here; keysim plan takes several steps", nodes) : e;
}

static int ask_strategy(const char *command, char why[WHY])
{
    return fail(why, EINVAL, "%s: which strategy? e.g. -s ring:vnodes=150 (keysim list shows them)", command);
}

/* Keys and nodes cannot both come from standard input. */
static int check_input(const struct args *a, const char *nodes, char why[WHY])
{
    size_t colon = strcspn(nodes, ":");
    bool nodes_read_it = nodes[colon] && nodes[colon + 1] == '-' && (!nodes[colon + 2] || nodes[colon + 2] == '#');
    bool keys_read_it = a->file ? !strcmp(a->file, "-") : a->rest_count == 0;
    return nodes_read_it && keys_read_it ? fail(why, EINVAL, "-n %s reads standard input: give the keys as words, or with -f FILE", nodes) : 0;
}

/* A single node named like a file that is there: the @ was forgotten. */
static void tell_file(const struct args *a, const char *option, const char *nodes)
{
    struct stat about;
    uint64_t number;
    if (*nodes != '@' && text_count(nodes, strlen(nodes), &number) == -EINVAL && !strchr(nodes, ',') && !stat(nodes, &about) && S_ISREG(about.st_mode))
        warn(a, "%s %s: one node of that name; the nodes in the file are %s @%s", option, nodes, option, nodes);
}

/* What real configurations among NODES bring along: their strategy, where -s names none, and what they cannot tell. */
static int import_nodes(struct study *s, const struct args *a, const char *command, char why[WHY])
{
    const char *brought = NULL, *by = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < s->sizes + (a->to != NULL); i++) {
        const char *nodes = i < s->sizes ? s->nodes[i] : a->to, *spec, *warning;
        int e = cluster_import(s->registry, nodes, &spec, &warning, why);
        if (!e && spec && !strcmp(command, "where") && !a->find)
            e = check_input(a, nodes, why);
        const struct cluster *plain;
        if (!e && !spec && !a->specs.count && i < s->sizes && !(e = cluster_read(s->registry, nodes, false, &plain, why)))
            e = ask_strategy(command, why); /* once the nodes themselves are no mistake */
        if (!e && !a->specs.count && brought && spec && strcmp(brought, spec))
            e = fail(why, EINVAL, "%s is %s, and %s is %s: which strategy is meant? name one with -s", by, brought, nodes, spec);
        if (e)
            return e;
        if (warning)
            warn(a, "%s", warning);
        tell_file(a, i < s->sizes ? "-n" : "--to", nodes);
        if (spec && !brought) {
            brought = spec;
            by = nodes;
        }
    }
    return a->specs.count ? 0 : expand_spec(s, brought, &capacity, why);
}

/* Files of nodes must be the same on every machine. */
static int same_nodes(const struct study *s, char why[WHY])
{
    struct registry *r = ranks_count() > 1 ? registry_create() : NULL;
    const struct cluster *c;
    uint64_t seen = 0;
    int e = 0;
    if (!r)
        return ranks_count() > 1 ? fail(why, ENOMEM, "no memory") : 0;
    for (size_t i = 0; i < s->sizes && !e; i++)
        if (*s->nodes[i] == '@' && !(e = cluster_read(r, s->nodes[i], false, &c, why)))
            for (uint32_t k = 0; k < c->size; k++) {
                const struct node *n = &c->node[k];
                seen = ranks_note(seen + n->weight + n->down, n->name, strlen(n->name));
                seen = ranks_note(seen, n->attributes, strlen(n->attributes));
            }
    registry_destroy(r);
    return e ? e : ranks_same(seen, why);
}

int request_open(struct study *s, const struct args *a, const char *command, char why[WHY])
{
    *s = (struct study){.registry = registry_create(), .workload = a->workload ? a->workload : WORKLOAD_DEFAULT, .nul = a->nul, .seed = a->seed, .threads = (unsigned)a->threads,
                        .exact = a->exact, .quick = a->quick, .placements = a->placements, .change = (const char *const *)a->changes.item,
                        .changes = a->changes.count, .to = a->to, .to_spec_text = a->to_spec, .cache = a->cache, .warn = pass_warning,
                        .warn_to = (void *)(uintptr_t)a};
    int e = s->registry ? 0 : fail(why, ENOMEM, "no memory");
    if (!e && a->specs.count == 0 && a->nodes.count == 0)
        e = ask_strategy(command, why);
    if (!e && a->nodes.count == 0)
        e = fail(why, EINVAL, "%s: which nodes? -n takes a number, a list a,b=2,c or @FILE", command);
    if (!e && a->rest_count > 0 && strcmp(command, "where"))
        e = fail(why, EINVAL, "%s: '%s' is not expected here", command, a->rest[0]);
    if (!e) {
        registry_percent(s->registry, a->percent);
        e = hash_parse(a->hash, &s->hash, why);
    }
    if (!e)
        e = expand_specs(s, a, why);
    if (!e)
        e = expand_nodes(s, a, why);
    if (!e)
        e = import_nodes(s, a, command, why);
    if (!e)
        e = same_nodes(s, why);
    if (!e && a->to_spec)
        e = one_spec(a->to_spec, &s->to_spec, why);
    if (!e && a->to && strcmp(command, "plan")) /* whose steps it may list */
        e = check_to(a->to, why);
    if (!e && ranks_own() == 0)
        e = output_check(a->output, why);
    if (e)
        request_close(s);
    else if (a->exact && a->workload)
        warn(a, "--exact counts shares of the digests: the keys of -k %s are not used", a->workload);
    if (!e && a->verbose)
        fprintf(stderr, "keysim: %s of %zu strategies on %zu clusters, seed %" PRIu64 ", %u threads\n", command, s->specs, s->sizes, s->seed,
                study_threads(s));
    return e;
}

void request_close(struct study *s)
{
    for (size_t i = 0; i < s->specs; i++)
        spec_destroy(s->spec[i]);
    for (size_t i = 0; i < s->sizes; i++)
        mem_free(s->nodes[i]);
    if (s->to_spec)
        spec_destroy(s->to_spec);
    mem_free(s->spec);
    mem_free(s->nodes);
    registry_destroy(s->registry);
    *s = (struct study){0};
}

int request_single(const struct study *s, const char *command, char why[WHY])
{
    if (s->specs != 1)
        return fail(why, EINVAL, "%s: one strategy is wanted, and -s names %zu", command, s->specs);
    return s->sizes == 1 ? 0 : fail(why, EINVAL, "%s: one cluster is wanted, and -n names %zu", command, s->sizes);
}

int request_abilities(const struct study *s, struct abilities *can, char why[WHY])
{
    const struct spec *spec = s->spec[s->specs - 1];
    const struct cluster *c;
    struct registry *r = registry_create();
    struct placement *p = NULL;
    struct map map = {0};
    double share[8], unplaced;
    *can = (struct abilities){false, false, false};
    int e = r ? cluster_read(r, "2", catalog_find(spec->name)->addresses, &c, why) : fail(why, ENOMEM, "no memory for the suggestion");
    if (!e)
        e = placement_open(&p, spec, c, &s->hash, why);
    if (!e) {
        can->any_removal = p->caps & CAP_ANY_REMOVAL;
        can->shares = !(e = placement_shares(p, share, &unplaced, why));
    }
    if (p && (!e || e == -EINVAL))
        can->map = !(e = placement_map(p, false, &map, why));
    map_release(&map);
    placement_close(p);
    registry_destroy(r);
    return e == -EINVAL ? 0 : e;
}

int request_write_of(const struct args *a, const void *of, const struct table *t, words_writer_of *words, char why[WHY])
{
    struct output out;
    int e = ranks_agree(0, 0, why);
    if (e || ranks_alone()) /* all have come this far: the first one writes */
        return e;
    e = output_open(&out, a->output, why);
    if (e)
        return e;
    enum format format = args_format(a);
    if (format == FORMAT_JSON)
        table_write_json(t, out.file);
    else if (format == FORMAT_TABLE)
        e = (e = output_words(&out, why)) ? e : words(a, of, t, out.file, why);
    else
        table_write_csv(t, out.file);
    if (!e)
        return output_close(&out, why);
    output_abandon(&out);
    return e;
}

struct study_words {
    const struct study *study;
    words_writer *write;
};

static int write_study_words(const struct args *a, const void *of, const struct table *t, FILE *to, char why[WHY])
{
    const struct study_words *w = of;
    return w->write(a, w->study, t, to, why);
}

int request_write(const struct args *a, const struct study *s, const struct table *t, words_writer *words, char why[WHY])
{
    return request_write_of(a, &(struct study_words){s, words}, t, write_study_words, why);
}

int request_words(const struct words_column *column, size_t n, const struct table *t, FILE *to, char why[WHY])
{
    size_t rows = table_rows(t), shown = 0;
    char(*text)[64] = mem_alloc(rows * n, sizeof *text);
    const char **cell = mem_alloc((rows + 1) * n, sizeof *cell);
    bool *hidden = mem_alloc(n, sizeof *hidden);
    int e = text && cell && hidden ? 0 : fail(why, ENOMEM, "no memory for the table");
    for (size_t k = 0; k < n && !e; k++) {
        hidden[k] = column[k].shown != ALWAYS;
        for (size_t r = 0; r < rows; r++) {
            if (column[k].cell)
                column[k].cell(t, r, text[k * rows + r]);
            else
                column[k].value(t, r, column[k].of, text[k * rows + r]);
            hidden[k] &= !strcmp(text[k * rows + r], column[k].shown == UNLESS_EMPTY ? "-" : text[k * rows]);
        }
        shown += !hidden[k];
    }
    for (size_t k = 0, at = 0; k < n && !e; k++) {
        if (hidden[k])
            continue;
        cell[at] = column[k].heading;
        for (size_t r = 0; r < rows; r++)
            cell[(r + 1) * shown + at] = text[k * rows + r];
        at++;
    }
    if (!e)
        words_write(cell, rows + 1, shown, to);
    mem_free(text);
    mem_free(cell);
    mem_free(hidden);
    return e;
}
