#include "strategies/engines/address.h"

#include <arpa/inet.h>
#include <string.h>

size_t address_parse(const char *text, size_t len, unsigned char byte[16])
{
    char copy[INET6_ADDRSTRLEN];
    if (len >= sizeof copy || memchr(text, 0, len))
        return 0;
    memcpy(copy, text, len);
    copy[len] = 0;
    return inet_pton(AF_INET, copy, byte) == 1 ? 4 : inet_pton(AF_INET6, copy, byte) == 1 ? 16 : 0;
}
