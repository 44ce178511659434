#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing on a Debian or Ubuntu machine; does nothing where
# nothing is. Usage: install_deps.sh build|test|peers|package|notebook|experiments|figures|lint|fuzz|coverage|races|hip|mpi|cache|bare...
#
# Each requirement is a test that it is there and the package that brings it, so
# that what was installed in another way counts too.
set -eu

missing=

# need PACKAGE TEST...: the package is missing where the test fails.
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

have_header() {
    echo "#include <$1>" | "${CC:-cc}" -E -x c -
}

have_amd() {
    have_header amd.h || have_header suitesparse/amd.h
}

links() {
    compiler=$1
    shift
    echo 'int main(void) { return 0; }' | "$compiler" -x c - "$@" -o /dev/null
}

for group in "$@"; do
    case $group in
    build)
        need gcc command -v "${CC:-cc}"
        need make command -v make
        need libc6-dev have_header stdio.h
        need zlib1g-dev have_header zlib.h
        # Nothing but files that xz or bzip2 has compressed needs these: LZMA=0, BZIP2=0.
        [ "${LZMA:-1}" = 0 ] || need liblzma-dev have_header lzma.h
        [ "${BZIP2:-1}" = 0 ] || need libbz2-dev have_header bzlib.h
        # Nothing but cpu's variant dissection needs it: AMD=0 builds without.
        [ "${AMD:-1}" = 0 ] || need libsuitesparse-dev have_amd
        case ${CC:-cc} in *clang*) need libomp-dev links "$CC" -fopenmp ;; esac
        ;;
    test)
        need g++ command -v "${CXX:-c++}"
        need libcunit1-dev have_header CUnit/CUnit.h
        need pkg-config command -v pkg-config
        need python3 command -v "${PYTHON:-python3}"
        need mandoc command -v mandoc
        need xz-utils command -v xz
        need bzip2 command -v bzip2
        ;;
    peers)
        # Peers that tests/e2e/test_peers.py, test_measures.py and test_python_accessibility.py and
        # experiments/suites/bench_cpu.py compare with; skipped where it is missing.
        need python3-scipy "${PYTHON:-python3}" -c 'import scipy.sparse.csgraph'
        need python3-networkx "${PYTHON:-python3}" -c 'import networkx'
        need python3-matplotlib "${PYTHON:-python3}" -c 'import matplotlib'
        need python3-igraph "${PYTHON:-python3}" -c 'import igraph'
        need python3-pandas "${PYTHON:-python3}" -c 'import pandas'
        need libboost-dev have_header boost/version.hpp
        ;;
    package)
        # With which tests/e2e/test_wheel.py builds and installs the Python package; skipped where it
        # is missing.
        need python3-numpy "${PYTHON:-python3}" -c 'import numpy'
        need python3-pip "${PYTHON:-python3}" -c 'import pip'
        need python3-venv "${PYTHON:-python3}" -c 'import ensurepip'
        ;;
    notebook)
        # With which tests/e2e/test_python_examples.py draws maps and runs a notebook; skipped where it is missing.
        need python3-scipy "${PYTHON:-python3}" -c 'import scipy.sparse'
        need python3-matplotlib "${PYTHON:-python3}" -c 'import matplotlib'
        need python3-nbclient "${PYTHON:-python3}" -c 'import nbclient'
        need python3-ipykernel "${PYTHON:-python3}" -c 'import ipykernel'
        ;;
    experiments)
        need python3 command -v "${PYTHON:-python3}"
        ;;
    figures)
        need python3 command -v "${PYTHON:-python3}"
        need gnuplot-nox command -v gnuplot
        ;;
    coverage)
        need llvm command -v llvm-cov
        ;;
    fuzz)
        need python3 command -v "${PYTHON:-python3}"
        need clang command -v clang
        need libomp-dev links clang -fopenmp
        ;;
    lint)
        need clang-format command -v clang-format
        need cppcheck command -v cppcheck
        need shellcheck command -v shellcheck
        need clang command -v clang
        need libomp-dev links clang -fopenmp
        ;;
    hip)
        need hipcc command -v "${HIPCC:-hipcc}"
        need libamdhip64-dev have_header hip/hip_version.h
        ;;
    races)
        need clang command -v clang
        need libomp-dev links clang -fopenmp
        ;;
    mpi) # to compile the module with which processes divide rows, and to test it
        need libopenmpi-dev command -v "${MPICC:-mpicc}"
        need openmpi-bin command -v mpirun
        ;;
    cache) # of what a compiler has made: Debian's has links in /usr/lib/ccache
        need ccache command -v ccache
        ;;
    bare) # to make the machine of .ci/fresh
        need debootstrap command -v debootstrap
        need debian-archive-keyring test -e /usr/share/keyrings/debian-archive-keyring.gpg
        need util-linux command -v unshare
        ;;
    *)
        echo "install_deps.sh: expected build, test, peers, package, notebook, experiments, figures, lint, fuzz, coverage, races, hip, mpi, cache or bare, found '$group'" >&2
        exit 2
        ;;
    esac
done

[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing:$missing (Debian's names). Install them, then run make again." >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo=sudo # may ask for the password on a terminal
else
    echo "Missing:$missing. Run this, then make again:" >&2
    echo "    sudo apt-get update && sudo $install" >&2
    exit 1
fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# The package lists of a new machine may be empty or old: fetch them once.
# shellcheck disable=SC2086 # words are meant to split
$sudo $install >/dev/null 2>&1 || { $sudo apt-get update -qq && $sudo $install; }
