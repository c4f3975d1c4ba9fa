#include "experiments/feed.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/ranks.h"
#include "base/text.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
#endif

/* What one thread works with. */
struct lane {
    struct key_block block;
    uint64_t *digest;  /* [count][KEY_BLOCK], used for the first placement of each key rule */
    uint32_t *owner;   /* [count][KEY_BLOCK] */
    const uint32_t **row;
    uint8_t *verdict;
    uint64_t turn;     /* the block's number */
    uint32_t *first;   /* [count][KEY_BLOCK] and what follows: where it is told what spilled; first choices */
    uint32_t *list;    /* one key's choices */
    struct feed_spill *spill; /* [count] */
};

/* What the nodes of a placement that looks at loads hold so far: the whole run's, whichever thread places. */
struct loads {
    uint64_t total, *of; /* of[id]; NULL: loads are not looked at */
};

struct feeding {
    const struct placement *const *placement;
    size_t count;
    size_t *same_as; /* the first placement that hashes keys like this one */
    struct loads *loads; /* [count] */
    struct workload *w;
    uint64_t blocks;     /* how many were handed out */
    bool in_turn;        /* some placement looks at loads */
    struct feed_spill *spill; /* [count]; NULL: not asked */
    uint32_t most;       /* nodes of the largest cluster */
    uint64_t turn;       /* the block that is next to be placed there; under lock */
    bool failed;         /* under lock */
    pthread_mutex_t lock;
    pthread_cond_t turned;
    uint64_t next, total; /* generated workloads: the next request, and how many */
    uint64_t keys;
    uint64_t read;       /* a digest of a file's keys, where other processes read it too */
    int error;
    uint64_t error_at; /* the request that failed: of several the first is told */
    char *why;
};

static void lane_release(struct lane *l)
{
    key_block_release(&l->block);
    mem_free(l->digest);
    mem_free(l->owner);
    mem_free(l->row);
    mem_free(l->verdict);
    mem_free(l->first);
    mem_free(l->list);
    mem_free(l->spill);
}

static int lane_init(struct lane *l, size_t count)
{
    *l = (struct lane){0};
    int e = key_block_init(&l->block);
    l->digest = mem_alloc(count, KEY_BLOCK * sizeof *l->digest);
    l->owner = mem_alloc(count, KEY_BLOCK * sizeof *l->owner);
    l->row = mem_alloc(count, sizeof *l->row);
    l->verdict = mem_alloc(KEY_BLOCK, 1);
    return e || !l->digest || !l->owner || !l->row || !l->verdict ? -ENOMEM : 0;
}

static int lane_init_spill(struct lane *l, const struct feeding *f)
{
    l->first = mem_alloc(f->count, KEY_BLOCK * sizeof *l->first);
    l->list = mem_alloc(f->most, sizeof *l->list);
    l->spill = mem_alloc(f->count, sizeof *l->spill);
    return l->first && l->list && l->spill ? 0 : -ENOMEM;
}

static void feeding_fails(struct feeding *f, int error, uint64_t at, const char *why)
{
#pragma omp critical(feeding)
    if (!f->error || at < f->error_at) {
        f->error = error;
        f->error_at = at;
        memcpy(f->why, why, WHY);
    }
    pthread_mutex_lock(&f->lock);
    f->failed = true;
    pthread_cond_broadcast(&f->turned);
    pthread_mutex_unlock(&f->lock);
}

/* Whether this process places the block of that number. */
static bool is_mine(const struct feeding *f, uint64_t block)
{
    return ranks_mine(f->in_turn ? 0 : block);
}

/* Every process reads the whole file, on its own machine. */
static void note_read(struct feeding *f, const struct key_block *b)
{
    for (size_t i = 0; i < b->count; i++)
        f->read = ranks_note(f->read, b->text[i], b->len[i]);
    if (b->amount)
        f->read = ranks_note(f->read, b->amount, b->count * sizeof *b->amount);
}

/* The next block into l; false at the end or after a failure. */
static bool next_block(struct feeding *f, struct lane *l)
{
    bool more = false, failed = false, foreign;
    char why[WHY];
    int e = 0;
    uint64_t first = 0, n = 0;
#pragma omp critical(feeding)
    do {
        failed = f->error != 0;
        if (!failed && workload_is_random_access(f->w)) {
            first = f->next;
            n = f->total - first < KEY_BLOCK ? f->total - first : KEY_BLOCK;
            f->next += n;
        } else if (!failed) {
            e = workload_next(f->w, &l->block, why);
            n = e ? 0 : l->block.count;
            first = l->block.first;
            if (n && ranks_count() > 1)
                note_read(f, &l->block);
        }
        f->keys += n;
        l->turn = f->blocks++;
        foreign = !failed && n > 0 && !is_mine(f, l->turn);
    } while (foreign);
    if (!failed && !e && n && workload_is_random_access(f->w) && (e = workload_fill(f->w, first, n, &l->block)))
        fail(why, -e, "no memory for a block of keys");
    if (e)
        feeding_fails(f, e, first, why);
    else
        more = !failed && n > 0;
    return more;
}

int feed_refuse(const struct placement *p, const struct workload *w, const struct key_block *b, const uint8_t *verdict, size_t *at, char why[WHY])
{
    char key[80], where[WHY / 2];
    for (*at = 0; verdict[*at] != KEY_INVALID;)
        ++*at;
    text_printable(b->text[*at], b->len[*at], key, sizeof key);
    workload_where(w, b, *at, where, sizeof where);
    return fail(why, EINVAL, "key '%s' (%s) is no key for %s with hash %s: it wants %s", key, where, p->strategy->name, p->key.hash.hash->name,
                placement_wants(p));
}

static void refuse_key(struct feeding *f, struct lane *l, const struct placement *p)
{
    size_t at;
    char why[WHY];
    int e = feed_refuse(p, f->w, &l->block, l->verdict, &at, why);
    feeding_fails(f, e, l->block.first + at, why);
}

/* False: the feeding failed meanwhile. */
static bool take_turn(struct feeding *f, const struct lane *l)
{
    pthread_mutex_lock(&f->lock);
    while (f->turn != l->turn && !f->failed)
        pthread_cond_wait(&f->turned, &f->lock);
    bool mine = !f->failed;
    pthread_mutex_unlock(&f->lock);
    return mine;
}

static void end_turn(struct feeding *f, const struct lane *l)
{
    pthread_mutex_lock(&f->lock);
    f->turn = l->turn + 1;
    pthread_cond_broadcast(&f->turned);
    pthread_mutex_unlock(&f->lock);
}

/* Places the block's keys where loads are looked at, in the order of all keys: the lane, its first choices at hand, waits for its turn. False: in vain. */
static bool place_in_turn(struct feeding *f, struct lane *l)
{
    if (!take_turn(f, l))
        return false;
    for (size_t p = 0; p < f->count; p++) {
        struct loads *loads = &f->loads[p];
        if (loads->of)
            placement_owners_loaded(f->placement[p], l->digest + f->same_as[p] * KEY_BLOCK, l->block.count, loads->of, &loads->total, l->owner + p * KEY_BLOCK);
    }
    end_turn(f, l);
    return true;
}

/* How many nodes stand before this one among the key's choices; all, where it is none of them. */
static size_t place_of(const struct placement *p, uint64_t digest, uint32_t id, uint32_t *list)
{
    size_t size = p->cluster->size, at = 0, n = 0;
    bool salted;
    for (size_t k = 2; at == n; k *= 2) {
        size_t most = k < size ? k : size;
        n = placement_replicas(p, digest, list, most, &salted);
        while (at < n && list[at] != id)
            at++;
        if (n < most || most == size)
            break;
    }
    return at;
}

static void count_spilled(const struct feeding *f, struct lane *l)
{
    for (size_t p = 0; p < f->count; p++) {
        const struct placement *placement = f->placement[p];
        const struct engine *engine = placement->engine;
        const uint64_t *digest = l->digest + f->same_as[p] * KEY_BLOCK;
        const uint32_t *owner = l->owner + p * KEY_BLOCK, *first = l->first + p * KEY_BLOCK;
        size_t among = engine->among ? engine->among(placement->state) : 0;
        if (among > placement->cluster->size)
            among = placement->cluster->size;
        for (size_t i = 0; f->loads[p].of && i < l->block.count; i++) {
            bool spilled = owner[i] != first[i];
            l->spill[p].spilled += spilled;
            if (first[i] != NO_NODE)
                l->spill[p].asked += among ? among - 1 : spilled ? place_of(placement, digest[i], owner[i], l->list) : 0;
        }
    }
}

/* Digests and owners of one block for all placements; false when a key was refused. */
static bool place_block(struct feeding *f, struct lane *l)
{
    size_t n = l->block.count;
    for (size_t p = 0; p < f->count; p++) {
        uint64_t *digest = l->digest + f->same_as[p] * KEY_BLOCK;
        uint32_t *owner = l->owner + p * KEY_BLOCK;
        const struct placement *placement = f->placement[p];
        bool plain = true;
        /* A rule with a filter or a choosy hash is asked again each time: its verdicts are not kept. */
        if (f->same_as[p] == p && placement_digests(placement, l->block.text, l->block.len, n, digest, l->verdict, &plain)) {
            refuse_key(f, l, placement);
            return false;
        }
        placement_owners(placement, l->block.text, l->block.len, n, digest, l->verdict, plain, owner);
        l->row[p] = owner;
    }
    if (f->in_turn && l->first)
        memcpy(l->first, l->owner, f->count * KEY_BLOCK * sizeof *l->first);
    if (f->in_turn && place_in_turn(f, l) && l->first)
        count_spilled(f, l);
    return true;
}

static void feeding_release(struct feeding *f)
{
    for (size_t p = 0; f->loads && p < f->count; p++)
        mem_free(f->loads[p].of);
    mem_free(f->loads);
    mem_free(f->same_as);
    pthread_cond_destroy(&f->turned);
    pthread_mutex_destroy(&f->lock);
}

static int feeding_init(struct feeding *f)
{
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->turned, NULL);
    f->same_as = mem_alloc(f->count, sizeof *f->same_as);
    f->loads = mem_alloc(f->count, sizeof *f->loads);
    bool good = f->same_as && f->loads;
    for (size_t p = 0; good && p < f->count; p++) {
        const struct placement *placement = f->placement[p];
        while (f->same_as[p] < p && !placement_digests_serve(f->placement[f->same_as[p]], placement))
            f->same_as[p]++;
        if (!placement->engine->lookup_loaded)
            continue;
        f->in_turn = true;
        f->most = placement->cluster->size > f->most ? placement->cluster->size : f->most;
        good = (f->loads[p].of = mem_alloc(placement->cluster->ids, sizeof(uint64_t))) != NULL;
    }
    return good ? 0 : fail(f->why, ENOMEM, "no memory for %zu placements", f->count);
}

_Static_assert(sizeof(struct feed_spill) == 2 * sizeof(uint64_t), "summed as two numbers");

/* Adds what a lane counted. */
static void lane_join(struct feeding *f, const struct lane *l)
{
#pragma omp critical(feeding)
    for (size_t p = 0; l->spill && p < f->count; p++) {
        f->spill[p].spilled += l->spill[p].spilled;
        f->spill[p].asked += l->spill[p].asked;
    }
}

int feed(const struct study *s, struct workload *w, const struct placement *const *placement, size_t count, feed_sink *sink, void *to,
         const char *what, uint64_t *keys, char why[WHY])
{
    return feed_spilling(s, w, placement, count, sink, to, NULL, what, keys, why);
}

int feed_spilling(const struct study *s, struct workload *w, const struct placement *const *placement, size_t count, feed_sink *sink, void *to,
                  struct feed_spill *spill, const char *what, uint64_t *keys, char why[WHY])
{
    struct feeding f = {.placement = placement, .count = count, .w = w, .total = workload_requests(w), .spill = spill, .why = why};
    unsigned threads = f.total && f.total <= KEY_BLOCK ? 1 : study_threads(s); /* none is started for a single block */
    (void)threads; /* without OpenMP one thread does it all */
    int e = feeding_init(&f);
    if (e) {
        feeding_release(&f);
        return e;
    }
    if (what)
        progress_start(what, "keys", f.total);
#pragma omp parallel num_threads(threads)
    {
        struct lane lane;
        if (lane_init(&lane, count) || (spill && f.in_turn && lane_init_spill(&lane, &f))) {
            char none[WHY];
            feeding_fails(&f, fail(none, ENOMEM, "no memory for blocks of keys"), 0, none);
        }
        while (next_block(&f, &lane) && place_block(&f, &lane)) {
            sink(to, (unsigned)omp_get_thread_num(), lane.row, &lane.block);
            if (what)
                progress_add(lane.block.count * (f.in_turn ? 1 : ranks_count())); /* the others are as far */
        }
        lane_join(&f, &lane);
        lane_release(&lane);
    }
    if (what)
        progress_end();
    e = ranks_agree(f.error, f.error_at, why);
    if (!e && !workload_is_random_access(w))
        e = ranks_same(f.read ^ f.keys, why);
    if (!e && spill && f.in_turn)
        e = ranks_sum(&spill->spilled, 2 * count, why);
    feeding_release(&f);
    *keys = f.keys;
    return e;
}
