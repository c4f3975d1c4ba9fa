# Share of keys that move: a panel a change, a row a strategy, the optimum as a line.
data = from."/remap.dat"
if (setup) {
    stats data index 0 using 1 nooutput
    panels = int(STATS_records)
    rows = (panels + 1) / 2
    high = 10 + rows * 275
}
if (!setup) {
    array before[panels]; array after[panels]; array kind_of[panels]
    do for [i = 1:panels] {
        stats data index 0 every ::(i - 1)::(i - 1) using 1 nooutput
        before[i] = int(STATS_max)
        stats data index 0 every ::(i - 1)::(i - 1) using 2 nooutput
        after[i] = int(STATS_max)
        stats data index 0 every ::(i - 1)::(i - 1) using 3 nooutput
        kind_of[i] = int(STATS_max)
    }
    array colour[7] = [modulo_colour, ring_colour, ring_colour, ring_colour, slots_colour, slots_colour, slots_colour]
    rows_of = "modulo ring_V=1 ring_V=10 ring_V=150 slots_minimal slots_redis slots_contiguous"
    label_of(k) = (w = word(rows_of, k), u = strstrt(w, "_"), u ? w[1:u - 1]." ".w[u + 1:*] : w)
    title_for(i) = sprintf("%s%d to %d nodes%s", kind_of[i] >= 2 ? "yours, " : "", before[i], after[i], kind_of[i] == 1 ? ", each leaves" : "")
    unset key
    set border 0
    set xrange [0:1.27]; set yrange [7.6:0.4]
    set xtics scale 0 offset 0, 0.4 ("0" 0, "50 %%" 0.5, "100 %%" 1)
    set grid xtics noytics
    set multiplot
    do for [i = 1:panels] {
        left = i % 2 == 1
        row = (i - 1) / 2
        set lmargin at screen left ? 0.245 : 0.635; set rmargin at screen left ? 0.605 : 0.995
        set tmargin at screen 1 - (30 + row * 275) / real(high)
        set bmargin at screen 1 - (row * 275 + 230) / real(high)
        set label 1 title_for(i) at graph 0, screen 1 - (14 + row * 275) / real(high) left textcolor rgb ink
        set ytics scale 0
        if (left) {
            set ytics ("" 0)
            do for [k = 1:7] { set ytics add (label_of(k) k) }
        } else { set ytics ("" 1) }
        plot data index i using 4:1 with lines linewidth 1.5 dashtype 2 linecolor rgb ink, \
             data index i using (0):1:3:(0):(colour[$1]) with vectors nohead linewidth 2 linecolor rgb variable, \
             data index i using 2:1:($3 - $2):(0):(colour[$1] + faint) with vectors nohead linewidth 8 linecolor rgb variable, \
             data index i using 3:1:(colour[$1]) with points pointtype 7 pointsize 0.9 linecolor rgb variable, \
             data index i using ($3 > $4 ? $3 : $4):1:(sprintf($3 < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * $3)) with labels left offset 0.9, 0 textcolor rgb ink
    }
    unset multiplot
}
