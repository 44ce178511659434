// SPDX-License-Identifier: MIT
#include "flows/proof.h"

#include "certificate/flow_sink.h"    // struct flow_sink
#include "certificate/proving_sink.h" // struct proving_sink
#include "common/base/memory.h"       // memory_alloc
#include "common/base/splitmix64.h"   // splitmix64_next
#include "measures/measures.h"        // struct measures
#include "solve/solve.h"              // solve_rows

#include <math.h>
#include <string.h>

enum { SAMPLE = 16 }; /* number of sources of a sample, for a graph too large to judge whole */

/* The values that are judged, and the values by the definition. */
struct judging {
    const struct betweenness_request *request;
    const struct solver_variant *variant;
    double *vertex, *edge;     /* values by the definition of each vertex (n) and edge (m), of the
                                  graph with zones if there are zones */
    struct flow_totals totals; /* totals by the definition */
    int32_t *source;           /* sources of the request; has room for all vertices of a split
                                  graph */
};

/* Returns whether pairs count other than once. */
static bool are_weighted(const struct betweenness_request *r) {
    return r->from_mass != NULL || r->to_mass != NULL || r->decay > 0 || r->trips != NULL;
}

/* Returns the sources of the request's pairs. */
static struct row_sources sources_of(const struct betweenness_request *r) {
    return r->trips != NULL ? (struct row_sources){r->trips->origin, r->trips->origins}
                            : r->sources;
}

static double count_pair(const void *self, int32_t source, int32_t target, double distance) {
    const struct betweenness_request *const r = self;
    if (r->trips != NULL)
        return trips_between(r->trips, source, target);
    return (r->from_mass == NULL ? 1 : r->from_mass[source]) *
           (r->to_mass == NULL ? 1 : r->to_mass[target]) *
           (r->decay > 0 ? exp(-distance / r->decay) : 1);
}

/* Returns the graph to which the numbers of vertices and edges refer. */
static const struct graph *named_graph(const struct judging *j) {
    return j->request->split != NULL ? j->request->zoned : j->request->graph;
}

/* Solves for some rows, and hands the rows to a sink after they are proved. */
static enum status solve_proved(const struct judging *j, const struct row_sources *sources,
                                struct row_sink *to, struct error *err) {
    const struct solver_options options = {.threads = j->request->threads};
    const struct solve_request request = {.graph = j->request->graph,
                                          .sources = *sources,
                                          .limit = NO_LIMIT,
                                          .options = &options,
                                          .progress = j->request->progress,
                                          .repetitions = 1};
    struct proving_sink proving = {.to = NULL};
    struct timing timing;
    enum status status = proving_sink_open(&proving, j->request->graph, NO_LIMIT, false, to, err);
    if (status == STATUS_OK)
        status = solve_rows(j->variant, &request, &proving.sink, &timing, err);
    proving_sink_close(&proving);
    return status;
}

/* Returns the amount of flow to which rounding errors are relative. */
static double scale_of(const struct judging *j, const struct row_sources *sources) {
    const struct graph *const g = named_graph(j);
    double most = 0;
    if (!are_weighted(j->request))
        return sources->count;
    for (int64_t e = 0; e < g->m; e++)
        most = fmax(most, j->edge[e]);
    return most;
}

static enum status compare_totals(const struct judging *j, const struct trip_totals *found,
                                  struct error *err) {
    const struct {
        const char *what;
        double right, found;
    } totals[] = {{"trips to other vertices", j->totals.pairs, found->arrive},
                  {"the lengths of all trips", j->totals.length, found->length}};
    for (size_t k = 0; k < sizeof totals / sizeof *totals; k++) {
        if (!(fabs(totals[k].found - totals[k].right) <= flow_tolerance(totals[k].right, 0)))
            return fail(err, STATUS_REFUTED, "%s: expected %.17g, found %.17g", totals[k].what,
                        totals[k].right, totals[k].found);
    }
    return STATUS_OK;
}

static enum status compare(const struct judging *j, const struct row_sources *sources,
                           const struct betweenness *found, struct error *err) {
    const struct graph *const g = named_graph(j);
    const double scale = scale_of(j, sources);
    for (int32_t v = 0; v < g->n; v++) {
        if (!(fabs(found->vertex[v] - j->vertex[v]) <= flow_tolerance(j->vertex[v], scale)))
            return fail(err, STATUS_REFUTED,
                        "betweenness of vertex %s: expected %.17g pairs, found %.17g%s",
                        graph_name(g, v).text, j->vertex[v], found->vertex[v], graph_numbering(g));
    }
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            if (!(fabs(found->edge[e] - j->edge[e]) <= flow_tolerance(j->edge[e], scale)))
                return fail(err, STATUS_REFUTED,
                            "betweenness of the edge from %s to %s: expected %.17g pairs, found "
                            "%.17g%s",
                            graph_name(g, u).text, graph_name(g, g->head[e]).text, j->edge[e],
                            found->edge[e], graph_numbering(g));
        }
    }
    return are_weighted(j->request) ? compare_totals(j, &found->totals, err) : STATUS_OK;
}

/* Stores the values by the definition. */
static enum status define(struct judging *j, const struct flow_sink *flow, struct error *err) {
    const struct graph *const g = j->request->graph;
    void *memory;
    if (j->request->split == NULL) {
        flow_sink_finish(flow, j->vertex, j->edge, &j->totals);
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)g->n + (size_t)g->m, sizeof(double), "the proof", err));
    const struct betweenness of_split = {.vertex = memory, .edge = (double *)memory + g->n};
    struct betweenness of_zoned = {.vertex = j->vertex, .edge = j->edge};
    flow_sink_finish(flow, of_split.vertex, of_split.edge, &j->totals);
    betweenness_join_zones(j->request, &of_split, &of_zoned);
    memory_free(memory);
    return STATUS_OK;
}

/* Compares the values found for some sources with the definition. */
static enum status compare_rows(struct judging *j, const struct row_sources *sources,
                                const struct betweenness *found, struct error *err) {
    const struct flow_pairs pairs = {are_weighted(j->request) ? count_pair : NULL, j->request};
    struct row_sources of_split = *sources;
    struct flow_sink flow;
    for (int32_t p = 0; p < sources->count && j->source != NULL; p++)
        j->source[p] = zone_split_source(j->request->split, row_source(sources, p));
    if (j->source != NULL)
        of_split.source = j->source;
    flow_sink_open(&flow, j->request->graph, j->request->split, &pairs);
    enum status status = solve_proved(j, &of_split, &flow.sink, err);
    if (status == STATUS_OK)
        status = define(j, &flow, err);
    flow_sink_close(&flow);
    return status == STATUS_OK ? compare(j, sources, found, err) : status;
}

/* Draws different sources, in the order of the request. Returns their number. */
static int32_t draw(const struct row_sources *from, int32_t *drawn) {
    uint64_t state = 0;
    int32_t count = 0;
    for (int32_t p = 0; p < from->count && count < SAMPLE; p++) {
        const uint64_t left = (uint64_t)(from->count - p), wanted = (uint64_t)(SAMPLE - count);
        if (splitmix64_next(&state) % left < wanted)
            drawn[count++] = row_source(from, p);
    }
    return count;
}

/* Finds the flow from some of the sources alone, in the same way, and compares it with the
 * definition. */
static enum status compare_sample(struct judging *j, const struct betweenness *found,
                                  struct betweenness_proof *proof, struct error *err) {
    const struct row_sources all = sources_of(j->request);
    struct betweenness_request of_sample = *j->request;
    struct betweenness again = {.vertex = NULL};
    struct trips trips = {.origins = 0};
    int32_t drawn[SAMPLE];
    enum status status = STATUS_OK;
    proof->sources = draw(&all, drawn);
    of_sample.sources = (struct row_sources){drawn, proof->sources};
    of_sample.way = found->way;
    if (j->request->trips != NULL) {
        TRY(trips_of_some(j->request->trips, drawn, proof->sources, &trips, err));
        of_sample.trips = &trips;
    }
    TRY(betweenness_find(&of_sample, &again, err));
    TRY(compare_rows(j, &of_sample.sources, &again, err));
cleanup:
    trips_free(&trips);
    betweenness_free(&again);
    return status;
}

/* Checks that the weights times the flows add up to the sum of all distances. */
static enum status check_sum(const struct graph *g, const struct measures *m, const double *edge,
                             struct error *err) {
    long double sum = 0;
    for (int64_t e = 0; e < g->m; e++)
        sum += (long double)graph_weight(g, e) * edge[e];
    const double expected = g->type == NUMBER_INT32 ? (double)m->pairs.sum : m->pairs.real_sum;
    return fabs((double)sum - expected) <= 0x1p-40 * expected
               ? STATUS_OK
               : fail(err, STATUS_REFUTED,
                      "betweenness of edges: expected that weights times flows are %.17g, the sum "
                      "of all distances, found %.17g",
                      expected, (double)sum);
}

/* Checks that as much flow enters a vertex as leaves it, without the flow that begins and ends
 * there. */
static enum status check_balance(const struct graph *g, const struct measures *m,
                                 const struct betweenness *found, double *in, double *out,
                                 struct error *err) {
    memset(in, 0, (size_t)g->n * sizeof *in);
    for (int32_t u = 0; u < g->n; u++) {
        out[u] = 0;
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            in[g->head[e]] += found->edge[e];
            out[u] += found->edge[e];
        }
    }
    for (int32_t v = 0; v < g->n; v++) {
        const double begins = measures_totals(m, false, v).reached - 1;
        const double ends = measures_totals(m, measures_have_in(m), v).reached - 1;
        const double through = in[v] - ends, most = flow_tolerance(in[v], g->n);
        if (!(fabs(through - (out[v] - begins)) <= most) ||
            !(fabs(found->vertex[v] - through) <= most))
            return fail(err, STATUS_REFUTED,
                        "betweenness of vertex %s: expected what flows in, %.17g, less %.17g that "
                        "end there, and what flows out, %.17g, less %.17g that begin there, found "
                        "%.17g%s",
                        graph_name(g, v).text, in[v], ends, out[v], begins, found->vertex[v],
                        graph_numbering(g));
    }
    return STATUS_OK;
}

static enum status check_conditions(const struct judging *j, const struct betweenness *found,
                                    struct error *err) {
    const struct graph *const g = j->request->graph;
    struct measures m = {.graph = NULL};
    enum status status;
    measures_init(&m, g, j->request->threads);
    measures_choose(&m, 0);
    TRY(solve_proved(j, &j->request->sources, &m.sink, err));
    TRY(measures_finish(&m, err));
    TRY(check_sum(g, &m, found->edge, err));
    if (j->request->sources.source == NULL)
        TRY(check_balance(g, &m, found, j->vertex, j->edge, err));
cleanup:
    measures_free(&m);
    return status;
}

enum status betweenness_prove(const struct betweenness_request *request,
                              const struct betweenness *found, const struct solver_variant *variant,
                              double whole_most, struct betweenness_proof *proof,
                              struct error *err) {
    const struct graph *const g = request->graph;
    const size_t n = (size_t)g->n, m = (size_t)g->m;
    const struct row_sources sources = sources_of(request);
    struct judging j = {.request = request, .variant = variant};
    void *memory = NULL, *of_split = NULL;
    enum status status;
    *proof = (struct betweenness_proof){.whole = (double)sources.count * ((double)n + (double)m) <=
                                                 whole_most,
                                        .sources = sources.count};
    if (request->endpoints)
        return fail(err, STATUS_BAD_INPUT,
                    "betweenness: expected pairs without their ends to be proved");
    TRY(memory_alloc(&memory, n + (m > n ? m : n), sizeof(double), "the proof", err));
    j.vertex = memory;
    j.edge = j.vertex + n;
    if (request->split != NULL)
        TRY(memory_alloc(&of_split, n, sizeof *j.source, "the proof", err));
    j.source = of_split;
    if (proof->whole)
        TRY(compare_rows(&j, &sources, found, err));
    else {
        if (request->split == NULL && !are_weighted(request))
            TRY(check_conditions(&j, found, err));
        TRY(compare_sample(&j, found, proof, err));
    }
cleanup:
    memory_free(memory);
    memory_free(of_split);
    return status;
}
