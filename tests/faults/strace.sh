# System calls that fail or are interrupted, by strace: . tests/faults/strace.sh, after tests/lib.sh. Leaves $scratch/trace.
# shellcheck shell=sh disable=SC2154 # tests/lib.sh
export OMP_THREAD_LIMIT=1 OMP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=0 # which cannot look while strace does

# needs_strace WHAT: ends the test, WHAT not tested, where strace does not work; under CI that is a failure.
needs_strace() {
    strace -f --seccomp-bpf -o "$scratch/trace" -e trace=write true 2>"$scratch/err" && return
    if [ "$CI" = true ]; then
        ok 1 "strace works: $(head -1 "$scratch/err")"
    else
        echo "# NOT TESTED: $1, since strace does not work here: $(head -1 "$scratch/err")"
        skip 'needs strace, and leave to trace'
    fi
    done_testing
}

# failing CALL ERROR N COMMAND...: its N-th CALL, of each process, fails. All else goes on at full speed.
failing() {
    call=$1 how="$1:error=$2:when=$3"
    shift 3
    strace -f -qq --seccomp-bpf -o "$scratch/trace" -e trace="$call" -e inject="$how" "$@"
}

# interrupted CALL N COMMAND...: SIGINT with its N-th CALL, as that ends. (A filter in the kernel would lose the signal; so no --seccomp-bpf.)
interrupted() {
    call=$1 how="$1:signal=INT:when=$2"
    shift 2
    env --default-signal=INT strace -qq -o "$scratch/trace" -e trace="$call,rename" -e inject="$how" "$@" # a shell's background ignores it
}
