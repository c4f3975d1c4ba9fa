#!/bin/sh
# The README's examples print what it shows, letter by letter. An example is an indented line that begins with "$ keysim" or pipes
# into it; its output follows, indented too. redis-cli is played by a sample of what it prints. Of timed figures only the words are compared.
set -u
bin=$(realpath "${BIN:-build/keysim}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin"
ln -s "$bin" "$tmp/bin/keysim"
printf '#!/bin/sh\ncat "%s/data/clusters/redis-nodes.txt"\n' "$PWD" >"$tmp/bin/redis-cli"
chmod +x "$tmp/bin/redis-cli"
PATH=$tmp/bin:$PATH

awk -v dir="$tmp" '
    /^    \$ /          { n++; print substr($0, 7) > (dir "/" n ".command"); printf "" > (dir "/" n ".shown"); inside = 1; next }
    /^    / && inside   { print substr($0, 5) > (dir "/" n ".shown"); next }
                        { inside = 0 }
    END                 { print n > (dir "/count") }' README.md

# Without numbers, table cells (a machine with counters shows more of them), and what is said of the machine.
timed() {
    sed -E -e '/^keysim: warning: the machine is noisy|^no instructions/d' "$1" |
        sed -E -e '2,/^medians/{/^medians/!s/ .*//}' -e 's/[0-9]+(\.[0-9]+)?( to [0-9]+)?/N/g' >"$1.words"
    mv "$1.words" "$1"
}

count=$(cat "$tmp/count")
echo "1..$count"
k=0
while [ "$k" -lt "$count" ]; do
    k=$((k + 1))
    command=$(cat "$tmp/$k.command")
    sh -c "$command --format table" >"$tmp/$k.printed" 2>&1
    case $command in *'keysim latency'*) timed "$tmp/$k.shown"; timed "$tmp/$k.printed" ;; esac
    diff -u "$tmp/$k.shown" "$tmp/$k.printed" >"$tmp/$k.diff" && echo "ok $k - $command" || { sed 's/^/# /' "$tmp/$k.diff"; echo "not ok $k - $command"; }
done
