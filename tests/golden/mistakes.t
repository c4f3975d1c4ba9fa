#!/bin/sh
# Mistakes: each command line of mistakes.txt ends with 2 and one line on standard error, as it stands below it there;
# nothing goes to standard output, and -o leaves no file. REWRITE=1 writes the lines that came out.
leaks=1
. tests/lib.sh
KEYSIM=$keysim
export KEYSIM
list=$top/tests/golden/mistakes.txt
cd "$top/tests/golden/input" || exit 1

while IFS= read -r line; do
    case $line in
    '$ '*) ;;
    '' | '#'*) echo "$line" >>"$scratch/new"; continue ;;
    *) continue ;;
    esac
    words=${line#\$ }
    wanted=$(grep -Fx -A1 -- "$line" "$list" | sed -n 2p)
    run sh -c "\$KEYSIM $words" </dev/null
    if [ "$REWRITE" ]; then
        wanted=$(cat "$scratch/err")
        { echo "$line"; cat "$scratch/err"; } >>"$scratch/new"
    fi
    is "$status, $(wc -l <"$scratch/err") line, $(wc -c <"$scratch/out") bytes: $(cat "$scratch/err")" "2, 1 line, 0 bytes: $wanted" "$words"
    [ ! "$sanitized" ] || continue
    case $words in
    *' -o '* | help* | --* | '') continue ;;
    *' -- '*) words="${words%% -- *} -o $scratch/made -- ${words#* -- }" ;;
    *) words="$words -o $scratch/made" ;;
    esac
    run sh -c "\$KEYSIM $words" </dev/null
    is "$(find "$scratch" -name '*made*')" '' "leaves no file: ${words%% -o*} -o ..."
    rm -f "$scratch"/made*
done <"$list"
[ "$REWRITE" ] && cp "$scratch/new" "$list"
done_testing
