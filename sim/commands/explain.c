#include "commands/explain.h"

#include "base/mem.h"
#include "base/text.h"
#include "strategies/engines/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct named { /* a point and its label */
    uint64_t position;
    uint32_t id;
    char *label; /* NULL: given as a number */
};

struct explainer {
    const struct registry *names;
    const struct placement *p;
    struct named *point; /* by (position, id) */
    size_t count, capacity;
    unsigned char buf[16];
    char digest[24], spot[24];
};

static int collect(void *explainer, const struct point *point)
{
    struct explainer *x = explainer;
    if (mem_grow(&x->point, &x->capacity, x->count + 1, sizeof *x->point))
        return -ENOMEM;
    char *label = point->label ? mem_copy(point->label, point->label_len) : NULL;
    if (point->label && !label)
        return -ENOMEM;
    x->point[x->count++] = (struct named){point->position, point->id, label};
    return 0;
}

static int by_position(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int c = (x->position > y->position) - (x->position < y->position);
    return c ? c : (x->id > y->id) - (x->id < y->id);
}

int explain_open(struct explainer **out, const struct registry *names, const struct placement *p, char why[WHY])
{
    struct explainer *x = mem_alloc(1, sizeof *x);
    if (!x)
        return fail(why, ENOMEM, "no memory to explain");
    x->names = names;
    x->p = p;
    if (is_ring(p) && p->strategy->points(p, NULL, collect, x)) {
        explain_close(x);
        return fail(why, ENOMEM, "no memory for the labels of the points");
    }
    if (x->count)
        qsort(x->point, x->count, sizeof *x->point, by_position);
    *out = x;
    return 0;
}

void explain_close(struct explainer *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->count; i++)
        mem_free(x->point[i].label);
    mem_free(x->point);
    mem_free(x);
}

static const char *label_of(const struct explainer *x, size_t point)
{
    struct named want = {0};
    want.position = ring_position(x->p, point, &want.id);
    const struct named *found = bsearch(&want, x->point, x->count, sizeof want, by_position);
    return found && found->label ? found->label : "";
}

size_t explain_headings(const struct explainer *x, const char **heading)
{
    heading[0] = "filtered";
    heading[1] = "digest";
    if (!is_ring(x->p)) {
        heading[2] = "slot";
        return 3;
    }
    heading[2] = "point";
    heading[3] = "label";
    return 4;
}

static int hex_digits(const struct explainer *x)
{
    return (int)(ring_position_bits(x->p) + 3) / 4;
}

static size_t write_digest(struct explainer *x, bool hashed, uint64_t digest)
{
    return hashed ? (size_t)snprintf(x->digest, sizeof x->digest, "%0*" PRIx64, (int)x->p->key.hash.hash->bits / 4, digest) : 0;
}

size_t explain_fields(struct explainer *x, const char *key, size_t len, bool hashed, uint64_t digest, struct field *field)
{
    struct spot spot = {.kind = SPOT_NONE};
    const void *part;
    size_t part_len;
    placement_part(x->p, key, len, x->buf, &part, &part_len);
    field[0] = (struct field){part, part_len, true};
    field[1] = (struct field){x->digest, write_digest(x, hashed, digest), false};
    field[2] = (struct field){"", 0, false};
    field[3] = (struct field){"", 0, true};
    if (hashed && x->p->engine->spot)
        x->p->engine->spot(x->p->state, digest, &spot);
    if (spot.kind == SPOT_CELL)
        field[2] = (struct field){x->spot, (size_t)snprintf(x->spot, sizeof x->spot, "%" PRIu64, spot.cell), false};
    if (spot.kind == SPOT_POINT) {
        uint32_t id;
        uint64_t position = ring_position(x->p, spot.point, &id);
        const char *label = label_of(x, spot.point);
        field[2] = (struct field){x->spot, (size_t)snprintf(x->spot, sizeof x->spot, "%0*" PRIx64, hex_digits(x), position), false};
        field[3] = (struct field){label, strlen(label), true};
    }
    return is_ring(x->p) ? 4 : 3;
}

static const char *printable_name(const struct explainer *x, uint32_t id, char out[96])
{
    const char *name = id == NO_NODE ? "-" : registry_name(x->names, id);
    return text_printable(name, strlen(name), out, 96);
}

/* One line about a point: its position, its label or else its node. */
static void point_line(const struct explainer *x, const char *what, size_t point, const char *note, FILE *to)
{
    uint32_t id;
    uint64_t position = ring_position(x->p, point, &id);
    const char *label = label_of(x, point);
    char shown[96];
    if (*label)
        text_printable(label, strlen(label), shown, sizeof shown);
    else
        printable_name(x, id, shown);
    fprintf(to, "  %-8s %0*" PRIx64 "  %-16s  %s\n", what, hex_digits(x), position, shown, note);
}

int explain_words(struct explainer *x, const char *key, size_t len, bool hashed, uint64_t digest, const uint32_t *id, size_t copies,
                  const uint32_t *after, FILE *to)
{
    const struct placement *p = x->p;
    struct spot spot = {.kind = SPOT_NONE};
    const void *part;
    size_t part_len;
    char shown[256], node[96], note[160];
    placement_part(x->p, key, len, x->buf, &part, &part_len);
    fprintf(to, "%s -> ", text_printable(key, len, shown, sizeof shown));
    for (size_t i = 0; i < copies; i++)
        fprintf(to, "%s%s", i ? ", " : "", printable_name(x, id[i], node));
    fputc('\n', to);
    if (!hashed) {
        fputs("  the system itself gives this key no node\n", to);
        return 0;
    }
    write_digest(x, hashed, digest);
    fprintf(to, "  hashed   \"%s\"  %s = %s (%" PRIu64 ")\n", text_printable(part, part_len, shown, sizeof shown), p->key.hash.hash->name, x->digest,
            digest);
    if (p->engine->spot)
        p->engine->spot(p->state, digest, &spot);
    if (spot.kind == SPOT_CELL)
        fprintf(to, "  slot     %" PRIu64 "  (digest mod %" PRIu64 ")\n", spot.cell, p->engine->cells(p->state));
    if (spot.kind == SPOT_POINT) {
        point_line(x, "before", spot.before, "", to);
        point_line(x, "owner", spot.point, ring_rule_words(p), to);
        snprintf(note, sizeof note, "takes over if %s dies", printable_name(x, id[0], node));
        if (p->cluster->size > 1)
            point_line(x, "next", spot.after, note, to);
    }
    if (after)
        fprintf(to, "  after    %s\n", printable_name(x, *after, node));
    return 0;
}
