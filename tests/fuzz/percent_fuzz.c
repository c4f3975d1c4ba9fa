/* Percent-encoding, and what else reads texts byte by byte: numbers, UTF-8, what a terminal may be shown. */
#include "base/text.h"
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <math.h>

static int digit(uint8_t c)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    return !at ? -1 : at - digits < 16 ? (int)(at - digits) : (int)(at - digits) - 6;
}

/* What the words of text.h say, byte by byte. */
static long naive(const uint8_t *in, size_t size, char *out)
{
    long n = 0;
    for (size_t i = 0; i < size; i++) {
        int byte = in[i];
        if (in[i] == '%') {
            if (size - i < 3 || digit(in[i + 1]) < 0 || digit(in[i + 2]) < 0)
                return -EINVAL;
            byte = digit(in[i + 1]) * 16 + digit(in[i + 2]);
            i += 2;
        }
        out[n++] = (char)byte;
    }
    return n;
}

static void percent(const char *in, const uint8_t *data, size_t size)
{
    char *out = mem_alloc(3 * size, 1), *back = mem_alloc(3 * size, 1);
    HOLD(out && back);
    long want = naive(data, size, back), got = text_percent_decode(in, size, out);
    HOLD(got == want && (got < 0 || !memcmp(out, back, (size_t)got)));
    if (size)
        memcpy(back, in, size);
    HOLD(text_percent_decode(back, size, back) == got && (got < 0 || !memcmp(back, out, (size_t)got)));
    size_t n = text_percent_encode(in, size, out);
    HOLD(n <= 3 * size);
    for (size_t i = 0; i < n; i++)
        HOLD(out[i] >= 0x21 && out[i] <= 0x7e && out[i] != '#');
    HOLD(text_percent_decode(out, n, back) == (long)size && (!size || !memcmp(back, in, size)));
    mem_free(out);
    mem_free(back);
}

/* Harmless, cut to fit, and itself where it was harmless and fits. */
static void printable(const char *in, size_t size)
{
    char out[64];
    size_t room = 1 + size % sizeof out, at, n;
    HOLD(text_printable(in, size, out, room) == out);
    HOLD(strlen(out) < room);
    for (at = 0; out[at]; at += n) {
        HOLD((unsigned char)out[at] >= 32 && out[at] != 127);
        HOLD((n = text_utf8(out + at, strlen(out + at))) > 0);
        HOLD(n != 2 || (unsigned char)out[at] != 0xc2 || (unsigned char)out[at + 1] >= 0xa0);
    }
    for (at = 0; at < size && (n = text_utf8(in + at, size - at)); at += n)
        HOLD(n <= 4 && n <= size - at);
}

static void numbers(const char *in, size_t size)
{
    uint64_t count, amount, again;
    double real, back;
    char text[48];
    int e = text_count(in, size, &count);
    HOLD(!e || e == -EINVAL || e == -ERANGE);
    if (!e) {
        int n = snprintf(text, sizeof text, "%" PRIu64, count);
        HOLD(!text_count(text, (size_t)n, &again) && again == count);
    }
    e = text_real(in, size, &real);
    HOLD(!e || e == -EINVAL);
    if (!e) {
        text_number(real, text);
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): each bit, and the sign of 0 too
        HOLD(isfinite(real) && !text_real(text, strlen(text), &back) && !memcmp(&real, &back, sizeof real));
        text_fixed(real, (int)(size % 18), text);
        HOLD(!*text || !text_real(text, strlen(text), &back));
        text_short(real, text);
        text_bytes(fabs(real), text);
    }
    e = text_amount(in, size, &amount);
    HOLD(!e || e == -EINVAL);
    HOLD(e || amount <= 1000000000000 * TEXT_AMOUNT_ONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const known[] = {"ring", "modulo", "rendezvous", "multi-probe", ""};
    uint64_t live = mem_live();
    char *text = text_of(data, size);
    const char *in = size ? (const char *)data : "";
    percent(in, data, size);
    printable(in, size);
    numbers(in, size);
    HOLD(text_nearest(text, known, 5) <= 5);
    mem_free(text);
    HOLD(mem_live() == live);
    return 0;
}
