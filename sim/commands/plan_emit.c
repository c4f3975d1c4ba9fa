/* The slots that change hands: as rows, or as a shell script that moves them in a Redis Cluster, slot by slot, as its documentation of CLUSTER SETSLOT
 * says: IMPORTING at the receiver, MIGRATING at the giver, MIGRATE for the keys, NODE at both. The nodes are asked for their ids when it runs, so
 * addresses are all it needs; keys go from reply to command in redis-cli's own quoting, so any bytes do. */
#include "commands/plan_parts.h"

#include "commands/keys.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REDIS_SLOTS = 16384 };

static struct field name_field(const struct plan *p, uint32_t id)
{
    const char *name = id == NO_NODE ? "-" : registry_name(p->study->registry, id);
    return (struct field){name, strlen(name), id != NO_NODE};
}

static void write_ranges(struct rows *rows, const struct plan *p, size_t step, const struct plan_slots *item, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char number[3][24];
        struct field field[5];
        size_t at = 0;
        const uint64_t value[] = {step + 1, item[i].first, item[i].last};
        for (int k = p->steps == 1; k < 3; k++) {
            int len = snprintf(number[k], sizeof number[k], "%" PRIu64, value[k]);
            field[at++] = (struct field){number[k], (size_t)len, false};
        }
        field[at++] = name_field(p, item[i].from);
        field[at] = name_field(p, item[i].to);
        rows_write(rows, field);
    }
}

static void say_slots(const struct plan *p, uint64_t cells, FILE *to)
{
    uint64_t moving = 0;
    char why[WHY];
    if (p->steps == 1 && !plan_slots_moving(p, &moving, why))
        fprintf(to, "%" PRIu64 " of %" PRIu64 " slots change hands: from first to last, both included\n", moving, cells);
    else
        fprintf(to, "slots change hands in %zu steps: from first to last, both included\n", p->steps);
}

int plan_emit_slots(const struct args *a, const struct plan *p, char why[WHY])
{
    static const char *const heading[] = {"step", "first", "last", "from", "to"};
    bool one = p->steps == 1, open = false;
    struct rows rows = {0};
    int e = 0;
    for (size_t k = 0; k < p->steps && !e; k++) {
        struct plan_slots *item;
        size_t n;
        uint64_t cells;
        e = plan_slots(p, k, &item, &n, &cells, why);
        if (!e && !open) {
            e = rows_open(&rows, a, heading + one, 5 - one, false, why);
            open = !e;
            e = e ? e : rows_align(&rows, why);
            if (!e && rows.aligned)
                say_slots(p, cells, rows.out.file);
        }
        if (!e)
            write_ranges(&rows, p, k, item, n);
        mem_free(item);
    }
    if (e && open)
        rows_abandon(&rows);
    return e ? e : rows_close(&rows, why);
}

/* Whether a name is HOST:PORT, and safe between quotes. */
static bool is_address(const char *name)
{
    const char *colon = strrchr(name, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    return colon > name && digits && !colon[1 + digits] &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:-_") == strlen(name);
}

/* One shell variable a node that takes part, with its address. */
static void write_nodes(const struct plan *p, const bool *part, FILE *to)
{
    bool unknown = false;
    fputs("# The nodes, HOST:PORT.\n", to);
    for (uint32_t id = 0; id < p->ids; id++) {
        if (!part[id])
            continue;
        const char *name = registry_name(p->study->registry, id);
        char shown[80];
        bool known = is_address(name);
        fprintf(to, "n%" PRIu32 "='%s'", id, known ? name : "");
        fprintf(to, known ? "\n" : " # fill in: %s\n", text_printable(name, strlen(name), shown, sizeof shown));
        unknown |= !known;
    }
    fputc('\n', to);
    for (uint32_t id = 0; unknown && id < p->ids; id++)
        if (part[id] && !is_address(registry_name(p->study->registry, id)))
            fprintf(to, "[ \"$n%" PRIu32 "\" ] || { echo 'fill in the addresses at the top' >&2; exit 2; }\n", id);
    if (unknown)
        fputc('\n', to);
}

static const char functions[] =
    "die() { echo \"$*\" >&2; exit 1; }\n"
    "ask() { node=$1; shift; redis-cli -h \"${node%:*}\" -p \"${node##*:}\" \"$@\"; }\n"
    "tell() { answer=$(ask \"$@\"); [ \"$answer\" = OK ] || die \"$*: $answer\"; }\n"
    "\n"
    "move() { # FIRST LAST FROM TO\n"
    "    giver=$(ask \"$3\" CLUSTER MYID)\n"
    "    receiver=$(ask \"$4\" CLUSTER MYID)\n"
    "    echo \"slots $1-$2 from $3 to $4\"\n"
    "    slot=$1\n"
    "    while [ \"$slot\" -le \"$2\" ]; do\n"
    "        answer=$(ask \"$4\" CLUSTER SETSLOT \"$slot\" IMPORTING \"$giver\")\n"
    "        case $answer in\n"
    "        OK) move_slot \"$slot\" \"$3\" \"$4\" ;;\n"
    "        *'already the owner'*) ;;\n"
    "        *) die \"$4: slot $slot: $answer\" ;;\n"
    "        esac\n"
    "        slot=$((slot + 1))\n"
    "    done\n"
    "}\n"
    "\n"
    "move_slot() { # SLOT FROM TO\n"
    "    patience=30\n"
    "    tell \"$2\" CLUSTER SETSLOT \"$1\" MIGRATING \"$receiver\"\n"
    "    while keys=$(ask \"$2\" --no-raw CLUSTER GETKEYSINSLOT \"$1\" 100 | sed -n 's/^ *[0-9]*) //p' | tr '\\n' ' '); [ \"$keys\" ]; do\n"
    "        answer=$(printf 'MIGRATE %s %s \"\" 0 60000 KEYS %s\\n' \"${3%:*}\" \"${3##*:}\" \"$keys\" | ask \"$2\")\n"
    "        case $answer in\n"
    "        OK | NOKEY) patience=30 ;;\n"
    "        *CLUSTERDOWN* | *TRYAGAIN*) # a node that gets its first slot waits before it answers\n"
    "            patience=$((patience - 1))\n"
    "            [ $patience -gt 0 ] || die \"$2: slot $1: $answer\"\n"
    "            sleep 1 ;;\n"
    "        *) die \"$2: slot $1: $answer\" ;;\n"
    "        esac\n"
    "    done\n"
    "    tell \"$3\" CLUSTER SETSLOT \"$1\" NODE \"$receiver\"\n"
    "    tell \"$2\" CLUSTER SETSLOT \"$1\" NODE \"$receiver\"\n"
    "}\n";

/* The slots of all steps. */
struct moves_list {
    struct plan_slots **item; /* [steps] */
    size_t *count;
    bool *part; /* [ids]: takes part */
    bool joins; /* one that was not there before does */
    uint64_t slots;
};

static void moves_release(struct moves_list *m, const struct plan *p)
{
    for (size_t k = 0; m->item && k < p->steps; k++)
        mem_free(m->item[k]);
    mem_free(m->item);
    mem_free(m->count);
    mem_free(m->part);
}

static int moves_init(struct moves_list *m, const struct plan *p, char why[WHY])
{
    *m = (struct moves_list){mem_alloc(p->steps, sizeof *m->item), mem_alloc(p->steps, sizeof *m->count), mem_alloc(p->ids, sizeof *m->part), false, 0};
    int e = m->item && m->count && m->part ? 0 : fail(why, ENOMEM, "no memory for the slots");
    for (size_t k = 0; k < p->steps && !e; k++) {
        uint64_t cells;
        e = plan_slots(p, k, &m->item[k], &m->count[k], &cells, why);
        if (!e && cells != REDIS_SLOTS)
            e = fail(why, EINVAL, "--emit redis-cli: Redis Cluster has %d slots, and %s has %" PRIu64 ": use --emit slots", REDIS_SLOTS, p->spec->name, cells);
        for (size_t i = 0; i < m->count[k] && !e; i++) {
            const struct plan_slots *s = &m->item[k][i];
            if (s->from == NO_NODE || s->to == NO_NODE)
                return fail(why, EINVAL, "--emit redis-cli: slots %" PRIu64 "-%" PRIu64 " are no node's before or after: give them one first", s->first, s->last);
            m->part[s->from] = m->part[s->to] = true;
            m->joins |= !cluster_by_id(p->stage[0].cluster, s->to);
            m->slots += s->last - s->first + 1;
        }
    }
    return e;
}

/* With several steps the script takes the number of one, to run it alone. */
static void write_choice(const struct plan *p, FILE *to)
{
    fprintf(to, "\n# sh move.sh 2 runs step 2 alone; without a number all %zu run.\n"
                "only=${1-}\n"
                "step() { [ -z \"$only\" ] || [ \"$only\" = \"$1\" ]; }\n"
                "case $only in *[!0-9]* | 0*) die \"$only: which step? 1 to %zu\" ;; esac\n"
                "[ \"${only:-1}\" -le %zu ] || die \"$only: which step? 1 to %zu\"\n",
            p->steps, p->steps, p->steps, p->steps);
}

static void write_step(const struct plan *p, const struct moves_list *m, size_t k, FILE *to)
{
    char text[80];
    const char *change = p->stage[k + 1].text, *indent = p->steps > 1 ? "    " : "";
    fprintf(to, "\n# Step %zu of %zu: %s\n", k + 1, p->steps, text_printable(change, strlen(change), text, sizeof text));
    if (p->steps > 1)
        fprintf(to, "if step %zu; then\n    echo 'step %zu of %zu'\n", k + 1, k + 1, p->steps);
    for (size_t i = 0; i < m->count[k]; i++) {
        const struct plan_slots *s = &m->item[k][i];
        fprintf(to, "%smove %" PRIu64 " %" PRIu64 " \"$n%" PRIu32 "\" \"$n%" PRIu32 "\"\n", indent, s->first, s->last, s->from, s->to);
    }
    if (p->steps > 1)
        fputs("fi\n", to);
}

int plan_emit_redis(const struct args *a, const struct plan *p, char why[WHY])
{
    struct moves_list m;
    struct output out;
    int e = moves_init(&m, p, why);
    if (!e)
        e = output_open(&out, a->output, why);
    if (e) {
        moves_release(&m, p);
        return e;
    }
    fprintf(out.file, "#!/bin/sh\n# Moves %" PRIu64 " slots of a Redis Cluster, keys and all, with redis-cli (a password: REDISCLI_AUTH, and AUTH in MIGRATE).\n"
                      "# It may be stopped and run again: slots that have gone are passed over.\n", m.slots);
    if (m.joins)
        fputs("# New nodes must be in the cluster before: redis-cli --cluster add-node NEW_HOST:PORT ANY_HOST:PORT\n", out.file);
    fputs("set -eu\n\n", out.file);
    write_nodes(p, m.part, out.file);
    fputs(functions, out.file);
    if (p->steps > 1)
        write_choice(p, out.file);
    for (size_t k = 0; k < p->steps; k++)
        write_step(p, &m, k, out.file);
    moves_release(&m, p);
    return output_close(&out, why);
}
