# Measuring. EXPERIMENTS_FLAGS goes to run.py (experiments/run.py --help), as in
#     make experiments PROFILE=full EXPERIMENTS_FLAGS="--max-cpu-seconds 600"

EXPERIMENTS_OUT ?= experiments/out

.PHONY: experiments
experiments: deps all ## measure the thesis's schedule (PROFILE=full: every size) and show Tables 1-6
	@$(PYTHON) experiments/run.py --profile $(PROFILE) --bin $(BIN) --out $(EXPERIMENTS_OUT) \
	    $(EXPERIMENTS_FLAGS)

.PHONY: tables
tables: ## Tables 1-6 again, from what is already measured
	@$(PYTHON) thesis_tables/render.py --timings $(EXPERIMENTS_OUT)/timings.csv \
	    --environment $(EXPERIMENTS_OUT)/environment.json --out $(EXPERIMENTS_OUT)

BENCH_IO := $(OUT)/experiments/bench_io
$(BENCH_IO): $(call objects,experiments/bench_io.c) $(LIBRARY)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $^ $(LIBS) -o $@

.PHONY: bench-io
bench-io: $(BENCH_IO) ## time reading and writing of graphs and results
	@$(BENCH_IO)

.PHONY: bench-gpu
bench-gpu: deps all ## time every GPU variant at the reports' sizes, each result proved
	@$(PYTHON) experiments/bench_gpu.py --bin $(BIN) --out $(EXPERIMENTS_OUT)
