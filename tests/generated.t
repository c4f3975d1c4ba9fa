#!/bin/sh
# data/SCHEMA.md and the README's tables are what the program makes of its own tables.
echo 1..1
if out=$(sh tests/generated.sh "${BIN:-build/keysim}" check 2>&1); then
    echo "ok 1 - generated documents are fresh"
else
    echo "$out" | sed 's/^/# /'
    echo "not ok 1 - generated documents are fresh (make schema rewrites them)"
    exit 1
fi
