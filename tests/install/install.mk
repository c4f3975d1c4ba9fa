.PHONY: test-install

test-install: $(PROGRAM) $(B)/libkeysim.a ## build the tarball without network, install it, make the report from there
	BIN=$(PROGRAM) prove --timer tests/install/install.t tests/install/dist.t
