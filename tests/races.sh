#!/bin/sh
# SPDX-License-Identifier: MIT
# Looks for data races in the OpenMP code of `cpu`, every variant on four threads, checked and
# written, and in the library used by four threads, under ThreadSanitizer. Usage: races.sh FOLDER,
# of a build with BUILD=tsan.
#
# ThreadSanitizer knows of OpenMP's barriers only through Archer, and sees no vectors of more than 16
# bytes, so that the portable kernels stand for all: the instruction sets share everything outside.
# Graphs are so large that `blocked` passes over its matrix twice and the result's files are written at
# the same time, and the denser one that several threads lay it out for `multisource`.
set -eu

programs=$1/bin tests=$1/tests
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

export OMP_TOOL_LIBRARIES=libarcher.so ARCHER_OPTIONS=verbose=1 APSP_SIMD=portable
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
cd "$folder"

# Returns whether all that ThreadSanitizer has found lies in memory that the runtime gives to one task after another: Archer does
# not tell it when.
is_of_runtime() {
    found=$(grep -c 'WARNING: ThreadSanitizer: data race' log) || return 1
    [ "$found" -eq "$(grep -A 2 'Location is heap block' log | grep -c '#1 <null> <null> (libomp')" ]
}

# look WHAT COMMAND...: runs it, up to three times if what is found is of the runtime.
look() {
    what=$1 left=3
    shift
    until "$@" >log 2>&1; do
        left=$((left - 1))
        { [ "$left" -gt 0 ] && is_of_runtime; } || { cat log; echo "$what: a data race or another failure"; exit 1; }
    done
    echo "$what: no races"
}

for density in 1% 60%; do
    "$programs/graphgen" --v 520 --density "$density" --seed 1 -o graph >/dev/null 2>&1
    "$programs/cpu" --list-variants | while read -r variant _; do
        look "$variant, density $density" "$programs/cpu" graph --variant "$variant" --threads 4 --check --format npy
        grep -q 'Archer detected OpenMP application with TSan' log ||
            { echo "$variant: Archer is not at work: ThreadSanitizer's findings mean nothing"; exit 1; }
    done
done
# Rows that go to files while they are computed, and to measures.
"$programs/graphgen" --v 3000 --edges 9000 --weights 0:3 -o graph >/dev/null 2>&1
for variant in multisource dissection; do
    look "$variant, rows to files and measures" "$programs/cpu" graph --variant "$variant" --threads 4 --check \
        --measures=measured --format npy -o rows
    look "$variant, columns of rows to a sparse matrix" "$programs/cpu" graph --variant "$variant" --threads 4 --check \
        --targets 0-1999 --format npz -o sparse
done
# Classes of proportional rows, which all threads add to the same tables.
"$programs/graphgen" --v 14000 --family road -o graph >/dev/null 2>&1
look "dissection, proportional rows" "$programs/cpu" graph --variant dissection --threads 4 --measures \
    --omit harmonic,histogram
# Trees of elimination, of which threads take a few positions at a time.
"$programs/graphgen" --v 900 --family road -o graph >/dev/null 2>&1
look "dissection, small chunks" "$1/small/cpu" graph --variant dissection --threads 4 --check --format npy
# Processes that claim rows of one another, and bands of a matrix that they send, beside signs of life.
if [ -e "$1/lib/apsp_mpi.so" ]; then
    "$programs/graphgen" --v 613 --density 5% -o graph >/dev/null 2>&1
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    for variant in johnson blocked; do
        look "$variant, two processes" mpirun -np 2 "$programs/cpu" graph --variant "$variant" --threads 2 --check --format npy
    done
fi
look "library, four threads" timeout 300 "$tests/races" result
