/* What the timed results ran on: machine.csv, and the same on the page. */
#include "commands/report.h"

#include "base/machine.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/table.h"
#include "base/version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FACTS = 7 };

static void facts(const struct machine *m, const char *fact[FACTS][3])
{
    const char *all[FACTS][3] = {
        {"cpu", "Processor", m->cpu},       {"cores", "Cores", m->cores},       {"memory", "Memory", m->memory},
        {"system", "System", m->system},    {"compiler", "Compiler", COMPILER}, {"flags", "Flags", KEYSIM_FLAGS},
        {"revision", "Revision", version_revision},
    };
    memcpy(fact, all, sizeof all);
}

int machine_write(const struct report *r, char why[WHY])
{
    struct machine m;
    struct output o;
    const char *fact[FACTS][3];
    machine_find(&m);
    facts(&m, fact);
    char *path = files_path(r, "machine", ".csv");
    int e = path ? output_open(&o, path, why) : fail(why, ENOMEM, "no memory for the report");
    mem_free(path);
    if (e)
        return e;
    for (int line = 0; line < 3; line += 2)
        for (size_t i = 0; i < FACTS; i++) {
            csv_field(fact[i][line], strlen(fact[i][line]), o.file);
            putc(i + 1 < FACTS ? ',' : '\n', o.file);
        }
    return output_close(&o, why);
}

void machine_print(FILE *to)
{
    struct machine m;
    const char *fact[FACTS][3];
    machine_find(&m);
    facts(&m, fact);
    for (size_t i = 0; i < FACTS; i++) {
        fprintf(to, "<tr><th scope=\"row\">%s</th><td>", fact[i][1]);
        html_text(fact[i][2], to);
        fputs("</td></tr>\n", to);
    }
}
