/* --rate: how fast a node takes data in, and how much there is. */
#include "commands/plan_parts.h"

#include "base/text.h"

#include <errno.h>
#include <string.h>

#define MOST 9e18 /* bytes: a column counts them */

struct unit {
    const char *name;
    double size;
};

/* The unit that the text is, or 0. */
static double unit_of(const char *text, const struct unit *unit)
{
    for (; unit->name; unit++)
        if (!strcmp(unit->name, text))
            return unit->size;
    return 0;
}

/* Bytes with a unit, "2.5TB". */
static bool bytes_of(const char *text, double *bytes)
{
    static const struct unit units[] = {{"B", 1},           {"kB", 1e3},        {"KB", 1e3},        {"MB", 1e6},        {"GB", 1e9},        {"TB", 1e12}, {"PB", 1e15},
                                        {"KiB", 0x1p10},    {"MiB", 0x1p20},    {"GiB", 0x1p30},    {"TiB", 0x1p40},    {"PiB", 0x1p50},    {NULL, 0}};
    size_t digits = strspn(text, "0123456789.");
    double unit = unit_of(text + digits, units);
    return unit > 0 && !text_real(text, digits, bytes) && (*bytes *= unit) > 0;
}

int plan_rate(const char *text, double *rate, double *total, char why[WHY])
{
    static const struct unit times[] = {{"s", 1}, {"sec", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}, {NULL, 0}};
    char copy[128];
    *total = 0;
    bool good = strlen(text) < sizeof copy;
    if (good) {
        char *each = strcpy(copy, text), *at = strchr(copy, '@');
        if (at) {
            *at = 0;
            good = bytes_of(copy, total);
            if (good && *total > MOST)
                return fail(why, EINVAL, "--rate '%s': at most 9 EB (9000000 TB) in all", text);
            each = at + 1;
        }
        char *slash = strchr(each, '/');
        double time = slash ? unit_of(slash + 1, times) : 0;
        if (slash)
            *slash = 0;
        good = good && time > 0 && bytes_of(each, rate);
        *rate = good ? *rate / time : 0;
    }
    return good ? 0 : fail(why, EINVAL, "--rate '%s': must be bytes a time, like 100MB/s or 2TiB/h, or with the bytes in all in front: 2TB@100MB/s "
                                        "(B, kB, MB, GB, TB, KiB, MiB, GiB, TiB; s, min, h, d)", text);
}
