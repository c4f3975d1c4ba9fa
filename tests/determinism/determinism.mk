.PHONY: test-determinism

test-determinism: $(PROGRAM) ## the same bytes from gcc and clang, -O0 and -O3, and under valgrind (builds four programs)
	BIN=$(PROGRAM) prove --timer tests/determinism/compilers.t tests/determinism/valgrind.t
