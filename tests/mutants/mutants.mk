# How good the tests are: strategies and metrics broken a line at a time, and which of the tests notices.
.PHONY: mutants mutants-base

mutants: export COMPILE = $(CC) $(CPPFLAGS) $(STD) $(OPENMP) -O1 -fPIC -w
mutants: export LINK = $(CC) $(OPENMP) -shared
mutants: export LINKED = $(LIBS)
mutants: ## break strategies and metrics a line at a time: do the tests notice? (COUNT=240 SEED=1 JOBS=2 ONLY=FILE)
	@perl tests/mutants/mutants.pl --count $(or $(COUNT),240) --seed $(or $(SEED),1) --jobs $(or $(JOBS),2) --only '$(ONLY)'

# In the copy: the core as one shared library, so that a mutant costs one object and one link whatever tests it meets.
mutants-base: $(B)/base/libcore.so $(B)/covered/libcore.so $(B)/base/keysim $(TESTS:%.c=$(B)/base/%)

$(B)/base/libcore.so: $(CORE)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(OPENMP) -shared -o $@ $^ $(LIBS)

# The same, but that strategies and metrics count which of their functions are called.
COVERED := $(patsubst $(B)/obj/%,$(B)/covered/%,$(filter $(B)/obj/strategies/% $(B)/obj/sim/metrics/%,$(CORE)))

$(B)/covered/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(ALLFLAGS) --coverage -fno-inline -MMD -MP -c -o $@ $<

$(B)/covered/libcore.so: $(COVERED) $(filter-out $(COVERED:$(B)/covered/%=$(B)/obj/%),$(CORE))
	$(call say,LD)
	$(Q)$(CC) $(OPENMP) --coverage -shared -o $@ $^ $(LIBS)

$(B)/base/keysim: $(B)/obj/sim/main.o | $(B)/base/libcore.so
	$(call say,LD)
	$(Q)$(CC) $(OPENMP) -o $@ $^ -L$(B)/base -lcore $(LIBS)

-include $(COVERED:.o=.d)

$(B)/base/tests/%: $(B)/obj/tests/%.o | $(B)/base/libcore.so
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(OPENMP) -o $@ $^ -L$(B)/base -lcore $(LIBS)
