/* Jump consistent hash (Lamping and Veach, 2014): even, minimal, and nothing to store; but nodes are numbers,
 * so only the last can leave. Weights are not known. The function is in engines/jump.h.
 *
 * The digest is the algorithm's 64-bit key: hash=identity takes the key's own number, as the published code does. A narrow hash
 * is a poor seed: it leaves the generator few places to start from. */
#include "strategies/engines/jump.h"

#include "strategies/engines/numbered.h"

NUMBERED_ENGINE_MANY(jump, jump_bucket(digest, nodes), jump_many(digests, n, nodes, false, bucket), numbered_shares)

const struct strategy strategy_jump = {
    .name = "jump",
    .summary = "jump consistent hash: even, minimal, stores the nodes' list alone; only the last node can leave",
    .source = "Lamping and Veach, 2014",
    .cost = "O(log N), 4 bytes a node for its id",
    .option = numbered_options,
    .options_size = sizeof(struct numbered_options),
    .open = numbered_open,
    .change = numbered_change,
    .data = &jump_engine,
};
