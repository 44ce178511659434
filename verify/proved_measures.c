// SPDX-License-Identifier: MIT
#include "verify/proved_measures.h"

#include "engines/cpu_variants.h" // cpu_solver
#include "flows/measured.h"       // measured_flows_find
#include "job/row_job.h"          // struct row_job
#include "measures/compare.h"     // measures_compare
#include "measures/measures.h"    // struct measures

/* Finds the betweenness that the files must have. */
static enum status find_flows(const struct graph *g, const struct flow_graph *flow,
                              const struct measures_file *file, int threads,
                              struct measured_flows *flows, struct betweenness_proof *proof,
                              struct error *err) {
    const struct measured_request request = {.graph = g,
                                             .flow = flow,
                                             .sources = file->sources,
                                             .endpoints = file->endpoints,
                                             .variant = solver_find(&cpu_solver, "auto"),
                                             .threads = threads};
    struct measured_how how;
    const enum status status = measured_flows_find(&request, flows, &how, err);
    *proof = how.proof;
    return status;
}

enum status prove_measures(const struct graph *g, const struct flow_graph *flow,
                           const struct measures_file *file, int threads,
                           struct betweenness_proof *flows, struct error *err) {
    const struct solver_options options = {.threads = threads};
    const bool is_sum = g->semiring == SEMIRING_MIN_PLUS;
    struct row_job job = {.variant =
                              is_sum ? solver_find(&cpu_solver, "auto") : cpu_solver.semirings,
                          .request = {.graph = g,
                                      .sources = file->sources,
                                      .limit = file->limit,
                                      .options = &options,
                                      .repetitions = 1},
                          .proves = true};
    struct measures measures = {0};
    struct measured_flows found = {.betweenness = NULL};
    struct timing timing;
    enum status status = STATUS_OK;
    if (file->n != g->n)
        return fail(err, STATUS_REFUTED, "the measures are of %d vertices, the graph has %d",
                    file->n, g->n);
    if (file->type != g->type || file->integral != g->integral)
        return fail(err, STATUS_BAD_INPUT,
                    "expected measures of distances of type %s, as the graph's, found %s (--type "
                    "says how to read the graph)",
                    graph_type_name(g), file->integral ? INT64_NAME : number_name(file->type));
    measures_init(&measures, g, threads);
    measures.limit = file->limit;
    measures_choose(&measures, file->parts & MEASURES_ALL);
    TRY(row_job_begin(&job, &measures.sink, NULL, err));
    TRY(row_job_solve(&job, &timing, err));
    TRY(measures_finish(&measures, err));
    if ((file->parts & MEASURES_FLOWS) != 0) {
        TRY(find_flows(g, flow, file, threads, &found, flows, err));
        TRY(measures_add_flows(&measures, &found, err));
    }
    TRY(measures_compare(file, &measures, err));
cleanup:
    row_job_close(&job);
    measures_free(&measures);
    measured_flows_free(&found);
    return status;
}
