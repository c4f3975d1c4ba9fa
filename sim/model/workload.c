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

/* Writes request i; its length. */
static size_t write_request(const struct workload *w, uint64_t i, char *out)
{
    const struct key_split *split = &w->split;
    uint64_t copies = split->hottest * split->copies, key, copy = 0;
    if (w->zipf) {
        key = zipf_rank(w->zipf, w->draws, i);
        if (key < split->hottest)
            copy = key_split_copy(split, i);
    } else if (i < copies) { /* each name once, those of split keys first */
        key = i / split->copies;
        copy = i % split->copies;
    } else {
        key = i - copies + split->hottest;
    }
    size_t len = key_write(&w->maker, key, out);
    return key < split->hottest ? len + key_split_write(copy, out + len) : len;
}

int workload_fill(const struct workload *w, uint64_t first, size_t n, struct key_block *b)
{
    uint64_t copies = w->split.hottest * w->split.copies;
    if (key_block_room(b, n * (w->maker.longest + (copies ? KEY_SPLIT_ROOM : 0)) + KEY_SLACK))
        return -ENOMEM;
    b->first = first;
    b->count = n;
    if (!w->zipf && first >= copies) {
        key_write_run(&w->maker, first - copies + w->split.hottest, n, b);
        return 0;
    }
    char *out = b->buffer;
    for (size_t i = 0; i < n; i++) {
        b->text[i] = out;
        b->len[i] = (uint32_t)write_request(w, first + i, out);
        out += b->len[i];
    }
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
        b->text[i] = out;
        b->len[i] = (uint32_t)key_write(&w->maker, first + i * step, out);
        out += b->len[i];
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
