#!/bin/sh
# Results are a pure function of the command line: the same bytes for any number of threads, with plain instructions and with vectors, in any
# locale, and where blocks of keys begin and end. Compilers and optimisation: make test-determinism.
. tests/lib.sh

. tests/determinism/results.sh

results "$keysim" --threads 1 >"$scratch/one" 2>"$scratch/err"
like "$(wc -l <"$scratch/one") $(wc -c <"$scratch/err")" '^[0-9]+ 0$' 'results, and nothing to complain of'
for threads in 2 7; do
    results "$keysim" --threads $threads >"$scratch/many"
    same "$scratch/many" "$scratch/one" "--threads $threads gives what one thread gives"
done

# A prefix of the keys is the same keys: the counts of 4097 keys are those of 4096 and one more.
counts() { "$keysim" balance -s ring -n 5 -k user:count="$1" --per-node | sed '1d; s/.*,//' | tr '\n' ' '; }
is "$(echo "$(counts 4096)$(counts 4097)" | awk '{ for (i = 1; i <= 5; i++) more += $(i + 5) - $i; print more }')" 1 'one key more is one key more'

for cpu in plain avx2; do
    if "$keysim" hash a --cpu $cpu >"$scratch/out" 2>"$scratch/err"; then
        results "$keysim" --threads 2 --cpu $cpu >"$scratch/many"
        same "$scratch/many" "$scratch/one" "--cpu $cpu gives the same"
    else
        skip "--cpu $cpu: $(cat "$scratch/err")"
    fi
done

# Locales made here, whatever the machine has: a decimal comma and a dotless i, another character set.
mkdir "$scratch/locales"
for locale in tr_TR.UTF-8 zh_CN.GB18030; do
    if localedef -i "${locale%.*}" -f "${locale#*.}" "$scratch/locales/$locale" >/dev/null 2>&1; then
        is "$(LOCPATH=$scratch/locales LC_ALL=$locale locale charmap)" "${locale#*.}" "$locale is there"
        run env LOCPATH="$scratch/locales" LC_ALL=$locale sh -c '. tests/determinism/results.sh; results "$@"' sh "$keysim" --threads 2
        same "$scratch/out" "$scratch/one" "LC_ALL=$locale changes nothing"
    else
        skip "$locale cannot be made: apt-get install locales"
    fi
done
done_testing
