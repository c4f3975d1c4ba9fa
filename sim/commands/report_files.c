/* The staging folder: DIR/.keysim-PID, mode 0700. Everything is made there; when all is done each file is renamed into DIR, the page
 * last, so that an earlier report stays whole until the new one is. Every name is known beforehand and guarded, so that an interrupt
 * leaves nothing. The folder is locked while its report runs: one that nobody holds was left by a report that was killed, and goes. */
#include "commands/report.h"

#include "base/mem.h"
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *folder, const char *name, const char *ending)
{
    size_t size = strlen(folder) + strlen(name) + strlen(ending) + 2;
    char *path = mem_alloc(size, 1);
    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, ending);
    return path;
}

char *files_path(const struct report *r, const char *name, const char *ending) { return join(r->staging, name, ending); }

typedef int file_visit(struct report *r, const char *name, const char *ending, bool publish, char why[WHY]);

/* Every file that the report makes, the page last. */
static int visit_all(struct report *r, file_visit *visit, char why[WHY])
{
    int e = visit(r, "machine", ".csv", true, why);
    for (size_t i = 0; i < STEPS && !e; i++)
        e = step_is_run(r, (enum report_step)i) ? visit(r, step_file((enum report_step)i), "", true, why) : 0;
    if (!e && r->peers)
        e = visit(r, "bench-peers", ".csv", true, why);
    for (size_t i = 0; charts_data_file(i) && !e; i++)
        e = visit(r, charts_data_file(i), "", false, why);
    for (size_t i = 0; i < CHARTS && !e; i++)
        if (!(e = visit(r, chart_names[i], ".svg", true, why)))
            e = visit(r, chart_names[i], ".png", true, why);
    return e ? e : visit(r, "index", ".html", true, why);
}

static int guard(struct report *r, const char *name, const char *ending, bool publish, char why[WHY])
{
    (void)publish;
    char *path = files_path(r, name, ending);
    if (!path)
        return fail(why, ENOMEM, "no memory for the report");
    output_guard(path);
    mem_free(path);
    return 0;
}

static int drop(struct report *r, const char *name, const char *ending, bool publish, char why[WHY])
{
    (void)publish, (void)why;
    char *path = files_path(r, name, ending);
    if (path) {
        unlink(path);
        output_unguard(path);
    }
    mem_free(path);
    return 0;
}

/* Data on disk before its name: a power cut must not leave an empty page. */
static int sync_file(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    int e = fsync(file) && errno != EINVAL && errno != ENOTSUP ? errno : 0;
    close(file);
    return e;
}

static int publish_one(struct report *r, const char *name, const char *ending, bool publish, char why[WHY])
{
    if (!publish)
        return 0;
    char *from = files_path(r, name, ending), *to = join(r->dir, name, ending);
    int e = !from || !to ? fail(why, ENOMEM, "no memory for the report") : 0;
    if (!e && rename(from, to))
        e = fail_file(why, errno, to, "cannot be written");
    mem_free(from);
    mem_free(to);
    return e;
}

static int sync_one(struct report *r, const char *name, const char *ending, bool publish, char why[WHY])
{
    char *path = publish ? files_path(r, name, ending) : NULL;
    int error = path ? sync_file(path) : 0, e = error ? fail_file(why, error, path, "cannot be written") : 0;
    mem_free(path);
    return e;
}

/* A folder at a file's place would stop the report halfway through: found out before the first rename. */
static int check_one(struct report *r, const char *name, const char *ending, bool publish, char why[WHY])
{
    struct stat about;
    char *to = publish ? join(r->dir, name, ending) : NULL;
    int e = to && stat(to, &about) == 0 && S_ISDIR(about.st_mode) ? fail_file(why, EISDIR, to, "cannot be written") : 0;
    mem_free(to);
    return e;
}

int files_publish(struct report *r, char why[WHY])
{
    int e = visit_all(r, check_one, why);
    if (!e)
        e = visit_all(r, sync_one, why);
    return e ? e : visit_all(r, publish_one, why);
}

/* Removes a folder of plain files. */
static void remove_folder(int dir, const char *name, int folder)
{
    DIR *files = fdopendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));)
        unlinkat(folder, entry->d_name, 0); /* not . and .. */
    unlinkat(dir, name, AT_REMOVEDIR);
    files ? closedir(files) : close(folder);
}

/* What killed reports left. Nothing depends on it: what cannot be removed stays. */
static void clear_left(const char *path)
{
    static const char prefix[] = ".keysim-";
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *number = entry->d_name + sizeof prefix - 1;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) || !*number || number[strspn(number, "0123456789")])
            continue;
        int folder = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0)
            remove_folder(dirfd(dir), entry->d_name, folder);
        else if (folder >= 0)
            close(folder);
    }
    if (dir)
        closedir(dir);
}

/* Makes the staging folder and holds it; again, where another report took it for one that was left, before it was held. 0 or an errno. */
static int make_staging(struct report *r)
{
    struct stat about;
    for (;;) {
        int error = output_make_folder(r->staging, 0700);
        if (error)
            return error;
        r->lock = open(r->staging, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        error = r->lock < 0 ? errno : 0;
        if (!error) {
            flock(r->lock, LOCK_EX); /* some file systems cannot: then nobody clears either */
            if (fstat(r->lock, &about) == 0 && about.st_nlink > 0)
                return 0;
            close(r->lock);
        }
        rmdir(r->staging);
        output_unguard(r->staging);
        if (error && error != ENOENT)
            return error;
    }
}

static int make_folders(struct report *r, char why[WHY])
{
    struct stat about;
    int error = output_make_folder(r->dir, 0777);
    r->made_dir = !error;
    if (error && error != EEXIST)
        return fail_file(why, error, r->dir, "the report's folder cannot be made");
    if (stat(r->dir, &about) || !S_ISDIR(about.st_mode))
        return fail(why, EINVAL, "%s: is no folder; -o names the report's folder", r->dir);
    clear_left(r->dir);
    error = make_staging(r);
    return error ? fail_file(why, error, r->dir, "the report's folder cannot be written") : 0;
}

/* gnuplot takes a name that begins with '<' or '~' as something else. */
static char *plain_folder(const char *given)
{
    size_t len = strlen(given);
    while (len > 1 && given[len - 1] == '/')
        len--;
    char *path = mem_alloc(len + 3, 1);
    if (path)
        sprintf(path, "%s%.*s", *given == '/' ? "" : "./", (int)len, given);
    return path;
}

int files_open(struct report *r, char why[WHY])
{
    char name[48];
    const char *given = r->a->output ? r->a->output : "report";
    snprintf(name, sizeof name, ".keysim-%ld", (long)getpid());
    if (!*given)
        return fail(why, EINVAL, "report: -o needs the name of a folder");
    r->dir = plain_folder(given);
    char *staging = r->dir ? join(r->dir, name, "") : NULL;
    if (!staging)
        return fail(why, ENOMEM, "no memory for the report");
    r->staging = staging;
    int e = make_folders(r, why);
    if (e) { /* nothing to clean but an empty folder */
        r->staging = NULL;
        mem_free(staging);
        return e;
    }
    return visit_all(r, guard, why);
}

void files_close(struct report *r)
{
    char why[WHY];
    if (r->staging) {
        visit_all(r, drop, why);
        rmdir(r->staging);
        close(r->lock);
        output_unguard(r->staging);
    }
    if (r->made_dir) {
        rmdir(r->dir); /* fails, as it should, when the report stands in it */
        output_unguard(r->dir);
    }
    mem_free(r->staging);
    mem_free(r->dir);
}
