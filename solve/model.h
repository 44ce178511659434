// SPDX-License-Identifier: MIT
/* How a variant describes its needs and its speed. Each row of a table of variants has a struct
 * variant_model; `auto` variants, apsp's plan, the experiments and the tables (--list-variants
 * --json) read it. Times are those of the machines that were measured: a core with AVX-512 and an
 * H200 (gpu/gpu_model.h). */
#ifndef SOLVE_MODEL_H
#define SOLVE_MODEL_H

#include "common/base/isa.h" // enum isa
#include "solve/features.h"  // struct features

#include <stdbool.h>
#include <stdint.h>

struct gpu_traits; /* gpu/gpu_solver.h */
struct solver_variant;

/* A question to a model: how long a solve takes for this graph, machine and kind of answer. */
struct model_question {
    const struct features *features;
    bool predecessors;
    int threads;
    double vector_steps;          /* model_vector_steps() of the CPU's instruction set */
    const struct gpu_traits *gpu; /* properties of the GPU; only models of GPU variants read them */
    int32_t rows;                 /* number of rows that are wanted; 0: all */
    bool totals;                  /* totals of the rows are enough (delivery_takes_totals_within) */
    bool sums; /* only sums, counts and maxima of the rows are wanted (delivery_takes_sums) */
    int gpus;  /* number of equal GPUs that divide the work, if the variant has a solve_spread; 0
                  counts as 1 */
};

struct variant_model {
    /* Returns the predicted seconds of a solve, more than 0 for any question. NULL: there is no
     * prediction, so nothing that chooses among variants takes this one. */
    double (*seconds)(const struct solver_variant *variant, const struct model_question *q);
    /* Returns the predicted seconds of proving the totals (gives_totals) or sums (gives_sums) that
     * the variant hands on instead of rows. NULL: it hands on rows. */
    double (*proof_seconds)(const struct solver_variant *variant, const struct model_question *q);
    /* Name of the rate (engines/rates.c) by which predicted seconds scale to another machine. NULL:
     * they do not scale. */
    const char *rate;
    /* The variant only chooses another variant of its program, by their models. */
    bool only_chooses;
    /* The `auto` variant of the program may choose this variant, by its model. */
    bool candidate;

    /* For a variant of the CPU: number of vertices that keep one more thread busy. 0: the variant
     * uses one thread. */
    int32_t vertices_per_thread;

    /* For a GPU variant that is three nested loops (gpu_loops_seconds): seconds of a solve that do
     * not depend on the size, seconds for each vertex, and relaxations per second, of which a solve
     * takes n^3, for distances alone and with predecessors. with_predecessors is 0 if predecessors
     * are derived from the distances afterwards. */
    double start_s, vertex_s;
    double distances, with_predecessors;
    bool reads_memory; /* memory bandwidth bounds its speed; otherwise instructions do */
    bool adds_minima;  /* adds and takes the minimum in one instruction, which GPUs before compute
                          capability 9 lack */

    /* Needs of a GPU variant. 0 or NULL: every GPU will do, for any graph. */
    int shared_memory; /* bytes of shared memory that a block needs */
    int capability;    /* major number of the compute capability that it needs */
    /* returns the most vertices of a graph */
    int32_t (*vertices_at_most)(const struct gpu_traits *gpu);

    /* The ceiling (experiments/ceilings) that bounds its relaxations, and how many units of it one
     * relaxation takes. NULL: no single ceiling bounds them. */
    const char *ceiling;
    int ceiling_units;
};

/* Returns how many vector steps of that instruction set do the work of one step of AVX-512: twice
 * as many if it has half as many lanes. */
double model_vector_steps(enum isa isa);

/* Returns the seconds of a solve that takes `ns` nanoseconds for each pair of vertices. */
double model_pairs_seconds(const struct features *features, double ns);

/* model_rows returns the number of rows that are wanted; model_rows_seconds returns the seconds of
 * a solve that takes `ns` nanoseconds for each cell of these rows. */
double model_rows(const struct model_question *q);
double model_rows_seconds(const struct model_question *q, double ns);

/* Returns whether one order of the vertices suits all sources of a strip, so that each edge is
 * relaxed about once (real_rows.h). It does if paths have many edges, as in a grid or a road
 * network. */
bool model_is_ordered(const struct features *f);

/* Returns the seconds that a variant with a model is predicted to take. For a graph of real weights
 * that the variant does not solve itself, they include those of refining its rows (refine.h). */
double model_seconds(const struct solver_variant *variant, const struct model_question *q);

/* model_threads returns how many of q's threads the CPU variant keeps busy; model_speed_up returns
 * how many times as fast as one thread these are, which share caches, memory and units of the
 * cores. */
double model_threads(const struct solver_variant *variant, const struct model_question *q);
double model_speed_up(const struct solver_variant *variant, const struct model_question *q);

/* Returns a question about the machine that was measured, on one thread. */
struct model_question model_reference(const struct features *features, bool predecessors,
                                      const struct gpu_traits *gpu);

/* Returns the relaxations per second of a variant: n^3 divided by the seconds predicted for a
 * complete graph, the slowest of its size, on one thread or the whole GPU of the machine that was
 * measured. n is 10000, or fewer if the variant takes fewer vertices. 0 if there is no model or the
 * variant gives no predecessors. */
double model_relaxations(const struct solver_variant *variant, bool predecessors,
                         const struct gpu_traits *gpu);

/* Fills in all features of a graph of n >= 1 vertices and m edges that is not known yet, as if it
 * were a random graph with short distances. */
void features_suppose(int32_t n, int64_t m, struct features *features);

#endif
