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
for density in 1% 60%; do
    "$programs/graphgen" --v 520 --density "$density" --seed 1 -o graph >/dev/null 2>&1
    "$programs/cpu" --list-variants | while read -r variant _; do
        "$programs/cpu" graph --variant "$variant" --threads 4 --check --format npy >log 2>&1 ||
            { cat log; echo "$variant: a data race or another failure"; exit 1; }
        grep -q 'Archer detected OpenMP application with TSan' log ||
            { echo "$variant: Archer is not at work: ThreadSanitizer's findings mean nothing"; exit 1; }
        echo "$variant, density $density: no races"
    done
done
# Rows that go to files while they are computed, and to measures.
"$programs/graphgen" --v 3000 --edges 9000 --weights 0:3 -o graph >/dev/null 2>&1
for variant in multisource dissection; do
    "$programs/cpu" graph --variant "$variant" --threads 4 --check --measures=measured --format npy \
        -o rows >log 2>&1 || { cat log; echo "$variant: a data race or another failure"; exit 1; }
    echo "$variant, rows to files and measures: no races"
    "$programs/cpu" graph --variant "$variant" --threads 4 --check --targets 0-1999 --format npz \
        -o sparse >log 2>&1 || { cat log; echo "$variant: a data race or another failure"; exit 1; }
    echo "$variant, columns of rows to a sparse matrix: no races"
done
# Classes of proportional rows, which all threads add to the same tables.
"$programs/graphgen" --v 14000 --family road -o graph >/dev/null 2>&1
"$programs/cpu" graph --variant dissection --threads 4 --measures --omit harmonic,histogram >log 2>&1 ||
    { cat log; echo "proportional rows: a data race or another failure"; exit 1; }
echo "dissection, proportional rows: no races"
# Trees of elimination, of which threads take a few positions at a time.
"$programs/graphgen" --v 900 --family road -o graph >/dev/null 2>&1
"$1/small/cpu" graph --variant dissection --threads 4 --check --format npy >log 2>&1 ||
    { cat log; echo "trees of elimination: a data race or another failure"; exit 1; }
echo "dissection, small chunks: no races"
# Processes that claim rows of one another, and bands of a matrix that they send, beside signs of life.
if [ -e "$1/lib/apsp_mpi.so" ]; then
    "$programs/graphgen" --v 613 --density 5% -o graph >/dev/null 2>&1
    for variant in johnson blocked; do
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
            mpirun -np 2 "$programs/cpu" graph --variant "$variant" --threads 2 --check --format npy >log 2>&1 ||
            { cat log; echo "$variant, two processes: a data race or another failure"; exit 1; }
        echo "$variant, two processes: no races"
    done
fi
timeout 300 "$tests/races" result >log 2>&1 || { cat log; echo "library: a data race or another failure"; exit 1; }
echo "library, four threads: no races"
