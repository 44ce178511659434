// SPDX-License-Identifier: MIT
/* Engines whose threads each find rows on their own, one by one or a block at a time: the threads,
 * and the way of the rows to the task's delivery. */
#ifndef SOLVE_ROW_BY_ROW_H
#define SOLVE_ROW_BY_ROW_H

#include "common/graph/row_block.h" // struct row_block
#include "solve/solver.h"           // struct solver_task

#include <stddef.h>
#include <stdint.h>

/* Describes such an engine. Threads call the functions at the same time, each with a worker of its
 * own. */
struct row_by_row {
    const struct solver_task *task;
    const void *shared;   /* data that all threads read; the functions know its type */
    const int32_t *order; /* positions of all rows in the order in which threads claim them; NULL:
                             ascending */
    int32_t at_a_time;    /* the most rows that a thread claims at once */
    size_t worker;        /* size of a worker in bytes */
    /* Fills in a worker and allocates what it needs. `release` is called later, also after a
     * failure. */
    enum status (*allocate)(void *worker, const struct row_by_row *way, struct error *err);
    /* Finds all rows of a block; NULL: `find` does, one by one. */
    void (*find_block)(void *worker, const struct row_by_row *way, struct row_block *block);
    /* Finds row r of a block; NULL if there is find_block. */
    enum status (*find)(void *worker, const struct row_by_row *way, const struct row_block *block,
                        int32_t r, struct error *err);
    void (*release)(void *worker);
};

/* Finds all rows of the task on that number of threads and ends the delivery, which has begun. */
enum status row_by_row_solve(const struct row_by_row *way, int threads, struct error *err);

/* Returns how many bytes threads take for rows, in addition to their workers, if each claims
 * `at_a_time` rows at most. */
uint64_t row_by_row_memory(const struct solver_size *size, int32_t at_a_time, int threads);

#endif
