#!/bin/sh
# System calls that fail once, the first, the second and so on, by strace: what a stream writes, syncs and renames. Each time the earlier
# file is whole, nothing lies beside it, one line says what, exit 3.  EVERY=n tries each n-th call alone.
. tests/lib.sh
. tests/faults/strace.sh
EVERY=${EVERY:-1}
mkdir "$scratch/d" "$scratch/tmp"
export TMPDIR=$scratch/tmp
needs_strace 'system calls that fail'

# What a run under a fault left: nothing said when it is as it should be. problem WANTED-FILE NAMES
problem() {
    [ "$status" -eq 3 ] || echo "exit $status, not 3: $(head -1 "$scratch/err")"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] && grep -q '^keysim: ' "$scratch/err" || echo "not one line: $(head -2 "$scratch/err")"
    grep -Eq "$2" "$scratch/err" || echo "does not name it: $(head -1 "$scratch/err")"
    [ -z "$1" ] || cmp -s "$1" "$scratch/d/f" || echo 'the earlier file is another'
    rest=$(ls -A "$scratch/d" "$scratch/tmp" | grep -v -e '^f$' -e : -e '^$')
    [ -z "$rest" ] || echo "left: $rest"
}

# each CALL ERROR NAMES WORDS...: the program's n-th CALL fails. With -o d/f it is a file, with an earlier one there.
each() {
    call=$1 error=$2 names=$3
    shift 3
    case " $* " in *' -o '*) earlier=$scratch/earlier ;; *) earlier= ;; esac
    echo earlier >"$scratch/earlier"
    cp "$scratch/earlier" "$scratch/d/f"
    "$keysim" "$@" </dev/null >"$scratch/good" 2>/dev/null
    cp "$scratch/d/f" "$scratch/good-file"
    n=1 tried=0 wrong=
    while [ $n -lt 2000 ]; do
        cp "$scratch/earlier" "$scratch/d/f"
        run failing "$call" "$error" $n "$keysim" "$@" </dev/null
        grep -q INJECTED "$scratch/trace" || break
        tried=$((tried + 1))
        # Of a folder that is not synced only a power cut could tell.
        if [ $status -ne 0 ] || [ "$call $n" != 'fsync 2' ] || ! cmp -s "$scratch/d/f" "$scratch/good-file"; then
            found=$(problem "$earlier" "$names")
            [ -z "$found" ] || wrong="$wrong; $n: $found"
        fi
        n=$((n + EVERY))
    done
    is "$wrong" '' "$call fails, $tried times: $(echo "$*" | cut -c1-60)"
    [ $tried -gt 0 ] || ok 1 'it was tried'
}

space='No space left on device'
lost="($space|Input/output error)" # a stream whose later write succeeds has forgotten why the earlier one failed
cd "$top" || exit 1
f=$scratch/d/f
each write ENOSPC "f: cannot be written: $lost" where -q -s ring -n 3 -f tests/golden/input/keys -o "$f"
each write ENOSPC "f: cannot be written: $lost" ranges -s slots:count=2000 -n 300 -o "$f"
each write ENOSPC "f: cannot be written: $lost" balance -q -s ring -n 300 --exact --per-node -o "$f"
each write EIO 'f: cannot be written: Input/output error' plan -q -s slots -n 3 --to 4 --emit slots -o "$f"
each write ENOSPC "standard output: cannot be written: $lost" ranges -s slots:count=2000 -n 300
each write ENOSPC "standard output: cannot be written: $lost" list
each write ENOSPC 'temporary file|cannot be written' where -q -s ring -n 3 -f tests/golden/input/keys
each write ENOSPC "cannot be written: $lost" incidents -q torus-246 -o "$f"
each fsync EIO 'f: cannot be written: Input/output error' where -q -s ring -n 3 -o "$f" a
each rename ENOSPC "f: cannot be written: $space" remap -q -s ring -n 3 --change +1 --exact -o "$f"
each mkdir ENOSPC "no folder for results can be made.*$space" incidents -q torus-246 -o "$f"

# A disk that is full.
if [ "$(id -u)" -eq 0 ] && mkdir "$scratch/disk" && mount -t tmpfs -o size=64k tmpfs "$scratch/disk" 2>/dev/null; then
    trap 'umount "$scratch/disk"; rm -rf "$scratch"' EXIT
    echo earlier >"$scratch/disk/f"
    for words in 'ranges -s slots -n 1000' 'where -s ring -n 3 -f tests/faults/commands.txt --explain --replicas 3 --format json' \
        'balance -s ring -n 2000 --exact --per-node' 'remap -s modulo -n 500 --change each --exact' 'list columns --format json'; do
        head -c 70k /dev/zero >"$scratch/disk/filler" 2>/dev/null
        run "$keysim" $words -q -o "$scratch/disk/f"
        is "$status, $(wc -l <"$scratch/err") line, $(cat "$scratch/disk/f"), $(ls "$scratch/disk" | tr '\n' ' ')" '3, 1 line, earlier, f filler ' "a full disk: $words"
        like "$(cat "$scratch/err")" "f: cannot be written: $space" 'and it is named'
        rm "$scratch/disk/filler"
    done
elif [ "$CI" = true ]; then
    ok 1 'a full disk: a tmpfs can be mounted'
else
    echo '# NOT TESTED: a full disk, which needs root and leave to mount a tmpfs'
    skip 'a full disk: needs root and a tmpfs'
fi
done_testing
