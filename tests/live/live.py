"""What the live tests share: TAP, chance with a printed seed, free addresses, programs that surely end, keysim's answers.

A test asks a real program where drawn keys go on drawn nodes, and keysim the same; every answer must be equal. SEED=N repeats a run.
Whatever is started is stopped by its process id when the test ends, however that comes about; a test takes at most LIMIT seconds."""
import atexit
import csv
import io
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from urllib.parse import unquote_to_bytes

LIMIT = 150
KEYSIM = os.path.abspath(os.environ.get('BIN', 'build/keysim'))
NAME = os.path.basename(sys.argv[0])

seed = int(os.environ.get('SEED') or random.SystemRandom().randrange(10**9))
rng = random.Random(f'{NAME} {seed}')
running, claims = [], []
count = failed = 0


def folder():
    """A new one; its name is drawn too, since a socket's path is hashed."""
    while True:
        try:
            os.mkdir(name := os.path.join(tempfile.gettempdir(), f'keysim-live-{rng.randrange(10**9)}'), 0o700)
            return name
        except FileExistsError:
            pass


scratch = folder()


def ok(good, name, *notes):
    global count, failed
    count += 1
    failed += not good
    print(f'{"ok" if good else "not ok"} {count} - {name}', flush=True)
    if not good:
        print(f'# {name}', *(f'#   {n}' for n in notes), sep='\n', file=sys.stderr, flush=True)


def done():
    print(f'1..{count}')
    sys.exit(failed > 0)


def need(*missing):
    """Each of missing is the name of what is not there, or None."""
    absent = ' and '.join(m for m in missing if m)
    if absent and os.environ.get('CI') == 'true':
        ok(False, f'{absent}: not installed (make deps-live)')
        done()
    if absent:
        print(f'{NAME}: SKIPPED, {absent} not installed: make deps-live', file=sys.stderr)
        print(f'1..0 # SKIP {absent} not installed: make deps-live')
        sys.exit(0)
    print(f'# {NAME}: SEED={seed}', file=sys.stderr, flush=True)


def program(name):
    """What is missing for a program to run, for need()."""
    return None if shutil.which(name) else name


@atexit.register
def clean():
    for p in running:
        p.terminate()
    for p in running:
        try:
            p.wait(5)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
    shutil.rmtree(scratch, ignore_errors=True)


def interrupted(number, _):
    sys.exit(f'{NAME}: took over {LIMIT} s' if number == signal.SIGALRM else 128 + number)


for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
    signal.signal(number, interrupted)
signal.alarm(LIMIT)
os.environ['PATH'] += ':/usr/sbin:/sbin'


# -- addresses and programs --

def address():
    return '127.%d.%d.%d' % tuple(rng.randrange(1, 255) for _ in range(3))


def claim(host, port):
    """Whether the port is free and now ours: other tests keep off by a lock, other programs are seen by binding."""
    try:
        lock = socket.socket(socket.AF_UNIX)
        lock.bind(f'\0keysim-live {host} {port}')
        with socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET) as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # else a run just before would change this one
            s.bind((host, port))
    except OSError:
        return False
    claims.append(lock)
    return True


def free(host, beside=0):
    """A free port (and the one so far above it). Drawn, not the system's choice (port 0): names are hashed with their ports, and SEED repeats."""
    while not claim(host, port := rng.randrange(10000, 32000 - beside)) or (beside and not claim(host, port + beside)):
        pass
    return port


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as s:
            s.bind(('::1', 0))
        return True
    except OSError:
        return False


def path(name):
    return os.path.join(scratch, name)


def write(name, text):
    with open(path(name), 'wb') as f:
        f.write(text.encode())
    return path(name)


def connect(where):
    s = socket.socket(socket.AF_INET if isinstance(where, tuple) else socket.AF_UNIX)
    s.settimeout(20)
    try:
        s.connect(where)
    except OSError:
        s.close()
        raise
    return s


def start(arguments, where):
    """Starts a program and waits until it listens at where, (host, port) or a socket's path."""
    log = path(f'log{len(running)}')
    with open(log, 'wb') as out:
        running.append(subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=scratch))
    for _ in range(200):
        time.sleep(0.05)
        try:
            connect(where).close()
            return
        except OSError:
            if running[-1].poll() is not None:
                break
    with open(log, errors='replace') as f:
        sys.exit(f'{NAME}: {arguments[0]} does not listen at {where}:\n{f.read()}')


def http(where, requests, window=32):
    """The bodies of the answers to GET requests (bytes: target and further header lines) on one connection."""
    bodies = []
    with connect(where) as s, s.makefile('rb') as answers:
        for i in range(0, len(requests), window):
            part = requests[i:i + window]
            s.sendall(b''.join(b'GET ' + target + b' HTTP/1.1\r\nHost: live\r\n' + headers + b'\r\n' for target, headers in part))
            for _ in part:
                status, length = answers.readline(), 0
                while (line := answers.readline()) not in (b'\r\n', b''):
                    if line.lower().startswith(b'content-length:'):
                        length = int(line.split(b':')[1])
                body = answers.read(length)
                bodies.append(body.decode() if b' 200 ' in status else f'{status!r}')
    return bodies


# -- keys and nodes --

LETTERS = b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
MARKS = b'{}{}{}abc,"\\ \t:;/?&=#%+-_.\'<>()[]'


def text(alphabet, least, most):
    return bytes(rng.choices(alphabet, k=rng.randrange(least, most + 1)))


def keys(usable=lambda key: True, number=1000):
    """Distinct drawn keys: as applications write them, of marks, of any bytes, long ones, the empty one."""
    makers = (lambda: b'user:%d' % rng.randrange(10**9), lambda: text(LETTERS, 1, 64), lambda: text(MARKS, 1, 12),
              lambda: b'%s{%s}%s' % (text(LETTERS, 0, 4), text(LETTERS, 0, 6), text(LETTERS, 0, 4)),
              lambda: rng.randbytes(rng.randrange(1, 49)), lambda: text(LETTERS, 200, 1000) if rng.random() < 0.2 else b'%d' % rng.randrange(10**4))
    drawn = {b'': 0} if usable(b'') else {}
    while len(drawn) < number:
        key = rng.choice(makers)()
        if usable(key):
            drawn[key] = 0
    return list(drawn)


def addresses(number=1000):
    """Distinct client addresses, a third of them IPv6."""
    drawn = {}
    while len(drawn) < number:
        family = rng.choice((socket.AF_INET, socket.AF_INET, socket.AF_INET6))
        drawn[socket.inet_ntop(family, rng.randbytes(16 if family == socket.AF_INET6 else 4)).encode()] = 0
    return list(drawn)


def weights(number, most, drawn=None):
    """Equal ones half of the time."""
    return [rng.randrange(1, most + 1) for _ in range(number)] if (rng.random() < 0.5 if drawn is None else drawn) else [1] * number


# -- keysim --

def percent(raw):
    return ''.join(chr(b) if 0x21 <= b <= 0x7e and b not in b'%#' else f'%{b:02X}' for b in raw)


def nodes(rows):
    """NODES of (name, weight, attributes)."""
    return '@' + write('nodes', ''.join(f'{percent(n.encode())} {w} {a}\n' for n, w, a in rows))


def keysim(*arguments, **input):
    p = subprocess.run([KEYSIM, *arguments], capture_output=True, timeout=60, **input)
    if p.returncode:
        raise RuntimeError(f'keysim {" ".join(arguments)}: exit {p.returncode}: {p.stderr.decode(errors="replace")}')
    return list(csv.DictReader(io.StringIO(p.stdout.decode(), newline='')))


def where(where_keys, *arguments, column='node'):
    """keysim's answers to keys."""
    rows = keysim('where', *arguments, '--percent', '--format', 'csv', '-q', '-f', write('keys', '\n'.join(map(percent, where_keys)) + '\n'))
    return [unquote_to_bytes(r[column]).decode() for r in rows]


def equal(name, asked, real, told, usable=()):
    """One test: real and told answers to keys. Where keysim names no node (-), the real one is free among the usable."""
    wrong = [(k, r, t) for k, r, t in zip(asked, real, told) if r != t and not (t == '-' and r in usable)]
    if not len(asked) == len(real) == len(told):
        wrong.append((b'', f'{len(real)} answers', f'{len(told)} answers'))
    ok(not wrong, f'{name}: {len(asked)} keys', f'{len(wrong)} differ', *(f'{k[:60]!r}: real {r}, keysim {t}' for k, r, t in wrong[:5]))


# -- Redis --

class Redis:
    """A connection that speaks Redis' protocol."""

    def __init__(self, where):
        self.socket = connect(where)
        self.answers = self.socket.makefile('rb')

    def ask(self, *words):
        return self.ask_all([words])[0]

    def ask_all(self, commands, window=100):
        answers = []
        for i in range(0, len(commands), window):
            part = commands[i:i + window]
            self.socket.sendall(b''.join(b'*%d\r\n' % len(c) + b''.join(b'$%d\r\n%s\r\n' % (len(w), w) for w in c) for c in part))
            answers += [self.answer() for _ in part]
        return answers

    def answer(self):
        kind, rest = (line := self.answers.readline())[:1], line[1:-2]
        if kind == b'$' and rest != b'-1':
            return self.answers.read(int(rest) + 2)[:-2]
        if kind == b'*':
            return [self.answer() for _ in range(int(rest))]
        if kind not in b'+:$' or not kind:
            raise RuntimeError(f'Redis says {line!r}')
        return int(rest) if kind == b':' else rest


def redis_server(host, port, *options):
    os.makedirs(data := path(f'redis-{host}-{port}'))
    start(['redis-server', '--bind', host, '--port', str(port), '--dir', data, '--save', '', '--appendonly', 'no', *options], (host, port))
