// SPDX-License-Identifier: MIT
// The look at distances before any is known (probe.cuh), predecessors of matrices larger than the
// other tests solve (predecessors.cuh), and the check for paths that were lost (reachability.cuh).
#include "cuda_blocked/parts/predecessors.cuh"
#include "cuda_blocked/parts/probe.cuh"
#include "cuda_blocked/parts/reachability.cuh"
extern "C" {
#include "engines/cpu_variants.h" // cpu_solver
#include "solve/solve.h"          // solve
#include "tests/unit/support.h"
}

#include <cstring>
#include <memory>
#include <vector>

namespace {

// A graph's edges as a solver has them on the device, which is this memory.
class Device {
  public:
    explicit Device(const struct graph &g) {
        struct error err;
        CU_ASSERT_EQUAL_FATAL(graph_reverse(&g, &in_, &err), STATUS_OK);
        m.n = g.n;
        m.order = (g.n + 127) / 128 * 128;
        m.ld = static_cast<size_t>(m.order);
        m.in = {in_.first, in_.head, {in_.weight}, g.m, static_cast<int32_t>(g.max_weight), 0};
    }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    ~Device() {
        graph_free(&in_);
    }
    // Memory for what `take` takes.
    template <typename Take>
    Arena arena(Take take) {
        Arena sizes;
        take(&sizes);
        memory_.assign(sizes.used() + 256, static_cast<char>(0xa5));
        void *aligned = memory_.data();
        size_t room = memory_.size();
        return Arena(std::align(256, sizes.used(), aligned, room));
    }

    struct gpu_matrices m = {};

  private:
    struct graph in_ = {};
    std::vector<char> memory_;
};

bool is_likely(const std::vector<struct edge> &edges, int32_t n, int32_t longest) {
    struct graph g = graph_of(n, edges.data(), static_cast<int64_t>(edges.size()));
    bool likely = false;
    {
        Device device(g);
        Arena arena = device.arena([&](Arena *sizes) { Probe::take(&device.m, sizes); });
        const Probe probe = Probe::take(&device.m, &arena);
        struct error err;
        CU_ASSERT_EQUAL(probe.is_likely(&device.m, longest, &likely, &err), STATUS_OK);
    }
    graph_free(&g);
    return likely;
}

// Every vertex has edges of this weight to `degree` others, half of them far away.
std::vector<struct edge> mesh(int32_t n, int32_t degree, int32_t weight) {
    std::vector<struct edge> edges;
    for (int32_t v = 0; v < n; v++) {
        for (int32_t k = 0; k < degree; k++) {
            const int64_t step = k % 2 == 0 ? k / 2 + 1 : int64_t{1} << k;
            edges.push_back({v, static_cast<int32_t>((v + step) % n), weight});
        }
    }
    return edges;
}

constexpr int32_t few = 500, many = 4100; // vertices: the many are looked at

// By degrees and weights alone: three times log(n) steps of a degree's share of the
// largest weight.
void test_estimate() {
    CU_ASSERT(is_likely({}, few, 1));
    CU_ASSERT(is_likely(mesh(few, 8, 100), few, 400));
    CU_ASSERT(!is_likely(mesh(few, 8, 100), few, 250));
    CU_ASSERT(!is_likely(mesh(few, 2, 100), few, 400));
    CU_ASSERT(!is_likely(mesh(few, 8, 300), few, 400));
}

// If there are many vertices, the distances from a few sources count.
void test_look() {
    const std::vector<struct edge> edges = mesh(many, 16, 1);
    CU_ASSERT(is_likely(edges, many, 26));
    // 24 vertices in a line at the end of an edge that is the ninth of its head: those
    // before it come from vertices that nothing leads to.
    constexpr int32_t tail = 24, dead = 8, n = many + dead + tail;
    std::vector<struct edge> lined = edges;
    for (int32_t v = 0; v < dead; v++)
        lined.push_back({many + v, many + dead, 1});
    for (int32_t v = 0; v < tail; v++)
        lined.push_back({v == 0 ? 3 : many + dead + v - 1, many + dead + v, 1});
    CU_ASSERT(!is_likely(lined, n, 26));
    CU_ASSERT(is_likely(lined, n, 60));
    // The same beyond what the estimate looks at: one edge is long.
    std::vector<struct edge> long_edge = edges;
    long_edge.push_back({5, many, 3});
    CU_ASSERT(is_likely(long_edge, many + 1, 26));
    // A line that only one of the four sources leads to, and nothing to that one.
    constexpr int32_t line = 40, source = (many + line) / 4;
    std::vector<struct edge> from_one;
    for (const struct edge &edge : edges) {
        if (edge.to != source)
            from_one.push_back(edge);
    }
    for (int32_t v = 0; v < line; v++)
        from_one.push_back({v == 0 ? source : many + v - 1, many + v, 1});
    CU_ASSERT(!is_likely(from_one, many + line, 26));
    CU_ASSERT(is_likely(from_one, many + line, 80));
}

// A ring is not known after any number of sweeps that is worth the while.
void test_deep() {
    std::vector<struct edge> ring;
    for (int32_t v = 0; v < many; v++)
        ring.push_back({v, (v + many - 1) % many, 1});
    CU_ASSERT(!is_likely(ring, many, 32766));
}

// Edges heavier than any distance lead nowhere.
void test_heavy() {
    std::vector<struct edge> edges = mesh(many, 16, 1);
    edges.push_back({0, many, INT32_MAX});
    CU_ASSERT(!is_likely(edges, many + 1, 26)); // by the estimate
}

// Distances by `cpu`, predecessors derived from them.
void check_derived(int32_t n, size_t staging) {
    const struct solver_options options = {};
    std::vector<struct edge> edges = mesh(n, 3, 7);
    for (int32_t v = 1; v < n; v += 2)
        edges.push_back({v, 0, 20 + v % 5}); // into vertex 0 more than a block looks at at once
    struct graph g = graph_of(n, edges.data(), static_cast<int64_t>(edges.size()));
    struct matrix dist = new_matrix(n), pred = new_matrix(n);
    struct timing timing;
    struct error err = {};
    CU_ASSERT_EQUAL_FATAL(solve(solver_find(&cpu_solver, "johnson"), &g, &options, &dist, nullptr,
                                nullptr, 1, &timing, &err),
                          STATUS_OK);
    {
        Device device(g);
        struct gpu_matrices &m = device.m;
        std::vector<int32_t> distances(m.ld * m.ld, INF), predecessors(m.ld * m.ld, 0x5a5a5a5a);
        for (int32_t i = 0; i < n; i++)
            memcpy(&distances[static_cast<size_t>(i) * m.ld], matrix_row(&dist, i),
                   sizeof(int32_t) * static_cast<size_t>(n));
        m.dist = distances.data();
        m.pred = predecessors.data();
        m.staging = staging;
        Arena arena = device.arena([&](Arena *sizes) { Derivation::take(&m, sizes); });
        CU_ASSERT_EQUAL(derive_predecessors(&m, &arena, &err), STATUS_OK);
        for (int32_t i = 0; i < n; i++)
            memcpy(matrix_row(&pred, i), &predecessors[static_cast<size_t>(i) * m.ld],
                   sizeof(int32_t) * static_cast<size_t>(n));
    }
    CU_ASSERT_EQUAL(certify(&g, &dist, &pred, 1, &err), STATUS_OK);
    graph_free(&g);
    matrix_free(&dist);
    matrix_free(&pred);
}

void test_derived() {
    constexpr size_t strip = 768 * 128 * sizeof(int32_t); // of 700 vertices
    check_derived(700, 6 * strip);
    check_derived(700, 4 * strip + 1); // some strips at a time, and the rest
    check_derived(700, 0);
#ifndef APSP_SANITIZED
    check_derived(2150, SIZE_MAX); // counts as large; the last columns are vertices' too
#endif
}

// A path that only one source misses is found, and none that is missing rightly, whatever share of
// the sources is examined together.
void test_lost_paths() {
    constexpr int32_t n = 70, last = n - 1;
    const struct edge edges[] = {{0, 1, 4}, {last, 2, 5}, {3, last, INT32_MAX}};
    struct graph g = graph_of(n, edges, 3);
    {
        Device device(g);
        struct gpu_matrices &m = device.m;
        std::vector<int32_t> distances(m.ld * m.ld, INF);
        for (int32_t v = 0; v < n; v++)
            distances[static_cast<size_t>(v) * m.ld + static_cast<size_t>(v)] = 0;
        int32_t *const first = &distances[1], *const second = &distances[last * m.ld + 2];
        m.dist = distances.data();
        for (const size_t words : {0, 1, 2, 3}) {
            m.staging = words * sizeof(uint32_t) * n;
            for (int lost = 0; lost < 4; lost++) {
                struct error err;
                bool exact = lost > 0;
                *first = lost % 2 != 0 ? INF : 4;
                *second = lost / 2 != 0 ? INF : 5;
                Arena arena = device.arena([&](Arena *sizes) { Reachability::take(&m, sizes); });
                const Reachability check = Reachability::take(&m, &arena);
                CU_ASSERT_EQUAL(check.clear(&err), STATUS_OK);
                *check.inf = 1;
                CU_ASSERT_EQUAL(check.check(&m, &exact, &err), STATUS_OK);
                CU_ASSERT_EQUAL(exact, lost == 0);
            }
        }
    }
    graph_free(&g);
}

} // namespace

CU_TestInfo probe_tests[] = {
    {"estimate of distances", test_estimate},
    {"distances from a few sources", test_look},
    {"a deep graph", test_deep},
    {"edges heavier than any distance", test_heavy},
    {"predecessors of many edges and vertices", test_derived},
    {"paths that were lost", test_lost_paths},
    CU_TEST_INFO_NULL,
};
