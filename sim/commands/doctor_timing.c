/* Whether timings can be trusted: what the system says of clock rate, load and clock, and how far repeated look-ups scatter. */
#include "commands/doctor.h"
#include "commands/request.h"

#include "base/clock.h"
#include "base/counters.h"
#include "base/machine.h"
#include "experiments/latency.h"
#include "experiments/timing.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int governor_row(struct doctor *d)
{
    char text[64];
    if (!machine_fact(d->root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text, sizeof text))
        return doctor_add(d, "governor", VERDICT_OK, "", "the system does not tell, as most virtual machines do not");
    return strcmp(text, "performance") ? doctor_add(d, "governor", VERDICT_NOTE, "sudo cpupower frequency-set -g performance", "%s: the clock rate follows the load", text)
                                       : doctor_add(d, "governor", VERDICT_OK, "", "performance");
}

static int turbo_row(struct doctor *d)
{
    static const char intel[] = "/sys/devices/system/cpu/intel_pstate/no_turbo", others[] = "/sys/devices/system/cpu/cpufreq/boost";
    char text[16];
    bool is_intel = machine_fact(d->root, intel, text, sizeof text);
    if (!is_intel && !machine_fact(d->root, others, text, sizeof text))
        return doctor_add(d, "turbo", VERDICT_OK, "", "the system does not tell");
    if (*text == (is_intel ? '1' : '0'))
        return doctor_add(d, "turbo", VERDICT_OK, "", "off");
    return doctor_add(d, "turbo", VERDICT_NOTE, is_intel ? "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo" : "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
                      "on: the clock rate depends on heat and on the other cores");
}

static int load_row(struct doctor *d)
{
    char text[128];
    double load;
    unsigned running;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!machine_fact(d->root, "/proc/loadavg", text, sizeof text) || sscanf(text, "%lf %*f %*f %u", &load, &running) != 2)
        return doctor_add(d, "load", VERDICT_OK, "", "the system does not tell");
    running -= running > 0; /* this program */
    bool busy = load > (double)cores / 2 || running >= (unsigned)cores;
    return busy ? doctor_add(d, "load", VERDICT_NOTE, "wait until the machine is idle", "%.2f in the last minute, %u others run now, on %ld core%s", load, running, cores, cores == 1 ? "" : "s")
                : doctor_add(d, "load", VERDICT_OK, "", "%.2f in the last minute", load);
}

static int guest_row(struct doctor *d)
{
    char flags_text[8192];
    bool told = machine_named(d->root, "/proc/cpuinfo", "flags", flags_text, sizeof flags_text);
    if (!told)
        return doctor_add(d, "virtual", VERDICT_OK, "", "the system does not tell");
    return strstr(flags_text, " hypervisor") ? doctor_add(d, "virtual", VERDICT_NOTE, "", "a virtual machine: what its neighbours do is not seen here; compare figures of one run alone")
                                             : doctor_add(d, "virtual", VERDICT_OK, "", "no virtual machine");
}

static int clock_row(struct doctor *d)
{
    enum { SLOW_NS = 100 };
    char source[64];
    struct clock_facts f = clock_measure();
    if (!machine_fact(d->root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", source, sizeof source))
        strcpy(source, "the system's");
    return f.cost_ns > SLOW_NS
               ? doctor_add(d, "clock", VERDICT_NOTE, "boot with clocksource=tsc", "%s: a reading takes %.0f ns, so that single look-ups cannot be told", source, f.cost_ns)
               : doctor_add(d, "clock", VERDICT_OK, "", "%s: a reading takes %.0f ns, in steps of %.0f ns", source, f.cost_ns, f.step_ns);
}

static int counters_row(struct doctor *d)
{
    struct counters c;
    counters_open(&c, counters_hardware);
    bool any = counters_any(&c);
    counters_close(&c);
    return any ? doctor_add(d, "counters", VERDICT_OK, "", "instructions and misses are counted")
               : doctor_add(d, "counters", VERDICT_NOTE, counters_forbidden(c.error) ? "sudo sysctl kernel.perf_event_paranoid=2" : "", "no instructions or misses: %s", counters_why(c.error));
}

int doctor_timing(struct doctor *d)
{
    int (*const row[])(struct doctor *) = {governor_row, turbo_row, load_row, guest_row, clock_row, counters_row};
    int e = 0;
    for (size_t k = 0; k < sizeof row / sizeof *row && !e; k++)
        e = row[k](d);
    return e;
}

int doctor_noise(struct doctor *d, char why[WHY])
{
    static char ring[] = "ring:vnodes=150", jump[] = "jump", nodes[] = "100";
    char *specs[] = {ring, jump}, *sizes[] = {nodes};
    struct args a = {.specs = {specs, 2, 2}, .nodes = {sizes, 1, 1}, .hash = "xxh3", .seed = 1, .placements = 1, .workload = "user:count=1k", .quiet = true};
    struct study s;
    struct table *t = NULL;
    int e = request_open(&s, &a, "doctor", why);
    if (e)
        return e;
    e = latency_run(&s, &t, why);
    for (size_t row = 0; !e && row < table_rows(t); row++)
        d->spread = fmax(d->spread, table_get_real(t, row, COL(lookup_spread)));
    table_destroy(t);
    request_close(&s);
    if (!e && (d->spread > TIMING_NOISY ? doctor_add(d, "noise", VERDICT_NOTE, "taskset -c 1 keysim ..., on an idle machine", "the middle half of repeated look-ups spreads by %.1f %% of the median", 100 * d->spread)
                                        : doctor_add(d, "noise", VERDICT_OK, "", "the middle half of repeated look-ups spreads by %.1f %% of the median", 100 * d->spread)))
        e = fail(why, ENOMEM, "no memory for the findings");
    return e;
}
