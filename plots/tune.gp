# Evenness of a ring against points a node, with the target and the number that meets it; under it memory and look-up time.
data = from."/tune.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    rows_in = int(STATS_max)
    high = rows_in ? 604 : 50
}
if (!setup && !rows_in) { load plots."none.gp" }
if (!setup && rows_in) {
    stats data index 0 using 2 nooutput
    target = 100 * STATS_max
    stats data index 0 using 3 nooutput
    chosen = STATS_max
    stats data index 0 using 4 nooutput
    timed = int(STATS_max)
    stats data index 0 using 5 nooutput
    known = STATS_max > 0
    stats data index 1 using 1 nooutput
    last = STATS_max
    stats data index 1 using (100 * $5) nooutput
    high_most = STATS_max
    low_most = high_most < 0.01
    legend_rows = 4
    eval entry(1, "5 to 95 % of clusters", ring_colour + 0xBF000000, 1, 9, 0)
    eval entry(2, "the median cluster", ring_colour, 1, 2, 0)
    if (known) { eval entry(3, "theory, mean", 0, 2, 2, 0) }
    eval entry(4, "worst in a hundred", ring_colour, 3, 2, 0)
    eval entry(5, "target", modulo_colour, 1, 2, 0)
    eval entry(6, "your names", ring_colour, 0, 0, ring_point)
    eval entry(7, "memory", null_colour, 1, 2, null_point)
    if (timed) { eval entry(8, "a look-up, ns (right)", perfect_colour, 4, 2, 5) }
    set logscale x
    set xrange [1:last > 1 ? last * 1.1 : 2]
    set lmargin at screen 0.135; set rmargin at screen 0.92
    tick(v) = sprintf("%.0f", v)
    set xtics ("" 1)
    set multiplot

    eval head("fullest node, above its fair share")
    set tmargin at screen 1 - 36.0 / high; set bmargin at screen 1 - 296.0 / high
    set xtics (""  1); do for [k = 1:6] { set xtics add ("" 4 ** k) }
    set logscale y
    if (low_most) { set yrange [0.01:100] } else { set yrange [0.1 < *:*] }
    set format y "%g %%"
    set label 5 sprintf("%g %%", target) at graph 1, first target left offset 0.3, 0 textcolor rgb ink
    if (chosen > 0) {
        set arrow 60 from first chosen, graph 0 to first chosen, graph 1 nohead front linewidth 1.5 linecolor rgb ink
        if (chosen > sqrt(last)) { set label 6 sprintf("V = %.0f", chosen) at first chosen, graph 0.94 right offset -0.6, 0 front textcolor rgb ink } \
        else { set label 6 sprintf("V = %.0f", chosen) at first chosen, graph 0.94 left offset 0.6, 0 front textcolor rgb ink }
        set label 7 "" at first chosen, first target front point pointtype 7 pointsize 1.1 linecolor rgb modulo_colour
    }
    plot data index 1 using 1:(100 * $2):(100 * $4) with filledcurves fillcolor rgb ring_colour fillstyle transparent solid 0.25, \
         data index 1 using 1:(100 * $3) with lines linewidth 2 linecolor rgb ring_colour, \
         data index 1 using 1:(100 * $5) with lines linewidth 2 dashtype 3 linecolor rgb ring_colour, \
         data index 1 using 1:(100 * (known ? $6 : $3)) with lines linewidth 2 dashtype 2 linecolor rgb (known ? 0 : ring_colour), \
         target with lines linewidth 2 linecolor rgb modulo_colour, \
         data index 1 using 1:(100 * $7) with points pointtype ring_point pointsize 0.8 linecolor rgb ring_colour

    do for [k = 1:60] { unset arrow k }
    do for [k = 1:60] { unset label k }
    set tmargin at screen 1 - 334.0 / high; set bmargin at screen 1 - 434.0 / high
    eval head("memory")
    if (timed) { set label 8 "look-up, ns" at graph 1, graph 1 right offset 0, 0.9 textcolor rgb ink }
    if (chosen > 0) { set arrow 60 from first chosen, graph 0 to first chosen, graph 1 nohead front linewidth 1.5 linecolor rgb ink }
    set xtics ("1" 1); do for [k = 1:6] { set xtics add (tick(4 ** k) 4 ** k) }
    set xlabel "points a node (V)" offset 0, 0.4
    set yrange [*:*]
    set ytics ("100 B" 1e2, "1 kB" 1e3, "10 kB" 1e4, "100 kB" 1e5, "1 MB" 1e6, "10 MB" 1e7, "100 MB" 1e8, "1 GB" 1e9)
    set y2range [0:1]
    if (timed) {
        stats data index 2 using 2 nooutput
        unit = 10 ** floor(log10(STATS_max))
        unit = STATS_max / unit > 5 ? 5 * unit : STATS_max / unit > 2 ? 2 * unit : unit
        set border 11
        set y2range [0:STATS_max * 1.15]
        set y2tics 0, unit format "%g"
    }
    plot data index 1 using 1:8 with linespoints linewidth 2 pointtype null_point pointsize 0.6 linecolor rgb null_colour, \
         data index timed ? 2 : 1 using 1:(timed ? $2 : -1) axes x1y2 with linespoints linewidth 2 dashtype 4 pointtype 5 pointsize 0.8 linecolor rgb perfect_colour
    unset multiplot
}
