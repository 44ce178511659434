// SPDX-License-Identifier: MIT
/* Memory and time that `dissection` on a GPU takes. */
#include "common/base/memory.h" // memory_add
#include "dissection/gpu/gpu.h"
#include "elimination/order.h"  // order_is_available, order_memory
#include "elimination/pieces.h" // pieces_memory
#include "gpu/gpu_model.h"      // gpu_slower_instructions

#include <math.h>

enum {
    ENTRIES_FOR_EACH = 256, /* most entries of a vertex, on average, that an elimination may
                               leave */
    ENTRIES_PLANNED = 32,   /* most entries of a vertex that are left of roads, meshes and similar
                               graphs */
};

int64_t cuda_dissection_entries(int32_t n, int for_each) {
    const int64_t all = (int64_t)n * (n - 1) / 2, most = (int64_t)n * for_each;
    return all < most ? all : most;
}

uint64_t cuda_sparse_dissection_memory(const struct solver_size *size) {
    /* Most vertices of a graph whose elimination may leave any number of entries. */
    enum { SMALL = 4096 };
    const uint64_t n = (uint64_t)size->n;
    const uint64_t entries = (uint64_t)cuda_dissection_entries(
        size->n, size->n <= SMALL ? ENTRIES_FOR_EACH : ENTRIES_PLANNED);
    const uint64_t order = order_memory(size->n, size->m);
    const uint64_t eliminated = entries * (3 * sizeof(int32_t)) + n * (2 * sizeof(int64_t) + 64);
    const uint64_t cut = memory_add(eliminated, pieces_memory(size->n, (int64_t)entries));
    return memory_add(pattern_memory(size->n, size->m) + tree_memory(size->n),
                      order > cut ? order : cut);
}

/* Returns the seconds that sums of rows take, from those of sweeps; as measured on an H200 with
 * road networks of 126 146 to 1.07 million vertices, which took 0.6 to 1.1 times as long. Sums take
 * at least as long as sweeps of a few sources, and at least as long as launching the kernels of all
 * levels. */
static double sums_seconds(double n, double rows, double sweeps_s) {
    const double none_at = 6000, power = 0.61, few = 4096, begin_s = 4e-3;
    const double few_s = sweeps_s * fmin(1, few / rows);
    const double classes_s = sweeps_s * pow(n / none_at, -power);
    return fmin(sweeps_s, fmax(classes_s, fmax(few_s, begin_s)));
}

/* Returns the seconds to find the totals of all rows, or only their sums. As measured, float64
 * takes half as long again. */
static double totals_seconds(const struct model_question *q) {
    const double pair_ns = q->features->type == NUMBER_INT32 ? 2e-3 : 3e-3, n = q->features->n,
                 rows = gpu_model_rows(q);
    const double sweeps_s =
        gpu_slower_instructions(q->gpu) * 1e-9 * pair_ns * q->features->degree * n * rows;
    return q->sums ? sums_seconds(n, rows, sweeps_s) : sweeps_s;
}

/* Returns the seconds that a graph takes which is left to the other engines after a look. Their
 * rows travel to the host and are measured there, also where elimination would find totals on the
 * GPU. */
static double others_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const double to_look = 1.1, travel_ns = 0.35, measure_ns = 0.7; /* for an entry of a row */
    const double entry_ns = q->totals || q->sums ? travel_ns + measure_ns / fmax(1, q->threads) : 0;
    return to_look * variant->others->seconds(q) +
           1e-9 * entry_ns * q->features->n * gpu_model_rows(q);
}

double cuda_sparse_dissection_seconds(const struct solver_variant *variant,
                                      const struct model_question *q) {
    const double few_edges = 8; /* with more for each vertex, little is worth eliminating */
    const struct features *const f = q->features;
    const double n = f->n, m = n * f->degree;
    if (!order_is_available() || f->wide || f->degree > few_edges)
        return others_seconds(variant, q);
    /* As measured on road networks with the host of an H200. The order takes no time if it is known
     * already. */
    const double start_s = 2e-3, order_ns = 150, eliminate_ns = 84, threads_power = 0.6;
    const double eliminate_s =
        1e-9 * eliminate_ns * (n + m) / pow(fmax(1, q->threads), threads_power);
    const struct elimination_features *const e = &f->elimination;
    const double once_s = e->known && e->pays ? e->once_s : 1e-9 * order_ns * (n + m);
    const double order_s = elimination_order_seconds(once_s, q->threads);
    return start_s + order_s + eliminate_s + totals_seconds(q);
}

/* As measured on the same road networks: a proof takes 1.6 to 2.6 times as long as finding the
 * sums. */
double cuda_sparse_dissection_proof_seconds(const struct solver_variant *variant,
                                            const struct model_question *q) {
    (void)variant;
    return 1.9 * totals_seconds(q);
}
