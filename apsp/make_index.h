// SPDX-License-Identifier: MIT
/* apsp --index: builds a distance index and writes it. */
#ifndef APSP_MAKE_INDEX_H
#define APSP_MAKE_INDEX_H

#include "cli/solver_main.h" // struct solver_request
#include "index/index.h"     // struct index_options

/* Arguments of the command line. */
struct make_index {
    bool wanted;
    bool plans;                   /* only say how large it would be */
    const char *reweighted;       /* the file of an index whose order is taken; NULL: a new order */
    struct index_options options; /* without threads, which the request has */
};

/* Builds the index of g, or gives another one its weights, writes it to the request's output (which
 * must be given), and says how large it is; or says only that. Real weights on no grid are rounded
 * to one, which is said, unless the request forbids it. */
enum status make_index(const struct make_index *how, const struct solver_request *request,
                       const struct graph *g, struct error *err);

#endif
