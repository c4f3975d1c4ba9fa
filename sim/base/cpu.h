/* Which instructions the fast paths may use.
 *
 * A fast path is compiled for a level by CODE_FOR_AVX2 or CODE_FOR_AVX512, stands beside
 * its plain twin with the same answers, and is chosen at run time by cpu_level(). */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include "base/why.h"

enum cpu_level {
    CPU_PLAIN,  /* what the compiler may assume: x86-64 with SSE2, or another processor */
    CPU_AVX2,   /* and BMI2 */
    CPU_AVX512, /* F, BW, DQ, VL and CD */
    CPU_LEVELS
};

#if defined __x86_64__ && defined __GNUC__
#define CPU_X86 1
#define CODE_FOR_AVX2 __attribute__((target("avx2,bmi2,lzcnt,popcnt")))
#define CODE_FOR_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,bmi2,lzcnt,popcnt")))
#else
#define CPU_X86 0
#endif

enum cpu_level cpu_best(void);  /* of this processor and system */
enum cpu_level cpu_level(void); /* in use: the best, unless told otherwise */
const char *cpu_name(enum cpu_level level); /* "plain", "avx2", "avx512" */

/* From now on cpu_level() is this one; not thread-safe. -EINVAL: unknown, or beyond the best. */
int cpu_use(const char *name, char why[WHY]);

#endif
