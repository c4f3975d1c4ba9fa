/* command_line() on a copy of the words and, added to them, where the output goes. */
#include "commands/inner.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
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

int inner_words(struct texts *words, ...)
{
    int e = 0;
    va_list list;
    va_start(list, words);
    for (const char *word; !e && (word = va_arg(list, const char *));)
        e = inner_add(words, word, strlen(word));
    va_end(list);
    return e;
}

int inner_common(struct texts *words, const struct args *a)
{
    const struct command *c = command_find(words->item[0]);
    char number[24];
    int e = 0;
    if (command_takes(c, 'H') && strcmp(a->hash, HASH_DEFAULT))
        e = inner_words(words, "-H", a->hash, NULL);
    if (!e && a->seed != 1) {
        snprintf(number, sizeof number, "%" PRIu64, a->seed);
        e = inner_words(words, "--seed", number, NULL);
    }
    return !e && a->percent && command_takes(c, FLAG_PERCENT) ? inner_add(words, "--percent", 9) : e;
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
        to = text_shell_word(words->item[i], to);
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
    char own[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", own, sizeof own - 1);
    if (len <= 0)
        return false;
    own[len] = 0;
    for (int up = 0; up < 2; up++) { /* to the folder that holds bin */
        char *slash = strrchr(own, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    return snprintf(folder, size, "%s/share/keysim", own) < (int)size && !access(folder, R_OK);
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
