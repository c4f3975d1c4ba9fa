# What cold.gp and trace.gp share: three caches become four; the hit ratio, and under it the database's queries over those before.
# The caller sets `data`, `since` (the axis counts from the change on, logarithmic; else along the stream) and `theory` (it is known).
if (setup) {
    stats data index 0 using 1 nooutput
    rows_in = int(STATS_max)
    high = rows_in ? 545 : 50
}
if (!setup && !rows_in) { load plots."none.gp" }
if (!setup && rows_in) {
    stats data index 0 using 2 nooutput
    event = STATS_max
    stats data index 0 using 3 nooutput
    before = STATS_max
    stats data index 1 using 1 nooutput
    first = STATS_min; last = STATS_max
    legend_rows = 3
    eval entry(1, "modulo", modulo_colour, 1, 2, modulo_point)
    eval entry(2, "ring, V = 1", perfect_colour, 1, 2, 4)
    eval entry(3, "ring, V = 150", ring_colour, 1, 2, ring_point)
    eval entry(4, "slots", slots_colour, 4, 2, slots_point)
    if (theory) { eval entry(5, "theory of each", 0, 3, 2, 0) }
    thousands(x) = x >= 1e6 ? sprintf("%gM", x / 1e6) : x >= 1e3 ? sprintf("%gk", x / 1e3) : sprintf("%g", x)
    set lmargin at screen 0.135; set rmargin at screen 0.95
    if (since) { set logscale x; set xrange [first / 1.15:last * 1.15] } else { set xrange [0:last] }
    size = since ? 0.8 : 0.5
    curve(k, c, colour, dash, kind) = sprintf("data index %d using 1:%s with linespoints linewidth 2 dashtype %d pointtype %d pointsize %g linecolor rgb %d", k, c, dash, kind, size, colour)
    curves(c) = curve(1, c, modulo_colour, 1, modulo_point).", ".curve(2, c, perfect_colour, 1, 4).", ".curve(4, c, slots_colour, 4, slots_point).", ".curve(3, c, ring_colour, 1, ring_point)
    expected(c, colour) = sprintf("data index %d using 1:(theory ? ($3 < 0 ? 1/0 : 100 * $3) : -1) with lines linewidth 2 dashtype 3 linecolor rgb %d", c, colour)
    set multiplot

    eval head("hit ratio")
    set tmargin at screen 1 - 36.0 / high; set bmargin at screen 1 - 246.0 / high
    set format x ""
    set yrange [0:*]
    set format y "%g %%"
    if (since) { set label 7 "before" at graph 0, first 100 * before left offset 0.4, 0.6 textcolor rgb ink } \
    else { set arrow 70 from first event, graph 0 to first event, graph 1 nohead linewidth 1.5 linecolor rgb ink; set label 7 "a node joins" at first event, graph 1.04 left offset 0.5, 0 textcolor rgb ink }
    eval "plot ".curves("(100 * $2)").", ".expected(1, 0).", ".expected(2, 1).", ".expected(4, 2).", ".expected(3, 3).", (since ? 100 * before : -1) with lines linewidth 1.5 linecolor rgb soft"

    do for [k = 1:60] { unset arrow k }
    do for [k = 1:60] { unset label k }
    unset label 7
    eval head("queries to the database, over those before")
    set tmargin at screen 1 - 282.0 / high; set bmargin at screen 1 - 412.0 / high
    set xtics format ""
    set format x "%g"
    if (since) { set xtics ("100" 100, "1k" 1e3, "10k" 1e4, "100k" 1e5, "1M" 1e6) } \
    else { unit = 10 ** floor(log10(last)); unit = last / unit > 5 ? 2 * unit : last / unit > 2 ? unit : 0.5 * unit; set xtics (thousands(0) 0); do for [k = 1:9] { if (k * unit <= last) { set xtics add (thousands(k * unit) k * unit) } } }
    set xlabel since ? "requests since a fourth node joined" : "requests" offset 0, 0.4
    set yrange [0:*]
    set ytics 0, 0.5
    set format y "%gx"
    eval "plot ".curves("4").", 1 with lines linewidth 1.5 linecolor rgb soft"
    unset multiplot
}
