"""uhashring, asked over pipes: ask_uhashring.py NODES. A line in (lookup, owners, add, remove, memory), numbers out."""
import sys
import time
import tracemalloc

from uhashring import HashRing

names = [f'node-{i}' for i in range(int(sys.argv[1]))]
keys = [f'user:{i}' for i in range(65536)]
joined = f'node-{len(names)}'
tracemalloc.start()
ring = HashRing(names)
memory = tracemalloc.get_traced_memory()[0]
tracemalloc.stop()


def lookup():
    begin = time.perf_counter_ns()
    for key in keys:
        ring.get_node(key)
    return (time.perf_counter_ns() - begin) / len(keys)


def change(leaves):
    """One joins and leaves again."""
    begin = time.perf_counter_ns()
    ring.add_node(joined)
    middle = time.perf_counter_ns()
    ring.remove_node(joined)
    return time.perf_counter_ns() - middle if leaves else middle - begin


answer = {
    'lookup': lookup,
    'owners': lambda: ' '.join(ring.get_node(key)[5:] for key in keys),
    'add': lambda: change(False),
    'remove': lambda: change(True),
    'memory': lambda: memory,
}
for line in sys.stdin:
    print(answer[line.strip()](), flush=True)
