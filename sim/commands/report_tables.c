/* The trade-offs table, each word with its figure, and the list of commands. */
#include "commands/report_words.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static void cell(const char *word, const char *figure, FILE *to)
{
    fprintf(to, "<td>%s<span class=\"figure\">%s</span></td>", word, figure);
}

static void moved_row(const struct report *r, FILE *to)
{
    const struct sheet *s = r->sheet[STEP_GROW];
    char a[32], figure[96];
    fprintf(to, "<tr><th scope=\"row\">When nodes change <small>keys that move from 10 to 11 nodes; ideal %s</small></th>", percent(1.0 / 11, a));
    cell("nearly every key is mapped anew", percent(grow_at(s, ROW_MODULO, 10), a), to);
    cell("only about 1/N of the keys", percent(grow_at(s, ROW_RING_150, 10), a), to);
    snprintf(figure, sizeof figure, "%s <small>(cut anew: ", percent(grow_at(s, ROW_SLOTS, 10), a));
    snprintf(figure + strlen(figure), sizeof figure - strlen(figure), "%s)</small>", percent(grow_at(s, ROW_CONTIGUOUS, 10), a));
    cell("only the keys of slots that migrate", figure, to);
    fputs("</tr>\n", to);
}

static void even_row(const struct report *r, FILE *to)
{
    char a[32], b[32], figure[128];
    fprintf(to, "<tr><th scope=\"row\">Evenness <small>fullest of your %u nodes, above fair</small></th>", r->size);
    cell("depends on the hash function", percent(strategy_value(r, STEP_KEYS, "modulo", "max_over_mean") - 1, a), to);
    snprintf(figure, sizeof figure, "%s <small>(V\u00a0=\u00a0150)</small>, %s <small>(V\u00a0=\u00a01)</small>", percent(ring_value(r, STEP_KEYS, "150", "max_over_mean") - 1, a),
             percent(ring_value(r, STEP_KEYS, "1", "max_over_mean") - 1, b));
    cell("needs virtual nodes", figure, to);
    cell("even by nature: 16384 fixed slots", percent(strategy_value(r, STEP_KEYS, "slots", "max_over_mean") - 1, a), to);
    fputs("</tr>\n", to);
}

static void cost_cell(const struct report *r, const char *word, const char *strategy, const char *value, const char *order, FILE *to)
{
    char time[32], bytes[32], figure[160];
    snprintf(figure, sizeof figure, "%s, %s <small>%s</small>", nanoseconds(sheet_at(r->sheet[STEP_LATENCY], strategy, value, 10, "lookup_ns"), time),
             text_bytes(sheet_at(r->sheet[STEP_COST], strategy, value, 10, "memory_bytes"), bytes), order);
    cell(word, figure, to);
}

static void complexity_row(const struct report *r, FILE *to)
{
    fputs("<tr><th scope=\"row\">Complexity <small>a look-up and the memory on 10 nodes</small></th>", to);
    cost_cell(r, "as simple as can be", "modulo", "", "O(1)", to);
    cost_cell(r, "middling", "ring", "150", "O(1) with an index; O(log NV) without", to);
    cost_cell(r, "more: someone must keep the table of slots", "slots", "", "O(1)", to);
    fputs("</tr>\n", to);
}

void print_tradeoffs(const struct report *r, FILE *to)
{
    moved_row(r, to);
    even_row(r, to);
    complexity_row(r, to);
    fputs("<tr><th scope=\"row\">Systems that do so</th><td>early Memcached clients</td><td>Cassandra, Dynamo</td><td>Redis Cluster</td></tr>\n", to);
}

void print_commands(const struct report *r, FILE *to)
{
    for (int i = 0; i < STEPS; i++) {
        if (!step_is_run(r, (enum report_step)i))
            continue;
        char *words = step_text(r, (enum report_step)i);
        const char *file = step_file((enum report_step)i);
        fprintf(to, "<tr><td><a href=\"%s\">%s</a></td><td>%s</td><td><code>", file, file,
                step_kind(r, (enum report_step)i));
        html_text(words ? words : "(no memory)", to);
        fputs("</code></td></tr>\n", to);
        mem_free(words);
    }
}
