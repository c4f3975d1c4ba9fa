# When a node dies: what its worst receiver gets, and how many there are, against points a node.
data = from."/receivers.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    rows_in = int(STATS_max)
    high = rows_in ? 500 : 50
}
if (!setup && !rows_in) { load plots."none.gp" }
if (!setup && rows_in) {
    stats data index 0 using 2 nooutput
    others = STATS_max - 1
    stats data index 0 using 3 nooutput
    known = STATS_max > 0
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

    eval head("what the worst receiver gets, over the average load")
    set tmargin at screen 1 - 36.0 / high; set bmargin at screen 1 - 226.0 / high
    set xtics ("" 1); do for [k = 1:5] { set xtics add ("" 4 ** k) }
    set logscale y
    set yrange [60.0 / others:150]
    set format y "%g %%"
    set label 7 sprintf("shared by all: %.3g %%", 100.0 / others) at graph 0, first 100.0 / others left offset 0.4, 0.6 textcolor rgb ink
    plot 100.0 / others with lines linewidth 2 dashtype 3 linecolor rgb perfect_colour, \
         data index 1 using 1:(100 * $2) with linespoints linewidth 1.5 pointtype ring_point pointsize 0.9 linecolor rgb ring_colour
    unset logscale y

    do for [k = 1:60] { unset arrow k }
    do for [k = 1:60] { unset label k }
    eval head(sprintf("receivers (all others: %.0f)", others))
    set tmargin at screen 1 - 266.0 / high; set bmargin at screen 1 - 396.0 / high
    set xtics ("1" 1); do for [k = 1:5] { set xtics add (tick(4 ** k) 4 ** k) }
    set xlabel "points a node (V)" offset 0, 0.4
    set yrange [0:others * 1.04]
    unit = 10 ** floor(log10(others))
    unit = others / unit > 5 ? 2 * unit : others / unit > 2 ? unit : 0.5 * unit
    set ytics 0, unit < 1 ? 1 : unit
    set format y "%g"
    plot others with lines linewidth 1 linecolor rgb soft, \
         data index 1 using 1:(known ? $4 : -1) with lines linewidth 2 dashtype 2 linecolor rgb ink, \
         data index 1 using 1:3 with points pointtype ring_point pointsize 0.9 linecolor rgb ring_colour
    unset multiplot
}
