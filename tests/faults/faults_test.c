/* Every allocation, open, fsync, rename ... of small commands fails once, the first, the second and so on, until one run ends without
 * the fault having struck. Each run is a child of this process, so that nothing is left of it; one thread, so that the n-th call is the
 * same each time.
 *
 *   faults_test TABLE [PART OF]      PART of OF lines of TABLE, counted from 0; all by default
 *
 * A line is a command's words; OUT is a file with something in it from an earlier run, < FILE is standard input. After each run: exit 3
 * and one line that says what, or the right results in spite of it; OUT is as it was; no other file is there; no memory, no descriptor
 * is left. The first 200 calls of a kind are each tried; after those about every fortieth of what is gone by. */
#include "base/mem.h"
#include "tests/faults/inject.h"
#include "tests/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int keysim_main(int argc, char **argv);

enum { WORDS = 48, TEXT = 1 << 20, EACH = 200, SLOWER = 40, PATIENCE = 60 };

static char folder[96]; /* in $TMPDIR */
static const char earlier[] = "an earlier result\n";

/* What a run leaves. */
struct run {
    bool struck;
    int64_t blocks;
    uint64_t live;
    int files; /* descriptors */
};

struct seen {
    int status; /* as waitpid gives */
    char *out, *err, *result; /* standard output, standard error, OUT */
    char strange[256];        /* a file that should not be there */
};

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int turn;
    char *at = path[turn = (turn + 1) % 4];
    snprintf(at, sizeof path[0], "%s/%s", folder, name);
    return at;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");
    if (!f || fputs(text, f) < 0 || fclose(f))
        abort();
}

static void read_file(const char *name, char *text)
{
    FILE *f = fopen(in_folder(name), "r");
    size_t n = f ? fread(text, 1, TEXT - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
}

static int count_files(void)
{
    int n = 0;
    for (int file = 3; file < 64; file++)
        n += fcntl(file, F_GETFD) >= 0;
    return n;
}

/* Splits a line; OUT becomes the path. Returns the file for standard input. */
static const char *split(char *line, char **word, int *n)
{
    const char *input = "/dev/null";
    *n = 0;
    for (char *at = strtok(line, " \n"); at && *n < WORDS - 1; at = strtok(NULL, " \n")) {
        if (!strcmp(at, "<"))
            input = strtok(NULL, " \n");
        else
            word[(*n)++] = !strcmp(at, "OUT") ? (char *)(uintptr_t)in_folder("result") : at;
    }
    word[*n] = NULL;
    return input;
}

static void be_program(const char *command, enum fault kind, uint64_t nth, struct run *r)
{
    static char line[1024], name[] = "keysim";
    char *word[WORDS] = {name};
    int n;
    snprintf(line, sizeof line, "%s", command);
    const char *input = split(line, word + 1, &n);
    if (!freopen(input, "r", stdin) || !freopen(in_folder("out"), "w", stdout) || !freopen(in_folder("err"), "w", stderr))
        _exit(99);
    alarm(PATIENCE);
    int files = count_files();
    int64_t blocks = fault_blocks();
    fault_at(kind, nth);
    int status = keysim_main(n + 1, word);
    r->struck = fault_struck();
    fault_at(FAULT_NONE, 0);
    r->blocks = fault_blocks() - blocks;
    r->live = mem_live();
    r->files = count_files() - files;
    fflush(NULL);
    _exit(status);
}

static void look(struct seen *s)
{
    static const char *const known[] = {".", "..", "out", "err", "result", "tmp"};
    read_file("out", s->out);
    read_file("err", s->err);
    read_file("result", s->result);
    *s->strange = 0;
    for (int sub = 0; sub < 2; sub++) {
        DIR *dir = opendir(sub ? in_folder("tmp") : folder);
        for (struct dirent *e; dir && (e = readdir(dir));) {
            bool is_known = false;
            for (size_t i = 0; i < (sub ? 2 : sizeof known / sizeof *known); i++)
                is_known |= !strcmp(known[i], e->d_name);
            if (!is_known)
                snprintf(s->strange, sizeof s->strange, "%s%.200s", sub ? "tmp/" : "", e->d_name);
        }
        if (dir)
            closedir(dir);
    }
}

static void run(const char *command, enum fault kind, uint64_t nth, struct run *r, struct seen *s)
{
    write_file("result", earlier);
    *r = (struct run){.blocks = -1, .files = -1};
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        be_program(command, kind, nth, r);
    waitpid(child, &s->status, 0);
    look(s);
}

/* Whether err is one line of the program's; lines that stand in `usual` too are none. */
static bool is_one_line(char *err, const char *usual)
{
    size_t n = 0;
    bool ours = true;
    char copy[8192];
    snprintf(copy, sizeof copy, "%s", err);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"))
        if (!strstr(usual, line) && strncmp(line, "keysim: warning: ", 17)) {
            n++;
            ours = ours && !strncmp(line, "keysim: ", 8);
        }
    return n == 1 && ours;
}

/* The same but for blanks: without memory for their widths, the columns of a table for people are not aligned, and that is all. */
static bool is_same(const char *a, const char *b)
{
    while (*a && *b) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b)
            return false;
        a += *a != 0;
        b += *b != 0;
    }
    return a[strspn(a, " ")] == b[strspn(b, " ")];
}

/* Where a differs from b. */
static const char *differs(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return a;
}

/* Whether results may be right in spite of it: not where they may be lost. */
static bool may_end_well(enum fault kind) { return kind != FAULT_FSYNC && kind != FAULT_RENAME && kind != FAULT_CLOSE; }

/* What is wrong with a run under a fault; NULL: nothing. */
static const char *wrong_with(const struct run *r, struct seen *s, const struct seen *good, enum fault kind)
{
    if (!WIFEXITED(s->status))
        return WTERMSIG(s->status) == SIGALRM ? "does not end" : "crashes";
    if (*s->strange)
        return "leaves a file";
    if (r->live || r->blocks)
        return "leaves memory";
    if (r->files)
        return "leaves a descriptor";
    int status = WEXITSTATUS(s->status);
    bool same = is_same(s->out, good->out) && !strcmp(s->result, good->result);
    if (status == WEXITSTATUS(good->status) && r->struck)
        return !same ? "ends well with other results" : may_end_well(kind) ? NULL : "ends well, as if nothing were lost";
    if (status != 3)
        return "exit status";
    if (strcmp(s->result, earlier))
        return "the earlier file is not what it was";
    if (!is_one_line(s->err, good->err))
        return "not one line";
    if (kind == FAULT_ALLOC || kind == FAULT_FDOPEN)
        return strstr(s->err, "memory") ? NULL : "does not speak of memory";
    return strstr(s->err, strerror(fault_errno(kind))) || strstr(s->err, "cannot be") ? NULL : "does not say why";
}

static void try_kind(const char *command, enum fault kind, struct run *r, struct seen *s, const struct seen *good)
{
    uint64_t n = 1, runs = 0, bad = 0;
    for (;; n += n < EACH ? 1 : 1 + n / SLOWER) {
        run(command, kind, n, r, s);
        if (WIFEXITED(s->status) && !r->struck && r->blocks != -1)
            break;
        runs++;
        const char *wrong = wrong_with(r, s, good, kind);
        if (wrong && bad < 5 && strcmp(s->out, good->out))
            note("results differ at: %.100s", differs(s->out, good->out));
        if (wrong && bad++ < 5)
            note("%s %llu: %s (status %x, %lld blocks, %llu bytes, %d files%s%s): %.300s", fault_name(kind), (unsigned long long)n, wrong, (unsigned)s->status,
                 (long long)r->blocks, (unsigned long long)r->live, r->files, *s->strange ? ", " : "", s->strange, s->err);
    }
    if (runs)
        ok(bad == 0, "%s: %llu times %s", command, (unsigned long long)runs, fault_name(kind));
}

static void try_command(const char *command, struct run *r, struct seen *s, struct seen *good)
{
    run(command, FAULT_NONE, 0, r, good);
    int status = WIFEXITED(good->status) ? WEXITSTATUS(good->status) : -1;
    if (!ok(status >= 0 && status <= 2 && !r->blocks && !r->live && !r->files && !*good->strange, "%s: exit %d, nothing left", command, status))
        note("%lld blocks, %llu bytes, %d descriptors%s%s %.200s", (long long)r->blocks, (unsigned long long)r->live, r->files, *good->strange ? ", " : "",
             good->strange, good->err);
    for (int kind = FAULT_ALLOC; kind < FAULTS; kind++)
        try_kind(command, (enum fault)kind, r, s, good);
}

int main(int argc, char **argv)
{
    char line[1024];
    FILE *table = argc > 1 ? fopen(argv[1], "r") : NULL;
    unsigned part = argc > 3 ? (unsigned)atoi(argv[2]) : 0, of = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    struct run *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct seen s = {0}, good = {0};
    char **text[] = {&s.out, &s.err, &s.result, &good.out, &good.err, &good.result};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        *text[i] = malloc(TEXT);
    snprintf(folder, sizeof folder, "%.70s/keysim-faults-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!table || !mkdtemp(folder) || setenv("OMP_THREAD_LIMIT", "1", 1) || setenv("TMPDIR", in_folder("tmp"), 1) || mkdir(in_folder("tmp"), 0700)) {
        fprintf(stderr, "usage: faults_test TABLE [PART OF]\n");
        return 2;
    }
    for (unsigned k = 0; fgets(line, sizeof line, table);) {
        line[strcspn(line, "\n")] = 0;
        if (*line && *line != '#' && k++ % of == part)
            try_command(line, r, &s, &good);
    }
    static const char *const files[] = {"out", "err", "result"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(in_folder(files[i]));
    rmdir(in_folder("tmp"));
    rmdir(folder);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        free(*text[i]);
    fclose(table);
    return tap_done();
}
