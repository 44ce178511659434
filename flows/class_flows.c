// SPDX-License-Identifier: MIT
#include "flows/class_flows.h"

#include "classes/regions.h"         // regions_find
#include "classes/strips.h"          // strips_list
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/exp_kernels.h" // exp_kernels
#include "common/base/memory.h"      // memory_alloc
#include "flows/flow_kernels.h"      // flow_kernels
#include "flows/pair_rows.h"         // pair_rows_find

#include <math.h>
#include <omp.h>
#include <string.h>

enum { LANES = FLOW_LANES, NO_CLASS = -1, PARTS = 32 };

/* Data of a region. Its rows are those of the sources in it, followed by one for each class. A row
 * in memory has all distances first, then all path counts. */
struct region_flows {
    int32_t first, sources;   /* the region has the sources first .. first + sources - 1 */
    double *up;               /* rows from each source to the boundary, by paths inside the
                                 region */
    double *among;            /* rows from each portal to all local numbers; NULL: the region has no
                                 sources */
    struct pair_rows classes; /* classes of the parent's rows, without the rows of this region's
                                 sources */
    int32_t *reference;       /* class of each row of the parent; NO_CLASS: no path into the
                                 region */
    double *decay;            /* factor by which the flow of each row of the parent is less than its
                                 class's, because it is farther away; NULL: flow does not decay */
    double *flow;             /* flow that each row needs at each boundary vertex, rows x width */
};

/* Memory of one thread. */
struct class_flows_worker {
    double *label, *inner; /* labels of a strip of rows at all local numbers of the largest region,
                              each */
    double *flow;          /* flow of LANES rows at each local number of the largest region */
    double *sums;          /* FLOW_SUMS partial sums for each entry of the region with the most
                              entries */
    struct flow_keys keys;
};

struct class_flows_solve {
    const struct class_flows_request *request;
    const struct counted *counted;
    const struct flow_kernels *kernels;
    const struct exp_kernels *factors;
    const struct regions *regions;
    const int32_t *source; /* positions of the sources, ascending */
    const double *from_mass;
    struct region_flows *place;        /* data of each region */
    double *flow;                      /* answer: flow down each entry; NULL: only steps are
                                          counted */
    double *ends;                      /* answer: flow that ends at each position */
    struct class_flows_worker *worker; /* memory of each thread */
    int32_t *numbers;                  /* 0, 1, 2, ..., as many as the largest region has local
                                          numbers */
    int64_t *entries;                  /* number of entries of each region's own positions */
    int64_t parts;      /* number of parts in which the sources are solved, one after another */
    int64_t positions;  /* number of positions done, in this part and in earlier ones */
    int64_t steps;      /* number of relaxations of one row */
    int64_t held, most; /* bytes of rows and classes now, and at most so far */
    bool failed;        /* a thread had too little memory */
};

static void note_failure(struct class_flows_solve *s) {
    __atomic_store_n(&s->failed, true, __ATOMIC_RELAXED);
}

static bool goes_on(const struct class_flows_solve *s) {
    return !__atomic_load_n(&s->failed, __ATOMIC_RELAXED) && progress_goes_on(s->request->progress);
}

/* Allocates memory in any thread. After a failure, run() reports it. */
static bool alloc(struct class_flows_solve *s, void **memory, size_t count, size_t size) {
    struct error ignored;
    if (memory_alloc(memory, count, size, "flows", &ignored) == STATUS_OK)
        return true;
    note_failure(s);
    return false;
}

static int32_t min_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static void count_steps(struct class_flows_solve *s, int64_t steps) {
#pragma omp atomic
    s->steps += steps;
}

/* Counts bytes of rows and classes as held; negative ones as released. */
static void count_held(struct class_flows_solve *s, int64_t bytes) {
#pragma omp critical
    {
        s->held += bytes;
        s->most = s->held > s->most ? s->held : s->most;
    }
}

/* Counts positions as done, and reports progress, which may stop the work. */
static void count_positions(struct class_flows_solve *s, int32_t more) {
    int64_t done;
#pragma omp atomic capture
    done = s->positions += more;
    if (omp_get_thread_num() == 0)
        progress_report(s->request->progress,
                        s->request->done + (s->flow == NULL ? 0 : done / s->parts),
                        s->request->all);
}

static const struct region *region_at(const struct class_flows_solve *s, int32_t k) {
    return &s->regions->region[k];
}

static int32_t locals(const struct region *r) {
    return r->own + r->width;
}

static struct class_flows_worker *own_worker(const struct class_flows_solve *s) {
    return &s->worker[omp_get_thread_num()];
}

static struct flow_region flow_region_of(const struct class_flows_solve *s,
                                         const struct region *r) {
    const struct counted *const c = s->counted;
    return (struct flow_region){.own = r->own,
                                .position = s->regions->own_position + r->first_own,
                                .first = c->structure.first,
                                .local = s->regions->local,
                                .up = c->up,
                                .up_paths = c->up_paths,
                                .down = c->down,
                                .down_paths = c->down_paths};
}

// Labels ------------------------------------------------------------------------------------------

static void fill(double *label, int32_t from, int32_t to) {
    for (int32_t number = from; number < to; number++) {
        for (int lane = 0; lane < LANES; lane++) {
            label[FLOW_AT(number) + lane] = (double)INFINITY;
            label[FLOW_AT(number) + LANES + lane] = 0;
        }
    }
}

/* Copies consecutive rows of `width` distances and path counts to the labels 0 .. width - 1, a lane
 * for each row. Other lanes have no paths. */
static void load_rows(const double *row, int32_t rows, int32_t width, double *label) {
    if (rows < LANES)
        fill(label, 0, width);
    for (int32_t lane = 0; lane < rows; lane++, row += 2 * (size_t)width) {
        for (int32_t b = 0; b < width; b++) {
            label[FLOW_AT(b) + lane] = row[b];
            label[FLOW_AT(b) + LANES + lane] = row[width + b];
        }
    }
}

/* Copies the labels 0 .. width - 1 of the first lanes to consecutive rows. */
static void store_rows(const double *label, int32_t rows, int32_t width, double *row) {
    for (int32_t lane = 0; lane < rows; lane++, row += 2 * (size_t)width) {
        for (int32_t b = 0; b < width; b++) {
            row[b] = label[FLOW_AT(b) + lane];
            row[width + b] = label[FLOW_AT(b) + LANES + lane];
        }
    }
}

/* Returns the row of a source in place.up. */
static double *up_row(const struct class_flows_solve *s, int32_t k, int32_t source) {
    return s->place[k].up +
           2 * (size_t)(source - s->place[k].first) * (size_t)region_at(s, k)->width;
}

/* Finds the labels of region k for sources at the local numbers own[0 .. count - 1], by paths that
 * climb inside the region. */
static void start_own(const struct class_flows_solve *s, int32_t k, const int32_t *own,
                      int32_t count, double *label) {
    const struct region *const r = region_at(s, k);
    const struct flow_region region = flow_region_of(s, r);
    fill(label, 0, locals(r));
    for (int32_t lane = 0; lane < count; lane++) {
        label[FLOW_AT(own[lane]) + lane] = 0;
        label[FLOW_AT(own[lane]) + LANES + lane] = 1;
    }
    s->kernels->up(&region, label);
}

/* Finds the labels from own positions by all paths. place.among has the rows of the boundary
 * already. */
static void find_own(const struct class_flows_solve *s, int32_t k, const int32_t *own,
                     int32_t count, struct class_flows_worker *w) {
    const struct region *const r = region_at(s, k);
    const struct flow_region region = flow_region_of(s, r);
    double *const boundary = w->label + FLOW_AT(r->own);
    start_own(s, k, own, count, w->label);
    memcpy(w->inner, boundary, (size_t)FLOW_AT(r->width) * sizeof *boundary);
    s->kernels->multiply(w->inner, s->numbers, r->width, s->place[k].among + r->own, locals(r),
                         r->width, boundary);
    s->kernels->lower(&region, w->label);
}

/* Finds the labels of a strip of region k. */
static void find_labels(const struct class_flows_solve *s, int32_t k, const struct row_strip *strip,
                        const struct strips *strips, struct class_flows_worker *w) {
    const struct region *const r = region_at(s, k);
    const struct flow_region region = flow_region_of(s, r);
    const struct region_flows *const place = &s->place[k];
    const int32_t count = strip->count;
    if (strip->child == OF_CLASSES) {
        load_rows(pair_rows_row(&place->classes, strip->first), count, r->width,
                  w->label + FLOW_AT(r->own));
        s->kernels->down(&region, w->label);
    } else if (strip->child == OF_OWN) {
        int32_t own[LANES];
        for (int32_t lane = 0; lane < count; lane++) {
            const int32_t source = strips->own[strip->first + lane];
            own[lane] = s->regions->own_number[s->source[source]];
        }
        find_own(s, k, own, count, w);
    } else { /* every path leaves the inner region over its boundary */
        const struct region *const child = region_at(s, strip->child);
        load_rows(up_row(s, strip->child, strip->first), count, child->width, w->inner);
        s->kernels->multiply(w->inner, s->regions->outer_portal + child->outer, child->width,
                             place->among, locals(r), locals(r), w->label);
    }
}

// The way up --------------------------------------------------------------------------------------

/* Finds rows from each own position of region k to its boundary, by paths inside the region. The
 * caller frees *rows. Returns false if memory is short. */
static bool find_own_up(struct class_flows_solve *s, int32_t k, double **rows) {
    const struct region *const r = region_at(s, k);
    struct class_flows_worker *const w = own_worker(s);
    void *memory;
    if (!alloc(s, &memory, (size_t)r->own * (size_t)r->width, 2 * sizeof **rows))
        return false;
    *rows = memory;
    for (int32_t first = 0; first < r->own; first += LANES) {
        const int32_t count = min_of(r->own - first, LANES);
        start_own(s, k, s->numbers + first, count, w->label);
        store_rows(w->label + FLOW_AT(r->own), count, r->width,
                   *rows + 2 * (size_t)first * (size_t)r->width);
    }
    return true;
}

/* Finds rows from each boundary vertex of region c, inside region k, to k's boundary. own_up: the
 * rows from k's own positions. The caller frees *rows. Returns false if memory is short. */
static bool find_child_up(struct class_flows_solve *s, int32_t k, int32_t c, const double *own_up,
                          double **rows) {
    const struct region *const r = region_at(s, k), *const child = region_at(s, c);
    const int32_t *const outer = s->regions->outer + child->outer;
    const size_t cells = 2 * (size_t)r->width;
    void *memory;
    if (!alloc(s, &memory, (size_t)child->width * cells, sizeof **rows))
        return false;
    *rows = memory;
    for (int32_t b = 0; b < child->width; b++) {
        double *const row = *rows + (size_t)b * cells;
        if (outer[b] < r->own) {
            memcpy(row, own_up + (size_t)outer[b] * cells, cells * sizeof *row);
            continue;
        }
        for (int32_t x = 0; x < r->width; x++) {
            row[x] = x == outer[b] - r->own ? 0 : (double)INFINITY;
            row[r->width + x] = x == outer[b] - r->own;
        }
    }
    return true;
}

/* Finds place.up of region k for the sources begin .. end - 1, which lie in region c inside it. */
static void climb_part(const struct class_flows_solve *s, int32_t k, int32_t c,
                       const double *child_up, int32_t begin, int32_t end) {
    const int32_t width = region_at(s, k)->width, inner = region_at(s, c)->width;
    struct class_flows_worker *const w = own_worker(s);
    for (int32_t source = begin; source < end; source += LANES) {
        const int32_t count = min_of(end - source, LANES);
        load_rows(up_row(s, c, source), count, inner, w->inner);
        s->kernels->multiply(w->inner, s->numbers, inner, child_up, width, width, w->label);
        store_rows(w->label, count, width, up_row(s, k, source));
    }
}

static void climb_from(struct class_flows_solve *s, int32_t k, int32_t c, const double *child_up) {
    const int32_t each = block_sizes.task_sources;
    const struct region_flows *const inner = &s->place[c];
    for (int32_t first = 0; first < inner->sources; first += each) {
        const int32_t begin = inner->first + first;
        const int32_t end = inner->first + min_of(first + each, inner->sources);
#pragma omp task firstprivate(begin, end) if (inner->sources > each)
        climb_part(s, k, c, child_up, begin, end);
    }
#pragma omp taskwait
    count_steps(s, (int64_t)inner->sources * region_at(s, c)->width * region_at(s, k)->width);
}

static bool pays_for_task(const struct class_flows_solve *s, int32_t k) {
    return s->entries[k] * ((int64_t)s->place[k].sources + s->place[k].classes.count) >
           block_sizes.task_steps;
}

/* Finds place.up of region k and of all regions inside it. */
static void climb(struct class_flows_solve *s, int32_t k) {
    const struct region *const r = region_at(s, k);
    struct region_flows *const place = &s->place[k];
    const size_t cells = 2 * (size_t)r->width;
    double *own_up = NULL, *child_up = NULL;
    void *memory;
    for (int32_t c = r->child; c >= 0; c = region_at(s, c)->sibling) {
        if (s->place[c].sources == 0)
            continue;
#pragma omp task firstprivate(c) if (region_at(s, c)->high - region_at(s, c)->low >                \
                                     block_sizes.task_positions)
        climb(s, c);
    }
#pragma omp taskwait
    if (k == 0 || !goes_on(s) || !find_own_up(s, k, &own_up))
        return;
    if (!alloc(s, &memory, (size_t)place->sources * cells, sizeof *place->up))
        goto cleanup;
    place->up = memory;
    for (int32_t i = 0; i < place->sources; i++) {
        const int32_t position = s->source[place->first + i];
        if (s->regions->of[position] == k)
            memcpy(place->up + (size_t)i * cells,
                   own_up + (size_t)s->regions->own_number[position] * cells,
                   cells * sizeof *own_up);
    }
    for (int32_t c = r->child; c >= 0; c = region_at(s, c)->sibling) {
        if (s->place[c].sources == 0)
            continue;
        if (!find_child_up(s, k, c, own_up, &child_up))
            goto cleanup;
        climb_from(s, k, c, child_up);
        memory_free(child_up);
    }

cleanup:
    memory_free(own_up);
}

/* Stores the labels of `count` lanes as the rows of place.among from number `portal` on. */
static void store_among(const struct class_flows_solve *s, int32_t k, int32_t portal, int32_t count,
                        const struct class_flows_worker *w) {
    const int32_t all = locals(region_at(s, k));
    store_rows(w->label, count, all, s->place[k].among + 2 * (size_t)portal * (size_t)all);
}

/* Finds place.among of region k. The parent's rows have the distances among boundary vertices,
 * which are the first portals; the other portals are own positions. */
static bool find_among(struct class_flows_solve *s, int32_t k) {
    const struct region *const r = region_at(s, k);
    const struct flow_region region = flow_region_of(s, r);
    const int32_t *const outer = s->regions->outer + r->outer;
    const int32_t *const outer_portal = s->regions->outer_portal + r->outer;
    const int32_t *const portal = s->regions->portal + r->first_portal;
    struct class_flows_worker *const w = own_worker(s);
    void *memory;
    if (!alloc(s, &memory, (size_t)r->portals * (size_t)locals(r), 2 * sizeof *w->label))
        return false;
    s->place[k].among = memory;
    for (int32_t first = 0; first < r->width; first += LANES) {
        const int32_t count = min_of(r->width - first, LANES);
        const size_t pitch = (size_t)locals(region_at(s, r->parent));
        fill(w->label, r->own, locals(r));
        for (int32_t lane = 0; lane < count; lane++) {
            const double *const row =
                s->place[r->parent].among + 2 * (size_t)outer_portal[first + lane] * pitch;
            for (int32_t b = 0; b < r->width; b++) {
                w->label[FLOW_AT(r->own + b) + lane] = row[outer[b]];
                w->label[FLOW_AT(r->own + b) + LANES + lane] = row[pitch + (size_t)outer[b]];
            }
        }
        s->kernels->down(&region, w->label);
        store_among(s, k, first, count, w);
    }
    for (int32_t first = r->width; first < r->portals; first += LANES) {
        const int32_t count = min_of(r->portals - first, LANES);
        find_own(s, k, portal + first, count, w);
        store_among(s, k, first, count, w);
    }
    count_steps(s, r->portals * s->entries[k]);
    return true;
}

// Forwards: classes -------------------------------------------------------------------------------

/* Keys of up to block_sizes.key_strips strips for all regions inside a region. All threads find
 * keys, and one looks them up in their order, so that classes have the same numbers for any number
 * of threads. */
struct key_batch {
    double *row;              /* keys, `cells` for each strip, one inner region after the other */
    uint64_t *hash;           /* hashes of the keys, LANES for each strip and inner region */
    double *nearest;          /* least distances to the inner region's boundary, LANES for each
                                 strip and inner region; infinite: no path into it */
    int32_t (*number)[LANES]; /* row numbers of each strip */
    size_t cells;             /* number of cells of the keys of one strip */
    int32_t inside;           /* number of regions inside */
};

static bool batch_alloc(struct class_flows_solve *s, int32_t k, int32_t strips,
                        struct key_batch *b) {
    const size_t most = (size_t)min_of(strips, block_sizes.key_strips);
    void *memory;
    *b = (struct key_batch){.cells = 0};
    for (int32_t c = region_at(s, k)->child; c >= 0; c = region_at(s, c)->sibling) {
        b->cells += 2 * LANES * (size_t)region_at(s, c)->width;
        b->inside++;
    }
    const size_t lanes = most * (size_t)b->inside * LANES;
    if (!alloc(s, &memory, most * b->cells, sizeof *b->row))
        return false;
    b->row = memory;
    if (!alloc(s, &memory, lanes, sizeof *b->hash))
        return false;
    b->hash = memory;
    if (!alloc(s, &memory, lanes, sizeof *b->nearest))
        return false;
    b->nearest = memory;
    if (!alloc(s, &memory, most, sizeof *b->number))
        return false;
    b->number = memory;
    return true;
}

static void batch_free(struct key_batch *b) {
    memory_free(b->row);
    memory_free(b->hash);
    memory_free(b->nearest);
    memory_free(b->number);
}

/* Makes the keys of strip `i` of a batch. */
static void make_keys(const struct class_flows_solve *s, int32_t k, const struct row_strip *strip,
                      const struct strips *strips, const struct key_batch *b, int32_t i) {
    struct class_flows_worker *const w = own_worker(s);
    double *row = b->row + (size_t)i * b->cells;
    size_t at = (size_t)i * (size_t)b->inside * LANES;
    find_labels(s, k, strip, strips, w);
    strip_rows(strips, strip, b->number[i]);
    for (int32_t c = region_at(s, k)->child; c >= 0; c = region_at(s, c)->sibling) {
        const struct region *const child = region_at(s, c);
        if (c != strip->child) {
            w->keys.row = row;
            s->kernels->make_keys(w->label, s->regions->outer + child->outer, child->width,
                                  &w->keys);
            memcpy(b->hash + at, w->keys.hash, sizeof w->keys.hash);
            memcpy(b->nearest + at, w->keys.nearest, sizeof w->keys.nearest);
        }
        row += 2 * LANES * (size_t)child->width;
        at += LANES;
    }
}

/* Returns the mass of a row of region k. */
static double mass_of(const struct class_flows_solve *s, const struct region_flows *place,
                      int32_t row) {
    return row < place->sources ? s->from_mass[place->first + row]
                                : place->classes.mass[row - place->sources];
}

/* Looks up the classes in region c of all rows of a batch, in their order. Region c is number
 * `inside` of the regions inside region k, and its keys begin `offset` cells into those of a strip.
 */
static void classify(struct class_flows_solve *s, int32_t k, int32_t c, int32_t inside,
                     size_t offset, const struct row_strip *strip, int32_t count,
                     const struct key_batch *b) {
    const struct region_flows *const place = &s->place[k];
    struct region_flows *const inner = &s->place[c];
    for (int32_t i = 0; i < count; i++) {
        const size_t at = ((size_t)i * (size_t)b->inside + (size_t)inside) * LANES;
        _Alignas(64) double decay[LANES] = {0};
        if (strip[i].child == c)
            continue;
        if (inner->decay != NULL)
            s->factors->of_lengths(b->nearest + at, LANES, s->request->rate, decay);
        for (int32_t lane = 0; lane < strip[i].count; lane++) {
            const int32_t row = b->number[i][lane];
            double mass = mass_of(s, place, row);
            inner->reference[row] = NO_CLASS;
            if (isinf(b->nearest[at + (size_t)lane]))
                continue;
            if (inner->decay != NULL)
                mass *= inner->decay[row] = decay[lane];
            inner->reference[row] = pair_rows_find(&inner->classes,
                                                   b->row + (size_t)i * b->cells + offset +
                                                       (size_t)lane * inner->classes.cells,
                                                   b->hash[at + (size_t)lane], mass);
            if (inner->reference[row] < 0) {
                note_failure(s);
                return;
            }
        }
    }
}

/* Finds the classes of all rows of region k in all regions inside. */
static void find_classes(struct class_flows_solve *s, int32_t k, const struct strips *strips) {
    const bool is_shared = pays_for_task(s, k);
    struct key_batch b;
    if (!batch_alloc(s, k, strips->count, &b))
        goto cleanup;
    for (int32_t first = 0; first < strips->count && goes_on(s); first += block_sizes.key_strips) {
        const struct row_strip *const strip = strips->strip + first;
        const int32_t count = min_of(strips->count - first, block_sizes.key_strips);
        size_t offset = 0;
        int32_t inside = 0;
        for (int32_t i = 0; i < count; i += LANES) {
#pragma omp task firstprivate(i) if (is_shared)
            for (int32_t own = i; own < count && own < i + LANES; own++)
                make_keys(s, k, &strip[own], strips, &b, own);
        }
#pragma omp taskwait
        for (int32_t c = region_at(s, k)->child; c >= 0; c = region_at(s, c)->sibling) {
#pragma omp task firstprivate(c, inside, offset) if (is_shared)
            classify(s, k, c, inside, offset, strip, count, &b);
            offset += 2 * LANES * (size_t)region_at(s, c)->width;
            inside++;
        }
#pragma omp taskwait
        count_positions(s, 0);
    }

cleanup:
    batch_free(&b);
}

// Backwards: flows --------------------------------------------------------------------------------

/* Adds to the flow at the boundaries of inner regions the flow that a strip's rows have to bring
 * there. */
static void ask_inside(const struct class_flows_solve *s, int32_t k, const struct row_strip *strip,
                       const int32_t *row, int32_t count, double *flow) {
    for (int32_t c = region_at(s, k)->child; c >= 0; c = region_at(s, c)->sibling) {
        const struct region *const child = region_at(s, c);
        const struct region_flows *const inner = &s->place[c];
        const int32_t *const outer = s->regions->outer + child->outer;
        for (int32_t lane = 0; lane < count; lane++) {
            const bool is_inside = strip->child == c;
            if (!is_inside && inner->reference[row[lane]] == NO_CLASS)
                continue;
            const int32_t from = is_inside ? row[lane] + s->place[k].first - inner->first
                                           : inner->sources + inner->reference[row[lane]];
            const double *const asked = inner->flow + (size_t)from * (size_t)child->width;
            const double by = is_inside || inner->decay == NULL ? 1 : inner->decay[row[lane]];
            for (int32_t b = 0; b < child->width; b++)
                flow[(size_t)outer[b] * LANES + (size_t)lane] += by * asked[b];
        }
    }
}

void class_flows_want(const struct class_flows_request *r, const struct flow_region *region,
                      const double *label, double *flow) {
    const struct exp_kernels *const factors = exp_kernels(r->isa);
    _Alignas(64) double by[LANES];
    flow_kernels(r->isa)->want(region, r->to_mass, label, flow);
    for (int32_t i = 0; r->rate > 0 && i < region->own; i++, flow += LANES) {
        factors->of_lengths(label + FLOW_AT(i), LANES, r->rate, by);
        for (int lane = 0; lane < LANES; lane++)
            flow[lane] = flow[lane] > 0 ? flow[lane] * by[lane] : 0;
    }
}

/* Passes strips begin .. end - 1 of region k backwards. Adds to flow[x] the flow down the region's
 * entry number x, in the order of its own positions, and to ends[i] the flow that ends at own
 * position i. */
static void pass_strips(const struct class_flows_solve *s, int32_t k, const struct strips *strips,
                        int32_t begin, int32_t end, double *flow, double *ends) {
    const struct region *const r = region_at(s, k);
    const struct flow_region region = flow_region_of(s, r);
    const struct region_flows *const place = &s->place[k];
    struct class_flows_worker *const w = own_worker(s);
    memset(w->sums, 0, (size_t)s->entries[k] * FLOW_SUMS * sizeof *w->sums);
    for (int32_t i = begin; i < end && goes_on(s); i++) {
        const struct row_strip *const strip = &strips->strip[i];
        _Alignas(64) double times[LANES] = {0}, sent[LANES] = {0};
        int32_t row[LANES];
        const int32_t count = strip->count;
        find_labels(s, k, strip, strips, w);
        strip_rows(strips, strip, row);
        for (int32_t lane = 0; lane < count; lane++)
            times[lane] = mass_of(s, place, row[lane]);
        class_flows_want(s->request, &region, w->label, w->flow);
        s->kernels->ask(r->own, s->numbers, w->flow, times, ends, sent);
        if (strip->child == OF_OWN) { /* no flow goes from a source to itself */
            for (int32_t lane = 0; lane < count; lane++) {
                const int32_t source = strips->own[strip->first + lane];
                const int32_t own = s->regions->own_number[s->source[source]];
                ends[own] -= w->flow[(size_t)own * LANES + (size_t)lane] * times[lane];
            }
        }
        memset(w->flow + (size_t)r->own * LANES, 0, (size_t)r->width * LANES * sizeof *w->flow);
        ask_inside(s, k, strip, row, count, w->flow);
        s->kernels->back(&region, w->label, times, w->flow, w->sums);
        for (int32_t lane = 0; lane < count; lane++) {
            double *const asked = place->flow + (size_t)row[lane] * (size_t)r->width;
            for (int32_t b = 0; b < r->width; b++)
                asked[b] = w->flow[(size_t)(r->own + b) * LANES + (size_t)lane];
        }
    }
    for (int64_t e = 0; e < s->entries[k]; e++) {
        const double *const sums = w->sums + e * FLOW_SUMS;
        flow[e] += ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
                   ((sums[1] + sums[5]) + (sums[3] + sums[7]));
    }
}

/* Adds the flows of all parts of region k's strips to the answer, in the order of parts. */
static void add_parts(const struct class_flows_solve *s, int32_t k, const double *found,
                      int32_t parts) {
    const struct region *const r = region_at(s, k);
    const int64_t *const first = s->counted->structure.first;
    const size_t each = (size_t)s->entries[k] + (size_t)r->own;
    for (int32_t part = 0; part < parts; part++) {
        const double *flow = found + (size_t)part * each, *const ends = flow + s->entries[k];
        for (int32_t i = 0; i < r->own; i++) {
            const int32_t at = s->regions->own_position[r->first_own + i];
            s->ends[at] += ends[i];
            for (int64_t e = first[at]; e < first[at + 1]; e++)
                s->flow[e] += *flow++;
        }
    }
}

/* Does the work backwards for all rows of region k. */
static void pass_back(struct class_flows_solve *s, int32_t k, const struct strips *strips) {
    const struct region *const r = region_at(s, k);
    const int32_t rows = s->place[k].sources + s->place[k].classes.count;
    const bool is_shared = pays_for_task(s, k);
    const int32_t parts = is_shared ? min_of(PARTS, strips->count) : 1;
    const size_t each = (size_t)s->entries[k] + (size_t)r->own;
    void *memory = NULL;
    if (!alloc(s, &memory, (size_t)rows * (size_t)r->width, sizeof *s->place[k].flow))
        return;
    s->place[k].flow = memory;
    if (!alloc(s, &memory, (size_t)parts * each, sizeof *s->flow))
        return;
    double *const found = memory;
    memset(found, 0, (size_t)parts * each * sizeof *found);
    for (int32_t part = 0; part < parts; part++) {
        const int32_t begin = (int32_t)((int64_t)strips->count * part / parts);
        const int32_t end = (int32_t)((int64_t)strips->count * (part + 1) / parts);
        double *const own = found + (size_t)part * each;
#pragma omp task firstprivate(begin, end, own) if (is_shared)
        pass_strips(s, k, strips, begin, end, own, own + s->entries[k]);
    }
#pragma omp taskwait
    add_parts(s, k, found, parts);
    memory_free(found);
}

// Regions -----------------------------------------------------------------------------------------

static void place_free(struct region_flows *place) {
    memory_free(place->up);
    memory_free(place->among);
    memory_free(place->reference);
    memory_free(place->decay);
    memory_free(place->flow);
    pair_rows_free(&place->classes);
    *place = (struct region_flows){.first = place->first, .sources = place->sources};
}

/* Allocates the references of region k's rows to the classes of the regions inside it. */
static bool prepare_inside(struct class_flows_solve *s, int32_t k) {
    const size_t rows = (size_t)s->place[k].sources + (size_t)s->place[k].classes.count;
    for (int32_t c = region_at(s, k)->child; c >= 0; c = region_at(s, c)->sibling) {
        void *memory;
        if (!alloc(s, &memory, rows, sizeof *s->place[c].reference))
            return false;
        s->place[c].reference = memory;
        if (s->request->rate > 0) {
            if (!alloc(s, &memory, rows, sizeof *s->place[c].decay))
                return false;
            s->place[c].decay = memory;
        }
        s->place[c].classes.cells = 2 * (size_t)region_at(s, c)->width;
    }
    return true;
}

/* Counts the steps of the rows of region k: labels are found twice, and their flow is passed back
 * once. */
static void count_rows(struct class_flows_solve *s, int32_t k) {
    enum { KEY_STEPS = 12 }; /* steps that take as long as one boundary vertex of a key */
    const struct region *const r = region_at(s, k);
    const int64_t classes = s->place[k].classes.count, sources = s->place[k].sources;
    int64_t steps = classes * s->entries[k];
    for (int32_t c = r->child; c >= 0; c = region_at(s, c)->sibling) {
        const int64_t width = region_at(s, c)->width, inner = s->place[c].sources;
        steps += inner * width * locals(r) + (sources + classes - inner) * KEY_STEPS * width;
    }
    count_steps(s, 2 * steps + (sources + classes) * s->entries[k]);
}

/* Returns the bytes of rows among the portals of a region. */
static int64_t among_bytes(const struct region *r) {
    return (int64_t)r->portals * locals(r) * 2 * (int64_t)sizeof(double);
}

/* Returns the bytes that the regions inside region k take when their classes are known, with the
 * flows of classes. Chunks of rows may have room for twice as many. */
static int64_t inside_bytes(const struct class_flows_solve *s, int32_t k) {
    enum { GROWN = 2, HEAD = 2 * sizeof(double) + 4 * sizeof(int32_t) };
    const struct region_flows *const place = &s->place[k];
    int64_t bytes = 0;
    const int64_t each = (int64_t)(sizeof(int32_t) + (s->request->rate > 0 ? sizeof(double) : 0));
    for (int32_t c = region_at(s, k)->child; c >= 0; c = region_at(s, c)->sibling) {
        const int64_t row = (int64_t)sizeof(double) * region_at(s, c)->width;
        const int64_t sources = s->place[c].sources, classes = s->place[c].classes.count;
        bytes += classes * GROWN * (2 * row + HEAD) + (sources + classes) * row +
                 (place->sources + place->classes.count) * each + among_bytes(region_at(s, c));
    }
    return bytes;
}

/* Finds the flows in region k and in all regions inside it. */
static void solve_region(struct class_flows_solve *s, int32_t k) {
    const struct region *const r = region_at(s, k);
    struct region_flows *const place = &s->place[k];
    struct strips strips;
    struct error ignored;
    int64_t inside = 0;
    if (!goes_on(s) || !prepare_inside(s, k))
        return;
    if (place->sources > 0 && !find_among(s, k))
        return;
    if (strips_list(s->regions, k, s->source, s->place[0].sources, place->classes.count, LANES,
                    &strips, &ignored) != STATUS_OK) {
        note_failure(s);
    } else {
        if (r->child >= 0)
            find_classes(s, k, &strips);
        count_rows(s, k);
        inside = inside_bytes(s, k);
        count_held(s, inside);
        for (int32_t c = r->child; c >= 0; c = region_at(s, c)->sibling) {
#pragma omp task firstprivate(c) if (pays_for_task(s, c))
            solve_region(s, c);
        }
#pragma omp taskwait
        if (goes_on(s) && s->flow != NULL)
            pass_back(s, k, &strips);
    }
    for (int32_t c = r->child; c >= 0; c = region_at(s, c)->sibling)
        place_free(&s->place[c]);
    count_held(s, -inside);
    count_positions(s, r->own);
    strips_free(&strips);
}

// All of it ---------------------------------------------------------------------------------------

static enum status prepare_all(struct class_flows_solve *s, int32_t count, struct error *err) {
    static const char what[] = "flows";
    const struct regions *const regions = s->regions;
    const size_t cells = (size_t)FLOW_AT(regions->largest);
    const int threads = s->request->threads;
    int64_t most = 0;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)regions->count, sizeof *s->place, what, err));
    s->place = memory;
    memset(memory, 0, (size_t)regions->count * sizeof *s->place);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)regions->count, sizeof *s->entries, what, err));
    s->entries = memory;
    for (int32_t k = 0; k < regions->count; k++) {
        const struct region *const r = region_at(s, k);
        s->place[k].first = positions_below(s->source, count, r->low);
        s->place[k].sources = positions_below(s->source, count, r->high) - s->place[k].first;
        s->entries[k] = 0;
        for (int32_t i = 0; i < r->own; i++)
            s->entries[k] += s->counted->tree.count[regions->own_position[r->first_own + i]];
        most = s->entries[k] > most ? s->entries[k] : most;
    }
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)threads, sizeof *s->worker, what, err));
    s->worker = memory;
    memset(memory, 0, (size_t)threads * sizeof *s->worker);
    for (int t = 0; t < threads; t++) {
        RETURN_ON_FAILURE(memory_alloc(&memory, cells, sizeof(double), what, err));
        s->worker[t].label = memory;
        RETURN_ON_FAILURE(memory_alloc(&memory, cells, sizeof(double), what, err));
        s->worker[t].inner = memory;
        RETURN_ON_FAILURE(memory_alloc(&memory, cells / 2, sizeof(double), what, err));
        s->worker[t].flow = memory;
        RETURN_ON_FAILURE(
            memory_alloc(&memory, (size_t)most, FLOW_SUMS * sizeof(double), what, err));
        s->worker[t].sums = memory;
    }
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)regions->largest, sizeof *s->numbers, what, err));
    s->numbers = memory;
    for (int32_t k = 0; k < regions->largest; k++)
        s->numbers[k] = k;
    return STATUS_OK;
}

static void free_all(struct class_flows_solve *s) {
    for (int32_t k = 0; s->place != NULL && k < s->regions->count; k++)
        place_free(&s->place[k]);
    for (int t = 0; s->worker != NULL && t < s->request->threads; t++) {
        memory_free(s->worker[t].label);
        memory_free(s->worker[t].inner);
        memory_free(s->worker[t].flow);
        memory_free(s->worker[t].sums);
    }
    memory_free(s->place);
    memory_free(s->entries);
    memory_free(s->worker);
    memory_free(s->numbers);
}

/* Solves for `count` sources of *s. */
static enum status run(struct class_flows_solve *s, int32_t count, struct error *err) {
    enum status status;
    s->counted = s->request->counted;
    s->kernels = flow_kernels(s->request->isa);
    s->factors = exp_kernels(s->request->isa);
    TRY(prepare_all(s, count, err));
#pragma omp parallel num_threads(s->request->threads)
#pragma omp master
    {
        climb(s, 0);
        solve_region(s, 0);
    }
    if (s->failed)
        status = fail(err, STATUS_NO_RESOURCE, "out of memory: flows");
    else if (!progress_goes_on(s->request->progress))
        status = progress_cancelled(err);

cleanup:
    free_all(s);
    return status;
}

static enum status find_regions(const struct class_flows_request *r, struct regions *regions,
                                struct error *err) {
    static const struct regions_options cut = {
        .leaf = 40, .ratio = 6, .worth = 300, .worth_width = 5};
    return regions_find(&r->counted->tree, &r->counted->structure, &cut, r->threads, regions, err);
}

/* Returns the bytes of the rows up of all sources. */
static uint64_t up_bytes(const struct class_flows_request *r, const struct regions *regions) {
    uint64_t bytes = 0;
    for (int32_t k = 0; k < regions->count; k++) {
        const struct region *const own = &regions->region[k];
        const int32_t sources = positions_below(r->source, r->sources, own->high) -
                                positions_below(r->source, r->sources, own->low);
        bytes += 2 * sizeof(double) * (uint64_t)sources * (uint64_t)own->width;
    }
    return bytes;
}

/* Returns the number of parts, one after another, in which the sources fit into memory. */
static int64_t parts_for(const struct class_flows_request *r, const struct regions *regions) {
    /* Rows up, classes and flows together take about COPIES times the bytes of rows up. They may
     * take 1 / PART_OF_ROOM of the free memory. */
    enum { PART_OF_ROOM = 2, COPIES = 3 };
    const uint64_t room = memory_room() / PART_OF_ROOM;
    const uint64_t bytes = COPIES * up_bytes(r, regions);
    const int64_t parts = (int64_t)(bytes / (room > 0 ? room : 1)) + 1;
    return parts < r->sources ? parts : r->sources;
}

static enum status find(const struct class_flows_request *r, double *flow, double *ends,
                        struct error *err) {
    struct regions regions;
    enum status status = STATUS_OK;
    memset(ends, 0, (size_t)r->counted->tree.n * sizeof *ends);
    RETURN_ON_FAILURE(find_regions(r, &regions, err));
    const int64_t parts = parts_for(r, &regions);
    for (int64_t part = 0; part < parts && status == STATUS_OK; part++) {
        const int32_t first = (int32_t)(part * r->sources / parts);
        const int32_t end = (int32_t)((part + 1) * r->sources / parts);
        struct class_flows_solve s = {.request = r,
                                      .regions = &regions,
                                      .source = r->source + first,
                                      .from_mass = r->from_mass + first,
                                      .parts = parts,
                                      .positions = part * r->counted->tree.n,
                                      .flow = flow,
                                      .ends = ends};
        status = run(&s, end - first, err);
    }
    regions_free(&regions);
    return status;
}

/* Returns the most bytes that a run takes, without rows and classes. */
static uint64_t fixed_bytes(const struct class_flows_request *r, const struct regions *regions) {
    enum { BATCH_LANE = sizeof(uint64_t) + sizeof(double) + sizeof(int32_t) };
    const struct tree *const tree = &r->counted->tree;
    const uint64_t entries = (uint64_t)r->counted->structure.first[tree->n];
    const uint64_t most_strips = (uint64_t)block_sizes.key_strips;
    uint64_t most_batch = 0, most_entries = 0, width = 0, portals = 0;
    for (int32_t k = 0; k < regions->count; k++) {
        const struct region *const own = &regions->region[k];
        uint64_t inside = 0, cells = 0, own_entries = 0;
        for (int32_t c = own->child; c >= 0; c = regions->region[c].sibling) {
            inside++;
            cells += 2 * LANES * (uint64_t)regions->region[c].width;
        }
        /* A region has at most as many classes as there are sources. */
        const uint64_t strips = 2 * (uint64_t)r->sources / LANES + inside + 2;
        const uint64_t batch = (strips < most_strips ? strips : most_strips) *
                               (cells * sizeof(double) + inside * LANES * BATCH_LANE);
        for (int32_t i = 0; i < own->own; i++)
            own_entries += (uint64_t)tree->count[regions->own_position[own->first_own + i]];
        most_batch = batch > most_batch ? batch : most_batch;
        most_entries = own_entries > most_entries ? own_entries : most_entries;
        width += (uint64_t)own->width;
        portals += (uint64_t)own->portals;
    }
    const uint64_t labels = 3 * (uint64_t)FLOW_AT(regions->largest) * sizeof(double);
    const uint64_t sums = (FLOW_SUMS + 2 * PARTS) * most_entries * sizeof(double);
    /* A thread that waits for the tasks of a region may begin another region, with a batch and
     * parts of its own. */
    const uint64_t each = 2 * most_batch + labels + 2 * sums;
    return each * (uint64_t)r->threads + (uint64_t)among_bytes(&regions->region[0]) +
           entries * sizeof(int32_t) + (2 * width + portals) * sizeof(int32_t) +
           (uint64_t)regions->count * (sizeof(struct region) + sizeof(struct region_flows)) +
           (uint64_t)tree->n * 4 * sizeof(int32_t);
}

/* Returns the factor by which the steps grow if there are `times` as many sources. The factor
 * follows a power law, because the more rows there are, the fewer of them make a new class. The law
 * goes through steps[0], measured for 1 / part of some sources, and steps[1], for all of these. */
static double growth(const double steps[2], double part, double times) {
    const double exponent = log(steps[1] / steps[0]) / log(part);
    return pow(times, exponent < 1 ? exponent : 1);
}

/* Counts the steps and the bytes of some sources and of a quarter of them. */
static enum status predict(const struct class_flows_request *r, struct class_flows_cost *cost,
                           struct error *err) {
    enum { FEW = 1024, PART = 32, LEAST = 64, QUARTER = 4 };
    /* Factor by which rows may take more bytes than is extrapolated: on a busy machine threads keep
     * the rows of more regions at a time. */
    const double unsure = 2;
    int32_t few[FEW], some = r->sources / PART;
    double mass[FEW], steps[2], bytes = 0;
    struct regions regions;
    enum status status = STATUS_OK;
    *cost = (struct class_flows_cost){.seconds = 0};
    if (r->sources == 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(find_regions(r, &regions, err));
    some = some > FEW ? FEW : some < LEAST ? LEAST : some;
    some = min_of(some, r->sources);
    for (int k = 0; k < 2 && status == STATUS_OK; k++) {
        struct class_flows_solve s = {
            .request = r, .regions = &regions, .source = few, .from_mass = mass, .parts = 1};
        const int32_t own = k == 0 ? (some + QUARTER - 1) / QUARTER : some;
        for (int32_t i = 0; i < own; i++) {
            few[i] = r->source[(int64_t)i * r->sources / own];
            mass[i] = 1;
        }
        status = run(&s, own, err);
        steps[k] = (double)s.steps;
        bytes = (double)s.most;
    }
    if (status == STATUS_OK) {
        const double times = (double)r->sources / some, parts = (double)parts_for(r, &regions);
        const double at_once = fmax(1, times / parts); /* factor for the bytes that were held */
        cost->seconds =
            steps[1] * growth(steps, QUARTER, times) * cpu_class_flows.step_ns * 1e-9 / r->threads;
        cost->memory =
            fixed_bytes(r, &regions) + (uint64_t)(unsure * bytes * growth(steps, QUARTER, at_once) +
                                                  (double)up_bytes(r, &regions) / parts);
    }
    regions_free(&regions);
    return status;
}

const struct class_flows_engine cpu_class_flows = {
    .step_ns = 0.5, .predict = predict, .find = find};
