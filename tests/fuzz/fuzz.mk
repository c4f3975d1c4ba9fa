# Fuzzing. A target is NAME_fuzz.c: `make test` runs it over the committed corpus (replay.c), `make fuzz` under libFuzzer from that corpus on.
.PHONY: fuzz fuzz-programs deps-fuzz

DEPS_FUZZ = clang libclang-rt-14-dev

deps-fuzz: ## install what fuzz needs (Debian and Ubuntu)
	@$(APT_INSTALL) $(DEPS_FUZZ)

SECONDS ?= 60
TARGET  ?= $(patsubst tests/fuzz/%_fuzz.c,%,$(sort $(wildcard tests/fuzz/*_fuzz.c)))
FUZZSAN ?= address,undefined
FUZZED  := fuzzer-no-link$(if $(FUZZSAN),$(comma)$(FUZZSAN))
FUZZB   := build/san-$(subst $(comma),-,$(FUZZED))

FUZZDISK := -Wl,--wrap=open,--wrap=fstat,--wrap=read,--wrap=close# disk.c

$(filter $(B)/tests/fuzz/%,$(TESTBIN)): private LDFLAGS += $(FUZZDISK)
$(filter $(B)/tests/fuzz/%,$(TESTBIN)): $(B)/obj/tests/fuzz/replay.o $(B)/obj/tests/fuzz/disk.o
-include $(B)/obj/tests/fuzz/replay.d $(B)/obj/tests/fuzz/disk.d

fuzz: ## look for inputs that break something, a target a processor at a time (make deps-fuzz; SECONDS=60 each; JOBS=; TARGET='spec import-nginx'; FUZZSAN= without sanitizers)
	@command -v clang >/dev/null || { echo "make fuzz needs clang, whose libFuzzer makes up the inputs: make deps-fuzz"; exit 1; }
	@$(MAKE) --no-print-directory fuzz-programs CC=clang OPENMP= SAN=$(FUZZED)
	@tests/fuzz/run.sh $(FUZZB)/fuzz build/fuzz $(SECONDS) $(TARGET)

# The engine watches what reads inputs. Comparisons of digests, and of letters for a message, would take it most of its time.
FUZZCORE := $(filter-out $(addprefix $(B)/obj/sim/,commands/% experiments/% library/%),$(CORE))
ifneq ($(findstring fuzzer,$(SAN)),)
SANFLAGS += -fsanitize-coverage-ignorelist=tests/fuzz/uncounted.txt
$(FUZZCORE): tests/fuzz/uncounted.txt
$(B)/obj/strategies/% $(B)/obj/sim/metrics/% $(B)/obj/sim/base/text.o: SANFLAGS += -fno-sanitize-coverage=trace-cmp
endif

fuzz-programs: $(foreach t,$(TARGET),$(B)/fuzz/$(firstword $(subst -, ,$(t))))

$(B)/fuzz/%: $(B)/obj/tests/fuzz/%_fuzz.o $(B)/obj/tests/fuzz/disk.o $(FUZZCORE)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALLFLAGS) -fsanitize=fuzzer $(LDFLAGS) $(FUZZDISK) -o $@ $^ $(LIBS)
