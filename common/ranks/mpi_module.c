// SPDX-License-Identifier: MIT
/* The module that carries bytes between ranks by MPI (transport.h), compiled by mpicc. */
#include "common/ranks/transport.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static MPI_Win window = MPI_WIN_NULL;
static MPI_Request request = MPI_REQUEST_NULL; /* of the copy */

#define CALL(call)                                                                                 \
    do {                                                                                           \
        const int code_of_call = (call);                                                           \
        if (code_of_call != MPI_SUCCESS)                                                           \
            return code_of_call;                                                                   \
    } while (0)

/* Calls take an int of bytes. */
enum { PART = 1 << 30 };

static int part(size_t size, size_t done) {
    return size - done < PART ? (int)(size - done) : PART;
}

static int begin(int *rank, int *count, int *rank_here, int *count_here) {
    MPI_Comm here;
    int provided;
    CALL(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (provided < MPI_THREAD_SERIALIZED)
        return MPI_ERR_OTHER;
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, rank));
    CALL(MPI_Comm_size(MPI_COMM_WORLD, count));
    CALL(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, *rank, MPI_INFO_NULL, &here));
    CALL(MPI_Comm_rank(here, rank_here));
    CALL(MPI_Comm_size(here, count_here));
    return MPI_Comm_free(&here);
}

static void end(void) {
    int ended = 0;
    if (MPI_Finalized(&ended) == MPI_SUCCESS && !ended)
        MPI_Finalize();
}

static void give_up(void) {
    enum { NO_RESOURCE = 4 }; /* exit status */
    MPI_Abort(MPI_COMM_WORLD, NO_RESOURCE);
}

static int send(const void *data, size_t size, int to) {
    for (size_t done = 0; done < size; done += PART)
        CALL(
            MPI_Send((const char *)data + done, part(size, done), MPI_BYTE, to, 0, MPI_COMM_WORLD));
    return 0;
}

static int receive(void *data, size_t size, int from) {
    for (size_t done = 0; done < size; done += PART)
        CALL(MPI_Recv((char *)data + done, part(size, done), MPI_BYTE, from, 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    return 0;
}

/* All parts but the last at once, and that one in the background. */
static int copy_begin(void *data, size_t size, int from) {
    size_t done = 0;
    for (; size - done > PART; done += PART)
        CALL(MPI_Bcast((char *)data + done, PART, MPI_BYTE, from, MPI_COMM_WORLD));
    return MPI_Ibcast((char *)data + done, (int)(size - done), MPI_BYTE, from, MPI_COMM_WORLD,
                      &request);
}

static int copy_test(int *done) {
    return MPI_Test(&request, done, MPI_STATUS_IGNORE);
}

static int words_open(size_t count) {
    int rank;
    void *words = NULL;
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    const MPI_Aint size = rank == 0 ? (MPI_Aint)(count * sizeof(uint64_t)) : 0;
    CALL(MPI_Win_allocate(size, sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &words, &window));
    CALL(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    CALL(MPI_Win_lock_all(0, window));
    if (rank == 0)
        memset(words, 0, (size_t)size);
    CALL(MPI_Win_sync(window));
    return MPI_Barrier(MPI_COMM_WORLD);
}

static int words_or(size_t word, uint64_t bits, uint64_t *before) {
    CALL(MPI_Fetch_and_op(&bits, before, MPI_UINT64_T, 0, (MPI_Aint)word, MPI_BOR, window));
    return MPI_Win_flush(0, window);
}

static int words_add(size_t word, uint64_t number, uint64_t *before) {
    CALL(MPI_Fetch_and_op(&number, before, MPI_UINT64_T, 0, (MPI_Aint)word, MPI_SUM, window));
    return MPI_Win_flush(0, window);
}

static int words_close(void) {
    CALL(MPI_Win_unlock_all(window));
    return MPI_Win_free(&window);
}

static void explain(int code, char *text, size_t size) {
    char all[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, all, &length) != MPI_SUCCESS)
        length = 0;
    snprintf(text, size, "MPI: %.*s", length, all);
}

__attribute__((visibility("default"))) const struct ranks_transport apsp_ranks_transport = {
    .version = RANKS_TRANSPORT_VERSION,
    .begin = begin,
    .end = end,
    .give_up = give_up,
    .send = send,
    .receive = receive,
    .copy_begin = copy_begin,
    .copy_test = copy_test,
    .words_open = words_open,
    .words_or = words_or,
    .words_add = words_add,
    .words_close = words_close,
    .explain = explain,
};
