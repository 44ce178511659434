// SPDX-License-Identifier: MIT
/* Judges betweenness. Of a graph of moderate size all of it is computed anew, by its definition and
 * from proved rows (certificate/flow_sink.h), and so proved up to rounding. Of a larger one these
 * conditions are checked, which every right answer meets:
 *  - As much flows into a vertex as out of it, but for what begins and ends there, where all
 * vertices are sources.
 *  - The weights of all edges, times what flows over them, add up to the sum of all distances,
 * which is proved. So no flow takes a way that is not a shortest path.
 *  - The flow from some sources, drawn by lot, is what the definition says. A network with zones
 * and pairs that count more or less than once meet this condition alone.
 * docs/certificate.md says what the conditions leave open. */
#ifndef FLOWS_PROOF_H
#define FLOWS_PROOF_H

#include "flows/betweenness.h" // struct betweenness
#include "solve/solver.h"      // struct solver_variant

/* The vertices and edges of all rows together up to which programs compute all of it anew. */
#define BETWEENNESS_WHOLE 4e9

struct betweenness_proof {
    bool whole;      /* all sources were computed anew */
    int32_t sources; /* number of those that were */
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
