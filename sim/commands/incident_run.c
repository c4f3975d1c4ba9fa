/* Runs an incident: each run: is a command line of its own, each expect: a cell of the result, or a mean, difference or ratio of cells.
 *
 *   [COLUMN=VALUE ...] [mean] COLUMN[-COLUMN|/COLUMN] VALUE [within TOLERANCE] [called WORDS] [seen TEXT]
 */
#include "commands/incident.h"

#include "base/mem.h"
#include "base/option.h"
#include "base/text.h"
#include "commands/inner.h"
#include "commands/sheet.h"
#include "experiments/columns.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct expectation {
    char *quantity;   /* as written: conditions and all */
    char *where[8];   /* COLUMN=VALUE, cut at the sign: column, and behind its NUL the value */
    size_t conditions;
    bool mean;
    char *column, *other; /* other: NULL for a single column */
    char sign;            /* between them */
    const char *value, *within, *called, *seen; /* the last three: NULL when not given */
    double tolerance;
};

static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    size_t len = strcspn(word, " \t");
    *at = word + len + (word[len] != 0);
    word[len] = 0;
    return *word ? word : NULL;
}

/* `text` is cut; the quantity is copied from `whole`, the same uncut. */
static const char *parse(struct expectation *x, char *text, const char *whole)
{
    char *at = text, *word, *sign;
    while ((word = next_word(&at)) && (sign = strchr(word, '='))) {
        if (x->conditions == sizeof x->where / sizeof *x->where)
            return "has too many conditions";
        *sign = 0;
        x->where[x->conditions++] = word;
    }
    x->mean = word && !strcmp(word, "mean");
    x->column = x->mean ? next_word(&at) : word;
    if (!x->column || !(x->value = next_word(&at)))
        return "wants a column and its value: [COLUMN=VALUE ...] COLUMN VALUE [within TOLERANCE] [called WORDS] [seen TEXT]";
    size_t from = strspn(whole, " \t"), to = (size_t)(x->column - text) + strlen(x->column);
    if (!(x->quantity = mem_copy(whole + from, to - from)))
        return "no memory";
    if ((x->other = strpbrk(x->column, "-/"))) {
        x->sign = *x->other;
        *x->other++ = 0;
    }
    if ((word = next_word(&at)) && !strcmp(word, "within")) {
        double value;
        if (!(x->within = next_word(&at)) || text_real(x->within, strlen(x->within), &x->tolerance) || x->tolerance < 0)
            return "wants a number behind 'within'";
        if (text_real(x->value, strlen(x->value), &value))
            return "says 'within' of what is no number";
        word = next_word(&at);
    } else if (x->mean || x->other) {
        return "wants 'within TOLERANCE' where it computes";
    }
    if (word && !strcmp(word, "called")) {
        char *seen = strstr(at, " seen ");
        x->called = at + strspn(at, " \t");
        if (!seen)
            return NULL;
        *seen = 0;
        seen[5] = 0;
        word = seen + 1;
        at = seen + 6;
    }
    if (word && strcmp(word, "seen"))
        return "has words behind its value that are none of 'within TOLERANCE', 'called WORDS', 'seen TEXT'";
    x->seen = word ? at + strspn(at, " \t") : NULL;
    return NULL;
}

static int check_column(const struct sheet *s, const char *column, char why[WHY])
{
    const char *known[SHEET_COLUMNS];
    for (size_t k = 0; k < s->columns; k++) {
        known[k] = sheet_name(s, k);
        if (!strcmp(known[k], column))
            return 0;
    }
    return fail_unknown(why, "column", column, known, s->columns);
}

static bool row_fits(const struct expectation *x, const struct sheet *s, size_t row)
{
    for (size_t k = 0; k < x->conditions; k++)
        if (!sheet_is(s, row, x->where[k], x->where[k] + strlen(x->where[k]) + 1))
            return false;
    return true;
}

static double row_value(const struct expectation *x, const struct sheet *s, size_t row)
{
    double one = sheet_real(s, row, x->column), two = x->other ? sheet_real(s, row, x->other) : 0;
    return !x->other ? one : x->sign == '-' ? one - two : one / two;
}

/* What the result says: the cell as it stands, or what is computed from cells. */
static int look(const struct expectation *x, const struct sheet *s, char text[256], double *number, char why[WHY])
{
    size_t rows = 0, row = 0;
    double sum = 0;
    int e = check_column(s, x->column, why);
    if (!e && x->other)
        e = check_column(s, x->other, why);
    for (size_t k = 0; k < x->conditions && !e; k++)
        e = check_column(s, x->where[k], why);
    if (e)
        return e;
    for (size_t r = 0; r < s->rows; r++)
        if (row_fits(x, s, r)) {
            row = r;
            rows++;
            sum += row_value(x, s, r);
        }
    if (rows == 0 || (rows > 1 && !x->mean))
        return fail(why, EINVAL, "'%s' fits %zu rows of the result%s", x->quantity, rows, rows ? "; say which, or 'mean'" : "");
    *number = sum / (double)rows;
    if (x->mean || x->other)
        text_fixed(*number, 6, text);
    else
        snprintf(text, 256, "%s", sheet_text(s, row, x->column));
    return 0;
}

static bool is_met(const struct expectation *x, const char *text, double number)
{
    double value;
    if (!x->within)
        return !strcmp(text, x->value);
    return !text_real(x->value, strlen(x->value), &value) && fabs(number - value) <= x->tolerance + 1e-12;
}

static int add_row(const struct incident *i, const struct expectation *x, const char *command, const char *computed, bool met, struct table *t)
{
    int e = table_row(t) || table_text(t, COL(incident), i->name) || table_text(t, COL(title), i->field[INCIDENT_TITLE]) ||
            table_text(t, COL(report), i->field[INCIDENT_REPORT]) || table_text(t, COL(kind), i->field[INCIDENT_KIND]) ||
            table_text(t, COL(command), command) || table_text(t, COL(quantity), x->called ? x->called : x->quantity) ||
            table_text(t, COL(seen), x->seen ? x->seen : "") || table_text(t, COL(expected), x->value) ||
            table_text(t, COL(tolerance), x->within ? x->within : "") || table_text(t, COL(computed), computed) ||
            table_text(t, COL(verdict), met ? "reproduced" : "differs") || table_text(t, COL(theory), i->field[INCIDENT_THEORY]) ||
            table_text(t, COL(cause), i->field[INCIDENT_CAUSE]) || table_text(t, COL(cure), i->field[INCIDENT_CURE]);
    table_count(t, COL(schema), SCHEMA_VERSION);
    return e ? -ENOMEM : 0;
}

static int expect(const struct incident *i, const char *whole, const struct sheet *s, const char *command, struct table *t, size_t *wrong, char why[WHY])
{
    struct expectation x = {0};
    char *text = mem_copy(whole, strlen(whole)), computed[256];
    double number = NAN;
    const char *mistake = text ? parse(&x, text, whole) : "no memory";
    int e = mistake ? fail(why, strcmp(mistake, "no memory") ? EINVAL : ENOMEM, "expect: %s", mistake) : look(&x, s, computed, &number, why);
    if (!e) {
        bool met = is_met(&x, computed, number);
        *wrong += !met;
        e = add_row(i, &x, command, computed, met, t) ? fail(why, ENOMEM, "no memory for incidents") : 0;
    }
    mem_free(x.quantity);
    mem_free(text);
    return e;
}

/* The commands that a run: may be: results that are the same each time, in rows. */
static int check_command(const char *command, char why[WHY])
{
    static const char *const known[] = {"where", "balance", "remap", "ranges", "hash", "compare"};
    size_t n = sizeof known / sizeof *known;
    for (size_t k = 0; k < n; k++)
        if (!strcmp(known[k], command))
            return 0;
    return fail_unknown(why, "command for run:", command, known, n);
}

static int run(const char *text, const struct args *a, char *scratch, struct sheet **sheet, char **command, char why[WHY])
{
    struct texts words = {0};
    int e = 0;
    for (size_t len; *(text += strspn(text, " \t")) && !e; text += len)
        if (inner_add(&words, text, len = strcspn(text, " \t")))
            e = fail(why, ENOMEM, "no memory for a command");
    if (!e)
        e = check_command(words.item[0], why);
    if (!e && !(*command = inner_text(&words)))
        e = fail(why, ENOMEM, "no memory for a command");
    if (!e)
        e = inner_run(&words, a, scratch, why);
    if (e >= 0)
        e = sheet_read(sheet, scratch, why);
    inner_release(&words);
    return e;
}

int incident_run(const struct incident *i, const struct args *a, char *scratch, struct table *t, size_t *wrong, char why[WHY])
{
    struct sheet *sheet = NULL;
    char *command = NULL;
    int e = 0;
    for (size_t k = 0; k < i->steps && !e; k++) {
        if (i->step[k].is_run) {
            sheet_destroy(sheet);
            mem_free(command);
            sheet = NULL;
            command = NULL;
            e = run(i->step[k].text, a, scratch, &sheet, &command, why);
        } else {
            e = expect(i, i->step[k].text, sheet, command, t, wrong, why);
        }
        if (e)
            fail(why, -e, "%s line %u: %s", i->path, i->step[k].line, why);
    }
    sheet_destroy(sheet);
    mem_free(command);
    return e;
}
