/* What the parts of the report share. The flow: steps run and write CSV files; sheets read them back; chart data, sentences
 * and tables come from the sheets alone; gnuplot draws; the page is filled; all files move to their final names. */
#ifndef COMMANDS_REPORT_H
#define COMMANDS_REPORT_H

#include "commands/args.h"
#include "commands/report_choose.h"
#include "commands/report_field.h"
#include "commands/report_trouble.h"
#include "commands/sheet.h"

enum report_step {
    STEP_RING_1, STEP_RING_10, STEP_RING_150, /* arcs */
    STEP_NODES,                               /* load of each node */
    STEP_BAND, STEP_KEYS,                     /* evenness against vnodes: many placements; the nodes and keys given */
    STEP_GROW, STEP_LEAVE, STEP_YOURS,        /* remap */
    STEP_EVEN, STEP_EVEN_KEYS,                /* the whole field: balance, by shares and by keys */
    STEP_MOVES, STEP_MOVES_KEYS,              /* remap as a node joins, by maps and by keys */
    STEP_VICTIMS, STEP_VICTIMS_KEYS,          /* and as each node leaves */
    STEP_TUNE, STEP_TUNE_TIME,                /* how many points a node a target needs, and their time */
    STEP_FAIL, STEP_NAMES,                    /* two nodes fail; the hash of the nodes' names */
    STEP_RESIZE, STEP_RESIZE_MODULO,          /* who gives how much to whom */
    STEP_DIE, STEP_DIE_COPIES, STEP_DIE_LOADED, /* a node dies: what is left, by what nodes can bear */
    STEP_CASCADE_1, STEP_CASCADE_150,         /* one such death, step by step */
    STEP_RECEIVERS,                           /* who gets the dead node's load */
    STEP_COLD, STEP_TRACE,                    /* a node joins caches: popular keys, and a recorded trace */
    STEP_HOT, STEP_HOT_SPLIT,                 /* hot keys, and the hottest in several copies */
    STEP_INCIDENTS,                           /* public reports */
    STEP_VERIFY,                              /* strategies held to their theory */
    STEP_LATENCY, STEP_NEIGHBOUR, STEP_COST, STEP_HASHES, STEP_BENCH, /* timed */
    STEPS
};

struct report {
    const struct args *a;
    const char *nodes;
    uint32_t size;   /* how many nodes */
    uint64_t weight; /* their weights' sum */
    uint64_t requests; /* how many keys; 0: a file, not counted yet */
    struct field field; /* every algorithm */
    struct choose choose; /* what "choose a replica count" tries */
    struct trouble trouble; /* and "when a node dies" and what follows it */
    char *dir, *staging;
    bool made_dir;
    int lock;       /* the staging folder, held as long as it is in use */
    struct texts word[STEPS]; /* each step's command line, without where its output goes; none: nothing to run */
    char *sweep;              /* the vnodes that are tried */
    char count[24];           /* keys where a strategy can only be sampled */
    struct sheet *peers;      /* --peers; NULL: not given */
    struct sheet *sheet[STEPS];
    char *refused[STEPS]; /* why a command would not run on these nodes */
};

/* Steps (report_steps.c). */
int steps_open(struct report *r, char why[WHY]);
void steps_close(struct report *r);
int steps_run(struct report *r, char why[WHY]);          /* runs all and reads their sheets */
const char *step_file(enum report_step step);            /* "balance-nodes.csv" */
bool step_find(const char *file, enum report_step *step); /* by its name without .csv */
const char *step_kind(const struct report *r, enum report_step step); /* "exact", "sampled", "checked" or "timed" */
bool step_is_run(const struct report *r, enum report_step step);      /* not where no strategy asks for it */
char *step_text(const struct report *r, enum report_step step); /* as a person would type it; mem_freed by the caller; NULL: no memory */

/* How much is asked for (report_pace.c). */
char *pace_words(const struct report *r, const char *words); /* with its marks replaced; to be mem_freed; NULL: no memory */
const char *pace_draws(const struct report *r);              /* clusters of the field's evenness */
double pace_largest(const struct report *r);                 /* nodes of the largest that is timed */

/* A word of a step's command that stands for another. */
struct mark {
    const char *mark, *text; /* "$TRIALS"; NULL: stands for nothing here */
};
const char *mark_text(const struct mark *all, size_t n, const char *mark, size_t len); /* NULL: not one of these */

/* What "choose a replica count" tries (report_choose.c). */
void choose_open(struct report *r);
bool choose_skips(const struct report *r, enum report_step step); /* a command that these nodes are too many or too few for */
bool choose_may_refuse(enum report_step step); /* one that may find the nodes unfit, for the page to say */

/* What "when a node dies" and what follows it try (report_trouble.c). victim: the node that the cascade's picture kills. */
int trouble_open(struct report *r, const char *victim, char why[WHY]); /* 0, -EINVAL, -ENOMEM, -EIO */
void trouble_close(struct report *r);
bool trouble_skips(const struct report *r, enum report_step step);
bool trouble_may_refuse(enum report_step step);

/* Files (report_files.c). All are made in the staging folder. */
int files_open(struct report *r, char why[WHY]);    /* makes the folders, clears what killed reports left */
int files_publish(struct report *r, char why[WHY]); /* moves all to their final names, the page last */
void files_close(struct report *r);                 /* removes the staging folder, and after a failure an empty folder it made */
char *files_path(const struct report *r, const char *name, const char *ending); /* to be mem_freed; NULL: no memory */

/* Charts (report_charts.c, report_data.c). */
enum { CHARTS = 26 };
extern const char *const chart_names[CHARTS];
#define GNUPLOT_CURE "apt-get install gnuplot-nox (dnf install gnuplot, brew install gnuplot, pacman -S gnuplot)"
int charts_gnuplot(char version[64], char why[WHY]); /* 0; -EINVAL: not there; another negative errno: it fails */
int charts_check(char why[WHY]); /* before anything runs: gnuplot and the scripts are there */
int charts_data(const struct report *r, char why[WHY]);
const char *charts_data_file(size_t k); /* the names of what that writes, k from 0; NULL: no more */
int charts_draw(const struct report *r, char why[WHY]);

/* How fast is fast (report_fast.c). */
int fast_open(struct report *r, char why[WHY]);        /* reads --peers. 0, -EINVAL, -ENOMEM, -EIO */
int fast_write(const struct report *r, char why[WHY]); /* a copy of it beside the page */

/* Words (report_words.c): what a mark of the page stands for, as HTML. False: there is no such mark. */
bool words_print(const struct report *r, const char *mark, FILE *to);

/* The page (report_page.c) and the machine (report_machine.c). */
int page_write(const struct report *r, char why[WHY]);
int machine_write(const struct report *r, char why[WHY]);
void machine_print(FILE *to); /* rows of an HTML table */
void html_text(const char *text, FILE *to); /* escaped; bytes that are no text as \xNN */

/* Numbers of the sheets that more than one part needs. NaN: not there. */
double sheet_at(const struct sheet *s, const char *strategy, const char *value, double nodes, const char *column); /* value "": none swept */
double ring_value(const struct report *r, enum report_step step, const char *vnodes, const char *column);
double strategy_value(const struct report *r, enum report_step step, const char *strategy, const char *column);

#endif
