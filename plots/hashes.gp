# Time to hash a key, by hash.
high = 440
if (!setup) {
    data = from."/hashes.dat"
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    eval head("time to hash a key, ns")
    unset key
    set border 0
    set grid noytics noxtics
    set xrange [0:*]; set yrange [*:*] reverse
    set offsets graph 0, graph 0.16, 0.6, 0.6
    set xtics scale 0 format ""
    set ytics scale 0
    set boxwidth 0.6
    set lmargin at screen 0.235; set rmargin at screen 0.97
    set tmargin at screen 0.92; set bmargin at screen 0.05
    plot data using ($2 / 2):1:($2 / 2):(0.3):ytic(name(3)) with boxxyerror linecolor rgb perfect_colour, \
         data using 2:1:(sprintf("%.1f", $2)) with labels left offset 0.7, 0 textcolor rgb ink
}
