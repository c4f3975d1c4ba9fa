"""Tutorials' code as published, taken out of their pages and made to count keys: tutorials.py SEEDS FOLDER.

Their classes stand as they are, but for TypeScript's types, which node does not take, and line ends that a page lost. Added to each is a main
that places user:0 .. user:999999 on node-0 .. node-9 and prints NODE,KEYS."""
import pathlib
import re
import sys

seeds, folder = map(pathlib.Path, sys.argv[1:])
page = ''.join(p.read_text(encoding='utf-8') for p in sorted(seeds.glob('*.txt')))


def between(begin, end):
    at = page.find(begin)
    return page[at:page.find(end, at)] if at >= 0 else None


def python():
    code = between('import hashlib\nfrom bisect', '# ---- ')
    return code and code + '''
ring, count = ConsistentHash(150), {}
for i in range(10):
    ring.add_node(f'node-{i}')
for i in range(1000000):
    node = ring.get_node(f'user:{i}')
    count[node] = count.get(node, 0) + 1
for node in count:
    print(f'{node},{count[node]}')
'''


def typescript():
    code = between('import { createHash } from "crypto";', '// ---- ')
    if not code:
        return None
    code = re.sub(r'\bprivate ', '', code)
    code = re.sub(r'(\w+|\))\s*: (?:number\[\]|number|string|void|(?:Map|Set)<[^>]*>)(?=[;,) ={])', r'\1', code) # types
    code = code.replace(')!;', ');')
    return code + '''
const ring = new ConsistentHash(150), count = new Map();
for (let i = 0; i < 10; i++) ring.addNode(`node-${i}`);
for (let i = 0; i < 1000000; i++) {
  const node = ring.getNode(`user:${i}`);
  count.set(node, (count.get(node) || 0) + 1);
}
for (const [node, keys] of count) console.log(`${node},${keys}`);
'''


def java():
    code = between('import java.util.*;import java.security', '\n')
    if not code:
        return None
    code = re.sub(r'//.*?(?=    |$)', '', code) # comments ended with their line
    return code.replace('public class', 'class') + '''
public class Tutorial {
    public static void main(String[] args) {
        ConsistentHashing ring = new ConsistentHashing();
        Map<String, Integer> count = new HashMap<>();
        for (int i = 0; i < 10; i++) ring.addNode("node-" + i);
        for (int i = 0; i < 1000000; i++) count.merge(ring.getNode("user:" + i), 1, Integer::sum);
        for (String node : count.keySet()) System.out.println(node + "," + count.get(node));
    }
}
'''


for name, code in (('tutorial.py', python()), ('tutorial.mjs', typescript()), ('Tutorial.java', java())):
    if code:
        (folder / name).write_text(code, encoding='utf-8')
    else:
        print(f'bench-peers: {name}: the tutorial that it comes from is not in {seeds}', file=sys.stderr)
