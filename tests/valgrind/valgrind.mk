.PHONY: test-valgrind deps-valgrind

DEPS_VALGRIND = valgrind

deps-valgrind: ## install what test-valgrind needs (Debian and Ubuntu)
	@$(APT_INSTALL) $(DEPS_VALGRIND)

test-valgrind: $(PROGRAM) ## a few keys through every part under valgrind (make deps-valgrind)
	BIN=$(PROGRAM) prove --timer tests/valgrind/valgrind.t
