/* keysim report: runs the experiments, draws the charts, fills the page.
 *
 * A list of commands (report_steps.c) is run one after the other, each writing its CSV file; charts, sentences and tables come from
 * those files alone. Timed commands run by themselves: nothing else works meanwhile. */
#include "commands/report.h"

#include "base/mem.h"
#include "base/progress.h"
#include "model/cluster.h"
#include "model/workload.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* How many nodes, and of what weight. */
static int measure_cluster(struct report *r, char why[WHY])
{
    char **text;
    size_t n;
    int e = cluster_sweep(r->nodes, &text, &n, why);
    if (e)
        return e;
    for (size_t i = 0; i < n; i++)
        mem_free(text[i]);
    mem_free(text);
    if (n != 1)
        return fail(why, EINVAL, "report: one cluster is wanted, and -n '%s' is a sweep of %zu", r->nodes, n);
    struct registry *registry = registry_create();
    const struct cluster *c;
    if (!registry)
        return fail(why, ENOMEM, "no memory for the report");
    registry_percent(registry, r->a->percent);
    e = cluster_read(registry, r->nodes, false, &c, why);
    if (!e) {
        r->size = c->size;
        r->weight = cluster_weight(c);
        e = trouble_open(r, c->node[0].name, why);
    }
    registry_destroy(registry);
    return e;
}

/* Mistakes are found before anything is made. */
static int check_keys(struct report *r, char why[WHY])
{
    const struct args *a = r->a;
    struct workload *w;
    if (!strcmp(a->workload, "-") || strstr(a->workload, "path=-"))
        return fail(why, EINVAL, "report: the keys are read several times, so they must be a file, not standard input");
    int e = workload_open_text(&w, a->workload, a->seed, why);
    if (e)
        return e;
    r->requests = workload_requests(w);
    workload_close(w);
    return 0;
}

static int make(struct report *r, char why[WHY])
{
    int e = steps_open(r, why);
    if (!e)
        e = files_open(r, why);
    if (!e)
        e = machine_write(r, why);
    if (!e)
        e = fast_write(r, why);
    if (!e)
        e = steps_run(r, why);
    if (!e)
        e = charts_data(r, why);
    progress_start("drawing the charts", "charts", 0);
    if (!e)
        e = charts_draw(r, why);
    progress_end();
    if (!e)
        e = page_write(r, why);
    return e ? e : files_publish(r, why);
}

static int run(struct args *a, char why[WHY])
{
    struct report r = {.a = a, .nodes = a->nodes.count ? a->nodes.item[0] : "10"};
    if (a->nodes.count > 1)
        return fail(why, EINVAL, "report: one cluster is wanted, and -n stands here %zu times", a->nodes.count);
    if (a->rest_count > 0)
        return fail(why, EINVAL, "report: '%s' is not expected here", a->rest[0]);
    if (!a->workload)
        a->workload = "user:count=10M";
    int e = charts_check(why);
    if (!e)
        e = measure_cluster(&r, why);
    if (!e)
        e = check_keys(&r, why);
    if (!e)
        e = fast_open(&r, why);
    if (!e)
        e = field_open(&r.field, a, why);
    if (!e)
        e = make(&r, why);
    if (!e && printf("%s/index.html\n", a->output ? a->output : "report") < 0)
        e = fail(why, errno, "standard output: cannot be written: %s", strerror(errno));
    files_close(&r);
    steps_close(&r);
    trouble_close(&r);
    field_close(&r.field);
    sheet_destroy(r.peers);
    return e;
}

static const int takes[] = {'n', 'k', 'H', '0', FLAG_QUICK, FLAG_TRACE, FLAG_PEERS, FLAG_PERCENT, 0};

const struct command command_report = {
    .name = "report",
    .summary = "run the experiments and make a page of charts",
    .usage = "[-o DIR] [-n NODES] [-k WORKLOAD] [-H HASH] [--quick] [--trace WORKLOAD] [--peers FILE]",
    .takes = takes,
    .run = run,
    .details = "-o names the report's folder (default report); -n the cluster (default 10); -k the keys (default user:count=10M).\n"
               "--trace names recorded requests: caches are shown on them as well. --peers names figures of other programs (make bench-peers).\n"
               "The page is DIR/index.html; beside it stand every result as CSV and every chart as SVG and PNG. An earlier\n"
               "report stays whole until the new one is done. Modulo, ring and slots are compared on your nodes, every other\n"
               "algorithm on 10 to 10,000 equal ones; a real configuration gives its nodes and weights alone. Charts need gnuplot.\n"
               "--quick makes a page for a first look in a few seconds: all of it, with fewer repetitions, clusters and sizes.\n\n"
               "  keysim report\n"
               "  keysim report --quick -n 3 -k user:count=100k -o first\n"
               "  keysim report -n @nodes.txt -k file:path=keys.txt -o mine\n",
};
