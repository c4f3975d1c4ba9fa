/* Inside the model: clusters read from the configuration of a real system, @FORMAT:FILE#PART.
 *
 * An importer is one small file and one row of the table in import.c. It reads a text and adds nodes, named and weighted as the
 * system itself uses them for placement, and says which strategy the configuration implies. What changes placement and cannot be
 * told is refused with file and line; what does not, or only under load or failure, is warned of; the rest is passed over. */
#ifndef MODEL_IMPORT_H
#define MODEL_IMPORT_H

#include "model/registry.h"

/* One configuration being read. A file with several parts is read twice: first to see which there are, then for the one. */
struct import {
    struct draft draft;
    const char *path;    /* the file at hand, for messages ("standard input") */
    const char *part;    /* which part is wanted */
    bool choosing;       /* first reading: parts are noted, nothing else */
    char spec[256];      /* "nginx:method=consistent" */
    char warning[WHY];   /* sentences, joined by "; " */
    char known[512], *only; /* parts seen: all their names; the last one's */
    size_t parts, matching;
};

struct importer {
    const char *name;
    const char *part; /* what PART names ("upstream"); NULL: the file is one cluster */
    int (*read)(struct import *in, const char *path, char *text, char why[WHY]); /* may cut text up */
};

extern const struct importer importer_cassandra, importer_envoy, importer_haproxy, importer_ketama, importer_nginx, importer_redis_nodes,
    importer_twemproxy;

/* The importer that NODES names, or NULL. */
const struct importer *import_find(const char *nodes);

/* Whether NODES means an importer and misspells it; then why says so. */
bool import_misspelt(const char *nodes, char why[WHY]);

/* Reads NODES, which names an importer, or finds that it was read before. */
int import_read(struct registry *r, const char *nodes, const struct imported **out, char why[WHY]);

/* -- for importers -- */

/* "FILE line N: ..."; -EINVAL. */
int import_fail(const struct import *in, uint64_t line, char why[WHY], const char *format, ...) __attribute__((format(printf, 4, 5)));
void import_warn(struct import *in, uint64_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether this part is the one to be read now. */
bool import_part(struct import *in, const char *name);

/* Adds a node; a name that is empty or there already is refused. what: the system's word for a node ("server"). */
int import_node(struct import *in, uint64_t line, const char *what, const char *name, uint32_t weight, const char *attributes,
                char why[WHY]);

/* A whole number first .. last. */
int import_number(const struct import *in, uint64_t line, const char *what, const char *text, uint64_t first, uint64_t last,
                  uint64_t *value, char why[WHY]);

/* A file's text: lines end with LF, no byte order mark, nothing that is not text. mem_freed by the caller. */
int import_text(const char *path, char **out, char why[WHY]);

char *import_line(char **at); /* the next line, cut off in place; NULL at the end */
char *import_word(char **at); /* the next blank-separated word, likewise */
bool import_is_word(const char *text);    /* not empty, and without blanks: what an attribute can hold */
bool import_is_address(const char *host); /* an IPv4 or IPv6 address, not a name */

/* -- words of one statement, for formats with quoting -- */

enum { PHRASE_WORDS = 64 };
struct phrase {
    char *text;
    size_t len, capacity, count; /* count: all words; the first PHRASE_WORDS are kept */
    size_t start[PHRASE_WORDS];
    bool open, failed;           /* within a word; memory ran out */
};
void phrase_clear(struct phrase *p);
void phrase_release(struct phrase *p);
void phrase_open(struct phrase *p);        /* a word begins, even an empty one */
void phrase_put(struct phrase *p, char c); /* opens one if need be */
void phrase_close(struct phrase *p);
const char *phrase_word(const struct phrase *p, size_t i); /* "" beyond the last */

#endif
