/* What a quick report asks less of: marks in the words of its commands, in full and in haste. They are put in before anything else is, so that the page
 * shows them as they ran. */
#include "commands/report_words.h"

#include "base/mem.h"

#include <string.h>

/* Public reports that are computed in no time, among them those that are drawn. */
#define BRIEF_REPORTS "go-redis-812 istio-13261 istio-41814 ketama-13 skipper-1796 stathat-10 twemproxy-32"

static const struct {
    const char *mark, *full, *quick;
} paces[] = {
    {"$PATIENCE", "", "--quick"},
    {"$DRAWS", "20", "2"}, /* clusters with drawn names */
    {"$SIZES", "10..10000x10", "10..1000x10"},
    {"$SETS", "", "--placements 2"}, /* of made-up names */
    {"$STREAM", "user:count=1M,zipf=0.9,requests=1M", "user:count=100k,zipf=0.9,requests=100k"},
    {"$HELD", "10k", "1k"},
    {"$JOIN", "500k:+1", "50k:+1"},
    {"$POPULAR", "user:count=1M,zipf=1", "user:count=100k,zipf=1"},
    {"$VERIFIED", "3/24", "3"},
    {"$REPORTS", "", BRIEF_REPORTS},
    {"$FIGURES", "", "single jump add memory machine"},
};
enum { PACES = sizeof paces / sizeof *paces };

static const char *pace_of(const struct report *r, size_t i)
{
    bool given = !strcmp(paces[i].mark, "$SETS") && r->choose.names != r->choose.number;
    return r->a->quick && !given ? paces[i].quick : paces[i].full;
}

char *pace_words(const struct report *r, const char *words)
{
    size_t room = strlen(words) + 1, k;
    for (size_t i = 0; i < PACES; i++)
        room += 2 * strlen(pace_of(r, i)); /* no mark stands in a command more than twice */
    char *text = mem_alloc(room, 1), *to = text;
    for (const char *at = words; text && *at;) {
        for (k = 0; k < PACES && strncmp(at, paces[k].mark, strlen(paces[k].mark)); k++)
            ;
        if (k == PACES) {
            *to++ = *at++;
            continue;
        }
        const char *pace = pace_of(r, k);
        at += strlen(paces[k].mark);
        if (!*pace && to > text && to[-1] == ' ')
            to--; /* the word is none */
        memcpy(to, pace, strlen(pace));
        to += strlen(pace);
    }
    return text;
}

const char *pace_draws(const struct report *r) { return r->a->quick ? "2" : "20"; }
double pace_largest(const struct report *r) { return r->a->quick ? 1000 : 10000; }

void print_quick(const struct report *r, FILE *to)
{
    if (r->a->quick)
        fputs("<p class=\"lead\"><strong>This is a quick page</strong>, for a first look: fewer repetitions, clusters and sizes, so its times are rough and its "
              "averages noisy, and its PNGs are coarse. The commands show how much was asked for; without <code>--quick</code> it takes about half a minute.</p>\n",
              to);
}
