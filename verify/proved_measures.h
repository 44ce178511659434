// SPDX-License-Identifier: MIT
/* Files of measures, proved again. */
#ifndef VERIFY_PROVED_MEASURES_H
#define VERIFY_PROVED_MEASURES_H

#include "common/base/error.h"  // enum status
#include "common/graph/graph.h" // struct graph
#include "flows/flow_graph.h"   // struct flow_graph
#include "flows/proof.h"        // struct betweenness_proof
#include "measures/read.h"      // struct measures_file

/* Computes the measures of a graph anew, from rows that an engine of the CPU produces and the
 * certificate proves before they count, and compares them with what files say, number by number.
 * Betweenness is found
 * anew in `flow`, which was made of g, and judged; *flows says how far.
 * threads: 0 for one per core. STATUS_REFUTED with the first number that differs, or if the files
 * are of another number of vertices; STATUS_BAD_INPUT if the graph has distances that do not fit,
 * STATUS_NEGATIVE_CYCLE if it has none at all. O(n) memory beside the graph and what the engine
 * takes for some rows. */
enum status prove_measures(const struct graph *g, const struct flow_graph *flow,
                           const struct measures_file *file, int threads,
                           struct betweenness_proof *flows, struct error *err);

#endif
