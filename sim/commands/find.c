/* Candidates are tried from the shortest on: words over a..z0..9, or numbers or addresses where the system takes only those. Where
 * braces mark the part that is hashed, the answer is a hash tag: any key that holds it lands there too. */
#include "commands/find.h"

#include "commands/keys.h"
#include "commands/request.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CANDIDATE = 32 };
#define TRIES_MAX 100000000ull

enum candidate_kind { WORDS, NUMBERS, ADDRESSES, KINDS };

/* Candidate i of a kind; its length. */
static size_t candidate(enum candidate_kind kind, uint64_t i, char out[CANDIDATE])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const uint64_t base = sizeof letters - 1;
    if (kind == NUMBERS)
        return (size_t)snprintf(out, CANDIDATE, "%" PRIu64, i);
    if (kind == ADDRESSES)
        return (size_t)snprintf(out, CANDIDATE, "%u.%u.%u.1", (unsigned)(10 + (i >> 16) % 200), (unsigned)(i >> 8 & 255), (unsigned)(i & 255));
    size_t len = 1;
    for (uint64_t words = base; i >= words; words *= base, len++)
        i -= words;
    for (size_t k = len; k-- > 0; i /= base)
        out[k] = letters[i % base];
    return len;
}

struct finding {
    const struct placement *p;
    uint32_t id;   /* NO_NODE: the slot is wanted */
    uint64_t slot;
    bool tags;
    enum candidate_kind kind;
    uint64_t most; /* candidates to try */
};

/* "node=NAME" or "slot=N". */
static int read_target(struct finding *f, const struct args *a, char why[WHY])
{
    const char *text = a->find;
    f->id = NO_NODE;
    if (!strncmp(text, "node=", 5)) {
        const struct node *n = cluster_by_name(f->p->cluster, text + 5);
        f->id = n ? n->id : NO_NODE;
        return n ? 0 : fail(why, EINVAL, "--find %s: no node has that name; the first is %s", text, f->p->cluster->node[0].name);
    }
    if (strncmp(text, "slot=", 5))
        return fail(why, EINVAL, "--find '%s': must be node=NAME or slot=N", text);
    uint64_t cells = f->p->engine->cells ? f->p->engine->cells(f->p->state) : 0;
    if (!cells)
        return fail(why, EINVAL, "--find %s: %s has no slots; ask for node=NAME", text, f->p->strategy->name);
    return text_count(text + 5, strlen(text + 5), &f->slot) || f->slot >= cells
               ? fail(why, EINVAL, "--find %s: must be a slot, 0 to %" PRIu64, text, cells - 1)
               : 0;
}

/* Whether braces mark the part of a key that is hashed. */
static bool takes_tags(const struct placement *p)
{
    uint64_t whole, tagged;
    return placement_digest(p, "keysim", 6, &whole) == KEY_HASHED && placement_digest(p, "x{keysim}y", 10, &tagged) == KEY_HASHED &&
           whole == tagged;
}

static int choose_kind(struct finding *f, char why[WHY])
{
    char key[CANDIDATE];
    uint64_t digest;
    for (int kind = WORDS; kind < KINDS; kind++) {
        f->kind = (enum candidate_kind)kind;
        if (placement_digest(f->p, key, candidate(f->kind, 0, key), &digest) != KEY_INVALID)
            return 0;
    }
    return fail(why, EINVAL, "--find: no keys can be made for %s: it wants %s", f->p->strategy->name, placement_wants(f->p));
}

/* Whether the key lands where it is wanted; *owner: its node. */
static bool lands(const struct finding *f, const char *key, size_t len, uint32_t *owner)
{
    uint64_t digest;
    if (placement_digest(f->p, key, len, &digest) != KEY_HASHED)
        return false;
    *owner = placement_owner(f->p, key, len, digest);
    return f->id == NO_NODE ? digest % f->p->engine->cells(f->p->state) == f->slot : *owner == f->id;
}

static uint64_t search(const struct finding *f, const struct study *s, uint64_t count, struct rows *rows)
{
    uint64_t found = 0;
    char key[CANDIDATE], shown[CANDIDATE + 2];
    uint32_t owner;
    for (uint64_t i = 0; i < f->most && found < count && !rows_broken(rows); i++) {
        size_t len = candidate(f->kind, i, key);
        if (!lands(f, key, len, &owner))
            continue;
        len = (size_t)snprintf(shown, sizeof shown, f->tags ? "{%.*s}" : "%.*s", (int)len, key);
        const char *name = owner == NO_NODE ? "-" : registry_name(s->registry, owner);
        rows_write(rows, (struct field[]){{shown, len, true}, {name, strlen(name), owner != NO_NODE}});
        found++;
    }
    return found;
}

int find_run(struct args *a, char why[WHY])
{
    static const char *const heading[] = {"key", "node"};
    struct study s;
    const struct cluster *c;
    struct placement *p = NULL;
    struct rows rows;
    if (a->rest_count > 0 || a->file || a->replicas || a->explain || a->changes.count)
        return fail(why, EINVAL, "where: --find looks for keys of its own: it goes with -s, -n, -H and --count");
    int e = request_open(&s, a, "where", why);
    if (e)
        return e;
    struct finding f = {0};
    e = request_single(&s, "where", why);
    if (!e)
        e = study_cluster(&s, 0, 0, &c, why);
    if (!e)
        e = study_open(&s, s.spec[0], c, &p, why);
    f.p = p;
    if (!e)
        e = read_target(&f, a, why);
    if (!e)
        e = choose_kind(&f, why);
    if (!e)
        e = rows_open(&rows, a, heading, 2, false, why);
    if (!e) {
        f.most = f.kind == ADDRESSES ? 200u << 16 : TRIES_MAX;
        f.tags = f.kind == WORDS && takes_tags(p);
        uint64_t found = search(&f, &s, a->count, &rows);
        e = rows_close(&rows, why);
        if (!e && found < a->count) {
            warn(a, "%" PRIu64 " keys were found, not %" PRIu64 ": no others among %" PRIu64 " candidates", found, a->count, f.most);
            e = 1;
        }
    }
    placement_close(p);
    request_close(&s);
    return e;
}
