// SPDX-License-Identifier: MIT
/* Measures against their definitions, computed in the plainest way; the same bytes for rows in any
 * order, in blocks of any size, from any number of threads; and their files. */
#include "common/base/memory.h" // memory_alloc
#include "measures/compare.h"
#include "measures/components.h"
#include "measures/print.h"
#include "measures/table.h"
#include "measures/write.h"
#include "ranks/transport.h"
#include "solve/real_cycles.h" // real_sum
#include "tests/unit/real_graphs.h"
#include "tests/unit/transfers.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The way in which rows are handed over. */
struct handover {
    int threads;
    int32_t block;          /* the most rows of a block */
    struct random *shuffle; /* NULL: rows come in order */
};

static const struct provenance made_up = {.program = "cpu",
                                          .variant = "johnson",
                                          .graph = "g.txt",
                                          .checksum = 0xc0ffee,
                                          .has_checksum = true,
                                          .solve_s = 0.5,
                                          .total_s = 1};

/* Hands the rows of a matrix to m. */
static void deliver(struct measures *m, const struct matrix *dist,
                    const struct row_sources *sources, struct handover how) {
    struct error err;
    const int32_t count = sources->count,
                  size = how.block < ROW_BLOCK_MAX ? how.block : ROW_BLOCK_MAX;
    int32_t *order = malloc((size_t)count * sizeof *order);
    for (int32_t p = 0; p < count; p++) {
        const int32_t at = how.shuffle != NULL ? random_in(how.shuffle, 0, p) : p;
        order[p] = order[at];
        order[at] = p;
    }
    CU_ASSERT_EQUAL_FATAL(
        m->sink.begin(&m->sink, dist->n, dist->type, sources, false, how.threads, &err), STATUS_OK);
#pragma omp parallel for num_threads(how.threads) schedule(static, 1)
    for (int32_t first = 0; first < count; first += size) {
        struct row_block block = {
            .n = dist->n, .type = dist->type, .count = size < count - first ? size : count - first};
        struct error mine;
        for (int32_t r = 0; r < block.count; r++) {
            block.position[r] = order[first + r];
            block.source[r] = row_source(sources, order[first + r]);
            block.cells[r] = matrix_row_cells(dist, block.source[r]);
        }
        if (m->sink.take(&m->sink, &block, &mine) != STATUS_OK)
            abort();
    }
    free(order);
}

/* Returns the measures of g with the given distances, which need not be those of g. */
static struct measures measure(const struct graph *g, const struct matrix *dist,
                               const struct row_sources *sources, struct handover how) {
    struct measures m;
    struct error err;
    measures_init(&m, g, 1);
    deliver(&m, dist, sources, how);
    CU_ASSERT_EQUAL_FATAL(measures_finish(&m, &err), STATUS_OK);
    return m;
}

/* Returns whether totals are those of the n distances cell[0], cell[step] ... */
static bool vertex_is_right(const struct vertex_totals *v, const int32_t *cell, size_t step,
                            int32_t n) {
    struct vertex_totals right = {0};
    for (int32_t k = 0; k < n; k++) {
        const int32_t d = cell[(size_t)k * step];
        if (d == INF)
            continue;
        right.reached++;
        right.sum += d;
        right.eccentricity = d > right.eccentricity ? d : right.eccentricity;
        if (d != 0)
            right.reciprocals += (exact_sum)ldexp(1.0 / d, RECIPROCAL_BITS);
    }
    return v->reached == right.reached && v->sum == right.sum &&
           v->eccentricity == right.eccentricity && v->reciprocals == right.reciprocals;
}

static bool histogram_is_right(const struct distance_histogram *h, const struct matrix *dist,
                               const struct row_sources *sources) {
    int32_t least = 0, farthest = 0, width = 1;
    int64_t counted = 0;
    for (int32_t p = 0; p < sources->count; p++) {
        for (int32_t v = 0; v < dist->n; v++) {
            const int32_t d = matrix_row(dist, row_source(sources, p))[v];
            if (d == INF || v == row_source(sources, p))
                continue;
            least = d < least ? d : least;
            farthest = d > farthest ? d : farthest;
            counted++;
        }
    }
    while (floor((double)farthest / width) - floor((double)least / width) >= MEASURES_BINS)
        width *= 2;
    int64_t count[MEASURES_BINS + 1] = {0};
    for (int32_t p = 0; p < sources->count; p++) {
        for (int32_t v = 0; v < dist->n; v++) {
            const int32_t d = matrix_row(dist, row_source(sources, p))[v];
            const double bin = floor(((double)d - h->first) / width);
            if (d != INF && v != row_source(sources, p))
                count[bin >= 0 && bin < h->bins ? (int)bin : MEASURES_BINS]++;
        }
    }
    return h->width == width && fmod(h->first, width) == 0 && count[MEASURES_BINS] == 0 &&
           memcmp(h->count, count, (size_t)h->bins * sizeof *count) == 0 &&
           (h->bins > 0 ? count[0] > 0 && count[h->bins - 1] > 0 : counted == 0);
}

static bool pairs_are_right(const struct measures *m, const struct matrix *dist,
                            const struct row_sources *sources) {
    int64_t without = 0, sum = 0;
    int32_t largest = 0, from = INT32_MAX, to = 0;
    for (int32_t p = 0; p < sources->count; p++) {
        const int32_t s = row_source(sources, p), *row = matrix_row(dist, s);
        for (int32_t v = 0; v < dist->n; v++) {
            without += row[v] == INF;
            sum += row[v] == INF ? 0 : row[v];
            if (row[v] != INF &&
                (row[v] > largest || (row[v] == largest && (s < from || (s == from && v < to))))) {
                largest = row[v];
                from = s;
                to = v;
            }
        }
    }
    const struct pair_measures *pairs = &m->pairs;
    const int64_t with = (int64_t)sources->count * (dist->n - 1) - without;
    return pairs->pairs == (int64_t)sources->count * (dist->n - 1) &&
           pairs->without_path == without && pairs->sum == sum && pairs->largest == largest &&
           pairs->from == from && pairs->to == to &&
           pairs->average == (with > 0 ? (double)sum / (double)with : 0);
}

/* Checks components: vertices in one component reach one another. */
static bool graph_is_right(const struct measures *m, const struct matrix *dist) {
    const struct graph_measures *g = &m->of_graph;
    int32_t components = 0, largest = 0, radius = INT32_MAX;
    double reciprocals = 0;
    for (int32_t i = 0; i < dist->n; i++) {
        int32_t size = 0;
        bool first = true;
        for (int32_t j = 0; j < dist->n; j++) {
            const int32_t d = matrix_row(dist, i)[j];
            if (d != INF && matrix_row(dist, j)[i] != INF) {
                size++;
                first = first && j >= i;
            }
            reciprocals += d != INF && d != 0 ? 1.0 / d : 0;
        }
        components += first;
        largest = size > largest ? size : largest;
        radius = m->out[i].eccentricity < radius ? m->out[i].eccentricity : radius;
    }
    const double pairs = (double)dist->n * (dist->n - 1);
    const double efficiency = dist->n > 1 ? reciprocals / pairs : 0;
    return g->components == components && g->largest_component == largest && g->radius == radius &&
           g->diameter == m->pairs.largest && g->average_shortest_path_length == m->pairs.average &&
           g->wiener_index == (m->directed ? m->pairs.sum : m->pairs.sum / 2) &&
           fabs(g->global_efficiency - efficiency) <= 1e-12 * (fabs(efficiency) + 1);
}

static bool all_are_right(const struct measures *m, const struct matrix *dist,
                          const struct row_sources *sources) {
    bool right =
        pairs_are_right(m, dist, sources) && histogram_is_right(&m->pairs.histogram, dist, sources);
    for (int32_t p = 0; p < sources->count; p++)
        right = right &&
                vertex_is_right(&m->out[p], matrix_row(dist, row_source(sources, p)), 1, dist->n);
    const size_t step = dist->n > 1 ? (size_t)(matrix_row(dist, 1) - matrix_row(dist, 0)) : 1;
    for (int32_t v = 0; v < dist->n && m->in != NULL; v++)
        right = right && vertex_is_right(&m->in[v], matrix_row(dist, 0) + v, step, dist->n);
    return right && (m->in != NULL) == (m->directed && sources->source == NULL);
}

/* Returns whether some edge has no reverse of its weight. */
static bool is_directed(const struct graph *g) {
    bool directed = false;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int64_t reverse = graph_find_edge(g, g->head[e], u);
            directed = directed || reverse < 0 || g->weight[reverse] != g->weight[e];
        }
    }
    return directed;
}

/* Returns g with every edge in both directions. */
static struct graph undirected(const struct graph *g) {
    struct edge *edges = malloc((size_t)(2 * g->m + 1) * sizeof *edges);
    int64_t count = 0;
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
            edges[count++] = (struct edge){u, g->head[e], g->weight[e]};
    }
    struct graph both = graph_of(g->n, edges, graph_append_reverses(edges, count));
    free(edges);
    return both;
}

static void test_definitions(void) {
    struct random random = {1};
    int connected = 0;
    for (int round = 0; round < 400; round++) {
        static const enum weights kinds[] = {WEIGHTS_POSITIVE, WEIGHTS_ZERO, WEIGHTS_NEGATIVE,
                                             WEIGHTS_LARGE};
        const int32_t n = round < 8 ? 1 + round / 4 : random_in(&random, 2, 50);
        const enum weights kind = kinds[round % 4];
        struct graph g = random_graph(&random, n, random_in(&random, 0, 12), kind);
        if (round % 3 == 0 && kind != WEIGHTS_NEGATIVE) {
            struct graph both = undirected(&g);
            graph_free(&g);
            g = both;
        }
        struct matrix dist, pred;
        solve_reference(&g, &dist, &pred);
        struct row_sources sources = {NULL, n};
        int32_t some[20];
        struct measures m = measure(&g, &dist, &sources, (struct handover){1, 7, NULL});
        CU_ASSERT(all_are_right(&m, &dist, &sources));
        CU_ASSERT(graph_is_right(&m, &dist));
        CU_ASSERT_EQUAL(m.directed, is_directed(&g));
        connected += m.of_graph.components == 1;
        measures_free(&m);
        for (int k = 0; k < 20; k++)
            some[k] = random_in(&random, 0, n - 1);
        sources = (struct row_sources){some, random_in(&random, 1, 20)};
        m = measure(&g, &dist, &sources, (struct handover){1, 7, NULL});
        CU_ASSERT(all_are_right(&m, &dist, &sources));
        measures_free(&m);
        matrix_free(&dist);
        matrix_free(&pred);
        graph_free(&g);
    }
    CU_ASSERT(connected > 40 && connected < 360);
}

/* A graph is directed unless each edge has its reverse, of the same weight. */
static void test_directed(void) {
    static const struct {
        struct edge edges[4];
        int64_t count;
        bool directed;
    } cases[] = {
        {{{0, 1, 5}}, 0, false},
        {{{0, 1, 5}}, 1, true},
        {{{1, 0, 5}}, 1, true},
        {{{0, 1, 5}, {1, 0, 5}}, 2, false},
        {{{0, 1, 5}, {1, 0, 6}}, 2, true},
        {{{0, 1, 5}, {1, 0, 5}, {1, 2, 5}}, 3, true},
        {{{0, 1, 5}, {1, 0, 5}, {2, 1, 5}, {1, 2, 5}}, 4, false},
        {{{0, 1, 5}, {1, 2, 5}, {2, 0, 5}}, 3, true},
        {{{0, 1, 5}, {1, 0, 5}, {2, 0, 5}}, 3, true},
        {{{0, 2, 5}, {2, 0, 5}, {2, 1, 5}}, 3, true},
        {{{0, 2, 5}, {2, 0, 5}, {1, 1, -5}}, 3, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct graph g = graph_of(3, cases[k].edges, cases[k].count);
        struct measures m;
        measures_init(&m, &g, 1);
        CU_ASSERT_EQUAL(m.directed, cases[k].directed);
        measures_free(&m);
        graph_free(&g);
    }
}

/* Returns distances of every size and sign, with some rows without any, for more vertices than a
 * tile has. */
static struct matrix wild_matrix(struct random *random, int32_t n) {
    static const int32_t largest[] = {5, 3000, 4000000, INF - 1};
    struct matrix dist = new_matrix(n);
    for (int32_t i = 0; i < n; i++) {
        const int32_t most = largest[random_in(random, 0, 3)];
        const int kind = random_in(random, 0, 4);
        for (int32_t j = 0; j < n; j++) {
            const int32_t d = random_in(random, 0, 9) == 0 ? most : random_in(random, 0, most);
            matrix_row(&dist, i)[j] = kind == 0 || random_in(random, 0, 5) == 0 ? INF
                                      : kind == 1 && random_in(random, 0, 1)    ? -d
                                                                                : d;
        }
        matrix_row(&dist, i)[i] = 0;
    }
    return dist;
}

/* Rank 1 sends its measures, which two threads have taken, to rank 0. Before each array it sends
 * the number of elements: 0 for rows and columns, 1 for all others. */
static int arrays, columns;

static int receive(void *data, size_t size, int from) {
    const int two_threads = -2;
    (void)from;
    memset(data, 0, size);
    if (size == sizeof(uint64_t))
        *(uint64_t *)data = ++arrays > 1 + columns;
    else if (size == sizeof two_threads)
        memcpy(data, &two_threads, sizeof two_threads);
    return 0;
}

/* Rank 0 receives all that rank 1 sends, although there is no memory for the first thread's totals.
 */
static void test_gathering_without_memory(void) {
    static const struct ranks_transport transport = {.version = RANKS_TRANSPORT_VERSION,
                                                     .receive = receive,
                                                     .copy = transfer_at_once,
                                                     .test = transfer_is_done};
    static const struct ranks first = {.count = 2, .transport = &transport};
    enum { AGREEMENT_AND_NUMBER = 2, THREADS = 2 };
    struct random random = {17};
    struct graph g = random_real_graph(&random, 30, 20, NUMBER_FLOAT64, UNIFORM);
    const struct row_sources all = {NULL, g.n};
    char limit[32];
    struct measures m;
    struct error err = {0};
    measures_init(&m, &g, 1);
    CU_ASSERT_EQUAL_FATAL(m.sink.begin(&m.sink, g.n, g.type, &all, false, 1, &err), STATUS_OK);
    arrays = 0;
    columns = m.sink.wants_columns;
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)memory_held() + 1);
    setenv("APSP_MEMORY_LIMIT", limit, 1);
    CU_ASSERT_EQUAL(measures_gather(&m, &first, &err), STATUS_NO_RESOURCE);
    unsetenv("APSP_MEMORY_LIMIT");
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "measures of a thread"));
    CU_ASSERT_EQUAL(arrays, 1 + columns + AGREEMENT_AND_NUMBER + THREADS);
    measures_free(&m);
    graph_free(&g);
}

static char *read_file(const char *prefix, const char *suffix, size_t *size) {
    char path[128], *text = malloc(1 << 22);
    snprintf(path, sizeof path, "%s%s", prefix, suffix);
    FILE *file = fopen(path, "rb");
    *size = file != NULL ? fread(text, 1, 1 << 22, file) : 0;
    if (file != NULL)
        fclose(file);
    return text;
}

static bool same_file(const char *a, const char *b, const char *suffix) {
    size_t a_size, b_size;
    char *in_a = read_file(a, suffix, &a_size), *in_b = read_file(b, suffix, &b_size);
    const bool same = a_size > 0 && a_size == b_size && memcmp(in_a, in_b, a_size) == 0;
    free(in_a);
    free(in_b);
    return same;
}

/* Results are the same bytes, however the rows come. */
static void check_same_bytes(void) {
    static const int32_t sizes[] = {1, 2, 15, 100, 513, 1100};
    struct random random = {2};
    struct error err;
    for (size_t s = 0; s < 2 * sizeof sizes / sizeof *sizes; s++) {
        const int32_t n = sizes[s / 2];
        const struct edge edge = {0, n - 1, 1};
        struct graph g = graph_of(n, &edge, s % 2 == 0);
        struct matrix dist = wild_matrix(&random, n);
        const struct row_sources sources = {NULL, n};
        const char *first = temporary_path();
        struct measures_file file;
        struct measures m = measure(&g, &dist, &sources, (struct handover){1, 64, NULL});
        CU_ASSERT(all_are_right(&m, &dist, &sources));
        CU_ASSERT_EQUAL(measures_write(first, &m, &made_up, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(measures_read(first, &file, &err), STATUS_OK);
        CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_OK);
        measures_file_free(&file);
        measures_free(&m);
        const int32_t blocks[] = {1, 2, 3, 31, n, n + 1};
        for (int k = 0; k < 6; k++) {
            char other[128];
            snprintf(other, sizeof other, "%s.other", first);
            m = measure(&g, &dist, &sources, (struct handover){1 + k % 4, blocks[k], &random});
            CU_ASSERT_EQUAL(measures_write(other, &m, &made_up, &err), STATUS_OK);
            CU_ASSERT(same_file(first, other, ".csv") && same_file(first, other, ".json"));
            measures_free(&m);
        }
        matrix_free(&dist);
        graph_free(&g);
    }
}

static void test_same_bytes(void) {
    on_every_isa(check_same_bytes);
}

/* Returns real distances of very different magnitudes, some below 0, with no path for most pairs of
 * some rows. */
static struct matrix wild_real_matrix(struct random *random, enum number_type type, int32_t n,
                                      double magnitudes) {
    struct matrix dist;
    struct error err;
    if (matrix_alloc_typed(&dist, type, n, n, "D", &err) != STATUS_OK)
        abort();
    for (int32_t i = 0; i < n; i++) {
        const int paths = random_in(random, 0, 9), below = random_in(random, 0, 9) == 0;
        for (int32_t j = 0; j < n; j++) {
            const double d = rounded(type, pow(10, magnitudes * (random_unit(random) - 0.5)));
            set_real_cell(&dist, i, j,
                          random_in(random, 0, 9) >= paths ? INFINITY
                          : below                          ? -d
                                                           : d);
        }
        set_real_cell(&dist, i, i, 0);
    }
    return dist;
}

/* Returns the measure with that name. */
static double real_of(const char *name, const struct any_totals *totals) {
    for (size_t k = 0; measure_of_vertices_at(k) != NULL; k++) {
        if (strcmp(measure_of_vertices_at(k)->name, name) == 0)
            return measure_of_vertices_at(k)->real(totals);
    }
    return NAN;
}

/* Checks the measures of `count` distances against exact sums. */
static bool real_vertex_is_right(const struct any_totals *v, const double *distance, int32_t count,
                                 int32_t n) {
    double *const finite = malloc(2 * (size_t)count * sizeof *finite);
    double *const reciprocal = finite + count, eccentricity = 0;
    int32_t reached = 0, others = 0;
    for (int32_t k = 0; k < count; k++) {
        if (isinf(distance[k]))
            continue;
        eccentricity = fmax(eccentricity, distance[k]);
        finite[reached++] = distance[k];
        if (distance[k] != 0)
            reciprocal[others++] = 1 / distance[k];
    }
    const double sum = sum_exactly(finite, reached), r = reached - 1;
    const bool right =
        v->reached == reached && v->eccentricity == eccentricity && v->sum == sum &&
        v->reciprocals == sum_exactly(reciprocal, others) &&
        real_of("closeness_centrality", v) == (sum > 0 ? r / sum * (r / (n - 1)) : 0);
    free(finite);
    return right;
}

/* Checks every vertex in both directions, and all pairs, against the definitions. */
static void check_real_measures(const struct measures *m, const struct matrix *dist) {
    const int32_t n = dist->n;
    const struct distance_histogram *const h = &m->pairs.histogram;
    double *const all = malloc(2 * (size_t)n * (size_t)n * sizeof *all);
    double *const line = malloc((size_t)n * sizeof *line), *const reciprocal = all + n * n;
    double least = 0, farthest = 0;
    int64_t count[MEASURES_BINS + 1] = {0};
    int32_t finite = 0, others = 0, wrong = 0;
    for (int32_t i = 0; i < n; i++) {
        for (int inwards = 0; inwards <= 1; inwards++) {
            for (int32_t j = 0; j < n; j++)
                line[j] = inwards ? real_cell(dist, j, i) : real_cell(dist, i, j);
            const struct any_totals v = measures_totals(m, inwards, i);
            wrong += !real_vertex_is_right(&v, line, n, n);
        }
        for (int32_t j = 0; j < n; j++) {
            const double d = real_cell(dist, i, j);
            if (isinf(d) || i == j)
                continue;
            const double bin = floor(d / h->width) - h->first / h->width;
            count[bin >= 0 && bin < h->bins ? (int)bin : MEASURES_BINS]++;
            least = fmin(least, d);
            farthest = fmax(farthest, d);
            all[finite++] = d;
            if (d != 0)
                reciprocal[others++] = 1 / d;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(m->pairs.without_path, (int64_t)n * (n - 1) - finite);
    CU_ASSERT_EQUAL(m->pairs.largest, farthest);
    CU_ASSERT_EQUAL(real_cell(dist, m->pairs.from, m->pairs.to), farthest);
    const double sum = sum_exactly(all, finite);
    CU_ASSERT_EQUAL(m->pairs.real_sum, sum);
    CU_ASSERT(finite == 0 || fabs(m->pairs.average - sum / finite) <= 0x1p-52 * fabs(sum / finite));
    CU_ASSERT_EQUAL(m->of_graph.global_efficiency,
                    n > 1 ? sum_exactly(reciprocal, others) / ((double)n * (n - 1)) : 0);
    CU_ASSERT(count[MEASURES_BINS] == 0 &&
              memcmp(h->count, count, (size_t)h->bins * sizeof *count) == 0);
    CU_ASSERT(finite == 0 || (count[0] > 0 && count[h->bins - 1] > 0));
    const double half = h->width / 2; /* half of the width would be too narrow */
    CU_ASSERT(finite == 0 || floor(farthest / half) - floor(least / half) >= MEASURES_BINS);
    free(line);
    free(all);
}

/* Results are right, and the same bytes however the rows come. */
static void check_real_bytes(void) {
    static const int32_t sizes[] = {2, 40, 200};
    struct random random = {4};
    struct error err;
    for (int k = 0; k < 6; k++) {
        const enum number_type type = k % 2 ? NUMBER_FLOAT32 : NUMBER_FLOAT64;
        const int32_t n = sizes[k / 2];
        struct real_edge edge = {0, n - 1, 0.1};
        struct graph g = graph_of_real(n, type, &edge, 1);
        struct matrix dist = wild_real_matrix(&random, type, n, k < 4 ? 20 : 3);
        const struct row_sources sources = {NULL, n};
        const char *first = temporary_path();
        struct measures_file file;
        struct measures m = measure(&g, &dist, &sources, (struct handover){1, 64, NULL});
        check_real_measures(&m, &dist);
        CU_ASSERT_EQUAL(measures_write(first, &m, &made_up, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(measures_read(first, &file, &err), STATUS_OK);
        CU_ASSERT_EQUAL(file.type, type);
        CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_OK);
        measures_free(&m);
        const int32_t blocks[] = {1, 7, n};
        for (int b = 0; b < 3; b++) {
            char other[128];
            snprintf(other, sizeof other, "%s.other", first);
            m = measure(&g, &dist, &sources, (struct handover){1 + b, blocks[b], &random});
            CU_ASSERT_EQUAL(measures_write(other, &m, &made_up, &err), STATUS_OK);
            CU_ASSERT(same_file(first, other, ".csv") && same_file(first, other, ".json"));
            measures_free(&m);
        }
        /* A difference of one unit in the last place of one distance changes the sum. */
        const double largest = nextafter(nextafterf(2e10F, INFINITY), INFINITY);
        set_real_cell(&dist, 0, n - 1, largest);
        m = measure(&g, &dist, &sources, (struct handover){1, 64, NULL});
        CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_REFUTED);
        measures_free(&m);
        measures_file_free(&file);
        matrix_free(&dist);
        graph_free(&g);
    }
}

static void test_real_bytes(void) {
    on_every_isa(check_real_bytes);
}

/* Sums of distances at the limits of float64 are scaled. */
static void test_real_limits(void) {
    enum { N = 4 };
    static const double largest[] = {0x1p1020, 0x1p-1060};
    for (int k = 0; k < 2; k++) {
        struct real_edge edge = {0, 1, largest[k]};
        struct graph g = graph_of_real(N, NUMBER_FLOAT64, &edge, 1);
        const struct row_sources sources = {NULL, N};
        struct matrix dist;
        struct error err;
        CU_ASSERT_FATAL(matrix_alloc_typed(&dist, NUMBER_FLOAT64, N, N, "D", &err) == STATUS_OK);
        for (int32_t c = 0; c < N * N; c++)
            set_real_cell(&dist, c / N, c % N, c / N == c % N ? 0 : largest[k] * (1 + c % 2));
        struct measures m = measure(&g, &dist, &sources, (struct handover){2, 1, NULL});
        const struct any_totals v = measures_totals(&m, false, 0);
        CU_ASSERT_EQUAL(v.sum, 5 * largest[k]);
        CU_ASSERT_EQUAL(v.reciprocals, k == 0 ? 2 / largest[k] : HUGE_VAL);
        CU_ASSERT_EQUAL(v.eccentricity, 2 * largest[k]);
        const struct distance_histogram *const h = &m.pairs.histogram;
        CU_ASSERT(h->first == largest[k] || k == 0);
        CU_ASSERT_EQUAL(h->count[0] + h->count[h->bins - 1], N * (N - 1));
        measures_free(&m);
        matrix_free(&dist);
        graph_free(&g);
    }
}

/* Tries every block size. All distances are small except those of two rows, which change the bins
 * of all threads. */
static void test_block_sizes(void) {
    enum { N = 70 };
    struct random random = {3};
    const struct edge edge = {0, 1, 1};
    struct graph g = graph_of(N, &edge, 1);
    struct matrix dist = new_matrix(N);
    const struct row_sources sources = {NULL, N};
    for (int32_t size = 1; size <= N + 1; size++) {
        const int32_t far = random_in(&random, 0, N - 1), negative = random_in(&random, 0, N - 1);
        for (int32_t c = 0; c < N * N; c++) {
            const int32_t i = c / N, j = c % N, scale = i == far ? 5000 : i == negative ? -3000 : 1;
            matrix_row(&dist, i)[j] = i == j ? 0 : random_in(&random, 0, 9) * scale;
        }
        struct measures m =
            measure(&g, &dist, &sources, (struct handover){1 + size % 3, size, &random});
        CU_ASSERT(all_are_right(&m, &dist, &sources));
        measures_free(&m);
    }
    matrix_free(&dist);
    graph_free(&g);
}

/* Closeness is 0 unless the sum of distances is positive. */
static void test_closeness(void) {
    static const struct {
        int64_t sum;
        double closeness;
    } cases[] = {{8, 3.0 / 8 * (3.0 / 6)}, {1, 1.5}, {0, 0}, {-8, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct any_totals v = {.n = 7, .reached = 4, .sum = (double)cases[k].sum};
        CU_ASSERT_EQUAL(real_of("closeness_centrality", &v), cases[k].closeness);
    }
    CU_ASSERT_EQUAL(real_of("closeness_centrality", &(struct any_totals){.n = 1, .reached = 1}), 0);
}

/* Numbers of measures of vertices have no gaps, and a name means one measure in one direction. */
static void test_table(void) {
    const struct any_totals totals = {
        .n = 9, .reached = 3, .exact_sum = 7, .sum = 7, .eccentricity = 5, .reciprocals = 0.7};
    const struct measure_of_vertices *row;
    const char *names[64];
    int rows = 0, found = 0;
    for (; (row = measure_of_vertices_at((size_t)rows)) != NULL; rows++) {
        CU_ASSERT_EQUAL((row->integer == NULL), row->form == MEASURE_REAL);
        CU_ASSERT(row->integer == NULL || row->real(&totals) == (double)row->integer(&totals));
        CU_ASSERT_EQUAL(row->part & ~(unsigned)(MEASURES_ALL | MEASURES_FLOWS), 0);
        names[found++] = row->out_name;
        if (row->in_name == NULL) { /* the measure is of both directions */
            CU_ASSERT_STRING_EQUAL(row->name, row->out_name);
            continue;
        }
        names[found++] = row->in_name;
        CU_ASSERT(strcmp(row->name, row->in_name) == 0 || strcmp(row->name, row->out_name) == 0 ||
                  strcmp(row->name, strchr(row->out_name, '_') + 1) == 0);
    }
    for (int k = 0; k < rows; k++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(row = measure_of_vertices_numbered(k));
        CU_ASSERT_EQUAL(row->number, k);
        CU_ASSERT_EQUAL(measures_part_of(row->name), row->part);
        CU_ASSERT_EQUAL(measures_part_of(row->out_name), row->part);
    }
    CU_ASSERT_PTR_NULL(measure_of_vertices_numbered(rows));
    CU_ASSERT_PTR_NULL(measure_of_vertices_numbered(-1));
    for (int k = 0; k < found; k++) {
        for (int other = 0; other < k; other++)
            CU_ASSERT_STRING_NOT_EQUAL(names[k], names[other]);
    }
    CU_ASSERT_EQUAL(measures_part_of("global_efficiency"), MEASURES_HARMONIC);
    CU_ASSERT_EQUAL(measures_part_of("histogram"), MEASURES_HISTOGRAM);
    CU_ASSERT_EQUAL(measures_part_of("number_strongly_connected_components"), 0);
    CU_ASSERT_EQUAL(measures_part_of("beauty"), 0);
}

/* A second begin forgets what was taken, also in a thread that takes nothing the second time. */
static void test_begin_again(void) {
    enum { N = 40 };
    struct random random = {4};
    struct error err;
    const struct edge edge = {0, 1, 1};
    struct graph g = graph_of(N, &edge, 1);
    struct matrix wild = wild_matrix(&random, N), dist = wild_matrix(&random, N);
    const struct row_sources sources = {NULL, N};
    struct measures m;
    measures_init(&m, &g, 1);
    deliver(&m, &wild, &sources, (struct handover){3, 2, NULL});
    deliver(&m, &dist, &sources, (struct handover){2, N, NULL});
    CU_ASSERT_EQUAL(measures_finish(&m, &err), STATUS_OK);
    CU_ASSERT(all_are_right(&m, &dist, &sources));
    measures_free(&m);
    matrix_free(&wild);
    matrix_free(&dist);
    graph_free(&g);
}

/* The least width of bins is found even if distances grow a little at a time. */
static void test_bins(void) {
    enum { N = 4000 };
    struct graph g = graph_of(N, NULL, 0);
    const int32_t one = 0;
    const struct row_sources sources = {&one, 1};
    static const struct {
        int32_t factor, width;
    } cases[] = {{0, 1}, {1, 4}, {-1, 4}, {268435, 1 << 20}, {-268435, 1 << 21}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        void *row;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(memory_alloc(&row, N, sizeof(int32_t), "row", &err), STATUS_OK);
        for (int32_t v = 0; v < N; v++)
            ((int32_t *)row)[v] = v * cases[k].factor;
        struct measures m;
        measures_init(&m, &g, 1);
        struct row_block block = {.n = N, .count = 1, .dist = {row}};
        CU_ASSERT_EQUAL(m.sink.begin(&m.sink, N, NUMBER_INT32, &sources, false, 1, &err),
                        STATUS_OK);
        CU_ASSERT_EQUAL(m.sink.take(&m.sink, &block, &err), STATUS_OK);
        CU_ASSERT_EQUAL(measures_finish(&m, &err), STATUS_OK);
        const struct distance_histogram *h = &m.pairs.histogram;
        int64_t counted = 0;
        for (int32_t b = 0; b < h->bins; b++)
            counted += h->count[b];
        CU_ASSERT_EQUAL(h->width, cases[k].width);
        CU_ASSERT_EQUAL(counted, N - 1);
        measures_free(&m);
        memory_free(row);
    }
    graph_free(&g);
}

/* Sums of more than 64 bits, sums of reciprocals of more than 128 bits, and a .json with long
 * lists. */
static void test_large_sums(void) {
    enum { N = 2500 };
    struct graph g = graph_of(N, NULL, 0);
    struct matrix dist = new_matrix(N);
    struct error err;
    for (int32_t c = 0; c < N * N; c++)
        matrix_row(&dist, c / N)[c % N] = c / N == c % N ? 0 : 1;
    const struct row_sources sources = {NULL, N};
    struct measures m;
    measures_init(&m, &g, 1);
    deliver(&m, &dist, &sources, (struct handover){1, 64, NULL});
    for (int32_t v = 0; v < N; v++) {
        m.out[v].sum = (INT64_MAX / 2 + 1) + (v == 0);
        m.out[v].reciprocals = ((exact_sum)1 << 122) + (v == 0);
    }
    CU_ASSERT_EQUAL(measures_finish(&m, &err), STATUS_OK);
    CU_ASSERT(m.pairs.sum == (exact_sum)(INT64_MAX / 2 + 1) * N + 1);
    CU_ASSERT_EQUAL(m.of_graph.global_efficiency,
                    ldexp(1, 122 - RECIPROCAL_BITS) * N / ((double)N * (N - 1)));
    CU_ASSERT_EQUAL(m.of_graph.average_shortest_path_length, ldexp(1, 62) / (N - 1));
    const char *prefix = temporary_path();
    size_t size;
    CU_ASSERT_EQUAL(measures_write(prefix, &m, &made_up, &err), STATUS_OK);
    char *json = read_file(prefix, ".json", &size);
    json[size] = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(json, "\"wiener_index\": 5.7646075230342349e+21,"));
    struct measures_file file;
    CU_ASSERT_EQUAL(measures_read(prefix, &file, &err), STATUS_OK);
    CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_OK);
    measures_file_free(&file);
    free(json);

    /* A little above the midpoint between two doubles. */
    deliver(&m, &dist, &sources, (struct handover){1, 64, NULL});
    for (int32_t v = 0; v < N; v++)
        m.out[v].reciprocals = v == 0;
    m.out[1].reciprocals = ((exact_sum)1 << 126) + ((exact_sum)1 << 73);
    CU_ASSERT_EQUAL(measures_finish(&m, &err), STATUS_OK);
    CU_ASSERT_EQUAL(m.of_graph.global_efficiency,
                    nextafter(ldexp(1, 126 - RECIPROCAL_BITS), INFINITY) / ((double)N * (N - 1)));
    measures_free(&m);
    matrix_free(&dist);
    graph_free(&g);
}

/* Components are found without recursion in deep graphs, and in graphs without edges. */
static void test_components(void) {
    enum { N = 200000 };
    struct edge *edges = malloc(N * sizeof *edges);
    int32_t count, largest;
    struct error err;
    for (int32_t v = 0; v < N; v++)
        edges[v] = (struct edge){v, v + 1 < N ? v + 1 : N / 2, 1};
    struct graph g = graph_of(N, edges, N);
    CU_ASSERT_EQUAL(components_find(&g, &count, &largest, &err), STATUS_OK);
    CU_ASSERT_EQUAL(count, N / 2 + 1);
    CU_ASSERT_EQUAL(largest, N / 2);
    graph_free(&g);
    g = graph_of(3, NULL, 0);
    CU_ASSERT_EQUAL(components_find(&g, &count, &largest, &err), STATUS_OK);
    CU_ASSERT(count == 3 && largest == 1);
    graph_free(&g);
    free(edges);
}

/* The predicted memory is kept, except blocks that are too small to be accounted for. */
static void test_memory(void) {
    enum { N = 100000, SOME = 30000, SMALL = 1 << 20 };
    const struct edge edge = {0, 1, 1};
    int32_t *some = calloc(SOME, sizeof *some);
    for (int k = 0; k < 8; k++) {
        const int threads = 1 + k % 2 * 4;
        const bool all = k / 2 % 2 == 0, directed = k / 4 == 0;
        struct graph g = graph_of(N, &edge, directed);
        const struct row_sources sources = {all ? NULL : some, all ? N : SOME};
        struct measures m;
        struct error err;
        measures_init(&m, &g, 1);
        const uint64_t before = memory_held();
        CU_ASSERT_EQUAL(m.sink.begin(&m.sink, N, NUMBER_INT32, &sources, false, threads, &err),
                        STATUS_OK);
        const uint64_t held = memory_held() - before + (all ? components_memory(N) : 0);
        const uint64_t predicted =
            measures_memory(NUMBER_INT32, N, sources.count, all, directed, threads);
        CU_ASSERT(held <= predicted && predicted <= held + SMALL);
        measures_free(&m);
        graph_free(&g);
    }
    free(some);
}

/* Files. ------------------------------------------------------------------------------------- */

/* Measures of example 7 of the thesis: vertex 0 reaches the others, but none reaches 0. */
static struct measures example(struct graph *g, const struct row_sources *sources) {
    static const struct edge edges[] = {{0, 1, 5}, {0, 2, 9}, {1, 2, 1}, {2, 3, 2}, {3, 1, 3}};
    struct matrix dist, pred;
    *g = graph_of(4, edges, 5);
    solve_reference(g, &dist, &pred);
    struct measures m = measure(g, &dist, sources, (struct handover){1, 64, NULL});
    matrix_free(&dist);
    matrix_free(&pred);
    return m;
}

static void check_round_trip(const struct row_sources *sources) {
    struct graph g;
    struct measures m = example(&g, sources);
    struct measures_file file;
    struct error err;
    char path[128];
    const char *prefix = temporary_path();
    CU_ASSERT_EQUAL(measures_write(prefix, &m, &made_up, &err), STATUS_OK);
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s%s", prefix, k == 0 ? "" : k == 1 ? ".csv" : ".json");
        CU_ASSERT(measures_are_meant(path));
        CU_ASSERT_EQUAL_FATAL(measures_read(path, &file, &err), STATUS_OK);
        CU_ASSERT(file.n == 4 && file.directed && file.edges_read == 5);
        CU_ASSERT(file.made.has_checksum && file.made.checksum == made_up.checksum);
        CU_ASSERT_STRING_EQUAL(file.made.variant, "johnson");
        CU_ASSERT_EQUAL(file.sources.count, sources->count);
        CU_ASSERT((file.sources.source == NULL) == (sources->source == NULL));
        for (int32_t p = 0; p < sources->count; p++)
            CU_ASSERT_EQUAL(row_source(&file.sources, p), row_source(sources, p));
        CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_OK);
        measures_file_free(&file);
    }
    measures_free(&m);
    graph_free(&g);
}

static void test_round_trips(void) {
    static const int32_t some[] = {3, 0, 3};
    check_round_trip(&(struct row_sources){NULL, 4});
    check_round_trip(&(struct row_sources){some, 3});
}

/* The columns of each direction begin with these; docs/measures.md has the whole file. */
static void test_csv(void) {
    static const char *const expected[] = {
        "vertex,id,out_reached,out_distance_sum,eccentricity,out_closeness_centrality,",
        ",out_harmonic_centrality,",
        ",in_reached,in_distance_sum,in_eccentricity,closeness_centrality,harmonic_centrality",
        "\n0,0,4,19,8,0.15789473684210525,0.4916666666666667,", ",1,0,0,0.0,0.0"};
    struct graph g;
    struct measures m = example(&g, &(struct row_sources){NULL, 4});
    struct error err;
    size_t size;
    const char *prefix = temporary_path();
    CU_ASSERT_EQUAL(measures_write(prefix, &m, &made_up, &err), STATUS_OK);
    char *csv = read_file(prefix, ".csv", &size);
    csv[size] = '\0';
    const char *at = csv;
    CU_ASSERT_NSTRING_EQUAL(csv, expected[0], strlen(expected[0]));
    for (size_t k = 0; k < sizeof expected / sizeof *expected && at != NULL; k++) {
        at = strstr(at, expected[k]);
        CU_ASSERT_PTR_NOT_NULL(at);
    }
    free(csv);
    measures_free(&m);
    graph_free(&g);
}

/* Returns a text with the first `old` replaced by `new` or, if old is NULL, with `new` appended; to
 * be freed. */
static char *replaced(const char *text, const char *old, const char *new) {
    if (old == NULL) {
        char *longer = NULL;
        CU_ASSERT_FATAL(asprintf(&longer, "%s%s", text, new) >= 0);
        return longer;
    }
    const char *at = strstr(text, old);
    char *result = malloc(strlen(text) + strlen(new) + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    sprintf(result, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return result;
}

static void write_text(const char *prefix, const char *suffix, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s%s", prefix, suffix);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

/* A row that has too few columns is bad input. */
static void check_short_row(const char *prefix, const char *csv) {
    struct measures_file file;
    struct error err;
    char said[64];
    int fields = 1;
    for (const char *at = csv; *at != '\n'; at++)
        fields += *at == ',';
    snprintf(said, sizeof said, ".csv:2: expected %d columns, found %d", fields, fields - 1);
    char *wrong = replaced(csv, "\n0,0,4,", "\n0,0,");
    write_text(prefix, ".csv", wrong);
    free(wrong);
    CU_ASSERT_EQUAL(measures_read(prefix, &file, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, said));
    measures_file_free(&file);
}

/* Wrong numbers are refuted, anything else is bad input; both messages name the place. */
static void test_wrong_files(void) {
    static const struct {
        const char *suffix, *old, *new; /* old is NULL: the new text is appended */
        enum status status;
        const char *said; /* end of the message */
    } cases[] = {
        {".csv", "\n1,1,3,4,3,", "\n1,1,3,5,3,", STATUS_REFUTED,
         ".csv:3: out_distance_sum of vertex 1: expected '4', found '5'"},
        {".csv", "\n2,", "\n1,", STATUS_BAD_INPUT, ".csv:4: expected vertex 2, found 1"},
        {".csv", "\n3,", "\n4,", STATUS_BAD_INPUT,
         ".csv:5: expected a vertex in 0 .. 3, found '4'"},
        {".csv", "0.15789473684210525", "x", STATUS_BAD_INPUT,
         "out_closeness_centrality of vertex 0: expected '0.15789473684210525', found 'x'"},
        {".csv", NULL, "\n", STATUS_BAD_INPUT, ".csv: expected 4 rows and nothing behind them"},
        {".csv", "out_reached", "reached", STATUS_BAD_INPUT, NULL},
        {".csv", "\n1,", "\n", STATUS_BAD_INPUT, NULL},
        {".csv", "\n1,1,3,4,3,", "\n", STATUS_BAD_INPUT, NULL},
        {".csv", "\n2,2,", "\n2,3,", STATUS_REFUTED,
         ".csv:4: the id of vertex 2: expected '2', found '3'"},
        {".json", "\"pairs\": 12", "\"pairs\": 13", STATUS_REFUTED,
         ".json: \"pairs\": expected 12, found 13"},
        {".json", "\"diameter\": null", "\"diameter\": 8", STATUS_REFUTED,
         "\"diameter\": expected null, found 8"},
        {".json", "\"to\": 3", "\"to\": 2", STATUS_REFUTED, "\"to\": expected 3, found 2"},
        {".json", "\"counts\": [1,", "\"counts\": [2,", STATUS_REFUTED,
         "\"counts\": expected 1, found 2"},
        {".json", "\"counts\": [1, ", "\"counts\": [", STATUS_REFUTED, NULL},
        {".json", "1]", "1, 1]", STATUS_REFUTED, "\"counts\" has too many numbers"},
        {".json", "is_strongly_connected\": false", "is_strongly_connected\": true", STATUS_REFUTED,
         NULL},
        {".json", "\"global_efficiency\"", "\"efficiency\"", STATUS_BAD_INPUT,
         "expected the measure \"global_efficiency\""},
        {".json", "\"radius\": null", "\"radius\": \"1\"", STATUS_BAD_INPUT, NULL},
        {".json", "\"directed\": true", "\"directed\": false", STATUS_BAD_INPUT, NULL},
        {".json", "\"vertices\": 4", "\"vertices\": 0", STATUS_BAD_INPUT,
         "expected \"vertices\": an integer in 1 .. 2147483647"},
        {".json", "\"sources\": 4", "\"sources\": 3", STATUS_BAD_INPUT, NULL},
        {".json", "}", "", STATUS_BAD_INPUT, NULL},
    };
    struct graph g;
    struct measures m = example(&g, &(struct row_sources){NULL, 4});
    struct measures_file file;
    struct error err;
    size_t size;
    const char *prefix = temporary_path();
    CU_ASSERT_EQUAL(measures_write(prefix, &m, &made_up, &err), STATUS_OK);
    char *texts[2] = {read_file(prefix, ".csv", &size), NULL};
    texts[0][size] = '\0';
    texts[1] = read_file(prefix, ".json", &size);
    texts[1][size] = '\0';

    /* The .csv does not belong to the .json. */
    char *other = replaced(texts[0], "\n1,1,3,4,3,", "\n1,1,3,5,3,");
    write_text(prefix, ".csv", other);
    free(other);
    CU_ASSERT_EQUAL(measures_read(prefix, &file, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "CRC-32"));

    char *without = replaced(texts[1], "csv_checksum", "some_checksum");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const bool csv = strcmp(cases[k].suffix, ".csv") == 0;
        char *wrong = replaced(csv ? texts[0] : without, cases[k].old, cases[k].new);
        write_text(prefix, ".csv", csv ? wrong : texts[0]);
        write_text(prefix, ".json", csv ? without : wrong);
        free(wrong);
        enum status status = measures_read(prefix, &file, &err);
        CU_ASSERT(status != STATUS_REFUTED);
        if (status == STATUS_OK)
            status = measures_compare(&file, &m, &err);
        measures_file_free(&file);
        CU_ASSERT_EQUAL(status, cases[k].status);
        const size_t said = cases[k].said != NULL ? strlen(cases[k].said) : 0;
        CU_ASSERT(strlen(err.text) >= said &&
                  (said == 0 || strcmp(err.text + strlen(err.text) - said, cases[k].said) == 0));
    }
    write_text(prefix, ".json", without);
    check_short_row(prefix, texts[0]);
    /* The files of a program on another system may differ like this, and are accepted. */
    char *reordered = replaced(without, "\"vertices\": 4,", "\"mine\": [{}], \"vertices\":4 ,");
    write_text(prefix, ".csv", texts[0]);
    write_text(prefix, ".json", reordered);
    CU_ASSERT_EQUAL(measures_read(prefix, &file, &err), STATUS_OK);
    CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_OK);
    measures_file_free(&file);
    free(reordered);
    free(without);
    free(texts[0]);
    free(texts[1]);
    measures_free(&m);
    graph_free(&g);
}

/* Checks that the .csv of a directed graph has the columns of some parts, in both directions, and
 * no others. */
static void check_head(const char *csv, unsigned parts) {
    const struct measure_of_vertices *row;
    const char *at = csv + strlen("vertex,id");
    for (int inwards = 0; inwards <= 1; inwards++) {
        for (size_t k = 0; (row = measure_of_vertices_at(k)) != NULL; k++) {
            const char *const name = measure_column(row, true, inwards);
            if ((row->part & ~parts) != 0)
                continue;
            CU_ASSERT_FATAL(*at == ',' && strncmp(at + 1, name, strlen(name)) == 0);
            at += 1 + strlen(name);
        }
    }
    CU_ASSERT_EQUAL(*at, '\n');
    CU_ASSERT_EQUAL(memmem(csv, (size_t)(at - csv), "harmonic", 8) != NULL,
                    (parts & MEASURES_HARMONIC) != 0);
}

/* Files list the parts that they omit, and have no numbers of these parts. */
static void test_parts(void) {
    static const struct {
        unsigned parts;
        const char *said;
    } cases[] = {
        {MEASURES_ALL, NULL},
        {MEASURES_HARMONIC, "\"omitted\": \"histogram\""},
        {MEASURES_HISTOGRAM, "\"omitted\": \"harmonic\""},
        {0, "\"omitted\": \"harmonic,histogram\""},
    };
    char text[MEASURES_PARTS_TEXT];
    static const char *const refused[] = {"", ",", "harmonic,", "harmonic histogram", "harmonics"};
    struct graph g;
    struct measures m = example(&g, &(struct row_sources){NULL, 4});
    struct measures_file file;
    struct error err;
    size_t size;
    unsigned parts;
    const char *prefix = temporary_path();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        measures_choose(&m, cases[k].parts);
        CU_ASSERT_EQUAL(measures_write(prefix, &m, &made_up, &err), STATUS_OK);
        char *csv = read_file(prefix, ".csv", &size);
        csv[size] = '\0';
        check_head(csv, m.parts);
        free(csv);
        char *json = read_file(prefix, ".json", &size);
        json[size] = '\0';
        CU_ASSERT_EQUAL(strstr(json, "\"omitted\"") != NULL, cases[k].said != NULL);
        CU_ASSERT(cases[k].said == NULL || strstr(json, cases[k].said) != NULL);
        CU_ASSERT_EQUAL(strstr(json, "\"global_efficiency\"") != NULL,
                        (m.parts & MEASURES_HARMONIC) != 0);
        CU_ASSERT_EQUAL(strstr(json, "\"histogram\":") != NULL,
                        (m.parts & MEASURES_HISTOGRAM) != 0);
        CU_ASSERT_EQUAL_FATAL(measures_read(prefix, &file, &err), STATUS_OK);
        CU_ASSERT_EQUAL(file.parts, m.parts);
        CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_OK);
        m.out[2].sum++;
        CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_REFUTED);
        m.out[2].sum--;
        measures_file_free(&file);
        if (m.parts == 0) { /* the .json lists omitted parts wrongly, or has too few numbers */
            char *wrong = replaced(json, "\"harmonic,histogram\"", "\"harmonic\"");
            write_text(prefix, ".json", wrong);
            free(wrong);
            CU_ASSERT_EQUAL_FATAL(measures_read(prefix, &file, &err), STATUS_OK);
            measures_choose(&m, file.parts);
            CU_ASSERT_EQUAL(measures_compare(&file, &m, &err), STATUS_BAD_INPUT);
            measures_file_free(&file);
        }
        free(json);
    }
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        CU_ASSERT_FALSE(measures_parts_find(refused[k], &parts));
    CU_ASSERT(measures_parts_find("histogram,harmonic,histogram", &parts) && parts == MEASURES_ALL);
    CU_ASSERT(measures_parts_find(measures_parts_text(MEASURES_ALL, ",", text), &parts));
    CU_ASSERT_EQUAL(parts, MEASURES_ALL);
    CU_ASSERT_STRING_EQUAL(measures_parts_expected(text),
                           "harmonic, histogram or harmonic,histogram");
    measures_free(&m);
    graph_free(&g);
}

/* Checks the measures that are printed for people. */
static void check_summary(struct graph *g, struct measures *m, const char *expected) {
    char text[2048] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    measures_print(to, m);
    fclose(to);
    CU_ASSERT_STRING_EQUAL(text, expected);
    measures_free(m);
    graph_free(g);
}

static void test_summary(void) {
    static const int32_t some[] = {1};
    struct graph g;
    struct measures m = example(&g, &(struct row_sources){NULL, 4});
    g.naming.first = 1;
    check_summary(&g, &m,
                  "pairs of vertices             12; 3 without a path, left out\n"
                  "largest distance              8, from 1 to 4\n"
                  "average distance              4.11111\n"
                  "strongly connected            no: 2 components, the largest of 3 vertices\n"
                  "diameter, radius              infinite\n"
                  "global efficiency             0.259028\n"
                  "histogram                     8 bins of width 1 from 1\n");
    m = example(&g, &(struct row_sources){some, 1});
    check_summary(&g, &m,
                  "pairs of vertices             3, from 1 source; 1 without a path, left out\n"
                  "largest distance              3, from 1 to 3\n"
                  "average distance              2\n"
                  "histogram                     3 bins of width 1 from 1\n");

    struct matrix dist, pred;
    g = graph_of(2, NULL, 0);
    solve_reference(&g, &dist, &pred);
    m = measure(&g, &dist, &(struct row_sources){NULL, 2}, (struct handover){1, 64, NULL});
    matrix_free(&dist);
    matrix_free(&pred);
    check_summary(&g, &m,
                  "pairs of vertices             2; 2 without a path, left out\n"
                  "largest distance              0, from 0 to 0\n"
                  "connected                     no: 2 components, the largest of 1 vertex\n"
                  "diameter, radius              infinite\n"
                  "global efficiency             0\n");

    /* Eight vertices joined with all others, and nine more. */
    enum { N = 17, HUBS = 8 };
    struct edge edges[2 * N * HUBS];
    int64_t count = 0;
    for (int32_t u = 0; u < HUBS; u++) {
        for (int32_t v = u + 1; v < N; v++)
            edges[count++] = (struct edge){u, v, 2};
    }
    g = graph_of(N, edges, graph_append_reverses(edges, count));
    solve_reference(&g, &dist, &pred);
    m = measure(&g, &dist, &(struct row_sources){NULL, N}, (struct handover){1, 64, NULL});
    matrix_free(&dist);
    matrix_free(&pred);
    check_summary(&g, &m,
                  "pairs of vertices             272\n"
                  "largest distance              4, from 8 to 9\n"
                  "average distance              2.52941\n"
                  "connected                     yes\n"
                  "diameter, radius              4, 2\n"
                  "center                        8 vertices: 0 1 2 3 4 5 6 7\n"
                  "periphery                     9 vertices: 8 9 10 11 12 13 14 15 ...\n"
                  "Wiener index                  344\n"
                  "global efficiency             0.433824\n"
                  "histogram                     3 bins of width 1 from 2\n");
}

CU_TestInfo measures_tests[] = {
    {"as they are defined", test_definitions},
    {"directed or not", test_directed},
    {"the same bytes, however rows come", test_same_bytes},
    {"block sizes", test_block_sizes},
    {"real distances: exact sums, the same bytes", test_real_bytes},
    {"real distances at the limits of their type", test_real_limits},
    {"closeness", test_closeness},
    {"table", test_table},
    {"begun again", test_begin_again},
    {"bins of the histogram", test_bins},
    {"large sums", test_large_sums},
    {"components", test_components},
    {"memory", test_memory},
    {"files written and read", test_round_trips},
    {"columns", test_csv},
    {"wrong files", test_wrong_files},
    {"summary", test_summary},
    {"parts that are omitted", test_parts},
    {"gathering without memory", test_gathering_without_memory},
    CU_TEST_INFO_NULL,
};
