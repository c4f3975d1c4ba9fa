#!/bin/sh
# Under valgrind: the same bytes, and nothing that it objects to. valgrind 3.19 knows no AVX-512 and hides it from cpuid, so that the fast paths
# are those of AVX2 there; plain ones are tried too.
. tests/lib.sh

if ! command -v valgrind >/dev/null; then
    skip 'no valgrind: apt-get install valgrind'
    done_testing
fi
while read -r words; do
    # shellcheck disable=SC2086
    "$keysim" $words --format csv -q --threads 2 >"$scratch/plain" 2>"$scratch/err"
    # shellcheck disable=SC2086
    run valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite "$keysim" $words --format csv -q --threads 1
    is "$status $(head -3 "$scratch/err")" '0 ' "valgrind: $words"
    same "$scratch/out" "$scratch/plain" "the same bytes: $words"
done <<'EOF'
where -s ring:vnodes=20 -n 5 --explain a b c user:1
balance -s ring:vnodes=10 -s slots -s rendezvous -s straw2 -s multi-probe -s jump -n 12 -k user:count=5000
balance -s ring:vnodes=10 -n 12 -k uuid:count=5000 --cpu plain
remap -s ring:vnodes=10,hash=md5-32 -s maglev:table=251 -s memento -n 5 --change +1 --change -1 -k ipv4:count=2000
availability -s ring:vnodes=4 -n 12
plan -s slots -n 3 --change +1
hash -H md5-32 a b c
EOF
done_testing
