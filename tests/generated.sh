#!/bin/sh
# What is made from tables in the code: data/SCHEMA.md, and the tables of README.md between their marks.
#   tests/generated.sh BIN write    rewrites both
#   tests/generated.sh BIN check    says whether they are as the program would make them
set -eu
bin=$1
mode=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# CSV on standard input, a Markdown table of the named columns out. No field holds a line end.
markdown() {
    awk -v want="$1" '
    function split_csv(line,   n, field, c, i, quoted) {
        n = 1; field = ""; quoted = 0
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c == "\"") { if (quoted && substr(line, i + 1, 1) == "\"") { field = field c; i++ } else quoted = !quoted }
            else if (c == "," && !quoted) { cell[n++] = field; field = "" }
            else field = field c
        }
        cell[n] = field
        return n
    }
    BEGIN { wanted = split(want, name, ",") }
    {
        n = split_csv($0)
        if (NR == 1) {
            for (i = 1; i <= n; i++) at[cell[i]] = i
            head = "|"; rule = "|"
            for (i = 1; i <= wanted; i++) { head = head " " name[i] " |"; rule = rule "---|" }
            print head; print rule
            next
        }
        row = "|"
        for (i = 1; i <= wanted; i++) { text = cell[at[name[i]]]; gsub(/\|/, "\\|", text); if (i == 1 || name[i] == "options") text = text == "" ? "" : "`" text "`"; row = row " " text " |" }
        print row
    }'
}

schema() {
    cat <<'E2'
# Columns of the results

Made by `make schema` from the one table in `sim/experiments/columns.h`; a test compares. Shares are 0..1, never percent; times are
nanoseconds; an empty cell means that the figure does not apply. `option` and `value` name what was swept.

E2
    "$bin" list columns --format csv | markdown name,unit,type,summary | sed 's/^| name | unit | type | summary |/| column | unit | type | meaning |/'
    printf '\n## Files\n\n'
    for command in balance balance:--per-node remap latency cost compare; do
        words=$(echo "$command" | tr : ' ')
        extra='-k user:count=1'
        [ "$words" = compare ] && extra='-k user:count=1 -s null'
        [ "$words" = remap ] && extra='-k user:count=1 --change +1'
        [ "$words" = cost ] && extra=
        printf '`keysim %s`: ' "$words"
        # shellcheck disable=SC2086
        "$bin" $words $extra -s modulo -n 2 --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
        echo
    done
    printf '`keysim verify`: '
    "$bin" verify -s null -n 2 --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf '`keysim tune`: '
    "$bin" tune -s slots:count=2 -n 2 --target 'max/mean<=1' --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf '`keysim incidents`: '
    "$bin" incidents til-139 --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf '`keysim names`: '
    "$bin" names -s ring:vnodes=1 -n a,b --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf '`keysim availability`: '
    "$bin" availability -s slots -n 3 --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf '`keysim plan`: '
    "$bin" plan -s slots -n 2 --to 3 --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf '`keysim churn`: '
    "$bin" churn -s modulo -n 2 --events 1 --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf '`keysim bench`, and `make bench-peers`: '
    "$bin" bench --quick -q memory --format csv | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf '`keysim doctor`: '
    "$bin" doctor --format csv 2>/dev/null | head -1 | sed 's/,/, /g; s/\([a-z_0-9]*\)/`\1`/g; s/``//g'
    echo
    printf 'With --emit slots: `first`, `last`, `from`, `to`, and `step` in front where there are several.\n\n'
    printf '`keysim where`: `key`, `node`; with --replicas `replica`; with --explain `filtered`, `digest`, and `slot` or `point`, `label`; with --change `node_after`.\n\n'
    printf '`keysim hash`: `key`, `digest`. `keysim ranges`: `node`, `first`, `last`.\n'
}

# The README with fresh tables between <!-- NAME --> and <!-- /NAME -->.
readme() {
    "$bin" list strategies --format csv | markdown name,summary,traits,source,cost,options >"$tmp/strategies"
    "$bin" list systems --format csv | markdown name,summary,version,options >"$tmp/systems"
    # A system's own hashes bear its name; they are for keysim list.
    own=$("$bin" list systems --format csv | awk -F, 'NR > 1 { printf "%s%s", (NR > 2 ? "|" : ""), $2 }')
    "$bin" list hashes --format csv | grep -Ev "^hash,($own)[-,]" | markdown name,bits,verification,summary >"$tmp/hashes"
    "$bin" list workloads --format csv | markdown name,summary,options >"$tmp/workloads"
    { echo; sed 's/^\(.\)/    \1/' docs/embed.c; echo; } >"$tmp/embed"
    awk -v dir="$tmp" '
    /^<!-- [a-z]+ -->$/ { print; name = $2; file = dir "/" name; while ((getline line < file) > 0) print line; skip = 1; next }
    /^<!-- \/[a-z]+ -->$/ { skip = 0 }
    !skip { print }' README.md
}

schema >"$tmp/SCHEMA.md"
readme >"$tmp/README.md"
if [ "$mode" = write ]; then
    cp "$tmp/SCHEMA.md" data/SCHEMA.md
    cp "$tmp/README.md" README.md
else
    diff -u data/SCHEMA.md "$tmp/SCHEMA.md" && diff -u README.md "$tmp/README.md"
fi
