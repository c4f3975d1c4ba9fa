/* Workloads: blocks of keys.
 *
 * A generated workload is a key maker (workload_keys.c) and, where keys have a popularity, a
 * Zipf sampler that says which key request i asks for; without one, request i is key i. Both
 * are pure functions of (seed, i), so any block can be made by any thread. A file
 * (workload_file.c) comes block by block. Cost: the file heads of the three say. */
#include "model/workload_parts.h"
#include "base/mem.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int key_block_init(struct key_block *b)
{
    *b = (struct key_block){
        .text = mem_alloc(KEY_BLOCK, sizeof *b->text),
        .len = mem_alloc(KEY_BLOCK, sizeof *b->len),
        .line = mem_alloc(KEY_BLOCK, sizeof *b->line),
    };
    if (b->text && b->len && b->line && key_block_room(b, KEY_BLOCK) == 0)
        return 0;
    key_block_release(b);
    return -ENOMEM;
}

void key_block_release(struct key_block *b)
{
    mem_free(b->text);
    mem_free(b->len);
    mem_free(b->line);
    mem_free(b->amount);
    mem_free(b->buffer);
    *b = (struct key_block){0};
}

int key_block_room(struct key_block *b, size_t bytes)
{
    return bytes <= b->room ? 0 : mem_grow(&b->buffer, &b->room, bytes, 1);
}

void workload_close(struct workload *w)
{
    if (!w)
        return;
    if (w->file)
        key_file_close(w->file);
    mem_free(w->zipf);
    mem_free(w->text);
    mem_free(w);
}

const char *workload_text(const struct workload *w)
{
    return w->text;
}

const char *workload_load(const struct workload *w)
{
    return w->file ? (key_file_is_once(w->file) ? "keys" : "requests") : w->zipf ? "requests" : "keys";
}

int workload_has_sizes(const struct workload *w)
{
    return w->file && key_file_has_sizes(w->file);
}

uint64_t workload_requests(const struct workload *w)
{
    return w->requests;
}

uint64_t workload_distinct(const struct workload *w)
{
    return w->file ? key_file_tally(w->file)->used : w->keys;
}

double workload_sum_p2(const struct workload *w)
{
    return w->file ? tally_sum_p2(&key_file_tally(w->file)->requests) : w->sum_p2;
}

double workload_top_share(const struct workload *w)
{
    return w->file ? tally_top_share(&key_file_tally(w->file)->requests) : w->top;
}

double workload_bytes_sum_p2(const struct workload *w)
{
    return tally_sum_p2(&key_file_tally(w->file)->amount);
}

double workload_bytes_top_share(const struct workload *w)
{
    return tally_top_share(&key_file_tally(w->file)->amount);
}

int workload_is_drawn(const struct workload *w, uint64_t *keys, double *zipf)
{
    if (!w->zipf || w->split.hottest)
        return 0;
    *keys = w->zipf->count;
    *zipf = w->zipf->s;
    return 1;
}

int workload_is_random_access(const struct workload *w)
{
    return !w->file;
}

enum { NUMBERS = 256 }; /* that wait at a time for their text: small beside the nearest cache */

/* Which keys requests first .. first+n-1 are for, and of split ones, which copy. */
static void keys_of(const struct workload *w, uint64_t first, size_t n, uint64_t *key, uint64_t *copy)
{
    const struct key_split *split = &w->split;
    uint64_t copies = split->hottest * split->copies;
    if (w->zipf)
        zipf_ranks(w->zipf, w->draws, first, n, key);
    for (size_t i = 0; !w->zipf && i < n; i++)
        key[i] = first + i < copies ? (first + i) / split->copies : first + i - copies + split->hottest; /* each name once, those of split keys first */
    for (size_t i = 0; split->hottest && i < n; i++)
        if (key[i] < split->hottest)
            copy[i] = w->zipf ? key_split_copy(split, first + i) : (first + i) % split->copies;
}

static char *write_requests(const struct workload *w, uint64_t first, size_t n, char *out, const void **text, uint32_t *len)
{
    uint64_t key[NUMBERS], copy[NUMBERS];
    keys_of(w, first, n, key, copy);
    if (!w->split.hottest)
        return key_write(&w->maker, key, n, out, text, len);
    for (size_t i = 0; i < n; i++) {
        out = key_write(&w->maker, key + i, 1, out, text + i, len + i);
        if (key[i] < w->split.hottest) {
            size_t more = key_split_write(copy[i], out);
            len[i] += (uint32_t)more;
            out += more;
        }
    }
    return out;
}

int workload_fill(const struct workload *w, uint64_t first, size_t n, struct key_block *b)
{
    if (key_block_room(b, n * (w->maker.longest + (w->split.hottest ? KEY_SPLIT_ROOM : 0)) + KEY_SLACK))
        return -ENOMEM;
    b->first = first;
    b->count = n;
    char *out = b->buffer;
    if (!w->zipf && !w->split.hottest && key_runs(&w->maker))
        key_write_run(&w->maker, first, n, out, b->text, b->len);
    else
        for (size_t at = 0; at < n; at += NUMBERS)
            out = write_requests(w, first + at, n - at < NUMBERS ? n - at : NUMBERS, out, b->text + at, b->len + at);
    return 0;
}

int workload_keys(const struct workload *w, uint64_t first, uint64_t step, size_t n, struct key_block *b)
{
    if (key_block_room(b, n * w->maker.longest + KEY_SLACK))
        return -ENOMEM;
    b->first = first;
    b->count = n;
    char *out = b->buffer;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = first + i * step;
        out = key_write(&w->maker, &key, 1, out, b->text + i, b->len + i);
    }
    return 0;
}

int workload_next(struct workload *w, struct key_block *b, char why[WHY])
{
    return key_file_next(w->file, b, why);
}

int workload_rewind(struct workload *w, char why[WHY])
{
    return w->file ? key_file_rewind(w->file, why) : 0;
}

int workload_each_once(struct workload *w, char why[WHY])
{
    if (w->file)
        return key_file_each_once(w->file, why);
    mem_free(w->zipf);
    w->zipf = NULL;
    w->requests = w->keys;
    w->sum_p2 = w->top = 1 / (double)w->keys;
    return 0;
}

void workload_where(const struct workload *w, const struct key_block *b, size_t i, char *out, size_t size)
{
    if (w->file)
        snprintf(out, size, "%s line %" PRIu64, key_file_path(w->file), b->line[i]);
    else
        snprintf(out, size, "%s request %" PRIu64, w->text, b->first + i + 1);
}
