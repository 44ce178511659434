// SPDX-License-Identifier: MIT
#include "flows/gpu/gpu_search_kernels.h"

#include "common/graph/graph.h"  // INF
#include "gpu/launch/flags.cuh"  // set_bits
#include "gpu/launch/launch.cuh" // launch
#include "gpu/launch/warp.cuh"   // votes_of_warp, from_lane

#include <math.h>

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

__device__ __forceinline__ Set united(const Set &a, const Set &b) {
    return {{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}

// Returns the sources of a that are not in b.
__device__ __forceinline__ Set without(const Set &a, const Set &b) {
    return {{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}};
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

// The group of sources that a block works for, with its number, and the block's number among the
// blocks of the group.
struct Group {
    Flows s; // pointers to the group's arrays
    int32_t number, block;
    int32_t first, count; // first source of the group, and number of its sources

    __device__ Group(const Flows &flows, int32_t from)
        : s(flows), number(static_cast<int32_t>(blockIdx.x) % flows.groups),
          block(static_cast<int32_t>(blockIdx.x) / flows.groups) {
        const size_t before = static_cast<size_t>(number), n = static_cast<size_t>(s.n);
        const size_t levels = static_cast<size_t>(s.levels), m = static_cast<size_t>(s.m);
        first = from + number * sources;
        count = s.sources - first < sources ? s.sources - first : sources;
        s.come += before * n;
        s.at_level += before * levels * n;
        s.any += before * (levels + 1);
        s.paths += before * n * sources;
        s.vertex += before * n;
        s.edge += s.edge != nullptr ? before * m : 0;
        s.ends += s.ends != nullptr ? 2 * before * n : 0;
        if (s.lengths.dist == nullptr)
            return;
        s.lengths.sunk += 2 * before * n;
        s.lengths.tight_in += before * m;
        s.lengths.tight_out += before * m;
        s.lengths.any += before * (levels + 1);
    }

    // Returns the group's part of an array that has `each` entries for each vertex.
    template <typename Length>
    __device__ Length *part_of(void *all, int each) const {
        return static_cast<Length *>(all) +
               static_cast<size_t>(number) * static_cast<size_t>(s.n) * static_cast<size_t>(each);
    }
};

// The numbers of a lane's two sources.
struct Numbers {
    double of[sets];
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

// Up to rows_at_once edges of a vertex. Edge k has the index first + from[k], ends at vertex[k] and
// counts for the sources in set[k]. from[k] -1: there is no edge k, and set[k] is empty.
struct Edges {
    int64_t first;
    int from[rows_at_once];
    int32_t vertex[rows_at_once];
    Set set[rows_at_once];
};

// Visits the edges of a share. A warp takes 32 edges from part.first on, then 32 edges part.apart
// places later, and so on below part.end. ends: vertex at the other end of each edge. set_of(edge,
// vertex) returns the sources for which an edge to that vertex counts. visit(edges) gets the edges
// that count for at least one source, rows_at_once at a time.
template <typename SetOf, typename Visit>
__device__ __forceinline__ void visit_edges(const int32_t *ends, const VertexShare &part,
                                            const SetOf &set_of, const Visit &visit) {
    const int lane = lane_of_thread();
    const int64_t end = part.end, apart = part.apart;
    int64_t first = part.first;
    int32_t next = first + lane < end ? ends[first + lane] : -1;
    for (; first < end; first += apart) {
        const int32_t u = next;
        const Set counts = u >= 0 ? set_of(first + lane, u) : Set{{0, 0}};
        next = first + apart + lane < end ? ends[first + apart + lane] : -1;
        unsigned votes = votes_of_warp(!is_empty(counts));
        while (votes != 0) {
            Edges edges;
            edges.first = first;
#pragma unroll
            for (int k = 0; k < rows_at_once; k++) {
                edges.from[k] = votes != 0 ? lowest_bit(votes) : -1;
                votes &= votes - 1;
            }
#pragma unroll
            for (int k = 0; k < rows_at_once; k++) {
                const bool is_edge = edges.from[k] >= 0;
                const int it = is_edge ? edges.from[k] : 0;
                const Set set = {{from_lane(counts.word[0], it), from_lane(counts.word[1], it)}};
                edges.vertex[k] = from_lane(u, it);
                edges.set[k] = is_edge ? set : Set{{0, 0}};
            }
            visit(edges);
        }
    }
}

// The work on a level: vertices at one end of edges read from the vertices at the other end.
template <bool weighted>
struct FlowLevel {
    const Flows &s;
    const edge_lists &lists;
    // Sources for which an edge counts: by edge in a graph with weights, by the vertex at the other
    // end in a graph without; nullptr: no edge counts.
    const Set *const counted;
    const int lane;

    __device__ FlowLevel(const Flows &flows, const edge_lists &edges, const Set *counts)
        : s(flows), lists(edges), counted(counts), lane(lane_of_thread()) {
    }

    __device__ __forceinline__ double *row(int32_t v) const {
        return s.paths + static_cast<size_t>(v) * sources + static_cast<size_t>(lane);
    }

    // Returns for each source in `own` the sum of the numbers in the rows of the vertex's
    // neighbours, over the edges that count for the source. Calls each(brought, edges) for up to
    // rows_at_once edges at a time; brought[k] has the numbers that edge k adds.
    template <typename Each>
    __device__ Numbers add_up(const Set &own, const VertexShare &part, const Each &each) const {
        Numbers sum = {{0, 0}};
        if (counted == nullptr)
            return sum;
        visit_edges(
            lists.end, part,
            [&](int64_t edge, int32_t u) { return common(own, counted[weighted ? edge : u]); },
            [&](const Edges &edges) {
                Numbers brought[rows_at_once];
#pragma unroll
                for (int k = 0; k < rows_at_once; k++) {
                    const double *const paths = row(edges.vertex[k]);
#pragma unroll
                    for (int half = 0; half < sets; half++)
                        brought[k].of[half] =
                            has(edges.set[k], half, lane) ? paths[half * warp_lanes] : 0;
                }
#pragma unroll
                for (int k = 0; k < rows_at_once; k++) {
                    for (int half = 0; half < sets; half++)
                        sum.of[half] += brought[k].of[half];
                }
                each(brought, edges);
            });
        return sum;
    }
};

// Returns to the first warp of a block the sums of the numbers of all its warps, added in the order
// of warps; other warps get 0. All threads of the block must call it.
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

// Returns the union of the sets of a warp's lanes.
__device__ __forceinline__ Set union_of_warp(const Set &own) {
    return {{bits_of_warp(own.word[0]), bits_of_warp(own.word[1])}};
}

// Returns the union of the sets of a block's warps. All threads of the block must call it.
__device__ Set union_of_block(const Set &own, double *room) {
    Set *const all = reinterpret_cast<Set *>(room);
    if (lane_of_thread() == 0)
        all[warp_of_thread()] = own;
    __syncthreads();
    Set set = {{0, 0}};
    for (int warp = 0; warp < warps; warp++)
        set = united(set, all[warp]);
    __syncthreads(); // the room is free again
    return set;
}

// Returns the sources in `missing` whose numbers of paths are known at the tails of all their tight
// edges into a vertex. come: by vertex, sources whose numbers of paths are known there.
__device__ Set ready_sources(const Flows &s, const VertexShare &part, const Set &missing,
                             const Set *come, double *room) {
    Set waiting = {{0, 0}};
    for (int64_t e = part.first + lane_of_thread(); e < part.end; e += part.apart) {
        const Set tight = common(missing, s.lengths.tight_in[e]);
        if (!is_empty(tight))
            waiting = united(waiting, without(tight, come[s.in.end[e]]));
    }
    waiting = union_of_warp(waiting);
    return without(missing, part.is_hub ? union_of_block(waiting, room) : waiting);
}

// Sets the flag of refusal if the mass of target v, decayed over a distance, is below s.to_least.
__device__ void check_mass(const Flows &s, int32_t v, double distance) {
    if (s.rate > 0 && s.to[v] > 0 && s.to[v] * exp(-s.rate * distance) < s.to_least)
        s.any[s.levels] = 1;
}

template <bool weighted>
__global__ void __launch_bounds__(threads) forwards(Flows flows, int32_t level, int32_t from) {
    DYNAMIC_SHARED(double, shared);
    const Group group(flows, from);
    const Flows &s = group.s;
    if (s.any[level - 1] == 0)
        return;
    const VertexShare part(s.n, s.in, group.block);
    if (part.v < 0)
        return;
    const size_t at = static_cast<size_t>(part.v), n = static_cast<size_t>(s.n);
    const Set *const before = s.at_level + static_cast<size_t>(level - 1) * n;
    const FlowLevel<weighted> work(s, s.in, weighted ? s.lengths.tight_in : before);
    const Set come = weighted ? before[at] : s.come[at];
    const Set missing = without(weighted ? s.come[at] : first_sources(group.count), come);
    Numbers paths = {{0, 0}};
    if (!is_empty(missing)) { // equal for all threads that take the vertex
        const Set next = weighted ? ready_sources(s, part, missing, before, shared) : missing;
        if (!is_empty(next))
            paths = work.add_up(next, part, [](const Numbers *, const Edges &) {});
    }
    if (part.is_hub)
        paths = sum_of_block(paths, shared);
    if (part.is_hub && warp_of_thread() > 0)
        return;
    const Set found = {{votes_of_warp(paths.of[0] > 0), votes_of_warp(paths.of[1] > 0)}};
    if (lane_of_thread() == 0)
        s.at_level[static_cast<size_t>(level) * n + at] = weighted ? united(come, found) : found;
    if (is_empty(found))
        return;
    for (int half = 0; half < sets; half++) {
        if (paths.of[half] > 0)
            work.row(part.v)[half * warp_lanes] = paths.of[half];
        if (!(paths.of[half] < s.paths_most))
            s.any[s.levels] = 1;
    }
    if (lane_of_thread() == 0) {
        if (!weighted) {
            s.come[at] = united(come, found);
            check_mass(s, part.v, level);
        }
        s.any[level] = 1;
    }
}

// The work backwards on vertex v for the sources that come to it at one level.
template <bool weighted>
struct Shares {
    const Group &group;
    const Flows &s;
    const FlowLevel<weighted> &level;
    const Set &own;
    int32_t v;
    Numbers paths, mass; // number of paths from each source, and mass of each source; 0 for sources
                         // not in `own`

    __device__ Shares(const Group &g, const FlowLevel<weighted> &l, const Set &set, int32_t vertex)
        : group(g), s(g.s), level(l), own(set), v(vertex) {
        for (int half = 0; half < sets; half++) {
            const bool on = has(own, half, level.lane);
            paths.of[half] = on ? level.row(v)[half * warp_lanes] : 0;
            mass.of[half] = on ? s.from[group.first + half * warp_lanes + level.lane] : 0;
        }
    }

    // Returns the sum of what each path brings back over the edges, and adds the flow over each
    // edge to its sum.
    __device__ Numbers add_up(const VertexShare &part) const {
        if (s.edge == nullptr)
            return level.add_up(own, part, [](const Numbers *, const Edges &) {});
        double *const sums = s.edge;
        const Numbers times = {{paths.of[0] * mass.of[0], paths.of[1] * mass.of[1]}};
        const int lane = level.lane;
        return level.add_up(own, part, [=](const Numbers *brought, const Edges &edges) {
            double flow[rows_at_once];
            int place = edges.from[0];
#pragma unroll
            for (int k = 0; k < rows_at_once; k++) {
                flow[k] = brought[k].of[0] * times.of[0] + brought[k].of[1] * times.of[1];
                place = lane == k ? edges.from[k] : place;
            }
            const double sum = sums_of_four(flow, lane);
            if (lane < rows_at_once && place >= 0)
                sums[edges.first + place] += sum;
        });
    }

    // Returns the vertex's distance from one of the lane's sources.
    __device__ double distance(int half, int32_t number) const {
        const size_t at =
            static_cast<size_t>(v) * sources + static_cast<size_t>(half * warp_lanes + level.lane);
        return !weighted                     ? number
               : s.lengths.weight != nullptr ? group.part_of<int32_t>(s.lengths.dist, sources)[at]
                                             : group.part_of<double>(s.lengths.dist, sources)[at];
    }

    // Stores what each of the vertex's paths brings back. Adds the flow through the vertex to its
    // sum in s.vertex, and the flow that ends or begins there to its sums in s.ends. number: the
    // level.
    __device__ void note(const Numbers &brought, int32_t number) const {
        const bool is_source = number == 0;
        double through = 0, ends = 0, begins = 0;
        for (int half = 0; half < sets; half++) {
            const double share = paths.of[half] * brought.of[half];
            if (!has(own, half, level.lane))
                continue;
            const double to =
                s.rate > 0 ? s.to[v] * exp(-s.rate * distance(half, number)) : s.to[v];
            if (!is_source)
                level.row(v)[half * warp_lanes] = (to + share) / paths.of[half];
            through += mass.of[half] * (s.endpoints && !is_source ? to + share : share);
            ends += mass.of[half] * to;
            begins += mass.of[half] * share;
        }
        if (!is_source || s.endpoints) {
            through = sum_of_warp(through);
            if (level.lane == 0)
                s.vertex[v] += through;
        }
        if (s.ends != nullptr) {
            const double sum = sum_of_warp(is_source ? begins : ends);
            if (level.lane == 0)
                s.ends[is_source ? s.n + v : v] += sum;
        }
    }
};

template <bool weighted>
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
    const Set *const come = s.at_level + plane + static_cast<size_t>(part.v);
    const Set own = weighted && number > 0 ? without(*come, *(come - n)) : *come;
    if (is_empty(own)) // equal for all threads that take the vertex
        return;
    const bool is_deepest = is_last || s.any[number + 1] == 0;
    const FlowLevel<weighted> behind(s, s.out,
                                     is_deepest ? nullptr
                                     : weighted ? s.lengths.tight_out
                                                : s.at_level + plane + n);
    const Shares<weighted> shares(group, behind, own, part.v);
    Numbers brought = shares.add_up(part);
    if (part.is_hub)
        brought = sum_of_block(brought, shared); // after it no warp reads the vertex's row
    if (!part.is_hub || warp_of_thread() == 0)
        shares.note(brought, number);
}

// Distances ---------------------------------------------------------------------------------------

template <typename Length>
struct Lengths;

template <>
struct Lengths<int32_t> {
    static constexpr int32_t no_path = INF;

    static __device__ __forceinline__ const int32_t *weights(const Flows &s) {
        return s.lengths.weight;
    }
};

template <>
struct Lengths<double> {
    static constexpr double no_path = __builtin_inf();

    static __device__ __forceinline__ const double *weights(const Flows &s) {
        return s.lengths.real_weight;
    }
};

template <typename Length>
__device__ __forceinline__ Length lesser(Length a, Length b) {
    return b < a ? b : a;
}

template <typename Length>
__device__ __forceinline__ Length larger(Length a, Length b) {
    return a < b ? b : a;
}

// least_of_warp returns the least value of a warp's lanes, most_of_warp the largest one.
template <typename Length>
__device__ __forceinline__ Length least_of_warp(Length value) {
    for (int bits = 1; bits < warp_lanes; bits *= 2)
        value = lesser(value, from_across(value, bits));
    return value;
}

template <typename Length>
__device__ __forceinline__ Length most_of_warp(Length value) {
    for (int bits = 1; bits < warp_lanes; bits *= 2)
        value = larger(value, from_across(value, bits));
    return value;
}

// The labels of a lane's two sources.
template <typename Length>
struct TwoLabels {
    Length of[sets];

    __device__ __forceinline__ void lower(const TwoLabels &other) {
        for (int half = 0; half < sets; half++)
            of[half] = lesser(of[half], other.of[half]);
    }

    // Returns the set of the warp's sources that have a path.
    __device__ __forceinline__ Set reached() const {
        return {{votes_of_warp(of[0] < Lengths<Length>::no_path),
                 votes_of_warp(of[1] < Lengths<Length>::no_path)}};
    }
};

// Sets the labels of a block's first warp to the least labels of all its warps. All threads of the
// block must call it.
template <typename Length>
__device__ void lower_to_block(TwoLabels<Length> *own, double *room) {
    TwoLabels<Length> *const all = reinterpret_cast<TwoLabels<Length> *>(room);
    all[threadIdx.x] = *own;
    __syncthreads();
    for (int warp = 1; warp < warps && warp_of_thread() == 0; warp++)
        own->lower(all[warp * warp_lanes + lane_of_thread()]);
}

static_assert(sizeof(TwoLabels<double>) * threads <= shared_bytes, "labels need no more room");

// A vertex whose labels a warp corrects.
template <typename Length>
struct Labelled {
    static constexpr Length no_path = Lengths<Length>::no_path;
    const Group &group;
    int32_t v;
    const int lane;
    Length *const labels; // labels of vertex 0 for the lane's sources

    __device__ Labelled(const Group &g, int32_t vertex)
        : group(g), v(vertex), lane(lane_of_thread()),
          labels(g.part_of<Length>(g.s.lengths.dist, sources) + lane_of_thread()) {
    }

    __device__ __forceinline__ Length *row(int32_t u) const {
        return labels + static_cast<size_t>(u) * sources;
    }

    // Stores for each of the edges, which lead into the vertex, the labels of its tail plus its
    // weight.
    __device__ __forceinline__ void follow(const Edges &edges,
                                           TwoLabels<Length> (&sums)[rows_at_once]) const {
        const Length *const weight = Lengths<Length>::weights(group.s) + edges.first;
#pragma unroll
        for (int k = 0; k < rows_at_once; k++) {
            const Length length = weight[edges.from[k] < 0 ? 0 : edges.from[k]];
            const Length *const from = row(edges.vertex[k]);
#pragma unroll
            for (int half = 0; half < sets; half++)
                sums[k].of[half] =
                    has(edges.set[k], half, lane) ? from[half * warp_lanes] + length : no_path;
        }
    }

    // Returns for each source the least sum of an edge's weight and the label of its tail, over the
    // edges into the vertex whose tails' labels sank in the round before.
    __device__ TwoLabels<Length> pull(const VertexShare &part, const Set *sank,
                                      const Length *least) const {
        const Length *const weight = Lengths<Length>::weights(group.s);
        const Length most = group.part_of<Length>(group.s.lengths.most, 1)[v];
        TwoLabels<Length> lowest = {{no_path, no_path}};
        visit_edges(
            group.s.in.end, part,
            [=](int64_t edge, int32_t u) {
                const Set set = sank[u];
                return !is_empty(set) && least[u] + weight[edge] < most ? set : Set{{0, 0}};
            },
            [&](const Edges &edges) {
                TwoLabels<Length> sums[rows_at_once];
                follow(edges, sums);
#pragma unroll
                for (int k = 0; k < rows_at_once; k++)
                    lowest.lower(sums[k]);
            });
        return lowest;
    }

    // Lowers the vertex's labels to the sums where these are less. Returns the sources whose labels
    // sank. If there are any, sets *least to the least of their labels.
    __device__ Set lower(const TwoLabels<Length> &sums, Length *least) const {
        Length *const own = row(v);
        Length sunk = no_path, most = 0;
        Set sinks;
        for (int half = 0; half < sets; half++) {
            const Length before = own[half * warp_lanes];
            const bool is_less = sums.of[half] < before;
            sinks.word[half] = votes_of_warp(is_less);
            if (is_less) {
                own[half * warp_lanes] = sums.of[half];
                sunk = lesser(sunk, sums.of[half]);
            }
            if (half * warp_lanes + lane < group.count)
                most = larger(most, lesser(before, sums.of[half]));
        }
        if (is_empty(sinks))
            return sinks;
        sunk = least_of_warp(sunk);
        most = most_of_warp(most);
        if (lane == 0) {
            *least = sunk;
            group.part_of<Length>(group.s.lengths.most, 1)[v] = most;
        }
        return sinks;
    }
};

// Does a round of label correcting. A warp may read a label while another one lowers it. Either
// value is the length of a path, and a vertex that has read the older one pulls again in the next
// round.
template <typename Length>
__global__ void __launch_bounds__(threads) correct(Flows flows, int32_t round, int32_t from) {
    DYNAMIC_SHARED(double, shared);
    const Group group(flows, from);
    const Flows &s = group.s;
    if (s.lengths.any[round - 1] == 0)
        return;
    const VertexShare part(s.n, s.in, group.block);
    if (part.v < 0)
        return;
    const size_t n = static_cast<size_t>(s.n), at = static_cast<size_t>(part.v);
    const size_t now = round % 2 == 0 ? 0 : n, before = n - now;
    Length *const least = group.part_of<Length>(s.lengths.least, 2);
    const Labelled<Length> vertex(group, part.v);
    TwoLabels<Length> sums = vertex.pull(part, s.lengths.sunk + before, least + before);
    if (part.is_hub)
        lower_to_block(&sums, shared);
    if (part.is_hub && warp_of_thread() > 0)
        return;
    Set sinks = sums.reached();
    if (!is_empty(sinks))
        sinks = vertex.lower(sums, least + now + at);
    if (vertex.lane > 0)
        return;
    s.lengths.sunk[now + at] = sinks;
    if (!is_empty(sinks))
        s.lengths.any[round] = 1;
}

// Finds the sources that come to each vertex, and the least and the largest distance.
template <typename Length>
__global__ void __launch_bounds__(threads) find_bounds(Flows flows, int32_t from) {
    const Group group(flows, from);
    const Flows &s = group.s;
    const int32_t v = group.block * warps + warp_of_thread();
    if (v >= s.n)
        return;
    const Labelled<Length> vertex(group, v);
    const TwoLabels<Length> own = {{vertex.row(v)[0], vertex.row(v)[warp_lanes]}};
    const Set come = own.reached();
    Length most = 0;
    for (int half = 0; half < sets; half++)
        most = own.of[half] < Lengths<Length>::no_path ? larger(most, own.of[half]) : most;
    const Length least = least_of_warp(lesser(own.of[0], own.of[1]));
    most = most_of_warp(most);
    if (vertex.lane > 0)
        return;
    s.come[v] = come;
    check_mass(s, v, static_cast<double>(most));
    group.part_of<Length>(s.lengths.least, 2)[v] = least;
    group.part_of<Length>(s.lengths.most, 1)[v] = most;
}

// Finds the sources for which each edge is tight.
template <typename Length>
__global__ void __launch_bounds__(threads) find_tight(Flows flows, int32_t from) {
    const Group group(flows, from);
    const Flows &s = group.s;
    const VertexShare part(s.n, s.in, group.block);
    if (part.v < 0)
        return;
    const Labelled<Length> vertex(group, part.v);
    const Length *const weight = Lengths<Length>::weights(s);
    const Length *const least = group.part_of<Length>(s.lengths.least, 2);
    const Length most = group.part_of<Length>(s.lengths.most, 1)[part.v];
    const TwoLabels<Length> to = {{vertex.row(part.v)[0], vertex.row(part.v)[warp_lanes]}};
    const Set come = s.come[part.v], none = {{0, 0}};
    const auto note = [&](int64_t edge, const Set &tight) {
        s.lengths.tight_in[edge] = tight;
        s.lengths.tight_out[s.lengths.place[edge]] = tight;
    };
    visit_edges(
        s.in.end, part,
        [&](int64_t edge, int32_t u) {
            const bool may_be = !is_empty(come) && least[u] + weight[edge] <= most;
            if (!may_be)
                note(edge, none);
            return may_be ? come : none;
        },
        [&](const Edges &edges) {
            TwoLabels<Length> sums[rows_at_once];
            vertex.follow(edges, sums);
            Set tight = none;
            int place = -1;
#pragma unroll
            for (int k = 0; k < rows_at_once; k++) {
                const Set equal = {{votes_of_warp(sums[k].of[0] == to.of[0]),
                                    votes_of_warp(sums[k].of[1] == to.of[1])}};
                tight = vertex.lane == k ? common(equal, come) : tight;
                place = vertex.lane == k ? edges.from[k] : place;
            }
            if (place >= 0)
                note(edges.first + place, tight);
        });
}

template <typename Length>
__global__ void __launch_bounds__(threads) forget_labels(Length *labels, size_t count) {
    const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
    if (at < count)
        labels[at] = Lengths<Length>::no_path;
}

// A warp works for each group.
template <typename Length>
__global__ void start_labels(Flows flows, int32_t from) {
    const Group group(flows, from);
    const Flows &s = group.s;
    const int32_t lane = lane_of_thread();
    for (int32_t k = lane; k < group.count; k += warp_lanes) {
        const size_t at = static_cast<size_t>(s.source[group.first + k]);
        set_bits(&s.lengths.sunk[at].word[k / warp_lanes], 1u << lane);
        group.part_of<Length>(s.lengths.dist, sources)[at * sources + static_cast<size_t>(k)] = 0;
        group.part_of<Length>(s.lengths.least, 2)[at] = 0;
    }
    if (lane == 0)
        s.lengths.any[0] = group.count > 0;
}

// Batches -----------------------------------------------------------------------------------------

// A warp works for each group.
__global__ void start(Flows flows, int32_t from) {
    const Group group(flows, from);
    const Flows &s = group.s;
    const int32_t lane = lane_of_thread();
    for (int32_t k = lane; k < group.count; k += warp_lanes) {
        const size_t at = static_cast<size_t>(s.source[group.first + k]);
        set_bits(&s.come[at].word[k / warp_lanes], 1u << lane);
        set_bits(&s.at_level[at].word[k / warp_lanes], 1u << lane);
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

unsigned blocks_for_all(size_t count) {
    return static_cast<unsigned>((count + threads - 1) / threads);
}

enum status join_sums(const Flows &s, double *sums, size_t count, struct error *err) {
    return launch(err, join, dim3(blocks_for_all(count)), dim3(threads), 0, sums, count, s.groups);
}

dim3 blocks_for(const Flows &s, const edge_lists &edges) {
    const unsigned each = static_cast<unsigned>(edges.hubs) + tiles_covering(s.n, warps);
    return dim3(static_cast<unsigned>(s.groups) * each);
}

enum status clear(void *memory, size_t bytes, struct error *err) {
    return gpu_check(cudaMemsetAsync(memory, 0, bytes, nullptr), "forgetting a batch", err);
}

template <typename Length>
enum status forget(void *labels, size_t count, struct error *err) {
    return launch(err, forget_labels<Length>, dim3(blocks_for_all(count)), dim3(threads), 0,
                  static_cast<Length *>(labels), count);
}

template <typename Length>
enum status tight_edges(const Flows &s, int32_t first, struct error *err) {
    const dim3 vertices(static_cast<unsigned>(s.groups) * tiles_covering(s.n, warps));
    RETURN_ON_FAILURE(launch(err, find_bounds<Length>, vertices, dim3(threads), 0, s, first));
    return launch(err, find_tight<Length>, blocks_for(s, s.in), dim3(threads), 0, s, first);
}

template <typename Length>
enum status begin_labels(const Flows &s, int32_t first, struct error *err) {
    const size_t groups = static_cast<size_t>(s.groups), n = static_cast<size_t>(s.n);
    const size_t flags = groups * (static_cast<size_t>(s.levels) + 1);
    RETURN_ON_FAILURE(clear(s.lengths.any, flags * sizeof *s.lengths.any, err));
    RETURN_ON_FAILURE(clear(s.lengths.sunk, 2 * groups * n * sizeof *s.lengths.sunk, err));
    RETURN_ON_FAILURE(forget<Length>(s.lengths.dist, groups * n * sources, err));
    RETURN_ON_FAILURE(forget<Length>(s.lengths.most, groups * n, err));
    return launch(err, start_labels<Length>, dim3(static_cast<unsigned>(groups)), dim3(warp_lanes),
                  0, s, first);
}

} // namespace

extern "C" {

enum status search_flows_begin(const struct search_flows *s, int32_t first, struct error *err) {
    const size_t n = static_cast<size_t>(s->n), groups = static_cast<size_t>(s->groups);
    const size_t levels = static_cast<size_t>(s->levels);
    RETURN_ON_FAILURE(clear(s->any, groups * (levels + 1) * sizeof *s->any, err));
    RETURN_ON_FAILURE(clear(s->come, groups * n * sizeof *s->come, err));
    for (size_t group = 0; group < groups; group++)
        RETURN_ON_FAILURE(clear(s->at_level + group * levels * n, n * sizeof *s->at_level, err));
    if (s->lengths.dist != nullptr)
        RETURN_ON_FAILURE(s->lengths.weight != nullptr ? begin_labels<int32_t>(*s, first, err)
                                                       : begin_labels<double>(*s, first, err));
    return launch(err, start, dim3(static_cast<unsigned>(groups)), dim3(warp_lanes), 0, *s, first);
}

enum status search_flows_round(const struct search_flows *s, int32_t round, int32_t first,
                               struct error *err) {
    return launch(err, s->lengths.weight != nullptr ? correct<int32_t> : correct<double>,
                  blocks_for(*s, s->in), dim3(threads), shared_bytes, *s, round, first);
}

enum status search_flows_tight(const struct search_flows *s, int32_t first, struct error *err) {
    return s->lengths.weight != nullptr ? tight_edges<int32_t>(*s, first, err)
                                        : tight_edges<double>(*s, first, err);
}

enum status search_flows_forwards(const struct search_flows *s, int32_t level, int32_t first,
                                  struct error *err) {
    return launch(err, s->lengths.dist != nullptr ? forwards<true> : forwards<false>,
                  blocks_for(*s, s->in), dim3(threads), shared_bytes, *s, level, first);
}

enum status search_flows_backwards(const struct search_flows *s, int32_t level, int32_t first,
                                   bool is_last, struct error *err) {
    return launch(err, s->lengths.dist != nullptr ? backwards<true> : backwards<false>,
                  blocks_for(*s, s->out), dim3(threads), shared_bytes, *s, level, first, is_last);
}

enum status search_flows_join(const struct search_flows *s, struct error *err) {
    RETURN_ON_FAILURE(join_sums(*s, s->vertex, static_cast<size_t>(s->n), err));
    if (s->ends != nullptr)
        RETURN_ON_FAILURE(join_sums(*s, s->ends, 2 * static_cast<size_t>(s->n), err));
    return s->edge != nullptr ? join_sums(*s, s->edge, static_cast<size_t>(s->m), err) : STATUS_OK;
}

} // extern "C"
