# One node joins: what each gives (lines) to each other (columns), under a ring and under modulo. The darkest cell is the largest gift.
data = from."/resize.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    count = int(STATS_max)
    stats data index 0 using 2 nooutput
    named = count <= 20
    names_wide = named ? 10 + 8.4 * STATS_max : 34
    panel_wide = (600 - names_wide - 26) / 2.0
    step = count ? (panel_wide / (count + 1) > 34 ? 34 : panel_wide / (count + 1)) : 0
    step = named && step < 19 ? 19 : step
    high = count ? int(52 + step * count + 50) : 50
}
if (!setup && !count) { load plots."none.gp" }
if (!setup && count) {
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    shade(s) = (p == 1 ? ring_colour : modulo_colour) + (int(200 - 200 * s) << 24)
    stats data index 0 using 3 nooutput
    moved1 = 100 * STATS_max
    stats data index 0 using 4 nooutput
    moved2 = 100 * STATS_max
    titles = "ring modulo"
    unset key
    set border 15
    unset tics
    unset grid
    set style fill solid 1.0 noborder
    set xrange [0.5:count + 1.5]; set yrange [count + 0.5:0.5]
    set tmargin at screen 1 - 48.0 / high; set bmargin at screen 50.0 / high
    set multiplot
    do for [p = 1:2] {
        left = names_wide + (p - 1) * (panel_wide + 18)
        set lmargin at screen left / 600.0; set rmargin at screen (left + panel_wide) / 600.0
        set label 1 sprintf("%s: %.1f %% move", word(titles, p), p == 1 ? moved1 : moved2) at graph 0, screen 1 - 18.0 / high left textcolor rgb ink
        set label 2 "to the new one" at graph 1, screen 34.0 / high right textcolor rgb ink
        set label 3 (panel_wide > 225 ? "to the old ones" : "") at graph 0, screen 34.0 / high left textcolor rgb ink
        if (!named && p == 1) { set label 4 "from" at graph 0, graph 0.5 center rotate by 90 offset -1.4, 0 textcolor rgb ink } else { unset label 4 }
        set arrow 1 from first count + 0.5, graph 0 to first count + 0.5, graph 1 nohead linewidth 1 dashtype 2 linecolor rgb soft
        plot data index p using 2:1:(0.47):(0.47):(shade($3)) with boxxyerror fillcolor rgb variable, \
             data index 3 using (0.5):1:(named && p == 1 ? name(2) : "") with labels right offset -0.6, 0 font ",14" textcolor rgb ink
    }
    unset multiplot
}
