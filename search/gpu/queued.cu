// SPDX-License-Identifier: MIT
// Label correcting with a queue for each source (Moore 1959; this project for GPUs).
//
// A thread solves one source by itself: it takes a vertex from its queue, relaxes the edges from
// it, and puts the vertices that came nearer at the end of the queue. If a vertex joins the queue
// once or a few times, no method does less work. But the accesses to labels in global memory, which
// are far apart, come one after the other. So it is slow on graphs of short paths, on which
// multisource.cu shares every access among eight sources. It is good on paths of thousands of
// edges: all sources go their long ways at the same time.
//
// The labels are the matrix of distances itself. While a vertex is in the queue, which therefore
// never holds more than n, its label has a mark: bit 30 of an integer, above every distance, or the
// sign of a real number. The queue is in the row of the matrix of predecessors, which nobody needs
// before distances are known.
#include "search/gpu/queued.cuh"

#include "common/graph/graph.h"  // INF
#include "gpu/launch/flags.cuh"  // cycles, load_relaxed, raise
#include "gpu/launch/launch.cuh" // launch
#include "search/gpu/label_kernels.h"
#include "search/gpu/multisource.cuh"
#include "search/gpu/out_edges.cuh" // OutEdges

#include <math.h>

namespace {

constexpr int32_t sources = 32;       // sources of a block, one for each thread
constexpr int32_t checks_after = 256; // number of vertices taken from a queue between two checks of
                                      // the budget

// Labels of integers.
struct Integers {
    using label = int32_t;
    static constexpr label mark = 1 << 30;
    static constexpr label infinite = INF;

    static __device__ __forceinline__ label marked(label l) {
        return l | mark;
    }
    static __device__ __forceinline__ label unmarked(label l) {
        return l & ~mark;
    }
    static __device__ __forceinline__ bool has_mark(label l) {
        return (l & mark) != 0;
    }
    // Returns the sum of a distance and the weight of edge e.
    static __device__ __forceinline__ label sum(label distance, const OutEdges &out, uint32_t e) {
        return min(distance + min(out.weight[e], INF), INF);
    }
};

// Labels of real numbers.
template <typename Number>
struct Reals {
    using label = Number;
    static constexpr label infinite = static_cast<label>(INFINITY);

    static __device__ __forceinline__ label marked(label l) {
        return -l;
    }
    static __device__ __forceinline__ label unmarked(label l) {
        return l < 0 ? -l : l + 0; // turns -0.0 into 0
    }
    static __device__ __forceinline__ bool has_mark(label l) {
        return signbit(l);
    }
    static __device__ __forceinline__ label sum(label distance, const OutEdges &out, uint32_t e) {
        return distance + static_cast<label>(out.real_weight[e]);
    }
};

struct QueueProblem {
    OutEdges out;
    void *dist;
    int32_t *queue;
    const int32_t *source; // vertex of each row; NULL: row v is that of vertex v
    int32_t rows;
    size_t ld, queue_ld;
    int32_t n;
    int64_t budget;   // most cycles for a source; 0: no limit
    int32_t *gave_up; // set if a source has spent its budget, or the solve is told to stop
    const int32_t *stop;
};

// Returns whether a source may go on; sets *p.gave_up if not.
__device__ __forceinline__ bool has_time(const QueueProblem &p, int64_t begun) {
    if (load_relaxed(p.stop) != 0 || (p.budget != 0 && cycles() - begun > p.budget))
        raise(p.gave_up, 1);
    return load_relaxed(p.gave_up) == 0;
}

template <typename Format>
__device__ typename Format::label *labels_of(const QueueProblem &p, int32_t row) {
    return static_cast<typename Format::label *>(p.dist) + static_cast<size_t>(row) * p.ld;
}

template <typename Format>
__device__ void solve_row(const QueueProblem &p, int32_t row) {
    using number = typename Format::label;
    const int32_t source = p.source != nullptr ? p.source[row] : row;
    number *const label = labels_of<Format>(p, row);
    int32_t *const queue = p.queue + static_cast<size_t>(row) * p.queue_ld;
    const int64_t begun = cycles();
    int32_t head = 0, waiting = 1; // index of the first vertex in the ring, and number of vertices
                                   // in it
    queue[0] = source;
    label[source] = 0;
    for (int32_t taken = 0; waiting > 0; taken++) {
        if (taken % checks_after == 0 && !has_time(p, begun))
            return;
        const int32_t u = queue[head];
        head = head + 1 < p.n ? head + 1 : 0;
        waiting--;
        const number distance = Format::unmarked(label[u]);
        label[u] = distance;
        const uint32_t end = p.out.first[u + 1];
        for (uint32_t e = p.out.first[u]; e < end; e++) {
            const int32_t v = static_cast<int32_t>(p.out.head[e]);
            const number old = label[v], offered = Format::sum(distance, p.out, e);
            if (offered >= Format::unmarked(old))
                continue;
            label[v] = Format::marked(offered);
            if (!Format::has_mark(old)) {
                const int32_t tail = head + waiting++;
                queue[tail < p.n ? tail : tail - p.n] = v;
            }
        }
    }
}

template <typename Format>
__global__ void solve_rows(QueueProblem p) {
    const int32_t first = static_cast<int32_t>(blockIdx.x) * sources;
    const int32_t thread = static_cast<int32_t>(threadIdx.x);
    for (int32_t row = first; row < min(first + sources, p.rows); row++) {
        for (int32_t v = thread; v < p.n; v += sources)
            labels_of<Format>(p, row)[v] = Format::infinite;
    }
    __syncthreads();
    if (first + thread < p.rows)
        solve_row<Format>(p, first + thread);
}

struct QueueWorkspace {
    OutEdges out;
    int32_t *gave_up;
    int32_t *queue; // memory of the queues, if there is no matrix of predecessors
};

QueueWorkspace lay_out(const struct gpu_matrices *m, bool with_pred, Arena *arena) {
    QueueWorkspace w = {};
    w.out = OutEdges::take(m, arena);
    w.gave_up = arena->take<int32_t>(1);
    if (!with_pred)
        w.queue = arena->take<int32_t>(static_cast<size_t>(m->rows) * static_cast<size_t>(m->n));
    return w;
}

} // namespace

size_t queued_workspace(const struct gpu_matrices *m, bool with_pred) {
    Arena arena;
    lay_out(m, with_pred, &arena);
    return arena.used();
}

enum status queued_distances(const struct gpu_matrices *m, int64_t budget, void *workspace,
                             bool *done, struct error *err) {
    Arena arena(workspace);
    const bool with_pred = m->pred != nullptr;
    const QueueWorkspace w = lay_out(m, with_pred, &arena);
    QueueProblem p = {};
    p.out = w.out;
    p.dist = m->cells;
    p.queue = with_pred ? m->pred : w.queue;
    p.ld = m->ld;
    p.queue_ld = with_pred ? m->ld : static_cast<size_t>(m->n);
    p.source = m->source;
    p.rows = m->rows;
    p.n = m->n;
    p.budget = budget / 2; // half, because giving up must not cost as much as the whole solve
    p.gave_up = w.gave_up;
    p.stop = m->stop.word;
    int32_t gave_up = 0;
    RETURN_ON_FAILURE(gpu_check(cudaMemsetAsync(w.gave_up, 0, sizeof *w.gave_up, nullptr),
                                "clearing flags", err));
    if ((m->state->known & QUEUE_HAS_EDGES) == 0)
        RETURN_ON_FAILURE(w.out.fill(m, err));
    m->state->known |= QUEUE_HAS_EDGES;
    const auto kernel = m->type == NUMBER_INT32     ? solve_rows<Integers>
                        : m->type == NUMBER_FLOAT32 ? solve_rows<Reals<float>>
                                                    : solve_rows<Reals<double>>;
    RETURN_ON_FAILURE(
        launch(err, kernel, dim3(tiles_covering(m->rows, sources)), dim3(sources), 0, p));
    RETURN_ON_FAILURE(gpu_wait(m, err));
    RETURN_ON_FAILURE(read_flag(w.gave_up, &gave_up, err));
    *done = gave_up == 0;
    return STATUS_OK;
}

size_t cuda_sparse_queued_workspace(const struct gpu_matrices *m, bool with_pred) {
    return multisource_workspace(m) + queued_workspace(m, with_pred);
}

enum status cuda_sparse_queued(const struct gpu_matrices *m, struct progress *, struct error *err) {
    void *const rest = static_cast<char *>(m->workspace) + multisource_workspace(m);
    bool done = false;
    // If the whole matrix fits, asks for it, so that all sources follow their long paths at the
    // same time.
    if (m->state->matrix_fits && m->rows < m->n) {
        m->state->wants_matrix = true;
        return STATUS_OK;
    }
    RETURN_ON_FAILURE(queued_distances(m, 0, rest, &done, err));
    return m->pred != nullptr ? multisource_predecessors(m, err) : STATUS_OK;
}
