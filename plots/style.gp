# The look of every chart: ink, grid, and each strategy's colour, point and dash in one place.
# Okabe and Ito's palette, darkened where needed so that each colour stands out on white and on near-black.
ink = "black"   # becomes the text's colour in the page, so that it follows light and dark
soft = "#808080"    # lines
quiet = "#6B6B6B"   # words of less weight; in the page their colour follows light and dark as well

modulo_colour = 0xD55E00; modulo_point = 9
ring_colour = 0x2A86C8;   ring_point = 7
slots_colour = 0x009E73;  slots_point = 5
null_colour = 0x8A8A8A;   null_point = 12
perfect_colour = 0xC2609B

# Owners on the ring, and any set of eight.
array owner[10] = ["#2A86C8", "#D55E00", "#009E73", "#C2609B", "#A88B00", "#7468C4", "#4496AD", "#8A8A8A", "#A5482F", "#6B8E23"]
do for [i = 1:10] { set linetype i linecolor rgb owner[i] }

faint = 0xA0000000   # added to a colour: see-through
head(text) = sprintf("set label 9 '%s' at graph 0, graph 1 left offset 0, 0.9 textcolor rgb ink", text)   # a chart's y axis, said above it

# A legend under the chart, two columns of entries 1, 2, 3 ...: a key of gnuplot's own drops what it thinks does not fit.
# Entries that follow one another differ in colour, since the SVG terminal joins like-coloured lines whatever their dash.
# dash 0: no line; point 0: no point; wide is the line's width.
legend_rows = 4
across(k) = k <= legend_rows ? 0.03 : 0.53
below(k, high) = (24.0 * (legend_rows - (k - 1) % legend_rows) - 8) / high
entry(k, text, colour, dash, wide, point) = \
    (dash ? sprintf("set arrow %d from screen %f, screen %f rto screen 0.06, 0 nohead linecolor rgb %d linewidth %f dashtype %d; ", k, across(k), below(k, high), colour, wide, dash) : "") . \
    (point ? sprintf("set label %d '' at screen %f, screen %f point pointtype %d pointsize 0.8 linecolor rgb %d; ", 20 + k, across(k) + 0.03, below(k, high), point, colour) : "") . \
    sprintf("set label %d '%s' at screen %f, screen %f left textcolor rgb ink", 40 + k, text, across(k) + 0.075, below(k, high))

set border 3 linecolor rgb soft linewidth 1
set tics nomirror scale 0.5 textcolor rgb ink
set grid linetype 1 linecolor rgb "#B0808080" linewidth 0.75
unset key
set style fill solid 1.0 noborder
set datafile missing "NaN"
set title textcolor rgb ink
set xlabel textcolor rgb ink
set ylabel textcolor rgb ink
