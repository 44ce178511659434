// SPDX-License-Identifier: MIT
#include "certificate/gpu/gpu_class_proof.h"

#include "gpu/launch/flags.cuh"   // fetch_add
#include "gpu/launch/launch.cuh"  // launch
#include "gpu/launch/lengths.cuh" // least_sum
#include "gpu/launch/warp.cuh"    // votes_of_warp

#include <cuda_runtime.h>

extern "C" {
#include "common/base/memory.h" // memory_alloc
#include "common/graph/graph.h" // struct graph, INF
}

#include <string.h>

namespace {

using ClassProof = gpu_class_proof;
using Layout = class_layout;
using ClassRows = class_rows;
using Part = class_part;

constexpr int threads = 128; // threads of a block
constexpr int rows_each = 4; // rows that a thread checks
constexpr int quads = CLASS_TILE / rows_each;
constexpr int parts_of_row = threads / CLASS_TILE; // number of threads that sum up a row
static_assert(parts_of_row == 2, "a total has two parts");
constexpr int word_bits = 32;

// The part that a block belongs to.
__device__ __forceinline__ Part part_of(const class_parts &parts) {
    int32_t from = 0, to = parts.count;
    while (to - from > 1) {
        const int32_t middle = from + (to - from) / 2;
        if (parts.part[middle].block <= static_cast<int32_t>(blockIdx.x))
            from = middle;
        else
            to = middle;
    }
    return parts.part[from];
}

__device__ __forceinline__ void note(const ClassProof &p, bool wrong) {
    if (wrong)
        *p.flag = 1;
}

__device__ __forceinline__ int32_t thread_number() {
    return static_cast<int32_t>(threadIdx.x);
}

#ifdef LENGTH_F64

using Total = gpu_class_total;

__device__ __forceinline__ Total no_total() {
    return {0, 0, 0, 0};
}

// The total of a distance; LENGTH_INF is none.
__device__ __forceinline__ Total total_of(double distance) {
    const bool counts = distance < LENGTH_INF;
    const double own = counts ? distance : 0, upper = upper_part(own);
    return {upper, own - upper, own, counts ? 1 : 0};
}

__device__ __forceinline__ Total sum_of(const Total &a, const Total &b) {
    return {a.upper + b.upper, a.lower + b.lower, larger(a.farthest, b.farthest),
            a.reached + b.reached};
}

// The same of distances that are larger by a constant.
__device__ __forceinline__ Total total_beyond(const Total &own, double constant) {
    const double upper = upper_part(constant);
    return {own.upper + own.reached * upper, own.lower + own.reached * (constant - upper),
            own.farthest + constant, own.reached};
}

// Returns whether a distance may be that far, and is a whole number.
__device__ __forceinline__ bool may_be(double distance, double largest) {
    return ((distance >= 0) & (distance <= largest) & is_whole(distance)) |
           (distance == LENGTH_INF);
}

// Returns whether two distances differ by a constant.
__device__ __forceinline__ bool are_apart(double a, double b, double constant) {
    return a - b == constant;
}

__device__ __forceinline__ bool is_provable(double farthest, double constant, double largest) {
    return farthest + constant <= largest;
}

#else

using Total = class_total;

__device__ __forceinline__ Total no_total() {
    return {0, 0, 0};
}

// The total of a distance; INF is none.
__device__ __forceinline__ Total total_of(int32_t distance) {
    const bool counts = distance < INF;
    const int32_t own = counts ? distance : 0;
    return {own, counts ? 1 : 0, own};
}

__device__ __forceinline__ Total sum_of(const Total &a, const Total &b) {
    return {a.sum + b.sum, a.reached + b.reached, max(a.farthest, b.farthest)};
}

// The same of distances that are larger by a constant.
__device__ __forceinline__ Total total_beyond(const Total &own, int32_t constant) {
    return {own.sum + static_cast<int64_t>(own.reached) * constant, own.reached,
            static_cast<int32_t>(static_cast<int64_t>(own.farthest) + constant)};
}

__device__ __forceinline__ bool may_be(int32_t distance, int32_t largest) {
    return (static_cast<uint32_t>(distance) <= static_cast<uint32_t>(largest)) | (distance == INF);
}

__device__ __forceinline__ bool are_apart(int32_t a, int32_t b, int32_t constant) {
    return static_cast<int64_t>(a) - b == constant;
}

__device__ __forceinline__ bool is_provable(int32_t farthest, int32_t constant, int32_t largest) {
    return static_cast<int64_t>(farthest) + constant <= largest;
}

#endif

// Adds a mark, or other bits that are not there yet, to a word; it must not be there.
__device__ __forceinline__ void mark(const ClassProof &p, uint32_t *word, uint32_t others,
                                     uint32_t own) {
    const uint32_t before = fetch_add(word, others + own);
    note(p, (before & (others | own)) != 0);
}

// Adds mark `which` to a row; the row must not have the mark yet.
__device__ __forceinline__ void mark_row(const ClassProof &p, const Layout &r,
                                         const ClassRows &rows, int32_t row, int32_t which) {
    const int32_t bit = class_bits(&r) + which;
    uint32_t *const words = rows.tight + static_cast<int64_t>(row) * class_words(&r);
    mark(p, &words[bit / word_bits], 0, 1u << bit % word_bits);
}

// Rows --------------------------------------------------------------------------------------------

// Returns the index in the region of the row that a block's lane takes; -1: none. k: number of the
// row in the part.
__device__ int32_t row_of(const ClassProof &p, const Part &part, const Layout &r,
                          const ClassRows &rows, int32_t k) {
    if (part.inside == CLASS_CLASSES)
        return k < rows.classes ? rows.sources + k : -1;
    if (part.inside == CLASS_OWN) {
        const int32_t source = k < r.own ? p.source[p.vertex[r.first + r.start + k]] : -1;
        const int32_t row = source - rows.first_source;
        return source >= 0 && row >= 0 && row < rows.sources ? row : -1;
    }
    const ClassRows &inside = p.rows[part.inside];
    return k < inside.sources ? inside.first_source - rows.first_source + k : -1;
}

__device__ __forceinline__ class_edge edge_at(const ClassProof &p, int64_t e) {
#ifdef LENGTH_F64
    return p.edge[e];
#else
    const int2 edge = reinterpret_cast<const int2 *>(p.edge)[e];
    return {edge.x, edge.y};
#endif
}

// Returns whether the sources of a region lie in the region around, too: its rows say what those of
// the region must be.
__device__ __forceinline__ bool is_within(const ClassProof &p, const Layout &r,
                                          const ClassRows &rows) {
    if (r.parent < 0)
        return rows.first_source == 0;
    const ClassRows &around = p.rows[r.parent];
    const int32_t before = rows.first_source - around.first_source;
    return rows.sources == 0 || (before >= 0 && rows.sources <= around.sources - before);
}

constexpr int chunk = 64;          // number of vertices whose labels are summed up at a time
constexpr int across = warp_lanes; // number of labels of each row in a tile

// Threads that read labels side by side have different rows, but a row's distances and bits lie
// side by side; so those that are compared with others pass through a tile.
struct SharedRows {
    union {
        // Labels of the rows, side by side; the odd pitch puts the labels of one row in different
        // banks.
        path_length label[across][CLASS_TILE + 1];
        // Two parts of the total of each row, once all labels are compared.
        Total total[parts_of_row][CLASS_TILE];
    };
    int32_t row[CLASS_TILE];             // index in the region of each lane's row; -1: none
    uint8_t tight_at[across][quads + 4]; // bit k: the label of a quad's row k is tight
    uint32_t tight[1];                   // class_words() words for each row
};

// Collects the bits of each row from a tile. first: number of the tile's first label, which is
// below class_bits().
__device__ void collect_bits(const Layout &r, int32_t first, SharedRows *shared) {
    const int32_t lane = thread_number() % across, words = class_words(&r);
    for (int32_t quad = thread_number() / across; quad < quads; quad += threads / across) {
        const uint32_t tight = first + lane < class_bits(&r) ? shared->tight_at[lane][quad] : 0;
        uint32_t own = 0; // word of the row that has the lane's number in the quad
#pragma unroll
        for (int k = 0; k < rows_each; k++) {
            const uint32_t word = votes_of_warp((tight >> k & 1) != 0);
            own = k == lane ? word : own;
        }
        if (lane < rows_each)
            shared->tight[(quad * rows_each + lane) * words + first / word_bits] = own;
    }
}
static_assert(across == word_bits, "a tile has one word of each row");

// Returns whether some of four labels differ from those in memory. mask: bit j: label j counts.
__device__ __forceinline__ bool differ(const path_length *memory, const path_length *own,
                                       uint32_t mask) {
    const four_lengths there = four_of(memory);
    bool wrong = false;
#pragma unroll
    for (int j = 0; j < 4; j++)
        wrong = wrong | ((cell_of(there, j) != own[j]) & ((mask >> j & 1) != 0));
    return wrong;
}

// Compares the labels of a tile with what the rows of the region around say of the boundary, and
// with what these rows themselves say of portals; returns whether some differ. first: number of the
// tile's first label, which is below class_bits(). A thread takes four labels of a row.
__device__ bool compare_tile(const ClassProof &p, const Layout &r, const ClassRows &rows,
                             int32_t first, const SharedRows *shared) {
    constexpr int together = across / 4; // number of threads for the tile's labels of a row
    const int32_t part = thread_number() % together * 4, x = first + part;
    const int32_t pitch = class_pitch(r.portals);
    uint32_t at_portal = 0, on_boundary = 0; // bit j: label x + j is there
    for (int j = 0; j < 4; j++) {
        const bool is_vertex = x + j < class_bits(&r) && p.vertex[r.first + x + j] >= 0;
        at_portal |= is_vertex && x + j < r.portals ? 1u << j : 0;
        on_boundary |= is_vertex && x + j < r.width ? 1u << j : 0;
    }
    bool wrong = false;
    for (int32_t k = thread_number() / together; k < CLASS_TILE; k += threads / together) {
        const int32_t row = shared->row[k];
        if (row < 0)
            continue;
        path_length own[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            own[j] = shared->label[part + j][k];
        const path_length *const boundary_row =
            row < rows.sources
                ? rows.source_row + static_cast<int64_t>(row) * r.start
                : rows.class_row + static_cast<int64_t>(row - rows.sources) * r.start;
        if (at_portal != 0)
            wrong |=
                differ(rows.portal_row + static_cast<int64_t>(row) * pitch + x, own, at_portal);
        if (on_boundary != 0)
            wrong |= differ(boundary_row + x, own, on_boundary);
    }
    return wrong;
}

// Four rows of a thread in a region.
struct FourRows {
    const path_length *label; // labels of number 0
    uint32_t there;           // bit k: row k exists
    int32_t source; // number of row 0's source in the region, after which those of the others
                    // follow; INT32_MIN: the sources are no own vertices
};

// first: number in the part of the block's first row. The rows of all lanes are known.
__device__ FourRows four_rows_of(const Part &part, const Layout &r, const SharedRows *shared,
                                 const path_length *label, int32_t first) {
    const int32_t lane = thread_number() % quads * rows_each;
    FourRows q = {label + lane, 0, part.inside == CLASS_OWN ? r.start + first + lane : INT32_MIN};
#pragma unroll
    for (int k = 0; k < rows_each; k++)
        q.there |= shared->row[lane + k] >= 0 ? 1u << k : 0;
    return q;
}

__device__ __forceinline__ four_lengths labels_at(const FourRows &q, int32_t x) {
    return four_of(q.label + static_cast<int64_t>(x) * CLASS_TILE);
}

// Labels of a vertex compared with the least sums of an edge into it and the label of its tail; bit
// k of each is row k's.
struct Compared {
    uint32_t equal, above;
};

__device__ __forceinline__ Compared compare(const ClassProof &p, const Layout &r, const FourRows &q,
                                            int32_t x, const four_lengths &own) {
    constexpr int side = 2; // number of edges that are followed side by side
    const int64_t begin = p.first[r.first + x];
    const int32_t edges = static_cast<int32_t>(p.first[r.first + x + 1] - begin);
    path_length least[rows_each] = {LENGTH_INF, LENGTH_INF, LENGTH_INF, LENGTH_INF};
    for (int32_t e = 0; e < edges; e += side) {
        class_edge edge[side];
        four_lengths from[side];
#pragma unroll
        for (int i = 0; i < side; i++) {
            if (e + i < edges)
                edge[i] = edge_at(p, begin + e + i);
        }
#pragma unroll
        for (int i = 0; i < side; i++) {
            if (e + i < edges)
                from[i] = labels_at(q, edge[i].tail);
        }
#pragma unroll
        for (int i = 0; i < side; i++) {
#pragma unroll
            for (int k = 0; k < rows_each; k++)
                least[k] = e + i < edges ? least_sum(cell_of(from[i], k), edge[i].weight, least[k])
                                         : least[k];
        }
    }
    Compared c = {0, 0};
#pragma unroll
    for (int k = 0; k < rows_each; k++) {
        const path_length d = cell_of(own, k), limit = x == q.source + k ? 0 : least[k];
        c.equal |= d == limit ? 1u << k : 0;
        c.above |= d > limit ? 1u << k : 0;
    }
    return c;
}

// Adds the labels of own vertices with numbers first .. end - 1 to the part of a row's total that
// the thread finds. label: the row's label of number 0. Returns whether no distance may be such a
// label.
__device__ __forceinline__ bool sum_up(const ClassProof &p, const Layout &r,
                                       const path_length *label, int32_t first, int32_t end,
                                       Total *total) {
    bool wrong = false;
    for (int32_t x = first + thread_number() / CLASS_TILE; x < min(end, r.start + r.own);
         x += parts_of_row) {
        const path_length d = label[static_cast<int64_t>(x) * CLASS_TILE];
        wrong = wrong | !may_be(d, p.largest);
        *total = sum_of(*total, total_of(d));
    }
    return wrong;
}

// Nine blocks on a multiprocessor hide the time that each waits for memory; more registers for each
// do not.
__global__ void __launch_bounds__(threads, 9)
    check_rows(ClassProof p, class_parts parts, const path_length *label) {
    DYNAMIC_SHARED(SharedRows, shared);
    const Part part = part_of(parts);
    const Layout r = p.region[part.region];
    const ClassRows rows = p.rows[part.region];
    const int32_t numbers = class_numbers(&r), bits = class_bits(&r), words = class_words(&r);
    const int32_t quad = thread_number() % quads;
    const int32_t block = static_cast<int32_t>(blockIdx.x) - part.block;
    const int32_t first_row = part.first + block * CLASS_TILE;
    for (int32_t k = thread_number(); k < CLASS_TILE * words; k += threads)
        shared->tight[k] = 0;
    if (thread_number() < CLASS_TILE)
        shared->row[thread_number()] = row_of(p, part, r, rows, first_row + thread_number());
    __syncthreads();
    const path_length *const labels =
        label + part.cell + static_cast<int64_t>(block) * numbers * CLASS_TILE;
    const FourRows q = four_rows_of(part, r, shared, labels, first_row);
    bool wrong = false;
    uint32_t odd = 0; // bit k: something is wrong in row k, if it is there
    int32_t x = thread_number() / quads;
    for (int32_t first = 0; first < bits; first += across) {
        __syncthreads();
        for (; x < min(first + across, numbers); x += threads / quads) {
            const four_lengths own = labels_at(q, x);
            Compared c = {0, 0};
            if (p.vertex[r.first + x] >= 0) {
                c = compare(p, r, q, x, own);
                odd |= c.above | (x < bits ? 0 : ~c.equal);
            }
#pragma unroll
            for (int k = 0; k < rows_each; k++) {
                shared->label[x - first][quad * rows_each + k] = cell_of(own, k);
                odd |= x >= r.width || may_be(cell_of(own, k), p.largest) ? 0 : 1u << k;
            }
            shared->tight_at[x - first][quad] = static_cast<uint8_t>(c.equal);
        }
        __syncthreads();
        collect_bits(r, first, shared);
        wrong = compare_tile(p, r, rows, first, shared) || wrong;
    }
    // Labels are summed up soon after they are compared, while they are in the cache.
    const path_length *const own_row = labels + thread_number() % CLASS_TILE;
    Total total = no_total();
    int32_t first = (bits + across - 1) / across * across;
    const bool is_there = shared->row[thread_number() % CLASS_TILE] >= 0;
    wrong |= is_there && sum_up(p, r, own_row, r.start, first, &total);
    for (; first < numbers; first += chunk) {
        for (; x < min(first + chunk, numbers); x += threads / quads) {
            if (p.vertex[r.first + x] >= 0)
                odd |= ~compare(p, r, q, x, labels_at(q, x)).equal;
        }
        wrong |= is_there && sum_up(p, r, own_row, max(first, r.start), first + chunk, &total);
    }
    note(p, wrong || (odd & q.there) != 0 || !is_within(p, r, rows));
    __syncthreads(); // no labels are in shared memory from here on
    shared->total[thread_number() / CLASS_TILE][thread_number() % CLASS_TILE] = total;
    __syncthreads();
    if (thread_number() < CLASS_TILE) {
        const int32_t row = shared->row[thread_number()];
        const Total found =
            sum_of(shared->total[0][thread_number()], shared->total[1][thread_number()]);
        if (row >= 0 && row < rows.sources && r.parent < 0 && r.children == 0)
            fetch_add(p.found, 1);
        if (row >= rows.sources) {
            rows.total[row - rows.sources] = found;
        } else if (row >= 0) {
            Total *const to = &p.total[rows.first_source + row];
            *to = sum_of(*to, found);
        }
    }
    for (int32_t k = thread_number(); k < CLASS_TILE * words; k += threads) {
        const int32_t row = shared->row[k / words];
        if (row >= 0)
            mark(p, &rows.tight[static_cast<int64_t>(row) * words + k % words], shared->tight[k],
                 k % words == bits / word_bits ? 1u << bits % word_bits : 0);
    }
}

// References --------------------------------------------------------------------------------------

// Which source of a region inside a row is of; -1: of another one.
__device__ __forceinline__ int32_t source_inside(const ClassRows &rows, const ClassRows &inside,
                                                 int32_t row) {
    const int32_t source = rows.first_source + row - inside.first_source;
    return row < rows.sources && source >= 0 && source < inside.sources ? source : -1;
}

// The number of the class that a row refers to; -1: there is none such.
__device__ __forceinline__ int32_t class_of(const ClassRows &rows, const ClassRows &inside,
                                            const class_reference &own) {
    if (own.of >= rows.sources + rows.classes)
        return -1;
    const int32_t named = own.of < 0 ? own.of : inside.reference[own.of].of;
    return named < 0 && ~named < inside.classes ? ~named : -1;
}

// Checks whether a row of the region around is that of the class that it refers to. `together`
// threads look at parts of it.
constexpr int together = 8;
constexpr int beside = 2; // number of distances that a thread looks at side by side

__device__ bool is_wrong(const ClassRows &rows, const ClassRows &inside, const Layout &r,
                         const int32_t *outer, const path_length *portal_row, int32_t row,
                         int32_t thread) {
    const class_reference own = inside.reference[row];
    const int32_t number = own.of == CLASS_NONE ? -1 : class_of(rows, inside, own);
    const path_length *const class_row =
        inside.class_row + static_cast<int64_t>(max(number, 0)) * r.start;
    bool wrong = own.of != CLASS_NONE && number < 0;
    for (int32_t first = thread; first < r.width; first += together * beside) {
        path_length d[beside], there[beside];
#pragma unroll
        for (int i = 0; i < beside; i++) {
            const int32_t b = first + i * together;
            d[i] = b < r.width ? portal_row[outer[b]] : LENGTH_INF;
            there[i] = b < r.width && number >= 0 ? class_row[b] : LENGTH_INF;
        }
#pragma unroll
        for (int i = 0; i < beside; i++) {
            const bool is_reached = d[i] < LENGTH_INF;
            wrong |= is_reached != (there[i] < LENGTH_INF) ||
                     (is_reached && !are_apart(d[i], there[i], own.constant));
        }
    }
    return wrong;
}

__global__ void __launch_bounds__(threads) check_references(ClassProof p, class_parts parts) {
    const Part part = part_of(parts);
    const Layout &around = p.region[part.region];
    const ClassRows &rows = p.rows[part.region];
    const int32_t first = (static_cast<int32_t>(blockIdx.x) - part.block) * CLASS_ROWS;
    const int32_t end = min(first + CLASS_ROWS, rows.sources + rows.classes);
    const int32_t thread = thread_number() % together;
    bool wrong = false;
    for (int32_t row = first + thread_number() / together; row < end; row += threads / together) {
        const path_length *const own =
            rows.portal_row + static_cast<int64_t>(row) * class_pitch(around.portals);
        for (int32_t c = around.first_child; c < around.first_child + around.children; c++) {
            const Layout &r = p.region[c];
            const ClassRows &inside = p.rows[c];
            const int32_t *const outer = p.outer + r.first;
            const int32_t source = source_inside(rows, inside, row);
            if (source < 0) {
                wrong = is_wrong(rows, inside, r, outer, own, row, thread) || wrong;
                continue;
            }
            for (int32_t b = thread; b < r.width; b += together)
                inside.source_row[static_cast<int64_t>(source) * r.start + b] = own[outer[b]];
        }
    }
    note(p, wrong);
    if (first + thread_number() < end)
        mark_row(p, around, rows, first + thread_number(), CLASS_REFERRED);
}
static_assert(CLASS_ROWS == threads, "a thread for each row");

// Totals ------------------------------------------------------------------------------------------

__device__ __forceinline__ bool is_set(const uint32_t *words, int32_t bit) {
    return (words[bit / word_bits] >> bit % word_bits & 1) != 0;
}

// Sets the bits of the portals where vertices of a boundary of `width` vertices have tight edges.
// Portals mostly ascend, so bits of one word are set together.
__device__ __forceinline__ void set_tight(uint32_t *tight, const uint32_t *inside,
                                          const int32_t *outer, int32_t width) {
    int32_t word = -1;
    // bits: what is collected for tight[word]; found: rest of a word of `inside`, vertex b's bit
    // lowest
    uint32_t bits = 0, found = 0;
    for (int32_t b = 0; b < width; b++) {
        const int32_t to = outer[b];
        found = b % word_bits == 0 ? inside[b / word_bits] : found >> 1;
        if (to / word_bits != word) {
            if (bits != 0)
                tight[word] |= bits;
            word = to / word_bits;
            bits = 0;
        }
        bits |= (found & 1) << to % word_bits;
    }
    if (bits != 0)
        tight[word] |= bits;
}

__global__ void __launch_bounds__(threads) add_rows(ClassProof p, class_parts parts) {
    const Part part = part_of(parts);
    const Layout &around = p.region[part.region];
    const ClassRows &rows = p.rows[part.region];
    const int32_t row =
        (static_cast<int32_t>(blockIdx.x) - part.block) * CLASS_ROWS + thread_number();
    if (row >= rows.sources + rows.classes)
        return;
    uint32_t *const tight = rows.tight + static_cast<int64_t>(row) * class_words(&around);
    Total total = no_total();
    const int32_t marks = class_bits(&around);
    bool wrong = !is_set(tight, marks + CLASS_CHECKED) || !is_set(tight, marks + CLASS_REFERRED);
    for (int32_t c = around.first_child; c < around.first_child + around.children; c++) {
        const Layout &r = p.region[c];
        const ClassRows &inside = p.rows[c];
        int32_t from = source_inside(rows, inside, row);
        if (from < 0) {
            const class_reference own = inside.reference[row];
            const int32_t number = own.of == CLASS_NONE ? -1 : class_of(rows, inside, own);
            if (number < 0)
                continue; // nothing inside is reached, or that is wrong
            const Total found = inside.total[number];
            wrong = wrong ||
                    (found.reached > 0 && !is_provable(found.farthest, own.constant, p.largest));
            if (found.reached > 0)
                total = sum_of(total, total_beyond(found, own.constant));
            from = inside.sources + number;
        }
        const uint32_t *const other = inside.tight + static_cast<int64_t>(from) * class_words(&r);
        wrong = wrong ||
                !is_set(other, class_bits(&r) + (r.children > 0 ? CLASS_ADDED : CLASS_CHECKED));
        set_tight(tight, other, p.outer + r.first, r.width);
    }
    Total *const to =
        row < rows.sources ? &p.total[rows.first_source + row] : &rows.total[row - rows.sources];
    *to = sum_of(*to, total);
    for (int32_t x = around.start; x < around.portals; x++)
        wrong = wrong || !is_set(tight, x);
    note(p, wrong);
    mark_row(p, around, rows, row, CLASS_ADDED);
    if (around.parent < 0 && row < rows.sources)
        fetch_add(p.found, 1);
}

// Opening -----------------------------------------------------------------------------------------

size_t rounded(size_t bytes) {
    return (bytes + 255) / 256 * 256;
}

// Copies what the host has found. Without memory on the device the proof is not ready.
enum status copy_regions(ClassProof *proof, const class_regions &r, size_t m, struct error *err) {
    const size_t numbers = static_cast<size_t>(r.numbers);
    const struct {
        const void *from; // NULL: nothing is copied
        size_t bytes;
        void *address; // of the pointer
    } arrays[] = {
        {r.region, static_cast<size_t>(r.count) * sizeof *r.region, &proof->region},
        {r.vertex, numbers * sizeof *r.vertex, &proof->vertex},
        {r.outer, numbers * sizeof *r.outer, &proof->outer},
        {r.first, (numbers + 1) * sizeof *r.first, &proof->first},
        {r.edge, m * sizeof *r.edge, &proof->edge},
        {nullptr, static_cast<size_t>(r.n) * sizeof *proof->source, &proof->source},
        {nullptr, 2 * sizeof *proof->flag, &proof->flag},
    };
    for (const auto &array : arrays)
        proof->bytes += rounded(array.bytes);
    if (cudaMalloc(&proof->memory, proof->bytes) != cudaSuccess) {
        proof->memory = nullptr;
        (void)cudaGetLastError();
        return STATUS_OK;
    }
    char *at = static_cast<char *>(proof->memory);
    for (const auto &array : arrays) {
        memcpy(array.address, &at, sizeof at);
        if (array.from != nullptr && array.bytes > 0)
            RETURN_ON_FAILURE(
                gpu_check(cudaMemcpy(at, array.from, array.bytes, cudaMemcpyHostToDevice),
                          "copying edges for the proof", err));
        at += rounded(array.bytes);
    }
    proof->found = reinterpret_cast<uint32_t *>(proof->flag + 1);
    proof->n = r.n;
    proof->largest = r.largest;
    for (int32_t k = 0; k < r.count; k++)
        proof->most_words = max(proof->most_words, class_words(&r.region[k]));
    proof->is_ready = true;
    return STATUS_OK;
}

} // namespace

enum status gpu_class_proof_open(struct gpu_class_proof *proof, const struct graph *g,
                                 const struct class_layout *region, int32_t count,
                                 const int32_t *vertex, int host_threads, struct error *err) {
    struct class_regions r = {};
    bool are_its;
    enum status status;
    *proof = {};
    TRY(class_regions_find(&r, g, region, count, vertex, host_threads, &are_its, err));
    if (are_its)
        TRY(copy_regions(proof, r, static_cast<size_t>(g->m), err));
cleanup:
    class_regions_free(&r);
    return status;
}

enum status gpu_class_proof_begin(struct gpu_class_proof *proof, struct error *err) {
    proof->sources = 0;
    return gpu_check(cudaMemsetAsync(proof->flag, 0, 2 * sizeof *proof->flag, nullptr),
                     "clearing flags", err);
}

void gpu_class_proof_finish(struct gpu_class_proof *proof, int32_t sources) {
    proof->sources += static_cast<uint32_t>(sources);
}

enum status gpu_class_proof_sources(const struct gpu_class_proof *proof, const int32_t *vertex,
                                    int32_t count, struct error *err) {
    const size_t n = static_cast<size_t>(proof->n);
    void *memory = nullptr;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof(int32_t), "the sources", err));
    int32_t *const source = static_cast<int32_t *>(memory);
    for (size_t v = 0; v < n; v++)
        source[v] = -1;
    for (int32_t k = 0; k < count; k++)
        source[vertex[k]] = k;
    const enum status status =
        gpu_check(cudaMemcpy(proof->source, source, n * sizeof *source, cudaMemcpyHostToDevice),
                  "copying the sources", err);
    memory_free(memory);
    return status;
}

enum status gpu_class_proof_take(const struct gpu_class_proof *proof,
                                 const struct class_parts *parts, const path_length *label,
                                 struct error *err) {
    const size_t bytes =
        sizeof(SharedRows) + sizeof(uint32_t) * static_cast<size_t>(CLASS_TILE * proof->most_words);
    RETURN_ON_FAILURE(allow_shared(check_rows, bytes, err));
    return parts->blocks == 0 ? STATUS_OK
                              : launch(err, check_rows, dim3(static_cast<unsigned>(parts->blocks)),
                                       dim3(threads), bytes, *proof, *parts, label);
}

enum status gpu_class_proof_refer(const struct gpu_class_proof *proof,
                                  const struct class_parts *parts, struct error *err) {
    return parts->blocks == 0
               ? STATUS_OK
               : launch(err, check_references, dim3(static_cast<unsigned>(parts->blocks)),
                        dim3(threads), 0, *proof, *parts);
}

enum status gpu_class_proof_add(const struct gpu_class_proof *proof,
                                const struct class_parts *parts, struct error *err) {
    return parts->blocks == 0 ? STATUS_OK
                              : launch(err, add_rows, dim3(static_cast<unsigned>(parts->blocks)),
                                       dim3(threads), 0, *proof, *parts);
}

enum status gpu_class_proof_end(const struct gpu_class_proof *proof, bool *proved,
                                struct error *err) {
    int32_t refuted = 1, found = 0;
    *proved = false;
    RETURN_ON_FAILURE(read_flag(proof->flag, &refuted, err));
    RETURN_ON_FAILURE(read_flag(reinterpret_cast<const int32_t *>(proof->found), &found, err));
    *proved = refuted == 0 && static_cast<uint32_t>(found) == proof->sources;
    return STATUS_OK;
}

void gpu_class_proof_close(struct gpu_class_proof *proof) {
    cudaFree(proof->memory); // earlier failures are already reported
    *proof = {};
}
