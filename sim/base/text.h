/* Texts as people write them: numbers with k, M, G; percent-encoding; the
 * nearest known name for a misspelt one; text made safe for a terminal. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* A whole number with an optional k, M or G (powers of ten): 10M = 10000000.
 * 0, -EINVAL when it is no such number (signs, fractions, blanks), -ERANGE above 2^64-1. */
int text_count(const char *text, size_t len, uint64_t *value);

/* A finite decimal number, '.' as point whatever the locale. 0 or -EINVAL. */
int text_real(const char *text, size_t len, double *value);

/* A number from 0 to 10^12 (bytes, a load) as a multiple of 2^-20: sums of such are exact in any order. 0 or -EINVAL. */
#define TEXT_AMOUNT_ONE ((uint64_t)1 << 20)
int text_amount(const char *text, size_t len, uint64_t *amount);

/* Percent-decodes len bytes of in to out (room for len bytes); in and out may be
 * the same. The length, or -EINVAL at a % without two hex digits. */
long text_percent_decode(const char *in, size_t len, char *out);

/* Percent-encodes everything outside 0x21..0x7E, and '%' and '#', upper-case
 * hex, to out (room for 3 * len bytes). The length. */
size_t text_percent_encode(const char *in, size_t len, char *out);

/* The bytes of the UTF-8 character at in (1 to 4), 0 when there is none: no bytes,
 * overlong, a surrogate, cut short. */
size_t text_utf8(const char *in, size_t len);

/* Characters of UTF-8 in len bytes. */
size_t text_width(const char *in, size_t len);

/* The same for a character that may be shown as it is; 0 too for control characters (C1 and DEL
 * among them) and for marks that end a line or turn the direction of what is written around them. */
size_t text_shown(const char *in, size_t len);

/* A copy that a terminal shows harmlessly: bytes that text_shown refuses become \xNN; cut to
 * fit size bytes with NUL. Returns out. */
char *text_printable(const char *in, size_t len, char *out, size_t size);

/* The word as a shell takes it, plain, in '...', or in $'...' where something in it is not shown, to
 * out (room for 4 bytes each and 4 more). Its end, where a NUL stands. */
char *text_shell_word(const char *word, char *out);

/* The index of the name in names[0..n-1] nearest to text by edit distance, or n
 * when none is near enough to be meant. */
size_t text_nearest(const char *text, const char *const *names, size_t n);

/* The shortest decimal number that reads back as value ("0.1", "1e+20"); finite. */
char *text_number(double value, char out[32]);

/* value with so many digits after the point, never "-0.00"; "" when it is no number
 * or 1e18 and more. '.' as point whatever the locale. places: 0 to 17. */
char *text_fixed(double value, int places, char out[48]);

/* A number for people: three significant digits, k/M/G above 9999 ("1.14", "8.61M"). */
char *text_short(double value, char out[32]);
char *text_about(double value, char out[32]); /* the same of two digits, for what is not known better */

/* Bytes for people: "4.2 MB", powers of ten. */
char *text_bytes(double bytes, char out[32]);

#endif
