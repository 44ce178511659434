// SPDX-License-Identifier: MIT
#include "cuda_sparse/dissection.h"

#include "common/base/clock.h"     // clock_seconds
#include "common/base/memory.h"    // memory_alloc
#include "common/base/threads.h"   // threads_worth
#include "common/gpu/gpu_model.h"  // gpu_slower_instructions
#include "common/gpu/gpu_solver.h" // gpu_turn_begin
#include "common/gpu_proof/gpu_lane_proof.h"
#include "common/gpu_proof/gpu_proof.h"
#include "common/solve/delivery.h" // struct delivery
#include "common/solve/solve.h"    // solve_task, solver_find
#include "cuda_sparse/model.h"     // cuda_sparse_auto_seconds
#include "cuda_sparse/registry.h"  // cuda_sparse_solver
#include "dissection/dissection.h" // dissection_prepare
#include "dissection/order.h"      // order_is_available, order_memory
#include "dissection/pieces.h"     // pieces_find

#include <math.h>
#include <string.h>

enum {
    ENTRIES_FOR_EACH = 256, /* that are left of the fringe, for each vertex at most; */
    ENTRIES_PLANNED = 32, /* roads, meshes and the like need no more: a solve is planned with it */
    TOP_MOST = 40000,     /* vertices that are closed all with all */
};

static int64_t entries_at_most(int32_t n, int for_each) {
    const int64_t all = (int64_t)n * (n - 1) / 2, most = (int64_t)n * for_each;
    return all < most ? all : most;
}

uint64_t cuda_sparse_dissection_memory(const struct solver_size *size) {
    enum { SMALL = 4096 }; /* of which anything may be left */
    const uint64_t n = (uint64_t)size->n;
    const uint64_t entries =
        (uint64_t)entries_at_most(size->n, size->n <= SMALL ? ENTRIES_FOR_EACH : ENTRIES_PLANNED);
    const uint64_t order = order_memory(size->n, size->m);
    const uint64_t eliminated = entries * (3 * sizeof(int32_t)) + n * (2 * sizeof(int64_t) + 64);
    const uint64_t cut = memory_add(eliminated, pieces_memory(size->n, (int64_t)entries));
    return memory_add(pattern_memory(size->n, size->m) + tree_memory(size->n),
                      order > cut ? order : cut);
}

/* How long sums take of what sweeps take. Measured on road networks of 264 346 to 11.5 million
 * vertices. They take as long as sweeps of a few sources at least, and no less than it takes to
 * launch the kernels of all levels. */
static double sums_seconds(double n, double rows, double sweeps_s) {
    const double none_at = 11000, power = 0.36, few = 4096, begin_s = 4e-3;
    const double few_s = sweeps_s * fmin(1, few / rows);
    const double classes_s = sweeps_s * pow(n / none_at, -power);
    return fmin(sweeps_s, fmax(classes_s, fmax(few_s, begin_s)));
}

double cuda_sparse_dissection_seconds(const struct solver_variant *variant,
                                      const struct model_question *q) {
    /* Beyond so many edges for each vertex little is worth eliminating, which is found out. */
    const double few_edges = 8, to_look = 1.1;
    const struct features *const f = q->features;
    const double n = f->n, m = n * f->degree;
    (void)variant;
    if (!order_is_available() || f->wide || f->degree > few_edges)
        return to_look * cuda_sparse_auto_seconds(NULL, q);
    /* Measured on road networks with the host of an H200; the order, unless somebody has found one.
     */
    const double start_s = 2e-3, order_ns = 200, eliminate_ns = 70, pair_ns = 2e-3;
    const struct elimination_features *const e = &f->elimination;
    const double order_s = e->known && e->pays ? e->once_s : 1e-9 * order_ns * (n + m);
    const double rows = gpu_model_rows(q);
    const double sweeps_s = gpu_slower_instructions(q->gpu) * 1e-9 * pair_ns * f->degree * n * rows;
    return start_s + order_s + 1e-9 * eliminate_ns * (n + m) +
           (q->sums ? sums_seconds(n, rows, sweeps_s) : sweeps_s);
}

#ifdef APSP_NO_CUDA

enum status cuda_sparse_dissection_solve(const struct solver_variant *variant,
                                         const struct solver_task *task, struct solver_times *times,
                                         struct error *err) {
    return gpu_solve(variant, task, times, err); /* says that there is no CUDA */
}

#else

#include "common/gpu/gpu_error.h" // gpu_check
#include "common/gpu/gpu_room.h"  // gpu_room_find
#include "cuda_blocked/kernels.h" // cuda_blocked_auto
#include "cuda_sparse/parts/classes.h"
#include "cuda_sparse/parts/products.h"

#include <pthread.h>

/* On one H200, whose host eliminates with 16 cores. */
static const struct core_costs gpu_costs = {
    .sweep = 6e-5,
    .vertex = 2e-4,
    .elimination = 0.2,
    .extension = 1e-4,
    .pair = 1,
    .closure = 5e-5,
    .entries = INT64_MAX,
    .core = TOP_MOST,
};

enum {
    HELD_MAX = 256,   /* allocations on the device */
    BUFFERS = 2,      /* of rows on their way */
    SMALL_TOP = 2048, /* so many vertices are closed at once in a few milliseconds at most */
};

/* Pieces and what the device has of them. */
struct level {
    struct pieces pieces;
    struct product_pieces products; /* pointers into device memory */
    int32_t largest;                /* own + width of a piece */
};

/* Several GPUs share the sources of a solve: each has all pieces, and claims sources when it is
 * ready for some. The first one's session is the solve's; the others' are copies of it that have
 * their own memory on their own device. */
struct crew {
    struct session *helper; /* the sessions of all but the first */
    int helpers;
    pthread_mutex_t lock, turn; /* of the next; to hand rows on */
    int32_t claimed;            /* sources */
    bool stops;                 /* one failed */
    bool reversed;              /* the graph is */
};

/* One solve on a device. */
struct session {
    int device;
    struct crew *crew;
    bool is_helper;
    const struct solver_task *task;
    struct delivery *delivery;
    struct dissection d;
    struct pieces_options sizes;
    int32_t top_most; /* TOP_MOST, or less in tests */
    struct level level;
    struct product_batch batch;
    struct gpu_totals totals;  /* of all sources */
    const int32_t *source;     /* of all, and PRODUCT_LANES more: on the device */
    const int32_t *vertex;     /* of each of these */
    int32_t *order, *position; /* on the host: their positions in the tree, ascending, and
                                  those of their rows */
    int32_t lanes;             /* of a batch at most */
    bool keeps_labels;         /* of all vertices: see alloc_labels */
    int32_t small_top;         /* SMALL_TOP, or less in tests */
    int threads;               /* of the host */
    int slots;
    void *held[HELD_MAX]; /* device memory, */
    size_t held_bytes[HELD_MAX];
    int held_count;
    struct gpu_room room; /* for it; not known if this process is alone */
    cudaEvent_t begin, end;
    bool is_finite;              /* all distances are taken for finite: see look_ahead */
    bool proves;                 /* the sink wants the answer proved */
    struct gpu_lane_proof proof; /* of totals; ready if it proves */
    double transfer_s;
    struct cuda_dissection_report *report, own_report; /* the latter: a helper's */
    /* If the sink wants sums only: one row is found of each class of proportional rows. */
    bool by_classes;
    struct regions_options region_sizes;
    bool anyway;            /* whether that pays or not */
    struct look look;       /* own one, if the task has none of use */
    double counted_s;       /* of order_s, by whoever has taken the task's look */
    struct regions regions; /* a helper's are those of the first session */
    struct gpu_classes classes;
    struct host_totals *found; /* where their totals go */
    bool refuted;              /* the row of the largest distance is wrong */
    /* What a helper does, in a thread. */
    enum status (*work)(struct session *, struct error *);
    bool in_thread;
    pthread_t thread;
    enum status status;
    struct error err;
};

/* The processes that share the sources; the functions of ranks.h do nothing if it is this one. */
static const struct ranks *ranks_of(const struct session *s) {
    return s->delivery->ranks != NULL ? s->delivery->ranks : &ranks_alone;
}

static bool goes_on(struct session *s) {
    pthread_mutex_lock(&s->crew->lock);
    const bool goes = !s->crew->stops;
    pthread_mutex_unlock(&s->crew->lock);
    return goes && progress_goes_on(s->task->progress);
}

/* Claims at most `most` sources, a multiple of `unit` unless they are the last; returns how many.
 * Of several GPUs, here or one in each process, one takes what delivery_share gives it. Sources of
 * a claim share classes of rows. */
static int32_t claim(struct session *s, int32_t most, int32_t unit, int32_t *first) {
    const enum delivery_part part = s->by_classes ? DELIVERY_THREE_QUARTERS : DELIVERY_HALF;
    struct crew *const crew = s->crew;
    if (s->delivery->ranks != NULL)
        return delivery_claims_next(s->delivery, part, unit, most, first);
    pthread_mutex_lock(&crew->lock);
    const int32_t left = s->delivery->sources.count - crew->claimed;
    int32_t count = left < most ? left : most;
    if (crew->helpers > 0 && left > 0)
        count = delivery_share(left, crew->helpers + 1, part, unit, count);
    *first = crew->claimed;
    crew->claimed += count;
    pthread_mutex_unlock(&crew->lock);
    return count;
}

static void *help(void *self) {
    struct session *const s = self;
    s->status = gpu_check(cudaSetDevice(s->device), "selecting the device", &s->err);
    if (s->status == STATUS_OK)
        s->status = s->work(s, &s->err);
    if (s->status != STATUS_OK) {
        pthread_mutex_lock(&s->crew->lock);
        s->crew->stops = true;
        pthread_mutex_unlock(&s->crew->lock);
    }
    return NULL;
}

/* All GPUs do the same at the same time, the first one in this thread. The failure of the first in
 * the list that had one is reported: those that only stopped for another had none. */
static enum status together(struct session *s,
                            enum status (*work)(struct session *, struct error *),
                            struct error *err) {
    struct crew *const crew = s->crew;
    enum status status;
    if (crew->helpers == 0) {
        status = work(s, err);
        return s->delivery->ranks == NULL || status == STATUS_CANCELLED
                   ? status
                   : gpu_blame(s->device, status, err);
    }
    s->work = work;
    for (int k = 0; k < crew->helpers; k++) {
        struct session *const helper = &crew->helper[k];
        helper->work = work;
        helper->in_thread = pthread_create(&helper->thread, NULL, help, helper) == 0;
    }
    help(s);
    status = s->status;
    if (status != STATUS_OK)
        *err = s->err;
    if (status != STATUS_OK && status != STATUS_CANCELLED)
        gpu_blame(s->device, status, err);
    for (int k = 0; k < crew->helpers; k++) {
        struct session *const helper = &crew->helper[k];
        if (helper->in_thread)
            pthread_join(helper->thread, NULL);
        else
            help(helper);
        if (helper->status == STATUS_OK || (status != STATUS_OK && status != STATUS_CANCELLED))
            continue;
        *err = helper->err;
        status = helper->status == STATUS_CANCELLED
                     ? STATUS_CANCELLED
                     : gpu_blame(helper->device, helper->status, err);
    }
    return status;
}

static size_t bytes_held(const struct session *s) {
    size_t bytes = 0;
    for (int k = 0; k < s->held_count; k++)
        bytes += s->held_bytes[k];
    return bytes;
}

/* Other processes on the device count on their parts of its memory. */
static enum status check_room(const struct session *s, size_t bytes, const char *doing,
                              struct error *err) {
    char sharers[GPU_ROOM_TEXT];
    const size_t needed = bytes_held(s) + bytes;
    return s->room.processes <= 1 || needed <= s->room.free
               ? STATUS_OK
               : fail(err, STATUS_NO_RESOURCE,
                      "%s: %.2f GiB are needed on the GPU, %.2f GiB of its %.2f GiB are free%s",
                      doing, memory_gib(needed), memory_gib(s->room.free), memory_gib(s->room.all),
                      gpu_room_sharers(&s->room, sharers));
}

static enum status device_alloc(struct session *s, void **memory, size_t bytes, const char *doing,
                                struct error *err) {
    RETURN_ON_FAILURE(check_room(s, bytes, doing, err));
    RETURN_ON_FAILURE(gpu_check(cudaMalloc(memory, bytes > 0 ? bytes : 1), doing, err));
    s->held_bytes[s->held_count] = bytes;
    s->held[s->held_count++] = *memory;
    return STATUS_OK;
}

static void device_free_since(struct session *s, int held) {
    while (s->held_count > held)
        cudaFree(s->held[--s->held_count]);
}

/* A copy of an array on the device. */
static enum status upload(struct session *s, const void *from, size_t count, size_t size,
                          const void **to, struct error *err) {
    void *memory;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(device_alloc(s, &memory, count * size, "allocating pieces", err));
    if (count > 0)
        RETURN_ON_FAILURE(gpu_check(cudaMemcpy(memory, from, count * size, cudaMemcpyHostToDevice),
                                    "copying pieces", err));
    *to = memory;
    s->transfer_s += clock_seconds() - start;
    return STATUS_OK;
}

/* The jobs of all pieces by kind and width. *jobs is to be freed. */
static enum status find_jobs(struct level *level, struct product_job **jobs, int32_t *count,
                             struct error *err) {
    const struct pieces *const p = &level->pieces;
    int32_t next[2][PRODUCT_WIDTHS] = {0};
    void *memory;
    int32_t all = 0;
    for (int32_t k = 0; k < p->count; k++)
        next[k < p->leaves][product_width_class(p->piece[k].width)] +=
            (p->piece[k].own + PRODUCT_TARGETS - 1) / PRODUCT_TARGETS;
    for (int kind = 0; kind < 2; kind++) {
        for (int c = 0; c < PRODUCT_WIDTHS; c++) {
            const int32_t own = next[kind][c];
            level->products.first_job[kind][c] = next[kind][c] = all;
            all += own;
        }
        level->products.first_job[kind][PRODUCT_WIDTHS] = all;
    }
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)all, sizeof **jobs, "the jobs", err));
    *jobs = memory;
    *count = all;
    for (int32_t k = 0; k < p->count; k++) {
        int32_t *const to = &next[k < p->leaves][product_width_class(p->piece[k].width)];
        for (int32_t skipped = 0; skipped < p->piece[k].own; skipped += PRODUCT_TARGETS) {
            const int32_t left = p->piece[k].own - skipped;
            (*jobs)[(*to)++] =
                (struct product_job){k, skipped, left < PRODUCT_TARGETS ? left : PRODUCT_TARGETS};
        }
    }
    return STATUS_OK;
}

/* Lays out and uploads the pieces. */
static enum status upload_pieces(struct session *s, struct level *level, struct error *err) {
    const struct pieces *const p = &level->pieces;
    struct product_pieces *const to = &level->products;
    const size_t n = (size_t)p->n, count = (size_t)p->count;
    struct product_job *jobs = NULL;
    void *extents = NULL, *memory;
    int64_t within = 0, through = 0;
    int32_t job_count;
    enum status status;
    level->largest = 0;
    TRY(memory_alloc(&extents, count, 2 * sizeof(int64_t), "the pieces", err));
    int64_t *const inside = extents, *const outside = inside + count;
    for (size_t k = 0; k < count; k++) {
        const struct piece *const piece = &p->piece[k];
        const int32_t length = piece->own + piece->width;
        inside[k] = within;
        outside[k] = through;
        within += (int64_t)(piece->high - piece->low) * length;
        through += (int64_t)piece->own * product_width(piece->width);
        level->largest = length > level->largest ? length : level->largest;
    }
    TRY(find_jobs(level, &jobs, &job_count, err));
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
        TRY(upload(s, arrays[a].from, arrays[a].count, arrays[a].size, arrays[a].to, err));
    TRY(device_alloc(s, &memory, (size_t)within * sizeof(int32_t), "allocating pieces", err));
    to->within = memory;
    TRY(device_alloc(s, &memory, (size_t)through * sizeof(int32_t), "allocating pieces", err));
    to->through = memory;
    /* Beyond boundaries: a large length, to which INF can be added. */
    TRY(gpu_check(cudaMemset(memory, 0x3f, (size_t)through * sizeof(int32_t)), "clearing pieces",
                  err));

cleanup:
    memory_free(extents);
    memory_free(jobs);
    return status;
}

/* The distances among all vertices of a graph, by the variant of cuda_blocked that is best for it.
 */
static enum status close_graph(struct session *s, const struct graph *g, int32_t *dist, size_t ld,
                               struct error *err) {
    struct graph in = {0};
    const char *chosen = NULL;
    const void *first, *tail, *weight;
    const int held = s->held_count;
    struct gpu_matrices m = {.n = g->n,
                             .order = (int32_t)ld,
                             .ld = ld,
                             .dist = dist,
                             .staging = GPU_STAGING_BYTES,
                             .in = {.m = g->m, .max_weight = (int32_t)g->max_weight},
                             .chosen = &chosen,
                             .derives_pred = true};
    enum status status = STATUS_OK;
    TRY(graph_reverse(g, &in, err));
    TRY(device_alloc(s, &m.workspace, cuda_blocked_auto_workspace(&m, false), "allocating the top",
                     err));
    TRY(upload(s, in.first, (size_t)in.n + 1, sizeof *in.first, &first, err));
    TRY(upload(s, in.head, (size_t)in.m, sizeof *in.head, &tail, err));
    TRY(upload(s, in.weight, (size_t)in.m, sizeof *in.weight, &weight, err));
    m.in.first = first;
    m.in.tail = tail;
    m.in.weight = weight;
    TRY(gpu_fill_adjacency(&m, err));
    TRY(cuda_blocked_auto(&m, s->is_helper ? NULL : s->task->progress, err));
    TRY(gpu_check(cudaDeviceSynchronize(), "closing the top", err));
    device_free_since(s, held);

cleanup:
    graph_free(&in);
    return status;
}

static enum status close_level(struct session *s, const struct tree *tree,
                               const struct structure *structure, const struct lengths *lengths,
                               struct level *level, struct error *err);

static int32_t lanes_for(int32_t sources) {
    return (sources + PRODUCT_LANES - 1) / PRODUCT_LANES * PRODUCT_LANES;
}

/* The distances among the top, which is in pieces itself, by sweeps from all its vertices. */
static enum status sweep_top(struct session *s, const struct level *top, int32_t *dist, size_t ld,
                             struct error *err) {
    enum { LANES = 4096 };
    const int32_t n = top->pieces.n, all = lanes_for(n), lanes = all < LANES ? all : LANES;
    const size_t rows = (size_t)top->pieces.top + (size_t)top->pieces.middle + 1;
    const void *source;
    void *labels, *order = NULL;
    enum status status;
    TRY(memory_alloc(&order, (size_t)all, sizeof(int32_t), "the top", err));
    for (int32_t k = 0; k < all; k++)
        ((int32_t *)order)[k] = k < n ? k : n - 1;
    TRY(upload(s, order, (size_t)all, sizeof(int32_t), &source, err));
    TRY(device_alloc(s, &labels, rows * (size_t)lanes * sizeof(int32_t), "allocating the top",
                     err));
    for (int32_t first = 0; first < n; first += lanes) {
        const int32_t count = n - first < lanes ? n - first : lanes;
        const struct product_batch batch = {.kind = PRODUCT_ROWS,
                                            .source = (const int32_t *)source + first,
                                            .count = count,
                                            .lanes = lanes_for(count),
                                            .labels = labels,
                                            .rows = dist + (size_t)first * ld,
                                            .row_ld = ld};
        TRY(products_sweep(&top->products, &batch, err));
    }
    status = gpu_check(cudaDeviceSynchronize(), "closing the top", err);

cleanup:
    memory_free(order);
    return status;
}

/* The distances among a level's top: of itself, if it is small, or does not fall into pieces;
 * otherwise as the next level. */
static enum status close_top(struct session *s, const struct pieces_top *top, struct level *level,
                             struct error *err) {
    enum { PADDING = 128 };
    const size_t ld = ((size_t)top->tree.n + PADDING - 1) / PADDING * PADDING;
    struct level next = {0};
    struct graph g = {0};
    void *dist;
    enum status status;
    TRY(device_alloc(s, &dist, ld * ld * sizeof(int32_t), "allocating the top", err));
    level->products.among = dist;
    level->products.among_ld = ld;
    const int held = s->held_count;
    TRY(pieces_find(&top->tree, &top->structure, &top->lengths, &s->sizes, &next.pieces, err));
    if (top->tree.n > s->small_top && next.pieces.top < top->tree.n / 2) {
        TRY(close_level(s, &top->tree, &top->structure, &top->lengths, &next, err));
        TRY(sweep_top(s, &next, dist, ld, err));
    } else {
        TRY(pieces_top_graph(top, &g, err));
        TRY(close_graph(s, &g, dist, ld, err));
    }
    device_free_since(s, held);

cleanup:
    pieces_free(&next.pieces);
    graph_free(&g);
    return status;
}

static enum status close_pieces(struct session *s, const struct level *level, struct error *err) {
    const int held = s->held_count;
    void *scratch = NULL;
    const size_t cells = products_close_scratch(level->largest);
    if (cells > 0)
        RETURN_ON_FAILURE(
            device_alloc(s, &scratch, cells * sizeof(int32_t), "allocating pieces", err));
    RETURN_ON_FAILURE(products_close(&level->products, level->largest, scratch, err));
    RETURN_ON_FAILURE(gpu_check(cudaDeviceSynchronize(), "closing the pieces", err));
    device_free_since(s, held);
    return STATUS_OK;
}

/* Uploads and closes a level whose pieces have been found. */
static enum status close_level(struct session *s, const struct tree *tree,
                               const struct structure *structure, const struct lengths *lengths,
                               struct level *level, struct error *err) {
    struct pieces_top top = {0};
    enum status status;
    TRY(upload_pieces(s, level, err));
    if (level->pieces.top > 0) {
        TRY(pieces_top_find(tree, structure, lengths, &level->pieces, &top, err));
        TRY(close_top(s, &top, level, err));
    }
    status = close_pieces(s, level, err);

cleanup:
    pieces_top_free(&top);
    return status;
}

/* Arranges the sources in the order of elimination. *memory is to be freed. */
static enum status arrange(struct session *s, void **memory, struct error *err) {
    const struct row_sources *const wanted = &s->delivery->sources;
    const struct tree *const tree = &s->d.tree;
    const size_t count = (size_t)wanted->count, padded = count + PRODUCT_LANES;
    void *rows = NULL;
    enum status status;
    TRY(memory_alloc(memory, count + padded, sizeof(int32_t), "the sources", err));
    TRY(memory_alloc(&rows, (size_t)tree->n, sizeof(int32_t), "the order of sources", err));
    int32_t *const row = rows;
    s->order = *memory;
    s->position = s->order + padded;
    for (int32_t at = 0; at < tree->n; at++)
        row[at] = -1;
    for (int32_t p = 0; p < wanted->count; p++)
        row[tree->position[row_source(wanted, p)]] = p;
    for (int32_t at = 0, arranged = 0; at < tree->n; at++) {
        if (row[at] < 0)
            continue;
        s->order[arranged] = at;
        s->position[arranged++] = row[at];
    }
    for (size_t k = count; k < padded; k++)
        s->order[k] = s->order[count - 1];

cleanup:
    memory_free(rows);
    return status;
}

/* How many lanes fit. If totals are to be proved, or rows are to be made of them, all labels are
 * kept. */
static enum status lanes_that_fit(const struct session *s, bool keeps_all, size_t *lanes,
                                  struct error *err) {
    const struct pieces *const p = &s->level.pieces;
    const size_t rows = (size_t)(keeps_all ? p->n : p->top + p->middle) + 1;
    size_t most_bytes = (size_t)(keeps_all ? 8 : 1) << 30, free_bytes, all_bytes;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for its free memory", err));
    if (s->room.processes > 1) {
        const size_t held = bytes_held(s);
        free_bytes = s->room.free > held ? s->room.free - held : 0;
    }
    if ((keeps_all || s->room.processes > 1) && most_bytes > free_bytes / 2)
        most_bytes = free_bytes / 2;
    *lanes = most_bytes / (rows * sizeof(int32_t)) / PRODUCT_LANES * PRODUCT_LANES;
    return STATUS_OK;
}

/* Prepares to prove totals, if that is wanted and there is memory. The distances are those of the
 * graph or of the reversed one. */
static enum status prepare_proof(struct session *s, bool reversed, struct error *err) {
    const struct graph *const g = s->task->graph;
    struct graph in = {0};
    size_t fit;
    enum status status;
    gpu_lane_proof_close(&s->proof);
    if (!s->proves || !delivery_takes_totals(s->delivery))
        return STATUS_OK;
    TRY(lanes_that_fit(s, true, &fit, err));
    if (fit == 0)
        return STATUS_OK;
    if (reversed)
        TRY(graph_reverse(g, &in, err));
    status = gpu_lane_proof_open(&s->proof, reversed ? &in : g, s->level.pieces.vertex, err);

cleanup:
    graph_free(&in);
    return status;
}

static size_t row_length(const struct session *s) {
    enum { LINE = 32 };
    return ((size_t)s->level.pieces.n + LINE - 1) / LINE * LINE;
}

/* The bytes of a row on the device and, if they are wanted, of its predecessors. */
static size_t row_bytes(const struct session *s) {
    return row_length(s) * sizeof(int32_t) * (s->task->predecessors ? 2 : 1);
}

/* Rows of a batch that goes to the host, at most. */
static int32_t rows_at_once(const struct session *s) {
    const size_t batch_bytes = (size_t)64 << 20, fewest = ROW_BLOCK_MAX;
    const size_t fit = batch_bytes / row_bytes(s);
    return (int32_t)(fit > (size_t)s->lanes ? (size_t)s->lanes : fit < fewest ? fewest : fit);
}

/* Whether the sink takes rows in the memory of this device, all at once. Predecessors on
 * zero-weight cycles are mended on the host. */
static bool rows_may_stay(const struct session *s) {
    return s->crew->helpers == 0 && s->delivery->ranks == NULL &&
           (!s->task->predecessors || s->delivery->zero.components == 0) &&
           delivery_takes_device(s->delivery, s->device, s->proves);
}

/* Large batches keep the device busy until all blocks end together. Without room for all labels of
 * the smallest batch, rows are written cell by cell, which takes longer. */
static enum status alloc_labels(struct session *s, struct error *err) {
    const struct pieces *const p = &s->level.pieces;
    const int32_t all = lanes_for(s->delivery->sources.count);
    const bool totals = delivery_takes_totals(s->delivery);
    size_t fit;
    void *memory;
    RETURN_ON_FAILURE(lanes_that_fit(s, true, &fit, err));
    s->keeps_labels = s->proof.is_ready || (!totals && fit > 0);
    RETURN_ON_FAILURE(lanes_that_fit(s, s->keeps_labels, &fit, err));
    const size_t rows = (size_t)(s->keeps_labels ? p->n : p->top + p->middle) + 1;
    s->lanes = s->lanes < all ? s->lanes : all;
    if (!totals && !rows_may_stay(s))
        s->lanes = lanes_for(rows_at_once(s));
    if ((size_t)s->lanes > fit)
        s->lanes = fit > PRODUCT_LANES ? (int32_t)fit : PRODUCT_LANES;
    RETURN_ON_FAILURE(device_alloc(s, &memory, rows * (size_t)s->lanes * sizeof(int32_t),
                                   "allocating labels", err));
    s->batch.labels = memory;
    return STATUS_OK;
}

/* Sweeps `count` sources from `first` on. */
static enum status sweep(struct session *s, enum product_kind kind, int32_t first, int32_t count,
                         struct error *err) {
    struct product_batch *const b = &s->batch;
    b->kind = kind;
    b->source = s->source + first;
    b->count = count;
    b->lanes = lanes_for(count);
    b->totals = s->totals;
    b->totals.sum += first;
    b->totals.high += first;
    b->totals.low += first;
    b->totals.reached += first;
    b->totals.farthest += first;
    return products_sweep(&s->level.products, b, err);
}

/* Begins to measure a time on the device, and adds it to *seconds. */
static enum status start_clock(const struct session *s, struct error *err) {
    return gpu_check(cudaEventRecord(s->begin, 0), "starting the clock", err);
}

static enum status stop_clock(const struct session *s, double *seconds, struct error *err) {
    float milliseconds = 0;
    RETURN_ON_FAILURE(gpu_check(cudaEventRecord(s->end, 0), "stopping the clock", err));
    RETURN_ON_FAILURE(gpu_check(cudaEventSynchronize(s->end), "running the kernels", err));
    RETURN_ON_FAILURE(
        gpu_check(cudaEventElapsedTime(&milliseconds, s->begin, s->end), "reading the clock", err));
    *seconds += 1e-3 * (double)milliseconds;
    return STATUS_OK;
}

/* Totals ------------------------------------------------------------------------------------------
 */

/* The totals of all sources, in the order of elimination; on the host. */
struct host_totals {
    void *memory;
    uint64_t *sum;
    int64_t *high, *low;
    int32_t *reached, *farthest;
    int32_t largest;
};

enum { TOTAL_BYTES = 3 * sizeof(int64_t) + 2 * sizeof(int32_t) };

static size_t padded_sources(const struct session *s) {
    return (size_t)s->delivery->sources.count + PRODUCT_LANES;
}

static enum status alloc_totals(struct session *s, struct error *err) {
    const size_t padded = padded_sources(s);
    struct gpu_totals *const t = &s->totals;
    void *memory;
    RETURN_ON_FAILURE(product_slots(s->lanes, &s->slots, err));
    RETURN_ON_FAILURE(device_alloc(s, &memory, padded * TOTAL_BYTES, "allocating totals", err));
    t->sum = memory;
    t->high = (int64_t *)(t->sum + padded);
    t->low = t->high + padded;
    t->reached = (int32_t *)(t->low + padded);
    t->farthest = t->reached + padded;
    RETURN_ON_FAILURE(device_alloc(s, &memory, (size_t)s->slots * TOTALS_BINS * sizeof(uint64_t),
                                   "allocating totals", err));
    t->count = memory;
    return STATUS_OK;
}

static enum status clear_totals(const struct session *s, struct error *err) {
    RETURN_ON_FAILURE(gpu_check(cudaMemset(s->totals.sum, 0, padded_sources(s) * TOTAL_BYTES),
                                "clearing totals", err));
    return gpu_check(
        cudaMemset(s->totals.count, 0, (size_t)s->slots * TOTALS_BINS * sizeof(uint64_t)),
        "clearing totals", err);
}

static enum status alloc_host_totals(const struct session *s, struct host_totals *t,
                                     struct error *err) {
    const size_t padded = padded_sources(s);
    if (t->memory == NULL)
        RETURN_ON_FAILURE(memory_alloc(&t->memory, padded, TOTAL_BYTES, "the totals", err));
    t->sum = t->memory;
    t->high = (int64_t *)(t->sum + padded);
    t->low = t->high + padded;
    t->reached = (int32_t *)(t->low + padded);
    t->farthest = t->reached + padded;
    return STATUS_OK;
}

/* Fetches totals of the first `count` sources. */
static enum status fetch_totals(struct session *s, struct host_totals *t, int32_t count,
                                struct error *err) {
    const size_t padded = padded_sources(s);
    const double start = clock_seconds();
    RETURN_ON_FAILURE(alloc_host_totals(s, t, err));
    RETURN_ON_FAILURE(gpu_check(
        cudaMemcpy(t->memory, s->totals.sum, padded * TOTAL_BYTES, cudaMemcpyDeviceToHost),
        "copying totals", err));
    t->largest = 0;
    for (int32_t k = 0; k < count; k++)
        t->largest = t->farthest[k] > t->largest ? t->farthest[k] : t->largest;
    s->transfer_s += clock_seconds() - start;
    return STATUS_OK;
}

/* The least shift by which `longest` is in the bins. */
static int32_t shift_for(int64_t longest) {
    int32_t shift = 0;
    while (longest >> shift >= TOTALS_BINS)
        shift++;
    return shift;
}

/* What the first sources show: how wide bins have to be if they are for twice the largest distance
 * from them, which is the largest of all at most, if the graph is connected and all edges lead both
 * ways; and whether it can be that all distances are finite and, but for those of vertices to
 * themselves, not 0. */
static enum status look_ahead(struct session *s, struct host_totals *t, struct error *err) {
    const struct graph *const g = s->task->graph;
    const int32_t count = s->delivery->sources.count;
    const int32_t some = count < PRODUCT_LANES ? count : PRODUCT_LANES;
    RETURN_ON_FAILURE(clear_totals(s, err));
    RETURN_ON_FAILURE(sweep(s, PRODUCT_TOTALS, 0, some, err));
    RETURN_ON_FAILURE(fetch_totals(s, t, some, err));
    s->totals.shift = shift_for(2 * (int64_t)t->largest + 1);
    s->is_finite = g->n > 1 && g->min_weight > 0;
    for (int32_t k = 0; k < some; k++)
        s->is_finite = s->is_finite && t->reached[k] == g->n;
    return STATUS_OK;
}

/* Whether nobody reads reciprocals and counts. */
static bool spares_counts(const struct session *s) {
    return s->delivery->sink->spares_reciprocals;
}

/* Sweeps `count` sources from `first` on and proves all labels, whose totals it takes. */
static enum status sweep_and_prove(struct session *s, int32_t first, int32_t count,
                                   struct error *err) {
    RETURN_ON_FAILURE(start_clock(s, err));
    RETURN_ON_FAILURE(sweep(s, PRODUCT_LABELS, first, count, err));
    RETURN_ON_FAILURE(stop_clock(s, &s->report->sweep_s, err));
    const struct gpu_lanes rows = {.dist = s->batch.labels,
                                   .source = s->vertex + first,
                                   .count = count,
                                   .lanes = s->batch.lanes,
                                   .all_finite = s->is_finite,
                                   .totals = s->batch.totals,
                                   .slots = s->slots};
    RETURN_ON_FAILURE(start_clock(s, err));
    RETURN_ON_FAILURE(gpu_lane_proof_take(&s->proof, &rows, err));
    return stop_clock(s, &s->report->prove_s, err);
}

/* The same without a proof: the sweep takes the totals. */
static enum status sweep_only(struct session *s, int32_t first, int32_t count, struct error *err) {
    RETURN_ON_FAILURE(start_clock(s, err));
    const enum product_kind kind = !s->is_finite      ? PRODUCT_TOTALS
                                   : spares_counts(s) ? PRODUCT_SUMS
                                                      : PRODUCT_FINITE;
    RETURN_ON_FAILURE(sweep(s, kind, first, count, err));
    return stop_clock(s, &s->report->sweep_s, err);
}

/* Only the thread that started the solve may report. */
static void report_progress(const struct session *s, int32_t done) {
    if (!s->is_helper)
        progress_report(s->task->progress, done, s->delivery->sources.count);
}

/* Sweeps the sources that this GPU claims. */
static enum status sweep_part(struct session *s, struct error *err) {
    int32_t first, some;
    RETURN_ON_FAILURE(clear_totals(s, err));
    if (s->proof.is_ready)
        RETURN_ON_FAILURE(gpu_lane_proof_begin(&s->proof, err));
    while ((some = claim(s, s->lanes, PRODUCT_LANES, &first)) > 0) {
        if (!goes_on(s))
            return progress_cancelled(err);
        RETURN_ON_FAILURE(s->proof.is_ready ? sweep_and_prove(s, first, some, err)
                                            : sweep_only(s, first, some, err));
        report_progress(s, first);
    }
    /* Another thread fetches a helper's totals. */
    return s->is_helper ? gpu_check(cudaDeviceSynchronize(), "clearing totals", err) : STATUS_OK;
}

/* Adds a helper's totals: of a source, all but one GPU have 0. */
static enum status add_totals(struct session *helper, struct host_totals *t, int32_t count,
                              struct error *err) {
    struct host_totals part = {0};
    const enum status status = fetch_totals(helper, &part, count, err);
    for (int32_t k = 0; k < count && status == STATUS_OK; k++) {
        t->sum[k] += part.sum[k];
        t->high[k] += part.high[k];
        t->low[k] += part.low[k];
        t->reached[k] += part.reached[k];
        t->farthest[k] += part.farthest[k];
    }
    t->largest = part.largest > t->largest ? part.largest : t->largest;
    memory_free(part.memory);
    return status;
}

/* All sources are there to be claimed. */
static enum status claim_anew(const struct session *s, struct error *err) {
    s->crew->claimed = 0;
    return ranks_claims_again(ranks_of(s), err);
}

/* Sweeps the sources that this process claims. */
static enum status sweep_own(struct session *s, struct host_totals *t, struct error *err) {
    struct crew *const crew = s->crew;
    const int32_t count = s->delivery->sources.count;
    for (int k = 0; k < crew->helpers; k++) {
        crew->helper[k].is_finite = s->is_finite;
        crew->helper[k].totals.shift = s->totals.shift;
    }
    RETURN_ON_FAILURE(together(s, sweep_part, err));
    RETURN_ON_FAILURE(fetch_totals(s, t, count, err));
    for (int k = 0; k < crew->helpers; k++)
        RETURN_ON_FAILURE(add_totals(&crew->helper[k], t, count, err));
    return STATUS_OK;
}

/* Lowers the number to the least of all processes, if none has failed before it came here. */
static enum status least_of_all(const struct session *s, int *number, struct error *err) {
    RETURN_ON_FAILURE(ranks_agree(ranks_of(s), STATUS_OK, err));
    return ranks_least(ranks_of(s), number, err);
}

/* Leaves a fact true only if it is for all processes. */
static enum status true_of_all(const struct session *s, bool *fact, struct error *err) {
    int least = *fact;
    RETURN_ON_FAILURE(least_of_all(s, &least, err));
    *fact = least != 0;
    return STATUS_OK;
}

/* Sweeps all sources. t->largest is then that of all processes, and the rest is 0 for sources that
 * another one has. */
static enum status sweep_all(struct session *s, struct host_totals *t, struct error *err) {
    RETURN_ON_FAILURE(claim_anew(s, err));
    RETURN_ON_FAILURE(sweep_own(s, t, err));
    int least = -t->largest;
    RETURN_ON_FAILURE(least_of_all(s, &least, err));
    t->largest = -least;
    return STATUS_OK;
}

/* Takes back that sources counted as at distance 1 from themselves. */
static void take_back(const struct session *s, struct host_totals *t) {
    for (int32_t k = 0; k < s->delivery->sources.count; k++) {
        if (t->sum[k] == 0)
            continue; /* another process has it */
        t->sum[k] -= 1;
        t->high[k] -= (int64_t)1 << 41;
        t->reached[k] = s->task->graph->n;
    }
}

/* Finds the totals of the sources that this GPU claims by classes of rows. */
static enum status classes_part(struct session *s, struct error *err) {
    enum { LEAST = 4096 }; /* of fewer sources, fewer are alike */
    const int32_t count = s->delivery->sources.count;
    struct host_totals *const t = s->found;
    void *memory;
    int32_t first, some;
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)count, sizeof(struct class_total), "the totals", err));
    const double start = clock_seconds(), prove_s = s->classes.prove_s;
    struct class_total *const row = memory;
    s->classes.all = s->is_helper ? 0 : count; /* who may report */
    while (status == STATUS_OK && (some = claim(s, count, LEAST, &first)) > 0) {
        s->classes.base = first;
        status = gpu_classes_totals(&s->classes, s->order + first, some, row, err);
        for (int32_t k = 0; k < some && status == STATUS_OK; k++) {
            t->sum[first + k] = (uint64_t)row[k].sum;
            t->reached[first + k] = row[k].reached;
            t->farthest[first + k] = row[k].farthest;
        }
    }
    memory_free(memory);
    s->report->prove_s += s->classes.prove_s - prove_s;
    s->report->sweep_s += clock_seconds() - start - (s->classes.prove_s - prove_s);
    return status;
}

/* The same of all GPUs and processes, as sweep_all has it. */
static enum status classes_of_all(struct session *s, struct host_totals *t, struct error *err) {
    const int32_t count = s->delivery->sources.count;
    RETURN_ON_FAILURE(alloc_host_totals(s, t, err));
    memset(t->memory, 0, padded_sources(s) * TOTAL_BYTES);
    s->found = t;
    for (int k = 0; k < s->crew->helpers; k++)
        s->crew->helper[k].found = t;
    RETURN_ON_FAILURE(claim_anew(s, err));
    RETURN_ON_FAILURE(together(s, classes_part, err));
    t->largest = 0;
    for (int32_t k = 0; k < count; k++)
        t->largest = t->farthest[k] > t->largest ? t->farthest[k] : t->largest;
    int least = -t->largest;
    RETURN_ON_FAILURE(least_of_all(s, &least, err));
    t->largest = -least;
    return STATUS_OK;
}

/* Sweeps all sources, and once more if what the first ones let expect was wrong. */
static enum status sweep_totals(struct session *s, struct host_totals *t, struct error *err) {
    if (s->by_classes)
        return classes_of_all(s, t, err);
    RETURN_ON_FAILURE(look_ahead(s, t, err));
    for (;;) {
        RETURN_ON_FAILURE(sweep_all(s, t, err));
        if (s->is_finite && t->largest >= INF)
            s->is_finite = false;
        else if (t->largest >> s->totals.shift >= TOTALS_BINS && !spares_counts(s))
            s->totals.shift = shift_for(t->largest);
        else
            break;
    }
    if (s->is_finite)
        take_back(s, t);
    return STATUS_OK;
}

static struct row_totals total_at(const struct host_totals *t, int32_t k) {
    return (struct row_totals){.sum = (int64_t)t->sum[k],
                               .high = t->high[k],
                               .low = t->low[k],
                               .reached = t->reached[k],
                               .farthest = t->farthest[k]};
}

/* Adds the counts of all blocks of a GPU. */
static enum status add_counts(struct session *s, int64_t *count, struct error *err) {
    const size_t cells = (size_t)s->slots * TOTALS_BINS;
    void *memory;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(memory_alloc(&memory, cells, sizeof(uint64_t), "the totals", err));
    const uint64_t *const all = memory;
    const enum status status = gpu_check(
        cudaMemcpy(memory, s->totals.count, cells * sizeof(uint64_t), cudaMemcpyDeviceToHost),
        "copying totals", err);
    for (size_t c = 0; c < cells && status == STATUS_OK; c++)
        count[c % TOTALS_BINS] += (int64_t)all[c];
    memory_free(memory);
    s->transfer_s += clock_seconds() - start;
    return status;
}

/* Adds up the counts of all GPUs of this process. */
static enum status fetch_counts(struct session *s, const struct host_totals *t, int64_t *count,
                                struct error *err) {
    struct crew *const crew = s->crew;
    int32_t own = 0; /* sources */
    for (int32_t k = 0; k < s->delivery->sources.count; k++)
        own += t->reached[k] > 0;
    memset(count, 0, TOTALS_BINS * sizeof *count);
    if (s->by_classes)
        return STATUS_OK;
    RETURN_ON_FAILURE(add_counts(s, count, err));
    for (int k = 0; k < crew->helpers; k++)
        RETURN_ON_FAILURE(add_counts(&crew->helper[k], count, err));
    if (s->is_finite && s->totals.shift == 0 && !spares_counts(s)) { /* see take_back */
        count[1] -= own;
        count[0] += own;
    }
    return STATUS_OK;
}

static struct proportional_graph eliminated(const struct session *s) {
    return (struct proportional_graph){
        .tree = &s->d.tree, .structure = &s->d.structure, .lengths = s->d.lengths};
}

/* Whether each vertex but the source of a row, by positions, is at the least of INF and of all sums
 * of an edge into it and the distance of the edge's tail; least: room for n. */
static bool is_exact(const struct session *s, int32_t source, const int32_t *row, int32_t *least) {
    const struct graph *const g = s->task->graph;
    const int32_t *const position = s->d.tree.position;
    bool is_so = row[source] == 0;
    for (int32_t v = 0; v < g->n; v++)
        least[v] = INF;
    for (int32_t v = 0; v < g->n; v++) {
        const int64_t from = row[position[v]];
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            int32_t *const to = &least[position[g->head[e]]];
            *to = from + g->weight[e] < *to ? (int32_t)(from + g->weight[e]) : *to;
        }
    }
    for (int32_t at = 0; at < g->n; at++)
        is_so = is_so && (at == source || row[at] == least[at]);
    return is_so;
}

/* The lowest target at the largest distance from a source, whose lane it is. The host finds it if
 * the device has classes of rows, and proves the row if rows are to be proved. */
static enum status find_target_here(struct session *s, int32_t lane, struct answer_totals *totals,
                                    struct error *err) {
    const int32_t n = s->d.tree.n;
    const struct proportional_graph g = eliminated(s);
    const double start = clock_seconds();
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)n, 2 * sizeof(int32_t), "a row", err));
    int32_t *const row = memory;
    proportional_row(&g, &s->regions, s->threads, s->order[lane], row);
    s->refuted = s->proves && !is_exact(s, s->order[lane], row, row + n);
    totals->to = n;
    for (int32_t at = 0; at < n; at++) {
        if (row[at] == totals->largest && s->d.tree.vertex[at] < totals->to)
            totals->to = s->d.tree.vertex[at];
    }
    memory_free(memory);
    s->report->sweep_s += clock_seconds() - start;
    return STATUS_OK;
}

/* The same on the device. If rows are to be proved, this one is, once more. */
static enum status find_target(struct session *s, const struct host_totals *t, int32_t lane,
                               struct answer_totals *totals, struct error *err) {
    const int32_t n = s->level.pieces.n;
    const int held = s->held_count;
    void *memory = NULL, *rows;
    enum status status;
    TRY(memory_alloc(&memory, (size_t)n, sizeof(int32_t), "a row", err));
    TRY(device_alloc(s, &rows, (size_t)n * sizeof(int32_t), "allocating a row", err));
    if (s->proof.is_ready) {
        TRY(sweep_and_prove(s, lane, 1, err));
        TRY(products_fetch_row(&s->level.products, &s->batch, rows, err));
    } else {
        s->batch.rows = rows;
        s->batch.row_ld = (size_t)n;
        TRY(sweep(s, PRODUCT_ROWS, lane, 1, err));
    }
    TRY(gpu_check(cudaMemcpy(memory, rows, (size_t)n * sizeof(int32_t), cudaMemcpyDeviceToHost),
                  "copying a row", err));
    const int32_t *const row = memory;
    totals->to = 0;
    while (totals->to < n - 1 && row[totals->to] != t->largest)
        totals->to++;

cleanup:
    device_free_since(s, held);
    memory_free(memory);
    return status;
}

/* The same from the lowest source of all that has such a target, in the process that has it. */
static enum status find_farthest(struct session *s, const struct host_totals *t,
                                 struct answer_totals *totals, struct error *err) {
    int32_t lane = -1;
    int lowest = s->task->graph->n;
    for (int32_t k = 0; k < s->delivery->sources.count; k++) {
        const int32_t v = s->d.tree.vertex[s->order[k]];
        if (t->reached[k] > 0 && t->farthest[k] == t->largest && v < lowest) {
            lane = k;
            lowest = v;
        }
    }
    totals->from = lowest;
    RETURN_ON_FAILURE(least_of_all(s, &lowest, err));
    if (totals->from == lowest)
        return s->by_classes ? find_target_here(s, lane, totals, err)
                             : find_target(s, t, lane, totals, err);
    totals->from = -1;
    return STATUS_OK;
}

static enum status prepare_devices(struct session *s, bool reversed, struct error *err);

static void forget_device(struct session *s) {
    gpu_classes_close(&s->classes);
    device_free_since(s, 0);
}

/* Closes the regions of all rows on a device, within the memory that is free there, and prepares to
 * prove rows if that is wanted. */
static enum status open_classes(struct session *s, struct error *err) {
    const struct proportional_graph g = eliminated(s);
    struct graph in = {0};
    struct gpu_classes_options options = {.threads = s->threads, .progress = s->task->progress};
    size_t free_bytes, all_bytes;
    const double start = clock_seconds();
    enum status status;
    TRY(gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for its free memory", err));
    if (s->room.processes > 1)
        free_bytes = s->room.free;
    options.room = free_bytes / 8 * 7;
    if (s->proves && s->crew->reversed)
        TRY(graph_reverse(s->task->graph, &in, err));
    if (s->proves)
        options.proves = s->crew->reversed ? &in : s->task->graph;
    status = gpu_classes_open(&s->classes, &g, &s->regions, &options, err);
    s->report->prove_s += s->classes.prove_s;
    s->report->close_s += clock_seconds() - start - s->classes.prove_s;

cleanup:
    graph_free(&in);
    return status;
}

/* On all GPUs. */
static enum status open_all_classes(struct session *s, struct error *err) {
    for (int k = 0; k < s->crew->helpers; k++) {
        struct session *const helper = &s->crew->helper[k];
        helper->d = s->d;
        helper->regions = s->regions;
        helper->proves = s->proves;
    }
    return together(s, open_classes, err);
}

/* Whether the sums of all rows are found sooner by classes, which what some sources take predicts.
 */
static enum status predict_classes(struct session *s, bool *pays, struct error *err) {
    /* Of few sources nothing is gained; those of small graphs take no longer than a prediction. */
    enum { FEW = 256, SMALL = 8192 };
    const double entry_s = 2.5e-13, step_s = 4e-13, cut_s = 0.02;
    const int32_t count = s->delivery->sources.count, n = s->d.tree.n;
    const double sweeps_s = cut_s + entry_s * count * (double)(n + s->d.structure.first[n]);
    const double start = clock_seconds(), prove_s = s->classes.prove_s;
    double steps;
    *pays = s->anyway || (count >= FEW && count <= SMALL);
    if (*pays || count < FEW)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_classes_predict(&s->classes, s->order, count, &steps, err));
    *pays = steps * step_s < sweeps_s;
    s->report->prove_s += s->classes.prove_s - prove_s;
    s->report->sweep_s += clock_seconds() - start - (s->classes.prove_s - prove_s);
    return STATUS_OK;
}

static void forget_classes(struct session *s) {
    s->by_classes = false;
    regions_free(&s->regions);
    gpu_classes_close(&s->classes);
    for (int k = 0; k < s->crew->helpers; k++) {
        s->crew->helper[k].by_classes = false;
        gpu_classes_close(&s->crew->helper[k].classes);
    }
}

/* Whether all GPUs can prove classes of rows, if that is wanted. */
static bool can_prove(const struct session *s) {
    bool can = s->classes.proof.is_ready;
    for (int k = 0; k < s->crew->helpers; k++)
        can = can && s->crew->helper[k].classes.proof.is_ready;
    return can || !s->proves;
}

/* Prepares to find rows by classes, if the sink wants sums only and that pays. Otherwise
 * s->by_classes becomes false. */
static enum status choose_classes(struct session *s, struct error *err) {
    bool pays = s->by_classes;
    enum status status = STATUS_OK;
    const double start = clock_seconds();
    if (pays) {
        const struct proportional_graph g = eliminated(s);
        status = regions_find(g.tree, g.structure, &s->region_sizes, &s->regions, err);
        s->report->cut_s += clock_seconds() - start;
        if (status == STATUS_OK)
            status = open_all_classes(s, err);
        pays = pays && can_prove(s);
        if (status == STATUS_OK && pays)
            status = predict_classes(s, &pays, err);
        pays = pays && status == STATUS_OK;
        if (status == STATUS_NO_RESOURCE)
            status = STATUS_OK;
    }
    RETURN_ON_FAILURE(status);
    RETURN_ON_FAILURE(true_of_all(s, &pays, err));
    if (s->by_classes && !pays)
        forget_classes(s);
    return STATUS_OK;
}

static void exchange_lengths(struct session *s) {
    struct lengths *const lengths = &s->d.lengths;
    *lengths = (struct lengths){.up = lengths->down, .down = lengths->up};
}

/* Goes on with the reversed graph, or with the graph again. */
static enum status reverse(struct session *s, bool reversed, struct error *err) {
    const struct lengths *const lengths = &s->d.lengths;
    exchange_lengths(s);
    pieces_free(&s->level.pieces);
    forget_device(s);
    for (int k = 0; k < s->crew->helpers; k++)
        forget_device(&s->crew->helper[k]);
    s->crew->reversed = reversed;
    if (s->by_classes)
        return open_all_classes(s, err);
    RETURN_ON_FAILURE(
        pieces_find(&s->d.tree, &s->d.structure, lengths, &s->sizes, &s->level.pieces, err));
    return prepare_devices(s, reversed, err);
}

/* Whether what a GPU has found since the totals were cleared is proved. */
static enum status end_proof(const struct session *s, bool *proved, struct error *err) {
    *proved = s->proof.is_ready;
    if (s->by_classes) {
        RETURN_ON_FAILURE(gpu_classes_proved(&s->classes, proved, err));
        *proved = *proved && !s->refuted;
        return STATUS_OK;
    }
    return s->proof.is_ready ? gpu_lane_proof_end(&s->proof, proved, err) : STATUS_OK;
}

/* The same of all GPUs of this process. */
static enum status is_own_proved(const struct session *s, bool *proved, struct error *err) {
    struct crew *const crew = s->crew;
    RETURN_ON_FAILURE(end_proof(s, proved, err));
    for (int k = 0; k < crew->helpers && *proved; k++) {
        struct session *const helper = &crew->helper[k];
        RETURN_ON_FAILURE(gpu_check(cudaSetDevice(helper->device), "selecting the device", err));
        RETURN_ON_FAILURE(gpu_blame(helper->device, end_proof(helper, proved, err), err));
    }
    return crew->helpers == 0 ? STATUS_OK
                              : gpu_check(cudaSetDevice(s->device), "selecting the device", err);
}

/* Whether all that has been swept since the totals were cleared is proved, if that is wanted. */
static enum status is_proved(const struct session *s, bool *proved, struct error *err) {
    RETURN_ON_FAILURE(is_own_proved(s, proved, err));
    return true_of_all(s, proved, err);
}

/* On all GPUs. */
static enum status alloc_all_totals(struct session *s, struct error *err) {
    return together(s, alloc_totals, err);
}

/* *done: the totals settle the answer. */
static enum status answer_by_totals(struct session *s, bool *done, struct error *err) {
    const int32_t count = s->delivery->sources.count;
    struct host_totals t = {0};
    struct answer_totals totals = {.bins = TOTALS_BINS};
    int64_t counts[TOTALS_BINS];
    void *out = NULL, *in = NULL;
    enum status status;
    if (!s->by_classes)
        TRY(alloc_all_totals(s, err));
    TRY(memory_alloc(&out, (size_t)count, sizeof(struct row_totals), "the totals", err));
    TRY(sweep_totals(s, &t, err));
    TRY(fetch_counts(s, &t, counts, err));
    totals.shift = s->totals.shift;
    totals.count = counts;
    totals.out = out;
    totals.largest = t.largest;
    for (int32_t k = 0; k < count; k++)
        ((struct row_totals *)out)[s->position[k]] = total_at(&t, k);
    TRY(find_farthest(s, &t, &totals, err));
    TRY(is_proved(s, &totals.proved, err));
    if (s->delivery->sink->wants_columns && totals.proved == s->proves) {
        bool proved;
        TRY(memory_alloc(&in, (size_t)count, sizeof(struct row_totals), "the totals", err));
        TRY(reverse(s, true, err));
        if (!s->by_classes)
            TRY(alloc_all_totals(s, err));
        TRY(sweep_totals(s, &t, err));
        for (int32_t k = 0; k < count; k++)
            ((struct row_totals *)in)[s->position[k]] = total_at(&t, k);
        totals.in = in;
        TRY(is_proved(s, &proved, err));
        totals.proved = totals.proved && proved;
    }
    *done = delivery_take_totals(s->delivery, &totals);
    s->report->reduced = *done;
    s->report->proportional = *done && s->by_classes;
    s->report->proved = totals.proved;
    if (!*done && totals.in != NULL) /* rows are wanted after all */
        TRY(reverse(s, false, err));

cleanup:
    memory_free(t.memory);
    memory_free(out);
    memory_free(in);
    return status;
}

/* Rows --------------------------------------------------------------------------------------------
 */

/* Rows first .. first + count - 1 in the order of elimination. */
struct batch {
    int32_t first, count;
    int buffer;
};

/* Allocates `count` rows of the device, and all that is needed to write them from labels. */
static enum status alloc_rows(struct session *s, int32_t count, struct product_rows *rows,
                              struct error *err) {
    const struct graph *const g = s->task->graph;
    const size_t n = (size_t)g->n, ld = row_length(s), cells = (size_t)count * ld;
    struct graph in = {0};
    void *memory, *places = NULL;
    const void *place, *first, *tail, *tail_place, *weight;
    enum status status;
    *rows = (struct product_rows){.ld = ld};
    TRY(device_alloc(s, &memory, (size_t)count * row_bytes(s), "allocating rows", err));
    rows->dist = memory;
    TRY(memory_alloc(&places, n + (size_t)g->m, sizeof(int32_t), "the places of vertices", err));
    int32_t *const of = places, *const of_tail = of + n;
    for (size_t k = 0; k < n; k++)
        of[s->level.pieces.vertex[k]] = (int32_t)k;
    TRY(upload(s, of, n, sizeof *of, &place, err));
    rows->place = place;
    if (!s->task->predecessors)
        goto cleanup;
    rows->pred = rows->dist + cells;
    TRY(graph_reverse(g, &in, err));
    for (int64_t e = 0; e < in.m; e++)
        of_tail[e] = of[in.head[e]];
    TRY(upload(s, in.first, n + 1, sizeof *in.first, &first, err));
    TRY(upload(s, in.head, (size_t)in.m, sizeof *in.head, &tail, err));
    TRY(upload(s, of_tail, (size_t)in.m, sizeof *of_tail, &tail_place, err));
    TRY(upload(s, in.weight, (size_t)in.m, sizeof *in.weight, &weight, err));
    rows->in = (struct product_edges){first, tail, tail_place, weight};

cleanup:
    graph_free(&in);
    memory_free(places);
    return status;
}

/* Sweeps `count` sources from `first` on and writes their rows. */
static enum status sweep_rows(struct session *s, struct product_rows *rows, int32_t first,
                              int32_t count, struct error *err) {
    rows->source = s->vertex + first;
    if (s->keeps_labels) {
        RETURN_ON_FAILURE(sweep(s, PRODUCT_LABELS, first, count, err));
        return products_write_rows(&s->level.products, &s->batch, rows, err);
    }
    s->batch.rows = rows->dist;
    s->batch.row_ld = rows->ld;
    RETURN_ON_FAILURE(sweep(s, PRODUCT_ROWS, first, count, err));
    return rows->pred != NULL ? products_predecessors(&s->level.products, &s->batch, rows, err)
                              : STATUS_OK;
}

/* Batches of rows on their way to the sink, in BUFFERS buffers in turn. */
struct stream {
    struct session *s;
    int32_t rows;           /* of a batch at most */
    struct product_rows to; /* on the device */
    int32_t *host[BUFFERS]; /* distances, then predecessors */
    void *buffer;
    size_t buffer_bytes;
    cudaEvent_t full[BUFFERS];
    struct gpu_proof proof; /* ready if rows are proved */
    bool proved[BUFFERS];
};

/* The bytes of a batch's rows. */
static size_t stream_bytes(const struct stream *st) {
    return (size_t)st->rows * row_bytes(st->s);
}

static enum status stream_open(struct stream *st, struct error *err) {
    struct session *const s = st->s;
    st->rows = rows_at_once(s);
    RETURN_ON_FAILURE(alloc_rows(s, st->rows, &st->to, err));
    if (s->proves)
        RETURN_ON_FAILURE(gpu_proof_open(&st->proof, s->delivery->sink->proves,
                                         s->delivery->potential, st->to.pred != NULL, err));
    const size_t bytes = stream_bytes(st);
    for (int k = 0; k < BUFFERS; k++)
        RETURN_ON_FAILURE(gpu_check(cudaEventCreateWithFlags(&st->full[k], cudaEventDisableTiming),
                                    "creating an event", err));
    RETURN_ON_FAILURE(memory_reserve(BUFFERS * bytes, "the rows", err));
    st->buffer_bytes = BUFFERS * bytes;
    RETURN_ON_FAILURE(
        gpu_check(cudaMallocHost(&st->buffer, BUFFERS * bytes), "allocating rows", err));
    for (int k = 0; k < BUFFERS; k++)
        st->host[k] = (int32_t *)st->buffer + (size_t)k * (bytes / sizeof(int32_t));
    return STATUS_OK;
}

static void stream_close(struct stream *st) {
    cudaDeviceSynchronize(); /* a copy may be under way */
    gpu_proof_close(&st->proof);
    for (int k = 0; k < BUFFERS; k++) {
        if (st->full[k] != NULL)
            cudaEventDestroy(st->full[k]);
    }
    if (st->buffer != NULL)
        cudaFreeHost(st->buffer);
    memory_release(st->buffer_bytes);
}

/* Proves the rows of a batch, if that is wanted; what is not proved here, the sink proves. */
static enum status prove_batch(struct stream *st, const struct batch *batch, struct error *err) {
    struct session *const s = st->s;
    const struct gpu_proof_rows rows = {st->to.dist, st->to.pred, s->vertex + batch->first,
                                        st->to.ld, batch->count};
    bool *const proved = &st->proved[batch->buffer];
    const double start = clock_seconds();
    RETURN_ON_FAILURE(gpu_proof_check(&st->proof, &rows, proved, err));
    s->report->prove_s += clock_seconds() - start;
    /* Predecessors that are mended later have to be proved again. */
    *proved = *proved && s->delivery->zero.components == 0;
    s->report->proved = s->report->proved && *proved;
    return STATUS_OK;
}

/* Sweeps a batch and starts to copy its rows. */
static enum status start_batch(struct stream *st, const struct batch *batch, struct error *err) {
    struct session *const s = st->s;
    const int32_t first = batch->first, count = batch->count;
    RETURN_ON_FAILURE(start_clock(s, err));
    RETURN_ON_FAILURE(sweep_rows(s, &st->to, first, count, err));
    RETURN_ON_FAILURE(stop_clock(s, &s->report->sweep_s, err));
    RETURN_ON_FAILURE(prove_batch(st, batch, err));
    const double start = clock_seconds();
    RETURN_ON_FAILURE(gpu_check(cudaMemcpyAsync(st->host[batch->buffer], st->to.dist,
                                                stream_bytes(st), cudaMemcpyDeviceToHost, 0),
                                "copying rows", err));
    s->transfer_s += clock_seconds() - start;
    return gpu_check(cudaEventRecord(st->full[batch->buffer], 0), "recording an event", err);
}

/* Hands on rows of a batch that has arrived: `count` of them from row `first` on. */
static void deliver_rows(const struct stream *st, const struct batch *batch, int32_t first,
                         int32_t count) {
    struct delivery *const d = st->s->delivery;
    const int32_t *const position = st->s->position + batch->first + first;
    int32_t *pred_rows[ROW_BLOCK_MAX];
    struct row_block block = {
        .n = st->s->level.pieces.n, .count = count, .proved = st->proved[batch->buffer]};
    block.pred = st->to.pred != NULL ? pred_rows : NULL;
    for (int32_t r = 0; r < count; r++) {
        const size_t row = (size_t)(first + r) * st->to.ld;
        int32_t *const dist = st->host[batch->buffer] + row;
        int32_t *const pred = st->to.pred != NULL ? dist + (size_t)st->rows * st->to.ld : NULL;
        block.position[r] = position[r];
        block.source[r] = row_source(&d->sources, position[r]);
        delivery_place(d, position[r], dist, pred, &block.dist[r], &pred_rows[r]);
        if (block.dist[r] != dist)
            memcpy(block.dist[r], dist, (size_t)block.n * sizeof *dist);
        if (pred != NULL && pred_rows[r] != pred)
            memcpy(pred_rows[r], pred, (size_t)block.n * sizeof *pred);
    }
    delivery_take(d, &block);
}

/* Hands a batch on once it has arrived. Of several GPUs one at a time does. */
static enum status deliver_batch(struct stream *st, const struct batch *batch, struct error *err) {
    struct session *const s = st->s;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(
        gpu_check(cudaEventSynchronize(st->full[batch->buffer]), "copying rows", err));
    s->transfer_s += clock_seconds() - start;
    pthread_mutex_lock(&s->crew->turn);
#pragma omp parallel for num_threads(s->threads) schedule(dynamic)
    for (int32_t r = 0; r < batch->count; r += ROW_BLOCK_MAX) {
        const int32_t left = batch->count - r, rows = left < ROW_BLOCK_MAX ? left : ROW_BLOCK_MAX;
        if (delivery_wants_any(s->delivery, s->position + batch->first + r, rows))
            deliver_rows(st, batch, r, rows);
    }
    pthread_mutex_unlock(&s->crew->turn);
    report_progress(s, batch->first + batch->count);
    if (s->crew->helpers > 0) /* a sink may have selected its own */
        RETURN_ON_FAILURE(gpu_check(cudaSetDevice(s->device), "selecting the device", err));
    return goes_on(s) ? STATUS_OK : progress_cancelled(err);
}

/* The rows that this GPU claims. */
static enum status rows_part(struct session *s, struct error *err) {
    struct stream st = {.s = s};
    struct batch arrived = {0}, next = {0};
    enum status status;
    TRY(stream_open(&st, err));
    s->report->proved = s->proves;
    for (;;) {
        next.count = claim(s, st.rows, ROW_BLOCK_MAX, &next.first);
        if (next.count > 0)
            TRY(start_batch(&st, &next, err));
        if (arrived.count > 0)
            TRY(deliver_batch(&st, &arrived, err));
        if (next.count == 0)
            break;
        arrived = next;
        next.buffer = (next.buffer + 1) % BUFFERS;
    }

cleanup:
    stream_close(&st);
    return status;
}

/* The vertices of the rows, on the device. */
static enum status upload_row_sources(struct session *s, const int32_t **sources,
                                      struct error *err) {
    const struct row_sources *const wanted = &s->delivery->sources;
    const void *there;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)wanted->count, sizeof(int32_t), "the sources", err));
    for (int32_t p = 0; p < wanted->count; p++)
        ((int32_t *)memory)[p] = row_source(wanted, p);
    const enum status status =
        upload(s, memory, (size_t)wanted->count, sizeof(int32_t), &there, err);
    *sources = there;
    memory_free(memory);
    return status;
}

/* Proves rows that stay on the device, if that is wanted. */
static enum status prove_here(struct session *s, const struct product_rows *rows, bool *proved,
                              struct error *err) {
    struct gpu_proof_rows all = {.dist = rows->dist,
                                 .pred = rows->pred,
                                 .ld = rows->ld,
                                 .count = s->delivery->sources.count};
    struct gpu_proof proof = {0};
    enum status status;
    *proved = false;
    if (!s->proves)
        return STATUS_OK;
    TRY(upload_row_sources(s, &all.source, err));
    TRY(gpu_proof_open(&proof, s->delivery->sink->proves, s->delivery->potential,
                       rows->pred != NULL, err));
    const double start = clock_seconds();
    TRY(gpu_proof_check(&proof, &all, proved, err));
    s->report->prove_s += clock_seconds() - start;

cleanup:
    gpu_proof_close(&proof);
    return status;
}

/* Solves all rows in the memory of the device. *done: the sink has taken them there. It has not, if
 * there is too little memory or no proof. */
static enum status answer_here(struct session *s, bool *done, struct error *err) {
    const int32_t count = s->delivery->sources.count;
    const size_t spare = (size_t)256 << 20;
    const size_t edge_bytes = s->task->predecessors ? 3 * sizeof(int32_t) : 0;
    const size_t bytes =
        (size_t)count * row_bytes(s) + (size_t)s->task->graph->m * edge_bytes + spare;
    const int held = s->held_count;
    size_t free_bytes, all_bytes;
    struct product_rows rows;
    const void *index;
    bool proved;
    enum status status;
    RETURN_ON_FAILURE(
        gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for its free memory", err));
    if (!s->keeps_labels || bytes > free_bytes)
        return STATUS_OK;
    TRY(alloc_rows(s, count, &rows, err));
    TRY(upload(s, s->position, (size_t)count, sizeof *s->position, &index, err));
    for (int32_t first = 0; first < count; first += s->lanes) {
        if (!goes_on(s))
            TRY(progress_cancelled(err));
        rows.index = (const int32_t *)index + first;
        TRY(start_clock(s, err));
        TRY(sweep_rows(s, &rows, first, count - first < s->lanes ? count - first : s->lanes, err));
        TRY(stop_clock(s, &s->report->sweep_s, err));
        report_progress(s, first);
    }
    TRY(prove_here(s, &rows, &proved, err));
    *done = proved == s->proves;
    if (!*done)
        goto cleanup;
    s->report->proved = proved;
    const struct device_rows taken = {
        .dist = rows.dist, .pred = rows.pred, .leading = rows.ld, .count = count, .proved = proved};
    status = s->delivery->sink->take_device(s->delivery->sink, &taken, err);

cleanup:
    device_free_since(s, held);
    return status;
}

static enum status answer_by_rows(struct session *s, struct error *err) {
    struct crew *const crew = s->crew;
    RETURN_ON_FAILURE(claim_anew(s, err));
    RETURN_ON_FAILURE(together(s, rows_part, err));
    for (int k = 0; k < crew->helpers; k++)
        s->report->proved = s->report->proved && crew->helper[k].own_report.proved;
    return STATUS_OK;
}

/* All of it ---------------------------------------------------------------------------------------
 */

/* Fewer and larger regions than on a CPU: products are cheap. */
static const struct regions_options gpu_regions = {
    .leaf = 256, .ratio = 8, .worth = 200, .worth_width = 0};

static struct pieces_options sizes_for(const struct cuda_dissection_options *options) {
    enum { LEAF = 64, MIDDLE = 512 };
    return (struct pieces_options){
        .leaf = options->leaf > 0 ? options->leaf : LEAF,
        .middle = options->middle > 0 ? options->middle : MIDDLE,
    };
}

/* Where the sources are in the tree, and which vertices they are. */
static enum status upload_sources(struct session *s, struct error *err) {
    const size_t count = padded_sources(s);
    const void *source, *vertex;
    void *memory = NULL;
    enum status status;
    TRY(upload(s, s->order, count, sizeof(int32_t), &source, err));
    s->source = source;
    TRY(memory_alloc(&memory, count, sizeof(int32_t), "the sources", err));
    for (size_t k = 0; k < count; k++)
        ((int32_t *)memory)[k] = s->d.tree.vertex[s->order[k]];
    TRY(upload(s, memory, count, sizeof(int32_t), &vertex, err));
    s->vertex = vertex;

cleanup:
    memory_free(memory);
    return status;
}

/* Everything that the device has before the first sweep of the graph or of the reversed one. */
static enum status prepare_device(struct session *s, bool reversed, struct error *err) {
    const double start = clock_seconds(), transfer_s = s->transfer_s;
    RETURN_ON_FAILURE(close_level(s, &s->d.tree, &s->d.structure, &s->d.lengths, &s->level, err));
    s->report->close_s += clock_seconds() - start - (s->transfer_s - transfer_s);
    RETURN_ON_FAILURE(upload_sources(s, err));
    RETURN_ON_FAILURE(prepare_proof(s, reversed, err));
    return alloc_labels(s, err);
}

static enum status prepare_again(struct session *s, struct error *err) {
    return prepare_device(s, s->crew->reversed, err);
}

/* All GPUs have the pieces that the first one found. */
static enum status prepare_devices(struct session *s, bool reversed, struct error *err) {
    struct crew *const crew = s->crew;
    crew->reversed = reversed;
    for (int k = 0; k < crew->helpers; k++) {
        struct session *const helper = &crew->helper[k];
        helper->d = s->d;
        helper->level.pieces = s->level.pieces;
    }
    return together(s, prepare_again, err);
}

static enum status create_clock(struct session *s, struct error *err) {
    RETURN_ON_FAILURE(gpu_check(cudaEventCreate(&s->begin), "creating an event", err));
    return gpu_check(cudaEventCreate(&s->end), "creating an event", err);
}

/* Makes copies of the session, which has nothing on its device yet, for the GPUs after the first
 * one that there are sources for. */
static enum status gather(struct session *s, struct error *err) {
    const struct solver_options *const options = s->task->options;
    const int32_t batches = (s->delivery->sources.count - 1) / PRODUCT_LANES + 1;
    const int listed = options->device_count > 1 ? options->device_count : 1;
    const int count = batches < listed ? batches : listed;
    void *memory;
    if (count == 1)
        return STATUS_OK;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)(count - 1), sizeof(struct session), "the GPUs", err));
    s->crew->helper = memory;
    s->crew->helpers = count - 1;
    for (int k = 0; k < count - 1; k++) {
        struct session *const helper = &s->crew->helper[k];
        *helper = *s;
        helper->is_helper = true;
        helper->device = options->devices[k + 1];
        helper->report = &helper->own_report;
        helper->own_report = (struct cuda_dissection_report){0};
    }
    return STATUS_OK;
}

/* GPUs work at the same time: the slowest counts. */
static void add_reports(struct session *s) {
    for (int k = 0; k < s->crew->helpers; k++) {
        const struct cuda_dissection_report *const own = &s->crew->helper[k].own_report;
        struct cuda_dissection_report *const all = s->report;
        all->close_s = own->close_s > all->close_s ? own->close_s : all->close_s;
        all->sweep_s = own->sweep_s > all->sweep_s ? own->sweep_s : all->sweep_s;
        all->prove_s = own->prove_s > all->prove_s ? own->prove_s : all->prove_s;
    }
}

static void leave_device(struct session *s) {
    gpu_lane_proof_close(&s->proof);
    gpu_classes_close(&s->classes);
    device_free_since(s, 0);
    if (s->begin != NULL)
        cudaEventDestroy(s->begin);
    if (s->end != NULL)
        cudaEventDestroy(s->end);
}

static void dismiss(struct session *s) {
    for (int k = 0; k < s->crew->helpers; k++) {
        if (cudaSetDevice(s->crew->helper[k].device) != cudaSuccess)
            (void)cudaGetLastError(); /* earlier failures are already reported */
        leave_device(&s->crew->helper[k]);
    }
    if (s->crew->helpers > 0 && cudaSetDevice(s->device) != cudaSuccess)
        (void)cudaGetLastError();
    memory_free(s->crew->helper);
}

/* Whether the sink takes totals and, if it proves, the devices can prove them. */
static enum status goes_by_totals(const struct session *s, bool *totals, struct error *err) {
    *totals = delivery_takes_totals(s->delivery) &&
              (s->delivery->sink->proves == NULL || s->proof.is_ready ||
               (s->by_classes && s->classes.proof.is_ready));
    return true_of_all(s, totals, err);
}

/* Finds the pieces. A share of the vertices is in the top, so that large graphs need large middle
 * pieces. */
static enum status cut(struct session *s, struct error *err) {
    enum { LARGER = 4, LARGEST = 1 << 15 };
    struct pieces *const pieces = &s->level.pieces;
    const double start = clock_seconds();
    for (;; s->sizes.middle *= LARGER) {
        RETURN_ON_FAILURE(
            pieces_find(&s->d.tree, &s->d.structure, &s->d.lengths, &s->sizes, pieces, err));
        if (pieces->top <= s->top_most || s->sizes.middle > LARGEST / LARGER)
            break;
        pieces_free(pieces);
    }
    s->report->cut_s += clock_seconds() - start;
    s->report->top = pieces->top;
    s->report->middle = pieces->middle;
    s->report->leaves = pieces->leaves;
    s->report->pieces = pieces->count;
    s->report->dissected = pieces->top <= s->top_most;
    return STATUS_OK;
}

/* What comes after classes of rows, or in place of them. */
static enum status prepare_sweeps(struct session *s, struct error *err) {
    if (s->by_classes)
        forget_classes(s);
    if (s->level.pieces.piece == NULL) {
        RETURN_ON_FAILURE(cut(s, err));
        RETURN_ON_FAILURE(true_of_all(s, &s->report->dissected, err));
    }
    return s->report->dissected ? prepare_devices(s, false, err) : STATUS_OK;
}

/* The same as answer_by_totals, but if this process is alone and has too little memory for classes
 * of rows it sweeps. */
static enum status try_totals(struct session *s, bool *done, struct error *err) {
    const enum status status = answer_by_totals(s, done, err);
    bool totals;
    if (status != STATUS_NO_RESOURCE || !s->by_classes || s->delivery->ranks != NULL)
        return status;
    if (s->crew->reversed)
        exchange_lengths(s);
    s->crew->stops = false;
    *done = false;
    RETURN_ON_FAILURE(prepare_sweeps(s, err));
    if (!s->report->dissected)
        return STATUS_OK;
    RETURN_ON_FAILURE(goes_by_totals(s, &totals, err));
    return totals ? answer_by_totals(s, done, err) : STATUS_OK;
}

static enum status solve_on_devices(struct session *s, struct error *err) {
    void *order = NULL;
    bool totals, done = false;
    enum status status;
    if (s->delivery->ranks != NULL)
        RETURN_ON_FAILURE(gpu_room_find(s->device, s->delivery->ranks, &s->room, err));
    TRY(delivery_begin(s->delivery, s->threads, err));
    TRY(arrange(s, &order, err));
    s->proves = delivery_may_prove(s->delivery);
    TRY(gather(s, err));
    if (s->task->options->on_devices != NULL)
        s->task->options->on_devices(s->task->options->callback_context, 1 + s->crew->helpers);
    TRY(together(s, create_clock, err));
    TRY(choose_classes(s, err));
    if (!s->by_classes)
        TRY(prepare_sweeps(s, err));
    if (!s->report->dissected)
        goto cleanup;
    TRY(goes_by_totals(s, &totals, err));
    if (totals)
        TRY(try_totals(s, &done, err));
    if (!done && s->by_classes)
        TRY(prepare_sweeps(s, err));
    if (!s->report->dissected)
        goto cleanup;
    if (!done && rows_may_stay(s))
        TRY(answer_here(s, &done, err));
    if (!done)
        TRY(answer_by_rows(s, err));
    status = delivery_end(s->delivery, err);
    add_reports(s);

cleanup:
    dismiss(s);
    leave_device(s);
    memory_free(order);
    return status;
}

/* Has `auto` solve the task. */
static enum status solve_otherwise(const struct solver_task *task,
                                   struct cuda_dissection_report *report,
                                   struct solver_times *times, struct error *err) {
    struct solver_task once = *task;
    once.repetitions = 1;
    report->otherwise = "auto";
    return solve_task(solver_find(&cuda_sparse_solver, report->otherwise), &once, times, err);
}

/* Creates the device's context while the host is busy, unless a program already does. */
static void *create_context(void *device) {
    struct error ignored;
    if (gpu_select(*(const int *)device, &ignored) == STATUS_OK)
        cudaFree(NULL);
    return NULL;
}

/* What is known of the graph's elimination: the task's look or, if nobody has looked and that may
 * be of use, an own one. */
static enum status take_look(struct session *s, const struct core_costs *costs, int threads,
                             const struct look **look, struct error *err) {
    const struct look_limits all = {.other_s = HUGE_VAL, .slowness = 1, .threads = threads};
    *look = s->task->look;
    if (!s->by_classes || !order_is_available() || (*look != NULL && look_is_whole(*look)))
        return STATUS_OK;
    *look = &s->look;
    return look_at(s->task->graph, costs, &all, &s->look, err);
}

static enum status dissect(struct session *s, int32_t most, int threads, struct error *err) {
    const struct graph *const g = s->task->graph;
    struct core_costs costs = gpu_costs;
    const struct look *look = s->task->look;
    enum isa isa;
    costs.entries = entries_at_most(g->n, ENTRIES_FOR_EACH);
    RETURN_ON_FAILURE(isa_choose(&isa, err));
    /* Classes of a graph with weights 0 cannot be proved: it would be eliminated whole in vain. */
    s->by_classes = delivery_takes_totals(s->delivery) && spares_counts(s) &&
                    (s->delivery->sink->proves == NULL ||
                     (delivery_may_prove(s->delivery) && (g->m == 0 || g->min_weight > 0)));
    if (most <= 0)
        RETURN_ON_FAILURE(take_look(s, &costs, threads, &look, err));
    if (s->by_classes && look != NULL && proportional_may_pay(look, s->delivery->sources.count))
        costs.core = 0; /* which proportional rows need */
    const struct dissection_options options = {.threads = threads,
                                               .isa = isa,
                                               .costs = &costs,
                                               .look = look,
                                               .other_costs = true,
                                               .most = most > 0 ? most : -1};
    RETURN_ON_FAILURE(dissection_prepare(&s->d, g, &options, s->task->progress, err));
    s->report->order_s = s->d.order_s;
    s->counted_s = look == s->task->look ? s->d.looked_s : 0;
    s->report->eliminate_s = s->d.eliminate_s;
    s->report->dissected = s->d.pays;
    s->by_classes = s->by_classes && s->d.pays && s->d.core.n == 0;
    return s->d.pays && !s->by_classes ? cut(s, err) : STATUS_OK;
}

enum status cuda_dissection_solve(const struct solver_task *task,
                                  const struct cuda_dissection_options *options,
                                  struct cuda_dissection_report *report, struct solver_times *times,
                                  struct error *err) {
    enum { LANES = 16384 };
    const double started = clock_seconds();
    const double n = task->graph->n;
    const int threads = threads_worth(task->options->threads, n * n / 2);
    for (int k = 0; k < task->options->device_count; k++) { /* sooner than when it is used */
        char name[256];
        RETURN_ON_FAILURE(gpu_name(task->options->devices[k], name, sizeof name, err));
    }
    struct crew crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_MUTEX_INITIALIZER};
    struct session s = {.device = task->options->device,
                        .crew = &crew,
                        .threads = threads,
                        .task = task,
                        .delivery = task->delivery,
                        .sizes = sizes_for(options),
                        .top_most = options->top_most > 0 ? options->top_most : TOP_MOST,
                        .small_top = options->top > 0 ? options->top : SMALL_TOP,
                        .region_sizes = options->regions != NULL ? *options->regions : gpu_regions,
                        .anyway = options->regions != NULL,
                        .report = report};
    struct gpu_turn turn;
    pthread_t creating;
    int device = task->options->device;
    *report = (struct cuda_dissection_report){0};
    s.lanes = options->lanes > 0 ? lanes_for(options->lanes) : LANES;
    const struct solver_files *const files = task->options->files;
    const bool created = !(files != NULL && files->warming_up) &&
                         pthread_create(&creating, NULL, create_context, &device) == 0;
    enum status status = dissect(&s, options->most, threads, err);
    if (status == STATUS_OK)
        status = true_of_all(&s, &report->dissected, err);
    if (created)
        pthread_join(creating, NULL);
    if (status == STATUS_OK && !report->dissected) {
        status = solve_otherwise(task, report, times, err);
        goto cleanup;
    }
    if (status != STATUS_OK)
        goto cleanup;
    struct solver_options first = *task->options;
    first.device_count = 0;
    TRY(gpu_turn_begin(&turn, &first, err));
    status = solve_on_devices(&s, err);
    gpu_turn_end(&turn);
    if (status == STATUS_OK && !report->dissected) {
        status = solve_otherwise(task, report, times, err);
        goto cleanup;
    }
    *times->solve_s = report->order_s - s.counted_s + report->eliminate_s + report->cut_s +
                      report->close_s + report->sweep_s;
    times->phases =
        (struct timing_phases){.order_s = report->order_s,
                               .eliminate_s = report->eliminate_s + report->cut_s + report->close_s,
                               .sweep_s = report->sweep_s,
                               .prove_s = report->prove_s};
    times->transfer_s = s.transfer_s;
    times->around_s = clock_seconds() - started - *times->solve_s - report->prove_s -
                      delivery_sink_seconds(task->delivery);

cleanup:
    pieces_free(&s.level.pieces);
    regions_free(&s.regions);
    dissection_free(&s.d);
    look_free(&s.look);
    return status;
}

enum status cuda_sparse_dissection_solve(const struct solver_variant *variant,
                                         const struct solver_task *task, struct solver_times *times,
                                         struct error *err) {
    const struct cuda_dissection_options options = {0};
    struct cuda_dissection_report report;
    (void)variant;
    for (int r = task->repetitions > 1 ? -1 : 0; r < task->repetitions; r++) {
        double solve_s = 0;
        struct solver_times once = {.solve_s = &solve_s};
        RETURN_ON_FAILURE(cuda_dissection_solve(task, &options, &report, &once, err));
        if (r >= 0)
            times->solve_s[r] = solve_s;
        times->around_s = once.around_s;
        times->transfer_s = once.transfer_s;
        times->phases = once.phases;
    }
    return STATUS_OK;
}

#endif
