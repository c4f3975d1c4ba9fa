#!/bin/sh
# The tarball: the same bytes each time; built inside somebody else's repository, without network where that can be had; then installed, its sources
# removed, and the report made from what is installed.
. tests/lib.sh
[ -e .git ] || { echo '1..0 # SKIP no git repository'; exit 0; }
unset MAKEFLAGS MAKELEVEL MFLAGS KEYSIM_DATA
offline=$(unshare -rn true 2>/dev/null && echo 'unshare -rn')
settings='-n 3 -k user:count=1k'

git clone -q "$top" "$scratch/clone" && cd "$scratch/clone" || exit 1
revision=$(git describe --always)
run make dist
is "$status" 0 'make dist'
tarball=$(echo keysim-*.tar.gz)
name=${tarball%.tar.gz}
cp "$tarball" "$scratch/first.tar.gz"
make -s dist >"$scratch/out" 2>&1
same "$scratch/first.tar.gz" "$tarball" 'twice the same bytes'
is "$(tar tzf "$tarball" | grep -v '/$' | sort)" "$({ git ls-files; echo REVISION; } | sed "s|^|$name/|" | sort)" 'holds what is committed, and REVISION'

git init -q "$scratch/outer" && cd "$scratch/outer" && git -c user.name=x -c user.email=x@x commit -q --allow-empty -m 'another repository'
tar xzf "$scratch/first.tar.gz" && rm -rf "$scratch/clone" && cd "$name" || exit 1
# shellcheck disable=SC2086
run $offline make -j2 report NODES=3 KEYS=user:count=1k OUT=report QUICK=1
is "$status" 0 "make report from the tarball ${offline:+without network}"
[ -s report/index.html ] && [ -s report/max.svg ]
ok $? 'and there it is'
is "$(build/keysim --version)" "keysim ${name#keysim-} ($revision)" 'it says the revision that it was made of'
run make install PREFIX="$scratch/there"
is "$status" 0 'make install'
cd "$scratch" && rm -rf outer
# shellcheck disable=SC2086
run $offline "$scratch/there/bin/keysim" report --quick $settings -o report
is "$status" 0 'keysim report, installed, its sources gone'
[ "$status" -eq 0 ] || note "$(cat "$scratch/err")"
[ -s report/index.html ] && [ -s report/max.svg ]
ok $? 'draws its charts'
like "$(cat report/machine.csv)" "$revision" 'machine.csv names the revision'
done_testing
