/* Joints: a vote, then one all-reduce. A gather is one too: whoever does not own a record clears it, and
 * all are or'ed. Cost: a round of messages a vote, then traffic of about twice the data a rank.
 * MPI itself stands in ranks_mpi.h. */
#include "base/ranks.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum joint { AGREE, SUM, SUM_WIDE, GATHER, END };

/* What a rank says at a joint. */
struct voice {
    uint64_t at, n;
    int32_t error; /* 0 or a negative errno */
    uint32_t joint;
};

static unsigned started = 1, own, here = 1;
static bool alone;
static struct voice *voices; /* [started] */
static int ended;            /* the error with which a rank left: there are no joints any more */
static char sentence[WHY];   /* and what it said */

#ifdef KEYSIM_MPI
#include "base/ranks_mpi.h"
#else
static int launch(char why[WHY])
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    return !size || !strcmp(size, "1") ? 0 : fail(why, EINVAL, "mpirun started %s of this program, which was built without MPI: make MPI=1", size);
}
static void vote(const struct voice *mine) { *voices = *mine; }
static void hear(char why[WHY], unsigned from) { (void)why, (void)from; }
static void reduce(enum joint how, void *data, size_t n) { (void)how, (void)data, (void)n; }
static void finish(void) {}
#endif

int ranks_start(char why[WHY])
{
    int e = launch(why);
    if (e || started == 1)
        return e;
    voices = mem_alloc(started, sizeof *voices);
    if (own && !freopen("/dev/null", "w", stdout))
        e = fail(why, EIO, "/dev/null: cannot be written");
    return e ? e : voices ? 0 : fail(why, ENOMEM, "no memory for %u processes", started);
}

void ranks_close(void)
{
    mem_free(voices);
    finish();
}

bool ranks_alone(void)
{
    alone = true;
    return own > 0;
}

bool ranks_launched(void) { return getenv("PMIX_RANK") != NULL; }
unsigned ranks_count(void) { return alone ? 1 : started; }
unsigned ranks_own(void) { return own; }
unsigned ranks_here(void) { return alone ? 1 : here; }
bool ranks_mine(uint64_t unit) { return alone || unit % started == own; }

/* The vote at a joint. Of two errors the one with the smaller `at` counts, then the lower rank's. Where one has left, so must all. */
static int meet(enum joint joint, uint64_t n, int e, uint64_t at, char why[WHY])
{
    unsigned first = 0;
    bool left = false, together = true;
    vote(&(struct voice){at, n, e < 0 ? e : 0, joint});
    for (unsigned r = 0; r < started; r++) {
        const struct voice *v = &voices[r], *best = &voices[first];
        left |= v->joint == END;
        together &= v->joint == joint && v->n == n;
        if (v->error && (!best->error || v->at < best->at))
            first = r;
    }
    int agreed = voices[first].error;
    if (agreed)
        hear(why, first);
    else if (!together)
        agreed = fail(why, EIO, "the processes went different ways: are the program and all files the same on every machine?");
    if (agreed && (left || !together)) {
        ended = agreed;
        memcpy(sentence, why, WHY);
    }
    return agreed ? agreed : e;
}

/* -ECANCELED is nobody's to handle: it goes up to ranks_end, which knows better. */
static int join(enum joint joint, uint64_t n, int e, uint64_t at, char why[WHY])
{
    if (ranks_count() == 1)
        return e;
    if (!ended)
        e = meet(joint, n, e, at, why);
    return ended ? fail(why, ECANCELED, "another process failed") : e;
}

int ranks_end(int e, char why[WHY])
{
    if (started > 1 && !ended)
        e = meet(END, 0, e, 0, why);
    if (ended)
        memcpy(why, sentence, WHY);
    return ended ? ended : e;
}

int ranks_agree(int e, uint64_t at, char why[WHY])
{
    return join(AGREE, 0, e, at + 1, why);
}

int ranks_same(uint64_t x, char why[WHY])
{
    return join(AGREE, x, 0, UINT64_MAX, why);
}

uint64_t ranks_note(uint64_t x, const void *read, size_t n) { return XXH3_64bits_withSeed(read, n, x); }

static int combine(enum joint how, void *data, size_t n, char why[WHY])
{
    int e = join(how, n, 0, UINT64_MAX, why);
    if (!e && ranks_count() > 1)
        reduce(how, data, n);
    return e;
}

int ranks_sum(uint64_t *x, size_t n, char why[WHY]) { return combine(SUM, x, n, why); }
int ranks_sum_wide(void *x, size_t n, char why[WHY]) { return combine(SUM_WIDE, x, n, why); }

int ranks_gather(void *record, size_t size, uint64_t first, size_t n, char why[WHY])
{
    for (size_t i = 0; i < n; i++)
        if (!ranks_mine(first + i))
            memset((char *)record + i * size, 0, size);
    return combine(GATHER, record, n * size, why);
}
