# SPDX-License-Identifier: MIT
# Fuzzing with libFuzzer of clang. Inputs that reach new code are kept in $(FUZZ_CORPUS) for the
# next run. The first run starts with the committed inputs in tests/fuzz/corpus.

FUZZ_SECONDS ?= 60
# Seed of the inputs that are tried; 0: another seed each time.
FUZZ_SEED ?= 0
FUZZ_HOURS ?= 8
FUZZ_TARGETS ?= graph graph_text graph_gr graph_mtx graph_wel graph_snap graph_csv graph_metis \
    graph_tntp result_text result_npy result_pred result_json measures_csv \
    measures_json file
FUZZ_CORPUS := build/fuzz-corpus
FUZZ_BUILD := $(MAKE) --no-print-directory CC=clang CXX=clang++ CUDA=0

# Targets for the memory sanitizer. They run without libraries that are not instrumented: memory
# that zlib fills would count as uninitialized. So would OpenMP's, so that build has no OpenMP.
MSAN_TARGETS := $(filter-out file,$(FUZZ_TARGETS))
FUZZ_THREADS := $(if $(filter msan,$(BUILD)),tests/fuzz/one_thread.c)

# A harness: its source, and the sources that it is compiled with.
FUZZ_SOURCE_graph := fuzz_graph
FUZZ_SOURCE_graph_text := fuzz_graph
FUZZ_SOURCE_graph_gr := fuzz_graph
FUZZ_SOURCE_graph_mtx := fuzz_graph
FUZZ_SOURCE_graph_wel := fuzz_graph
FUZZ_SOURCE_graph_snap := fuzz_graph
FUZZ_SOURCE_graph_csv := fuzz_graph
FUZZ_SOURCE_graph_metis := fuzz_graph
FUZZ_SOURCE_graph_tntp := fuzz_graph
FUZZ_SOURCE_result_text := fuzz_result_text
FUZZ_SOURCE_result_npy := fuzz_result_npy
FUZZ_SOURCE_result_pred := fuzz_result_npy
FUZZ_SOURCE_result_json := fuzz_result_npy
FUZZ_SOURCE_measures_csv := fuzz_measures
FUZZ_SOURCE_measures_json := fuzz_measures
FUZZ_SOURCE_file := fuzz_file
FUZZ_FLAGS_graph_text := -DFUZZ_PREFIX='"4 "'
FUZZ_FLAGS_graph_gr := -DFUZZ_PREFIX='"p sp "'
FUZZ_FLAGS_graph_mtx := -DFUZZ_PREFIX='"%%MatrixMarket matrix coordinate "'
FUZZ_FLAGS_graph_wel := -DFUZZ_PREFIX='"0 1 "'
FUZZ_FLAGS_graph_snap := -DFUZZ_PREFIX='"\#"' -DFUZZ_ALONG='"a,weight"'
FUZZ_FLAGS_graph_csv := -DFUZZ_PREFIX='"u,v"' -DFUZZ_COLUMN='"w"' -DFUZZ_ALONG='"x, 3"'
FUZZ_FLAGS_graph_metis := -DFUZZ_FORMAT='"metis"'
FUZZ_FLAGS_graph_tntp := -DFUZZ_PREFIX='"<NUMBER OF "' -DFUZZ_COLUMN='"length"' -DFUZZ_ALONG='"4,toll"'
FUZZ_FLAGS_result_npy := -DFUZZ_PART=DIST
FUZZ_FLAGS_result_pred := -DFUZZ_PART=PRED
FUZZ_FLAGS_result_json := -DFUZZ_PART=JSON
FUZZ_FLAGS_measures_csv := -DFUZZ_PART=CSV
FUZZ_FLAGS_measures_json := -DFUZZ_PART=JSON

# Only readers and the code that they use, because engines take long to compile with all
# instrumentation.
FUZZ_OBJECTS := $(call objects,$(filter common/base/% common/graph/% common/rows/% ranks/% measures/%,$(LIBRARY_SOURCES)))

FUZZERS := $(FUZZ_TARGETS:%=$(OUT)/fuzz/%)
$(foreach target,$(FUZZ_TARGETS),$(eval \
    $(OUT)/fuzz/$(target): tests/fuzz/$(FUZZ_SOURCE_$(target)).c))
$(FUZZERS): $(OUT)/fuzz/%: tests/fuzz/fuzz.h $(FUZZ_OBJECTS) $(FUZZ_THREADS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(FUZZ_FLAGS_$*) -fsanitize=fuzzer \
	    $(filter %.c %.o,$^) $(LIBS) -o $@

.PHONY: fuzzers
fuzzers: $(FUZZERS)

.PHONY: fuzz
fuzz: ## fuzz every reader for FUZZ_SECONDS each, under sanitizers (needs clang)
	@common/install_deps.sh build fuzz
	@$(FUZZ_BUILD) BUILD=fuzz fuzzers
	@$(PYTHON) tests/fuzz/run.py fuzz --bin build/fuzz-nocuda/fuzz --corpus $(FUZZ_CORPUS) \
	    --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) $(FUZZ_TARGETS)

.PHONY: fuzz-msan
fuzz-msan: ## the same, where no library is needed, for memory that is used uninitialized
	@common/install_deps.sh build fuzz
	@$(FUZZ_BUILD) BUILD=msan FUZZ_TARGETS='$(MSAN_TARGETS)' fuzzers
	@$(PYTHON) tests/fuzz/run.py fuzz --bin build/msan-nocuda/fuzz --corpus $(FUZZ_CORPUS) \
	    --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) $(MSAN_TARGETS)

.PHONY: fuzz-night
fuzz-night: ## fuzz every reader for FUZZ_HOURS in all, keep and minimise what was found to be new
	@common/install_deps.sh build fuzz
	@$(FUZZ_BUILD) BUILD=fuzz fuzzers
	@$(PYTHON) tests/fuzz/run.py night --bin build/fuzz-nocuda/fuzz --corpus $(FUZZ_CORPUS) \
	    --hours $(FUZZ_HOURS) $(FUZZ_TARGETS)

.PHONY: fuzz-coverage
fuzz-coverage: ## the lines of every reader that the fuzzers' inputs reach
	@common/install_deps.sh build fuzz coverage
	@$(FUZZ_BUILD) BUILD=coverage fuzzers
	@$(PYTHON) tests/fuzz/run.py coverage --bin build/coverage-nocuda/fuzz --corpus $(FUZZ_CORPUS) \
	    $(FUZZ_TARGETS)
