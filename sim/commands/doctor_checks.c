/* What is installed: the program, what the report needs, what makes it fast. */
#include "commands/doctor.h"
#include "commands/inner.h"
#include "commands/report.h"

#include "base/child.h"
#include "base/cpu.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/version.h"
#include "experiments/study.h"

#include <errno.h>
#include <ftw.h>
#include <gsl/gsl_version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xxhash.h>
#include <yaml.h>
#include <zlib.h>

#ifdef __OPTIMIZE__
#define IS_FAST (!strstr(KEYSIM_FLAGS, "-fsanitize"))
#else
#define IS_FAST false
#endif

static int data_row(struct doctor *d)
{
    static const char *const needed[] = {"plots/draw.gp", "data/incidents", "data/published"};
    char why[WHY], *path;
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        if (inner_data(&path, needed[k], why))
            return doctor_add(d, "data", VERDICT_MISSING, "export KEYSIM_DATA=FOLDER, the one that holds plots/ and data/", "%s", why);
        if (k + 1 < sizeof needed / sizeof *needed)
            mem_free(path);
    }
    path[strlen(path) - strlen("data/published")] = 0;
    int e = doctor_add(d, "data", VERDICT_OK, "", "%s", path);
    mem_free(path);
    return e;
}

int doctor_program(struct doctor *d)
{
    int e = doctor_add(d, "program", VERDICT_OK, "", "keysim " KEYSIM_VERSION " (%s)", version_revision);
    if (!e)
        e = IS_FAST ? doctor_add(d, "compiler", VERDICT_OK, "", "%s %s", COMPILER, KEYSIM_FLAGS)
                    : doctor_add(d, "compiler", VERDICT_NOTE, "make clean all", "%s %s: not built to be fast, so that times are not keysim's", COMPILER, KEYSIM_FLAGS);
    if (!e)
        e = doctor_add(d, "libraries", VERDICT_OK, "", "xxHash %d.%d.%d, GSL %s, zlib %s, libyaml %s", XXH_VERSION_MAJOR, XXH_VERSION_MINOR,
                       XXH_VERSION_RELEASE, gsl_version, zlibVersion(), yaml_get_version_string());
#ifdef KEYSIM_MPI
    static const char mpi[] = "built in: the work can be split over machines";
#else
    static const char mpi[] = "not built in; for work split over machines: make MPI=1";
#endif
    if (!e)
        e = doctor_add(d, "MPI", VERDICT_OK, "", "%s", mpi);
    return e ? e : data_row(d);
}

/* gnuplot, and that it can draw what the report asks of it. */
static int gnuplot_row(struct doctor *d)
{
    static char gnuplot[] = "gnuplot", option[] = "-e", ask[] = "print GPVAL_TERMINALS";
    char version[64], why[WHY], said[4096];
    int status = 0;
    if (charts_gnuplot(version, why))
        return doctor_add(d, "gnuplot", VERDICT_MISSING, GNUPLOT_CURE, "%s", strstr(why, "not on the PATH") ? "not on the PATH" : why);
    if (child_run((char *[]){gnuplot, option, ask, NULL}, said, sizeof said, &status) || status)
        *said = 0;
    bool svg = strstr(said, " svg ") != NULL, png = strstr(said, " pngcairo ") != NULL;
    return svg && png ? doctor_add(d, "gnuplot", VERDICT_OK, "", "%s; draws svg and png", version)
                      : doctor_add(d, "gnuplot", VERDICT_MISSING, GNUPLOT_CURE, "%s, built without the terminal%s %s%s%s", version, svg || png ? "" : "s",
                                   svg ? "" : "svg", svg || png ? "" : " and ", png ? "" : "pngcairo");
}

static size_t fonts; /* nftw() has nowhere else to put them */
static bool dejavu;

static int count_font(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    const char *end = strrchr(path, '.');
    (void)about;
    if (kind == FTW_F && end && (!strcasecmp(end, ".ttf") || !strcasecmp(end, ".otf") || !strcasecmp(end, ".ttc") || !strcasecmp(end, ".pfb"))) {
        fonts++;
        dejavu |= !strncmp(path + at->base, "DejaVuSans", 10);
    }
    return 0;
}

static int fonts_row(struct doctor *d)
{
    static const char *const folders[] = {"/usr/share/fonts", "/usr/local/share/fonts", "/usr/X11R6/lib/X11/fonts", "/System/Library/Fonts", "/Library/Fonts"};
    static const char cure[] = "apt-get install fonts-dejavu-core (dnf install dejavu-sans-fonts, pacman -S ttf-dejavu)";
    static const char *const own[] = {".fonts", ".local/share/fonts", "Library/Fonts"};
    const char *home = getenv("HOME");
    fonts = 0;
    dejavu = false;
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s%s", d->root, folders[k]);
        nftw(path, count_font, 16, 0);
    }
    for (size_t k = 0; k < sizeof own / sizeof *own && home && !*d->root; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", home, own[k]);
        nftw(path, count_font, 16, FTW_PHYS);
    }
    if (fonts == 0)
        return doctor_add(d, "fonts", VERDICT_MISSING, cure, "none is found: charts would be without words");
    return doctor_add(d, "fonts", VERDICT_OK, "", "%zu files%s", fonts, dejavu ? ", DejaVu Sans among them" : "");
}

static int folder_row(struct doctor *d)
{
    static const double needed = 100e6; /* a report is some ten */
    struct statvfs about;
    char text[32], folder[256];
    if (!getcwd(folder, sizeof folder)) {
        if (errno == ENOENT)
            return doctor_add(d, "folder", VERDICT_MISSING, "cd, or keysim report -o DIR", "the working folder has been removed");
        strcpy(folder, ".");
    }
    if (access(".", W_OK))
        return doctor_add(d, "folder", VERDICT_MISSING, "cd, or keysim report -o DIR", "%s: cannot be written: %s", folder, strerror(errno));
    if (statvfs(".", &about))
        return doctor_add(d, "folder", VERDICT_NOTE, "", "%s: %s", folder, strerror(errno));
    double free_bytes = (double)about.f_bavail * (double)about.f_frsize;
    text_bytes(free_bytes, text);
    return free_bytes < needed ? doctor_add(d, "folder", VERDICT_MISSING, "keysim report -o DIR, on another disk", "%s: %s free, a report wants 100 MB", folder, text)
                               : doctor_add(d, "folder", VERDICT_OK, "", "%s: %s free", folder, text);
}

int doctor_report(struct doctor *d)
{
    char all[32], left[32];
    static const double enough = 1e9;
    text_bytes((double)mem_machine(), all);
    text_bytes((double)machine_available(), left);
    int e = gnuplot_row(d);
    if (!e)
        e = fonts_row(d);
    if (!e)
        e = folder_row(d);
    if (!e)
        e = (double)machine_available() < enough ? doctor_add(d, "memory", VERDICT_NOTE, "keysim report -k user:count=1M", "%s of %s can be had, which may be too little", left, all)
                                                 : doctor_add(d, "memory", VERDICT_OK, "", "%s of %s can be had", left, all);
    return e;
}

static int pages_row(struct doctor *d)
{
    char text[128];
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
    if (!machine_fact(d->root, path, text, sizeof text))
        return doctor_add(d, "huge pages", VERDICT_OK, "", "the system does not tell");
    return strstr(text, "[never]") ? doctor_add(d, "huge pages", VERDICT_NOTE, "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
                                                "forbidden, so that look-ups in big tables take longer")
                                   : doctor_add(d, "huge pages", VERDICT_OK, "", "for tables of 2 MB and more");
}

int doctor_speed(struct doctor *d)
{
    struct machine m;
    unsigned mine = study_cores();
    machine_find(&m);
#ifdef _OPENMP
    int e = doctor_add(d, "threads", VERDICT_OK, "", "%u of %s cores", mine, m.cores);
#else
    int e = mine > 1 ? doctor_add(d, "threads", VERDICT_NOTE, "make OPENMP=-fopenmp", "one of %s cores: built without OpenMP", m.cores)
                     : doctor_add(d, "threads", VERDICT_OK, "", "one core");
#endif
    if (!e)
        e = cpu_level() == cpu_best() ? doctor_add(d, "instructions", VERDICT_OK, "", "%s, the best of %s", cpu_name(cpu_level()), m.cpu)
                                      : doctor_add(d, "instructions", VERDICT_NOTE, "leave out --cpu", "%s as --cpu says; the best of %s are %s", cpu_name(cpu_level()), m.cpu, cpu_name(cpu_best()));
    return e ? e : pages_row(d);
}
