/* The table of importers, and what they share. */
#include "model/import/import.h"

#include "base/csv.h"
#include "base/mem.h"
#include "base/option.h"
#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX (64u << 20) /* bytes of a configuration */

static const struct importer *const importers[] = {&importer_cassandra, &importer_envoy, &importer_haproxy, &importer_ketama,
                                                   &importer_nginx, &importer_redis_nodes, &importer_twemproxy};
enum { IMPORTERS = sizeof importers / sizeof *importers };

const struct importer *import_find(const char *nodes)
{
    size_t len = *nodes == '@' ? strcspn(nodes, ":") : 0;
    for (size_t i = 0; i < IMPORTERS && len && nodes[len]; i++)
        if (strlen(importers[i]->name) == len - 1 && !memcmp(importers[i]->name, nodes + 1, len - 1))
            return importers[i];
    return NULL;
}

const char *cluster_format(size_t k, const char **part)
{
    *part = k < IMPORTERS ? importers[k]->part : NULL;
    return k < IMPORTERS ? importers[k]->name : NULL;
}

bool import_misspelt(const char *nodes, char why[WHY])
{
    const char *known[IMPORTERS];
    char given[32];
    size_t len = strspn(nodes + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
    if (nodes[1 + len] != ':' || len >= sizeof given || !access(nodes + 1, F_OK))
        return false;
    memcpy(given, nodes + 1, len);
    given[len] = 0;
    for (size_t i = 0; i < IMPORTERS; i++)
        known[i] = importers[i]->name;
    return fail_unknown(why, "configuration format", given, known, IMPORTERS) != 0;
}

int import_fail(const struct import *in, uint64_t line, char why[WHY], const char *format, ...)
{
    char said[WHY];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    return fail(why, EINVAL, "%s line %" PRIu64 ": %s", in->path, line, said);
}

void import_warn(struct import *in, uint64_t line, const char *format, ...)
{
    char said[WHY];
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
    if (!in->choosing)
        fail(in->warning, 0, "%s%s%s line %" PRIu64 ": %s", in->warning, *in->warning ? "; " : "", in->path, line, said);
}

bool import_part(struct import *in, const char *name)
{
    if (!in->choosing)
        return !strcmp(in->part, name);
    size_t len = strlen(in->known);
    snprintf(in->known + len, sizeof in->known - len, "%s%s", len ? ", " : "", name);
    in->parts++;
    in->matching += in->part && !strcmp(in->part, name);
    mem_free(in->only);
    in->only = mem_copy(name, strlen(name));
    return false;
}

static bool is_control(char c) { return (unsigned char)c < 32 || c == 127; }

static bool is_text(const char *text)
{
    while (*text && !is_control(*text))
        text++;
    return !*text;
}

bool import_is_word(const char *text)
{
    return *text && is_text(text) && !strchr(text, ' ');
}

int import_node(struct import *in, uint64_t line, const char *what, const char *name, uint32_t weight, const char *attributes,
                char why[WHY])
{
    if (!*name || !is_text(name))
        return import_fail(in, line, why, "%s '%s': a name is text, and not empty", what, name);
    int e = draft_add(&in->draft, name, weight, attributes);
    if (e == -EEXIST)
        return import_fail(in, line, why, "%s %s is there twice", what, name);
    return e ? fail(why, ENOMEM, "no memory for the nodes of %s", in->path) : 0;
}

int import_number(const struct import *in, uint64_t line, const char *what, const char *text, uint64_t first, uint64_t last,
                  uint64_t *value, char why[WHY])
{
    uint64_t n;
    bool digits = *text && !text[strspn(text, "0123456789")];
    if (!digits || text_count(text, strlen(text), &n) || n < first || n > last)
        return import_fail(in, line, why, "%s '%s': must be a whole number, %" PRIu64 " to %" PRIu64, what, text, first, last);
    *value = n;
    return 0;
}

int import_text(const char *path, char **out, char why[WHY])
{
    struct reader *in;
    int e = reader_open(&in, path, '\n', false, why);
    if (e)
        return e;
    char *text = NULL;
    const char *line;
    size_t size = 0, capacity = 0, len;
    while ((e = reader_line(in, &line, &len, why)) == 1) {
        bool binary = false;
        for (size_t i = 0; i < len; i++)
            binary |= is_control(line[i]) && line[i] != '\t';
        if (binary)
            e = fail(why, EINVAL, "%s line %" PRIu64 " is not text", reader_path(in), reader_line_number(in));
        else if (size + len > TEXT_MAX)
            e = fail(why, EINVAL, "%s: more than %u bytes is no configuration", reader_path(in), TEXT_MAX);
        else if (mem_grow(&text, &capacity, size + len + 2, 1))
            e = fail(why, ENOMEM, "no memory for %s", reader_path(in));
        if (e != 1)
            break;
        memcpy(text + size, line, len);
        size += len;
        text[size++] = '\n';
    }
    if (!e && size == 0)
        e = fail(why, EINVAL, "%s is empty", reader_path(in));
    reader_close(in);
    if (e) {
        mem_free(text);
        return e;
    }
    text[size] = 0;
    *out = text;
    return 0;
}

char *import_line(char **at)
{
    return **at ? strsep(at, "\n") : NULL; /* the text ends with a line end */
}

char *import_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    if (!*word)
        return NULL;
    *at = word + strcspn(word, " \t");
    if (**at)
        *(*at)++ = 0;
    return word;
}

bool import_is_address(const char *host)
{
    struct in6_addr bytes;
    return inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1;
}

/* Settles which part is meant, from a first reading. */
static int choose(struct import *in, const struct importer *i, const char *path, const char *text, char why[WHY])
{
    char *copy = mem_copy(text, strlen(text));
    if (!copy)
        return fail(why, ENOMEM, "no memory for %s", in->path);
    in->choosing = true;
    int e = i->read(in, path, copy, why);
    in->choosing = false;
    mem_free(copy);
    if (e)
        return e;
    if (in->parts == 0)
        return fail(why, EINVAL, "%s has no %s with servers", in->path, i->part);
    const char *cut = strlen(in->known) == sizeof in->known - 1 ? " ..." : "";
    if (!in->part && in->parts > 1)
        return fail(why, EINVAL, "which %s of %s? write @%s:%s#NAME; there are %s%s", i->part, in->path, i->name, path, in->known, cut);
    if (in->part && in->matching == 0)
        return fail(why, EINVAL, "%s has no %s '%s'; there are %s%s", in->path, i->part, in->part, in->known, cut);
    if (in->matching > 1)
        return fail(why, EINVAL, "%s has the %s '%s' more than once", in->path, i->part, in->part);
    if (!in->part && !(in->part = in->only))
        return fail(why, ENOMEM, "no memory for %s", in->path);
    return 0;
}

static int read_parts(struct import *in, const struct importer *i, char *path, char why[WHY])
{
    char *part = i->part ? strrchr(path, '#') : NULL, *text = NULL;
    if (part) {
        *part++ = 0;
        in->part = part;
    }
    if (!*path || (part && !*part))
        return fail(why, EINVAL, "@%s: takes a file: @%s:FILE%s", i->name, i->name, i->part ? "#NAME" : "");
    in->path = strcmp(path, "-") ? path : "standard input";
    int e = import_text(path, &text, why);
    if (!e && i->part)
        e = choose(in, i, path, text, why);
    if (!e)
        e = i->read(in, path, text, why);
    mem_free(text);
    mem_free(in->only);
    return e ? e : in->draft.count ? 0 : fail(why, EINVAL, "%s names no node", in->path);
}

/* Keeps what was read in the registry. */
static int keep(struct registry *r, struct import *in, const char *nodes, char why[WHY])
{
    struct imported *kept = mem_alloc(1, sizeof *kept);
    if (kept) {
        kept->nodes = mem_copy(nodes, strlen(nodes));
        kept->spec = mem_copy(in->spec, strlen(in->spec));
        kept->warning = mem_copy(in->warning, strlen(in->warning));
    }
    int e = kept && kept->nodes && kept->spec && kept->warning ? draft_finish(&in->draft, &kept->cluster, why)
                                                               : fail(why, ENOMEM, "no memory for the nodes of %s", in->path);
    if (e) {
        imported_release(kept);
        return e;
    }
    struct imported **list = registry_imported(r);
    kept->next = *list;
    *list = kept;
    return 0;
}

int import_read(struct registry *r, const char *nodes, const struct imported **out, char why[WHY])
{
    for (const struct imported *i = *registry_imported(r); i; i = i->next)
        if (!strcmp(i->nodes, nodes)) {
            *out = i;
            return 0;
        }
    const struct importer *i = import_find(nodes);
    const char *file = nodes + strlen(i->name) + 2;
    char *path = mem_copy(file, strlen(file));
    if (!path)
        return fail(why, ENOMEM, "no memory for %s", nodes);
    struct import in = {0};
    draft_init(&in.draft, r);
    int e = read_parts(&in, i, path, why);
    if (!e)
        e = keep(r, &in, nodes, why);
    if (e)
        draft_release(&in.draft);
    else
        *out = *registry_imported(r);
    mem_free(path);
    return e;
}

int cluster_import(struct registry *r, const char *nodes, const char **spec, const char **warning, char why[WHY])
{
    const struct imported *i;
    *spec = *warning = NULL;
    if (!import_find(nodes))
        return 0;
    int e = import_read(r, nodes, &i, why);
    if (!e) {
        *spec = i->spec;
        *warning = *i->warning ? i->warning : NULL;
    }
    return e;
}
