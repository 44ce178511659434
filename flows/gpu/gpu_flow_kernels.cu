// SPDX-License-Identifier: MIT
#include "flows/gpu/gpu_flow_kernels.h"

#include "classes/strips.h"       // OF_OWN, OF_CLASSES
#include "gpu/launch/bits.cuh"    // bits_of
#include "gpu/launch/flags.cuh"   // compare_and_set
#include "gpu/launch/launch.cuh"  // launch
#include "gpu/launch/lengths.cuh" // lesser
#include "gpu/launch/warp.cuh"    // from_across

#include <float.h>

namespace {

using Net = flow_net;
using FlowPlace = flow_place;
using Strip = flow_strip;
using FlowLabels = flow_labels;
using Pair = flow_pair;
using Length = path_length;

constexpr int lanes = STRIP_LANES;
static_assert(lanes == warp_lanes, "a lane for each row");
constexpr int warps_each = FLOW_BLOCK_WARPS;
constexpr int threads = warps_each * warp_lanes; // number of threads of a block
constexpr int scan_threads = 1024;               // number of threads of a block that numbers
                                                 // classes

// Labels ------------------------------------------------------------------------------------------

// Length that stands for no way: all ways are shorter.
#ifdef LENGTH_F64
constexpr Length no_way = DBL_MAX;
#else
constexpr Length no_way = LENGTH_INF;
#endif

// Labels of one lane, `lanes` cells apart.
struct LaneLabels {
    Length *length;
    double *paths;

    __device__ LaneLabels(const FlowLabels &of, ptrdiff_t first)
        : length(of.length + first), paths(of.paths + first) {
    }
    __device__ __forceinline__ Length &length_at(int32_t k) const {
        return length[static_cast<ptrdiff_t>(k) * lanes];
    }
    __device__ __forceinline__ double &paths_at(int32_t k) const {
        return paths[static_cast<ptrdiff_t>(k) * lanes];
    }
    __device__ __forceinline__ void set(int32_t k, Length own_length, double own_paths) const {
        length_at(k) = own_length;
        paths_at(k) = own_paths;
    }
};

// The shortest of several ways to each of `columns` vertices.
template <int columns>
struct Shortest {
    Length length[columns];
    int32_t way[columns]; // the first way of that length; -1: no way is shorter than `from`
    uint32_t ties;        // bit k: another way to vertex k is as short

    __device__ explicit Shortest(Length from) : ties(0) {
#pragma unroll
        for (int k = 0; k < columns; k++) {
            length[k] = from;
            way[k] = -1;
        }
    }
    __device__ __forceinline__ void offer(int k, Length own, int32_t number) {
        const bool is_shorter = own < length[k];
        ties = is_shorter ? ties & ~(1u << k) : own == length[k] ? ties | 1u << k : ties;
        way[k] = is_shorter ? number : way[k];
        length[k] = is_shorter ? own : length[k];
    }
};

__device__ __forceinline__ Length sum_or_none(Length sum) {
    return sum < LENGTH_INF ? sum : LENGTH_INF;
}

// Part of a row of labels.
struct LabelRow {
    const Length *length;
    const double *paths;

    __device__ LabelRow(const FlowLabels &of, ptrdiff_t first)
        : length(of.length + first), paths(of.paths + first) {
    }
    __device__ __forceinline__ Length length_at(int32_t c) const {
        return length[c];
    }
    __device__ __forceinline__ double paths_at(int32_t c) const {
        return paths[c];
    }
};

// Finds the paths of a lane over way b and then cell c of row(b), for each b < count, to all
// columns c. Calls put(c, length, paths) for each. All lanes of a warp must call. is_there: the
// lane has labels.
template <typename Rows, typename Put>
__device__ void multiply(int32_t count, bool is_there, const LaneLabels &way, const Rows &row,
                         int32_t columns, const Put &put) {
    constexpr int together = 8;
    for (int32_t first = 0; first < columns; first += together) {
        const int32_t last = columns - 1 - first;
        Shortest<together> found(no_way);
        if (last >= together - 1) {
            for (int32_t b = 0; b < count; b++) {
                const Length length = is_there ? way.length_at(b) : LENGTH_INF;
                const auto cells = row(b);
#pragma unroll
                for (int k = 0; k < together; k++)
                    found.offer(k, length + cells.length_at(first + k), b);
            }
        } else {
            for (int32_t b = 0; b < count; b++) {
                const Length length = is_there ? way.length_at(b) : LENGTH_INF;
                const auto cells = row(b);
#pragma unroll
                for (int k = 0; k < together; k++)
                    found.offer(k, length + cells.length_at(first + min(k, last)), b);
            }
        }
        const bool has_ties = votes_of_warp(found.ties != 0) != 0;
#pragma unroll
        for (int k = 0; k < together; k++) {
            if (k > last)
                break;
            const int32_t c = first + k, b = found.way[k];
            double paths = b < 0 ? 0 : way.paths_at(b) * row(b).paths_at(c);
            if (has_ties && b >= 0 && (found.ties >> k & 1) != 0) {
                paths = 0;
                for (int32_t other = 0; other < count; other++) {
                    const auto cells = row(other);
                    if (way.length_at(other) + cells.length_at(c) == found.length[k])
                        paths += way.paths_at(other) * cells.paths_at(c);
                }
            }
            put(c, b < 0 ? LENGTH_INF : found.length[k], paths);
        }
    }
}

// Warps -------------------------------------------------------------------------------------------

// A warp and its memory.
struct Warp {
    const Net &net;
    int32_t lane;
    LaneLabels label, inner;
    double *carried;

    __device__ explicit Warp(const Net &n) : Warp(n, room_of(n)) {
    }
    __device__ Warp(const Net &n, ptrdiff_t room)
        : net(n), lane(static_cast<int32_t>(threadIdx.x) % warp_lanes), label(n.label, room),
          inner(n.inner, room), carried(n.carried + room) {
    }
    // Returns where the memory of the lane begins.
    __device__ static ptrdiff_t room_of(const Net &n) {
        const int32_t thread = static_cast<int32_t>(threadIdx.x);
        const int32_t warp = static_cast<int32_t>(blockIdx.x) * warps_each + thread / warp_lanes;
        return static_cast<ptrdiff_t>(warp) * n.most_locals * lanes + thread % warp_lanes;
    }
    // Returns the next of `count` items, the same for all lanes; `count` or more: no more items.
    __device__ __forceinline__ int32_t next() const {
        uint32_t item = 0;
        if (lane == 0)
            item = fetch_add(net.next, 1);
        return static_cast<int32_t>(from_lane(item, 0));
    }
    __device__ __forceinline__ double &flow(int32_t number) const {
        return carried[static_cast<ptrdiff_t>(number) * lanes];
    }

    // Relaxes the entries up from own positions, the lowest first.
    __device__ void up(const FlowPlace &r) const {
        for (int32_t i = 0; i < r.own; i++) {
            const Length from = label.length_at(i);
            if (votes_of_warp(from < LENGTH_INF) == 0)
                continue;
            const double paths = label.paths_at(i);
            const flow_own own = net.own[r.first_own + i];
            for (int64_t e = own.entry; e < own.entry + own.entries; e++) {
                const int32_t to = net.local[e];
                const Length sum = sum_or_none(from + net.up.length[e]), had = label.length_at(to);
                if (sum > had || sum == LENGTH_INF)
                    continue;
                const double before = sum < had ? 0 : label.paths_at(to);
                label.set(to, sum, before + paths * net.up.paths[e]);
            }
        }
    }
    // Relaxes the entries down to own positions, the highest first. is_fresh: ignores the labels
    // that own positions had before.
    template <bool is_fresh>
    __device__ void down(const FlowPlace &r) const {
        for (int32_t i = r.own - 1; i >= 0; i--) {
            const flow_own own = net.own[r.first_own + i];
            const int32_t *const local = net.local + own.entry;
            const LabelRow over(net.down, own.entry);
            const Length had = is_fresh ? no_way : lesser(label.length_at(i), no_way);
            Shortest<1> found(had);
#pragma unroll 4
            for (int32_t e = 0; e < own.entries; e++)
                found.offer(0, label.length_at(local[e]) + over.length_at(e), e);
            const int32_t e = found.way[0];
            double paths = 0;
            if (found.ties != 0) {
                paths = !is_fresh && found.length[0] == had ? label.paths_at(i) : 0;
                for (int32_t other = 0; other < own.entries; other++)
                    if (label.length_at(local[other]) + over.length_at(other) == found.length[0])
                        paths += label.paths_at(local[other]) * over.paths_at(other);
            } else if (e >= 0) {
                paths = label.paths_at(local[e]) * over.paths_at(e);
            } else if (!is_fresh) {
                continue;
            }
            label.set(i, sum_or_none(found.length[0]), paths);
        }
    }
    // Finds the labels from own position `number` of the lane by paths inside the region; -1: no
    // position.
    __device__ void start(const FlowPlace &r, int32_t number) const {
        for (int32_t i = 0; i < r.own + r.width; i++)
            label.set(i, LENGTH_INF, 0);
        if (number >= 0)
            label.set(number, 0, 1);
        up(r);
    }
    // Finds the labels from own position `number` by all paths; r.among has the rows of the
    // boundary.
    __device__ void find_own(const FlowPlace &r, int32_t number) const {
        start(r, number);
        for (int32_t b = 0; b < r.width; b++)
            inner.set(b, label.length_at(r.own + b), label.paths_at(r.own + b));
        multiply(
            r.width, true, inner,
            [&](int32_t b) {
                return LabelRow(r.among, static_cast<ptrdiff_t>(b) * r.pitch + r.own);
            },
            r.width,
            [&](int32_t b, Length length, double paths) { label.set(r.own + b, length, paths); });
        down<false>(r);
    }
    // Returns the source of the lane in a strip of own positions; -1: none.
    __device__ __forceinline__ int32_t own_source(const FlowPlace &r, const Strip &s) const {
        return lane < s.count ? r.own_source[s.first + lane] : -1;
    }
    // Finds the labels of a strip's rows.
    __device__ void find(const Strip &s) const {
        const FlowPlace &r = net.place[s.region];
        const bool is_there = lane < s.count;
        if (s.child == OF_CLASSES) {
            const LaneLabels from(r.class_row, tile_at(s.first + lane, 0, r.width));
            for (int32_t b = 0; b < r.width; b++)
                label.set(r.own + b, is_there ? from.length_at(b) : LENGTH_INF,
                          is_there ? from.paths_at(b) : 0);
            down<true>(r);
        } else if (s.child == OF_OWN) {
            const int32_t source = own_source(r, s);
            find_own(r, source < 0 ? -1 : net.source_number[source]);
        } else { // every path leaves the inner region over its boundary
            const FlowPlace &child = net.place[s.child];
            multiply(
                child.width, is_there,
                LaneLabels(child.up, tile_at(s.first + lane, 0, child.width)),
                [&](int32_t b) {
                    return LabelRow(r.among,
                                    static_cast<ptrdiff_t>(child.outer_portal[b]) * r.pitch);
                },
                r.own + r.width,
                [&](int32_t i, Length length, double paths) { label.set(i, length, paths); });
        }
    }
    // Returns the number of the lane's row in its region; sources come first, then classes.
    __device__ __forceinline__ int32_t row(const Strip &s) const {
        const FlowPlace &r = net.place[s.region];
        if (s.child == OF_CLASSES)
            return r.sources + s.first + lane;
        if (s.child == OF_OWN)
            return max(own_source(r, s), r.first_source) - r.first_source;
        return net.place[s.child].first_source - r.first_source + s.first + lane;
    }
    __device__ __forceinline__ uint64_t mass(const Strip &s) const {
        const FlowPlace &r = net.place[s.region];
        if (lane >= s.count)
            return 0;
        return s.child == OF_CLASSES ? r.mass[s.first + lane]
                                     : net.source_mass[r.first_source + row(s)];
    }
};

// Calls each(warp, item) for all items.
template <typename Each>
__device__ __forceinline__ void for_each(const Net &net, int32_t count, const Each &each) {
    const Warp warp(net);
    for (int32_t item = warp.next(); item < count; item = warp.next()) {
        each(warp, item);
        sync_warp();
    }
}

// The way up --------------------------------------------------------------------------------------

__global__ void __launch_bounds__(threads)
    find_own_up(Net net, const flow_tile *tile, int32_t count) {
    for_each(net, count, [&](const Warp &w, int32_t item) {
        const FlowPlace &r = net.place[tile[item].region];
        const int32_t number = tile[item].first + w.lane;
        w.start(r, number < r.own ? number : -1);
        for (int32_t b = 0; b < r.width && number < r.own; b++) {
            const ptrdiff_t to = static_cast<ptrdiff_t>(number) * r.width + b;
            r.own_up.length[to] = w.label.length_at(r.own + b);
            r.own_up.paths[to] = w.label.paths_at(r.own + b);
        }
    });
}

// Row of labels from a vertex of a region to all vertices on the region's boundary, over paths that
// stay inside the region. A vertex on the boundary reaches only itself.
struct UpRow {
    LabelRow own;
    int32_t boundary; // number of the vertex on the boundary; -1: the row is in own_up

    __device__ UpRow(const FlowPlace &r, int32_t number)
        : own(r.own_up, static_cast<ptrdiff_t>(number < r.own ? number : 0) * r.width),
          boundary(number < r.own ? -1 : number - r.own) {
    }
    __device__ __forceinline__ Length length_at(int32_t b) const {
        return boundary < 0 ? own.length_at(b) : boundary == b ? 0 : LENGTH_INF;
    }
    __device__ __forceinline__ double paths_at(int32_t b) const {
        return boundary < 0 ? own.paths_at(b) : boundary == b;
    }
};

__global__ void __launch_bounds__(threads) climb(Net net, int32_t strips) {
    for_each(net, strips, [&](const Warp &w, int32_t item) {
        const Strip s = net.strip[item];
        const FlowPlace &r = net.place[s.region];
        const LaneLabels to(r.up, tile_at(w.row(s), 0, r.width));
        const bool is_there = w.lane < s.count;
        if (s.child == OF_OWN) {
            const LabelRow from(
                r.own_up,
                static_cast<ptrdiff_t>(is_there ? net.source_number[w.own_source(r, s)] : 0) *
                    r.width);
            for (int32_t b = 0; b < r.width && is_there; b++)
                to.set(b, from.length_at(b), from.paths_at(b));
            return;
        }
        const FlowPlace &child = net.place[s.child];
        multiply(
            child.width, is_there, LaneLabels(child.up, tile_at(s.first + w.lane, 0, child.width)),
            [&](int32_t b) { return UpRow(r, child.outer[b]); }, r.width,
            [&](int32_t b, Length length, double paths) {
                if (is_there)
                    to.set(b, length, paths);
            });
    });
}

// Among portals -----------------------------------------------------------------------------------

// Stores the lane's labels as the row of a portal.
__device__ __forceinline__ void store_among(const Warp &w, const FlowPlace &r, int32_t portal,
                                            bool is_there) {
    const ptrdiff_t to = static_cast<ptrdiff_t>(portal) * r.pitch;
    for (int32_t i = 0; i < r.own + r.width && is_there; i++) {
        r.among.length[to + i] = w.label.length_at(i);
        r.among.paths[to + i] = w.label.paths_at(i);
    }
}

__global__ void __launch_bounds__(threads)
    find_among_boundary(Net net, const flow_tile *tile, int32_t count) {
    for_each(net, count, [&](const Warp &w, int32_t item) {
        const FlowPlace &r = net.place[tile[item].region];
        const FlowPlace &around = net.place[r.parent];
        const int32_t portal = tile[item].first + w.lane;
        const bool is_there = portal < r.width;
        const LabelRow row(around.among,
                           static_cast<ptrdiff_t>(is_there ? r.outer_portal[portal] : 0) *
                               around.pitch);
        for (int32_t b = 0; b < r.width; b++)
            w.label.set(r.own + b, is_there ? row.length_at(r.outer[b]) : LENGTH_INF,
                        is_there ? row.paths_at(r.outer[b]) : 0);
        w.down<true>(r);
        store_among(w, r, portal, is_there);
    });
}

__global__ void __launch_bounds__(threads)
    find_among_own(Net net, const flow_tile *tile, int32_t count) {
    for_each(net, count, [&](const Warp &w, int32_t item) {
        const FlowPlace &r = net.place[tile[item].region];
        const int32_t portal = tile[item].first + w.lane;
        const bool is_there = portal < r.portals;
        w.find_own(r, is_there ? r.portal[portal] : -1);
        store_among(w, r, portal, is_there);
    });
}

// Classes -----------------------------------------------------------------------------------------

__global__ void __launch_bounds__(threads) find_portal_rows(Net net, int32_t strips) {
    for_each(net, strips, [&](const Warp &w, int32_t item) {
        const Strip s = net.strip[item];
        const FlowPlace &r = net.place[s.region];
        if (r.child < 0)
            return;
        w.find(s);
        const LaneLabels to(r.portal_row,
                            tile_at((item - r.first_strip) * lanes + w.lane, 0, r.portals));
        for (int32_t p = 0; p < r.portals; p++)
            to.set(p, w.label.length_at(r.portal[p]), w.label.paths_at(r.portal[p]));
    });
}

// The key of a row at the boundary of a region inside the row's region.
struct Key {
    const FlowPlace &inside;
    LaneLabels row; // labels of the row at portals of its region
    Pair norm;      // least distance, and path count of the first vertex at that distance

    __device__ Key(const FlowPlace &around, const FlowPlace &inner, int32_t id)
        : inside(inner),
          row(around.portal_row, tile_at(id, 0, around.portals)), norm{LENGTH_INF, 0} {
    }
    __device__ __forceinline__ Pair at(int32_t b) const {
        const int32_t portal = inside.outer_portal[b];
        const Length length = row.length_at(portal);
        return {length < LENGTH_INF ? length - norm.length : LENGTH_INF,
                row.paths_at(portal) / norm.paths};
    }
    __device__ void find_norm() {
        int32_t nearest = -1;
        for (int32_t b = 0; b < inside.width; b++) {
            const int32_t portal = inside.outer_portal[b];
            const Length length = row.length_at(portal);
            nearest = length < norm.length ? portal : nearest;
            norm.length = lesser(length, norm.length);
        }
        norm.paths = nearest < 0 ? 0 : row.paths_at(nearest);
    }
};

__device__ __forceinline__ uint64_t mixed(uint64_t hash, double number) {
    const uint64_t bits = bits_of(number);
    return (hash ^ bits ^ bits >> 32) * 0x9e3779b97f4a7c15u;
}

// Returns the slot of a hash in the table of a region. Notes row `id` there if it is the lowest.
__device__ __forceinline__ int32_t insert(const FlowPlace &inside, uint64_t hash, int32_t id) {
    for (uint64_t k = hash;; k++) {
        uint64_t *const slot = &inside.hash[k & inside.mask];
        uint64_t there = load_relaxed(slot);
        if (there == 0)
            there = compare_and_set(slot, 0, hash);
        if (there == 0 || there == hash) {
            lower(&inside.least[k & inside.mask], id);
            return static_cast<int32_t>(k & inside.mask);
        }
    }
}

// Calls a function for each row of a strip and each region inside, with the strip's region, the
// inner region, the row's number among the rows of all strips of its region, and whether its class
// there is wanted.
template <typename Each>
__device__ __forceinline__ void for_each_row(const Net &net, int32_t item, int32_t lane,
                                             const Each &each) {
    const Strip s = net.strip[item];
    const FlowPlace &r = net.place[s.region];
    const int32_t id = (item - r.first_strip) * lanes + lane;
    for (int32_t c = r.child; c >= 0; c = net.place[c].sibling)
        each(r, net.place[c], id, lane < s.count && s.child != c);
}

__global__ void __launch_bounds__(threads) hash_rows(Net net, int32_t strips) {
    for_each(net, strips, [&](const Warp &w, int32_t item) {
        for_each_row(net, item, w.lane,
                     [&](const FlowPlace &r, const FlowPlace &inside, int32_t id, bool is_wanted) {
                         Key key(r, inside, id);
                         inside.reference[id] = NO_FLOW_CLASS;
                         if (!is_wanted)
                             return;
                         key.find_norm();
                         inside.norm[id] = key.norm;
                         if (key.norm.paths == 0)
                             return;
                         uint64_t hash = static_cast<uint64_t>(inside.width);
                         for (int32_t b = 0; b < inside.width; b++) {
                             const Pair own = key.at(b);
                             hash = mixed(mixed(hash, own.length), own.paths);
                         }
                         hash ^= hash >> 29;
                         inside.reference[id] = insert(inside, hash == 0 ? 1 : hash, id);
                     });
    });
}

// Finds the row that each class is named after, the first row with its hash. A row that has the
// hash of another class becomes a class of its own.
__global__ void __launch_bounds__(threads) find_names(Net net, int32_t strips) {
    for_each(net, strips, [&](const Warp &w, int32_t item) {
        for_each_row(net, item, w.lane,
                     [&](const FlowPlace &r, const FlowPlace &inside, int32_t id, bool) {
                         const int32_t slot = inside.reference[id];
                         if (slot == NO_FLOW_CLASS)
                             return;
                         const int32_t name = inside.least[slot];
                         Key own(r, inside, id), other(r, inside, name);
                         bool is_same = true;
                         own.norm = inside.norm[id];
                         other.norm = inside.norm[name];
                         for (int32_t b = 0; b < inside.width && is_same && name != id; b++) {
                             const Pair one = own.at(b), two = other.at(b);
                             is_same = one.length == two.length && one.paths == two.paths;
                         }
                         inside.reference[id] = is_same ? name : id;
                     });
    });
}

// Numbers the classes of a region in the order of the rows that they are named after. Each block
// takes a region.
__global__ void __launch_bounds__(scan_threads) number_classes(Net net, const int32_t *inside) {
    DYNAMIC_SHARED(int32_t, counts); // one count for each warp
    const int32_t c = inside[blockIdx.x], thread = static_cast<int32_t>(threadIdx.x);
    const FlowPlace &r = net.place[c];
    const int32_t rows = net.place[r.parent].strips * lanes;
    const int32_t warp = thread / warp_lanes;
    int32_t before = 0;
    for (int32_t first = 0; first < rows; first += scan_threads) {
        const int32_t id = first + thread;
        const bool is_name = id < rows && r.reference[id] == id;
        const unsigned votes = votes_of_warp(is_name);
        if (thread % warp_lanes == 0)
            counts[warp] = bits_set(votes);
        __syncthreads();
        int32_t number = before + bits_set(votes & ((1u << thread % warp_lanes) - 1));
        for (int32_t k = 0; k < scan_threads / warp_lanes; k++) {
            number += k < warp ? counts[k] : 0;
            before += counts[k];
        }
        if (is_name) {
            r.number[id] = number;
            r.named[number] = id;
        }
        __syncthreads();
    }
    if (thread == 0)
        net.classes[c] = before;
}

__global__ void __launch_bounds__(threads) join_classes(Net net, int32_t strips) {
    for_each(net, strips, [&](const Warp &w, int32_t item) {
        const uint64_t mass = w.mass(net.strip[item]);
        for_each_row(net, item, w.lane,
                     [&](const FlowPlace &, const FlowPlace &inside, int32_t id, bool) {
                         if (inside.reference[id] == NO_FLOW_CLASS)
                             return;
                         const int32_t number = inside.number[inside.reference[id]];
                         inside.reference[id] = number;
                         add_to(&inside.mass[number], mass);
                     });
    });
}

__global__ void __launch_bounds__(threads)
    copy_classes(Net net, const flow_tile *tile, int32_t count) {
    for_each(net, count, [&](const Warp &w, int32_t item) {
        const FlowPlace &inside = net.place[tile[item].region];
        const int32_t number = tile[item].first + w.lane;
        if (number >= inside.classes)
            return;
        const int32_t id = inside.named[number];
        Key key(net.place[inside.parent], inside, id);
        key.norm = inside.norm[id];
        const LaneLabels to(inside.class_row, tile_at(number, 0, inside.width));
        for (int32_t b = 0; b < inside.width; b++) {
            const Pair own = key.at(b);
            to.set(b, own.length, own.paths);
        }
    });
}

// Backwards ---------------------------------------------------------------------------------------

// The work backwards on a strip's rows, one for each lane.
struct Back {
    const Warp &w;
    const FlowPlace &r;
    const Strip &s;
    double times; // mass of the lane's row; 0: no row

    // Sets the flow of the region's vertices to the flow that the row has to bring to the
    // boundaries of the regions inside. id: number of the row among those of all strips of its
    // region.
    __device__ void ask_inside(int32_t row, int32_t id) const {
        for (int32_t i = 0; i < r.own + r.width; i++)
            w.flow(i) = 0;
        for (int32_t c = r.child; c >= 0; c = w.net.place[c].sibling) {
            const FlowPlace &inside = w.net.place[c];
            int32_t from = -1;
            if (w.lane < s.count && s.child == c)
                from = row + r.first_source - inside.first_source;
            else if (w.lane < s.count && inside.reference[id] != NO_FLOW_CLASS)
                from = inside.sources + inside.reference[id];
            if (from < 0)
                continue;
            const double *const asked = inside.asked + static_cast<ptrdiff_t>(from) * inside.width;
            for (int32_t b = 0; b < inside.width; b++)
                w.flow(inside.outer[b]) += asked[b];
        }
    }
    // Adds to ends[i] the flow of all rows that ends at own position i, of target mass `target`. No
    // flow goes from a source to itself.
    __device__ __forceinline__ void end_at(int32_t i, bool is_reached, double target,
                                           double all_times, int32_t self, double *ends) const {
        const bool counts = is_reached && i != self;
        const double sum = votes_of_warp(counts || times == 0) == ~0u
                               ? all_times
                               : sum_of_warp(counts ? times : 0);
        if (w.lane == 0)
            ends[i] += target * sum;
    }
    // Returns `flow` plus what flows to a vertex from all below it along tight entries, and adds
    // the flow down each entry to sums. The labels of vertices below have the flow of one path in
    // place of path counts.
    __device__ __forceinline__ double flow_to(int32_t i, const flow_own &below, double flow,
                                              double *sums) const {
        constexpr int together = 4;
        const int32_t *const lower = w.net.lower + below.entry;
        const LabelRow way(w.net.way, below.entry);
        const Length here = w.label.length_at(i);
        const double paths = w.label.paths_at(i);
        const int32_t last = below.entries - 1;
        int32_t number[together]; // ends of the next entries, so that their labels can be read soon
#pragma unroll
        for (int k = 0; k < together; k++)
            number[k] = last < 0 ? 0 : lower[min(k, last)];
        for (int32_t e = 0; e <= last; e += together) {
            int32_t from[together];
            uint32_t tight = 0; // bit k: the row's paths use entry e + k
#pragma unroll
            for (int k = 0; k < together; k++) {
                from[k] = number[k];
                const Length to = w.label.length_at(from[k]);
                const bool is_tight = here + way.length_at(min(e + k, last)) == to;
                tight |= is_tight && e + k <= last && to < LENGTH_INF ? 1u << k : 0;
                number[k] = lower[min(e + together + k, last)];
            }
            if (votes_of_warp(tight != 0) == 0)
                continue;
            double part[together];
#pragma unroll
            for (int k = 0; k < together; k++) {
                part[k] = 0;
                if ((tight >> k & 1) != 0)
                    part[k] = w.label.paths_at(from[k]) * (paths * way.paths_at(e + k));
                flow += part[k];
                part[k] *= times;
            }
            const double sum = sums_of_four(part, w.lane);
            if (w.lane < together && e + w.lane <= last)
                sums[e + w.lane] += sum;
        }
        return flow;
    }
    // Passes the row's flow backwards, the lowest position first: adds to sums, which are of
    // entries first, then of own positions, and stores the flow that the row needs at the boundary.
    __device__ void pass(double *sums, int64_t entries, double *asked) const {
        const int32_t source = s.child == OF_OWN ? w.own_source(r, s) : -1;
        const int32_t self = source < 0 ? -1 : w.net.source_number[source];
        const double all_times = sum_of_warp(times);
        const flow_own *const below = w.net.below + r.first_below;
        const int64_t first = below[0].entry;
        for (int32_t i = 0; i < r.own; i++) {
            const double paths = w.label.paths_at(i);
            const bool is_reached = paths > 0;
            const double target = w.net.target_mass[r.first_own + i];
            double flow = (r.child < 0 ? 0 : w.flow(i)) + (is_reached ? target : 0);
            end_at(i, is_reached, target, all_times, self, sums + entries);
            flow = flow_to(i, below[i], flow, sums + (below[i].entry - first));
            w.label.paths_at(i) = is_reached ? flow / paths : 0;
        }
        for (int32_t b = 0; b < r.width; b++) {
            const flow_own list = below[r.own + b];
            const double flow = flow_to(r.own + b, list, r.child < 0 ? 0 : w.flow(r.own + b),
                                        sums + (list.entry - first));
            if (w.lane < s.count)
                asked[b] = flow;
        }
    }
};

__global__ void __launch_bounds__(threads)
    pass_back(Net net, const flow_part *parts, int32_t count, double *all_sums) {
    for_each(net, count, [&](const Warp &w, int32_t item) {
        const flow_part part = parts[item];
        const FlowPlace &r = net.place[part.region];
        for (int32_t k = part.first; k < part.first + part.count; k++) {
            const Strip s = net.strip[r.first_strip + k];
            const int32_t row = w.row(s);
            const Back back = {w, r, s, static_cast<double>(w.mass(s))};
            w.find(s);
            if (r.child >= 0)
                back.ask_inside(row, k * lanes + w.lane);
            back.pass(all_sums + part.sums, part.entries,
                      r.asked + static_cast<ptrdiff_t>(row) * r.width);
        }
    });
}

// Adds up the parts of a region in all blocks of one blockIdx.x.
__global__ void __launch_bounds__(threads)
    add_parts(Net net, const flow_sum *sum, const double *sums) {
    const flow_sum s = sum[blockIdx.x];
    const FlowPlace &r = net.place[s.region];
    const int64_t pitch = s.entries + r.own;
    for (int64_t at = static_cast<int64_t>(blockIdx.y) * threads + threadIdx.x; at < pitch;
         at += static_cast<int64_t>(gridDim.y) * threads) {
        double all = 0;
#pragma unroll 4
        for (int32_t k = 0; k < s.parts; k++)
            all += sums[s.sums + k * pitch + at];
        if (at < s.entries)
            net.flow[s.entry + at] = all;
        else
            net.ends[r.first_own + at - s.entries] = all;
    }
}

// Launching ---------------------------------------------------------------------------------------

enum status clear_next(const flow_net *net, struct error *err) {
    return gpu_check(cudaMemsetAsync(net->next, 0, sizeof *net->next, nullptr),
                     "clearing a counter", err);
}

// Launches a kernel whose warps take `count` items in turn.
template <typename Kernel, typename... Arguments>
enum status launch_items(Kernel kernel, const flow_net *net, int32_t count, struct error *err,
                         Arguments... arguments) {
    if (count == 0)
        return STATUS_OK;
    const int32_t most = net->warps / warps_each, blocks = (count + warps_each - 1) / warps_each;
    RETURN_ON_FAILURE(clear_next(net, err));
    return launch(err, kernel, dim3(static_cast<unsigned>(blocks < most ? blocks : most)),
                  dim3(threads), 0, *net, arguments...);
}

} // namespace

enum status flow_warps(int32_t *warps, struct error *err) {
    int blocks = 0;
    RETURN_ON_FAILURE(blocks_together(pass_back, threads, 0, &blocks, err));
    *warps = (blocks > 0 ? blocks : 1) * warps_each;
    return STATUS_OK;
}

enum status flow_own_up(const struct flow_net *net, const struct flow_tile *tile, int32_t count,
                        struct error *err) {
    return launch_items(find_own_up, net, count, err, tile, count);
}

enum status flow_climb(const struct flow_net *net, int32_t strips, struct error *err) {
    return launch_items(climb, net, strips, err, strips);
}

enum status flow_among_boundary(const struct flow_net *net, const struct flow_tile *tile,
                                int32_t count, struct error *err) {
    return launch_items(find_among_boundary, net, count, err, tile, count);
}

enum status flow_among_own(const struct flow_net *net, const struct flow_tile *tile, int32_t count,
                           struct error *err) {
    return launch_items(find_among_own, net, count, err, tile, count);
}

enum status flow_portal_rows(const struct flow_net *net, int32_t strips, struct error *err) {
    return launch_items(find_portal_rows, net, strips, err, strips);
}

enum status flow_classify(const struct flow_net *net, int32_t strips, const int32_t *inside,
                          int32_t count, struct error *err) {
    RETURN_ON_FAILURE(launch_items(hash_rows, net, strips, err, strips));
    RETURN_ON_FAILURE(launch_items(find_names, net, strips, err, strips));
    return count == 0
               ? STATUS_OK
               : launch(err, number_classes, dim3(static_cast<unsigned>(count)), dim3(scan_threads),
                        scan_threads / warp_lanes * sizeof(int32_t), *net, inside);
}

enum status flow_name_classes(const struct flow_net *net, int32_t strips,
                              const struct flow_tile *tile, int32_t count, struct error *err) {
    RETURN_ON_FAILURE(launch_items(join_classes, net, strips, err, strips));
    return launch_items(copy_classes, net, count, err, tile, count);
}

enum status flow_back(const struct flow_net *net, const struct flow_part *part, int32_t count,
                      double *sums, struct error *err) {
    return launch_items(pass_back, net, count, err, part, count, sums);
}

enum status flow_add(const struct flow_net *net, const struct flow_sum *sum, int32_t count,
                     const double *sums, int32_t blocks, struct error *err) {
    return count == 0 ? STATUS_OK
                      : launch(err, add_parts,
                               dim3(static_cast<unsigned>(count), static_cast<unsigned>(blocks)),
                               dim3(threads), 0, *net, sum, sums);
}
