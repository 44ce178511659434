// SPDX-License-Identifier: MIT
/* The module that carries bytes between ranks by MPI (transport.h), compiled by mpicc. */
#include "ranks/transport.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CALL(call)                                                                                 \
    do {                                                                                           \
        const int code_of_call = (call);                                                           \
        if (code_of_call != MPI_SUCCESS)                                                           \
            return code_of_call;                                                                   \
    } while (0)

/* Notes have a communicator of their own. posted_note keeps the last note of each kind to each rank
 * until it has been received. */
static MPI_Comm notes = MPI_COMM_NULL;
static struct ranks_note *posted_note;
static MPI_Request *post_request;
static int places; /* number of entries of posted_note and post_request */

/* The current transfer. It is done in parts, because MPI counts bytes by an int. */
enum { PART = 1 << 30 };

static struct {
    int (*begin_part)(char *data, int size, int rank);
    char *data;
    size_t size, done;
    int rank;
} transfer;
static MPI_Request request = MPI_REQUEST_NULL;

static int make_places(int count) {
    posted_note = malloc((size_t)count * sizeof *posted_note);
    post_request = malloc((size_t)count * sizeof *post_request);
    if (posted_note == NULL || post_request == NULL)
        return MPI_ERR_NO_MEM;
    for (places = 0; places < count; places++)
        post_request[places] = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
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
    CALL(MPI_Comm_free(&here));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &notes));
    return make_places(*count * NOTE_KINDS);
}

/* Ends this process. If it has not met the others yet, the launcher ends them, too. */
static void give_up(void) {
    enum { NO_RESOURCE = 4 }; /* exit status */
    int begun = 0;
    signal(SIGALRM, SIG_DFL);
    alarm(10); /* seconds until the process ends even if MPI_Abort does not return */
    if (MPI_Initialized(&begun) == MPI_SUCCESS && begun)
        MPI_Abort(MPI_COMM_WORLD, NO_RESOURCE);
    _exit(NO_RESOURCE);
}

/* Transfers --------------------------------------------------------------------------------------
 */

static int send_part(char *data, int size, int to) {
    return MPI_Isend(data, size, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
}

static int receive_part(char *data, int size, int from) {
    return MPI_Irecv(data, size, MPI_BYTE, from, 0, MPI_COMM_WORLD, &request);
}

static int copy_part(char *data, int size, int from) {
    return MPI_Ibcast(data, size, MPI_BYTE, from, MPI_COMM_WORLD, &request);
}

static int begin_next_part(void) {
    const size_t left = transfer.size - transfer.done, now = left < PART ? left : PART;
    char *const data = transfer.data + transfer.done;
    transfer.done += now;
    return transfer.begin_part(data, (int)now, transfer.rank);
}

static int begin_transfer(int (*begin_part)(char *data, int size, int rank), void *data,
                          size_t size, int rank) {
    transfer.begin_part = begin_part;
    transfer.data = data;
    transfer.size = size;
    transfer.done = 0;
    transfer.rank = rank;
    return begin_next_part();
}

static int send(void *data, size_t size, int to) {
    return begin_transfer(send_part, data, size, to);
}

static int receive(void *data, size_t size, int from) {
    return begin_transfer(receive_part, data, size, from);
}

static int copy(void *data, size_t size, int from) {
    return begin_transfer(copy_part, data, size, from);
}

static int meet(void *data, size_t size, int rank) {
    (void)data, (void)size, (void)rank;
    transfer.size = transfer.done = 0;
    return MPI_Ibarrier(MPI_COMM_WORLD, &request);
}

static int test(int *done) {
    CALL(MPI_Test(&request, done, MPI_STATUS_IGNORE));
    if (!*done || transfer.done == transfer.size)
        return MPI_SUCCESS;
    *done = 0;
    return begin_next_part();
}

/* Notes ------------------------------------------------------------------------------------------
 */

/* The send is synchronous, so that the request tells whether the note has been received. */
static int post(int to, const struct ranks_note *note, int *posted) {
    const int place = to * NOTE_KINDS + (int)note->kind;
    CALL(MPI_Test(&post_request[place], posted, MPI_STATUS_IGNORE));
    if (!*posted)
        return MPI_SUCCESS;
    posted_note[place] = *note;
    return MPI_Issend(&posted_note[place], sizeof *note, MPI_BYTE, to, 0, notes,
                      &post_request[place]);
}

static int take(int *from, struct ranks_note *note) {
    MPI_Status status;
    int is_there;
    *from = -1;
    CALL(MPI_Iprobe(MPI_ANY_SOURCE, 0, notes, &is_there, &status));
    if (!is_there)
        return MPI_SUCCESS;
    CALL(MPI_Recv(note, sizeof *note, MPI_BYTE, status.MPI_SOURCE, 0, notes, MPI_STATUS_IGNORE));
    *from = status.MPI_SOURCE;
    return MPI_SUCCESS;
}

static int have_been_received(int *all) {
    *all = 1;
    for (int place = 0; place < places && *all; place++)
        CALL(MPI_Test(&post_request[place], all, MPI_STATUS_IGNORE));
    return MPI_SUCCESS;
}

/* Receives notes that are still on their way. When its own notes have been received, this rank
 * enters a barrier; when all ranks have entered, no notes are left. */
static int take_last_notes(void) {
    MPI_Request barrier = MPI_REQUEST_NULL;
    struct ranks_note note;
    int from, received = 0, all_received = 0;
    while (!all_received) {
        CALL(take(&from, &note));
        if (received) {
            CALL(MPI_Test(&barrier, &all_received, MPI_STATUS_IGNORE));
        } else {
            CALL(have_been_received(&received));
            if (received)
                CALL(MPI_Ibarrier(notes, &barrier));
        }
    }
    return MPI_Comm_free(&notes);
}

static void end(void) {
    int ended = 0;
    if (MPI_Finalized(&ended) != MPI_SUCCESS || ended)
        return;
    take_last_notes();
    free(post_request);
    free(posted_note);
    MPI_Finalize();
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
    .copy = copy,
    .meet = meet,
    .test = test,
    .post = post,
    .take = take,
    .explain = explain,
};
