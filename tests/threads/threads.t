#!/bin/sh
# No thread reads what another writes: each command that uses threads, small, in a program built with -fsanitize=thread (make test-threads).
# libarcher tells the sanitizer of OpenMP's barriers and locks, which it cannot see. A report is exit 66.
. tests/lib.sh
export OMP_TOOL_LIBRARIES="${ARCHER:-}"
# OpenMP's own library is not instrumented; what happens within it is not ours
export TSAN_OPTIONS="exitcode=66 ignore_noninstrumented_modules=1"

threaded() { # COMMAND...
    run "$keysim" "$@" --threads 4 --progress always --format csv </dev/null
    is "$status $(grep -c 'WARNING: ThreadSanitizer' "$scratch/err")" '0 0' "no race: $*"
    [ "$status" -eq 0 ] || note "$(grep -A12 -m1 'WARNING: ThreadSanitizer' "$scratch/err" || tail -3 "$scratch/err")"
}

threaded balance -s ring -s bounded -s slots -n 10 -k user:count=50k,zipf=0.99,requests=100k --per-node
threaded balance -s ring:vnodes=1/16 -n 10 --exact --placements 8
threaded balance -s redis-cluster -s jump -n 10 -k "file:path=$top/data/clusters/redis-nodes.txt"
threaded remap -s modulo -s ring -s anchor -n 10 --change each -k user:count=20k
threaded remap -s ring -s slots -n 10 --change each --exact
threaded tune -n 10 --target 'max/mean<=1.2' --confidence 0.9
threaded cache -s ring:vnodes=20 -s bounded -s modulo -n 5 --cache-items 500 -k user:count=20k,zipf=0.9,requests=100k --at 50k:+1 --fetch 50 --coalesce
threaded failure -s ring:vnodes=1/10 -s slots -s bounded -n 20 --capacity 1.1/1.5 --trials 3 -k user:count=5k
threaded names -n 5 --placements 2
threaded availability -s ring:vnodes=4 -s slots -n 40 --fail 4
threaded plan -s slots -n 10 --to 12/7 -k user:count=20k,zipf=0.9
threaded churn -s ring:vnodes=20 -s rendezvous -s anchor -n 9 --events 10 -k user:count=50k
threaded verify -s ring:vnodes=10 -s jump -s maglev:table=251 -s slots -n 3/24
threaded compare -s ring -s rendezvous -n 10 -k user:count=50k
done_testing
