# Draws every chart twice: SVG for the page, PNG beside it.
#   gnuplot -d -c draw.gp DATA PLOTS FINE    DATA holds the .dat files and gets the pictures; a PNG has FINE by FINE pixels for one of the page
from = ARG1
plots = ARG2
fine = real(ARG3)
charts = "rings load max cv remap lookup memory build hashes incidents field-even field-moves field-cost pareto published tune availability names resize survivors cascade receivers cold trace hot fast"

do for [n = 1:words(charts)] {
    chart = word(charts, n)
    do for [kind in "svg png"] {
        reset
        load plots."style.gp"
        wide = 600
        high = 400
        setup = 1
        load plots.chart.".gp"   # states its height
        if (kind eq "svg") { set terminal svg size wide, high dynamic noenhanced font "sans-serif,16" linewidth 1.2 } \
        else { set terminal pngcairo size fine * wide, fine * high noenhanced font "sans-serif,16" fontscale 0.75 * fine linewidth 1.2 * fine pointscale fine background "white" }
        set output from."/".chart.".".kind
        setup = 0
        load plots.chart.".gp"
        unset multiplot
        set output
    }
}
