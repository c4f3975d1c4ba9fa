# keysim: make help lists the targets.

CC      ?= cc
OPT     ?= -O2 -g
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla
WERROR  ?=
SAN     ?=
OPENMP  ?= -fopenmp
STD      = -std=c11 -D_GNU_SOURCE -ffp-contract=off
LIBS     = -lmurmurhash -lmd -lb2 -lz -lgsl -lgslcblas -lm

# Sanitizer objects live beside the release ones: build/ and build/san-address,undefined/
comma   := ,
B       := build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all)

REVISION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
CPPFLAGS += -I. -Isim -DKEYSIM_REVISION='"$(REVISION)"'
CFLAGS   ?=
ALLFLAGS  = $(STD) $(OPT) $(WARN) $(WERROR) $(OPENMP) $(SANFLAGS) $(CFLAGS)

SRC   := $(sort $(shell find sim strategies -name '*.c'))
OBJ   := $(SRC:%.c=$(B)/obj/%.o)
CORE  := $(filter-out $(B)/obj/sim/main.o,$(OBJ))
TESTS := $(sort $(wildcard tests/unit/*_test.c tests/contract/*_test.c tests/property/*_test.c))
TESTBIN := $(TESTS:%.c=$(B)/%)

.DELETE_ON_ERROR:
.PHONY: all

all: $(B)/keysim ## build the program (build/keysim)

$(B)/keysim: $(OBJ)
	$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/tests/%: $(B)/obj/tests/%.o $(CORE)
	@mkdir -p $(@D)
	$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALLFLAGS) -MMD -MP -c -o $@ $<

# Rebuild when a flag changes.
FLAGS := $(CC) $(CPPFLAGS) $(ALLFLAGS)
$(B)/flags: force
	@mkdir -p $(@D); echo '$(subst ','\'',$(FLAGS))' | cmp -s - $@ || echo '$(subst ','\'',$(FLAGS))' > $@
.PHONY: force

-include $(OBJ:.o=.d) $(TESTS:%.c=$(B)/obj/%.d)
