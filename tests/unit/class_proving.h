// SPDX-License-Identifier: MIT
/* Tests for every proof of classes of rows: it proves right answers, and refutes each whose
 * distances, rows, references or labels are wrong. */
#ifndef TESTS_UNIT_CLASS_PROVING_H
#define TESTS_UNIT_CLASS_PROVING_H

#include "tests/unit/class_answers.h"

/* A proof. */
struct class_proving {
    /* Proves an answer of g from the beginning to the end, and stores its totals. */
    enum status (*prove)(const struct graph *g, struct answer *a, bool *is_ready, bool *proved,
                         struct error *err);
    /* Returns whether the proof reads the part of an answer that the corruption changes. */
    bool (*knows)(enum corruption what);
    /* Chooses one of the ways that it may work in, which no answer depends on. */
    void (*vary)(int way);
};

void proving_right(const struct class_proving *p);

/* Each distance that is there counts. */
void proving_distances(const struct class_proving *p);

/* Answers of the graph with an edge more or less: some vertex is too near or too far, and all
 * others are where they then are. */
void proving_edges(const struct class_proving *p);

/* Nothing can be changed in one place without being noticed, and what is changed back is proved. */
void proving_corrupted(const struct class_proving *p);

/* Regions with several blocks of rows, and boundaries of several words of bits. */
void proving_large(const struct class_proving *p);
void proving_large_sums(const struct class_proving *p);

/* Distances so large that a weight leads out of range are not proved, nor those that are out of it
 * and given as "no path". */
void proving_out_of_range(const struct class_proving *p);

/* A class's row so far away that sums are out of range, or that is unreached, whose constant makes
 * good for it: nothing behind the boundary seems to be reached. */
void proving_far_class(const struct class_proving *p);

/* Distances from which the largest weight leads just not out of range are proved; those from which
 * it does are not, and "no path" does not stand for a path of its length. */
void proving_edge_of_range(const struct class_proving *p);

/* Tests a caller that takes steps for no region, or twice, or for too many or too few sources. */
void proving_steps(const struct class_proving *p);

#endif
