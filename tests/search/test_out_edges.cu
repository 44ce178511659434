// SPDX-License-Identifier: MIT
// The edges of a graph by their tails, which the GPU makes from those by their heads
// (out_edges.cuh): asked directly, in any order of threads and blocks.
#include "search/gpu/out_edges.cuh"
extern "C" {
#include "cuda_runtime_api.h" // the shim's controls
#include "tests/unit/support.h"
}

#include <algorithm>
#include <utility>
#include <vector>

namespace {

// From every vertex an edge to the first, which has more than a block looks at at once, and
// to some others.
struct graph fan(int32_t n) {
    struct random random = {17};
    std::vector<struct edge> edges;
    for (int32_t v = 0; v < n; v++) {
        edges.push_back({v, 0, random_in(&random, 1, 1 << 20)});
        for (int32_t k = v % 4; k > 0; k--)
            edges.push_back({v, random_in(&random, 0, n - 1), random_in(&random, 1, 9)});
    }
    return graph_of(n, edges.data(), static_cast<int64_t>(edges.size()));
}

// Heads and weights of the edges first .. end - 1, in order.
template <typename Head, typename Index>
std::vector<std::pair<int64_t, int32_t>> sorted(const Head *head, const int32_t *weight,
                                                Index first, Index end) {
    std::vector<std::pair<int64_t, int32_t>> edges;
    for (Index e = first; e < end; e++)
        edges.emplace_back(head[e], weight[e]);
    std::sort(edges.begin(), edges.end());
    return edges;
}

void check(const struct graph &g) {
    struct graph in = {};
    struct error err;
    CU_ASSERT_EQUAL_FATAL(graph_reverse(&g, &in, &err), STATUS_OK);
    struct gpu_matrices m = {};
    m.n = g.n;
    m.in = {in.first, in.head, {in.weight}, g.m, static_cast<int32_t>(g.max_weight), 0};
    Arena sizes;
    OutEdges::take(&m, &sizes);
    std::vector<char> memory(sizes.used(), static_cast<char>(0xa5));
    Arena arena(memory.data());
    const OutEdges out = OutEdges::take(&m, &arena);
    CU_ASSERT_EQUAL(out.fill(&m, &err), STATUS_OK);
    bool same = out.first[0] == 0;
    for (int32_t u = 0; u < g.n && same; u++)
        same = out.first[u + 1] == g.first[u + 1] &&
               sorted(out.head, out.weight, out.first[u], out.first[u + 1]) ==
                   sorted(g.head, g.weight, g.first[u], g.first[u + 1]);
    CU_ASSERT(same);
    graph_free(&in);
}

// Sizes around what a block adds up at once.
void test_edges() {
    for (const int32_t n : {1, 2, 33, 1023, 1024, 1025, 2100}) {
        struct graph g = fan(n);
        for (int order = CUDA_SHIM_ASCENDING; order <= CUDA_SHIM_SHUFFLED; order++) {
            cuda_shim_set_order(static_cast<enum cuda_shim_order>(order));
            check(g);
        }
        graph_free(&g);
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

} // namespace

CU_TestInfo out_edges_tests[] = {
    {"the same edges", test_edges},
    CU_TEST_INFO_NULL,
};
