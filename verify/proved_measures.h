// SPDX-License-Identifier: MIT
/* Proves files of measures by computing them again. */
#ifndef VERIFY_PROVED_MEASURES_H
#define VERIFY_PROVED_MEASURES_H

#include "common/base/error.h"  // enum status
#include "common/graph/graph.h" // struct graph
#include "flows/flow_graph.h"   // struct flow_graph
#include "flows/proof.h"        // struct betweenness_proof
#include "measures/read.h"      // struct measures_file

/* Computes the measures of a graph again, from rows that an engine of the CPU produces and the
 * certificate proves, and compares them with the files, number by number. Betweenness is found
 * again in `flow`, which was made of g, and compared, too; *flows gets how far it was judged.
 * threads: 0 for one per core. STATUS_REFUTED with the first number that differs, or if the number
 * of vertices differs; STATUS_BAD_INPUT if a distance of the graph does not fit;
 * STATUS_NEGATIVE_CYCLE if the graph has such a cycle. O(n) memory beside the graph and what the
 * engine takes for some rows. */
enum status prove_measures(const struct graph *g, const struct flow_graph *flow,
                           const struct measures_file *file, int threads,
                           struct betweenness_proof *flows, struct error *err);

#endif
