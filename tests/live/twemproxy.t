#!/usr/bin/python3 -B
"""twemproxy (nutcracker) before real redis-servers: ketama and modula with every hash, weights, names and hash tags.

One nutcracker has a pool for each configuration. Keys are set through it, then each server is asked which it holds. keysim is asked
by option and through the configuration itself."""
from live import *

need(program('nutcracker'), program('redis-server'))

backs = []
for _ in range(7):
    host = address()
    backs.append((host, 11211 if rng.random() < 0.4 and claim(host, 11211) else free(host)))
for host, port in backs:
    redis_server(host, port)
stores = [Redis(b) for b in backs]


def text_of(n):
    return '%s:%d' % backs[n]


def drawn_pool(distribution, h, tag):
    chosen = rng.sample(range(len(backs)), rng.randrange(2, len(backs) + 1))
    weight = weights(len(chosen), 10)
    names = rng.sample(['a', 'b', 'zz', 'cache-1', 'cache-10', 'cache-2', 'shard_a'], len(chosen)) if rng.random() < 0.3 else [''] * len(chosen)
    return distribution, h, tag, list(zip(chosen, weight, names))


hashes = 'one_at_a_time md5 crc16 crc32 crc32a fnv1_64 fnv1a_64 fnv1_32 fnv1a_32 hsieh murmur jenkins'.split()
pools = [drawn_pool(rng.choice(('ketama', 'modula')), h, '') for h in hashes]
pools += [drawn_pool(d, rng.choice(hashes), rng.choice(('{}', '""', '::', '$|'))) for d in ('ketama', 'modula')]
pools += [drawn_pool(d, 'fnv1a_64', '') for d in ('ketama', 'modula')]

config = ''
for i, (distribution, h, tag, rows) in enumerate(pools):
    config += f'p{i}:\n  listen: {path(f"p{i}")}\n  redis: true\n  timeout: 20000\n  distribution: {distribution}\n  hash: {h}\n'
    config += f"  hash_tag: '{tag}'\n" if tag else ''
    config += '  servers:\n' + ''.join(f'   - {text_of(b)}:{w}{" " + n if n else ""}\n' for b, w, n in rows)
file = write('nutcracker.yml', config)
host = address()
start(['nutcracker', '-c', file, '-a', host, '-s', str(free(host)), '-p', path('pid')], path(f'p{len(pools) - 1}'))

for i, (distribution, h, tag, rows) in enumerate(pools):
    asked = keys()
    for store in stores:
        store.ask(b'FLUSHALL')
    Redis(path(f'p{i}')).ask_all([(b'SET', key, b'x') for key in asked])
    holds = {key: text_of(n) for n, store in enumerate(stores) for key in store.ask(b'KEYS', b'*')}
    real = [holds.get(key, 'nowhere') for key in asked]
    drawn = nodes([(text_of(b), w, f'alias={n}' if n else '') for b, w, n in rows])
    spec = f'twemproxy:distribution={distribution},hash={h}' + (f',tag={tag}' if tag else '')
    name = f'{distribution}, {h}{", tag " + tag if tag else ""}, {len(rows)} servers{" with names" if rows[0][2] else ""}'
    equal(name, asked, real, where(asked, '-s', spec, '-n', drawn))
    equal(f'{name}, imported', asked, real, where(asked, '-n', f'@twemproxy:{file}#p{i}'))
done()
