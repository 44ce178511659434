// SPDX-License-Identifier: MIT
#include "classes/gpu/class_parts.cuh" // part_of, first_row
#include "gpu/launch/lengths.cuh"      // lesser

#include <math.h>

namespace {

// Returns the factor by which a mass at a distance counts: exp(-distance * rate).
__device__ __forceinline__ double factor_of(path_length distance, double rate) {
    return exp(-(static_cast<double>(distance) * rate));
}

// Own vertices ------------------------------------------------------------------------------------

constexpr int deep = 32;                          // number of targets at a time
constexpr int beside = 8;                         // number of threads that have the same rows
constexpr int own_rows = tile * beside / threads; // number of rows of a thread
constexpr int most_each = 4;                      // most masses of a thread
static_assert(own_rows == 4 && threads % tile == 0, "a thread reads two pairs of factors");

// A block's shared memory for some targets.
struct Terms {
    alignas(16) double factor[deep][tile]; // exp(-distance * rate) of each target and row
    double mass[deep][beside * most_each]; // some of the masses of each target
    path_length least[tile];               // least distance of each row from the boundary
    double *numbers[tile];                 // numbers of each row; nullptr: no such row
};

// Returns the numbers of a row of a part; nullptr: the row has no source.
__device__ __forceinline__ double *numbers_of(const Graph &g, const Part &part, const Region &r,
                                              int32_t row) {
    const int64_t width = class_values_width(&g.values);
    int32_t source = -1;
    if (part.inside == CLASS_CLASSES)
        return row < r.classes ? r.value + row * width : nullptr;
    if (part.inside == CLASS_OWN)
        source = row < r.own ? source_at(g, r, row) : -1;
    else if (row < g.region[part.inside].sources)
        source = g.region[part.inside].first_source + row;
    return source < 0 ? nullptr : g.values.value + source * width;
}

// Finds the rows of a block and their least distances from the boundary, to which labels of classes
// become relative.
__device__ __forceinline__ void find_rows(const Graph &g, const Part &part, const Region &r,
                                          const path_length *label, Terms *terms) {
    const int thread = static_cast<int>(threadIdx.x);
    if (thread >= tile)
        return;
    const int32_t row = first_row(part, tile) + thread;
    double *const numbers = numbers_of(g, part, r, row);
    path_length least = 0;
    if (part.inside == CLASS_CLASSES && numbers != nullptr) {
        least = LENGTH_INF;
        for (int32_t b = 0; b < r.width; b++)
            least = lesser(least, label[b * tile + thread]);
        r.least[row] = least;
    }
    terms->least[thread] = least;
    terms->numbers[thread] = numbers;
}

// Finds the factors of targets first .. first + deep - 1, and their masses from mass `column` on.
template <int each>
__device__ __forceinline__ void load(const Graph &g, const Region &r, const path_length *label,
                                     int32_t first, int32_t column, double rate, Terms *terms) {
    constexpr int columns = beside * each;
    const int thread = static_cast<int>(threadIdx.x), row = thread % tile;
    const path_length least = terms->least[row];
    const bool is_there = terms->numbers[row] != nullptr;
#pragma unroll 4
    for (int k = thread / tile; k < deep; k += threads / tile) {
        path_length cell = LENGTH_INF;
        if (first + k < r.own && is_there)
            cell = label[(r.start + first + k) * tile + row];
        terms->factor[k][row] = cell < LENGTH_INF ? factor_of(cell - least, rate) : 0;
    }
    for (int k = thread; k < deep * columns; k += threads) {
        const int32_t target = first + k / columns, mass = column + k % columns;
        double value = 0;
        if (target < r.own && mass < g.values.masses)
            value =
                g.values
                    .mass[static_cast<int64_t>(g.position[r.first_own + target]) * g.values.masses +
                          mass];
        terms->mass[k / columns][k % columns] = value;
    }
}

// Adds terms to a thread's sums, for own_rows rows and every `beside`th mass.
template <int each>
__device__ __forceinline__ void multiply(const Terms *terms, double (&sum)[own_rows][each]) {
    const int down = static_cast<int>(threadIdx.x) / beside * own_rows;
    const int across = static_cast<int>(threadIdx.x) % beside;
#pragma unroll 8
    for (int k = 0; k < deep; k++) {
        const double2 low = *reinterpret_cast<const double2 *>(&terms->factor[k][down]);
        const double2 high = *reinterpret_cast<const double2 *>(&terms->factor[k][down + 2]);
        const double factor[own_rows] = {low.x, low.y, high.x, high.y};
#pragma unroll
        for (int c = 0; c < each; c++) {
            const double mass = terms->mass[k][across + c * beside];
#pragma unroll
            for (int row = 0; row < own_rows; row++)
                sum[row][c] += factor[row] * mass;
        }
    }
}

// Adds to the numbers of rows whose labels are kept the sums over own vertices, in the order of the
// vertices' numbers.
template <int each>
__global__ void __launch_bounds__(threads) take_values(Graph g, ClassParts parts) {
    DYNAMIC_SHARED(Terms, terms);
    const Part part = part_of(parts);
    const Region &r = g.region[part.region];
    const path_length *const label = labels_of(g, part, r);
    const int down = static_cast<int>(threadIdx.x) / beside * own_rows;
    const int across = static_cast<int>(threadIdx.x) % beside;
    const int32_t masses = g.values.masses;
    find_rows(g, part, r, label, terms);
    __syncthreads(); // a region may have no own vertices
    for (int32_t j = 0; j < g.values.decays; j++) {
        for (int32_t column = 0; column < masses; column += beside * each) {
            double sum[own_rows][each] = {};
            for (int32_t first = 0; first < r.own; first += deep) {
                __syncthreads();
                load<each>(g, r, label, first, column, g.values.rate[j], terms);
                __syncthreads();
                multiply<each>(terms, sum);
            }
#pragma unroll
            for (int k = 0; k < own_rows * each; k++) {
                const int32_t mass = column + across + k % each * beside;
                double *const to = terms->numbers[down + k / each];
                if (to != nullptr && mass < masses)
                    to[static_cast<int64_t>(j) * masses + mass] += sum[k / each][k % each];
            }
        }
    }
}

// Regions inside ----------------------------------------------------------------------------------

constexpr int per = 4;                 // numbers that a thread takes at a time
constexpr int pass = per * warp_lanes; // numbers that a warp takes at a time

// Some references of a row to classes: where the numbers of each class are, by how much the row's
// distances are longer than the class's, and the factors of these constants.
struct References {
    const double *from[warp_lanes];
    path_length constant[warp_lanes];
    double factor[pass];
};

// The numbers first .. end - 1 of a row, whose decays are decay .. decay + decays - 1.
struct NumberSpan {
    int32_t first, end, decay, decays;
};

// Finds the references of a row to classes in the inner regions first .. first + count - 1 that the
// row reaches. The row's numbers are relative to `least`. Returns the number of references.
__device__ __forceinline__ int find_references(const Graph &g, int32_t first, int count,
                                               int32_t row, path_length least, References *to) {
    const int lane = static_cast<int>(threadIdx.x) % warp_lanes;
    const double *from = nullptr;
    path_length constant = 0;
    if (lane < count) {
        const Region &inside = g.region[first + lane];
        const class_reference own = inside.reference[row];
        const int32_t number = class_of(inside, own);
        if (number >= 0) {
            from = inside.value + number * class_values_width(&g.values);
            constant = own.constant + inside.least[number] - least;
        }
    }
    const unsigned votes = votes_of_warp(from != nullptr);
    if (from != nullptr) {
        const int place = bits_set(votes & ((1u << lane) - 1));
        to->from[place] = from;
        to->constant[place] = constant;
    }
    return bits_set(votes);
}

// Adds to some numbers of a row the numbers of its classes in the regions inside, in the order of
// the regions.
__device__ __forceinline__ void add_row(const Graph &g, const Region &r, int32_t row,
                                        const NumberSpan &n, const int32_t (&decay)[per],
                                        References *some) {
    const int lane = static_cast<int>(threadIdx.x) % warp_lanes;
    const int together = min(pass / n.decays, warp_lanes);
    const path_length least = row < r.sources ? 0 : r.least[row - r.sources];
    double sum[per] = {};
    for (int32_t c = 0; c < r.children; c += together) {
        sync_warp();
        const int count =
            find_references(g, r.first_child + c, min(together, r.children - c), row, least, some);
        sync_warp();
        for (int k = lane; k < count * n.decays; k += warp_lanes)
            some->factor[k] =
                factor_of(some->constant[k / n.decays], g.values.rate[n.decay + k % n.decays]);
        sync_warp();
#pragma unroll 4
        for (int k = 0; k < count; k++) {
            const double *const from = some->from[k] + n.first + lane;
#pragma unroll
            for (int p = 0; p < per; p++) {
                if (n.first + p * warp_lanes + lane < n.end)
                    sum[p] += some->factor[k * n.decays + decay[p]] * from[p * warp_lanes];
            }
        }
    }
    const int64_t width = class_values_width(&g.values);
    double *const to = row < r.sources ? g.values.value + (r.first_source + row) * width
                                       : r.value + (row - r.sources) * width;
#pragma unroll
    for (int p = 0; p < per; p++) {
        const int32_t number = n.first + p * warp_lanes + lane;
        if (number < n.end)
            to[number] += sum[p];
    }
}

// Each warp takes a row at a time, each block CLASS_ROWS rows.
__global__ void __launch_bounds__(threads) add_values(Graph g, ClassParts parts) {
    DYNAMIC_SHARED(References, references);
    const Part part = part_of(parts);
    const Region &r = g.region[part.region];
    const int32_t warp = static_cast<int32_t>(threadIdx.x) / warp_lanes;
    const int32_t lane = static_cast<int32_t>(threadIdx.x) % warp_lanes;
    const int32_t first = first_row(part, CLASS_ROWS), masses = g.values.masses;
    const int32_t end = min(first + CLASS_ROWS, r.sources + r.classes);
    const auto width = static_cast<int32_t>(class_values_width(&g.values));
    NumberSpan n = {};
    for (n.first = 0; n.first < width; n.first += pass) {
        int32_t decay[per];
        n.end = min(n.first + pass, width);
        n.decay = n.first / masses;
        n.decays = (n.end - 1) / masses + 1 - n.decay;
#pragma unroll
        for (int p = 0; p < per; p++)
            decay[p] = min(n.first + p * warp_lanes + lane, n.end - 1) / masses - n.decay;
        for (int32_t row = first + warp; row < end; row += warps)
            add_row(g, r, row, n, decay, references + warp);
    }
}

// Returns the number of masses of a thread: the fewest with which the masses fit into the fewest
// tiles.
int32_t masses_each(int32_t masses) {
    constexpr int32_t most = beside * most_each;
    const int32_t tiles = (masses + most - 1) / most;
    return (masses + tiles * beside - 1) / (tiles * beside);
}

} // namespace

enum status class_take_values(const struct class_graph *g, const struct class_parts *parts,
                              struct error *err) {
    using Kernel = void (*)(Graph, ClassParts);
    static constexpr Kernel kernels[most_each] = {take_values<1>, take_values<2>, take_values<3>,
                                                  take_values<4>};
    return launch_parts(kernels[masses_each(g->values.masses) - 1], g, parts, sizeof(Terms), err);
}

enum status class_add_values(const struct class_graph *g, const struct class_parts *parts,
                             struct error *err) {
    return launch_parts(add_values, g, parts, warps * sizeof(References), err);
}
