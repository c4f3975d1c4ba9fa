#include "base/child.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX has its users declare it

/* Starts it, guarded; an interrupt waits until it is. 0 or an errno. */
static int start(pid_t *child, char *const argv[], const posix_spawn_file_actions_t *actions)
{
    posix_spawnattr_t how;
    sigset_t interrupts, before;
    int error = posix_spawnattr_init(&how);
    if (error)
        return error;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    if (!(error = posix_spawnattr_setsigmask(&how, &before)) && !(error = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK)))
        error = posix_spawnp(child, argv[0], actions, &how, argv, environ);
    output_guard_child(error ? 0 : *child);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    posix_spawnattr_destroy(&how);
    return error;
}

int child_run(char *const argv[], char *said, size_t size, int *status)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (pipe2(ends, O_CLOEXEC))
        return errno;
    int error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        if (!(error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)) &&
            !(error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)) &&
            !(error = posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)))
            error = start(&child, argv, &actions);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    size_t len = 0;
    char more[512];
    ssize_t got = 0;
    while (!error && ((got = read(ends[0], more, sizeof more)) > 0 || (got < 0 && errno == EINTR)))
        for (ssize_t i = 0; i < got && len + 1 < size; i++)
            said[len++] = more[i];
    said[len] = 0;
    close(ends[0]);
    while (!error && waitpid(child, status, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    output_guard_child(0);
    return error;
}
