# Load of each node over its fair share, a panel a strategy; the line is the mean.
data = from."/load.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    count = int(STATS_max)
    stats data index 0 using 2 nooutput
    named = int(STATS_max)
    stats data index 0 using 3 nooutput
    most = STATS_max
    stats data index 0 using 4 nooutput
    longest = int(STATS_max)
    flat = 7.6 * longest + 6 < 546.0 / count   # do the names fit side by side?
    foot = !named ? 64 : flat ? 28 : 14 + 7.8 * longest
    high = 5 * 100 + foot
}
if (!setup) {
    titles = "modulo|ring, 1 point a node|ring, 10 points a node|ring, 150 points a node|slots"
    title_of(i) = titles[(i == 1 ? 1 : at[i - 1] + 1):(i == 5 ? strlen(titles) : at[i] - 1)]
    array at[5]
    do for [i = 1:4] { at[i] = (i == 1 ? 0 : at[i - 1]) + strstrt(titles[(i == 1 ? 1 : at[i - 1] + 1):*], "|") }
    array colour[5] = [modulo_colour, ring_colour, ring_colour, ring_colour, slots_colour]
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    unset key
    set border 1
    set grid noxtics ytics
    set xrange [0.4:count + 0.6]
    set yrange [0:most * 1.02]
    if (most > 4) { set ytics (1) } else { set ytics (0, 1) }
    if (most >= 1.6) { set ytics add (sprintf("%.1f", most) most) }
    set boxwidth count > 60 ? 1.0 : 0.72
    set lmargin at screen 0.075; set rmargin at screen named ? 0.985 : 0.96
    set xtics scale 0
    set multiplot
    do for [i = 1:5] {
        set tmargin at screen 1 - ((i - 1) * 100 + 28) / real(high)
        set bmargin at screen 1 - (i * 100 - 4) / real(high)
        set label 1 title_of(i) at graph 0, graph 1 left offset 0, 0.75 textcolor rgb ink
        set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead front linewidth 1 linecolor rgb ink
        if (named && i == 5) {
            if (flat) { set xtics norotate font ",13" } else { set xtics rotate by 90 right font ",13" }
            plot data index i using 1:2:xtic(name(3)) with boxes linecolor rgb colour[i]
        } else {
            if (i == 5) {
                set xtics auto norotate format "%g"
                set xlabel "nodes, fullest first" offset 0, 0.4
            } else { set xtics format "" }
            plot data index i using 1:2 with boxes linecolor rgb colour[i]
        }
    }
    unset multiplot
}
