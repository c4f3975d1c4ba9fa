#!/bin/sh
# Limits: a million nodes, more memory than there is, numbers near 2^64, keys of 1 MiB, large files in bounded memory. All is done, or
# refused with one line that says what would be right. GB=10: how large the large files are (sparse; 1 by default).
. tests/lib.sh
GB=${GB:-1}
most=18446744073709551615
cd "$scratch" || exit 1

# limited KB WORDS...: keysim in so much address space (more than which a sanitizer's shadow takes), in a minute of CPU.
limited() {
    space=$1
    shift
    run sh -c "ulimit -t 60; ${sanitized:+: }ulimit -v $space; "'exec "$0" "$@"' "$keysim" "$@"
}
# refused PATTERN WORDS...: exit 2, nothing on standard output, one line like PATTERN, without much memory. No clock: seconds of CPU are counted.
refused() {
    pattern=$1
    shift
    limited 4000000 "$@"
    like "$status $(wc -c <out) $(wc -l <err) $(cat err)" "^2 0 1 keysim: .*$pattern" "$*"
}
# done_as WANTED COLUMN WORDS...: exit 0, and a column of the last row.
done_as() {
    wanted=$1 column=$2
    shift 2
    limited 4000000 "$@" -q
    is "$status $(awk -F, -v name="$column" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } END { print $at }' out)$(cat err)" "0 $wanted" "$*"
}

# A million nodes, for every strategy.
million=$([ "$sanitized" ] && echo 20000 || echo 1000000)
specs=
for strategy in $("$keysim" list strategies --format csv | sed -n 's/^strategy,\([^,]*\),.*/\1/p'); do
    case $strategy in
    slots | straw2) continue ;;
    ring) spec=ring:vnodes=1 ;;
    bounded | choices) spec=$strategy:over=jump ;;
    dynamo) spec=dynamo:strategy=1,tokens=1 ;;
    *) spec=$strategy ;;
    esac
    specs="$specs $spec"
done
limited 8000000 balance $(printf ' -s %s' $specs) -n $million -k user:count=100 --threads 1 -q
is "$status $(sed -n 's/^1,\([^,]*\),.*,'$million',100,.*/\1/p' out | tr '\n' ' ')$(cat err)" "0 $(for spec in $specs; do echo "${spec%%:*}"; done | tr '\n' ' ')" "$million nodes:$specs"
refused '1000000 nodes cannot share 16384 slots: .* ask for count= of 1000000 or more$' where -s slots -n 1000000 a
refused 'nodes node-[0-9]+ and node-[0-9]+ are both item [0-9]+; call nodes osd.N to number them$' where -s straw2 -n 1000000 a
done_as $million nodes balance -s ring:vnodes=1 -n $million --exact
done_as $million nodes balance -s slots:count=1000003 -n $million --exact
done_as $((million + 1)) nodes_after remap -s jump -s ring:vnodes=1 -s memento -n $million --change +1 -k user:count=1000
done_as $((million + 1)) nodes_after remap -s ring:vnodes=1 -n $million --change +1 --exact
refused 'at most 16777216 nodes' balance -s modulo -n 16777217
refused 'at most 16777216 nodes' balance -s ring -n 1..$((1 << 40))x2
refused 'at most 16777216 nodes' balance -s ring -n 3/$most

# More than memory holds.
refused '1000000000 points on the ring would need 80 GB of memory to build; this machine has [0-9.]+ .B: ask for fewer' where -s ring:vnodes=1G -n 1 a
refused '1000000000000000 points on the ring would need 80 PB of memory' where -s ring:vnodes=1G -n 1M a
refused '2147483647000000000 points' where -s ring:vnodes=1G -n a=2147483647 a
refused '2147483647000000 points' where -s dynamo:strategy=1,tokens=1M -n a=2147483647 a
refused 'points on the ring would need [0-9]+ EB of memory' where -s ring:vnodes=1G -n a=2147483647,b=2147483647,c=2147483647,d=2147483647,e=2147483647,f=2147483647,g=2147483647,h=2147483647,i=2147483647 a
awk 'BEGIN { for (i = 0; i < 9000; i++) print "n" i, 2147483647 }' >heavy # points beyond 2^64
for spec in ring:vnodes=1G dynamo:strategy=1,tokens=1M cassandra:num_tokens=1M uhashring:vnodes=1M,mode=ketama uhashring:vnodes=1M nginx haproxy:type=consistent twemproxy; do
    limited 4000000 where -s "$spec" -n @heavy a
    like "$status $(wc -l <err) $(cat err)" '^(2 1 keysim: .*(would need [0-9.]+ [A-Z]*B of memory|weights are 0 to 256)|0 0 $)' "$spec on 9000 nodes of weight 2^31 - 1"
done
for spec in maglev:table=1G anchor:capacity=1G dx:capacity=1G dynamo:parts=1G slots:count=1G envoy-ring:min=1G envoy-maglev:table=1G ipvs-mh:table=1G cassandra:num_tokens=1G groupcache:replicas=1G \
    tutorial-ts:vnodes=1G dubbo:nodes=1G uhashring:vnodes=1G multi-probe:probes=1G rendezvous:tree=1G choices:of=1G binomial:iterations=1G ring:first=$most ring:vnodes=$most; do
    refused 'must be ' where -s $spec -n 3 a
done
refused 'is too large: whole numbers end at 18446744073709551615' where -s ring:vnodes=${most}0 -n 3 a
refused 'is too large: whole numbers end at 18446744073709551615' where -s ring:vnodes=18446744073709552k -n 3 a

# Near 2^64, and where a number has its own end.
done_as node-0 node where -s ring -n 3 a --seed $most
done_as ffffffffffffffff digest hash -H identity $most
done_as 43a7e49bc8a25756 digest hash -H xxh3:seed=$most a
for words in "user:count=$most" 'user:count=9007199254740993' "user:count=10,first=$most" "int:count=10,first=9007199254740992" "user:count=10,zipf=1,requests=$most" "alnum:len=$most" \
    'alnum:count=1G,len=3' "user:hottest=$most" "user:count=10,zipf=1,requests=99,hottest=3,copies=$most" "ipv4:count=5G" "file:path=none,column=$most" "user:count=10,zipf=1e308"; do
    refused '(must be |there are only |at most |cannot be )' balance -s modulo -n 3 -k $words
done
for words in "--replicas $most" "--seed ${most}0" "--threads $most" "--find node=node-1 --count $most"; do
    refused 'must be a whole number' where -s ring -n 3 $words
done
for words in "--cache-items $most" "--cache-items 10 --fetch $most" "--cache-items 10 --at $most:+1" "--cache-items 10 --at 9:+$most" "--cache-items 10 --at ${most}0:+1"; do
    refused '(must be |the stream ends after|how many to add)' cache -s ring -n 3 -k user:count=100,zipf=1,requests=1000 $words
done
run "$keysim" cache -s ring -n 3 -k user:count=100,zipf=1,requests=1000 --cache-items 10 --window $most
is "$status $(wc -l <out) $(cat err)" '0 2 ' '--window: one for all'
refused 'must be a whole number' churn -s ring -n 3 --events $most
refused 'how many to add' remap -s ring -n 3 --change +$most
refused "change '-$most' leaves no node of 3" remap -s ring -n 3 --change -$most
refused "[-]-kill $most of 3 nodes leaves none" failure -s ring -n 3 --kill $most
refused 'must be a whole number' failure -s ring -n 3 --trials $most
refused 'must be a whole number' availability -s ring -n 30 --fail $most
refused 'must be a whole number' availability -s ring -n 30 --replicas $most
refused 'must be a whole number' tune -s ring -n 3 --survive $most --target 'max/mean<=1.2'
refused 'at most 9 EB' plan -s slots -n 3 --change +1 --rate ${most}TB@1B/s
done_as 1500000000000000000 moved_bytes plan -s modulo:hash=identity -n 1 --to 2 -k int:count=2 --rate 3000000TB@1B/s
for sweep in vnodes=1..${most}x2 vnodes=1..$most+$((1 << 62)) vnodes=$most..1x2 vnodes=1..${most}x$most size=1..${most}x2 vnodes=1..9+$most; do
    limited 4000000 balance -s ring:$sweep -n 2 --exact -q --format csv -o rows
    like "$status $(wc -l <err) $(cat err)" '^(0 0 $|2 1 keysim: )' "a sweep: $sweep"
done

# Sums of weights and bytes beyond 64 bits: as those of small numbers.
for unit in 1 1000000000000; do
    seq 1 40 | sed "s/$/,$unit/" >sized.csv
    (echo slot,load; seq 0 16383 | sed "s/$/,$unit/") >slots-$unit.csv
    run "$keysim" balance -s modulo -n 2 -k file:path=sized.csv,column=1,size-column=2 --per-node
    cp out bytes-$unit
    run "$keysim" plan -s ring -n 2 --change +1 -k file:path=sized.csv,column=1,size-column=2
    cut -d, -f1-20 out | sed 's/,[0-9]*\(,[^,]*\)$/\1/' >plan-$unit
done
same bytes-1 bytes-1000000000000 'bytes of 2^60 and more in sum'
is "$(grep -c node-0 bytes-1)" 3 'requests, keys and bytes'
run "$keysim" plan -s slots -n 2 --change +1 --load slots-1.csv
cp out slots-1
run "$keysim" plan -s slots -n 2 --change +1 --load slots-1000000000000.csv
like "$status $(wc -l <err) $(cat err)" '^(0 0 $|2 1 keysim: )' 'measured loads that no sum of 64 bits holds'

# Keys of 1 MiB, and one byte more, by every way in.
head -c 1048576 /dev/zero | tr '\0' x >most && cp most more && echo x >>more && echo >>most
for words in 'hash -f F' 'hash -0 -f F' 'where -s ring -n 3 -f F' 'balance -s modulo -n 3 -k file:path=F' 'balance -s modulo -n 3 -k file:path=F,nul=1'; do
    case $words in *-0* | *nul=1*) printf %s "$(cat most)" >fits && printf %s "$(cat more)" >tall ;; *) cp most fits && cp more tall ;; esac
    run "$keysim" $(echo "$words" | sed 's/F/fits/')
    is "$status $(cat err)" '0 ' "a key of 1 MiB: $words"
    run "$keysim" $(echo "$words" | sed 's/F/tall/')
    is "$status $(cat err)" '2 keysim: tall line 1: is longer than 1 MiB (1048576 bytes)' "one byte more: $words"
done
(echo 'k,1'; printf '"'; head -c 1048577 /dev/zero | tr '\0' x; echo '",2') >wide.csv
run "$keysim" balance -s modulo -n 3 -k file:path=wide.csv,column=1
like "$status $(wc -c <out) $(cat err)" '^2 0 keysim: wide.csv line 2: .*1 MiB' 'a field of more than 1 MiB'

# Files of any size in bounded memory: lines of 512 KiB, most of it holes.
perl -e 'open my $f, ">", "large" or die; for my $i (1 .. $ARGV[0] * 2000) { seek $f, $i * 524288 - 12, 0; printf $f ",%010d\n", $i }' "$GB"
keys=$((GB * 2000))
bounded() { # WORDS...
    limited 300000 "$@" --threads 1 --format csv
    is "$status $(cat err)" '0 ' "$(du -h --apparent-size large | cut -f1) in 300 MB of address space: $*"
}
bounded balance -s modulo -n 3 -k file:path=large --per-node
is "$(awk -F, 'NR > 1 { keys += $NF } END { print keys }' out)" $((2 * keys)) 'every key of it is placed'
bounded balance -s modulo -n 3 -k file:path=large,column=2 --per-node
is "$(awk -F, 'NR > 1 { keys += $NF } END { print keys }' out)" $((2 * keys)) 'and every key of a column of it'
mkfifo pipe
cat large >pipe &
limited 300000 where -s ring -n 3 --threads 1 -f - <pipe
is "$status $(wc -l <out) $(cat err)" "0 $((keys + 1)) " 'through a pipe'
done_testing
