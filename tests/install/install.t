#!/bin/sh
# What make install puts where, that it works from wherever it was moved to, that a client can be built on it, and what uninstall leaves.
. tests/lib.sh
b=$(dirname "$BIN")
cc=${CC:-cc}
[ "${SAN:-}" ] && cc="$cc -fsanitize=$SAN"
stage="$scratch/stage it" moved=$scratch/moved

# The program and the library as they are: other tests run them at this moment.
has_library() { [ -e "$b/libkeysim.a" ] || make -s B="$b" -o "$b/keysim" lib; }
make_as_built() { has_library && make -s B="$b" -o "$b/keysim" -o "$b/libkeysim.a" "$@"; }

run make_as_built install DESTDIR="$stage" PREFIX=/usr
is "$status" 0 'make install into a staged tree, its name with a blank'
[ "$status" -eq 0 ] || { note "$(cat "$scratch/err")"; done_testing; }
for file in bin/keysim share/man/man1/keysim.1 share/bash-completion/completions/keysim share/zsh/site-functions/_keysim \
    share/fish/vendor_completions.d/keysim.fish lib/libkeysim.a lib/pkgconfig/keysim.pc include/keysim.h share/doc/keysim/README.md \
    share/doc/keysim/LICENSE share/doc/keysim/docs/embed.c share/keysim/plots/draw.gp share/keysim/data/published/answers.csv; do
    [ -s "$stage/usr/$file" ]
    ok $? "$file"
done
is "$(cd data && find . -type f | sort)" "$(cd "$stage/usr/share/keysim/data" && find . -type f | sort)" 'all data is there'
[ -x "$stage/usr/bin/keysim" ] && [ ! -x "$stage/usr/include/keysim.h" ]
ok $? 'the program can be run, the rest is read'

# -- the program, moved, from another folder --

mv "$stage/usr" "$moved"
installed=$moved/bin/keysim
cd "$scratch" || exit 1
unset KEYSIM_DATA
run "$installed" --version
is "$(cat out)" "$("$keysim" --version)" 'it says its version'
run "$installed" where -s ring -n 3 user:1 user:2
is "$(cat out)" "$("$keysim" where -s ring -n 3 user:1 user:2)" 'keys go where they went'
run "$installed" verify -s null -n 3 -q
is "$status" 0 'verify finds the published answers'
run "$installed" incidents til-139 -q
is "$status" 0 'incidents finds those that ship'
rm "$moved"/share/keysim/data/incidents/til-139*
run "$installed" incidents til-139
is "$status" 2 'those beside it, and not those that it was built with'
run env KEYSIM_DATA="$top" "$installed" incidents til-139 -q
is "$status" 0 'KEYSIM_DATA names others'
run "$installed" help report
is "$status" 0 'report is there'

# -- man page and completions --

checked() { # NAME COMMAND WORD...: skipped where the command is not there
    what=$1
    shift
    command -v "$1" >/dev/null || { skip "$1 is not installed"; return; }
    run "$@"
    is "$status$(cat out err)" 0 "$what: $1 has nothing to say"
}
checked "man page" mandoc -Tlint -Wwarning "$moved/share/man/man1/keysim.1"
checked "completion" bash -n "$moved/share/bash-completion/completions/keysim"
checked "completion" zsh -n "$moved/share/zsh/site-functions/_keysim"
checked "completion" fish -n "$moved/share/fish/vendor_completions.d/keysim.fish"

# -- the library --

if [ "${SAN:-}" ]; then
    skip 'symbols: sanitizers add theirs'
else
    declared=$(grep -oE '\bkeysim_[a-z_]+\(' "$moved/include/keysim.h" | tr -d '(' | sort -u)
    is "$(nm -g --defined-only "$moved/lib/libkeysim.a" | awk 'NF == 3 { print $3 }' | sort)" "$declared" 'symbols are those of the header and no others'
    is "$(nm -u "$moved/lib/libkeysim.a" | grep -E ' (f?puts|v?f?d?printf|fwrite|fopen|std(out|err)|_?exit|abort|signal|sigaction|setenv|setlocale|GOMP|gsl|omp_)' | head -3)" '' \
        'no output, no exit, no signals, no OpenMP, no GSL'
fi

server='use IO::Socket::INET; $| = 1; my $s = IO::Socket::INET->new(Listen => 20, LocalAddr => "127.0.0.1") or exit 1; print $s->sockport, "\n";
    while (my $c = $s->accept) { my $line = <$c>; print $c "VALUE ", (split " ", $line)[1], " 0 2\r\nhi\r\nEND\r\n"; close $c }'

# Starts one, its port into FILE.
memcached_like() {
    perl -e "$server" >"$1" &
    servers="$servers $!"
    while [ ! -s "$1" ] && kill -0 $!; do sleep 0.1; done
}

example() {
    servers=
    memcached_like one
    memcached_like two
    trap 'kill $servers; rm -rf "$scratch"' EXIT
    nodes=127.0.0.1:$(cat one),127.0.0.1:$(cat two),127.0.0.1:1
    keys=$(seq -f user:%g 30)
    # shellcheck disable=SC2086
    run ./embed "$nodes" $keys
    is "$status" 0 'the example goes on when a server is gone'
    # shellcheck disable=SC2086
    "$installed" where -s libmemcached:distribution=ketama -n "$nodes" --change -127.0.0.1:1 $keys | awk -F, 'NR > 1 { print $1 " at " $3 ": VALUE " $1 " 0 2" }' >wanted
    same out wanted 'and asks those that libmemcached would ask then'
    run ./embed 127.0.0.1:1 user:1
    like "$status $(cat err)" '^1 .*leaves no node' 'until none is left'
    run ./embed a,a user:1
    like "$status $(cat err)" '^2 .*twice' 'servers that are none are told'
}

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$moved/lib/pkgconfig
    export PKG_CONFIG_PATH
    flags=$(pkg-config --define-variable=prefix="$moved" --cflags --libs keysim)
    is "$(pkg-config --modversion keysim)" "$("$keysim" --version | cut -d' ' -f2)" 'pkg-config knows the version'
else
    flags="-I$moved/include -L$moved/lib $(sed -n 's/.*-lkeysim/-lkeysim/p' "$moved/lib/pkgconfig/keysim.pc")"
    skip 'pkg-config is not installed'
fi
# shellcheck disable=SC2086
run $cc -Wall -Wextra -Werror "$moved/share/doc/keysim/docs/embed.c" $flags -o embed
is "$status$(cat err)" 0 'the example compiles'
if perl -MIO::Socket::INET -e 'IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1") or exit 1' 2>/dev/null; then
    example
else
    skip 'no sockets'
fi
echo '#include <keysim.h>
int main() { return keysim_version() == 0; }' >face.cc
if command -v g++ >/dev/null; then
    # shellcheck disable=SC2086
    run g++ -Wall -Wextra -pedantic -Werror ${SAN:+-c} face.cc $flags -o face # another compiler's sanitizers cannot be linked
    is "$status$(cat err)" 0 'C++ takes the header and the library'
else
    skip 'g++ is not installed'
fi
echo 'int route(const char *key) { return keysim_where((struct keysim *)0, key, 1); }' | cat "$moved/include/keysim.h" - >plugin.c
# shellcheck disable=SC2086
run $cc -fPIC -shared plugin.c $flags -o plugin.so
is "$status$(cat err)" 0 'a plugin can hold the library'

# -- places that cannot be --

cd "$top" || exit 1
for place in "$scratch/a\"b" "$scratch/a'b" "$scratch/a&b" "$scratch/a;b" here; do
    run make_as_built install PREFIX="$place"
    is "$status $(grep -c 'must begin with /\|characters that shells' "$scratch/err") $(find "$scratch" "$top" -maxdepth 1 \( -name 'a[^a-z.]*b' -o -name here \))" '2 1 ' "refused: PREFIX=${place##*/}"
done
(umask 077 && make_as_built install PREFIX="$scratch/private" DATADIR="$scratch/elsewhere" >"$scratch/out" 2>&1)
is "$(find "$scratch/private" "$scratch/elsewhere" ! -perm -a+r)" '' 'whatever the umask, all may read it'
like "$(cat "$scratch/out")" "KEYSIM_DATA=$scratch/elsewhere/keysim" 'where its data is not beside it, that is said'

# -- uninstall --

echo mine >"$moved/share/keysim/data/mine.txt"
echo theirs >"$moved/bin/other"
run make_as_built uninstall DESTDIR="$scratch" PREFIX=/moved
is "$status" 0 'make uninstall'
is "$(cd "$moved" && find . -type f | sort | xargs)" './bin/other ./share/keysim/data/mine.txt' 'leaves what others put there, and nothing else'
[ ! -e "$moved/share/doc/keysim" ] && [ ! -e "$moved/share/keysim/plots" ] && [ -d "$moved/share/man/man1" ]
ok $? 'its own folders go, shared ones stay'
done_testing
