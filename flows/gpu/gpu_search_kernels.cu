// SPDX-License-Identifier: MIT
#include "flows/gpu/gpu_search_kernels.h"

#include "gpu/launch/flags.cuh"  // set_bits
#include "gpu/launch/launch.cuh" // launch
#include "gpu/launch/warp.cuh"   // votes_of_warp, from_lane

namespace {

using Flows = search_flows;
using Set = source_set;

constexpr int sets = FLOW_SETS, sources = FLOW_SOURCES;
constexpr int threads = 256, warps = threads / warp_lanes;
constexpr int rows_at_once = 4; // number of rows that a warp loads at a time

__device__ __forceinline__ int lane_of_thread() {
    return static_cast<int>(threadIdx.x) % warp_lanes;
}

__device__ __forceinline__ int warp_of_thread() {
    return static_cast<int>(threadIdx.x) / warp_lanes;
}

__device__ __forceinline__ bool is_empty(const Set &set) {
    return (set.word[0] | set.word[1]) == 0;
}

// The code below counts on sets of two words.
static_assert(sets == 2, "a lane has two sources");

__device__ __forceinline__ Set common(const Set &a, const Set &b) {
    return {{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

__device__ __forceinline__ bool has(const Set &set, int half, int lane) {
    return (set.word[half] >> lane & 1) != 0;
}

// Returns the set of the first `count` sources, count >= 1.
__device__ __forceinline__ Set first_sources(int32_t count) {
    const uint32_t all = 0xffffffff;
    return {{count >= 32 ? all : (1u << count) - 1, count >= 64  ? all
                                                    : count > 32 ? (1u << (count - 32)) - 1
                                                                 : 0}};
}

// The group of sources that a block works for, and the block's number among the blocks of the
// group.
struct Group {
    Flows s; // pointers to the group's arrays
    int32_t block;
    int32_t first, count; // first source of the group, and number of its sources

    __device__ Group(const Flows &flows, int32_t from)
        : s(flows), block(static_cast<int32_t>(blockIdx.x) / flows.groups) {
        const int32_t group = static_cast<int32_t>(blockIdx.x) % s.groups;
        const size_t before = static_cast<size_t>(group), n = static_cast<size_t>(s.n);
        const size_t levels = static_cast<size_t>(s.levels);
        first = from + group * sources;
        count = s.sources - first < sources ? s.sources - first : sources;
        s.come += before * n;
        s.fresh += before * levels * n;
        s.any += before * (levels + 1);
        s.paths += before * n * sources;
        s.vertex += before * n;
        s.edge += s.edge != nullptr ? before * static_cast<size_t>(s.m) : 0;
    }
};

// The numbers of a lane's two sources.
struct Numbers {
    double of[sets];
};

// The work on a level: vertices at one end of edges read from the vertices at the other end.
struct FlowLevel {
    const Flows &s;
    const edge_lists &edges;
    const Set *const other; // sources that came to the vertices at the other ends, at their level;
                            // nullptr: none
    const int lane;

    __device__ FlowLevel(const Flows &flows, const edge_lists &lists, const Set *others)
        : s(flows), edges(lists), other(others), lane(lane_of_thread()) {
    }

    __device__ __forceinline__ double *row(int32_t v) const {
        return s.paths + static_cast<size_t>(v) * sources + static_cast<size_t>(lane);
    }

    // Returns the sum of the rows at the other ends of a vertex's edges, over those sources of
    // `own` that came to that end at its level. A warp takes 32 edges from `first` on, then 32
    // edges `apart` places later, and so on below `end`. It calls each(part, from, first) for every
    // rows_at_once edges that add something: part[k] is the row of edge first + from[k], and a
    // from[k] of -1 means no edge.
    template <typename Each>
    __device__ Numbers add_up(const Set &own, int64_t first, int64_t end, int64_t apart,
                              const Each &each) const {
        Numbers sum = {{0, 0}};
        if (other == nullptr)
            return sum;
        int32_t next = first + lane < end ? edges.end[first + lane] : -1;
        for (; first < end; first += apart) {
            const int32_t u = next;
            const Set shared = u >= 0 ? common(own, other[u]) : Set{{0, 0}};
            next = first + apart + lane < end ? edges.end[first + apart + lane] : -1;
            unsigned votes = votes_of_warp(!is_empty(shared));
            while (votes != 0) {
                int from[rows_at_once];
                Numbers part[rows_at_once];
#pragma unroll
                for (int k = 0; k < rows_at_once; k++) {
                    from[k] = votes != 0 ? lowest_bit(votes) : -1;
                    votes &= votes - 1;
                }
#pragma unroll
                for (int k = 0; k < rows_at_once; k++) {
                    const int it = from[k] < 0 ? 0 : from[k];
                    const Set set = {
                        {from_lane(shared.word[0], it), from_lane(shared.word[1], it)}};
                    const double *const paths = row(from_lane(u, it));
#pragma unroll
                    for (int half = 0; half < sets; half++)
                        part[k].of[half] =
                            from[k] >= 0 && has(set, half, lane) ? paths[half * warp_lanes] : 0;
                }
#pragma unroll
                for (int k = 0; k < rows_at_once; k++) {
                    for (int half = 0; half < sets; half++)
                        sum.of[half] += part[k].of[half];
                }
                each(part, from, first);
            }
        }
        return sum;
    }
};

// The vertex that a warp or a block takes, and its share of the vertex's edges. Each block with a
// number below `hubs` takes a hub.
struct VertexShare {
    int32_t v; // -1: no vertex
    bool is_hub;
    int64_t first, end, apart;

    __device__ VertexShare(int32_t n, const edge_lists &edges, int32_t block) {
        is_hub = block < edges.hubs;
        v = is_hub ? edges.hub[block] : (block - edges.hubs) * warps + warp_of_thread();
        if (v >= n) {
            v = -1;
            return;
        }
        first = edges.first[v];
        end = edges.first[v + 1];
        apart = is_hub ? threads : warp_lanes;
        if (!is_hub && end - first >= FLOW_HUB)
            v = -1;
        if (is_hub)
            first += warp_of_thread() * warp_lanes;
    }
};

// Adds up the numbers of the warps of a block, in the order of warps; the first warp gets the sum.
// All threads must call it.
__device__ Numbers sum_of_block(const Numbers &own, double *room) {
    for (int half = 0; half < sets; half++)
        room[half * threads + static_cast<int>(threadIdx.x)] = own.of[half];
    __syncthreads();
    Numbers sum = {{0, 0}};
    for (int warp = 0; warp < warps && warp_of_thread() == 0; warp++) {
        for (int half = 0; half < sets; half++)
            sum.of[half] += room[half * threads + warp * warp_lanes + lane_of_thread()];
    }
    return sum;
}

constexpr size_t shared_bytes = sets * threads * sizeof(double);

__global__ void __launch_bounds__(threads) forwards(Flows flows, int32_t level, int32_t from) {
    DYNAMIC_SHARED(double, shared);
    const Group group(flows, from);
    const Flows &s = group.s;
    if (s.any[level - 1] == 0)
        return;
    const VertexShare part(s.n, s.in, group.block);
    if (part.v < 0)
        return;
    const size_t at = static_cast<size_t>(part.v);
    const FlowLevel before(s, s.in,
                           s.fresh + static_cast<size_t>(level - 1) * static_cast<size_t>(s.n));
    const Set come = s.come[at], all = first_sources(group.count);
    const Set missing = {{all.word[0] & ~come.word[0], all.word[1] & ~come.word[1]}};
    Numbers paths = {{0, 0}};
    if (!is_empty(missing)) // equal for all threads that take the vertex
        paths = before.add_up(missing, part.first, part.end, part.apart,
                              [](const Numbers *, const int *, int64_t) {});
    if (part.is_hub)
        paths = sum_of_block(paths, shared);
    if (part.is_hub && warp_of_thread() > 0)
        return;
    const Set found = {{votes_of_warp(paths.of[0] > 0), votes_of_warp(paths.of[1] > 0)}};
    if (lane_of_thread() == 0)
        s.fresh[static_cast<size_t>(level) * static_cast<size_t>(s.n) + at] = found;
    if (is_empty(found))
        return;
    for (int half = 0; half < sets; half++) {
        if (paths.of[half] > 0)
            before.row(part.v)[half * warp_lanes] = paths.of[half];
        if (!(paths.of[half] < s.paths_most))
            s.any[s.levels] = 1;
    }
    if (lane_of_thread() == 0) {
        s.come[at] = {{come.word[0] | found.word[0], come.word[1] | found.word[1]}};
        s.any[level] = 1;
    }
}

// A vertex at the level at which sources come to it.
struct Shares {
    const Flows &s;
    const FlowLevel &level;
    const Set &own;
    int32_t v;
    Numbers paths, mass; // number of paths from each source, and mass of each source; 0 for sources
                         // not in `own`

    __device__ Shares(const Flows &flows, const FlowLevel &l, const Set &set, int32_t vertex,
                      int32_t first)
        : s(flows), level(l), own(set), v(vertex) {
        for (int half = 0; half < sets; half++) {
            const bool on = has(own, half, level.lane);
            paths.of[half] = on ? level.row(v)[half * warp_lanes] : 0;
            mass.of[half] = on ? s.from[first + half * warp_lanes + level.lane] : 0;
        }
    }

    // Returns the sum of what each path brings back over the edges, and adds the flow over each
    // edge to its sum.
    __device__ Numbers add_up(const VertexShare &part) const {
        if (s.edge == nullptr)
            return level.add_up(own, part.first, part.end, part.apart,
                                [](const Numbers *, const int *, int64_t) {});
        double *const sums = s.edge;
        const Numbers times = {{paths.of[0] * mass.of[0], paths.of[1] * mass.of[1]}};
        const int lane = level.lane;
        return level.add_up(own, part.first, part.end, part.apart,
                            [=](const Numbers *brought, const int *from, int64_t edge) {
                                double flow[rows_at_once];
                                int place = from[0];
#pragma unroll
                                for (int k = 0; k < rows_at_once; k++) {
                                    flow[k] = brought[k].of[0] * times.of[0] +
                                              brought[k].of[1] * times.of[1];
                                    place = lane == k ? from[k] : place;
                                }
                                const double sum = sums_of_four(flow, lane);
                                if (lane < rows_at_once && place >= 0)
                                    sums[edge + place] += sum;
                            });
    }

    // Stores what each of the vertex's paths brings back, and adds the flow through the vertex to
    // its sum.
    __device__ void note(const Numbers &brought, bool is_source) const {
        double sum = 0;
        for (int half = 0; half < sets; half++) {
            const double share = paths.of[half] * brought.of[half], to = s.to[v];
            if (!has(own, half, level.lane))
                continue;
            if (!is_source)
                level.row(v)[half * warp_lanes] = (to + share) / paths.of[half];
            sum += mass.of[half] * (s.endpoints && !is_source ? to + share : share);
        }
        if (is_source && !s.endpoints)
            return;
        sum = sum_of_warp(sum);
        if (level.lane == 0)
            s.vertex[v] += sum;
    }
};

__global__ void __launch_bounds__(threads)
    backwards(Flows flows, int32_t number, int32_t from, bool is_last) {
    DYNAMIC_SHARED(double, shared);
    const Group group(flows, from);
    const Flows &s = group.s;
    if (s.any[number] == 0)
        return;
    const VertexShare part(s.n, s.out, group.block);
    if (part.v < 0)
        return;
    const size_t n = static_cast<size_t>(s.n), plane = static_cast<size_t>(number) * n;
    const Set own = s.fresh[plane + static_cast<size_t>(part.v)];
    if (is_empty(own)) // equal for all threads that take the vertex
        return;
    const bool is_deepest = is_last || s.any[number + 1] == 0;
    const FlowLevel behind(s, s.out, is_deepest ? nullptr : s.fresh + plane + n);
    const Shares shares(s, behind, own, part.v, group.first);
    Numbers brought = shares.add_up(part);
    if (part.is_hub)
        brought = sum_of_block(brought, shared); // after it no warp reads the vertex's row
    if (!part.is_hub || warp_of_thread() == 0)
        shares.note(brought, number == 0);
}

// A warp works for each group.
__global__ void start(Flows flows, int32_t from) {
    const Group group(flows, from);
    const Flows &s = group.s;
    const int32_t lane = lane_of_thread();
    for (int32_t k = lane; k < group.count; k += warp_lanes) {
        const size_t at = static_cast<size_t>(s.source[group.first + k]);
        set_bits(&s.come[at].word[k / warp_lanes], 1u << lane);
        set_bits(&s.fresh[at].word[k / warp_lanes], 1u << lane);
        s.paths[at * sources + static_cast<size_t>(k)] = 1;
    }
    if (lane == 0)
        s.any[0] = group.count > 0;
}

// Each thread adds up one sum over all groups.
__global__ void __launch_bounds__(threads) join(double *sums, size_t count, int32_t groups) {
    const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
    if (at >= count)
        return;
    double sum = sums[at];
    for (int32_t group = 1; group < groups; group++)
        sum += sums[static_cast<size_t>(group) * count + at];
    sums[at] = sum;
}

enum status join_sums(const Flows &s, double *sums, size_t count, struct error *err) {
    return launch(err, join, dim3(static_cast<unsigned>((count + threads - 1) / threads)),
                  dim3(threads), 0, sums, count, s.groups);
}

dim3 blocks_for(const Flows &s, const edge_lists &edges) {
    const unsigned each = static_cast<unsigned>(edges.hubs) + tiles_covering(s.n, warps);
    return dim3(static_cast<unsigned>(s.groups) * each);
}

enum status clear(void *memory, size_t bytes, struct error *err) {
    return gpu_check(cudaMemsetAsync(memory, 0, bytes, nullptr), "forgetting a batch", err);
}

} // namespace

extern "C" {

enum status search_flows_begin(const struct search_flows *s, int32_t first, struct error *err) {
    const size_t n = static_cast<size_t>(s->n), groups = static_cast<size_t>(s->groups);
    const size_t levels = static_cast<size_t>(s->levels);
    RETURN_ON_FAILURE(clear(s->any, groups * (levels + 1) * sizeof *s->any, err));
    RETURN_ON_FAILURE(clear(s->come, groups * n * sizeof *s->come, err));
    for (size_t group = 0; group < groups; group++)
        RETURN_ON_FAILURE(clear(s->fresh + group * levels * n, n * sizeof *s->fresh, err));
    return launch(err, start, dim3(static_cast<unsigned>(groups)), dim3(warp_lanes), 0, *s, first);
}

enum status search_flows_forwards(const struct search_flows *s, int32_t level, int32_t first,
                                  struct error *err) {
    return launch(err, forwards, blocks_for(*s, s->in), dim3(threads), shared_bytes, *s, level,
                  first);
}

enum status search_flows_backwards(const struct search_flows *s, int32_t level, int32_t first,
                                   bool is_last, struct error *err) {
    return launch(err, backwards, blocks_for(*s, s->out), dim3(threads), shared_bytes, *s, level,
                  first, is_last);
}

enum status search_flows_join(const struct search_flows *s, struct error *err) {
    RETURN_ON_FAILURE(join_sums(*s, s->vertex, static_cast<size_t>(s->n), err));
    return s->edge != nullptr ? join_sums(*s, s->edge, static_cast<size_t>(s->m), err) : STATUS_OK;
}

} // extern "C"
