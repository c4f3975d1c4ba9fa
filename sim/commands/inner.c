/* command_line() on a copy of the words and, added to them, where the output goes. */
#include "commands/inner.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDED = 10 }; /* words put behind a command's own, and the closing NULL */

int inner_add(struct texts *words, const char *text, size_t len)
{
    char *copy = mem_copy(text, len);
    if (!copy || mem_grow(&words->item, &words->capacity, words->count + 1, sizeof *words->item)) {
        mem_free(copy);
        return -ENOMEM;
    }
    words->item[words->count++] = copy;
    return 0;
}

void inner_release(struct texts *words)
{
    for (size_t i = 0; i < words->count; i++)
        mem_free(words->item[i]);
    mem_free(words->item);
    *words = (struct texts){0};
}

int inner_run(const struct texts *words, const struct args *a, char *path, char why[WHY])
{
    static char format[] = "--format", csv[] = "csv", output[] = "-o", quiet[] = "-q", threads[] = "--threads", progress[] = "--progress",
                mode[][8] = {"auto", "always", "never"};
    char number[24];
    char **argv = mem_alloc(words->count + ADDED, sizeof *argv); /* getopt reorders it */
    if (!argv)
        return fail(why, ENOMEM, "no memory for a command");
    memcpy(argv, words->item, words->count * sizeof *argv);
    char **to = argv + words->count;
    *to++ = format, *to++ = csv, *to++ = output, *to++ = path, *to++ = progress, *to++ = mode[a->progress];
    if (a->quiet)
        *to++ = quiet;
    if (a->threads) {
        snprintf(number, sizeof number, "%" PRIu64, a->threads);
        *to++ = threads, *to++ = number;
    }
    int e = command_line((int)(to - argv), argv, why);
    mem_free(argv);
    return e;
}

/* A word as a shell takes it: plain, in '...', or in $'...' where bytes do not print; at most four bytes each. Returns its end. */
static char *put_word(const char *word, char *to)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
    size_t len = strlen(word);
    bool odd = false;
    for (size_t i = 0, n; i < len && !odd; i += n) {
        n = text_utf8(word + i, len - i);
        odd = n == 0 || (n == 1 && ((unsigned char)word[i] < 32 || word[i] == 127)) || (n == 2 && word[i] == '\xc2' && (unsigned char)word[i + 1] < 0xa0);
    }
    if (len > 0 && word[strspn(word, plain)] == 0)
        return to + sprintf(to, "%s", word);
    to += sprintf(to, odd ? "$'" : "'");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)word[i];
        if (odd && (c < 32 || c > 126))
            to += sprintf(to, "\\x%02x", c);
        else if (odd && (c == '\'' || c == '\\'))
            to += sprintf(to, "\\%c", c);
        else
            to += sprintf(to, c == '\'' ? "'\\''" : "%c", c);
    }
    return to + sprintf(to, "'");
}

char *inner_text(const struct texts *words)
{
    size_t room = sizeof "keysim";
    for (size_t i = 0; i < words->count; i++)
        room += 4 * strlen(words->item[i]) + sizeof " $''";
    char *text = mem_alloc(room, 1), *to = text;
    if (!text)
        return NULL;
    to += sprintf(to, "keysim");
    for (size_t i = 0; i < words->count; i++) {
        *to++ = ' ';
        to = put_word(words->item[i], to);
    }
    return text;
}

/* folder/name, mem_freed by the caller; NULL: no memory. */
static char *joined(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = mem_alloc(size, 1);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* Where an installed program has its data: beside itself, wherever it was moved. false: it stands elsewhere, or cannot tell where. */
static bool installed_folder(char *folder, size_t size)
{
    static const char beside[] = "../share/keysim";
    char own[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", own, sizeof own - 1);
    if (len <= 0)
        return false;
    own[len] = 0;
    char *slash = strrchr(own, '/');
    return slash && snprintf(folder, size, "%.*s/%s", (int)(slash - own), own, beside) < (int)size && !access(folder, R_OK);
}

int inner_data(char **out, const char *name, char why[WHY])
{
    char installed[PATH_MAX + 32];
    const char *folder = getenv("KEYSIM_DATA");
    if (!folder || !*folder)
        folder = installed_folder(installed, sizeof installed) ? installed : KEYSIM_DATADIR;
    char *path = joined(folder, name);
    if (!path)
        return fail(why, ENOMEM, "no memory for the name of a file");
    if (access(path, R_OK)) {
        int e = fail(why, EINVAL, "%s: cannot be read: %s; KEYSIM_DATA names the folder that holds plots/ and data/", path, strerror(errno));
        mem_free(path);
        return e;
    }
    *out = path;
    return 0;
}
