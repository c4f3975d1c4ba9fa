#!/bin/sh
# The examples of the README and of the lab print what they show, letter by letter. An example is an indented line that begins with "$ ";
# its output follows, indented too. Those of one text run in one folder, so that a plot finds its CSV. redis-cli is played by a sample
# of what it prints. Of timed figures only the words are compared; a plot must leave a picture.
set -u
bin=$(realpath "${BIN:-build/keysim}")
top=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin"
ln -s "$bin" "$tmp/bin/keysim"
printf '#!/bin/sh\ncat "%s/data/clusters/redis-nodes.txt"\n' "$PWD" >"$tmp/bin/redis-cli"
chmod +x "$tmp/bin/redis-cli"
PATH=$tmp/bin:$PATH

# examples FILE FOLDER: N.command and N.shown for each; how many go to count.
examples() {
    awk -v dir="$2" '
    /^    \$ /          { n++; print substr($0, 7) > (dir "/" n ".command"); printf "" > (dir "/" n ".shown"); inside = 1; blank = ""; next }
    /^$/ && inside      { blank = blank "\n"; next }
    /^    / && inside   { printf "%s%s\n", blank, substr($0, 5) > (dir "/" n ".shown"); blank = ""; next }
                        { inside = 0 }
    END                 { print n + 0 > (dir "/count") }' "$1"
}

# Without numbers, table cells (a machine with counters shows more of them), and what is said of the machine.
timed() {
    sed -E -e '/^keysim: warning: the machine is noisy|^no instructions/d' "$1" |
        sed -E -e '2,/^medians/{/^medians/!s/ .*//}' -e 's/[0-9]+(\.[0-9]+)?( to [0-9]+)?/N/g' >"$1.words"
    mv "$1.words" "$1"
}

number=0
for text in README.md README.zh-CN.md docs/lab.md; do
    d=$tmp/$(basename "$text")
    mkdir "$d" "$d/work"
    ln -s "$top/data" "$d/work/data"
    examples "$text" "$d"
    count=$(cat "$d/count")
    k=0
    while [ "$k" -lt "$count" ]; do
        k=$((k + 1)) number=$((number + 1))
        command=$(cat "$d/$k.command")
        again=$(grep -lxF -- "$command" "$tmp"/README.md/*.command | head -1)
        case $command in *' -o '* | gnuplot*) run=$command ;; *) run="$command --format table" ;; esac
        if [ "$text" != README.md ] && [ -n "$again" ]; then
            cp "${again%.command}.printed" "$d/$k.printed"
        else
            (cd "$d/work" && sh -c "$run") >"$d/$k.printed" 2>&1
        fi
        case $command in *'keysim latency'*) timed "$d/$k.shown"; timed "$d/$k.printed" ;; esac
        diff -u "$d/$k.shown" "$d/$k.printed" >"$d/$k.diff"
        same=$?
        case $command in
        gnuplot*)
            picture=$(printf '%s' "$command" | sed "s/.*set output '\\([^']*\\)'.*/\\1/")
            [ -s "$d/work/$picture" ] || same=1
            ;;
        esac
        [ $same = 0 ] && result=ok || result='not ok'
        sed 's/^/# /' "$d/$k.diff"
        echo "$result $number - $text: $(printf '%s' "$command" | cut -c1-120)"
    done
done
echo "1..$number"
