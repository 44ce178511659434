// SPDX-License-Identifier: MIT
/* Functions of a module that carries bytes between processes; mpi_module.c is the module for MPI. A
 * module is loaded only if a launcher has started the process, so that other processes do not need
 * MPI. */
#ifndef RANKS_TRANSPORT_H
#define RANKS_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

enum { RANKS_TRANSPORT_VERSION = 5 };

/* Name under which a module exports its struct ranks_transport. */
#define RANKS_TRANSPORT_SYMBOL "apsp_ranks_transport"

/* Begins to carry `size` bytes in the background. */
typedef int ranks_transfer(void *data, size_t size, int rank);

/* Kinds of notes, messages that ranks send one another while they work. */
enum ranks_note_kind { NOTE_ALIVE, NOTE_CLAIM, NOTE_CLAIMED, NOTE_STOP, NOTE_KINDS };

struct ranks_note {
    uint32_t kind;  /* enum ranks_note_kind */
    uint32_t round; /* number of times that claims have been opened */
    int64_t word[3];
};

/* Functions return 0 or a code that explain() puts into words. Only one thread at a time calls
 * them. Sizes are in bytes. */
struct ranks_transport {
    int version; /* RANKS_TRANSPORT_VERSION */
    /* Joins the processes that were started together. rank_here and count_here are among those on
     * the same host. */
    int (*begin)(int *rank, int *count, int *rank_here, int *count_here);
    void (*end)(void);
    void (*give_up)(void); /* ends all processes at once, in any thread at any time */
    /* Only one transfer runs at a time. test() tells whether this rank's part in it is done; the
     * transfer may advance only when ranks call test(). */
    ranks_transfer *send;    /* to a rank, which has to call receive */
    ranks_transfer *receive; /* from a rank */
    ranks_transfer *copy;    /* from a rank to all; all ranks call it */
    ranks_transfer *meet;    /* carries no bytes; done when all ranks have called it */
    int (*test)(int *done);
    /* Notes are independent of transfers; neither function waits. post() sends a note unless the
     * last one of that kind to that rank has not been received yet, and stores in *posted whether
     * it did. take() stores the next note that has come and its sender; -1: none has come. */
    int (*post)(int to, const struct ranks_note *note, int *posted);
    int (*take)(int *from, struct ranks_note *note);
    void (*explain)(int code, char *text, size_t size);
};

#endif
