/* Every column of every result: name, type, digits, unit, meaning. data/SCHEMA.md is made from this table. */
#ifndef EXPERIMENTS_COLUMNS_H
#define EXPERIMENTS_COLUMNS_H

#include "base/table.h"

#define SCHEMA_VERSION 1

/*       name                   type   digits unit       meaning */
#define COLUMNS(X)                                                                                                                     \
    X(schema,                   COUNT, 0, "-",        "version of these columns")                                                      \
    X(strategy,                 TEXT,  0, "-",        "strategy or system")                                                            \
    X(options,                  TEXT,  0, "-",        "its options: those given, and the ones that always matter")                     \
    X(hash,                     TEXT,  0, "-",        "hash of the key, with its seed if not 0")                                       \
    X(workload,                 TEXT,  0, "-",        "the keys; empty when shares are exact")                                         \
    X(seed,                     COUNT, 0, "-",        "seed of everything random")                                                     \
    X(nodes,                    COUNT, 0, "nodes",    "how many nodes")                                                                \
    X(keys,                     COUNT, 0, "keys",     "keys or requests placed (in a row a node: on that node); empty when exact")     \
    X(option,                   TEXT,  0, "-",        "the option that was swept, for a chart's axis")                                 \
    X(value,                    TEXT,  0, "-",        "its value")                                                                     \
    X(points,                   COUNT, 0, "points",   "points on the ring (virtual nodes) in all; empty for strategies without")       \
    X(points_distinct,          COUNT, 0, "points",   "points at positions of their own")                                              \
    X(load,                     TEXT,  0, "-",        "what is counted: requests, keys (each once), bytes, or shares of the digests when exact")        \
    X(max_over_mean,            REAL,  6, "1",        "largest load over fair share")                                                  \
    X(min_over_mean,            REAL,  6, "1",        "smallest load over fair share")                                                 \
    X(cv,                       REAL,  6, "1",        "coefficient of variation of load over fair share; over placements, root of the mean square") \
    X(noise_cv,                 REAL,  6, "1",        "cv that chance alone gives: each key, as popular as it is, on a node at random")                           \
    X(theory_cv,                REAL,  6, "1",        "cv that an ideal hash gives, sampling included")                                \
    X(theory_max_over_mean,     REAL,  6, "1",        "expected max_over_mean of an ideal hash, sampling included (within 1 % from 10 keys a node on, up to a tenth too high at one); empty where a few keys outweigh the others") \
    X(empty_nodes,              REAL,  2, "nodes",    "nodes without any load (mean over placements)")                                 \
    X(reach_share,              REAL,  6, "1",        "part of the positions that the key's hash can give")                            \
    X(unplaced_share,           REAL,  9, "1",        "share of the load that no member has")                                          \
    X(method,                   TEXT,  0, "-",        "exact (from ownership) or sampled (from keys)")                                 \
    X(placements,               COUNT, 0, "-",        "clusters with names drawn anew; 1: the names given")                            \
    X(max_over_mean_q05,        REAL,  6, "1",        "5 % quantile over placements")                                                  \
    X(max_over_mean_q50,        REAL,  6, "1",        "median over placements")                                                        \
    X(max_over_mean_q95,        REAL,  6, "1",        "95 % quantile over placements")                                                 \
    X(max_over_mean_q99,        REAL,  6, "1",        "99 % quantile over placements")                                                 \
    X(yours_max_over_mean,      REAL,  6, "1",        "max_over_mean of the names given, exact; with so many keys, what the confidence's part of draws of them keeps to; empty where too many candidates are asked for") \
    X(receivers,                REAL,  4, "nodes",    "nodes that share the keys of one that leaves (mean over nodes)")                \
    X(chosen,                   COUNT, 0, "-",        "1 on the smallest value that holds the target")                                 \
    X(min_over_mean_q05,        REAL,  6, "1",        "5 % quantile over placements")                                                  \
    X(min_over_mean_q50,        REAL,  6, "1",        "median over placements")                                                        \
    X(min_over_mean_q95,        REAL,  6, "1",        "95 % quantile over placements")                                                 \
    X(cv_q05,                   REAL,  6, "1",        "5 % quantile over placements")                                                  \
    X(cv_q50,                   REAL,  6, "1",        "median over placements")                                                        \
    X(cv_q95,                   REAL,  6, "1",        "95 % quantile over placements")                                                 \
    X(node,                     TEXT,  0, "-",        "name of the node")                                                              \
    X(weight,                   COUNT, 0, "-",        "its weight")                                                                    \
    X(share,                    REAL,  9, "1",        "its share of the load; in a plan, what goes from one node to another")          \
    X(fair_share,               REAL,  9, "1",        "its weight over all weights")                                                   \
    X(nodes_before,             COUNT, 0, "nodes",    "how many nodes before the change")                                              \
    X(nodes_after,              COUNT, 0, "nodes",    "how many nodes after it")                                                       \
    X(change,                   TEXT,  0, "-",        "what changed")                                                                  \
    X(moved_share,              REAL,  9, "1",        "share of keys whose node changed")                                              \
    X(needed_share,             REAL,  9, "1",        "half the sum of differences of shares: what these two placements cannot do without") \
    X(optimum_share,            REAL,  9, "1",        "half the sum of differences of fair shares: what an ideal balancer moves")      \
    X(excess,                   REAL,  6, "1",        "moved_share over optimum_share; empty when the optimum is 0")                   \
    X(bystander_share,          REAL,  9, "1",        "share of keys that moved between two nodes that did not change")                \
    X(worst_victim,             COUNT, 0, "-",        "1 on the removal that moves most, when every node leaves in turn")              \
    X(step,                     COUNT, 0, "-",        "of a plan, from 1: from the nodes after the step before; of failures, from 0: before any")                       \
    X(from,                     TEXT,  0, "-",        "node that gives; -: nobody")                                                    \
    X(to,                       TEXT,  0, "-",        "node that gets; -: nobody")                                                     \
    X(moved_keys,               COUNT, 0, "keys",     "keys or requests that go from the one to the other; empty when exact")          \
    X(moved_bytes,              COUNT, 0, "bytes",    "bytes that go from the one to the other, where their number is known")          \
    X(gives_share,              REAL,  9, "1",        "share of all load that the giver gives, to whomever")                           \
    X(gets_share,               REAL,  9, "1",        "share of all load that the receiver gets, from whomever")                       \
    X(gain_over_fair,           REAL,  6, "1",        "what the receiver gets, over its fair share after the step: its extra load")    \
    X(load_over_fair,           REAL,  6, "1",        "the node's whole load after the step (of a plan: the receiver's), over its fair share")                 \
    X(hours,                    REAL,  3, "h",        "time in which the receiver takes in all it gets, at the rate given")            \
    X(sum_share,                REAL,  9, "1",        "moved shares of the steps up to this one, added up")                            \
    X(ever_share,               REAL,  9, "1",        "share of keys that moved in the steps up to this one, once or more")            \
    X(count_moved_share,        REAL,  9, "1",        "share of the load that would move, were slots dealt by number; empty where they are not dealt by load") \
    X(count_max_over_mean,      REAL,  6, "1",        "max_over_mean then")                                                            \
    X(event,                    COUNT, 0, "-",        "which change of a run of many, from 1; 0: before the first")                    \
    X(optimum_sum_share,        REAL,  9, "1",        "optimum shares of the changes up to this one, added up")                        \
    X(fresh_max_over_mean,      REAL,  6, "1",        "max_over_mean of the strategy opened anew on the same nodes; empty where it was not") \
    X(differs_share,            REAL,  9, "1",        "share of keys whose node is another than if opened anew: what history did")     \
    X(fresh_memory_bytes,       COUNT, 0, "bytes",    "memory that the strategy opened anew holds")                                    \
    X(other_strategy,           TEXT,  0, "-",        "the strategy or system compared with")                                          \
    X(other_options,            TEXT,  0, "-",        "its options")                                                                   \
    X(other_hash,               TEXT,  0, "-",        "its hash of the key")                                                           \
    X(same_share,               REAL,  9, "1",        "share of keys that both give to the same node")                                 \
    X(chance_share,             REAL,  9, "1",        "the same, had the two nothing in common: sum over nodes of the products of shares") \
    X(differing,                TEXT,  0, "-",        "the first keys that they give to different nodes: KEY: NODE, NODE; ...")        \
    X(reason,                   TEXT,  0, "-",        "why they differ, where it is known")                                            \
    X(key_bytes,                REAL,  1, "bytes",    "mean length of a key")                                                          \
    X(cache,                    TEXT,  0, "-",        "warm; cold: caches swept before each batch; neighbour: 16 random bytes and 64 KB of a large array read before it for each of its look-ups") \
    X(hash_ns,                  REAL,  2, "ns/key",   "hashing, median over repetitions")                                              \
    X(hash_min_ns,              REAL,  2, "ns/key",   "hashing, minimum")                                                              \
    X(hash_p95_ns,              REAL,  2, "ns/key",   "hashing, 95th percentile")                                                      \
    X(lookup_ns,                REAL,  2, "ns/key",   "look-up in batches, digest ready, median over repetitions")                     \
    X(lookup_min_ns,            REAL,  2, "ns/key",   "look-up in batches, minimum")                                                   \
    X(lookup_p95_ns,            REAL,  2, "ns/key",   "look-up in batches, 95th percentile over repetitions")                          \
    X(dependent_ns,             REAL,  2, "ns/key",   "one look-up after the other, each digest made from the last answer, median")    \
    X(dependent_min_ns,         REAL,  2, "ns/key",   "the same, minimum")                                                             \
    X(dependent_p95_ns,         REAL,  2, "ns/key",   "the same, 95th percentile over repetitions")                                    \
    X(p50_ns,                   REAL,  2, "ns/key",   "median over single batches, as small as the clock allows (batch)")              \
    X(p99_ns,                   REAL,  2, "ns/key",   "99th percentile over single batches")                                           \
    X(reps,                     COUNT, 0, "-",        "repetitions")                                                                   \
    X(p999_ns,                  REAL,  2, "ns/key",   "99.9th percentile over single batches; empty where there are too few")          \
    X(batch,                    COUNT, 0, "look-ups", "of a single batch: the fewest that take 4 times as long as the clock, 64 at most") \
    X(clock_ns,                 REAL,  2, "ns",       "one reading of the clock: part of every batch, and not subtracted")             \
    X(clock_step_ns,            REAL,  2, "ns",       "the least by which the clock moves")                                            \
    X(lookup_spread,            REAL,  4, "1",        "the middle half of the repetitions of lookup_ns, largest less smallest, over the median") \
    X(instructions,             REAL,  2, "1/key",    "of a look-up in batches, user mode; empty where the machine or the kernel gives no counters") \
    X(cycles,                   REAL,  2, "1/key",    "of a look-up in batches")                                                       \
    X(cache_misses,             REAL,  4, "1/key",    "of a look-up in batches, of the last cache")                                    \
    X(branch_misses,            REAL,  4, "1/key",    "of a look-up in batches: branches foretold wrongly")                            \
    X(memory_bytes,             COUNT, 0, "bytes",    "memory that the strategy holds")                                                \
    X(build_ns,                 REAL,  0, "ns",       "time to open the strategy on the nodes, median")                                \
    X(build_min_ns,             REAL,  0, "ns",       "the same, minimum")                                                             \
    X(build_p95_ns,             REAL,  0, "ns",       "the same, 95th percentile")                                                     \
    X(change_ns,                REAL,  0, "ns",       "time to add one node, median")                                                  \
    X(change_min_ns,            REAL,  0, "ns",       "the same, minimum")                                                             \
    X(change_p95_ns,            REAL,  0, "ns",       "the same, 95th percentile")                                                     \
    X(replicas,                   COUNT, 0, "copies",   "copies of each key, on different nodes"                                           )\
    X(racks,                      COUNT, 0, "racks",    "racks that the copies lie on, each on another; empty: racks are not looked at"    )\
    X(failed,                     COUNT, 0, "nodes",    "nodes that fail at once"                                                          )\
    X(copysets,                   REAL,  2, "sets",     "different sets of nodes that hold all copies of some range (mean over placements)")\
    X(neighbours,                 REAL,  6, "nodes",    "with how many others a node shares some range (mean over nodes and placements)"   )\
    X(neighbours_max,             REAL,  2, "nodes",    "the most that a node has (mean over placements)"                                  )\
    X(theory_neighbours,          REAL,  6, "nodes",    "what random points give, by Lynch and Snyder"                                     )\
    X(quorum_chance,              REAL,  9, "1",        "how often some range is left without a quorum (more than half of its copies) when so many nodes fail")\
    X(quorum_chance_low,          REAL,  9, "1",        "95 % confidence interval of quorum_chance; empty when exact"                      )\
    X(quorum_chance_high,         REAL,  9, "1",        "95 % confidence interval of quorum_chance; empty when exact"                      )\
    X(theory_quorum_chance,       REAL,  9, "1",        "theory_neighbours over all others, where two dead copies cost a quorum and two nodes fail")\
    X(lost_chance,                REAL,  9, "1",        "how often some range is left without any copy"                                    )\
    X(lost_chance_low,            REAL,  9, "1",        "95 % confidence interval of lost_chance; empty when exact"                        )\
    X(lost_chance_high,           REAL,  9, "1",        "95 % confidence interval of lost_chance; empty when exact"                        )\
    X(quorum_share,               REAL,  9, "1",        "share of the keys without a quorum, mean over the failures looked at"             )\
    X(theory_quorum_share,        REAL,  9, "1",        "the same by the hypergeometric distribution: it depends on copies and nodes alone")\
    X(lost_share,                 REAL,  9, "1",        "share of the keys without any copy, or that nobody took, mean over the failures looked at"             )\
    X(theory_lost_share,          REAL,  9, "1",        "the same by the hypergeometric distribution"                                      )\
    X(worst_quorum_share,         REAL,  9, "1",        "the largest share of the keys without a quorum of any failure looked at"          )\
    X(subsets,                    COUNT, 0, "-",        "failures looked at, over all placements: all sets of so many nodes when exact"    )\
    X(capacity,                 REAL,  6, "1",        "the load that a node bears, over what capacity_of says")                        \
    X(capacity_of,              TEXT,  0, "-",        "fair: its fair share; own: its own load before anything fails")                 \
    X(cascades,                 COUNT, 0, "-",        "first deaths looked at, over all placements")                                   \
    X(needed_capacity,          REAL,  6, "1",        "smallest capacity, in those terms, at which no node fails, neither before nor after any first death looked at; of several placements, in 95 % of them; empty: none is enough") \
    X(over_before,              REAL,  4, "nodes",    "nodes above capacity before anything fails (mean over placements)")             \
    X(over_before_chance,       REAL,  9, "1",        "share of placements where some node is")                                        \
    X(stable_chance,            REAL,  9, "1",        "how often nobody else fails")                                                   \
    X(collapse_chance,          REAL,  9, "1",        "how often all nodes fail in the end")                                           \
    X(collapse_chance_low,      REAL,  9, "1",        "95 % confidence interval of collapse_chance; empty when all first deaths were looked at") \
    X(collapse_chance_high,     REAL,  9, "1",        "95 % confidence interval of collapse_chance; empty when all first deaths were looked at") \
    X(survivors,                REAL,  4, "nodes",    "nodes that are left in the end (mean over first deaths and placements)")        \
    X(survivors_q05,            COUNT, 0, "nodes",    "5 % quantile of the nodes left")                                                \
    X(survivors_q50,            COUNT, 0, "nodes",    "median")                                                                        \
    X(survivors_q95,            COUNT, 0, "nodes",    "95 % quantile")                                                                 \
    X(steps,                    REAL,  4, "-",        "times that more nodes failed after the first deaths (mean)")                    \
    X(peak_over_fair,           REAL,  6, "1",        "largest load over fair share that a living node saw after the first deaths (mean)") \
    X(peak_over_fair_max,       REAL,  6, "1",        "the most that it was")                                                          \
    X(theory_receivers,         REAL,  4, "nodes",    "receivers of an ideal ring with so many points")                                \
    X(worst_gain,               REAL,  6, "1",        "what the node that gains most from the first deaths gets, over the average load of all before (mean)") \
    X(state,                    TEXT,  0, "-",        "up; over: above capacity, and dead in the next step; dead")                     \
    X(pattern,                    TEXT,  0, "-",        "how the nodes are named; given: the user's own names"                             )\
    X(names,                      TEXT,  0, "-",        "the first two names"                                                              )\
    X(label,                      TEXT,  0, "-",        "how a virtual node is named: {node} and a counter {i}"                            )\
    X(vnodes,                     COUNT, 0, "points",   "points a node, for each unit of weight"                                           )\
    X(top_share,                REAL,  9, "1",        "share of the load that the hottest key has (as expected; of a file as counted)")   \
    X(floor_max_over_mean,      REAL,  6, "1",        "what no placement can go below in max_over_mean: the hottest key's share over the largest fair share of the nodes that may hold it")\
    X(spilled_share,            REAL,  9, "1",        "share of the load that did not go to its key's first choice; empty where loads are not looked at")\
    X(extra_lookups,            REAL,  6, "nodes",    "further nodes asked, a request; empty where loads are not looked at")           \
    X(cache_items,                COUNT, 0, "items",    "items that each node's cache holds")                                          \
    X(window,                     COUNT, 0, "-",        "of the stream, from 1: some requests, all between the same nodes")            \
    X(request,                    COUNT, 0, "requests", "requests before the window")                                                  \
    X(requests,                   COUNT, 0, "requests", "requests in the window (in a row a node: of that node)")                      \
    X(hit_ratio,                  REAL,  6, "1",        "share of the window's requests that a cache answers")                         \
    X(theory_hit_ratio,           REAL,  6, "1",        "the same by Che's formula; after a change: keys that stay as before, others cold; empty where there is no theory")\
    X(hit_ratio_before,           REAL,  6, "1",        "before the change that the window begins with: second half of the requests since the change before")\
    X(database_queries,           COUNT, 0, "queries",  "misses that ask the database")                                                \
    X(database_over_before,       REAL,  6, "1",        "queries a request over those before the first change (second half of the requests until then)")\
    X(kept_share,                 REAL,  9, "1",        "share of the requests that go to the same node as before the change: by popularity, of a file counted until the next change")\
    X(recovery_requests,          COUNT, 0, "requests", "requests since the change until the hit ratio is back to 95 % of hit_ratio_before (mean of 9 slices, each an eighth of the time since and 500 requests at least); empty: not before the next change")\
    X(down_share,                 REAL,  6, "1",        "share of the requests that go to a node which is down, so that no cache answers")\
    X(coalesced,                  COUNT, 0, "requests", "misses that wait for a query under way")                                      \
    X(check,                    TEXT,  0, "-",        "what was held against the strategy's theory and promises; of keysim doctor: what was looked at")                      \
    X(samples,                  COUNT, 0, "-",        "keys, placements or nodes that the check looked at")                            \
    X(statistic,                REAL,  9, "1",        "what the check found; what it is says the detail")                              \
    X(low,                      REAL,  9, "1",        "the least that passes; empty: chance decides")                                  \
    X(high,                     REAL,  9, "1",        "the most that passes")                                                          \
    X(p_value,                  REAL,  12, "1",       "probability that a right program strays as far; empty: no matter of chance")    \
    X(p_bound,                  REAL,  12, "1",       "what a p_value must not be below: one in a million over all chance checks of the run (of names: one in a thousand; beside other names one in a hundred)") \
    X(published,                REAL,  6, "1",        "the figure that a paper gives for the statistic")                               \
    X(finding,                  TEXT,  0, "-",        "what is there, or what it is like")                                             \
    X(detail,                   TEXT,  0, "-",        "what the statistic is, and what the check can find")                            \
    X(figure,                   TEXT,  0, "-",        "of keysim bench: its name")                                                     \
    X(against,                  TEXT,  0, "-",        "the other side, which does the same work in the same run")                      \
    X(cpu,                      TEXT,  0, "-",        "instructions that keysim's side may use: plain, avx2, avx512")                  \
    X(unit,                     TEXT,  0, "-",        "of ours, theirs and limit")                                                     \
    X(ours,                     REAL,  3, "-",        "what keysim took, in the row's unit: the fastest of reps turns")                \
    X(theirs,                   REAL,  3, "-",        "what the other side took")                                                      \
    X(ratio,                    REAL,  2, "1",        "theirs over ours; where at most is wanted, ours over theirs")                    \
    X(wanted,                   TEXT,  0, "-",        "at least: the ratio reaches the target; at most: it stays within it, and where there is no ratio, ours does") \
    X(target,                   REAL,  2, "1",        "what is wanted; empty: nothing is")                                             \
    X(limit,                    REAL,  3, "-",        "the machine's: one load, independent of others, at a random place of as much memory") \
    X(answers,                  TEXT,  0, "-",        "same or differ; empty where the two sides do not compute the same thing")       \
    X(spread,                   REAL,  3, "1",        "how much slower than the fastest turn the median is, of the worse side")        \
    X(incident,                   TEXT,  0, "-",        "name of a public report, and of its file")                                    \
    X(title,                      TEXT,  0, "-",        "what happened, in a sentence")                                                \
    X(report,                     TEXT,  0, "-",        "project and number of the report")                                            \
    X(kind,                       TEXT,  0, "-",        "R: the numbers seen follow exactly from the configuration; r: reproduced in kind; c: checked by formula")\
    X(command,                    TEXT,  0, "-",        "the command that computes it")                                                \
    X(quantity,                   TEXT,  0, "-",        "what is compared: of an incident, rows and column of the command's result")     \
    X(seen,                       TEXT,  0, "-",        "what the report says; empty when it does not give this quantity")             \
    X(expected,                   TEXT,  0, "-",        "what the configuration is known to give")                                     \
    X(tolerance,                  TEXT,  0, "-",        "how far the computed number may lie from it; empty: it is the same text")     \
    X(computed,                   TEXT,  0, "-",        "what the command gives now")                                                  \
    X(verdict,                    TEXT,  0, "-",        "reproduced or differs; passed, failed or skipped; of names: hash, label (two are one text), names, count or even; of keysim doctor: ok, note or missing")  \
    X(theory,                     TEXT,  0, "-",        "what theory says of it")                                                      \
    X(cause,                      TEXT,  0, "-",        "why it happened")                                                             \
    X(cure,                       TEXT,  0, "-",        "what helps")

enum column_id {
#define X(name, type, digits, unit, meaning) C_##name,
    COLUMNS(X)
#undef X
    COLUMN_IDS
};

extern const struct column columns[COLUMN_IDS];
#define COL(name) (&columns[C_##name])

/* The columns of each kind of result, in order; end with NULL. */
extern const struct column *const columns_balance[], *const columns_per_node[], *const columns_remap[], *const columns_latency[],
    *const columns_cost[], *const columns_compare[], *const columns_verify[], *const columns_incidents[], *const columns_plan[],
    *const columns_availability[], *const columns_failure[], *const columns_failure_nodes[], *const columns_names[], *const columns_tune[],
    *const columns_tune_cost[], *const columns_cache[], *const columns_cache_nodes[], *const columns_churn[], *const columns_bench[], *const columns_doctor[];

/* A table with the columns of a list; NULL when memory is out. */
struct table *columns_table(const struct column *const *list);

#endif
