# Faults: the same objects as the program's, with calls that fail on demand. Libraries are linked from their archives, so that
# their allocations fail too; OpenMP's thread pool, which ends a program that has no memory for it, is left alone.
.PHONY: test-faults

FAULT_WRAPS := malloc calloc realloc strdup posix_memalign open_memstream free open fopen opendir fdopen tmpfile fsync rename mkdir read fclose
FAULT_LIBS  := -Wl,-Bstatic -lmurmurhash -lmd -lb2 -lz -lyaml -lgsl -lgslcblas -Wl,-Bdynamic -lm
FAULT_OBJ   := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/faults/*.c))

$(B)/tests/faults/faults_test: $(FAULT_OBJ) $(CORE)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALLFLAGS) $(LDFLAGS) $(FAULT_WRAPS:%=-Wl,--wrap=%) -o $@ $^ $(FAULT_LIBS)

-include $(FAULT_OBJ:.o=.d)

# In make test: full disks, signals, and some of the commands whose calls fail. The rest here.
GOLDEN += tests/faults/few.t tests/faults/calls.t tests/faults/signals.t
test-programs: $(B)/tests/faults/faults_test
FAULTS_PARTS := 6
KILLS ?= 200

test-faults: $(PROGRAM) $(B)/tests/faults/faults_test ## every allocation, open, write, rename ... fails once; 200 reports are killed
	@mkdir -p $(B)/tests/faults/parts
	@for k in $$(seq 0 $$(($(FAULTS_PARTS) - 1))); do \
	  printf '#!/bin/sh\nexec $(B)/tests/faults/faults_test tests/faults/commands.txt %s $(FAULTS_PARTS)\n' $$k >$(B)/tests/faults/parts/$$k.t; chmod +x $(B)/tests/faults/parts/$$k.t; done
	BIN=$(PROGRAM) KILLS=$(KILLS) prove --timer -j2 tests/faults/kills.t tests/faults/report.t $(B)/tests/faults/parts/*.t
