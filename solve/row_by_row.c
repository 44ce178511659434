// SPDX-License-Identifier: MIT
#include "solve/row_by_row.h"

#include "common/base/memory.h"  // memory_alloc
#include "common/base/threads.h" // omp_get_thread_num
#include "solve/delivery.h"      // struct delivery
#include "solve/row_buffer.h"    // struct row_buffer

/* Returns how many rows a thread claims at once: few enough for every thread to get some. */
static int32_t rows_to_claim(int32_t at_a_time, int32_t sources, int threads) {
    const int32_t each = sources / threads;
    return each < 1 ? 1 : each < at_a_time ? each : at_a_time;
}

uint64_t row_by_row_memory(const struct solver_size *size, int32_t at_a_time, int threads) {
    const int32_t rows = rows_to_claim(at_a_time, size->sources, threads);
    return size->placed ? 0 : row_buffer_memory(size->type, size->n, rows, size->predecessors);
}

/* Memory of one thread, allocated and first touched by that thread. */
struct thread {
    struct row_buffer rows;
    void *worker;
};

static enum status thread_alloc(struct thread *t, const struct row_by_row *way, int32_t rows,
                                struct error *err) {
    *t = (struct thread){0};
    RETURN_ON_FAILURE(memory_alloc(&t->worker, 1, way->worker, "a thread's memory", err));
    RETURN_ON_FAILURE(way->allocate(t->worker, way, err));
    return row_buffer_alloc(&t->rows, way->task->delivery, rows, err);
}

static void thread_free(struct thread *t, const struct row_by_row *way) {
    if (t->worker != NULL)
        way->release(t->worker);
    memory_free(t->worker);
    row_buffer_free(&t->rows);
}

/* Finds the `count` rows that are claimed from place `first` on, and hands them to the delivery. */
static void find_block(struct thread *t, const struct row_by_row *way, int32_t first,
                       int32_t count) {
    struct delivery *const delivery = way->task->delivery;
    int32_t position[ROW_BLOCK_MAX];
    struct error err;
    for (int32_t r = 0; r < count; r++)
        position[r] = way->order != NULL ? way->order[first + r] : first + r;
    if (!delivery_wants_any(delivery, position, count))
        return;
    row_buffer_start(&t->rows, position, count);
    if (way->find_block != NULL)
        way->find_block(t->worker, way, &t->rows.block);
    for (int32_t r = 0; r < count && way->find != NULL; r++) {
        if (!delivery_wants(delivery, position[r]))
            continue;
        const enum status status = way->find(t->worker, way, &t->rows.block, r, &err);
        if (status != STATUS_OK) {
            delivery_fail(delivery, position[r], status, &err);
            return;
        }
    }
    delivery_take(delivery, &t->rows.block);
}

enum status row_by_row_solve(const struct row_by_row *way, int threads, struct error *err) {
    struct delivery *const delivery = way->task->delivery;
    const int32_t sources = delivery->sources.count;
    const int32_t each = rows_to_claim(way->at_a_time, sources, threads);
    int32_t done = 0;
#pragma omp parallel num_threads(threads)
    {
        struct thread own;
        struct error mine;
        const enum status allocated = thread_alloc(&own, way, each, &mine);
        if (allocated != STATUS_OK)
            delivery_fail(delivery, 0, allocated, &mine);
#pragma omp barrier /* no thread frees memory before all have allocated theirs */
        int32_t first, count, now_done;
        while (allocated == STATUS_OK && (count = delivery_next(delivery, each, &first)) > 0) {
            find_block(&own, way, first, count);
#pragma omp atomic capture
            now_done = done += count;
            if (omp_get_thread_num() == 0)
                progress_report(way->task->progress, now_done, sources);
        }
        thread_free(&own, way);
    }
    return delivery_end(delivery, err);
}
