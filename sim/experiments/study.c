#include "experiments/study.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

unsigned study_threads(const struct study *s)
{
#ifdef _OPENMP
    return s->threads ? s->threads : (unsigned)omp_get_num_procs();
#else
    (void)s;
    return 1;
#endif
}

int study_row(const struct study *s, struct table *t, const struct placement *p, const struct spec *spec, const struct workload *w,
              uint64_t keys, char why[WHY])
{
    char *options = placement_options(p, spec), *hash = placement_hash(p);
    const struct spec_item *axis = spec_axis(spec);
    int e = options && hash ? table_row(t) : -ENOMEM;
    if (!e) {
        table_count(t, COL(schema), SCHEMA_VERSION);
        table_count(t, COL(seed), s->seed);
        table_count(t, COL(nodes), p->cluster->size);
        if (keys)
            table_count(t, COL(keys), keys);
        e = table_text(t, COL(strategy), p->strategy->name) || table_text(t, COL(options), options) || table_text(t, COL(hash), hash) ||
                    (w && table_text(t, COL(workload), workload_text(w))) || (axis && table_text(t, COL(option), axis->name)) ||
                    (axis && table_text(t, COL(value), axis->value))
                ? -ENOMEM
                : 0;
    }
    mem_free(options);
    mem_free(hash);
    return e ? fail(why, ENOMEM, "no memory for another row") : 0;
}
