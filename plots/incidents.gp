# Two public reports: share of each node, seen and computed, fullest first; the dashed line is fair.
data = from."/incidents.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    above = int(STATS_max)
    stats data index 1 using 1 nooutput
    under = int(STATS_max)
    step = 26.0
    high = int(150 + step * (above + under))
}
if (!setup) {
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    unset key
    set border 0
    set grid noxtics noytics
    set xrange [0:1.14]
    set xtics scale 0 format ""
    set ytics scale 0
    set boxwidth 0.56
    set lmargin at screen 0.315; set rmargin at screen 0.99
    legend_rows = 2
    eval entry(1, "computed", ring_colour, 1, 9, 0)
    eval entry(2, "seen, as reported", modulo_colour, 0, 0, 7)
    eval entry(3, "fair share", 0, 2, 1.2, 0)
    set multiplot
    do for [i = 1:2] {
        rows = i == 1 ? above : under
        top = i == 1 ? 32.0 : 72 + step * above
        fair = 1.0 / rows
        beside(a, b) = (m = a > b ? a : b, m > fair ? m : fair)
        set tmargin at screen 1 - top / high
        set bmargin at screen 1 - (top + step * rows) / high
        set yrange [rows + 0.5:0.5]
        set label 1 (i == 1 ? "skipper 1796: ten endpoints, one point each" : "stathat/consistent 10: three servers, 20 points each") at screen 0.03, screen 1 - (top - 16) / high left textcolor rgb ink
        set arrow 30 from first fair, graph 0 to first fair, graph 1 nohead front linewidth 1.2 dashtype 2 linecolor rgb ink
        plot data index i - 1 using ($2 / 2):1:($2 / 2):(0.28):ytic(name(4)) with boxxyerror linecolor rgb ring_colour, \
             data index i - 1 using 3:1 with points pointtype 7 pointsize 0.9 linecolor rgb modulo_colour, \
             data index i - 1 using (beside($2, $3)):1:(sprintf("%.1f %%", 100 * $3)) with labels left offset 0.9, 0 textcolor rgb ink
        do for [k = 1:60] { unset arrow k; unset label k }
    }
    unset multiplot
}
