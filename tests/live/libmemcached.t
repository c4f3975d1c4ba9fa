#!/usr/bin/python3 -B
"""libmemcached: modula and its rings with every hash, weights, ports and up to 100 servers, and a hash that is set too late.

No server is contacted: libmemcached.c, built here against the installed library, asks memcached_generate_hash()."""
from live import *

compiler = os.environ.get('CC') or 'cc'
need(program(compiler.split()[0]), None if os.path.exists('/usr/include/libmemcached/memcached.h') else 'libmemcached-dev')
ask = path('ask')
subprocess.run([*compiler.split(), '-o', ask, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'libmemcached.c'), '-lmemcached'], check=True)


def drawn_servers(number, heavy):
    hosts = {}
    while len(hosts) < number:
        hosts[rng.choice((address(), f'cache{rng.randrange(10**5)}.example.com', f'mc-{rng.randrange(10**4)}'))] = 0
    return [(host, 11211 if rng.random() < 0.5 else rng.randrange(1024, 65536), w) for host, w in zip(hosts, weights(number, 20, drawn=heavy))]


def compare(distribution, h, order='early', number=None, heavy=None):
    number = number or rng.randrange(2, 20)
    servers = drawn_servers(number, heavy=rng.random() < 0.5 if heavy is None else heavy)
    asked = keys()
    hexed = '\n'.join(k.hex() for k in asked) + '\n'
    answers = subprocess.run([ask, distribution, h, order, write('servers', ''.join('%s %d %d\n' % s for s in servers))], input=hexed, text=True,
                             stdout=subprocess.PIPE, check=True, timeout=60).stdout
    real = ['%s:%d' % servers[int(place)][:2] for place in answers.split()]
    spec = f'libmemcached:distribution={distribution},hash={h}' + (',points=one_at_a_time' if order == 'late' else '')
    title = f'{distribution}, {h}{" set late" if order == "late" else ""}, {number} servers{", weighted" if max(s[2] for s in servers) > 1 else ""}'
    equal(title, asked, real, where(asked, '-s', spec, '-n', nodes([(f'{host}:{port}', w, '') for host, port, w in servers])))


hashes = 'one_at_a_time md5 crc fnv1_64 fnv1a_64 fnv1_32 fnv1a_32 murmur jenkins murmur3'.split()
for h in hashes:
    compare('modula', h)
    compare('ketama', h, heavy=False)
    compare('ketama', h, heavy=True)
    compare('spy', h)
for number in (25, 47, 50, 55, 94, 100, None, None):
    compare('ketama-weighted', 'one_at_a_time', number=number, heavy=number is None)
for _ in range(3):
    compare('spy-weighted', 'one_at_a_time')
for h in rng.sample(hashes[1:], 3):
    compare('ketama', h, order='late', heavy=False)
done()
