/* Piles of load (a key's, a slot's) with their owners at each stage of a plan, added up: who has how much, who gives to whom, what moved once or more.
 * All sums are integers, so they can be made on many threads and joined. */
#include "base/mem.h"
#include "experiments/plan_parts.h"
#include "experiments/remap_parts.h"

#include <errno.h>

int plan_standing(const struct plan *p, bool **standing, char why[WHY])
{
    uint32_t *place = mem_alloc(p->ids, sizeof *place);
    *standing = mem_alloc(p->steps, p->ids * sizeof **standing);
    for (size_t k = 0; place && *standing && k < p->steps; k++)
        mark_standing(p->stage[k].cluster, p->stage[k + 1].cluster, *standing + k * p->ids, p->ids, place);
    mem_free(place);
    return place && *standing ? 0 : fail(why, ENOMEM, "no memory for a plan");
}

int plan_tally_init(struct plan_tally *t, const struct plan *p, const bool *standing)
{
    *t = (struct plan_tally){standing, p->steps, p->ids, mem_alloc(p->steps + 1, (p->ids + (size_t)1) * sizeof *t->got),
                             mem_alloc(p->steps, sizeof *t->sum), mem_alloc(p->steps, sizeof *t->flows), 0};
    return t->got && t->sum && t->flows ? 0 : -ENOMEM;
}

void plan_tally_release(struct plan_tally *t, const struct plan *p)
{
    for (size_t k = 0; t->flows && k < p->steps; k++)
        flows_release(&t->flows[k]);
    mem_free(t->got);
    mem_free(t->sum);
    mem_free(t->flows);
    *t = (struct plan_tally){0};
}

void plan_tally_add(struct plan_tally *t, const uint32_t *owner, uint64_t amount, uint64_t keys)
{
    bool ever = false;
    t->amount += amount;
    for (size_t k = 0; k <= t->steps; k++) {
        uint32_t to = owner[k] < t->ids ? owner[k] : t->ids;
        t->got[k * (t->ids + (size_t)1) + to] += amount;
        if (k == 0)
            continue;
        uint32_t from = owner[k - 1] < t->ids ? owner[k - 1] : t->ids;
        struct plan_sums *sum = &t->sum[k - 1];
        if (from != to) {
            const bool *standing = t->standing + (k - 1) * t->ids;
            ever = true;
            sum->moved += amount;
            sum->bystander += from < t->ids && to < t->ids && standing[from] && standing[to] ? amount : 0;
            if (amount || keys)
                flows_add(&t->flows[k - 1], owner[k - 1], owner[k], amount, keys);
        }
        sum->ever += ever ? amount : 0;
    }
}

void plan_tally_join(struct plan_tally *t, const struct plan_tally *other)
{
    t->amount += other->amount;
    for (size_t i = 0; i < (t->steps + 1) * (t->ids + (size_t)1); i++)
        t->got[i] += other->got[i];
    for (size_t k = 0; k < t->steps; k++) {
        t->sum[k].moved += other->sum[k].moved;
        t->sum[k].bystander += other->sum[k].bystander;
        t->sum[k].ever += other->sum[k].ever;
        flows_join(&t->flows[k], &other->flows[k]);
    }
}

int plan_tally_close(struct plan_tally *t, const struct plan *p, struct plan_figures *f, const char *source, char why[WHY])
{
    double all = (double)t->amount;
    if (!t->amount)
        return fail(why, EINVAL, "%s: all loads are 0: nothing to plan by", source);
    for (size_t k = 0; k <= p->steps; k++) {
        const sum128 *got = t->got + k * (t->ids + (size_t)1);
        for (uint32_t id = 0; id < t->ids; id++)
            f->share[k * t->ids + id] = (double)got[id] / all;
        f->unplaced[k] = (double)got[t->ids] / all;
    }
    for (size_t k = 0; k < p->steps; k++) {
        struct plan_moves *step = &f->step[k];
        step->moved = (double)t->sum[k].moved / all;
        step->bystander = (double)t->sum[k].bystander / all;
        step->ever = (double)t->sum[k].ever / all;
        step->flows = t->flows[k];
        t->flows[k] = (struct flows){0};
        step->flows.total = t->amount;
        int e = flows_close(&step->flows, why);
        if (e)
            return e;
    }
    return 0;
}
