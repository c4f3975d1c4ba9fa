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

/* One answer. The node meant is the one at the place `bucket` of so many. 1 as published, 0 not, or a negative errno. */
static int answer(struct bench *b, uint64_t nodes, uint64_t digest, uint64_t bucket, char why[WHY])
{
    char text[32];
    const struct cluster *c;
    struct registry *r = registry_create();
    struct placement *p = NULL;
    snprintf(text, sizeof text, "%" PRIu64, nodes);
    int e = r ? cluster_read(r, text, false, &c, why) : fail(why, ENOMEM, "no memory to verify");
    if (!e)
        e = placement_open(&p, b->spec, c, &b->s->hash, why);
    if (!e)
        e = bucket < c->size && p->engine->lookup(p->state, digest) == c->node[bucket].id;
    placement_close(p);
    registry_destroy(r);
    return e;
}

int verify_answers(struct bench *b, char why[WHY])
{
    char path[4096];
    struct reader *r = NULL;
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
        else if ((e = answer(b, number[NODES], number[DIGEST], number[BUCKET], why)) >= 0) {
            asked++;
            wrong += e == 0;
            e = 0;
        }
    }
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
