# The ring for 1, 10 and 150 points a node: arcs coloured by owner.
high = 225
if (!setup) {
    data = from."/rings.dat"
    array most[3]
    do for [i = 1:3] {
        stats data index 0 every ::(i - 1)::(i - 1) using 1 nooutput
        most[i] = STATS_max
    }
    points = "1 10 150"
    unset border; unset tics; unset grid; unset key
    set size ratio -1
    set xrange [-1.12:1.12]; set yrange [-1.12:1.12]
    set multiplot
    do for [i = 1:3] {
        set lmargin at screen (i - 1) / 3.0 + 0.005; set rmargin at screen i / 3.0 - 0.005
        set bmargin at screen 0.02; set tmargin at screen 0.98
        set label 1 "V = ".word(points, i) at 0, 0.12 center textcolor rgb ink
        set label 2 sprintf("fullest %.2fx", most[i]) at 0, -0.18 center textcolor rgb ink
        plot for [c = 1:10] data index i using ($3 == c ? $1 : NaN):2 with filledcurves closed fillstyle solid 1.0 noborder linetype c
    }
    unset multiplot
}
