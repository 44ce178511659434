// SPDX-License-Identifier: MIT
#include "eccentricity/bounds.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "measures/components.h"     // components_number
#include "solve/weak_components.h"   // weak_components_find

#include <math.h>
#include <string.h>

static const char what[] = "the bounds";

/* Functions in place of fmin and fmax, which would be calls. No number is NAN. */
static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static enum status make(void **array, size_t count, size_t size, struct error *err) {
    RETURN_ON_FAILURE(memory_alloc(array, count, size, what, err));
    memset(*array, 0, count * size);
    return STATUS_OK;
}

/* Returns the slack of bounds (bounds.h): for both distances of a sum k u (1 + ...), with room for
 * the roundings here. */
static double slack_of(const struct graph *g) {
    const double u = g->type == NUMBER_FLOAT32 ? 0x1p-24 : 0x1p-53, all = g->n * u;
    return all < 0.125 ? 1 + 4 * all + 0x1p-48 : (double)INFINITY;
}

/* Numbers the strongly connected components of a directed graph. Lists the components of one vertex
 * in an order in which their edges lead to earlier ones. */
static enum status number_strong_components(struct bounds *b, struct error *err) {
    const int32_t n = b->graph->n;
    void *memory, *size = NULL;
    enum status status;
    TRY(make(&memory, (size_t)n, sizeof *b->component, err));
    b->component = memory;
    TRY(components_number(b->graph, b->component, &b->components, err));
    TRY(make(&memory, (size_t)b->components, sizeof *b->alone, err));
    b->alone = memory;
    TRY(make(&size, (size_t)b->components, sizeof(int32_t), err));
    int32_t *const vertices = size;
    for (int32_t v = 0; v < n; v++) {
        vertices[b->component[v]]++;
        b->alone[b->component[v]] = v;
    }
    for (int32_t c = 0; c < b->components; c++) {
        if (vertices[c] == 1)
            b->alone[b->alone_count++] = b->alone[c];
    }
cleanup:
    memory_free(size);
    return status;
}

/* Numbers the components of an undirected graph, which takes less time than for a directed one.
 * Bounds the distances in each component, since a path has fewer edges than the component has
 * vertices. */
static enum status number_weak_components(struct bounds *b, struct error *err) {
    struct weak_components found;
    const enum status status = weak_components_find(b->graph, &found, err);
    if (status == STATUS_OK) {
        b->components = found.count;
        b->component = found.of;
        found.of = NULL;
    }
    for (int32_t v = 0; status == STATUS_OK && found.size != NULL && v < b->graph->n; v++) {
        const double edges = found.size[b->component[v]] - 1;
        b->upper[v] = b->from_upper[v] = edges * b->graph->max_weight * b->slack;
        if (isnan(b->upper[v])) /* the product was 0 times infinity */
            b->upper[v] = b->from_upper[v] = 0;
    }
    weak_components_free(&found);
    return status;
}

/* Bounds vertices that are components of their own by the vertices to which their edges lead. */
static void bound_alone(struct bounds *b) {
    const struct graph *const g = b->graph;
    for (int32_t k = 0; k < b->alone_count; k++) {
        const int32_t v = b->alone[k];
        double most = 0;
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++)
            most = larger(most, (graph_weight(g, e) + b->upper[g->head[e]]) * b->slack);
        if (b->searched[v])
            continue;
        b->upper[v] = smaller(b->upper[v], most);
        b->from_upper[v] = smaller(b->from_upper[v], most);
    }
}

enum status bounds_open(struct bounds *b, const struct graph *g, bool directed, struct error *err) {
    const size_t n = (size_t)g->n;
    void *memory;
    *b = (struct bounds){.graph = g,
                         .directed = directed,
                         .exact = g->type == NUMBER_INT32 || g->spacing > 0,
                         .slack = 1,
                         .largest = -1,
                         .least = (double)INFINITY,
                         .from = -1,
                         .to = -1,
                         .central = -1};
    if (!b->exact)
        b->slack = slack_of(g);
    if (g->type == NUMBER_INT32)
        b->unit = g->min_weight == g->max_weight && g->max_weight > 0 ? g->max_weight : 1;
    else
        b->unit = g->spacing;
    RETURN_ON_FAILURE(make(&memory, n, sizeof *b->lower, err));
    b->lower = memory;
    RETURN_ON_FAILURE(make(&memory, n, sizeof *b->upper, err));
    b->upper = memory;
    RETURN_ON_FAILURE(make(&memory, n, sizeof *b->from_upper, err));
    b->from_upper = b->to_upper = memory;
    if (directed) {
        RETURN_ON_FAILURE(make(&memory, n, sizeof *b->to_upper, err));
        b->to_upper = memory;
    }
    RETURN_ON_FAILURE(make(&memory, n, sizeof *b->to_landmarks, err));
    b->to_landmarks = b->from_landmarks = memory;
    if (directed) {
        RETURN_ON_FAILURE(make(&memory, n, sizeof *b->from_landmarks, err));
        b->from_landmarks = memory;
    }
    RETURN_ON_FAILURE(make(&memory, n, sizeof *b->searched, err));
    b->searched = memory;
    for (size_t v = 0; v < n; v++)
        b->upper[v] = b->from_upper[v] = b->to_upper[v] = (double)INFINITY;
    RETURN_ON_FAILURE(directed ? number_strong_components(b, err) : number_weak_components(b, err));
    bound_alone(b);
    return STATUS_OK;
}

/* Takes over the eccentricity of a row's source; returns it. */
static double take_source(struct bounds *b, const struct search_row *row) {
    const enum number_type type = b->graph->type;
    const double none = type == NUMBER_INT32 ? INF : (double)INFINITY;
    double farthest = 0;
    int32_t to = row->source;
    for (int32_t v = 0; v < b->graph->n; v++) {
        const double d = number_at(type, row->dist, v);
        if (d < none && d > farthest) {
            farthest = d;
            to = v;
        }
    }
    b->sources += !b->searched[row->source];
    b->searched[row->source] = true;
    b->lower[row->source] = b->upper[row->source] = farthest;
    if (farthest > b->largest) {
        b->largest = farthest;
        b->from = row->source;
        b->to = to;
    }
    if (farthest < b->least) {
        b->least = farthest;
        b->central = row->source;
    }
    return farthest;
}

/* Bounds the eccentricities of all vertices by a row and its source's eccentricity. */
static void take_row(struct bounds *b, const struct search_row *row, double farthest, int threads) {
    const enum number_type type = b->graph->type;
    const double none = type == NUMBER_INT32 ? INF : (double)INFINITY, slack = b->slack;
    const bool from = !row->backward, to = row->backward || !b->directed;
    const int32_t *const component = b->component;
    const int32_t own = component != NULL ? component[row->source] : 0;
    if (isinf(slack))
        return;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t v = 0; v < b->graph->n; v++) {
        const double d = number_at(type, row->dist, v);
        if (d >= none || b->searched[v])
            continue;
        const bool together = component == NULL || component[v] == own;
        double lower = b->lower[v];
        if (to)
            lower = larger(lower, d / slack);
        if (from && together)
            lower = larger(lower, farthest / slack - d);
        b->lower[v] = lower;
        if (to && together)
            b->upper[v] = smaller(b->upper[v], (d + farthest) * slack);
    }
}

/* Returns the largest distance of a row to a vertex whose bound is above the largest known
 * distance. */
static double reach_of(const struct bounds *b, const struct search_row *row, const double *bound,
                       int threads) {
    const enum number_type type = b->graph->type;
    const double none = type == NUMBER_INT32 ? INF : (double)INFINITY;
    double reach = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : reach)
    for (int32_t v = 0; v < b->graph->n; v++) {
        const double d = number_at(type, row->dist, v);
        if (bound[v] > b->largest && d < none)
            reach = larger(reach, d);
    }
    return reach;
}

/* Lowers the bounds of vertices in the component of the row's source to the length of paths through
 * the source, which go on for at most `reach` behind it. */
static void lower_bound(const struct bounds *b, const struct search_row *row, double reach,
                        double *bound, int threads) {
    const enum number_type type = b->graph->type;
    const double none = type == NUMBER_INT32 ? INF : (double)INFINITY;
    const int32_t *const component = b->component;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t v = 0; v < b->graph->n; v++) {
        const double d = number_at(type, row->dist, v);
        if (d < none && (component == NULL || component[v] == component[row->source]))
            bound[v] = smaller(bound[v], (d + reach) * b->slack);
    }
}

/* Returns the largest sum of distances from the landmarks, among vertices whose bound is above the
 * largest known distance. */
static double reach_of_landmarks(const struct bounds *b, const double *sum, const double *bound,
                                 int threads) {
    double reach = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(max : reach)
    for (int32_t v = 0; v < b->graph->n; v++) {
        if (bound[v] > b->largest && !isinf(sum[v]))
            reach = larger(reach, sum[v]);
    }
    return reach;
}

/* Lowers bounds as lower_bound() does, to the mean length of paths through the landmarks. landmark:
 * one of them. */
static void lower_by_landmarks(const struct bounds *b, int32_t landmark, const double *sum,
                               double reach, double *bound, int threads) {
    const int32_t *const component = b->component;
    /* Sums of int32 distances are exact; other sums are rounded once for each landmark. */
    const double by = b->graph->type == NUMBER_INT32 ? 1 : 1 + (b->landmarks + 4) * 0x1p-52;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t v = 0; v < b->graph->n; v++) {
        if (isinf(sum[v]) || (component != NULL && component[v] != component[landmark]))
            continue;
        const double mean = (sum[v] + reach) / b->landmarks * b->slack * by;
        bound[v] = smaller(bound[v], b->unit > 0 ? floor(mean / b->unit) * b->unit : mean);
    }
}

static void add_row(const struct bounds *b, const struct search_row *row, double *sum,
                    int threads) {
    const enum number_type type = b->graph->type;
    const double none = type == NUMBER_INT32 ? INF : (double)INFINITY;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t v = 0; v < b->graph->n; v++) {
        const double d = number_at(type, row->dist, v);
        sum[v] += d < none ? d : (double)INFINITY;
    }
}

/* Makes a vertex a landmark if it is as central as the landmarks. If it is much more central, it
 * replaces them all. */
static void take_landmark(struct bounds *b, const struct search_row *from,
                          const struct search_row *to, double farthest, int threads) {
    const double near = 1.125;
    const size_t bytes = (size_t)b->graph->n * sizeof *b->to_landmarks;
    if (b->landmarks > 0 && farthest > b->landmark_least * near)
        return;
    if (b->landmarks == 0 || farthest * near < b->landmark_least) {
        memset(b->to_landmarks, 0, bytes);
        memset(b->from_landmarks, 0, bytes);
        b->landmarks = 0;
        b->landmark_least = farthest;
        b->landmark = from->source;
    } else if (b->component != NULL && b->component[from->source] != b->component[b->landmark]) {
        return;
    }
    b->landmarks++;
    b->landmark_least = smaller(b->landmark_least, farthest);
    add_row(b, to, b->to_landmarks, threads);
    if (b->directed)
        add_row(b, from, b->from_landmarks, threads);
}

/* Bounds the distances of pairs by the lengths of paths through one vertex, whose rows are given.
 * No pair farther apart than the largest known distance begins at this vertex. In an undirected
 * graph none ends there either, unless distances of the two directions are rounded differently. */
static void take_pairs(struct bounds *b, const struct search_row *from, const struct search_row *to,
                       double farthest, int threads) {
    double *const own = &b->from_upper[from->source];
    if (isinf(b->slack))
        return;
    lower_bound(b, to, reach_of(b, from, b->to_upper, threads), b->from_upper, threads);
    if (b->directed)
        lower_bound(b, from, reach_of(b, to, b->from_upper, threads), b->to_upper, threads);
    *own = b->directed || b->exact ? 0 : smaller(*own, farthest * b->slack);
}

/* Bounds the distances of pairs by the lengths of paths through all landmarks. */
static void take_landmarks(struct bounds *b, int threads) {
    double reach;
    if (isinf(b->slack) || b->landmarks == 0)
        return;
    reach = reach_of_landmarks(b, b->from_landmarks, b->to_upper, threads);
    lower_by_landmarks(b, b->landmark, b->to_landmarks, reach, b->from_upper, threads);
    if (!b->directed)
        return;
    reach = reach_of_landmarks(b, b->to_landmarks, b->from_upper, threads);
    lower_by_landmarks(b, b->landmark, b->from_landmarks, reach, b->to_upper, threads);
}

void bounds_take(struct bounds *b, const struct search_row *rows, int32_t count, int most) {
    /* With fewer vertices, a pass takes less time than the threads need to meet. */
    const int64_t worth_threads = 16 * (int64_t)block_sizes.thread_steps;
    const int threads = b->graph->n < worth_threads ? 1 : most;
    const int32_t each = b->directed ? 2 : 1;
    for (int32_t k = 0; k < count; k += each) {
        const double farthest = take_source(b, &rows[k]);
        for (int32_t side = 0; side < each; side++)
            take_row(b, &rows[k + side], farthest, threads);
        take_pairs(b, &rows[k], &rows[k + each - 1], farthest, threads);
        take_landmark(b, &rows[k], &rows[k + each - 1], farthest, threads);
    }
    take_landmarks(b, threads);
    bound_alone(b);
}

void bounds_close(struct bounds *b) {
    memory_free(b->component);
    memory_free(b->alone);
    memory_free(b->lower);
    memory_free(b->upper);
    if (b->to_upper != b->from_upper)
        memory_free(b->to_upper);
    memory_free(b->from_upper);
    if (b->to_landmarks != b->from_landmarks)
        memory_free(b->from_landmarks);
    memory_free(b->to_landmarks);
    memory_free(b->searched);
    *b = (struct bounds){0};
}
