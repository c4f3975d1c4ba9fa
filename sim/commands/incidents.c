/* keysim incidents: public reports, computed anew from their configuration.
 *
 * A report is a file of data/incidents: a command to run in this process, the numbers expected of it, what was seen, cause and cure.
 * Results go through one file in a folder of its own under $TMPDIR, which is gone afterwards. */
#include "commands/incident.h"
#include "commands/inner.h"
#include "commands/request.h"

#include "base/mem.h"
#include "base/option.h"
#include "base/progress.h"
#include "base/text.h"
#include "experiments/columns.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct incidents {
    struct incident *item;
    size_t count, capacity;
};

static int add(struct incidents *all, const char *path, char why[WHY])
{
    struct incident one;
    int e = incident_read(&one, path, why);
    if (!e && mem_grow(&all->item, &all->capacity, all->count + 1, sizeof *all->item)) {
        incident_release(&one);
        e = fail(why, ENOMEM, "no memory for incidents");
    }
    if (!e)
        all->item[all->count++] = one;
    return e;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The names of the folder's files without their .txt, in order. */
static int list_folder(const char *folder, struct texts *names, char why[WHY])
{
    DIR *dir = opendir(folder);
    if (!dir)
        return fail_file(why, errno, folder, "cannot be read");
    int e = 0;
    for (struct dirent *entry; !e && (entry = readdir(dir));) {
        size_t len = strlen(entry->d_name);
        if (*entry->d_name != '.' && len > 4 && !strcmp(entry->d_name + len - 4, ".txt") && inner_add(names, entry->d_name, len - 4))
            e = fail(why, ENOMEM, "no memory for incidents");
    }
    closedir(dir);
    if (!e && !names->count)
        e = fail(why, EINVAL, "%s: holds no incident (a file NAME.txt)", folder);
    if (!e)
        qsort(names->item, names->count, sizeof *names->item, by_text);
    return e;
}

int incident_names(struct texts *names, char **folder, char why[WHY])
{
    *folder = NULL;
    int e = inner_data(folder, "data/incidents", why);
    return e ? e : list_folder(*folder, names, why);
}

static int add_named(struct incidents *all, const char *folder, const struct texts *names, const char *name, char why[WHY])
{
    size_t k = 0, size = strlen(folder) + strlen(name) + 6;
    while (k < names->count && strcmp(names->item[k], name))
        k++;
    if (k == names->count)
        return fail_unknown(why, "incident", name, (const char *const *)names->item, names->count);
    char *path = mem_alloc(size, 1);
    if (!path)
        return fail(why, ENOMEM, "no memory for incidents");
    snprintf(path, size, "%s/%s.txt", folder, name);
    int e = add(all, path, why);
    mem_free(path);
    return e;
}

/* Those named, a path being a file of one's own; else all that ship. */
static int read_all(struct incidents *all, const struct args *a, char why[WHY])
{
    struct texts names = {0};
    char *folder = NULL;
    int e = 0;
    for (int k = 0; k < a->rest_count && !e; k++) {
        if (strchr(a->rest[k], '/')) {
            e = add(all, a->rest[k], why);
            continue;
        }
        if (!folder)
            e = incident_names(&names, &folder, why);
        if (!e)
            e = add_named(all, folder, &names, a->rest[k], why);
    }
    if (!a->rest_count)
        e = incident_names(&names, &folder, why);
    for (size_t k = 0; !a->rest_count && k < names.count && !e; k++)
        e = add_named(all, folder, &names, names.item[k], why);
    inner_release(&names);
    mem_free(folder);
    return e;
}

/* A folder for results. 0 or an errno. */
static int make_folder(char *folder, size_t size)
{
    const char *base = getenv("TMPDIR");
    int error = EEXIST;
    for (unsigned n = 0; error == EEXIST; n++)
        if (snprintf(folder, size, "%s/keysim-%ld-%u", base && *base ? base : P_tmpdir, (long)getpid(), n) >= (int)size)
            error = ENAMETOOLONG;
        else
            error = output_make_folder(folder, 0700);
    return error;
}

/* Runs all with a folder for their results. */
static int run_all(const struct incidents *all, const struct args *a, struct table *t, size_t *wrong, char why[WHY])
{
    char folder[4096], file[4096 + 16];
    int error = make_folder(folder, sizeof folder), e = 0;
    if (error)
        return fail_file(why, error, folder, "no folder for results can be made (TMPDIR names another place)");
    snprintf(file, sizeof file, "%s/result.csv", folder);
    output_guard(file);
    for (size_t k = 0; k < all->count && !e; k++)
        e = incident_run(&all->item[k], a, file, t, wrong, why);
    unlink(file);
    rmdir(folder);
    output_unguard(file);
    output_unguard(folder);
    return e;
}

static size_t last_row(const struct table *t, size_t row)
{
    while (row + 1 < table_rows(t) && !strcmp(table_get_text(t, row + 1, COL(incident)), table_get_text(t, row, COL(incident))))
        row++;
    return row;
}

static bool is_reproduced(const struct table *t, size_t row, size_t last)
{
    for (; row <= last; row++)
        if (strcmp(table_get_text(t, row, COL(verdict)), "reproduced"))
            return false;
    return true;
}

static void print_row(const struct table *t, size_t row, FILE *to)
{
    const char *seen = table_get_text(t, row, COL(seen)), *tolerance = table_get_text(t, row, COL(tolerance));
    bool met = is_reproduced(t, row, row);
    fprintf(to, "  %-8s %s", met ? "computed" : "DIFFERS", table_get_text(t, row, COL(computed)));
    if (!met)
        fprintf(to, ", expected %s%s%s", table_get_text(t, row, COL(expected)), *tolerance ? " within " : "", tolerance);
    if (*seen)
        fprintf(to, ", seen %s", seen);
    fprintf(to, ": %s\n", table_get_text(t, row, COL(quantity)));
}

static void print_incident(const struct table *t, size_t row, size_t last, FILE *to)
{
    fprintf(to, "\n%s: %s (%s)%s\n", table_get_text(t, row, COL(incident)), table_get_text(t, row, COL(title)), table_get_text(t, row, COL(report)),
            is_reproduced(t, row, last) ? "" : ": NOT REPRODUCED");
    for (size_t r = row; r <= last; r++)
        print_row(t, r, to);
    fprintf(to, "  %-8s %s\n  %-8s %s\n  %-8s %s\n", "theory", table_get_text(t, row, COL(theory)), "cause", table_get_text(t, row, COL(cause)), "cure",
            table_get_text(t, row, COL(cure)));
}

static int words(const struct args *a, const struct study *s, const struct table *t, FILE *to, char why[WHY])
{
    (void)a, (void)s, (void)why;
    size_t all = 0, good = 0;
    for (size_t row = 0; row < table_rows(t); row = last_row(t, row) + 1) {
        all++;
        good += is_reproduced(t, row, last_row(t, row));
    }
    fprintf(to, "%zu of %zu reports reproduced\n", good, all);
    for (size_t row = 0; row < table_rows(t); row = last_row(t, row) + 1)
        print_incident(t, row, last_row(t, row), to);
    fprintf(to, all == 1 ? "\nNext: %s\n" : "\nNext: keysim incidents %s\n", table_get_text(t, 0, all == 1 ? COL(command) : COL(incident)));
    return 0;
}

/* Names what is not met, where no table shows it; with -q the first alone. */
static void say_wrong(const struct args *a, const struct table *t)
{
    for (size_t row = 0; row < table_rows(t); row++)
        if (!is_reproduced(t, row, row)) {
            const char *tolerance = table_get_text(t, row, COL(tolerance));
            fprintf(stderr, "keysim: incident %s differs: %s is %s, expected %s%s%s\n", table_get_text(t, row, COL(incident)),
                    table_get_text(t, row, COL(quantity)), table_get_text(t, row, COL(computed)), table_get_text(t, row, COL(expected)),
                    *tolerance ? " within " : "", tolerance);
            if (a->quiet)
                return;
        }
}

static int run(struct args *a, char why[WHY])
{
    struct incidents all = {0};
    size_t wrong = 0;
    struct table *t = columns_table(columns_incidents);
    struct args inner = *a;
    inner.quiet = true; /* warnings are part of the story, not of the answer */
    int e = t ? read_all(&all, a, why) : fail(why, ENOMEM, "no memory for incidents");
    if (!e)
        e = run_all(&all, &inner, t, &wrong, why);
    if (!e)
        e = request_write(a, NULL, t, words, why);
    if (!e && args_format(a) != FORMAT_TABLE)
        say_wrong(a, t);
    for (size_t k = 0; k < all.count; k++)
        incident_release(&all.item[k]);
    mem_free(all.item);
    table_destroy(t);
    return e ? e : wrong > 0;
}

static const int takes[] = {0};

const struct command command_incidents = {
    .name = "incidents",
    .summary = "public reports, reproduced from their configuration",
    .usage = "[NAME|FILE...]",
    .takes = takes,
    .run = run,
    .details = "Reports from public trackers: what was seen, what the configuration gives, cause and cure. NAME is one that ships\n"
               "(data/incidents), FILE, with a / in it, one of your own; the format is described beside them. Exit 1 if one does not\n"
               "come out as expected.\n\n"
               "  keysim incidents\n"
               "  keysim incidents skipper-1796\n"
               "  keysim incidents ./ours.txt\n",
};
