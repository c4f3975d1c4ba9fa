#!/bin/sh
# One in eight of the commands of commands.txt, each of its calls failing once; make test-faults tries them all.
BIN=${BIN:-build/keysim}
exec "$(dirname "$BIN")/tests/faults/faults_test" tests/faults/commands.txt 3 8
