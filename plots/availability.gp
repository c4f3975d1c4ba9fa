# Two nodes fail at once: the chance that some range loses its quorum, and under it with how many others a node shares ranges.
data = from."/availability.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    rows_in = int(STATS_max)
    high = rows_in ? 480 : 50
}
if (!setup && !rows_in) { load plots."none.gp" }
if (!setup && rows_in) {
    stats data index 0 using 2 nooutput
    others = STATS_max - 1
    stats data index 0 using 3 nooutput
    known = STATS_max > 0   # theory wants equal nodes
    stats data index 1 using 1 nooutput
    last = STATS_max
    legend_rows = 1
    eval entry(1, "your nodes", ring_colour, 0, 0, ring_point)
    if (known) { eval entry(2, "expected", 0, 2, 2, 0) }
    tick(v) = sprintf("%.0f", v)
    set logscale x
    set xrange [0.9:last > 1 ? last * 1.1 : 2]
    set lmargin at screen 0.135; set rmargin at screen 0.95
    set multiplot

    eval head("chance that some range loses its quorum as two nodes fail")
    set tmargin at screen 1 - 36.0 / high; set bmargin at screen 1 - 216.0 / high
    set xtics ("" 1); do for [k = 1:4] { set xtics add ("" 4 ** k) }
    set yrange [0:104]
    set ytics 0, 25
    set format y "%g %%"
    plot data index 1 using 1:(known ? 100 * $3 : -1) with lines linewidth 2 dashtype 2 linecolor rgb ink, \
         data index 1 using 1:(100 * $2) with points pointtype ring_point pointsize 0.9 linecolor rgb ring_colour

    do for [k = 1:60] { unset arrow k }
    do for [k = 1:60] { unset label k }
    eval head(sprintf("others that a node shares ranges with (all: %.0f)", others))
    set tmargin at screen 1 - 256.0 / high; set bmargin at screen 1 - 386.0 / high
    set xtics ("1" 1); do for [k = 1:4] { set xtics add (tick(4 ** k) 4 ** k) }
    set xlabel "points a node (V)" offset 0, 0.4
    set yrange [0:others * 1.04]
    unit = 10 ** floor(log10(others))
    unit = others / unit > 5 ? 2 * unit : others / unit > 2 ? unit : 0.5 * unit
    set ytics 0, unit < 1 ? 1 : unit
    set format y "%g"
    plot others with lines linewidth 1 linecolor rgb soft, \
         data index 1 using 1:(known ? $5 : -1) with lines linewidth 2 dashtype 2 linecolor rgb ink, \
         data index 1 using 1:4 with points pointtype ring_point pointsize 0.9 linecolor rgb ring_colour
    unset multiplot
}
