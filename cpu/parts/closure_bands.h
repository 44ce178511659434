// SPDX-License-Identifier: MIT
/* The closure of a matrix (closure.h) whose rows several processes share: blocked Floyd-Warshall
 * with the pivots' rows copied from their owner to all others.
 *
 * Bands of rows are assigned to the processes in turn. In the round of a band K, its owner closes
 * the square D on the diagonal, updates the band to R = D (x) A[K,:] and sends R to all. Every
 * other row i then becomes min(A[i,:], A[i,K] (x) R). The columns A[:,K] need no update of their
 * own, because D (x) D = D. The owner of the next band updates that one first and sends it, so that
 * the copy overlaps with the rest of the round. (Solomonik, Buluc and Demmel 2013 in one
 * dimension.) */
#ifndef CPU_PARTS_CLOSURE_BANDS_H
#define CPU_PARTS_CLOSURE_BANDS_H

#include "common/base/error.h"    // enum status, struct error
#include "common/base/progress.h" // struct progress
#include "cpu/parts/min_plus.h"   // struct min_plus
#include "ranks/claims.h"         // claims_stop, struct ranks

/* n rows in bands of `size` rows, of which the last may be smaller. There are `owners` processes:
 * band b belongs to process b mod owners, and `own` is this process. A process stores its own rows
 * one after the other. */
struct bands {
    int32_t n, size;
    int owners, own;
};

/* Returns bands of a size that is large enough for fast products and small enough for equal
 * shares. */
struct bands bands_choose(int32_t n, int owners, int own);

/* Returns how many rows a process owns. */
int32_t bands_rows(const struct bands *bands);

/* bands_row returns the row of the matrix that is this process's own row number k; bands_place
 * returns the number of a row of the matrix among the own rows, -1 if it belongs to another
 * process. */
int32_t bands_row(const struct bands *bands, int32_t k);
int32_t bands_place(const struct bands *bands, int32_t row);

/* Memory that closure_bands_find works with. */
struct closure_bands {
    struct bands bands;
    int threads;
    char *right[2]; /* the pivots' rows, packed: those of one band and of the next band */
    char *left;     /* the pivots' columns in own rows, packed */
    char *square, *square_left;
    char *scratch; /* scratch memory of all threads */
    void *inner;   /* workspace of closure_find */
    void *memory;
};

/* Allocates the memory for at most `threads` threads; the caller frees with closure_bands_close.
 * STATUS_NO_RESOURCE if there is not enough memory. */
enum status closure_bands_open(struct closure_bands *c, const struct bands *bands, int threads,
                               struct error *err);

/* Safe on a zeroed struct; leaves it zeroed. */
void closure_bands_close(struct closure_bands *c);

/* Returns the bytes that closure_bands_open allocates. */
uint64_t closure_bands_memory(const struct bands *bands, int threads);

/* Turns lengths into distances, as closure_find does, where `cells` are a process's own rows with
 * leading dimension ld. All processes call it together, with kernels of the same instruction set
 * and width. If progress says to stop in one of them, that one fails with STATUS_CANCELLED, and so
 * do all others unless only the last round is left; the cells are garbage then. Fails with
 * STATUS_NO_RESOURCE if a process cannot be reached. */
enum status closure_bands_find(const struct closure_bands *c, const struct min_plus *kernel,
                               void *cells, size_t ld, const struct ranks *ranks,
                               struct progress *progress, struct error *err);

#endif
