#!/usr/bin/python3 -B
"""straw2: Ceph's crushtool on drawn maps of one bucket: items with gaps in any order, drawn weights, one to six copies of drawn x.

Where CRUSH gives up on a copy both answer with fewer."""
from live import *

need(program('crushtool'))

TUNABLES = {'choose_local_tries': 0, 'choose_local_fallback_tries': 0, 'choose_total_tries': 50, 'chooseleaf_descend_once': 1,
            'chooseleaf_vary_r': 1, 'chooseleaf_stable': 1, 'straw_calc_version': 1, 'allowed_bucket_algs': 54}
LIMIT_IN_TEXT = 100  # crushtool compiles no heavier devices, but knows them


def crush_map(items):
    """The text of a map whose root holds (number, weight) in this order."""
    lines = [f'tunable {name} {value}' for name, value in TUNABLES.items()]
    lines += [f'device {n} osd.{n}' for n, _ in sorted(items)] + ['type 0 osd', 'type 1 root', 'root all {', ' id -1', ' alg straw2', ' hash 0']
    lines += [f' item osd.{n} weight {min(w, LIMIT_IN_TEXT)}.000' for n, w in items]
    lines += ['}', 'rule flat {', ' id 0', ' type replicated', ' min_size 1', ' max_size 64', ' step take all', ' step choose firstn 0 type osd', ' step emit', '}']
    return '\n'.join(lines) + '\n'


def crushtool(*arguments):
    p = subprocess.run(['crushtool', *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    if p.returncode:
        sys.exit(f'crushtool {" ".join(arguments)}:\n{p.stdout}')
    return p.stdout


def compiled(items, name):
    crushtool('-c', write('map', crush_map(items)), '-o', path(name))
    for n, w in items:
        if w > LIMIT_IN_TEXT:
            crushtool('-i', path(name), '--reweight-item', f'osd.{n}', str(w), '-o', path(name))
    return path(name)


def mappings(crush, copies, first, last):
    """What crushtool gives to each x."""
    text = crushtool('-i', crush, '--test', '--show-mappings', '--rule', '0', '--num-rep', str(copies), '--min-x', str(first), '--max-x', str(last))
    return [line.split('[')[1].rstrip(']') for line in text.splitlines() if line.startswith('CRUSH rule')]


def told(items, copies, xs):
    """The same in keysim's words."""
    drawn = nodes((f'osd.{n}', w, '') for n, w in items)
    rows = keysim('where', '-s', 'straw2:hash=identity', '-n', drawn, '--replicas', str(copies), '-q', '--format', 'csv', '-f',
                  write('keys', ''.join(f'{x}\n' for x in xs)))
    answers = []
    for r in rows:
        if r['replica'] == '1':
            answers.append([])
        answers[-1].append(r['node'].removeprefix('osd.'))
    return [','.join(a) for a in answers]


for size in [1, 2, 3, rng.randrange(4, 12), rng.randrange(12, 60), rng.randrange(60, 400)]:
    for most in (1, 9, 100, 32767):
        numbers = rng.sample(range(size * rng.choice((1, 3, 20))), size)
        items = [(n, rng.randrange(1, most + 1) if most <= LIMIT_IN_TEXT or i < 4 else rng.choice((1, 100))) for i, n in enumerate(numbers)]
        copies = rng.randrange(1, min(size, 6) + 1)
        first = rng.choice((0, rng.randrange(2**20), 2**31 - 3000))  # crushtool never ends when the last x is 2^31 - 1
        xs = range(first, first + 1500)
        equal(f'{size} items of weight 1 to {most}, {copies} copies, x from {first}', [b'%d' % x for x in xs],
              mappings(compiled(items, f'map-{size}-{most}'), copies, xs[0], xs[-1]), told(items, copies, xs))
done()
