#!/bin/sh
# Manners: what a terminal gets (its width, bold and dim, progress), and what other programs get (jq, sqlite3, gnuplot).
# script of bsdutils gives a terminal of any width; it writes CR LF for each line.
. tests/lib.sh
unset NO_COLOR
export TERM=xterm

# on_terminal COLUMNS COMMAND: what a terminal of that width gets on standard output and error.
on_terminal() {
    script -qec "stty cols $1 rows 24; $2" /dev/null </dev/null | tr -d '\r'
}
quoted() { for word in "$@"; do printf " '%s'" "$word"; done; } # for the shell between
# The widest line without marks, in characters; commands to copy stay whole.
widest() { sed -e 's/\x1b\[[0-9;]*m//g' -e '/^Next: /d' | LC_ALL=C.UTF-8 awk '{ if (length($0) > w) w = length($0) } END { print w + 0 }'; }
marks() { grep -c "$(printf '\033')"; }
cd "$scratch" || exit 1
printf '%s\n' "a'b" 'c"d,e' '=1+1' 'f g' 'caf\303\251' >plain
printf 'caf\303\251\n"x"y\nback\\slash\n{{z}}\n$(id)\n' >names
printf 'k1\nk,2\n"k3"\nk\t4\nn\377\n' >keys
awk 'BEGIN { for (i = 0; i < 400; i++) print "k" i % 70 }' >trace
printf 'key,node,replica\nk1,node-0,1\nk2,node-1,1\n' >placed

# A command line each command; the wide tables are among them.
commands="where -s ring -n @names -f keys --replicas 2
where -s redis-cluster -n 3 --find node=node-1 --count 3
balance -s modulo -s ring:vnodes=1/150 -s slots -n @names --exact
balance -s ring -n @names -k user:count=2k --per-node
balance -s ring -n 10 -k user:count=5k,zipf=1.1
remap -s modulo -s ring:vnodes=20 -n @names --change each --exact
ranges -s ring:vnodes=1 -n @names
ranges -s slots -n 3
hash -H xxh3 -f keys
compare -s libketama -s libmemcached:distribution=ketama -s ring -n 10.0.0.1:11211,10.0.0.2:11211 -k user:count=1k
verify -s modulo -n 3
failure -s ring:vnodes=1/150 -s slots -n 10 --capacity 1.5
failure -s ring:vnodes=5 -n 6 --kill node-1 --per-node
cache -s modulo -s ring -n 3 -k file:path=trace --cache-items 20 --at 200:+1
churn -s modulo -s anchor -n 10 -k user:count=1k --events 5
availability -s ring:vnodes=8 -s slots -n 6 --replicas 3
names -s ring -n @names
names -s libketama -n 10.0.0.1:11211,10.0.0.2:11211
tune -n 4 --target max/mean<=1.5
plan -s slots -n 4 --to 6
plan -s slots -n 4 --to 6 --emit slots
incidents ketama-13
list
list columns"

# --- width ---------------------------------------------------------------------------------------
for width in 40 80; do
    echo "$commands" | grep -v '^where' >lines # whose rows are keys, and come as they are
    wide=
    while read -r line; do
        on_terminal $width "'$keysim'$(quoted $line) -q --progress never" >shown
        got=$(widest <shown)
        [ "$got" -le $((width < 42 ? 42 : width)) ] && [ "$(wc -l <shown)" -gt 1 ] || wide="$wide; $line: $got" # a word of 21 letters in a column of 19
    done <lines
    is "$wide" '' "$width columns: no line is wider, in any command"
done

line="balance -s modulo -s ring:vnodes=1/150 -n 10 --exact"
"$keysim" $line --format table >table
on_terminal 200 "'$keysim' $line" | sed 's/\x1b\[[0-9;]*m//g' >wide
same wide table 'where there is room, a terminal gets the table as a file does'
on_terminal 50 "'$keysim' $line" | sed 's/\x1b\[[0-9;]*m//g' >narrow
is "$(grep -c '^ring:vnodes=150 ' narrow) $(grep -c '^strategy ' narrow)" "$(grep -c '^$' narrow | awk '{ print $1 + 1, $1 + 1 }')" 'a table that is too wide goes on below, names and heads again'
is "$(grep '^ring:vnodes=150 ' narrow | sed 's/^[^ ]*//' | tr -s ' \n' ' ')" "$(grep '^ring:vnodes=150 ' table | sed 's/^[^ ]*//' | tr -s ' ') " 'and loses no cell'
is "$(sed '/^strategy/,$d' narrow | tr '\n' ' ')" "$(head -1 table) " 'prose is wrapped at words'
is "$(grep '^Next: ' narrow)" "$(grep '^Next: ' table)" 'a command to copy stays one line'
COLUMNS=60 "$keysim" $line --format table >asked
is "$([ "$(widest <asked)" -le 60 ] && echo narrow)" narrow 'COLUMNS counts without a terminal too'
for odd in 0 7 -5 wide 99999999999999999999; do
    COLUMNS=$odd "$keysim" $line --format table >asked
    same asked table "COLUMNS=$odd is no width"
done
COLUMNS=60 "$keysim" $line --format table -o asked
same asked table 'a file has no width'
is "$(on_terminal 120 "COLUMNS=50; export COLUMNS; '$keysim' $line" | widest)" "$(on_terminal 50 "'$keysim' $line" | widest)" 'COLUMNS goes before the terminal'
is "$(on_terminal 200 "'$keysim' help cache" | widest)" "$("$keysim" help cache | widest)" 'help is never wider than is pleasant to read'
for c in '' balance ring user xxh3; do
    got=$(on_terminal 40 "'$keysim' help $c" | grep -v '^  *keysim \|^Try: ' | widest) # examples stay as they are
    is "$([ "$got" -le 40 ] && echo fits)" fits "help $c fits into 40 columns ($got)"
done

# --- marks ---------------------------------------------------------------------------------------
bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
on_terminal 200 "'$keysim' $line" >shown
is "$(head -1 shown)" "$bold$(head -1 table)$plain" 'the answer is bold'
is "$(tail -1 shown)" "$dim$(tail -1 table)$plain" 'what to ask next is dim'
is "$(marks <shown)" 2 'and nothing else is marked'
on_terminal 30 "'$keysim' $line" >shown
is "$(grep -cF "$bold" shown) $(marks <shown)" '1 3' 'an answer of several lines is bold to its end'
is "$(on_terminal 200 "'$keysim' list" | marks)" 0 'a heading is no answer'
is "$(on_terminal 200 "NO_COLOR=1 '$keysim' $line" | marks)" 0 'NO_COLOR: no marks'
is "$(on_terminal 200 "NO_COLOR= '$keysim' $line" | marks)" 2 'an empty NO_COLOR says nothing'
is "$(on_terminal 200 "TERM=dumb '$keysim' $line" | marks)" 0 'a dumb terminal: no marks'
is "$(on_terminal 200 "unset TERM; '$keysim' $line" | marks)" 0 'no TERM: no marks'
is "$(NO_COLOR= "$keysim" $line --format table | marks)" 0 'no terminal: no marks'
is "$(on_terminal 200 "'$keysim' $line | cat" | head -1)" "$("$keysim" $line | head -1)" 'a pipe gets CSV, on a terminal too'
is "$(on_terminal 200 "'$keysim' $line --format table -o file; cat file" | marks)" 0 'a file: no marks'
is "$(on_terminal 80 "'$keysim' balance -s rnig -n 3" | marks)" 0 'mistakes: no marks'
printf 'node\033[31m-red\nother\n' >escapes
is "$(on_terminal 200 "NO_COLOR=1 '$keysim' balance -s ring -n @escapes --per-node -k user:count=100; NO_COLOR=1 '$keysim' where -s ring -n @escapes a b c" | marks)" 0 'names do not steer the terminal'

# --- progress ------------------------------------------------------------------------------------
# Keys that come after a second: longer than the half second after which the line appears, on any machine.
slow="{ seq 10000; sleep 1; seq 10000; } | '$keysim' where -s ring -n 10 -f -"
sh -c "$slow >out 2>err"
is "$(cat err)" '' 'no progress without a terminal'
on_terminal 200 "$slow --progress never >out 2>err; cat err" >shown
is "$(cat shown)" '' 'none with --progress never'
script -qec "stty cols 20; $slow >out" /dev/null </dev/null | tr '\r' '\n' >shown
like "$(cat shown)" '^where  .* k' 'a terminal shows progress'
is "$([ "$(widest <shown)" -le 20 ] && echo cut)" cut 'cut to the width of the terminal'
is "$(wc -l <out)" 20001 'and the result is whole'

# --- other programs ------------------------------------------------------------------------------
echo "$commands" >lines
if ! absent jq; then
    bad=
    while read -r line; do
        "$keysim" $line --format json >json 2>err </dev/null && jq -e 'type == "array" and length > 0 and all(.[]; type == "object")' json >/dev/null 2>&1 || bad="$bad; $line"
    done <lines
    is "$bad" '' 'JSON of every command is an array of objects to jq'
    "$keysim" where -s ring -n @names -f keys --format json >json
    is "$(jq -r '.[].key' json | head -3)" "$(head -3 keys)" 'keys come back as they are'
    "$keysim" balance -s ring -n @names --exact --per-node --format json >json
    is "$(jq -r '.[].node' json | sort)" "$(sort names)" 'names too'
fi
if ! absent sqlite3; then
    bad=
    while read -r line; do
        case $line in *'-f keys'*) continue ;; esac # bytes that are no UTF-8: below
        "$keysim" $line --format csv -o csv 2>err </dev/null || bad="$bad; $line: status $?"
        printf '.mode csv\n.import csv t\n.headers on\n.once back\nselect * from t;\n.mode json\n.once there\nselect * from t;\n' | sqlite3 2>err || bad="$bad; $line: $(head -1 err)"
        [ ! -s err ] || bad="$bad; $line: $(head -1 err)"
        "$keysim" $line --format json 2>err </dev/null >json
        if command -v jq >/dev/null; then # the same texts and numbers as the JSON, and as many rows
            jq -c '.[] | map(if . == null then "" else tostring end)' there >got
            jq -c '.[] | map(if . == null then "" else tostring end)' json | cmp -s - got || # numbers are written alike, or mean the same
                [ "$(jq -c '.[] | map(if . == null then "" else (tonumber? // .) end)' json | cksum)" = "$(jq -c '.[] | map(if . == null then "" else (tonumber? // .) end)' there | cksum)" ] || bad="$bad; $line: other values"
        fi
        is_rows=$(jq length json 2>/dev/null) && [ "$(jq length there)" = "$is_rows" ] || bad="$bad; $line: other rows"
    done <lines
    is "$bad" '' 'CSV of every command goes into sqlite3 and comes out with the same values'
fi
if ! absent gnuplot; then
    "$keysim" balance -s ring:vnodes=1..1024x2 -n 10 --exact -o csv
    gnuplot -d -e 'set datafile separator ","; set table "points"; plot "csv" using "value":"max_over_mean" with linespoints' 2>err
    is "$(cat err)" '' 'gnuplot reads columns by their names'
    is "$(grep -c ' i$' points)" 11 'every row is a point'
    is "$(awk '$3 == "i" { print $1; exit }' points)" 1 'of the value that was swept'
fi
done_testing
