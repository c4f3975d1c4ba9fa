/* The trade-off of the field on 100 nodes: how even against how long a look-up takes, a dot a strategy, its size the memory.
 *
 * Labels are laid out here, in the picture's own units, since gnuplot puts them where they fall: from left to right each takes the
 * cheapest place around its dot, and a line leads to it where that is not near. pareto.gp has the same frame. */
#include "commands/report_data.h"
#include "commands/report_words.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The plot's frame in units of the picture (600 wide), y downwards; a letter's width and a line's height. */
static const double WIDE = 508, HIGH = 330, LETTER = 8.2, LINE = 17;
#define EVEN_FLOOR 1e-5 /* what is even to this is drawn as exact */
#define MUCH 2.0        /* who moves more than so many times what it must is no choice where data moves */
#define TIE 1.05        /* times this near are one */

enum kind { KIND_FRONT, KIND_OTHER, KIND_MOVES };

struct dot {
    const char *name;
    double ns, excess, bytes, moves;
    enum kind kind;
    bool sampled;
    double x, y, radius;                /* in the picture */
    double left, top, right, bottom;    /* its label; right > left: placed */
    double lead_x, lead_y;              /* where the line from the dot to the label ends; the dot itself: no line */
};

static const double nodes = 100;

static size_t collect(const struct report *r, struct dot *dot)
{
    size_t n = 0;
    for (size_t i = 0; i < r->field.rows; i++) {
        struct dot d = {.name = r->field.row[i].strategy->name, .ns = field_time(r, i, nodes, "lookup_ns"),
                        .excess = field_even(r, i, nodes, "max_over_mean") - 1, .bytes = field_cost(r, i, nodes, "memory_bytes"),
                        .moves = field_moves(r, i, nodes, "excess"), .sampled = field_is_sampled(r, i)};
        if (!(r->field.row[i].is & FIELD_FLOOR) && d.ns > 0 && !isnan(d.excess) && !isnan(d.bytes))
            dot[n++] = d;
    }
    return n;
}

static bool is_better(const struct dot *a, const struct dot *b)
{
    bool faster = a->ns * TIE < b->ns, as_fast = a->ns <= b->ns * TIE;
    bool evener = a->excess < 0.9 * b->excess - EVEN_FLOOR, as_even = a->excess <= b->excess + EVEN_FLOOR;
    return (faster && as_even) || (as_fast && evener);
}

/* On the front: none that moves about what it must is better in one and as good in the other. */
static void find_front(struct dot *dot, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dot[i].kind = dot[i].moves > MUCH ? KIND_MOVES : KIND_FRONT;
        for (size_t k = 0; k < n && dot[i].kind == KIND_FRONT; k++)
            if (!(dot[k].moves > MUCH) && is_better(&dot[k], &dot[i]))
                dot[i].kind = KIND_OTHER;
    }
}

struct frame {
    double least, most, top; /* ns from and to; largest excess */
};

static void place(struct dot *dot, size_t n, struct frame *f)
{
    double fast = INFINITY, slow = 0, worst = 0.01;
    for (size_t i = 0; i < n; i++) {
        fast = fmin(fast, dot[i].ns);
        slow = fmax(slow, dot[i].ns);
        worst = fmax(worst, dot[i].excess);
    }
    *f = (struct frame){fast / 1.8, slow * 2.5, worst * 2};
    for (size_t i = 0; i < n; i++) {
        struct dot *d = &dot[i];
        d->x = log(d->ns / f->least) / log(f->most / f->least) * WIDE;
        d->y = log(f->top / fmax(d->excess, EVEN_FLOOR)) / log(f->top / (EVEN_FLOOR / 3)) * HIGH;
        d->radius = 3 + 1.7 * fmax(0, log10(d->bytes) - 1.5);
    }
}

static double overlap(double a, double b, double c, double d) { return fmin(b, d) - fmax(a, c); }

/* How deep a box lies in another; 0: apart. */
static double depth(const double a[4], double left, double top, double right, double bottom)
{
    double wide = overlap(a[0], a[2], left, right), high = overlap(a[1], a[3], top, bottom);
    return wide > 0 && high > 0 ? fmin(wide, high) : 0;
}

/* Of a line from the dot to its lead's end, how many of a score of points lie in the box. */
static double hits(const struct dot *d, double x, double y, const double box[4])
{
    int n = 0;
    for (int k = 1; k < 20; k++) {
        double px = d->x + (x - d->x) * k / 20, py = d->y + (y - d->y) * k / 20;
        n += px > box[0] && px < box[2] && py > box[1] && py < box[3];
    }
    return n;
}

/* What a label at box, led to (x, y), costs: lying on something is worst, then leads that cross labels, then leads that cross dots. */
static double price(const struct dot *dot, size_t n, size_t self, const double box[4], double x, double y)
{
    double over = fmax(0, -box[0]) + fmax(0, box[2] - WIDE) + fmax(0, -box[1]) + fmax(0, box[3] - HIGH), crossed = 0, touched = 0;
    const struct dot *last = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct dot *d = &dot[i];
        double r = d->radius + 1;
        const double spot[4] = {d->x - r, d->y - r, d->x + r, d->y + r}, label[4] = {d->left, d->top, d->right, d->bottom};
        over += depth(box, spot[0], spot[1], spot[2], spot[3]);
        touched += i != self ? hits(&dot[self], x, y, spot) : 0;
        if (i != self && d->right > d->left) {
            over += depth(box, d->left, d->top, d->right, d->bottom);
            crossed += hits(&dot[self], x, y, label) + hits(d, d->lead_x, d->lead_y, box);
        }
        if (d->kind == KIND_FRONT && last) /* the front goes along, then down */
            over += depth(box, last->x, last->y - 2, d->x, last->y + 2) + depth(box, d->x - 2, last->y, d->x + 2, d->y);
        last = d->kind == KIND_FRONT ? d : last;
    }
    return 1000 * over + 100 * crossed + 3 * touched;
}

/* Beside the dot or in line with it, then higher and lower, and further right and left: the nearest place that is free. */
static void put_label(struct dot *dot, size_t n, size_t self)
{
    struct dot *d = &dot[self];
    double wide = LETTER * (double)strlen(d->name) + 4, best = INFINITY, gap = d->radius + 3;
    for (double lift = -160; lift <= 160; lift += LINE / 2)
        for (double shift = -wide - gap - 48; shift <= gap + 48; shift += 6) {
            double box[4] = {d->x + shift, d->y + lift - LINE / 2, d->x + shift + wide, d->y + lift + LINE / 2};
            double x = fmin(fmax(d->x, box[0]), box[2]), y = fmin(fmax(d->y, box[1] + 3), box[3] - 3), far = hypot(x - d->x, y - d->y);
            bool near = far < d->radius + 8;
            double cost = price(dot, n, self, box, near ? d->x : x, near ? d->y : y) + far + (shift < 0) + (near ? 0 : 6) + 0.02 * fabs(lift);
            if (cost < best) {
                best = cost;
                d->left = box[0], d->top = box[1], d->right = box[2], d->bottom = box[3];
                d->lead_x = near ? d->x : x, d->lead_y = near ? d->y : y;
            }
        }
}

static int by_x(const void *a, const void *b)
{
    double x = ((const struct dot *)a)->x, y = ((const struct dot *)b)->x;
    return (x > y) - (x < y);
}

/* Picture to axes: gnuplot's graph units, from the lower left corner. */
static double across(double x) { return x / WIDE; }
static double up(double y) { return 1 - y / HIGH; }

static void write_dots(const struct dot *dot, size_t n, const struct frame *f, FILE *to)
{
    fprintf(to, "%g %g %g %g\n\n\n", f->least, f->most, EVEN_FLOOR / 3, f->top);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%g %g %.3f %d %d\n", dot[i].ns, fmax(dot[i].excess, EVEN_FLOOR), dot[i].radius, (int)dot[i].kind, dot[i].sampled);
    fputs("\n\n", to);
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "%.5f %.5f ", across(dot[i].left + 2), up((dot[i].top + dot[i].bottom) / 2));
        label_print(dot[i].name, to);
        putc('\n', to);
    }
    fputs("\n\n", to);
    for (size_t i = 0; i < n; i++) { /* leads; one of no length keeps gnuplot from complaining that there are none */
        const struct dot *d = &dot[i];
        fprintf(to, "%.5f %.5f %.5f %.5f\n", across(d->x), up(d->y), across(d->lead_x) - across(d->x), up(d->lead_y) - up(d->y));
    }
    fputs("\n\n", to);
    for (size_t i = 0; i < n; i++) /* the front, from fast to even */
        if (dot[i].kind == KIND_FRONT)
            fprintf(to, "%g %g\n", dot[i].ns, fmax(dot[i].excess, EVEN_FLOOR));
}

int pareto_data(const struct report *r, FILE *to)
{
    struct frame f;
    struct dot *dot = mem_alloc(r->field.rows, sizeof *dot);
    if (!dot)
        return -ENOMEM;
    size_t n = collect(r, dot);
    find_front(dot, n);
    place(dot, n, &f);
    qsort(dot, n, sizeof *dot, by_x);
    for (size_t i = 0; i < n; i++)
        put_label(dot, n, i);
    write_dots(dot, n, &f, to);
    mem_free(dot);
    return 0;
}

void say_pareto(const struct report *r, FILE *to)
{
    struct dot *dot = mem_alloc(r->field.rows, sizeof *dot);
    size_t n = dot ? collect(r, dot) : 0, front = 0, said = 0;
    find_front(dot, n);
    for (size_t i = 0; i < n; i++)
        front += dot[i].kind == KIND_FRONT;
    fputs("On the front stand ", to);
    for (size_t i = 0; i < n; i++)
        if (dot[i].kind == KIND_FRONT) {
            fputs(said == 0 ? "" : said + 1 == front ? " and " : ", ", to);
            html_text(dot[i].name, to);
            said++;
        }
    fprintf(to, ": whoever is faster than one of them is less even, and the other way round. Left out of the contest are those that move more than "
                "%.0f times what they must.", MUCH);
    mem_free(dot);
}
