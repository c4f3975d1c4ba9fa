# What papers print, as dots with what their text or drawing leaves open, on our lines.
data = from."/published.dat"
high = 715
if (!setup) {
    unset key
    legend_rows = 3
    array slope[3] = [modulo_colour, perfect_colour, slots_colour]
    set format x "%g"
    eval entry(1, "printed, as read", null_colour, 0, 0, 7)
    eval entry(2, "theory", 0, 2, 2, 0)
    eval entry(3, "here: ring, multi-probe", ring_colour, 1, 2, 0)
    eval entry(4, "here: Dynamo 1, rendezvous", modulo_colour, 1, 2, 0)
    eval entry(5, "here: Dynamo 2", perfect_colour, 1, 2, 0)
    eval entry(6, "here: Dynamo 3, Maglev", slots_colour, 1, 2, 0)
    set multiplot

    # Rings: spread against points a node.
    set lmargin at screen 0.11; set rmargin at screen 0.475
    set tmargin at screen 1 - 52.0 / high; set bmargin at screen 1 - 265.0 / high
    set label 1 "Rings: spread by points a node" at screen 0.02, screen 1 - 16.0 / high left textcolor rgb ink
    set label 2 "Lamping, Veach 2014; 1000 nodes" at screen 0.02, screen 1 - 36.0 / high left font ",13" textcolor rgb quiet
    set logscale xy
    set xrange [0.7:1500]; set yrange [0.02:1.6]
    set xtics (1, 10, 100, 1000); set ytics ("3 %%" 0.03, "10 %%" 0.1, "30 %%" 0.3, "100 %%" 1)
    plot sqrt(999 / (1000 * x + 1)) with lines linewidth 2 dashtype 2 linecolor rgb ink, \
         data index 0 using 1:2 with lines linewidth 2 linecolor rgb ring_colour, \
         data index 0 using 1:4:(0):($5 - $4) with vectors nohead linewidth 2 linecolor rgb null_colour, \
         data index 0 using 1:3 with points pointtype 7 pointsize 0.8 linecolor rgb null_colour
    do for [k = 1:60] { unset label k; unset arrow k }

    # Multi-probe: peak against probes.
    set lmargin at screen 0.61; set rmargin at screen 0.985
    set label 1 "Multi-probe: peak by probes" at screen 0.53, screen 1 - 16.0 / high left textcolor rgb ink
    set label 2 "Appleton, O'Reilly 2015; 1000 nodes" at screen 0.53, screen 1 - 36.0 / high left font ",13" textcolor rgb quiet
    set xrange [1.6:130]; set yrange [0.004:1.6]
    set xtics (2, 3, 6, 11, 21, 101); set ytics ("1 %%" 0.01, "5 %%" 0.05, "10 %%" 0.1, "50 %%" 0.5, "100 %%" 1)
    plot 1 / (x - 1) with lines linewidth 2 dashtype 2 linecolor rgb ink, \
         data index 1 using 1:($2 - 1) with lines linewidth 2 linecolor rgb ring_colour, \
         data index 1 using 1:($4 - 1):(0):($5 - $4) with vectors nohead linewidth 2 linecolor rgb null_colour, \
         data index 1 using 1:($3 - 1) with points pointtype 7 pointsize 0.8 linecolor rgb null_colour
    do for [k = 1:60] { unset label k; unset arrow k }

    # Dynamo's figure 8.
    set lmargin at screen 0.11; set rmargin at screen 0.475
    set tmargin at screen 1 - 372.0 / high; set bmargin at screen 1 - 585.0 / high
    set label 1 "Dynamo: efficiency by tokens" at screen 0.02, screen 1 - 336.0 / high left textcolor rgb ink
    set label 2 "DeCandia et al. 2007; 30 nodes" at screen 0.02, screen 1 - 356.0 / high left font ",13" textcolor rgb quiet
    unset logscale
    set logscale x
    set xrange [1.6:1300]; set yrange [0.45:1.03]
    set xtics (2, 8, 32, 128, 512); set ytics ("50 %%" 0.5, "75 %%" 0.75, "100 %%" 1)
    plot for [k = 1:3] data index 1 + k using 1:2 with lines linewidth 2 linecolor rgb slope[k], \
         for [k = 1:3] data index 1 + k using 1:4:(0):($5 - $4) with vectors nohead linewidth 2 linecolor rgb null_colour, \
         for [k = 1:3] data index 1 + k using 1:3 with points pointtype 7 pointsize 0.6 linecolor rgb null_colour
    do for [k = 1:60] { unset label k; unset arrow k }

    # Maglev's tables.
    set lmargin at screen 0.61; set rmargin at screen 0.985
    set label 1 "Tables: fullest over fair" at screen 0.53, screen 1 - 336.0 / high left textcolor rgb ink
    set label 2 "Eisenbud et al. 2016; 1000 nodes" at screen 0.53, screen 1 - 356.0 / high left font ",13" textcolor rgb quiet
    unset logscale
    set xrange [-0.6:5.6]; set yrange [0.95:1.72]
    set xtics scale 0 ("65537" 1, "655373" 4); set ytics (1, 1.25, 1.5)
    set boxwidth 0.7
    place(k, t) = (t > 100000 ? 3 : 0) + k
    array bar[3] = [slots_colour, ring_colour, modulo_colour]
    plot for [k = 0:2] data index 5 + k using (place(k, $1)):((1 + $2) / 2):(0.36):(abs($2 - 1) / 2) with boxxyerror linecolor rgb bar[k + 1], \
         for [k = 0:2] data index 5 + k using (place(k, $1)):4:(0):($5 - $4) with vectors nohead linewidth 2 linecolor rgb null_colour, \
         for [k = 0:2] data index 5 + k using (place(k, $1)):3 with points pointtype 7 pointsize 0.8 linecolor rgb null_colour
    unset multiplot
}
