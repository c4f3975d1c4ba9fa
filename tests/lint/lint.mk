# make lint: what can be known without running.
.PHONY: lint lint-shell lint-cppcheck lint-analyzer lint-tidy deps-lint

DEPS_LINT = gcc clang-tidy cppcheck shellcheck

deps-lint: ## install what lint needs (Debian and Ubuntu)
	@$(APT_INSTALL) $(DEPS_LINT)

LINT_JOBS ?= 2

# tests/live asks libmemcached, which is not everywhere.
LINT_C     := $(SRC) $(sort $(filter-out tests/live/%,$(wildcard tests/*/*.c bench/*.c bench/*/*.c)))
LINT_SHELL := $(shell git grep -lE '^.!/(bin/(ba)?sh|usr/bin/env bash)' -- '*.t' '*.sh' .ci/run)
LINT_FLAGS  = $(STD) -fopenmp -I. -Isim -DKEYSIM_REVISION='"x"' -DKEYSIM_DATADIR='"x"' -DKEYSIM_FLAGS='"x"'

lint: ## shellcheck, cppcheck, gcc -fanalyzer, clang-tidy; any finding fails (make deps-lint)
	$(MAKE) lint-shell lint-cppcheck
	$(MAKE) -j$(LINT_JOBS) lint-analyzer
	$(MAKE) lint-tidy

lint-shell:
	shellcheck -x -S warning $(LINT_SHELL)

# POSIX has NULL be a pointer, so that it may end a list of arguments.
lint-cppcheck:
	cppcheck -j$(LINT_JOBS) --quiet --enable=warning,performance,portability --std=c11 --inline-suppr --suppress=varFuncNullUB --error-exitcode=1 \
	  $(filter -D% -I%,$(LINT_FLAGS)) sim strategies tests bench

# crush.c, which mixes words in lanes, takes it hours.
lint-analyzer: $(patsubst %.c,build/lint/%.analyzed,$(filter-out strategies/engines/crush.c,$(SRC)))

# What fail() promises, the analyzer learns from contracts.h; why.c is where it keeps that promise.
build/lint/%.analyzed: %.c tests/lint/contracts.h tests/lint/lint.mk
	@mkdir -p $(@D)
	$(call say,ANALYZE)
	$(Q)gcc $(LINT_FLAGS) -O1 -fanalyzer -Werror -fdiagnostics-plain-output $(if $(filter %/why.c,$<),,-include tests/lint/contracts.h) \
	  $(analyzer-errs) -MMD -MP -MF $@.d -MT $@ -S -o /dev/null $< && touch $@

-include $(SRC:%.c=build/lint/%.analyzed.d)

# Where it errs, file by file (gcc 12):
# the address of an array is copied as bytes, and the block behind it is lost from sight
build/lint/sim/base/mem.analyzed: analyzer-errs = -Wno-analyzer-malloc-leak
# copy[i] is read under the condition under which it was written, in another loop
build/lint/sim/model/workload.analyzed: analyzer-errs = -Wno-analyzer-use-of-uninitialized-value
# a shift of eight lanes is taken for one of a number of three bits
build/lint/sim/model/zipf.analyzed: analyzer-errs = -Wno-analyzer-shift-count-overflow
# the text is written unless an error is returned, and pipe() leaves errno set
build/lint/sim/base/child.analyzed: analyzer-errs = -Wno-analyzer-use-of-uninitialized-value
# a set has at least one member
build/lint/sim/experiments/tune_copies.analyzed: analyzer-errs = -Wno-analyzer-use-of-uninitialized-value
# where an error has been remembered, it is forgotten two conditions on; import_read() is called with a name that import_find() knows
build/lint/sim/experiments/published.analyzed: analyzer-errs = -Wno-analyzer-null-dereference
build/lint/sim/model/import/import.analyzed: analyzer-errs = -Wno-analyzer-null-dereference -Wno-analyzer-null-argument

# Starting takes it longer than most files. Its count of what it found in headers of the system goes to standard error.
lint-tidy: export FLAGS = $(LINT_FLAGS)
lint-tidy:
	@echo "  TIDY"
	$(Q)printf '%s\n' $(LINT_C) | xargs -P$(LINT_JOBS) -n16 sh -c 'eval clang-tidy --quiet "$$@" -- "$$FLAGS"' tidy 2>/dev/null
