# Fuzzing. A target is NAME_fuzz.c: `make test` runs it over the committed corpus (replay.c), `make fuzz` under libFuzzer from that corpus on.
.PHONY: fuzz fuzz-programs

SECONDS ?= 60
TARGET  ?= $(patsubst tests/fuzz/%_fuzz.c,%,$(sort $(wildcard tests/fuzz/*_fuzz.c)))
FUZZSAN ?= address,undefined
FUZZED  := fuzzer-no-link$(if $(FUZZSAN),$(comma)$(FUZZSAN))
FUZZB   := build/san-$(subst $(comma),-,$(FUZZED))

FUZZDISK := -Wl,--wrap=open,--wrap=fstat,--wrap=read,--wrap=close# disk.c

$(filter $(B)/tests/fuzz/%,$(TESTBIN)): private LDFLAGS += $(FUZZDISK)
$(filter $(B)/tests/fuzz/%,$(TESTBIN)): $(B)/obj/tests/fuzz/replay.o $(B)/obj/tests/fuzz/disk.o
-include $(B)/obj/tests/fuzz/replay.d $(B)/obj/tests/fuzz/disk.d

fuzz: ## look for inputs that break something, two targets at a time (clang; SECONDS=60 each; TARGET='spec import-nginx'; FUZZSAN= without sanitizers)
	@command -v clang >/dev/null || { echo "make fuzz needs clang, whose libFuzzer makes up the inputs: apt-get install clang"; exit 1; }
	@$(MAKE) --no-print-directory fuzz-programs CC=clang OPENMP= SAN=$(FUZZED)
	@tests/fuzz/run.sh $(FUZZB)/fuzz build/fuzz $(SECONDS) $(TARGET)

fuzz-programs: $(foreach t,$(TARGET),$(B)/fuzz/$(firstword $(subst -, ,$(t))))

$(B)/fuzz/%: $(B)/obj/tests/fuzz/%_fuzz.o $(B)/obj/tests/fuzz/disk.o $(CORE)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALLFLAGS) -fsanitize=fuzzer $(LDFLAGS) $(FUZZDISK) -o $@ $^ $(LIBS)
