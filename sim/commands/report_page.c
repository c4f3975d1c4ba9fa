/* The page: plots/page.html copied, its marks {{...}} replaced.
 *
 *   {{chart NAME}}     the SVG, made fit to stand among others
 *   {{command FILE}}   the command that made FILE.csv, and a link to it
 *   anything else      words_print()
 *
 * gnuplot's SVG files share their ids and are drawn in black: ids get the chart's name in front, and black becomes the colour of the
 * text around, style.gp's quiet grey that of the page's quiet words, so that the page can be dark. */
#include "commands/inner.h"
#include "commands/report.h"

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What a chart shows, for those who do not see it. */
static const char *const chart_meaning[] = {
    "Three rings with 1, 10 and 150 points a node, arcs coloured by the node that owns them",
    "Bars: load of each node over its fair share, for modulo, rings of 1, 10 and 150 points a node, and slots",
    "How far the fullest node lies above its fair share, against points a node",
    "Spread of load (coefficient of variation) against points a node",
    "Share of keys that move when nodes are added or leave, a row a strategy, with the optimum",
    "Nanoseconds of a look-up against the number of nodes",
    "Memory against the number of nodes",
    "Time to build against the number of nodes",
    "Time to hash a key, by hash",
    "Two public reports: the share that each node was seen to hold, and the share computed from the configuration",
    "Heat map: each algorithm on 10, 100 and 1000 nodes, how full the fullest node is and how far loads spread, with what theory expects",
    "Each algorithm: keys moved over what an ideal balancer moves, as one node joins 10 and 100, and as the worst of ten leaves",
    "Heat map: nanoseconds of a look-up and memory of each algorithm on 10 to 10,000 nodes",
    "Each algorithm on 100 nodes as a dot: how uneven against how slow, the dot as large as its memory, and the front of the best",
    "Figures that papers print, as dots, on the lines measured here: rings, multi-probe, Dynamo and Maglev",
    "How far the fullest node lies above fair against points a node, in typical and in unlucky clusters, with the target and the number that meets it; memory and look-up time below",
    "Chance that some range loses its quorum when two nodes fail, and with how many others a node shares ranges, against points a node",
    "Heat map: each hash over kinds of names and labels, how much more uneven than an ideal hash",
    "Two heat maps of what each node gives to each other as one node joins: a ring and modulo",
    "Nodes that stay up and load that is lost when one node dies, against what nodes can bear: rings of 1, 10 and 150 points, slots without and with copies, bounded loads",
    "A cascade step by step: the load of each node, those above what they bear, and the dead, on rings of 1 and 150 points a node",
    "What the worst receiver of a dead node's load gets, and how many receive some, against points a node",
    "Hit ratio and queries to the database after a fourth cache joins three, against the requests since then: modulo, rings of 1 and 150 points, slots, each with its theory",
    "Hit ratio and queries to the database along a recorded trace, halfway through which a fourth cache joins three: modulo, rings of 1 and 150 points, slots",
    "Requests of the fullest node over its fair share against the number of nodes: ring, slots, bounded loads, two copies, split hot keys, and the floor that the hottest key sets",
    "Nanoseconds of a look-up on a ring against its points: keysim in batches, a binary search, and one load from as much memory",
};
_Static_assert(sizeof chart_meaning / sizeof *chart_meaning == CHARTS, "each chart has words for those who do not see it");

void html_text(const char *text, FILE *to)
{
    for (size_t len = strlen(text), i = 0, n; i < len; i += n) {
        unsigned char c = (unsigned char)text[i];
        n = text_shown(text + i, len - i);
        if (n == 0) {
            n = 1;
            fprintf(to, "\\x%02x", c);
        } else if (strchr("&<>\"'", c)) {
            fprintf(to, "&#%d;", c);
        } else {
            fwrite(text + i, 1, n, to);
        }
    }
}

/* A piece of SVG and what it becomes; `prefix` puts the chart's name behind. */
static const struct {
    const char *from, *to;
    bool prefix;
} svg_rules[] = {
    {"id=\"", "id=\"", true},
    {"id='", "id='", true},
    {"href='#", "href='#", true},
    {"href=\"#", "href=\"#", true},
    {"url(#", "url(#", true},
    {"\"black\"", "\"currentColor\"", false},
    {"'black'", "'currentColor'", false},
    {"rgb(  0,   0,   0)", "currentColor", false},
    {"rgb(0,0,0)", "currentColor", false},
    {"rgb(  0,   0,   1)", "currentColor", false}, /* black lines that gnuplot must not join */
    {"rgb(  0,   0,   2)", "currentColor", false},
    {"rgb(  0,   0,   3)", "currentColor", false},
    {"rgb(107,107,107)", "var(--quiet)", false},
    {" color=\"white\"", "", false},
    {"flood-color='white'", "flood-color='none'", false},
    {" shape-rendering=\"crispEdges\"", "", false}, /* slanted edges would be steps */
    {" shape-rendering='crispEdges'", "", false},
    {"\t", "", false},
};
enum { RULES = sizeof svg_rules / sizeof *svg_rules };

static void print_svg(const char *at, const char *name, FILE *to)
{
    bool tag = true; /* what is written between tags stays as it is */
    while (*at) {
        size_t k = tag || *at == '\t' ? 0 : RULES;
        const char *end;
        while (k < RULES && strncmp(at, svg_rules[k].from, strlen(svg_rules[k].from)))
            k++;
        if (k < RULES) {
            fprintf(to, "%s%s", svg_rules[k].to, svg_rules[k].prefix ? name : "");
            at += strlen(svg_rules[k].from);
        } else if ((!strncmp(at, "<title>", 7) && (end = strstr(at, "</title>"))) || (!strncmp(at, "<desc>", 6) && (end = strstr(at, "</desc>")))) {
            at = strchr(end, '>') + 1; /* gnuplot's own would pop up as hints */
        } else {
            tag = *at == '<' || (tag && *at != '>');
            putc(*at++, to);
        }
    }
}

static int print_chart(const struct report *r, const char *name, FILE *to, char why[WHY])
{
    size_t k = 0;
    while (k < CHARTS && strcmp(chart_names[k], name))
        k++;
    if (k == CHARTS)
        return fail(why, EIO, "the page's template names a chart '%s' that does not exist", name);
    char *path = files_path(r, name, ".svg"), *text = NULL;
    int e = path ? file_read(&text, path, why) : fail(why, ENOMEM, "no memory for the page");
    if (!e) {
        char *start = strstr(text, "<svg");
        fprintf(to, "<svg role=\"img\" aria-label=\"%s\"", chart_meaning[k]);
        print_svg(start ? start + 4 : text, name, to);
    }
    mem_free(text);
    mem_free(path);
    return e;
}

static int print_command(const struct report *r, const char *file, FILE *to, char why[WHY])
{
    enum report_step step;
    if (!step_find(file, &step))
        return fail(why, EIO, "the page's template names a result '%s' that does not exist", file);
    if (!step_is_run(r, step))
        return 0;
    char *words = step_text(r, step);
    if (!words)
        return fail(why, ENOMEM, "no memory for the page");
    fputs("<div class=\"command\"><pre tabindex=\"0\"><code>", to);
    html_text(words, to);
    fprintf(to, "</code></pre><a href=\"%s\" download>%s</a></div>\n", step_file(step), step_file(step));
    mem_free(words);
    return 0;
}

static int print_mark(const struct report *r, char *mark, FILE *to, char why[WHY])
{
    if (!strncmp(mark, "chart ", 6))
        return print_chart(r, mark + 6, to, why);
    if (!strncmp(mark, "command ", 8))
        return print_command(r, mark + 8, to, why);
    return words_print(r, mark, to) ? 0 : fail(why, EIO, "the page's template has a mark '%s' that stands for nothing", mark);
}

static int fill(const struct report *r, char *at, FILE *to, char why[WHY])
{
    for (int e;;) {
        char *mark = strstr(at, "{{"), *end = mark ? strstr(mark, "}}") : NULL;
        if (!end) {
            fputs(at, to);
            return 0;
        }
        fwrite(at, 1, (size_t)(mark - at), to);
        *end = 0;
        if ((e = print_mark(r, mark + 2, to, why)))
            return e;
        at = end + 2;
    }
}

int page_write(const struct report *r, char why[WHY])
{
    char *template = NULL, *text = NULL, *path = files_path(r, "index", ".html");
    struct output o;
    int e = path ? inner_data(&template, "plots/page.html", why) : fail(why, ENOMEM, "no memory for the page");
    if (!e)
        e = file_read(&text, template, why);
    if (!e && !(e = output_open(&o, path, why))) {
        if ((e = fill(r, text, o.file, why)))
            output_abandon(&o);
        else
            e = output_close(&o, why);
    }
    mem_free(text);
    mem_free(template);
    mem_free(path);
    return e;
}
