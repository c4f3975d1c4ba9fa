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

int main(int argc, char **argv)
{
    struct keysim *k;
    char why[256], line[512];
    if (argc < 3 || keysim_open(&k, "libmemcached:distribution=ketama", argv[1], why, sizeof why)) {
        fprintf(stderr, "%s\n", argc < 3 ? "SERVERS KEY..." : why);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        int node, s;
        while ((node = keysim_where(k, argv[i], strlen(argv[i]))) >= 0 && (s = dial(keysim_name(k, node))) < 0) {
            snprintf(line, sizeof line, "-%s", keysim_name(k, node)); /* it is gone: its keys go to those that stay */
            if (keysim_change(k, line, why, sizeof why)) {
                fprintf(stderr, "%s\n", why);
                return 1;
            }
        }
        if (node < 0)
            return 1;
        dprintf(s, "get %s\r\n", argv[i]);
        ssize_t n = read(s, line, sizeof line - 1);
        printf("%s at %s: %.*s\n", argv[i], keysim_name(k, node), n > 0 ? (int)strcspn((line[n] = 0, line), "\r") : 0, line);
        close(s);
    }
    keysim_close(k);
    return 0;
}
