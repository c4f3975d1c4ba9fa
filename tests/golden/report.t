#!/bin/sh
# The report as a whole: a small one is made, read, made again, and made to fail. Run from the repository's root.
BIN=${BIN:-build/keysim}
case $BIN in /*) ;; *) BIN=$PWD/$BIN ;; esac
top=$PWD
work=$(mktemp -d) || exit 1
mount=
trap 'test -z "$mount" || umount "$mount" 2>/dev/null; rm -rf "$work"' EXIT
count=0

ok() { # ok STATUS TEXT
    count=$((count + 1))
    if test "$1" -eq 0; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}
skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}
is() { # is GOT WANTED TEXT
    test "$1" = "$2"
    ok $? "$3 ($1)"
}
left() { find "$1" -maxdepth 1 -name '.keysim-*' 2>/dev/null | wc -l; } # staging folders that were left behind

command -v gnuplot >/dev/null || { echo "1..0 # SKIP no gnuplot: apt-get install gnuplot-nox"; exit 0; }
charts='rings load max cv remap lookup memory build hashes incidents field-even field-moves field-cost pareto published tune availability names resize survivors cascade receivers cold trace hot fast'

# Three reports at a time, since each times every algorithm: a small one; one on names that mean something to a page, a shell or gnuplot,
# weights, a file of keys, and a published figure that is wrong; one whose gnuplot script is no script.
cd "$work" || exit 1
printf '%s\n' '<script>alert(1)</script>' "a'b\"c" '%d%s' '\$(touch$IFS''x)' '{{answer}}' '{/Symbol' >names
printf '%s\n' '`>CANARY`' 'system(">CANARY")' 'a`b"c\d' '@x' '%g\n' 'id="black"&lt;' "$(printf '\342\200\256rtl')" 'éèê中' >>names
printf 'inv\377alid\nweighty 3\n' >>names
seq 1 3000 >'keys <b>.txt'
seq 1 3000 | awk '{ print $1 % 377 }' >'trace <i>.txt'
for d in false broken; do # a figure of each paper is enough, and one that is false
    mkdir $d && cp -R "$top/data" "$top/plots" $d
    for f in lamping-veach multi-probe maglev dynamo ring-theory; do sed -n 1,2p "$top/data/published/$f.csv" >$d/data/published/$f.csv; done
    echo 'dynamo,ring:vnodes=10,10,vnodes,10,cv,0.9,0.89,0.91,20,"<b>nobody</b>, 1900",made up' >>$d/data/published/dynamo.csv
done
printf 'this is no command\n' >broken/plots/draw.gp
mkdir old && echo old >old/index.html
KEYSIM_DATA=$work/false "$BIN" report --quick -n @names -k 'file:path=keys <b>.txt' --trace 'file:path=trace <i>.txt' -o hostile >hostile.said 2>hostile.errors &
hostile=$!
KEYSIM_DATA=$work/broken "$BIN" report --quick -n 4 -k user:count=1k -o old >broken.said 2>broken.errors &
broken=$!
"$BIN" bench --quick -q memory -o peers.csv
"$BIN" report --quick -n 5 -k user:count=20k --peers peers.csv -o one >one.said 2>errors
is $? 0 'a small report is made'
wait $hostile
hostile=$?
wait $broken
broken=$?

# One report.
is "$(cat one.said)" one/index.html 'standard output names the page alone'
! grep -v -e 'warning: the machine is noisy' -e 'warning: two threads beside one' errors
ok $? 'nothing on standard error, unless the machine is noisy or has one core'
missing=0
for c in $charts; do
    grep -q '<path' "one/$c.svg" && test -s "one/$c.png" && grep -q "id=\"${c}gnuplot_canvas\"" one/index.html || missing=1
done
ok $missing 'every chart is there as SVG, PNG and in the page'
twice=$(grep -o " id=[\"'][^\"']*" one/index.html | sort | uniq -d | head -3)
is "$twice" '' 'no id stands twice in the page'
! grep -q '{{\|}}' one/index.html
ok $? 'no mark of the template is left'
! grep -qi '<script\|<iframe\|<link\|@import' one/index.html
ok $? 'no script and nothing to load'
! grep -o "\(src\|href\|action\)=[\"']https\?:[^\"']*" one/index.html | grep -q .
ok $? 'no address of the network'
! grep -q "'black'\|\"black\"\|rgb(0,0,0)\|rgb(  0,   0,   0)" one/index.html
ok $? 'nothing is drawn in black: ink follows light and dark'
grep -v '<tr><th scope="row">' one/index.html | grep -q 'unknown\|[^a-z]nan[^a-z]'
test $? -eq 1
ok $? 'every sentence has its figures'
if command -v xmllint >/dev/null; then
    # xmllint's HTML knows neither HTML5's elements nor SVG: tags it does not know are no mistake
    xmllint --html --noout one/index.html 2>&1 | grep 'error' | grep -v 'Tag .* invalid' >wrong
    is "$(head -1 wrong)" '' 'the page is well-formed'
    xmllint --noout one/*.svg
    ok $? 'the pictures are well-formed'
else
    skip 'the page is well-formed' 'no xmllint: apt-get install libxml2-utils'
fi
grep -q 'keysim balance -s modulo .* -n 5 -k user:count=20k --per-node' one/index.html
ok $? 'the commands stand in the page'
is "$(left one)" 0 'no staging folder is left'


# Choose a replica count.
chosen=$(grep ',1$' one/tune.csv | cut -d, -f2)
grep -q "<b class=\"chosen\">Use vnodes=$chosen</b>" one/index.html && test "$chosen" -gt 1
ok $? "the chosen number stands on the page ($chosen)"
grep -q "V = $chosen<" one/tune.svg
ok $? 'and in its chart'
grep -q 'fnv1a-64' one/names.svg && grep -q '{node}#{i}' one/names.svg
ok $? 'hashes and labels stand in the chart of names'
is "$(sed 1d one/resize-modulo.csv | wc -l) $(sed 1d one/resize-ring.csv | wc -l)" '25 5' 'a newcomer gets from each under a ring, and all from all under modulo'
grep -q 'keysim names -n @names' hostile/index.html && grep -q 'on your names' hostile/names.svg
ok $? 'names that are given are the ones that are hashed'

# A node dies, caches go cold, keys are hot.
collapse() { awk -F, -v v="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["value"] == v && $at["capacity"] == 1.5 { print $at["survivors"] }' one/failure.csv; }
few=$(collapse 1) many=$(collapse 150)
test -n "$few" && awk "BEGIN { exit !($few < $many && $many <= 4) }"
ok $? "more points keep more nodes up ($few, then $many of 5)"
grep -q 'node-0 dies' one/index.html && grep -q 'dead' one/cascade-1.csv
ok $? 'a death is told step by step'
grep -q 'No picture: no trace was given' one/index.html && test ! -e one/cache-trace.csv
ok $? 'without a trace the page says how to give one'
grep -q 'trace &#60;i&#62;.txt' hostile/index.html && test "$(sed 1d hostile/cache-trace.csv | wc -l)" -ge 200
ok $? 'with one its caches are shown, and its name stays text'
is "$(sed 1d one/hot.csv | grep -c ',requests,')" 20 'requests of four strategies on five sizes'

# How fast is fast.
cmp -s peers.csv one/bench-peers.csv && grep -q 'href="bench-peers.csv"' one/index.html
ok $? 'the figures of other programs stand beside the page'
grep -q 'No figures of other programs were given' hostile/index.html && test ! -e hostile/bench-peers.csv
ok $? 'and without any the page says how to get them'
is "$(grep -c 'aria-label="Beside other programs"' one/index.html) $(grep -c 'aria-label="Beside other programs"' hostile/index.html)" '1 0' \
    'and has no empty table'
is "$(grep -c 'aria-label="(null)"\|aria-label=""' one/index.html)" 0 'every chart has words for those who do not see it'

# The commands in the page make the files beside it, whatever the threads.
sed -n 's#^<tr><td><a href="\([^"]*\)">[^<]*</a></td><td>\(exact\|sampled\)</td><td><code>keysim \(.*\)</code></td></tr>$#\1 \3#p' one/index.html | sed "s/&#60;/</g; s/&#39;/'/g" >commands
differ=
while read -r file words; do
    eval "\"\$BIN\" $words --threads 1 --format csv -o again.csv" 2>errors </dev/null || cat errors
    cmp -s again.csv "one/$file" || differ="$differ $file"
done <commands
is "$differ" '' 'every command of the page gives its CSV again'
test "$(wc -l <commands)" -ge 15
ok $? 'all of them were tried'

# The whole field.
lost=
for s in $("$BIN" list strategies --format csv | sed -n 's/^strategy,\([^,]*\),.*/\1/p'); do
    test "$s" = null || grep -q "<tr><th scope=\"row\">$s <small>" one/index.html || lost="$lost $s"
    for c in field-even field-moves field-cost pareto; do
        test "$s $c" = "null ${c#field-cost}" || { test "$s" = null && test $c != field-cost; } || grep -q ">$s<\|$s *<" "one/$c.svg" || lost="$lost $s:$c"
    done
done
is "$lost" '' 'every algorithm is in the table and in the charts'
for f in field-even field-moves latency cost verify; do
    cut -d, -f2 one/$f.csv
done | sort -u >named
is "$(grep -c '^jump$\|^ring$\|^maglev$\|^multi-probe$\|^dynamo$' named)" 5 'and in the results'

# What papers print.
published=$(grep -c ',published,' one/verify.csv)
points=$(grep -o 'gpPt6' one/published.svg | wc -l)
test "$published" -gt 20 && test "$points" -gt 6 # of a quick report; 120 and 48 else
ok $? "published figures are drawn as points ($points points)"
! grep -q 'class="bad"' one/index.html && grep -q 'All [0-9]* checks pass' one/index.html
ok $? 'all checks pass'
grep -q '<p class="bad"><strong>Failed:</strong> ring vnodes=10, 10 nodes, published' hostile/index.html
ok $? 'a check that fails stands in red, and the page is made'
grep -q '<tr class="bad"><th scope="row">ring<' hostile/index.html
ok $? 'and its strategy too'

# The hostile one.
is $hostile 0 'a report on hostile names, a file of keys and a wrong figure'
! grep -q '<script\|<b>' hostile/index.html
ok $? 'names stay text in the page'
! grep -qi 'alert(1)</script' hostile/*.svg
ok $? 'and in the charts'
grep -q 'keys &#60;b&#62;.txt' hostile/index.html
ok $? 'the name of the file of keys is escaped'
is "$(ls x CANARY hostile/CANARY 2>&1 | grep -c '^x$\|^CANARY$\|^hostile/CANARY$')" 0 'no name was run'
missing=
for shown in '`>CANARY`' 'system(">CANARY")' 'a`b"c\d' '@x' '%g\n' '{/Symbol' '{{answer}}' '\xE2\x80\xAErtl' 'éèê中' 'inv\xFFalid' 'id="black"&amp;lt;'; do
    for chart in load resize cascade; do
        grep -qF "<text>$shown</text>" hostile/$chart.svg || missing="$missing $chart:$shown"
    done
done
is "$missing" '' 'charts show the names themselves, what does not print escaped'
grep -qF '<text>id="black"&amp;lt;</text>' hostile/index.html
ok $? 'and so does the page, where pictures are made fit for it'
grep -q 'nobody' hostile/index.html
ok $? 'so is the source of a figure'

# Mistakes: exit 2, a line, no file.
PATH=/nonexistent "$BIN" report -n 5 -o none >said 2>errors
is $? 2 'no gnuplot: exit 2'
grep -q 'apt-get install gnuplot-nox' errors
ok $? 'and how to install it'
"$BIN" report -n 5 -k user:count=1k -o missing/parent >said 2>errors
is $? 2 'a folder that cannot be made: exit 2'
"$BIN" report -n 5 -k user:count=1k -o names >said 2>errors
is $? 2 'a file where the folder should be: exit 2'
"$BIN" report -n 5..50x10 -o sweep >said 2>errors
is $? 2 'a sweep of nodes: exit 2'
"$BIN" report -n 5 --trace file:path=nowhere -o traced >said 2>errors
is $? 2 'a trace that is not there: exit 2'
"$BIN" report -n 5 --trace file:path=- -o traced >said 2>errors </dev/null
is $? 2 'a trace on standard input: exit 2'
"$BIN" report -n 5 -k usr:count=1k -o spelt >said 2>errors
is $? 2 'an unknown workload: exit 2'
is "$(ls -d none missing sweep spelt traced 2>/dev/null)" '' 'none of these leaves a folder'
test $broken -ne 0 && grep -q 'chart' broken.errors
ok $? 'gnuplot that fails is an error that names a chart'
is "$(cat old/index.html; ls old)" "old
index.html" 'and the earlier report stays whole'
is "$(left old)" 0 'without a staging folder'

# A full disk.
if test "$(id -u)" -eq 0 && mkdir disk && mount -t tmpfs -o size=2m tmpfs disk 2>/dev/null; then
    mount=$work/disk
    mkdir disk/r && echo old >disk/r/index.html
    head -c 1900000 /dev/zero >disk/filler
    "$BIN" report --quick -n 5 -k user:count=1k -o disk/r >said 2>errors
    is $? 3 "a full disk: exit 3"
    is "$(cat disk/r/index.html)" old 'the earlier report is whole'
    is "$(ls -A disk/r)" index.html 'nothing else is left'
    umount disk && mount=
else
    skip 'a full disk: exit 3' 'needs root and tmpfs'
fi

# Interrupted.
"$BIN" report -n 5 -k user:count=200M -o stopped >said 2>errors &
sleep 1
kill -INT $!
wait $!
is $? 130 'interrupted: exit 130'
is "$(ls -A stopped 2>/dev/null)" '' 'and nothing is left'

echo "1..$count"
