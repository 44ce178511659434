# SPDX-License-Identifier: MIT
# Tests. `make test` runs all and ends with one line that counts them.

APSP_SOURCES := $(ENGINES) $(filter-out apsp/main.c,$(apsp_MAIN))
# The tests of a folder stand in a folder of the same name.
UNIT_FOLDERS := unit common/* ranks solve semiring flows accessibility eccentricity measures certificate gpu cpu search cuda_blocked elimination classes index \
    dissection engines libapsp cli graphgen variants contest cuda_shim mutants
UNIT_SOURCES := $(filter-out tests/mutants/main.c tests/mutants/mutants.c tests/unit/small_blocks.c,\
    $(wildcard $(UNIT_FOLDERS:%=tests/%/*.c)))
SHIM_FLAGS := -Itests/cuda_shim -DCUDA_SHIM
SHIM_OUT := $(OUT)/shim

# Kernels and the host code that launches them, compiled for the host against the shim.
shim_objects = $(foreach source,$(1),$(SHIM_OUT)/$(source).o $(if $(filter $(LENGTH_SOURCES),$(source)),$(SHIM_OUT)/$(source).f64.o))
SHIM_KERNELS := $(call shim_objects,$(KERNELS) $(CUDA_HOST_SOURCES) tests/cuda_shim/shim.cpp)
# The contest's programs on the shim, without their main.c.
SHIM_CONTEST := $(patsubst %,$(SHIM_OUT)/%.o,$(CONTEST_KERNELS) contest/parts/gpu_run.c $(CONTEST_PARTS) \
    $(filter-out %/main.c,$(wildcard $(CONTEST_PROGRAMS:%=contest/%/*.c))))
SHIM_OBJECTS := $(SHIM_KERNELS) $(call shim_objects,$(wildcard $(UNIT_FOLDERS:%=tests/%/*.cu)) $(UNIT_SOURCES) $(GPU_SOURCES))
# Code that only tests run takes longer to optimize than to run as it is.
TEST_CFLAGS = $(ALL_CFLAGS) $(if $(filter -O2 -O3,$(CFLAGS)),-O1)
# The unroll pragmas in kernels are known to nvcc only.
SHIM_WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wno-unknown-pragmas \
    -Wno-pass-failed

$(SHIM_OUT)/%.c.o: %.c $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(filter-out -DAPSP_NO_CUDA,$(ALL_CPPFLAGS)) $(SHIM_FLAGS) $(TEST_CFLAGS) -MMD -MP -c $< -o $@

$(SHIM_OUT)/%.c.f64.o: %.c $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(filter-out -DAPSP_NO_CUDA,$(ALL_CPPFLAGS)) $(SHIM_FLAGS) -DLENGTH_F64 $(TEST_CFLAGS) -MMD -MP -c $< -o $@

# The shim switches stacks, which a shadow stack would not notice.
SHIM_CXX = $(CXX) -std=c++17 $(SHIM_WARNINGS) $(CXXFLAGS) $(filter-out -fcf-protection,$(CFLAGS_$(BUILD))) -I. $(SHIM_FLAGS) -MMD -MP -c

$(SHIM_OUT)/%.cu.o: %.cu $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(SHIM_CXX) -x c++ $< -o $@

$(SHIM_OUT)/%.cu.f64.o: %.cu $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(SHIM_CXX) -DLENGTH_F64 -x c++ $< -o $@

$(SHIM_OUT)/%.cpp.o: %.cpp $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(SHIM_CXX) $(patsubst -O1,-O2,$(filter -O%,$(CXXFLAGS))) $< -o $@

# Functions of the C library that tests/unit/test_faults.c makes fail.
UNIT_WRAPPED := malloc calloc realloc aligned_alloc strdup strndup asprintf __asprintf_chk

UNIT_TESTS := $(OUT)/tests/unit_tests
$(UNIT_TESTS): LDFLAGS += $(UNIT_WRAPPED:%=-Wl,--wrap=%)
$(UNIT_TESTS): $(SMALL_BLOCKS) $(SHIM_OBJECTS) $(SHIM_CONTEST) $(call objects,$(CPU_SOURCES) $(APSP_SOURCES) \
    $(filter-out graphgen/main.c,$(wildcard graphgen/*.c)) tests/mutants/mutants.c $(wildcard libapsp/*.c)) $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CXX) $(ALL_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -lcunit $(LIBS) -o $@

# The GPU programs on the shim, to test what happens if a GPU is lost.
SHIM_BIN := $(SHIM_OUT)/bin
SHIM_PROGRAMS := $(GPU_PROGRAMS:%=$(SHIM_BIN)/%) $(SHIM_BIN)/apsp
$(GPU_PROGRAMS:%=$(SHIM_BIN)/%): $(SHIM_BIN)/%: $(OUT)/apsp/%.c.o
$(SHIM_PROGRAMS): $(SHIM_KERNELS) $(LIBRARY)
$(SHIM_PROGRAMS): $(call shim_objects,$(GPU_SOURCES))
$(SHIM_BIN)/apsp: $(call objects,apsp/main.c $(APSP_SOURCES) $(CPU_SOURCES))
# A stand-in for NCCL between ranks of the programs on the shim.
SHIM_NCCL := $(SHIM_OUT)/libnccl.so.2
$(SHIM_NCCL): tests/nccl_stub/nccl.c $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -fPIC -shared -fvisibility=hidden $< -o $@
SHIM_CONTEST_PROGRAMS := $(CONTEST_PROGRAMS:%=$(SHIM_BIN)/%)
$(SHIM_CONTEST_PROGRAMS): $(SHIM_BIN)/%: $(OUT)/contest/%/main.c.o $(SHIM_CONTEST) $(LIBRARY) \
    $(patsubst %,$(SHIM_OUT)/%.o,$(COMMON_KERNELS) $(CUDA_HOST_SOURCES) tests/cuda_shim/shim.cpp)
$(SHIM_PROGRAMS) $(SHIM_CONTEST_PROGRAMS):
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CXX) $(ALL_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@
$(UNIT_TESTS): | $(SHIM_NCCL)

# Corrupts thousands of answers, which the certificate must refute.
MUTANTS ?= 200000
MUTANT_TESTS := $(OUT)/tests/mutants_tests
$(MUTANT_TESTS): $(call objects,tests/mutants/main.c tests/mutants/mutants.c tests/unit/support.c \
    $(CPU_SOURCES)) $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ -lcunit $(LIBS) -o $@

# The solvers' and the library's tests on a real device, linked with the real kernels.
DEVICE_TESTS := $(OUT)/tests/device_tests
DEVICE_SOURCES := tests/unit/main.c tests/unit/support.c tests/unit/real_graphs.c tests/libapsp/test_api.c \
    tests/libapsp/handed_over.c tests/libapsp/journeys.c $(wildcard tests/variants/*.c)
DEVICE_OBJECTS := $(patsubst %,$(OUT)/device/%.o,$(DEVICE_SOURCES))
$(OUT)/device/%.c.o: %.c $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(ALL_CPPFLAGS) -DDEVICE_TESTS $(TEST_CFLAGS) -MMD -MP -c $< -o $@
$(DEVICE_TESTS): $(DEVICE_OBJECTS) $(call objects,engines/engines.c $(CPU_SOURCES) \
    $(GPU_SOURCES) $(GPU_HOST_SOURCES) $(if $(filter 0,$(CUDA)),,$(KERNELS))) $(LIBRARY) $(STATIC_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ -Wl,-Bstatic -lcunit -Wl,-Bdynamic $(LIBS) -o $@
ifneq ($(CUDA),0)
$(DEVICE_TESTS): LIBS += $(CUDA_LIBS)
endif

# A library that end-to-end tests preload into the programs: it makes allocations and system calls
# fail.
FAILING_MALLOC := $(OUT)/tests/failing_malloc.so
FAILING_IO := $(OUT)/tests/failing_io.so
PRELOADED := $(FAILING_MALLOC) $(FAILING_IO)
$(PRELOADED): $(OUT)/tests/%.so: tests/e2e/%.c $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) -std=c17 $(WARNINGS) $(CFLAGS) -D_GNU_SOURCE -shared -fPIC $< -o $@

# Reads JSON for tests/e2e/test_json.py.
READ_JSON := $(OUT)/tests/read_json
$(READ_JSON): $(call objects,tests/e2e/read_json.c) $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ $(LIBS) -o $@

# Running -------------------------------------------------------------------

.PHONY: test
test: ## install what is missing, build and run all tests (BUILD=asan: under sanitizers)
	@common/install_deps.sh build test
	@$(MAKE) --no-print-directory $(ALL_JOBS) run-tests

# The parts of the unit tests that run at the same time.
UNIT_PARTS ?= 1/2 2/2

.PHONY: check
check: run-tests ## build and run all tests, without installing what they need

# Settings of the build that tests need to know, for tests/run.py.
TEST_SETTINGS := $(OUT)/tests/settings
SETTINGS = APSP_FAILING_MALLOC=$(abspath $(FAILING_MALLOC)) APSP_FAILING_IO=$(abspath $(FAILING_IO)) \
    APSP_READ_JSON=$(abspath $(READ_JSON)) APSP_SHIM_BIN=$(abspath $(SHIM_BIN)) APSP_BIN=$(abspath $(BIN)) \
    APSP_SMALL_BIN=$(abspath $(SMALL_BIN)) \
    APSP_LIBRARY=$(abspath $(LIB)/$(SONAME)) APSP_SANITIZED=$(if $(filter release,$(BUILD)),0,1)

.PHONY: test-programs
test-programs: all $(PROGRAMS:%=$(SMALL_BIN)/%) $(UNIT_TESTS) $(DEVICE_TESTS) $(SHIM_PROGRAMS) $(SHIM_NCCL) $(SHIM_CONTEST_PROGRAMS) $(PRELOADED) $(READ_JSON) ## build what the tests run
	@printf '%s\n' $(SETTINGS) 'APSP_MAKE=$(MAKE)' > $(TEST_SETTINGS)

.PHONY: run-tests
run-tests: test-programs
	@APSP_SETTINGS=$(TEST_SETTINGS) $(PYTHON) tests/run.py $(foreach part,$(UNIT_PARTS),'$(UNIT_TESTS) --part $(part)') $(DEVICE_TESTS)

RACES := $(OUT)/tests/races
$(RACES): $(call objects,tests/races.c tests/libapsp/journeys.c) $(STATIC_LIBRARY)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ $(LIBS) -o $@

.PHONY: test-races
test-races: ## look for data races in the CPU solvers, ranks and the library (clang, ThreadSanitizer, Archer)
	@common/install_deps.sh build races
	@$(MAKE) --no-print-directory CC=clang CXX=clang++ CUDA=0 BUILD=tsan CFLAGS='-O1 -g' \
	    build/tsan-nocuda/bin/cpu build/tsan-nocuda/small/cpu build/tsan-nocuda/bin/graphgen \
	    build/tsan-nocuda/tests/races \
	    $(if $(filter 1,$(MPI)),build/tsan-nocuda/lib/apsp_mpi.so)
	@tests/races.sh $(abspath build/tsan-nocuda)

.PHONY: mutants
mutants: ## corrupt MUTANTS right answers and have the certificate judge them
	@common/install_deps.sh build test
	@$(MAKE) --no-print-directory $(MUTANT_TESTS)
	@OMP_WAIT_POLICY=passive $(MUTANT_TESTS) $(MUTANTS)

.PHONY: mutants-checker
mutants-checker: ## weaken the certificate, one place at a time: the mutants must notice each
	@common/install_deps.sh build test
	@OMP_WAIT_POLICY=passive $(PYTHON) tests/mutants/weaken.py

.PHONY: test-big
test-big: all ## solve more than 2^31 cells on the CPU: some 10 GiB of memory, 11 of disk (BIG_VARIANTS)
	@APSP_BIN=$(abspath $(BIN)) BIG_VARIANTS='$(BIG_VARIANTS)' $(PYTHON) tests/big/test_big.py

.PHONY: mutants-solvers
mutants-solvers: ## break the product in hundreds of places: the tests must notice each (ONLY=PATH, SAMPLE=5 SEED=TEXT)
	@common/install_deps.sh build test
	@$(MAKE) --no-print-directory test-programs
	@$(PYTHON) tests/mutants/break_solvers.py --program $(UNIT_TESTS) $(if $(ONLY),--only '$(ONLY)') \
	    $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed '$(SEED)')
