/* The Zipf sampler: its draws against the exact law by chi-square, and its sums. */
#include "base/cpu.h"
#include "base/rng.h"
#include "model/zipf.h"
#include "tests/tap.h"
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>

#define DRAWS 1000000
#define BINS 256 /* the first 100 ranks alone, then five an octave */

static struct zipf zipf;

/* Bin of rank k, from 1; neither the sampler's bands nor a multiple of them. */
static unsigned bin_of(uint64_t k)
{
    return k <= 100 ? (unsigned)k : 101 + (unsigned)(5 * log2((double)k / 101));
}

static void exact(double p[BINS], uint64_t count, double s)
{
    double h = zipf_sum(count, s);
    for (uint64_t k = count; k; k--)
        p[bin_of(k)] += pow((double)k, -s) / h;
}

static void draws_follow_the_law(uint64_t count, double s)
{
    double p[BINS] = {0}, chi = 0, rest_p = 0, rest = 0, cells = 0;
    uint64_t seen[BINS] = {0}, beyond = 0, stream = rng_stream(1, "workload", "zipf", 0);
    exact(p, count, s);
    zipf_init(&zipf, count, s);
    for (uint64_t r = 0; r < DRAWS; r++) {
        uint64_t rank = zipf_rank(&zipf, stream, r);
        beyond += rank >= count;
        seen[bin_of(rank % count + 1)]++;
    }
    for (unsigned i = 0; i < BINS; i++) {
        rest_p += p[i]; /* thin bins are joined to the next */
        rest += (double)seen[i];
        if (rest_p * DRAWS < 10)
            continue;
        chi += (rest - rest_p * DRAWS) * (rest - rest_p * DRAWS) / (rest_p * DRAWS);
        cells++;
        rest_p = rest = 0;
    }
    double q = cells > 1 ? gsl_cdf_chisq_Q(chi, cells - 1) : 1;
    ok(beyond == 0 && q > 1e-3 / 25, "s=%g over %" PRIu64 " keys: chi-square %.1f of %g, Q = %.3g", s, count, chi, cells - 1, q);
}

static void sums_are_exact(double s)
{
    static const uint64_t counts[] = {1, 2, 99, 100, 101, 5000, 300000};
    double worst = 0;
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        long double sum = 0, sum2 = 0;
        for (uint64_t k = counts[i]; k; k--) {
            long double p = powl((long double)k, -(long double)s);
            sum += p;
            sum2 += p * p;
        }
        double want = (double)(sum2 / (sum * sum));
        worst = fmax(worst, fabs(zipf_sum(counts[i], s) / (double)sum - 1));
        worst = fmax(worst, fabs(zipf_sum_p2(counts[i], s) / want - 1));
        worst = fmax(worst, fabs(zipf_share(counts[i], s, 1) * (double)sum - 1));
    }
    ok(worst < 1e-12, "s=%g: sums within %.1e of brute force", s, worst);
}

static void draws_stay_as_they_are(void)
{
    static const uint64_t golden[2][20] = {
        {0, 4, 142156, 726, 549343, 0, 6774,
         0, 71162, 3, 36, 480003, 246, 1013,
         0, 53808, 75026, 28422, 686, 13644},
        {2199525109034452, 3148382524959536, 1221126426839451, 452868480498108, 4067061610472031, 2009375097164400, 4006610332880071,
         1657760088765754, 1103870166659005, 3025162878120169, 145508608973596, 8809367534419560, 332448037764571, 69711552564087,
         1593706488158160, 6832587899734329, 7126183192334270, 6405533117633962, 34620877664223, 832188350914389},
    };
    static const double s[2] = {1, 0.5};
    static const uint64_t count[2] = {1000000, 1ULL << 53};
    uint64_t stream = rng_stream(1, "workload", "zipf", 0);
    for (int i = 0; i < 2; i++) {
        unsigned same = 0;
        zipf_init(&zipf, count[i], s[i]);
        for (uint64_t r = 0; r < 20; r++) {
            uint64_t rank = zipf_rank(&zipf, stream, r);
            same += rank == golden[i][r];
            if (rank != golden[i][r])
                note("draw %" PRIu64 " is %" PRIu64, r, rank);
        }
        ok(same == 20, "s=%g over %" PRIu64 " keys: the first 20 draws", s[i], count[i]);
    }
}

/* Many draws as the exact power alone decided them: what spares it changes none. */
static void no_draw_changes(void)
{
    static const struct {
        double s;
        uint64_t count, digest;
    } golden[] = {
        {0, 1000000, 0x20a0fad10dca0662},
        {0.5, 1ULL << 53, 0xe74e1c08d366d981},
        {1, 1000, 0xefc6cb7c622c4ce2},
        {1.2, 4000000000, 0x7ab1063071ccf4f1},
        {3, 100000, 0x3588a51462627948},
        {0.02, 50000, 0xc2e7a7f10e261178},
    };
    uint64_t stream = rng_stream(1, "workload", "zipf", 0);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        uint64_t digest = 0;
        zipf_init(&zipf, golden[i].count, golden[i].s);
        for (uint64_t r = 0; r < 200000; r++)
            digest = (digest ^ zipf_rank(&zipf, stream, r)) * RNG_GOLDEN;
        ok(digest == golden[i].digest, "s=%g over %" PRIu64 " keys: 200000 draws, %" PRIx64, golden[i].s, golden[i].count, digest);
    }
}

/* Blocks of all sizes at all levels against one draw at a time. */
static void blocks_draw_alike(uint64_t count, double s)
{
    enum { MOST = 300 };
    char why[WHY];
    uint64_t stream = rng_stream(2, "workload", "zipf", 0), got[MOST + 1], wrong = 0;
    zipf_init(&zipf, count, s);
    for (enum cpu_level level = CPU_PLAIN; level <= cpu_best(); level++) {
        wrong += cpu_use(cpu_name(level), why) != 0;
        for (size_t n = 0; n <= MOST; n = n < 20 ? n + 1 : n + 93) {
            got[n] = 77;
            zipf_ranks(&zipf, stream, 1000 * n, n, got);
            wrong += got[n] != 77;
            for (size_t i = 0; i < n; i++)
                wrong += got[i] != zipf_rank(&zipf, stream, 1000 * n + i);
        }
    }
    ok(wrong == 0, "s=%g over %" PRIu64 " keys: in blocks the same", s, count);
}

/* The shares that the tables amount to, read back exactly: no draw is involved. */
static void tables_hold_the_law(uint64_t count, double s)
{
    double mass[ZIPF_BANDS] = {0}, taken = 0, worst = 0;
    zipf_init(&zipf, count, s);
    for (unsigned v = 0; v < ZIPF_BANDS; v++) {
        mass[v] += (double)zipf.keep[v] * 0x1p-63;
        mass[zipf.other[v]] += (double)((1ULL << 53) - zipf.keep[v]) * 0x1p-63;
    }
    for (unsigned v = 1; v < 32 && v <= count; v++) {
        double want = pow(v, -s) * mass[1];
        worst = fmax(worst, fabs(mass[v] / want - 1));
        taken += mass[v];
    }
    ok(worst < 1e-9 && taken <= 1 + 1e-12, "s=%g over %" PRIu64 " keys: table weights within %.1e", s, count, worst);
}

int main(void)
{
    static const double s[] = {0, 0.5, 1, 1.2, 3};
    static const uint64_t count[] = {1, 2, 17, 1000, 10000000};
    for (unsigned i = 0; i < 5; i++) {
        for (unsigned j = 0; j < 5; j++)
            draws_follow_the_law(count[j], s[i]);
        tables_hold_the_law(10000000, s[i]);
        sums_are_exact(s[i]);
    }
    sums_are_exact(0.99);
    sums_are_exact(8);
    ok(fabs(zipf_sum(1ULL << 53, 1) - (53 * log(2) + 0.57721566490153286)) < 1e-13, "H(2^53, 1) by Euler's constant");
    draws_stay_as_they_are();
    no_draw_changes();
    for (unsigned i = 0; i < 5; i++)
        for (unsigned j = 0; j < 5; j++)
            blocks_draw_alike(count[j], s[i]);
    blocks_draw_alike(1ULL << 53, 0.5);
    blocks_draw_alike(1000, 64);
    return tap_done();
}
