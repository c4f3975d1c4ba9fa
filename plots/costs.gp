# What lookup.gp, memory.gp and build.gp share: a curve a strategy against nodes, both axes logarithmic.
# The caller sets `what`, the column, and `hashing`, whether to draw the cost of the hash too.
data = from."/cost.dat"
set logscale xy
set xrange [8.9:11500]
set xtics ("10" 10, "100" 100, "1000" 1000, "10 000" 10000)
set xlabel "nodes" offset 0, 0.4
set lmargin at screen 0.135; set rmargin at screen 0.95
set tmargin at screen 1 - 36.0 / high; set bmargin at screen 140.0 / high
legend_rows = 3
eval entry(1, "ring, 150 points a node", ring_colour, 1, 2, ring_point)
eval entry(2, "modulo", modulo_colour, 1, 2, modulo_point)
eval entry(3, "ring, 1 point a node", ring_colour, 2, 2, ring_point - 1)
eval entry(4, "slots", slots_colour, 1, 2, slots_point)
eval entry(5, "null: the harness alone", null_colour, 3, 2, null_point)
if (hashing) { eval entry(6, "hashing the key", perfect_colour, 4, 2, 0) }
plot data index 3 using 1:what with linespoints linewidth 2 pointtype ring_point pointsize 0.8 linecolor rgb ring_colour, \
     data index 2 using 1:what with linespoints linewidth 2 dashtype 2 pointtype ring_point - 1 pointsize 0.8 linecolor rgb ring_colour, \
     data index 1 using 1:what with linespoints linewidth 2 pointtype modulo_point pointsize 0.9 linecolor rgb modulo_colour, \
     data index 4 using 1:what with linespoints linewidth 2 pointtype slots_point pointsize 0.8 linecolor rgb slots_colour, \
     data index 0 using 1:what with linespoints linewidth 2 dashtype 3 pointtype null_point pointsize 0.8 linecolor rgb null_colour, \
     data index hashing ? 5 : 0 using 1:hashing ? 2 : what with lines linewidth 2 dashtype hashing ? 4 : 3 linecolor rgb hashing ? perfect_colour : null_colour
