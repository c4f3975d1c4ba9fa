# One node dies and hands its load on: how many are left, and how much load is lost, against what a node can bear.
data = from."/survivors.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    rows_in = int(STATS_max)
    high = rows_in ? 560 : 50
}
if (!setup && !rows_in) { load plots."none.gp" }
if (!setup && rows_in) {
    stats data index 1 using 1 nooutput
    first = STATS_min; last = STATS_max
    eval entry(1, "ring, V = 1", perfect_colour, 1, 2, 4)
    eval entry(2, "ring, V = 10", 0xA88B00, 1, 2, 6)
    eval entry(3, "ring, V = 150", ring_colour, 1, 2, ring_point)
    eval entry(5, "slots, no copies", slots_colour, 4, 2, slots_point)
    eval entry(6, "slots, two copies", 0x7468C4, 2, 2, 8)
    eval entry(7, "bounded loads over a ring", modulo_colour, 3, 2, modulo_point)
    series(k, c, colour, dash, kind) = sprintf("data index %d using 1:(100 * $%d) with linespoints linewidth 2 dashtype %d pointtype %d pointsize 0.8 linecolor rgb %d", k, c, dash, kind, colour)
    curves(c) = "plot ".series(1, c, perfect_colour, 1, 4).", ".series(2, c, 0xA88B00, 1, 6).", ".series(3, c, ring_colour, 1, ring_point).", ".series(4, c, slots_colour, 4, slots_point).", ".series(5, c, 0x7468C4, 2, 8).", ".series(6, c, modulo_colour, 3, modulo_point)
    set lmargin at screen 0.135; set rmargin at screen 0.95
    set xrange [first - 0.02 * (last - first):last + 0.02 * (last - first)]
    set format y "%g %%"
    set yrange [-3:104]
    set ytics 0, 25
    set multiplot

    eval head("nodes still up, of those that were")
    set tmargin at screen 1 - 36.0 / high; set bmargin at screen 1 - 216.0 / high
    set format x ""
    eval curves(2)

    do for [k = 1:60] { unset arrow k }
    do for [k = 1:60] { unset label k }
    eval head("load lost")
    set tmargin at screen 1 - 252.0 / high; set bmargin at screen 1 - 402.0 / high
    set format x "%g"
    set xlabel "what a node can bear, over its fair share" offset 0, 0.4
    eval curves(3)
    unset multiplot
}
