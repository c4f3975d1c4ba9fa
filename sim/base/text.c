/* Texts as people write and read them. The C library's number formats are used in
 * whatever locale the program is in; only the decimal point is put right. */
#include "base/text.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

int text_count(const char *text, size_t len, uint64_t *value)
{
    size_t i = 0;
    uint64_t n = 0, unit = 1;
    bool over = false;
    for (; i < len && is_digit(text[i]); i++)
        over |= __builtin_mul_overflow(n, 10u, &n) || __builtin_add_overflow(n, (uint64_t)(text[i] - '0'), &n);
    if (i > 0 && i + 1 == len) {
        unit = text[i] == 'k' ? 1000 : text[i] == 'M' ? 1000000 : text[i] == 'G' ? 1000000000 : 0;
        i += unit > 0;
    }
    if (i == 0 || i != len)
        return -EINVAL;
    if (over || __builtin_mul_overflow(n, unit, &n))
        return -ERANGE;
    *value = n;
    return 0;
}

static size_t digits(const char *text, size_t len)
{
    size_t i = 0;
    while (i < len && is_digit(text[i]))
        i++;
    return i;
}

/* Whether text is -D.DeD, with sign, point and exponent optional. */
static bool is_decimal(const char *text, size_t len)
{
    size_t i = len > 0 && text[0] == '-';
    size_t whole = digits(text + i, len - i), part = 0;
    i += whole;
    if (i < len && text[i] == '.') {
        part = digits(text + i + 1, len - i - 1);
        i += 1 + part;
    }
    if (whole + part == 0)
        return false;
    if (i < len && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        i += i < len && (text[i] == '-' || text[i] == '+');
        size_t power = digits(text + i, len - i);
        if (power == 0)
            return false;
        i += power;
    }
    return i == len;
}

int text_real(const char *text, size_t len, double *value)
{
    char copy[128], *point, *end;
    if (len >= sizeof copy || !is_decimal(text, len))
        return -EINVAL;
    memcpy(copy, text, len);
    copy[len] = 0;
    if ((point = strchr(copy, '.')))
        *point = *localeconv()->decimal_point;
    double x = strtod(copy, &end);
    if (*end || !isfinite(x))
        return -EINVAL;
    *value = x;
    return 0;
}

static int hex_digit(char c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int text_amount(const char *text, size_t len, uint64_t *amount)
{
    double value;
    if (text_real(text, len, &value) || value < 0 || value > 1e12)
        return -EINVAL;
    *amount = (uint64_t)(value * (double)TEXT_AMOUNT_ONE + 0.5);
    return 0;
}

long text_percent_decode(const char *in, size_t len, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        char c = in[i];
        if (c == '%') {
            int high = i + 2 < len ? hex_digit(in[i + 1]) : -1, low = i + 2 < len ? hex_digit(in[i + 2]) : -1;
            if (high < 0 || low < 0)
                return -EINVAL;
            c = (char)(high << 4 | low);
            i += 2;
        }
        out[n++] = c;
    }
    return (long)n;
}

size_t text_percent_encode(const char *in, size_t len, char *out)
{
    static const char hex[] = "0123456789ABCDEF";
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)in[i];
        if (c >= 0x21 && c <= 0x7e && c != '%' && c != '#') {
            out[n++] = in[i];
        } else {
            out[n++] = '%';
            out[n++] = hex[c >> 4];
            out[n++] = hex[c & 15];
        }
    }
    return n;
}

size_t text_utf8(const char *in, size_t len)
{
    if (len == 0)
        return 0;
    const unsigned char *u = (const unsigned char *)in;
    if (u[0] < 0x80)
        return 1;
    size_t n = u[0] >= 0xc2 && u[0] <= 0xdf ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : u[0] >= 0xf0 && u[0] <= 0xf4 ? 4 : 0;
    if (n == 0 || n > len)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
    bool surrogate = u[0] == 0xed && u[1] >= 0xa0, beyond = u[0] == 0xf4 && u[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : n;
}

size_t text_width(const char *in, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)in[i] & 0xc0) != 0x80;
    return n;
}

size_t text_shown(const char *in, size_t len)
{
    size_t n = text_utf8(in, len);
    const unsigned char *u = (const unsigned char *)in;
    bool control = n == 1 ? u[0] < 0x20 || u[0] == 0x7f : n == 2 && u[0] == 0xc2 && u[1] < 0xa0;
    bool turns = (n == 2 && u[0] == 0xd8 && u[1] == 0x9c) ||                                              /* U+061C */
                 (n == 3 && u[0] == 0xe2 && u[1] == 0x80 && (u[2] == 0x8e || u[2] == 0x8f)) ||            /* U+200E, U+200F */
                 (n == 3 && u[0] == 0xe2 && u[1] == 0x80 && u[2] >= 0xa8 && u[2] <= 0xae) ||              /* U+2028 to U+202E */
                 (n == 3 && u[0] == 0xe2 && u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9);                /* U+2066 to U+2069 */
    return control || turns ? 0 : n;
}

char *text_printable(const char *in, size_t len, char *out, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < len;) {
        size_t wide = text_shown(in + i, len - i);
        if (n + (wide ? wide : 4) >= size)
            break;
        if (wide)
            memcpy(out + n, in + i, wide);
        else
            snprintf(out + n, 5, "\\x%02X", (unsigned char)in[i]);
        n += wide ? wide : 4;
        i += wide ? wide : 1;
    }
    if (size > 0)
        out[n] = 0;
    return out;
}

char *text_shell_word(const char *word, char *out)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
    size_t len = strlen(word), shown = 0;
    if (len > 0 && *word != '=' && !word[strspn(word, plain)]) /* zsh looks for a program behind = */
        return stpcpy(out, word);
    for (size_t n; shown < len && (n = text_shown(word + shown, len - shown)) > 0;)
        shown += n;
    bool odd = shown < len;
    out = stpcpy(out, odd ? "$'" : "'");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)word[i];
        if (odd && (c < 0x20 || c > 0x7e))
            out += sprintf(out, "\\x%02x", c);
        else if (odd && (c == '\'' || c == '\\'))
            out += sprintf(out, "\\%c", c);
        else if (c == '\'')
            out = stpcpy(out, "'\\''");
        else
            *out++ = word[i];
    }
    return stpcpy(out, "'");
}

enum { NAME_MAX_LENGTH = 63 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Edit distance where swapping two neighbours is one edit; case does not matter. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[3][NAME_MAX_LENGTH + 1];
    size_t *two = row[0], *one = row[1], *now = row[2];
    for (size_t j = 0; j <= nb; j++)
        now[j] = two[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *old = two;
        two = one;
        one = now;
        now = old;
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            size_t best = one[j - 1] + !same;
            if (one[j] + 1 < best)
                best = one[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            bool swap = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swap && two[j - 2] + 1 < best)
                best = two[j - 2] + 1;
            now[j] = best;
        }
    }
    return now[nb];
}

/* Whether text is the beginning of a longer name, or what is in it. */
static bool is_part(const char *text, size_t len, const char *name)
{
    size_t same = 0;
    while (same < len && lower(text[same]) == lower(name[same]))
        same++;
    return (same == len && len > 1) || (len > 3 && strstr(name, text));
}

size_t text_nearest(const char *text, const char *const *names, size_t n)
{
    size_t len = strlen(text), best = n, nearest = len < 6 ? 2 : len / 3 + 1; /* farther is not meant */
    if (len == 0 || len > NAME_MAX_LENGTH)
        return n;
    for (size_t i = 0; i < n; i++) {
        size_t size = strlen(names[i]);
        if (size > NAME_MAX_LENGTH)
            continue;
        size_t apart = size > len ? size - len : len - size; /* edits that the lengths alone ask for */
        size_t d = size > len && is_part(text, len, names[i]) ? 1 : apart < nearest ? distance(text, len, names[i], size) : apart;
        if (d < nearest && d < len && d < size) {
            nearest = d;
            best = i;
        }
    }
    return best;
}

/* The locale's decimal point, if any, made '.'. */
static char *pointed(char *number)
{
    char point = *localeconv()->decimal_point, *at = point != '.' ? strchr(number, point) : NULL;
    if (at)
        *at = '.';
    return number;
}

char *text_number(double value, char out[32])
{
    bool exponent = fabs(value) >= 1e16 || fabs(value) < 1e-4; /* else more digits are shorter: 150, not 1.5e+02 */
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(out, 32, "%.*g", precision, value);
        if (strtod(out, NULL) == value && (exponent || !strchr(out, 'e'))) /* in the locale's own notation, both ways */
            break;
    }
    return pointed(out);
}

char *text_fixed(double value, int places, char out[48])
{
    out[0] = 0;
    if (!(fabs(value) < 1e18))
        return out;
    snprintf(out, 48, "%.*f", places, value);
    if (out[0] == '-' && !strpbrk(out, "123456789"))
        memmove(out, out + 1, strlen(out));
    return pointed(out);
}

char *text_short(double value, char out[32])
{
    static const char *const units[] = {"", "k", "M", "G"};
    double size = fabs(value);
    if (size >= 999.5 && size < 9999.5) {
        snprintf(out, 32, "%.0f", value);
        return out;
    }
    size_t unit = 0;
    while (fabs(value) >= 999.5 && unit < 3) {
        value /= 1000;
        unit++;
    }
    snprintf(out, 32, "%.3g%s", value, units[unit]);
    return pointed(out);
}

char *text_about(double value, char out[32])
{
    double unit = value > 0 ? fmax(1, pow(10, floor(log10(value)) - 1)) : 1;
    return text_short(round(value / unit) * unit, out);
}

char *text_bytes(double bytes, char out[32])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit < 6) {
        bytes /= 1000;
        unit++;
    }
    snprintf(out, 32, "%.*f %s", unit > 0 && bytes < 9.95, bytes, units[unit]);
    return pointed(out);
}
