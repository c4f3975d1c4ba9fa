/* Drawing: one gnuplot process reads plots/draw.gp, the chart data, and writes SVG and PNG. Whatever it says on standard error, or
 * a file that is not whole, is an error that names the chart. */
#include "commands/inner.h"
#include "commands/report.h"

#include "base/child.h"
#include "base/mem.h"
#include "base/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const chart_names[CHARTS] = {"rings", "load", "max", "cv", "remap", "lookup", "memory", "build", "hashes", "incidents",
                                         "field-even", "field-moves", "field-cost", "pareto", "published", "tune", "availability", "names", "resize",
                                         "survivors", "cascade", "receivers", "cold", "trace", "hot", "fast"};

int charts_gnuplot(char version[64], char why[WHY])
{
    static char name[] = "gnuplot", ask[] = "--version";
    char said[128];
    int status, error = child_run((char *[]){name, ask, NULL}, said, sizeof said, &status);
    bool missing = error == ENOENT || error == EACCES || error == ENOTDIR || (!error && WIFEXITED(status) && WEXITSTATUS(status) == 127);
    if (missing)
        return fail(why, EINVAL, "gnuplot draws the report's charts and is not on the PATH: " GNUPLOT_CURE);
    if (error || status || strncmp(said, "gnuplot ", 8))
        return fail(why, error ? error : EIO, "gnuplot --version fails: %s", error ? strerror(error) : said);
    snprintf(version, 64, "%.*s", (int)strcspn(said + 8, "\n"), said + 8);
    return 0;
}

int charts_check(char why[WHY])
{
    char *script, version[64];
    int e = charts_gnuplot(version, why);
    if (!e)
        e = inner_data(&script, "plots/draw.gp", why);
    if (!e)
        mem_free(script);
    return e;
}

/* Whether the file ends as it should. */
static bool is_whole(const char *path, const char *end, size_t len)
{
    char tail[32];
    FILE *f = fopen(path, "rbe");
    bool whole = f && fseek(f, -(long)len, SEEK_END) == 0 && fread(tail, 1, len, f) == len && !memcmp(tail, end, len);
    if (f)
        fclose(f);
    return whole;
}

/* The first chart that lacks a picture; NULL: all are there. */
static const char *first_broken(const struct report *r)
{
    static const char svg_end[] = "</svg>\n\n", png_end[] = "IEND\xae\x42\x60\x82";
    const char *broken = NULL;
    for (size_t i = 0; i < CHARTS && !broken; i++) {
        char *svg = files_path(r, chart_names[i], ".svg"), *png = files_path(r, chart_names[i], ".png");
        if (!svg || !png || !is_whole(svg, svg_end, sizeof svg_end - 1) || !is_whole(png, png_end, sizeof png_end - 1))
            broken = chart_names[i];
        mem_free(svg);
        mem_free(png);
    }
    return broken;
}

static bool disk_is_full(const char *path)
{
    struct statvfs about;
    return statvfs(path, &about) == 0 && about.f_bavail < 16;
}

/* gnuplot's sentence: the line with a word in it, without the marks that point. */
static const char *first_words(char *said)
{
    char *at = said;
    for (char *line = strtok(said, "\n"); line; line = strtok(NULL, "\n"))
        if (strstr(line, "line ") || strstr(line, "arning") || strstr(line, "annot"))
            return line;
    return at + strspn(at, "\n ^");
}

int charts_draw(const struct report *r, char why[WHY])
{
    static char gnuplot[] = "gnuplot", defaults[] = "-d", with[] = "-c", coarse[] = "1", fine[] = "2";
    char *script = NULL, *plots = NULL, said[4096];
    int status = 0, e = inner_data(&script, "plots/draw.gp", why);
    if (!e)
        e = inner_data(&plots, "plots/", why);
    if (!e) {
        setenv("LC_ALL", "C", 1);
        int error = child_run((char *[]){gnuplot, defaults, with, script, r->staging, plots, r->a->quick ? coarse : fine, NULL}, said, sizeof said, &status);
        const char *broken = error ? NULL : first_broken(r);
        if (error)
            e = fail(why, error, "gnuplot cannot be run: %s", strerror(error));
        else if ((status || *said || broken) && disk_is_full(r->staging))
            e = fail(why, ENOSPC, "%s: the disk is full", r->dir);
        else if (broken)
            e = fail(why, EIO, "chart %s: gnuplot did not draw it: %s", broken, first_words(said));
        else if (status || *said)
            e = fail(why, EIO, "gnuplot complains about the charts: %s", first_words(said));
    }
    mem_free(script);
    mem_free(plots);
    return e;
}
