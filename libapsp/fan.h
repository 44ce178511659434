// SPDX-License-Identifier: MIT
/* All sinks of a solve, the library's and the caller's, as one sink. */
#ifndef LIBAPSP_FAN_H
#define LIBAPSP_FAN_H

#include "common/base/progress.h"   // struct progress
#include "common/graph/row_block.h" // struct row_sink
#include "libapsp/own_sinks.h"      // struct answer, struct making

#include <pthread.h>

struct fan_target;

struct fan {
    struct row_sink sink; /* the first member: takes rows as they come, unless there is an order */
    struct fan_target *target;
    size_t count;
    bool in_order; /* some target needs order, so that rows come by fan_take_matrices */

    /* Set by the caller before fan_begin. */
    struct answer answer;
    int32_t block; /* most rows in a block for targets of the caller */
    bool proved;   /* the rows that come are proved */
    int threads;   /* number of threads, as in apsp_options */
    struct progress *progress;

    /* For each position, 1 if targets of the caller have its row, otherwise 0: an engine that
     * chooses among others may begin the answer again. NULL: there are no targets of the caller. */
    uint8_t *delivered;
    pthread_mutex_t lock; /* guards status and error */
    enum status status;   /* the first failure of a target */
    struct error error;
};

/* Takes the caller's sinks: STATUS_BAD_INPUT if one is not as apsp.h says. The caller frees with
 * fan_close, also after a failure. */
enum status fan_open(struct fan *fan, const apsp_sink *const *sinks, size_t count,
                     struct error *err);

/* Returns whether a target of the caller wants predecessors, and whether one of the library takes
 * them. */
bool fan_wants_predecessors(const struct fan *fan);
bool fan_takes_predecessors(const struct fan *fan);

/* Returns whether all targets are measures of the library, and no rows are kept. */
bool fan_takes_measures_only(const struct fan *fan);

/* Stores the library's target that resumes with rows of an earlier call, or NULL. STATUS_BAD_INPUT
 * if several targets resume, or if rows have to come in order. */
enum status fan_resuming(const struct fan *fan, struct own_sink **own, struct error *err);

/* Bytes that the library's targets hold for fan->answer: fan_matrices counts their matrices,
 * fan_memory everything else. */
uint64_t fan_matrices(const struct fan *fan);
uint64_t fan_memory(const struct fan *fan);

/* Opens all targets; *fan does not move from now on. */
enum status fan_begin(struct fan *fan, struct error *err);

/* Hands all targets `count` rows from position `first` on, the rows of dist and, unless it is NULL,
 * pred. Targets that need order get rows in order, the others on several threads. */
enum status fan_take_matrices(struct fan *fan, int32_t first, int32_t count,
                              const struct matrix *dist, const struct matrix *pred,
                              struct error *err);

/* Ends all targets with `status`, or with the failure of the target that ended the solve. Returns
 * the status of the whole solve; err has its line. */
enum status fan_end(struct fan *fan, enum status status, const struct making *making,
                    struct error *err);

/* Safe on a zeroed struct. */
void fan_close(struct fan *fan);

#endif
