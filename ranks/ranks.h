// SPDX-License-Identifier: MIT
/* The processes that a launcher, such as mpirun or srun, started together to solve one problem: its
 * ranks. A process that nobody launched is rank 0 of 1, and everything here then does nothing.
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
    int rank_here, count_here; /* among those of the same host */
    char host[64];
    const struct ranks_transport *transport; /* NULL: one process */
};

/* A process that nobody launched. */
extern const struct ranks ranks_alone;

/* Returns the ranks or, where NULL stands for one process, ranks_alone. */
static inline const struct ranks *ranks_or_alone(const struct ranks *ranks) {
    return ranks != NULL ? ranks : &ranks_alone;
}

/* Prints a line, also where this process leaves it to rank 0 to speak. */
typedef void ranks_say(const char *text);

/* Joins the other ranks. STATUS_NO_RESOURCE if there is a launcher but no module, or if that fails;
 * STATUS_BAD_INPUT if the environment variable APSP_RANK_TIMEOUT is no number of seconds. Leaves
 * them at exit(), which all of them have to call. Others that wait in ranks_agree then hear that
 * this one has left: it fails there.
 *
 * If another rank gives no sign of life for that time, all functions here fail, and ten seconds
 * later all processes are ended if this one has not. say() prints why where nobody else would, in
 * another thread. */
enum status ranks_join(struct ranks *ranks, ranks_say *say, struct error *err);

/* Fails if another rank has been lost. For what waits for other ranks by other means. */
enum status ranks_reachable(struct error *err);

/* For how many seconds a rank may give no sign of life; 0: any time, or there is one process. */
int ranks_timeout(void);

/* Returns whether this process speaks for all. */
static inline bool ranks_first(const struct ranks *ranks) {
    return ranks->rank == 0;
}

/* The functions below are for all ranks to call, in the same order. Each fails with
 * STATUS_NO_RESOURCE if a rank cannot be reached. */

/* Returns STATUS_OK if that is everybody's status; otherwise the status of the lowest rank that has
 * failed, with its line in the err of rank 0. From then on it returns a failure at once: so a rank
 * that has failed early and others that have come farther can agree, though they go on to call it
 * in different places. */
enum status ranks_agree(const struct ranks *ranks, enum status status, struct error *err);

/* Waits until all ranks have come. */
enum status ranks_meet(const struct ranks *ranks, struct error *err);

/* Copies bytes of rank 0 to all. */
enum status ranks_broadcast(const struct ranks *ranks, void *data, size_t size, struct error *err);

/* Lowers *number to the least of all ranks. It fails if a rank has failed before, as
 * ranks_agree. */
enum status ranks_least(const struct ranks *ranks, int *number, struct error *err);

/* Leaves a fact true only if it is at all ranks. It fails if a rank has failed before, as
 * ranks_agree. */
enum status ranks_all(const struct ranks *ranks, bool *fact, struct error *err);

/* Rank 0 receives an array from every other rank, one after the other, of elements of `size` bytes
 * (4 MiB at most). take() gets some elements at a time, `count` from number `first` on. It is not
 * called for the array of rank 0 itself. */
typedef enum status ranks_take(void *self, int rank, size_t first, size_t count, const void *data,
                               struct error *err);
enum status ranks_gather(const struct ranks *ranks, const void *data, size_t count, size_t size,
                         ranks_take *take, void *self, struct error *err);

/* Sets each of `count` bytes, which are 0 or 1, if it is set at any rank. */
enum status ranks_any(const struct ranks *ranks, unsigned char *flag, size_t count,
                      struct error *err);

/* Copies bytes from rank `from` to all others in the background. Only one copy is under way at a
 * time, and nobody may touch its memory until ranks_copy_end has returned. Before that a rank may
 * claim (claims.h) and, often, call ranks_copy_help, without which the copy may make no progress;
 * no other function of this header. */
enum status ranks_copy_begin(const struct ranks *ranks, int from, void *data, size_t size,
                             struct error *err);
void ranks_copy_help(const struct ranks *ranks);
enum status ranks_copy_end(const struct ranks *ranks, struct error *err);

#endif
