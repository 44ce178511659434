// SPDX-License-Identifier: MIT
/* What a module that carries bytes between processes offers: the one for MPI is mpi_module.c. It is
 * loaded only if a launcher has started the process, so that nobody else needs MPI. */
#ifndef COMMON_RANKS_TRANSPORT_H
#define COMMON_RANKS_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

enum { RANKS_TRANSPORT_VERSION = 4 };

/* The module exports one of these under this name. */
#define RANKS_TRANSPORT_SYMBOL "apsp_ranks_transport"

/* Begins to carry bytes in the background. */
typedef int ranks_transfer(void *data, size_t size, int rank);

/* Functions return 0 or a code that explain() puts into words. Only one thread is inside of them at
 * a time. Sizes are in bytes. */
struct ranks_transport {
    int version; /* RANKS_TRANSPORT_VERSION */
    /* Joins the processes that were started together; `here` are those of the same host. */
    int (*begin)(int *rank, int *count, int *rank_here, int *count_here);
    void (*end)(void);
    void (*give_up)(void); /* ends all processes at once, in any thread at any time */
    /* One transfer is under way at a time. test() tells whether this rank's part in it is done; it
     * goes on while ranks ask. */
    ranks_transfer *send;    /* to a rank, which receives it */
    ranks_transfer *receive; /* from a rank */
    ranks_transfer *copy;    /* from a rank to all, which all call */
    ranks_transfer *meet;    /* done when all have called it; carries nothing */
    int (*test)(int *done);
    /* Words of 64 bits at rank 0, all of them 0, that every rank can change. All ranks call open
     * and close at about the same time. */
    int (*words_open)(size_t count);
    int (*words_or)(size_t word, uint64_t bits, uint64_t *before);
    int (*words_add)(size_t word, uint64_t number, uint64_t *before);
    int (*words_close)(void);
    /* Signs of life, which do not wait: sends one unless the last one to that rank is still under
     * way; and stores whose sign has come, once for each, or -1. */
    int (*beat)(int to);
    int (*heard)(int *from);
    void (*explain)(int code, char *text, size_t size);
};

#endif
