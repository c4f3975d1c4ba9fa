# clang's ThreadSanitizer with libomp and its Archer; gcc's libgomp tells it nothing of its barriers.
.PHONY: test-threads deps-threads

DEPS_THREADS = clang libclang-rt-14-dev libomp-14-dev

deps-threads: ## install what test-threads needs (Debian and Ubuntu)
	@$(APT_INSTALL) $(DEPS_THREADS)

ARCHER ?= $(lastword $(sort $(wildcard /usr/lib/llvm-*/lib/libarcher.so)))

test-threads: ## run what uses threads under clang's ThreadSanitizer (make deps-threads)
	$(MAKE) CC=clang SAN=thread OPT='-O1 -g' build/san-thread/keysim
	BIN=build/san-thread/keysim ARCHER=$(ARCHER) prove --timer tests/threads/threads.t
