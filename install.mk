# Where keysim goes on a machine, the library that others link, and the tarball.

# GNU's names; DESTDIR stages the whole tree elsewhere. The program looks for its data in ../share/keysim from where it stands.
PREFIX      ?= /usr/local
EXEC_PREFIX ?= $(PREFIX)
BINDIR      ?= $(EXEC_PREFIX)/bin
LIBDIR      ?= $(EXEC_PREFIX)/lib
INCLUDEDIR  ?= $(PREFIX)/include
DATAROOTDIR ?= $(PREFIX)/share
DATADIR     ?= $(DATAROOTDIR)
MANDIR      ?= $(DATAROOTDIR)/man
DOCDIR      ?= $(DATAROOTDIR)/doc/keysim
BASHDIR     ?= $(DATAROOTDIR)/bash-completion/completions
ZSHDIR      ?= $(DATAROOTDIR)/zsh/site-functions
FISHDIR     ?= $(DATAROOTDIR)/fish/vendor_completions.d
INSTALL     ?= install

.PHONY: lib install uninstall dist

# --- the library ------------------------------------------------------------------------------------
LD      ?= ld
OBJCOPY ?= objcopy

lib: $(B)/libkeysim.a ## build the library for programs that route keys themselves (build/libkeysim.a)

# One object of what the face needs, in which all is local but keysim_...: the linker finds what that is.
$(B)/libkeysim.a: $(B)/obj/sim/library/keysim.o $(CORE)
	$(call say,AR)
	@rm -f $@ $(B)/core.a
	$(Q)$(AR) rc $(B)/core.a $(CORE)
	$(Q)$(LD) -r -o $(B)/keysim.o $< $(B)/core.a
	$(Q)$(OBJCOPY) --localize-hidden $(B)/keysim.o
	$(Q)$(AR) rcs $@ $(B)/keysim.o

# --- install ----------------------------------------------------------------------------------------
# Made by the program from its own tables.
$(B)/share/%: $(PROGRAM)
	@mkdir -p $(@D)
	$(Q)$(PROGRAM) help --as $* >$@

MADE = $(addprefix $(B)/share/,man bash zsh fish)
DOCS = README.md README.zh-CN.md CONTRIBUTING.md CHANGELOG.md LICENSE $(wildcard docs/*)

# Each file that is installed: at MODE SOURCE TARGET.
EACH = at 755 $(PROGRAM) "$(BINDIR)/keysim"; \
	at 644 $(B)/share/man "$(MANDIR)/man1/keysim.1"; \
	at 644 $(B)/share/bash "$(BASHDIR)/keysim"; \
	at 644 $(B)/share/zsh "$(ZSHDIR)/_keysim"; \
	at 644 $(B)/share/fish "$(FISHDIR)/keysim.fish"; \
	at 644 $(B)/libkeysim.a "$(LIBDIR)/libkeysim.a"; \
	at 644 sim/library/keysim.h "$(INCLUDEDIR)/keysim.h"; \
	at 644 $(B)/share/keysim.pc "$(LIBDIR)/pkgconfig/keysim.pc"; \
	for f in $$(find data plots -type f ! -name '.*' ! -name '*~'); do at 644 "$$f" "$(DATADIR)/keysim/$$f"; done; \
	for f in $(DOCS); do at 644 "$$f" "$(DOCDIR)/$$f"; done

# Places that a shell, sed or pkg-config would take for something else are refused before anything is written.
install uninstall: export WHERE = $(DESTDIR) $(PREFIX) $(BINDIR) $(LIBDIR) $(INCLUDEDIR) $(DATADIR) $(MANDIR) $(DOCDIR) $(BASHDIR) $(ZSHDIR) $(FISHDIR)
SOUND = $(foreach d,PREFIX BINDIR LIBDIR DATADIR,$(if $(filter-out /%,$(firstword $($d))),$(error $d=$($d) must begin with /))) \
	[ -z "$$(printf %s "$$WHERE" | LC_ALL=C tr -d 'A-Za-z0-9_./ ,+:@%=~\200-\377-')" ] || { echo "$$WHERE: these places hold characters that shells take for their own" >&2; exit 2; }

install: $(PROGRAM) $(B)/libkeysim.a $(MADE) ## install program, man page, completions, data, library (PREFIX= DESTDIR= and GNU's BINDIR= ...)
	@$(SOUND)
	@sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|; s|@VERSION@|$(VERSION)|' \
	     -e 's|@INCLUDEDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(INCLUDEDIR))|; s|@LIBS@|$(LIBLIBS)|' sim/library/keysim.pc.in >$(B)/share/keysim.pc
	@set -e; umask 022; at() { mkdir -p "$(DESTDIR)$${3%/*}"; $(INSTALL) -T -m $$1 "$$2" "$(DESTDIR)$$3"; }; $(EACH)
	@echo "  keysim $(VERSION) is in $(DESTDIR)$(PREFIX)"
	@[ -e "$(DESTDIR)$(BINDIR)/../share/keysim/data" ] || echo "  its data is elsewhere than in $(BINDIR)/../share: KEYSIM_DATA=$(DATADIR)/keysim lets it be found"

# Others' files stay, and so do folders that are not keysim's alone or hold something else.
uninstall: ## remove what install put there (the same PREFIX= DESTDIR= ...)
	@$(SOUND)
	@failed=0; at() { rm -f "$(DESTDIR)$$3" || failed=1; }; $(EACH); exit $$failed
	@for folder in "$(DESTDIR)$(DATADIR)/keysim" "$(DESTDIR)$(DOCDIR)"; do \
	  if [ -d "$$folder" ]; then find "$$folder" -depth -type d -exec rmdir {} \; 2>/dev/null || :; fi; \
	done

# --- the tarball ------------------------------------------------------------------------------------
DIST = keysim-$(VERSION)

# Of what is committed; the same bytes for the same commit. REVISION tells what git would.
dist: ## make keysim-VERSION.tar.gz of the last commit
	@test -e .git || { echo "make dist works in a git checkout"; exit 1; }
	@mkdir -p build
	$(Q)git archive --format=tar --prefix=$(DIST)/ --add-virtual-file=$(DIST)/REVISION:"$$(git describe --always)" HEAD >build/$(DIST).tar
	$(Q)gzip -9nc build/$(DIST).tar >$(DIST).tar.gz
	@rm build/$(DIST).tar
	@echo "  $(DIST).tar.gz is $$(git describe --always)"
