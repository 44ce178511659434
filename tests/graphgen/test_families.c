// SPDX-License-Identifier: MIT
/* Families of graphs: what defines each, at small sizes too. */
#include "graphgen/families.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

/* The edges that a generator puts. */
struct collected {
    int32_t n;
    int64_t announced, count;
    int64_t announced_one_way, one_way; /* of these, edges that lead one way */
    struct edge *edges; /* the weight is the length; one-way ones come from the end */
};

static enum status collect_begin(void *to, int64_t edges, int64_t one_way, struct error *err) {
    struct collected *c = to;
    (void)err;
    c->announced = edges;
    c->announced_one_way = one_way;
    c->edges = calloc((size_t)edges + 1, sizeof *c->edges);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c->edges);
    return STATUS_OK;
}

static enum status collect_put(void *to, int32_t u, int32_t v, int32_t length, struct error *err) {
    struct collected *c = to;
    (void)err;
    CU_ASSERT_FATAL(c->count < c->announced);
    c->edges[c->count++ - c->one_way] = (struct edge){u, v, length};
    return STATUS_OK;
}

/* One-way edges fill the array from its end. */
static enum status collect_one_way(void *to, int32_t u, int32_t v, int32_t length,
                                   struct error *err) {
    struct collected *c = to;
    (void)err;
    CU_ASSERT_FATAL(c->count < c->announced && c->one_way < c->announced_one_way);
    c->count++;
    c->edges[c->announced - ++c->one_way] = (struct edge){u, v, length};
    return STATUS_OK;
}

static struct family_request request_of(const char *name, int32_t n, uint64_t seed) {
    const struct family *family = family_find(name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(family);
    return (struct family_request){.family = family,
                                   .graph = {.n = n, .seed = seed, .lowest = 1, .highest = 100},
                                   .degree = family->degree.usual,
                                   .cut_exponent = CUT_EXPONENT_USUAL,
                                   .dimensions = 2,
                                   .lengths = family->lengths};
}

/* The caller frees the edges. */
static struct collected generate(const struct family_request *request) {
    struct collected c = {.n = request->graph.n};
    const struct edge_sink sink = {&c, collect_begin, collect_put, collect_one_way};
    struct error err;
    CU_ASSERT_EQUAL_FATAL(request->family->generate(request, &sink, &err), STATUS_OK);
    CU_ASSERT_EQUAL(c.count, c.announced);
    CU_ASSERT_EQUAL(c.one_way, c.announced_one_way);
    return c;
}

static int by_ends(const void *left, const void *right) {
    const struct edge *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Edges of undirected families begin at the lower vertex then. */
static void sort_edges(struct collected *c, bool one_way) {
    for (int64_t e = 0; e < c->count && !one_way; e++) {
        struct edge *edge = &c->edges[e];
        if (edge->from > edge->to)
            *edge = (struct edge){edge->to, edge->from, edge->weight};
    }
    qsort(c->edges, (size_t)c->count, sizeof *c->edges, by_ends);
}

static int32_t root_of(int32_t *parent, int32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static int32_t components(const struct collected *c) {
    int32_t *parent = calloc((size_t)c->n, sizeof *parent), count = c->n;
    CU_ASSERT_PTR_NOT_NULL_FATAL(parent);
    for (int32_t v = 0; v < c->n; v++)
        parent[v] = v;
    for (int64_t e = 0; e < c->count; e++) {
        const int32_t u = root_of(parent, c->edges[e].from), v = root_of(parent, c->edges[e].to);
        count -= u != v;
        parent[u] = v;
    }
    free(parent);
    return count;
}

/* The number of edges at each vertex; the caller frees it. */
static int32_t *degrees_of(const struct collected *c) {
    int32_t *degree = calloc((size_t)c->n, sizeof *degree);
    CU_ASSERT_PTR_NOT_NULL_FATAL(degree);
    for (int64_t e = 0; e < c->count; e++) {
        degree[c->edges[e].from]++;
        degree[c->edges[e].to]++;
    }
    return degree;
}

/* The share of vertices of some degree. */
static double share_of(const struct collected *c, int32_t wanted) {
    int32_t *degree = degrees_of(c), count = 0;
    for (int32_t v = 0; v < c->n; v++)
        count += degree[v] == wanted;
    free(degree);
    return (double)count / c->n;
}

static bool is_connected(const char *name) {
    return strcmp(name, "disconnected") != 0 && strcmp(name, "geometric") != 0 &&
           strcmp(name, "knn") != 0 && strcmp(name, "rmat") != 0;
}

/* Simple graphs of the right size, with lengths if the family has them. */
static void check_graph(const struct family_request *request) {
    const char *name = request->family->name;
    struct collected c = generate(request);
    sort_edges(&c, request->family->one_way);
    bool right = true;
    for (int64_t e = 0; e < c.count; e++) {
        const struct edge *edge = &c.edges[e];
        right &= edge->from >= 0 && edge->from < c.n && edge->to >= 0 && edge->to < c.n;
        right &= edge->from != edge->to;
        right &= e == 0 || by_ends(edge - 1, edge) != 0;
        right &= request->family->lengths ? edge->weight > 0 : edge->weight == 0;
    }
    if (!right || (is_connected(name) && components(&c) != 1)) {
        char text[128];
        snprintf(text, sizeof text, "%s, %d vertices, seed %d, degree %d", name, c.n,
                 (int)request->graph.seed, (int)request->degree);
        CU_FAIL(text);
    }
    free(c.edges);
}

static void test_every_size(void) {
    for (size_t f = 0; f < family_count; f++) {
        for (int32_t n = 1; n <= 70; n++) {
            const struct family *family = &families[f];
            if (family->power_of_two && (n & (n - 1)) != 0)
                continue;
            struct family_request request = request_of(family->name, n, (uint64_t)n % 3);
            check_graph(&request);
            request.degree = family->degree.lowest;
            request.dimensions = 3;
            request.cut_exponent = CUT_EXPONENT_LOWEST;
            check_graph(&request);
            request.degree = family->degree.highest;
            request.cut_exponent = CUT_EXPONENT_HIGHEST;
            request.towns = TOWNS_HIGHEST;
            check_graph(&request);
        }
        for (uint64_t seed = 0; seed < 4; seed++) {
            const int32_t n = families[f].power_of_two ? 1024 : 1000 + 7 * (int32_t)seed;
            const struct family_request request = request_of(families[f].name, n, seed);
            check_graph(&request);
        }
    }
}

static void test_grid(void) {
    static const int64_t edges[] = {180, 180 + 81, 180 + 2 * 81}; /* 10 rows of 10 */
    for (int64_t ways = 0; ways < 3; ways++) {
        struct family_request request = request_of("grid", 100, 1);
        request.degree = (4 + 2 * ways) * THOUSANDTHS;
        struct collected c = generate(&request);
        CU_ASSERT_EQUAL(c.count, edges[ways]);
        bool near = true;
        for (int64_t e = 0; e < c.count; e++) {
            const int32_t u = c.edges[e].from, v = c.edges[e].to;
            near &= abs(u % 10 - v % 10) <= 1 && abs(u / 10 - v / 10) <= 1;
            near &= ways > 0 || u % 10 == v % 10 || u / 10 == v / 10;
        }
        CU_ASSERT(near);
        free(c.edges);
    }
}

/* One cycle, and not in the order of the numbers. */
static void test_ring(void) {
    enum { N = 100 };
    const struct family_request request = request_of("ring", N, 1);
    struct collected c = generate(&request);
    int32_t next[N] = {0}, here = 0, length = 0, in_order = 0;
    CU_ASSERT_EQUAL_FATAL(c.count, N);
    for (int64_t e = 0; e < c.count; e++) {
        next[c.edges[e].from] = c.edges[e].to;
        in_order += c.edges[e].to == (c.edges[e].from + 1) % N;
    }
    do {
        here = next[here];
        length++;
    } while (here != 0 && length <= N);
    CU_ASSERT_EQUAL(length, N);
    CU_ASSERT(in_order < 10);
    free(c.edges);
}

static void test_tree_star_complete(void) {
    static const struct {
        const char *name;
        int64_t edges;
        int32_t greatest; /* degree, at least */
    } cases[] = {{"tree", 99, 4}, {"star", 99, 99}, {"complete", 99 * 50, 99}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct family_request request = request_of(cases[k].name, 100, 1);
        struct collected c = generate(&request);
        CU_ASSERT_EQUAL(c.count, cases[k].edges);
        int32_t *degree = degrees_of(&c), greatest = 0;
        for (int32_t v = 0; v < c.n; v++)
            greatest = degree[v] > greatest ? degree[v] : greatest;
        CU_ASSERT(greatest >= cases[k].greatest);
        free(degree);
        free(c.edges);
    }
}

/* The parent of a vertex is any of those before it, as often as another. */
static void test_parents(void) {
    enum { TREES = 3000, N = 4 };
    int as_parent[N - 1] = {0};
    for (uint64_t seed = 0; seed < TREES; seed++) {
        const struct family_request request = request_of("tree", N, seed);
        struct collected c = generate(&request);
        CU_ASSERT_EQUAL_FATAL(c.edges[N - 2].to, N - 1);
        as_parent[c.edges[N - 2].from]++;
        free(c.edges);
    }
    for (int32_t v = 0; v < N - 1; v++)
        CU_ASSERT(abs(as_parent[v] - TREES / (N - 1)) < 120);
}

/* Few vertices have very many edges: degrees fall off as k^-3 (Barabasi and Albert). */
static void test_power_law(void) {
    enum { N = 10000, DEGREE = 4 };
    const struct family_request request = request_of("power-law", N, 1);
    struct collected c = generate(&request);
    int32_t *degree = degrees_of(&c), least = N, greatest = 0;
    for (int32_t v = 0; v < N; v++) {
        least = degree[v] < least ? degree[v] : least;
        greatest = degree[v] > greatest ? degree[v] : greatest;
    }
    CU_ASSERT_EQUAL(c.count, 10 + (N - 5) * DEGREE);
    CU_ASSERT(least >= DEGREE);
    CU_ASSERT(greatest > 200);
    /* 2 m (m + 1) / (k (k + 1) (k + 2)) of all vertices: 1/3, 1/5.25 */
    CU_ASSERT_DOUBLE_EQUAL(share_of(&c, DEGREE), 1. / 3, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(share_of(&c, DEGREE + 1), 4. / 21, 0.02);
    free(degree);
    free(c.edges);
}

/* At every level the quadrants are taken as often as Graph500 says, and independently of the level
 * before. */
static void test_rmat_quadrants(void) {
    enum { DRAWN = 200000, SCALE = 5 };
    static const double share[4] = {0.57, 0.19, 0.19, 0.05};
    static int count[SCALE][4][4]; /* level, quadrant there, quadrant before */
    for (uint64_t k = 0; k < DRAWN; k++) {
        const struct edge edge = rmat_edge(1, k, SCALE);
        for (int level = 0, before = 0; level < SCALE; level++) {
            const int bit = SCALE - 1 - level;
            const int here = (edge.from >> bit & 1) * 2 + (edge.to >> bit & 1);
            count[level][here][before]++;
            before = here;
        }
    }
    for (int level = 0; level < SCALE; level++) {
        for (int here = 0; here < 4; here++) {
            for (int before = 0; before < 4; before++) {
                const double first = before == 0 ? 1 : 0; /* the first level has none before */
                const double expected = share[here] * (level > 0 ? share[before] : first);
                const double found = (double)count[level][here][before] / DRAWN;
                CU_ASSERT_DOUBLE_EQUAL(found, expected, 0.004);
            }
        }
    }
}

static int by_number(const void *left, const void *right) {
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* The degrees of the simple graph that the draws give, counted in a matrix; the caller frees
 * them. */
static int32_t *degrees_of_draws(const struct family_request *request, int scale) {
    const int32_t n = request->graph.n;
    int32_t *degree = calloc((size_t)n, sizeof *degree);
    unsigned char *joined = calloc((size_t)n * (size_t)n, 1);
    CU_ASSERT_FATAL(degree != NULL && joined != NULL);
    for (int64_t k = 0; k < family_draws(request); k++) {
        const struct edge edge = rmat_edge(family_key(request, 0), (uint64_t)k, scale);
        const int32_t u = edge.from < edge.to ? edge.from : edge.to;
        const int32_t v = edge.from < edge.to ? edge.to : edge.from;
        if (u == v || joined[u * n + v])
            continue;
        joined[u * n + v] = 1;
        degree[u]++;
        degree[v]++;
    }
    free(joined);
    return degree;
}

/* The graph is that of the draws without loops and repeated edges, under other numbers: its degrees
 * are the same, few vertices have very many edges, and these have any numbers. */
static void test_rmat(void) {
    enum { SCALE = 10, N = 1 << SCALE, SEEDS = 32 };
    int upper = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct family_request request = request_of("rmat", N, seed);
        struct collected c = generate(&request);
        int32_t *degree = degrees_of(&c), *expected = degrees_of_draws(&request, SCALE), hub = 0;
        for (int32_t v = 0; v < N; v++)
            hub = degree[v] > degree[hub] ? v : hub;
        upper += hub >= N / 2;
        CU_ASSERT(degree[hub] > 400);
        qsort(degree, N, sizeof *degree, by_number);
        qsort(expected, N, sizeof *expected, by_number);
        CU_ASSERT_EQUAL(memcmp(degree, expected, N * sizeof *degree), 0);
        CU_ASSERT(degree[N / 2] < 10); /* where the mean is above 20 */
        free(degree);
        free(expected);
        free(c.edges);
    }
    CU_ASSERT(upper > SEEDS / 4 && upper < SEEDS * 3 / 4);
}

static void test_disconnected(void) {
    const struct family_request request = request_of("disconnected", 1003, 1);
    struct collected c = generate(&request);
    CU_ASSERT_EQUAL(c.count, 8 * 1003);
    CU_ASSERT_EQUAL(components(&c), 10);
    free(c.edges);
}

/* Lengths are those of a plane or a space: edges of a clique obey the triangle inequality. */
static void test_lengths(void) {
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        struct family_request request = request_of("knn", 12, 5);
        request.degree = 11 * THOUSANDTHS;
        request.dimensions = dimensions;
        struct collected c = generate(&request);
        int32_t length[12][12] = {{0}};
        CU_ASSERT_EQUAL_FATAL(c.count, 66);
        for (int64_t e = 0; e < c.count; e++) {
            const struct edge *edge = &c.edges[e];
            length[edge->from][edge->to] = length[edge->to][edge->from] = edge->weight;
        }
        bool metric = true;
        for (int i = 0; i < 12 * 12 * 12; i++) {
            const int u = i / 144, v = i / 12 % 12, w = i % 12;
            metric &= length[u][v] <= length[u][w] + length[w][v] + 2; /* rounded down */
        }
        CU_ASSERT(metric);
        free(c.edges);
    }
}

/* The neighbours among all lengths, found without cells. */
static void test_neighbours(void) {
    enum { N = 400, K = 6 };
    static int32_t length[N][N];
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        struct family_request all = request_of("geometric", N, 3);
        all.degree = 64 * THOUSANDTHS;
        all.dimensions = dimensions;
        struct family_request few = request_of("knn", N, 3);
        few.degree = K * THOUSANDTHS;
        few.dimensions = dimensions;
        struct collected pairs = generate(&all), c = generate(&few);
        memset(length, 0, sizeof length);
        for (int64_t e = 0; e < pairs.count; e++) {
            const struct edge *edge = &pairs.edges[e];
            length[edge->from][edge->to] = length[edge->to][edge->from] = edge->weight;
        }
        /* A vertex has an edge to whatever is nearer than its K-th nearest, and every edge leads to
         * one of the K nearest of one end. */
        static bool joined[N][N];
        memset(joined, 0, sizeof joined);
        for (int64_t e = 0; e < c.count; e++)
            joined[c.edges[e].from][c.edges[e].to] = joined[c.edges[e].to][c.edges[e].from] = true;
        bool right = true;
        for (int u = 0; u < N; u++) {
            for (int v = 0; v < N; v++) {
                int nearer_u = 0, nearer_v = 0, tied = 0;
                if (u == v || length[u][v] == 0)
                    continue;
                for (int w = 0; w < N; w++) {
                    nearer_u += length[u][w] > 0 && length[u][w] < length[u][v];
                    nearer_v += length[v][w] > 0 && length[v][w] < length[v][u];
                    tied += length[u][w] == length[u][v] || length[v][w] == length[u][v];
                }
                if (tied == 2)
                    right &= joined[u][v] == (nearer_u < K || nearer_v < K);
            }
        }
        CU_ASSERT(right);
        free(pairs.edges);
        free(c.edges);
    }
}

/* A vertex hangs on the nearest one before it, some on the nearest two. Degrees are those of the
 * western United States' grid: 25 % end there, 34 % have two lines. */
static void test_power_grid(void) {
    enum { N = 400 };
    static int32_t length[N][N];
    struct family_request all = request_of("geometric", N, 3);
    all.degree = 64 * THOUSANDTHS;
    const struct family_request few = request_of("power-grid", N, 3);
    struct collected pairs = generate(&all), c = generate(&few);
    memset(length, 0, sizeof length);
    for (int64_t e = 0; e < pairs.count; e++) {
        const struct edge *edge = &pairs.edges[e];
        length[edge->from][edge->to] = length[edge->to][edge->from] = edge->weight;
    }
    int lines[N] = {0}, seen = 0;
    bool right = c.count == N - 1 + (N - 2) * 670 / 2000;
    for (int64_t e = 0; e < c.count; e++)
        lines[c.edges[e].from]++;
    for (int64_t e = 0; e < c.count; e++) {
        const int32_t v = c.edges[e].from, to = c.edges[e].to;
        int nearer = 0;
        right &= to < v && lines[v] <= 2;
        for (int32_t w = 0; w < v && length[v][to] > 0; w++)
            nearer += length[v][w] > 0 && length[v][w] < length[v][to];
        seen += length[v][to] > 0;
        right &= nearer < lines[v];
    }
    CU_ASSERT(right);
    CU_ASSERT(seen > N);
    free(pairs.edges);
    free(c.edges);
    const struct family_request large = request_of("power-grid", 20000, 1);
    c = generate(&large);
    CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 1), 0.25, 0.04);
    CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 2), 0.34, 0.05);
    free(c.edges);
}

/* A tree of chains; where three streams meet, two run together. */
static void test_river(void) {
    const struct family_request request = request_of("river", 20000, 1);
    struct collected c = generate(&request);
    int32_t *degree = degrees_of(&c), greatest = 0;
    for (int32_t v = 0; v < c.n; v++)
        greatest = degree[v] > greatest ? degree[v] : greatest;
    CU_ASSERT_EQUAL(c.count, 20000 - 1);
    CU_ASSERT(greatest == 3 || greatest == 4);
    CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 1), 0.0625, 0.01); /* a quarter of the junctions */
    CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 2), 0.875, 0.01);
    free(degree);
    free(c.edges);
}

/* Interchanges are 0 .. n/4 - 1, by rows; fast lines join those 8, 64, ... places apart. */
static void test_transit(void) {
    enum { N = 32400, SIDE = 90, PLACES = SIDE * SIDE };
    const struct family_request request = request_of("transit", N, 1);
    struct collected c = generate(&request);
    int fast[2] = {0, 0}, near = 0, wrong = 0;
    for (int64_t e = 0; e < c.count; e++) {
        const int32_t u = c.edges[e].from, v = c.edges[e].to;
        if (u >= PLACES || v >= PLACES)
            continue;
        const int32_t across = u % SIDE - v % SIDE, down = u / SIDE - v / SIDE;
        near += across + down == 1;
        fast[0] += across + down == 8;
        fast[1] += across + down == 64;
        wrong += across < 0 || down < 0 || across * down != 0;
        /* A fast line saves time: a place takes the others 120 s at least. */
        CU_ASSERT(across + down == 1 ? c.edges[e].weight <= 240
                                     : c.edges[e].weight < 300 + 180 * (across + down));
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(fast[0], 2 * 12 * 11);
    CU_ASSERT_EQUAL(fast[1], 2 * 2 * 1);
    CU_ASSERT(near > 0 && near < PLACES);
    CU_ASSERT(share_of(&c, 2) > 0.65);
    free(c.edges);
}

/* Returns the number of vertices that both ends of an edge are joined with. joined: row by row. */
static int triangles_at(const bool *joined, int32_t n, const struct edge *edge) {
    int count = 0;
    for (int32_t w = 0; w < n; w++)
        count += joined[edge->from * n + w] && joined[edge->to * n + w];
    return count;
}

/* Two triangles meet in every edge, and there are as many edges as Euler's formula says. */
static void test_surface(void) {
    for (int32_t n = 5; n < 300; n += 7) {
        const struct family_request request = request_of("surface", n, (uint64_t)n);
        struct collected c = generate(&request);
        bool *joined = calloc((size_t)n * (size_t)n, sizeof *joined), right = c.count == 3 * n - 6;
        CU_ASSERT_PTR_NOT_NULL_FATAL(joined);
        for (int64_t e = 0; e < c.count; e++)
            joined[c.edges[e].from * n + c.edges[e].to] =
                joined[c.edges[e].to * n + c.edges[e].from] = true;
        for (int64_t e = 0; e < c.count; e++)
            right &= triangles_at(joined, n, &c.edges[e]) >= 2 && c.edges[e].weight < 4000;
        CU_ASSERT(right);
        free(joined);
        free(c.edges);
    }
    const struct family_request large = request_of("surface", 20000, 1);
    struct collected c = generate(&large);
    CU_ASSERT(share_of(&c, 6) > 0.98);
    free(c.edges);
}

/* The mean degree is as asked for, but for the border; no edge is longer than the others' radius.
 */
static void test_geometric(void) {
    static const struct {
        int dimensions;
        int64_t degree;
        double least, greatest;
        int32_t radius; /* 1000 sqrt(degree / pi), 1000 cbrt(3 degree / 4 pi) */
    } cases[] = {{2, 8000, 7.5, 8, 1595},
                 {2, 2500, 2.3, 2.6, 892},
                 {3, 8000, 6.5, 8, 1240},
                 {3, 30000, 24, 30, 1927}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct family_request request = request_of("geometric", 20000, 1);
        request.dimensions = cases[k].dimensions;
        request.degree = cases[k].degree;
        struct collected c = generate(&request);
        const double degree = 2 * (double)c.count / c.n;
        int32_t longest = 0;
        for (int64_t e = 0; e < c.count; e++)
            longest = c.edges[e].weight > longest ? c.edges[e].weight : longest;
        CU_ASSERT(degree > cases[k].least && degree < cases[k].greatest);
        CU_ASSERT(longest <= cases[k].radius && longest > cases[k].radius - 20);
        free(c.edges);
    }
}

/* The number of edges is exact, as are the vertices; half of New York's degrees are 3. Fill and
 * depth are measured by experiments/suites/roads.py. */
static void test_road(void) {
    static const int64_t degrees[] = {2000, 2276, 2760, 3005, 3400};
    for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++) {
        struct family_request request = request_of("road", 20000, 1);
        request.degree = degrees[k];
        struct collected c = generate(&request);
        CU_ASSERT_EQUAL(c.count, 20000 * degrees[k] / (2 * THOUSANDTHS));
        CU_ASSERT_EQUAL(components(&c), 1);
        if (degrees[k] == 2760) {
            CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 1), 0.156, 0.02);
            CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 2), 0.153, 0.02);
            CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 3), 0.471, 0.04);
            CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 4), 0.216, 0.03);
        }
        free(c.edges);
    }
}

/* How much the mean degrees of STRETCH crossings side by side differ: the mean square. */
static double unlikeness(const struct collected *c) {
    enum { STRETCH = 32 };
    int32_t *degree = degrees_of(c);
    const int32_t stretches = c->n / 2 / STRETCH; /* the first half are crossings */
    double sum = 0, squares = 0;
    for (int32_t s = 0; s < stretches; s++) {
        double mean = 0;
        for (int32_t k = 0; k < STRETCH; k++)
            mean += (double)degree[s * STRETCH + k] / STRETCH;
        sum += mean;
        squares += mean * mean;
    }
    free(degree);
    return squares / stretches - sum / stretches * sum / stretches;
}

/* With unlike densities degrees are those of Colorado, and those of a region are like each other.
 */
static void test_towns(void) {
    struct family_request request = request_of("road", 40000, 1);
    request.degree = 2393;
    double spread[2];
    for (int towns = 0; towns <= 1; towns++) {
        request.towns = towns ? 400 : 0;
        struct collected c = generate(&request);
        CU_ASSERT_EQUAL(c.count, 40000 * 2393 / (2 * THOUSANDTHS));
        CU_ASSERT_EQUAL(components(&c), 1);
        spread[towns] = unlikeness(&c);
        CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 1), 0.189, towns ? 0.02 : 0.06);
        CU_ASSERT_DOUBLE_EQUAL(share_of(&c, 2), 0.337, towns ? 0.03 : 0.12);
        free(c.edges);
    }
    CU_ASSERT(spread[1] > 2 * spread[0]);
}

/* Returns whether vertex 0 reaches all by edges both ways and by others in their direction, or,
 * `turned`, is reached by all. */
static bool spans(const struct collected *c, bool turned) {
    bool *seen = calloc((size_t)c->n, sizeof *seen), more = true;
    CU_ASSERT_PTR_NOT_NULL_FATAL(seen);
    int32_t reached = 1;
    seen[0] = true;
    while (more) {
        more = false;
        for (int64_t e = 0; e < c->count; e++) {
            const bool both = e < c->count - c->one_way;
            const int32_t u = turned ? c->edges[e].to : c->edges[e].from,
                          v = turned ? c->edges[e].from : c->edges[e].to;
            if (seen[u] == seen[v] || !(both || seen[u]))
                continue;
            seen[u] = seen[v] = more = true;
            reached++;
        }
    }
    free(seen);
    return reached == c->n;
}

/* As many roads lead one way as asked for, either way, or are refused; every vertex reaches every
 * other. */
static void test_one_way(void) {
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct family_request request = request_of("road", 3000, seed);
        struct error err;
        struct collected plain = generate(&request);
        request.one_way = 100 + 30 * (int64_t)seed;
        request.towns = seed % 2 == 0 ? 0 : 500;
        struct collected c = generate(&request);
        int64_t onwards = 0;
        for (int64_t e = c.count - c.one_way; e < c.count; e++)
            onwards += c.edges[e].from < c.edges[e].to;
        CU_ASSERT_EQUAL(c.count, plain.count);
        /* Roads have about as many vertices on them, whether they lead one way or not. */
        const double share = (double)c.one_way / (double)c.count * THOUSANDTHS;
        CU_ASSERT(share > 0.6 * (double)request.one_way && share < (double)request.one_way);
        CU_ASSERT(onwards > c.one_way / 4 && onwards < c.one_way * 3 / 4);
        CU_ASSERT(spans(&c, false) && spans(&c, true));
        free(plain.edges);
        free(c.edges);
        request.one_way = 500;
        const struct edge_sink none = {0};
        CU_ASSERT_EQUAL(request.family->generate(&request, &none, &err), STATUS_BAD_INPUT);
    }
}

/* The fewest edges that lead from below a number near the middle to it or above. Crossings are
 * numbered row by row, so this is about the least cut between two rows. */
static int32_t least_cut(const struct collected *c) {
    int32_t *change = calloc((size_t)c->n + 1, sizeof *change), cut = 0, least = INT32_MAX;
    CU_ASSERT_PTR_NOT_NULL_FATAL(change);
    for (int64_t e = 0; e < c->count; e++) {
        change[c->edges[e].from + 1]++;
        change[c->edges[e].to + 1]--;
    }
    for (int32_t v = 0; v < c->n * 2 / 3; v++) {
        cut += change[v];
        if (v > c->n / 3 && cut < least)
            least = cut;
    }
    free(change);
    return least;
}

/* So many roads meet that there is no room for vertices between crossings: edges begin at the lower
 * number. */
static void test_cut_exponent(void) {
    int32_t cut[2];
    for (int end = 0; end < 2; end++) {
        struct family_request request = request_of("road", 40000, 1);
        request.degree = 3700;
        request.cut_exponent = end == 0 ? 250 : 500;
        struct collected c = generate(&request);
        cut[end] = least_cut(&c);
        free(c.edges);
    }
    CU_ASSERT(cut[0] > 0 && cut[0] < 120 && cut[1] > 150);
}

static void test_thousandths(void) {
    static const struct {
        const char *text, *back;
        int64_t value; /* -1: refused */
    } cases[] = {
        {"2.76", "2.76", 2760},   {"8", "8", 8000},         {"0", "0", 0},
        {".5", "0.5", 500},       {"3.", "3", 3000},        {"100", "100", 100000},
        {"1.234", "1.234", 1234}, {"1.2345", NULL, -1},     {"", NULL, -1},
        {".", NULL, -1},          {"-1", NULL, -1},         {"+1", NULL, -1},
        {"1e3", NULL, -1},        {"1.2.3", NULL, -1},      {"4 ", NULL, -1},
        {"nan", NULL, -1},        {"1234567890", NULL, -1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[32];
        int64_t value;
        const bool read = thousandths_read(cases[k].text, &value);
        CU_ASSERT_EQUAL(read, cases[k].value >= 0);
        if (!read)
            continue;
        CU_ASSERT_EQUAL(value, cases[k].value);
        CU_ASSERT_STRING_EQUAL(thousandths_write(value, text, sizeof text), cases[k].back);
    }
}

static void test_roots(void) {
    for (int power = 2; power <= 3; power++) {
        for (uint64_t root = 1; root < 2000000; root = root * 3 + 1) {
            const uint64_t exact = power == 2 ? root * root : root * root * root;
            CU_ASSERT_EQUAL(root_above(exact, power), (int64_t)root);
            CU_ASSERT_EQUAL(root_above(exact + 1, power), (int64_t)root + 1);
            CU_ASSERT_EQUAL(root_above(exact - 1, power), (int64_t)(root > 1 ? root : 0));
        }
    }
    CU_ASSERT_EQUAL(length_of(0), 1);
    for (uint64_t root = 1; root < 2000000000; root = root * 5 / 2 + 1) {
        CU_ASSERT_EQUAL(length_of(root * root), (int32_t)root);
        CU_ASSERT_EQUAL(length_of(root * root + 2 * root), (int32_t)root);
    }
}

CU_TestInfo family_tests[] = {
    {"every family at every small size", test_every_size},
    {"grid", test_grid},
    {"ring", test_ring},
    {"tree, star, complete", test_tree_star_complete},
    {"parents in trees", test_parents},
    {"power law", test_power_law},
    {"R-MAT quadrants", test_rmat_quadrants},
    {"R-MAT", test_rmat},
    {"disconnected", test_disconnected},
    {"lengths are a metric", test_lengths},
    {"nearest neighbours", test_neighbours},
    {"geometric", test_geometric},
    {"power grid", test_power_grid},
    {"river", test_river},
    {"transit", test_transit},
    {"surface", test_surface},
    {"road", test_road},
    {"towns", test_towns},
    {"one-way roads", test_one_way},
    {"cut exponent", test_cut_exponent},
    {"thousandths", test_thousandths},
    {"roots", test_roots},
    CU_TEST_INFO_NULL,
};
