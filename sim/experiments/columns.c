#include "experiments/columns.h"

const struct column columns[COLUMN_IDS] = {
#define X(name, type, digits, unit, meaning) {#name, COLUMN_##type, digits, unit, meaning},
    COLUMNS(X)
#undef X
};

#define IDENTITY COL(schema), COL(strategy), COL(options), COL(hash), COL(workload), COL(seed), COL(nodes), COL(keys), COL(option), COL(value)

const struct column *const columns_balance[] = {
    IDENTITY,
    COL(points),
    COL(points_distinct),
    COL(load),
    COL(max_over_mean),
    COL(min_over_mean),
    COL(cv),
    COL(noise_cv),
    COL(theory_cv),
    COL(theory_max_over_mean),
    COL(empty_nodes),
    COL(reach_share),
    COL(unplaced_share),
    COL(method),
    COL(placements),
    COL(max_over_mean_q05),
    COL(max_over_mean_q50),
    COL(max_over_mean_q95),
    COL(min_over_mean_q05),
    COL(min_over_mean_q50),
    COL(min_over_mean_q95),
    COL(cv_q05),
    COL(cv_q50),
    COL(cv_q95),
    COL(top_share),
    COL(floor_max_over_mean),
    COL(spilled_share),
    COL(extra_lookups),
    NULL,
};

const struct column *const columns_per_node[] = {
    COL(schema), COL(strategy), COL(options), COL(hash),       COL(workload), COL(seed), COL(nodes), COL(option), COL(value),
    COL(load),   COL(method),   COL(node),    COL(weight), COL(share),    COL(fair_share), COL(keys),  NULL,
};

const struct column *const columns_remap[] = {
    IDENTITY,
    COL(load),
    COL(nodes_before),
    COL(nodes_after),
    COL(change),
    COL(moved_share),
    COL(needed_share),
    COL(optimum_share),
    COL(excess),
    COL(bystander_share),
    COL(unplaced_share),
    COL(method),
    COL(worst_victim),
    NULL,
};

const struct column *const columns_latency[] = {
    IDENTITY,
    COL(key_bytes),
    COL(cache),
    COL(hash_ns),
    COL(hash_min_ns),
    COL(hash_p95_ns),
    COL(lookup_ns),
    COL(lookup_min_ns),
    COL(lookup_p95_ns),
    COL(dependent_ns),
    COL(dependent_min_ns),
    COL(dependent_p95_ns),
    COL(p50_ns),
    COL(p99_ns),
    COL(reps),
    COL(p999_ns),
    COL(batch),
    COL(clock_ns),
    COL(clock_step_ns),
    COL(lookup_spread),
    COL(instructions),
    COL(cycles),
    COL(cache_misses),
    COL(branch_misses),
    NULL,
};

const struct column *const columns_cost[] = {
    IDENTITY,        COL(points),    COL(memory_bytes),  COL(build_ns),      COL(build_min_ns), COL(build_p95_ns),
    COL(change_ns), COL(change_min_ns), COL(change_p95_ns), COL(reps), NULL,
};

const struct column *const columns_compare[] = {
    IDENTITY,
    COL(other_strategy),
    COL(other_options),
    COL(other_hash),
    COL(load),
    COL(same_share),
    COL(chance_share),
    COL(unplaced_share),
    COL(method),
    COL(differing),
    COL(reason),
    NULL,
};

const struct column *const columns_names[] = {
    IDENTITY,
    COL(pattern),
    COL(names),
    COL(label),
    COL(vnodes),
    COL(max_over_mean),
    COL(min_over_mean),
    COL(cv),
    COL(theory_cv),
    COL(cv_q05),
    COL(cv_q50),
    COL(cv_q95),
    COL(placements),
    COL(p_value),
    COL(p_bound),
    COL(verdict),
    COL(method),
    NULL,
};

const struct column *const columns_failure[] = {
    IDENTITY,
    COL(points),
    COL(capacity),
    COL(capacity_of),
    COL(replicas),
    COL(failed),
    COL(placements),
    COL(cascades),
    COL(needed_capacity),
    COL(over_before),
    COL(over_before_chance),
    COL(stable_chance),
    COL(collapse_chance),
    COL(collapse_chance_low),
    COL(collapse_chance_high),
    COL(survivors),
    COL(survivors_q05),
    COL(survivors_q50),
    COL(survivors_q95),
    COL(steps),
    COL(peak_over_fair),
    COL(peak_over_fair_max),
    COL(lost_share),
    COL(receivers),
    COL(theory_receivers),
    COL(worst_gain),
    COL(method),
    NULL,
};

const struct column *const columns_failure_nodes[] = {
    IDENTITY, COL(points), COL(capacity), COL(capacity_of), COL(replicas), COL(step), COL(node), COL(weight), COL(load_over_fair), COL(state), COL(method), NULL,
};

const struct column *const columns_availability[] = {
    IDENTITY,
    COL(points),
    COL(replicas),
    COL(racks),
    COL(failed),
    COL(copysets),
    COL(neighbours),
    COL(neighbours_max),
    COL(theory_neighbours),
    COL(quorum_chance),
    COL(quorum_chance_low),
    COL(quorum_chance_high),
    COL(theory_quorum_chance),
    COL(lost_chance),
    COL(lost_chance_low),
    COL(lost_chance_high),
    COL(quorum_share),
    COL(theory_quorum_share),
    COL(lost_share),
    COL(theory_lost_share),
    COL(worst_quorum_share),
    COL(subsets),
    COL(method),
    COL(placements),
    NULL,
};

const struct column *const columns_tune[] = {
    COL(option),
    COL(value),
    COL(placements),
    COL(max_over_mean),
    COL(max_over_mean_q05),
    COL(max_over_mean_q50),
    COL(max_over_mean_q95),
    COL(max_over_mean_q99),
    COL(theory_max_over_mean),
    COL(cv),
    COL(theory_cv),
    COL(yours_max_over_mean),
    COL(memory_bytes),
    COL(receivers),
    COL(chosen),
    NULL,
};

const struct column *const columns_tune_cost[] = {
    COL(schema),       COL(strategy),      COL(options),       COL(hash),         COL(nodes),      COL(option),        COL(value),         COL(cache),
    COL(hash_ns),      COL(lookup_ns),     COL(lookup_min_ns), COL(lookup_p95_ns), COL(dependent_ns), COL(p99_ns),     COL(memory_bytes),  COL(build_ns),
    COL(build_min_ns), COL(build_p95_ns),  COL(change_ns),     COL(change_min_ns), COL(change_p95_ns), COL(reps),      NULL,
};

const struct column *const columns_verify[] = {
    COL(schema),    COL(strategy), COL(options), COL(hash),    COL(seed),    COL(nodes),  COL(option), COL(value), COL(check), COL(samples),
    COL(statistic), COL(low),      COL(high),    COL(p_value), COL(p_bound), COL(verdict), COL(quantity), COL(published), COL(detail), NULL,
};

const struct column *const columns_incidents[] = {
    COL(schema),   COL(incident),  COL(title),    COL(report),  COL(kind),   COL(command), COL(quantity), COL(seen),
    COL(expected), COL(tolerance), COL(computed), COL(verdict), COL(theory), COL(cause),   COL(cure),     NULL,
};

const struct column *const columns_cache[] = {
    IDENTITY,
    COL(cache_items),
    COL(window),
    COL(request),
    COL(requests),
    COL(change),
    COL(nodes_after),
    COL(hit_ratio),
    COL(theory_hit_ratio),
    COL(hit_ratio_before),
    COL(database_queries),
    COL(database_over_before),
    COL(kept_share),
    COL(max_over_mean),
    COL(recovery_requests),
    COL(down_share),
    COL(coalesced),
    COL(method),
    NULL,
};

const struct column *const columns_cache_nodes[] = {
    IDENTITY, COL(cache_items), COL(window), COL(request), COL(change), COL(nodes_after), COL(node), COL(requests), COL(hit_ratio), COL(method), NULL,
};

const struct column *const columns_plan[] = {
    IDENTITY,
    COL(load),
    COL(step),
    COL(nodes_before),
    COL(nodes_after),
    COL(change),
    COL(from),
    COL(to),
    COL(share),
    COL(moved_keys),
    COL(moved_bytes),
    COL(gives_share),
    COL(gets_share),
    COL(gain_over_fair),
    COL(load_over_fair),
    COL(hours),
    COL(moved_share),
    COL(needed_share),
    COL(optimum_share),
    COL(excess),
    COL(bystander_share),
    COL(unplaced_share),
    COL(sum_share),
    COL(ever_share),
    COL(count_moved_share),
    COL(count_max_over_mean),
    COL(max_over_mean),
    COL(theory_max_over_mean),
    COL(min_over_mean),
    COL(cv),
    COL(theory_cv),
    COL(method),
    NULL,
};

const struct column *const columns_churn[] = {
    IDENTITY,
    COL(load),
    COL(event),
    COL(change),
    COL(nodes_before),
    COL(nodes_after),
    COL(moved_share),
    COL(needed_share),
    COL(optimum_share),
    COL(excess),
    COL(bystander_share),
    COL(unplaced_share),
    COL(sum_share),
    COL(optimum_sum_share),
    COL(max_over_mean),
    COL(cv),
    COL(theory_cv),
    COL(fresh_max_over_mean),
    COL(differs_share),
    COL(memory_bytes),
    COL(fresh_memory_bytes),
    COL(method),
    NULL,
};

const struct column *const columns_bench[] = {
    COL(schema), COL(figure), COL(quantity), COL(against), COL(cpu),    COL(nodes),   COL(points),  COL(keys),   COL(memory_bytes), COL(unit),
    COL(ours),   COL(theirs), COL(ratio),    COL(wanted),  COL(target), COL(verdict), COL(limit),   COL(answers), COL(spread),      COL(reps), NULL,
};

const struct column *const columns_doctor[] = {COL(schema), COL(check), COL(finding), COL(verdict), COL(cure), NULL};

struct table *columns_table(const struct column *const *list)
{
    size_t n = 0;
    while (list[n])
        n++;
    return table_create(list, n);
}
