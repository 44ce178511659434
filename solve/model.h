// SPDX-License-Identifier: MIT
/* How a variant describes its needs and its speed. Each row of a table of variants has a struct
 * variant_model; `auto` variants, apsp's plan, the experiments and the tables read it there
 * (--list-variants --json). Times are those of the machines that were measured: a core with AVX-512
 * and an H200 (gpu/gpu_model.h). */
#ifndef SOLVE_MODEL_H
#define SOLVE_MODEL_H

#include "common/base/isa.h" // enum isa
#include "solve/features.h"  // struct features

#include <stdbool.h>
#include <stdint.h>

struct gpu_traits; /* gpu/gpu_solver.h */
struct solver_variant;

/* The graph, the machine and what is wanted, for a model to predict the time. */
struct model_question {
    const struct features *features;
    bool predecessors;
    int threads;
    double vector_steps;          /* model_vector_steps() of the CPU's instruction set */
    const struct gpu_traits *gpu; /* only models of GPU variants read it */
    int32_t rows; /* that are wanted; 0: all. Variants that solve by rows solve no others */
    bool totals;  /* totals of the rows do instead of these (delivery_takes_totals_within) */
    bool sums;    /* of the rows only sums, counts and maxima are wanted (delivery_takes_sums) */
    int gpus; /* alike, that divide the work, if the variant has a solve_spread; 0 counts as 1 */
};

struct variant_model {
    /* Predicted seconds of a solve, more than 0 for any question. NULL: there is no prediction,
     * and nothing that chooses among variants takes this one. */
    double (*seconds)(const struct solver_variant *variant, const struct model_question *q);
    /* Predicted seconds of proving what it hands on instead of rows: totals (gives_totals) or sums
     * (gives_sums). NULL: it hands on rows. */
    double (*proof_seconds)(const struct solver_variant *variant, const struct model_question *q);
    /* The name of the rate (engines/rates.c) by which the seconds scale to another machine. NULL:
     * they do not scale. */
    const char *rate;
    /* It does nothing but choose one of its program's other variants, by their models. */
    bool only_chooses;
    /* The program's `auto` may choose it, by its model. */
    bool candidate;

    /* For a variant of the CPU: how many vertices give one more thread something to do. 0: it uses
     * one thread. */
    int32_t vertices_per_thread;

    /* For a variant of the GPU that is three nested loops (gpu_loops_seconds): seconds of a solve
     * that do not depend on the size, seconds for each vertex, and relaxations a second, n^3 of
     * them. with_predecessors is 0 if predecessors are derived from the distances afterwards. */
    double start_s, vertex_s;
    double distances, with_predecessors;
    bool reads_memory; /* memory bounds its speed; otherwise its instructions do */
    bool adds_minima;  /* by one instruction, which GPUs before compute capability 9 do not have */

    /* Needs of a variant for GPUs. 0 or NULL: every GPU will do, for any graph. */
    int shared_memory;                                         /* bytes for a block */
    int capability;                                            /* the major number */
    int32_t (*vertices_at_most)(const struct gpu_traits *gpu); /* of one graph */

    /* The ceiling (experiments/ceilings) that bounds its relaxations, and how many units of it one
     * relaxation takes. NULL: no single one. */
    const char *ceiling;
    int ceiling_units;
};

/* Steps of vectors that take as long as one step of AVX-512: half as many lanes, twice as many
 * steps. */
double model_vector_steps(enum isa isa);

/* Returns the seconds of `ns` nanoseconds for each pair of vertices. */
double model_pairs_seconds(const struct features *features, double ns);

/* Returns how many rows are wanted; the seconds of `ns` nanoseconds for each of their cells. */
double model_rows(const struct model_question *q);
double model_rows_seconds(const struct model_question *q, double ns);

/* Returns whether one order of the vertices suits strips of neighbouring sources, so that each edge
 * is relaxed about once (real_rows.h): paths are deep, as in a grid or a road network. */
bool model_is_ordered(const struct features *f);

/* Returns the seconds that a variant with a model is predicted to take: those of its model and, of
 * a graph of real weights that it does not solve itself, those of refining its rows (refine.h),
 * which are 0 of others. */
double model_seconds(const struct solver_variant *variant, const struct model_question *q);

/* Returns how many of q's threads the CPU variant keeps busy, and how many times as fast as one
 * thread they are, which share caches, memory and units of the cores. */
double model_threads(const struct solver_variant *variant, const struct model_question *q);
double model_speed_up(const struct solver_variant *variant, const struct model_question *q);

/* A question about the machine that was measured, on one thread. */
struct model_question model_reference(const struct features *features, bool predecessors,
                                      const struct gpu_traits *gpu);

/* n^3 by the predicted seconds of a complete graph, on which no variant is faster than on others of
 * that size, on the machine that was measured: relaxations a second, on one thread or on the whole
 * GPU. n is 10000, or as many vertices as the variant takes. 0 if there is no model or the variant
 * gives no predecessors. */
double model_relaxations(const struct solver_variant *variant, bool predecessors,
                         const struct gpu_traits *gpu);

/* Fills in all features of a graph of that size, n >= 1, before it is known: as if it were a random
 * one with short distances. */
void features_suppose(int32_t n, int64_t m, struct features *features);

#endif
