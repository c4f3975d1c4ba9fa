/* What the tests of workloads share. */
#ifndef TESTS_WORKLOADS_H
#define TESTS_WORKLOADS_H

#include "base/mem.h"
#include "model/workload.h"
#include "tests/tap.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char why[WHY];

static inline struct workload *open_or_die(const char *text, uint64_t seed)
{
    struct workload *w = NULL;
    if (workload_open_text(&w, text, seed, why)) {
        printf("Bail out! %s: %s\n", text, why);
        exit(1);
    }
    return w;
}

static inline bool is_number(const char *text, size_t len, uint64_t number)
{
    char want[24];
    int n = snprintf(want, sizeof want, "%" PRIu64, number);
    return len == (size_t)n && memcmp(text, want, len) == 0;
}

static inline void refused(const char *text, const char *part)
{
    struct workload *w = NULL;
    int error = workload_open_text(&w, text, 1, why);
    ok(error == -EINVAL && !w && strstr(why, part), "%.60s is refused: %.100s", text, error ? why : "(it is not)");
}

/* Each allocation of opening and the first block failing in turn is -ENOMEM, and leaks nothing. */
static inline void memory_may_be_short(const char *text)
{
    uint64_t live = mem_live();
    unsigned clean = 0, failed = 0;
    for (uint64_t nth = 1; nth <= 30; nth++) {
        struct workload *w = NULL;
        struct key_block b;
        mem_fail_at(nth);
        int error = workload_open_text(&w, text, 1, why);
        if (!error && !(error = key_block_init(&b))) {
            error = workload_is_random_access(w) ? workload_fill(w, 0, 10, &b) : workload_next(w, &b, why);
            key_block_release(&b);
        }
        mem_fail_at(0);
        workload_close(w);
        clean += mem_live() == live && (error == 0 || error == -ENOMEM);
        failed += error == -ENOMEM;
    }
    ok(clean == 30 && failed > 5, "%.20s: each failing allocation is -ENOMEM and leaks nothing (%u of 30 did fail)", text, failed);
}

#endif
