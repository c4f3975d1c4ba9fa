/* What the files of the workload share among themselves; others include workload.h. */
#ifndef MODEL_WORKLOAD_PARTS_H
#define MODEL_WORKLOAD_PARTS_H

#include "model/workload.h"
#include "model/zipf.h"
#include <stdbool.h>

/* -- workload_keys.c: the text of key i of each generated kind -- */

#define KEY_SLACK 48 /* bytes that a writer may touch beyond its key */

#define KEY_PREFIX_MAX 200
#define KEY_LONGEST (KEY_PREFIX_MAX + 16) /* bytes of any generated key */

struct key_maker {
    const struct key_kind *kind;
    uint64_t stream;
    size_t longest;  /* bytes of a key */
    uint64_t domain; /* distinct keys that there are */
    uint64_t first;  /* user and int: the number of key 0, and the text before it */
    size_t prefix_len;
    char prefix[KEY_PREFIX_MAX];
    char octet[256][4]; /* ipv4: 0 .. 255, each with a dot behind it */
};

struct key_wish {
    const char *kind, *prefix; /* prefix: user and int only; else NULL */
    uint64_t seed, count;
    uint64_t len;   /* bytes a key, alnum only */
    uint64_t first; /* user and int only */
};

/* 0; -EINVAL: there are not so many keys, or the prefix is too long. */
int key_maker_init(struct key_maker *m, const struct key_wish *wish, char why[WHY]);
/* The keys of n numbers, one behind the other from out on, which has room for KEY_SLACK bytes more; where the last ends. */
char *key_write(const struct key_maker *m, const uint64_t *key, size_t n, char *out, const void **text, uint32_t *len);
/* Keys first .. first+n-1 in the same way and faster, of kinds that have it. */
bool key_runs(const struct key_maker *m);
void key_write_run(const struct key_maker *m, uint64_t first, size_t n, char *out, const void **text, uint32_t *len);

/* -- workload_split.c: hot keys under several names -- */

#define KEY_SPLIT_MAX 1000 /* copies */
#define KEY_SPLIT_ROOM 8   /* bytes that a copy's number takes at most */

struct key_split {
    uint64_t hottest, copies; /* as asked; hottest 0: none is split */
    uint64_t stream;
};
#define SPLIT_OPTIONS(at)                                                                                                       \
    {.name = "hottest", .type = OPTION_COUNT, .offset = (at) + offsetof(struct key_split, hottest), .fallback = "0", .min = 0,  \
     .max = 0x1p53, .help = "how many of the most popular keys are split into copies"},                                         \
    {.name = "copies", .type = OPTION_COUNT, .offset = (at) + offsetof(struct key_split, copies), .min = 2, .max = KEY_SPLIT_MAX, \
     .help = "and into how many: KEY#0, KEY#1 ..., one of them for each request, at random"}

int key_split_init(struct key_split *s, const char *kind, uint64_t seed, char why[WHY]); /* 0; -EINVAL: only one of the two is given */
uint64_t key_split_copy(const struct key_split *s, uint64_t request); /* which copy a request for a hot key gets */
size_t key_split_write(uint64_t copy, char *out);                     /* "#7", behind the key; its length */

/* -- workload_tally.c: how often each key was requested -- */

#define TALLY_MAX ((size_t)1 << 22) /* distinct keys */

struct tally_sum {
    double all, squares, most; /* of a key's own sum: their squares summed, and the largest */
};

struct tally {
    struct tally_slot {
        uint64_t print, count; /* count 0: free */
    } *slot;
    double *bytes;       /* [slots], of each key, in the block's unit; NULL: without sizes */
    size_t slots, used;  /* slots: a power of two, at most 3/4 used; 0: given up or not begun */
    bool over;           /* too many distinct keys */
    struct tally_sum requests, amount;
};

uint64_t key_print(const void *text, size_t len); /* a key's fingerprint */
void tally_release(struct tally *t);
int tally_add(struct tally *t, const struct key_block *b);   /* 0 or -ENOMEM */
int tally_first(struct tally *t, struct key_block *b);       /* keeps in the block only keys not met before; 0 or -ENOMEM */
uint64_t *tally_hottest(const struct tally *t, size_t k);    /* fingerprints of the k most requested, ascending; mem_freed; NULL: no memory */
bool print_among(const uint64_t *print, size_t k, uint64_t wanted);
double tally_sum_p2(const struct tally_sum *s); /* NaN: nothing counted */
double tally_top_share(const struct tally_sum *s);

/* -- workload_file.c: keys read from a file -- */

struct file_options {
    const char *path;
    uint64_t column;          /* 0: the whole line */
    uint64_t size_column;     /* 0: no sizes */
    char separator;           /* 0: not given, a comma */
    uint32_t header, nul;     /* 0 or 1 */
    struct key_split split;
};
extern const struct option file_option[];

struct key_file;
int key_file_open(struct key_file **out, const struct file_options *options, uint64_t seed, char why[WHY]);
void key_file_close(struct key_file *f);
int key_file_next(struct key_file *f, struct key_block *b, char why[WHY]);
int key_file_rewind(struct key_file *f, char why[WHY]);
int key_file_each_once(struct key_file *f, char why[WHY]);
bool key_file_is_once(const struct key_file *f);
const struct tally *key_file_tally(const struct key_file *f); /* of what was read so far */
bool key_file_has_sizes(const struct key_file *f);
const char *key_file_path(const struct key_file *f);

/* -- workload.c and workload_open.c -- */

struct workload {
    char *text;
    struct key_file *file;  /* NULL: generated */
    struct key_maker maker;
    struct zipf *zipf;      /* NULL: each key once */
    uint64_t draws;         /* its stream */
    struct key_split split;
    uint64_t keys;          /* distinct: those that are split count as their copies */
    uint64_t requests;
    double sum_p2, top;
};

int key_block_room(struct key_block *b, size_t bytes); /* 0 or -ENOMEM */

#endif
