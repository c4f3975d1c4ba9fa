#include "commands/balance_words.h"

#include "commands/cells.h"
#include "commands/inner.h"
#include "commands/suggest.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 3 }; /* strategies that a line names */

bool is_main(const struct table *t, size_t row)
{
    return !strcmp(table_get_text(t, row, COL(load)), table_get_text(t, 0, COL(load)));
}

/* The hottest key's share, over a fair share. */
static double weighs(const struct table *t, size_t row)
{
    return table_is_empty(t, row, COL(top_share)) ? 0 : table_get_real(t, row, COL(top_share)) * (double)table_get_count(t, row, COL(nodes));
}

/* The row that the hottest key weighs on most. */
static size_t hottest(const struct table *t)
{
    size_t most = 0;
    for (size_t r = 1; r < table_rows(t); r++) {
        double floor = table_get_real(t, r, COL(floor_max_over_mean)), highest = table_get_real(t, most, COL(floor_max_over_mean));
        if (is_main(t, r) && (floor > highest || (floor >= highest && weighs(t, r) > weighs(t, most))))
            most = r;
    }
    return most;
}

static bool is_over_fair(const struct table *t, size_t row)
{
    return !table_is_empty(t, row, COL(floor_max_over_mean)) && table_get_real(t, row, COL(floor_max_over_mean)) > 1.005;
}

bool is_popularity(const struct table *t)
{
    return !strcmp(table_get_text(t, 0, COL(load)), "requests");
}

/* Of the variance that chance gives, the hottest key's own is (nodes - 1) p^2. */
bool is_hot(const struct table *t)
{
    size_t r = hottest(t);
    double chance = table_get_real(t, r, COL(noise_cv)), top = table_get_real(t, r, COL(top_share));
    bool dominates = !table_is_empty(t, r, COL(top_share)) && chance > 0.05 && (double)(table_get_count(t, r, COL(nodes)) - 1) * top * top > 0.25 * chance * chance;
    return is_over_fair(t, r) || (is_popularity(t) && dominates);
}

bool is_lopsided(const struct table *t)
{
    bool requests = !strcmp(table_get_text(t, 0, COL(load)), "requests"), lopsided = false;
    for (size_t r = 0; r + 1 < table_rows(t); r++) /* of a strategy the keys come after the requests */
        lopsided |= requests && is_main(t, r) && !is_main(t, r + 1) && table_get_real(t, r, COL(max_over_mean)) > 1.25 &&
                    table_get_real(t, r, COL(max_over_mean)) > 1.1 * table_get_real(t, r + 1, COL(max_over_mean));
    return lopsided;
}

static bool looks_at_loads(const struct table *t, size_t row)
{
    return !table_is_empty(t, row, COL(spilled_share));
}

/* "; the fullest node has 1.25 times its fair share under A, 1.40 under B" of the cluster's strategies that look at loads, or do not.
 * said: the verb stands before. Whether there are any. */
static bool say_reached(const struct table *t, size_t hot, bool loads, const char *lead, bool said, FILE *to)
{
    size_t named = 0, more = 0;
    char spec[512];
    for (size_t r = 0; r < table_rows(t); r++) {
        if (!is_main(t, r) || table_get_count(t, r, COL(nodes)) != table_get_count(t, hot, COL(nodes)) || looks_at_loads(t, r) != loads)
            continue;
        if (named == NAMED) {
            more++;
            continue;
        }
        row_spec(t, r, spec, sizeof spec);
        fprintf(to, "%s%s%.2f%s under %s", named ? ", " : lead, said ? "" : "the fullest node has ", table_get_real(t, r, COL(max_over_mean)),
                said ? "" : " times its fair share", spec);
        said = true;
        named++;
    }
    if (more)
        fprintf(to, " (and %zu more)", more);
    return named;
}

void say_fullest(const struct table *t, const char *lead, FILE *to)
{
    size_t hot = hottest(t);
    bool said = say_reached(t, hot, false, lead, false, to);
    say_reached(t, hot, true, said ? "; with requests shared by load, " : lead, said, to);
}

void say_hot(const struct table *t, FILE *to)
{
    size_t hot = hottest(t);
    double top = table_get_real(t, hot, COL(top_share));
    const char *load = table_get_text(t, hot, COL(load));
    fprintf(to, "the hottest key alone is %.*f %% of the %s", top < 0.1, 100 * top, load);
    if (!is_over_fair(t, hot))
        fprintf(to, ", %.2f of a node's fair share", weighs(t, hot));
    else
        fprintf(to, ": %s one of %" PRIu64 " nodes gets at least %.2f times its fair share", looks_at_loads(t, hot) ? "even shared among several," : "wherever it lies,",
                table_get_count(t, hot, COL(nodes)), table_get_real(t, hot, COL(floor_max_over_mean)));
    say_fullest(t, "; ", to);
    fputc('\n', to);
}

/* -s OUTER:over=SPEC, with '\,' between its options. */
static int add_over(struct texts *words, const char *outer, const char *spec)
{
    char *text = mem_alloc(strlen(outer) + 2 * strlen(spec) + sizeof ":over=", 1);
    if (!text)
        return -ENOMEM;
    char *to = stpcpy(stpcpy(text, outer), ":over=");
    for (; *spec; *to++ = *spec++)
        if (*spec == ',')
            *to++ = '\\';
    int e = inner_words(words, "-s", text, NULL);
    mem_free(text);
    return e;
}

/* What was asked, with the hottest keys split. */
static int split(const struct args *a, const struct study *s, uint64_t keys, struct texts *words)
{
    size_t size = strlen(s->workload) + 48;
    char *workload = mem_alloc(size, 1);
    int e = workload ? 0 : -ENOMEM;
    for (size_t i = 0; i < a->specs.count && !e; i++)
        e = inner_words(words, "-s", a->specs.item[i], NULL);
    if (!e)
        snprintf(workload, size, "%s%shottest=%d,copies=8", s->workload, strchr(s->workload, ':') ? "," : ":", keys && keys < 10 ? (int)keys : 10);
    if (!e)
        e = inner_words(words, "-n", s->nodes[0], "-k", workload, NULL);
    mem_free(workload);
    return e;
}

/* The strategy of a row, and the two that look at loads over it. */
static int compare_over(const struct study *s, const struct table *t, size_t row, struct texts *words)
{
    char *spec = suggest_spec(t, row);
    int e = spec ? inner_words(words, "-s", spec, NULL) : -ENOMEM;
    if (!e)
        e = add_over(words, "bounded", spec) || add_over(words, "choices", spec) ? -ENOMEM : 0;
    mem_free(spec);
    return e ? e : inner_words(words, "-n", s->nodes[0], "-k", s->workload, NULL);
}

bool suggest_cure(const struct args *a, const struct study *s, const struct table *t, FILE *to)
{
    struct texts words = {0};
    bool loads = false, is_split = strstr(s->workload, "hottest=") || strstr(s->workload, "path=-");
    size_t plain = table_rows(t);
    uint64_t keys = 0;
    for (size_t r = table_rows(t); r-- > 0;) {
        if (!strcmp(table_get_text(t, r, COL(load)), "keys"))
            keys = table_get_count(t, r, COL(keys));
        loads |= looks_at_loads(t, r);
        plain = looks_at_loads(t, r) ? plain : r;
    }
    if (loads && is_split)
        return false;
    int e = inner_add(&words, "balance", 7);
    if (!e && loads) {
        e = split(a, s, keys, &words);
    } else if (!e) {
        e = compare_over(s, t, plain, &words);
    }
    if (!e)
        e = inner_common(&words, a);
    if (!e && s->nul)
        e = inner_add(&words, "-0", 2);
    char *text = e ? NULL : inner_text(&words);
    if (text)
        fprintf(to, "\nWhat helps: %s\nNext: %s\n", loads ? "several names for the hottest keys, so that each name has a node." : "several nodes that may serve a hot key.", text);
    mem_free(text);
    inner_release(&words);
    return text;
}
