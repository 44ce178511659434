// SPDX-License-Identifier: MIT
// Keeps predecessors from running round edges that leave a length as it is, in the rows of a block:
// weights that vanish in a sum of real numbers, and nearly all edges of semirings whose lengths are
// weights.
//
// A block of threads mends a row. Any edge may be of this kind, so that every vertex counts. The
// solver has looked for tight edges from vertices that are nearer to the source; only edges between
// equal distances are left. Vertices without a predecessor wait until a tight edge leads from a
// settled vertex to them, one round after the other. In a round threads only read who is settled,
// and what they find counts from the next one on, so that the order of threads does not matter.
#include "gpu/gpu_solver.h" // gpu_mend_vanishing

#include "gpu/launch/launch.cuh" // launch

#include <type_traits>

namespace {

constexpr int threads = 256;
constexpr int flags = 64; // number of flags that a thread has for its vertices

// Values in place of a predecessor. waits: none is known; found - u: predecessor u, found in this
// round.
constexpr int32_t waits = -2, found = -3;

// Returns the length of a path of that length and one more edge.
template <typename Cell>
__device__ __forceinline__ Cell join(enum semiring semiring, Cell length, Cell weight) {
    switch (semiring) {
    case SEMIRING_MIN_MAX:
        return max(length, weight);
    case SEMIRING_MAX_MIN:
        return min(length, weight);
    case SEMIRING_MAX_PRODUCT:
        return length * weight;
    default:
        return length + weight;
    }
}

// A row of distances.
template <typename Cell>
struct CellRow {
    using cell = Cell;

    enum semiring semiring;
    struct gpu_in_edges in;
    const cell *dist;
    int32_t *pred;
    int32_t source, n;

    __device__ cell weight(int64_t e) const {
        if constexpr (std::is_same_v<cell, int32_t>)
            return in.weight[e];
        else
            return static_cast<cell>(in.real_weight[e]);
    }
    // Returns the smallest settled tail of a tight edge; `waits` if there is none.
    __device__ int32_t from_inside(int32_t v) const {
        const cell own = dist[v];
        for (int64_t e = in.first[v]; e < in.first[v + 1]; e++) { // tails ascend
            const int32_t u = in.tail[e];
            if (pred[u] >= -1 && join(semiring, dist[u], weight(e)) == own)
                return found - u;
        }
        return waits;
    }
    // Gives the vertex a predecessor if there is one; returns whether it still waits.
    __device__ bool settle(int32_t v) const {
        if (v == source)
            pred[v] = -1;
        else if (pred[v] >= n)
            pred[v] = waits;
        return pred[v] == waits;
    }
};

// The vertices of a thread that still wait, as flags: one for each or, if there are many, for
// several.
struct WaitingVertices {
    int32_t n;
    uint64_t flag;

    // Calls visit(v) for the thread's vertices that may wait; visit returns whether v still does.
    template <typename Visit>
    __device__ void for_each(Visit visit) {
        uint64_t left = 0;
        int number = 0;
        for (int32_t k = static_cast<int32_t>(threadIdx.x); k < n; k += threads) {
            if ((flag >> number & 1) != 0 && visit(k))
                left |= uint64_t(1) << number;
            number = number + 1 < flags ? number + 1 : 0;
        }
        flag = left;
    }
};

template <typename Row>
__global__ void mend_rows(struct gpu_matrices m) {
    const int32_t r = static_cast<int32_t>(blockIdx.x);
    const size_t start = static_cast<size_t>(r) * m.ld;
    const Row row = {m.semiring,
                     m.in,
                     static_cast<const typename Row::cell *>(m.cells) + start,
                     m.pred + start,
                     m.source != nullptr ? m.source[r] : r,
                     m.n};
    WaitingVertices waiting = {m.n, UINT64_MAX};
    waiting.for_each([&](int32_t v) { return row.settle(v); });
    while (__syncthreads_or(waiting.flag != 0)) {
        WaitingVertices finding = waiting;
        bool settles = false;
        finding.for_each([&](int32_t v) {
            if (row.pred[v] != waits)
                return false;
            row.pred[v] = row.from_inside(v);
            settles |= row.pred[v] != waits;
            return true;
        });
        // With wrong distances it may happen that no vertex settles.
        const bool goes_on = __syncthreads_or(settles);
        waiting.for_each([&](int32_t v) {
            int32_t *const p = row.pred + v;
            if (*p == waits && goes_on)
                return true;
            if (*p <= waits)
                *p = *p == waits ? -1 : found - *p;
            return false;
        });
        __syncthreads();
    }
}

} // namespace

enum status gpu_mend_vanishing(const struct gpu_matrices *m, struct error *err) {
    const auto kernel = m->type == NUMBER_INT32     ? mend_rows<CellRow<int32_t>>
                        : m->type == NUMBER_FLOAT32 ? mend_rows<CellRow<float>>
                                                    : mend_rows<CellRow<double>>;
    return launch(err, kernel, dim3(static_cast<unsigned>(m->rows)), dim3(threads), 0, *m);
}
