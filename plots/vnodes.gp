# What max.gp and cv.gp share: evenness against points a node, both axes logarithmic.
# The caller sets `column`, of the 5 % quantile (then median, 95 %, theory, sampled), and `level`, of modulo, slots and the third line.
data = from."/vnodes.dat"
stats data index 0 using (100 * column(first + 2)) nooutput
if (STATS_max < 0.01) { set yrange [0.001:10] }   # one node is never above fair
set logscale xy
set format x "%.0f"
set xlabel "points a node (V)" offset 0, 0.4
set format y "%g %%"
set xrange [1:*]
set lmargin at screen 0.135; set rmargin at screen 0.95
set tmargin at screen 1 - 36.0 / high; set bmargin at screen 165.0 / high
eval entry(1, "ring, 5 to 95 % of 50 clusters", ring_colour + 0xBF000000, 1, 9, 0)
eval entry(2, "ring, their median", ring_colour, 1, 2, 0)
eval entry(3, "ring, theory", 0, 2, 2, 0)
eval entry(4, "ring, your nodes and keys", ring_colour, 0, 0, ring_point)
eval entry(5, "modulo, your keys", modulo_colour, 1, 2, 0)
eval entry(6, "slots, your keys", slots_colour, 4, 2, 0)
stats data index 1 using (valid(level + 2) ? 1 : 0) nooutput   # theory knows no maximum of a few heavy keys
last = STATS_max > 0 ? ", data index 1 using 1:(100 * column(level + 2)) with lines linewidth 2 dashtype 3 linecolor rgb perfect_colour" : ""
if (STATS_max > 0) { eval entry(7, third, perfect_colour, 3, 2, 0) }
plot data index 0 using 1:(100 * column(first)):(100 * column(first + 2)) with filledcurves fillcolor rgb ring_colour fillstyle transparent solid 0.25, \
     data index 0 using 1:(100 * column(first + 1)) with lines linewidth 2 linecolor rgb ring_colour, \
     data index 0 using 1:(100 * column(first + 3)) with lines linewidth 2 dashtype 2 linecolor rgb ink, \
     data index 0 using 1:(100 * column(first + 4)) with points pointtype ring_point pointsize 0.8 linecolor rgb ring_colour, \
     data index 1 using 1:(100 * column(level)) with lines linewidth 2 linecolor rgb modulo_colour, \
     data index 1 using 1:(100 * column(level + 1)) with lines linewidth 2 dashtype 4 linecolor rgb slots_colour @last
