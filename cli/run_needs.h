// SPDX-License-Identifier: MIT
/* Memory and disk that a run needs, as far as they do not depend on the variant. The solvers
 * refuse by it what does not fit, and apsp predicts by it. */
#ifndef CLI_RUN_NEEDS_H
#define CLI_RUN_NEEDS_H

#include "cli/solver_report.h"  // struct solver_arguments
#include "common/base/memory.h" // struct memory_part
#include "solve/solve.h"        // struct run_memory

enum { RUN_TURNS = 7, RUN_PARTS = 3 };

struct run_needs {
    int32_t n;             /* vertices of the graph */
    int32_t rows, columns; /* of the answer */
    bool pred;
    bool streams; /* rows go to files or measures as they come, and no matrix is kept */
    bool at_once; /* it streams, or blocks of rows lose columns: see below */
    /* Bytes of memory. What proving, writing and measuring take, they take in their turn, or at
     * once while it solves. */
    uint64_t matrices, graph;
    struct memory_part turns[RUN_TURNS];
    uint64_t disk; /* bytes of the files that it writes, at most; of text a guess, by the graph's
                      size */
};

/* Finds what a run for a graph of that size takes. Of the graph only n, m and type are read. */
void run_needs_find(const struct solver_arguments *a, const struct graph *g, int32_t rows,
                    int32_t columns, struct run_needs *needs);

/* Stores the parts of the memory, for messages, when the solve takes `solve` bytes. *most is set to
 * the largest part beside graph and matrices. */
void run_needs_parts(const struct run_needs *needs, uint64_t solve,
                     struct memory_part parts[RUN_PARTS], uint64_t *most);

/* Returns the same sum for any solve, beside `held` bytes, those of the graph included. */
struct run_memory run_needs_memory(const struct run_needs *needs, uint64_t held);

/* Returns how many bytes are free in the file systems of all files that a run writes; UINT64_MAX if
 * it writes none, or to streams. *folder is the one of the least, or "". */
uint64_t run_needs_free_disk(const struct solver_arguments *a, char *folder, size_t size);

#endif
