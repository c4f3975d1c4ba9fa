/* Files that appear whole: written to PATH.tmp-PID-N in the same folder, synced,
 * renamed over PATH, the folder synced. What is not a file (a device, a pipe) is
 * written to directly.
 *
 * The guard is a fixed list that a signal handler may walk: it unlinks, removes
 * folders, newest first, and leaves. */
#include "base/output.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GUARDS = 256 }; /* a report has half as many files */
enum { FREE, CHANGING, LIVE };

static struct {
    atomic_int state;
    char path[PATH_MAX];
} guards[GUARDS];

void output_guard(const char *path)
{
    if (strlen(path) >= PATH_MAX)
        return;
    for (size_t i = 0; i < GUARDS; i++) {
        int expected = FREE;
        if (atomic_compare_exchange_strong(&guards[i].state, &expected, CHANGING)) {
            strcpy(guards[i].path, path);
            atomic_store(&guards[i].state, LIVE);
            return;
        }
    }
}

void output_unguard(const char *path)
{
    for (size_t i = 0; i < GUARDS; i++) {
        if (atomic_load(&guards[i].state) == LIVE && strcmp(guards[i].path, path) == 0) {
            atomic_store(&guards[i].state, FREE);
            return;
        }
    }
}

static _Atomic pid_t writer;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler reads it");

void output_guard_child(pid_t child) { atomic_store(&writer, child); }

int output_make_folder(const char *path, mode_t mode)
{
    struct stat about;
    if (lstat(path, &about) == 0)
        return EEXIST; /* another's: an interrupt must not remove it */
    output_guard(path);
    if (mkdir(path, mode) == 0)
        return 0;
    int error = errno;
    output_unguard(path);
    return error;
}

static pthread_t main_thread;

/* On the main thread alone, so that nothing is made meanwhile, and where it blocks interrupts there is none. */
static void interrupted(int signal)
{
    if (!pthread_equal(pthread_self(), main_thread)) {
        pthread_kill(main_thread, signal);
        return;
    }
    pid_t child = atomic_load(&writer);
    if (child > 0 && kill(child, SIGKILL) == 0)
        waitpid(child, NULL, 0); /* or it would go on making files */
    for (size_t i = GUARDS; i-- > 0;) /* files first, so that their folders are empty */
        if (atomic_load(&guards[i].state) == LIVE)
            unlink(guards[i].path);
    for (size_t i = GUARDS; i-- > 0;)
        if (atomic_load(&guards[i].state) == LIVE)
            rmdir(guards[i].path);
    _exit(128 + signal);
}

void output_catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupted};
    main_thread = pthread_self();
    sigfillset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* The final name: where a symbolic link leads, so that the link stays one. */
static char *final_name(const char *path)
{
    struct stat about;
    char resolved[PATH_MAX];
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode) && realpath(path, resolved))
        path = resolved;
    return mem_copy(path, strlen(path));
}

static int no_memory(char why[WHY]) { return fail(why, ENOMEM, "out of memory"); }

static int cannot(char why[WHY], int error, const char *path) { return fail_file(why, error, path, "cannot be written"); }

static int open_temporary(struct output *o, char why[WHY])
{
    static atomic_uint serial;
    size_t room = strlen(o->path) + 48;
    o->temporary = mem_alloc(room, 1);
    if (!o->temporary)
        return no_memory(why);
    int file, error;
    do {
        snprintf(o->temporary, room, "%s.tmp-%ld-%u", o->path, (long)getpid(), atomic_fetch_add(&serial, 1));
        output_guard(o->temporary);
        file = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        error = file < 0 ? errno : 0;
        if (error)
            output_unguard(o->temporary);
    } while (error == EEXIST);
    if (error)
        return cannot(why, error, o->path);
    o->file = fdopen(file, "w");
    if (o->file)
        return 0;
    close(file);
    unlink(o->temporary);
    output_unguard(o->temporary);
    return no_memory(why);
}

static int open_path(struct output *o, char why[WHY])
{
    struct stat about;
    bool there = stat(o->path, &about) == 0;
    if (!*o->path)
        return cannot(why, ENOENT, "''");
    if (there && S_ISDIR(about.st_mode))
        return cannot(why, EISDIR, o->path);
    if (there && access(o->path, W_OK))
        return cannot(why, errno, o->path);
    if (!there || S_ISREG(about.st_mode))
        return open_temporary(o, why);
    o->file = fopen(o->path, "we");
    return o->file ? 0 : cannot(why, errno, o->path);
}

/* Frees what o holds, its file closed already. */
static void release(struct output *o)
{
    mem_free(o->path);
    mem_free(o->temporary);
    *o = (struct output){0};
}

int output_open(struct output *o, const char *path, char why[WHY])
{
    struct output made = {.file = stdout};
    if (path && strcmp(path, "-") != 0) {
        made.path = final_name(path);
        int error = !made.path ? no_memory(why) : open_path(&made, why);
        if (error) {
            release(&made);
            return error;
        }
    }
    *o = made;
    return 0;
}

int output_check(const char *path, char why[WHY])
{
    struct output o;
    struct stat about;
    if (path && stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return 0;
    int e = output_open(&o, path, why);
    if (!e)
        output_abandon(&o);
    return e;
}

int output_words(struct output *o, char why[WHY])
{
    int e = page_open(&o->page, o->file, why);
    if (!e && o->page.in)
        o->file = o->page.in;
    return e;
}

/* Back to the file itself; the words go there, or nowhere. */
static int end_words(struct output *o, bool show, char why[WHY])
{
    if (!o->page.in)
        return 0;
    o->file = o->page.to;
    return page_close(&o->page, show, why);
}

/* What went wrong so far: 0 or an errno. A write that failed earlier mostly fails again
 * when it is flushed; should it not, its reason is lost, but that a reader has gone still shows. */
static int flushed(FILE *file)
{
    errno = 0;
    if (fflush(file))
        return errno ? errno : EIO;
    struct pollfd pipe = {.fd = fileno(file)};
    return !ferror(file) ? 0 : poll(&pipe, 1, 0) == 1 && pipe.revents & POLLERR ? EPIPE : EIO;
}

static bool cannot_sync(int error) { return error == EINVAL || error == ENOTSUP; } /* some file systems */

static void sync_folder(const char *path)
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    size_t len = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    if (len >= sizeof folder)
        return;
    if (len > 0) {
        memcpy(folder, path, len);
        folder[len] = 0;
    }
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file); /* the name is there already: only a power cut could tell */
        close(file);
    }
}

int output_close(struct output *o, char why[WHY])
{
    int error = end_words(o, true, why);
    if (error) {
        output_abandon(o);
        return error;
    }
    error = flushed(o->file);
    if (!o->path) {
        *o = (struct output){0};
        return error ? fail(why, error, "standard output: cannot be written: %s", strerror(error)) : 0;
    }
    if (!error && o->temporary && fsync(fileno(o->file)) && !cannot_sync(errno))
        error = errno;
    if (fclose(o->file) && !error)
        error = errno;
    if (!error && o->temporary && rename(o->temporary, o->path))
        error = errno;
    if (error)
        error = cannot(why, error, o->path);
    else if (o->temporary)
        sync_folder(o->path);
    if (error && o->temporary)
        unlink(o->temporary);
    if (o->temporary)
        output_unguard(o->temporary);
    release(o);
    return error;
}

void output_abandon(struct output *o)
{
    char why[WHY];
    end_words(o, false, why);
    if (o->path && o->file)
        fclose(o->file);
    if (o->temporary) {
        unlink(o->temporary);
        output_unguard(o->temporary);
    }
    release(o);
}
