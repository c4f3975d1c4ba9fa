#!/bin/sh
# Interrupts at many moments of commands that write a file: 130 or 143, the earlier file whole, nothing beside it. Readers that leave
# after a line: status 0 and nothing on standard error.
#
# An interrupt between the file's renaming and the program's end, while the folder is synced and memory freed, ends with 130 though the new
# file has its name: it is whole, so nothing is lost, and to take it back would be.
. tests/lib.sh
. tests/faults/strace.sh
mkdir "$scratch/d" "$scratch/tmp"
export TMPDIR=$scratch/tmp

while read -r words; do
    wrong=
    for moment in 0.003 0.01 0.02 0.04 0.08 0.15 0.3; do
        for signal in INT TERM; do
            echo earlier >"$scratch/d/f"
            run timeout --preserve-status -s $signal $moment "$keysim" $words -q -o "$scratch/d/f"
            [ $signal = INT ] && wanted=130 || wanted=143
            rest=$(ls -A "$scratch/d" "$scratch/tmp" | grep -v -e '^f$' -e : -e '^$')
            case $status in
            0 | 1) ;; # it was done before
            $wanted) # the earlier file, or the new one
                [ "$(cat "$scratch/d/f")" = earlier ] || { [ "$(wc -l <"$scratch/d/f")" -gt 1 ] && [ -z "$(tail -c1 "$scratch/d/f")" ]; } || wrong="$wrong; the earlier file is another at $moment" ;;
            *) wrong="$wrong; exit $status at $moment: $(head -1 "$scratch/err")" ;;
            esac
            [ -z "$rest" ] || wrong="$wrong; left at $moment: $rest"
            rm -rf "$scratch/tmp"/* "$scratch/d"/*
        done
    done
    is "$wrong" '' "SIGINT and SIGTERM at 7 moments: $words"
done <<END
balance -s ring -n 100 -k user:count=100M
ranges -s ring:vnodes=1000 -n 1000
remap -s ring -s modulo -n 1000 --change each --exact
incidents
verify -n 3
bench --quick jump
tune -n 100 --target max/mean<=1.10
names
failure -s ring -n 50 --trials 20
cache -s ring -n 10 --cache-items 1000 -k user:count=1M,zipf=1,requests=10M
plan -s ring -n 100 --to 101
churn -s ring -n 100
END

# Each call interrupted in turn, as it ends: the new file from its renaming on, before it the earlier one.
interrupt_each() { # CALL WORDS...
    call=$1 n=1 wrong=
    shift
    while [ $n -lt 500 ]; do
        echo earlier >"$scratch/d/f"
        run interrupted "$call" $n "$keysim" "$@" -q -o "$scratch/d/f"
        grep -q -- '--- SIGINT' "$scratch/trace" || break
        grep -q "rename(.*/d/f\") = 0" "$scratch/trace" && wanted=$scratch/good || wanted=$scratch/earlier
        [ $status -eq 130 ] && cmp -s "$scratch/d/f" "$wanted" || wrong="$wrong; $n: exit $status, $(head -1 "$scratch/d/f" | cut -c1-40)"
        rest=$(ls -A "$scratch/d" "$scratch/tmp" | grep -v -e '^f$' -e : -e '^$')
        [ -z "$rest" ] || wrong="$wrong; $n: left $rest"
        rm -rf "$scratch/tmp"/* "$scratch/d"/*
        n=$((n + 1))
    done
    is "$wrong" '' "SIGINT at each $call, $((n - 1)) times: $(echo "$*" | cut -c1-60)"
    [ $n -gt 1 ] || ok 1 'it was tried'
}

needs_strace 'interrupts at each call'
echo earlier >"$scratch/earlier"
for words in 'where -s ring -n 3 a' 'incidents torus-246'; do
    "$keysim" $words -q -o "$scratch/good"
    for call in openat write fsync rename unlink; do
        interrupt_each $call $words
    done
done
interrupt_each mkdir incidents torus-246
interrupt_each rmdir incidents torus-246

# A report that is interrupted as it makes its folders leaves none; gnuplot is asked only for its version.
rm -rf "$scratch/d"/*
if ! absent gnuplot; then
    for n in 1 2; do
        run interrupted mkdir $n "$keysim" report -q --quick -n 3 -k user:count=1k -o "$scratch/d/report"
        is "$status $(ls -A "$scratch/d")" '130 ' "an interrupt as a report makes its folder $n"
    done
fi

# Much output, one line of it read.
while read -r words; do
    { timeout 60 "$keysim" $words 2>"$scratch/err" </dev/null; echo $? >"$scratch/status"; } | head -1 >"$scratch/out"
    is "$(cat "$scratch/status") $(wc -l <"$scratch/out") $(head -2 "$scratch/err")" '0 1 ' "a reader of one line: $words"
done <<END
ranges -q -s ring:vnodes=1000 -n 100
ranges -q -s ring:vnodes=100 -n 100 --format json
ranges -q -s ring:vnodes=100 -n 100 --format table
where -q -s ring -n 3 -f tests/golden/input/keys
balance -q -s ring -n 3000 --exact --per-node
remap -q -s ring -n 400 --change each --exact
remap -q -s modulo -n 400 --change each --exact --format json
plan -q -s slots -n 30 --to 31 --emit slots
plan -q -s redis-cluster -n 30 --to 31 --emit redis-cli
churn -q -s ring -n 10 --events 1000
cache -q -s ring -n 3 --cache-items 10 -k user:count=100,zipf=1,requests=2k --window 1
list columns
list --format table
help report
verify -q -s modulo -s slots -n 3 --quick --format table
names -q
END
done_testing
