#!/bin/sh
# Results are a pure function of the command line: the same bytes for any number of threads, with plain instructions and with vectors, in any
# locale, and where blocks of keys begin and end. Compilers and optimisation: make test-determinism.
. tests/lib.sh

[ ! "$sanitized" ] || { skip 'numbers, by commands that other tests have'; done_testing; }
. tests/determinism/results.sh

results "$keysim" --threads 1 >"$scratch/one" 2>"$scratch/err"
like "$(wc -l <"$scratch/one") $(wc -c <"$scratch/err")" '^[0-9]+ 0$' 'results, and nothing to complain of'
# others NAME FLAGS...: the same results another way, as far as this processor can.
others() {
    name=$1
    shift
    if "$keysim" hash a "$@" >"$scratch/out" 2>"$scratch/err"; then
        results "$keysim" "$@" >"$scratch/many" 2>&1
        same "$scratch/many" "$scratch/one" "$name"
    else
        skip "$name: $(cat "$scratch/err")"
    fi
}
others 'two threads, vectors of AVX2' --threads 2 --cpu avx2
others 'seven threads, plain instructions' --threads 7 --cpu plain

# A prefix of the keys is the same keys: the counts of 4097 keys are those of 4096 and one more.
counts() { "$keysim" balance -s ring -n 5 -k user:count="$1" --per-node | sed '1d; s/.*,//' | tr '\n' ' '; }
is "$(echo "$(counts 4096)$(counts 4097)" | awk '{ for (i = 1; i <= 5; i++) more += $(i + 5) - $i; print more }')" 1 'one key more is one key more'

# Locales made here, whatever the machine has: a decimal comma and a dotless i, another character set.
mkdir "$scratch/locales"
for locale in tr_TR.UTF-8 zh_CN.GB18030; do
    if localedef -i "${locale%.*}" -f "${locale#*.}" "$scratch/locales/$locale" >/dev/null 2>&1; then
        is "$(LOCPATH=$scratch/locales LC_ALL=$locale locale charmap)" "${locale#*.}" "$locale is there"
        (export LOCPATH="$scratch/locales" LC_ALL=$locale; results "$keysim" --threads 2) >"$scratch/many" 2>&1
        same "$scratch/many" "$scratch/one" "LC_ALL=$locale changes nothing"
    else
        skip "$locale cannot be made: apt-get install locales"
    fi
done
done_testing
