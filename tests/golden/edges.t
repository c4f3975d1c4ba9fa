#!/bin/sh
# The edges of the command line: full disks, readers that leave, interrupts, large and binary keys, memory, locales.
. tests/lib.sh

run "$keysim" --version
like "$(cat "$scratch/out")" '^keysim [0-9]+\.[0-9]+ \(.+\)$' '--version names version and revision'

# A full disk is the machine's failure.
if [ -c /dev/full ]; then
    for words in --version --help 'help where' 'list' 'where -s ring -n 3 a' 'hash a' 'hash -H identity 1' 'ranges -s slots -n 3' 'balance -s slots -n 3 --exact'; do
        status=0
        "$keysim" $words >/dev/full 2>"$scratch/err" || status=$?
        is "$status $(cat "$scratch/err")" '3 keysim: standard output: cannot be written: No space left on device' "full disk: $words"
    done
    run "$keysim" hash a -o /dev/full
    is "$status $(cat "$scratch/err")" '3 keysim: /dev/full: cannot be written: No space left on device' 'full disk: -o'
else
    skip 'no /dev/full here'
fi

# A reader that leaves ends the run quietly, even when there is no end of keys.
for words in 'where -s ring -n 3' 'hash' 'where -s ring -n 3 --explain --format table'; do
    { yes | timeout 20 "$keysim" $words 2>"$scratch/err"; echo $? >"$scratch/status"; } 2>/dev/null | head -1 >"$scratch/out"
    is "$(cat "$scratch/status") $(wc -c <"$scratch/err")" '0 0' "a reader that leaves: $words"
done

# An interrupt leaves no file; an earlier one stays.
cd "$scratch" || exit 1
echo earlier >kept
for signal in INT TERM; do
    for file in new kept; do
        # A shell's background jobs ignore SIGINT; timeout's child does not.
        run timeout --preserve-status -s $signal 0.5 "$keysim" balance -s ring -n 10 -k user:count=100G --threads 1 -o $file
        [ $signal = INT ] && wanted=130 || wanted=143
        is "$status" $wanted "SIG$signal ends a long run with $wanted"
    done
done
rm -f status
is "$(cat kept) $(ls | tr '\n' ' ')" 'earlier err kept out ' 'interrupts leave no file, and the earlier one whole'
run "$keysim" balance -s rin -n 10 -o kept
is "$(cat kept)" earlier 'a mistake leaves the earlier file'
run "$keysim" ranges -s slots -n 3 -o kept
is "$(head -1 kept)" node,first,last 'a run that ends well replaces it'

# Keys of any bytes up to 1 MiB.
head -c 1048576 /dev/zero | tr '\0' x >large
run "$keysim" hash -H crc16 -f large
is "$status $(wc -c <out) $(tail -c 6 out | cut -c1)" "0 $((11 + 1048576 + 6)) ," 'a key of 1 MiB'
echo x >>large
run "$keysim" hash -H crc16 --percent -f large
is "$status $(cat out err)" '2 keysim: large line 1: is longer than 1 MiB (1048576 bytes)' 'a longer one is refused'
run sh -c "printf '\\377\\0\\n' | $keysim hash -H md5-32 -f -"
is "$(sed -n 2p out | od -An -tx1 | tr -d ' \n')" "ff002c$(printf '\377\0' | md5sum | cut -c1-8 | od -An -tx1 | tr -d ' \n' | sed 's/0a$//')0a" 'bytes that are no text, NUL too'
run sh -c "printf 'a\\nb\\0c' | $keysim hash -H crc32 -0 --percent"
is "$(cut -d, -f1 out | tr '\n' ' ')" 'key a%0Ab c ' 'keys separated by NUL may hold a line feed'
run "$keysim" hash -H md5-32 --percent %00%FF '%0a'
is "$(cut -d, -f1 out | tr '\n' ' ')" 'key %00%FF %0A ' '--percent spells every byte'

# Long names.
name=$(head -c 65536 /dev/zero | tr '\0' n)
printf '%s\nb\n' "$name" >names
run "$keysim" ranges -s slots -n @names
is "$status $(awk -F, '{ print length($1) }' out | tr '\n' ' ')" '0 4 65536 1 ' 'a node name of 64 KB'
run "$keysim" balance -s ring -n @names --exact --per-node --format table
is "$status $(wc -l <out)" '0 5' 'a node name of 64 KB in a table'
printf '%s x\n' "$name" >names
run "$keysim" ranges -s slots -n @names
is "$status $(wc -l <err) $(($(wc -c <err) < 1100))" '2 1 1' 'a node name of 64 KB in a message'

# More than memory holds is refused before it is tried.
for words in 'ring:vnodes=1M -n 1M' 'ring -n a=2147483647,b=2147483647'; do
    run timeout 20 "$keysim" where -s $words a
    is "$status $(wc -l <err) $(wc -c <out)" '2 1 0' "too many points: $words"
    like "$(cat err)" 'would need [0-9.]+ [A-Z]+ of memory' "says how much it would need: $words"
done
cd "$top" || exit 1

# The locale changes nothing.
"$keysim" balance -s ring -n 3 --exact --format json >"$scratch/plain"
for locale in de_DE tr_TR zh_CN; do
    if locale -a 2>/dev/null | grep -qi "^$locale.utf-*8"; then
        run env LC_ALL=$locale.UTF-8 "$keysim" balance -s ring -n 3 --exact --format json
        same "$scratch/out" "$scratch/plain" "LC_ALL=$locale.UTF-8"
    else
        skip "locale $locale.UTF-8 is not installed"
    fi
done

# More threads than cores: said once, and the same bytes.
cores=$(nproc)
run "$keysim" balance -s ring -n 3 -k user:count=10k --threads 1 --format csv
cp "$scratch/out" "$scratch/one-thread"
run "$keysim" balance -s ring -n 3 -k user:count=10k --threads $((cores + 1)) --format csv
is "$status $(wc -l <"$scratch/err") $(grep -c "^keysim: warning: --threads $((cores + 1)): more than the $cores core" "$scratch/err")" '0 1 1' 'more threads than cores: one warning'
same "$scratch/out" "$scratch/one-thread" 'and the same bytes'

done_testing
