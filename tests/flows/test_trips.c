// SPDX-License-Identifier: MIT
/* Tables of trips, and where the trips go: against the definition, with and without zones. */
#include "flows/trips.h"

#include "flows/betweenness.h"
#include "flows/flow_graph.h"
#include "tests/unit/real_graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Reading -----------------------------------------------------------------------------------------

static enum status read_text(const char *text, const struct graph *g, struct trips *trips,
                             struct error *err) {
    char path[] = "/tmp/apsp-trips-XXXXXX";
    const int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    const enum status status = trips_read(path, g, trips, err);
    close(fd);
    unlink(path);
    return status;
}

/* The table as "from:to=trips,..." by origin, and the end of the note on it. */
static void check_noted(const char *text, const char *expected, int64_t added, const char *note) {
    struct graph g = graph_of(4, (struct edge[]){{0, 1, 1}}, 1);
    struct trips trips;
    struct error err;
    char found[256] = "";
    g.naming.first = 1;
    CU_ASSERT_EQUAL_FATAL(read_text(text, &g, &trips, &err), STATUS_OK);
    for (int32_t o = 0; o < trips.origins; o++)
        for (int64_t k = trips.first[o]; k < trips.first[o + 1]; k++) {
            const size_t used = strlen(found);
            snprintf(found + used, sizeof found - used, "%d:%d=%g ", trips.origin[o] + 1,
                     trips.to[k] + 1, trips.count[k]);
        }
    CU_ASSERT_STRING_EQUAL(found, expected);
    CU_ASSERT_EQUAL(trips.added, added);
    const size_t length = strlen(trips.note.text), end = strlen(note);
    CU_ASSERT_STRING_EQUAL(trips.note.text + (length < end || end == 0 ? 0 : length - end), note);
    trips_free(&trips);
    graph_free(&g);
}

static void check_read(const char *text, const char *expected, int64_t added) {
    check_noted(text, expected, added, "");
}

static void check_refused(const char *text, const char *why) {
    struct graph g = graph_of(4, (struct edge[]){{0, 1, 1}}, 1);
    struct trips trips;
    struct error err = {0};
    g.naming.first = 1;
    CU_ASSERT_EQUAL(read_text(text, &g, &trips, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, why));
    trips_free(&trips);
    graph_free(&g);
}

static void test_read(void) {
    check_read("o,d,q\n2,1,3\n1,4,0.5\n1,3,0\n2,1,2\n1,2,1e2\n", "1:2=100 1:4=0.5 2:1=5 ", 1);
    check_read("1;2;3\n\n4;4;1\n", "1:2=3 4:4=1 ", 0);
    check_read("1\t2\n1\t3\n1\t2\n", "1:2=2 1:3=1 ", 1);
    check_read("from to\n3 1\n", "3:1=1 ", 0);
    check_read("\"1\"|\"2\"|3\n", "1:2=3 ", 0);
    check_read("1 2 7\n", "1:2=7 ", 0);
    check_read(
        "<NUMBER OF ZONES> 4\n<END OF METADATA>\n\n~ hours\nOrigin \t1\n 1 : 0.0; 2 : 10.5;\n"
        "   3 :  1;\nOrigin 4\n1: 2; 1 : 3\n",
        "1:2=10.5 1:3=1 4:1=5 ", 1);
}

/* A TNTP file says how many trips it has, perhaps rounded. */
static void test_announced(void) {
    check_noted("<TOTAL OD FLOW> 1000 \n<END OF METADATA>\nOrigin 1\n2 : 999.5;\n", "1:2=999.5 ", 0,
                "");
    check_noted("<TOTAL OD FLOW>\t100\n<END OF METADATA>\nOrigin 1\n2 : 5;\n", "1:2=5 ", 0,
                ": has 5 trips, where <TOTAL OD FLOW> says 100");
    check_noted("<TOTAL OD FLOW> 5\n<END OF METADATA>\nOrigin 1\n2 : 100;\n", "1:2=100 ", 0,
                ": has 100 trips, where <TOTAL OD FLOW> says 5");
}

/* Columns are those that the head names; what is left aside or guessed is said. */
static void test_heads(void) {
    check_read("to,from,trips\n1,2,3\n", "2:1=3 ", 0);
    check_read("n;Destination_ID;origin\n3;1;2\n", "2:1=3 ", 0);
    check_read("node_1,node_2\n1,2\n", "1:2=1 ", 0);
    check_noted("km\tto\tTrips\tfrom\n9\t1\t3\t2\n", "2:1=3 ", 0, "left aside: km");
    check_noted(",from,to\n7,1,2\n", "1:2=1 ", 0, "left aside: ''");
    check_noted("a,b,c\n1,2,3\n", "1:2=3 ", 0,
                "with origins, destinations and numbers of trips: a, b, c");
    check_noted("from,x\n1,2\n", "1:2=1 ", 0, "with origins and destinations: from, x");
    check_refused("x,from\n1,2\n", "apart, such as from,to,trips, found x, from");
    check_refused("to,x\n1,2\n", "found to, x");
    check_refused("from,to,from\n1,2,3\n", "found from, to, from");
    check_refused("from,to,cars,bikes\n1,2,3,4\n", "one that is called trips, found 4");
    check_refused("from,to,trips,demand\n1,2,3,4\n", "one that is called trips, found 4");
    check_refused("a,b,c,d\n1,2,3,4\n", "more fields");
}

/* Trips in memory: each row is one trip if nobody counts them, and 0 trips are none. */
static void test_made(void) {
    static const int32_t from[] = {1, 0, 1}, to[] = {2, 3, 2};
    static const double count[] = {0.5, 0, 2};
    struct trips trips;
    struct error err;
    for (int counted = 0; counted < 2; counted++) {
        CU_ASSERT_EQUAL_FATAL(trips_make(from, to, counted ? count : NULL, 3, &trips, &err),
                              STATUS_OK);
        CU_ASSERT_EQUAL(trips.origins, counted ? 1 : 2);
        CU_ASSERT_EQUAL(trips.count[trips.origins - 1], counted ? 2.5 : 2);
        trips_free(&trips);
    }
}

static void test_refused(void) {
    check_refused("o,d,q\n", "expected trips above 0");
    check_refused("", "expected trips above 0");
    check_refused("1,2,0\n", "expected trips above 0");
    check_refused("9,1\n1,2\n", ":1"); /* no head: both are numbers */
    check_refused("9,x\n1,2\n", ":1");
    check_refused("x,1\n1,2\n", ":1");
    check_refused("1,2,3\n1,5,3\n", ":2");
    check_refused("1,2,3\n1,2\n", "ORIGIN,DESTINATION,TRIPS");
    check_refused("1,2,3,4\n", "more fields");
    check_refused("1\n", "fewer fields");
    check_refused("1,2,-3\n", "0 or more, found '-3'");
    check_refused("1,2,inf\n", "finite");
    check_refused("1,2,\n", "found nothing");
    check_refused("1,\"2,3\n", "quote");
    check_refused("Origin 1\n2 5;\n", "'DESTINATION : TRIPS;'");
    check_refused("<X> 1\n2 : 5;\n", "a line 'Origin ZONE'");
    check_refused("Origin 9\n", ":1");
}

// Loading -----------------------------------------------------------------------------------------

/* Enumerates all shortest paths from u on, and adds `share` of each to their edges. */
static void walk(const struct graph *g, const double *dist, int32_t n, int32_t u, int32_t to,
                 double share, double *edge) {
    const double *const paths = dist + (ptrdiff_t)n * n; /* numbers of shortest paths */
    for (int64_t e = g->first[u]; e < g->first[u + 1] && u != to; e++) {
        const int32_t v = g->head[e];
        const double part = paths[v * n + to] / paths[u * n + to];
        if ((v >= g->zones || v == to) && g->weight[e] + dist[v * n + to] == dist[u * n + to] &&
            paths[v * n + to] > 0) {
            edge[e] += share * part;
            walk(g, dist, n, v, to, share * part, edge);
        }
    }
}

/* Distances and numbers of shortest paths between all vertices, through no zone. */
static double *solve_all(const struct graph *g) {
    const int32_t n = g->n;
    double *const dist = malloc(2 * (size_t)n * (size_t)n * sizeof *dist), *const paths =
                                                                               dist + n * n;
    for (int32_t k = 0; k < n * n; k++)
        dist[k] = k % (n + 1) == 0 ? 0 : INFINITY;
    for (int32_t round = 0; round < n; round++)
        for (int32_t u = 0; u < n; u++)
            for (int64_t e = g->first[u]; e < g->first[u + 1]; e++)
                for (int32_t to = 0; to < n; to++)
                    if (g->head[e] >= g->zones || g->head[e] == to)
                        dist[u * n + to] =
                            fmin(dist[u * n + to], g->weight[e] + dist[g->head[e] * n + to]);
    for (int32_t to = 0; to < n; to++) {
        for (int32_t u = 0; u < n; u++)
            paths[u * n + to] = u == to;
        /* By distance: all weights are above 0. */
        for (double length = 1; length <= 3 * n; length++)
            for (int32_t u = 0; u < n; u++)
                for (int64_t e = g->first[u];
                     e < g->first[u + 1] && u != to && dist[u * n + to] == length; e++)
                    if ((g->head[e] >= g->zones || g->head[e] == to) &&
                        g->weight[e] + dist[g->head[e] * n + to] == length)
                        paths[u * n + to] += paths[g->head[e] * n + to];
    }
    return dist;
}

static void check_loads(struct random *random, int32_t n, int32_t zones, bool is_real,
                        int threads) {
    struct edge edges[64];
    struct graph wide;
    int32_t from[12], to[12];
    double count[12], arrive = 0, stay = 0, lost = 0, length = 0;
    struct error err;
    for (int k = 0; k < 3 * n; k++)
        edges[k] = (struct edge){random_in(random, 0, n - 1), random_in(random, 0, n - 1),
                                 random_in(random, 1, 3)};
    struct graph g = graph_of(n, edges, 3 * n);
    g.zones = zones;
    double *const dist = solve_all(&g), *const edge = calloc((size_t)g.m + 1, sizeof *edge);
    int64_t lost_pairs = 0;
    for (int k = 0; k < 12; k++) {
        from[k] = random_in(random, 0, n - 1);
        to[k] = random_in(random, 0, n - 1);
        count[k] = random_in(random, 0, 8) / 4.0;
        const double d = dist[from[k] * n + to[k]];
        stay += from[k] == to[k] ? count[k] : 0;
        lost += isinf(d) ? count[k] : 0;
        arrive += from[k] != to[k] && !isinf(d) ? count[k] : 0;
        length += isinf(d) ? 0 : count[k] * d;
        if (!isinf(d))
            walk(&g, dist, n, from[k], to[k], count[k], edge);
    }
    CU_ASSERT_EQUAL_FATAL(graph_widen(&g, &wide, &err), STATUS_OK);
    for (int64_t e = 0; e < wide.m; e++)
        wide.real_weight[e] /= 10; /* decimals */
    wide.min_weight /= 10;
    wide.max_weight /= 10;
    struct flow_graph flow;
    struct trips trips;
    struct betweenness found;
    CU_ASSERT_EQUAL_FATAL(trips_make(from, to, count, 12, &trips, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(flow_graph_make(is_real ? &wide : &g, GRID_AUTO, NULL, &flow, &err),
                          STATUS_OK);
    const struct betweenness_request request = {.graph = flow.graph,
                                                .split = flow_graph_split(&flow),
                                                .zoned = &g,
                                                .trips = &trips,
                                                .edges = true,
                                                .threads = threads};
    CU_ASSERT_EQUAL_FATAL(betweenness_find(&request, &found, &err), STATUS_OK);
    bool near = true;
    for (int64_t e = 0; e < g.m; e++)
        near = near && fabs(found.edge[e] - edge[e]) < 1e-12;
    CU_ASSERT(near);
    CU_ASSERT_EQUAL(found.totals.arrive, arrive);
    CU_ASSERT_EQUAL(found.totals.stay, stay);
    CU_ASSERT_EQUAL(found.totals.lost, lost);
    CU_ASSERT_DOUBLE_EQUAL(found.totals.length / flow.times, length / (is_real ? 10 : 1),
                           1e-12 * (1 + length));
    int32_t lost_from = -1, lost_to = -1;
    for (int32_t o = 0; o < trips.origins; o++) {
        for (int64_t k = trips.first[o]; k < trips.first[o + 1]; k++) {
            if (isinf(dist[trips.origin[o] * n + trips.to[k]]) && lost_pairs++ == 0) {
                lost_from = trips.origin[o];
                lost_to = trips.to[k];
            }
        }
    }
    CU_ASSERT_EQUAL(found.totals.lost_pairs, lost_pairs);
    CU_ASSERT(found.totals.lost_from == lost_from && found.totals.lost_to == lost_to);
    betweenness_free(&found);
    flow_graph_free(&flow);
    trips_free(&trips);
    graph_free(&wide);
    graph_free(&g);
    free(dist);
    free(edge);
}

static void test_loads(void) {
    struct random random = {.state = 5};
    for (int round = 0; round < 120; round++)
        check_loads(&random, random_in(&random, 2, 10), round % 3, round % 2 == 1, 1 + round % 3);
}

CU_TestInfo trips_tests[] = {
    {"what is read", test_read},
    {"heads name columns", test_heads},
    {"announced trips", test_announced},
    {"what is made of rows in memory", test_made},
    {"what is refused", test_refused},
    {"loads", test_loads},
    CU_TEST_INFO_NULL,
};
