#include "experiments/study.h"

#include "base/mem.h"
#include "base/ranks.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

int study_cluster(const struct study *s, size_t spec, size_t size, const struct cluster **out, char why[WHY])
{
    return cluster_read(s->registry, s->nodes[size], catalog_find(s->spec[spec]->name)->addresses, out, why);
}

int study_open(const struct study *s, const struct spec *spec, const struct cluster *c, struct placement **out, char why[WHY])
{
    int e = placement_open(out, spec, c, &s->hash, why);
    if (!e && (*out)->warning[0] && s->warn)
        s->warn(s->warn_to, (*out)->warning);
    return e;
}

int study_workload(const struct study *s, struct workload **out, char why[WHY])
{
    char *text = mem_alloc(strlen(s->workload) + 8, 1);
    if (!text)
        return fail(why, ENOMEM, "no memory for the workload");
    sprintf(text, "%s%s", s->workload, s->nul && !strncmp(s->workload, "file:", 5) ? ",nul=1" : "");
    int e = workload_open_text(out, text, s->seed, why);
    mem_free(text);
    return e;
}

unsigned study_cores(void)
{
#ifdef _OPENMP
    return (unsigned)omp_get_num_procs();
#else
    return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
#endif
}

unsigned study_threads(const struct study *s)
{
#ifdef _OPENMP
    unsigned cores = study_cores(), part = (unsigned)sysconf(_SC_NPROCESSORS_ONLN) / ranks_here();
    return s->threads ? s->threads : part > cores ? cores : part ? part : 1;
#else
    (void)s;
    return 1;
#endif
}

int identity_take(struct identity *of, const struct placement *p, const struct spec *spec)
{
    *of = (struct identity){p->strategy->name, placement_options(p, spec), placement_hash(p), p->cluster->size};
    return of->options && of->hash ? 0 : -ENOMEM;
}

void identity_release(struct identity *of)
{
    mem_free(of->options);
    mem_free(of->hash);
}

int study_row_of(const struct study *s, struct table *t, const struct identity *of, const struct spec *spec, const struct workload *w,
                 uint64_t keys, char why[WHY])
{
    const struct spec_item *axis = spec_axis(spec);
    if (table_row(t))
        return fail(why, ENOMEM, "no memory for another row");
    table_count(t, COL(schema), SCHEMA_VERSION);
    table_count(t, COL(seed), s->seed);
    table_count(t, COL(nodes), of->nodes);
    if (keys)
        table_count(t, COL(keys), keys);
    bool full = table_text(t, COL(strategy), of->strategy) || table_text(t, COL(options), of->options) || table_text(t, COL(hash), of->hash) ||
                (w && table_text(t, COL(workload), workload_text(w))) || (axis && table_text(t, COL(option), axis->name)) ||
                (axis && table_text(t, COL(value), axis->value));
    return full ? fail(why, ENOMEM, "no memory for another row") : 0;
}

int study_row(const struct study *s, struct table *t, const struct placement *p, const struct spec *spec, const struct workload *w,
              uint64_t keys, char why[WHY])
{
    struct identity of;
    int e = identity_take(&of, p, spec) ? fail(why, ENOMEM, "no memory for another row") : study_row_of(s, t, &of, spec, w, keys, why);
    identity_release(&of);
    return e;
}
