// SPDX-License-Identifier: MIT
/* The variant that is predicted to be the fastest for a graph. */
#ifndef CPU_AUTO_H
#define CPU_AUTO_H

#include "common/solve/solver.h" // struct solver_variant, struct solver_task

/* What the prediction looks at. */
struct auto_features {
    double vertices;
    double degree; /* edges for each vertex */
    double reach;  /* share of the vertices that a vertex reaches, of a few looked at */
};

/* The variants among which auto chooses. */
enum auto_candidate { AUTO_SEQUENTIAL, AUTO_BLOCKED, AUTO_JOHNSON, AUTO_MULTISOURCE, AUTO_COUNT };

/* Looks at g, whose weights do not matter. O(n + m), and less where few vertices are enough to
 * know. Sources that reach a twentieth of all vertices count as reaching all. */
enum status auto_look(const struct graph *g, struct auto_features *features, struct error *err);

/* Predicted nanoseconds on one thread; what matters is which is the smallest. */
double auto_cost(enum auto_candidate candidate, const struct auto_features *features);

/* The one that costs least. */
enum auto_candidate auto_choose(const struct auto_features *features);

const char *auto_name(enum auto_candidate candidate);

/* The solve() of the variant; see solver.h. Takes potentials, which it leaves to `johnson`. The
 * choice depends on the graph only, not on threads, instruction set or time, and so does the
 * result; but a variant for which there is no memory is not chosen. Its time counts. */
enum status cpu_auto_solve(const struct solver_variant *variant, const struct solver_task *task,
                           struct solver_times *times, struct error *err);

/* Its memory() in solver.h. */
uint64_t cpu_auto_memory(const struct solver_size *size);

#endif
