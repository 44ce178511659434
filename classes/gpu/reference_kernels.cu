// SPDX-License-Identifier: MIT
// Finds the classes of rows. A block loads some rows into shared memory, and each of its warps
// finds their classes in some of the regions inside: all rows at the same time, with a lane or more
// for each of them.
#include "classes/gpu/class_parts.cuh" // part_of, first_row

#include "gpu/launch/flags.cuh"   // compare_and_set, fetch_add, load_relaxed
#include "gpu/launch/launch.cuh"  // DYNAMIC_SHARED
#include "gpu/launch/lengths.cuh" // lesser
#include "gpu/launch/warp.cuh"    // votes_of_warp, from_lane, from_across

namespace {

__device__ __forceinline__ int32_t lane_number() {
    return static_cast<int32_t>(threadIdx.x) % warp_lanes;
}

// Cells -------------------------------------------------------------------------------------------

constexpr int searchers = 256; // number of threads of a block that finds classes
constexpr int search_warps = searchers / warp_lanes;

// A vertex of a boundary.
struct Vertex {
    uint32_t factor; // its factor in hashes
    int32_t portal;  // its number in the region around
};

// A warp's part of the shared memory: up to warp_lanes vertices of a boundary.
struct Vertices {
    Vertex at[warp_lanes];
};

// Returns the distance between two rows in shared memory. It is odd, so that lanes that read the
// same portal of different rows use different banks.
__host__ __device__ __forceinline__ int32_t stride_of(const Region &r) {
    return class_pitch(r.portals) | 1;
}

// Up to `each` rows of a region, whose cells are in the shared memory of a block. All warps have
// the same rows, `lanes` lanes for each of them.
template <int each>
struct BlockRows {
    static constexpr int lanes = warp_lanes / each;

    const path_length *portal_row; // all rows of the region
    int32_t pitch, stride;
    int32_t first, count; // number of the first row, and number of rows
    Vertex *vertex;       // the warp's memory for warp_lanes vertices of a boundary
    path_length *cell;    // cells of these rows in shared memory; rows are `stride` cells apart

    __device__ BlockRows(const Part &part, const Region &r, Vertices *shared)
        : portal_row(r.portal_row), pitch(class_pitch(r.portals)), stride(stride_of(r)),
          first(first_row(part, each)), count(min(each, r.sources + r.classes - first)) {
        const int32_t warp = static_cast<int32_t>(threadIdx.x) / warp_lanes;
        vertex = shared[warp].at;
        cell = reinterpret_cast<path_length *>(shared + search_warps);
        if constexpr (each >= search_warps) {
            for (int32_t k = warp; k < count; k += search_warps)
                load_row(k, lane_number(), warp_lanes);
        } else {
            for (int32_t k = 0; k < count; k++)
                load_row(k, static_cast<int32_t>(threadIdx.x), searchers);
        }
        __syncthreads();
    }
    __device__ __forceinline__ void load_row(int32_t k, int32_t from, int32_t step) const {
#pragma unroll 4
        for (int32_t at = from; at < pitch; at += step)
            cell[k * stride + at] = *cell_at(first + k, at);
    }
    __device__ __forceinline__ const path_length *cell_at(int32_t row, int32_t portal) const {
        return portal_row + static_cast<int64_t>(row) * pitch + portal;
    }
};

// Hashes ------------------------------------------------------------------------------------------

#ifdef LENGTH_F64
using hash_word = uint64_t;

// Returns a finite cell as a whole number, and a fixed other number for an infinite one.
__device__ __forceinline__ hash_word number_of(path_length cell) {
    return cell < LENGTH_INF ? static_cast<hash_word>(static_cast<int64_t>(cell))
                             : 0x9e3779b97f4a7c15u;
}

__device__ __forceinline__ uint32_t folded(hash_word sum) {
    return static_cast<uint32_t>(sum) ^ static_cast<uint32_t>(sum >> 32) * 0x9e3779b1u;
}
#else
using hash_word = uint32_t;

__device__ __forceinline__ hash_word number_of(path_length cell) {
    return static_cast<hash_word>(cell);
}

__device__ __forceinline__ uint32_t folded(hash_word sum) {
    return sum;
}
#endif

// Returns an odd factor for boundary vertex b; no factor is a small multiple of another.
__device__ __forceinline__ uint32_t factor_of(int32_t b) {
    uint32_t by = (static_cast<uint32_t>(b) + 1) * 0x9e3779b1u;
    by = (by ^ by >> 15) * 0x85ebca6bu;
    return (by ^ by >> 13) | 1;
}

// A hash of the cells of a row at a boundary, equal for all rows that differ by a constant.
struct Hash {
    hash_word sum = 0, factors = 0; // factors: sum of the factors of finite cells
    // The constant of the row: the first cell or, if not all cells are finite, the least one, which
    // is LENGTH_INF if none is. portal: where it is.
    path_length base = LENGTH_INF;
    int32_t portal = 0;

    // Joins what the lanes of a row have added.
    template <int lanes>
    __device__ __forceinline__ void gather() {
#pragma unroll
        for (int bits = 1; bits < lanes; bits *= 2) {
            sum += from_across(sum, bits);
            factors += from_across(factors, bits);
        }
    }
    __device__ __forceinline__ uint32_t value() const {
        // Every bit of a sum of products changes its highest bits. Here, each bit changes all
        // others.
        uint32_t word = folded(sum - factors * number_of(base));
        word = (word ^ word >> 15) * 0x2c1b3c6du;
        word = (word ^ word >> 12) * 0x297a2d39u;
        word ^= word >> 15;
#ifdef CUDA_SHIM
        word &= 0xc00000ff; // few bits, so that rows of small test graphs share them
#endif
        return word;
    }
};

// Calls add(cell, vertex) for those cells of the lane's row at the boundary of a region inside that
// are the lane's.
template <int each, typename Add>
__device__ __forceinline__ void add_cells(const BlockRows<each> &rows, const Region &inside,
                                          const Add &add) {
    constexpr int lanes = BlockRows<each>::lanes;
    const int32_t lane = lane_number();
    const path_length *const own = rows.cell + lane / lanes * rows.stride;
    for (int32_t from = 0; from < inside.width; from += warp_lanes) {
        const int32_t vertices = min(warp_lanes, inside.width - from);
        sync_warp();
        if (lane < vertices)
            rows.vertex[lane] = {factor_of(from + lane), inside.outer[from + lane]};
        sync_warp();
#pragma unroll 4
        for (int32_t k = lane % lanes; k < vertices; k += lanes) {
            const Vertex vertex = rows.vertex[k];
            add(own[vertex.portal], vertex);
        }
    }
}

// Returns the hash of the lane's row if some cells may be infinite.
template <int each>
__device__ Hash hash_of_some(const BlockRows<each> &rows, const Region &inside) {
    constexpr int lanes = BlockRows<each>::lanes;
    Hash hash;
    add_cells(rows, inside, [&](path_length cell, const Vertex &vertex) {
        hash.sum += number_of(cell) * vertex.factor;
        hash.factors += cell < LENGTH_INF ? vertex.factor : 0;
        hash.portal = cell < hash.base ? vertex.portal : hash.portal;
        hash.base = lesser(hash.base, cell);
    });
    hash.template gather<lanes>();
#pragma unroll
    for (int bits = 1; bits < lanes; bits *= 2) {
        const path_length other = from_across(hash.base, bits);
        const int32_t there = from_across(hash.portal, bits);
        if (other < hash.base || (other == hash.base && there < hash.portal)) {
            hash.base = other;
            hash.portal = there;
        }
    }
    return hash;
}

// Returns the hash of the lane's row at the boundary of a region inside, if a class of it is
// wanted.
template <int each>
__device__ __forceinline__ Hash hash_of(const BlockRows<each> &rows, const Region &inside,
                                        bool searches) {
    constexpr int lanes = BlockRows<each>::lanes;
    Hash hash;
    hash.portal = inside.outer[0];
    hash.base = rows.cell[lane_number() / lanes * rows.stride + hash.portal];
    path_length most = hash.base;
    add_cells(rows, inside, [&](path_length cell, const Vertex &vertex) {
        hash.sum += number_of(cell) * vertex.factor;
        hash.factors += vertex.factor;
        most = larger(most, cell);
    });
    hash.template gather<lanes>();
#pragma unroll
    for (int bits = 1; bits < lanes; bits *= 2)
        most = larger(most, from_across(most, bits));
    if (votes_of_warp(searches && most >= LENGTH_INF) == 0)
        return hash;
    const Hash some = hash_of_some(rows, inside);
    return most < LENGTH_INF ? hash : some;
}

// Classes -----------------------------------------------------------------------------------------

// Returns whether a cell is another one plus a constant, or both are infinite.
__device__ __forceinline__ bool is_same(path_length mine, path_length theirs, path_length apart) {
    return mine < LENGTH_INF ? theirs < LENGTH_INF && mine - theirs == apart : theirs >= LENGTH_INF;
}

// Returns whether the lane's row has the cells of another row plus a constant at the boundary of a
// region. of: number of the other row; -1: there is none. Groups of `together` lanes compare one
// row after the other, because the cells of a row lie close together in memory.
template <int each>
__device__ bool is_proportional(const BlockRows<each> &rows, const Region &inside, int32_t of,
                                path_length constant) {
    constexpr int lanes = BlockRows<each>::lanes;
    const int32_t width = inside.width;
    int32_t together = warp_lanes;
    while (together / 2 >= max(width, lanes))
        together /= 2;
    const int32_t at = lane_number() & (together - 1), head = (lane_number() - at) / lanes;
    const path_length *const own = rows.cell + head * rows.stride;
    uint32_t wrong = 0; // a bit for each row that these lanes compare
    for (int32_t from = 0; from < width; from += together) {
        const int32_t b = from + at, portal = b < width ? inside.outer[b] : 0;
#pragma unroll 8
        for (int32_t k = 0; k < together / lanes; k++) {
            const int32_t other = from_lane(of, (head + k) * lanes);
            const path_length apart = from_lane(constant, (head + k) * lanes);
            if (other >= 0 && b < width &&
                !is_same(own[k * rows.stride + portal], *rows.cell_at(other, portal), apart))
                wrong |= 1u << k;
        }
    }
    for (int32_t bits = 1; bits < together; bits *= 2)
        wrong |= from_across(wrong, bits);
    return of >= 0 && (wrong >> at / lanes & 1) == 0;
}

// Looks in the table from slot *at on for a class with the bits of this hash, and moves *at to its
// slot. Returns the row that stands for that class; -1: there was none, so the row `row` takes the
// slot and stands for a new class.
__device__ __forceinline__ int32_t row_of_class(const Region &inside, int32_t row, uint32_t hash,
                                                uint32_t *at) {
    const uint32_t bits = hash & ~inside.mask;
    for (;; ++*at) {
        uint32_t *const slot = &inside.slot[*at & inside.mask];
        uint32_t there = load_relaxed(slot);
        if (there == 0)
            there = compare_and_set(slot, 0, bits | (static_cast<uint32_t>(row) + 1));
        if (there == 0)
            return -1;
        if ((there & ~inside.mask) == bits)
            return static_cast<int32_t>(there & inside.mask) - 1;
    }
}

// Finds the classes of a block's rows at the boundary of region c. searches: a class of the lane's
// row is wanted. Returns the reference of the lane's row.
template <int each>
__device__ __forceinline__ class_reference find_class(const BlockRows<each> &rows, const Graph &g,
                                                      int32_t c, bool searches) {
    constexpr int lanes = BlockRows<each>::lanes;
    const Region &inside = g.region[c];
    const int32_t lane = lane_number(), head = lane / lanes * lanes,
                  row = rows.first + lane / lanes;
    class_reference found = {CLASS_NONE, 0};
    if (inside.width == 0 || votes_of_warp(searches) == 0)
        return found;
    const Hash hash = hash_of(rows, inside, searches);
    searches = searches && hash.base < LENGTH_INF;
    const uint32_t word = hash.value();
    bool begins = false;
    for (uint32_t at = word; votes_of_warp(searches) != 0; at++) {
        int32_t of = -1;
        if (searches && lane == head)
            of = row_of_class(inside, row, word, &at);
        of = from_lane(of, head);
        begins = begins || (searches && of < 0);
        searches = searches && of >= 0;
        if (votes_of_warp(searches) == 0)
            break;
        const path_length constant =
            searches ? hash.base - *rows.cell_at(of, hash.portal) : LENGTH_INF;
        if (is_proportional(rows, inside, of, constant)) {
            found = {of, constant};
            searches = false;
        }
    }
    const unsigned votes = votes_of_warp(begins && lane == head), below = (1u << head) - 1;
    uint32_t number = 0;
    if (votes != 0 && lane == 0) // once: rows of many blocks begin classes of one region
        number = fetch_add(reinterpret_cast<uint32_t *>(&g.classes[c]),
                           static_cast<uint32_t>(bits_set(votes)));
    number = from_lane(number, 0) + static_cast<uint32_t>(bits_set(votes & below));
    if (begins && lane == head) {
        inside.named[number] = row;
        found.of = ~static_cast<int32_t>(number);
    }
    return found;
}

template <int each>
__global__ void __launch_bounds__(searchers) find_classes(Graph g, ClassParts parts) {
    DYNAMIC_SHARED(Vertices, shared);
    constexpr int lanes = BlockRows<each>::lanes;
    const Part part = part_of(parts);
    const Region &r = g.region[part.region];
    const BlockRows<each> rows(part, r, shared);
    const int32_t row = rows.first + lane_number() / lanes;
    const bool is_there = lane_number() / lanes < rows.count;
    for (int32_t k = static_cast<int32_t>(threadIdx.x) / warp_lanes; k < r.children;
         k += search_warps) {
        const Region &inside = g.region[r.first_child + k];
        const int32_t source = r.first_source + row - inside.first_source;
        const class_reference found =
            find_class(rows, g, r.first_child + k,
                       is_there && (row >= r.sources || source < 0 || source >= inside.sources));
        if (is_there && lane_number() % lanes == 0)
            inside.reference[row] = found;
    }
}

// Copies the cells of the rows that stand for classes, four in a row at a time.
__global__ void __launch_bounds__(threads) name_classes(Graph g, ClassParts parts) {
    const Part part = part_of(parts);
    const Region &r = g.region[part.region], &around = g.region[r.parent];
    const int32_t first = first_row(part, CLASS_ROWS), fours = r.start / 4;
    const int32_t all = (min(first + CLASS_ROWS, r.classes) - first) * fours;
    const int32_t pitch = class_pitch(around.portals);
    for (int32_t k = static_cast<int32_t>(threadIdx.x); k < all; k += threads) {
        const int32_t number = first + k / fours, b = k % fours * 4;
        const path_length *const row =
            around.portal_row + static_cast<int64_t>(r.named[number]) * pitch;
        const auto cell = [&](int32_t at) { return at < r.width ? row[r.outer[at]] : LENGTH_INF; };
        put_four(r.class_row + static_cast<int64_t>(number) * r.start + b,
                 {cell(b), cell(b + 1), cell(b + 2), cell(b + 3)});
    }
}

} // namespace

int32_t class_find_rows(const struct class_region *r, size_t *bytes) {
#ifdef CUDA_SHIM
    constexpr size_t most = 2 << 10; // low, so that small test graphs have long rows
#else
    constexpr size_t most = 24 << 10; // with more, a multiprocessor would have fewer warps
#endif
    const size_t row = static_cast<size_t>(stride_of(*r)) * sizeof(path_length);
    int32_t rows = CLASS_FIND_MOST;
    while (rows > CLASS_FIND_FEWEST && rows * row > most)
        rows /= CLASS_FIND_RATIO;
    *bytes = rows * row;
    return rows;
}

enum status class_find(const struct class_graph *g, const struct class_parts *parts, int32_t rows,
                       size_t bytes, struct error *err) {
    using Kernel = void (*)(Graph, ClassParts);
    constexpr int most = CLASS_FIND_MOST, fewer = most / CLASS_FIND_RATIO;
    static_assert(fewer / CLASS_FIND_RATIO == CLASS_FIND_FEWEST, "there are three numbers of rows");
    const Kernel kernel = rows == most    ? find_classes<most>
                          : rows == fewer ? find_classes<fewer>
                                          : find_classes<CLASS_FIND_FEWEST>;
    const size_t shared = search_warps * sizeof(Vertices) + bytes;
    RETURN_ON_FAILURE(allow_shared(kernel, shared, err));
    return launch_parts(kernel, g, parts, shared, err, searchers);
}

enum status class_name(const struct class_graph *g, const struct class_parts *parts,
                       struct error *err) {
    return launch_parts(name_classes, g, parts, 0, err);
}
