#!/bin/sh
# Completion: what a line becomes when Tab is pressed, in the shells themselves, and that their scripts know all that the tables know.
# Each shell gets a function keysim that prints its words, in <>, so that what stands there is what was completed.
. tests/lib.sh

for shell in bash zsh fish; do
    run "$keysim" help --as $shell
    is "$status $(cat "$scratch/err")" '0 ' "a script for $shell"
    cp "$scratch/out" "$scratch/keysim.$shell"
done

# Every name of the tables stands in every script, with what it means behind it.
{
    "$keysim" help | sed -n 's/^  keysim \([a-z]*\) .*/\1/p' | tee "$scratch/commands"
    while read -r command; do "$keysim" help "$command"; done <"$scratch/commands" | sed -n 's/^  .*\(--[a-z-]*\).*/\1/p'
    "$keysim" list --format csv | cut -d, -f2 | tail -n +2
} | sort -u >"$scratch/known"
for shell in bash zsh fish; do
    tr "'" '\n' <"$scratch/keysim.$shell" | sed -n 's/\t.*//p' | sort -u >"$scratch/said"
    is "$(comm -23 "$scratch/known" "$scratch/said")" '' "$(wc -l <"$scratch/known") commands, options and names stand in the script for $shell"
done

# A case a line: what is typed, a Tab being \t; what the words are then; what that shows.
cat >"$scratch/cases" <<'E2'
keysim bal\t|<balance>|a command
keysim where --repl\t2|<where><--replicas><2>|an option
keysim where -s ring:vn\t5|<where><-s><ring:vnodes=5>|an option of a strategy
keysim where -s rin\t:vn\t5|<where><-s><ring:vnodes=5>|a name alone may be meant, or go on: no blank is put behind it
keysim where -s ring:vnodes=5,see\tne\t|<where><-s><ring:vnodes=5,seek=nearest>|a choice, behind a comma
keysim where --strategy=ring:see\tge|<where><--strategy=ring:seek=ge>|behind an option with =
keysim balance -s bounded:over=rend\t|<balance><-s><bounded:over=rendezvous>|a strategy over another
keysim balance -s ring:hash=xxh3/crc3\t|<balance><-s><ring:hash=xxh3/crc32>|a sweep
keysim balance -n @ngi\tdata/clusters/ngi\t|<balance><-n><@nginx:data/clusters/nginx.conf>|a configuration
keysim balance -n @data/clusters/ngi\t -s multi\t|<balance><-n><@data/clusters/nginx.conf><-s><multi-probe>|a file of nodes
keysim balance -k file:path=data/clu\tnod\t|<balance><-k><file:path=data/clusters/nodes.txt>|a file of keys
keysim hash -H murmur3-c\t key|<hash><-H><murmur3-cassandra><key>|a hash
keysim report -o tests/gold\tnew|<report><-o><tests/golden/new>|a folder
keysim help multi\t|<help><multi-probe>|a topic
keysim incidents til\t|<incidents><til-139>|an incident
keysim help --as zs\t|<help><--as><zsh>|one of some words
E2

# typed SHELL SETUP WHAT: all cases, typed into one shell on a terminal of its own, which does SETUP first.
typed() {
    {
        printf '%s\n' "PS1=; $2; keysim() { printf '<%s>' \"\$@\"; echo; }"
        while IFS='|' read -r text wanted name; do printf "$text\n"; done <"$scratch/cases"
        echo exit
    } >"$scratch/typed"
    (cd "$top" && TERM=dumb timeout 120 script -qec "$1" /dev/null <"$scratch/typed" 2>&1) | tr -d '\r' | sed -n 's/^.*\(<[a-z]*><.*>\|<balance>\)$/\1/p' >"$scratch/words"
    nth=0
    while IFS='|' read -r text wanted name; do
        nth=$((nth + 1))
        is "$(sed -n ${nth}p "$scratch/words")" "$wanted" "$3: $name"
    done <"$scratch/cases"
}

if ! absent bash; then
    bash -n "$scratch/keysim.bash"
    ok $? 'bash: the script is one'
    typed 'bash --norc --noprofile -i' ". '$scratch/keysim.bash'" bash
    typed 'bash --norc --noprofile -i' ". '$scratch/keysim.bash'; COMP_WORDBREAKS=\${COMP_WORDBREAKS//[:=@]}" 'bash that does not cut words at : and ='
fi

if ! absent zsh; then
    mkdir "$scratch/functions"
    cp "$scratch/keysim.zsh" "$scratch/functions/_keysim"
    zsh -n "$scratch/keysim.zsh"
    ok $? 'zsh: the script is one'
    typed 'zsh -f -i' "autoload -Uz compinit; compinit -D -u; . '$scratch/keysim.zsh'" zsh
    typed 'zsh -f -i' "fpath=('$scratch/functions' \$fpath); autoload -Uz compinit; compinit -D -u" 'zsh, from its folder of functions'
fi

# fish says itself what it would offer.
offers() { (cd "$top" && fish --no-config -c ". '$scratch/keysim.fish'; complete -C '$1'" 2>&1) | cut -f1 | paste -sd' '; }

if ! absent fish; then
    fish --no-config -n "$scratch/keysim.fish"
    ok $? 'fish: the script is one'
    is "$(offers 'keysim bal')" 'balance' 'fish: a command'
    is "$(offers 'keysim where --repl')" '--replicas' 'fish: an option'
    is "$(offers 'keysim where -s ring:vn')" 'ring:vnodes=' 'fish: an option of a strategy'
    is "$(offers 'keysim where -s rin')" 'ring ring:' 'fish: a name, which may go on'
    is "$(offers 'keysim where -s ring:vnodes=5,seek=n')" 'ring:vnodes=5,seek=nearest' 'fish: a choice, behind a comma'
    is "$(offers 'keysim where --strategy=ring:see')" '--strategy=ring:seek=' 'fish: behind an option with ='
    is "$(offers 'keysim balance -s bounded:over=rend')" 'bounded:over=rendezvous bounded:over=rendezvous:' 'fish: a strategy over another'
    is "$(offers 'keysim balance -s ring:hash=xxh3/crc3')" 'ring:hash=xxh3/crc32 ring:hash=xxh3/crc32:' 'fish: a sweep'
    is "$(offers 'keysim balance -n @ngi')" '@nginx:' 'fish: a format'
    is "$(offers 'keysim balance -n @nginx:data/clusters/ngi')" '@nginx:data/clusters/nginx.conf' 'fish: a configuration'
    is "$(offers 'keysim balance -n @data/clusters/ngi')" '@data/clusters/nginx.conf' 'fish: a file of nodes'
    is "$(offers 'keysim balance -k file:path=data/clusters/nod')" 'file:path=data/clusters/nodes.txt' 'fish: a workload'"'"'s file'
    is "$(offers 'keysim hash -H murmur3-c')" 'murmur3-cassandra murmur3-cassandra:' 'fish: a hash'
    is "$(offers 'keysim report -o doc')" 'docs/' 'fish: a folder'
    is "$(offers 'keysim help multi')" 'multi-probe' 'fish: a topic'
    is "$(offers 'keysim incidents til')" 'til-139' 'fish: an incident'
    is "$(offers 'keysim help --as zs')" 'zsh' 'fish: one of some words'
fi
done_testing
