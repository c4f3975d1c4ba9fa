/* Runs a fuzz target over its committed corpus, without an engine: build/tests/fuzz/NAME_fuzz replays tests/fuzz/corpus/NAME and NAME-*, or the files that
 * it is given. Prints TAP; what does not hold ends the program. */
#include "tests/fuzz/fuzz.h"
#include "tests/tap.h"

#include <glob.h>

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
    fprintf(stderr, "# %s\n", path);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    char pattern[2][256];
    glob_t files = {0};
    int length = (int)(strlen(name) - strlen("_fuzz"));
    uint64_t live = mem_live();
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    snprintf(pattern[0], sizeof pattern[0], "tests/fuzz/corpus/%.*s/*", length, name);
    snprintf(pattern[1], sizeof pattern[1], "tests/fuzz/corpus/%.*s-*/*", length, name);
    if (argc == 1)
        for (int i = 0; i < 2; i++)
            glob(pattern[i], i ? GLOB_APPEND : 0, NULL, &files);
    for (size_t i = 0; i < files.gl_pathc; i++)
        replay(files.gl_pathv[i]);
    ok(argc > 1 || files.gl_pathc > 0, "%zu files of the corpus hold", argc > 1 ? (size_t)argc - 1 : files.gl_pathc);
    ok(mem_live() == live, "all memory given back");
    globfree(&files);
    return tap_done();
}
