// SPDX-License-Identifier: MIT
/* The "CPU" column of the tables: the textbook's loops with d[i][k] hoisted and nothing else, built
 * with -O3 for the baseline instruction set. Every other variant is compared with this one, so it
 * stays so simple that a reader sees that it is right. */
#include "cpu/sequential.h"

#include "common/base/clock.h" // clock_seconds

/* D[i][j] = min(D[i][j], D[i][k] + D[k][j]) for all i, j. It needs no test for INF: a sum with
 * INF = 2^30 - 1 does not overflow and is not below any D[i][j] <= INF. */
static void relax_distances(const struct matrix *dist, int32_t k) {
    const int32_t *row_k = matrix_row(dist, k);
    for (int32_t i = 0; i < dist->n; i++) {
        int32_t *row_i = matrix_row(dist, i);
        const int32_t to_k = row_i[k];
        for (int32_t j = 0; j < dist->n; j++) {
            int32_t through_k = to_k + row_k[j];
            if (through_k < row_i[j])
                row_i[j] = through_k;
        }
    }
}

/* Relaxes as relax_distances does, and updates predecessors: if the path through k is shorter, its
 * last edge is the last edge of the path from k. */
static void relax_with_predecessors(const struct matrix *dist, const struct matrix *pred,
                                    int32_t k) {
    const int32_t *row_k = matrix_row(dist, k);
    const int32_t *pred_k = matrix_row(pred, k);
    for (int32_t i = 0; i < dist->n; i++) {
        int32_t *row_i = matrix_row(dist, i);
        int32_t *pred_i = matrix_row(pred, i);
        const int32_t to_k = row_i[k];
        for (int32_t j = 0; j < dist->n; j++) {
            int32_t through_k = to_k + row_k[j];
            if (through_k < row_i[j]) {
                row_i[j] = through_k;
                pred_i[j] = pred_k[j];
            }
        }
    }
}

enum status cpu_sequential_solve(const struct solver_variant *variant,
                                 const struct solver_task *task, struct solver_times *times,
                                 struct error *err) {
    (void)variant;
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        double start = clock_seconds();
        graph_to_matrices(task->graph, task->dist, task->pred);
        double filled = clock_seconds();
        for (int32_t k = 0; k < task->graph->n; k++) {
            if (task->pred != NULL)
                relax_with_predecessors(task->dist, task->pred, k);
            else
                relax_distances(task->dist, k);
            if (!progress_report(task->progress, k + 1, task->graph->n))
                return progress_cancelled(err);
        }
        times->around_s = filled - start;
        if (r >= 0)
            times->solve_s[r] = clock_seconds() - filled;
    }
    return STATUS_OK;
}

double cpu_sequential_seconds(const struct solver_variant *variant,
                              const struct model_question *q) {
    (void)variant;
    return model_pairs_seconds(q->features, 1.5 * q->features->n);
}
