/* One line for the user, beside every error number.
 *
 * A function that can fail returns 0 or a negative errno and, for the user, a
 * sentence that names what is wrong and what would be right. -EINVAL is the
 * user's mistake (the program ends with 2); everything else is the machine's
 * failure (3). */
#ifndef BASE_WHY_H
#define BASE_WHY_H

#define WHY 2048 /* room for the sentence, NUL included; of longer ones the middle is left out */

/* Writes the sentence into why and returns -error, so that a caller can say
 * `return fail(why, EINVAL, "...")`. Control characters are printed escaped.
 * why itself may be among the arguments: fail(why, EINVAL, "ring: %s", why). */
int fail(char why[WHY], int error, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "PATH: cannot be read: No such file or directory". Returns -EINVAL when error is a
 * mistake about the path (missing, a folder, no permission ...), else -error. */
int fail_file(char why[WHY], int error, const char *path, const char *what);

#endif
