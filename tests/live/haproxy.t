#!/usr/bin/python3 -B
"""HAProxy: balance hdr, uri, url_param and source over tables and rings, with every hash, ids, weights and disabled servers.

One haproxy is both sides: its servers are frontends that answer with their own name, and each configuration is a proxy that listens
at a socket of its own. Client addresses come in by the PROXY protocol. keysim is asked by option and through the configuration itself."""
from live import *

need(program('haproxy'))


def drawn_servers():
    """(name, weight, attributes) of a configuration."""
    number = rng.randrange(2, len(backs) + 1)
    names = rng.sample([f'{kind}{i}' for i in range(20) for kind in ('s', 'cache-', 'web.')], number)
    weight = weights(number, rng.choice((4, 30, 256)))
    ids = rng.sample(range(1, 60), number) if rng.random() < 0.3 else [0] * number
    if not any(ids) and rng.random() < 0.5: # the others count on around it
        ids[rng.randrange(number)] = rng.choice((1, 2, 5, 2**31 - 1))
    off = rng.sample(range(number), rng.randrange(0, number) // 2) if rng.random() < 0.5 else []
    return [(names[i], weight[i], ' '.join([f'id={ids[i]}'] * (ids[i] > 0) + ['down=1'] * (i in off))) for i in range(number)]


backs = [(a, free(a)) for a in (address() for _ in range(9))]
kinds = [(kind, h, mixed) for kind in ('map-based', 'consistent') for h in ('', 'sdbm', 'djb2', 'wt6', 'crc32')
         for mixed in (False, True) if h or not mixed]
proxies = [('hdr(X-Key)', kind) for kind in kinds]
proxies += [(balance, rng.choice(kinds)) for balance in ('uri', 'uri whole', 'url_param id', 'source', 'source') for _ in range(2)]
proxies = [(f'b{i}', *p, drawn_servers()) for i, p in enumerate(proxies)]

config = '''
global
    maxconn 4000
    tune.bufsize 32768
defaults
    mode http
    timeout connect 20s
    timeout client 60s
    timeout server 60s
'''
for i, (host, port) in enumerate(backs):
    config += f'frontend at{i}\n    bind {host}:{port}\n    http-request return status 200 content-type text/plain string {i}\n'
for name, balance, (kind, h, mixed), rows in proxies:
    config += f'listen {name}\n    bind unix@{path(name)}{" accept-proxy" if balance == "source" else ""}\n    balance {balance}\n'
    config += f'    hash-type {kind} {h}{" avalanche" if mixed else ""}\n'
    for i, (server, weight, attributes) in enumerate(rows):
        host, port = backs[i]
        config += f'    server {server} {host}:{port} weight {weight} {attributes.replace("id=", "id ").replace("down=1", "disabled")}\n'
file = write('haproxy.cfg', config)
start(['haproxy', '-db', '-f', file], path(proxies[-1][0]))


def key_of(balance):
    """Which keys fit, and the request that carries one."""
    word = set(LETTERS + b'/-._~!$\'()*+,;=:@%')
    if balance.startswith('hdr'):
        return (lambda key: key == key.strip() and not set(key) & set(b'\0\r\n')), lambda key: (b'/', b'X-Key: ' + key + b'\r\n')
    if balance.startswith('uri'):
        return (lambda key: set(key) <= word), lambda key: (key, b'')
    return (lambda key: set(key) <= word), lambda key: (b'/page?a=1&id=' + key + b'&z=2', b'')


def from_address(where, key):
    with connect(where) as s:
        family, to = ('TCP6', '::1') if b':' in key else ('TCP4', '127.0.0.1')
        s.sendall(f'PROXY {family} {key.decode()} {to} 1000 80\r\nGET / HTTP/1.1\r\nHost: live\r\nConnection: close\r\n\r\n'.encode())
        return s.makefile('rb').read().decode().split('\r\n\r\n', 1)[-1]


for name, balance, (kind, h, mixed), rows in proxies:
    if balance == 'source':
        asked = addresses()
        real = [from_address(path(name), key) for key in asked]
    else:
        fits, request = key_of(balance)
        asked = keys(fits)
        if balance.startswith('uri'):
            asked = list({b'/' + k + (b'?' + text(LETTERS, 0, 9) if rng.random() < 0.3 else b'') for k in asked})
        real = http(path(name), [request(key) for key in asked])
    real = [rows[int(r)][0] if r.isdigit() else r for r in real]
    usable = [server for server, _, attributes in rows if 'down' not in attributes]
    spec = f'haproxy:balance={balance.split("(")[0].split()[0]},type={kind.split("-")[0]}'
    spec += (f',hash={h},avalanche={mixed:d}' if h else '') + (',whole=1' if 'whole' in balance else '')
    title = f'{balance}, {kind} {h}{" avalanche" if mixed else ""}, {len(rows)} servers, {len(usable)} up'
    equal(title, asked, real, where(asked, '-s', spec, '-n', nodes(rows)), usable)
    equal(f'{title}, imported', asked, real, where(asked, '-n', f'@haproxy:{file}#{name}'), usable)
done()
