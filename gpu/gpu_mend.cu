// SPDX-License-Identifier: MIT
// Keeps predecessors from running round zero-weight cycles, in the rows of a block.
//
// A block of threads mends a row. Only vertices of components count, and all vertices of one have
// the same distance. A predecessor outside the component is right; the vertices that have one are
// its entries. If the solver has chosen none, some vertex has a tight edge from outside, which is
// looked for. The entry nearest to the root decides: all other vertices without a predecessor
// outside take their parents in the tree from the root, and then those on the path from the entry
// to the root each take the one before it (zero_cycles.h). No vertex on that path is an entry,
// because it would be nearer.
//
// The order of threads does not matter: an entry is a minimum, and each predecessor is written by
// one thread between two barriers.
#include "gpu/gpu_solver.h" // gpu_mend_predecessors

#include "common/graph/graph.h"  // INF
#include "gpu/launch/flags.cuh"  // lower
#include "gpu/launch/launch.cuh" // launch
#include "solve/zero_cycles.h"   // struct zero_member

namespace {

constexpr int threads = 256;
constexpr int flags = 64; // number of flags of a thread

// Number of components whose entries a block keeps in shared memory at a time.
#ifdef CUDA_SHIM
constexpr int32_t at_once = 2;
#else
constexpr int32_t at_once = 2048;
#endif

constexpr int32_t nowhere = INT32_MAX; // stands for an entry that is not known

struct Row {
    struct gpu_in_edges in;
    struct gpu_components components;
    const int32_t *dist;
    int32_t *pred;
    int32_t source, n;

    __device__ zero_member member(int32_t k) const {
        const int4 words = reinterpret_cast<const int4 *>(components.member)[k];
        return {words.x, words.y, words.z, words.w};
    }
    // Returns whether a vertex still waits for a predecessor: it is not the source and has none
    // outside its component.
    __device__ bool waits(const zero_member &v) const {
        const int32_t p = pred[v.vertex];
        return v.vertex != source && (p >= n || (p >= 0 && components.of[p] == v.component));
    }
    // Returns the smallest tail of a tight edge from outside the component; -1 if there is none.
    __device__ int32_t from_outside(const zero_member &v) const {
        const int32_t own = dist[v.vertex];
        int32_t best = INT32_MAX;
        for (int64_t e = in.first[v.vertex]; e < in.first[v.vertex + 1]; e++) {
            const int32_t u = in.tail[e];
            const int32_t from = dist[u], other = components.of[u]; // read at the same time
            if (from < INF && static_cast<int64_t>(from) + in.weight[e] == own &&
                other != v.component)
                best = min(best, u);
        }
        return best < INT32_MAX ? best : -1;
    }
};

// The members of a thread that still wait, as flags: one for each or, if there are many, for
// several.
struct WaitingMembers {
    int32_t low, high; // range of the block's members
    uint64_t flag;

    // Calls visit(k) for the thread's members that may wait; visit returns whether member k still
    // does.
    template <typename Visit>
    __device__ void for_each(Visit visit) {
        uint64_t left = 0;
        int number = 0;
        for (int32_t k = low + static_cast<int32_t>(threadIdx.x); k < high; k += threads) {
            if ((flag >> number & 1) != 0 && visit(k))
                left |= uint64_t(1) << number;
            number = number + 1 < flags ? number + 1 : 0;
        }
        flag = left;
    }
};

// Mends the vertices of components begin .. end - 1. entry: in shared memory, an entry for each
// component.
__device__ void mend_components(const Row &row, int32_t begin, int32_t end, int32_t *entry) {
    const int32_t own = static_cast<int32_t>(threadIdx.x);
    WaitingMembers waiting = {row.components.first[begin], row.components.first[end], UINT64_MAX};
    int32_t *const found = entry + at_once; // entries found by a search
    for (int32_t c = own; c < end - begin; c += threads)
        entry[c] = found[c] = nowhere;
    __syncthreads();
    int32_t before = -1; // component of the previous entry found, which is lower
    waiting.for_each([&](int32_t k) {
        const zero_member v = row.member(k);
        if (row.waits(v))
            return true;
        if (v.vertex == row.source)
            row.pred[v.vertex] = -1;
        if (v.component != before)
            lower(&entry[v.component - begin], k);
        before = v.component;
        return false;
    });
    __syncthreads();
    bool is_lost = false;
    for (int32_t c = own; c < end - begin; c += threads)
        is_lost |= entry[c] == nowhere;
    if (__syncthreads_or(is_lost)) {
        waiting.for_each([&](int32_t k) {
            const zero_member v = row.member(k);
            const int32_t u = entry[v.component - begin] == nowhere ? row.from_outside(v) : -1;
            if (u < 0)
                return true;
            row.pred[v.vertex] = u;
            lower(&found[v.component - begin], k);
            return false;
        });
        __syncthreads();
        for (int32_t c = own; c < end - begin; c += threads)
            entry[c] = min(entry[c], found[c]);
        __syncthreads();
    }
    waiting.for_each([&](int32_t k) {
        const zero_member v = row.member(k);
        // With wrong distances there may be no entry.
        if (row.waits(v))
            row.pred[v.vertex] = entry[v.component - begin] < nowhere ? v.parent : -1;
        return false;
    });
    __syncthreads();
    for (int32_t c = own; c < end - begin; c += threads) {
        if (entry[c] == nowhere)
            continue;
        zero_member v = row.member(entry[c]);
        while (v.next >= 0) {
            const zero_member to = row.member(v.next);
            row.pred[to.vertex] = v.vertex;
            v = to;
        }
    }
    __syncthreads();
}

__global__ void mend_rows(struct gpu_matrices m, struct gpu_components components) {
    DYNAMIC_SHARED(int32_t, entry);
    const int32_t r = static_cast<int32_t>(blockIdx.x);
    const size_t start = static_cast<size_t>(r) * m.ld;
    const Row row = {m.in,
                     components,
                     static_cast<const int32_t *>(m.cells) + start,
                     m.pred + start,
                     m.source != nullptr ? m.source[r] : r,
                     m.n};
    for (int32_t c = 0; c < components.count; c += at_once)
        mend_components(row, c, min(c + at_once, components.count), entry);
}

} // namespace

enum status gpu_mend_predecessors(const struct gpu_matrices *m,
                                  const struct gpu_components *components, struct error *err) {
    return launch(err, mend_rows, dim3(static_cast<unsigned>(m->rows)), dim3(threads),
                  2 * at_once * sizeof(int32_t), *m, *components);
}
