#!/bin/sh
# Results are a pure function of the command line: the same bytes for any number of threads, with plain instructions and with vectors, in any
# locale, and where blocks of keys begin and end. Compilers and optimisation: make test-determinism.
. tests/lib.sh

[ ! "$sanitized" ] || { skip 'numbers, by commands that other tests have'; done_testing; }
. tests/determinism/results.sh

results "$keysim" --threads 1 >"$scratch/one" 2>"$scratch/err"
like "$(wc -l <"$scratch/one") $(wc -c <"$scratch/err")" '^[0-9]+ 0$' 'results, and nothing to complain of'
mkdir "$scratch/locales"
# others LOCALE NAME FLAGS...: the same results another way, as far as this processor can, in a locale that is made here, whatever the machine has.
others() {
    locale=$1 name=$2
    shift 2
    if ! "$keysim" hash a "$@" >"$scratch/out" 2>"$scratch/err"; then
        skip "$name: $(cat "$scratch/err")"
        name='nothing else'
        set --
    fi
    if localedef -i "${locale%.*}" -f "${locale#*.}" "$scratch/locales/$locale" >/dev/null 2>&1; then
        is "$(LOCPATH=$scratch/locales LC_ALL=$locale locale charmap)" "${locale#*.}" "$locale is there"
    else
        skip "$locale cannot be made: apt-get install locales"
        locale=C
    fi
    (export LOCPATH="$scratch/locales" LC_ALL=$locale; results "$keysim" "$@") >"$scratch/many" 2>&1
    same "$scratch/many" "$scratch/one" "$name, LC_ALL=$locale"
}
# A decimal comma and a dotless i; another character set.
others tr_TR.UTF-8 'two threads, vectors of AVX2' --threads 2 --cpu avx2
others zh_CN.GB18030 'seven threads, plain instructions' --threads 7 --cpu plain

# A prefix of the keys is the same keys: the counts of 4097 keys are those of 4096 and one more.
counts() { "$keysim" balance -s ring -n 5 -k user:count="$1" --per-node | sed '1d; s/.*,//' | tr '\n' ' '; }
is "$(echo "$(counts 4096)$(counts 4097)" | awk '{ for (i = 1; i <= 5; i++) more += $(i + 5) - $i; print more }')" 1 'one key more is one key more'

done_testing
