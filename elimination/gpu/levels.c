// SPDX-License-Identifier: MIT
#include "elimination/gpu/levels.h"

#include "common/base/block_sizes.h" // block_sizes

#ifndef APSP_NO_CUDA

#include "common/base/memory.h"           // memory_alloc
#include "cuda_blocked/blocked_kernels.h" // cuda_blocked_auto
#include "elimination/gpu/closing.h"      // closing_run
#include "gpu/gpu_solver.h"               // struct gpu_matrices
#include "gpu/launch/gpu_error.h"         // gpu_check

/* Lists the jobs of all pieces, ordered by kind and width of piece. The caller frees *jobs. */
static enum status find_jobs(const struct pieces *p, struct product_pieces *to,
                             struct product_job **jobs, int32_t *count, struct error *err) {
    int32_t next[2][PRODUCT_WIDTHS] = {0};
    void *memory;
    int32_t all = 0;
    for (int32_t k = 0; k < p->count; k++)
        next[k < p->leaves][product_width_class(p->piece[k].width)] +=
            (p->piece[k].own + PRODUCT_TARGETS - 1) / PRODUCT_TARGETS;
    for (int kind = 0; kind < 2; kind++) {
        for (int c = 0; c < PRODUCT_WIDTHS; c++) {
            const int32_t own = next[kind][c];
            to->first_job[kind][c] = next[kind][c] = all;
            all += own;
        }
        to->first_job[kind][PRODUCT_WIDTHS] = all;
    }
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)all, sizeof **jobs, "the jobs", err));
    *jobs = memory;
    *count = all;
    for (int32_t k = 0; k < p->count; k++) {
        int32_t *const job = &next[k < p->leaves][product_width_class(p->piece[k].width)];
        for (int32_t skipped = 0; skipped < p->piece[k].own; skipped += PRODUCT_TARGETS) {
            const int32_t left = p->piece[k].own - skipped;
            (*jobs)[(*job)++] =
                (struct product_job){k, skipped, left < PRODUCT_TARGETS ? left : PRODUCT_TARGETS};
        }
    }
    return STATUS_OK;
}

/* Uploads the pieces, and allocates the arrays of distances that products_close() fills. */
static enum status upload_pieces(struct device_memory *memory, const struct pieces *p,
                                 struct product_pieces *to, struct error *err) {
    const size_t n = (size_t)p->n, count = (size_t)p->count;
    struct product_job *jobs = NULL;
    void *extents = NULL, *cells;
    int64_t within = 0, through = 0;
    int32_t job_count;
    enum status status;
    TRY(memory_alloc(&extents, count, 2 * sizeof(int64_t), "the pieces", err));
    int64_t *const inside = extents, *const outside = inside + count;
    for (size_t k = 0; k < count; k++) {
        const struct piece *const piece = &p->piece[k];
        const int32_t length = piece->own + piece->width;
        inside[k] = within;
        outside[k] = through;
        within += (int64_t)(piece->high - piece->low) * length;
        through += (int64_t)piece->own * product_width(piece->width);
    }
    TRY(find_jobs(p, to, &jobs, &job_count, err));
    to->n = p->n;
    to->top = p->top;
    to->middle = p->middle;
    to->leaves = p->leaves;
    to->count = p->count;
    const struct {
        const void *from;
        size_t count, size;
        const void **to;
    } arrays[] = {
        {p->piece, count, sizeof *p->piece, (const void **)&to->piece},
        {p->entry, (size_t)p->entries, sizeof *p->entry, (const void **)&to->entry},
        {p->place, n, sizeof(int32_t), (const void **)&to->place},
        {p->vertex, n, sizeof(int32_t), (const void **)&to->vertex},
        {p->position, n, sizeof(int32_t), (const void **)&to->position},
        {p->outermost, n, sizeof(int32_t), (const void **)&to->outermost},
        {p->boundary, (size_t)p->boundaries, sizeof(int32_t), (const void **)&to->boundary},
        {p->inner, (size_t)p->boundaries, sizeof(int32_t), (const void **)&to->inner},
        {inside, count, sizeof(int64_t), (const void **)&to->inside},
        {outside, count, sizeof(int64_t), (const void **)&to->outside},
        {jobs, (size_t)job_count, sizeof *jobs, (const void **)&to->job},
    };
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        TRY(device_memory_upload(memory, arrays[a].from, arrays[a].count, arrays[a].size,
                                 arrays[a].to, err));
    TRY(device_memory_alloc(memory, &cells, (size_t)within * sizeof(path_length),
                            "allocating pieces", err));
    to->within = cells;
    TRY(device_memory_alloc(memory, &cells, (size_t)through * sizeof(path_length),
                            "allocating pieces", err));
    to->through = cells;
    /* Cells beyond boundaries hold a large length. LENGTH_INF is added to it, and the sum must not
     * overflow. */
    TRY(gpu_check(cudaMemset(cells, 0x3f, (size_t)through * sizeof(path_length)), "clearing pieces",
                  err));

cleanup:
    memory_free(extents);
    memory_free(jobs);
    return status;
}

#ifdef LENGTH_F64

/* Finds the distances in a top of float64 lengths. */
static enum status close_graph(struct device_memory *memory, struct progress *progress,
                               const struct pieces_top *top, double *dist, size_t ld,
                               struct error *err) {
    const struct structure *const s = &top->structure;
    const size_t n = (size_t)top->tree.n, entries = (size_t)s->first[n];
    const int held = memory->count;
    const void *first, *higher, *up, *down;
    RETURN_ON_FAILURE(device_memory_upload(memory, s->first, n + 1, sizeof *s->first, &first, err));
    RETURN_ON_FAILURE(
        device_memory_upload(memory, s->higher, entries, sizeof *s->higher, &higher, err));
    RETURN_ON_FAILURE(
        device_memory_upload(memory, top->lengths.up, entries, sizeof(double), &up, err));
    RETURN_ON_FAILURE(
        device_memory_upload(memory, top->lengths.down, entries, sizeof(double), &down, err));
    const struct closing_graph g = {top->tree.n, first, higher, up, down};
    RETURN_ON_FAILURE(closing_run(&g, progress, dist, ld, err));
    RETURN_ON_FAILURE(gpu_check(cudaDeviceSynchronize(), "closing the top", err));
    device_memory_free_since(memory, held);
    return STATUS_OK;
}

#else

/* Finds the distances in a top by the variant of cuda_blocked that is best for it. */
static enum status close_graph(struct device_memory *memory, struct progress *progress,
                               const struct pieces_top *top, int32_t *dist, size_t ld,
                               struct error *err) {
    const int32_t n = top->tree.n;
    struct graph own = {0}, in = {0};
    const char *chosen = NULL;
    const void *first, *tail, *weight;
    const int held = memory->count;
    struct gpu_matrices m = {.n = n,
                             .order = (int32_t)ld,
                             .ld = ld,
                             .dist = dist,
                             .staging = GPU_STAGING_BYTES,
                             .chosen = &chosen,
                             .derives_pred = true};
    enum status status = STATUS_OK;
    TRY(pieces_top_graph(top, &own, err));
    TRY(graph_reverse(&own, &in, err));
    m.in.m = own.m;
    m.in.max_weight = (int32_t)own.max_weight;
    TRY(device_memory_alloc(memory, &m.workspace, cuda_blocked_auto_workspace(&m, false),
                            "allocating the top", err));
    TRY(device_memory_upload(memory, in.first, (size_t)in.n + 1, sizeof *in.first, &first, err));
    TRY(device_memory_upload(memory, in.head, (size_t)in.m, sizeof *in.head, &tail, err));
    TRY(device_memory_upload(memory, in.weight, (size_t)in.m, sizeof *in.weight, &weight, err));
    m.in.first = first;
    m.in.tail = tail;
    m.in.weight = weight;
    TRY(gpu_fill_adjacency(&m, err));
    TRY(cuda_blocked_auto(&m, progress, err));
    TRY(gpu_check(cudaDeviceSynchronize(), "closing the top", err));
    device_memory_free_since(memory, held);

cleanup:
    graph_free(&own);
    graph_free(&in);
    return status;
}

#endif

/* Finds the distances in a top that is in pieces itself, by sweeps from all its vertices. */
static enum status sweep_top(struct device_memory *memory, const struct product_pieces *top,
                             path_length *dist, size_t ld, struct error *err) {
    const int32_t n = top->n, all = product_lanes(n);
    const int32_t lanes = all < block_sizes.top_sources ? all : block_sizes.top_sources;
    const size_t rows = (size_t)top->top + (size_t)top->middle + 1;
    const void *source;
    void *labels, *order = NULL;
    enum status status;
    TRY(memory_alloc(&order, (size_t)all, sizeof(int32_t), "the top", err));
    for (int32_t k = 0; k < all; k++)
        ((int32_t *)order)[k] = k < n ? k : n - 1;
    TRY(device_memory_upload(memory, order, (size_t)all, sizeof(int32_t), &source, err));
    TRY(device_memory_alloc(memory, &labels, rows * (size_t)lanes * sizeof(path_length),
                            "allocating the top", err));
    for (int32_t first = 0; first < n; first += lanes) {
        const int32_t count = n - first < lanes ? n - first : lanes;
        const struct product_batch batch = {.kind = PRODUCT_ROWS,
                                            .source = (const int32_t *)source + first,
                                            .count = count,
                                            .lanes = product_lanes(count),
                                            .labels = labels,
                                            .rows = dist + (size_t)first * ld,
                                            .row_ld = ld,
                                            .spacing = 1};
        TRY(products_sweep(top, &batch, err));
    }
    status = gpu_check(cudaDeviceSynchronize(), "closing the top", err);

cleanup:
    memory_free(order);
    return status;
}

/* Finds the distances in a level's top. A top that is small or does not fall into pieces is solved
 * as a graph, any other as the next level. */
static enum status close_top(struct device_memory *memory, const struct level_options *options,
                             const struct pieces_top *top, struct product_pieces *products,
                             struct error *err) {
    enum { PADDING = 128 };
    const size_t ld = ((size_t)top->tree.n + PADDING - 1) / PADDING * PADDING;
    struct pieces pieces = {0};
    struct product_pieces next = {0};
    void *dist;
    enum status status;
    TRY(device_memory_alloc(memory, &dist, ld * ld * sizeof(path_length), "allocating the top",
                            err));
    products->among = dist;
    products->among_ld = ld;
    const int held = memory->count;
    TRY(pieces_find(&top->tree, &top->structure, &top->lengths, &options->sizes, options->threads,
                    &pieces, err));
    if (top->tree.n > options->small_top && pieces.top < top->tree.n / 2) {
        TRY(level_close(memory, options, &top->tree, &top->structure, &top->lengths, &pieces, &next,
                        err));
        TRY(sweep_top(memory, &next, dist, ld, err));
    } else {
        TRY(close_graph(memory, options->progress, top, dist, ld, err));
    }
    device_memory_free_since(memory, held);

cleanup:
    pieces_free(&pieces);
    return status;
}

/* Returns the largest number of vertices that a piece has together with its boundary. */
static int32_t largest_piece(const struct pieces *p) {
    int32_t largest = 0;
    for (int32_t k = 0; k < p->count; k++) {
        const int32_t vertices = p->piece[k].own + p->piece[k].width;
        largest = vertices > largest ? vertices : largest;
    }
    return largest;
}

static enum status close_pieces(struct device_memory *memory, const struct product_pieces *products,
                                int32_t largest, struct error *err) {
    const int held = memory->count;
    const size_t cells = products_close_scratch(largest);
    void *scratch = NULL;
    if (cells > 0)
        RETURN_ON_FAILURE(device_memory_alloc(memory, &scratch, cells * sizeof(path_length),
                                              "allocating pieces", err));
    RETURN_ON_FAILURE(products_close(products, largest, scratch, err));
    RETURN_ON_FAILURE(gpu_check(cudaDeviceSynchronize(), "closing the pieces", err));
    device_memory_free_since(memory, held);
    return STATUS_OK;
}

enum status level_close(struct device_memory *memory, const struct level_options *options,
                        const struct tree *tree, const struct structure *structure,
                        const struct lengths *lengths, const struct pieces *pieces,
                        struct product_pieces *products, struct error *err) {
    struct pieces_top top = {0};
    enum status status;
    TRY(upload_pieces(memory, pieces, products, err));
    if (pieces->top > 0) {
        TRY(pieces_top_find(tree, structure, lengths, pieces, options->threads, &top, err));
        TRY(close_top(memory, options, &top, products, err));
    }
    status = close_pieces(memory, products, largest_piece(pieces), err);

cleanup:
    pieces_top_free(&top);
    return status;
}

#endif
