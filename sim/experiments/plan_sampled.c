/* What a plan moves, from keys: their owners at every stage in one pass, each key counted once, by its load where that was measured, and with its
 * bytes where their sizes are known. */
#include "base/mem.h"
#include "base/text.h"
#include "experiments/feed.h"
#include "experiments/plan_parts.h"

#include <errno.h>
#include <string.h>

struct lane {
    struct plan_tally tally;
    uint32_t *owner; /* [steps + 1], of one key */
};

struct lanes {
    struct lane *lane;
    size_t count, stages;
    bool sized; /* keys count by their amounts */
};

static void add_block(void *to, unsigned thread, const uint32_t *const *owner, const struct key_block *block)
{
    struct lanes *all = to;
    struct lane *l = &all->lane[thread];
    for (size_t i = 0; i < block->count; i++) {
        for (size_t k = 0; k < all->stages; k++)
            l->owner[k] = owner[k][i];
        plan_tally_add(&l->tally, l->owner, all->sized ? block->amount[i] : 1, 1);
    }
}

static void lanes_release(struct lanes *l, const struct plan *p)
{
    for (size_t t = 0; l->lane && t < l->count; t++) {
        plan_tally_release(&l->lane[t].tally, p);
        mem_free(l->lane[t].owner);
    }
    mem_free(l->lane);
}

static int lanes_init(struct lanes *l, const struct plan *p, const bool *standing)
{
    l->count = study_threads(p->study);
    l->stages = p->steps + 1;
    l->lane = mem_alloc(l->count, sizeof *l->lane);
    bool good = l->lane;
    for (size_t t = 0; good && t < l->count; t++) {
        l->lane[t].owner = mem_alloc(l->stages, sizeof *l->lane[t].owner);
        good = l->lane[t].owner && !plan_tally_init(&l->lane[t].tally, p, standing);
    }
    return good ? 0 : -ENOMEM;
}

int plan_sampled(const struct plan *p, const struct plan_wish *wish, struct plan_figures *f, char why[WHY])
{
    struct lanes lanes = {0};
    bool *standing = NULL;
    const struct placement **stage = mem_alloc(p->steps + 1, sizeof *stage);
    int e = stage ? study_workload(p->study, &f->workload, why) : fail(why, ENOMEM, "no memory for a plan");
    if (!e)
        e = plan_standing(p, &standing, why);
    if (!e && lanes_init(&lanes, p, standing))
        e = fail(why, ENOMEM, "no memory for a plan");
    for (size_t k = 0; k <= p->steps && !e; k++)
        stage[k] = p->stage[k].placement;
    if (!e) {
        lanes.sized = workload_has_sizes(f->workload);
        e = feed(p->study, f->workload, stage, p->steps + 1, add_block, &lanes, "plan", &f->requests, why);
    }
    for (size_t t = 1; t < lanes.count && !e; t++)
        plan_tally_join(&lanes.lane[0].tally, &lanes.lane[t].tally);
    if (!e)
        e = plan_tally_close(&lanes.lane[0].tally, p, f, wish->load.path ? wish->load.path : p->study->workload, why);
    if (!e) {
        f->keys = true;
        f->load = wish->load.path ? "load" : lanes.sized ? "bytes" : workload_load(f->workload);
    }
    lanes_release(&lanes, p);
    mem_free(standing);
    mem_free(stage);
    return e;
}
