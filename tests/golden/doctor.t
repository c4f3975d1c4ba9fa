#!/bin/sh
# keysim doctor, where what it finds does not depend on the machine: with everything, and with nothing.
. tests/lib.sh
cell() { awk -F, -v check="$1" '$2 == check' "$scratch/out"; }

# A gnuplot that draws all that is wanted, and one that lacks a terminal.
mkdir "$scratch/bin" "$scratch/poor"
printf '#!/bin/sh\n[ "$1" = --version ] && echo "gnuplot 9.9 patchlevel 0" && exit\necho " dumb svg pngcairo x11 " >&2\n' >"$scratch/bin/gnuplot"
printf '#!/bin/sh\n[ "$1" = --version ] && echo "gnuplot 9.9 patchlevel 0" && exit\necho " dumb svg x11 " >&2\n' >"$scratch/poor/gnuplot"
chmod +x "$scratch/bin/gnuplot" "$scratch/poor/gnuplot"
mkdir "$scratch/fonts" "$scratch/home" "$scratch/home/.fonts"
touch "$scratch/home/.fonts/DejaVuSans.ttf"
here() { (cd "$scratch/home" && HOME=$scratch/home PATH=$1:/usr/bin:/bin KEYSIM_DATA=${data-$top} "$keysim" doctor --format "$2"); }

run here "$scratch/bin" csv
is "$status $(cat "$scratch/err")" '0 ' 'everything is here'
is "$(head -1 "$scratch/out")" 'schema,check,finding,verdict,cure' 'the columns'
is "$(cut -d, -f2 "$scratch/out" | paste -sd' ')" \
    'check program compiler libraries MPI data gnuplot fonts folder memory threads instructions huge pages governor turbo load virtual clock counters noise' 'the checks, in order'
is "$(cell gnuplot)" '1,gnuplot,9.9 patchlevel 0; draws svg and png,ok,' 'gnuplot and what it draws'
is "$(cell data)" "1,data,$top/,ok," 'the folder of data'
like "$(cell fonts)" '^1,fonts,"?[0-9]+ files, DejaVu Sans among them"?,ok,$' 'fonts at home'

run here "$scratch/bin" table
like "$(head -1 "$scratch/out")" '^everything that the report needs is here; timings (can be trusted within [0-9]+ %|scatter by [0-9]+ %, too much to be trusted)$' 'the answer comes first'
is "$(tail -1 "$scratch/out")" 'Next: keysim report' 'and what comes next, last'
is "$(grep -vc '^  \(ok     \|note   \)  [A-Za-z ]\{13\} .\|^ \{25\}do: .' "$scratch/out")" 2 'between them a line a check'

run here "$scratch/poor" csv
like "$status $(cat "$scratch/err")" '^1 keysim: doctor: gnuplot: 9.9 patchlevel 0, built without the terminal pngcairo; apt-get install' 'a gnuplot that lacks what is needed'

# Nothing: no program on the PATH, no data.
data=$scratch/none
run sh -c "cd '$scratch/home' && PATH= HOME= KEYSIM_DATA='$scratch/none' '$keysim' doctor --format table"
is "$status $(cat "$scratch/err")" '1 ' 'with nothing it says so'
like "$(head -1 "$scratch/out")" '^the report lacks data(,| and) gnuplot' 'what is missing comes first'
is "$(grep -A1 '^  missing  gnuplot' "$scratch/out")" '  missing  gnuplot       not on the PATH
                         do: apt-get install gnuplot-nox (dnf install gnuplot, brew install gnuplot, pacman -S gnuplot)' 'and what to do'
is "$(tail -1 "$scratch/out")" 'Next: export KEYSIM_DATA=FOLDER, the one that holds plots/ and data/' 'the first cure is the next thing to do'
run sh -c "cd '$scratch/home' && PATH= KEYSIM_DATA='$scratch/none' '$keysim' doctor --format json"
is "$(grep -c '"verdict": *"missing"' "$scratch/out")" "$(wc -l <"$scratch/err" | tr -d ' ')" 'each missing thing is told on standard error too, where no table shows it'

run sh -c "mkdir '$scratch/gone' && cd '$scratch/gone' && rmdir '$scratch/gone' && '$keysim' doctor --format csv"
is "$status $(cell folder)" '1 1,folder,the working folder has been removed,missing,"cd, or keysim report -o DIR"' 'a working folder that is gone'

run "$keysim" doctor all
is "$status $(cat "$scratch/err")" "2 keysim: doctor: 'all' is not expected here" 'it takes no words'
done_testing
