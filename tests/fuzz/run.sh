#!/bin/bash
# run.sh PROGRAMS DIR SECONDS TARGET...: each target under libFuzzer for so long, JOBS at a time, from the committed corpus. New inputs go to DIR/corpus, what
# breaks something to DIR/finds. Prints how many executions each had; fails if there is a find. TARGET-PART is a target on that part of its corpus alone.
set -u
shopt -s nullglob extglob
programs=$1 dir=$2 seconds=$3
shift 3
corpus=tests/fuzz/corpus jobs=${JOBS:-$(nproc)}
export MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_MMAP_THRESHOLD_=33554432 # memory that a run gave back is taken by the next one, without asking the system

run() {
    local target=$1 name=${1%%-*} log=$dir/$1.log status
    local given=("$corpus/$target"?(-*)/) options=()
    [ -e "tests/fuzz/$name.dict" ] && options+=("-dict=tests/fuzz/$name.dict")
    mkdir -p "$dir/corpus/$target" "$dir/finds"
    "$programs/$name" "$dir/corpus/$target" "${given[@]}" "${options[@]}" -max_total_time="$seconds" -max_len=2048 -timeout=20 -rss_limit_mb=2048 -reload=0 \
        -print_funcs=0 -print_final_stats=1 -artifact_prefix="$dir/finds/$target-" >"$log" 2>&1
    status=$?
    printf '%-16s %11s executions\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)"
    [ $status = 0 ] && return
    echo "$target: a find (all of it in $log):"
    grep -a -E 'does not hold|ERROR|runtime error|SUMMARY|Test unit written' "$log"
    sed -n "s#.*Test unit written to \(.*\)#  again: $programs/$name \1#p" "$log"
    echo "  keep it: copy the file to $corpus/$target/, which make test replays"
    return 1
}

failed=0 running=0
mkdir -p "$dir"
for target in "$@"; do
    run "$target" &
    if [ $((++running)) -ge "$jobs" ]; then
        wait -n || failed=1
        running=$((running - 1))
    fi
done
while [ $running -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
done
exit $failed
