/* keysim(1). What tables say is taken from them; what they do not say, the grammars and the manners of the program, stands here. */
#include "commands/help.h"
#include "commands/help_roff.h"

#include "base/version.h"
#include "model/cluster.h"
#include "model/hash.h"
#include "model/workload.h"
#include "placement/catalog.h"

#include <string.h>

static const char about[] =
    "keysim says which node a key goes to: under modulo hashing, consistent-hash rings with any number of virtual nodes, fixed hash slots and other "
    "algorithms, and in real systems, bit for bit. And it measures what each choice costs: how even it is, what moves when nodes change, how long a "
    "look-up takes. It places millions of keys, or computes exact shares without placing one; it writes CSV, and draws a report for the browser.\n\n"
    "On a terminal the first line is the answer in words, what theory expects stands beside what was measured, and the last line names the next command. "
    "Into a pipe or a file results are CSV.\n";

static const char specs[] =
    "Strategies and systems (-s), workloads (-k) and hashes (-H) share one grammar:\n\n"
    "  name[:option=value[,option=value]...]\n\n"
    "Counts take k, M and G, powers of ten. A comma within a value is written \\,. A value may be a sweep; several multiply:\n\n"
    "  vnodes=1/10/100     these values\n"
    "  vnodes=50..200+50   in steps: 50, 100, 150, 200\n"
    "  vnodes=1..1024x2    by a factor: 1, 2, 4 up to 1024\n"
    "  hash=xxh3/crc32     words can be listed too\n\n"
    "hash= is the key's hash and, unless points= says otherwise, that of a ring's points. -H sets the run's, for strategies that have none of their own. "
    "The sections below name all options with their defaults, as does keysim help NAME.\n";

static const char nodes[] =
    "What -n, --to and --nodes-later take:\n\n"
    "  10              node-0 to node-9; systems that want addresses get 10.0.0.1 to 10.0.0.10\n"
    "  10..1000x10     a sweep of such numbers, or 3/10/100\n"
    "  a,b=2,c         names, with weights where they are not 1\n"
    "  @FILE           a line a node: NAME [WEIGHT] [attribute=value ...]; # begins a comment\n"
    "  @FORMAT:FILE[#PART]   the configuration of a real system, which brings its strategy along; - is standard input\n\n"
    "Attributes: down=1 (configured, but does not answer), tokens= (points of a ring, as numbers), dc= and rack= (Cassandra), slots= (Redis Cluster), "
    "id= (HAProxy), alias= (twemproxy). A system takes no notice of another's; an attribute that none knows is refused. Formats:\n\n";

static const char changes[] =
    "What --change takes, and --at behind its number:\n\n"
    "  +2              the next two default names come\n"
    "  -2              the last two nodes leave\n"
    "  +NAME[=WEIGHT]  a node comes\n"
    "  -NAME           a node leaves\n"
    "  NAME=WEIGHT     a node gets another weight\n"
    "  NAME=down       it stays configured, but does not answer; NAME=up: it does again\n"
    "  A;B             both at once\n"
    "  each            every node leaves in turn, a row each\n";

static const char output[] =
    "A header line, then RFC 4180, UTF-8, with a point as decimal point and a fixed number of digits a column. Shares are 0 to 1, never percent; times are "
    "nanoseconds; an empty cell means that the figure does not apply. keysim list columns says what each column means. --format json is an array of objects; "
    "empty cells are null. Standard output holds results alone; all else goes to standard error. A file named by -o appears whole or not at all.\n\n"
    "Exact results are the same bytes whatever the number of threads, the compiler and the processor. Timed results (latency, cost, bench) carry their repetitions, "
    "minimum, median and 95th percentile.\n";

static const char status[] =
    "  0    done\n"
    "  1    a check said no: verify, check, incidents, bench, doctor, or a target that is not met\n"
    "  2    the user's mistake, named in one line on standard error\n"
    "  3    the machine's failure: memory, disk, input or output\n"
    "  130  interrupted; no half-written file is left\n";

static const char environment[] =
    "  KEYSIM_DATA      the folder that holds plots/ and data/, where they are not found by themselves\n"
    "  TMPDIR           where keysim incidents keeps its results while it runs\n"
    "  OMP_NUM_THREADS  as for any program with OpenMP; --threads goes before it\n"
    "  COLUMNS          how wide tables and words may be, where it is not the terminal's own width\n"
    "  NO_COLOR         set and not empty: nothing is bold or dim on a terminal; nor where TERM is dumb\n";

static const char files[] =
    "Below the data folder:\n\n"
    "  data/clusters   samples for -n: nodes.txt, and a configuration of each format\n"
    "  data/incidents  the public reports of keysim incidents\n"
    "  data/SCHEMA.md  the columns of all results\n"
    "  plots           what draws the report's charts, by gnuplot(1)\n";

static const char examples[] =
    "$ keysim where -s ring:vnodes=150 -n 3 --explain user:1001\n"
    "user:1001 -> node-0\n"
    "  hashed   \"user:1001\"  xxh3 = 783864580ee66e90 (8662784212617031312)\n"
    "  before   78135f50f3754398  node-2#3          \n"
    "  owner    785ed6fdca2d87b6  node-0#32         first point at or after the hash\n"
    "  next     78d7f72e9744ac3b  node-1#78         takes over if node-0 dies\n"
    "\n"
    "$ keysim remap -s modulo -s ring -s slots -n 3 --change +1 --exact\n"
    "24.45 % of keys move under ring:vnodes=150 (an ideal balancer moves 25.00 %); 75.00 % under modulo\n"
    "strategy         change    moved   needed  (optimum)  bystanders\n"
    "modulo               +1  75.00 %  25.00 %    25.00 %     50.00 %\n"
    "ring:vnodes=150      +1  24.45 %  24.45 %    25.00 %      0.00 %\n"
    "slots                +1  25.00 %  25.00 %    25.00 %      0.00 %\n"
    "exact: from the ownership maps before and after.\n"
    "Next: keysim cost -s ring:vnodes=150 -n 3\n"
    "\n"
    "$ keysim where -s slots -n 3 --format csv user:1001 user:1002\n"
    "key,node\n"
    "user:1001,node-2\n"
    "user:1002,node-0\n"
    "\n"
    "$ keysim hash -H crc16 --format csv foo\n"
    "key,digest\n"
    "foo,af96\n";

static void put_flag(const struct flag *f, FILE *to)
{
    char name[64];
    if (f->id < 256)
        snprintf(name, sizeof name, "-%c, --%s", f->id, f->name);
    else
        snprintf(name, sizeof name, "--%s", f->name);
    roff_tag(name, f->value, to);
    roff_all(f->help, to);
    fputc('\n', to);
}

static bool takes_always(int id)
{
    for (const struct command *const *c = commands; *c; c++)
        if (!command_takes(*c, id))
            return false;
    return true;
}

/* "Options: -s, -n, --exact." */
static void put_taken(const struct command *c, FILE *to)
{
    bool first = true;
    for (const struct flag *f = flags; f->id; f++) {
        if (takes_always(f->id) || !command_takes(c, f->id))
            continue;
        fprintf(to, first ? ".PP\nOptions: \\fB" : ",\n\\fB");
        if (f->id < 256)
            fprintf(to, "\\-%c", f->id);
        else
            roff_text("--", 2, to), roff_all(f->name, to);
        fputs("\\fR", to);
        first = false;
    }
    fputs(first ? "" : ".\n", to);
}

static void put_command(const struct command *c, FILE *to)
{
    fprintf(to, ".SS %s\n", c->name);
    roff_all(c->summary, to);
    fputs(c->summary[strlen(c->summary) - 1] == '?' ? "\n" : ".\n", to);
    const char *usage = c->usage, *end;
    do {
        end = usage + strcspn(usage, "\n");
        fprintf(to, ".PP\n\\fBkeysim %s\\fR%s", c->name, end > usage ? " " : "");
        const char *from = strncmp(usage, "keysim ", 7) ? usage : usage + 8 + strlen(c->name);
        roff_text(from, (size_t)(end - from), to);
        fputc('\n', to);
        usage = end + 1;
    } while (*end);
    put_taken(c, to);
    if (c->details)
        roff_details(c->details, false, to);
}

static void put_option(const struct option *o, FILE *to)
{
    char name[64];
    snprintf(name, sizeof name, "%s=", o->name);
    roff_tag(name, NULL, to);
    roff_all(o->help, to);
    for (const char *word = o->choices; word && *word; word += strspn(word, "|")) {
        fputs(word == o->choices ? "; one of " : ", ", to);
        roff_text(word, strcspn(word, "|"), to);
        word += strcspn(word, "|");
    }
    if (o->type == OPTION_COUNT && o->max > 0)
        fprintf(to, "; %.0f to %.0f", o->min, o->max);
    if (o->fallback) {
        fputs(" (default ", to);
        roff_all(o->fallback, to);
        fputc(')', to);
    }
    fputc('\n', to);
}

static void put_options(const struct option *o, FILE *to)
{
    if (!o || !o->name)
        return;
    fputs(".RS\n", to);
    for (; o->name; o++)
        if (!o->refuse)
            put_option(o, to);
    fputs(".RE\n", to);
}

static void put_strategies(bool systems, FILE *to)
{
    for (const struct strategy *const *s = catalog; *s; s++) {
        if (((*s)->version != NULL) != systems)
            continue;
        roff_tag((*s)->name, NULL, to);
        roff_all((*s)->summary, to);
        fputs(". ", to);
        roff_all(systems ? "Version: " : "Source: ", to);
        roff_all(systems ? (*s)->version : (*s)->source, to);
        fputs(".\nCost: ", to);
        roff_all((*s)->cost, to);
        fputs(".\n", to);
        put_options((*s)->option, to);
    }
}

static void put_workloads(FILE *to)
{
    for (const struct workload_kind *k = workload_kinds; k->name; k++) {
        roff_tag(k->name, NULL, to);
        roff_all(k->summary, to);
        fputc('\n', to);
        put_options(k->option, to);
    }
}

static void put_hashes(FILE *to)
{
    fputs("Those that take seed=S say so; the width is that of a digest.\n", to);
    for (const struct hash *const *h = hash_table; *h; h++) {
        roff_tag((*h)->name, NULL, to);
        roff_all((*h)->summary, to);
        fprintf(to, "; %u bits%s\n", (*h)->bits, (*h)->seed_bits ? "; takes a seed" : "");
    }
}

static void put_formats(FILE *to)
{
    const char *name, *part;
    for (size_t k = 0; (name = cluster_format(k, &part)); k++) {
        roff_tag(name, NULL, to);
        fputs(part ? "PART names the " : "the file is one cluster", to);
        roff_all(part ? part : "", to);
        fputc('\n', to);
    }
}

static void put_flags(bool always, FILE *to)
{
    for (const struct flag *f = flags; f->id; f++)
        if (takes_always(f->id) == always)
            put_flag(f, to);
}

static void put_section(const char *title, const char *text, FILE *to)
{
    roff_section(title, to);
    roff_details(text, true, to);
}

void help_man(FILE *to)
{
    fputs(".\\\" Made by keysim help --as man.\n.TH KEYSIM 1 " KEYSIM_RELEASED " \"keysim " KEYSIM_VERSION "\" \"User Commands\"\n.nr HY 0\n.ad l\n", to);
    fputs(".SH NAME\nkeysim \\- which node does a key go to, and what does that choice cost?\n", to);
    fputs(".SH SYNOPSIS\n\\fBkeysim\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] [\\fIwords\\fR]\n.PP\n\\fBkeysim help\\fR [\\fICOMMAND\\fR|\\fINAME\\fR]\n.PP\n\\fBkeysim \\-\\-version\\fR\n", to);
    put_section("DESCRIPTION", about, to);
    roff_section("COMMANDS", to);
    for (const struct command *const *c = commands; *c; c++)
        put_command(*c, to);
    roff_section("OPTIONS", to);
    fputs("Each command names those that it takes.\n", to);
    put_flags(false, to);
    fputs(".PP\nEvery command takes these:\n", to);
    put_flags(true, to);
    put_section("\"SPECS AND SWEEPS\"", specs, to);
    put_section("NODES", nodes, to);
    put_formats(to);
    put_section("CHANGES", changes, to);
    roff_section("WORKLOADS", to);
    put_workloads(to);
    roff_section("STRATEGIES", to);
    put_strategies(false, to);
    roff_section("SYSTEMS", to);
    put_strategies(true, to);
    roff_section("HASHES", to);
    put_hashes(to);
    put_section("\"OUTPUT FORMATS\"", output, to);
    put_section("\"EXIT STATUS\"", status, to);
    put_section("ENVIRONMENT", environment, to);
    put_section("FILES", files, to);
    roff_section("EXAMPLES", to);
    roff_shown(examples, to);
    fputs(".SH SEE ALSO\n.BR gnuplot (1),\n.BR redis\\-cli (1),\n.BR mpirun (1)\n", to);
}
