#!/bin/sh
# What a command line prints, byte for byte. A case is a folder of cases/: cmd (run there by sh, $KEYSIM is the program),
# stdout, stderr, exit (absent: 0) and whatever files it reads. REWRITE=1 writes what came out; read it with git diff. CASES is a pattern of
# some of them.
leaks=1
. tests/lib.sh
KEYSIM=$keysim
export KEYSIM

check() {
    want=0
    [ -f exit ] && want=$(cat exit)
    is "$status" "$want" "$1: exit $want"
    same "$scratch/out" stdout "$1: stdout"
    same "$scratch/err" stderr "$1: stderr"
}

for case in tests/golden/cases/${CASES:-*}/; do
    name=$(basename "$case")
    cd "$top/$case" || exit 1
    run sh ./cmd </dev/null
    if [ "$REWRITE" ]; then
        cp "$scratch/out" stdout
        cp "$scratch/err" stderr
        rm -f exit
        [ $status -eq 0 ] || echo $status >exit
    fi
    check "$name"
    cd "$top" || exit 1
done
done_testing
