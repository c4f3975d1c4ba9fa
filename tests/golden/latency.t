#!/bin/sh
# keysim latency: what it says, without the numbers, which are the machine's. None is held against a limit.
. tests/lib.sh

# The words alone: numbers and runs of blanks are one; what is said of the machine is left out.
words() {
    sed -E -e '/^no instructions/d' -e 's/[0-9]+(\.[0-9]+)?( to [0-9]+)?/N/g' -e 's/ +/ /g' "$scratch/out"
}
cell() { # ROW COLUMN of a CSV
    awk -F, -v row="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == row + 1 { print at ? $at : "no column " name }' "$scratch/out"
}

run "$keysim" latency -s null -s modulo -s rendezvous -n 300 -k user:count=1k --format table -q
is "$status $(cat "$scratch/err")" '0 ' 'three strategies are timed'
is "$(words | head -1)" 'the quickest look-up is modulo on N nodes, N ns in batches; the slowest rendezvous on N nodes, N ns; to hash a key of N bytes takes N ns more' \
    'the answer comes first, and the floor is nobody'"'"'s'
is "$(words | sed -n 2p | cut -d' ' -f1-10)" 'strategy hash ns look-up ns min .. pN dependent ns' 'then the table'
is "$(words | tail -4 | head -3)" 'medians of N repetitions on one core; dependent: one look-up after the other.
pN to pN: of single batches, as few look-ups in one as the clock allows: a caller who has few keys at hand waits so long.
The clock itself takes N ns, N % of a batch, and moves in steps of N ns; nothing is subtracted (-s null shows the floor).' 'what the clock takes is said'
is "$(tail -1 "$scratch/out")" 'Next: keysim latency -s rendezvous -n 300 --cache all' 'and what to ask next'

run "$keysim" latency -s null -n 1 -k user:count=1 --format table -q
is "$(words | head -1)" 'a look-up by null on N node takes N ns in batches and N ns one after the other; to hash a key of N bytes takes N ns more' 'one row is told as one'

# All states of the caches; a strategy without memory is the quick one to empty them for.
run "$keysim" latency -s modulo -s jump -n 10 -k user:count=1k --cache all --format table -q --threads 7
is "$status $(cat "$scratch/err")" '0 ' 'warm, cold and beside a neighbour'
is "$(words | sed -n '2,3p' | cut -d' ' -f1-4)" 'with the caches swept,
beside a neighbour that' 'what that does is said'
is "$(grep -c '^jump .* cold \|^jump .* warm \|^jump .* neighbour ' "$scratch/out")" 3 'a row each'
is "$(tail -1 "$scratch/out" | cut -d' ' -f1-3)" 'Next: keysim cost' 'after that, the cost'

# A key that cannot be looked up is named.
printf '%s\n' 12 x7 >"$scratch/keys"
run "$keysim" latency -s modulo -H identity -n 3 -k "file:path=$scratch/keys"
is "$status $(cat "$scratch/err")" "2 keysim: key 'x7' ($scratch/keys line 2) is no key for modulo with hash identity: it wants a decimal number from 0 to 18446744073709551615" 'a wrong key is told by name and line'

# The columns.
run "$keysim" latency -s modulo -n 3 -k user:count=1k --format csv -q
is "$(cell 1 cache) $(cell 1 reps)" 'warm 15' 'a row of CSV'
for column in key_bytes hash_ns lookup_ns dependent_ns p50_ns p99_ns p999_ns clock_ns clock_step_ns lookup_spread; do
    like "$(cell 1 $column)" '^[0-9]+\.[0-9]+$' "$column is a number"
done
like " 1 2 4 8 16 32 64 " " $(cell 1 batch) " 'a batch is a power of two, 64 at most'
test "$(cell 1 p50_ns | tr -d .)" -le "$(cell 1 p99_ns | tr -d .)" && test "$(cell 1 p99_ns | tr -d .)" -le "$(cell 1 p999_ns | tr -d .)"
ok $? 'percentiles rise'
for column in instructions cycles cache_misses branch_misses; do
    like "$(cell 1 $column)" '^([0-9]+\.[0-9]+)?$' "$column is a number, or empty"
done
done_testing
