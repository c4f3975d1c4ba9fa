/* Published placements of single keys: a file with a row a key. */
#include "experiments/verify_parts.h"

#include "base/csv.h"
#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { STRATEGY, NODES, DIGEST, BUCKET, FIELDS };

static bool is(const struct reader_text *field, const char *word)
{
    return field->len == strlen(word) && !memcmp(field->text, word, field->len);
}

/* The strategy on so many nodes, kept for as many rows as ask the same number. */
struct stand {
    uint64_t nodes; /* 0: none yet */
    struct registry *registry;
    const struct cluster *cluster;
    struct placement *placement;
};

static void stand_close(struct stand *s)
{
    placement_close(s->placement);
    registry_destroy(s->registry);
    *s = (struct stand){0};
}

static int stand_open(struct stand *s, const struct bench *b, uint64_t nodes, char why[WHY])
{
    char text[32];
    if (s->placement && s->nodes == nodes)
        return 0;
    stand_close(s);
    s->nodes = nodes;
    s->registry = registry_create();
    snprintf(text, sizeof text, "%" PRIu64, nodes);
    int e = s->registry ? cluster_read(s->registry, text, false, &s->cluster, why) : fail(why, ENOMEM, "no memory to verify");
    return e ? e : placement_open(&s->placement, b->spec, s->cluster, &b->s->hash, why);
}

/* Whether the digest's node is the one at the place `bucket`. */
static bool answers(const struct stand *s, uint64_t digest, uint64_t bucket)
{
    return bucket < s->cluster->size && s->placement->engine->lookup(s->placement->state, digest) == s->cluster->node[bucket].id;
}

int verify_answers(struct bench *b, char why[WHY])
{
    char path[4096];
    struct reader *r = NULL;
    struct stand stand = {0};
    struct reader_text field[FIELDS];
    uint64_t number[FIELDS], asked = 0, wrong = 0;
    size_t count;
    if (b->nodes != b->s->nodes[0] || b->spec->count > 0) /* once, as the strategy comes */
        return 0;
    snprintf(path, sizeof path, "%s/answers.csv", b->v->published);
    int e = reader_open(&r, path, '\n', false, why);
    while (!e && (e = reader_record(r, ',', field, FIELDS, &count, why)) > 0) {
        bool good = count >= FIELDS;
        e = 0;
        for (int i = NODES; good && i < FIELDS; i++)
            good = text_count(field[i].text, field[i].len, &number[i]) == 0;
        if (reader_line_number(r) == 1 || (good && !is(&field[STRATEGY], b->spec->name)))
            continue;
        if (!good)
            e = fail(why, EINVAL, "%s, line %" PRIu64 ": a row is strategy,nodes,digest,bucket", path, reader_line_number(r));
        else if (!(e = stand_open(&stand, b, number[NODES], why))) {
            asked++;
            wrong += !answers(&stand, number[DIGEST], number[BUCKET]);
        }
    }
    stand_close(&stand);
    reader_close(r);
    struct verdict *v = e || !asked ? NULL : verdict_new(b, "answers");
    if (!e && asked && !v)
        return fail(why, ENOMEM, "no memory to verify");
    if (v) {
        v->samples = asked;
        v->statistic = (double)wrong;
        snprintf(v->detail, sizeof v->detail, "published placements that differ");
    }
    return e;
}
