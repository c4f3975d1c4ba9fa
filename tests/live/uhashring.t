#!/usr/bin/python3 -B
"""uhashring, the Python package: both of its rings, with weights and other numbers of points."""
from importlib.util import find_spec

from live import *

need(None if find_spec('uhashring') else 'python3-uhashring')
from uhashring import HashRing


def is_text(key):
    """uhashring takes strings."""
    try:
        return bool(key.decode())
    except UnicodeDecodeError:
        return False


for mode in ('meta', 'ketama'):
    for vnodes in (None, None, rng.randrange(1, 300), rng.randrange(1, 300)):
        names = rng.sample([f'{kind}{i}' for i in range(40) for kind in ('node', 'cache-', '10.0.0.', 'Knöten ')], rng.randrange(2, 20))
        rows = [(n, w, '') for n, w in zip(names, weights(len(names), 8))]
        ring = HashRing({n: w for n, w, _ in rows}, **({'hash_fn': 'ketama'} if mode == 'ketama' else {}), **({'vnodes': vnodes} if vnodes else {}))
        asked = keys(is_text) + [f'{n}-{rng.randrange(vnodes or 40)}'.encode() for n in names] # the latter are labels of points
        real = [ring.get_node(key.decode()) for key in asked]
        spec = f'uhashring:mode={mode}' + (f',vnodes={vnodes}' if vnodes else '')
        equal(f'{spec}, {len(rows)} nodes', asked, real, where(asked, '-s', spec, '-n', nodes(rows)))
done()
