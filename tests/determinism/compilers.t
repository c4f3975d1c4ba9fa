#!/bin/sh
# gcc and clang, without optimisation and with all of it, give the bytes of the ordinary build. Each program is built into a folder of its own,
# which stays, so that a second run builds what has changed alone.
. tests/lib.sh
. tests/determinism/results.sh

results "$keysim" --threads 2 >"$scratch/one" 2>"$scratch/err"
like "$(wc -l <"$scratch/one") $(wc -c <"$scratch/err")" '^[0-9]{4,} 0$' 'results, and nothing to complain of'

while read -r cc opt; do
    folder=build/determinism/$cc$opt
    absent "$cc" && continue
    run env -u MAKEFLAGS -u MFLAGS make -s -j2 B=$folder CC=$cc OPT=$opt OPENMP= SAN= MPI= WERROR= REVISION=determinism $folder/keysim </dev/null
    is "$status" 0 "builds with $cc $opt"
    [ "$status" -eq 0 ] || { note "$(tail -5 "$scratch/err")"; continue; }
    results $folder/keysim --threads 1 >"$scratch/other" </dev/null
    same "$scratch/other" "$scratch/one" "$cc $opt gives the same bytes"
done <<END
gcc -O0
gcc -O3
clang -O3
END
done_testing
