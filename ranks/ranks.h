// SPDX-License-Identifier: MIT
/* The processes that a launcher, such as mpirun or srun, started together to solve one problem: its
 * ranks. A process without a launcher is rank 0 of 1, and then all functions here do nothing.
 *
 * Bytes are carried by a module (transport.h), which is loaded if the environment shows a launcher:
 * the file that the environment variable APSP_MPI names, or apsp_mpi.so in lib/ or lib/apsp/ beside
 * the folder of the program. */
#ifndef RANKS_RANKS_H
#define RANKS_RANKS_H

#include "common/base/error.h" // enum status, struct error

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ranks {
    int rank, count;
    int rank_here, count_here; /* rank and number of processes among those on the same host */
    char host[64];
    const struct ranks_transport *transport; /* NULL: there is only this process */
};

/* The ranks of a process without a launcher: one. */
extern const struct ranks ranks_alone;

/* Returns the ranks, or ranks_alone for NULL, which stands for one process. */
static inline const struct ranks *ranks_or_alone(const struct ranks *ranks) {
    return ranks != NULL ? ranks : &ranks_alone;
}

/* Prints a message, even in a process that leaves messages to rank 0. */
typedef void ranks_say(const char *text);

/* Joins the other ranks. STATUS_NO_RESOURCE if there is a launcher but no module, or if joining
 * fails; STATUS_BAD_INPUT if the environment variable APSP_RANK_TIMEOUT is no number of seconds.
 * The process leaves the ranks at exit(), which all ranks have to call. If other ranks wait in
 * ranks_agree then, that fails because this rank has left.
 *
 * If no sign of life of another rank comes within that time, all functions here fail. Ten seconds
 * later all processes are ended if this one has not ended. say() prints the reason, in another
 * thread, where nothing else would. */
enum status ranks_join(struct ranks *ranks, ranks_say *say, struct error *err);

/* Fails if another rank has been lost. For code that waits for other ranks by other means. */
enum status ranks_reachable(struct error *err);

/* Returns for how many seconds a rank may give no sign of life; 0: any time, or there is one
 * process. */
int ranks_timeout(void);

/* Returns whether this process prints messages for all ranks. */
static inline bool ranks_first(const struct ranks *ranks) {
    return ranks->rank == 0;
}

/* All ranks have to call the functions below, in the same order. Each fails with STATUS_NO_RESOURCE
 * if a rank cannot be reached. */

/* Returns STATUS_OK if all ranks call it with STATUS_OK; otherwise the status of the lowest rank
 * that has failed, with its message in the err of rank 0. After a failure every call fails at once.
 * So a rank that has failed early and others that have come farther can agree, although they call
 * the function at different places. */
enum status ranks_agree(const struct ranks *ranks, enum status status, struct error *err);

/* Waits until all ranks have come. */
enum status ranks_meet(const struct ranks *ranks, struct error *err);

/* Copies bytes from rank 0 to all ranks. */
enum status ranks_broadcast(const struct ranks *ranks, void *data, size_t size, struct error *err);

/* Lowers *number to the least of all ranks. Fails like ranks_agree if a rank has failed before. */
enum status ranks_least(const struct ranks *ranks, int *number, struct error *err);

/* Leaves *fact true only if it is true at all ranks. Fails like ranks_agree if a rank has failed
 * before. */
enum status ranks_all(const struct ranks *ranks, bool *fact, struct error *err);

/* Rank 0 receives an array from every other rank, one rank after the other, with elements of `size`
 * bytes, 4 MiB at most. take() gets some elements at a time: `count` elements from element `first`
 * on. It is not called for the array of rank 0 itself. */
typedef enum status ranks_take(void *self, int rank, size_t first, size_t count, const void *data,
                               struct error *err);
enum status ranks_gather(const struct ranks *ranks, const void *data, size_t count, size_t size,
                         ranks_take *take, void *self, struct error *err);

/* Sets each of `count` bytes to 1 if it is 1 at any rank; all bytes are 0 or 1. */
enum status ranks_any(const struct ranks *ranks, unsigned char *flag, size_t count,
                      struct error *err);

/* Copies bytes from rank `from` to all others in the background. Only one copy runs at a time, and
 * its memory must not be touched until ranks_copy_end has returned. Before that a rank may claim
 * (claims.h), and should often call ranks_copy_help, without which the copy may make no progress.
 * It must not call other functions of this header. */
enum status ranks_copy_begin(const struct ranks *ranks, int from, void *data, size_t size,
                             struct error *err);
void ranks_copy_help(const struct ranks *ranks);
enum status ranks_copy_end(const struct ranks *ranks, struct error *err);

#endif
