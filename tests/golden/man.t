#!/bin/sh
# The manual page: it renders without complaint, holds what the tables hold, and its examples print what it shows.
. tests/lib.sh

run "$keysim" help --as man
is "$status $(cat "$scratch/err")" '0 ' 'a manual page'
page=$scratch/keysim.1
cp "$scratch/out" "$page"
run "$keysim" help --as man -o "$scratch/again.1"
same "$page" "$scratch/again.1" 'into a file, the same'

# As words: what the macros and escapes leave.
words() { sed -e 's/\\f[BRI]//g' -e 's/\\-/-/g' -e 's/\\e/\\/g' -e "s/\\\\(aq/'/g" -e 's/\\(ti/~/g' -e 's/\\(ha/^/g' -e 's/\\&//g' "$page"; }
words >"$scratch/words"
missing=
for command in $("$keysim" help | sed -n 's/^  keysim \([a-z]*\) .*/\1/p'); do
    grep -qx ".SS $command" "$page" || missing="$missing $command"
    "$keysim" help "$command" | sed -n 's/^  .*\(--[a-z-]*\).*/\1/p' >>"$scratch/flags"
done
for flag in $(sort -u "$scratch/flags"); do
    grep -qE "^(-., )?$flag( |$)" "$scratch/words" || missing="$missing $flag"
done
for name in $("$keysim" list --format csv | cut -d, -f2 | tail -n +2); do
    grep -qx -e "$name" "$scratch/words" || missing="$missing $name"
done
is "$missing" '' 'every command, option, strategy, system, hash and workload has its place'
for title in NAME SYNOPSIS DESCRIPTION COMMANDS OPTIONS '"SPECS AND SWEEPS"' NODES CHANGES WORKLOADS STRATEGIES SYSTEMS HASHES '"OUTPUT FORMATS"' \
    '"EXIT STATUS"' ENVIRONMENT FILES EXAMPLES SEE; do
    grep -q "^.SH $title" "$page"
    ok $? "section $title"
done

# Examples: "$ keysim ..." and what it prints, as on a terminal.
sed -n '/^.SH EXAMPLES/,/^.SH SEE/p' "$scratch/words" | grep -v '^\.' >"$scratch/shown"
sed -n 's/^\$ keysim //p' "$scratch/shown" >"$scratch/lines"
while IFS= read -r line; do
    echo "\$ keysim $line"
    case $line in *--format*) ;; *) line="$line --format table" ;; esac
    sh -c "\"$keysim\" $line" 2>&1
    echo
done <"$scratch/lines" | sed '$d' >"$scratch/printed"
ok "$([ -s "$scratch/lines" ]; echo $?)" "$(wc -l <"$scratch/lines") examples"
same "$scratch/shown" "$scratch/printed" 'print what is shown'

if ! absent mandoc; then
    is "$(mandoc -Tlint -W warning "$page")" '' 'mandoc has no complaint'
fi
if ! absent groff; then
    is "$(groff -man -Tascii -P-cbou -ww -rLL=80n "$page" 2>&1 >"$scratch/rendered")" '' 'groff has no warning'
    # The program's own lines, in the examples, are as wide as they are.
    is "$(sed '/^EXAMPLES/,$d' "$scratch/rendered" | awk 'length > 80')" '' 'no line is wider than 80'
fi
done_testing
