#!/usr/bin/python3 -B
"""Redis Cluster: real servers on several addresses, created by redis-cli, grown by a node and rebalanced.

Slots of keys by CLUSTER KEYSLOT, owners of slots by CLUSTER SLOTS; keysim is asked by the nodes alone, by the change, and through the
text of CLUSTER NODES. One empty node joins: how redis-cli deals among several, or among equals with weights, is chance."""
from live import *

need(program('redis-server'), program('redis-cli'))

hosts = [address() for _ in range(3)]
servers = []
while len(servers) < 6:
    host = rng.choice(hosts)
    servers.append((host, free(host, beside=10000))) # there is the cluster's bus
for host, port in servers:
    redis_server(host, port, '--cluster-enabled', 'yes', '--bind-source-addr', host, '--cluster-node-timeout', '30000')


def texts(among):
    return ['%s:%d' % s for s in among]


def cluster(*words):
    p = subprocess.run(['redis-cli', '--cluster', *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True, timeout=60)
    if p.returncode:
        sys.exit(f'redis-cli --cluster {" ".join(words)}:\n{p.stdout}')


def owners():
    """Of all slots, as the first server knows them."""
    owner = [''] * 16384
    for first, last, (host, port, *_), *_ in entry.ask(b'CLUSTER', b'SLOTS'):
        owner[first:last + 1] = [f'{host.decode()}:{port}'] * (last + 1 - first)
    return owner


def settle(nodes_known):
    """Waits until every server knows the others and all slots, and has the same map."""
    for _ in range(400):
        maps = [s.ask(b'CLUSTER', b'SLOTS') for s in asked_servers]
        info = [s.ask(b'CLUSTER', b'INFO') for s in asked_servers]
        if all(b'cluster_state:ok' in i and b'cluster_known_nodes:%d\r' % nodes_known in i for i in info) and \
                len({str(sorted(str(r[:3]) for r in m)) for m in maps}) == 1:
            return
        time.sleep(0.05)
    sys.exit(f'{NAME}: the cluster does not settle')


masters = rng.randrange(3, 6)
asked_servers = [Redis(s) for s in servers[:masters]]
entry = asked_servers[0]
cluster('create', *texts(servers[:masters]), '--cluster-yes')
settle(masters)

asked = keys()
slots = [int(s) for s in entry.ask_all([(b'CLUSTER', b'KEYSLOT', key) for key in asked])]
spec, drawn = 'redis-cluster', ','.join(texts(servers[:masters]))
equal('slots', asked, [str(s) for s in slots], where(asked, '-s', spec, '-n', drawn, '--explain', column='slot'))


def ranges(*arguments):
    owner = [''] * 16384
    for r in keysim('ranges', *arguments, '--format', 'csv'):
        owner[int(r['first']):int(r['last']) + 1] = [r['node']] * (int(r['last']) + 1 - int(r['first']))
    return owner


def imported():
    """NODES of CLUSTER NODES as it is now."""
    return '@redis-nodes:' + write(f'nodes-{time.monotonic_ns()}', entry.ask(b'CLUSTER', b'NODES').decode())


real = owners()
every = [b'slot %d' % s for s in range(16384)]
equal(f'create on {masters} masters at {len({s[0] for s in servers[:masters]})} addresses, all slots', every, real, ranges('-s', spec, '-n', drawn))
before = imported()
equal('create, imported, all slots', every, real, ranges('-n', before))
equal('create', asked, [real[s] for s in slots], where(asked, '-s', spec, '-n', drawn))

new = servers[masters]
weight = rng.randrange(1, 4)
asked_servers.append(Redis(new))
cluster('add-node', *texts([new, servers[0]]))
settle(masters + 1)
name = asked_servers[-1].ask(b'CLUSTER', b'MYID').decode()
cluster('rebalance', texts(servers)[0], '--cluster-use-empty-masters', '--cluster-weight', f'{name}={weight}')
settle(masters + 1)
real = owners()
title = f'rebalance over {masters + 1} masters, the new one weighs {weight}'
for how, known in (('', ['-s', spec, '-n', drawn]), (', imported before', ['-n', before])):
    told = where(asked, *known, '--change', f'+{texts([new])[0]}={weight}', column='node_after')
    equal(title + how, asked, [real[s] for s in slots], told)
after = imported()
equal(f'{title}, imported after', asked, [real[s] for s in slots], where(asked, '-n', after))
equal(f'{title}, imported after, all slots', every, real, ranges('-n', after))
done()
