// SPDX-License-Identifier: MIT
#include "flows/swept_flows.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc
#include "common/base/turns.h"       // struct turns
#include "flows/flow_kernels.h"      // flow_kernels

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = FLOW_LANES,
    GROUPS = 32, /* most groups of sources; each has sums of its own until its turn */
    TOP = -1,
    NO_RANK = -1,
};

/* The positions low .. end - 1: a small subtree, or several whose positions follow each other. */
struct swept_block {
    int32_t low, end;
};

/* Trips from one source to one destination. */
struct swept_trip {
    int32_t place;    /* number of the destination's block; TOP: it is in the top */
    int32_t position; /* position of the destination */
    double count;     /* number of trips */
};

/* Data that all threads share. Positions are divided into blocks, so small that a cache holds the
 * labels of one, and the top, which has all other positions. Every entry leads up from a block into
 * the same block or into the top. */
struct swept_flows {
    const struct class_flows_request *request;
    const struct trips *trips; /* trips to load; NULL: masses count */
    int64_t *first_trip;       /* index in `trip` at which those of each source begin, sources + 1
                                  entries */
    struct swept_trip *trip;   /* trips of each source, ascending by place, then by position */
    const struct flow_kernels *kernels;
    struct swept_block *block; /* ascending by position, blocks entries */
    int32_t blocks;            /* number of blocks */
    int32_t largest;           /* number of positions of the largest block */
    int32_t *top;              /* positions in the top, ascending, tops entries */
    int32_t tops;              /* number of positions in the top */
    int32_t *place;  /* by position, n entries: number of the position's block; TOP: the position is
                        in the top */
    int32_t *number; /* by position, n entries: number of the position in its block or in the top */
    int32_t *numbers; /* 0, 1, 2, ..., n - 1 */
    int32_t *local; /* by entry: local number of the position that it leads up to. For entries that
                       lead up from a block, the numbers in the top begin at `largest`. */
    int64_t swept;  /* number of sources whose sweeps are done */
};

/* Memory of one thread. */
struct swept_worker {
    double *label, *flow; /* labels and flow of LANES sources at the positions of a block; those of
                             the top begin at number `largest` */
    int32_t *rank;        /* by position, n entries: number among the positions that climb;
                             NO_RANK: the position does not climb */
    int32_t *position;    /* by rank: position that climbs */
    double *climbed;      /* by rank: label of the position, by paths that only climb */
    double *through;      /* by rank: label of the position, by all paths */
    double *share;        /* by rank: flow of LANES sources through the position */
    double *down, *up;    /* by entry: flow of one group of sources down it and up it */
    double *ends;         /* by position: flow of one group of sources that ends there */
    struct trip_totals totals; /* totals of one group of sources */
};

/* Sources that are swept together. */
struct swept_strip {
    const int32_t *source;            /* positions of the sources, ascending, count entries */
    int32_t count;                    /* number of sources, up to LANES */
    _Alignas(64) double times[LANES]; /* mass of each source; 0: the lane has no source */
    _Alignas(64) double sent[LANES];  /* flow that each source would send if its mass were 1 */
    size_t climbing;                  /* number of positions that climb */
    int32_t first;                    /* number of the strip's first source among all sources */
    int64_t next[LANES];              /* index in `trip` of each source's next trip into a block */
};

static int32_t min_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t strips_of(const struct class_flows_request *r) {
    return (r->sources + LANES - 1) / LANES;
}

static int64_t entries_of(const struct class_flows_request *r) {
    return r->counted->structure.first[r->counted->tree.n];
}

// Blocks ------------------------------------------------------------------------------------------

/* Finds the blocks. A block has at most block_sizes.flow_positions positions: one subtree, which is
 * part of no larger one of that size, or several whose positions follow each other. lowest: result
 * of counted_lowest() for the tree. */
static void find_blocks(struct swept_flows *s, const int32_t *lowest) {
    const struct tree *const tree = &s->request->counted->tree;
    const int32_t most = block_sizes.flow_positions;
    struct swept_block *last = NULL;
    for (int32_t at = 0; at < tree->n; at++) {
        const int32_t parent = tree->parent[at];
        if (at - lowest[at] >= most) {
            s->place[at] = TOP;
            s->number[at] = s->tops;
            s->top[s->tops++] = at;
            continue;
        }
        if (parent >= 0 && parent - lowest[parent] < most)
            continue; /* its subtree is part of a larger one that fits */
        if (last != NULL && last->end == lowest[at] && at - last->low < most) {
            last->end = at + 1;
        } else {
            last = &s->block[s->blocks++];
            *last = (struct swept_block){lowest[at], at + 1};
        }
    }
    for (int32_t k = 0; k < s->blocks; k++) {
        const struct swept_block *const b = &s->block[k];
        s->largest = b->end - b->low > s->largest ? b->end - b->low : s->largest;
        for (int32_t at = b->low; at < b->end; at++) {
            s->place[at] = k;
            s->number[at] = at - b->low;
        }
    }
}

/* Finds the local number of each entry's higher position. */
static void find_locals(struct swept_flows *s) {
    const struct structure *const structure = &s->request->counted->structure;
    for (int32_t at = 0; at < s->request->counted->tree.n; at++) {
        for (int64_t e = structure->first[at]; e < structure->first[at + 1]; e++) {
            const int32_t higher = structure->higher[e];
            s->local[e] = s->number[higher] + (s->place[at] != s->place[higher] ? s->largest : 0);
        }
    }
}

/* Returns the bytes of memory that all threads share. */
static uint64_t shared_bytes(const struct class_flows_request *r) {
    const uint64_t n = (uint64_t)r->counted->tree.n;
    return n * (5 * sizeof(int32_t) + sizeof(struct swept_block)) +
           (uint64_t)entries_of(r) * sizeof(int32_t);
}

// Trips -------------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b) {
    const struct swept_trip *const first = a, *const second = b;
    return first->place != second->place
               ? (first->place > second->place) - (first->place < second->place)
               : (first->position > second->position) - (first->position < second->position);
}

static int by_vertex(const void *a, const void *b) {
    const int32_t *const first = a, *const second = b;
    return (*first > *second) - (*first < *second);
}

/* Lists the trips of each source. */
static enum status list_trips(struct swept_flows *s, struct error *err) {
    static const char what[] = "trips";
    const struct trips *const trips = s->trips;
    const struct tree *const tree = &s->request->counted->tree;
    const int32_t sources = s->request->sources;
    int64_t listed = 0;
    void *memory;
    if (trips == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)sources + 1, sizeof *s->first_trip, what, err));
    s->first_trip = memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)trips->first[trips->origins], sizeof *s->trip, what, err));
    s->trip = memory;
    for (int32_t k = 0; k < sources; k++) {
        const int32_t *const origin =
            bsearch(&tree->vertex[s->request->source[k]], trips->origin, (size_t)trips->origins,
                    sizeof *trips->origin, by_vertex);
        const int64_t own = origin - trips->origin;
        s->first_trip[k] = listed;
        for (int64_t t = trips->first[own]; t < trips->first[own + 1]; t++) {
            const int32_t to = tree->position[trips->to[t]];
            s->trip[listed++] = (struct swept_trip){s->place[to], to, trips->count[t]};
        }
        qsort(s->trip + s->first_trip[k], (size_t)(listed - s->first_trip[k]), sizeof *s->trip,
              by_place);
    }
    s->first_trip[sources] = listed;
    return STATUS_OK;
}

/* Adds totals. The first pair without a path is the one with the lowest vertices. */
static void add_totals(const struct trip_totals *part, struct trip_totals *all) {
    all->arrive += part->arrive;
    all->stay += part->stay;
    all->lost += part->lost;
    all->lost_pairs += part->lost_pairs;
    if (part->lost_pairs > 0 &&
        (all->lost_from < 0 || part->lost_from < all->lost_from ||
         (part->lost_from == all->lost_from && part->lost_to < all->lost_to))) {
        all->lost_from = part->lost_from;
        all->lost_to = part->lost_to;
    }
}

static enum status prepare(struct swept_flows *s, struct error *err) {
    static const char what[] = "flows";
    const size_t n = (size_t)s->request->counted->tree.n;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, n, sizeof *s->block, what, err));
    s->block = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, 4 * n, sizeof *s->top, what, err));
    s->top = memory;
    s->place = s->top + n;
    s->number = s->place + n;
    s->numbers = s->number + n;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)entries_of(s->request), sizeof *s->local, what, err));
    s->local = memory;
    counted_lowest(&s->request->counted->tree, s->numbers);
    find_blocks(s, s->numbers);
    find_locals(s);
    for (size_t at = 0; at < n; at++)
        s->numbers[at] = (int32_t)at;
    return STATUS_OK;
}

static void release(struct swept_flows *s) {
    memory_free(s->first_trip);
    memory_free(s->trip);
    memory_free(s->block);
    memory_free(s->top);
    memory_free(s->local);
}

static struct flow_region region_of(const struct swept_flows *s, int32_t own,
                                    const int32_t *position) {
    const struct counted *const c = s->request->counted;
    return (struct flow_region){.own = own,
                                .position = position,
                                .first = c->structure.first,
                                .local = s->local,
                                .up = c->up,
                                .up_paths = c->up_paths,
                                .down = c->down,
                                .down_paths = c->down_paths};
}

// One strip ---------------------------------------------------------------------------------------

/* Sets the rank of a source and of all positions above it. */
static void mark(const struct tree *tree, int32_t source, int32_t rank, int32_t *to) {
    for (int32_t at = source; at >= 0 && (to[at] == NO_RANK) != (rank == NO_RANK);
         at = tree->parent[at])
        to[at] = rank;
}

static void set_none(double *label) {
    for (int lane = 0; lane < LANES; lane++) {
        label[lane] = (double)INFINITY;
        label[LANES + lane] = 0;
    }
}

static struct flow_climb climb_of(const struct swept_flows *s, const struct swept_worker *w,
                                  const struct swept_strip *strip) {
    const struct counted *const c = s->request->counted;
    return (struct flow_climb){.count = strip->climbing,
                               .position = w->position,
                               .rank = w->rank,
                               .first = c->structure.first,
                               .higher = c->structure.higher,
                               .up = c->up,
                               .up_paths = c->up_paths};
}

/* Finds the positions that climb, and their labels by paths that only climb. */
static void climb(const struct swept_flows *s, const struct swept_worker *w,
                  struct swept_strip *strip) {
    const struct tree *const tree = &s->request->counted->tree;
    for (int32_t lane = 0; lane < strip->count; lane++)
        mark(tree, strip->source[lane], 0, w->rank);
    for (int32_t at = strip->source[0]; at < tree->n; at++) {
        if (w->rank[at] == NO_RANK)
            continue;
        set_none(w->climbed + FLOW_AT(strip->climbing));
        w->rank[at] = (int32_t)strip->climbing;
        w->position[strip->climbing++] = at;
    }
    for (int32_t lane = 0; lane < strip->count; lane++) {
        double *const label = w->climbed + FLOW_AT(w->rank[strip->source[lane]]);
        label[lane] = 0;
        label[LANES + lane] = 1;
    }
    const struct flow_climb all = climb_of(s, w, strip);
    s->kernels->climb(&all, w->climbed);
}

/* Sets the flow of a lane to trips to one destination. */
static void end_trip(const struct swept_flows *s, struct swept_worker *w,
                     const struct swept_strip *strip, int32_t lane, const struct swept_trip *trip,
                     const double *label, double *flow) {
    const int32_t *const vertex = s->request->counted->tree.vertex;
    const ptrdiff_t number = s->number[trip->position];
    struct trip_totals own = {.lost_from = -1, .lost_to = -1};
    if (trip->position == strip->source[lane]) {
        own.stay = trip->count;
    } else if (label[FLOW_AT(number) + LANES + lane] > 0) {
        own.arrive = flow[number * LANES + lane] = trip->count;
    } else {
        own = (struct trip_totals){.lost = trip->count,
                                   .lost_pairs = 1,
                                   .lost_from = vertex[strip->source[lane]],
                                   .lost_to = vertex[trip->position]};
    }
    add_totals(&own, &w->totals);
}

/* Sets the flow of all trips that end in block k or in the top, which comes before all blocks. */
static void end_trips(const struct swept_flows *s, struct swept_worker *w,
                      struct swept_strip *strip, int32_t k, const double *label, double *flow) {
    for (int32_t lane = 0; lane < strip->count; lane++) {
        const int64_t end = s->first_trip[strip->first + lane + 1];
        int64_t *const t = &strip->next[lane];
        for (; *t < end && s->trip[*t].place == k; (*t)++)
            end_trip(s, w, strip, lane, &s->trip[*t], label, flow);
    }
}

/* Finds the labels of block k, or of the top, and the flow that ends there. The positions that
 * climb in it are among those of rank `from` .. `to` - 1. */
static void go_forth(const struct swept_flows *s, struct swept_worker *w, struct swept_strip *strip,
                     int32_t k, const struct flow_region *region, size_t from, size_t to,
                     double *label, double *flow) {
    for (size_t x = from; x < to; x++) {
        const int32_t at = w->position[x];
        if (s->place[at] == k)
            memcpy(label + FLOW_AT(s->number[at]), w->climbed + FLOW_AT(x),
                   (size_t)FLOW_AT(1) * sizeof *label);
    }
    s->kernels->sweep(region, w->rank, label);
    class_flows_want(s->request, region, label, flow);
    if (s->trips != NULL)
        end_trips(s, w, strip, k, label, flow);
    for (int32_t lane = 0; lane < strip->count; lane++) {
        const int32_t at = strip->source[lane];
        if (s->place[at] == k) /* no flow goes from a source to itself */
            flow[(ptrdiff_t)s->number[at] * LANES + lane] = 0;
    }
    s->kernels->ask(region->own, region->position, flow, strip->times, w->ends, strip->sent);
}

/* Passes the flow of block k, or of the top, upwards. */
static void go_back(const struct swept_flows *s, const struct swept_worker *w,
                    const struct swept_strip *strip, int32_t k, const struct flow_region *region,
                    size_t from, size_t to, const double *label, double *flow) {
    s->kernels->sweep_back(region, label, strip->times, flow, w->down);
    for (size_t x = from; x < to; x++) {
        const int32_t at = w->position[x];
        if (s->place[at] != k)
            continue;
        memcpy(w->through + FLOW_AT(x), label + FLOW_AT(s->number[at]),
               (size_t)FLOW_AT(1) * sizeof *label);
        memcpy(w->share + x * LANES, flow + (ptrdiff_t)s->number[at] * LANES, LANES * sizeof *flow);
    }
}

/* Adds the flow from the sources of a strip to the worker's sums, and to begins. */
static void sweep(const struct swept_flows *s, struct swept_worker *w, struct swept_strip *strip,
                  double *begins) {
    const struct flow_region top = region_of(s, s->tops, s->top);
    double *const top_label = w->label + FLOW_AT(s->largest);
    double *const top_flow = w->flow + (ptrdiff_t)s->largest * LANES;
    size_t from = 0, to = 0;
    climb(s, w, strip);
    go_forth(s, w, strip, TOP, &top, 0, strip->climbing, top_label, top_flow);
    for (int32_t k = 0; k < s->blocks; k++, from = to) {
        const struct swept_block *const b = &s->block[k];
        const struct flow_region own = region_of(s, b->end - b->low, s->numbers + b->low);
        while (to < strip->climbing && w->position[to] < b->end)
            to++;
        go_forth(s, w, strip, k, &own, from, to, w->label, w->flow);
        go_back(s, w, strip, k, &own, from, to, w->label, w->flow);
    }
    go_back(s, w, strip, TOP, &top, 0, strip->climbing, top_label, top_flow);
    const struct flow_climb all = climb_of(s, w, strip);
    s->kernels->climb_back(&all, w->climbed, w->through, strip->times, w->share, w->up);
    for (int32_t lane = 0; lane < strip->count; lane++) {
        begins[strip->source[lane]] += strip->sent[lane] * strip->times[lane];
        mark(&s->request->counted->tree, strip->source[lane], NO_RANK, w->rank);
    }
}

// All of them -------------------------------------------------------------------------------------

/* Returns the bytes of memory of one thread for a block of `largest` and a top of `tops` positions,
 * and divides memory[0 .. bytes - 1] unless it is NULL. */
static size_t divide(const struct class_flows_request *r, int32_t largest, int32_t tops,
                     char *memory, struct swept_worker *w) {
    enum { LINE = 64 };
    const struct tree *const tree = &r->counted->tree;
    const size_t n = (size_t)tree->n, entries = (size_t)entries_of(r);
    const size_t own = (size_t)largest + (size_t)tops, levels = LANES * (size_t)tree->height;
    const size_t climbing = levels < n ? levels : n; /* most positions that climb */
    const struct {
        void *array;
        size_t count, size;
    } parts[] = {
        {&w->label, own, 2 * LANES * sizeof(double)},
        {&w->flow, own, LANES * sizeof(double)},
        {&w->rank, n, sizeof(int32_t)},
        {&w->position, climbing, sizeof(int32_t)},
        {&w->climbed, climbing, 2 * LANES * sizeof(double)},
        {&w->through, climbing, 2 * LANES * sizeof(double)},
        {&w->share, climbing, LANES * sizeof(double)},
        {&w->down, entries, sizeof(double)},
        {&w->up, entries, sizeof(double)},
        {&w->ends, n, sizeof(double)},
    };
    size_t bytes = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (memory != NULL) {
            void *const part = memory + bytes;
            memcpy(parts[k].array, &part, sizeof part);
        }
        bytes += (parts[k].count * parts[k].size + LINE - 1) / LINE * LINE;
    }
    return bytes;
}

/* Returns the number of threads for which there is work, and memory of `each` bytes. */
static int threads_for(const struct class_flows_request *r, uint64_t room, size_t each) {
    const uint64_t fit = room / each;
    const uint64_t most = (uint64_t)min_of(min_of(r->threads, GROUPS), strips_of(r));
    return (int)(fit < most ? fit : most);
}

static void forget(const struct class_flows_request *r, struct swept_worker *w) {
    w->totals = (struct trip_totals){.lost_from = -1, .lost_to = -1};
    memset(w->down, 0, (size_t)entries_of(r) * sizeof *w->down);
    memset(w->up, 0, (size_t)entries_of(r) * sizeof *w->up);
    memset(w->ends, 0, (size_t)r->counted->tree.n * sizeof *w->ends);
}

static void add(const double *part, int64_t count, double *sum) {
    for (int64_t k = 0; k < count; k++)
        sum[k] += part[k];
}

static void report(struct swept_flows *s, int32_t more) {
    int64_t done;
#pragma omp atomic capture
    done = s->swept += more;
    if (omp_get_thread_num() == 0)
        progress_report(s->request->progress, done, s->request->sources);
}

static void sweep_all(struct swept_flows *s, struct swept_worker *worker, int threads,
                      struct swept_flows_sums *sums) {
    const struct class_flows_request *const r = s->request;
    const int32_t strips = strips_of(r), groups = min_of(strips, GROUPS);
    struct turns turns;
    turns_begin(&turns);
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic, 1)
    for (int32_t group = 0; group < groups; group++) {
        struct swept_worker *const w = &worker[omp_get_thread_num()];
        const int32_t begin = (int32_t)((int64_t)strips * group / groups);
        const int32_t end = (int32_t)((int64_t)strips * (group + 1) / groups);
        forget(r, w);
        for (int32_t strip = begin; strip < end && progress_goes_on(r->progress); strip++) {
            const int32_t first = strip * LANES;
            struct swept_strip own = {.source = r->source + first,
                                      .count = min_of(LANES, r->sources - first),
                                      .first = first};
            memcpy(own.times, r->from_mass + first, (size_t)own.count * sizeof *own.times);
            for (int32_t lane = 0; s->trips != NULL && lane < own.count; lane++)
                own.next[lane] = s->first_trip[first + lane];
            sweep(s, w, &own, sums->begins);
            report(s, own.count);
        }
        turns_wait(&turns, group);
        add(w->down, entries_of(r), sums->down);
        add(w->up, entries_of(r), sums->up);
        add(w->ends, r->counted->tree.n, sums->ends);
        add_totals(&w->totals, &sums->totals);
        turns_pass(&turns);
    }
    turns_end(&turns);
}

enum status swept_flows_find(const struct swept_flows_request *request,
                             struct swept_flows_sums *sums, struct error *err) {
    static const char what[] = "flows";
    const struct class_flows_request *const r = &request->by;
    struct swept_flows s = {.request = r, .trips = request->trips, .kernels = flow_kernels(r->isa)};
    struct swept_worker *worker = NULL;
    char *whole = NULL;
    void *memory;
    enum status status = STATUS_OK;
    sums->totals = (struct trip_totals){.lost_from = -1, .lost_to = -1};
    if (r->sources == 0)
        return STATUS_OK;
    TRY(prepare(&s, err));
    TRY(list_trips(&s, err));
    struct swept_worker none;
    const size_t each = divide(r, s.largest, s.tops, NULL, &none);
    const int most = threads_for(r, memory_room(), each), threads = most > 0 ? most : 1;
    TRY(memory_alloc(&memory, (size_t)threads, sizeof *worker, what, err));
    worker = memory;
    TRY(memory_alloc(&memory, (size_t)threads, each, what, err));
    whole = memory;
    for (int t = 0; t < threads; t++) {
        divide(r, s.largest, s.tops, whole + (size_t)t * each, &worker[t]);
        for (int32_t at = 0; at < r->counted->tree.n; at++)
            worker[t].rank[at] = NO_RANK;
    }
    sweep_all(&s, worker, threads, sums);
    if (!progress_goes_on(r->progress))
        status = progress_cancelled(err);

cleanup:
    memory_free(whole);
    memory_free(worker);
    release(&s);
    return status;
}

struct class_flows_cost swept_flows_predict(const struct swept_flows_request *request) {
    const struct class_flows_request *const r = &request->by;
    const struct trips *const trips = request->trips;
    /* Nanoseconds of a sweep of LANES sources on one thread, for each entry and each position. */
    const double entry_ns = 5.3, position_ns = 40;
    const uint64_t of_trips =
        trips == NULL ? 0
                      : ((uint64_t)r->sources + 1) * sizeof(int64_t) +
                            (uint64_t)trips->first[trips->origins] * sizeof(struct swept_trip);
    const uint64_t shared = shared_bytes(r) + of_trips, room = memory_room();
    struct swept_worker none;
    if (r->sources == 0)
        return (struct class_flows_cost){.seconds = 0};
    const size_t each = divide(r, 0, r->counted->tree.n, NULL, &none); /* at most */
    const int threads = threads_for(r, room > shared ? room - shared : 0, each);
    if (threads == 0)
        return (struct class_flows_cost){.seconds = HUGE_VAL};
    const int32_t rounds = (strips_of(r) + threads - 1) / threads;
    const double strip_ns =
        entry_ns * (double)entries_of(r) + position_ns * (double)r->counted->tree.n;
    return (struct class_flows_cost){.seconds = 1e-9 * rounds * strip_ns,
                                     .memory = shared + (uint64_t)threads *
                                                            (each + sizeof(struct swept_worker))};
}
