#!/bin/sh
# Memory as valgrind sees it: nothing read before it was written, nothing lost at the end, also after a mistake. A few keys through every part.
# It knows no AVX-512, so that the plainer code for the processor's sake is walked here; the sanitizers walk the other.
. tests/lib.sh

# whole STATUS COMMAND...: 99 is valgrind's. What OpenMP's threads keep until the end is still reachable, and no loss.
whole() {
    wanted=$1
    shift
    run valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        --suppressions=tests/valgrind/openmp.supp "$keysim" "$@" --threads "$threads" </dev/null
    is "$status" "$wanted" "$*"
    [ "$status" = "$wanted" ] || note "$(head -20 "$scratch/err")"
}

threads=1
whole 0 where -s ring:vnodes=5 -n 3 --explain --change +1 a b
whole 0 where -n @nginx:data/clusters/nginx.conf#api /index.html
whole 0 balance -s ring:vnodes=5 -s bounded -s maglev:table=251 -s slots:count=64 -n 4 -k user:count=500,zipf=0.9,requests=1k --per-node
whole 0 remap -s modulo -s anchor -s memento -n 4 --change each -k uuid:count=500
whole 0 remap -s ring:vnodes=5 -n 4 --change +1 --exact --format json
whole 0 tune -n 3 --target 'max/mean<=2' --confidence 0.5 -q
whole 0 cache -s ring:vnodes=5 -n 3 --cache-items 50 -k user:count=500,zipf=0.9,requests=2k --at 1k:-node-1 -q
whole 0 failure -s ring:vnodes=2 -n 5 --capacity 1.5 --trials 2 -q
whole 0 availability -s ring:vnodes=2 -n 6 --fail 2 -q
whole 0 plan -s slots:count=64 -n 3 --to 4 -q
whole 0 churn -s rendezvous -n 4 --events 3 -k user:count=500 -q
whole 0 compare -s ring:vnodes=5 -s jump -n 3 -k user:count=500 -q
whole 0 verify -s jump -n 3 -q
whole 2 balance -s ring:vnodes=many -n 3
whole 2 where -n @nginx:data/clusters/nginx.conf#nobody x
threads=2
whole 0 balance -s ring:vnodes=5 -n 4 -k user:count=9k
done_testing
