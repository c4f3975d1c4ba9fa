.PHONY: test-determinism

test-determinism: $(B)/keysim ## the same bytes from gcc and clang, -O0 and -O3, and under valgrind (builds four programs)
	BIN=$(B)/keysim prove --timer tests/determinism/compilers.t tests/determinism/valgrind.t
