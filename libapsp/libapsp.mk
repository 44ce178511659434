# SPDX-License-Identifier: MIT
# The library, static and shared, and installing it with the programs.

APSP_VERSION := $(shell sed -n 's/^.define PROJECT_VERSION "\(.*\)"/\1/p' common/base/version.h)
# While the first number of the version is 0, versions with the same second number are compatible.
SONAME := libapsp.so.$(shell echo '$(APSP_VERSION)' | sed 's/^\(0\.[0-9]*\|[0-9]*\)\..*/\1/')
STATIC_LIBRARY := $(LIB)/libapsp.a
SHARED_LIBRARY := $(LIB)/libapsp.so.$(APSP_VERSION)
OBJCOPY ?= objcopy

# The public functions and all engines. The linker adds what these use of $(LIBRARY), and leaves out
# what only programs use.
API_SOURCES := $(wildcard libapsp/*.c) $(ENGINES) $(CPU_SOURCES) $(GPU_SOURCES) $(GPU_HOST_SOURCES)
API_OBJECTS := $(call objects,$(API_SOURCES) $(if $(filter 0,$(CUDA)),,$(KERNELS)))
# Libraries that a program that links the static library needs besides zlib.
PACKING_SHARED := $(if $(filter-out 0,$(LZMA)),-llzma) $(if $(filter-out 0,$(BZIP2)),-lbz2)
API_LIBS = -fopenmp $(PACKING_SHARED) $(if $(AMD_LIBS),-lamd -lsuitesparseconfig) -lm $(if $(filter 0,$(CUDA)),,$(CUDA_LIBS))

# The command that links objects into one. With optimization at link time the compiler runs it and
# optimizes here, because names in code that is optimized later cannot be made local. lld allocates
# groups without an option.
PARTIAL_LINK = $(if $(LTO),$(CC) $(filter-out -fopenmp,$(ALL_CFLAGS)) $(filter -fuse-ld=% --ld-path=%,$(LDFLAGS)) -r -nostdlib \
    $(if $(IS_CLANG),-fuse-ld=lld,-flinker-output=nolto-rel -Wl$(comma)--force-group-allocation),\
    $(LD) -r --force-group-allocation)

# One object in which only the public names can be seen from outside.
$(OUT)/libapsp.o: $(API_OBJECTS) $(LIBRARY) $(OUT)/configuration
	$(call say,LD,$@)$(PARTIAL_LINK) $(filter %.o %.a,$^) -o $@.all && \
	    $(OBJCOPY) --localize-hidden --wildcard --keep-global-symbol='apsp_*' $@.all $@ && rm $@.all

$(STATIC_LIBRARY): $(OUT)/libapsp.o $(LIB)/.configuration
	$(call say,AR,$@)rm -f $@ && $(AR) rcsD $@ $<

# A shared library cannot take static ones in.
$(SHARED_LIBRARY): LIBS := -lz $(PACKING_SHARED) $(AMD_LIBS) -lm
$(SHARED_LIBRARY): $(OUT)/libapsp.o libapsp/libapsp.map $(LIB)/.configuration
	$(call say,LINK,$@)$(CC) -shared $(if $(filter -fsanitize%,$(CFLAGS_$(BUILD))),,-Wl,-z,defs )-Wl,-soname,$(SONAME) -Wl,--version-script=libapsp/libapsp.map \
	    $(filter-out -pie,$(ALL_LDFLAGS)) $(filter %.o,$^) $(LIBS) $(if $(filter 0,$(CUDA)),,$(CUDA_LIBS)) -o $@
	@ln -sf $(@F) $(LIB)/$(SONAME)
	@ln -sf $(SONAME) $(LIB)/libapsp.so

.PHONY: library
library: $(STATIC_LIBRARY) $(SHARED_LIBRARY) ## build lib/libapsp.a and lib/libapsp.so
ifneq ($(HIP),1)
all: library
endif

# Installing ----------------------------------------------------------------
# GNU's directory variables; DESTDIR goes before each of them.

PREFIX ?= /usr/local
prefix ?= $(PREFIX)
exec_prefix ?= $(prefix)
bindir ?= $(exec_prefix)/bin
libdir ?= $(exec_prefix)/lib
includedir ?= $(prefix)/include
datarootdir ?= $(prefix)/share
datadir ?= $(datarootdir)
mandir ?= $(datarootdir)/man
docdir ?= $(datarootdir)/doc/apsp
pkgconfigdir ?= $(libdir)/pkgconfig
cmakedir ?= $(libdir)/cmake/apsp
bashcompdir ?= $(datarootdir)/bash-completion/completions
pythondir ?= $(datadir)/apsp/python
INSTALL ?= install
STRIP ?= strip

# $(call installed,PROGRAMS): names of the programs where they are installed among programs of
# others.
installed = $(foreach program,$(1),$(if $(filter apsp,$(program)),apsp,apsp-$(subst _,-,$(program))))

# Files that are made for installing.
STAGE := $(OUT)/install
CMAKE_FILES := apspConfig.cmake apspConfigVersion.cmake

# $(call up,DIRECTORY): path from the directory up to the prefix, such as ../..; empty if it is not
# below the prefix.
up = $(if $(filter $(prefix)/%,$(1)),$(shell realpath -ms --relative-to='$(1)' '$(prefix)'))
# $(call below,NAME,DIRECTORIES): the directories with NAME in place of the prefix.
below = $(patsubst $(prefix)/%,$(1)/%,$(patsubst $(prefix),$(1),$(2)))
# Files of pkg-config and CMake name the prefix relative to their own place, so that the
# installation can be moved.
PC_PREFIX = $(if $(call up,$(pkgconfigdir)),$${pcfiledir}/$(call up,$(pkgconfigdir)),$(prefix))
CMAKE_PREFIX = $(if $(call up,$(cmakedir)),$${CMAKE_CURRENT_LIST_DIR}/$(call up,$(cmakedir)),$(prefix))

$(STAGE)/apsp.pc: libapsp/apsp.pc.in libapsp/apsp.h FORCE
	@rm -f $@ && sed -e 's|@prefix@|$(PC_PREFIX)|' \
	    -e 's|@exec_prefix@|$(call below,$${prefix},$(exec_prefix))|' \
	    -e 's|@libdir@|$(call below,$${prefix},$(libdir))|' \
	    -e 's|@includedir@|$(call below,$${prefix},$(includedir))|' -e 's|@version@|$(APSP_VERSION)|' \
	    -e 's|@private@|$(API_LIBS)|' $< > $@

$(STAGE)/%.cmake: libapsp/%.cmake.in libapsp/apsp.h FORCE
	@rm -f $@ && sed -e 's|@prefix@|$(CMAKE_PREFIX)|' \
	    -e 's|@libdir@|$(call below,$${apsp_prefix},$(libdir))|' \
	    -e 's|@includedir@|$(call below,$${apsp_prefix},$(includedir))|' \
	    -e 's|@shared@|$(notdir $(SHARED_LIBRARY))|' -e 's|@soname@|$(SONAME)|' \
	    -e 's|@version@|$(APSP_VERSION)|' -e 's|@private@|-lz $(API_LIBS)|' $< > $@

# Where the Python package finds the library that it was installed with.
$(STAGE)/_installed.py: FORCE
	@rm -f $@ && echo 'LIBRARY = "$(libdir)/$(SONAME)"' > $@

.PHONY: FORCE
FORCE:

# Everything that is installed, as MODE:FILE:DIRECTORY/NAME. LINKS has the links, as
# TARGET:DIRECTORY/NAME.
INSTALLED = \
    $(foreach program,$(PROGRAMS),755:$(BIN)/$(program):$(bindir)/$(call installed,$(program))) \
    644:libapsp/apsp.h:$(includedir)/apsp.h \
    644:$(STATIC_LIBRARY):$(libdir)/$(notdir $(STATIC_LIBRARY)) \
    755:$(SHARED_LIBRARY):$(libdir)/$(notdir $(SHARED_LIBRARY)) \
    $(if $(filter 1,$(MPI)),755:$(MPI_MODULE):$(libdir)/apsp/$(notdir $(MPI_MODULE))) \
    644:$(STAGE)/apsp.pc:$(pkgconfigdir)/apsp.pc \
    $(foreach file,$(CMAKE_FILES),644:$(STAGE)/$(file):$(cmakedir)/$(file)) \
    $(foreach page,$(wildcard docs/man/*.1),644:$(page):$(mandir)/man1/$(notdir $(page))) \
    $(foreach file,$(wildcard docs/completion/apsp),644:$(file):$(bashcompdir)/apsp) \
    $(foreach file,$(wildcard python/apsp/*.py python/apsp/py.typed),644:$(file):$(pythondir)/apsp/$(notdir $(file))) \
    644:$(STAGE)/_installed.py:$(pythondir)/apsp/_installed.py \
    $(foreach file,LICENSE README.md $(wildcard CHANGELOG.md),644:$(file):$(docdir)/$(file)) \
    $(foreach file,$(wildcard docs/*.md docs/pictures/*.* docs/examples/*.*),644:$(file):$(docdir)/$(file)) \
    644:python/README.md:$(docdir)/python/README.md \
    $(foreach file,$(wildcard python/examples/*.*),644:$(file):$(docdir)/$(file))
# bash looks for completions by the program's name. Links make one file serve all programs.
COMPLETED = $(if $(wildcard docs/completion/apsp),$(filter-out apsp,$(call installed,$(PROGRAMS))))
LINKS = $(notdir $(SHARED_LIBRARY)):$(libdir)/$(SONAME) $(SONAME):$(libdir)/libapsp.so \
    $(foreach program,$(COMPLETED),apsp:$(bashcompdir)/$(program))

# Puts the library into the loader's cache, if there is one.
REFRESH_LOADER = if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig 2>/dev/null || true; fi

.PHONY: install
install: all $(STAGE)/apsp.pc $(CMAKE_FILES:%=$(STAGE)/%) $(STAGE)/_installed.py ## install programs (as apsp-...), library, manual pages, Python package; PREFIX=, DESTDIR=
	@for item in $(INSTALLED); do \
	    mode=$${item%%:*}; item=$${item#*:}; \
	    $(INSTALL) -D -m $$mode $${item%%:*} "$(DESTDIR)$${item#*:}" || exit; done
	@for item in $(LINKS); do ln -sf $${item%%:*} "$(DESTDIR)$${item#*:}" || exit; done
	@$(REFRESH_LOADER)
	@echo "Installed into $(DESTDIR)$(prefix): $(call installed,$(PROGRAMS)), libapsp"

.PHONY: install-strip
install-strip: install ## install, without what debuggers and nobody else needs
	@$(STRIP) $(foreach program,$(PROGRAMS),"$(DESTDIR)$(bindir)/$(call installed,$(program))")
	@$(STRIP) --strip-unneeded "$(DESTDIR)$(libdir)/$(notdir $(SHARED_LIBRARY))"
	@$(STRIP) --strip-debug --enable-deterministic-archives "$(DESTDIR)$(libdir)/$(notdir $(STATIC_LIBRARY))"

# For pip (python/packing/hook.py): python-library makes the library in the tree, for an editable
# package; python-wheel-library makes the one that goes into a wheel.
.PHONY: python-library python-wheel-library
python-library: $(SHARED_LIBRARY)

python-wheel-library: python-library
	@rm -rf build/wheel && mkdir -p build/wheel
	@$(STRIP) --strip-unneeded $(SHARED_LIBRARY) -o build/wheel/$(SONAME)

.PHONY: installcheck
installcheck: ## run what install installed, given the same PREFIX= and DESTDIR=, and link with it
	@CC='$(CC)' tests/installcheck.sh '$(APSP_VERSION)' "$(DESTDIR)$(bindir)" "$(DESTDIR)$(libdir)" \
	    "$(DESTDIR)$(pkgconfigdir)" '$(if $(call up,$(pkgconfigdir)),,$(DESTDIR))'

.PHONY: uninstall
uninstall: ## remove what install installed, given the same PREFIX= and DESTDIR=
	@for item in $(INSTALLED) $(LINKS); do rm -f "$(DESTDIR)$${item##*:}"; done
	@for directory in $(docdir) $(datadir)/apsp $(cmakedir); do \
	    if [ -d "$(DESTDIR)$$directory" ]; then find "$(DESTDIR)$$directory" -depth -type d -empty -delete; fi; done
	@$(REFRESH_LOADER)
