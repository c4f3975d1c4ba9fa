#!/bin/sh
# Public reports: every one that ships comes out as its file says, and a file that is wrong is told. Run from the repository's root.
. tests/lib.sh
cd "$scratch" || exit 1
TMPDIR=$scratch/tmp
export TMPDIR
mkdir tmp

# All that ship.
run "$keysim" incidents --format csv
is "$status" 0 'all that ship: exit 0'
is "$(cat err)" '' 'nothing on standard error'
cp out all.csv
is "$(grep -c ',differs,' all.csv)" 0 'no number differs'
files=$(ls "$top"/data/incidents/*.txt | wc -l)
run "$keysim" incidents --format table
is "$status" 0 'as a table: exit 0'
is "$(head -1 out)" "$((files)) of $((files)) reports reproduced" 'the first line is the answer'
is "$(grep -c '^  theory ' out) $(grep -c '^  cause ' out) $(grep -c '^  cure ' out)" "$((files)) $((files)) $((files))" 'each with theory, cause and cure, a line each'
run "$keysim" incidents --format csv --threads 1 --seed 7
same all.csv out 'the same with one thread and another seed'
run "$keysim" incidents til-139 --format json
is "$status $(grep -c '"incident": "til-139"' out)" "0 $(grep -c '^1,til-139,' all.csv)" 'as JSON'
for name in skipper-1796 stathat-10 twemproxy-32 til-139; do
    run "$keysim" incidents $name
    is "$status $(grep -c ',R,.*,reproduced,' out)" "0 $(($(wc -l <out) - 1))" "$name alone, to the digit"
done
is "$(ls tmp)" '' 'no file is left'

# One of one's own.
good() {
    cat <<'E'
# a comment
title: a third moves
report: ours 1
kind: c
run: remap -s ring:vnodes=1 -s slots
  -n 2 --change +1 --exact
expect: strategy=slots moved_share 0.333312988 seen 0.33
theory: a third
cause: a node joins
cure: none
E
}
good >ours.txt
run "$keysim" incidents ./ours.txt --format table
is "$status" 0 'a file of one'"'"'s own'
like "$(cat out)" '^ours: a third moves \(ours 1\)$' 'named after the file'
like "$(cat out)" '^Next: keysim remap -s ring:vnodes=1 -s slots -n 2 --change \+1 --exact$' 'a run over two lines is one command'
good | sed 's/0.333312988/0.25 within 0.01 called share moved/' >wrong.txt
run "$keysim" incidents ./ours.txt ./wrong.txt
is "$status" 1 'a wrong expectation: exit 1'
like "$(cat out)" ',share moved,0.33,0.25,0.01,0.333312988,differs,' 'the row says so'
is "$(cat err)" 'keysim: incident wrong differs: share moved is 0.333312988, expected 0.25 within 0.01' 'standard error says which'
run "$keysim" incidents ./ours.txt ./wrong.txt --format table
is "$status $(head -1 out)" '1 1 of 2 reports reproduced' 'and the table counts it'
like "$(cat out)" 'DIFFERS +0.333312988, expected 0.25 within 0.01, seen 0.33: share moved' 'and shows it'
good | sed 's/^expect.*/expect: mean moved_share\/optimum_share 1.0 within 0.5\nexpect: strategy=slots moved_share-needed_share 0 within 0\nexpect: strategy=ring change +1/' >sums.txt
run "$keysim" incidents ./sums.txt
is "$status" 0 'means, ratios, differences, and text'

# Broken files: exit 2, file and line, nothing printed.
broken() { # SED-SCRIPT PATTERN NAME
    good | sed "$1" >broken.txt
    run "$keysim" incidents ./broken.txt
    is "$status $(wc -c <out | tr -d ' ')" '2 0' "$3: exit 2"
    like "$(cat err)" "broken.txt line $2" "$3: says where"
}
broken 's/^title:/titel:/' "2: unknown key 'titel'; did you mean 'title'" 'an unknown key'
broken 's/^kind: c/kind: x/' '4: kind: is R' 'an unknown kind'
broken 's/^cause: .*/no key at all/' "9: 'key: text'" 'a line without a key'
broken '/^cure/d' '10: the file ends without cure:' 'a key that is missing'
broken 's/^cure: .*/title: again/' '10: title: stands twice' 'a key twice'
broken 's/^theory:.*/theory:/' '8: a text must stand' 'a key without text'
broken '/^run/,/^  /d' '5: expect: needs a run:' 'an expectation without a run'
broken '/^expect/d' '5: nothing is expected' 'a run without an expectation'
broken 's/^run: remap/run: report/' "5: unknown command for run: 'report'" 'a command that is no experiment'
broken 's/-s slots/-s slts/' "5: unknown strategy 'slts'" 'a run that fails'
broken 's/moved_share/moved_shares/' "7: unknown column 'moved_shares'; did you mean 'moved_share'" 'an unknown column'
broken 's/strategy=slots/strategi=slots/' "7: unknown column 'strategi'" 'an unknown column in a condition'
broken 's/strategy=slots/strategy=none/' "7: 'strategy=none moved_share' fits 0 rows" 'no such row'
broken 's/strategy=slots //' "7: 'moved_share' fits 2 rows" 'more rows than one'
broken 's/0.333312988/0.3 within x/' '7: expect: wants a number behind' 'a tolerance that is none'
broken 's/0.333312988/a within 1/' '7: expect: says' 'a tolerance of a word'
broken 's/moved_share/mean moved_share/' '7: expect: wants .within' 'a mean without a tolerance'
broken 's/ 0.333312988.*//' '7: expect: wants a column and its value' 'no value'
broken 's/seen 0.33/saw 0.33/' '7: expect: has words' 'a word too many'
broken "s/^title: .*/title: a$(printf '\033')b/" '2: holds a control character' 'a control character'
run "$keysim" incidents ./none.txt
is "$status" 2 'no such file: exit 2'
run "$keysim" incidents skiper-1796
is "$status" 2 'no such incident: exit 2'
like "$(cat err)" "did you mean 'skipper-1796'" 'with the nearest name'
run env KEYSIM_DATA="$scratch/nowhere" "$keysim" incidents
is "$status" 2 'no data: exit 2'
like "$(cat err)" 'KEYSIM_DATA names the folder' 'and what names it'
run env TMPDIR="$scratch/nowhere" "$keysim" incidents ./ours.txt
is "$status" 2 'no place for results: exit 2'
like "$(cat err)" 'TMPDIR' 'and what names one'
is "$(ls tmp)" '' 'no file is left by any of these'
done_testing
