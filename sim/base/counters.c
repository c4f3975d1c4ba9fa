/* perf_event_open has no wrapper in libc. */
#include "base/counters.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const struct counter_event counters_hardware[COUNTERS] = {
    [COUNTER_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    [COUNTER_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    [COUNTER_CACHE_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    [COUNTER_BRANCH_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
};

static int open_one(struct counter_event event)
{
    struct perf_event_attr attr = {.type = event.type, .size = sizeof attr, .config = event.config, .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1,
                                   .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING};
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void tell_all(const struct counters *c, unsigned long request)
{
    for (int i = 0; i < COUNTERS; i++)
        if (c->file[i] >= 0)
            ioctl(c->file[i], request, 0);
}

void counters_start(const struct counters *c) { tell_all(c, PERF_EVENT_IOC_ENABLE); }
void counters_stop(const struct counters *c) { tell_all(c, PERF_EVENT_IOC_DISABLE); }

double counters_read(const struct counters *c, enum counter which)
{
    uint64_t word[3]; /* count, time enabled, time running */
    if (c->file[which] < 0 || read(c->file[which], word, sizeof word) != sizeof word)
        return NAN;
    return counters_scale(word[0], word[1], word[2]);
}

static void close_one(int file) { close(file); }

#else

const struct counter_event counters_hardware[COUNTERS];

static int open_one(struct counter_event event)
{
    (void)event;
    errno = ENOSYS;
    return -1;
}

void counters_start(const struct counters *c) { (void)c; }
void counters_stop(const struct counters *c) { (void)c; }

double counters_read(const struct counters *c, enum counter which)
{
    (void)c;
    (void)which;
    return NAN;
}

static void close_one(int file) { (void)file; }

#endif

void counters_open(struct counters *c, const struct counter_event event[COUNTERS])
{
    c->error = 0;
    for (int i = 0; i < COUNTERS; i++) {
        c->file[i] = open_one(event[i]);
        if (c->file[i] < 0 && !c->error)
            c->error = errno;
    }
}

void counters_close(struct counters *c)
{
    for (int i = 0; i < COUNTERS; i++) {
        if (c->file[i] >= 0)
            close_one(c->file[i]);
        c->file[i] = -1;
    }
}

bool counters_any(const struct counters *c)
{
    for (int i = 0; i < COUNTERS; i++)
        if (c->file[i] >= 0)
            return true;
    return false;
}

double counters_scale(uint64_t count, uint64_t enabled_ns, uint64_t running_ns)
{
    return running_ns ? (double)count * ((double)enabled_ns / (double)running_ns) : NAN;
}

bool counters_forbidden(int error) { return error == EACCES || error == EPERM; }

const char *counters_why(int error)
{
    switch (error) {
    case EACCES:
    case EPERM: return "the kernel does not allow it (sysctl kernel.perf_event_paranoid=2, or a container's rules)";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP: return "this machine offers none, as most virtual machines do not";
    case ENOSYS: return "this system has no perf_event";
    default: return strerror(error);
    }
}
