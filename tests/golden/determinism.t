#!/bin/sh
# Results are a pure function of the command line: the same bytes for any number of threads, any compiler, any
# optimisation, and where blocks of keys begin and end. Other compilers' programs are built into the scratch folder.
. tests/lib.sh

# Every experiment whose results are exact, sampled ones at sizes around a block of keys.
results() {
    for keys in 1 4095 4096 4097 100k; do
        "$1" balance -s modulo -s ring:vnodes=1/150 -s slots -n 10 -k user:count=$keys --threads "$2" -q
        "$1" remap -s modulo -s ring -s slots:rebalance=minimal/contiguous/redis -n 10 --change +1 --change -1 -k uuid:count=$keys --threads "$2" -q
    done
    "$1" balance -s ring -s slots -n 10 -k user:count=50k,zipf=0.99,requests=200k --per-node --threads "$2" -q
    "$1" remap -s bounded:eps=0.01/0.25 -s bounded:over=jump,eps=0.1 -n 10 --change +1 -k user:count=50k,zipf=0.99 --threads "$2" -q
    "$1" balance -s ring -s bounded -s choices:of=3 -s choices:over=jump -n 20 -k user:count=20k,zipf=1.1,requests=50k,hottest=3,copies=4 --threads "$2" -q
    "$1" balance -s ring:vnodes=1..64x4 -n 3/10 --exact --placements 20 --threads "$2" -q
    "$1" balance -s tutorial-ts -s tutorial-java-md5 -n 3 --placements 5 -k alnum:count=10k --threads "$2" -q
    "$1" remap -s modulo -s ring:vnodes=10 -s slots -n 10 --change each --exact --threads "$2" -q
    field="-s jump -s power -s flip -s jumpback -s binomial -s rendezvous -s rendezvous:tree -s maglev -s anchor -s dx -s memento -s multi-probe
        -s dynamo:strategy=1/2/3 -s straw2 -s slots:rebalance=rendezvous"
    # shellcheck disable=SC2086
    "$1" balance $field -n 24 -k user:count=20k --per-node --threads "$2" -q
    # shellcheck disable=SC2086
    "$1" remap $field -n 24 --change +2 -k user:count=20k --threads "$2" -q
    "$1" balance -s rendezvous -s straw2 -s dynamo -s maglev -s slots:rebalance=rendezvous -n a,b=2,c=7,d -k user:count=20k --per-node --threads "$2" -q
    # shellcheck disable=SC2086
    KEYSIM_DATA=$PWD "$1" verify $field -s ring -s bounded -n 3/24 --threads "$2" -q
    "$1" availability -s ring:vnodes=4/16 -s slots -n 40/300 --fail 4 --threads "$2" -q
    "$1" failure -s ring:vnodes=1/10 -s slots -s memento -s bounded -n 20/40 --capacity 1.1/1.5 --trials 3 -k user:count=5k --threads "$2" -q
    "$1" failure -s ring:vnodes=4 -n 60 --kill 4 --capacity-of own --trials 2 --threads "$2" -q
    "$1" names -n 5 --placements 2 --threads "$2" -q
    "$1" cache -s ring:vnodes=20 -s bounded -s modulo -n 5 --cache-items 500 -k user:count=20k,zipf=0.9,requests=300k --at 100k:+1 --at 200k:-node-1 --fetch 50 --coalesce --threads "$2" -q
    "$1" cache -s ring:vnodes=20 -n 5 --cache-items 500 -k user:count=20k,zipf=0.9,requests=100k --per-node --threads "$2" -q
    "$1" plan -s slots -n 10 --to 12/7 -k user:count=4097,zipf=0.9 --threads "$2" -q
    "$1" churn -q -s ring:vnodes=20 -s rendezvous -s anchor -s bounded -s jump -n 9 --events 10 -k user:count=300k --threads "$2" -q
    "$1" churn -s maglev:table=251 -s slots -n a,b=3,c --events 30 --threads "$2" -q
    "$1" plan -s ring -n 10 --to 11 --rate 2TB@100MB/s --threads "$2" -q
    "$1" ranges -s ring:vnodes=50 -n a,b=3,c
}

results "$keysim" 1 >"$scratch/one" 2>"$scratch/err"
like "$(wc -l <"$scratch/one") $(wc -c <"$scratch/err")" '^[0-9]+ 0$' 'results, and nothing to complain of'
for threads in 2 7; do
    results "$keysim" $threads >"$scratch/many"
    same "$scratch/many" "$scratch/one" "--threads $threads gives what one thread gives"
done

# A prefix of the keys is the same keys: the counts of 4097 keys are those of 4096 and one more.
counts() { "$keysim" balance -s ring -n 5 -k user:count="$1" --per-node | sed '1d; s/.*,//' | tr '\n' ' '; }
is "$(echo "$(counts 4096)$(counts 4097)" | awk '{ for (i = 1; i <= 5; i++) more += $(i + 5) - $i; print more }')" 1 'one key more is one key more'

compiler_builds() { # NAME CC OPT
    case $keysim in */san-*) skip "$2 $3: compared with the ordinary build" && return ;; esac
    if ! command -v "$2" >/dev/null; then
        skip "$2 is not installed: its results are not compared"
        return
    fi
    mkdir "$scratch/$1" && cp -r Makefile sim strategies "$scratch/$1"
    if ! env -u MAKEFLAGS -u MFLAGS make -s -j2 -C "$scratch/$1" CC="$2" OPT="$3" OPENMP= SAN= WERROR= build/keysim >"$scratch/log" 2>&1; then
        ok 1 "builds with $2 $3"
        note "$(tail -5 "$scratch/log")"
        return
    fi
    results "$scratch/$1/build/keysim" 1 >"$scratch/other"
    same "$scratch/other" "$scratch/one" "$2 $3 gives the same bytes"
}
compiler_builds clang clang -O1
compiler_builds plain gcc -O0
compiler_builds fast gcc -O3
done_testing
