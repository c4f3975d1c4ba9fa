#!/bin/sh
# Placements and digests as real programs gave them: each line of CASES.tsv is one call of keysim, its answers held
# against a column. data/vectors holds every case, with all keys at a point's very edge and some of the others. VECTORS names other
# folders of the same form instead, whole recordings for one, ONLY a pattern of their files.
. tests/lib.sh
tab=$(printf '\t')
want=$scratch/want got=$scratch/got keys=$scratch/keys

# The rows below the heading, and the number of a column in it.
rows() { awk 'started || !/^#/ { started = 1; print }' "$dir/$file"; }
number() { sed -n 's/^# columns: //p' "$dir/$file" | grep "$tab" | tr '\t' '\n' | grep -nxF -- "$1" | cut -d: -f1; }

# The owners a line names, in order of name.
sort_owners() { awk -F, '{ n = split($0, a, ","); for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j] < a[j - 1]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    s = a[1]; for (i = 2; i <= n; i++) s = s "," a[i]; print s }'; }

last_field() { sed '1d; s/.*,//'; }

check_ranges() {
    rows | cut -f1 | sort -un | while read -r n; do
        rows | awk -F"$tab" -v n="$n" '$1 == n { print n, $2, $3, $4 }' | sort >>"$want"
        "$keysim" ranges -s "$spec" -n "$n" --format csv | sed "1d; s/.*-\([0-9]*\),\(.*\),\(.*\)/$n \1 \2 \3/" | sort >>"$got"
    done
}

check_hash() {
    "$keysim" hash -H "$spec" --percent --format csv -f "$keys" | last_field >"$got"
    case $transform in
    prefix*) cut -c1-"${transform#prefix}" "$want" >"$want.2" && mv "$want.2" "$want" ;;
    hex) for f in "$want" "$got"; do tr A-F a-f <"$f" | sed 's/^0*\(.\)/\1/' >"$f.2" && mv "$f.2" "$f"; done ;;
    decimal)
        printf '%u\n' $(sed 's/^/0x/' "$got") >"$got.2" && mv "$got.2" "$got" ;;
    esac
}

check_owners() {
    set -- where -s "$spec" -n "$nodes" --percent --format csv -f "$keys"
    case $how in
    replica*) "$keysim" "$@" -q --replicas "${how#*:}" | sed '1d; s/.*,\([^,]*\),\([0-9]*\)$/\2 \1/' |
        awk '$1 == 1 { if (NR > 1) print s; s = $2; next } { s = s "," $2 } END { print s }' >"$got" ;;
    slot) "$keysim" "$@" -q --explain | last_field >"$got" ;;
    *) "$keysim" "$@" -q | last_field >"$got" ;;
    esac
    case $how in replica-set*) for f in "$want" "$got"; do sort_owners <"$f" >"$f.2" && mv "$f.2" "$f"; done ;; esac
    [ "$transform" != node-number ] || { sed 's/.*-//' "$got" >"$got.2" && mv "$got.2" "$got"; }
}

for dir in ${VECTORS:-data/vectors}; do
    while IFS=$tab read -r file column how spec nodes transform; do
        case $file in '#'*) continue ;; ${ONLY:-*}) ;; *) continue ;; esac
        [ -z "$sanitized" ] || [ $((cases = cases + 1)) -eq $((cases / 3 * 3)) ] || continue
        : >"$want" && : >"$got"
        case $nodes in nodes/*) nodes=@$dir/$nodes ;; esac
        rows | awk -F"$tab" -v t="$transform" '{ print t == "client-port" && $2 != 0 ? $1 ":" $2 : $1 }' >"$keys"
        [ "$how" = ranges ] || rows | cut -f"$(number "$column")" >"$want"
        case $how in ranges) check_ranges ;; hash) check_hash ;; *) check_owners ;; esac 2>"$scratch/err"
        [ ! -s "$scratch/err" ] || note "$(cat "$scratch/err")"
        [ -s "$want" ] || echo 'no rows' >"$want"
        same "$got" "$want" "$file $column: $spec, $(wc -l <"$want") values"
    done <"$dir/CASES.tsv"
done
done_testing
