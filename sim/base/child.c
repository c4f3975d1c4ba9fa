#include "base/child.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX has its users declare it

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
            error = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    output_guard_child(error ? 0 : child);
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
