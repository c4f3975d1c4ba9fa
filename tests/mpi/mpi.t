#!/bin/sh
# Many processes, one run: the bytes of one process, one voice, and an end when one of them dies. BIN: the ordinary
# build, MPIBIN: the one with MPI. All on this machine, through shared memory.
. tests/lib.sh
MPIBIN=${MPIBIN:-build/mpi/keysim}
case $MPIBIN in /*) many=$MPIBIN ;; *) many=$PWD/$MPIBIN ;; esac

if ! command -v mpirun >/dev/null || ! [ -x "$many" ]; then
    [ "$CI" = true ] && { ok 1 "mpirun and $MPIBIN are there: make deps-mpi, make MPI=1"; done_testing; }
    skip "no mpirun, or no $MPIBIN (make deps-mpi, make MPI=1): nothing was tested of many processes"
    done_testing
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { # ranks N WORDS...: quiet about what mpirun itself has to say of a status
    n=$1
    shift
    timeout -k 5 100 mpirun -q --oversubscribe --mca btl self,vader -n "$n" "$many" "$@" </dev/null
}

# The same bytes, whatever the processes; each line is a run.
keys=10001 # the last block is short
seq 1 9999 | sed 's/.*/user:&,&0/' >"$scratch/sized"
while read -r words; do
    run "$keysim" $words --format csv --threads 1
    mv "$scratch/out" "$scratch/one"
    was=$status
    for n in 2 3; do
        run ranks $n $words --format csv --threads 2 -q
        is "$status" "$was" "$n processes: status of $words"
        same "$scratch/out" "$scratch/one" "$n processes: $words"
    done
done <<END
balance -s ring -s maglev -n 10 --placements 3 -k user:count=$keys
balance -s modulo -n 3 -k user:count=1
balance -s bounded -s ring -s choices -n 10 -k user:count=5k,zipf=1,requests=$keys
balance -s ring -n 7 -k file:path=$scratch/sized,column=1,size-column=2 --per-node
balance -s ring -s slots -n 10 --exact --placements 8
remap -s modulo -s ring -n 5 --change each --change +1 -k uuid:count=$keys
remap -s ring -s slots -n 12 --change each --change -1 --exact
tune -s maglev -n 10 --target max/mean<=1.1
tune -s ring:vnodes=8/64 -n 10 --target cv<=0.3 --target moved<=0.2
tune -s ring -n 5 --target max/mean<=1.0001 -k 100
failure -s ring:vnodes=4 -n 12 --capacity 1.1/1.5 --trials 7
failure -s multi-probe -n 4 -k user:count=3k
verify -s ring -s anchor -s nginx -n 3 -n 9
cost -s nosuch -n 3
hash a b
END

# The first process speaks for all, once.
printf '%s\n' 1 2 3 >"$scratch/numbers"
seq 1 9000 | sed '5000s/.*/five/; 8999s/.*/nine/' >"$scratch/broken"
cd "$scratch" || exit 1
once() { # once STATUS MESSAGE NAME
    is "$status $(grep -c '^keysim: ' err) $(sed -n 's/^keysim: //p' err)" "$1 1 $2" "$3"
    is "$(cat out; find . -name 'result*' | wc -l)" 0 "nothing is written: $3"
}
run ranks 3 balance -s modulo -H identity -n 3 -k file:path=broken -o result
once 2 "key 'five' (broken line 5000) is no key for modulo with hash identity: it wants a decimal number from 0 to 18446744073709551615" 'of two bad keys the first is named'
run ranks 2 balance -s ring -n 3 -o nowhere/result
once 2 'nowhere/result: cannot be written: No such file or directory' 'a folder that is not there'
run ranks 3 balance -s ring -n 3 -k file:path=- -o result
once 2 'standard input reaches only one of 3 processes: give a file that all can read' 'standard input'
run ranks 2 balance -s ring -n 3 -o /dev/full
once 3 '/dev/full: cannot be written: No space left on device' 'a full disk, when all is computed'
cat >elsewhere <<END
#!/bin/sh
[ "\$PMIX_RANK" = 2 ] && cd /
exec $many "\$@"
END
chmod +x elsewhere
there=$many many=./elsewhere
run ranks 3 balance -s ring -n 3 -k file:path=numbers -o result
once 2 'numbers: cannot be read: No such file or directory' 'a file that one machine does not have'
sed -i 's|cd /$|cd old|' elsewhere
mkdir old
differ='the processes went different ways: are the program and all files the same on every machine?'
printf '%s\n' 1 4 3 >old/numbers
run ranks 3 balance -s ring -n 3 -k file:path=numbers -o result
once 3 "$differ" 'a file that is another one on one machine'
printf '%s\n' 1 2 >old/numbers
run ranks 3 remap -s ring -n @numbers --change each --exact -o result
once 3 "$differ" 'a file of nodes that is shorter on one machine'
many=$there
run ranks 2 balance -s ring -n 3 -k user:count=1k -o result
is "$status $(wc -l <result) $(find . -name '*tmp*' | wc -l)" '0 2 0' 'one file, whole'
rm result

# The process that works for a rank: the child of the one that mpirun started.
children() { grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | tr -dc '0-9\n'; }
worker() { # worker MPIRUN RANK
    for p in $(children "$1"); do
        tr '\0' '\n' <"/proc/$p/environ" | grep -qx "PMIX_RANK=$2" && children "$p"
    done
}
for rank in 0 2; do
    mpirun -q --oversubscribe --mca btl self,vader -n 3 "$many" balance -s ring -n 10 -k user:count=1000G --threads 1 -o result >out 2>err </dev/null &
    job=$!
    # shellcheck disable=SC2034 # ten times
    for wait in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.5
        victim=$(worker $job $rank) && [ -n "$victim" ] && break
    done
    sleep 1
    if [ -n "$victim" ]; then kill -KILL $victim; else kill $job; fi
    status=0
    wait $job || status=$?
    once 3 "process $rank was killed by signal 9 (Killed): nothing was written" "process $rank dies"
done

# Alone.
run "$many" balance -s ring -n 3 -k user:count=1k --format csv
cp out one
run "$keysim" balance -s ring -n 3 -k user:count=1k --format csv
same out one 'without mpirun an MPI build is one process'
run ranks 2 balance -s ring -n 3 -k user:count=1k
same out one 'into a file goes CSV, though mpirun gives its processes a terminal'
run make -n -C "$top" MPI=1 install # others may install just now
like "$(cat out)" 'build/mpi/keysim "/usr/local/bin/keysim"' 'make MPI=1 install installs it'
many=$keysim
run ranks 2 balance -s ring -n 3 -k user:count=1k
is "$status $(grep '^keysim: ' err | sort -u)" '2 keysim: mpirun started 2 of this program, which was built without MPI: make MPI=1' 'a build without MPI says so under mpirun'
done_testing
