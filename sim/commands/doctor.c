/* keysim doctor: what is installed, whether timings can be trusted here, and what to do. */
#include "commands/doctor.h"
#include "commands/request.h"

#include "experiments/columns.h"
#include "experiments/timing.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const verdicts[] = {"ok", "note", "missing"};

int doctor_add(struct doctor *d, const char *check, enum verdict verdict, const char *cure, const char *finding, ...)
{
    char text[512];
    va_list list;
    va_start(list, finding);
    vsnprintf(text, sizeof text, finding, list);
    va_end(list);
    d->missing += verdict == VERDICT_MISSING;
    if (table_row(d->table))
        return -ENOMEM;
    table_count(d->table, COL(schema), SCHEMA_VERSION);
    return table_text(d->table, COL(check), check) || table_text(d->table, COL(finding), text) || table_text(d->table, COL(verdict), verdicts[verdict]) ||
                   table_text(d->table, COL(cure), cure)
               ? -ENOMEM
               : 0;
}

static bool is_missing(const struct table *t, size_t row)
{
    return !strcmp(table_get_text(t, row, COL(verdict)), verdicts[VERDICT_MISSING]);
}

/* "the report lacks gnuplot and fonts"; returns the row of the first, or how many rows there are. */
static size_t say_missing(const struct doctor *d, FILE *to)
{
    size_t n = table_rows(d->table), first = n, said = 0;
    for (size_t row = 0; row < n; row++) {
        if (!is_missing(d->table, row))
            continue;
        first = first == n ? row : first;
        fprintf(to, "%s%s", said == 0 ? "the report lacks " : said + 1 < d->missing ? ", " : " and ", table_get_text(d->table, row, COL(check)));
        said++;
    }
    if (said == 0)
        fputs("everything that the report needs is here", to);
    return first;
}

static int words(const struct args *a, const void *of, const struct table *t, FILE *to, char why[WHY])
{
    const struct doctor *d = of;
    (void)a, (void)why;
    size_t first = say_missing(d, to);
    double percent = ceil(100 * d->spread);
    fprintf(to, d->spread > TIMING_NOISY ? "; timings scatter by %.0f %%, too much to be trusted\n" : "; timings can be trusted within %.0f %%\n", fmax(percent, 1));
    for (size_t row = 0; row < table_rows(t); row++) {
        const char *cure = table_get_text(t, row, COL(cure));
        fprintf(to, "  %-7s  %-13s %s\n", table_get_text(t, row, COL(verdict)), table_get_text(t, row, COL(check)), table_get_text(t, row, COL(finding)));
        if (*cure)
            fprintf(to, "  %-7s  %-13s do: %s\n", "", "", cure);
    }
    fprintf(to, "Next: %s\n", first < table_rows(t) ? table_get_text(t, first, COL(cure)) : "keysim report");
    return 0;
}

/* Names what is missing, where no table shows it. */
static void complain(const struct doctor *d)
{
    for (size_t row = 0; row < table_rows(d->table); row++)
        if (is_missing(d->table, row))
            fprintf(stderr, "keysim: doctor: %s: %s; %s\n", table_get_text(d->table, row, COL(check)), table_get_text(d->table, row, COL(finding)),
                    table_get_text(d->table, row, COL(cure)));
}

static int run(struct args *a, char why[WHY])
{
    struct doctor d = {.a = a, .root = "", .table = columns_table(columns_doctor)};
    if (a->rest_count)
        return table_destroy(d.table), fail(why, EINVAL, "doctor: '%.100s' is not expected here", a->rest[0]);
    int e = !d.table || doctor_program(&d) || doctor_report(&d) || doctor_speed(&d) || doctor_timing(&d) ? fail(why, ENOMEM, "no memory for the findings") : 0;
    if (!e)
        e = doctor_noise(&d, why);
    if (!e)
        e = request_write_of(a, &d, d.table, words, why);
    if (!e && args_format(a) != FORMAT_TABLE)
        complain(&d);
    table_destroy(d.table);
    return e ? e : d.missing > 0;
}

static const int takes[] = {0};

const struct command command_doctor = {
    .name = "doctor",
    .summary = "what is installed, whether timings can be trusted here, and what to do",
    .usage = "",
    .takes = takes,
    .run = run,
    .details = "Looks at the program and its data, at what the report needs, at what makes keysim fast, and at what disturbs timings; for these it also\n"
               "times look-ups for a second, as keysim latency does.\n\n"
               "  ok       as it should be\n"
               "  note     worth knowing; do: what would help\n"
               "  missing  keysim report cannot do without it\n\n"
               "Exit status 1 when something is missing.\n\n"
               "  keysim doctor\n"
               "  keysim doctor --format json\n",
};
