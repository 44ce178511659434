// SPDX-License-Identifier: MIT
/* Memory and time that `dissection` takes. */
#include "dissection/cpu.h"

#include "classes/proportional_model.h" // proportional_seconds
#include "common/base/memory.h"         // memory_add
#include "common/base/threads.h"        // threads_worth
#include "elimination/dissection.h"     // dissection_workspace_memory
#include "elimination/look.h"           // look_memory
#include "elimination/order.h"          // order_is_available
#include "search/cpu/johnson.h"         // cpu_johnson_memory
#include "search/cpu/multisource.h"     // cpu_multisource_seconds
#include "solve/features.h"             // struct features
#include "solve/row_buffer.h"           // row_buffer_memory

#include <math.h>

/* Most entries of each eliminated vertex for which memory is taken, and the number for which a
 * solve is planned. Roads, meshes and similar graphs need no more than the second. */
enum { ENTRIES_FOR_EACH = 256, ENTRIES_PLANNED = 32 };

int cpu_dissection_threads(int32_t n, int threads) {
    enum { CELLS_A_STEP = 2 };
    return threads_worth(threads, (double)n * (double)n / CELLS_A_STEP);
}

static int64_t entries_at_most(int32_t n, int for_each) {
    const int64_t all = (int64_t)n * (n - 1) / 2, most = (int64_t)n * for_each;
    return all < most ? all : most;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t edges_memory(int32_t n, int64_t m) {
    return ((uint64_t)n + 1) * sizeof(int64_t) + memory_times((uint64_t)m, 3 * sizeof(int32_t));
}

/* ENTRY_BYTES: bytes of an entry of the eliminated graph. CORE_BYTES: numbers of a pair of core
 * vertices that are stored: distance, label, edges. */
enum { ENTRY_BYTES = 4 * sizeof(int32_t), CORE_BYTES = 6 };

/* Returns the number of sources of a strip. */
static int lanes_here(void) {
    enum isa isa;
    struct error ignored; /* the solve reports what is wrong with APSP_SIMD */
    return isa_choose(&isa, &ignored) == STATUS_OK ? sweep_kernels(isa)->lanes : SWEEP_MAX_LANES;
}

/* Returns the bytes of everything that does not depend on what the elimination leaves. A
 * workspace's size does; a quarter of its largest size is planned, because trees are flat. */
static uint64_t fixed_memory(const struct solver_size *size) {
    enum { FLAT = 4 };
    const uint64_t n = (uint64_t)size->n;
    const int lanes = lanes_here();
    const int threads = cpu_dissection_threads(size->n, size->threads);
    const uint64_t each = n * (2 * sizeof(int64_t) + 64);
    const uint64_t strips = size->predecessors ? 2 : 1;
    const uint64_t worker =
        dissection_workspace_memory(size->n) / FLAT +
        strips * n * (uint64_t)lanes * sizeof(int32_t) +
        (size->placed ? 0 : row_buffer_memory(NUMBER_INT32, size->n, lanes, size->predecessors));
    const uint64_t edges = size->predecessors ? edges_memory(size->n, size->m) : 0;
    return each + edges + memory_times((uint64_t)threads, worker);
}

uint64_t cpu_dissection_memory(const struct solver_size *size) {
    if (size->wide)
        return cpu_johnson_memory(size);
    /* most vertices of a small graph, whose elimination may leave any number of entries */
    enum { SMALL = 4096 };
    const bool small = size->n <= SMALL;
    const uint64_t n = (uint64_t)size->n, core = small ? CORE_BYTES * n * n : 0;
    const uint64_t entries =
        (uint64_t)entries_at_most(size->n, small ? ENTRIES_FOR_EACH : ENTRIES_PLANNED);
    const uint64_t own = memory_add(fixed_memory(size), entries * ENTRY_BYTES + core);
    const uint64_t held = memory_add(pattern_memory(size->n, size->m) + tree_memory(size->n), own);
    return larger(larger(look_memory(size->n, size->m), held), cpu_multisource_memory(size));
}

void cpu_dissection_costs(const struct solver_size *size, uint64_t room, struct core_costs *costs) {
    const uint64_t fixed =
        memory_add(pattern_memory(size->n, size->m) + tree_memory(size->n), fixed_memory(size));
    const uint64_t left = room > fixed ? (room - fixed) / 2 : 0; /* bytes for the entries, and the
                                                                    same number for the core */
    const int64_t entries = entries_at_most(size->n, ENTRIES_FOR_EACH);
    const double core = sqrt((double)left / CORE_BYTES);
    *costs = core_costs;
    costs->rows = size->sources;
    costs->entries =
        left / ENTRY_BYTES < (uint64_t)entries ? (int64_t)(left / ENTRY_BYTES) : entries;
    costs->core = core < size->n / 2 ? (int32_t)core : size->n / 2;
}

double cpu_dissection_slowness(const struct solver_variant *variant,
                               const struct model_question *q) {
    const double steps_of_costs = 2; /* instructions are those of AVX2 on core_costs' machine */
    return q->vector_steps / steps_of_costs / model_speed_up(variant, q);
}

double cpu_dissection_sums_seconds(const struct look *look, const struct graph *g, int32_t rows,
                                   int threads) {
    const double seconds = proportional_seconds(look, g, rows, threads);
    return seconds < look->found.shared_s ? (look->found.both_ways ? 2 : 1) * seconds : 0;
}

/* Returns the seconds that all of q's threads take for sums by classes of rows that take one thread
 * of core_costs' machine that many seconds. Some of the work is not in vectors. Every further
 * thread takes time to share in the regions, as measured on 16. */
static double sums_on_threads(const struct solver_variant *variant, const struct model_question *q,
                              double seconds) {
    const double scalar = 0.6, vectors = 0.2, thread_s = 2e-3, power = 0.7;
    return seconds * (scalar + vectors * q->vector_steps) / pow(model_speed_up(variant, q), power) +
           thread_s * (model_threads(variant, q) - 1);
}

/* Return estimates for a graph that nobody has looked at: the seconds that one thread of
 * core_costs' machine takes for the order, and for sums by classes of rows. Sums were measured on
 * trees, with 2 edges for each vertex, on road networks, with up to 3, and on neighbour graphs and
 * grids, all of 50 000 to 436 000 vertices: they took 0.4 to 1.8 times the estimate. */
static double order_by_size(const struct features *f) {
    const double order_ns = 150;
    return 1e-9 * order_ns * f->n * (1 + f->degree);
}

static double sums_by_size(const struct features *f) {
    const double tree = 2.2, road = 3.3, power = 1.25;
    const double ns = f->degree < tree ? 180 : f->degree < road ? 750 : 4000;
    return 1e-9 * ns * pow(f->n, power);
}

double cpu_dissection_seconds(const struct solver_variant *variant,
                              const struct model_question *q) {
    const double few_edges = 8, to_look = 1.1, row_ns = 0.35;
    const struct features *f = q->features;
    const struct elimination_features *e = &f->elimination;
    const bool may_pay = e->known ? e->pays : f->degree <= few_edges;
    if (!order_is_available() || f->wide || !may_pay)
        return to_look * cpu_multisource_seconds(variant, q);
    const double order_s = elimination_order_seconds(e->known ? e->once_s : order_by_size(f),
                                                     model_threads(variant, q));
    if (e->known && q->sums && e->sums_s > 0)
        return order_s + sums_on_threads(variant, q, e->sums_s);
    if (!e->known && q->sums)
        return order_s + sums_on_threads(variant, q, sums_by_size(f));
    const double passes = e->both_ways && q->sums ? 2 : 1;
    if (e->known)
        return order_s + passes * cpu_dissection_slowness(variant, q) *
                             (e->shared_s + model_rows_seconds(q, row_ns));
    /* Without a look: about the most that it takes. */
    const double n = f->n, m = n * f->degree;
    const double once_ns = 1000 * (n + m) / (n * n), sweep_ns = 0.9 + 0.5 * f->degree;
    return model_pairs_seconds(f, once_ns) +
           q->vector_steps * model_rows_seconds(q, sweep_ns) / model_speed_up(variant, q);
}

/* A proof of classes of rows takes 1 to 1.5 times as long as the rows. */
double cpu_dissection_proof_seconds(const struct solver_variant *variant,
                                    const struct model_question *q) {
    return 1.3 * model_seconds(variant, q);
}
