/* What the files of the workload share among themselves; others include workload.h. */
#ifndef MODEL_WORKLOAD_PARTS_H
#define MODEL_WORKLOAD_PARTS_H

#include "model/workload.h"
#include <stdbool.h>

/* -- workload_keys.c: the text of key i of each generated kind -- */

#define KEY_SLACK 32 /* bytes that a writer may touch beyond its key */

#define KEY_PREFIX_MAX 200

struct key_maker {
    const struct key_kind *kind;
    uint64_t stream;
    size_t longest;  /* bytes of a key */
    uint64_t domain; /* distinct keys that there are */
    uint64_t first;  /* user and int: the number of key 0, and the text before it */
    size_t prefix_len;
    char prefix[KEY_PREFIX_MAX];
};

struct key_wish {
    const char *kind, *prefix; /* prefix: user and int only; else NULL */
    uint64_t seed, count;
    uint64_t len;   /* bytes a key, alnum only */
    uint64_t first; /* user and int only */
};

/* 0; -EINVAL: there are not so many keys, or the prefix is too long. */
int key_maker_init(struct key_maker *m, const struct key_wish *wish, char why[WHY]);
size_t key_write(const struct key_maker *m, uint64_t i, char *out); /* its length */
/* Keys first .. first+n-1 into the block, which has the room; faster than one by one. */
void key_write_run(const struct key_maker *m, uint64_t first, size_t n, struct key_block *b);

/* -- workload_file.c: keys read from a file -- */

struct file_options {
    const char *path;
    uint64_t column;          /* 0: the whole line */
    uint64_t size_column;     /* 0: no sizes */
    char separator;           /* 0: not given, a comma */
    uint32_t header, nul;     /* 0 or 1 */
};
extern const struct option file_option[];

struct key_file;
int key_file_open(struct key_file **out, const struct file_options *options, char why[WHY]);
void key_file_close(struct key_file *f);
int key_file_next(struct key_file *f, struct key_block *b, char why[WHY]);
int key_file_rewind(struct key_file *f, char why[WHY]);
double key_file_sum_p2(const struct key_file *f);
double key_file_top_share(const struct key_file *f);
bool key_file_has_sizes(const struct key_file *f);
const char *key_file_path(const struct key_file *f);

/* -- workload.c -- */

int key_block_room(struct key_block *b, size_t bytes); /* 0 or -ENOMEM */

#endif
