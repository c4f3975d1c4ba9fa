/* Hot keys under several names: requests for the hottest=K keys go to KEY#0 .. KEY#R-1, copies=R of them, drawn anew for each request.
 *
 * It is what applications do that no placement can help: one key's requests fall on one node, those of R names on R places of their own.
 * The draw is a pure function of (seed, request). Cost: a word drawn for each request of a hot key. */
#include "model/workload_parts.h"
#include "base/rng.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

int key_split_init(struct key_split *s, const char *kind, uint64_t seed, char why[WHY])
{
    if (s->copies && !s->hottest)
        return fail(why, EINVAL, "workload %s: copies=%" PRIu64 " of how many keys? e.g. hottest=10,copies=%" PRIu64, kind, s->copies, s->copies);
    if (s->hottest && !s->copies)
        return fail(why, EINVAL, "workload %s: hottest=%" PRIu64 " are to have how many copies? e.g. hottest=%" PRIu64 ",copies=8", kind, s->hottest, s->hottest);
    s->stream = rng_stream(seed, "workload", "copies", 0);
    return 0;
}

uint64_t key_split_copy(const struct key_split *s, uint64_t request)
{
    return rng_upto(rng_at(s->stream, request), s->copies - 1);
}

size_t key_split_write(uint64_t copy, char *out)
{
    return (size_t)snprintf(out, KEY_SPLIT_ROOM, "#%" PRIu64, copy);
}
