# SPDX-License-Identifier: MIT
# `make` builds every program into bin/; `make help` lists the other targets.
#
# Variables: CC, CXX, CUDA=0 (build without CUDA), HIP=1 (build the portable GPU programs for AMD's
# GPUs, into build/release-hip/bin), AMD=0 (without SuiteSparse's AMD), LZMA=0 and BZIP2=0 (without
# reading .xz or .bz2 files), ARCH="90 120" (GPU architectures; native: those of this machine, all:
# all supported ones), BUILD=asan (address and undefined-behaviour sanitizers, into build/asan/bin),
# BUILD=tsan (thread sanitizer: see test-races), STATIC=1 (link libraries statically into the
# programs), HARDENING= (leave out the flags that make mistakes harder to exploit), V=1 (show
# commands).

# Targets that install or check use the variables of the last `make` (recorded by `all`), unless
# variables are given again. So root need not know them, and nothing is compiled again.
ifneq ($(filter install% check python-%,$(MAKECMDGOALS)),)
-include build/built.mk
$(foreach variable,$(BUILT_WITH),$(if $(filter undefined default,$(origin $(variable))),\
    $(eval $(variable) := $$(strip $$(BUILT_$(variable))))))
endif

comma := ,
hash := \#

BUILD ?= release
NVCC ?= $(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA ?= $(if $(NVCC),1,0)
# HIP=1 builds with HIP in place of CUDA, for AMD's GPUs.
HIP ?= 0
ifeq ($(HIP),1)
override CUDA := 1
endif
HIPCC ?= hipcc
HIP_ARCH ?= gfx908
# GPU architectures: compute capabilities without the dot, or `native` or `all`. As in CMake,
# 80-virtual means PTX only, which drivers compile; PTX of the last architecture is always added,
# for later GPUs.
ARCH_all := 75 80 86 89 90 100 120
# Every GPU can run one of these two. PTX of 7.5 is not enough for later GPUs, because it has no
# products on tensor cores.
ARCH_anywhere := 75-virtual 80-virtual
# A wheel is for other machines, so it has all architectures.
ARCH ?= $(if $(filter python-wheel-library,$(MAKECMDGOALS)),all,native)
# For each GPU of this machine, the newest architecture that nvcc knows and the GPU can run.
ARCH_native = $(shell { $(NVCC) --list-gpu-code; echo GPUs; nvidia-smi --query-gpu=compute_cap --format=csv,noheader; } \
    2>/dev/null | tr -d . | awk '/^GPUs/ { gpus = 1 } !gpus && sub(/^sm_/, "") { code[$$0 + 0] } gpus && /^[0-9]+$$/ { \
    best = 0; for (a in code) if (a + 0 <= $$0 + 0 && a + 0 > best) best = a + 0; if (best >= 75) print best }' | sort -nu)
ifeq ($(CUDA)$(filter 1,$(HIP)),1)
ifeq ($(strip $(ARCH)),native)
override ARCH := $(ARCH_native)
ARCH_NOTE := as this machine has (ARCH=all: $(ARCH_all))
endif
ifeq ($(strip $(ARCH)),)
override ARCH := $(ARCH_anywhere)
ARCH_NOTE := which a driver compiles when a program first runs, as nvidia-smi shows no GPU from 7.5 on (ARCH=all: $(ARCH_all))
endif
ifeq ($(strip $(ARCH)),all)
override ARCH := $(ARCH_all)
ARCH_NOTE := which are all (ARCH=native: those of this machine)
endif
endif
PYTHON ?= python3
PROFILE ?= default

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# Sanitizers find as much in code that is compiled faster, and need line numbers but no variables of
# a debugger.
SANITIZED := $(if $(filter asan fuzz msan,$(BUILD)),-O1 -g1)
# Line numbers for profilers and backtraces. A debugger's variables (-g) would make compiling a
# quarter slower.
CFLAGS ?= $(or $(SANITIZED),-O3 -g1)
# Only tests have C++.
CXXFLAGS ?= $(or $(SANITIZED),-O1 -g1)
# Profilers need -lineinfo, which makes objects depend on the folder where they are compiled.
NVCCFLAGS ?= -O3
# With optimization at link time, objects hold code that is not yet optimized: ar needs the
# compiler's plug-in for these.
LTO := $(if $(filter -fno-lto,$(CFLAGS)),,$(filter -flto -flto=%,$(CFLAGS)))
IS_CLANG := $(findstring clang,$(shell $(CC) --version))
ARCHIVE := $(if $(LTO),$(if $(IS_CLANG),$(shell $(CC) -print-prog-name=llvm-ar) rcsD,\
    $(AR) rcsD --plugin $(shell $(CC) -print-file-name=liblto_plugin.so)),$(AR) rcsD)
# $(call takes,FLAG) is the flag if the C compiler takes it, else empty.
takes = $(shell $(CC) -Werror $(1) -S -x c /dev/null -o /dev/null 2>/dev/null && echo '$(1)')
# Sets _FORTIFY_SOURCE unless the compiler of a distribution, or the flags, set a level, higher or
# lower.
FORTIFY := $(if $(shell $(CC) $(CPPFLAGS) $(CFLAGS) -O2 -dM -E -x c /dev/null 2>/dev/null | \
    grep -w _FORTIFY_SOURCE),,-D_FORTIFY_SOURCE=2)
CF_PROTECTION := $(call takes,-fcf-protection)
HARDENING ?= $(FORTIFY) -fstack-protector-strong -fstack-clash-protection $(CF_PROTECTION)
# Objects are the same bytes in whatever folder the sources are.
PREFIX_MAP := '-ffile-prefix-map=$(CURDIR)=.'
CFLAGS_release := $(HARDENING) $(PREFIX_MAP)
HARDENING_LINK := -pie -Wl,-z,relro,-z,now
LDFLAGS_release := $(if $(HARDENING),$(HARDENING_LINK))
CFLAGS_fuzz := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
CFLAGS_msan := -fno-openmp -Wno-unused-parameter -Wno-unused-variable -fsanitize=fuzzer-no-link,memory -fsanitize-memory-track-origins -fno-sanitize-recover=all
CFLAGS_coverage := -fprofile-instr-generate -fcoverage-mapping
CFLAGS_asan := -fsanitize=address,undefined -fno-sanitize-recover=all -DAPSP_SANITIZED
CFLAGS_tsan := -fsanitize=thread -DAPSP_SANITIZED

# SuiteSparse's AMD, for elimination: AMD=0 builds without it; without AMD=0, a machine that lacks
# it builds without it, too, with a warning. Headers are searched where pkg-config, the compiler or
# Debian has them.
AMD_HEADERS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags-only-I AMD 2>/dev/null)) \
    $(foreach folder,/usr/include /usr/local/include,-isystem $(folder)/suitesparse)
AMD_FOUND = $(if $(STATIC),-l:libamd.a -l:libsuitesparseconfig.a,-Wl$(comma)--as-needed -lamd -Wl$(comma)--no-as-needed)
ifeq ($(origin AMD),undefined)
AMD := $(if $(shell printf '%s\n' '$(hash)include <amd.h>' 'int main(void) { return amd_order(0, 0, 0, 0, 0, 0); }' | \
    $(CC) $(CPPFLAGS) $(AMD_HEADERS) -x c - -x none $(LDFLAGS) $(AMD_FOUND) -lm -o /dev/null 2>/dev/null && echo 1),1,0)
endif
AMD_LIBS := $(if $(filter-out 0,$(AMD)),$(AMD_FOUND))

# Libraries for compressed files: zlib is required; without one of the others, its kind of files
# cannot be read.
# $(call links,HEADER,EXPRESSION,LIBRARIES): 1 if a program with this header and expression links with
# the libraries, otherwise 0.
links = $(if $(shell printf '%s\n' '$(hash)include <$(1)>' 'int main(void) { return !$(2); }' | \
    $(CC) $(CPPFLAGS) -x c - -x none $(LDFLAGS) $(3) -o /dev/null 2>/dev/null && echo 1),1,0)
LZMA_FOUND := $(if $(STATIC),-l:liblzma.a,-llzma)
BZIP2_FOUND := $(if $(STATIC),-l:libbz2.a,-lbz2)
ifeq ($(origin LZMA),undefined)
LZMA := $(call links,lzma.h,lzma_version_string(),$(LZMA_FOUND))
endif
ifeq ($(origin BZIP2),undefined)
BZIP2 := $(call links,bzlib.h,BZ2_bzlibVersion(),$(BZIP2_FOUND))
endif
PACKING_LIBS := $(if $(filter-out 0,$(LZMA)),$(LZMA_FOUND)) $(if $(filter-out 0,$(BZIP2)),$(BZIP2_FOUND))
# $(call unasked,VARIABLE,WORDS) is the words if VARIABLE is 0 although the user has not set it.
unasked = $(if $(filter 0,$($(1))),$(if $(filter command environment,$(origin $(1))),, $(2)))
WITHOUT := $(call unasked,AMD,elimination [the engine for roads; libsuitesparse-dev])$\
    $(call unasked,LZMA,.xz files [liblzma-dev])$(call unasked,BZIP2,.bz2 files [libbz2-dev])
ALL_CPPFLAGS = -I. -I$(OUT) -D_GNU_SOURCE $(if $(filter-out 0,$(AMD)),-DAPSP_AMD $(AMD_HEADERS)) \
    $(if $(filter-out 0,$(LZMA)),-DAPSP_LZMA) $(if $(filter-out 0,$(BZIP2)),-DAPSP_BZIP2) $(if $(filter 0,$(CUDA)),-DAPSP_NO_CUDA) \
    $(if $(filter 1,$(HIP)),-DAPSP_HIP -D__HIP_PLATFORM_AMD__ -Igpu/hip) $(CPPFLAGS)
# Programs and the library are made of the same objects. The library exports only its public names.
ALL_CFLAGS = -std=c17 $(WARNINGS) $(CFLAGS) -fPIC -fvisibility=hidden -fopenmp $(CFLAGS_$(BUILD))
ALL_LDFLAGS = $(if $(LTO),$(CFLAGS)) $(CFLAGS_$(BUILD)) $(LDFLAGS_$(BUILD)) -fopenmp $(LDFLAGS)
LIBS := $(if $(STATIC),-l:libz.a,-lz) $(PACKING_LIBS) $(AMD_LIBS) -lm

PROGRAMS := cpu cuda_simple cuda_blocked cuda_sparse apsp graphgen verify query
GPU_PROGRAMS := cuda_simple cuda_blocked cuda_sparse
# Programs that are not about graphs, and are not installed.
CONTEST_PROGRAMS := prefix_sum softmax
ifeq ($(HIP),1)
PROGRAMS := cuda_simple cuda_blocked
GPU_PROGRAMS := $(PROGRAMS)
endif

# All files of one configuration are in $(OUT), except that programs of the release are in bin/ and
# its library is in lib/.
OUT := build/$(BUILD)$(if $(filter 0,$(CUDA)),-nocuda)$(if $(filter 1,$(HIP)),-hip)
AT_TOP := $(and $(filter release,$(BUILD)),$(filter-out 1,$(HIP)))
BIN := $(if $(AT_TOP),bin,$(OUT)/bin)
LIB := $(if $(AT_TOP),lib,$(OUT)/lib)
# The same programs with small blocks (common/base/block_sizes.h), for the tests.
SMALL_BIN := $(OUT)/small
SMALL_BLOCKS := $(OUT)/tests/unit/small_blocks.c.o
# $(call programs,NAMES): the files of these programs, in BIN and in SMALL_BIN.
programs = $(1:%=$(BIN)/%) $(1:%=$(SMALL_BIN)/%)

# Sources by rooms (tests/rooms.py). The sources that call CUDA, of those that all programs share:
CUDA_HOST_SOURCES := gpu/gpu_solver.c gpu/gpu_download.c gpu/gpu_hands.c gpu/gpu_room.c gpu/device_sink.c gpu/nccl.c
# The source that needs MPI's headers, which makes a module of its own.
MPI_MODULE_SOURCE := ranks/mpi_module.c
LIBRARY_ROOMS := common/* ranks solve semiring flows accessibility eccentricity measures certificate gpu search/cpu elimination classes index job cli
LIBRARY_SOURCES := $(filter-out $(CUDA_HOST_SOURCES) gpu/gpu_absent.c gpu/device_memory.c gpu/device_stack.c gpu/gpu_numbers.c $(MPI_MODULE_SOURCE),\
    $(wildcard $(LIBRARY_ROOMS:%=%/*.c)))
CPU_SOURCES := $(wildcard cpu/*.c cpu/parts/*.c dissection/*.c engines/cpu_*.c) engines/find_features.c
GPU_HOST_SOURCES := $(if $(filter 0,$(CUDA)),gpu/gpu_absent.c,$(CUDA_HOST_SOURCES))
INDEX_KERNELS := $(wildcard index/*.cu)
# Host sources of each program's GPU engines, and their kernels. cuda_sparse includes cuda_blocked,
# to which it leaves deep graphs.
cuda_simple_SOURCES := $(wildcard cuda_simple/*.c)
cuda_simple_KERNELS := $(wildcard cuda_simple/*.cu)
cuda_blocked_SOURCES := $(wildcard cuda_blocked/*.c cuda_blocked/parts/*.c)
cuda_blocked_KERNELS := $(wildcard cuda_blocked/*.cu cuda_blocked/parts/*.cu)
cuda_sparse_SOURCES := $(cuda_blocked_SOURCES) gpu/device_memory.c gpu/device_stack.c gpu/gpu_numbers.c \
    $(wildcard search/gpu/*.c elimination/gpu/*.c classes/gpu/*.c accessibility/gpu/*.c flows/gpu/*.c dissection/gpu/*.c engines/sparse_*.c)
SEARCH_VARIANTS := $(addprefix search/gpu/,multisource_variant.cu queued.cu semirings.cu bfs_kernels.cu)
cuda_sparse_KERNELS := $(cuda_blocked_KERNELS) $(SEARCH_VARIANTS) \
    $(wildcard elimination/gpu/*.cu classes/gpu/*.cu flows/gpu/*.cu engines/*.cu)
COMMON_KERNELS := $(filter-out $(SEARCH_VARIANTS),$(wildcard gpu/*.cu measures/*.cu certificate/gpu/*.cu search/gpu/*.cu))
GPU_SOURCES := $(sort $(foreach program,$(GPU_PROGRAMS),$($(program)_SOURCES)))
KERNELS := $(sort $(COMMON_KERNELS) $(INDEX_KERNELS) $(foreach program,$(GPU_PROGRAMS),$($(program)_KERNELS)))
ifeq ($(HIP),1)
# With HIP only the variants of the reports are built: those of this project, and label correcting,
# need NVIDIA's instructions.
COMMON_KERNELS := $(filter-out search/gpu/%,$(COMMON_KERNELS))
KERNELS := $(COMMON_KERNELS) $(wildcard cuda_simple/*.cu cuda_blocked/[1-5]_*.cu)
endif
# Sources that choose among all engines.
ENGINES := $(addprefix engines/,auto.c engines.c plan.c rates.c)
# Sources with the main() of each program, and those that serve that program alone.
cpu_MAIN := apsp/cpu.c
$(foreach program,$(GPU_PROGRAMS),$(eval $(program)_MAIN := apsp/$(program).c))
apsp_MAIN := $(filter-out apsp/cpu.c apsp/cuda_%,$(wildcard apsp/*.c))
$(foreach program,graphgen verify query,$(eval $(program)_MAIN := $(wildcard $(program)/*.c)))

# Sources that the contest's programs share, and those that each has of its own.
CONTEST_HOST := contest/parts/$(if $(filter 0,$(CUDA)),gpu_absent,gpu_run).c
CONTEST_PARTS := $(filter-out contest/parts/gpu_%.c,$(wildcard contest/parts/*.c))
CONTEST_KERNELS := $(wildcard contest/*/*.cu)

# Kernels for the CPU are compiled once for each instruction set (common/base/isa.h).
ISAS := portable $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),avx2 avx512)
ISA_CFLAGS_avx2 := -mavx2 -mpclmul
ISA_CFLAGS_avx512 := -mpclmul -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512
CPU_KERNELS := $(wildcard $(LIBRARY_ROOMS:%=%/*_kernels.c) cpu/parts/*_kernels.c experiments/ceilings/*_kernels.c)

# Sources that are compiled a second time for lengths of float64 (common/base/length.h).
LENGTH_SOURCES := $(addprefix elimination/,eliminate.c eliminate_kernels.c schedule.c dissection.c rows_kernels.c sweep_kernels.c whole.c pieces.c gpu/levels.c gpu/products.cu) \
    $(addprefix classes/,proportional.c proportional_kernels.c row_classes.c sums.c) \
    $(addprefix index/,index_check_cells.c index_fill.c index_kernels.c index_labels.c index_query.c) \
    flows/eliminated.c $(addprefix accessibility/,by_classes.c decay_kernels.c gpu/gpu_decays.c) $(addprefix certificate/,class_proof.c class_regions.c class_check_kernels.c gpu/gpu_class_proof.cu gpu/gpu_lane_proof.cu) \
    $(addprefix classes/gpu/,classes.c class_kernels.cu reference_kernels.cu value_kernels.cu) \
    $(addprefix flows/gpu/,gpu_class_flows.c gpu_flow_kernels.cu) \
    $(addprefix measures/,lane_totals.c lane_totals_kernels.c) \
    $(addprefix dissection/,cpu.c gpu/class_totals.c gpu/crew.c gpu/gpu.c gpu/crew_rows.c gpu/sweeps.c gpu/swept_totals.c gpu/totals.c)

# Sources that are compiled once more for paths that are as long as their longest edge.
MAX_SOURCES := $(addprefix elimination/,eliminate.c eliminate_kernels.c schedule.c dissection.c rows_kernels.c sweep_kernels.c)

# $(call objects,SOURCES): their object files.
kind = $(if $(filter $(2),$(1)),$(if $(filter $(CPU_KERNELS),$(1)),$(ISAS:%=.%$(3)),$(3)))
kinds = $(if $(filter $(CPU_KERNELS),$(1)),$(ISAS:%=.%)) $(call kind,$(1),$(LENGTH_SOURCES),.f64) $(call kind,$(1),$(MAX_SOURCES),.max)
objects = $(foreach source,$(sort $(1)),$(if $(filter $(CPU_KERNELS),$(source)),,$(OUT)/$(source).o) $(patsubst %,$(OUT)/$(source)%.o,$(call kinds,$(source))))

# $(call say,WHAT,TARGET): prints one short line instead of a command.
say = @$(if $(V),,printf '  %-5s %s\n' $(1) $(2);)$(if $(V),set -x;)

.PHONY: all
all: $(PROGRAMS:%=$(BIN)/%) $(CONTEST_PROGRAMS:%=$(BIN)/%) ## build every program and the library (the default)
ifneq ($(AT_TOP),)
	@$(remember)
endif

.PHONY: say-without
say-without:
ifneq ($(WITHOUT),)
	@echo 'warning: building without$(subst ] ,]$(comma) ,$(WITHOUT)): make deps installs what that needs' >&2
endif
all library: | say-without

.PHONY: say-arch
say-arch:
ifneq ($(ARCH_NOTE),)
	@echo 'note: compiling for GPU architectures $(ARCH), $(ARCH_NOTE)' >&2
endif
all library kernels: | say-arch

# Records the variables of this build for targets that install or check: see the top of this file.
REMEMBERED := NVCC CUDA AMD LZMA BZIP2 MPI ARCH CC CXX AR LD OBJCOPY CFLAGS CXXFLAGS NVCCFLAGS CPPFLAGS LDFLAGS HARDENING STATIC
BUILT = BUILT_WITH := $(REMEMBERED)$(foreach variable,$(REMEMBERED),\nBUILT_$(variable) := $(subst $$,$$$$,$($(variable))))\n
remember = printf '%b' '$(BUILT)' | cmp -s - build/built.mk || printf '%b' '$(BUILT)' > build/built.mk

.PHONY: kernels
kernels: $(if $(filter 0,$(CUDA)),,$(call objects,$(KERNELS) $(CONTEST_KERNELS))) ## compile the GPU's code alone, for which nothing but nvcc is needed

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.PHONY: deps
deps: ## install what building and experiments need (apt-get)
	@common/install_deps.sh build experiments

# $(MAKE) $(ALL_JOBS): as many jobs as there are processors, unless the user gave a number.
ALL_JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

# Compilation ---------------------------------------------------------------

# Files with the configuration, which are rewritten only if it differs from that of the last build:
# changing a flag rebuilds everything that depends on them.
CONFIGURATION := $(strip $(CC) $(CXX) $(CFLAGS) $(CXXFLAGS) $(NVCCFLAGS) $(CPPFLAGS) $(LDFLAGS) $(HARDENING) $(BUILD) $(CUDA) $(AMD) $(LZMA) $(BZIP2) \
    $(ARCH) $(STATIC) $(if $(filter 1,$(HIP)),$(HIPCC) $(HIP_ARCH)))
$(shell mkdir -p $(OUT)/install $(BIN) $(SMALL_BIN) $(LIB); \
    for stamp in $(OUT)/configuration $(BIN)/.configuration $(LIB)/.configuration; do \
    echo '$(CONFIGURATION)' | cmp -s - $$stamp || echo '$(CONFIGURATION)' > $$stamp; done)

$(OUT)/%.c.o: %.c $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(OUT)/%.c.f64.o: %.c $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(ALL_CPPFLAGS) -DLENGTH_F64 $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(OUT)/%.c.max.o: %.c $(OUT)/configuration
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(ALL_CPPFLAGS) -DLENGTH_MAX $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# $(1): instruction set; $(2), $(3): suffix and flags of the type of lengths.
define isa_rule
$(OUT)/%_kernels.c.$(1)$(2).o: %_kernels.c $(OUT)/configuration
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$(CC) $$(ALL_CPPFLAGS) -DISA=$(1) $(3) $$(ALL_CFLAGS) $$(ISA_CFLAGS_$(1)) -MMD -MP -c $$< -o $$@
endef
$(foreach isa,$(ISAS),$(eval $(call isa_rule,$(isa)))$(eval $(call isa_rule,$(isa),.f64,-DLENGTH_F64))$(eval $(call isa_rule,$(isa),.max,-DLENGTH_MAX)))

CUDA_HOME = $(patsubst %/bin/,%,$(dir $(realpath $(NVCC))))
ifeq ($(HIP),1)
CUDA_RUNTIME = -lamdhip64
else
# C sources that call CUDA need its headers.
$(call objects,$(CUDA_HOST_SOURCES) $(GPU_SOURCES) contest/parts/gpu_run.c): CPPFLAGS += -isystem $(CUDA_HOME)/include
CUDA_RUNTIME = -L$(CUDA_HOME)/lib64 -lcudart_static -ldl -lrt -lpthread
endif
CUDA_LIBS = $(CUDA_RUNTIME) -lstdc++
# libstdc++ is linked statically where the system allows it: programs use only its few functions for
# exceptions, and to load all of it takes longer than to answer for a small graph.
CXX_RUNTIME := $(if $(filter /%,$(shell $(CC) -print-file-name=libstdc++.a)),\
    -Wl$(comma)-Bstatic -lstdc++ -Wl$(comma)-Bdynamic -static-libgcc,-lstdc++)
# Architectures of one kind share PTX, which is made once. Kernels and CUDA's headers have different
# code only from 8.0 (async copies, tensor cores) and 9.0 (DPX) on, nvcc itself from 10.0 on.
AMPERE := 80 86 87 88 89
BLACKWELL := 100 103 110 120 121
ptx_of = $(if $(filter $(1),$(AMPERE)),80,$(if $(filter $(1),$(BLACKWELL)),100,$(1)))
gencode = --generate-code=arch=compute_$(call ptx_of,$(1)),code=$(2)
GENCODE := $(foreach a,$(filter-out %-virtual,$(ARCH)),$(call gencode,$(a),sm_$(a))) \
    $(sort $(foreach a,$(patsubst %-virtual,%,$(filter %-virtual,$(ARCH)) $(filter-out 7%,$(lastword $(ARCH)))),\
    $(call gencode,$(a),compute_$(call ptx_of,$(a)))))
# Compressed code for GPUs takes a third of the space, and programs start as fast.
FATBIN := -Xfatbin=-compress-all
# A command that runs nvcc, such as "env CCACHE_DEPEND=1 ccache". ccache understands nvcc's options
# only if each is one word.
NVCC_LAUNCHER ?=
# Intermediate files are named after the object, not at random, because their names get into the
# object. So does the path of the source, in the names of anonymous namespaces.
NVCC_KNOWS = $(eval NVCC_KNOWS := $$(shell $$(NVCC) --help))$(NVCC_KNOWS)
NVCC_FIXED = $(if $(findstring frandom-seed,$(NVCC_KNOWS)),--frandom-seed=$<) \
    $(if $(findstring objdir-as-tempdir,$(NVCC_KNOWS)),--objdir-as-tempdir)
# $(1), $(2): suffix and flags of the type of lengths.
ifeq ($(HIP),1)
# -Wno-unused-result, because CUDA's functions, unlike HIP's, allow that their results are ignored.
define kernel_rule
$(OUT)/%.cu$(1).o: %.cu $(OUT)/configuration
	@mkdir -p $$(@D)
	$$(call say,HIPCC,$$@)$$(HIPCC) -x hip -std=c++17 $$(NVCCFLAGS) $(2) -DAPSP_HIP -I. -Igpu/hip --offload-arch=$$(HIP_ARCH) \
	    -fPIE -Wall -Wextra -Wno-pass-failed -Wno-unused-result -MMD -MP -c $$< -o $$@
endef
else
define kernel_rule
$(OUT)/%.cu$(1).o: %.cu $(OUT)/configuration
	@mkdir -p $$(@D)
	$$(call say,NVCC,$$@)$$(NVCC_LAUNCHER) $$(NVCC) -std=c++17 $$(FATBIN) $$(NVCCFLAGS) $(2) -I. --threads=0 $$(GENCODE) \
	    -Xcompiler=-Wall,-Wextra,-fPIE $$(NVCC_FIXED) -MMD -MP -c $$< -o $$@ && rm -f $$@.*
endef
endif
$(eval $(call kernel_rule,,))
$(eval $(call kernel_rule,.f64,-DLENGTH_F64))

# Linking -------------------------------------------------------------------

LIBRARY := $(OUT)/libcommon.a
$(LIBRARY): $(call objects,$(LIBRARY_SOURCES))
	$(call say,AR,$@)rm -f $@ && $(ARCHIVE) $@ $^

$(foreach program,$(PROGRAMS),$(eval \
    $(call programs,$(program)): $(call objects,$($(program)_MAIN) $($(program)_SOURCES)) $(LIBRARY) $(BIN)/.configuration))
$(call programs,cpu query): $(OUT)/gpu/gpu_absent.c.o
$(call programs,cpu): $(call objects,$(CPU_SOURCES))
# verify computes measures again with engines of the CPU, and proves an index on a GPU.
$(call programs,verify): $(call objects,$(CPU_SOURCES) $(GPU_HOST_SOURCES))
$(call programs,$(GPU_PROGRAMS) apsp): $(call objects,$(GPU_HOST_SOURCES))
$(call programs,apsp): $(call objects,$(ENGINES) $(CPU_SOURCES) $(GPU_SOURCES))
$(foreach program,$(CONTEST_PROGRAMS),$(eval \
    $(call programs,$(program)): $(call objects,$(wildcard contest/$(program)/*.c) $(CONTEST_PARTS) $(CONTEST_HOST) \
    $(GPU_HOST_SOURCES)) $(LIBRARY) $(BIN)/.configuration))
ifneq ($(CUDA),0)
$(foreach program,$(CONTEST_PROGRAMS),$(eval \
    $(call programs,$(program)): $(call objects,$(COMMON_KERNELS) $(filter contest/$(program)/%,$(CONTEST_KERNELS)))))
$(call programs,$(CONTEST_PROGRAMS)): LIBS += $(CUDA_RUNTIME) $(CXX_RUNTIME)
$(foreach program,$(GPU_PROGRAMS),$(eval \
    $(call programs,$(program)): $(call objects,$(filter $(COMMON_KERNELS) $($(program)_KERNELS),$(KERNELS)))))
$(call programs,apsp): $(call objects,$(KERNELS))
$(call programs,verify): $(call objects,$(COMMON_KERNELS) $(INDEX_KERNELS))
$(call programs,$(GPU_PROGRAMS) apsp verify): LIBS += $(CUDA_RUNTIME) $(CXX_RUNTIME)
endif

$(filter $(SMALL_BIN)/%,$(call programs,$(PROGRAMS) $(CONTEST_PROGRAMS))): $(SMALL_BLOCKS)
$(call programs,$(PROGRAMS) $(CONTEST_PROGRAMS)):
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@

# The module that sends bytes between processes that mpirun starts; only these load it. MPI=0 builds
# without it.
MPICC ?= $(shell command -v mpicc)
MPI ?= $(if $(MPICC),1,0)
MPI_MODULE := $(LIB)/apsp_mpi.so
$(MPI_MODULE): $(MPI_MODULE_SOURCE) ranks/transport.h $(LIB)/.configuration
	$(call say,MPICC,$@)$(MPICC) -std=c17 $(WARNINGS) $(CFLAGS) $(CFLAGS_release) -fPIC -shared \
	    -fvisibility=hidden -I. $< -o $@
ifeq ($(MPI)$(filter 1,$(HIP)),1)
all: $(MPI_MODULE)
endif

include libapsp/libapsp.mk
include tests/tests.mk
include tests/fuzz/fuzz.mk
-include experiments/experiments.mk

# Keeping it in order -------------------------------------------------------

C_FILES = $(shell git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp' '*.cu' '*.cuh')
SHELL_FILES = common/install_deps.sh tests/installcheck.sh tests/races.sh docs/completion/apsp .ci/run .ci/fresh \
    $(addprefix package/,in_debian wheels debian docker conda/check)

.PHONY: format
format: ## format all C and CUDA sources with clang-format
	clang-format -i $(C_FILES)

.PHONY: manual
manual: ## make the manual pages that share their text, of docs/man/*.mdoc
	$(PYTHON) docs/man/pages.py

.PHONY: lint
lint: ## check formatting, cppcheck, shellcheck, a warning-free build with clang
	@common/install_deps.sh build test lint
	@echo '  clang-format'; clang-format --dry-run -Werror $(C_FILES)
	@echo '  rooms'; $(PYTHON) tests/rooms.py
	@echo '  namesakes'; $(PYTHON) tests/namesakes.py
	@echo '  licences'; ! git grep -L SPDX-License-Identifier -- '*.[ch]' '*.cpp' '*.cu' '*.cuh' '*.py' '*.sh' '*.mk' Makefile
	@echo '  shellcheck'; shellcheck $(SHELL_FILES)
	@echo '  mutants compile'; $(PYTHON) tests/mutants/break_solvers.py --syntax '$(CC) -std=c17 -fopenmp -I. -D_GNU_SOURCE'
	@echo '  cppcheck'; printf '%s\n' $(filter %.c,$(C_FILES)) | xargs -P $(shell nproc) -n 16 \
	    cppcheck --quiet --std=c11 --language=c --error-exitcode=1 --inline-suppr \
	    --enable=warning,performance,portability --suppress=missingIncludeSystem \
	    --suppress=preprocessorErrorDirective -I. -D_GNU_SOURCE -D__x86_64__ -D__linux__
	@echo '  clang -Werror'; $(MAKE) --no-print-directory CC=clang CXX=clang++ CUDA=0 BUILD=clang CFLAGS='-O0 -Werror' \
	    CXXFLAGS='-O0 -Werror' all build/clang-nocuda/tests/unit_tests
	@echo '  clang --analyze'; $(PYTHON) tests/analyze.py -std=c17 -fopenmp -I. -Ibuild/clang-nocuda -D_GNU_SOURCE \
	    -DAPSP_NO_CUDA -DISA=portable $(filter-out tests/% experiments/% docs/% $(CUDA_HOST_SOURCES) $(MPI_MODULE_SOURCE) contest/parts/gpu_run.c,$(filter %.c,$(C_FILES)))

SBOM ?= build/apsp.spdx.json
.PHONY: sbom
sbom: ## write what the programs are made of as SPDX 2.3: build/apsp.spdx.json (SBOM=PATH)
	@mkdir -p $(dir $(SBOM))
	@CC='$(CC)' $(PYTHON) common/sbom.py $(APSP_VERSION) $(if $(STATIC),static) $(if $(AMD_LIBS),amd) \
	    $(if $(filter-out 0,$(LZMA)),lzma) $(if $(filter-out 0,$(BZIP2)),bzip2) \
	    $(if $(filter 0,$(CUDA)),,'cuda=$(NVCC)') > $(SBOM)
	@echo "Written: $(SBOM)"

.PHONY: check-reproducible
check-reproducible: all ## build again in another folder: programs and libraries must be the same bytes
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && \
	    git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$$copy" && \
	    CCACHE_DISABLE=1 $(MAKE) --no-print-directory -s -C "$$copy" BUILD=$(BUILD) CUDA=$(CUDA) ARCH='$(ARCH)' \
	        all >/dev/null && \
	    for file in $(PROGRAMS:%=$(BIN)/%) $(CONTEST_PROGRAMS:%=$(BIN)/%) $(STATIC_LIBRARY) $(SHARED_LIBRARY); do \
	        cmp "$$file" "$$copy/$$file" || exit 1; done
	@echo 'Built twice, in different folders: the same bytes.'

DIST ?= build/apsp-$(APSP_VERSION).tar.gz
.PHONY: dist
dist: ## pack what git has as of the last commit: build/apsp-VERSION.tar.gz (DIST=PATH)
	@mkdir -p $(dir $(DIST))
	@git -c tar.umask=0022 archive --format=tar --prefix=apsp-$(APSP_VERSION)/ HEAD > '$(DIST).tar' && \
	    gzip -9n < '$(DIST).tar' > '$(DIST)' && rm '$(DIST).tar'
	@echo "Written: $(DIST)"

.PHONY: packages
packages: ## build and try all packages: wheels, Debian's, a recipe for conda, a Docker image (package/README.md)
	package/wheels && package/debian && package/conda/check && package/docker

.PHONY: clean
clean: ## remove everything that was built
	rm -rf build bin lib

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
