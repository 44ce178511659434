// SPDX-License-Identifier: MIT
/* Goes on with NumPy files of rows that an earlier run left unfinished, and keeps finished rows for
 * a later one (common/rows/partial.h). */
#ifndef JOB_RESUME_H
#define JOB_RESUME_H

#include "common/rows/partial.h"   // struct partial
#include "common/rows/rest_sink.h" // struct rest_sink
#include "common/rows/row_files.h" // struct row_files
#include "solve/solve.h"           // struct solver, struct solver_variant

#include <stdbool.h>

/* Everything that the bytes of the files depend on. The files of an earlier run are completed if it
 * had the same request. */
struct resume_request {
    const struct solver *solver;          /* the table that has the variant */
    const struct solver_variant *variant; /* the variant that was asked for */
    int tile;                             /* side of a tile in vertices; 0: the variant has none */
    const struct graph *graph;
    const struct vertex_list *sources; /* vertices of the rows; vertex NULL: every vertex */
    const struct vertex_list *targets; /* vertices of the columns; vertex NULL: every vertex */
    double limit;                      /* greatest distance that is wanted; NO_LIMIT: any */
    bool with_pred;                    /* predecessors are written, too */
    bool proves;                       /* rows are proved */
    bool hands_kept_on; /* the sink needs rows that are kept, too, not the rest only */
    enum npy_type type; /* type of distances in the files */
    int threads;        /* number of threads; 0: one per core */
};

struct resume {
    struct resume_request request;
    struct partial partial; /* folder of the rows that are kept */
    struct rest_sink rest;  /* hands on the rows that are not kept */
};

/* Returns how many bytes of memory the functions below take at most. Reads of the request only the
 * numbers and flags, not the graph. */
uint64_t resume_memory(const struct resume_request *request, enum number_type type, int32_t n,
                       int32_t rows);

/* Returns whether PREFIX.partial keeps rows of the graph of int32 as int64, because an earlier run
 * found a distance that int32 has no room for. */
bool resume_keeps_long(const char *prefix, const struct graph *g);

/* Opens the folder of kept rows, PREFIX.partial, for a request whose pointers outlive it.
 * STATUS_BAD_INPUT if the folder keeps rows of another request. The caller frees with resume_close,
 * after the files have been closed, also after a failure. */
enum status resume_open(struct resume *resume, const char *prefix,
                        const struct resume_request *request, struct error *err);

/* Finds the rows that are kept, with `files` open, and prepares resume->rest to hand the others on
 * to `to`. Stores the variant that must solve for them: if it is another one than was asked for,
 * the rows that are kept are its rows. STATUS_BAD_INPUT if the solver does not have it. */
enum status resume_begin(struct resume *resume, struct row_files *files, struct row_sink *to,
                         struct progress *progress, const struct solver_variant **variant,
                         struct error *err);

/* Notes that a variant is going to solve (on_variant of struct solve_request, whose context is the
 * struct resume): if predecessors are wanted, other variants cannot go on with its rows. */
void resume_note_variant(void *resume, const struct solver_variant *taken);

/* Says that the rows which are kept are of no use any more: resume_close removes them. */
void resume_discard(struct resume *resume);

/* Safe on a zeroed struct; leaves it zeroed. */
void resume_close(struct resume *resume);

#endif
