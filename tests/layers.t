#!/bin/sh
# A lower layer never includes a higher one; strategies stay free of the GNU Scientific Library; each strategy file exports one symbol.
n=0
ok() { # ok STATUS NAME
    n=$((n + 1))
    if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=1; fi
}
failed=0

# layer: folder, what it may include
check() {
    bad=$(grep -rHnoE --include='*.[ch]' '#include "[a-z_]+/' "$1" | grep -vE "#include \"($2)/" | head -5)
    [ -z "$bad" ] || echo "# $bad"
    [ -z "$bad" ]
    ok $? "$1 includes only $2"
}
check sim/base 'base'
check sim/model 'base|model'
check strategies 'base|model|strategies'
check sim/metrics 'base|model|metrics'
check sim/placement 'base|model|strategies|metrics|placement'
check sim/library 'base|model|strategies|metrics|placement|library'
check sim/experiments 'base|model|strategies|metrics|placement|experiments'
check sim/commands 'base|model|strategies|metrics|placement|experiments|commands'

bad=$(grep -rl --include='*.[ch]' 'gsl' strategies sim/base sim/model sim/placement sim/library)
[ -z "$bad" ]
ok $? "GSL only above the strategies"

for f in strategies/*.c strategies/systems/*.c; do
    name=$(basename "$f" .c)
    grep -qx "STRATEGY($name)" strategies/list.h
    ok $? "$name is in strategies/list.h"
    extra=$(grep -nE '^[a-z].*[a-z_]+\(.*\)$' "$f" | grep -v '[0-9]*:static\|HASH_MANY')
    [ -z "$extra" ] || echo "# $extra"
    [ -z "$extra" ]
    ok $? "$name has no external function"
done

bad=$(grep -rnE --include='*.[ch]' '\b(malloc|calloc|realloc|free|rand|srand|time|setlocale|strtod|atoi)\(' sim strategies | grep -v '^sim/base/' | grep -v 'mem_\|^[^:]*:[0-9]*: \*' | head -5)
[ -z "$bad" ] || echo "# $bad"
[ -z "$bad" ]
ok $? "no allocation, time or locale behind the base layer's back"

echo "1..$n"
exit $failed
