/* Runs a fuzz target over its committed corpus, without an engine: build/tests/fuzz/NAME_fuzz replays tests/fuzz/corpus/NAME and NAME-*, or the files that
 * it is given. Prints TAP. What does not hold ends a program, whoever sees it: here a child, so that the file it was at can be told. */
#include "tests/fuzz/fuzz.h"
#include "tests/tap.h"

#include <glob.h>
#include <sys/mman.h>
#include <sys/wait.h>

struct seen {
    size_t at; /* the file */
    bool given_back;
};

static void replay(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *f = fopen(path, "rb");
    HOLD(f);
    size_t size = fread(data, 1, sizeof data, f);
    fclose(f);
    uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer sees a byte too many */
    HOLD(exact);
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void replay_all(char **path, size_t n, struct seen *seen)
{
    uint64_t live = mem_live();
    for (seen->at = 0; seen->at < n; seen->at++)
        replay(path[seen->at]);
    seen->given_back = mem_live() == live;
}

static void find_corpus(const char *program, glob_t *files)
{
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program, *const part[] = {"", "-*"};
    char pattern[256];
    int length = (int)(strlen(name) - strlen("_fuzz"));
    for (int i = 0; i < 2; i++) {
        snprintf(pattern, sizeof pattern, "tests/fuzz/corpus/%.*s%s/*", length, name, part[i]);
        glob(pattern, i ? GLOB_APPEND : 0, NULL, files);
    }
}

int main(int argc, char **argv)
{
    glob_t files = {0};
    struct seen *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = -1;
    HOLD(seen != MAP_FAILED);
    if (argc == 1)
        find_corpus(argv[0], &files);
    char **path = argc > 1 ? argv + 1 : files.gl_pathv;
    size_t n = argc > 1 ? (size_t)argc - 1 : files.gl_pathc;
    pid_t child = fork();
    HOLD(child >= 0);
    if (!child) {
        replay_all(path, n, seen);
        globfree(&files);
        return 0;
    }
    HOLD(waitpid(child, &status, 0) == child);
    if (!ok(n > 0 && !status && seen->at == n, "%zu files of the corpus hold", n) && seen->at < n)
        note("%s does not", path[seen->at]);
    ok(status || seen->given_back, "all memory given back");
    globfree(&files);
    return tap_done();
}
