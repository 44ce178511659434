// SPDX-License-Identifier: MIT
/* apsp --index: builds a distance index and writes it. */
#ifndef APSP_MAKE_INDEX_H
#define APSP_MAKE_INDEX_H

#include "cli/solver_main.h" // struct solver_request
#include "index/index.h"     // struct index_options

/* Arguments of the command line. */
struct make_index {
    bool wanted;
    bool plans;                   /* only say how large the index would be */
    const char *reweighted;       /* file of an index that gets g's weights and keeps its order of
                                     elimination; NULL: a new index */
    struct index_options options; /* options but for the number of threads, which the request has */
};

/* Builds the index of g, or gives the index `reweighted` the weights of g, writes it to the
 * request's output (which must be given), and says how large it is. If how->plans, only says how
 * large it would be. Real weights on no grid are rounded to one, with a note, unless the request
 * forbids it. */
enum status make_index(const struct make_index *how, const struct solver_request *request,
                       const struct graph *g, struct error *err);

#endif
