# SPDX-License-Identifier: MIT
# Measuring. EXPERIMENTS_FLAGS goes to run.py (experiments/campaign/run.py --help), as in
#     make experiments PROFILE=full EXPERIMENTS_FLAGS="--longest 600"

EXPERIMENTS_OUT ?= experiments/out
KEPT := experiments/results
# Programs that the thesis's schedule measures (thesis_tables/published/schedule.py), and those that
# it needs to measure them.
EXPERIMENTS_PROGRAMS := cpu cuda_simple cuda_blocked cuda_sparse graphgen verify

.PHONY: experiments
experiments: deps ## measure the thesis's schedule (PROFILE=full: every size) and show Tables 1-6
	@$(MAKE) --no-print-directory $(ALL_JOBS) run-experiments

# Runs in a make of its own, which finds packages that have just been installed, and uses all
# processors.
.PHONY: run-experiments
run-experiments: $(EXPERIMENTS_PROGRAMS:%=$(BIN)/%) | say-without say-arch
	@$(PYTHON) experiments/campaign/run.py --profile $(PROFILE) --bin $(BIN) --out $(EXPERIMENTS_OUT) \
	    $(EXPERIMENTS_FLAGS)
	@$(if $(filter --list --help,$(EXPERIMENTS_FLAGS)),,$(MAKE) --no-print-directory tables)

# $(call render,TIMINGS,LADDER,CROSSOVERS): renders all tables and figures from these CSV files. The
# programs describe the rungs of the ladder.
LADDER := $(BIN)/cuda_simple $(BIN)/cuda_blocked
render = $(PYTHON) thesis_tables/render.py --bin $(BIN) --timings $(1) $(if $(2),--ladder $(firstword $(2))) \
    $(if $(2)$(3),--crossover $(2) $(3))

# The folder of measurements of this machine; empty if there are none: then the kept measurements
# are shown.
MEASURED := $(if $(wildcard $(EXPERIMENTS_OUT)/timings.csv),$(EXPERIMENTS_OUT))
.PHONY: tables
tables: $(LADDER) ## tables, figures and summary from what is already measured
	@$(if $(MEASURED),$(call render,$(MEASURED)/timings.csv,$(wildcard $(MEASURED)/ladder.csv),$\
	    $(wildcard $(MEASURED)/crossover.csv)),$(KEPT_TABLES)) --out $(EXPERIMENTS_OUT) --show

KEPT_TABLES = $(call render,$(sort $(wildcard $(KEPT)/thesis_*.csv)),$(wildcard $(KEPT)/ladder_*.csv),$\
    $(wildcard $(KEPT)/crossover_*.csv))
.PHONY: kept-tables
kept-tables: $(LADDER) ## the same from the results that are kept, with what pages show of them
	@common/install_deps.sh figures
	@$(KEPT_TABLES) --out $(KEPT)/tables --into docs/thesis.md
	@$(PYTHON) thesis_tables/ladder.py --bin $(BIN) --timings $(firstword $(wildcard $(KEPT)/ladder_*.csv)) \
	    --into cuda_blocked/README.md
	@$(PYTHON) thesis_tables/sparse.py --timings $(firstword $(wildcard $(KEPT)/sparse_*.csv)) \
	    --into docs/cuda_sparse.md

BENCH_IO := $(OUT)/experiments/bench_io
$(BENCH_IO): $(call objects,experiments/suites/bench_io.c) $(LIBRARY)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ $(LIBS) -o $@

.PHONY: bench-io
bench-io: $(BENCH_IO) ## time reading and writing of graphs and results
	@$(BENCH_IO)

BENCH_CPU_CEILINGS := $(OUT)/experiments/bench_cpu_ceilings
$(BENCH_CPU_CEILINGS): $(call objects,experiments/ceilings/bench_cpu_ceilings.c experiments/ceilings/measured_rates.c \
    experiments/ceilings/cpu_ceilings_kernels.c cpu/parts/min_plus_kernels.c) $(LIBRARY)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ $(LIBS) -o $@

.PHONY: bench-cpu-ceilings
bench-cpu-ceilings: $(BENCH_CPU_CEILINGS) ## measure what the CPU's instructions reach
	@$(BENCH_CPU_CEILINGS)

# The program that measures the GPU's ceilings. Without CUDA there is nothing to build.
BENCH_CEILINGS := $(OUT)/experiments/bench_ceilings
ifneq ($(CUDA),0)
$(OUT)/experiments/ceilings/bench_ceilings.c.o: CPPFLAGS += -isystem $(CUDA_HOME)/include
$(BENCH_CEILINGS): LIBS += $(CUDA_LIBS)
$(BENCH_CEILINGS): $(call objects,experiments/ceilings/bench_ceilings.c experiments/ceilings/measured_rates.c experiments/ceilings/ceilings.cu \
    $(GPU_HOST_SOURCES) $(COMMON_KERNELS)) $(LIBRARY)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ $(LIBS) -o $@
else
.PHONY: $(BENCH_CEILINGS)
$(BENCH_CEILINGS):
	@echo 'bench_ceilings measures a GPU and needs CUDA; this build is without' >&2; exit 4
endif

.PHONY: bench-ceilings
bench-ceilings: $(BENCH_CEILINGS) ## measure what the GPU's instructions and memory reach
	@$(BENCH_CEILINGS)

.PHONY: bench-gpu
bench-gpu: deps all $(BENCH_CEILINGS) ## time every GPU variant at the reports' sizes, each result proved
	@$(PYTHON) experiments/suites/bench_gpu.py --bin $(BIN) --ceilings $(BENCH_CEILINGS) \
	    --out $(EXPERIMENTS_OUT)

BENCH_CONTEST := $(OUT)/experiments/bench_contest
ifneq ($(CUDA),0)
$(OUT)/experiments/suites/bench_contest.c.o: CPPFLAGS += -isystem $(CUDA_HOME)/include
$(BENCH_CONTEST): LIBS += $(CUDA_LIBS)
$(BENCH_CONTEST): $(call objects,experiments/suites/bench_contest.c experiments/suites/contest_yardsticks.cu \
    $(filter-out contest/parts/contest_main.c,$(CONTEST_PARTS)) $(CONTEST_KERNELS) \
    $(filter-out %/main.c,$(wildcard $(CONTEST_PROGRAMS:%=contest/%/*.c))) $(GPU_HOST_SOURCES) $(COMMON_KERNELS)) \
    $(LIBRARY)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ $(LIBS) -o $@
else
.PHONY: $(BENCH_CONTEST)
$(BENCH_CONTEST):
	@echo 'bench_contest measures a GPU and needs CUDA; this build is without' >&2; exit 4
endif

.PHONY: bench-contest
bench-contest: $(BENCH_CONTEST) ## time prefix_sum and softmax on a GPU beside a copy and CUB's scan
	@$(BENCH_CONTEST)

REAL ?=
.PHONY: compare-roads
compare-roads: $(BIN)/graphgen ## compare graphgen's roads with a real network (REAL=NY.gr.xz OPTIONS=)
	@mkdir -p $(EXPERIMENTS_OUT)
	@$(PYTHON) experiments/suites/roads.py --bin $(BIN) $(if $(REAL),--real '$(REAL)') \
	    $(if $(OPTIONS),--options='$(OPTIONS)') \
	    --csv $(EXPERIMENTS_OUT)/roads.csv --table $(EXPERIMENTS_OUT)/roads.md

GRAPHS ?= 10000
.PHONY: compare-scipy
compare-scipy: $(BIN)/graphgen $(SHARED_LIBRARY) ## compare real distances with SciPy's, bit for bit (GRAPHS=10000)
	@APSP_LIBRARY=$(SHARED_LIBRARY) PYTHONPATH=python OMP_WAIT_POLICY=passive $(PYTHON) experiments/peers/scipy_bits.py \
	    --graphs $(GRAPHS) --families $(BIN)/graphgen

.PHONY: bench-crossover
bench-crossover: deps all ## time cuda_sparse beside cuda_blocked on graphs of growing density
	@$(PYTHON) experiments/suites/bench_crossover.py --bin $(BIN) --out $(EXPERIMENTS_OUT)

.PHONY: bench-sparse
bench-sparse: deps all ## time cuda_sparse beside the other solvers on graphs of few edges
	@$(PYTHON) experiments/suites/bench_sparse.py --bin $(BIN) --out $(EXPERIMENTS_OUT)
	@$(PYTHON) thesis_tables/sparse.py --timings $(EXPERIMENTS_OUT)/sparse.csv

.PHONY: bench-structure
bench-structure: deps $(BIN)/cpu $(BIN)/apsp $(BIN)/graphgen ## time what the structure of graphs decides, and growing roads
	@$(PYTHON) experiments/suites/bench_structure.py --bin $(BIN) --out $(EXPERIMENTS_OUT)

.PHONY: bench-choices
bench-choices: deps all ## time what apsp takes beside the engines that it could have taken, on this host
	@$(PYTHON) experiments/suites/bench_choices.py --bin $(BIN) --out $(EXPERIMENTS_OUT)

.PHONY: bench-index
bench-index: deps $(BIN)/graphgen $(SHARED_LIBRARY) ## time a distance index of roads (GRAPH=FILE.gr), and others' programs
	@APSP_LIBRARY=$(SHARED_LIBRARY) $(PYTHON) experiments/suites/bench_index.py $(GRAPH) --bin $(BIN) --out $(EXPERIMENTS_OUT)

.PHONY: bench-isomap
bench-isomap: deps $(SHARED_LIBRARY) ## time the distances of Isomap on one thread beside SciPy's, as scikit-learn has them
	@APSP_LIBRARY=$(SHARED_LIBRARY) $(PYTHON) experiments/suites/bench_isomap.py --out $(EXPERIMENTS_OUT)

# Boost is a peer if its headers are installed.
BOOST_PEER := $(OUT)/experiments/boost_peer
$(BOOST_PEER): experiments/peers/boost_peer.cc
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(CXX) -std=c++17 -O3 -march=native -DNDEBUG -Wall -Wextra $< -o $@

.PHONY: boost-peer
boost-peer:
	@if echo '#include <boost/graph/dijkstra_shortest_paths.hpp>' | $(CXX) -E -x c++ - >/dev/null 2>&1; \
	    then $(MAKE) --no-print-directory $(BOOST_PEER); fi

.PHONY: bench-cpu
bench-cpu: deps boost-peer $(BIN)/cpu $(BIN)/graphgen $(BIN)/verify $(BENCH_CPU_CEILINGS) ## time every CPU variant beside its goals, each result proved (PROFILE=full: all graphs)
	@$(PYTHON) experiments/suites/bench_cpu.py --profile $(PROFILE) --bin $(BIN) --boost $(BOOST_PEER) \
	    --ceilings $(BENCH_CPU_CEILINGS) --out $(EXPERIMENTS_OUT) $(EXPERIMENTS_FLAGS)

.PHONY: bench-apsp
bench-apsp: deps all ## time apsp from file to file beside every single solver
	@$(PYTHON) experiments/suites/bench_apsp.py --bin $(BIN) --out $(EXPERIMENTS_OUT) $(EXPERIMENTS_FLAGS)
