# How good the tests are: strategies and metrics broken a line at a time, and which of the tests notices.
.PHONY: mutants mutants-base

mutants: export COMPILE = $(CC) $(CPPFLAGS) $(STD) $(OPENMP) -O1 -fvisibility=default -ftrivial-auto-var-init=pattern -w
mutants: export LINK = $(CC) $(OPENMP) -shared
mutants: ## break strategies and metrics a line at a time: do the tests notice? (COUNT=240 SEED=1 JOBS=2 ONLY=FILE TESTED=PATTERN)
	@perl tests/mutants/mutants.pl --count $(or $(COUNT),240) --seed $(or $(SEED),1) --jobs $(or $(JOBS),2) --only '$(ONLY)' --tests '$(or $(TESTED),.)'

# In the copy: the core as one shared library, and an empty one before it, in whose place a mutant's object goes.
mutants-base: $(B)/base/libmutant.so $(B)/base/libcore.so $(B)/covered/libcore.so $(B)/base/keysim $(patsubst %.c,$(B)/base/%,$(filter-out tests/fuzz/%,$(TESTS)))

$(B)/base/libcore.so: $(CORE)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(OPENMP) -shared -o $@ $^ $(LIBS)

$(B)/base/libmutant.so:
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -o $@ -x c /dev/null

BROKEN = -L$(B)/base -Wl,--no-as-needed -lmutant -lcore -Wl,--as-needed# mutant first

# The same as libcore.so, but that strategies and metrics count which of their functions are called.
COVERED := $(patsubst $(B)/obj/%,$(B)/covered/%,$(filter $(B)/obj/strategies/% $(B)/obj/sim/metrics/%,$(CORE)))

$(B)/covered/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(ALLFLAGS) --coverage -fno-inline -MMD -MP -c -o $@ $<

$(B)/covered/libcore.so: $(COVERED) $(filter-out $(COVERED:$(B)/covered/%=$(B)/obj/%),$(CORE))
	$(call say,LD)
	$(Q)$(CC) $(OPENMP) --coverage -shared -o $@ $^ $(LIBS)

$(B)/base/keysim: $(B)/obj/sim/main.o | $(B)/base/libmutant.so $(B)/base/libcore.so
	$(call say,LD)
	$(Q)$(CC) $(OPENMP) -o $@ $^ $(BROKEN) $(LIBS)

-include $(COVERED:.o=.d)

$(B)/base/tests/%: $(B)/obj/tests/%.o | $(B)/base/libmutant.so $(B)/base/libcore.so
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(OPENMP) -o $@ $^ $(BROKEN) $(LIBS)
