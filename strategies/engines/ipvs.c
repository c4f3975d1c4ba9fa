/* Both schedulers hash one number: the IPv4 address (of IPv6 the xor of its four words) plus the port, modulo 2^32. A client's
 * port counts with the flag mh-port or sh-port: give keys as 10.0.0.1:4000 or [2001:db8::1]:4000 then, and without a port else. */
#include "strategies/engines/ipvs.h"

#include "base/mem.h"
#include "strategies/engines/address.h"

#include <errno.h>
#include <string.h>

static bool read_port(const char *text, size_t len, uint32_t *port)
{
    *port = 0;
    for (size_t i = 0; i < len && *port <= 65535; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *port = *port * 10 + (uint32_t)(text[i] - '0');
    }
    return len > 0 && *port <= 65535;
}

/* ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT. */
static bool read_number(const char *text, size_t len, uint32_t *number)
{
    unsigned char byte[16];
    uint32_t port = 0;
    size_t n = address_parse(text, len, byte), host = n ? 0 : len;
    while (host > 0 && text[host - 1] != ':')
        host--;
    if (host > 0) {
        host--;
        if (!read_port(text + host + 1, len - host - 1, &port))
            return false;
        bool brackets = host > 2 && text[0] == '[' && text[host - 1] == ']';
        n = brackets ? address_parse(text + 1, host - 2, byte) : address_parse(text, host, byte);
        if (brackets != (n == 16))
            return false;
    }
    uint32_t folded = 0;
    for (size_t i = 0; i < n; i += 4)
        folded ^= (uint32_t)byte[i] << 24 | (uint32_t)byte[i + 1] << 16 | (uint32_t)byte[i + 2] << 8 | byte[i + 3];
    *number = folded + port;
    return n > 0;
}

static enum key_verdict client(const void *options, const char *key, size_t len, unsigned char buf[16], const void **part, size_t *part_len)
{
    (void)options;
    uint32_t number;
    if (!read_number(key, len, &number))
        return KEY_INVALID;
    for (unsigned i = 0; i < 4; i++)
        buf[i] = (unsigned char)(number >> 8 * i);
    *part = buf;
    *part_len = 4;
    return KEY_HASHED;
}

uint32_t ipvs_number(const void *part, size_t len)
{
    const unsigned char *byte = part;
    uint32_t number = 0;
    for (size_t i = 0; i < len && i < 4; i++)
        number |= (uint32_t)byte[i] << 8 * i;
    return number;
}

struct ipvs_dest *ipvs_open(struct placement *p, int *error, char why[WHY])
{
    const struct cluster *c = p->cluster;
    struct ipvs_dest *dest = mem_alloc(c->size, sizeof *dest);
    if (!dest) {
        *error = fail(why, ENOMEM, "no memory for %u destinations", c->size);
        return NULL;
    }
    for (uint32_t i = 0; i < c->size; i++) {
        const struct node *n = &c->node[i];
        struct ipvs_dest *d = &dest[c->size - 1 - i];
        d->node = n;
        if (!read_number(n->name, strlen(n->name), &d->number)) {
            *error = fail(why, EINVAL, "node %s: a destination is an address with its port, like 10.0.0.1:80 or [2001:db8::1]:80", n->name);
            mem_free(dest);
            return NULL;
        }
        if (n->weight > 65535)
            fail(p->warning, 0, "node %s: ipvsadm gives weights up to 65535, not %u: computed as the kernel would", n->name, n->weight);
    }
    p->key.filter = client;
    p->key.wants = "a client's address, like 10.0.0.1, or with its port 10.0.0.1:4000 or [2001:db8::1]:4000";
    return dest;
}

bool ipvs_any_down(const struct cluster *c)
{
    for (uint32_t i = 0; i < c->size; i++)
        if (c->node[i].down)
            return true;
    return false;
}
