#!/bin/sh
# A quick report whose system calls fail, sampled over it: the earlier report stays whole, no staging folder is left, one line, exit 3.
# SAMPLES=n (default 3) of each call.
. tests/lib.sh
SAMPLES=${SAMPLES:-3}
export OMP_THREAD_LIMIT=1 OMP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=0 # which cannot look while strace does
command -v gnuplot >/dev/null || { [ "$CI" = true ] || { skip 'no gnuplot: apt-get install gnuplot-nox'; done_testing; }; }
if ! strace -o "$scratch/trace" -e trace=write true 2>"$scratch/err"; then
    [ "$CI" = true ] && ok 1 "strace works: $(head -1 "$scratch/err")"
    echo "# NOT TESTED: no system call of a report was made to fail, since strace does not work here"
    skip 'needs strace, and leave to trace'
    done_testing
fi
report() { "$@" "$keysim" report -q --quick -n 3 -k user:count=1k -o "$scratch/r"; }

# How many of each call there are, in all processes, after the first file was opened for the report.
run report strace -f -qq -o "$scratch/calls" -e trace=write,fsync,rename,mkdir,openat
is "$status $(cat "$scratch/err")" '0 ' 'a report under strace'
cp -R "$scratch/r" "$scratch/whole"

for call in write fsync rename mkdir openat; do
    all=$(grep -c " $call(" "$scratch/calls")
    wrong=
    for k in $(seq 1 "$SAMPLES"); do
        n=$((all * (2 * k - 1) / (2 * SAMPLES) + 1))
        case $call in fsync) error=EIO ;; openat) error=EMFILE ;; *) error=ENOSPC ;; esac
        run report strace -f -qq -o "$scratch/trace" -e trace=$call -e inject=$call:error=$error:when=$n
        # gnuplot lives with some missing files, such as those of fonts; strace counts each process by itself, so that some calls are never reached.
        [ $status -eq 3 ] || [ $status -eq 0 ] || wrong="$wrong; $n: exit $status"
        if [ $status -eq 0 ]; then
            rm -rf "$scratch/whole" && cp -R "$scratch/r" "$scratch/whole"
        else
            [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q '^keysim: ' "$scratch/err" || wrong="$wrong; $n: not one line: $(head -2 "$scratch/err")"
            # Files that were renamed before a rename failed are new ones, whole as well; all else is as it was.
            [ $call = rename ] || diff -rq "$scratch/r" "$scratch/whole" >"$scratch/diff" || wrong="$wrong; $n: $(head -1 "$scratch/diff")"
        fi
        left=$(ls -A "$scratch/r" | grep '^\.keysim-\|tmp-')
        [ -z "$left" ] || wrong="$wrong; $n: left $left"
    done
    is "$wrong" '' "$call fails in a report, $SAMPLES of $all"
done

# A report that was killed left its folder: the next one clears it. One that runs is left alone, and so is what only looks like one.
mkdir "$scratch/r/.keysim-1" "$scratch/r/.keysim-2" "$scratch/r/.keysim-notes"
touch "$scratch/r/.keysim-1/x.csv" "$scratch/r/.keysim-2/x.csv"
exec 9<"$scratch/r/.keysim-2" && flock -n 9
run report 9<&-
is "$status $(ls -A "$scratch/r" | grep '^\.' | tr '\n' ' ')" '0 .keysim-2 .keysim-notes ' 'what a killed report left goes, what is held stays'
done_testing
