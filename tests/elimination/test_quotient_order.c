// SPDX-License-Identifier: MIT
/* Orders of graphs of cliques and edges: every vertex comes once, threads change nothing, the fill
 * is that of the definition of minimum degree or nearly so, and none where none has to be. */
#include "elimination/quotient_order.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 160, MOST_CLIQUES = 60, MOST_SIZE = 12 };

/* A graph, and the pairs that it joins. */
struct example {
    struct clique_graph g;
    int64_t first_member[MOST_CLIQUES + 1], first_edge[MOST + 1];
    int32_t member[MOST_CLIQUES * MOST], neighbour[MOST * MOST];
    bool joined[MOST][MOST];
    bool edge[MOST][MOST];
};

static void begin(struct example *e, int32_t n) {
    memset(e, 0, sizeof *e);
    e->g = (struct clique_graph){.n = n,
                                 .first_member = e->first_member,
                                 .member = e->member,
                                 .first_edge = e->first_edge,
                                 .neighbour = e->neighbour};
}

/* The caller has set edge[a][b] for a < b. */
static void end(struct example *e) {
    int64_t count = 0;
    for (int32_t a = 0; a < e->g.n; a++) {
        e->first_edge[a] = count;
        for (int32_t b = 0; b < e->g.n; b++) {
            if (a == b || !e->edge[a < b ? a : b][a < b ? b : a])
                continue;
            e->joined[a][b] = true;
            e->neighbour[count++] = b;
        }
    }
    e->first_edge[e->g.n] = count;
}

static void add_clique(struct example *e, const int32_t *member, int32_t size) {
    const int64_t first = e->first_member[e->g.cliques];
    for (int32_t a = 0; a < size; a++) {
        e->member[first + a] = member[a];
        for (int32_t b = 0; b < size; b++)
            e->joined[member[a]][member[b]] |= a != b;
    }
    e->first_member[++e->g.cliques] = first + size;
}

/* Cliques of neighbouring numbers, some of which lie in others, and edges, which may be in cliques,
 * too. */
static void random_example(struct example *e, struct random *random) {
    const int32_t n = random_in(random, 2, MOST), cliques = random_in(random, 0, MOST_CLIQUES);
    const int32_t edges = random_in(random, 0, 2 * n);
    begin(e, n);
    for (int32_t c = 0; c < cliques; c++) {
        int32_t member[MOST_SIZE], size = 0;
        const int32_t from = random_in(random, 0, n - 1);
        for (int32_t v = from; v < n && size < MOST_SIZE; v++) {
            if (random_in(random, 0, 2) == 0)
                member[size++] = v;
        }
        add_clique(e, member, size);
    }
    for (int32_t k = 0; k < edges; k++) {
        const int32_t a = random_in(random, 0, n - 2);
        e->edge[a][random_in(random, a + 1, a + 20 < n ? a + 20 : n - 1)] = true;
    }
    end(e);
}

/* Eliminates v by the definition. Returns how many neighbours it has. */
static int32_t eliminate(bool (*joined)[MOST], int32_t n, int32_t v) {
    int32_t count = 0;
    for (int32_t a = 0; a < n; a++) {
        if (!joined[v][a])
            continue;
        count++;
        for (int32_t b = 0; b < n; b++)
            joined[a][b] |= a != b && joined[v][b];
        joined[a][v] = false;
    }
    memset(joined[v], 0, sizeof joined[v]);
    return count;
}

static int32_t degree_of(bool (*joined)[MOST], int32_t n, int32_t v) {
    int32_t degree = 0;
    for (int32_t a = 0; a < n; a++)
        degree += joined[v][a];
    return degree;
}

/* Returns the number of entries that are left if a vertex with the fewest neighbours goes first
 * each time. */
static int64_t fewest_first(const struct example *e) {
    static bool joined[MOST][MOST];
    bool is_gone[MOST] = {false};
    int64_t entries = 0;
    memcpy(joined, e->joined, sizeof joined);
    for (int32_t at = 0; at < e->g.n; at++) {
        int32_t best = 0, least = MOST;
        for (int32_t v = 0; v < e->g.n; v++) {
            const int32_t degree = is_gone[v] ? MOST : degree_of(joined, e->g.n, v);
            best = degree < least ? v : best;
            least = degree < least ? degree : least;
        }
        is_gone[best] = true;
        entries += eliminate(joined, e->g.n, best);
    }
    return entries;
}

/* Returns the number of entries that an order leaves, -1 if it is none. */
static int64_t entries_of(const struct example *e, const int32_t *vertex) {
    static bool joined[MOST][MOST];
    bool is_there[MOST] = {false};
    int64_t entries = 0;
    memcpy(joined, e->joined, sizeof joined);
    for (int32_t at = 0; at < e->g.n; at++) {
        const int32_t v = vertex[at];
        if (v < 0 || v >= e->g.n || is_there[v])
            return -1;
        is_there[v] = true;
        entries += eliminate(joined, e->g.n, v);
    }
    return entries;
}

/* Returns the number of entries that the order leaves; -1 if it is none, or depends on the number
 * of threads. */
static int64_t find(const struct example *e) {
    int32_t vertex[MOST], other[MOST];
    struct error err;
    bool same = true;
    CU_ASSERT_EQUAL_FATAL(quotient_order_find(&e->g, 1, vertex, &err), STATUS_OK);
    for (int threads = 2; threads < 6; threads++) {
        CU_ASSERT_EQUAL_FATAL(quotient_order_find(&e->g, threads, other, &err), STATUS_OK);
        same = same && memcmp(vertex, other, sizeof *vertex * (size_t)e->g.n) == 0;
    }
    return same ? entries_of(e, vertex) : -1;
}

static void test_random(void) {
    static struct example e;
    struct random random = {71};
    int64_t fewest = 0, found = 0;
    bool are_orders = true;
    for (int round = 0; round < 300; round++) {
        random_example(&e, &random);
        const int64_t own = find(&e);
        are_orders = are_orders && own >= 0;
        found += own;
        fewest += fewest_first(&e);
    }
    CU_ASSERT(are_orders);
    CU_ASSERT(100 * found <= 99 * fewest);
}

/* A tree, cliques that share one vertex, of which a round eliminates one only, and a clique in
 * another: eliminated from their leaves, they get no new edges. */
static void test_no_fill(void) {
    enum { SIZE = 7 };
    static struct example e;
    struct random random = {9};
    int32_t all[MOST];
    int64_t entries;
    begin(&e, MOST);
    for (int32_t v = 1; v < MOST; v++)
        e.edge[random_in(&random, 0, v - 1)][v] = true;
    end(&e);
    CU_ASSERT_EQUAL(find(&e), MOST - 1);
    begin(&e, MOST);
    for (int32_t v = 0; v < MOST; v++)
        all[v] = v;
    for (int32_t from = 0; from + SIZE <= MOST; from += SIZE - 1) {
        all[from] = MOST - 1;
        add_clique(&e, all + from, SIZE);
        all[from] = from;
    }
    end(&e);
    entries = (int64_t)e.g.cliques * SIZE * (SIZE - 1) / 2;
    CU_ASSERT_EQUAL(find(&e), entries);
    begin(&e, MOST);
    add_clique(&e, all, MOST);
    add_clique(&e, all, MOST / 2);
    end(&e);
    CU_ASSERT_EQUAL(find(&e), MOST * (MOST - 1) / 2);
}

/* Vertices without neighbours, and graphs of one and two vertices. */
static void test_few(void) {
    static struct example e;
    const int32_t pair[] = {1, 0};
    begin(&e, 1);
    end(&e);
    CU_ASSERT_EQUAL(find(&e), 0);
    add_clique(&e, pair + 1, 1);
    CU_ASSERT_EQUAL(find(&e), 0);
    begin(&e, 2);
    add_clique(&e, pair, 2);
    e.edge[0][1] = true;
    end(&e);
    CU_ASSERT_EQUAL(find(&e), 1);
    begin(&e, MOST);
    e.edge[3][9] = true;
    end(&e);
    CU_ASSERT_EQUAL(find(&e), 1);
}

/* A grid, each edge of which is a clique of two vertices. It has more vertices than one thread
 * orders alone, and lanes are joined while vertices are eliminated. */
static void test_large(void) {
    enum { SIDE = 60, N = SIDE * SIDE };
    static int64_t first_member[2 * N + 1], first_edge[N + 1];
    static int32_t member[4 * N], one[N], other[N];
    struct clique_graph g = {
        .n = N, .first_member = first_member, .member = member, .first_edge = first_edge};
    struct error err;
    bool is_there[N] = {false}, are = true;
    for (int32_t v = 0; v < N; v++) {
        for (int down = 0; down < 2; down++) {
            if (down ? v + SIDE >= N : v % SIDE == SIDE - 1)
                continue;
            member[2 * g.cliques] = v;
            member[2 * g.cliques + 1] = down ? v + SIDE : v + 1;
            g.cliques++;
            first_member[g.cliques] = 2 * (int64_t)g.cliques;
        }
    }
    CU_ASSERT_EQUAL_FATAL(quotient_order_find(&g, 1, one, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(quotient_order_find(&g, 5, other, &err), STATUS_OK);
    CU_ASSERT_EQUAL(memcmp(one, other, sizeof one), 0);
    for (int32_t at = 0; at < N; at++) {
        are = are && one[at] >= 0 && one[at] < N && !is_there[one[at]];
        is_there[are ? one[at] : 0] = true;
    }
    CU_ASSERT(are);
}

CU_TestInfo quotient_order_tests[] = {
    {"cliques and edges", test_random}, {"no fill", test_no_fill}, {"few vertices", test_few},
    {"a large graph", test_large},      CU_TEST_INFO_NULL,
};
