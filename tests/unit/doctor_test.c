/* What doctor makes of the files in which a system tells of itself: made up ones, and none at all. */
#include "commands/doctor.h"
#include "experiments/columns.h"
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/doctor-XXXXXX";

static void put(const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *f = fopen(whole, "w");
    if (!f || fputs(text, f) < 0 || fclose(f))
        abort();
}

/* Whether the check's row begins with verdict and finding. */
static void says(const struct doctor *d, const char *check, const char *verdict, const char *finding)
{
    for (size_t row = 0; row < table_rows(d->table); row++) {
        const char *found = table_get_text(d->table, row, COL(finding)), *so = table_get_text(d->table, row, COL(verdict));
        if (strcmp(table_get_text(d->table, row, COL(check)), check))
            continue;
        ok(!strcmp(so, verdict) && !strncmp(found, finding, strlen(finding)), "%s: %s, %s", check, verdict, finding);
        if (strcmp(so, verdict) || strncmp(found, finding, strlen(finding)))
            note("got %s, %s", so, found);
        return;
    }
    ok(false, "there is a row '%s'", check);
}

static void look(struct doctor *d)
{
    table_destroy(d->table);
    *d = (struct doctor){.root = root, .table = columns_table(columns_doctor)};
    ok(!doctor_speed(d) && !doctor_timing(d), "all rows are there");
}

int main(void)
{
    struct doctor d = {0};
    char text[64];
    if (!mkdtemp(root))
        return 1;
    look(&d);
    says(&d, "governor", "ok", "the system does not tell, as most virtual machines do not");
    says(&d, "turbo", "ok", "the system does not tell");
    says(&d, "load", "ok", "the system does not tell");
    says(&d, "huge pages", "ok", "the system does not tell");
    says(&d, "virtual", "ok", "the system does not tell");

    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    put("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
    put("/proc/loadavg", "500.25 1.00 1.00 900/1000 12345\n");
    put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse2 hypervisor avx2\n");
    put("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    look(&d);
    says(&d, "governor", "note", "powersave: the clock rate follows the load");
    says(&d, "turbo", "note", "on: the clock rate depends on heat and on the other cores");
    says(&d, "load", "note", "500.25 in the last minute, 899 others run now, on ");
    says(&d, "virtual", "note", "a virtual machine: what its neighbours do is not seen here; compare figures of one run alone");
    says(&d, "huge pages", "note", "forbidden, so that look-ups in big tables take longer");

    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    put("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    put("/proc/loadavg", "0.01 1.00 1.00 1/1000 12345\n");
    put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse2 avx2\n");
    put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    look(&d);
    says(&d, "governor", "ok", "performance");
    says(&d, "turbo", "ok", "off");
    says(&d, "virtual", "ok", "no virtual machine");
    says(&d, "huge pages", "ok", "for tables of 2 MB and more");
    ok(d.missing == 0, "nothing of this is missing for the report");
    table_destroy(d.table);
    snprintf(text, sizeof text, "rm -r %s", root);
    ok(system(text) == 0, "the made up system is gone");
    return tap_done();
}
