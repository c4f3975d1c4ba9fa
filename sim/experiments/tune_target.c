/* The target as it is written. */
#include "experiments/tune_parts.h"

#include "base/text.h"

#include <errno.h>
#include <string.h>

static const struct quantity {
    const char *name;
    const char *sign;
    double low, high;  /* bounds that can be met, and ask for something */
    const char *wants; /* what a bound must be */
} quantities[] = {
    [TARGET_MAX] = {"max/mean", "<=", 1, 1e18, "at least 1, like max/mean<=1.10: some node always has its fair share or more"},
    [TARGET_MIN] = {"min/mean", ">=", 1e-18, 1, "above 0 and at most 1, like min/mean>=0.9: some node always has its fair share or less"},
    [TARGET_CV] = {"cv", "<=", 0, 1e18, "0 or more, like cv<=0.05"},
    [TARGET_SHARE] = {"max-share", "<=", 1e-18, 1, "a share above 0 and at most 1, like max-share<=0.12"},
    [TARGET_MOVED] = {"moved", "<=", 1e-18, 1, "a share above 0 and at most 1, like moved<=0.1"},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

int target_parse(const char *text, struct target *out, char why[WHY])
{
    for (size_t i = 0; i < QUANTITIES; i++) {
        const struct quantity *q = &quantities[i];
        size_t len = strlen(q->name);
        const char *name = text + strspn(text, " "), *sign = name + len;
        if (strncmp(name, q->name, len))
            continue;
        sign += strspn(sign, " ");
        if (!strchr("<>=", *sign))
            continue;
        const char *number = sign + strspn(sign, "<>="), *like = strstr(q->wants, q->name);
        int like_len = (int)strcspn(like, ":");
        if (strncmp(sign, q->sign, 2) || number != sign + 2)
            return fail(why, EINVAL, "--target '%s': %s takes %s, like %.*s", text, q->name, q->sign, like_len, like);
        number += strspn(number, " ");
        size_t digits = strcspn(number, " ");
        if (number[digits + strspn(number + digits, " ")] || text_real(number, digits, &out->bound))
            return fail(why, EINVAL, "--target '%s': '%s' is no number; %s takes one, like %.*s", text, number, q->name, like_len, like);
        if (out->bound < q->low || out->bound > q->high)
            return fail(why, EINVAL, "--target '%s' cannot be: the bound must be %s", text, q->wants);
        out->what = (enum target_what)i;
        return 0;
    }
    return fail(why, EINVAL, "--target '%s': must be one of max/mean<=X, min/mean>=X, cv<=X, max-share<=X, moved<=X, like max/mean<=1.10", text);
}
