# Heat maps of hashes over labels and over kinds of names: spread of load over that of an ideal hash, where the hash is to blame.
data = from."/names.dat"
step = 26.0
if (setup) {
    stats data index 0 using 1 nooutput
    lines_of = int(STATS_max)
    stats data index 0 using 2 nooutput
    patterns = int(STATS_max)
    stats data index 0 using 3 nooutput
    labels_of = int(STATS_max)
    tall = 62 + step * lines_of + 8
    high = lines_of ? (patterns ? 2 : 1) * tall : 50
}
if (!setup && !lines_of) { load plots."none.gp" }
if (!setup && lines_of) {
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    shade(s) = modulo_colour + (int(245 - 190 * s) << 24)
    unset key
    set border 0
    unset tics
    unset grid
    set style fill solid 1.0 noborder
    set yrange [lines_of + 0.5:-0.5]
    set lmargin at screen 0.19; set rmargin at screen 0.995
    set multiplot
    do for [p = 1:(patterns ? 2 : 1)] {
        kind_of = patterns && p == 1
        set xrange [0.5:(kind_of ? patterns : labels_of) + 0.5]
        block = kind_of ? 4 : 2
        set tmargin at screen 1 - ((p - 1) * tall + 36.0) / high; set bmargin at screen 1 - (p * tall - 8.0) / high
        set label 1 (kind_of ? "over kinds of names, the worst of all labels" : patterns ? "over labels, the worst of all names" : "over labels, on your names") at graph 0, screen 1 - ((p - 1) * tall + 18.0) / high left offset 0.4, 0 textcolor rgb ink
        plot data index block using 1:(0):(name(2)) with labels center font ",13" textcolor rgb ink, \
             data index 1 using (0.5):1:(name(2)) with labels right offset -0.5, 0 textcolor rgb ink, \
             data index block + 1 using 1:2:(0.48):(0.46):(shade($3)) with boxxyerror fillcolor rgb variable, \
             data index block + 1 using 1:2:(name(4)) with labels center font ",14" textcolor rgb ink
    }
    unset multiplot
}
