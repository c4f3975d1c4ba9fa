/* Programs in other languages: whole processes, and uhashring in a Python that answers over pipes, so that both sides still take turns. */
#include "peers.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX has its users declare it

/* A file in the folder of peers; false: not there. */
static bool peer_path(const char *name, char path[256])
{
    const char *folder = getenv("PEERS");
    return folder && snprintf(path, 256, "%s/%s", folder, name) < 256 && access(path, R_OK) == 0;
}

/* A child that reads `in` and writes to `out` (-1: nothing; nowhere). 0: none came to life. */
static pid_t start(char *const *argv, int in, int out)
{
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (in < 0)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    else
        posix_spawn_file_actions_adddup2(&actions, in, 0);
    if (out < 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    else
        posix_spawn_file_actions_adddup2(&actions, out, 1);
    int error = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error ? 0 : child;
}

static bool ends_well(pid_t child)
{
    int status = -1;
    return child && waitpid(child, &status, 0) == child && status == 0;
}

/* --- whole processes ------------------------------------------------------------------------- */
struct processes {
    char *const *ours, *const *theirs;
    bool failed;
};

static double time_process(char *const *argv, bool *failed)
{
    uint64_t from = clock_ns();
    *failed |= !ends_well(start(argv, -1, -1));
    return (double)(clock_ns() - from);
}

static double process_ours(void *of) { struct processes *p = of; return time_process(p->ours, &p->failed); }
static double process_theirs(void *of) { struct processes *p = of; return time_process(p->theirs, &p->failed); }

/* Whether the peer's own words (a line a node, NAME,KEYS) are what keysim's strategy of that name counts. */
static enum bench_answers same_counts(const struct figure *f, char *const *theirs)
{
    static struct texts_side s;
    char why[WHY], line[128], *end;
    uint64_t count[16] = {0}, lines = 0;
    int ends[2];
    s = (struct texts_side){.peer = NULL};
    if (texts_side_open(&s, f->spec, f->nodes, why) || pipe2(ends, O_CLOEXEC))
        return ANSWERS_NONE;
    for (uint64_t i = 0; i < f->keys; i++) {
        char key[24];
        uint64_t digest;
        int len = snprintf(key, sizeof key, "user:%" PRIu64, i);
        placement_digest(s.g.placement, key, (size_t)len, &digest);
        count[placement_owner(s.g.placement, key, (size_t)len, digest)]++;
    }
    pid_t child = start(theirs, -1, ends[1]);
    close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    bool same = child && said;
    while (same && fgets(line, sizeof line, said)) {
        unsigned node;
        if (sscanf(line, "node-%u", &node) == 1 && node < f->nodes && (end = strchr(line, ','))) {
            same = strtoull(end + 1, NULL, 10) == count[node];
            lines++;
        }
    }
    if (said)
        fclose(said);
    same &= ends_well(child) && lines == f->nodes;
    texts_side_close(&s);
    return same ? ANSWERS_SAME : ANSWERS_DIFFER;
}

int peer_process(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    static char python[] = "python3", node[] = "node", java[] = "java", cp[] = "-cp", tutorial[] = "Tutorial", ten[] = "10", vnodes[] = "150", keys[] = "1000000",
                balance[] = "balance", s[] = "-s", ring[] = "ring", n[] = "-n", threads[] = "--threads", one[] = "1", cpu[] = "--cpu", name[16];
    char path[256], plain[256], *bin = getenv("BIN"), *folder = getenv("PEERS");
    const char *file = strstr(f->against, "Python") ? "tutorial.py" : strstr(f->against, "TypeScript") ? "tutorial.mjs" : strstr(f->against, "Java") ? "Tutorial.class" : "plain";
    if (!bin || !peer_path(file, path))
        return fail(why, EINVAL, "%s: not there, or nothing to run it with", f->against), 1;
    snprintf(plain, sizeof plain, "%s", path);
    snprintf(name, sizeof name, "%s", cpu_name(cpu_level()));
    char *const ours[] = {bin, balance, s, ring, n, ten, threads, one, cpu, name, NULL};
    char *const by_python[] = {python, path, NULL}, *const by_node[] = {node, path, NULL}, *const by_java[] = {java, cp, folder, tutorial, NULL},
               *const by_itself[] = {plain, ten, vnodes, keys, NULL};
    struct processes p = {ours, *file == 'T' ? by_java : *file == 'p' ? by_itself : strstr(file, ".py") ? by_python : by_node, false};
    o->answers = same_counts(f, p.theirs);
    bench_race(b, process_ours, process_theirs, &p, o);
    o->keys = f->keys;
    return p.failed ? fail(why, EINVAL, "%s: does not run", f->against), 1 : 0;
}

/* --- uhashring --------------------------------------------------------------------------------- */
struct talk {
    struct texts_side texts;
    FILE *to, *from;
    pid_t child;
    const struct cluster *more;
    bool leaves;
    int error;
    char why[WHY];
};

static double ask(struct talk *t, const char *what)
{
    double value = 0;
    fprintf(t->to, "%s\n", what);
    fflush(t->to);
    if (fscanf(t->from, "%lf", &value) != 1)
        t->error = fail(t->why, EIO, "uhashring: no answer");
    return value;
}

static double talk_lookup(void *of) { return ask(of, "lookup"); }
static double talk_change(void *of) { struct talk *t = of; return ask(t, t->leaves ? "remove" : "add"); }
static double talk_ours(void *of) { struct talk *t = of; return texts_side_run(&t->texts); }

/* A node joins and leaves; what is asked for is timed. */
static double change_ours(void *of)
{
    struct talk *t = of;
    struct placement *p = t->texts.g.placement;
    uint64_t start = clock_ns();
    int e = placement_change(p, t->more, t->why);
    uint64_t joined = clock_ns();
    e = e ? e : placement_change(p, t->texts.g.cluster, t->why);
    uint64_t left = clock_ns();
    t->error = e ? e : t->error;
    return (double)(t->leaves ? left - joined : joined - start);
}

static int talk_open(struct talk *t, const struct figure *f, char *path, char why[WHY])
{
    static char python[] = "/usr/bin/python3", unwritten[] = "-B"; /* where Debian's package is */
    char number[16], *const argv[] = {python, unwritten, path, number, NULL};
    int to[2], from[2];
    snprintf(number, sizeof number, "%u", f->nodes);
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
        return fail(why, errno, "no pipes to uhashring");
    t->child = start(argv, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    t->to = fdopen(to[1], "w");
    t->from = fdopen(from[0], "r");
    int e = t->child && t->to && t->from ? texts_side_open(&t->texts, f->spec, f->nodes, why) : fail(why, EIO, "uhashring does not start");
    return e ? e : cluster_change(t->texts.g.registry, t->texts.g.cluster, "+1", false, &t->more, why);
}

static void talk_close(struct talk *t)
{
    if (t->to)
        fclose(t->to); /* the end of its input ends it */
    if (t->from)
        fclose(t->from);
    ends_well(t->child);
    texts_side_close(&t->texts);
}

/* Its owners of all texts beside those of keysim's strategy of that name. */
static enum bench_answers same_owners(struct talk *t, const struct figure *f)
{
    static struct texts_side own;
    own = (struct texts_side){.peer = NULL};
    bool same = !texts_side_open(&own, "uhashring", f->nodes, t->why);
    if (same)
        texts_side_run(&own);
    fputs("owners\n", t->to);
    fflush(t->to);
    for (size_t i = 0; i < TEXTS; i++) {
        unsigned id;
        same &= fscanf(t->from, "%u", &id) == 1 && id == own.ours[i];
    }
    texts_side_close(&own);
    return same ? ANSWERS_SAME : ANSWERS_DIFFER;
}

int peer_uhashring(struct bench *b, const struct figure *f, struct outcome *o, char why[WHY])
{
    static struct talk t;
    char path[256];
    t = (struct talk){.leaves = strstr(f->quantity, "leaves") != NULL};
    if (!peer_path("ask_uhashring.py", path))
        return fail(why, EINVAL, "uhashring: apt-get install python3-uhashring"), 1;
    int e = talk_open(&t, f, path, why);
    if (!e && !strcmp(f->unit, "bytes")) {
        o->ours = (double)placement_memory(t.texts.g.placement);
        o->theirs = ask(&t, "memory");
        o->reps = 1;
    } else if (!e && f->nodes == 100) {
        o->answers = same_owners(&t, f);
        bench_race(b, talk_ours, talk_lookup, &t, o);
        o->keys = TEXTS;
    } else if (!e) {
        bench_race(b, change_ours, talk_change, &t, o);
    }
    if (!e && t.error)
        e = (memcpy(why, t.why, WHY), t.error);
    talk_close(&t);
    return e;
}
