// SPDX-License-Identifier: MIT
/* Tests flows along shortest paths and accessibility: their numbers, and refusals. */
#include "libapsp/apsp.h"
#include "tests/unit/support.h"

#include <math.h>
#include <string.h>

enum { N = 4, EDGES = 5 };

/* Two ways of 0.3 from 0 to 2, and an edge from 3 that nothing leads to. */
static apsp_graph *ways(void) {
    static const int32_t tail[EDGES] = {0, 1, 0, 2, 3}, head[EDGES] = {1, 2, 2, 0, 0};
    static const double weight[EDGES] = {0.1, 0.2, 0.3, 1, 1};
    apsp_edges edges = APSP_EDGES_INIT;
    apsp_graph *graph;
    edges.vertices = N;
    edges.count = EDGES;
    edges.from = tail;
    edges.to = head;
    edges.type = APSP_FLOAT64;
    edges.weight = weight;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &edges, NULL, NULL), APSP_OK);
    return graph;
}

/* The call fails with a message that begins so. */
#define REFUSED(call, said)                                                                        \
    do {                                                                                           \
        apsp_error error;                                                                          \
        CU_ASSERT_EQUAL(call(graph, &wrong, &error), APSP_BAD_INPUT);                              \
        CU_ASSERT_PTR_EQUAL(strstr(error.text, said), error.text);                                 \
    } while (0)

static void test_trips(void) {
    static const int32_t from[] = {0, 0, 3, 1, 2}, to[] = {2, 2, 3, 3, 0};
    static const double trips[] = {4, 1, 2, 8, 0};
    apsp_graph *const graph = ways();
    for (int counted = 0; counted < 2; counted++) {
        double edges[EDGES];
        apsp_betweenness asked = APSP_BETWEENNESS_INIT;
        asked.trip_count = 5;
        asked.trip_from = from;
        asked.trip_to = to;
        asked.trips = counted ? trips : NULL;
        asked.edges = edges;
        CU_ASSERT_EQUAL_FATAL(apsp_betweenness_find(graph, &asked, NULL), APSP_OK);
        CU_ASSERT_EQUAL(edges[0], counted ? 2.5 : 1);
        CU_ASSERT_EQUAL(edges[1], counted ? 2.5 : 1);
        CU_ASSERT_EQUAL(asked.trips_arrived, counted ? 5 : 3);
        CU_ASSERT_EQUAL(asked.trips_within, counted ? 2 : 1);
        CU_ASSERT_EQUAL(asked.trips_without_path, counted ? 8 : 1);
        CU_ASSERT_DOUBLE_EQUAL(asked.trips_length, counted ? 5 * 0.3 : 2 * 0.3 + 1, 1e-12);
        CU_ASSERT_FALSE(asked.is_undirected);
    }
    apsp_graph_free(graph);
}

/* A decay is in the unit of the weights, which are decimals. */
static void test_decay(void) {
    static const int32_t source = 0;
    const double near = exp(-0.1 / 0.5), far = exp(-0.3 / 0.5);
    double edges[EDGES];
    apsp_graph *const graph = ways();
    apsp_betweenness asked = APSP_BETWEENNESS_INIT;
    asked.sources = &source;
    asked.source_count = 1;
    asked.edges = edges;
    asked.decay = 0.5;
    CU_ASSERT_EQUAL_FATAL(apsp_betweenness_find(graph, &asked, NULL), APSP_OK);
    CU_ASSERT_DOUBLE_EQUAL(edges[0], near + far / 2, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(asked.trips_arrived, near + far, 1e-15);
    CU_ASSERT_EQUAL(asked.trips_within, 1);
    CU_ASSERT_DOUBLE_EQUAL(asked.trips_length, 0.1 * near + 0.3 * far, 1e-15);
    apsp_graph_free(graph);
}

static void test_flows_refused(void) {
    static const double not_masses[][N] = {{1, -1, 1, 1}, {1, 1, 1, INFINITY}, {NAN, 1, 1, 1}};
    static const int32_t good[] = {0, 1}, bad[][2] = {{0, N}, {-1, 0}};
    apsp_graph *const graph = ways();
    const apsp_betweenness right = APSP_BETWEENNESS_INIT;
    apsp_betweenness wrong;
    for (int k = 0; k < 3; k++) {
        wrong = right;
        wrong.from_mass = not_masses[k];
        REFUSED(apsp_betweenness_find, "from_mass: ");
        wrong = right;
        wrong.to_mass = not_masses[k];
        REFUSED(apsp_betweenness_find, "to_mass: ");
        wrong = right;
        wrong.trip_count = N;
        wrong.trip_from = wrong.trip_to = (const int32_t[]){0, 1, 2, 3};
        wrong.trips = not_masses[k];
        REFUSED(apsp_betweenness_find, "trips: ");
    }
    for (int k = 0; k < 2; k++) {
        wrong = right;
        wrong.trip_count = 2;
        wrong.trip_from = good;
        wrong.trip_to = bad[k];
        REFUSED(apsp_betweenness_find, "trips: ");
        wrong.trip_from = bad[k];
        wrong.trip_to = good;
        REFUSED(apsp_betweenness_find, "trips: ");
        wrong = right;
        wrong.source_count = 2;
        wrong.sources = bad[k];
        REFUSED(apsp_betweenness_find, "sources: ");
    }
    static const double not_decays[] = {-1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        wrong = right;
        wrong.decay = not_decays[k];
        REFUSED(apsp_betweenness_find, "decay: ");
    }
    wrong = right;
    wrong.trip_count = 1;
    REFUSED(apsp_betweenness_find, "trip_count: ");
    wrong.trip_from = wrong.trip_to = good;
    wrong.decay = 1;
    REFUSED(apsp_betweenness_find, "trip_count: ");
    apsp_graph_free(graph);
}

/* Two masses, one decay and two limits: sums of either kind have their own number. */
static void test_near(void) {
    static const double masses[2 * N] = {1, 10, 2, 20, 4, 40, 8, 80}, decay = 0.5;
    static const double limits[] = {0.25, 1};
    static const int32_t sources[] = {2, 0}, facilities[] = {2, 1};
    double decayed[4], within[8], distances[2 * N];
    int32_t nearest[2 * N];
    apsp_graph *const graph = ways();
    apsp_accessibility asked = APSP_ACCESSIBILITY_INIT;
    asked.sources = sources;
    asked.source_count = asked.mass_count = asked.limit_count = 2;
    asked.masses = masses;
    asked.decay_count = 1;
    asked.decays = &decay;
    asked.limits = limits;
    asked.decayed = decayed;
    asked.within = within;
    CU_ASSERT_EQUAL_FATAL(apsp_accessibility_find(graph, &asked, NULL), APSP_OK);
    CU_ASSERT_DOUBLE_EQUAL(decayed[3], 10 + 20 * exp(-0.2) + 40 * exp(-0.6), 1e-12);
    static const double right[] = {4, 40, 5, 50, 3, 30, 7, 70};
    CU_ASSERT_EQUAL(memcmp(within, right, sizeof right), 0);
    apsp_nearest near = APSP_NEAREST_INIT;
    near.facilities = facilities;
    near.facility_count = near.k = 2;
    near.nearest = nearest;
    near.distances = distances;
    CU_ASSERT_EQUAL_FATAL(apsp_nearest_find(graph, &near, NULL), APSP_OK);
    CU_ASSERT(nearest[0] == 1 && nearest[1] == 0 && nearest[2] == 1 && nearest[3] == 0);
    CU_ASSERT_DOUBLE_EQUAL(distances[2 * N - 1], 1.3, 1e-12);
    apsp_graph_free(graph);
}

static void test_near_refused(void) {
    static const double one = 1, below = -1, masses[N] = {1, 1, 1, 1};
    apsp_graph *const graph = ways();
    apsp_accessibility right = APSP_ACCESSIBILITY_INIT, wrong;
    right.masses = masses;
    right.mass_count = right.decay_count = right.limit_count = 1;
    right.decays = right.limits = &one;
    CU_ASSERT_EQUAL(apsp_accessibility_find(graph, &right, NULL), APSP_OK);
    wrong = right;
    wrong.masses = NULL;
    REFUSED(apsp_accessibility_find, "masses: ");
    wrong = right;
    wrong.decays = NULL;
    REFUSED(apsp_accessibility_find, "decays: ");
    wrong = right;
    wrong.limits = NULL;
    REFUSED(apsp_accessibility_find, "limits: ");
    wrong = right;
    wrong.limits = &below;
    REFUSED(apsp_accessibility_find, "accessibility: expected limits");
    wrong = right;
    wrong.source_count = 1;
    REFUSED(apsp_accessibility_find, "source_count: ");
    wrong = right;
    wrong.grid = NAN;
    REFUSED(apsp_accessibility_find, "grid: ");
    apsp_graph_free(graph);
}

static void test_nearest_refused(void) {
    static const int32_t bad[][2] = {{0, N}, {-1, 0}, {1, 1}};
    apsp_graph *const graph = ways();
    apsp_nearest right = APSP_NEAREST_INIT, wrong;
    right.k = 1;
    wrong = right;
    REFUSED(apsp_nearest_find, "facility_count: ");
    wrong.facility_count = 1;
    REFUSED(apsp_nearest_find, "facilities: ");
    for (int i = 0; i < 3; i++) {
        wrong = right;
        wrong.facilities = bad[i];
        wrong.facility_count = 2;
        REFUSED(apsp_nearest_find, "facilities: ");
    }
    wrong.k = 0;
    REFUSED(apsp_nearest_find, "k: ");
    apsp_graph_free(graph);
}

/* From 3 all can be reached and to it nothing; without it, 0, 1 and 2 are a circle with a chord. */
static void test_eccentricity(void) {
    double all[N] = {-1, -1, -1, -1};
    int32_t center[N];
    apsp_graph *const graph = ways();
    apsp_eccentricity asked = APSP_ECCENTRICITY_INIT;
    asked.eccentricities = all;
    asked.center = center;
    asked.check = 1;
    CU_ASSERT_EQUAL_FATAL(apsp_eccentricity_find(graph, &asked, NULL), APSP_OK);
    CU_ASSERT(asked.closed && asked.directed && asked.components == 2);
    CU_ASSERT(isinf(asked.diameter) && isinf(asked.radius) && asked.center_count == 0);
    CU_ASSERT(asked.largest_distance == 1.3 && asked.largest_from == 3 && asked.largest_to == 2);
    CU_ASSERT(asked.proved == asked.searches && asked.searches == 2 * asked.sources);
    CU_ASSERT(all[0] == 0.3 && all[1] == 1.2 && all[2] == 1.1 && all[3] == 1.3);
    apsp_eccentricity unsearched = APSP_ECCENTRICITY_INIT;
    unsearched.if_connected = 1;
    CU_ASSERT_EQUAL_FATAL(apsp_eccentricity_find(graph, &unsearched, NULL), APSP_OK);
    CU_ASSERT(unsearched.searches == 0 && unsearched.components == 2 && unsearched.closed);
    CU_ASSERT(isinf(unsearched.diameter) && unsearched.largest_from == -1);
    apsp_graph_free(graph);
}

static void test_eccentricity_of_circle(void) {
    static const int32_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 0}, weight[] = {1, 2, 3, 4};
    int32_t center[N], periphery[N];
    apsp_edges edges = APSP_EDGES_INIT;
    apsp_graph *graph;
    edges.vertices = N;
    edges.count = N;
    edges.from = from;
    edges.to = to;
    edges.weight = weight;
    CU_ASSERT_EQUAL_FATAL(apsp_graph_make(&graph, &edges, NULL, NULL), APSP_OK);
    apsp_eccentricity asked = APSP_ECCENTRICITY_INIT;
    asked.center = center;
    asked.periphery = periphery;
    CU_ASSERT_EQUAL_FATAL(apsp_eccentricity_find(graph, &asked, NULL), APSP_OK);
    CU_ASSERT(asked.diameter == 9 && asked.radius == 6 && asked.components == 1);
    CU_ASSERT(asked.center_count == 1 && center[0] == 0 && asked.central == 0);
    CU_ASSERT(asked.periphery_count == 1 && periphery[0] == 1 && asked.proved == 0);
    apsp_eccentricity stopped = APSP_ECCENTRICITY_INIT, wrong = APSP_ECCENTRICITY_INIT;
    stopped.most_sources = 1;
    CU_ASSERT_EQUAL_FATAL(apsp_eccentricity_find(graph, &stopped, NULL), APSP_OK);
    CU_ASSERT(!stopped.closed && isnan(stopped.diameter) && stopped.sources == 1);
    wrong.most_sources = -1;
    REFUSED(apsp_eccentricity_find, "most_sources: ");
    apsp_graph_free(graph);
}

CU_TestInfo library_flow_tests[] = {
    {"trips", test_trips},
    {"pairs that decay", test_decay},
    {"flows that are refused", test_flows_refused},
    {"sums and nearest facilities", test_near},
    {"eccentricities", test_eccentricity},
    {"eccentricities of a circle", test_eccentricity_of_circle},
    {"sums that are refused", test_near_refused},
    {"facilities that are refused", test_nearest_refused},
    CU_TEST_INFO_NULL,
};
