/* Clusters and placements for tests: what must work works, or the whole test program gives up. */
#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H

#include "base/mem.h"
#include "placement/placement.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap.h"

static inline void must(int error, const char *why)
{
    if (error) {
        printf("Bail out! %s\n", why);
        exit(99);
    }
}

/* Whether the words of a test program's command line ask for a spec, by its strategy's name; no words ask for all. */
static inline bool asked_for(const char *spec, char *const *word)
{
    size_t n = strcspn(spec, ":");
    bool asked = !*word;
    for (; *word && !asked; word++)
        asked = strlen(*word) == n && !strncmp(*word, spec, n);
    return asked;
}

/* A file with that text in the folder for such; its name into path. To be removed. */
static inline void temporary(const char *text, char path[64])
{
    size_t len = strlen(text);
    snprintf(path, 64, "%s", P_tmpdir "/keysim-test-XXXXXX");
    int file = mkstemp(path);
    must(file < 0 || write(file, text, len) != (ssize_t)len || close(file), "no temporary file");
}

static inline const struct cluster *cluster_of(struct registry *r, const char *nodes)
{
    char why[WHY] = "";
    const struct cluster *c = NULL;
    must(cluster_read(r, nodes, false, &c, why), why);
    return c;
}

static inline const struct cluster *changed(struct registry *r, const struct cluster *before, const char *change)
{
    char why[WHY] = "";
    const struct cluster *c = NULL;
    must(cluster_change(r, before, change, false, &c, why), why);
    return c;
}

/* One spec of a text without sweeps; to be destroyed. */
static inline struct spec *spec_of(const char *text)
{
    char why[WHY] = "";
    struct spec **all = NULL;
    size_t n = 0;
    must(catalog_expand(text, &all, &n, why), why);
    must(n != 1, "a sweep");
    struct spec *spec = all[0];
    mem_free(all);
    return spec;
}

static inline struct placement *open_on_hash(const struct spec *spec, const struct cluster *c, const char *hash)
{
    char why[WHY] = "";
    struct placement *p = NULL;
    must(placement_open(&p, spec, c, &(struct keyed_hash){hash_find(hash), 0}, why), why);
    return p;
}

static inline void change_to(struct placement *p, const struct cluster *after)
{
    char why[WHY] = "";
    must(placement_change(p, after, why), why);
}

/* to be released */
static inline struct map map_of(const struct placement *p)
{
    char why[WHY] = "";
    struct map m;
    must(placement_map(p, false, &m, why), why);
    return m;
}

#endif
