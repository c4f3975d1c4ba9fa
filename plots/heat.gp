# A heat map, what field-even.gp and field-cost.gp share: a line a strategy; cells hold a text and, where there is one, a smaller text
# under it. The caller sets `data`, `cells` (columns a panel), `over` (their headings), `panel` (two titles) and `colour`.
if (setup) {
    stats data index 0 using 1 nooutput
    lines_of = int(STATS_max)
    high = 62 + step * lines_of + 8
}
if (!setup) {
    name(k) = substr(strcol(k), 3, strlen(strcol(k)))
    at(c) = c + (c >= cells ? 0.35 : 0)          # a gap between the panels
    shade(s) = colour + (int(255 - 190 * s) << 24)
    unset key
    set border 0
    unset tics
    unset grid
    set style fill solid 1.0 noborder
    set xrange [-0.5:2 * cells - 0.15]; set yrange [lines_of + 0.5:0.5]
    set lmargin at screen 0.185; set rmargin at screen 0.995
    set tmargin at screen 1 - 62.0 / high; set bmargin at screen 8.0 / high
    do for [p = 1:2] {
        set label p word(panel, p) at first at((p - 1) * cells) - 0.5, screen 1 - 18.0 / high left offset 0.4, 0 textcolor rgb ink
        do for [c = 1:cells] { set label 2 + (p - 1) * cells + c word(over, c) at first at((p - 1) * cells + c - 1), screen 1 - 46.0 / high center textcolor rgb quiet }
    }
    plot data index 0 using (-0.5):1:(name(2)) with labels right offset -0.5, 0 textcolor rgb ink, \
         data index 1 using (at($1)):2:(0.48):(0.46):(shade($3)) with boxxyerror fillcolor rgb variable, \
         data index 1 using (at($1)):2:(strlen(name(5)) ? "" : name(4)) with labels center font ",14" textcolor rgb ink, \
         data index 1 using (at($1)):2:(strlen(name(5)) ? name(4) : "") with labels center offset 0, 0.34 font ",14" textcolor rgb ink, \
         data index 1 using (at($1)):2:(name(5)) with labels center offset 0, -0.42 font ",11" textcolor rgb ink
}
