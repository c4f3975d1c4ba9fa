.PHONY: test-valgrind deps-valgrind

DEPS_VALGRIND = valgrind

deps-valgrind: ## install what test-valgrind needs (Debian and Ubuntu)
	@$(APT_INSTALL) $(DEPS_VALGRIND)

test-valgrind: $(B)/keysim ## a few keys through every part under valgrind (make deps-valgrind)
	BIN=$(B)/keysim prove --timer tests/valgrind/valgrind.t
