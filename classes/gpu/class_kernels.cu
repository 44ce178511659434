// SPDX-License-Identifier: MIT
#include "classes/gpu/class_parts.cuh" // part_of, first_row

#include "gpu/launch/launch.cuh"  // launch
#include "gpu/launch/lengths.cuh" // least_sum
#include "gpu/launch/warp.cuh"    // from_across

namespace {

// Sweeps ------------------------------------------------------------------------------------------

__device__ __forceinline__ path_length start_at(bool is_start) {
    return is_start ? 0 : LENGTH_INF;
}

// Sweeps over a region from one of its vertices by `lanes` threads of a warp. All threads of a
// block sweep over the same region at the same time.
template <int lanes>
struct RegionSweep {
    static constexpr int groups = threads / lanes;

    const Graph &g;
    const Region &r;
    path_length *label; // labels of the region's vertices by their numbers, in shared memory
    int32_t lane;

    __device__ RegionSweep(const Graph &graph, const Region &region, path_length *shared,
                           int32_t stride)
        : g(graph), r(region), label(shared + static_cast<int32_t>(threadIdx.x) / lanes * stride),
          lane(static_cast<int32_t>(threadIdx.x) % lanes) {
    }

    // Sets the label of each number i below `count` to value(i).
    template <typename Value>
    __device__ __forceinline__ void set(int32_t count, const Value &value) {
        for (int32_t i = lane; i < count; i += lanes)
            label[i] = value(i);
        sync_warp();
    }
    // Sets all labels to those of a row.
    __device__ void copy(const path_length *row) {
        set(class_size(&r), [&](int32_t i) { return row[i]; });
    }
    __device__ void up() {
        for (int32_t i = 0; i < r.own; i++) {
            const class_own own = g.own[r.first_own + i];
            const path_length from = label[own.number];
            for (int32_t e = lane; e < own.entries; e += lanes) {
                path_length *const to = &label[g.to[own.entry + e]];
                *to = lesser(*to, from + g.up[own.entry + e]);
            }
            sync_warp();
        }
    }
    __device__ void down() {
        for (int32_t i = r.own - 1; i >= 0; i--) {
            const class_own own = g.own[r.first_own + i];
            path_length least = LENGTH_INF;
            for (int32_t e = lane; e < own.entries; e += lanes)
                least = lesser(least, label[g.to[own.entry + e]] + g.down[own.entry + e]);
#pragma unroll
            for (int bits = 1; bits < lanes; bits *= 2)
                least = lesser(least, from_across(least, bits));
            if (lane == 0)
                label[own.number] = lesser(label[own.number], least);
            sync_warp();
        }
    }
    // Returns the distance, by any path of the graph, between two vertices of the boundary.
    // `around` is the parent region, which has that distance in `all`.
    __device__ __forceinline__ path_length outside(const Region &around, int32_t from,
                                                   int32_t to) const {
        return around.all[static_cast<int64_t>(r.outer[from]) * class_size(&around) + r.outer[to]];
    }
    // Finds the distances, by any path of the graph, from one vertex: from boundary vertex `item`,
    // or from own vertex item - width if item >= width. There must be room for the labels of one
    // more boundary behind `label`.
    __device__ void all(int32_t item) {
        const int32_t size = class_size(&r);
        const int32_t start = item < r.width ? -1 : r.start + item - r.width;
        set(size, [&](int32_t i) { return start_at(i == start); });
        up();
        if (r.width > 0) {
            const Region &around = g.region[r.parent];
            for (int32_t x = lane; x < r.width; x += lanes) {
                path_length least = LENGTH_INF;
                if (start < 0)
                    least = outside(around, item, x);
                for (int32_t y = 0; y < r.width && start >= 0; y++)
                    least = lesser(least, label[y] + outside(around, y, x));
                label[size + x] = least;
            }
            sync_warp();
            set(r.width, [&](int32_t i) { return label[size + i]; });
        }
        down();
    }
};

// The regions that a launch of a kernel takes: those with more than `above` and up to `stride`
// labels.
struct RegionLabels {
    int32_t above, stride;

    __device__ __forceinline__ bool has(const Region &r) const {
        const int32_t labels = class_size(&r) + r.start;
        return labels > above && labels <= stride;
    }
};

// Returns the first of a region's items 0 .. end - 1 that this block handles; it may be `end` or
// more. Stores the item of this thread in *item; end - 1 if there is none for it.
template <int lanes>
__device__ __forceinline__ int32_t items_from(int32_t *item, int32_t end) {
    const int32_t from = static_cast<int32_t>(blockIdx.y) * RegionSweep<lanes>::groups;
    *item = min(from + static_cast<int32_t>(threadIdx.x) / lanes, end - 1);
    return from;
}

template <int lanes>
__global__ void __launch_bounds__(threads)
    close_regions(Graph g, int32_t first, RegionLabels labels) {
    DYNAMIC_SHARED(path_length, shared);
    const Region &r = g.region[first + static_cast<int32_t>(blockIdx.x)];
    RegionSweep<lanes> s(g, r, shared, labels.stride);
    const int32_t size = class_size(&r), pitch = class_pitch(r.own);
    int32_t item;
    const int32_t from = items_from<lanes>(&item, r.width + r.own);
    if (from >= r.width + r.own || !labels.has(r))
        return;
    if (from < r.width) {
        s.set(size, [&](int32_t i) { return start_at(i == item && item < r.width); });
        s.down();
        for (int32_t i = s.lane; i < pitch && item < r.width; i += lanes)
            r.down[static_cast<int64_t>(item) * pitch + i] = s.label[r.start + i];
        sync_warp();
    }
    if (from + RegionSweep<lanes>::groups > r.width && r.width > 0) {
        const int32_t own = max(item - r.width, 0), number = r.start + own;
        s.set(size, [&](int32_t i) { return start_at(i == number); });
        s.up();
        for (int32_t i = s.lane; i < r.start && item >= r.width; i += lanes)
            r.up[static_cast<int64_t>(own) * r.start + i] = s.label[i];
    }
}

template <int lanes>
__global__ void __launch_bounds__(threads) find_all(Graph g, int32_t first, RegionLabels labels) {
    DYNAMIC_SHARED(path_length, shared);
    const Region &r = g.region[first + static_cast<int32_t>(blockIdx.x)];
    RegionSweep<lanes> s(g, r, shared, labels.stride);
    int32_t item;
    if (r.all == nullptr || !labels.has(r) ||
        items_from<lanes>(&item, r.width + r.own) >= r.width + r.own)
        return;
    s.all(item);
    const int32_t size = class_size(&r);
    const int32_t row = item < r.width ? item : r.start + item - r.width;
    for (int32_t i = s.lane; i < size; i += lanes)
        r.all[static_cast<int64_t>(row) * size + i] = s.label[i];
}

// Totals ------------------------------------------------------------------------------------------

struct LaneTotal {
#ifdef LENGTH_F64
    double upper = 0, lower = 0;
#else
    int64_t sum = 0;
#endif
    int32_t reached = 0;
    path_length farthest = 0;

    __device__ __forceinline__ void add(path_length distance) {
        const bool is_finite = distance < LENGTH_INF;
        const path_length number = is_finite ? distance : 0;
#ifdef LENGTH_F64
        const double high = upper_part(number);
        upper += high;
        lower += number - high;
#else
        sum += number;
#endif
        reached += is_finite;
        farthest = larger(farthest, number);
    }
    // Adds four distances, in fewer steps if all of them are finite and not too large.
    __device__ __forceinline__ void add_four(const path_length *distance) {
        const path_length low = distance[0] + distance[1], high = distance[2] + distance[3];
        const path_length most =
            larger(larger(distance[0], distance[1]), larger(distance[2], distance[3]));
#ifdef LENGTH_F64
        constexpr path_length fit = 0x1p50; // so that the sum of four is exact
        const path_length least =
            lesser(lesser(distance[0], distance[1]), lesser(distance[2], distance[3]));
        const bool is_simple = most < fit && least > -fit;
#else
        const bool is_simple = most < LENGTH_INF;
#endif
        if (!is_simple) {
#pragma unroll
            for (int k = 0; k < 4; k++)
                add(distance[k]);
            return;
        }
#ifdef LENGTH_F64
        const double part = upper_part(low + high);
        upper += part;
        lower += low + high - part;
#else
        sum += static_cast<int64_t>(low) + high;
#endif
        reached += 4;
        farthest = larger(farthest, most);
    }
    __device__ __forceinline__ void add(const gpu_class_total &other, path_length constant) {
        if (other.reached == 0)
            return;
#ifdef LENGTH_F64
        const double high = upper_part(constant);
        upper += other.upper + other.reached * high;
        lower += other.lower + other.reached * (constant - high);
#else
        sum += other.sum + static_cast<int64_t>(other.reached) * constant;
#endif
        reached += other.reached;
        farthest = larger(farthest, other.farthest + constant);
    }
    // Sums up the totals of `lanes` threads with neighbouring numbers.
    template <int lanes>
    __device__ __forceinline__ void gather() {
#pragma unroll
        for (int bits = 1; bits < lanes; bits *= 2) {
#ifdef LENGTH_F64
            upper += from_across(upper, bits);
            lower += from_across(lower, bits);
#else
            sum += from_across(sum, bits);
#endif
            reached += from_across(reached, bits);
            farthest = larger(farthest, from_across(farthest, bits));
        }
    }
    __device__ __forceinline__ gpu_class_total value() const {
#ifdef LENGTH_F64
        return {upper, lower, farthest, reached};
#else
        return {sum, reached, farthest};
#endif
    }
    __device__ __forceinline__ void add_to(gpu_class_total *to) const {
        LaneTotal all = *this;
        all.add(*to, 0);
        *to = all.value();
    }
};

// Adds up the distances in regions without others inside, which no matrix `all` holds.
template <int lanes>
__global__ void __launch_bounds__(threads)
    sweep_own_rows(Graph g, int32_t first, RegionLabels labels) {
    DYNAMIC_SHARED(path_length, shared);
    const Region &r = g.region[first + static_cast<int32_t>(blockIdx.x)];
    RegionSweep<lanes> s(g, r, shared, labels.stride);
    int32_t item;
    const int32_t from = items_from<lanes>(&item, r.own);
    if (r.all != nullptr || from >= r.own || !labels.has(r))
        return;
    const bool is_there = from + static_cast<int32_t>(threadIdx.x) / lanes == item;
    const int32_t source = source_at(g, r, item);
    if (!__syncthreads_or(source >= 0))
        return;
    s.all(r.width + item);
    LaneTotal total;
    for (int32_t i = s.lane; i < r.own; i += lanes)
        total.add(s.label[r.start + i]);
    total.template gather<lanes>();
    if (s.lane == 0 && is_there && source >= 0)
        total.add_to(&g.total[source]);
}

// Adds up the distances to own vertices of regions with others inside, a warp for each vertex.
__global__ void __launch_bounds__(threads) take_own_rows(Graph g, int32_t first) {
    const Region &r = g.region[first + static_cast<int32_t>(blockIdx.x)];
    const int32_t lane = static_cast<int32_t>(threadIdx.x) % warp_lanes;
    const int32_t own =
        static_cast<int32_t>(blockIdx.y) * warps + static_cast<int32_t>(threadIdx.x) / warp_lanes;
    if (r.all == nullptr || own >= r.own)
        return;
    const int32_t source = source_at(g, r, own);
    if (source < 0)
        return;
    const int32_t pitch = class_pitch(r.portals);
    const path_length *const row = r.all + static_cast<int64_t>(r.start + own) * class_size(&r);
    path_length *const to = r.portal_row + static_cast<int64_t>(source - r.first_source) * pitch;
    LaneTotal total;
    for (int32_t i = lane; i < r.own; i += warp_lanes)
        total.add(row[r.start + i]);
    for (int32_t i = lane; i < pitch; i += warp_lanes)
        to[i] = row[i];
    total.template gather<warp_lanes>();
    if (lane == 0)
        total.add_to(&g.total[source]);
}

// Keeps the labels of own vertices that are sources, CLASS_TILE vertices side by side. Blocks with
// different blockIdx.y take different vertices of these.
template <int lanes>
__global__ void __launch_bounds__(threads)
    keep_own_labels(Graph g, ClassParts parts, RegionLabels labels) {
    DYNAMIC_SHARED(path_length, shared);
    const Part part = part_of(parts);
    const Region &r = g.region[part.region];
    if (!labels.has(r))
        return;
    RegionSweep<lanes> s(g, r, shared, labels.stride);
    const int32_t first = first_row(part, CLASS_TILE), size = class_size(&r);
    const int32_t group = static_cast<int32_t>(threadIdx.x) / lanes;
    const int32_t pitch = class_pitch(r.portals);
    path_length *const to = labels_of(g, part, r);
    const int32_t lane = static_cast<int32_t>(blockIdx.y) * RegionSweep<lanes>::groups + group;
    const int32_t own = min(first + lane, r.own - 1);
    const int32_t source = own == first + lane ? source_at(g, r, own) : -1;
    if (!__syncthreads_or(source >= 0))
        return;
    if (r.all == nullptr)
        s.all(r.width + own);
    else
        s.copy(r.all + static_cast<int64_t>(r.start + own) * size);
    if (source < 0)
        return;
    for (int32_t i = s.lane; i < size; i += lanes)
        to[i * CLASS_TILE + lane] = s.label[i];
    for (int32_t i = s.lane; i < pitch; i += lanes)
        r.portal_row[static_cast<int64_t>(source - r.first_source) * pitch + i] = s.label[i];
}

__global__ void __launch_bounds__(threads) climb_own(Graph g, int32_t first) {
    const Region &r = g.region[first + static_cast<int32_t>(blockIdx.x)];
    const int32_t lane = static_cast<int32_t>(threadIdx.x) % warp_lanes;
    const int32_t own =
        static_cast<int32_t>(blockIdx.y) * warps + static_cast<int32_t>(threadIdx.x) / warp_lanes;
    if (own >= r.own)
        return;
    const int32_t source = source_at(g, r, own);
    if (source < 0)
        return;
    for (int32_t i = lane; i < r.start; i += warp_lanes)
        r.climbed[static_cast<int64_t>(source - r.first_source) * r.start + i] =
            r.up[static_cast<int64_t>(own) * r.start + i];
}

// Products ----------------------------------------------------------------------------------------

constexpr int deep = 16;  // number of terms of the sums that are in shared memory at a time
constexpr int beside = 8; // number of threads that have the same rows
constexpr int own_rows = tile * beside / threads, own_columns = tile / beside; // cells of a thread
constexpr int part_columns = own_columns / 2; // columns of a thread in each half of a tile
static_assert(own_rows == 4 && part_columns == 4, "a thread reads vectors of four");

struct Tiles {
    alignas(16) path_length left[deep][tile];
    alignas(16) path_length right[deep][tile];
};

// Operands of a product: `rows` rows of `inner` cells on the left, and `columns` columns on the
// right.
struct Factors {
    const path_length *left;
    int32_t rows, inner, columns;
};

// Multiplies over (min, +): finds the thread's cells in the first halves of the tile that begins at
// `column`, one half or two. right(k, c) returns four cells of row k of the matrix on the right,
// from column c on.
template <int halves, typename Right>
__device__ __forceinline__ void multiply(const Factors &f, const Right &right, int32_t column,
                                         Tiles *tiles,
                                         path_length (&cell)[own_rows][halves * part_columns]) {
    const int thread = static_cast<int>(threadIdx.x);
    const int32_t pitch = class_pitch(f.inner);
    const int row = thread % tile, down = thread / beside * own_rows;
    const int across = thread % beside * part_columns;
    // Number of vectors in a row of the halves, and numbers of vectors that a thread loads.
    constexpr int fours = halves * tile / 8, steps = deep * tile / threads / 4;
    constexpr int right_steps = deep * fours / threads;
    static_assert(right_steps > 0, "all threads load");
#pragma unroll
    for (int r = 0; r < own_rows; r++) {
#pragma unroll
        for (int c = 0; c < halves * part_columns; c++)
            cell[r][c] = LENGTH_INF;
    }
    for (int32_t first = 0; first < f.inner; first += deep) {
        const int32_t count = min(deep, f.inner - first);
        __syncthreads();
#pragma unroll
        for (int step = 0; step < steps; step++) {
            const int k = (thread / tile * steps + step) * 4;
            if (k < count) {
                four_lengths four = {LENGTH_INF, LENGTH_INF, LENGTH_INF, LENGTH_INF};
                if (row < f.rows)
                    four = four_of(f.left + static_cast<int64_t>(row) * pitch + first + k);
                tiles->left[k][row] = four.x;
                tiles->left[k + 1][row] = four.y;
                tiles->left[k + 2][row] = four.z;
                tiles->left[k + 3][row] = four.w;
            }
        }
#pragma unroll
        for (int step = 0; step < right_steps; step++) {
            const int k = thread / fours + step * (threads / fours), to = thread % fours * 4;
            if (k < count && column + to < f.columns)
                put_four(&tiles->right[k][to], right(first + k, column + to));
        }
        __syncthreads();
#pragma unroll 4
        for (int32_t k = 0; k < count; k++) {
            const four_lengths a = four_of(&tiles->left[k][down]);
            const path_length from[own_rows] = {a.x, a.y, a.z, a.w};
#pragma unroll
            for (int half = 0; half < halves; half++) {
                const four_lengths b = four_of(&tiles->right[k][across + half * (tile / 2)]);
                const path_length to[part_columns] = {b.x, b.y, b.z, b.w};
#pragma unroll
                for (int r = 0; r < own_rows; r++) {
#pragma unroll
                    for (int q = 0; q < part_columns; q++) {
                        path_length *const at = &cell[r][half * part_columns + q];
                        *at = least_sum(from[r], to[q], *at);
                    }
                }
            }
        }
    }
}

// Multiplies over (min, +) all columns. take(column, half, cell) takes the thread's cells in a half
// of a tile, whose first column is `column`.
template <typename Right, typename Take>
__device__ __forceinline__ void multiply_all(const Factors &f, const Right &right, Tiles *tiles,
                                             const Take &take) {
    int32_t column = 0;
    for (; column + tile / 2 < f.columns; column += tile) {
        path_length cell[own_rows][own_columns];
        multiply<2>(f, right, column, tiles, cell);
        take(column, 0, cell);
        take(column + tile / 2, 1, cell);
    }
    if (column < f.columns) {
        path_length cell[own_rows][part_columns];
        multiply<1>(f, right, column, tiles, cell);
        take(column, 0, cell);
    }
}

// Stores the cells of a row that lie in one half of the tile.
__device__ __forceinline__ void put_half(path_length *to, const path_length *cell) {
    put_four(to, {cell[0], cell[1], cell[2], cell[3]});
}

// Returns the operands for the sources in region `inside` that the block takes from a part. *first:
// number of the first of these sources.
__device__ __forceinline__ Factors sources_of(const Part &part, const Region &inside,
                                              int32_t columns, int32_t *first) {
    *first = first_row(part, tile);
    return {inside.climbed + static_cast<int64_t>(*first) * inside.start,
            min(tile, inside.sources - *first), inside.width, columns};
}

__global__ void __launch_bounds__(threads) climb(Graph g, ClassParts parts) {
    DYNAMIC_SHARED(Tiles, tiles);
    const Part part = part_of(parts);
    const Region &r = g.region[part.region], &inside = g.region[part.inside];
    const int thread = static_cast<int>(threadIdx.x);
    const int32_t down = thread / beside * own_rows, across = thread % beside * part_columns;
    int32_t first;
    const Factors f = sources_of(part, inside, r.start, &first);
    path_length *const to =
        r.climbed + static_cast<int64_t>(inside.first_source - r.first_source + first) * r.start;
    const auto right = [&](int32_t k, int32_t column) {
        const int32_t number = inside.outer[k];
        if (number >= r.start)
            return four_of(r.up + static_cast<int64_t>(number - r.start) * r.start + column);
        return four_lengths{start_at(number == column), start_at(number == column + 1),
                            start_at(number == column + 2), start_at(number == column + 3)};
    };
    multiply_all(f, right, tiles, [&](int32_t column, int half, const auto &cell) {
        const int32_t at = column + across;
#pragma unroll
        for (int k = 0; k < own_rows; k++) {
            if (down + k < f.rows && at < f.columns)
                put_half(to + static_cast<int64_t>(down + k) * r.start + at,
                         &cell[k][half * part_columns]);
        }
    });
}

// Takes the cells of rows of a region from a product whose column c is the vertex with the number
// base + c. Keeps all labels, or adds up the distances to own vertices.
template <bool keeps>
struct Taker {
    const Region &r;
    int32_t base, row; // number of the vertex of column 0, and index in the region of the block's
                       // first row
    path_length *label;
    LaneTotal total[own_rows];

    __device__ Taker(const Region &region, int32_t number, int32_t first, path_length *labels)
        : r(region), base(number), row(first), label(labels) {
    }
    // Takes the thread's cells in one half of the tile.
    template <int columns>
    __device__ __forceinline__ void take(const Factors &f, int32_t down, int32_t column, int half,
                                         const path_length (&cell)[own_rows][columns]) {
        const int32_t number = base + column, pitch = class_pitch(r.portals);
        if (column >= f.columns)
            return;
#pragma unroll
        for (int c = 0; c < part_columns && keeps; c++) {
            const int at = half * part_columns + c;
            put_four(label + (number + c) * tile + down,
                     {cell[0][at], cell[1][at], cell[2][at], cell[3][at]});
        }
#pragma unroll
        for (int k = 0; k < own_rows; k++) {
            const path_length *const own = &cell[k][half * part_columns];
            if (number >= r.start && !keeps) /* columns beyond the last are LENGTH_INF */
                total[k].add_four(own);
            if (number < pitch && down + k < f.rows)
                put_half(r.portal_row + static_cast<int64_t>(row + down + k) * pitch + number, own);
        }
    }
};

template <bool keeps, typename Right>
__device__ __forceinline__ void take_rows(const Factors &f, const Right &right, Tiles *tiles,
                                          Taker<keeps> *taker) {
    const int thread = static_cast<int>(threadIdx.x);
    const int32_t down = thread / beside * own_rows, across = thread % beside * part_columns;
    multiply_all(f, right, tiles, [&](int32_t column, int half, const auto &cell) {
        taker->take(f, down, column + across, half, cell);
    });
#pragma unroll
    for (int k = 0; k < own_rows && !keeps; k++)
        taker->total[k].template gather<beside>();
}

template <bool keeps>
__global__ void __launch_bounds__(threads) take_source_rows(Graph g, ClassParts parts) {
    DYNAMIC_SHARED(Tiles, tiles);
    const Part part = part_of(parts);
    const Region &r = g.region[part.region], &inside = g.region[part.inside];
    const int32_t size = class_size(&r);
    int32_t first;
    const Factors f = sources_of(part, inside, size, &first);
    Taker<keeps> taker(r, 0, inside.first_source - r.first_source + first,
                       keeps ? labels_of(g, part, r) : nullptr);
    take_rows(
        f,
        [&](int32_t k, int32_t column) {
            return four_of(r.all + static_cast<int64_t>(inside.outer[k]) * size + column);
        },
        tiles, &taker);
    const int32_t down = static_cast<int32_t>(threadIdx.x) / beside * own_rows;
#pragma unroll
    for (int k = 0; k < own_rows && !keeps; k++) {
        if (threadIdx.x % beside == 0 && down + k < f.rows)
            taker.total[k].add_to(&g.total[inside.first_source + first + down + k]);
    }
}

// Copies the distances of rows of classes to the boundary: to labels, side by side by rows, and to
// the portals' rows.
template <bool keeps>
__device__ __forceinline__ void copy_boundary(const Region &r, const Factors &f, int32_t first,
                                              path_length *label) {
    const int32_t thread = static_cast<int32_t>(threadIdx.x);
    const int32_t row = thread % tile;
    for (int32_t b = thread / tile * 4; b < r.start && row < f.rows && keeps;
         b += threads / tile * 4) {
        const four_lengths four = four_of(f.left + static_cast<int64_t>(row) * r.start + b);
#pragma unroll
        for (int k = 0; k < 4; k++)
            label[(b + k) * tile + row] = cell_of(four, k);
    }
    const int32_t pitch = class_pitch(r.portals);
    for (int32_t k = thread / warp_lanes; k < f.rows && r.portals > 0; k += warps) {
        const path_length *const from = f.left + static_cast<int64_t>(k) * r.start;
        path_length *const to = r.portal_row + static_cast<int64_t>(r.sources + first + k) * pitch;
        for (int32_t b = thread % warp_lanes; b < r.start; b += warp_lanes)
            to[b] = from[b];
    }
}

template <bool keeps>
__global__ void __launch_bounds__(threads) take_class_rows(Graph g, ClassParts parts) {
    DYNAMIC_SHARED(Tiles, tiles);
    const Part part = part_of(parts);
    const Region &r = g.region[part.region];
    const int32_t first = first_row(part, tile);
    const int32_t pitch = class_pitch(r.own);
    const Factors f = {r.class_row + static_cast<int64_t>(first) * r.start,
                       min(tile, r.classes - first), r.width, pitch};
    Taker<keeps> taker(r, r.start, r.sources + first, keeps ? labels_of(g, part, r) : nullptr);
    copy_boundary<keeps>(r, f, first, taker.label);
    take_rows(
        f,
        [&](int32_t k, int32_t column) {
            return four_of(r.down + static_cast<int64_t>(k) * pitch + column);
        },
        tiles, &taker);
    const int32_t down = static_cast<int32_t>(threadIdx.x) / beside * own_rows;
#pragma unroll
    for (int k = 0; k < own_rows && !keeps; k++) {
        if (threadIdx.x % beside == 0 && down + k < f.rows)
            r.total[first + down + k] = taker.total[k].value();
    }
}

// Totals of classes ------------------------------------------------------------------------------

__global__ void __launch_bounds__(threads) add_classes(Graph g, ClassParts parts) {
    const Part part = part_of(parts);
    const Region &r = g.region[part.region];
    const int32_t row = first_row(part, CLASS_ROWS) + static_cast<int32_t>(threadIdx.x);
    if (row >= r.sources + r.classes)
        return;
    LaneTotal total;
    for (int32_t c = r.first_child; c < r.first_child + r.children; c++) {
        const Region &inside = g.region[c];
        const class_reference own = inside.reference[row];
        const int32_t number = class_of(inside, own);
        if (number >= 0)
            total.add(inside.total[number], own.constant);
    }
    total.add_to(row < r.sources ? &g.total[r.first_source + row] : &r.total[row - r.sources]);
}
static_assert(CLASS_ROWS == threads, "a thread for each row");

// Launching ---------------------------------------------------------------------------------------

// Numbers of threads that sweep together. With `many`, a block runs fewer sweeps, so each has room
// for more labels in the shared memory that every GPU has.
constexpr int few = 8, many = warp_lanes;
#ifdef CUDA_SHIM
constexpr size_t every_gpu = 6 << 10; // low, so that small test graphs have large regions
#else
constexpr size_t every_gpu = 48 << 10;
#endif
// Most labels of a region of which `few` threads sweep together.
constexpr int32_t small = every_gpu / sizeof(path_length) / RegionSweep<few>::groups - 1;

// Launches a kernel for regions of up to `small` labels, and one for larger ones. grid(groups)
// returns the blocks that are needed if a block runs `groups` sweeps.
template <typename Few, typename Many, typename Grid, typename... Arguments>
enum status sweep(Few with_few, Many with_many, int32_t largest, const Grid &grid,
                  struct error *err, Arguments... arguments) {
    const auto launch_for = [&](auto kernel, int32_t above, int32_t most, int32_t groups) {
        const int32_t stride = most | 1;
        const size_t bytes =
            static_cast<size_t>(groups) * static_cast<size_t>(stride) * sizeof(path_length);
        if (bytes > every_gpu)
            RETURN_ON_FAILURE(allow_shared(kernel, bytes, err));
        return launch(err, kernel, grid(groups), dim3(threads), bytes, arguments...,
                      RegionLabels{above, stride});
    };
    RETURN_ON_FAILURE(launch_for(with_few, 0, min(largest, small), RegionSweep<few>::groups));
    return largest <= small ? STATUS_OK
                            : launch_for(with_many, small, largest, RegionSweep<many>::groups);
}

// Returns whether the regions have no own vertices. The outermost one has none if each component of
// the graph lies in a region inside it.
bool is_empty(const class_range &range) {
    return range.count == 0 || range.largest == 0;
}

template <typename Few, typename Many>
enum status sweep_regions(Few with_few, Many with_many, const class_graph *g,
                          const class_range &range, struct error *err) {
    const auto grid = [&](int32_t groups) {
        return dim3(static_cast<unsigned>(range.count), tiles_covering(range.largest, groups));
    };
    return is_empty(range) ? STATUS_OK
                           : sweep(with_few, with_many, range.largest, grid, err, *g, range.first);
}

template <typename Kernel>
enum status take_own(Kernel kernel, const class_graph *g, const class_range &range,
                     struct error *err) {
    return is_empty(range) ? STATUS_OK
                           : launch(err, kernel,
                                    dim3(static_cast<unsigned>(range.count),
                                         tiles_covering(range.largest, warps)),
                                    dim3(threads), 0, *g, range.first);
}

} // namespace

enum status class_largest(int32_t *largest, struct error *err) {
    size_t bytes = 0;
    RETURN_ON_FAILURE(shared_limit(&bytes, err));
    *largest = static_cast<int32_t>(bytes / sizeof(path_length)) / RegionSweep<many>::groups - 1;
    return STATUS_OK;
}

enum status class_close(const struct class_graph *g, struct class_range range, struct error *err) {
    return sweep_regions(close_regions<few>, close_regions<many>, g, range, err);
}

enum status class_find_all(const struct class_graph *g, struct class_range range,
                           struct error *err) {
    return sweep_regions(find_all<few>, find_all<many>, g, range, err);
}

enum status class_climb(const struct class_graph *g, const struct class_parts *parts,
                        struct error *err) {
    return launch_parts(climb, g, parts, sizeof(Tiles), err);
}

enum status class_climb_own(const struct class_graph *g, struct class_range range,
                            struct error *err) {
    return take_own(climb_own, g, range, err);
}

enum status class_source_rows(const struct class_graph *g, const struct class_parts *parts,
                              struct error *err) {
    return launch_parts(g->label != nullptr ? take_source_rows<true> : take_source_rows<false>, g,
                        parts, sizeof(Tiles), err);
}

enum status class_class_rows(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err) {
    return launch_parts(g->label != nullptr ? take_class_rows<true> : take_class_rows<false>, g,
                        parts, sizeof(Tiles), err);
}

enum status class_own_rows(const struct class_graph *g, struct class_range range,
                           struct error *err) {
    RETURN_ON_FAILURE(take_own(take_own_rows, g, range, err));
    return sweep_regions(sweep_own_rows<few>, sweep_own_rows<many>, g, range, err);
}

enum status class_own_labels(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err) {
    const auto grid = [&](int32_t groups) {
        return dim3(static_cast<unsigned>(parts->blocks), tiles_covering(CLASS_TILE, groups));
    };
    return parts->blocks == 0 ? STATUS_OK
                              : sweep(keep_own_labels<few>, keep_own_labels<many>, g->largest, grid,
                                      err, *g, *parts);
}

enum status class_add(const struct class_graph *g, const struct class_parts *parts,
                      struct error *err) {
    return launch_parts(add_classes, g, parts, 0, err);
}
