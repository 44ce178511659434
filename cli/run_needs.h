// SPDX-License-Identifier: MIT
/* Memory and disk that a run needs, as far as they do not depend on the variant: solvers refuse a
 * run that does not fit, and apsp predicts with them. */
#ifndef CLI_RUN_NEEDS_H
#define CLI_RUN_NEEDS_H

#include "cli/solver_report.h"  // struct solver_arguments
#include "common/base/memory.h" // struct memory_part
#include "solve/solve.h"        // struct run_memory

enum { RUN_TURNS = 7, RUN_PARTS = 3 };

struct run_needs {
    int32_t n;             /* vertices of the graph */
    int32_t rows, columns; /* rows and columns of the answer */
    bool pred;
    bool streams; /* rows go to files or measures as they come, and no matrix is kept */
    bool at_once; /* it streams, or selects columns: sinks take rows while it solves */
    /* bytes of memory for the matrices and the graph. Proving, writing, measuring and so on need
     * the bytes of `turns`: one after the other or, if at_once, all during the solve. */
    uint64_t matrices, graph;
    struct memory_part turns[RUN_TURNS];
    uint64_t disk; /* most bytes of the files that the run writes; for text an estimate from the
                      number of vertices */
};

/* Finds the memory and disk that a run takes. Of the graph only n, m and type are read. */
void run_needs_find(const struct solver_arguments *a, const struct graph *g, int32_t rows,
                    int32_t columns, struct run_needs *needs);

/* Stores the parts of the memory, for messages, if the solve itself takes `solve` bytes. *most gets
 * the most bytes at any time beside the graph and the matrices. */
void run_needs_parts(const struct run_needs *needs, uint64_t solve,
                     struct memory_part parts[RUN_PARTS], uint64_t *most);

/* Returns the memory that any variant must leave for the run: `held` bytes, those of the graph
 * included, and the needs. */
struct run_memory run_needs_memory(const struct run_needs *needs, uint64_t held);

/* Returns how many bytes are free in the fullest file system that a run writes files to, and stores
 * the folder there. UINT64_MAX, and "" for the folder, if the run writes no files, or only to
 * streams. */
uint64_t run_needs_free_disk(const struct solver_arguments *a, char *folder, size_t size);

#endif
