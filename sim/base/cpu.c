#include "base/cpu.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const char *const names[CPU_LEVELS] = {"plain", "avx2", "avx512"};
static enum cpu_level used = CPU_LEVELS; /* CPU_LEVELS: the best */

enum cpu_level cpu_best(void)
{
#if CPU_X86
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
    return avx512 ? CPU_AVX512 : avx2 ? CPU_AVX2 : CPU_PLAIN;
#else
    return CPU_PLAIN;
#endif
}

enum cpu_level cpu_level(void)
{
    return used < CPU_LEVELS ? used : cpu_best();
}

const char *cpu_name(enum cpu_level level)
{
    return names[level];
}

int cpu_use(const char *name, char why[WHY])
{
    for (enum cpu_level level = CPU_PLAIN; level < CPU_LEVELS; level++)
        if (!strcmp(names[level], name)) {
            if (level > cpu_best())
                return fail(why, EINVAL, "--cpu %s: this processor has no such instructions; its best is %s", name, names[cpu_best()]);
            used = level;
            return 0;
        }
    return fail(why, EINVAL, "--cpu '%s': must be one of plain, avx2, avx512", name);
}
