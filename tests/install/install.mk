.PHONY: test-install

test-install: $(B)/keysim $(B)/libkeysim.a ## build the tarball without network, install it, make the report from there
	BIN=$(B)/keysim prove --timer tests/install/install.t tests/install/dist.t
