# What moves over what must move, a panel a change; the dashed line is an ideal balancer.
data = from."/moves.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    lines_of = int(STATS_max)
    step = 22.0
    high = 40 + step * lines_of + 30
}
if (!setup) {
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    titles = "'10 to 11 nodes' '100 to 101' 'worst of 10 leaves'"
    unset key
    set border 0
    set logscale x
    set xrange [0.6:1500]; set yrange [lines_of + 0.6:0.4]
    set xtics scale 0 offset 0, 0.4 ("1x" 1, "10x" 10, "100x" 100)
    set ytics scale 0
    unset grid
    set multiplot
    do for [i = 1:3] {
        set lmargin at screen 0.195 + (i - 1) * 0.27; set rmargin at screen 0.195 + (i - 1) * 0.27 + 0.255
        set tmargin at screen 1 - 34.0 / high; set bmargin at screen 30.0 / high
        set label 1 word(titles, i) at graph 0, screen 1 - 16.0 / high left textcolor rgb ink
        set ytics ("" 0)
        plot data index i - 1 using (1):1 with lines linewidth 1.5 dashtype 2 linecolor rgb ink, \
             data index i - 1 using (0.6):1:(i == 1 ? name(5) : "") with labels right offset -0.6, 0 textcolor rgb ink, \
             data index i - 1 using (valid(2) ? $2 - 2 * $3 : NaN):1:(4 * $3):(0) with vectors nohead linewidth 6 linecolor rgb ring_colour + faint, \
             data index i - 1 using 2:1:($2 > 1.3 ? modulo_colour : ring_colour) with points pointtype 7 pointsize 0.8 linecolor rgb variable, \
             data index i - 1 using (valid(2) ? $2 : 1):1:(valid(2) ? name(4) : "") with labels left offset 0.9, 0 textcolor rgb ink, \
             data index i - 1 using (1):1:(valid(2) ? "" : name(4)) with labels left offset 0.9, 0 textcolor rgb quiet
    }
    unset multiplot
}
