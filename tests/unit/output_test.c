/* Output: whole or not at all, and what a signal leaves. */
#include "base/output.h"
#include "base/mem.h"
#include "tests/tap.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "build-output-test-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[2][256];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static bool holds(const char *path, const char *want)
{
    char text[256] = "";
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    return strlen(want) == n && memcmp(text, want, n) == 0;
}

static int write_text(const char *path, const char *text, char why[WHY])
{
    struct output o;
    int error = output_open(&o, path, why);
    if (error)
        return error;
    fputs(text, o.file);
    return output_close(&o, why);
}

static void files(void)
{
    char why[WHY] = "";
    char path[256];
    snprintf(path, sizeof path, "%s", in_folder("a.csv"));
    struct output o;
    ok(output_open(&o, path, why) == 0 && access(path, F_OK) != 0, "not there while it is written");
    char temporary[512];
    snprintf(temporary, sizeof temporary, "%s", o.temporary);
    ok(strncmp(temporary, path, strlen(path)) == 0 && strstr(temporary, ".tmp-") && access(temporary, F_OK) == 0, "written beside");
    fputs("one\n", o.file);
    ok(output_close(&o, why) == 0 && holds(path, "one\n") && access(temporary, F_OK) != 0, "there when it is whole");
    ok(!o.file && !o.path, "released");
    ok(output_open(&o, path, why) == 0, "opened again");
    snprintf(temporary, sizeof temporary, "%s", o.temporary);
    fputs("two\n", o.file);
    output_abandon(&o);
    ok(holds(path, "one\n") && access(temporary, F_OK) != 0, "abandoned: the earlier file stays");
    ok(write_text(path, "three\n", why) == 0 && holds(path, "three\n"), "replaced");
    ok(symlink("a.csv", in_folder("link")) == 0 && write_text(in_folder("link"), "four\n", why) == 0 && holds(path, "four\n"), "through a link");
    struct stat about;
    ok(lstat(in_folder("link"), &about) == 0 && S_ISLNK(about.st_mode), "which stays one");
    ok(write_text("/dev/null", "x", why) == 0 && stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode), "a device is no file");
    ok(output_check(path, why) == 0 && holds(path, "four\n"), "asked beforehand: it stays");
    ok(mkfifo(in_folder("pipe"), 0600) == 0 && output_check(in_folder("pipe"), why) == 0, "a pipe is not opened for that");
    unlink(in_folder("pipe"));
    ok(output_check(in_folder("none/a.csv"), why) == -EINVAL, "%s", why);
    ok(output_check(NULL, why) == 0 && output_check("-", why) == 0, "standard output is there");
    mem_fail_at(2);
    ok(output_open(&o, path, why) == -ENOMEM && holds(path, "four\n"), "%s", why);
    unlink(in_folder("link"));
    unlink(path);
}

static void mistakes(void)
{
    char why[WHY] = "";
    struct output o;
    ok(output_open(&o, in_folder("none/a.csv"), why) == -EINVAL, "%s", why);
    ok(output_open(&o, "/dev/null/a.csv", why) == -EINVAL, "%s", why);
    ok(output_open(&o, folder, why) == -EINVAL, "%s", why);
    ok(output_open(&o, "", why) == -EINVAL, "%s", why);
    if (geteuid() != 0) {
        chmod(folder, 0500);
        ok(output_open(&o, in_folder("a.csv"), why) == -EINVAL, "%s", why);
        chmod(folder, 0700);
    }
    ok(rmdir(folder) == 0 && mkdir(folder, 0700) == 0, "and left nothing");
}

/* Runs act in a child whose standard output is file; its exit status. */
static int in_child(int (*act)(void), int file)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (file >= 0)
            dup2(file, STDOUT_FILENO);
        _exit(act());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int fill_standard(void)
{
    char why[WHY];
    struct output o;
    signal(SIGPIPE, SIG_IGN);
    if (output_open(&o, "-", why))
        return 1;
    for (int i = 0; i < 20000; i++)
        fputs("a line of results\n", o.file);
    return -output_close(&o, why);
}

static int fill_device(void)
{
    char why[WHY];
    return -write_text("/dev/full", "x", why);
}

/* A file that cannot grow, over an earlier one. */
static int fill_file(void)
{
    char why[WHY], text[8000];
    struct rlimit limit = {4096, 4096};
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    signal(SIGXFSZ, SIG_IGN);
    if (write_text(in_folder("a.csv"), "earlier", why) || setrlimit(RLIMIT_FSIZE, &limit))
        return 1;
    return -write_text(in_folder("a.csv"), text, why);
}

static int interrupt(void)
{
    char why[WHY];
    struct output o;
    output_catch_signals();
    mkdir(in_folder("staging"), 0700);
    output_guard(in_folder("staging"));
    if (output_open(&o, in_folder("staging/a.csv"), why))
        return 1;
    fputs("half", o.file);
    fflush(o.file);
    raise(SIGINT);
    return 2;
}

static int terminate(void)
{
    output_catch_signals();
    mkdir(in_folder("kept"), 0700);
    output_guard(in_folder("kept"));
    output_unguard(in_folder("kept"));
    raise(SIGTERM);
    return 2;
}

static void streams(void)
{
    int ends[2];
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        ok(in_child(fill_standard, fileno(full)) == ENOSPC, "a full disk behind standard output");
        ok(in_child(fill_device, -1) == ENOSPC, "a full device");
        fclose(full);
    }
    ok(in_child(fill_file, -1) == EFBIG && holds(in_folder("a.csv"), "earlier"), "no room: the earlier file stays");
    unlink(in_folder("a.csv")); /* and that the folder is empty in the end says that nothing else did */
    if (pipe(ends) == 0) {
        close(ends[0]);
        ok(in_child(fill_standard, ends[1]) == EPIPE, "a reader that has gone");
        close(ends[1]);
    }
    ok(in_child(interrupt, -1) == 130 && access(in_folder("staging"), F_OK) != 0, "SIGINT: 130, nothing left");
    ok(in_child(terminate, -1) == 143 && rmdir(in_folder("kept")) == 0, "SIGTERM: 143, the unguarded stays");
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    files();
    mistakes();
    streams();
    ok(rmdir(folder) == 0, "the folder is empty");
    ok(mem_live() == 0, "nothing is left");
    return tap_done();
}
