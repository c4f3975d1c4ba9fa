/* What the timed results ran on: machine.csv, and the same on the page. */
#include "commands/report.h"

#include "base/mem.h"
#include "base/output.h"
#include "base/table.h"
#include "base/text.h"
#include "base/version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined __clang__
#define COMPILER "clang " __clang_version__
#elif defined __GNUC__
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

struct machine {
    char cpu[128], cores[24], memory[32], system[256];
};

static void find_cpu(char cpu[128])
{
    char line[512];
    FILE *f = fopen("/proc/cpuinfo", "re");
    strcpy(cpu, "unknown");
    while (f && fgets(line, sizeof line, f)) {
        char *value = strchr(line, ':');
        if (!value || (strncmp(line, "model name", 10) && strncmp(line, "Model", 5)))
            continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(cpu, 128, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (f)
        fclose(f);
}

static void machine_find(struct machine *m)
{
    struct utsname name;
    find_cpu(m->cpu);
    snprintf(m->cores, sizeof m->cores, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    text_bytes((double)mem_machine(), m->memory);
    if (uname(&name))
        strcpy(m->system, "unknown");
    else
        snprintf(m->system, sizeof m->system, "%.80s %.80s %.80s", name.sysname, name.release, name.machine);
}

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
