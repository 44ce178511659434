// SPDX-License-Identifier: MIT
/* Functions of a module that carries bytes between processes: the one for MPI is mpi_module.c. It
 * is loaded only if a launcher has started the process, so that nobody else needs MPI. */
#ifndef RANKS_TRANSPORT_H
#define RANKS_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

enum { RANKS_TRANSPORT_VERSION = 5 };

/* The module exports one of these under this name. */
#define RANKS_TRANSPORT_SYMBOL "apsp_ranks_transport"

/* Begins to carry bytes in the background. */
typedef int ranks_transfer(void *data, size_t size, int rank);

/* Messages of ranks to one another while they work. */
enum ranks_note_kind { NOTE_ALIVE, NOTE_CLAIM, NOTE_CLAIMED, NOTE_STOP, NOTE_KINDS };

struct ranks_note {
    uint32_t kind;  /* enum ranks_note_kind */
    uint32_t round; /* of claims */
    int64_t word[3];
};

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
    /* Notes, apart from transfers: neither function waits. post() sends one unless the last one of
     * that kind to that rank has not been received yet; *posted tells. take() stores the next one
     * that has come and whose it is, or -1. */
    int (*post)(int to, const struct ranks_note *note, int *posted);
    int (*take)(int *from, struct ranks_note *note);
    void (*explain)(int code, char *text, size_t size);
};

#endif
