#!/bin/sh
# Puts the peers that this machine has into a folder and runs the comparison: peers.sh PEERS SEEDS; $BIN is keysim.
here=$(dirname "$0")
peers=$1
seeds=$2
PEERS=$(mktemp -d) || exit 1
export PEERS BIN
trap 'rm -rf "$PEERS"' EXIT
trap 'exit 130' INT TERM

has() { command -v "$1" >/dev/null || { echo "bench-peers: no $1: $2 is left out" >&2; false; }; }

${CC:-cc} -O2 -I"$here/../../sim" -o "$PEERS/plain" "$here/../plain.c" "$here/../../sim/experiments/bench_plain.c"
/usr/bin/python3 -B -c 'import uhashring' 2>/dev/null && cp "$here/ask_uhashring.py" "$PEERS"
if [ -d "$seeds" ] && has python3 'taking tutorials out of their pages'; then
    python3 -B "$here/tutorials.py" "$seeds" "$PEERS"
    has node "the tutorial's TypeScript" || rm -f "$PEERS/tutorial.mjs"
    has javac "the tutorial's Java" && javac -d "$PEERS" "$PEERS/Tutorial.java"
else
    echo "bench-peers: no folder $seeds with tutorials (make bench-peers SEEDS=DIR)" >&2
fi
"$peers"
