# Keys of unequal popularity: the fullest node's requests over its fair share, against the number of nodes, and the floor that one key sets.
data = from."/hot.dat"
if (setup) { high = 460 }
if (!setup) {
    stats data index 0 using 1 nooutput
    first = STATS_min; last = STATS_max
    eval entry(1, "ring", ring_colour, 1, 2, ring_point)
    eval entry(2, "slots", slots_colour, 4, 2, slots_point)
    eval entry(3, "bounded loads", modulo_colour, 3, 2, modulo_point)
    eval entry(4, "floor: the hottest key alone", 0, 2, 2, 0)
    eval entry(5, "two copies, the less full one", perfect_colour, 1, 2, 4)
    eval entry(6, "ring, the hottest keys split", 0x7468C4, 1, 2, 8)
    eval entry(7, "floor with those split", 0, 3, 2, 0)
    eval head("requests of the fullest node, over its fair share")
    set lmargin at screen 0.135; set rmargin at screen 0.95
    set tmargin at screen 1 - 36.0 / high; set bmargin at screen 165.0 / high
    set logscale xy
    set xrange [first / 1.1:last * 1.1]
    set xlabel "nodes"
    set yrange [0.95:*]
    set ytics (1, 1.5, 2, 3, 5, 10, 20, 50, 100)
    set format y "%gx"
    curve(k, colour, dash, kind) = sprintf("data index %d using 1:2 with linespoints linewidth 2 dashtype %d pointtype %d pointsize 0.8 linecolor rgb %d", k, dash, kind, colour)
    eval "plot data index 0 using 1:3 with lines linewidth 2 dashtype 2 linecolor rgb ink, data index 4 using 1:3 with lines linewidth 2 dashtype 3 linecolor rgb ink, ".curve(0, ring_colour, 1, ring_point).", ".curve(1, slots_colour, 4, slots_point).", ".curve(2, modulo_colour, 3, modulo_point).", ".curve(3, perfect_colour, 1, 4).", ".curve(4, 0x7468C4, 1, 8)
}
