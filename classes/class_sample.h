// SPDX-License-Identifier: MIT
/* Predictions of the number of classes of rows (row_classes.h): one by the shape of a region, and
 * one by searches in a sample of the graph, which see its weights, too. */
#ifndef CLASSES_CLASS_SAMPLE_H
#define CLASSES_CLASS_SAMPLE_H

#include "classes/regions.h"    // struct regions
#include "common/graph/graph.h" // struct graph

/* Predicts the number of classes that `outside` sources make which lie outside of a region with
 * `size` positions and a boundary of `width` vertices, in a graph whose weights are lengths. */
double class_count(double outside, double width, double size);

/* The result of class_sample for an ordinary road network. */
extern const double class_typical_share;

/* Returns the number of classes of rows in some regions of g, found by searches from their
 * boundaries over vertices nearby, over the number that class_count predicts: about 1 in neighbour
 * graphs with lengths, less if shortest paths run together more, as in road networks or with random
 * weights. class_typical_share if weights may be below 0, or memory or regions do not suffice.
 * Takes some 12 ms of up to five of the threads. */
double class_sample(const struct graph *g, const struct tree *tree, const struct regions *r,
                    int threads);

#endif
