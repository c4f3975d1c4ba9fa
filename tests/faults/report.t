#!/bin/sh
# A quick report whose system calls fail, sampled over it: the earlier report stays whole, no staging folder is left, one line, exit 3.
# SAMPLES=n (default 2) of each call.
. tests/lib.sh
. tests/faults/strace.sh
SAMPLES=${SAMPLES:-2}
command -v gnuplot >/dev/null || { [ "$CI" = true ] && ok 1 'gnuplot is there' || skip 'no gnuplot: apt-get install gnuplot-nox'; done_testing; }
needs_strace 'system calls of a report that fail'
mkdir "$scratch/r"
report() { "$@" "$keysim" report -q --quick --threads 1 -n 3 -k user:count=1k -o "$scratch/r"; }

# All that a report does, and how often one process makes a call: strace counts each process by itself.
run report strace -f -qq --seccomp-bpf -o "$scratch/calls" -e trace=write,fsync,rename,mkdir,openat,pipe2
is "$status $(cat "$scratch/err")" '0 ' 'a report under strace'
cp -R "$scratch/r" "$scratch/whole"
calls_of() { grep " $1(" "$scratch/calls" | cut -d' ' -f1 | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }'; }

for call in write fsync rename mkdir openat pipe2; do
    all=$(calls_of $call)
    wrong=
    for k in $(seq 1 "$SAMPLES"); do
        n=$((all * (2 * k - 1) / (2 * SAMPLES) + 1))
        [ $call != fsync ] || n=$((n | 1)) # each step's file, then its folder, of which only a power cut could tell
        case $call in fsync) error=EIO ;; openat | pipe2) error=EMFILE ;; *) error=ENOSPC ;; esac
        run report failing $call $error $n
        grep -q INJECTED "$scratch/trace" || wrong="$wrong; $n: was never reached"
        # Some files may be missing, such as a font's.
        [ $status -eq 3 ] || [ "$call $status" = 'openat 0' ] || wrong="$wrong; $n: exit $status"
        if [ $status -ne 0 ]; then
            [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q '^keysim: ' "$scratch/err" || wrong="$wrong; $n: not one line: $(head -2 "$scratch/err")"
            # Files that were renamed before a rename failed are new ones; kills.t looks whether they are whole.
            [ $call = rename ] || diff -rq "$scratch/r" "$scratch/whole" >"$scratch/diff" || wrong="$wrong; $n: $(head -1 "$scratch/diff")"
        fi
        left=$(ls -A "$scratch/r" | grep '^\.keysim-\|tmp-')
        [ -z "$left" ] || wrong="$wrong; $n: left $left"
        rm -rf "$scratch/whole" && cp -R "$scratch/r" "$scratch/whole"
    done
    is "$wrong" '' "$call fails in a report, at $SAMPLES places of $all"
done

# An interrupt as gnuplot starts to draw, before anybody knows its number: it is ended all the same. One thread: then only children are cloned.
run report env --default-signal=INT strace -f -q -o "$scratch/trace" -e trace=clone3,clone,vfork -e inject=clone3,clone,vfork:signal=INT:when=2
is "$status, $(grep -c 'killed by SIGKILL' "$scratch/trace") ended, $(ls -A "$scratch/r" | grep -c '^\.keysim-\|tmp-') left" '130, 1 ended, 0 left' \
    'an interrupt as gnuplot starts to draw'

# A report that was killed left its folder: the next one clears it. One that runs is left alone, and so is what only looks like one.
mkdir "$scratch/r/.keysim-1" "$scratch/r/.keysim-2" "$scratch/r/.keysim-notes"
touch "$scratch/r/.keysim-1/x.csv" "$scratch/r/.keysim-2/x.csv"
exec 9<"$scratch/r/.keysim-2" && flock -n 9
run report 9<&-
is "$status $(ls -A "$scratch/r" | grep '^\.' | tr '\n' ' ')" '0 .keysim-2 .keysim-notes ' 'what a killed report left goes, what is held stays'
done_testing
