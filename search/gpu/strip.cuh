// SPDX-License-Identifier: MIT
// One block's part of label correcting: the labels of all vertices from the sources of a strip.
//
// Threads read labels that others lower at the same time. That is no error: every value that a
// label has had is the length of a path, words are written whole, labels only become smaller, and
// the last sweep is one in which nothing changes. A race checker reports these reads all the same.
#ifndef SEARCH_GPU_STRIP_CUH
#define SEARCH_GPU_STRIP_CUH

#include "gpu/launch/flags.cuh" // load_relaxed, raise
#include "search/gpu/labels.cuh"
#include "search/gpu/out_edges.cuh" // OutEdges
#include "search/gpu/rows.cuh"

#include <cuda_runtime.h>

#include <stdint.h>

namespace label_correcting {

constexpr int light = 32;                 // number of edges into a vertex that the first sweeps
                                          // take
constexpr uint32_t max_sweeps = 8;        // most such first sweeps, if a worklist can follow
constexpr uint32_t sweeps_to_a_look = 16; // number of sweeps between two checks whether the solve
                                          // is told to stop
constexpr int tree_vertices = 4;          // number of vertices whose tails in trees a thread reads
                                          // at once

// Vertices whose in-edges are still to be relaxed: a bit for each vertex, and a list of some of
// them.
struct Worklist {
    uint32_t *due;
    uint32_t *count;
    uint16_t *list;

    static constexpr uint32_t max_listed = 2048;
    static constexpr int32_t max_vertices = 1 << 16;

    static __host__ __device__ size_t bytes(int32_t n) {
        return words_due(n) * sizeof(uint32_t) + 4 * sizeof(uint32_t) +
               max_listed * sizeof(uint16_t);
    }
    static __host__ __device__ size_t words_due(int32_t n) {
        return (static_cast<size_t>(n) + 127) / 128 * 4; // rounded up, so that the memory behind it
                                                         // is aligned
    }
    static __device__ Worklist at(void *memory, int32_t n) {
        uint32_t *const due = static_cast<uint32_t *>(memory), *const count = due + words_due(n);
        return {due, count, reinterpret_cast<uint16_t *>(count + 4)};
    }
    __device__ __forceinline__ void add(int32_t v) const {
        set_bits(due + v / 32, 1U << v % 32);
    }
    // Adds all vertices. All threads of the block must call it; they see the result after a
    // barrier.
    __device__ void fill(int32_t n) const {
        for (int32_t w = static_cast<int32_t>(threadIdx.x); w <= n / 32; w += blockDim.x)
            due[w] = w < n / 32 ? UINT32_MAX : (1U << n % 32) - 1;
    }
    // Moves as many vertices as fit from the bits to the list; returns their number. All threads of
    // the block must call it; it begins and ends with a barrier.
    __device__ uint32_t take(int32_t n) const {
        __syncthreads();
        if (threadIdx.x == 0)
            *count = 0;
        __syncthreads();
        for (int32_t w = static_cast<int32_t>(threadIdx.x); w <= n / 32; w += blockDim.x) {
            uint32_t left = due[w];
            if (left == 0)
                continue;
            uint32_t place = fetch_add(count, static_cast<uint32_t>(__popc(left)));
            for (; left != 0 && place < max_listed; left &= left - 1)
                list[place++] = static_cast<uint16_t>(w * 32 + __ffs(static_cast<int>(left)) - 1);
            due[w] = left;
        }
        __syncthreads();
        return min(*count, max_listed);
    }
};

// Results that blocks share with each other and with the host.
struct Findings {
    int32_t farthest; // largest finite distance
    int32_t gave_up;  // not 0: a strip has spent its budget, or the solve is told to stop
    int32_t waiting;  // not 0: some vertex has no predecessor yet, for lack of a nearer tail
};

// Number of threads that can exchange values without a barrier.
#ifdef CUDA_SHIM
constexpr int warp = 1;
#else
constexpr int warp = 32;
#endif

template <typename Word>
__device__ __forceinline__ Word from_lane(Word value, int distance) {
#ifdef __CUDA_ARCH__
    return __shfl_xor_sync(0xffffffff, value, distance);
#else
    (void)distance;
    return value;
#endif
}

// Parameters that all strips share.
struct Problem {
    Rows rows;
    void *dist;    // distances, of type Format::number; nullptr: not wanted
    int32_t *pred; // predecessors; nullptr: not wanted
    int32_t *tree; // tree of each row, whose paths may be near the shortest ones: by vertex, the
                   // place of an edge in the vertex's row; other values: no edge. The strips
                   // overwrite it; it may be the memory of dist or pred. nullptr: labels begin
                   // without paths
    size_t tree_ld;
    const void *solved; // finished distances, of type Format::number, for finding predecessors or
                        // trees only; nullptr: labels are to be corrected
    size_t solved_ld;
    bool solved_by_vertex; // true: row v of `solved` is that of vertex v; false: its rows are those
                           // of pred
    const int32_t *source; // vertex of each row; nullptr: row v is that of vertex v
    int32_t count;         // number of rows
    size_t ld;
    int32_t n;
    int group;        // number of threads for a vertex, a power of two
    void *outside;    // memory for the labels of all blocks, if they do not fit into shared memory
    OutEdges out;     // its pointers are nullptr if strips have no worklist
    int64_t budget;   // most cycles for a strip; 0: no limit
    int32_t too_long; // Format is not exact for distances of this length or more
    bool negated;     // labels are minus the numbers of dist
    Findings *found;
    const int32_t *stop;      // not 0: the solve is told to stop (struct gpu_stop)
    const int32_t *component; // component of zero-weight edges of each vertex (struct
                              // gpu_matrices); nullptr: any tight edge will do
};

// Labels of a vertex from all sources of a strip.
template <typename Format, int words>
struct Labels {
    using word = typename Format::word;
    using number = typename Format::number;
    static constexpr int count = words * Format::lanes;
    static constexpr int at_once = words % 4 == 0 && sizeof(word) == 4 ? 4 : words % 2 == 0 ? 2 : 1;
    word of[words];

    static __device__ __forceinline__ Labels all(word one) {
        Labels l;
#pragma unroll
        for (int w = 0; w < words; w++)
            l.of[w] = one;
        return l;
    }
    static __device__ __forceinline__ Labels at(const word *from) {
        Labels l;
        if constexpr (at_once == 4) {
#pragma unroll
            for (int w = 0; w < words; w += 4) {
                const auto four = *reinterpret_cast<const typename Format::quad *>(from + w);
                l.of[w] = static_cast<word>(four.x);
                l.of[w + 1] = static_cast<word>(four.y);
                l.of[w + 2] = static_cast<word>(four.z);
                l.of[w + 3] = static_cast<word>(four.w);
            }
        } else if constexpr (at_once == 2) {
#pragma unroll
            for (int w = 0; w < words; w += 2) {
                const auto two = *reinterpret_cast<const typename Format::pair *>(from + w);
                l.of[w] = static_cast<word>(two.x);
                l.of[w + 1] = static_cast<word>(two.y);
            }
        } else {
            l.of[0] = *from;
        }
        return l;
    }
    __device__ __forceinline__ void put(word *to) const {
        if constexpr (at_once == 4) {
            using quad = typename Format::quad;
            using part = decltype(quad::x);
#pragma unroll
            for (int w = 0; w < words; w += 4)
                *reinterpret_cast<quad *>(to + w) = {
                    static_cast<part>(of[w]), static_cast<part>(of[w + 1]),
                    static_cast<part>(of[w + 2]), static_cast<part>(of[w + 3])};
        } else if constexpr (at_once == 2) {
            using pair = typename Format::pair;
            using part = decltype(pair::x);
#pragma unroll
            for (int w = 0; w < words; w += 2)
                *reinterpret_cast<pair *>(to + w) = {static_cast<part>(of[w]),
                                                     static_cast<part>(of[w + 1])};
        } else {
            *to = of[0];
        }
    }
    __device__ __forceinline__ number label(int c) const {
        return Format::label(of[c / Format::lanes], c % Format::lanes);
    }
    __device__ __forceinline__ void set(int c, number label) {
        of[c / Format::lanes] = Format::with_label(of[c / Format::lanes], c % Format::lanes, label);
    }
    __device__ __forceinline__ number largest() const {
        number most = label(0);
#pragma unroll
        for (int c = 1; c < count; c++)
            most = label(c) > most ? label(c) : most;
        return most;
    }
    __device__ __forceinline__ void relax(const Labels &to_tail, number weight) {
        const word added = Format::all(weight);
#pragma unroll
        for (int w = 0; w < words; w++)
            of[w] = Format::relax(to_tail.of[w], added, of[w]);
    }
    // Takes `tail` where the edge is tight and `tail` is smaller. The words of this struct are
    // tails; the labels have format Of.
    template <typename Of>
    __device__ __forceinline__ void take_if_tight(const Labels<Of, words> &to_tail,
                                                  typename Of::number weight,
                                                  const Labels<Of, words> &own, int32_t tail) {
        const auto added = Of::all(weight);
        const word offered = Format::all(tail);
#pragma unroll
        for (int w = 0; w < words; w++)
            of[w] = Of::if_tight(to_tail.of[w], added, own.of[w], offered, of[w]);
    }
    // Sets each label, in all threads of a group, to the minimum over the group.
    __device__ __forceinline__ void minimum_of(int group) {
        for (int distance = group / 2; distance > 0; distance /= 2) {
#pragma unroll
            for (int w = 0; w < words; w++)
                of[w] = Format::minimum(of[w], from_lane(of[w], distance));
        }
    }
    __device__ __forceinline__ bool operator!=(const Labels &other) const {
        bool differs = false;
#pragma unroll
        for (int w = 0; w < words; w++)
            differs |= of[w] != other.of[w];
        return differs;
    }
};

// The strip of sources whose rows begin at first_row.
template <typename Format, int words>
struct Strip {
    using word = typename Format::word;
    using edge = typename Format::edge;
    using number = typename Format::number;
    using Vertex = Labels<Format, words>;
    using Tails = Labels<typename Format::tails, words>;

    const Problem &p;
    word *label; // labels, [vertex][word]
    Worklist worklist;
    int32_t first_row;

    __device__ __forceinline__ Vertex at(int32_t v) const {
        return Vertex::at(label + static_cast<size_t>(v) * words);
    }
    __device__ __forceinline__ void put(int32_t v, const Vertex &vertex) const {
        vertex.put(label + static_cast<size_t>(v) * words);
    }
    // Returns the index of the first cell of source c's row in the matrices.
    __device__ __forceinline__ size_t row(int c) const {
        return static_cast<size_t>(first_row + c) * p.ld;
    }
    __device__ __forceinline__ int32_t source_of(int32_t row) const {
        return p.source != nullptr ? p.source[row] : row;
    }
    // Calls visit(c, source) for every source of the strip, each in a thread of its own.
    template <typename Visit>
    __device__ __forceinline__ void for_each_source(Visit visit) const {
        const int32_t c = static_cast<int32_t>(threadIdx.x), r = first_row + c;
        if (c < Vertex::count && r < p.count)
            visit(c, source_of(r));
    }
    static __device__ __forceinline__ int32_t threads() {
        return static_cast<int32_t>(blockDim.x);
    }
    __device__ __forceinline__ int member() const {
        return member_of(static_cast<int>(threadIdx.x));
    }
    // Returns the remainder of c divided by the size of groups, a power of two.
    __device__ __forceinline__ int member_of(int c) const {
        return c & (p.group - 1);
    }
    // Calls visit(v) in each thread of a vertex's group, for every vertex. Calls it also for some v
    // >= n, so that whole warps stay together.
    template <typename Visit>
    __device__ __forceinline__ void for_each_vertex(Visit visit) const {
        const int shift = __ffs(p.group) - 1;
        const int32_t groups = threads() >> shift;
        const int32_t own = static_cast<int32_t>(threadIdx.x) >> shift;
        for (int32_t v = 0; v < p.n; v += groups)
            visit(v + own);
    }

    // Returns whether another block has found that the solve cannot succeed; equal in all threads.
    __device__ bool is_hopeless() const {
        return __syncthreads_or(threadIdx.x == 0 &&
                                (load_relaxed(p.stop) != 0 ||
                                 load_relaxed(&p.found->gave_up) != 0 ||
                                 load_relaxed(&p.found->farthest) >= p.too_long));
    }

    // Returns the finished distances of a row.
    __device__ __forceinline__ const number *solved_row(int c) const {
        const int32_t r = first_row + c;
        return static_cast<const number *>(p.solved) +
               static_cast<size_t>(p.solved_by_vertex ? source_of(r) : r) * p.solved_ld;
    }

    // Sets the labels of the sources themselves to that of a path without edges and all others to
    // no path, or sets all to the finished distances.
    __device__ void begin() const {
        for (int32_t v = static_cast<int32_t>(threadIdx.x); v < p.n; v += threads()) {
            Vertex own = Vertex::all(Format::all(Format::no_path));
#pragma unroll
            for (int c = 0; c < Vertex::count; c++) {
                if (p.solved != nullptr && first_row + c < p.count)
                    own.set(c, solved_row(c)[v]);
            }
            put(v, own);
        }
        __syncthreads();
        // Sources are different vertices, so no two threads write the same word.
        for_each_source([&](int c, int32_t source) {
            Vertex own = at(source);
            own.set(c, Format::to_itself);
            put(source, own);
        });
        __syncthreads();
    }

    // Returns the entry of vertex v in the tree of source c.
    __device__ __forceinline__ int32_t &in_tree(int c, int32_t v) const {
        return p.tree[static_cast<size_t>(first_row + c) * p.tree_ld + v];
    }

    // For each label without a path whose tree reaches v: sets the label to minus the weight of the
    // tree's edge into v, and replaces the edge's place in the tree by its tail.
    __device__ __forceinline__ void take_tree_edges(int32_t v) const {
        Vertex own = at(v);
        const Row row = p.rows.of[v];
        int32_t place[Vertex::count];
#pragma unroll
        for (int c = 0; c < Vertex::count; c++) {
            const bool wanted = own.label(c) == Format::no_path && first_row + c < p.count;
            place[c] = wanted ? in_tree(c, v) : -1;
        }
#pragma unroll
        for (int c = 0; c < Vertex::count; c++) {
            if (place[c] < 0 || place[c] >= p.n)
                continue;
            const edge e = edge_at<Format>(p.rows, row, place[c]);
            own.set(c, -Format::weight(e));
            in_tree(c, v) = Format::tail(e);
        }
        put(v, own);
    }

    // Calls visit(edge, place) for the thread's share of the edges in the first `most` sheaves into
    // v. In each sorted run, it ends at the first sheaf whose edges all weigh `limit` or more.
    template <typename Visit>
    __device__ __forceinline__ void for_each_edge(int32_t v, uint32_t most, number limit,
                                                  Visit visit) const {
        const Row row = v < p.n ? p.rows.of[v] : Row{0, 0};
        const uint32_t end = min(row.sheaves, most), group = static_cast<uint32_t>(p.group);
        const uint32_t length = sorted_at_once / Format::sheaf;
        for (uint32_t run = 0; run < end; run += length) {
            const uint32_t run_end = min(end, run + length);
            for (uint32_t s = run + static_cast<uint32_t>(member()); s < run_end; s += group) {
                const int4 sheaf = p.rows.all[row.first + s];
                if (Format::weight(Format::edge_in(sheaf, 0)) >= limit)
                    break;
#pragma unroll
                for (int e = 0; e < Format::sheaf; e++)
                    visit(Format::edge_in(sheaf, e), static_cast<int32_t>(s) * Format::sheaf + e);
            }
        }
    }

    // Relaxes the edges in the first `most` sheaves into every vertex; returns whether a label
    // became smaller.
    __device__ bool sweep(uint32_t most) const {
        bool changed = false;
        for_each_vertex([&](int32_t v) {
            Vertex best = Vertex::all(0);
            if (v < p.n)
                best = at(v);
            const Vertex old = best;
            for_each_edge(v, most, best.largest(), [&](edge e, int32_t) {
                best.relax(at(Format::tail(e)), Format::weight(e));
            });
            best.minimum_of(p.group);
            if (best != old) {
                changed = true;
                if (member() == 0)
                    put(v, best);
            }
        });
        return changed;
    }

    // Returns the component of zero-weight edges in which a vertex's predecessor must not lie; -1:
    // no such component.
    __device__ __forceinline__ int32_t component_of(int32_t v) const {
        return p.component != nullptr && v < p.n ? p.component[v] : -1;
    }

    // Returns the least number larger than `one`.
    static __device__ __forceinline__ number after(number one) {
        if constexpr (Format::is_real)
            return nextafter(one, Format::no_path);
        else
            return one + 1;
    }

    // Sweeps over all edges, and finds for every vertex the smallest tail of a tight edge from
    // outside the vertex's component; no_tail if there is none. These tails are the predecessors if
    // no label became smaller. If Format::needs_nearer, the tail must be nearer to the source. With
    // `trees`, finds the smallest place of such an edge instead. Returns whether a label became
    // smaller.
    template <bool trees>
    __device__ bool sweep_for_predecessors() const {
        bool changed = false;
        for_each_vertex([&](int32_t v) {
            Vertex best = Vertex::all(0);
            if (v < p.n)
                best = at(v);
            const Vertex own = best;
            Tails tails = Tails::all(Format::tails::no_tail);
            const int32_t component = component_of(v);
            for_each_edge(v, all_sheaves, after(own.largest()), [&](edge e, int32_t place) {
                const Vertex to_tail = at(Format::tail(e));
                best.relax(to_tail, Format::weight(e));
                if (trees ? Format::weight(e) != 0
                          : component < 0 || Format::weight(e) != 0 ||
                                p.component[Format::tail(e)] != component)
                    tails.take_if_tight(to_tail, Format::weight(e), own,
                                        trees ? place : Format::tail(e));
            });
            best.minimum_of(p.group);
            tails.minimum_of(p.group);
            if (best != own) {
                changed = true;
                if (member() == 0)
                    put(v, best);
            }
#pragma unroll
            for (int c = 0; c < Vertex::count; c++) {
                if (v >= p.n || member_of(c) != member() || first_row + c >= p.count)
                    continue;
                const bool reached = own.label(c) < Format::no_path;
                p.pred[row(c) + v] = reached ? tails.label(c) : -1;
                if (!trees && Format::needs_nearer && reached && tails.label(c) >= p.n &&
                    v != source_of(first_row + c))
                    raise(&p.found->waiting, 1);
            }
        });
        return changed;
    }

    // Runs the last sweep; returns whether a label became smaller.
    template <bool trees>
    __device__ __forceinline__ bool last_sweep() const {
        return trees || p.pred != nullptr ? sweep_for_predecessors<trees>() : sweep(all_sheaves);
    }

    // Returns whether the strip may go on. If the budget is spent or the solve is told to stop,
    // sets gave_up.
    __device__ bool may_go_on(int64_t begun) const {
        const bool spent = p.budget != 0 && cycles() - begun > p.budget;
        if (!__syncthreads_or(spent || load_relaxed(p.stop) != 0))
            return true;
        if (threadIdx.x == 0)
            raise(&p.found->gave_up, 1);
        return false;
    }

    // Calls visit(), which returns whether it has changed a label, until no thread has, at most
    // `most` times. Returns whether the last call has; false also if it gives up. Checks the budget
    // at every call, and now and then whether the solve is told to stop.
    template <typename Visit>
    __device__ __forceinline__ bool repeat(uint32_t most, int64_t begun, Visit visit) const {
        const uint32_t to_a_look = p.budget != 0 ? 1 : sweeps_to_a_look;
        for (uint32_t done = 0; done < most;) {
            const uint32_t end = min(most - done, to_a_look) + done;
            for (; done < end; done++) {
                if (!__syncthreads_or(visit()))
                    return false;
            }
            if (done < most && !may_go_on(begun))
                return false;
        }
        return true;
    }

    // Adds up weights along the paths of the trees, from the sources on. Negative labels are not
    // found yet; all will be, because a tree's tails are nearer to the source.
    __device__ void follow_trees(int64_t begun) const {
        const int32_t own_first = static_cast<int32_t>(threadIdx.x);
        for (int32_t v = own_first; v < p.n; v += threads())
            take_tree_edges(v);
        __syncthreads();
        repeat(UINT32_MAX, begun, [&] {
            bool changed = false;
            for (int32_t first = own_first; first < p.n; first += tree_vertices * threads()) {
                int32_t tail[tree_vertices][Vertex::count];
                Vertex own[tree_vertices];
#pragma unroll
                for (int i = 0; i < tree_vertices; i++) {
                    const int32_t v = first + i * threads();
                    own[i] = v < p.n ? at(v) : Vertex::all(0);
#pragma unroll
                    for (int c = 0; c < Vertex::count; c++)
                        tail[i][c] = signbit(own[i].label(c)) ? in_tree(c, v) : -1;
                }
#pragma unroll
                for (int i = 0; i < tree_vertices; i++) {
                    bool found = false;
#pragma unroll
                    for (int c = 0; c < Vertex::count; c++) {
                        const number to_tail = tail[i][c] >= 0 ? at(tail[i][c]).label(c) : -1;
                        if (!signbit(to_tail)) {
                            own[i].set(c, to_tail - own[i].label(c));
                            found = true;
                        }
                    }
                    if (found)
                        put(first + i * threads(), own[i]);
                    changed |= found;
                }
            }
            return changed;
        });
    }

    // Relaxes all edges into the vertices of the worklist until it is empty. For a vertex whose
    // labels change, the heads of its out-edges are added.
    __device__ void follow_worklist(int64_t begun) const {
        worklist.fill(p.n);
        repeat(UINT32_MAX, begun, [&] {
            const uint32_t listed = worklist.take(p.n);
            for (uint32_t i = threadIdx.x; i < listed; i += blockDim.x) {
                const int32_t v = worklist.list[i];
                Vertex best = at(v);
                const Vertex old = best;
                for_each_edge(v, all_sheaves, best.largest(), [&](edge e, int32_t) {
                    best.relax(at(Format::tail(e)), Format::weight(e));
                });
                if (best != old) {
                    put(v, best);
                    const uint32_t end = p.out.first[v + 1];
                    for (uint32_t e = p.out.first[v]; e < end; e++)
                        worklist.add(static_cast<int32_t>(p.out.head[e]));
                }
            }
            return *worklist.count > 0;
        });
    }

    // Corrects the labels until they are distances, and writes predecessors if they are wanted, or
    // gives up because it takes too long. If labels begin with trees, few are left to correct. With
    // `trees`, pred gets trees instead of predecessors: for each vertex the place in its row of an
    // edge whose weight is not 0.
    template <bool trees>
    __device__ void correct() const {
        const int64_t begun = cycles();
        const bool lists = p.out.first != nullptr;
        bool has_trees = false;
        if constexpr (Format::has_trees) {
            has_trees = p.tree != nullptr;
            if (has_trees)
                follow_trees(begun);
        }
        if (!has_trees && repeat(lists ? max_sweeps : UINT32_MAX, begun,
                                 [&] { return sweep(light / Format::sheaf); }))
            follow_worklist(begun);
        while (__syncthreads_or(last_sweep<trees>()) && may_go_on(begun))
            repeat(UINT32_MAX, begun, [&] { return sweep(all_sheaves); });
        if (p.pred != nullptr)
            for_each_source([&](int c, int32_t source) { p.pred[row(c) + source] = -1; });
    }

    // Writes the rows of distances.
    __device__ void write_distances() const {
        int32_t far = 0;
        for (int32_t v = static_cast<int32_t>(threadIdx.x); v < p.n; v += threads()) {
            const Vertex own = at(v);
#pragma unroll
            for (int c = 0; c < Vertex::count; c++) {
                const number distance = own.label(c);
                const bool finite = distance < Format::no_path;
                if constexpr (!Format::is_real)
                    far = finite ? max(far, distance) : far;
                if (first_row + c < p.count) {
                    const number length = finite ? distance : Format::infinite;
                    // A difference from 0 is never minus 0.
                    static_cast<number *>(p.dist)[row(c) + v] = p.negated ? 0 - length : length;
                }
            }
        }
        if (far > load_relaxed(&p.found->farthest))
            raise(&p.found->farthest, far);
    }
};

} // namespace label_correcting

#endif
