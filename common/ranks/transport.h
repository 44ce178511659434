// SPDX-License-Identifier: MIT
/* What a module that carries bytes between processes offers: the one for MPI is mpi_module.c. It is
 * loaded only if a launcher has started the process, so that nobody else needs MPI. */
#ifndef COMMON_RANKS_TRANSPORT_H
#define COMMON_RANKS_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

enum { RANKS_TRANSPORT_VERSION = 3 };

/* The module exports one of these under this name. */
#define RANKS_TRANSPORT_SYMBOL "apsp_ranks_transport"

/* Functions return 0 or a code that explain() puts into words. Only one thread is inside of them at
 * a time. Sizes are in bytes. */
struct ranks_transport {
    int version; /* RANKS_TRANSPORT_VERSION */
    /* Joins the processes that were started together; `here` are those of the same host. */
    int (*begin)(int *rank, int *count, int *rank_here, int *count_here);
    void (*end)(void);
    void (*give_up)(void); /* ends all processes at once, after a failure of a function below */
    int (*send)(const void *data, size_t size, int to);
    int (*receive)(void *data, size_t size, int from);
    /* All ranks call both, for one copy after the other: begins to copy bytes of rank `from` to
     * all, and tells whether this rank's part in it is done. The copy goes on while ranks ask. */
    int (*copy_begin)(void *data, size_t size, int from);
    int (*copy_test)(int *done);
    /* Words of 64 bits at rank 0, all of them 0, that every rank can change. All ranks call open
     * and close. */
    int (*words_open)(size_t count);
    int (*words_or)(size_t word, uint64_t bits, uint64_t *before);
    int (*words_add)(size_t word, uint64_t number, uint64_t *before);
    int (*words_close)(void);
    void (*explain)(int code, char *text, size_t size);
};

#endif
