// SPDX-License-Identifier: MIT
/* Judges betweenness. In a graph of moderate size all values are computed anew, by the definition
 * and from proved rows (certificate/flow_sink.h), and so proved up to rounding. In a larger graph
 * these conditions are checked, which every right answer meets:
 *  - If all vertices are sources, as much flows into a vertex as out of it, without the flow that
 *    begins and ends there.
 *  - The weights of all edges, times the flow over them, add up to the sum of all distances, which
 *    is proved. So no flow takes a way that is not a shortest path.
 *  - The flow from some sources, drawn at random, is what the definition says. Of a network with
 *    zones, and of pairs that count other than once, only this condition is checked.
 * docs/certificate.md says what the conditions leave open. */
#ifndef FLOWS_PROOF_H
#define FLOWS_PROOF_H

#include "flows/betweenness.h" // struct betweenness
#include "solve/solver.h"      // struct solver_variant

/* Programs compute all values anew if the rows of all sources have up to this many vertices and
 * edges together. */
#define BETWEENNESS_WHOLE 4e9

struct betweenness_proof {
    bool whole;      /* values of all sources were computed anew */
    int32_t sources; /* number of sources whose values were computed anew */
};

/* Judges what betweenness_find found. The request has `edges` and no `endpoints`; if it has masses,
 * a decay or trips, it has `totals`, and they are judged, too. Every number is computed anew if the
 * rows of all sources have up to whole_most vertices and edges. `variant` finds the distances,
 * which the certificate proves. STATUS_REFUTED names the first number that is wrong.
 * STATUS_BAD_INPUT for a request with endpoints; otherwise fails as solve_rows and
 * betweenness_find. */
enum status betweenness_prove(const struct betweenness_request *request,
                              const struct betweenness *found, const struct solver_variant *variant,
                              double whole_most, struct betweenness_proof *proof,
                              struct error *err);

#endif
