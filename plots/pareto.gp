# Evenness against time of a look-up on 100 nodes; dots as large as the memory; labels were laid out with the data.
high = 330 + 36 + 140
if (!setup) {
    data = from."/pareto.dat"
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    stats data index 0 using 1 nooutput
    x1 = STATS_max
    stats data index 0 using 2 nooutput
    x2 = STATS_max
    stats data index 0 using 3 nooutput
    y1 = STATS_max
    stats data index 0 using 4 nooutput
    y2 = STATS_max
    array colour[3] = [slots_colour, ring_colour, modulo_colour]
    size(r) = r / (kind eq "svg" ? 6.0 : 3.8)              # a point's size from its radius: terminals differ
    eval head("fullest of 100 nodes, above its fair share")
    set logscale xy
    set xrange [x1:x2]; set yrange [y1:y2]
    set xtics ("0.1 ns" 0.1, "1 ns" 1, "10 ns" 10, "100 ns" 100, "1 us" 1e3, "10 us" 1e4, "100 us" 1e5)
    set ytics ("exact" 1e-5, "0.01 %%" 1e-4, "0.1 %%" 1e-3, "1 %%" 1e-2, "10 %%" 1e-1, "100 %%" 1, "1000 %%" 10)
    set xlabel "a look-up" offset 0, 0.4
    set lmargin at screen 74.0 / 600; set rmargin at screen (74.0 + 508) / 600
    set tmargin at screen 1 - 36.0 / high; set bmargin at screen 1 - (36.0 + 330) / high
    legend_rows = 3
    eval entry(1, "the front: best of both", slots_colour, 1, 2, 7)
    eval entry(2, "others", ring_colour, 0, 0, 7)
    eval entry(3, "moves more than twice what it must", modulo_colour, 0, 0, 7)
    eval entry(4, "hollow: noise of keys in it", ring_colour, 0, 0, 6)
    set label 60 "memory" at screen across(5) + 0.075, screen below(5, high) left textcolor rgb ink
    do for [k = 1:3] {
        set label 60 + 2 * k "" at screen across(5) + 0.11 + 0.10 * k, screen below(5, high) point pointtype 7 pointsize size(3 + 1.7 * (2 * k - 1.5 + 0)) linecolor rgb null_colour
    }
    set label 70 "100 B" at screen across(5) + 0.21, screen below(6, high) center textcolor rgb ink
    set label 71 "10 kB" at screen across(5) + 0.31, screen below(6, high) center textcolor rgb ink
    set label 72 "1 MB" at screen across(5) + 0.41, screen below(6, high) center textcolor rgb ink
    plot data index 3 using (x1 * (x2 / x1) ** $1):(y1 * (y2 / y1) ** $2):((x2 / x1) ** $3 * x1 * (x2 / x1) ** $1 - x1 * (x2 / x1) ** $1):((y2 / y1) ** $4 * y1 * (y2 / y1) ** $2 - y1 * (y2 / y1) ** $2) with vectors nohead linewidth 1 linecolor rgb soft, \
         data index 4 using 1:2 with steps linewidth 2 linecolor rgb slots_colour, \
         data index 1 using ($5 == 0 ? $1 : NaN):2:(size($3)):(colour[$4 + 1]) with points pointtype 7 pointsize variable linecolor rgb variable, \
         data index 1 using ($5 == 1 ? $1 : NaN):2:(size($3)):(colour[$4 + 1]) with points pointtype 6 linewidth 2 pointsize variable linecolor rgb variable, \
         data index 2 using (x1 * (x2 / x1) ** $1):(y1 * (y2 / y1) ** $2):(name(3)) with labels left font ",13" textcolor rgb ink
}
