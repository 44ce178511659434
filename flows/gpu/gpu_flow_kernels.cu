// SPDX-License-Identifier: MIT
#include "flows/gpu/gpu_flow_kernels.h"

#include "classes/strips.h"       // OF_OWN, OF_CLASSES
#include "gpu/launch/bits.cuh"    // bits_of
#include "gpu/launch/flags.cuh"   // compare_and_set
#include "gpu/launch/launch.cuh"  // launch
#include "gpu/launch/lengths.cuh" // lesser
#include "gpu/launch/warp.cuh"    // from_across

#include <float.h>
#include <math.h>

namespace {

using Net = flow_net;
using FlowPlace = flow_place;
using Strip = flow_strip;
using FlowLabels = flow_labels;
using Pair = flow_pair;
using Length = path_length;

constexpr int lanes = STRIP_LANES;
static_assert(lanes == warp_lanes, "a lane for each row");
constexpr int warps_each = FLOW_BLOCK_WARPS, panel = FLOW_PANEL;
constexpr int threads = warps_each * warp_lanes; // number of threads of a block
constexpr int row_threads = 256;                 // number of threads of a block that shares a strip
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
    int32_t first[columns], last[columns]; // ways of that length that were offered first and last;
                                           // -1: none

    // Begins with a length that no way has yet.
    __device__ __forceinline__ void begin(int k, Length from) {
        length[k] = from;
        first[k] = last[k] = -1;
    }
    // Offers a way of length `own`.
    __device__ __forceinline__ void offer(int k, Length own, int32_t number) {
        last[k] = own <= length[k] ? number : last[k];
        first[k] = own < length[k] ? number : first[k];
        length[k] = lesser(own, length[k]);
    }
    // Returns whether several ways have the length, or a way and `from`.
    __device__ __forceinline__ bool is_tie(int k) const {
        return first[k] != last[k] && length[k] < no_way;
    }
};

__device__ __forceinline__ Length sum_or_none(Length sum) {
    return sum < no_way ? sum : LENGTH_INF;
}

// Rows of labels in device memory, `pitch` labels each.
struct LabelRows {
    FlowLabels of;
    const int32_t *number; // number of each row that counts; nullptr: row b is number b
    int32_t pitch;

    __device__ __forceinline__ ptrdiff_t begin(int32_t b) const {
        return static_cast<ptrdiff_t>(number != nullptr ? number[b] : b) * pitch;
    }
};

// Lengths that are read together.
constexpr int together = FLOW_COLUMNS;
struct alignas(16) Columns {
    Length of[together];
};

// Returns the number of paths of length `length` over ways first .. last to column c.
__device__ double paths_over(int32_t first, int32_t last, const LaneLabels &way,
                             const LabelRows &rows, int32_t c, Length length) {
    double paths = 0;
    for (int32_t b = first; b <= last; b++) {
        const ptrdiff_t at = rows.begin(b) + c;
        if (way.length_at(b) + rows.of.length[at] == length)
            paths += way.paths_at(b) * rows.of.paths[at];
    }
    return paths;
}

// Finds the paths of a lane over way b and then a label of row b, for each b < count, to columns
// begin .. end - 1. Calls put(c, length, paths) for each column. is_there: the lane has labels.
template <typename Put>
__device__ void multiply(int32_t count, bool is_there, const LaneLabels &way, const LabelRows &rows,
                         int32_t begin, int32_t end, const Put &put) {
    for (int32_t first = begin / together * together; first < end; first += together) {
        Shortest<together> found;
#pragma unroll
        for (int k = 0; k < together; k++)
            found.begin(k, no_way);
#pragma unroll 4
        for (int32_t b = 0; b < count; b++) {
            const Length length = is_there ? way.length_at(b) : LENGTH_INF;
            const Columns cells =
                *reinterpret_cast<const Columns *>(rows.of.length + rows.begin(b) + first);
#pragma unroll
            for (int k = 0; k < together; k++)
                found.offer(k, length + cells.of[k], b);
        }
        double paths[together];
        bool has_ties = false;
#pragma unroll
        for (int k = 0; k < together; k++) {
            const int32_t b = found.first[k];
            paths[k] = b < 0 ? 0 : way.paths_at(b) * rows.of.paths[rows.begin(b) + first + k];
            has_ties = has_ties || found.is_tie(k);
        }
        if (has_ties)
            for (int k = 0; k < together; k++)
                if (found.is_tie(k))
                    paths[k] = paths_over(found.first[k], found.last[k], way, rows, first + k,
                                          found.length[k]);
#pragma unroll
        for (int k = 0; k < together; k++)
            if (first + k >= begin && first + k < end)
                put(first + k, sum_or_none(found.length[k]), paths[k]);
    }
}

// Warps -------------------------------------------------------------------------------------------

// A warp and its memory.
struct Warp {
    const Net &net;
    int32_t lane;
    LaneLabels label, inner;
    double *carried;
    int32_t *way;

    __device__ explicit Warp(const Net &n) : Warp(n, room_of(n)) {
    }
    __device__ Warp(const Net &n, ptrdiff_t room)
        : net(n), lane(static_cast<int32_t>(threadIdx.x) % warp_lanes), label(n.label, room),
          inner(n.inner, room), carried(n.carried + room), way(n.way + room) {
    }
    // Returns a warp with the kept labels and ways of a region's strip in place of its own.
    __device__ Warp with_rows(const FlowPlace &r, int32_t strip) const {
        Warp other = *this;
        const ptrdiff_t at = static_cast<ptrdiff_t>(strip) * lanes;
        other.label = LaneLabels(r.row, at * (r.own + r.width) + lane);
        other.way = r.row_way + at * r.own + lane;
        return other;
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
    __device__ __forceinline__ int32_t &way_to(int32_t own) const {
        return way[static_cast<ptrdiff_t>(own) * lanes];
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
    // Offers the ways down to the positions of a panel from the vertices above it. Reads the labels
    // of several rows before it offers those before them, and the numbers of vertices still
    // earlier.
    __device__ __forceinline__ void over(const flow_panel &p, Shortest<panel> *found) const {
        constexpr int batch = 4;
        const int32_t *const higher = net.higher + p.row;
        const flow_panel_lengths *const down = net.down + p.row;
        const int32_t last = p.rows - 1;
        int32_t number[batch];
        Length next[batch];
#pragma unroll
        for (int k = 0; k < batch; k++)
            next[k] = label.length_at(higher[min(panel - 1 + k, last)]);
#pragma unroll
        for (int k = 0; k < batch; k++)
            number[k] = higher[min(panel - 1 + batch + k, last)];
        for (int32_t first = panel - 1; first <= last; first += batch) {
            Length from[batch];
            flow_panel_lengths lengths[batch];
#pragma unroll
            for (int k = 0; k < batch; k++) {
                from[k] = next[k];
                next[k] = label.length_at(number[k]);
                lengths[k] = down[min(first + k, last)];
            }
#pragma unroll
            for (int k = 0; k < batch; k++)
                number[k] = higher[min(first + 2 * batch + k, last)];
#pragma unroll
            for (int k = 0; k < batch; k++) {
                if (first + k > last)
                    break;
#pragma unroll
                for (int j = 0; j < panel; j++)
                    found->offer(j, from[k] + lengths[k].of[j], first + k);
            }
        }
    }
    // Offers the ways down from position k of a panel, at the given length, to those below it.
    __device__ __forceinline__ void from_within(const flow_panel &p, int k, Length from,
                                                Shortest<panel> *found) const {
        if (k == 0)
            return;
        const flow_panel_lengths lengths = net.down[p.row + k - 1];
#pragma unroll
        for (int j = 0; j < k; j++)
            found->offer(j, from + lengths.of[j], k - 1);
    }
    // Returns the number of paths of length `length` down the entries to position k of a panel.
    __device__ double paths_down(const flow_panel &p, int k, Length length) const {
        double paths = 0;
        for (int64_t row = p.row; row < p.row + p.rows; row++) {
            const int32_t from = net.higher[row];
            if (label.length_at(from) + net.down[row].of[k] == length)
                paths += label.paths_at(from) * net.down_paths[row * panel + k];
        }
        return paths;
    }
    // Relaxes the entries down to own positions, the highest first. is_fresh: ignores the labels
    // that own positions had before. goes_back: also finds the ways to them.
    template <bool is_fresh, bool goes_back>
    __device__ void down(const FlowPlace &r) const {
        for (int32_t number = panels_of(r.own) - 1; number >= 0; number--) {
            const flow_panel p = net.panel[r.first_panel + number];
            const int32_t low = number * panel;
            Shortest<panel> found;
#pragma unroll
            for (int k = 0; k < panel; k++)
                found.begin(k, is_fresh || low + k >= r.own
                                   ? no_way
                                   : lesser(label.length_at(low + k), no_way));
            over(p, &found);
#pragma unroll
            for (int k = panel - 1; k > 0; k--)
                from_within(p, k, found.length[k], &found);
            set_labels<is_fresh, goes_back>(r, p, low, found);
        }
    }
    // Sets the labels of a panel's positions, the first of which is `low`.
    template <bool is_fresh, bool goes_back>
    __device__ __forceinline__ void set_labels(const FlowPlace &r, const flow_panel &p, int32_t low,
                                               const Shortest<panel> &found) const {
        double paths[panel], over_entry[panel];
        bool has_ties = false;
#pragma unroll
        for (int k = 0; k < panel; k++) { // reads all that does not wait for other positions
            const int32_t row = found.first[k];
            const int64_t at = p.row + (row < 0 ? 0 : row);
            over_entry[k] = row < 0 ? 0 : net.down_paths[at * panel + k];
            paths[k] = row >= panel - 1 ? label.paths_at(net.higher[at]) * over_entry[k] : 0;
            if (!is_fresh && row < 0 && low + k < r.own)
                paths[k] = label.paths_at(low + k);
            has_ties = has_ties || found.is_tie(k);
        }
#pragma unroll
        for (int k = panel - 1; k >= 0; k--) {
            const int32_t i = low + k, row = found.first[k];
            const Length length = found.length[k];
#pragma unroll
            for (int j = k + 1; j < panel; j++)
                paths[k] = row == j - 1 ? paths[j] * over_entry[k] : paths[k];
            if (i >= r.own)
                continue;
            if (has_ties && found.is_tie(k)) {
                const bool stays = !is_fresh && length == label.length_at(i);
                paths[k] = (stays ? label.paths_at(i) : 0) + paths_down(p, k, length);
            }
            label.set(i, sum_or_none(length), paths[k]);
            if (goes_back)
                way_to(i) = found.is_tie(k) ? MANY_FLOW_WAYS : row;
        }
    }
    // Finds the ways to own positions whose labels are known, those of panels begin, begin + apart
    // and so on. Paths to a position may also come up to it: then the way down has fewer paths, and
    // is not the only one.
    __device__ void find_ways(const FlowPlace &r, int32_t begin, int32_t apart) const {
        for (int32_t number = begin; number < panels_of(r.own); number += apart) {
            const flow_panel p = net.panel[r.first_panel + number];
            const int32_t low = number * panel;
            Shortest<panel> found;
#pragma unroll
            for (int k = 0; k < panel; k++)
                found.begin(k, no_way);
            over(p, &found);
#pragma unroll
            for (int k = panel - 1; k > 0; k--)
                if (low + k < r.own)
                    from_within(p, k, label.length_at(low + k), &found);
            double paths[panel], over_way[panel];
#pragma unroll
            for (int k = 0; k < panel; k++) {
                const bool is_there = low + k < r.own;
                if (!is_there || found.length[k] != label.length_at(low + k))
                    found.first[k] = found.last[k] = NO_FLOW_WAY;
                const int32_t row = found.first[k];
                const int64_t at = p.row + (row < 0 ? 0 : row);
                paths[k] = is_there ? label.paths_at(low + k) : 0;
                over_way[k] = row < 0
                                  ? paths[k]
                                  : label.paths_at(net.higher[at]) * net.down_paths[at * panel + k];
            }
#pragma unroll
            for (int k = 0; k < panel; k++)
                if (low + k < r.own)
                    way_to(low + k) = found.is_tie(k) || over_way[k] != paths[k] ? MANY_FLOW_WAYS
                                                                                 : found.first[k];
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
    template <bool goes_back>
    __device__ void find_own(const FlowPlace &r, int32_t number) const {
        start(r, number);
        for (int32_t b = 0; b < r.width; b++)
            inner.set(b, label.length_at(r.own + b), label.paths_at(r.own + b));
        multiply(r.width, true, inner, LabelRows{r.among, nullptr, r.pitch}, r.own, r.own + r.width,
                 [&](int32_t i, Length length, double paths) { label.set(i, length, paths); });
        down<false, goes_back>(r);
    }
    // Returns the source of the lane in a strip of own positions; -1: none.
    __device__ __forceinline__ int32_t own_source(const FlowPlace &r, const Strip &s) const {
        return lane < s.count ? r.own_source[s.first + lane] : -1;
    }
    // Finds the labels of a strip of classes or own positions, and the ways to own positions.
    __device__ void find(const Strip &s) const {
        const FlowPlace &r = net.place[s.region];
        const bool is_there = lane < s.count;
        if (s.child == OF_CLASSES) {
            const LaneLabels from(r.class_row, tile_at(s.first + lane, 0, r.width));
            for (int32_t b = 0; b < r.width; b++)
                label.set(r.own + b, is_there ? from.length_at(b) : LENGTH_INF,
                          is_there ? from.paths_at(b) : 0);
            down<true, true>(r);
        } else {
            const int32_t source = own_source(r, s);
            find_own<true>(r, source < 0 ? -1 : net.source_number[source]);
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
    __device__ __forceinline__ double mass(const Strip &s) const {
        const FlowPlace &r = net.place[s.region];
        if (lane >= s.count)
            return 0;
        return s.child == OF_CLASSES ? r.mass[s.first + lane].sum
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
        const int32_t locals = r.own + r.width, number = tile[item].first + w.lane;
        w.start(r, number < locals ? number : -1);
        for (int32_t b = 0; b < r.up_pitch && number < locals; b++) {
            const ptrdiff_t to = static_cast<ptrdiff_t>(number) * r.up_pitch + b;
            r.own_up.length[to] = b < r.width ? w.label.length_at(r.own + b) : LENGTH_INF;
            r.own_up.paths[to] = b < r.width ? w.label.paths_at(r.own + b) : 0;
        }
    });
}

__global__ void __launch_bounds__(threads) climb(Net net, int32_t strips) {
    for_each(net, strips, [&](const Warp &w, int32_t item) {
        const Strip s = net.strip[item];
        const FlowPlace &r = net.place[s.region];
        const LaneLabels to(r.up, tile_at(w.row(s), 0, r.width));
        const bool is_there = w.lane < s.count;
        if (s.child == OF_OWN) {
            const ptrdiff_t from =
                static_cast<ptrdiff_t>(is_there ? net.source_number[w.own_source(r, s)] : 0) *
                r.up_pitch;
            for (int32_t b = 0; b < r.width && is_there; b++)
                to.set(b, r.own_up.length[from + b], r.own_up.paths[from + b]);
            return;
        }
        const FlowPlace &child = net.place[s.child];
        multiply(child.width, is_there,
                 LaneLabels(child.up, tile_at(s.first + w.lane, 0, child.width)),
                 LabelRows{r.own_up, child.outer, r.up_pitch}, 0, r.width,
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
    for (int32_t i = 0; i < r.pitch && is_there; i++) {
        const bool is_vertex = i < r.own + r.width;
        r.among.length[to + i] = is_vertex ? w.label.length_at(i) : LENGTH_INF;
        r.among.paths[to + i] = is_vertex ? w.label.paths_at(i) : 0;
    }
}

__global__ void __launch_bounds__(threads)
    find_among_boundary(Net net, const flow_tile *tile, int32_t count) {
    for_each(net, count, [&](const Warp &w, int32_t item) {
        const FlowPlace &r = net.place[tile[item].region];
        const FlowPlace &around = net.place[r.parent];
        const int32_t portal = tile[item].first + w.lane;
        const bool is_there = portal < r.width;
        const ptrdiff_t row =
            static_cast<ptrdiff_t>(is_there ? r.outer_portal[portal] : 0) * around.pitch;
        for (int32_t b = 0; b < r.width; b++)
            w.label.set(r.own + b, is_there ? around.among.length[row + r.outer[b]] : LENGTH_INF,
                        is_there ? around.among.paths[row + r.outer[b]] : 0);
        w.down<true, false>(r);
        store_among(w, r, portal, is_there);
    });
}

__global__ void __launch_bounds__(threads)
    find_among_own(Net net, const flow_tile *tile, int32_t count) {
    for_each(net, count, [&](const Warp &w, int32_t item) {
        const FlowPlace &r = net.place[tile[item].region];
        const int32_t portal = tile[item].first + w.lane;
        const bool is_there = portal < r.portals;
        w.find_own<false>(r, is_there ? r.portal[portal] : -1);
        store_among(w, r, portal, is_there);
    });
}

// Classes -----------------------------------------------------------------------------------------

__global__ void __launch_bounds__(threads) find_rows(Net net, int32_t strips) {
    for_each(net, strips, [&](const Warp &w, int32_t item) {
        const Strip s = net.strip[item];
        const FlowPlace &r = net.place[s.region];
        if (r.child >= 0 && s.child < 0)
            w.with_rows(r, item - r.first_strip).find(s);
    });
}

// Finds the rows of sources in the regions inside: every path leaves the inner region over its
// boundary. The warps of a block share a strip, so that they find in their cache what another one
// has read.
__global__ void __launch_bounds__(row_threads, 3) find_inner_rows(Net net, int32_t strips) {
    DYNAMIC_SHARED(int32_t, next);
    constexpr int32_t warps = row_threads / warp_lanes;
    const int32_t warp = static_cast<int32_t>(threadIdx.x) / warp_lanes;
    for (;;) {
        if (threadIdx.x == 0)
            next[0] = static_cast<int32_t>(fetch_add(net.next, 1));
        __syncthreads();
        const int32_t item = next[0];
        __syncthreads();
        if (item >= strips)
            return;
        const Strip s = net.strip[item];
        if (s.child < 0)
            continue;
        const FlowPlace &r = net.place[s.region], &child = net.place[s.child];
        const Warp w = Warp(net, 0).with_rows(r, item - r.first_strip);
        const int32_t locals = r.own + r.width;
        for (int32_t first = warp * together; first < locals; first += warps * together)
            multiply(child.width, w.lane < s.count,
                     LaneLabels(child.up, tile_at(s.first + w.lane, 0, child.width)),
                     LabelRows{r.among, child.outer_portal, r.pitch}, first,
                     min(first + together, locals), [&](int32_t i, Length length, double paths) {
                         w.label.set(i, length, paths);
                     });
        __syncthreads();
        w.find_ways(r, warp, warps);
    }
}

// The key of a row at the boundary of a region inside the row's region.
struct Key {
    const FlowPlace &inside;
    LaneLabels row; // labels of the row at the vertices of its region
    Pair norm;      // least distance, and path count of the first vertex at that distance

    __device__ Key(const FlowPlace &around, const FlowPlace &inner, int32_t id)
        : inside(inner),
          row(around.row, tile_at(id, 0, around.own + around.width)), norm{LENGTH_INF, 0} {
    }
    __device__ __forceinline__ Pair at(int32_t b) const {
        const int32_t i = inside.outer[b];
        const Length length = row.length_at(i);
        const double paths = row.paths_at(i);
        return {length < LENGTH_INF ? length - norm.length : LENGTH_INF,
                norm.paths == 1 ? paths : paths / norm.paths};
    }
    __device__ void find_norm() {
        int32_t nearest = -1;
        for (int32_t b = 0; b < inside.width; b++) {
            const int32_t i = inside.outer[b];
            const Length length = row.length_at(i);
            nearest = length < norm.length ? i : nearest;
            norm.length = lesser(length, norm.length);
        }
        norm.paths = nearest < 0 ? 0 : row.paths_at(nearest);
    }
};

// Returns the factor by which flow decays over a length.
__device__ __forceinline__ double decay_over(const Net &net, Length length) {
    return net.rate > 0 ? exp(-net.rate * static_cast<double>(length)) : 1;
}

// Returns the binary exponent of a mass of 0 or more.
__device__ __forceinline__ int32_t exponent_of(double mass) {
    return mass > 0 ? ilogb(mass) : NO_MASS;
}

// Units in which the masses of a class's rows are added up.
struct Units {
    int32_t room;  // a mass has less than 2^room units, and a unit has 2^room smaller ones
    int32_t power; // 2^power units make a mass of 1

    // rows: number of rows of the region around, of which no sum overflows.
    __device__ Units(int32_t rows, int32_t exponent) {
        constexpr int32_t bits = 62;
        int32_t rows_bits = 0;
        while (rows_bits < 31 && (static_cast<int64_t>(1) << rows_bits) < rows)
            rows_bits++;
        room = bits - rows_bits;
        power = room - 1 - exponent;
    }
    __device__ __forceinline__ void add(flow_mass *to, double mass) const {
        const double units = scalbn(mass, power), whole = floor(units);
        add_to(&to->high, static_cast<uint64_t>(whole));
        add_to(&to->low, static_cast<uint64_t>(scalbn(units - whole, room)));
    }
    __device__ __forceinline__ double sum(const flow_mass &of) const {
        const double low = scalbn(static_cast<double>(of.low), -room);
        return scalbn(static_cast<double>(of.high) + low, -power);
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
                         inside.exponent[id] = NO_MASS;
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
        const double mass = w.mass(net.strip[item]);
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
                         raise(&inside.exponent[is_same ? name : id],
                               exponent_of(mass * decay_over(net, own.norm.length)));
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
        const double mass = w.mass(net.strip[item]);
        for_each_row(
            net, item, w.lane, [&](const FlowPlace &r, const FlowPlace &inside, int32_t id, bool) {
                const int32_t name = inside.reference[id];
                if (name == NO_FLOW_CLASS)
                    return;
                const int32_t number = inside.number[name];
                const double own = mass * decay_over(net, inside.norm[id].length);
                inside.reference[id] = number;
                if (own > 0)
                    Units(r.strips * lanes, inside.exponent[name]).add(&inside.mass[number], own);
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
        const FlowPlace &around = net.place[inside.parent];
        flow_mass &mass = inside.mass[number];
        mass.sum = Units(around.strips * lanes, inside.exponent[id]).sum(mass);
        Key key(around, inside, id);
        key.norm = inside.norm[id];
        const LaneLabels to(inside.class_row, tile_at(number, 0, inside.width));
        for (int32_t b = 0; b < inside.width; b++) {
            const Pair own = key.at(b);
            to.set(b, own.length, own.paths);
        }
    });
}

// Backwards ---------------------------------------------------------------------------------------

// The work backwards on a strip's rows, one for each lane. decays: net.rate is not 0.
template <bool decays>
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
            double times_paths = 1; // paths of the class for each path of the row
            if (w.lane < s.count && s.child == c) {
                from = row + r.first_source - inside.first_source;
            } else if (w.lane < s.count && inside.reference[id] != NO_FLOW_CLASS) {
                from = inside.sources + inside.reference[id];
                times_paths = 1 / inside.norm[id].paths;
                if (decays)
                    times_paths *= decay_over(w.net, inside.norm[id].length);
            }
            if (from < 0)
                continue;
            const double *const asked = inside.asked + static_cast<ptrdiff_t>(from) * inside.width;
            for (int32_t b = 0; b < inside.width; b++)
                w.flow(inside.outer[b]) += asked[b] * times_paths;
        }
    }
    // Returns the flow to own position i from the lane's row, for a mass of 1.
    __device__ __forceinline__ double target_at(int32_t i) const {
        const double target = w.net.target_mass[r.first_own + i];
        return decays ? target * decay_over(w.net, w.label.length_at(i)) : target;
    }
    // Adds to ends[i] the flow of all rows that ends at own position i, `target` for a mass of 1.
    // No flow goes from a source to itself.
    __device__ __forceinline__ void end_at(int32_t i, bool is_reached, double target,
                                           double all_times, int32_t self, double *ends) const {
        const bool counts = is_reached && i != self;
        if (decays) {
            const double sum = sum_of_warp(counts ? times * target : 0);
            if (w.lane == 0)
                ends[i] += sum;
            return;
        }
        const double sum = votes_of_warp(counts || times == 0) == ~0u
                               ? all_times
                               : sum_of_warp(counts ? times : 0);
        if (w.lane == 0)
            ends[i] += target * sum;
    }
    // Returns the flow of one of the paths to a target, most often the only one.
    __device__ __forceinline__ static double for_each_path(double target, double paths) {
        return paths == 1 ? target : paths > 0 ? target / paths : 0;
    }
    // Adds `part` of each lane with a way to the sum of the entry over which it comes: sums[at].
    __device__ __forceinline__ void add_parts_of(bool has_way, int32_t way, double part, int32_t at,
                                                 double *sums) const {
        bool is_first = false; // the lane is the first one with its way
        double sum = 0;
        for (unsigned left = votes_of_warp(has_way); left != 0;) {
            const int leader = lowest_bit(left);
            const bool is_same = way == from_lane(way, leader);
            const double all = sum_of_warp(is_same ? part : 0);
            left &= ~votes_of_warp(is_same);
            is_first = is_first || w.lane == leader;
            sum = w.lane == leader ? all : sum;
        }
        if (is_first)
            sums[at] += sum;
    }
    // Hands on the flow of position k of a panel to all vertices over which shortest paths come
    // down to it. has_flow: the lane's position has such vertices.
    __device__ void hand_on_all(const flow_panel &p, int32_t k, bool has_flow, Length to,
                                double each, double *sums) const {
        for (int64_t row = p.row; row < p.row + p.rows; row++) {
            const int32_t from = w.net.higher[row];
            const bool is_tight = has_flow && w.label.length_at(from) + w.net.down[row].of[k] == to;
            if (votes_of_warp(is_tight) == 0)
                continue;
            double part = 0;
            if (is_tight) {
                const double brought = each * w.net.down_paths[row * panel + k];
                w.flow(from) += brought;
                part = w.label.paths_at(from) * brought;
            }
            const double sum = sum_of_warp(part * times);
            if (w.lane == 0)
                sums[w.net.entry[row * panel + k]] += sum;
        }
        sync_warp(); // other lanes may add to the same sums later
    }
    // Does the work on the positions of a panel, one after the other, if some have many ways.
    __device__ void pass_ties(const flow_panel &p, int32_t low, double all_times, int32_t self,
                              double *sums, double *ends) const {
        for (int32_t i = low; i < min(low + panel, r.own); i++) {
            const double paths = w.label.paths_at(i), target = target_at(i);
            end_at(i, paths > 0, target, all_times, self, ends);
            hand_on_all(p, i - low, paths > 0 && w.way_to(i) != NO_FLOW_WAY, w.label.length_at(i),
                        w.flow(i) + for_each_path(target, paths), sums);
        }
    }
    // Does the work on the positions of a panel, each of which has at most one way. Reads all that
    // does not wait for other positions first.
    __device__ __forceinline__ void pass_panel(const flow_panel &p, int32_t low,
                                               const int32_t (&way)[panel], double all_times,
                                               int32_t self, double *sums, double *ends) const {
        int32_t from[panel], entry[panel];
        double paths[panel], flow[panel], over_entry[panel];
#pragma unroll
        for (int k = 0; k < panel; k++) {
            const int64_t row = p.row + (way[k] < 0 ? 0 : way[k]);
            const bool is_there = low + k < r.own;
            from[k] = way[k] < panel - 1 ? -1 : w.net.higher[row];
            over_entry[k] = way[k] < 0 ? 0 : w.net.down_paths[row * panel + k];
            entry[k] = w.net.entry[row * panel + k];
            paths[k] = is_there ? w.label.paths_at(low + k) : 0;
            flow[k] = is_there ? w.flow(low + k) : 0;
        }
#pragma unroll
        for (int k = 0; k < panel; k++) {
            if (low + k >= r.own)
                break;
            const double target = target_at(low + k);
            end_at(low + k, paths[k] > 0, target, all_times, self, ends);
            flow[k] += for_each_path(target, paths[k]);
            add_parts_of(way[k] >= 0, way[k], paths[k] * flow[k] * times, entry[k], sums);
            over_entry[k] *= flow[k]; // what it brings to the vertex above
#pragma unroll
            for (int j = k + 1; j < panel; j++)
                flow[j] += way[k] == j - 1 ? over_entry[k] : 0;
        }
#pragma unroll
        for (int k = panel - 1; k > 0; k--) { // joins what goes to the same vertex
#pragma unroll
            for (int j = 0; j < k; j++) {
                const bool is_same = from[k] >= 0 && from[j] == from[k];
                over_entry[j] += is_same ? over_entry[k] : 0;
                from[k] = is_same ? -1 : from[k];
            }
        }
#pragma unroll
        for (int k = 0; k < panel; k++)
            over_entry[k] += from[k] < 0 ? 0 : w.flow(from[k]);
#pragma unroll
        for (int k = 0; k < panel; k++)
            if (from[k] >= 0)
                w.flow(from[k]) = over_entry[k];
    }
    // Passes the row's flow backwards, the lowest position first: adds to sums, which are of
    // entries first, then of own positions, and stores the flow that the row needs at the boundary.
    __device__ void pass(double *sums, int64_t entries, double *asked) const {
        const int32_t source = s.child == OF_OWN ? w.own_source(r, s) : -1;
        const int32_t self = source < 0 ? -1 : w.net.source_number[source];
        const double all_times = sum_of_warp(times);
        for (int32_t number = 0; number < panels_of(r.own); number++) {
            const flow_panel p = w.net.panel[r.first_panel + number];
            const int32_t low = number * panel;
            int32_t way[panel];
            bool has_many = false;
#pragma unroll
            for (int k = 0; k < panel; k++) {
                way[k] = low + k < r.own ? w.way_to(low + k) : NO_FLOW_WAY;
                has_many = has_many || way[k] == MANY_FLOW_WAYS;
            }
            if (votes_of_warp(has_many) != 0)
                pass_ties(p, low, all_times, self, sums, sums + entries);
            else
                pass_panel(p, low, way, all_times, self, sums, sums + entries);
        }
        for (int32_t b = 0; b < r.width && w.lane < s.count; b++)
            asked[b] = w.flow(r.own + b);
    }
};

template <bool decays>
__global__ void __launch_bounds__(threads, 7)
    pass_back(Net net, const flow_part *parts, int32_t count, double *all_sums) {
    for_each(net, count, [&](const Warp &w, int32_t item) {
        const flow_part part = parts[item];
        const FlowPlace &r = net.place[part.region];
        for (int32_t k = part.first; k < part.first + part.count; k++) {
            const Strip s = net.strip[r.first_strip + k];
            const bool has_rows = r.child >= 0;
            const Warp own = has_rows ? w.with_rows(r, k) : w;
            const int32_t row = w.row(s);
            const Back<decays> back = {own, r, s, w.mass(s)};
            if (!has_rows)
                own.find(s);
            back.ask_inside(row, k * lanes + w.lane);
            back.pass(all_sums + part.sums, part.entries,
                      r.asked + static_cast<ptrdiff_t>(row) * r.width);
            sync_warp(); // lanes add to sums to which other lanes have added
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
        net.flow[at < s.entries ? s.entry + at : net.entries + r.first_own + at - s.entries] = all;
    }
}

__global__ void __launch_bounds__(threads) add_all(Net net, size_t count) {
    const size_t at = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
    if (at < count)
        net.total[at] += net.flow[at];
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
    RETURN_ON_FAILURE(blocks_together(pass_back<false>, threads, 0, &blocks, err));
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

enum status flow_rows(const struct flow_net *net, int32_t strips, struct error *err) {
    const int32_t most = net->warps / warps_each, blocks = strips < most ? strips : most;
    RETURN_ON_FAILURE(launch_items(find_rows, net, strips, err, strips));
    RETURN_ON_FAILURE(clear_next(net, err));
    return strips == 0 ? STATUS_OK
                       : launch(err, find_inner_rows, dim3(static_cast<unsigned>(blocks)),
                                dim3(row_threads), sizeof(int32_t), *net, strips);
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
    return launch_items(net->rate > 0 ? pass_back<true> : pass_back<false>, net, count, err, part,
                        count, sums);
}

enum status flow_add(const struct flow_net *net, const struct flow_sum *sum, int32_t count,
                     const double *sums, int32_t blocks, struct error *err) {
    return count == 0 ? STATUS_OK
                      : launch(err, add_parts,
                               dim3(static_cast<unsigned>(count), static_cast<unsigned>(blocks)),
                               dim3(threads), 0, *net, sum, sums);
}

enum status flow_add_all(const struct flow_net *net, size_t count, struct error *err) {
    return launch(err, add_all, dim3(static_cast<unsigned>((count + threads - 1) / threads)),
                  dim3(threads), 0, *net, count);
}
