# Where keysim goes on a machine, what others link against, and the tarball.

# GNU's names; DESTDIR stages the whole tree elsewhere.
PREFIX      ?= /usr/local
EXEC_PREFIX ?= $(PREFIX)
BINDIR      ?= $(EXEC_PREFIX)/bin
LIBDIR      ?= $(EXEC_PREFIX)/lib
INCLUDEDIR  ?= $(PREFIX)/include
DATAROOTDIR ?= $(PREFIX)/share
MANDIR      ?= $(DATAROOTDIR)/man
DOCDIR      ?= $(DATAROOTDIR)/doc/keysim
BASHDIR     ?= $(DATAROOTDIR)/bash-completion/completions
ZSHDIR      ?= $(DATAROOTDIR)/zsh/site-functions
FISHDIR     ?= $(DATAROOTDIR)/fish/vendor_completions.d
SHAREDIR     = $(DATAROOTDIR)/keysim# the program looks for ../share/keysim
INSTALL     ?= install
LD          ?= ld
OBJCOPY     ?= objcopy

.PHONY: lib install uninstall dist

# --- the library ------------------------------------------------------------------------------------
# One object of what the face needs, in which all that is not keysim_... is local.
lib: $(B)/libkeysim.a $(B)/keysim.pc ## build the library for programs that embed keysim (build/libkeysim.a)

$(B)/core.a: $(CORE)
	@rm -f $@
	$(Q)$(AR) rc $@ $^

$(B)/libkeysim.a: $(B)/obj/sim/library/keysim.o $(B)/core.a
	$(call say,AR)
	$(Q)$(LD) -r -o $(@:.a=.o) $^
	$(Q)$(OBJCOPY) --localize-hidden $(@:.a=.o)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(@:.a=.o)

# There is no shared library, so that what it needs stands under Libs: for a program, --static is always meant.
$(B)/keysim.pc: stamp = prefix=$(PREFIX)\nlibdir=$(LIBDIR)\nincludedir=$(INCLUDEDIR)\n\n\
Name: keysim\nDescription: which node a key goes to, for clients that route keys\nVersion: $(VERSION)\n\
Libs: -L$${libdir} -lkeysim -lxxhash $(LIBLIBS)\nCflags: -I$${includedir}\n
