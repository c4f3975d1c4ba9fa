# One node dies: the load of every node (lines), step after step (columns), under a ring of one point a node and of 150.
data = from."/cascade.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    count = int(STATS_max)
    stats data index 0 using 2 nooutput
    names_wide = 10 + 8.4 * STATS_max
    stats data index 0 using 3 nooutput
    most_steps = int(STATS_max)
    array last_step[2]
    do for [p = 1:2] {
        if (count) { stats data index p using 1 nooutput; last_step[p] = STATS_max }
    }
    line_high = count > 20 ? 14 : 24
    high = count ? int(56 + line_high * count + 66) : 50
}
if (!setup && !count) { load plots."none.gp" }
if (!setup && count) {
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    stats data index 0 using 4 nooutput
    bears = STATS_max
    panel_wide = (600 - names_wide - 26) / 2.0
    cell_wide = panel_wide / (most_steps + 1.0)
    small = count > 20 ? ",11" : ",14"
    # up: blue, as full as it is; over: what it can bear is less; dead: empty
    paint(s, state) = state == 1 ? modulo_colour + 0x40000000 : ring_colour + (int(235 - 170 * s) << 24)
    step_name(k) = cell_wide > 24 ? sprintf("%d", k - 100) : ""
    unset key
    set border 15
    unset tics
    unset grid
    set style fill solid 1.0 noborder
    set xrange [-0.5:most_steps + 0.5]; set yrange [count + 0.5:0.5]
    set tmargin at screen 1 - 56.0 / high; set bmargin at screen 66.0 / high
    set multiplot
    do for [p = 1:2] {
        left = names_wide + (p - 1) * (panel_wide + 18)
        set lmargin at screen left / 600.0; set rmargin at screen (left + panel_wide) / 600.0
        set label 1 (p == 1 ? "ring, V = 1" : "ring, V = 150") at graph 0, screen 1 - 18.0 / high left textcolor rgb ink
        do for [k = 100:100 + most_steps] { set label k step_name(k) at first k - 100, screen 1 - 46.0 / high center textcolor rgb quiet }
        if (last_step[p] < most_steps) { set label 7 "stable" at first last_step[p] + 0.8, graph 0.5 left textcolor rgb quiet } else { unset label 7 }
        if (p == 1) {
            set label 2 "columns: steps, 0 is before" at screen 0.02, screen 44.0 / high left textcolor rgb ink
            set label 3 "" at screen 0.035, screen 17.0 / high point pointtype 5 pointsize 1.4 linecolor rgb modulo_colour
            set label 4 sprintf("above %g times its fair share: it fails", bears) at screen 0.06, screen 17.0 / high left textcolor rgb ink
            set label 5 "x" at screen 0.645, screen 17.0 / high center textcolor rgb quiet
            set label 6 "dead" at screen 0.67, screen 17.0 / high left textcolor rgb ink
        } else { do for [k = 2:6] { unset label k } }
        plot data index p using 1:2:(0.47):(0.45):($4 == 2 ? 0xFF000000 : paint($3, $4)) with boxxyerror fillcolor rgb variable, \
             data index p using 1:2:($4 == 2 ? "x" : cell_wide > 34 && line_high > 20 ? sprintf("%.2g", $5) : "") with labels center font ",13" textcolor rgb ink, \
             data index 3 using (-0.5):1:(p == 1 ? name(2) : "") with labels right offset -0.6, 0 font small textcolor rgb ink
    }
    unset multiplot
}
