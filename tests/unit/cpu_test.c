/* Which instructions may be forced. */
#include "base/cpu.h"
#include "tests/tap.h"
#include <errno.h>
#include <string.h>

int main(void)
{
    char why[WHY];
    enum cpu_level best = cpu_best();
    ok(cpu_level() == best, "unless told otherwise, the best: %s", cpu_name(best));
    for (enum cpu_level level = CPU_PLAIN; level < CPU_LEVELS; level++) {
        bool there = level <= best;
        int e = cpu_use(cpu_name(level), why);
        ok(there ? !e && cpu_level() == level : e == -EINVAL && strstr(why, cpu_name(best)), "%s: %s", cpu_name(level),
           there ? "used" : "refused, and the best is named");
    }
    enum cpu_level before = cpu_level();
    ok(cpu_use("avx1024", why) == -EINVAL && cpu_level() == before, "an unknown one is refused, and nothing changes");
    return tap_done();
}
