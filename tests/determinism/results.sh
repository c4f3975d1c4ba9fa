# What exact commands print, to be the same bytes whatever runs them: . tests/determinism/results.sh; results PROGRAM FLAGS...

k() {
    # shellcheck disable=SC2086
    KEYSIM_DATA=$PWD "$program" "$@" $flags --format csv -q
}

# Every strategy, system and hash; and the commands that no other line below runs.
places() {
    for name in $("$program" list strategies --format csv | sed -n 's/^strategy,\([^,]*\),.*/\1/p') $("$program" list systems --format csv | sed -n 's/^system,\([^,]*\),.*/\1/p'); do
        k where -s "$name" -n 5 10.1.2.3 10.1.77.3 --explain
        k where -s "$name" -n 5 10.1.2.3 --replicas 3
        k balance -s "$name" -n 7 -k ipv4:count=5000 --per-node
        k remap -s "$name" -n 7 -k ipv4:count=5000 --change +1
    done
    for name in $("$program" list hashes --format csv | sed -n 's/^hash,\([^,]*\),.*/\1/p'); do
        k hash -H "$name" 12345
    done
    k tune -s ring -n 6 --target 'max/mean<=1.3'
    k compare -s ring -s tutorial-ts -s libketama -n 5 -k user:count=20k
    k balance -s ring:vnodes=20 -n 5 -k file:path=tests/determinism/results.sh --per-node
    k incidents
    k names -n a,b,c -s ring
    k list columns
}

# Every experiment whose results are exact, sampled ones at sizes around a block of keys.
results() {
    program=$1
    shift
    flags=$*
    for keys in 1 4095 4096 4097 100k; do
        k balance -s modulo -s ring:vnodes=1/150 -s slots -n 10 -k user:count=$keys
        k remap -s modulo -s ring -s slots:rebalance=minimal/contiguous/redis -n 10 --change +1 --change -1 -k uuid:count=$keys
    done
    k balance -s ring -s slots -n 10 -k user:count=50k,zipf=0.99,requests=200k --per-node
    k remap -s bounded:eps=0.01/0.25 -s bounded:over=jump,eps=0.1 -n 10 --change +1 -k user:count=50k,zipf=0.99
    k balance -s ring -s bounded -s choices:of=3 -s choices:over=jump -n 20 -k user:count=20k,zipf=1.1,requests=50k,hottest=3,copies=4
    k balance -s ring:vnodes=1..64x4 -n 3/10 --exact --placements 20
    k balance -s tutorial-ts -s tutorial-java-md5 -n 3 --placements 5 -k alnum:count=10k
    k remap -s modulo -s ring:vnodes=10 -s slots -n 10 --change each --exact
    field="-s jump -s power -s flip -s jumpback -s binomial -s rendezvous -s rendezvous:tree -s maglev -s anchor -s dx -s memento -s multi-probe
        -s dynamo:strategy=1/2/3 -s straw2 -s slots:rebalance=rendezvous"
    # shellcheck disable=SC2086
    k balance $field -n 24 -k user:count=20k --per-node
    # shellcheck disable=SC2086
    k remap $field -n 24 --change +2 -k user:count=20k
    k balance -s rendezvous -s straw2 -s dynamo -s maglev -s slots:rebalance=rendezvous -n a,b=2,c=7,d -k user:count=20k --per-node
    # shellcheck disable=SC2086
    k verify $field -s ring -s bounded -n 3/9
    k availability -s ring:vnodes=4/16 -s slots -n 40/300 --fail 4
    k failure -s ring:vnodes=1/10 -s slots -s memento -s bounded -n 20/40 --capacity 1.1/1.5 --trials 3 -k user:count=5k
    k failure -s ring:vnodes=4 -n 30 --kill 4 --capacity-of own --trials 2
    k names -n 5 --placements 2
    k cache -s ring:vnodes=20 -s bounded -s modulo -n 5 --cache-items 500 -k user:count=20k,zipf=0.9,requests=300k --at 100k:+1 --at 200k:-node-1 --fetch 50 --coalesce
    k cache -s ring:vnodes=20 -n 5 --cache-items 500 -k user:count=20k,zipf=0.9,requests=100k --per-node
    k plan -s slots -n 10 --to 12/7 -k user:count=4097,zipf=0.9
    k churn -q -s ring:vnodes=20 -s rendezvous -s anchor -s bounded -s jump -n 9 --events 10 -k user:count=300k
    k churn -s maglev:table=251 -s slots -n a,b=3,c --events 30
    k plan -s ring -n 10 --to 11 --rate 2TB@100MB/s
    k ranges -s ring:vnodes=50 -n a,b=3,c
    places
}

