/* Real configurations as NODES: as people write them, odd ones, broken ones, cut at every byte. */
#include "tests/stage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "build/keysim-import-XXXXXX";

static void put(const char *name, const char *text, size_t len)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path); /* ext4 writes a file that is shortened to the disk at once, a new one later */
    FILE *f = fopen(path, "wb");
    must(!f || fwrite(text, 1, len, f) != len || fclose(f), "cannot write a test file");
}

/* "SPEC | a*2 (id=1) | b ..." or the sentence of what went wrong, the folder's name cut out; warnings behind " ! ". */
static const char *told(const char *nodes)
{
    static char text[16384];
    char why[WHY] = "", *at;
    const char *spec, *warning;
    const struct cluster *c;
    struct registry *r = registry_create();
    int e = cluster_import(r, nodes, &spec, &warning, why);
    size_t n = 0;
    if (!e)
        must(cluster_read(r, nodes, false, &c, why), why);
    if (e)
        snprintf(text, sizeof text, "%s", e == -EINVAL ? why : "not the user's mistake");
    else
        n = (size_t)snprintf(text, sizeof text, "%s", spec);
    for (uint32_t i = 0; !e && i < c->size && n < sizeof text; i++) {
        const struct node *d = &c->node[i];
        n += (size_t)snprintf(text + n, sizeof text - n, " | %s", d->name);
        if (d->weight != 1 && n < sizeof text)
            n += (size_t)snprintf(text + n, sizeof text - n, "*%u", d->weight);
        if (*d->attributes && n < sizeof text)
            n += (size_t)snprintf(text + n, sizeof text - n, " (%s)", d->attributes);
        must(d->down != (strstr(d->attributes, "down=1") != NULL), "down is not what its attribute says");
    }
    if (!e && warning && n < sizeof text)
        snprintf(text + n, sizeof text - n, " ! %s", warning);
    registry_destroy(r);
    while ((at = strstr(text, folder)))
        memmove(at, at + strlen(folder) + 1, strlen(at + strlen(folder) + 1) + 1);
    return text;
}

struct row {
    const char *text, *part, *is; /* part: "" or "#NAME" */
};

static void rows(const char *format, const struct row *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char nodes[512];
        put("f", row[i].text, strlen(row[i].text));
        snprintf(nodes, sizeof nodes, "@%s:%s/f%s", format, folder, row[i].part);
        const char *is = told(nodes);
        if (!ok(!strcmp(is, row[i].is), "%s%s %zu: %.60s", format, row[i].part, i, row[i].is))
            note("is:     %s\n# wanted: %s", is, row[i].is);
    }
}
#define ROWS(format, row) rows(format, row, sizeof(row) / sizeof *(row))

static void samples(void)
{
    static const struct { const char *nodes, *is; } row[] = {
        {"@nginx:data/clusters/nginx.conf#images", "nginx:method=consistent | 10.0.1.11:8080*2 | 10.0.1.12:8080 | 10.0.1.13:8080 (down=1) | unix:/run/cache/local.sock | [2001:db8::14]:8080"},
        {"@nginx:data/clusters/nginx.conf#sessions", "nginx:method=ip_hash | 10.0.2.21:9000*3 | 10.0.2.22:9000 | 10.0.2.23:9000"},
        {"@nginx:data/clusters/nginx.conf#api", "nginx:method=hash | 10.0.3.31 | 10.0.3.32*2 | 10.0.3.33:81"},
        {"@nginx:data/clusters/nginx.conf", "which upstream of data/clusters/nginx.conf? write @nginx:data/clusters/nginx.conf#NAME; there are images, sessions, api"},
        {"@haproxy:data/clusters/haproxy.cfg#users", "haproxy:balance=hdr,type=consistent | web1*10 (id=11) | web2*20 (id=12) | web3*10 (id=13 down=1)"
         " ! data/clusters/haproxy.cfg line 31: server spare is a backup, for when all others are down: left out"},
        {"@haproxy:data/clusters/haproxy.cfg#static", "haproxy:balance=uri,type=map,hash=crc32,avalanche=1 | cache1*10 (id=1) | cache2*30 (id=2) | cache3*10 (id=3)"},
        {"@haproxy:data/clusters/haproxy.cfg#mail", "haproxy:balance=source,type=map | mx1 (id=1) | mx2 (id=2)"},
        {"@haproxy:data/clusters/haproxy.cfg#carts", "haproxy:balance=url_param,type=consistent,hash=djb2,avalanche=0 | cart1 (id=1) | cart2 (id=2) | cart3 (id=3) | cart4 (id=4)"},
        {"@twemproxy:data/clusters/nutcracker.yml#sessions", "twemproxy:distribution=ketama,hash=fnv1a_64 | 10.0.4.11:11211 | 10.0.4.12:11211 | 10.0.4.13:11212*2"},
        {"@twemproxy:data/clusters/nutcracker.yml#profiles", "twemproxy:distribution=ketama,hash=murmur,tag={} | 10.0.5.21:6379 (alias=shard-a) | 10.0.5.22:6379 (alias=shard-b)"
         " | 10.0.5.23:6379 (alias=shard-c) | /run/redis/local.sock*2 (alias=shard-d) ! data/clusters/nutcracker.yml line 19: auto_eject_hosts: shown with all servers in"},
        {"@twemproxy:data/clusters/nutcracker.yml#fragments", "twemproxy:distribution=modula,hash=crc32a | 10.0.6.31:11211 | 10.0.6.32:11211*3"},
        {"@redis-nodes:data/clusters/redis-nodes.txt", "redis-cluster | 10.0.7.12:6379 (slots=5461-10922) | 10.0.7.13:6379 (slots=10923-16383) | 10.0.7.11:6379 (slots=0-5460)"},
        {"@envoy:data/clusters/envoy.yaml#profiles", "envoy-ring:min=2048,hash=xxh64 | 10.0.9.11:8080 | 10.0.9.12:8080*2 | /run/profiles.sock"
         " ! data/clusters/envoy.yaml line 30: health_status DRAINING: left out, as Envoy does; data/clusters/envoy.yaml line 37: endpoints of priority 1 serve only when those before fail: left out"},
        {"@envoy:data/clusters/envoy.yaml#images", "envoy-maglev:table=4099 | images-1.example.com | images-2.example.com | images-3.example.com"},
        {"@ketama:data/clusters/ketama.servers", "libketama | 10.0.10.11:11211*600 | 10.0.10.12:11211*300 | 10.0.10.13:11211*200 | 10.0.10.14:11211*350"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *is = told(row[i].nodes);
        if (!ok(!strcmp(is, row[i].is), "%s", row[i].nodes))
            note("is:     %s\n# wanted: %s", is, row[i].is);
    }
    const char *is = told("@cassandra:data/clusters/cassandra-ring.txt");
    ok(!strncmp(is, "cassandra | 10.0.8.11 (dc=dc1 rack=r1 tokens=-8531699129511414324,", 65) && strstr(is, "| 10.0.8.13 (dc=dc1 rack=r3 tokens=") && strstr(is, " down=1)"),
       "nodetool ring: nodes in order of their first row, all their tokens");
}

static void nginx(void)
{
    static const struct row row[] = {
        {"upstream a{hash $k consistent;server x:1;}", "", "nginx:method=consistent | x:1"},
        {"\xef\xbb\xbfupstream a {\r\n\thash\r\n $k;\r\n server 10.0.0.1 ;}\r\n", "", "nginx:method=hash | 10.0.0.1"},
        {"upstream \"a b\" { hash '${k};{' consistent; server \"10.0.0.1:80\" 'weight=3'; } # }\n", "#a b", "nginx:method=consistent | 10.0.0.1:80*3"},
        {"upstream a { hash ${k}x; server 10.0.0.1; } server { if ($a ~ \"}\") { return 1; } }", "", "nginx:method=hash | 10.0.0.1"},
        {"content_by_lua_block { local t = {1,{2}} -- a ; here\n }\nupstream a { ip_hash; server 10.0.0.1; }", "", "nginx:method=ip_hash | 10.0.0.1"},
        {"upstream a { server s1; server s2 max_conns=5; hash $k; }", "", "nginx:method=hash | s1 | s2 ! f line 1: max_conns: shown as if the server were never full; f line 1: a host name counts once for each address that it has: shown as if each had one"},
        {"upstream a { server 1.1.1.1; server 1.1.1.2 backup; hash $k; }", "", "nginx:method=hash | 1.1.1.1 ! f line 1: server 1.1.1.2 is a backup, for when all others are down: left out"},
        {"upstream a {\nhash $k;\nserver 1.1.1.1;\nserver 1.1.1.2 backup;\n}", "", "f line 4: backup: nginx refuses it after hash"},
        {"upstream a {\n least_conn; server x; }\nupstream b { ip_hash; server 1.2.3.4; }", "#b", "nginx:method=ip_hash | 1.2.3.4"},
        {"upstream a {\n least_conn; server x; }\n", "", "f line 2: least_conn: where a key goes cannot be told; hash KEY [consistent] and ip_hash place keys"},
        {"\nupstream a {\n server x; }\n", "", "f line 2: the upstream goes by turns (round robin): hash KEY [consistent] and ip_hash place keys"},
        {"upstream a { hash $k;\n ip_hash; server x; }\n", "", "f line 2: a second method: the upstream has hash already"},
        {"upstream a { hash $k consistant; server x; }\n", "", "f line 1: hash takes a key and, perhaps, consistent"},
        {"upstream a { hash $k;\n server x weight=0; }\n", "", "f line 2: weight '0': must be a whole number, 1 to 2147483647"},
        {"upstream a { hash $k;\n server x;\n\n server x; }\n", "", "f line 4: server x is there twice"},
        {"upstream a { hash $k;\n server $x; }\n", "", "f line 2: server $x: a variable cannot be told here"},
        {"upstream a { hash $k;\n server x wieght=2; }\n", "", "f line 2: server x: 'wieght=2' is no parameter of nginx"},
        {"upstream a { hash $k;\n server x service=http; }\n", "", "f line 2: service=http cannot be told here"},
        {"upstream a { hash $k; }\n", "", "f line 1: the upstream has no server"},
        {"upstream a { ip_hash; server 1.1.1.1; sticky cookie c; }\n", "", "nginx:method=ip_hash | 1.1.1.1 ! f line 1: sticky comes before the hash, for clients that were here: not shown"},
        {"http {\n upstream a { hash $k; server x; }\n", "", "f line 1: a { is not closed"},
        {"upstream a { hash $k; server x; }\n}\n", "", "f line 2: a } too many"},
        {"upstream a { hash $k; server x }\n", "", "f line 1: 'server' ends without a ;"},
        {"upstream a { hash \"$k; server x; }\n", "", "f line 1: a \" is not closed"},
        {"upstream a { hash \"$k\"x; server x; }\n", "", "f line 1: something follows a closing \" at once"},
        {"upstream a { hash $k; server x; } upstream a { hash $k; server y; }", "", "which upstream of f? write @nginx:f#NAME; there are a, a"},
        {"upstream a { hash $k; server x; } upstream a { hash $k; server y; }", "#a", "f has the upstream 'a' more than once"},
        {"upstream a { hash $k; server x; }", "#b", "f has no upstream 'b'; there are a"},
        {"events {}", "", "f has no upstream with servers"},
        {"", "", "f is empty"},
        {"a\x01;", "", "f line 1 is not text"},
        {"events {}\na\x7f;", "", "f line 2 is not text"},
        {"upstream a { hash $k; include nothing/*.conf; include servers.inc; } include gone.conf; include more/*.conf;", "#a",
         "nginx:method=hash | 1.1.1.1 | 1.1.1.2*2 ! f line 1: gone.conf is not there: left out"},
        {"include more/*.conf;", "#b", "nginx:method=consistent | 2.2.2.2"},
        {"upstream a { hash $k;\n include gone.inc; }", "", "f line 2: gone.inc is not there"},
        {"include f;", "", "f line 1: includes are nested more than 16 deep"},
        {"include self/*;", "", "self/x line 1: includes are nested more than 16 deep"},
        {"include /dev/zero;", "", "/dev/zero is included, and is no file"},
        {"include bad.conf;", "", "bad.conf line 3: a } too many"},
    };
    char path[256];
    snprintf(path, sizeof path, "%s/more", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/self", folder);
    mkdir(path, 0700);
    put("servers.inc", "server 1.1.1.1;\n# and\nserver 1.1.1.2 weight=2;\n", 47);
    put("more/b.conf", "upstream b { hash $k consistent; server 2.2.2.2; }", 50);
    put("more/empty.conf", "", 0);
    put("bad.conf", "\n\n}", 3);
    put("self/x", "include self/*;", 15);
    put("self/y", "include self/*;", 15);
    ROWS("nginx", row);
}

static void haproxy(void)
{
    static const struct row row[] = {
        {"backend b\n balance uri whole\n server s1 1.1.1.1:80\n", "", "haproxy:balance=uri,whole=1,type=map | s1 (id=1)"},
        {"defaults\r\n  balance hdr(x)\r\n\thash-type consistent wt6 avalanche\r\n  default-server weight 5\r\nbackend b\r\n  server a 1.1.1.1\r\n  server\tc\t1.1.1.3\tweight 7 # x\r\n", "",
         "haproxy:balance=hdr,type=consistent,hash=wt6,avalanche=1 | a*5 (id=1) | c*7 (id=2)"},
        {"backend b\n balance source\n server a 1.1.1.1 id 2\n server b 1.1.1.2\n server c 1.1.1.3 id 3\n server d 1.1.1.4\n", "",
         "haproxy:balance=source,type=map | a (id=2) | b (id=4) | c (id=3) | d (id=6)"},
        {"backend b\n balance source\n server a 1.1.1.1\n server b 1.1.1.2 id 1\n server c 1.1.1.3\n", "",
         "haproxy:balance=source,type=map | a (id=2) | b (id=1) | c (id=4)"},
        {"backend b\n balance source\n server a 1.1.1.1 weight 0\n server b 1.1.1.2 cookie disabled\n", "", "haproxy:balance=source,type=map | a (id=1 down=1) | b (id=2)"},
        {"backend b\n balance source\n default-server disabled weight 3\n server a 1.1.1.1 enabled\n server b 1.1.1.2\n", "", "haproxy:balance=source,type=map | a*3 (id=1) | b*3 (id=2 down=1)"},
        {"global\n setenv W 9\n presetenv W 1\nbackend b\n balance \"ur\"'i'\n server a\\:x 1.1.1.1 weight \"${W}\" # no\n server b:\"${KEYSIM_NOT_SET-2}\" 1.1.1.2 weight \"$W\"\n", "",
         "haproxy:balance=uri,type=map | a:x*9 (id=1) | b:2*9 (id=2)"},
        {"backend b\n balance uri\n server a 1.1.1.1\n server b 1.1.1.1 weight \"${KEYSIM_NOT_SET}\"\n", "", "f line 4: the variable KEYSIM_NOT_SET is not set: set it in the environment as HAProxy has it"},
        {"defaults one\n balance uri\ndefaults two from one\n hash-type consistent\nbackend b from two\n server a 1.1.1.1\nbackend c from one\n server a 1.1.1.1\n", "#b", "haproxy:balance=uri,type=consistent | a (id=1)"},
        {"defaults one\n balance uri\ndefaults two from one\n hash-type consistent\nbackend b from two\n server a 1.1.1.1\nbackend c from one\n server a 1.1.1.1\n", "#c", "haproxy:balance=uri,type=map | a (id=1)"},
        {"backend b from three\n server a 1.1.1.1\n", "", "f line 1: there is no defaults 'three'"},
        {"listen stats\n bind :1\nbackend b\n use-server a if { src 1.1.1.1 }\n balance uri\n server a 1.1.1.1\n", "", "haproxy:balance=uri,type=map | a (id=1) ! f line 4: use-server comes before the hash: not shown"},
        {"backend b\n balance uri\n hash-type consistent\n hash-balance-factor 150\n server a 1.1.1.1\n", "", "haproxy:balance=uri,type=consistent | a (id=1) ! f line 4: hash-balance-factor: a key's first choice is shown, as if no server were overloaded"},
        {"backend b\n server-template w 3-5 x:80 weight 2\n balance uri\n server w4 1.1.1.1\n", "", "f line 4: server w4 is there twice"},
        {"backend b\n server-template w 5-3 x:80\n balance uri\n", "", "f line 2: last number '3': must be a whole number, 5 to 65536"},
        {"backend b\n balance roundrobin\n server a 1.1.1.1\n", "", "f line 2: balance roundrobin: where a key goes cannot be told; hdr(NAME), uri, url_param NAME and source place keys"},
        {"backend b\n server a 1.1.1.1\n", "", "f line 1: backend b has no balance, which is round robin: hdr(NAME), uri, url_param NAME and source place keys"},
        {"backend b\n balance uri depth 3\n server a 1.1.1.1\n", "", "f line 2: balance uri depth cannot be told here"},
        {"backend b\n balance uri\n hash-type consistent avalanche\n server a 1.1.1.1\n", "", "f line 3: hash-type: function 'avalanche' must be sdbm, djb2, wt6 or crc32"},
        {"backend b\n balance uri\n server a 1.1.1.1 weight 257\n", "", "f line 3: weight '257': must be a whole number, 0 to 256"},
        {"backend b\n balance uri\n server a 1.1.1.1 weight\n", "", "f line 3: weight '': must be a whole number, 0 to 256"},
        {"backend b\n balance uri\n server a 1.1.1.1 id 3\n server b 1.1.1.1 id 3\n", "", "f line 4: another server of this backend has id 3 too"},
        {"backend b\n balance uri\n server a 1.1.1.1 hash-key addr\n", "", "f line 3: hash-key addr cannot be told here: only id can"},
        {"backend b\n balance uri\n server \"a b\" 1.1.1.1\n", "", "f line 3: server 'a b': HAProxy's names have letters, digits, '-', '_', '.' and ':', here at most 247"},
        {"backend b\n balance uri\n server a\n", "", "f line 3: server lacks its name or address"},
        {"backend b\n balance uri\n server a 1.1.1.1 backup\n", "", "f line 1: backend b has only backups"},
        {"backend b\n balance uri\n server 'a 1.1.1.1\n", "", "f line 3: a ' is not closed"},
        {".if defined(X)\nglobal\n.endif\nbackend b\n balance uri\n .if defined(X)\n server a 1.1.1.1\n .endif\n server b 1.1.1.1\n", "", "f line 6: .if asks the running program: what holds cannot be told here"},
        {".if defined(X)\nglobal\n maxconn 3\n.endif\nbackend b\n balance uri\n server b 1.1.1.1\n", "", "haproxy:balance=uri,type=map | b (id=1)"},
        {"global\n", "", "f has no backend with servers"},
        {"backend b\n balance uri\n server a 1.1.1.1\n", "#", "@haproxy: takes a file: @haproxy:FILE#NAME"},
    };
    ROWS("haproxy", row);
}

static void yaml(void)
{
    static const struct row twemproxy[] = {
        {"a: {servers: ['h:11211:1']}", "", "twemproxy:distribution=ketama | h:11211"},
        {"a: &d\n  hash: md5\n  servers: [x:1:1]\nb:\n  <<: *d\n  servers:\n   - ::1:6379:2 six\n", "#b", "twemproxy:distribution=ketama,hash=md5 | ::1:6379*2 (alias=six)"},
        {"a:\n  hash_tag: ',,'\n  speed: 3\n  servers: [x:1:1]", "", "twemproxy:distribution=ketama,tag=\\,\\, | x:1 ! f line 3: 'speed' is not known and takes no part"},
        {"a:\n  distribution: random\n  servers: [x:1:1]", "", "f line 2: distribution random places no key: ketama and modula do"},
        {"a:\n  distribution: x\n  servers: [x:1:1]", "", "f line 2: distribution 'x': must be ketama, modula or random"},
        {"a:\n  servers: [x:1:1]\n  hash: md6\n", "", "f line 3: hash 'md6' is none of twemproxy's: one_at_a_time, md5, crc16 ... fnv1a_64"},
        {"a:\n  servers: [x:1:1]\n  hash_tag: '{'\n", "", "f line 3: hash_tag '{': must be two characters, as \"{}\""},
        {"a:\n  servers:\n  - x:1:1\n  - x:1\n", "", "f line 4: server 'x': must be HOST:PORT:WEIGHT [NAME] or /SOCKET:WEIGHT [NAME]"},
        {"a:\n  servers:\n  - x:1:0\n", "", "f line 3: weight '0': must be a whole number, 1 to 2147483647"},
        {"a:\n  servers:\n  - x:1:1\n  - x:1:2 y\n", "", "f line 4: server x:1 is there twice"},
        {"a:\n  servers:\n  - /s:1\n  - /t:2 t\n", "", "twemproxy:distribution=ketama | /s (alias=/s:) | /t*2 (alias=t)"},
        {"a:\n  servers:\n  - \"x:1:1 y\\tdown=1\"\n", "", "f line 3: server x:1: 'y\\x09down=1', which is hashed, must be text without blanks"},
        {"a:\n  servers:\n  - x:1:1\n  - '/s s:1 '\n", "", "f line 4: server /s s: '/s s', which is hashed, must be text without blanks"},
        {"a:\n  servers:\n", "", "f line 2: the pool has no servers"},
        {"a:\n  servers: [\n", "", "f line 3: did not find expected node content"},
        {"a: *b", "", "f line 1: found undefined alias"},
        {"- x\n", "", "f has no pool with servers"},
    };
#define EIGHT "[[[[[[[["
#define SIXTY_FOUR EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
    static const struct row envoy[] = {
        {SIXTY_FOUR, "", "f line 2: did not find expected node content"}, /* as deep as may be, but it ends there */
        {"\n" SIXTY_FOUR "[", "", "f line 2: lists and maps lie more than 64 deep in one another"},
        {"{\"static_resources\": {\"clusters\": [{\"name\": \"c\", \"lbPolicy\": \"MAGLEV\", \"loadAssignment\": {\"endpoints\": [{\"lbEndpoints\": "
         "[{\"endpoint\": {\"address\": {\"socketAddress\": {\"address\": \"2001:DB8:0::1\", \"portValue\": 80}}}, \"loadBalancingWeight\": 5}]}]}}]}}", "",
         "envoy-maglev | [2001:db8::1]:80*5"},
        {"resources:\n- name: c\n  load_balancing_policy: {policies: [{typed_extension_config: {typed_config: {'@type': x.v3.RingHash, hash_function: MURMUR_HASH_2, maximum_ring_size: 9,\n"
         "    consistent_hashing_lb_config: {use_hostname_for_hashing: true, hash_balance_factor: 120}}}}]}\n"
         "  load_assignment: {endpoints: [{lb_endpoints: [{endpoint: {hostname: h, address: {pipe: {path: /p}}}}, {metadata: {filter_metadata: {envoy.lb: {hash_key: k}}}}]}]}\n", "",
         "envoy-ring:max=9,hash=murmur2 | h | k ! f line 4: hash_balance_factor: a key's first choice is shown, as if no endpoint were overloaded"},
        {"static_resources:\n  clusters:\n  - name: c\n", "", "f line 3: lb_policy ROUND_ROBIN places no key: RING_HASH and MAGLEV do"},
        {"static_resources:\n  clusters:\n  - name: c\n    lb_policy: MAGLEV\n    type: EDS\n", "", "f line 3: the cluster has no endpoints here (are they discovered?)"},
        {"static_resources:\n  clusters:\n  - name: c\n    lb_policy: MAGLEV\n    lb_subset_config: {}\n", "", "f line 5: lb_subset_config: each subset has a ring of its own, which cannot be told here"},
        {"static_resources:\n  clusters:\n  - name: c\n    lb_policy: MAGLEV\n    common_lb_config:\n      locality_weighted_lb_config: {}\n", "", "f line 6: locality_weighted_lb_config: weights of localities cannot be told here"},
        {"static_resources:\n  clusters:\n  - name: c\n    lb_policy: MAGLEV\n    load_assignment:\n      endpoints:\n      - lb_endpoints:\n        - endpoint:\n            address:\n              socket_address: {address: h, port_value: 1}\n", "",
         "f line 10: 'h' is hashed by the address that it resolves to: write that address, or use_hostname_for_hashing"},
        {"static_resources:\n  clusters:\n  - name: c\n    lb_policy: RING_HASH\n    ring_hash_lb_config:\n      minimum_ring_size: 0\n", "", "f line 6: minimum_ring_size '0': must be a whole number, 1 to 8388608"},
        {"static_resources:\n  clusters: [{name: a}, {name: b}]\n", "", "which cluster of f? write @envoy:f#NAME; there are a, b"},
        {"a: b\n\tc: d\n", "", "f line 2: found a tab character that violates indentation"},
    };
    ROWS("twemproxy", twemproxy);
    ROWS("envoy", envoy);
}

static void lines(void)
{
    static const struct row redis[] = {
        {"a1 1.1.1.1:1@2 master - 0 0 1 connected 0-8191 [77->-b2]\n\nb2 ::1:2@3,h.x,shard-id=4 myself,master - 0 0 2 connected 8192-16382 16383\r\nc3 1.1.1.1:3@4 slave,fail a1 0 0 1 connected\n", "",
         "redis-cluster | 1.1.1.1:1 (slots=0-8191) | ::1:2 (slots=8192-16382,16383) ! f line 1: slots are being moved (1): shown where they come from; keys that have left already are asked for with ASK"},
        {"a1 1.1.1.1:1 master - 0 0 1 connected 0-16380\nb2 :2@3,host master,fail - 0 0 2 disconnected\nc3 :0@0 master,noaddr - 0 0 2 connected 16381-16382\nd4 1.1.1.4:1@2 handshake - 0 0 0 connected\n", "",
         "redis-cluster | 1.1.1.1:1 (slots=0-16380) | host:2 (slots= down=1) | c3 (slots=16381-16382 down=1) ! f line 4: 1.1.1.4:1@2 has not joined yet: left out; f line 4: 1 of 16384 slots belong to nobody: their keys get no node"},
        {"a1 1.1.1.1:1@2 master,fail? - 0 0 1 connected 0-16383\n", "", "redis-cluster | 1.1.1.1:1 (slots=0-16383) ! f line 1: 1.1.1.1:1@2 may be failing: shown as if it answered"},
        {"a1 1.1.1.1:1@2 master - 0 0 1 connected 0-9\nb1 1.1.1.1:2@2 master - 0 0 1 connected 9\n", "", "f line 2: slot 9 belongs to two masters"},
        {"a1 1.1.1.1:1@2 master - 0 0 1 connected 0-16384\n", "", "f line 1: slot '16384': must be a whole number, 0 to 16383"},
        {"a1 1.1.1.1:1@2 master - 0 0 1 connected 9-0\n", "", "f line 1: slots 9-0 run backwards"},
        {"a1 1.1.1.1:1@2 master - 0 0 1 connected 0-\n", "", "f line 1: slot '': must be a whole number, 0 to 16383"},
        {"\nMOVED 1 1.1.1.1:1\n", "", "f line 2: not a line of CLUSTER NODES: ID IP:PORT@BUSPORT FLAGS MASTER PING PONG EPOCH LINK [SLOTS]"},
        {"a1 1.1.1.1:1@2 slave b - 0 0 1 connected\n", "", "f names no node"},
    };
    static const struct row cassandra[] = {
        {"Datacenter: d1\n=====\nAddress Rack Status State Load Owns Token\n 5\n1.1.1.1 r1 Up Normal 1 KiB ? -7\n1.1.1.2 r1 ? Leaving 1 KiB 3% 5\n1.1.1.3 r1 Up Joining ? ? 6\nDatacenter: d2\n1.1.1.4 r1 Down Normal ? ? 8\n1.1.1.4 r1 Down Normal ? ? 9\n", "",
         "cassandra | 1.1.1.1 (dc=d1 rack=r1 tokens=-7) | 1.1.1.2 (dc=d1 rack=r1 tokens=5 down=1) | 1.1.1.4 (dc=d2 rack=r1 tokens=8,9 down=1)"
         " ! f line 6: 1.1.1.2 is Leaving: shown where it is now; f line 7: 1.1.1.3 is joining and serves nothing yet: left out;"
         " f line 1: how a keyspace spreads its replicas is not told here: -s cassandra:strategy=network,rf=DC:COPIES/... does"},
        {"1.1.1.1 r1 Up Normal 1 KiB ? -7\n", "", "f line 1: a row before the first 'Datacenter: NAME'"},
        {"Datacenter: d\n1.1.1.1 r1 Up Normal 1 KiB ? 9223372036854775808\n", "", "f line 2: token '9223372036854775808': must be a whole number of 64 bits, as Murmur3Partitioner has them"},
        {"Datacenter: d\n1.1.1.1 r 1 Up Normal 1 KiB ? 9\n", "", "f line 2: not a row of nodetool ring: Address Rack Status State Load Owns Token (without blanks in a rack's name)"},
        {"Datacenter: d\n1.1.1.1 r1 Up Normal ? ? 9\n1.1.1.1 r2 Up Normal ? ? 10\n", "", "f line 3: 1.1.1.1 stood in another rack or data centre on line 2"},
        {"Datacenter: my dc\n", "", "f line 1: the name of a data centre is one word"},
        {"Datacenter: d\n", "", "f names no node"},
    };
    static const struct row ketama[] = {
        {"# c\n\n a:1   5 # x\nb:2\t7\r\n", "", "libketama | a:1*5 | b:2*7"},
        {"a:1\n", "", "f line 1: a:1 lacks its weight: a line is host:port WEIGHT"},
        {"a 1\n", "", "f line 1: 'a': a server is host:port"},
        {"a:1 1\na:2 0\n", "", "f line 2: weight '0': must be a whole number, 1 to 2147483647"},
        {"a:1 1 2\n", "", "f line 1: '2' is one word too many: a line is host:port WEIGHT"},
        {"a:1 1\na:1 1\n", "", "f line 2: server a:1 is there twice"},
    };
    ROWS("redis-nodes", redis);
    ROWS("cassandra", cassandra);
    ROWS("ketama", ketama);
}

/* Every sample cut at every byte, and with every byte spoilt: read, or refused as the user's mistake. */
static void cut(void)
{
    static const struct { const char *format, *file, *part; } row[] = {
        {"nginx", "nginx.conf", "#images"}, {"haproxy", "haproxy.cfg", "#users"}, {"haproxy", "haproxy.cfg", "#carts"}, {"twemproxy", "nutcracker.yml", "#profiles"},
        {"redis-nodes", "redis-nodes.txt", ""}, {"cassandra", "cassandra-ring.txt", ""}, {"envoy", "envoy.yaml", "#profiles"}, {"envoy", "envoy.yaml", ""}, {"ketama", "ketama.servers", ""}};
    static const char spoil[] = "\"'{}#:- \\$[,&*\n9\xff";
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char path[256], nodes[512], text[8192];
        snprintf(path, sizeof path, "data/clusters/%s", row[i].file);
        snprintf(nodes, sizeof nodes, "@%s:%s/f%s", row[i].format, folder, row[i].part);
        FILE *f = fopen(path, "rb");
        must(!f, path);
        size_t len = fread(text, 1, sizeof text, f);
        fclose(f);
        bool good = len < sizeof text;
        for (size_t n = 0; n <= len; n++) {
            put("f", text, n);
            good &= strcmp(told(nodes), "not the user's mistake") != 0;
        }
        for (size_t n = 0; n < len; n++) {
            char was = text[n];
            text[n] = spoil[n % (sizeof spoil - 1)];
            put("f", text, len);
            good &= strcmp(told(nodes), "not the user's mistake") != 0;
            text[n] = was;
        }
        ok(good, "%s%s cut or spoilt at any byte is read or refused", row[i].file, row[i].part);
    }
}

/* The n-th allocation fails: -ENOMEM or as if nothing had been, and nothing is lost. */
static void memory(void)
{
    static const char *const row[] = {"@nginx:data/clusters/nginx.conf#images", "@haproxy:data/clusters/haproxy.cfg#carts", "@twemproxy:data/clusters/nutcracker.yml#profiles",
                                      "@redis-nodes:data/clusters/redis-nodes.txt", "@cassandra:data/clusters/cassandra-ring.txt", "@envoy:data/clusters/envoy.yaml#profiles",
                                      "@ketama:data/clusters/ketama.servers"};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t before = mem_live(), failed = 0;
        int e = -ENOMEM;
        for (uint64_t n = 1; e == -ENOMEM; n++) {
            struct registry *r = registry_create();
            const char *spec, *warning;
            char why[WHY] = "";
            mem_fail_at(n);
            e = cluster_import(r, row[i], &spec, &warning, why);
            mem_fail_at(0);
            failed += e == -ENOMEM && *why;
            registry_destroy(r);
        }
        ok(e == 0 && failed > 5 && mem_live() == before, "%s: %" PRIu64 " allocations fail one by one, and nothing is lost", row[i], failed);
    }
}

static void naming(void)
{
    struct registry *r = registry_create();
    const char *spec = "x", *warning;
    char why[WHY] = "", nodes[256];
    put("colon:name", "a\nb 2\n", 6);
    snprintf(nodes, sizeof nodes, "@%s/colon:name", folder);
    ok(!cluster_import(r, nodes, &spec, &warning, why) && !spec, "a file with a colon in its name is a file");
    ok(cluster_of(r, nodes)->size == 2, "and is read");
    ok(!cluster_import(r, "a,b", &spec, &warning, why) && !spec && !cluster_import(r, "10", &spec, &warning, why) && !spec, "lists and numbers bring no strategy");
    ok(cluster_import(r, "@nginx:/nonexistent/x#y", &spec, &warning, why) == -EINVAL && strstr(why, "/nonexistent/x"), "a missing file: %s", why);
    ok(cluster_import(r, "@nginx:", &spec, &warning, why) == -EINVAL, "no file: %s", why);
    const struct cluster *c = NULL;
    ok(cluster_read(r, "@ngnix:x#y", false, &c, why) == -EINVAL && strstr(why, "did you mean 'nginx'"), "a misspelt format: %s", why);
    c = cluster_of(r, "@ketama:data/clusters/ketama.servers");
    put("f", "z:1 1\n", 6);
    snprintf(nodes, sizeof nodes, "@ketama:%s/f", folder);
    const struct cluster *first = cluster_of(r, nodes);
    put("f", "y:1 1\n", 6);
    ok(!strcmp(cluster_of(r, nodes)->node[0].name, "z:1") && first->size == 1, "a file is read once");
    ok(changed(r, c, "-10.0.10.11:11211")->size == 3, "what was imported changes as any cluster");
    registry_destroy(r);
}

int main(void)
{
    must(!mkdtemp(folder), "no folder for test files");
    samples();
    nginx();
    haproxy();
    yaml();
    lines();
    cut();
    memory();
    naming();
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", folder);
    must(system(command), "the test files stay");
    return tap_done();
}
