# The library, static and shared, and installing it with the programs.

APSP_VERSION := $(shell sed -n 's/^.define APSP_VERSION "\(.*\)"/\1/p' libapsp/apsp.h)
SONAME := libapsp.so.$(firstword $(subst ., ,$(APSP_VERSION)))
LIB := $(if $(filter release,$(BUILD)),lib,$(OUT)/lib)
STATIC_LIBRARY := $(LIB)/libapsp.a
SHARED_LIBRARY := $(LIB)/libapsp.so.$(APSP_VERSION)
OBJCOPY ?= objcopy

# All engines; what they and the public functions use of $(LIBRARY) comes along, the
# programs' part of it does not.
API_SOURCES := $(wildcard libapsp/*.c) $(CPU_SOURCES) $(GPU_PROGRAMS:%=%/registry.c) $(GPU_HOST_SOURCES)
API_OBJECTS := $(call objects,$(API_SOURCES) $(if $(filter 0,$(CUDA)),,$(KERNELS)))
# What a program that links the static library needs besides jansson and zlib.
API_LIBS = -fopenmp -lm $(if $(filter 0,$(CUDA)),,$(CUDA_LIBS))

$(LIB)/.configuration: $(OUT)/configuration
	@mkdir -p $(@D)
	@cp $< $@

# One object in which only the public names can be seen from outside.
$(OUT)/libapsp.o: $(API_OBJECTS) $(LIBRARY) $(OUT)/configuration
	$(call say,LD,$@)$(LD) -r --force-group-allocation $(filter %.o %.a,$^) -o $@.all && \
	    $(OBJCOPY) --wildcard --keep-global-symbol='apsp_*' $@.all $@ && rm $@.all

$(STATIC_LIBRARY): $(OUT)/libapsp.o $(LIB)/.configuration
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $<

$(SHARED_LIBRARY): $(OUT)/libapsp.o libapsp/libapsp.map $(LIB)/.configuration
	$(call say,LINK,$@)$(CC) -shared $(if $(filter -fsanitize%,$(CFLAGS_$(BUILD))),,-Wl,-z,defs )-Wl,-soname,$(SONAME) -Wl,--version-script=libapsp/libapsp.map \
	    $(filter-out -pie,$(ALL_LDFLAGS)) $(filter %.o,$^) $(LIBS) $(if $(filter 0,$(CUDA)),,$(CUDA_LIBS)) -o $@
	@ln -sf $(@F) $(LIB)/$(SONAME)
	@ln -sf $(SONAME) $(LIB)/libapsp.so

.PHONY: library
library: $(STATIC_LIBRARY) $(SHARED_LIBRARY) ## build lib/libapsp.a and lib/libapsp.so
all: library
