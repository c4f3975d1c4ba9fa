/* IP addresses as keys: texts to bytes. */
#ifndef STRATEGIES_ENGINES_ADDRESS_H
#define STRATEGIES_ENGINES_ADDRESS_H

#include <stddef.h>

/* The bytes of an IPv4 (4) or IPv6 (16) address in network order; how many, 0 when the text is neither. */
size_t address_parse(const char *text, size_t len, unsigned char byte[16]);

#endif
