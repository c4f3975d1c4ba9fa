#!/bin/sh
# compare, check and where --find as a person meets them. Run from the repository's root.
BIN=${BIN:-build/keysim}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
count=0

ok() { # ok STATUS TEXT
    count=$((count + 1))
    if test "$1" -eq 0; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
is() { # is GOT WANTED TEXT
    test "$1" = "$2"
    ok $? "$3 ($1)"
}
says() { # says TEXT PATTERN NAME
    case $1 in *"$2"*) ok 0 "$3" ;; *) ok 1 "$3: $1" ;; esac
}
column() { # column FILE NAME: of the first row; no field of these files holds a comma or quote before it
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' "$1"
}

# compare
"$BIN" compare -s ring:vnodes=100/100/150 -n 10 -k user:count=100k > "$work/pairs.csv"
is "$(awk 'END { print NR }' "$work/pairs.csv")" 4 "three strategies are three pairs"
is "$(column "$work/pairs.csv" same_share)" 1.000000000 "a strategy agrees with itself"
is "$(column "$work/pairs.csv" differing)" "" "and no key differs"
"$BIN" compare -s modulo:hash=crc32 -s modulo:hash=md5-32 -n 10 -k user:count=200k > "$work/chance.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { d = $at["same_share"] - $at["chance_share"]; exit !(d < 0.005 && d > -0.005) }' "$work/chance.csv"
ok $? "two hashes agree as often as chance has it"
printf 'redis-01#v0\na\nb\n' > "$work/keys"
two=$("$BIN" compare -s tutorial-ts -s tutorial-py-right -n redis-01,redis-02,redis-03 -k "file:path=$work/keys" --format table)
says "$two" "They do not agree." "the first line is the answer"
says "$two" "1 and 2: 2 of 3 keys on the same node" "the pair's share"
says "$two" "search: first point at or after the hash against first point strictly after" "why: the search"
says "$two" "redis-01#v0: redis-01, " "the first key that differs"
says "$("$BIN" compare -s ring:vnodes=9 -s ring:vnodes=9,first=1 -n 3 -k user:count=10k --format table)" "labels: 'node-0#0' against 'node-0#1'" "why: the labels"
says "$("$BIN" compare -s modulo:hash=crc32 -s modulo:hash=md5-32 -n 3 -k user:count=1k --format table)" "hash of the key: crc32 against md5-32" "why: the hash"
is "$("$BIN" compare -s ring:vnodes=5/6/7 -n 3 -k user:count=50k --threads 1 | cksum)" "$("$BIN" compare -s ring:vnodes=5/6/7 -n 3 -k user:count=50k --threads 4 | cksum)" \
    "threads do not matter"
said=$("$BIN" compare -s ring -n 3 2>&1)
is $? 2 "one strategy is not two"
says "$said" "give -s twice" "which is said"

# check
seq 1 2000 > "$work/many"
"$BIN" where -s ring -n 5 -f "$work/many" > "$work/placed.csv"
said=$("$BIN" check -s ring -n 5 --against "$work/placed.csv" 2>&1)
is $? 0 "a placement holds against itself"
is "$("$BIN" check -s ring -n 5 --against - < "$work/placed.csv" 2>&1 >/dev/null | sed 's/.* of //')" "standard input hold" "and read from standard input"
says "$said" "2000 of 2000 rows" "all rows were read"
"$BIN" check -s ring -n 6 --against "$work/placed.csv" > "$work/out" 2> "$work/errors"
is $? 1 "another node, and it holds no more"
is "$(awk 'END { print NR }' "$work/out")" 11 "ten differences are shown"
is "$(head -1 "$work/out")" key,node,node_now "with both nodes"
"$BIN" where -s ring -n 5 --replicas 3 -f "$work/many" > "$work/copies.csv"
"$BIN" check -s ring -n 5 --against "$work/copies.csv" > "$work/out" 2> "$work/errors"
is $? 0 "copies are checked too"
"$BIN" check -s ring -n 5 --against "$work/copies.csv" --format json -q > "$work/out" 2>&1
is "$(cat "$work/out")" "[]" "quiet, and nothing differs"
printf 'a,b\n"quoted, key",node-0\n' > "$work/bad.csv"
"$BIN" check -s ring -n 5 --against "$work/bad.csv" > "$work/out" 2>&1
is $? 2 "a file without the columns"
printf '"quoted, key"\n\n' > "$work/odd"
"$BIN" where -s ring -n 5 -f "$work/odd" > "$work/odd.csv"
"$BIN" check -q -s ring -n 5 --against "$work/odd.csv" > "$work/out"
is $? 0 "quotes, commas and the empty key"
printf 'key,node\n' > "$work/bad.csv"
"$BIN" check -s ring -n 5 --against "$work/bad.csv" > "$work/out" 2>&1
is $? 2 "a file without rows"
printf 'key,node,replica\na,node-0,9\n' > "$work/bad.csv"
says "$("$BIN" check -s ring -n 5 --against "$work/bad.csv" 2>&1)" "line 2: replica must be 1 to 5" "a copy that cannot be"

# where --find
key=$("$BIN" where -s redis-cluster -n 3 --find slot=12182 | sed -n 2p | cut -d, -f1)
case $key in "{"*"}") ok 0 "a hash tag ($key)" ;; *) ok 1 "a hash tag ($key)" ;; esac
is "$("$BIN" where -s redis-cluster -n 3 --explain "user:$key:x" | sed -n 2p | cut -d, -f5)" 12182 "any key with it lands in the slot"
is "$("$BIN" where -s ring -n 5 --find node=node-3 --count 20 | sed 1d | cut -d, -f2 | sort | uniq -c | tr -d ' ')" 20node-3 "keys of a node"
is "$("$BIN" where -s nginx:method=ip_hash -n 3 --find node=10.0.0.2 | sed -n 2p | cut -d, -f2)" 10.0.0.2 "addresses, where only these are keys"
for find in slot=16384 slot=x node=no where=1; do
    "$BIN" where -s slots -n 3 --find "$find" > "$work/out" 2>&1
    is $? 2 "--find $find is refused"
done
"$BIN" where -s ring -n 3 --find slot=1 > "$work/out" 2>&1
is $? 2 "a ring has no slots"
"$BIN" where -s slots -n 3 --find slot=1 key > "$work/out" 2>&1
is $? 2 "--find takes no keys"
echo "1..$count"
