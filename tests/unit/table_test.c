/* Tables: typed cells, CSV, JSON, words in columns. */
#include "base/mem.h"
#include "base/table.h"
#include "tests/tap.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct column name = {"name", COLUMN_TEXT, 0, "", "who"};
static const struct column keys = {"keys", COLUMN_COUNT, 0, "1", "how many"};
static const struct column share = {"share", COLUMN_REAL, 3, "1", "how much"};
static const struct column other = {"other", COLUMN_REAL, 3, "1", "not in the table"};
static const struct column *const columns[] = {&name, &keys, &share};

/* What write puts out. */
static char *written(const struct table *t, void (*write)(const struct table *, FILE *))
{
    static char text[8192];
    memset(text, 0, sizeof text);
    FILE *to = fmemopen(text, sizeof text - 1, "w");
    write(t, to);
    fclose(to);
    return text;
}

static void fill(struct table *t)
{
    table_row(t);
    table_text(t, &name, "a,b \"c\"\nd");
    table_count(t, &keys, UINT64_MAX);
    table_real(t, &share, -0.0001);
    table_real(t, &other, 1);
    table_row(t);
    table_row(t);
    table_text(t, &name, "caf\xc3\xa9 \xff\\\x01");
    table_count(t, &keys, 0);
    table_real(t, &share, 1.0 / 3);
    table_row(t);
    table_text(t, &name, "caf\xc3\xa9 \xff\\\x01");
    table_real(t, &share, 1e300);
    table_row(t);
    table_text(t, &name, "");
    table_real(t, &share, 1);
    table_real(t, &share, NAN);
}

static void cells(void)
{
    uint64_t before = mem_live();
    struct table *t = table_create(columns, 3);
    table_count(t, &keys, 1); /* no row yet: nothing to fill */
    ok(table_rows(t) == 0 && table_columns(t) == 3 && table_column(t, 1) == &keys, "an empty table");
    ok(strcmp(written(t, table_write_csv), "name,keys,share\n") == 0, "its header");
    ok(strcmp(written(t, table_write_json), "[]\n") == 0, "its JSON");
    fill(t);
    ok(table_rows(t) == 5, "five rows");
    ok(strcmp(table_get_text(t, 0, &name), "a,b \"c\"\nd") == 0 && table_get_count(t, 0, &keys) == UINT64_MAX, "read back");
    ok(*table_get_text(t, 1, &name) == 0 && table_get_count(t, 1, &keys) == 0 && isnan(table_get_real(t, 1, &share)), "empty cells");
    ok(table_is_empty(t, 1, &keys) && !table_is_empty(t, 2, &keys) && !table_is_empty(t, 4, &name) && table_is_empty(t, 4, &share), "empty is not 0");
    ok(isnan(table_get_real(t, 0, &other)) && isnan(table_get_real(t, 99, &share)), "outside the table");
    const char *csv = "name,keys,share\n\"a,b \"\"c\"\"\nd\",18446744073709551615,0.000\n,,\n"
                      "caf\xc3\xa9 \xff\\\x01,0,0.333\ncaf\xc3\xa9 \xff\\\x01,,\n,,\n";
    ok(strcmp(written(t, table_write_csv), csv) == 0, "CSV");
    const char *json = "[\n {\"name\": \"a,b \\\"c\\\"\\u000ad\", \"keys\": 18446744073709551615, \"share\": 0.000},\n"
                       " {\"name\": null, \"keys\": null, \"share\": null},\n"
                       " {\"name\": \"caf\xc3\xa9 \\ufffd\\\\\\u0001\", \"keys\": 0, \"share\": 0.333},\n"
                       " {\"name\": \"caf\xc3\xa9 \\ufffd\\\\\\u0001\", \"keys\": null, \"share\": null},\n"
                       " {\"name\": \"\", \"keys\": null, \"share\": null}\n]\n";
    ok(strcmp(written(t, table_write_json), json) == 0, "JSON");
    table_destroy(t);
    table_destroy(NULL);
    ok(mem_live() == before, "all freed");
}

static void growth(void)
{
    struct table *t = table_create(columns, 3);
    char text[40000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    const char *first = NULL;
    for (int i = 0; i < 5000; i++) {
        table_row(t);
        snprintf(text, 16, "%d", i);
        table_text(t, &name, text);
        first = first ? first : table_get_text(t, 0, &name);
    }
    text[4] = 'x';
    table_row(t);
    table_text(t, &name, text);
    ok(strlen(table_get_text(t, 5000, &name)) == sizeof text - 1, "a long text");
    ok(first == table_get_text(t, 0, &name) && strcmp(table_get_text(t, 4321, &name), "4321") == 0, "texts stay where they are");
    mem_fail_at(1);
    ok(table_text(t, &name, text + 1) == -ENOMEM && strcmp(table_get_text(t, 5000, &name), text) == 0, "no memory: the cell stays");
    size_t rows = table_rows(t), added = 0;
    int error = 0;
    while (!error && added < 100000) {
        mem_fail_at(1);
        error = table_row(t);
        added++;
    }
    mem_fail_at(0);
    ok(error == -ENOMEM && table_rows(t) == rows + added - 1, "no memory: the rows stay");
    table_destroy(t);
}

static void words(void)
{
    static const char *const cells[] = {"node", "share", "x", "caf\xc3\xa9", "0.1", "12345", "a\x1b", "0.25", ""};
    char text[256] = "";
    FILE *to = fmemopen(text, sizeof text - 1, "w");
    words_write(cells, 3, 3, to);
    fclose(to);
    const char *want = "node   share      x\ncaf\xc3\xa9     0.1  12345\na\\x1B   0.25       \n";
    ok(strcmp(text, want) == 0, "words are aligned by characters");
}

int main(void)
{
    cells();
    growth();
    words();
    return tap_done();
}
