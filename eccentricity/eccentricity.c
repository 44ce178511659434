// SPDX-License-Identifier: MIT
#include "eccentricity/eccentricity.h"

#include "common/base/memory.h"       // memory_alloc
#include "common/base/threads.h"      // threads_or_default
#include "eccentricity/bounds.h"      // struct bounds
#include "eccentricity/search_rows.h" // struct search_rows

#include <math.h>
#include <string.h>

/* Numbers of vertices that a round searches, and numbers of rounds with these numbers, for any
 * number of threads: few vertices while each search tells much, more when many are left. */
enum { FIRST_SOURCES = 2, ROUNDS_OF_FIRST = 32, NEXT_SOURCES = 8, ROUNDS_OF_NEXT = 48 };

struct eccentricity_search {
    const struct eccentricity_request *request;
    const struct graph *graph;
    unsigned wants;
    struct bounds bounds;
    struct search_rows searches;
    int threads;
    int64_t rounds;
    bool closed;
    int32_t count;                    /* number of vertices chosen for the next round */
    int32_t source[SEARCH_ROWS_MOST]; /* vertices chosen for the next round */
};

static int64_t degree(const struct graph *g, int32_t v) {
    return g->first[v + 1] - g->first[v];
}

/* Open questions about a vertex that has not been searched. */
enum open_question {
    NOTHING,
    MAY_BE_LARGEST,
    MAY_BE_LEAST,
    MAY_BE_PERIPHERAL,
    MAY_BE_CENTRAL,
    UNKNOWN
};

static enum open_question asks(const struct eccentricity_search *j, int32_t v) {
    const struct bounds *const b = &j->bounds;
    if (b->searched[v])
        return NOTHING;
    if (bounds_may_be_largest(b, v))
        return MAY_BE_LARGEST;
    const double lower = b->lower[v], upper = fmin(b->upper[v], b->largest);
    if ((j->wants & (ECCENTRICITY_RADIUS | ECCENTRICITY_CENTER)) != 0 && lower < b->least)
        return MAY_BE_LEAST;
    if ((j->wants & ECCENTRICITY_PERIPHERY) != 0 && upper == b->largest && lower < upper)
        return MAY_BE_PERIPHERAL;
    if ((j->wants & ECCENTRICITY_CENTER) != 0 && lower == b->least && upper > lower)
        return MAY_BE_CENTRAL;
    return (j->wants & ECCENTRICITY_ALL) != 0 && lower < upper ? UNKNOWN : NOTHING;
}

static bool is_chosen(const struct eccentricity_search *j, int32_t v) {
    for (int32_t k = 0; k < j->count; k++) {
        if (j->source[k] == v)
            return true;
    }
    return false;
}

static void choose(struct eccentricity_search *j, int32_t v) {
    if (v >= 0 && !is_chosen(j, v))
        j->source[j->count++] = v;
}

/* Returns whether a search from v is more likely to end with the largest distance. */
static bool is_farther(const struct eccentricity_search *j, int32_t v, int32_t than) {
    const struct bounds *const b = &j->bounds;
    const bool v_may = bounds_may_be_largest(b, v), than_may = bounds_may_be_largest(b, than);
    if (v_may != than_may)
        return v_may;
    const double *const bound = v_may ? b->from_upper : b->upper;
    if (bound[v] != bound[than])
        return bound[v] > bound[than];
    if (b->to_landmarks[v] != b->to_landmarks[than])
        return b->to_landmarks[v] > b->to_landmarks[than];
    return degree(j->graph, v) < degree(j->graph, than);
}

/* Chooses by turns the vertex with the largest upper bound, whose search raises the largest
 * eccentricity or lowers the bound, and the vertex with the least lower bound, which is near all
 * others and so bounds them well. Returns whether any question is open. */
static bool choose_sources(struct eccentricity_search *j) {
    const struct graph *const g = j->graph;
    const struct bounds *const b = &j->bounds;
    const int32_t wanted = j->rounds < ROUNDS_OF_FIRST  ? FIRST_SOURCES
                           : j->rounds < ROUNDS_OF_NEXT ? NEXT_SOURCES
                                                        : SEARCH_ROWS_MOST / 2;
    bool is_open = false;
    j->count = 0;
    for (int32_t turn = 0; turn < wanted; turn++) {
        int32_t far = -1, near = -1;
        for (int32_t v = 0; v < g->n; v++) {
            if (b->searched[v] || is_chosen(j, v))
                continue;
            const enum open_question question = asks(j, v);
            is_open |= question != NOTHING;
            if (turn % 2 == 0 && question != NOTHING && (far < 0 || is_farther(j, v, far)))
                far = v;
            if (turn % 2 == 1 &&
                (near < 0 || b->lower[v] < b->lower[near] ||
                 (b->lower[v] == b->lower[near] && degree(g, v) > degree(g, near))))
                near = v;
        }
        if (!is_open)
            return false;
        choose(j, turn % 2 == 0 ? far : near);
    }
    return true;
}

static enum status search(struct eccentricity_search *j, struct error *err) {
    const struct search_row *rows;
    struct bounds *const b = &j->bounds;
    const int32_t each = b->directed ? 2 : 1;
    const int32_t most = j->request->most_sources > 0 ? j->request->most_sources : j->graph->n;
    if (j->graph->n == 0 || (j->request->if_together && b->components != 1)) {
        j->closed = true;
        return STATUS_OK;
    }
    j->source[0] = graph_hub(j->graph);
    j->count = 1;
    do {
        RETURN_ON_FAILURE(search_rows_run(&j->searches, j->source, j->count, &rows, err));
        bounds_take(b, rows, j->count * each, j->threads);
        j->rounds++;
        if (!progress_report(j->request->progress, b->sources, j->graph->n))
            return progress_cancelled(err);
        j->closed = !choose_sources(j);
    } while (!j->closed && b->sources < most);
    return search_rows_prove(&j->searches, err);
}

/* Lists the vertices whose eccentricity is known to be `eccentricity`. */
static enum status list(const struct eccentricities *found, double eccentricity, int32_t **vertex,
                        int32_t *count, struct error *err) {
    void *memory;
    *count = 0;
    for (int pass = 0; pass < 2; pass++) {
        int32_t at = 0;
        for (int32_t v = 0; v < found->n; v++) {
            if (found->lower[v] != eccentricity || found->upper[v] != eccentricity)
                continue;
            if (pass == 1)
                (*vertex)[at] = v;
            at++;
        }
        if (pass == 1)
            break;
        RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)at, sizeof **vertex, "vertices", err));
        *vertex = memory;
        *count = at;
    }
    return STATUS_OK;
}

static enum status finish(struct eccentricity_search *j, struct eccentricities *found,
                          struct error *err) {
    struct bounds *const b = &j->bounds;
    const bool together = b->components == 1;
    for (int32_t v = 0; v < j->graph->n && j->closed && b->sources > 0; v++)
        b->upper[v] = fmin(b->upper[v], b->largest);
    found->n = j->graph->n;
    found->closed = j->closed;
    found->directed = b->directed;
    found->components = b->components;
    found->sources = b->sources;
    found->searches = b->sources * (b->directed ? 2 : 1);
    found->proved = j->searches.proved;
    found->largest = fmax(b->largest, 0);
    found->from = b->from;
    found->to = b->to;
    const bool has_radius = together && j->closed && (j->wants & ECCENTRICITY_RADIUS) != 0;
    found->diameter = !together ? (double)INFINITY : j->closed ? found->largest : NAN;
    found->radius = !together ? (double)INFINITY : has_radius ? b->least : NAN;
    found->central = has_radius ? b->central : -1;
    found->lower = b->lower;
    found->upper = b->upper;
    b->lower = b->upper = NULL;
    if (!together || !j->closed)
        return STATUS_OK;
    if ((j->wants & ECCENTRICITY_CENTER) != 0)
        RETURN_ON_FAILURE(list(found, b->least, &found->center, &found->center_count, err));
    if ((j->wants & ECCENTRICITY_PERIPHERY) != 0)
        RETURN_ON_FAILURE(list(found, b->largest, &found->periphery, &found->periphery_count, err));
    return STATUS_OK;
}

static enum status check_graph(const struct graph *g, struct error *err) {
    if (g->zones > 0)
        return fail(
            err, STATUS_BAD_INPUT,
            "diameter: expected a graph without zones, found %d (measures of all pairs have "
            "the diameter of a graph with zones, too: --measures)",
            g->zones);
    if (g->min_weight < 0)
        return fail(err, STATUS_BAD_INPUT,
                    "diameter: expected no weight below 0, found %.17g (measures of all pairs take "
                    "such weights: --measures)",
                    g->min_weight);
    return STATUS_OK;
}

enum status eccentricities_find(const struct eccentricity_request *request,
                                struct eccentricities *found, struct error *err) {
    const struct graph *const g = request->graph;
    const int threads = threads_worth(request->threads, 10.0 * (double)(g->n + g->m));
    struct eccentricity_search j = {
        .request = request, .graph = g, .wants = request->wants, .threads = threads};
    enum status status;
    *found = (struct eccentricities){.from = -1, .to = -1, .central = -1};
    TRY(check_graph(g, err));
    TRY(search_rows_open(&j.searches, g, request->check, threads, request->progress, err));
    TRY(bounds_open(&j.bounds, g, j.searches.directed, err));
    if (j.bounds.components != 1)
        j.wants &= ECCENTRICITY_ALL;
    if ((j.wants & ECCENTRICITY_CENTER) != 0)
        j.wants |= ECCENTRICITY_RADIUS;
    TRY(search(&j, err));
    TRY(finish(&j, found, err));
cleanup:
    search_rows_close(&j.searches);
    bounds_close(&j.bounds);
    return status;
}

double eccentricity_search_s(const struct graph *g, int32_t sources, int threads) {
    /* Nanoseconds on one thread, for each vertex and for each edge. */
    const bool equal_weights = g->min_weight == g->max_weight;
    const double vertex_ns = equal_weights ? 20 : 100, edge_ns = equal_weights ? 2 : 15;
    const double once_ns = 20 * (g->n + (double)g->m); /* for the reversed graph and the
                                                          components */
    const double each_ns = vertex_ns * g->n + edge_ns * (double)g->m;
    return (once_ns + sources * each_ns / threads_or_default(threads)) * 1e-9;
}

void eccentricities_free(struct eccentricities *found) {
    memory_free(found->lower);
    memory_free(found->upper);
    memory_free(found->center);
    memory_free(found->periphery);
    *found = (struct eccentricities){0};
}
