/* NODES, CHANGE, node files, sweeps; ids that last. */
#include "base/clock.h"
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* "a=2:0 b=1:1": name=weight:id in order, a node that is down in brackets. */
static const char *shown(const struct cluster *c)
{
    static char text[4096];
    size_t at = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->node[i];
        at += (size_t)snprintf(text + at, sizeof text - at, n->down ? "%s(%s=%u:%u)" : "%s%s=%u:%u", i ? " " : "", n->name, n->weight, n->id);
    }
    return text;
}

static void nodes(void)
{
    static const struct { const char *nodes; bool addresses; const char *is; } row[] = {
        {"1", false, "node-0=1:0"},
        {"3", false, "node-0=1:0 node-1=1:1 node-2=1:2"},
        {"3", true, "10.0.0.1=1:0 10.0.0.2=1:1 10.0.0.3=1:2"},
        {"a", false, "a=1:0"},
        {"a,b=2,c", false, "a=1:0 b=2:1 c=1:2"},
        {"a,b=2,c", true, "a=1:0 b=2:1 c=1:2"},
        {"a=2147483647,b=1k", false, "a=2147483647:0 b=1000:1"},
        {"10.0.0.1:80=3,[::1]:90", false, "10.0.0.1:80=3:0 [::1]:90=1:1"},
        {"a\\,b,c\\=d=2,e\\\\f", false, "a,b=1:0 c=d=2:1 e\\f=1:2"},
        {"\xe8\x8a\x82\xe7\x82\xb9,x y", false, "\xe8\x8a\x82\xe7\x82\xb9=1:0 x y=1:1"},
        {"a%20b", false, "a%20b=1:0"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct registry *r = registry_create();
        char why[WHY] = "";
        const struct cluster *c = NULL;
        int e = cluster_read(r, row[i].nodes, row[i].addresses, &c, why);
        if (!ok(!e && !strcmp(shown(c), row[i].is) && c->ids == c->size, "nodes %s", row[i].nodes))
            note("%d %s %s", e, why, e ? "" : shown(c));
        registry_destroy(r);
    }
}

static void bad_nodes(void)
{
    static const struct { const char *nodes, *says; } row[] = {
        {"", "no nodes"}, {"0", "no nodes"}, {"-3", "-3"}, {"16777217", "at most"}, {"99999999999999999999", "at most"}, {"10G", "at most"},
        {"a,,b", "empty"}, {"a,", "empty"}, {",", "empty"}, {"=2", "empty"}, {"a,b,a", "node a is named twice"}, {"a=2,a=3", "twice"},
        {"a=0", "weight '0'"}, {"a=-1", "weight '-1'"}, {"a=nan", "weight 'nan'"}, {"a=1e300", "weight '1e300'"}, {"a=2147483648", "1 to 2147483647"},
        {"a=1.5", "node a: weight '1.5'"}, {"a=", "weight ''"}, {"a=2=3", "weight"}, {"@/nonexistent/nodes", "/nonexistent/nodes"}, {"@/", "/"}, {"@", ""},
    };
    struct registry *r = registry_create();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char why[WHY] = "";
        const struct cluster *c = NULL;
        int e = cluster_read(r, row[i].nodes, false, &c, why);
        if (!ok(e == -EINVAL && !c && *why && strstr(why, row[i].says), "refused: -n '%s'", row[i].nodes))
            note("%d %s", e, why);
    }
    registry_destroy(r);
}

static char path[64];

static int read_text(struct registry *r, const char *text, size_t len, const struct cluster **c, char why[WHY])
{
    char nodes[80];
    FILE *f = fopen(path, "w");
    fwrite(text, 1, len, f);
    fclose(f);
    snprintf(nodes, sizeof nodes, "@%s", path);
    *why = 0;
    return cluster_read(r, nodes, false, c, why);
}

static void files(void)
{
    struct registry *r = registry_create();
    const struct cluster *c = NULL;
    char why[WHY];
    static const char text[] = "# nodes\n\n  a 2 dc=dc1  rack=r0 # the first\r\nb\ttokens=10,40\tdown=1\n\t\nc=d 7\ne down=0";
    int e = read_text(r, text, sizeof text - 1, &c, why);
    if (!ok(!e && !strcmp(shown(c), "a=2:0 (b=1:1) c=d=7:2 e=1:3"), "a file: comments, blanks, CRLF, attributes, no last line end"))
        note("%s %s", why, e ? "" : shown(c));
    size_t len = 99;
    const char *v = node_attribute(&c->node[0], "rack", &len);
    ok(v && len == 2 && !memcmp(v, "r0", 2), "attribute in the middle");
    v = node_attribute(&c->node[1], "tokens", &len);
    ok(v && len == 5 && !memcmp(v, "10,40", 5), "attribute with a comma");
    ok(!node_attribute(&c->node[0], "rac", &len) && !node_attribute(&c->node[0], "tokens", &len) && !node_attribute(&c->node[2], "dc", &len),
       "attributes not given");

    static const struct { const char *text; size_t len; const char *line, *says; } bad[] = {
        {"", 0, "", "names no node"}, {"# none\n\n", 8, "", "names no node"}, {"a\nb\na\n", 6, "line 3", "a is named twice"},
        {"a\n\nb 0\n", 7, "line 3", "weight '0'"}, {"a 1 colour=red\n", 15, "line 1", "colour"}, {"a\nb 1 rak=r0\n", 13, "line 2", "rack"},
        {"a 1 2\n", 6, "line 1", "'2'"}, {"a down=maybe\n", 13, "line 1", "0 or 1"}, {"a\nb\0c\n", 6, "line 2", "not text"}, {"\x7f" "ELF\1\1\n", 7, "line 1", "not text"},
        {"a 1e300\n", 8, "line 1", "weight"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        c = NULL;
        e = read_text(r, bad[i].text, bad[i].len, &c, why);
        if (!ok(e == -EINVAL && !c && strstr(why, path) && strstr(why, bad[i].line) && strstr(why, bad[i].says), "bad file %zu names file, line and cure", i))
            note("%d %s", e, why);
    }
    registry_destroy(r);
}

static void changes(void)
{
    static const struct { const char *change, *is; } row[] = {
        {"+2", "a=1:0 b=2:1 c=1:2 node-3=1:3 node-4=1:4"},
        {"-2", "a=1:0"},
        {"+d", "a=1:0 b=2:1 c=1:2 d=1:5"},
        {"+d=4", "a=1:0 b=2:1 c=1:2 d=4:5"},
        {"-a", "b=2:1 c=1:2"},
        {"b=7", "a=1:0 b=7:1 c=1:2"},
        {"b=down", "a=1:0 (b=2:1) c=1:2"},
        {"+e=2;-a;b=3", "b=3:1 c=1:2 e=2:6"},
        {"-a;+a", "b=2:1 c=1:2 a=1:0"},
        {"-a;+a=9", "b=2:1 c=1:2 a=9:0"},
        {"+f=x=3", "a=1:0 b=2:1 c=1:2 f=x=3:7"},
        {"b=down;b=4", "a=1:0 (b=4:1) c=1:2"},
    };
    struct registry *r = registry_create();
    const struct cluster *base = cluster_of(r, "a,b=2,c");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cluster *c = NULL;
        char why[WHY] = "";
        int e = cluster_change(r, base, row[i].change, false, &c, why);
        if (!ok(!e && !strcmp(shown(c), row[i].is), "change %s", row[i].change))
            note("%d %s %s", e, why, e ? "" : shown(c));
    }
    const struct cluster *down = changed(r, base, "b=down"), *up = changed(r, down, "b=up");
    ok(down->node[1].down && !up->node[1].down && !base->node[1].down, "down, up again, and the first cluster untouched");
    ok(changed(r, changed(r, down, "+x"), "-x")->node[1].down, "down lasts through other changes");

    static const char *const bad[] = {"", ";", "+", "-", "+0", "-0", "-3", "-99999999999999999999", "+99999999999999999999", "-z", "z=2", "z=down", "a", "+a", "+d=0",
                                      "b=0", "b=2147483648", "b=x", "b=2", "a=up", "+n;-n", "-a;-b;-c", "+2;", "=2", "+d=-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct cluster *c = NULL;
        char why[WHY] = "";
        int e = cluster_change(r, base, bad[i], false, &c, why);
        if (!ok(e == -EINVAL && !c && *why, "refused: --change '%s'", bad[i]))
            note("%d %s %s", e, why, c ? shown(c) : "");
    }
    registry_destroy(r);
}

static void identities(void)
{
    struct registry *r = registry_create();
    const struct cluster *c = cluster_of(r, "5"), *first = c;
    static const char *const step[] = {"-node-2", "+x", "+node-2=3", "-x;-node-0", "+2", "+x;+node-0", "node-2=1"};
    bool stable = true;
    for (size_t s = 0; s < sizeof step / sizeof *step; s++) {
        c = changed(r, c, step[s]);
        for (uint32_t i = 0; i < c->size; i++) {
            const struct node *n = &c->node[i], *was = cluster_by_name(first, n->name);
            stable &= n->id < c->ids && !strcmp(registry_name(r, n->id), n->name) && (!was || was->id == n->id);
            stable &= cluster_by_id(c, n->id) == n && cluster_by_name(c, n->name) == n;
        }
    }
    ok(stable, "a name keeps its id through every change");
    ok(!cluster_by_id(c, c->ids) && !cluster_by_name(c, "nobody"), "questions for nobody");
    const struct cluster *w = cluster_of(r, "p,q=2,s=5");
    double fair[64];
    cluster_fair_shares(w, fair);
    ok(cluster_weight(w) == 8 && fair[w->node[1].id] == 0.25 && fair[w->node[2].id] == 0.625 && fair[0] == 0, "weights and fair shares");

    const struct cluster *d1 = NULL, *d2 = NULL, *d3 = NULL;
    char why[WHY] = "";
    must(cluster_random(r, w, 7, &d1, why) || cluster_random(r, w, 7, &d2, why) || cluster_random(r, w, 8, &d3, why), why);
    bool same = d1->size == 3 && d2->size == 3, other = false, weights = true;
    for (uint32_t i = 0; i < 3; i++) {
        same &= !strcmp(d1->node[i].name, d2->node[i].name) && d1->node[i].id == d2->node[i].id;
        other |= strcmp(d1->node[i].name, d3->node[i].name) != 0;
        weights &= d1->node[i].weight == w->node[i].weight && !strncmp(d1->node[i].name, "10.", 3);
    }
    ok(same && other && weights, "drawn names depend on the stream alone; weights as before");
    registry_destroy(r);
}

static void sweeps(void)
{
    static const struct { const char *nodes; size_t n; const char *at[4]; } row[] = {
        {"10", 1, {"10"}}, {"3/10/100", 3, {"3", "10", "100"}}, {"10..1000x10", 3, {"10", "100", "1000"}}, {"5..20+5", 4, {"5", "10", "15", "20"}},
        {"1k/2k", 2, {"1000", "2000"}}, {"a,b=2", 1, {"a,b=2"}}, {"@some/file", 1, {"@some/file"}}, {"a/b", 1, {"a/b"}}, {"10.0.0.1", 1, {"10.0.0.1"}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char **text, why[WHY] = "";
        size_t n = 0;
        int e = cluster_sweep(row[i].nodes, &text, &n, why);
        bool same = !e && n == row[i].n;
        for (size_t k = 0; same && k < n; k++)
            same = !strcmp(text[k], row[i].at[k]);
        ok(same, "sweep %s", row[i].nodes);
        for (size_t k = 0; !e && k < n; k++)
            mem_free(text[k]);
        if (!e)
            mem_free(text);
    }
    static const char *const bad[] = {"10..", "3/", "/3", "10..5", "1..10x1", "1..10+0", "3//5"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char **text = NULL, why[WHY] = "";
        size_t n;
        ok(cluster_sweep(bad[i], &text, &n, why) == -EINVAL && *why, "refused sweep %s", bad[i]);
    }
}

static void percent(void)
{
    struct registry *r = registry_create();
    registry_percent(r, true);
    const struct cluster *c = cluster_of(r, "a%20b,c%2Cd=2,%25");
    ok(!strcmp(shown(c), "a b=1:0 c,d=2:1 %=1:2"), "percent-encoded names in a list");
    ok(!strcmp(shown(changed(r, c, "+x%3By=3;-a%20b")), "c,d=2:1 %=1:2 x;y=3:3"), "and in a change");
    const struct cluster *f = NULL;
    char why[WHY];
    int e = read_text(r, "%23x 4\n\xe8 2\n", 11, &f, why);
    ok(!e && !strcmp(f->node[0].name, "#x") && f->node[0].weight == 4, "and in a file");
    static const char *const bad[] = {"a%2", "a%zz", "%", "a%00b", "%00"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct cluster *none = NULL;
        *why = 0;
        ok(cluster_read(r, bad[i], false, &none, why) == -EINVAL && *why && !none, "refused name %s", bad[i]);
    }
    const struct cluster *none = NULL;
    ok(cluster_change(r, c, "-a%2", false, &none, why) == -EINVAL, "refused in a change");
    ok(cluster_change(r, c, "+a%00b", false, &none, why) == -EINVAL, "a zero byte refused in a change");
    registry_destroy(r);
}

static void million(void)
{
    struct registry *r = registry_create();
    uint64_t start = clock_ns();
    const struct cluster *c = cluster_of(r, "1M"), *more = changed(r, c, "+2"), *less = changed(r, more, "-node-500000;node-7=3;-1");
    ok(c->size == 1000000 && !strcmp(c->node[999999].name, "node-999999") && c->node[999999].id == 999999, "1,000,000 nodes");
    ok(more->size == 1000002 && !strcmp(more->node[1000001].name, "node-1000001"), "and two more");
    ok(less->size == 1000000 && less->node[500000].id == 500001 && less->node[7].weight == 3 && less->node[999999].id == 1000000, "and changed");
    note("%" PRIu64 " ms", (clock_ns() - start) / 1000000);
    registry_destroy(r);
}

static void starving(void)
{
    uint64_t live = mem_live();
    bool told = true, works = true;
    int e = -1;
    for (uint64_t n = 1; n < 1000 && e; n++) {
        struct registry *r = registry_create();
        const struct cluster *c = NULL, *after = NULL;
        char why[WHY] = "";
        mem_fail_at(n);
        e = cluster_read(r, "a,b=2,c,d,e,f,g,h,i,j", false, &c, why);
        bool first = !e;
        e = e ? e : cluster_change(r, c, "+k;-a;b=3;+12", false, &after, why);
        mem_fail_at(0);
        told &= !e || (e == -ENOMEM && *why);
        if (first && e) /* the registry and the earlier cluster still serve */
            works &= !strcmp(c->node[9].name, "j") && changed(r, c, "+k")->size == 11;
        registry_destroy(r);
    }
    ok(!e && told && works, "each allocation failing once is told, and what was there stays");
    ok(mem_live() == live, "nothing leaked: %" PRIu64 " bytes", mem_live() - live);
}

int main(void)
{
    temporary("", path);
    uint64_t live = mem_live();
    nodes();
    bad_nodes();
    files();
    changes();
    identities();
    sweeps();
    percent();
    million();
    starving();
    ok(mem_live() == live, "all memory given back");
    unlink(path);
    return tap_done();
}
