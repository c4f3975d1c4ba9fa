/* keysim help [COMMAND|STRATEGY|WORKLOAD|HASH], --help, help --as. */
#include "commands/help.h"
#include "commands/list.h"

#include "base/output.h"
#include "base/terminal.h"
#include "base/text.h"
#include "model/workload.h"
#include "placement/catalog.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { WIDTH = 79, NARROW = 4, COMMAND_AT = 23, OPTION_AT = 15, HELP_AT = 32 };

/* Lines no wider than the terminal, and pleasant to read. */
static size_t help_width(FILE *to)
{
    size_t width = terminal_width(to);
    return width < WIDTH ? width : WIDTH;
}

static void print_words(const char *text, size_t len, size_t indent, FILE *to)
{
    terminal_wrap(text, len, 0, indent, help_width(to), to);
    fputc('\n', to);
}

/* A name, and from the column `at` on what it means: on lines of its own when the name is long; near the margin on a narrow terminal. */
static void print_entry(const char *name, size_t at, const char *text, FILE *to)
{
    size_t width = help_width(to), indent = width >= 2 * at ? at : NARROW;
    if (indent < at || strlen(name) > at - 4)
        fprintf(to, "  %s\n%*s", name, (int)indent, "");
    else
        fprintf(to, "  %-*s", (int)at - 2, name);
    terminal_wrap(text, strlen(text), indent, indent, width, to);
    fputc('\n', to);
}

/* Paragraphs are wrapped; lines that begin with blanks (examples) stand as they are. */
static void print_details(const char *text, FILE *to)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        if (*text != ' ' && *text != '\n') {
            const char *end = strstr(text, "\n\n");
            len = end ? (size_t)(end - text) : strlen(text);
            print_words(text, len, 0, to);
        } else {
            fprintf(to, "%.*s\n", (int)len, text);
        }
        text += len;
        text += *text == '\n';
    }
}

static void print_flag(const struct flag *f, FILE *to)
{
    char left[64];
    const char *value = f->value ? f->value : "", *gap = f->value ? " " : "";
    if (f->id < 256)
        snprintf(left, sizeof left, "-%c, --%s%s%s", f->id, f->name, gap, value);
    else
        snprintf(left, sizeof left, "    --%s%s%s", f->name, gap, value);
    print_entry(left, HELP_AT, f->help, to);
}

void help_command(const struct command *c, FILE *to)
{
    char usage[1024];
    snprintf(usage, sizeof usage, "keysim %s%s%s", c->name, *c->usage ? " " : "", c->usage);
    for (const char *line = usage; *line; line += strcspn(line, "\n"), line += *line == '\n')
        print_words(line, strcspn(line, "\n"), NARROW, to);
    print_words(c->summary, strlen(c->summary), 0, to);
    fputc('\n', to);
    for (const struct flag *f = flags; f->id; f++)
        if (command_takes(c, f->id))
            print_flag(f, to);
    if (c->details) {
        fputc('\n', to);
        print_details(c->details, to);
    }
}

void help_program(FILE *to)
{
    static const char what[] = "keysim: which node does a key go to, and what does that choice cost?";
    print_words(what, sizeof what - 1, 0, to);
    fputc('\n', to);
    for (const struct command *const *c = commands; *c; c++) {
        char name[32];
        snprintf(name, sizeof name, "keysim %s", (*c)->name);
        print_entry(name, COMMAND_AT, (*c)->summary, to);
    }
    static const char more[] = "keysim help COMMAND says more; keysim list shows strategies, hashes and workloads.";
    fputc('\n', to);
    print_words(more, sizeof more - 1, 0, to);
    fputs("Try: keysim balance -s modulo -s ring:vnodes=1/150 -s slots -n 10\n", to);
}

/* A paragraph, its first line `at` blanks in and the others `indent`. */
__attribute__((format(printf, 4, 5))) static void say(FILE *to, size_t at, size_t indent, const char *format, ...)
{
    char text[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(to, "%*s", (int)at, "");
    terminal_wrap(text, strlen(text), at, indent, help_width(to), to);
    fputc('\n', to);
}

/* The options of a strategy or workload, from its own table. */
static void help_options(const struct option *o, FILE *to)
{
    for (; o && o->name; o++) {
        if (o->refuse)
            continue;
        print_entry(o->name, OPTION_AT, o->help, to);
        if (o->choices)
            say(to, OPTION_AT, OPTION_AT, "one of %s", o->choices);
        if (o->type == OPTION_COUNT && o->max > 0)
            say(to, OPTION_AT, OPTION_AT, "%.0f to %.0f", o->min, o->max);
        if (o->fallback)
            say(to, OPTION_AT, OPTION_AT, "default %s", o->fallback);
    }
}

static int help_strategy(const struct strategy *s, FILE *to, char why[WHY])
{
    const struct keyed_hash usual = {.hash = hash_find("xxh3")};
    struct nature nature;
    int e = nature_of(s, &usual, &nature, why);
    if (e)
        return e;
    say(to, 0, NARROW, "%s: %s", s->name, s->summary);
    say(to, 0, NARROW, "source: %s%s%s", s->source, s->version ? "; version " : "", s->version ? s->version : "");
    say(to, 0, NARROW, "cost: %s", s->cost);
    say(to, 0, NARROW, "traits: %s", *nature.traits ? nature.traits : "none");
    say(to, 0, NARROW, "exact: %s", nature.exact);
    fputc('\n', to);
    help_options(s->option, to);
    return 0;
}

static void help_hash(const struct hash *h, FILE *to)
{
    say(to, 0, NARROW, "%s: %s", h->name, h->summary);
    say(to, 0, 0, "a hash of %u bits; -H %s, or hash=%s of a strategy; keysim list hashes shows all", h->bits, h->name, h->name);
    if (!h->seed_bits)
        return;
    char seed[128];
    snprintf(seed, sizeof seed, "0 to 2^%u-1, as in %s:seed=7 (default 0)", h->seed_bits, h->name);
    fputc('\n', to);
    print_entry("seed", OPTION_AT, seed, to);
}

/* 1: it is the name of nothing. */
static int help_name(const char *name, FILE *to, char why[WHY])
{
    const struct strategy *s = catalog_find(name);
    const struct workload_kind *k = workload_kinds;
    const struct hash *hash = hash_find(name);
    while (k->name && strcmp(k->name, name))
        k++;
    if (s) {
        return help_strategy(s, to, why);
    } else if (k->name) {
        say(to, 0, NARROW, "%s: %s", k->name, k->summary);
        fputc('\n', to);
        help_options(k->option, to);
    } else if (hash) {
        help_hash(hash, to);
    }
    return s || k->name || hash ? 0 : 1;
}

static int refuse_name(const char *name, char why[WHY])
{
    const char *known[256] = {NULL};
    size_t n = 0, all = sizeof known / sizeof *known;
    for (const struct command *const *c = commands; *c && n < all; c++)
        known[n++] = (*c)->name;
    for (const struct strategy *const *s = catalog; *s && n < all; s++)
        known[n++] = (*s)->name;
    for (const struct workload_kind *k = workload_kinds; k->name && n < all; k++)
        known[n++] = k->name;
    for (const struct hash *const *h = hash_table; *h && n < all; h++)
        known[n++] = (*h)->name;
    size_t near = text_nearest(name, known, n);
    return near < n ? fail(why, EINVAL, "help: '%.100s' is no command, strategy, workload or hash; did you mean '%s'?", name, known[near])
                    : fail(why, EINVAL, "help: '%.100s' is no command, strategy, workload or hash; keysim help and keysim list name them", name);
}

static int print(const struct args *a, FILE *to, char why[WHY])
{
    int e = 0;
    const struct command *c = a->rest_count ? command_find(a->rest[0]) : NULL;
    void (*const as[])(FILE *) = {help_man, help_bash, help_zsh, help_fish};
    if (a->as)
        as[a->as - 1](to);
    else if (c)
        help_command(c, to);
    else if (a->rest_count == 0)
        help_program(to);
    else
        e = help_name(a->rest[0], to, why);
    return e == 1 ? refuse_name(a->rest[0], why) : e;
}

static int run(struct args *a, char why[WHY])
{
    struct output o;
    if (a->rest_count > 1)
        return fail(why, EINVAL, "help: one name at a time");
    if (a->as && a->rest_count)
        return fail(why, EINVAL, "help: --as is about the whole program: '%.100s' is not expected here", a->rest[0]);
    int e = output_open(&o, a->output, why);
    if (e)
        return e;
    e = print(a, o.file, why);
    if (!e)
        return output_close(&o, why);
    output_abandon(&o);
    return e;
}

static const int takes[] = {FLAG_AS, 0};

const struct command command_help = {
    .name = "help",
    .summary = "how a command, a strategy, a workload or a hash is used",
    .usage = "[--as man|bash|zsh|fish] [COMMAND|STRATEGY|WORKLOAD|HASH]",
    .takes = takes,
    .run = run,
    .details = "--as prints the whole program's manual page, or what lets a shell complete its words: strategies and their options too.\n\n"
               "  keysim help ring\n"
               "  keysim help --as man | man -l -\n"
               "  . <(keysim help --as bash)           in bash, or in zsh after compinit: --as zsh\n"
               "  keysim help --as fish | source       in fish\n",
};
