# A look-up on a ring by its points, both axes logarithmic; beside it a binary search and the one load that no look-up can do without.
data = from."/fast.dat"
high = 440
if (!setup) {
    eval head("time of a look-up, ns a key")
    stats data index 0 using 1 nooutput
    xs = sprintf("[%g:%g]", STATS_min * 0.8, STATS_max * 1.25)
    stats data index 0 using 3 nooutput
    searches = STATS_max > 0 # a quick page times none: their line hides under the ring's
    set logscale xy
    eval "set xrange ".xs
    set xtics ("1000" 1000, "10 000" 10000, "100 000" 100000, "1 million" 1000000, "10 million" 10000000, "100 million" 100000000)
    set format y "%g"
    set xlabel "points on the ring" offset 0, 0.4
    set lmargin at screen 0.135; set rmargin at screen 0.95
    set tmargin at screen 1 - 36.0 / high; set bmargin at screen 140.0 / high
    legend_rows = 3
    eval entry(1, "keysim, in batches", ring_colour, 1, 2, ring_point)
    if (searches) { eval entry(2, "a binary search, as in textbooks", modulo_colour, 1, 2, modulo_point) }
    eval entry(3, "one load from as much memory", null_colour, 2, 2, 0)
    plot data index 0 using 1:(searches ? $3 : $2) with linespoints linewidth 2 pointtype modulo_point pointsize 0.9 linecolor rgb modulo_colour, \
         data index 0 using 1:2 with linespoints linewidth 2 pointtype ring_point pointsize 0.8 linecolor rgb ring_colour, \
         data index 0 using 1:4 with lines linewidth 2 dashtype 2 linecolor rgb null_colour
}
