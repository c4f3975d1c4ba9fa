#!/usr/bin/python3 -B
"""nginx: hash consistent, hash and ip_hash over addresses, sockets and ports, with weights and servers that are down.

One nginx is both sides: its servers return their own text, and a location for each upstream passes the key in a header (addresses
come through the realip module). keysim is asked by option and through the configuration itself."""
from live import *

need(program('nginx'))

servers = [f'{a}:{free(a)}' for a in (address() for _ in range(9))] + [f'unix:{path(f"s{i}")}' for i in range(2)]
servers += [f'[::1]:{free("::1")}' for _ in range(2 if has_ipv6() else 0)]
servers += [a for a in (address() for _ in range(2)) if claim(a, 80)]

upstreams = []  # name, method, kind, rows
for method in ('consistent', 'hash', 'ip_hash'):
    for kind in ('equal', 'weighted', 'down'):
        chosen = rng.sample(servers, rng.randrange(3, len(servers) + 1))
        weight = weights(len(chosen), 20, drawn=kind != 'equal')
        down = rng.sample(chosen, rng.randrange(1, len(chosen) - 1)) if kind == 'down' else []
        upstreams.append((f'u{len(upstreams)}', method, kind, [(s, w, 'down=1' if s in down else '') for s, w in zip(chosen, weight)]))

config = f'''
daemon off; master_process off; pid {path('pid')}; error_log stderr error;
events {{ worker_connections 4096; }}
http {{
    access_log off; keepalive_requests 1000000; large_client_header_buffers 4 16k;
    set_real_ip_from unix:; real_ip_header X-Real-IP;
    {' '.join(f'{t}_temp_path {path(t)};' for t in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))}
'''
for s in servers:
    config += f'    server {{ listen {s if ":" in s else s + ":80"}; return 200 "{s}"; }}\n'
for name, method, kind, rows in upstreams:
    method = {'consistent': 'hash $http_x_key consistent', 'hash': 'hash $http_x_key', 'ip_hash': 'ip_hash'}[method]
    config += f'    upstream {name} {{\n        {method};\n'
    config += ''.join(f'        server {s}{f" weight={w}" if w > 1 else ""}{" down" if d else ""};\n' for s, w, d in rows) + '    }\n'
config += f'    server {{\n        listen unix:{path("front")};\n'
config += ''.join(f'        location = /{u[0]} {{ proxy_pass http://{u[0]}; }}\n' for u in upstreams) + '    }\n}\n'
file = write('nginx.conf', config)
start(['nginx', '-p', scratch, '-c', file, '-e', 'stderr'], path('front'))

header = lambda key: key == key.strip() and not set(key) & set(b'\0\r\n')
for name, method, kind, rows in upstreams:
    asked = addresses() if method == 'ip_hash' else keys(header)
    field = b'X-Real-IP: ' if method == 'ip_hash' else b'X-Key: '
    real = http(path('front'), [(b'/' + name.encode(), field + k + b'\r\n') for k in asked])
    usable = [s for s, _, down in rows if not down]
    title = f'{method}, {kind}, {len(rows)} servers, {len(usable)} up'
    equal(title, asked, real, where(asked, '-s', f'nginx:method={method}', '-n', nodes(rows)), usable)
    equal(f'{title}, imported', asked, real, where(asked, '-n', f'@nginx:{file}#{name}'), usable)
done()
