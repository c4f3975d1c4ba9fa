#!/bin/sh
# keysim bench: nothing here looks at a time. It runs, both sides agree, its CSV has its columns, and mistakes are refused.
. tests/lib.sh

run "$keysim" bench --quick -q --format csv
is $status 0 'the whole bench, quick'
cp "$scratch/out" "$scratch/bench.csv"
columns=schema,figure,quantity,against,cpu,nodes,points,keys,memory_bytes,unit,ours,theirs,ratio,wanted,target,verdict,limit,answers,spread,reps
is "$(head -1 "$scratch/bench.csv")" "$columns" 'its columns'
column() { awk -F, -v want="$1" -v only="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } !only || $2 == only { print $at[want] }' "$scratch/plain.csv"; }
sed 's/"[^"]*"/quoted/g' "$scratch/bench.csv" >"$scratch/plain.csv"
is "$(column figure | uniq | grep -vx threads | tr '\n' ' ')" \
    'ring single whole slots jump rendezvous multi-probe build add shares memory growth points machine ' 'every figure is there (threads: with two cores)'
is "$(column answers | sort -u | tr '\n' ' ')" ' same ' 'no two sides differ'
is "$(column answers points | sort -u)" same 'on rings of any size'
is "$(column verdict | sort -u | grep -cvx 'met\|missed\|')" 0 'a target is met or missed'
test "$(column points points | tail -1)" -ge 1000000
ok $? 'rings of up to a million points'
awk 'BEGIN { bad = 0 } { if ($1 <= 0) bad = 1 } END { exit bad }' <<T
$(column ours)
T
ok $? 'every figure took some time'

run "$keysim" bench --quick -q --cpu plain --format csv jump
is "$status $(sed 1d "$scratch/out" | cut -d, -f2 | sort -u) $(grep -c ',plain,' "$scratch/out")" '0 jump 1' '--cpu plain: one figure, one row'
run "$keysim" bench --quick -q --format table --csv "$scratch/both.csv" memory
is $status 0 'words and CSV at once'
like "$(cat "$scratch/out")" '^ring and index, 1000 nodes.*(met|missed) \(at most' 'the words'
like "$(cat "$scratch/out")" '^Next: keysim bench \(' 'after a quick one, the whole'
is "$(head -1 "$scratch/both.csv")" "$columns" 'the CSV'

# The plain program counts as keysim does.
if command -v "${CC:-cc}" >/dev/null; then
    ${CC:-cc} -O2 -Isim -o "$scratch/plain" bench/plain.c sim/experiments/bench_plain.c
    "$scratch/plain" 7 20 50000 >"$scratch/counts"
    "$keysim" balance -s ring:vnodes=20 -n 7 -k user:count=50k --per-node --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "node,keys"; next } { print $at["node"] "," $at["keys"] }' >"$scratch/own"
    same "$scratch/counts" "$scratch/own" 'bench/plain.c counts what keysim counts'
else
    skip 'no compiler'
fi
done_testing
