// SPDX-License-Identifier: MIT
#include "elimination/dissection.h"

#include "common/base/block_sizes.h"  // block_sizes
#include "common/base/chunks.h"       // chunk_begin, prefix_sums
#include "common/base/clock.h"        // clock_seconds
#include "common/base/memory.h"       // memory_alloc
#include "common/base/sort_numbers.h" // sort_numbers
#include "elimination/order.h"        // order_find

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Looks at g as the options say, unless the caller has a look that can be used. Stores the look in
 * *look and the pattern of g in *pattern. */
static enum status take_look(struct dissection *d, const struct graph *g,
                             const struct dissection_options *options, const struct look **look,
                             const struct pattern **pattern, struct error *err) {
    const struct look_limits all = {
        .other_s = HUGE_VAL, .slowness = 1, .threads = options->threads};
    const bool cuts = options->most >= 0, has_look = !cuts && options->look != NULL;
    if (has_look && (!options->other_costs || look_is_whole(options->look))) {
        *look = options->other_costs ? &d->look : options->look;
        *pattern = &options->look->pattern;
        d->looked_s = options->look->seconds;
        return options->other_costs
                   ? look_again(options->look, options->costs, options->threads, &d->look, err)
                   : STATUS_OK;
    }
    *look = &d->look;
    *pattern = &d->look.pattern;
    if (!order_is_available())
        return order_find(NULL, NULL, err); /* reports that this build has no AMD */
    RETURN_ON_FAILURE(look_at(g, cuts ? NULL : options->costs, &all, &d->look, err));
    return cuts ? tree_cut(&d->look.tree, options->most, err) : STATUS_OK;
}

static enum status find_places(struct dissection *d, struct error *err) {
    const struct tree *tree = &d->tree;
    const int32_t core = tree->n - tree->fringe;
    void *place;
    RETURN_ON_FAILURE(
        memory_alloc(&place, (size_t)tree->n, sizeof *d->place, "the places of labels", err));
    d->place = place;
    const int threads = threads_paid(d->threads, tree->n, block_sizes.thread_entries);
#pragma omp parallel for num_threads(threads)
    for (int32_t at = 0; at < tree->n; at++)
        d->place[tree->vertex[at]] =
            at < tree->fringe ? core + d->schedule.step[at] : at - tree->fringe;
    return STATUS_OK;
}

#ifdef LENGTH_F64
#define core_edge real_edge
static enum status build_core(struct graph *core, int32_t n, struct real_edge *edges, int64_t count,
                              const struct progress *progress, struct error *err) {
    const enum status status =
        graph_build_real(core, n, NUMBER_FLOAT64, edges, count, progress, err);
    core->spacing = 1; /* lengths are numbers of spacings already */
    core->farthest = 0x1p52;
    return status;
}
#else
#define core_edge edge
static enum status build_core(struct graph *core, int32_t n, struct edge *edges, int64_t count,
                              const struct progress *progress, struct error *err) {
    return graph_build_stoppable(core, n, edges, count, progress, err);
}
#endif

/* Counts the edges from core vertices of chunk c to higher ones and back; with an array, stores
 * them there. */
static int64_t core_edges(const struct dissection *d, int chunks, int c, struct core_edge *to) {
    const struct structure *s = &d->structure;
    const int32_t fringe = d->tree.fringe, core = d->tree.n - fringe;
    int64_t count = 0;
    for (int64_t low = chunk_begin(core, chunks, c); low < chunk_begin(core, chunks, c + 1);
         low++) {
        for (int64_t e = s->first[fringe + low]; e < s->first[fringe + low + 1]; e++) {
            const int32_t own = (int32_t)low, high = s->higher[e] - fringe;
            const path_length up = d->lengths.up[e], down = d->lengths.down[e];
            if (to != NULL && up < LENGTH_INF)
                to[count] = (struct core_edge){own, high, up};
            count += up < LENGTH_INF;
            if (to != NULL && down < LENGTH_INF)
                to[count] = (struct core_edge){high, own, down};
            count += down < LENGTH_INF;
        }
    }
    return count;
}

/* Builds the graph that the elimination leaves from the entries between vertices of the core. */
static enum status find_core(struct dissection *d, const struct progress *progress,
                             struct error *err) {
    const int32_t n = d->tree.n, fringe = d->tree.fringe;
    const int64_t entries = d->structure.first[n] - d->structure.first[fringe];
    const int threads = threads_paid(d->threads, entries, block_sizes.thread_entries);
    const int chunks = chunks_for(threads);
    void *memory = NULL, *begins = NULL;
    enum status status;
    if (fringe == n)
        return STATUS_OK;
    TRY(memory_alloc(&begins, (size_t)chunks + 1, sizeof(int64_t), "the core", err));
    TRY(memory_alloc(&memory, (size_t)entries, 2 * sizeof(struct core_edge), "the core", err));
    int64_t *const begin = begins;
    struct core_edge *const edges = memory;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int c = 0; c < chunks; c++)
        begin[c] = core_edges(d, chunks, c, NULL);
    prefix_sums(begin, chunks, 1);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int c = 0; c < chunks; c++)
        core_edges(d, chunks, c, edges + begin[c]);
    status = build_core(&d->core, n - fringe, edges, begin[chunks], progress, err);

cleanup:
    memory_free(begins);
    memory_free(memory);
    return status;
}

enum status dissection_prepare(struct dissection *d, const struct graph *g,
                               const struct dissection_options *options, struct progress *progress,
                               struct error *err) {
    const struct look *look;
    const struct pattern *pattern;
    enum status status;
    *d = (struct dissection){.kernels = sweep_kernels(options->isa),
                             .is_signed = g->min_weight < 0,
                             .threads = options->threads};
    TRY(take_look(d, g, options, &look, &pattern, err));
    if (!progress_goes_on(progress))
        TRY(progress_cancelled(err));
    d->order_s = look == options->look ? d->looked_s : d->looked_s + look->seconds;
    d->pays = look->pays;
    if (!d->pays)
        goto cleanup;
    const double start = clock_seconds();
    d->tree = look->tree;
    TRY(structure_find(pattern, &d->tree, options->threads, &d->structure, err));
    pattern_free(&d->look.pattern);
    const struct elimination_options how = {
        .threads = options->threads, .isa = options->isa, .progress = progress};
    TRY(eliminate(g, &d->tree, &d->structure, &how, &d->lengths, err));
    if (!progress_goes_on(progress))
        TRY(progress_cancelled(err));
    TRY(find_core(d, progress, err));
    d->eliminate_s = clock_seconds() - start;

cleanup:
    if (status != STATUS_OK || !d->pays)
        dissection_free(d);
    return status;
}

void dissection_free(struct dissection *d) {
    look_free(&d->look);
    structure_free(&d->structure);
    lengths_free(&d->lengths);
    schedule_free(&d->schedule);
    memory_free(d->place);
    memory_free(d->potential);
    graph_free(&d->core);
    *d = (struct dissection){0};
}

/* Finds potentials by position: distances from an added vertex that has an edge of length 0 to
 * every other one. */
static void find_potentials(const struct dissection *d, path_length *h) {
    const struct structure *s = &d->structure;
    const int32_t n = d->tree.n, fringe = d->tree.fringe;
    for (int32_t at = 0; at < n; at++)
        h[at] = 0;
    for (int32_t at = 0; at < fringe; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
            const path_length through = h[at] + d->lengths.up[e];
            h[s->higher[e]] = through < h[s->higher[e]] ? through : h[s->higher[e]];
        }
    }
    for (int32_t at = fringe; at < n; at++) {
        const path_length *const row = matrix_row_cells(d->among, at - fringe);
        for (int32_t to = fringe; to < n; to++) {
            const path_length through = h[at] + row[to - fringe];
            h[to] = through < h[to] ? through : h[to];
        }
    }
    for (int32_t at = fringe - 1; at >= 0; at--) {
        for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
            const path_length through = h[s->higher[e]] + d->lengths.down[e];
            h[at] = through < h[at] ? through : h[at];
        }
    }
}

static path_length reduced(path_length found, path_length from, path_length to) {
    return found < LENGTH_INF ? found + from - to : LENGTH_INF;
}

/* Makes all lengths non-negative by the potentials h. */
static void reweight(struct dissection *d, const path_length *h) {
    const struct structure *s = &d->structure;
    const int32_t fringe = d->tree.fringe, core = d->tree.n - fringe;
    for (int32_t at = 0; at < fringe; at++) {
        for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
            const path_length above = h[s->higher[e]];
            d->lengths.up[e] = reduced(d->lengths.up[e], h[at], above);
            d->lengths.down[e] = reduced(d->lengths.down[e], above, h[at]);
        }
    }
    for (int32_t i = 0; i < core; i++) {
        path_length *const row = matrix_row_cells(d->among, i);
        for (int32_t j = 0; j < core; j++)
            row[j] = reduced(row[j], h[fringe + i], h[fringe + j]);
    }
    for (int32_t at = 0; at < d->tree.n; at++)
        d->potential[d->tree.vertex[at]] = (int64_t)h[at];
}

enum status dissection_finish(struct dissection *d, struct matrix *among, struct error *err) {
    void *potential = NULL, *by_position = NULL;
    enum status status = STATUS_OK;
    d->among = among;
    if (d->is_signed) {
        TRY(memory_alloc(&potential, (size_t)d->tree.n, sizeof(int64_t), "the potentials", err));
        d->potential = potential;
        TRY(memory_alloc(&by_position, (size_t)d->tree.n, sizeof(path_length), "the potentials",
                         err));
        find_potentials(d, by_position);
        reweight(d, by_position);
    }
    TRY(schedule_find(&d->tree, &d->structure, &d->lengths, d->threads, &d->schedule, err));
    TRY(find_places(d, err));

cleanup:
    memory_free(by_position);
    return status;
}

static void transpose(struct matrix *m, int32_t n) {
    enum { BLOCK = 32 };
    for (int32_t high = 0; high < n; high += BLOCK) {
        for (int32_t left = 0; left <= high; left += BLOCK) {
            for (int32_t i = high; i < n && i < high + BLOCK; i++) {
                path_length *const row = matrix_row_cells(m, i);
                for (int32_t j = left; j < i && j < left + BLOCK; j++) {
                    path_length *const other = (path_length *)matrix_row_cells(m, j) + i;
                    const path_length own = row[j];
                    row[j] = *other;
                    *other = own;
                }
            }
        }
    }
}

enum status dissection_reverse(struct dissection *d, struct error *err) {
    path_length *const up = d->lengths.up;
    d->lengths.up = d->lengths.down;
    d->lengths.down = up;
    if (d->among != NULL)
        transpose(d->among, d->core.n);
    schedule_free(&d->schedule);
    return schedule_find(&d->tree, &d->structure, &d->lengths, d->threads, &d->schedule, err);
}

int dissection_lanes(const struct dissection *d) {
    return d->kernels->lanes;
}

/* Returns the number of slots of the stack. The core is written in squares of labels, of which the
 * last may go beyond it. */
static uint64_t stack_slots(int32_t slots) {
    enum { SQUARE = 4 };
    return (uint64_t)slots + SQUARE;
}

/* Returns the largest number of positions that can be marked: positions on the paths up from a
 * strip's sources, and the boundaries of their pieces. */
static uint64_t marked_at_most(const struct tree *tree) {
    const uint64_t core = (uint64_t)(tree->n - tree->fringe), n = (uint64_t)tree->n;
    const uint64_t paths = (uint64_t)tree->height * SWEEP_MAX_LANES + core;
    return paths < n ? paths : n;
}

enum {
    NUMBERS = 2 * sizeof(int32_t) + sizeof(struct sweep_stop) + sizeof(bool)
}; /* bytes of a workspace for each vertex */

uint64_t dissection_workspace_memory(int32_t n) {
    return (uint64_t)n * NUMBERS +
           ((uint64_t)n + stack_slots(n) + (uint64_t)block_sizes.sweep_positions) *
               SWEEP_MAX_LANES * sizeof(path_length);
}

enum status dissection_workspace_alloc(struct dissection_workspace *w, const struct dissection *d,
                                       struct error *err) {
    const size_t n = (size_t)d->tree.n, lanes = (size_t)d->kernels->lanes;
    const size_t marked = (size_t)marked_at_most(&d->tree);
    const size_t slots = (size_t)stack_slots(d->schedule.slots);
    enum status status;
    *w = (struct dissection_workspace){.d = d};
    TRY(memory_alloc(&w->numbers, n, NUMBERS, "a sweep", err));
    TRY(memory_alloc(&w->labels, (marked + slots + (size_t)block_sizes.sweep_positions) * lanes,
                     sizeof(path_length), "a sweep", err));
    w->sweep = (struct sweep){
        .tree = &d->tree,
        .structure = &d->structure,
        .lengths = &d->lengths,
        .core = d->among,
        .schedule = &d->schedule,
        .stop = w->numbers,
        .stack = w->labels,
    };
    w->sweep.place = (int32_t *)(w->sweep.stop + n);
    w->sweep.marked = w->sweep.place + n;
    w->sweep.chunk = w->sweep.stack + slots * lanes;
    w->sweep.marked_label = w->sweep.chunk + (size_t)block_sizes.sweep_positions * lanes;
    w->is_marked = (bool *)(w->sweep.marked + n);
    memset(w->is_marked, 0, n);

cleanup:
    if (status != STATUS_OK)
        dissection_workspace_free(w);
    return status;
}

void dissection_workspace_free(struct dissection_workspace *w) {
    memory_free(w->numbers);
    memory_free(w->labels);
    *w = (struct dissection_workspace){0};
}

static int compare_stops(const void *a, const void *b) {
    const struct sweep_stop *x = a, *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

static void mark(struct dissection_workspace *w, int32_t at) {
    w->is_marked[at] = true;
    w->sweep.marked[w->sweep.marked_count++] = at;
}

/* Marks the sources, their ancestors in the fringe, and the boundaries of their pieces. */
static void mark_paths(struct dissection_workspace *w, const int32_t *source, int count) {
    const struct dissection *d = w->d;
    struct sweep *s = &w->sweep;
    s->marked_count = 0;
    for (int k = 0; k < count; k++) {
        int32_t root = -1;
        for (int32_t at = d->tree.position[source[k]]; at >= 0 && !w->is_marked[at];
             at = d->tree.parent[at]) {
            mark(w, at);
            root = d->tree.parent[at] < 0 ? at : -1;
        }
        if (root < 0 || root >= d->tree.fringe)
            continue;
        for (int64_t e = d->structure.first[root]; e < d->structure.first[root + 1]; e++) {
            if (!w->is_marked[d->structure.higher[e]])
                mark(w, d->structure.higher[e]);
        }
    }
    sort_numbers(s->marked, s->marked_count);
    s->stops = 0;
    for (int32_t m = 0; m < s->marked_count; m++) {
        const int32_t at = s->marked[m];
        s->place[at] = m;
        if (at < d->tree.fringe)
            s->stop[s->stops++] = (struct sweep_stop){d->schedule.step[at], m};
    }
    qsort(s->stop, (size_t)s->stops, sizeof *s->stop, compare_stops);
}

/* Sets the distance of each source to itself, 0, in its lane. Lanes without a source repeat the
 * first one. */
static void start_labels(struct dissection_workspace *w, const int32_t *source, int count) {
    const int lanes = w->d->kernels->lanes;
    struct sweep *s = &w->sweep;
    for (size_t cell = 0; cell < (size_t)s->marked_count * (size_t)lanes; cell++)
        s->marked_label[cell] = LENGTH_INF;
    for (int lane = 0; lane < lanes; lane++) {
        const int32_t at = w->d->tree.position[source[lane < count ? lane : 0]];
        s->marked_label[(size_t)s->place[at] * (size_t)lanes + (size_t)lane] = 0;
    }
}

static void run(struct dissection_workspace *w) {
    if (w->d->core.n > 0)
        w->d->kernels->across(&w->sweep);
    w->d->kernels->down(&w->sweep);
}

static void begin(struct dissection_workspace *w, const int32_t *source, int count,
                  path_length *label) {
    w->sweep.label = label;
    mark_paths(w, source, count);
    start_labels(w, source, count);
    w->d->kernels->up(&w->sweep);
}

static void end(struct dissection_workspace *w) {
    for (int32_t m = 0; m < w->sweep.marked_count; m++)
        w->is_marked[w->sweep.marked[m]] = false;
}

void dissection_strip(struct dissection_workspace *w, const int32_t *source, int count,
                      path_length *label) {
    begin(w, source, count, label);
    run(w);
    end(w);
}

void dissection_pass(struct dissection_workspace *w, const int32_t *source, int count,
                     struct sweep_taker *taker) {
    w->sweep.taker = taker;
    begin(w, source, count, NULL);
    run(w);
    end(w);
}
