# TAP for shell tests: . tests/lib.sh; run, ok, is, like; done_testing last.
#
# A test starts in the repository's top folder. $keysim is the program's absolute path,
# $scratch a folder that is gone at exit; run leaves $status, $scratch/out and $scratch/err.
# shellcheck disable=SC2034 # what a test reads

BIN=${BIN:-build/keysim}
case $BIN in /*) keysim=$BIN ;; *) keysim=$PWD/$BIN ;; esac
case $keysim in *san-*) sanitized=1 ;; *) sanitized= ;; esac # memory is looked at, not numbers: what takes long is tried on fewer of them
# Half of a sanitized program's time may go to look for leaks at its end: tests set leaks=1 before where that is wanted.
[ -z "$sanitized" ] || [ "$leaks" ] || export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
top=$PWD
count=0 failed=0
unset COLUMNS # no terminal: nothing is wrapped
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# ok STATUS NAME: passes when STATUS is 0.
ok() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        failed=$((failed + 1))
        echo "not ok $count - $2"
    fi
}

# What a failed comparison saw, as comments.
note() { printf '%s\n' "$1" | cut -c1-300 | sed 's/^/# /'; }

# is GOT WANTED NAME
is() {
    [ "$1" = "$2" ] && ok 0 "$3" && return
    ok 1 "$3"
    note "     got: $1"
    note "expected: $2"
}

# like GOT PATTERN NAME: an extended regular expression that some line matches.
like() {
    printf '%s\n' "$1" | grep -Eq -- "$2" && ok 0 "$3" && return
    ok 1 "$3"
    note "     got: $1"
    note "expected: a line like $2"
}

# same FILE FILE NAME: the same bytes.
same() {
    difference=$(diff -a "$1" "$2" 2>&1) && ok 0 "$3" && return
    ok 1 "$3"
    note "$(printf '%s\n' "$difference" | head -6)"
}

# run COMMAND...: keeps its status, output and errors.
run() {
    status=0
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
}

skip() { # WHY
    count=$((count + 1))
    echo "ok $count # SKIP $1"
}

# absent PROGRAM: says that it is; under CI that is a failure.
absent() {
    command -v "$1" >/dev/null && return 1
    if [ "${CI:-}" ]; then ok 1 "$1 is installed"; else skip "$1 is not installed"; fi
}

done_testing() {
    echo "1..$count"
    [ $failed -eq 0 ]
    exit $?
}
