/* Completion: the tables as functions of a shell. A shell's own part (help_bash.c, help_zsh.c, help_fish.c) asks them. */
#include "commands/help.h"
#include "commands/incident.h"
#include "commands/inner.h"

#include "base/mem.h"
#include "experiments/bench.h"
#include "model/cluster.h"

#include <string.h>

const struct dialect dialect_sh = {
    .open = "\n_keysim_%s() {\n", .close = "}\n", .choose = "    case $1 in\n", .chosen = "    esac\n", .before = "    ", .or = "|", .after = ") ",
    .end = " ;;\n", .any = "*", .second = "[ \"$2\" = %s ] && ", .other = " || ",
};
const struct dialect dialect_fish = {
    .open = "\nfunction _keysim_%s\n", .close = "end\n", .choose = "    switch $argv[1]\n", .chosen = "    end\n", .before = "    case ", .or = " ",
    .after = "\n        ", .end = "\n", .any = "'*'", .second = "test \"$argv[2]\" = %s; and ", .other = "; or ",
};

/* A text in '...', as all the shells take it; a backslash they do not take alike. */
static void quote(const char *text, FILE *to)
{
    fputs(" '", to);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else if (*text != '\\')
            fputc(*text, to);
    fputc('\'', to);
}

static void line(const char *word, const char *meaning, FILE *to)
{
    char both[256], brief[64];
    snprintf(both, sizeof both, "%s\t%s", word, help_brief(meaning, brief));
    quote(both, to);
}

static void open_function(const struct dialect *d, const char *name, FILE *to) { fprintf(to, d->open, name); }
static void print_lines(FILE *to) { fputs("printf '%s\\n'", to); }

/* Starts the body of a case of one word. */
static void open_case(const struct dialect *d, const char *word, FILE *to)
{
    fprintf(to, "%s%s%s", d->before, word, d->after);
    print_lines(to);
}

static bool is_class(const char *word)
{
    static const char *const all[] = {"SPEC", "WORKLOAD", "HASH", "NODES", "FILE", "DIR"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!strcmp(word, all[k]))
            return true;
    return false;
}

static void all_commands(FILE *to)
{
    for (const struct command *const *c = commands; *c; c++)
        line((*c)->name, (*c)->summary, to);
}

static void all_figures(FILE *to)
{
    for (size_t k = 0; k < bench_figures_count; k++)
        if (k == 0 || strcmp(bench_figures[k].name, bench_figures[k - 1].name))
            line(bench_figures[k].name, bench_figures[k].quantity, to);
}

/* Those that ship, where they are found. */
static void all_incidents(FILE *to)
{
    struct texts names = {0};
    char *folder, why[WHY];
    incident_names(&names, &folder, why);
    for (size_t k = 0; k < names.count; k++)
        quote(names.item[k], to);
    inner_release(&names);
    mem_free(folder);
}

static void all_owners(const char *kind, FILE *to)
{
    struct owner o;
    for (size_t k = 0; owner_at(k, &o); k++)
        if (!strcmp(o.kind, kind))
            line(o.name, o.summary, to);
}

/* What a usage names in capitals: all there are where names alone are meant, else a class for the shell, or the letters before the capitals ("node="). */
static void alternative(char *word, bool names, FILE *to)
{
    if (!strcmp(word, "COMMAND"))
        all_commands(to);
    else if (!strcmp(word, "STRATEGY"))
        all_owners("strategy", to);
    else if (names && !strcmp(word, "WORKLOAD"))
        all_owners("workload", to);
    else if (names && !strcmp(word, "HASH"))
        all_owners("hash", to);
    else if (names && !strcmp(word, "NAME"))
        all_incidents(to);
    else if (!strcmp(word, "FIGURE"))
        all_figures(to);
    else if (is_class(word))
        quote(word, to);
    else if (word[strcspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] = 0, *word)
        quote(word, to);
}

/* "auto|table": a word each. */
static void alternatives(const char *text, bool names, FILE *to)
{
    for (size_t len; *text; text += len + (text[len] == '|')) {
        char word[64];
        len = strcspn(text, "|");
        snprintf(word, sizeof word, "%.*s", (int)len, text);
        alternative(word, names, to);
    }
}

static void put_commands(const struct dialect *d, FILE *to)
{
    open_function(d, "commands", to);
    fputs("    ", to);
    print_lines(to);
    all_commands(to);
    line("--help", "the commands", to);
    line("--version", "which keysim this is", to);
    fprintf(to, "\n%s", d->close);
}

static void put_formats(const struct dialect *d, FILE *to)
{
    const char *name, *part;
    open_function(d, "formats", to);
    fputs("    ", to);
    print_lines(to);
    for (size_t k = 0; (name = cluster_format(k, &part)); k++)
        fprintf(to, " '%s:'", name);
    fprintf(to, "\n%s", d->close);
}

/* A case a flag: the commands that take it. */
static void put_flags(const struct dialect *d, FILE *to)
{
    open_function(d, "flags", to);
    for (const struct flag *f = flags; f->id; f++) {
        char word[64];
        bool first = true, all = true;
        for (const struct command *const *c = commands; *c; c++)
            all &= command_takes(*c, f->id);
        fprintf(to, "%s%s", d->choose, d->before);
        for (const struct command *const *c = commands; *c && !all; c++)
            if (command_takes(*c, f->id)) {
                fprintf(to, "%s%s", first ? "" : d->or, (*c)->name);
                first = false;
            }
        fprintf(to, "%s%s", all ? d->any : "", d->after);
        print_lines(to);
        if (f->id < 256) {
            snprintf(word, sizeof word, "-%c", f->id);
            line(word, f->help, to);
        }
        snprintf(word, sizeof word, "--%s", f->name);
        line(word, f->help, to);
        fprintf(to, "%s%s", d->end, d->chosen);
    }
    fputs(d->close, to);
}

/* What a flag's value may be; where -o names a folder it depends on the command. */
static void put_takes(const struct dialect *d, FILE *to)
{
    open_function(d, "takes", to);
    fputs(d->choose, to);
    for (const struct flag *f = flags; f->id; f++) {
        if (!f->value)
            continue;
        fputs(d->before, to);
        if (f->id < 256)
            fprintf(to, "-%c%s", f->id, d->or);
        fprintf(to, "--%s%s", f->name, d->after);
        for (const struct command *const *c = commands; *c && f->id == 'o'; c++)
            if (usage_folder(*c)) {
                fprintf(to, d->second, (*c)->name);
                print_lines(to);
                fprintf(to, " 'DIR'%s", d->other);
            }
        print_lines(to);
        alternatives(f->value, false, to);
        fputs(d->end, to);
    }
    fprintf(to, "%s%s%sreturn 1%s%s%s", d->before, d->any, d->after, d->end, d->chosen, d->close);
}

static void put_rest(const struct dialect *d, FILE *to)
{
    char rest[256];
    open_function(d, "rest", to);
    fputs(d->choose, to);
    for (const struct command *const *c = commands; *c; c++)
        if (*usage_rest(*c, rest)) {
            open_case(d, (*c)->name, to);
            alternatives(rest, true, to);
            fputs(d->end, to);
        }
    fprintf(to, "%s%s", d->chosen, d->close);
}

static void put_names(const struct dialect *d, FILE *to)
{
    static const char *const kinds[] = {"strategy", "workload", "hash"};
    open_function(d, "names", to);
    fputs(d->choose, to);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        open_case(d, kinds[k], to);
        all_owners(kinds[k], to);
        fputs(d->end, to);
    }
    fprintf(to, "%s%s", d->chosen, d->close);
}

static void put_options(const struct dialect *d, FILE *to)
{
    struct owner o;
    char word[128];
    open_function(d, "options", to);
    fputs(d->choose, to);
    for (size_t k = 0; owner_at(k, &o); k++) {
        if (!o.option || !o.option->name)
            continue;
        snprintf(word, sizeof word, "%s:%s", o.kind, o.name);
        open_case(d, word, to);
        for (const struct option *p = o.option; p->name; p++) {
            snprintf(word, sizeof word, "%s=", p->name);
            if (!p->refuse)
                line(word, p->help, to);
        }
        fputs(d->end, to);
    }
    fprintf(to, "%s%s", d->chosen, d->close);
}

static void put_choices(const struct dialect *d, FILE *to)
{
    struct owner o;
    char word[128];
    open_function(d, "choices", to);
    fputs(d->choose, to);
    for (size_t k = 0; owner_at(k, &o); k++)
        for (const struct option *p = o.option; p && p->name; p++)
            if (!p->refuse && option_value(p)) {
                snprintf(word, sizeof word, "%s:%s:%s", o.kind, o.name, p->name);
                open_case(d, word, to);
                alternatives(option_value(p), false, to);
                fputs(d->end, to);
            }
    fprintf(to, "%s%s", d->chosen, d->close);
}

void complete_tables(const struct dialect *d, FILE *to)
{
    put_commands(d, to);
    put_flags(d, to);
    put_takes(d, to);
    put_rest(d, to);
    put_names(d, to);
    put_options(d, to);
    put_choices(d, to);
    put_formats(d, to);
}
