/* A memcached client that finds servers as libmemcached's ketama does, and goes on when one leaves: cc embed.c $(pkg-config --cflags --libs keysim)
 *     ./a.out 10.0.0.1:11211,10.0.0.2:11211,10.0.0.3:11211 user:1001 user:1002 */
#include <keysim.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A connection to "host:port", or -1. */
static int dial(const char *server)
{
    char host[256];
    const char *port = strrchr(server, ':');
    struct addrinfo want = {.ai_socktype = SOCK_STREAM}, *at = NULL;
    snprintf(host, sizeof host, "%.*s", port ? (int)(port - server) : 0, server);
    if (!port || getaddrinfo(host, port + 1, &want, &at))
        return -1;
    int s = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (s >= 0 && connect(s, at->ai_addr, at->ai_addrlen)) {
        close(s);
        s = -1;
    }
    freeaddrinfo(at);
    return s;
}

/* Asks the key's server; one that cannot be reached has left, and its keys go to those that stay. */
static int get(struct keysim *k, const char *key, char *why, size_t size)
{
    char text[512];
    int node, s = -1;
    while ((node = keysim_where(k, key, strlen(key))) >= 0 && (s = dial(keysim_name(k, node))) < 0) {
        snprintf(text, sizeof text, "-%s", keysim_name(k, node));
        if (keysim_change(k, text, why, size))
            return -1;
    }
    if (node < 0)
        return snprintf(why, size, "%s goes nowhere", key), -1;
    dprintf(s, "get %s\r\n", key);
    ssize_t n = read(s, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    printf("%s at %s: %.*s\n", key, keysim_name(k, node), (int)strcspn(text, "\r"), text);
    return close(s);
}

int main(int argc, char **argv)
{
    struct keysim *k = NULL;
    char why[256] = "usage: embed SERVERS KEY...";
    int e = argc < 3 || keysim_open(&k, "libmemcached:distribution=ketama", argv[1], why, sizeof why) ? 2 : 0;
    for (int i = 2; i < argc && !e; i++)
        e = get(k, argv[i], why, sizeof why) ? 1 : 0;
    if (e)
        fprintf(stderr, "%s\n", why);
    keysim_close(k);
    return e;
}
