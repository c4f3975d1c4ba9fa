# keysim: make help lists the targets.

CC      ?= cc
OPT     ?= -O2 -g
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla
WERROR  ?=
SAN     ?=
OPENMP  ?= -fopenmp
WARN    += $(if $(OPENMP),,-Wno-unknown-pragmas)
STD      = -std=c11 -D_GNU_SOURCE -ffp-contract=off -fPIC -fvisibility=hidden
LIBLIBS  = -lmurmurhash -lmd -lb2 -lz -lyaml -lm# what libkeysim.a needs
LIBS     = -lgsl -lgslcblas $(LIBLIBS)

# Objects for sanitizers (gcc's and others') live beside the release ones: build/, build/gcc-san-address-undefined/, build/san-thread/
comma   := ,
B       := build$(if $(SAN),/$(if $(findstring clang,$(CC)),,gcc-)san-$(subst $(comma),-,$(SAN)))
MPI     ?=# 1: past one machine, under mpirun or srun
PROGRAM := $(B)$(if $(MPI),/mpi)/keysim
WARN += $(if $(SAN),$(if $(findstring clang,$(CC)),,-Wno-maybe-uninitialized))# which gcc's own checks of each access confuse
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all)
# A sanitized program at a fixed place starts in half the time: tests start thousands.
LDFLAGS  += $(if $(findstring address,$(SAN)),-no-pie $(if $(findstring clang,$(CC)),,-static-libasan -static-libubsan))

# A tarball brings REVISION along: git would tell of a repository around it.
VERSION  := $(shell sed -n 's/^\#define KEYSIM_VERSION "\(.*\)"/\1/p' sim/base/version.h)
REVISION := $(or $(shell cat REVISION 2>/dev/null || { test -e .git && git describe --always --dirty 2>/dev/null; }),unknown)
SOURCES  ?= $(CURDIR)# holds data/ and plots/ for a program that is not installed
CPPFLAGS += -I. -Isim -DKEYSIM_DATADIR='"$(SOURCES)"' -DKEYSIM_FLAGS='"$(strip $(STD) $(OPT) $(OPENMP) $(SANFLAGS) $(CFLAGS))"'
CFLAGS   ?=
ALLFLAGS  = $(STD) $(OPT) $(WARN) $(WERROR) $(OPENMP) $(SANFLAGS) $(CFLAGS)

SRC   := $(sort $(shell find sim strategies -name '*.c'))
OBJ   := $(SRC:%.c=$(B)/obj/%.o)
CORE  := $(filter-out $(B)/obj/sim/main.o,$(OBJ))
TESTS := $(sort $(wildcard tests/unit/*_test.c tests/contract/*_test.c tests/property/*_test.c tests/fuzz/*_fuzz.c))
TESTBIN := $(TESTS:%.c=$(B)/%)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all bench bench-peers deps deps-live deps-mpi test test-programs test-live test-mpi check report golden schema readme clean help force

all: $(PROGRAM) ## build the program (build/keysim, or with MPI=1 build/mpi/keysim)

# V=1 shows the commands.
V ?=
Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $(1) $(patsubst $(B)/%,%,$@)")

# The program for many machines has all objects of the ordinary one but those that speak MPI.
MPISRC := $(shell grep -l '^.ifdef KEYSIM_MPI' $(SRC))
MPIOBJ := $(MPISRC:%.c=$(B)/mpi/obj/%.o)

$(MPIOBJ): private CPPFLAGS += -DKEYSIM_MPI $(addprefix -isystem ,$(or $(shell mpicc --showme:incdirs),$(error MPI=1 needs mpicc: make deps-mpi)))
$(B)/mpi/keysim: private LIBS += $(shell mpicc --showme:link)

$(B)/keysim: $(OBJ)
$(B)/mpi/keysim: $(MPIOBJ) $(filter-out $(MPISRC:%.c=$(B)/obj/%.o),$(OBJ))
$(B)/keysim $(B)/mpi/keysim:
	$(call say,LD)
	$(Q)$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/tests/%: $(B)/obj/tests/%.o $(CORE)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

define compile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(ALLFLAGS) -MMD -MP -c -o $@ $<
endef

$(B)/obj/%.o: %.c $(B)/flags
	$(compile)

$(MPIOBJ): $(B)/mpi/obj/%.o: %.c $(B)/flags
	$(compile)

# Rebuild when a flag changes; of another revision one file tells.
$(B)/flags: stamp := $(CC) $(CPPFLAGS) $(ALLFLAGS)
$(B)/revision: stamp := $(REVISION)
$(B)/flags $(B)/revision: force
	@mkdir -p $(@D); echo '$(subst ','\'',$(stamp))' | cmp -s - $@ || echo '$(subst ','\'',$(stamp))' > $@

$(B)/obj/sim/base/version.o: private CPPFLAGS += -DKEYSIM_REVISION='"$(REVISION)"'
$(B)/obj/sim/base/version.o: $(B)/revision

# --- what it needs --------------------------------------------------------------------------------
DEPS_BUILD  = gcc libc6-dev make git libxxhash-dev libmurmurhash-dev libmd-dev libb2-dev zlib1g-dev libyaml-dev libgsl-dev
DEPS_REPORT = gnuplot-nox fonts-dejavu-core
DEPS_TEST   = perl libxml2-utils wamerican jq sqlite3 strace locales pkg-config g++ zsh fish mandoc groff-base
DEPS_MPI    = openmpi-bin libopenmpi-dev
DEPS_LIVE   = redis-server redis-tools nginx haproxy nutcracker libmemcached-dev python3 python3-uhashring ceph-base

APT_INSTALL = if [ "$$(id -u)" = 0 ]; then as=; else as=sudo; fi; $$as apt-get update -qq && \
	  $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends

deps: ## install what building, testing and the report need (Debian and Ubuntu; names for others)
	@if command -v apt-get >/dev/null; then \
	  $(APT_INSTALL) $(DEPS_BUILD) $(DEPS_REPORT) $(DEPS_TEST); \
	else \
	  echo "make deps knows apt only. Install:"; \
	  echo "  dnf:    gcc make xxhash-devel libmd-devel libb2-devel zlib-devel libyaml-devel gsl-devel gnuplot perl-Test-Harness libxml2 words"; \
	  echo "  brew:   gcc make xxhash libmd libb2 zlib libyaml gsl gnuplot"; \
	  echo "  pacman: gcc make xxhash libmd libb2 zlib libyaml gsl gnuplot perl libxml2 words"; \
	  echo "  and libmurmurhash, which these do not package, from its source (github.com/kloetzl/libmurmurhash)"; \
	  exit 1; \
	fi

deps-mpi: ## install what MPI=1 needs (Debian and Ubuntu)
	@$(APT_INSTALL) $(DEPS_MPI)

deps-live: ## install the real programs that make test-live asks (Debian and Ubuntu)
	@$(APT_INSTALL) $(DEPS_LIVE)

# --- tests ----------------------------------------------------------------------------------------
GOLDEN := $(sort $(wildcard tests/golden/*.t tests/*.t))
INSTALLED := tests/install/install.t
MATCH ?= %
ASKED  = $(filter $(MATCH),$(TESTBIN) $(INSTALLED) $(GOLDEN))

# Two tests run at a time, each with threads of its own: those that wait give their core away.
test: export OMP_WAIT_POLICY = passive
# What was freed is kept for a while to catch late users: 16 MB of it instead of 256 is a third less time.
test: export ASAN_OPTIONS ?= quarantine_size_mb=16
test: test-programs ## run all tests; ends with prove's summary (MATCH='%/ring_test %.t' runs those of that name)
	BIN=$(PROGRAM) prove --timer --merge -j2 $(or $(ASKED),$(error no test is called $(MATCH)))

test-programs: $(PROGRAM) $(B)/libkeysim.a $(filter $(MATCH),$(TESTBIN)) ## build what make test runs

LIVE := $(sort $(wildcard tests/live/*.t))

test-live: $(PROGRAM) ## hold keysim against the real programs that are installed (make deps-live; SEED=N repeats a run)
	BIN=$(PROGRAM) prove --timer -j2 $(LIVE)

test-mpi: $(B)/keysim ## hold the MPI build, on 2 and 3 processes, against the ordinary one (make deps-mpi)
	$(MAKE) $(if $(shell command -v mpicc),MPI=1)
	BIN=$(B)/keysim MPIBIN=$(B)/mpi/keysim prove --timer tests/mpi/mpi.t

check: ## test under gcc and clang, sanitizers, lint
	$(MAKE) lint test
	$(MAKE) test SAN=address,undefined
	$(MAKE) test CC=clang OPENMP= SAN=address,undefined
	$(MAKE) test-threads test-valgrind

golden: $(PROGRAM) ## rewrite the golden files; review them with git diff
	BIN=$(PROGRAM) REWRITE=1 prove $(GOLDEN)

schema: $(PROGRAM) ## regenerate data/SCHEMA.md and the tables of README.md
	tests/generated.sh $(PROGRAM) write

# --- the report -----------------------------------------------------------------------------------
NODES ?= 10
KEYS  ?= user:count=10M
OUT   ?= report
TRACE ?=
QUICK ?=
PEERS ?= $(wildcard bench-peers.csv)

report: $(PROGRAM) ## run the experiments, draw the charts, write report/index.html (NODES= KEYS= OUT= TRACE= PEERS= QUICK=1)
	$(PROGRAM) report -n '$(NODES)' -k '$(KEYS)' -o '$(OUT)' $(if $(QUICK),--quick) $(if $(TRACE),--trace '$(TRACE)') $(if $(PEERS),--peers '$(PEERS)')

# --- how fast ---------------------------------------------------------------------------------------
SEEDS ?= ../shared/seeds

bench: $(PROGRAM) ## how fast is fast, beside plain code and what the machine allows; writes bench.csv
	$(PROGRAM) bench --format table --csv bench.csv

bench-peers: $(PROGRAM) $(B)/bench/peers/peers ## the same beside libmemcached, uhashring and tutorials as published (make deps-live; SEEDS=DIR); writes bench-peers.csv
	BIN=$(PROGRAM) bench/peers/peers.sh $(B)/bench/peers/peers '$(SEEDS)'

MEMCACHED := $(if $(wildcard /usr/include/libmemcached/memcached.h),-lmemcached)

$(B)/bench/peers/peers: $(patsubst %.c,$(B)/obj/%.o,$(wildcard bench/peers/*.c)) $(CORE)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ $(MEMCACHED) $(LIBS)

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' $(MAKEFILE_LIST) | awk -F': ' '{printf "  make %-16s %s\n", $$1, $$2}'

# Targets that belong to one folder of tests stand beside it.
include install.mk $(wildcard tests/*/*.mk)

-include $(OBJ:.o=.d) $(MPIOBJ:.o=.d) $(TESTS:%.c=$(B)/obj/%.d)
