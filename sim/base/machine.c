#include "base/machine.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static FILE *open_below(const char *root, const char *path)
{
    char whole[512];
    return snprintf(whole, sizeof whole, "%s%s", root, path) < (int)sizeof whole ? fopen(whole, "re") : NULL;
}

bool machine_fact(const char *root, const char *path, char *text, size_t size)
{
    FILE *f = open_below(root, path);
    bool got = f && fgets(text, (int)size, f);
    text[got ? strcspn(text, "\n") : 0] = 0;
    if (f)
        fclose(f);
    return *text != 0;
}

bool machine_named(const char *root, const char *path, const char *name, char *text, size_t size)
{
    char line[8192]; /* a processor's flags are a long line */
    FILE *f = open_below(root, path);
    *text = 0;
    while (f && !*text && fgets(line, sizeof line, f)) {
        char *value = strchr(line, ':');
        if (!value || strncmp(line, name, strlen(name)))
            continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
    }
    if (f)
        fclose(f);
    return *text != 0;
}

void machine_find(struct machine *m)
{
    struct utsname name;
    static const char cpuinfo[] = "/proc/cpuinfo";
    if (!machine_named("", cpuinfo, "model name", m->cpu, sizeof m->cpu) && !machine_named("", cpuinfo, "Model", m->cpu, sizeof m->cpu))
        strcpy(m->cpu, "unknown");
    snprintf(m->cores, sizeof m->cores, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    text_bytes((double)mem_machine(), m->memory);
    if (uname(&name))
        strcpy(m->system, "unknown");
    else
        snprintf(m->system, sizeof m->system, "%.80s %.80s %.80s", name.sysname, name.release, name.machine);
}

uint64_t machine_available(void)
{
    char text[64];
    unsigned long long kb;
    return machine_named("", "/proc/meminfo", "MemAvailable", text, sizeof text) && sscanf(text, "%llu kB", &kb) == 1 ? kb * 1024 : mem_machine() / 2;
}
