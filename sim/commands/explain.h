/* Why a key goes where it goes. */
#ifndef COMMANDS_EXPLAIN_H
#define COMMANDS_EXPLAIN_H

#include "commands/keys.h"
#include "placement/placement.h"

struct explainer;

/* Collects the labels of a ring's points. 0 or -ENOMEM. */
int explain_open(struct explainer **out, const struct registry *names, const struct placement *p, char why[WHY]);
void explain_close(struct explainer *x); /* NULL is allowed */

/* The further columns: filtered,digest and slot, or point,label. How many. */
size_t explain_headings(const struct explainer *x, const char **heading);
/* The same many fields; their texts live until the next call. */
size_t explain_fields(struct explainer *x, const char *key, size_t len, bool hashed, uint64_t digest, struct field *field);

/* For people: the digest, and the slot or the point with its neighbours. Always 0. */
int explain_words(struct explainer *x, const char *key, size_t len, bool hashed, uint64_t digest, const uint32_t *id, size_t copies,
                  const uint32_t *after, FILE *to);

#endif
