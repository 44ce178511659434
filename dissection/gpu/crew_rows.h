// SPDX-License-Identifier: MIT
/* Answers by rows, on the GPUs of a crew after sweeps_prepare. */
#ifndef DISSECTION_GPU_CREW_ROWS_H
#define DISSECTION_GPU_CREW_ROWS_H

#include "common/base/error.h"  // enum status, struct error
#include "common/base/length.h" // BY_LENGTH

#include <stdbool.h>

#define rows_answer      BY_LENGTH(rows_answer)
#define rows_answer_here BY_LENGTH(rows_answer_here)

struct crew; /* see crew.h */

/* Sweeps the sources in batches, and hands the rows of each batch on to the sink by way of the host
 * while the next batch is swept. c->proved: the devices have proved all rows of this process.
 * STATUS_NO_RESOURCE if there is not enough memory, STATUS_CANCELLED if progress says to stop. */
enum status rows_answer(struct crew *c, struct error *err);

/* Finds all rows in the memory of the device, if sweeps_rows_may_stay. *done: the sink has taken
 * them there; c->proved: they are proved. If there is too little memory, or rows are to be proved
 * and are not, *done is false and nothing has changed. */
enum status rows_answer_here(struct crew *c, bool *done, struct error *err);

#endif
