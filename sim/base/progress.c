/* The progress line. Threads add to one counter; whoever finds that it is time and
 * takes the lock without waiting draws. */
#include "base/progress.h"
#include "base/clock.h"
#include "base/terminal.h"
#include "base/text.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FIRST_NS 500000000u
#define EVERY_NS 100000000u
enum { LONGEST = 79 };

static enum progress_when mode = PROGRESS_AUTO;
static char name[48], of[24];
static uint64_t whole, begun;
static _Atomic uint64_t done, due;
static atomic_bool running;
static atomic_flag drawing = ATOMIC_FLAG_INIT;
static int drawn; /* characters on the line */

void progress_mode(enum progress_when when) { mode = when; }

static void time_left(double seconds, char out[32])
{
    if (seconds < 99.5)
        snprintf(out, 32, "%.0f s left", seconds);
    else if (seconds < 5970)
        snprintf(out, 32, "%.0f min left", seconds / 60);
    else
        snprintf(out, 32, "%.0f h left", seconds < 1e9 ? seconds / 3600 : 1e9 / 3600);
}

static void draw(uint64_t now)
{
    char line[256], count[32], rate[32], percent[32] = "", left[32] = "";
    double n = (double)atomic_load(&done), seconds = (double)(now - begun) * 1e-9, speed = seconds > 0 ? n / seconds : 0;
    if (whole > 0) {
        double part = n / (double)whole;
        snprintf(percent, sizeof percent, "  %.0f %%", part < 1 ? part * 100 : 100.0);
        if (speed > 0)
            time_left(part < 1 ? ((double)whole - n) / speed : 0, left);
    }
    snprintf(line, sizeof line, "%s%s  %s %s  %s %s/s%s%s", name, percent, text_short(n, count), of,
             text_short(speed, rate), of, *left ? "  " : "", left);
    int before = drawn;
    size_t width = terminal_width(stderr); /* a line that wraps cannot be wiped */
    line[width < LONGEST ? width - 1 : LONGEST] = 0;
    drawn = (int)strlen(line);
    fprintf(stderr, "\r%s%*s", line, before > drawn ? before - drawn : 0, "");
    fflush(stderr);
}

void progress_start(const char *what, const char *unit, uint64_t total)
{
    progress_end();
    if (mode == PROGRESS_NEVER || (mode == PROGRESS_AUTO && !terminal_is(stderr)))
        return;
    snprintf(name, sizeof name, "%s", what);
    snprintf(of, sizeof of, "%s", unit);
    whole = total;
    begun = clock_ns();
    atomic_store(&done, 0);
    atomic_store(&due, begun + FIRST_NS);
    atomic_store(&running, true);
}

void progress_add(uint64_t n)
{
    if (!atomic_load_explicit(&running, memory_order_acquire))
        return;
    atomic_fetch_add_explicit(&done, n, memory_order_relaxed);
    uint64_t now = clock_ns();
    if (now < atomic_load_explicit(&due, memory_order_relaxed) || atomic_flag_test_and_set(&drawing))
        return;
    if (now >= atomic_load(&due) && atomic_load(&running)) {
        atomic_store(&due, now + EVERY_NS);
        draw(now);
    }
    atomic_flag_clear(&drawing);
}

void progress_end(void)
{
    atomic_store(&running, false);
    while (atomic_flag_test_and_set(&drawing))
        ;
    if (drawn > 0) {
        fprintf(stderr, "\r%*s\r", drawn, "");
        fflush(stderr);
        drawn = 0;
    }
    atomic_flag_clear(&drawing);
}
