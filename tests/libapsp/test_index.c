// SPDX-License-Identifier: MIT
/* Every function of distance indices, and what it refuses. */
#include "libapsp/apsp.h"
#include "tests/unit/support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More vertices than the index finds the distances to at a time. The last one is alone. */
enum { WIDTH = 35, HEIGHT = 20, N = WIDTH * HEIGHT + 1, EDGES = 4 * WIDTH * HEIGHT };

/* A grid whose edges have other weights forth than back. */
static apsp_graph *grid(int32_t extra) {
    static int32_t tail[EDGES], head[EDGES], weight[EDGES];
    int64_t m = 0;
    apsp_graph *graph;
    for (int32_t v = 0; v < N - 1; v++) {
        const int32_t next[] = {v % WIDTH + 1 < WIDTH ? v + 1 : -1,
                                v + WIDTH < N - 1 ? v + WIDTH : -1};
        for (int k = 0; k < 2; k++) {
            for (int back = 0; back < 2 && next[k] >= 0; back++) {
                tail[m] = back ? next[k] : v;
                head[m] = back ? v : next[k];
                weight[m++] = 1 + (7 * v + 3 * k + 5 * back) % 11 + extra;
            }
        }
    }
    CU_ASSERT_EQUAL_FATAL(apsp_graph_from_edges(&graph, N, m, tail, head, weight, NULL, NULL),
                          APSP_OK);
    return graph;
}

static apsp_index *index_of(const apsp_graph *graph) {
    apsp_index *index;
    CU_ASSERT_EQUAL_FATAL(apsp_index_build(&index, graph, 0, NULL, NULL), APSP_OK);
    return index;
}

/* All distances of the pairs, tables and paths are those of a solve; the file says what it is of.
 */
static void test_answers(void) {
    static int32_t from[N * 3], to[N * 3], pairs[N * 3], row[N], table[2 * N], path[N];
    apsp_graph *const graph = grid(0);
    apsp_index *const built = index_of(graph), *index;
    apsp_result *right;
    const char *const file = temporary_path();
    CU_ASSERT_EQUAL_FATAL(apsp_index_save(built, file, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_index_open(&index, file, NULL), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &right, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_index_vertices(index), N);
    CU_ASSERT_EQUAL(apsp_index_type(index), APSP_INT32);
    CU_ASSERT_EQUAL(apsp_index_checksum(index), apsp_graph_checksum(graph));
    const int opened = open(file, O_RDONLY);
    CU_ASSERT_EQUAL((uint64_t)lseek(opened, 0, SEEK_END), apsp_index_bytes(index));
    close(opened);
    for (int32_t k = 0; k < 3 * N; k++) {
        from[k] = (int32_t)((int64_t)k * k % N);
        to[k] = k % N;
    }
    CU_ASSERT_EQUAL(apsp_index_distances(index, from, to, 3 * N, pairs, 2, NULL), APSP_OK);
    int wrong = 0;
    for (int32_t k = 0; k < 3 * N; k++)
        wrong += pairs[k] != apsp_result_distance(right, from[k], to[k]) ||
                 apsp_index_distance(index, from[k], to[k]) != pairs[k];
    const int32_t sources[] = {N - 2, 3};
    CU_ASSERT_EQUAL(apsp_index_table(index, sources, 2, NULL, N, table, 1, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_index_table(index, NULL, N, sources, 1, row, 2, NULL), APSP_OK);
    for (int32_t v = 0; v < N; v++)
        wrong += table[v] != apsp_result_distance(right, N - 2, v) ||
                 table[N + v] != apsp_result_distance(right, 3, v) ||
                 row[v] != apsp_result_distance(right, v, N - 2);
    CU_ASSERT_EQUAL(wrong, 0);
    int32_t length, sum = 0;
    CU_ASSERT_EQUAL(apsp_index_path(index, 0, N - 2, path, &length, NULL), APSP_OK);
    CU_ASSERT_FATAL(length > 1);
    CU_ASSERT(path[0] == 0 && path[length - 1] == N - 2);
    for (int32_t k = 1; k < length; k++)
        sum += apsp_result_distance(right, path[k - 1], path[k]);
    CU_ASSERT_EQUAL(sum, apsp_result_distance(right, 0, N - 2));
    CU_ASSERT_EQUAL(apsp_index_path(index, 0, N - 1, path, &length, NULL), APSP_OK);
    CU_ASSERT_EQUAL(length, 0);
    apsp_index_close(built);
    apsp_index_close(index);
    apsp_result_free(right);
    apsp_graph_free(graph);
}

static void test_verify(void) {
    apsp_graph *const graph = grid(0), *const other = grid(1);
    apsp_index *const index = index_of(graph);
    apsp_error error;
    CU_ASSERT_EQUAL(apsp_index_verify(index, graph, 0, NULL, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_index_verify(index, graph, 9, NULL, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_index_verify(index, other, 9, NULL, &error), APSP_REFUTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "another graph"));
    CU_ASSERT_EQUAL(apsp_index_verify(index, graph, -1, NULL, &error), APSP_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "rows: "));
    apsp_index_close(index);
    apsp_graph_free(graph);
    apsp_graph_free(other);
}

/* Each vertex, count and number of threads that is out of range is named, and nothing is read. */
static void test_refusals(void) {
    static int32_t room[N];
    static const int32_t wrong[] = {-1, N, INT32_MIN, INT32_MAX};
    apsp_graph *const graph = grid(0);
    apsp_index *const index = index_of(graph), *none;
    apsp_error error;
    int32_t length;
#define REFUSED(call, name)                                                                        \
    do {                                                                                           \
        CU_ASSERT_EQUAL(call, APSP_BAD_INPUT);                                                     \
        CU_ASSERT_PTR_EQUAL(strstr(error.text, name), error.text);                                 \
    } while (0)
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const int32_t good[] = {1, 2}, bad[] = {1, wrong[k]};
        REFUSED(apsp_index_distances(index, bad, good, 2, room, 1, &error), "from[1]: ");
        REFUSED(apsp_index_distances(index, good, bad, 2, room, 1, &error), "to[1]: ");
        REFUSED(apsp_index_table(index, bad, 2, good, 2, room, 1, &error), "sources[1]: ");
        REFUSED(apsp_index_table(index, good, 2, bad, 2, room, 1, &error), "targets[1]: ");
        REFUSED(apsp_index_path(index, wrong[k], 0, room, &length, &error), "from: ");
        REFUSED(apsp_index_path(index, 0, wrong[k], room, &length, &error), "to: ");
        CU_ASSERT_EQUAL(length, 0);
    }
    const int32_t good[] = {1, 2};
    REFUSED(apsp_index_distances(index, good, good, -1, room, 1, &error), "count: ");
    REFUSED(apsp_index_distances(index, good, good, 2, room, -1, &error), "threads: ");
    REFUSED(apsp_index_table(index, NULL, 2, good, 2, room, 1, &error), "source_count: ");
    REFUSED(apsp_index_table(index, good, 2, NULL, N + 1, room, 1, &error), "target_count: ");
    REFUSED(apsp_index_table(index, good, 2, good, 2, room, -1, &error), "threads: ");
#undef REFUSED
    CU_ASSERT_EQUAL(apsp_index_open(&none, temporary_file("no index", 8), &error), APSP_BAD_INPUT);
    CU_ASSERT_PTR_NULL(none);
    CU_ASSERT_EQUAL(apsp_index_open(&none, NOWHERE, &error), APSP_BAD_INPUT);
    CU_ASSERT_EQUAL(apsp_index_save(index, NOWHERE "/x", &error), APSP_NO_RESOURCE);
    apsp_index_close(index);
    apsp_graph_free(graph);
}

/* Memory that the caller wants to hold counts beside the library's. */
static void test_memory_check(void) {
    const uint64_t limit = UINT64_C(64) << 20, matrices = 2 * sizeof(int32_t) * N * N;
    apsp_graph *const graph = grid(0);
    apsp_result *held;
    apsp_error error;
    setenv("APSP_MEMORY_LIMIT", "64M", 1);
    CU_ASSERT_EQUAL(apsp_memory_check(10, limit - matrices / 2, &error), APSP_OK);
    CU_ASSERT_EQUAL_FATAL(apsp_solve(graph, NULL, &held, NULL), APSP_OK);
    CU_ASSERT_EQUAL(apsp_memory_check(10, limit - 2 * matrices, &error), APSP_OK);
    CU_ASSERT_EQUAL(apsp_memory_check(10, limit - matrices / 2, &error), APSP_NO_RESOURCE);
    CU_ASSERT_EQUAL(apsp_memory_check(10, UINT64_MAX, &error), APSP_NO_RESOURCE);
    apsp_result_free(held);
    apsp_graph_free(graph);
    setenv("APSP_MEMORY_LIMIT", "much", 1);
    CU_ASSERT_EQUAL(apsp_memory_check(10, 1, &error), APSP_BAD_INPUT);
    unsetenv("APSP_MEMORY_LIMIT");
}

CU_TestInfo library_index_tests[] = {
    {"distances, tables and paths", test_answers},
    {"verify", test_verify},
    {"what is refused", test_refusals},
    {"memory of the caller", test_memory_check},
    CU_TEST_INFO_NULL,
};
