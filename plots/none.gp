# The place of a chart for which these nodes are too few or too many: the words beside it say why.
unset border; unset tics; unset grid
set xrange [0:1]; set yrange [0:1]
set lmargin at screen 0.02; set rmargin at screen 0.98
set tmargin at screen 0.95; set bmargin at screen 0.05
set label 1 "no picture for these nodes: see the text" at graph 0.02, graph 0.5 left textcolor rgb ink
set arrow 1 from graph 0, graph 0 to graph 0, graph 1 nohead linewidth 2 linecolor rgb soft
plot -1 with lines linecolor rgb soft
