// SPDX-License-Identifier: MIT
#include "classes/proportional.h"

#include "classes/proportional_kernels.h" // proportional_kernels
#include "classes/proportional_model.h"   // proportional_regions
#include "classes/row_classes.h"          // row_classes_find
#include "classes/strips.h"               // strips_list
#include "common/base/block_sizes.h"      // block_sizes
#include "common/base/clock.h"            // clock_seconds
#include "common/base/memory.h"           // memory_alloc

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    LANES = PROPORTIONAL_LANES,
    TASKS_A_THREAD = 8,
    CLASS_STEPS = 300, /* cost of finding the class of a row, in steps */
    LABEL_STEPS = 10,  /* cost of each label of the boundary in that search, in steps */
};

#define AT(number) ((ptrdiff_t)(number)*LANES)

/* Class of a row of the parent, and the constant by which the row is longer than the class. */
struct parent_class {
    int32_t class; /* name of the class (row_classes.h); NO_CLASS: no path into the region */
    path_length constant;
};

/* Data of a region. Its rows are those of the sources in it, then those of its classes. */
struct region_answers {
    int32_t first, sources; /* the region has the sources first .. first + sources - 1 */
    path_length *up;        /* distances from each source to the boundary, inside the region, a row
                               for each source */
    path_length *among;     /* distances from each portal to all local numbers, a row for
                               each portal; NULL: the region has no sources */
    struct row_classes classes;     /* classes of the parent's rows, without the rows of this
                                       region's sources */
    struct parent_class *reference; /* class of each row of the parent */
    struct class_total *total;      /* totals of each class */
    double *value; /* numbers of each class in place of totals, values.width for each; NULL: totals
                      are found */
};

/* Memory of one thread. */
struct proportional_worker {
    path_length *label, *inner; /* labels of a strip of rows at all local numbers of the largest
                                   region, each */
    struct proportional_rows rows;
    struct class_prover prover;
    double *sums; /* numbers of each lane, values.width for each; NULL: totals are found */
};

struct proportional_solve {
    const struct proportional_graph *g;
    const struct proportional_kernels *kernels;
    struct regions regions;
    struct region_answers *place; /* data of each region */
    const int32_t *source;
    struct length_totals *out;
    const struct row_values *values; /* numbers that are found in place of totals; NULL: totals are
                                        found */
    double *value_out;               /* numbers of all rows of the answer */
    const int32_t *value_row;        /* row of value_out for each source */
    int threads;
    struct proportional_worker *worker; /* memory of each thread */
    int32_t *numbers;                   /* 0, 1, 2, ..., as many as the largest region has local
                                           numbers */
    int64_t *step;                      /* steps that a row of each region would take without
                                           regions inside it */
    struct progress *progress;
    int64_t positions;             /* number of positions that are done */
    int64_t all_positions;         /* number of all positions; 0: progress is not counted */
    int64_t steps;                 /* number of steps taken; a relaxation is one step */
    int64_t take_steps, add_steps; /* steps of values->take for a label and of values->add for a
                                      row; 0: totals are found */
    bool failed;                   /* a thread had too little memory */
    /* The proof of rows, which also finds their totals, and the layouts whose numbers it uses;
     * proof NULL: rows are not proved. */
    struct class_proof *proof;
    const struct region_layouts *layouts;
    struct class_referee referee;
    double prove_s; /* mean over the threads of the seconds that the proof took */
};

static void note_failure(struct proportional_solve *s) {
    __atomic_store_n(&s->failed, true, __ATOMIC_RELAXED);
}

static bool goes_on(const struct proportional_solve *s) {
    return !__atomic_load_n(&s->failed, __ATOMIC_RELAXED) && progress_goes_on(s->progress);
}

/* Allocates memory in any thread. After a failure, run() reports it. */
static bool alloc(struct proportional_solve *s, void **memory, size_t count, size_t size) {
    struct error ignored;
    if (memory_alloc(memory, count, size, "proportional rows", &ignored) == STATUS_OK)
        return true;
    note_failure(s);
    return false;
}

static int32_t min_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Copies the row of class number first + i to lane i, for i < count. */
static void load_classes(const struct proportional_solve *s, const struct row_classes *classes,
                         int32_t width, int32_t first, int32_t count, path_length *label) {
    int32_t some;
    for (int32_t lane = 0; lane < count; lane += some) {
        const path_length *const rows = row_classes_rows(classes, first + lane, &some);
        some = min_of(some, count - lane);
        s->kernels->take_rows(rows, some, width, NULL, label + lane);
    }
}

/* Counts positions as done, and reports progress, which may stop the work. */
static void count_positions(struct proportional_solve *s, int32_t more) {
    int64_t done;
#pragma omp atomic capture
    done = s->positions += more;
    const bool counts = s->all_positions > 0;
    if (omp_get_thread_num() == 0)
        progress_report(s->progress, counts ? done : 0, counts ? s->all_positions : s->g->tree->n);
}

// Strips ------------------------------------------------------------------------------------------

static struct proportional_region region_of(const struct proportional_solve *s,
                                            const struct region *r) {
    return (struct proportional_region){.own = r->own,
                                        .width = r->width,
                                        .position = s->regions.own_position + r->first_own,
                                        .first = s->g->structure->first,
                                        .local = s->regions.local,
                                        .up = s->g->lengths.up,
                                        .down = s->g->lengths.down};
}

static void fill(path_length *label, int32_t from, int32_t to) {
    for (ptrdiff_t k = AT(from); k < AT(to); k++)
        label[k] = LENGTH_INF;
}

/* Functions that return the pitch of rows of a region's boundary, and of rows of all its local
 * numbers. */
static int32_t boundary_pitch(const struct proportional_solve *s, int32_t k) {
    return proportional_pitch(s->regions.region[k].width);
}

static int32_t local_pitch(const struct proportional_solve *s, int32_t k) {
    return proportional_pitch(s->regions.region[k].own + s->regions.region[k].width);
}

/* Returns the row of a source in `up`. */
static path_length *up_row(const struct proportional_solve *s, int32_t k, int32_t source) {
    return s->place[k].up + (size_t)(source - s->place[k].first) * (size_t)boundary_pitch(s, k);
}

/* Finds the labels of region k from own vertices own[0 .. count - 1], by paths inside the
 * region. */
static void start_own(const struct proportional_solve *s, int32_t k, const int32_t *own,
                      int32_t count, path_length *label) {
    const struct region *const r = &s->regions.region[k];
    const struct proportional_region region = region_of(s, r);
    fill(label, 0, r->own + r->width);
    for (int32_t lane = 0; lane < count; lane++)
        label[AT(own[lane]) + lane] = 0;
    s->kernels->up(&region, label);
}

/* Finds the labels from own vertices by all paths. place.among has the rows of the boundary
 * already. */
static void find_own(const struct proportional_solve *s, int32_t k, const int32_t *own,
                     int32_t count, struct proportional_worker *w) {
    const struct region *const r = &s->regions.region[k];
    const struct proportional_region region = region_of(s, r);
    path_length *const boundary = w->label + AT(r->own);
    start_own(s, k, own, count, w->label);
    memcpy(w->inner, boundary, (size_t)AT(r->width) * sizeof *boundary);
    s->kernels->multiply(w->inner, s->numbers, r->width, s->place[k].among + r->own,
                         local_pitch(s, k), r->width, boundary);
    s->kernels->lower(&region, w->label);
}

/* Copies the distances from `count` sources in region c up to its boundary to labels 0, 1, ..., a
 * lane for each source. */
static void load_up(const struct proportional_solve *s, int32_t c, int32_t source, int32_t count,
                    path_length *label) {
    const int32_t width = s->regions.region[c].width;
    if (count < LANES)
        fill(label, 0, width);
    s->kernels->take_rows(up_row(s, c, source), count, width, NULL, label);
}

/* Finds the classes in region c of the rows row[0 .. count - 1] of the region around it, whose
 * labels are in w->label. */
static void classify(struct proportional_solve *s, int32_t c, const int32_t *row, int32_t count,
                     struct proportional_worker *w) {
    const struct region *const child = &s->regions.region[c];
    struct region_answers *const place = &s->place[c];
    s->kernels->make_rows(w->label, s->regions.outer + child->outer, child->width, true, &w->rows);
    row_classes_fetch(&place->classes, w->rows.hash, count);
    for (int32_t lane = 0; lane < count; lane++) {
        struct parent_class *const to = &place->reference[row[lane]];
        *to = (struct parent_class){NO_CLASS, w->rows.least[lane]};
        if (to->constant >= LENGTH_INF)
            continue;
        to->class = row_classes_find(
            &place->classes, w->rows.row + (size_t)lane * place->classes.pitch, w->rows.hash[lane]);
        if (to->class == NO_CLASS)
            note_failure(s);
    }
}

static void add_totals(struct length_totals *to, path_length_sum sum, int32_t reached,
                       path_length farthest) {
    to->sum += sum;
    to->reached += reached;
    to->farthest = farthest > to->farthest ? farthest : to->farthest;
}

/* Finds the labels of a strip of region k, and the numbers of its rows. Returns the number of
 * rows. */
static int32_t find_labels(const struct proportional_solve *s, int32_t k,
                           const struct row_strip *strip, const struct strips *strips,
                           struct proportional_worker *w, int32_t *row) {
    const struct region *const r = &s->regions.region[k];
    const struct proportional_region region = region_of(s, r);
    const struct region_answers *const place = &s->place[k];
    const int32_t count = strip->count;
    strip_rows(strips, strip, row);
    if (strip->child == OF_CLASSES) {
        if (count < LANES)
            fill(w->label, r->own, r->own + r->width);
        load_classes(s, &place->classes, r->width, strip->first, count, w->label + AT(r->own));
        s->kernels->down(&region, w->label);
    } else if (strip->child == OF_OWN) {
        int32_t own[LANES];
        for (int32_t lane = 0; lane < count; lane++) {
            const int32_t source = strips->own[strip->first + lane];
            own[lane] = s->regions.own_number[s->source[source]];
        }
        find_own(s, k, own, count, w);
    } else { /* every path leaves the inner region over its boundary */
        const struct region *const child = &s->regions.region[strip->child];
        load_up(s, strip->child, strip->first, count, w->inner);
        s->kernels->multiply(w->inner, s->regions.outer_portal + child->outer, child->width,
                             place->among, local_pitch(s, k), r->own + r->width, w->label);
    }
    return count;
}

/* Proves the labels of a strip and the references of its rows to classes, and adds up the
 * labels. */
static void prove_strip(const struct proportional_solve *s, int32_t k, const int32_t *row,
                        int32_t count, struct proportional_worker *w) {
    const struct region_answers *const place = &s->place[k];
    const path_length *class_row[LANES];
    const struct class_lanes lanes = {.region = s->layouts->of[k],
                                      .count = count,
                                      .row = row,
                                      .label = w->label,
                                      .class_row = class_row};
    for (int32_t lane = 0, some; lane < count; lane++) {
        const int32_t class = row[lane] - place->sources;
        class_row[lane] = class < 0 ? NULL : row_classes_rows(&place->classes, class, &some);
    }
    class_proof_take(s->proof, &lanes, &s->referee, &w->prover);
}

/* Adds up the labels of a strip's own vertices. */
static void sum_strip(struct proportional_solve *s, int32_t k, const int32_t *row, int32_t count,
                      const struct proportional_worker *w) {
    struct region_answers *const place = &s->place[k];
    struct proportional_sums sums;
    memset(&sums, 0, sizeof sums);
    s->kernels->sum(w->label, s->regions.region[k].own, &sums);
    for (int32_t lane = 0; lane < count; lane++) {
        const int32_t class = row[lane] - place->sources;
        if (class >= 0)
            place->total[class] =
                (struct class_total){sums.sum[lane], sums.reached[lane], sums.farthest[lane]};
        else
            add_totals(&s->out[place->first + row[lane]], sums.sum[lane], sums.reached[lane],
                       sums.farthest[lane]);
    }
}

/* Returns the numbers of a row of region k. */
static double *value_at(const struct proportional_solve *s, const struct region_answers *place,
                        int32_t row) {
    const size_t width = (size_t)s->values->width;
    const int32_t class = row - place->sources;
    return class >= 0 ? place->value + (size_t) class * width
                      : s->value_out + (size_t)s->value_row[place->first + row] * width;
}

/* Adds to the numbers of a strip's rows those that values->take finds over region k's own
 * vertices. */
static void value_strip(const struct proportional_solve *s, int32_t k, const int32_t *row,
                        int32_t count, const struct proportional_worker *w) {
    const struct region *const r = &s->regions.region[k];
    const struct row_values *const values = s->values;
    values->take(values->context, w->label, count, s->regions.own_position + r->first_own, r->own,
                 w->sums);
    for (int32_t lane = 0; lane < count; lane++) {
        double *const to = value_at(s, &s->place[k], row[lane]);
        for (int32_t i = 0; i < values->width; i++)
            to[i] += w->sums[AT(i) + lane];
    }
}

/* Does the work for a strip of region k: adds up the labels of own vertices, and finds the classes
 * of its rows. */
static void take_strip(struct proportional_solve *s, int32_t k, const struct row_strip *strip,
                       const struct strips *strips) {
    const struct region *const r = &s->regions.region[k];
    struct proportional_worker *const w = &s->worker[omp_get_thread_num()];
    int32_t row[LANES];
    const int32_t count = find_labels(s, k, strip, strips, w, row);
    for (int32_t c = r->child; c >= 0; c = s->regions.region[c].sibling) {
        if (c != strip->child)
            classify(s, c, row, count, w);
    }
    if (s->proof != NULL)
        prove_strip(s, k, row, count, w);
    else if (s->values != NULL)
        value_strip(s, k, row, count, w);
    else
        sum_strip(s, k, row, count, w);
}

// Regions -----------------------------------------------------------------------------------------

/* Returns whether all threads work on region k together, because too few other regions have its
 * size. */
static bool is_large(const struct proportional_solve *s, int32_t k) {
    enum { REGIONS_A_THREAD = 4 };
    const struct region *const r = &s->regions.region[k];
    return s->threads > 1 &&
           s->place[k].sources + s->place[k].classes.count > block_sizes.task_rows &&
           (int64_t)(r->high - r->low) * REGIONS_A_THREAD * s->threads > s->g->tree->n;
}

/* Returns the number of steps, of `steps` steps, that are one task: all, unless threads share the
 * work. */
static int32_t part_of(const struct proportional_solve *s, int32_t steps, bool is_shared) {
    const int32_t parts = is_shared ? TASKS_A_THREAD * s->threads : 1;
    return (steps / parts / LANES + 1) * LANES;
}

/* Finds a row for each own vertex of region k: distances to the boundary inside the region. */
static bool find_own_up(struct proportional_solve *s, int32_t k, path_length **rows) {
    const struct region *const r = &s->regions.region[k];
    struct proportional_worker *const w = &s->worker[omp_get_thread_num()];
    const size_t pitch = (size_t)boundary_pitch(s, k);
    void *memory;
    if (!alloc(s, &memory, (size_t)r->own * pitch, sizeof **rows))
        return false;
    *rows = memory;
    for (int32_t first = 0; first < r->own; first += LANES) {
        const int32_t count = min_of(r->own - first, LANES);
        start_own(s, k, s->numbers + first, count, w->label);
        s->kernels->make_rows(w->label, s->numbers + r->own, r->width, false, &w->rows);
        memcpy(*rows + (size_t)first * pitch, w->rows.row, (size_t)count * pitch * sizeof **rows);
    }
    return true;
}

/* Finds rows of the distances from the boundary of region c, inside region k, to k's boundary,
 * inside k. own_up: the rows from k's own vertices. */
static bool find_child_up(struct proportional_solve *s, int32_t k, int32_t c,
                          const path_length *own_up, path_length **rows) {
    const struct region *const r = &s->regions.region[k], *const child = &s->regions.region[c];
    const int32_t *const outer = s->regions.outer + child->outer;
    const size_t pitch = (size_t)boundary_pitch(s, k);
    void *memory;
    if (!alloc(s, &memory, (size_t)child->width * pitch, sizeof **rows))
        return false;
    *rows = memory;
    for (int32_t b = 0; b < child->width; b++) {
        path_length *const row = *rows + (size_t)b * pitch;
        if (outer[b] < r->own) {
            memcpy(row, own_up + (size_t)outer[b] * pitch, pitch * sizeof *row);
            continue;
        }
        for (int32_t x = 0; x < r->width; x++)
            row[x] = x == outer[b] - r->own ? 0 : LENGTH_INF;
    }
    return true;
}

/* Finds place.up of region k for the sources begin .. end - 1, which lie in region c inside it. */
static void climb_part(const struct proportional_solve *s, int32_t k, int32_t c,
                       const path_length *child_up, int32_t begin, int32_t end) {
    const int32_t width = s->regions.region[k].width, inner = s->regions.region[c].width;
    const int32_t pitch = boundary_pitch(s, k);
    struct proportional_worker *const w = &s->worker[omp_get_thread_num()];
    for (int32_t source = begin; source < end; source += LANES) {
        const int32_t count = min_of(end - source, LANES);
        load_up(s, c, source, count, w->inner);
        s->kernels->multiply(w->inner, s->numbers, inner, child_up, pitch, width, w->label);
        s->kernels->make_rows(w->label, s->numbers, width, false, &w->rows);
        memcpy(up_row(s, k, source), w->rows.row,
               (size_t)count * (size_t)pitch * sizeof *w->rows.row);
    }
}

static void climb_from(const struct proportional_solve *s, int32_t k, int32_t c,
                       const path_length *child_up) {
    const struct region_answers *const inner = &s->place[c];
    const int32_t each = part_of(s, inner->sources, is_large(s, c));
    for (int32_t first = 0; first < inner->sources; first += each) {
        const int32_t begin = inner->first + first;
        const int32_t end = inner->first + min_of(first + each, inner->sources);
#pragma omp task firstprivate(begin, end) if (each < inner->sources)
        climb_part(s, k, c, child_up, begin, end);
    }
#pragma omp taskwait
}

/* Finds place.up of region k and of all regions inside it. */
static void climb(struct proportional_solve *s, int32_t k) {
    const struct region *const r = &s->regions.region[k];
    struct region_answers *const place = &s->place[k];
    const size_t pitch = (size_t)boundary_pitch(s, k);
    path_length *own_up = NULL, *child_up = NULL;
    void *memory;
    for (int32_t c = r->child; c >= 0; c = s->regions.region[c].sibling) {
        if (s->place[c].sources == 0)
            continue;
#pragma omp task firstprivate(c) if (s->step[c] * s->place[c].sources > block_sizes.task_steps)
        climb(s, c);
    }
#pragma omp taskwait
    if (k == 0 || !goes_on(s) || !find_own_up(s, k, &own_up))
        return;
    if (!alloc(s, &memory, (size_t)place->sources * pitch, sizeof *place->up))
        goto cleanup;
    place->up = memory;
    memory_prefer_huge_pages(memory, (size_t)place->sources * pitch * sizeof *place->up);
    for (int32_t i = 0; i < place->sources; i++) {
        const int32_t position = s->source[place->first + i];
        if (s->regions.of[position] == k)
            memcpy(place->up + (size_t)i * pitch,
                   own_up + (size_t)s->regions.own_number[position] * pitch,
                   pitch * sizeof *own_up);
    }
    for (int32_t c = r->child; c >= 0; c = s->regions.region[c].sibling) {
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
static void store_among(const struct proportional_solve *s, int32_t k, int32_t portal,
                        int32_t count, struct proportional_worker *w) {
    const struct region *const r = &s->regions.region[k];
    const size_t pitch = (size_t)local_pitch(s, k);
    s->kernels->make_rows(w->label, s->numbers, r->own + r->width, false, &w->rows);
    memcpy(s->place[k].among + (size_t)portal * pitch, w->rows.row,
           (size_t)count * pitch * sizeof *w->rows.row);
}

/* Finds place.among of region k. The parent's rows have the distances among boundary vertices,
 * which are the first portals; the other portals are own vertices. */
static bool find_among(struct proportional_solve *s, int32_t k) {
    const struct region *const r = &s->regions.region[k];
    const struct proportional_region region = region_of(s, r);
    const int32_t *const outer = s->regions.outer + r->outer;
    const int32_t *const outer_portal = s->regions.outer_portal + r->outer;
    const int32_t *const portal = s->regions.portal + r->first_portal;
    struct proportional_worker *const w = &s->worker[omp_get_thread_num()];
    path_length *const boundary = w->label + AT(r->own);
    void *memory;
    if (!alloc(s, &memory, (size_t)r->portals * (size_t)local_pitch(s, k), sizeof *boundary))
        return false;
    s->place[k].among = memory;
    for (int32_t first = 0; first < r->width; first += LANES) {
        const int32_t count = min_of(r->width - first, LANES);
        const size_t outer_pitch = (size_t)local_pitch(s, r->parent);
        fill(boundary, 0, r->width);
        for (int32_t lane = 0; lane < count; lane++) {
            const path_length *const row =
                s->place[r->parent].among + (size_t)outer_portal[first + lane] * outer_pitch;
            for (int32_t b = 0; b < r->width; b++)
                boundary[AT(b) + lane] = row[outer[b]];
        }
        s->kernels->down(&region, w->label);
        store_among(s, k, first, count, w);
    }
    for (int32_t first = r->width; first < r->portals; first += LANES) {
        const int32_t count = min_of(r->portals - first, LANES);
        find_own(s, k, portal + first, count, w);
        store_among(s, k, first, count, w);
    }
    return true;
}

/* Allocates the references of region k's rows to classes of region c inside it. */
static bool prepare(struct proportional_solve *s, int32_t k, int32_t c, bool is_shared) {
    struct region_answers *const place = &s->place[c];
    const size_t rows = (size_t)s->place[k].sources + (size_t)s->place[k].classes.count;
    void *memory;
    if (!alloc(s, &memory, rows, sizeof *place->reference))
        return false;
    place->reference = memory;
    if (row_classes_begin(&place->classes, (size_t)boundary_pitch(s, c), is_shared))
        return true;
    note_failure(s);
    return false;
}

static bool prepare_children(struct proportional_solve *s, int32_t k, bool is_shared) {
    bool prepared = true;
    for (int32_t c = s->regions.region[k].child; c >= 0; c = s->regions.region[c].sibling)
        prepared = prepared && prepare(s, k, c, is_shared);
    return prepared;
}

static void take_strips(struct proportional_solve *s, int32_t k, const struct strips *strips,
                        int32_t first, int32_t end) {
    for (int32_t i = first; i < end && goes_on(s); i++)
        take_strip(s, k, &strips->strip[i], strips);
    count_positions(s, 0);
}

/* Does the work for all rows of region k. */
static void take_rows(struct proportional_solve *s, int32_t k, bool is_shared) {
    struct strips strips;
    struct error ignored;
    if (strips_list(&s->regions, k, s->source, s->place[0].sources, s->place[k].classes.count,
                    LANES, &strips, &ignored) != STATUS_OK) {
        note_failure(s);
        goto cleanup;
    }
    const int32_t count = strips.count;
    const int32_t each = is_shared ? count / (TASKS_A_THREAD * s->threads) + 1 : count;
    for (int32_t first = 0; first < count; first += each) {
        const int32_t end = min_of(first + each, count);
#pragma omp task firstprivate(first, end) shared(strips) if (each < count)
        take_strips(s, k, &strips, first, end);
    }
#pragma omp taskwait

cleanup:
    strips_free(&strips);
}

/* Adds the totals of the classes of region c, inside region k, to those of k's rows. */
static void add_child(struct proportional_solve *s, int32_t k, int32_t c, int32_t from,
                      int32_t to) {
    const struct region_answers *const place = &s->place[k], *const inner = &s->place[c];
    for (int32_t row = from; row < to; row++) {
        const struct parent_class own = inner->reference[row];
        const bool of_source = row < place->sources;
        const int32_t source = place->first + row;
        if (of_source && source >= inner->first && source < inner->first + inner->sources)
            continue;
        if (own.class == NO_CLASS)
            continue;
        if (s->values != NULL) {
            const size_t class = (size_t)row_classes_number(&inner->classes, own.class);
            s->values->add(s->values->context, inner->value + class * (size_t)s->values->width,
                           own.constant, value_at(s, place, row));
            continue;
        }
        const struct class_total *const total =
            &inner->total[row_classes_number(&inner->classes, own.class)];
        const path_length_sum sum =
            total->sum + (path_length_sum)total->reached * (int64_t)own.constant;
        const path_length farthest = total->farthest + own.constant;
        if (total->reached == 0)
            continue;
        if (of_source) {
            add_totals(&s->out[source], sum, total->reached, farthest);
            continue;
        }
        struct class_total *const sums = &place->total[row - place->sources];
        sums->sum += sum;
        sums->reached += total->reached;
        sums->farthest = farthest > sums->farthest ? farthest : sums->farthest;
    }
}

static void add_children(struct proportional_solve *s, int32_t k, bool is_shared) {
    const int32_t rows = s->place[k].sources + s->place[k].classes.count;
    const int32_t each = part_of(s, rows, is_shared);
    const int32_t first_child = s->regions.region[k].child;
    for (int32_t from = 0; from < rows; from += each) {
        const int32_t to = min_of(from + each, rows);
#pragma omp task firstprivate(from, to) if (each < rows)
        {
            if (s->proof != NULL)
                class_proof_add(s->proof, s->layouts->of[k], from, to, &s->referee,
                                &s->worker[omp_get_thread_num()].prover);
            for (int32_t c = first_child; c >= 0 && s->proof == NULL;
                 c = s->regions.region[c].sibling)
                add_child(s, k, c, from, to);
        }
    }
#pragma omp taskwait
}

static void place_free(struct region_answers *place) {
    memory_free(place->up);
    memory_free(place->among);
    memory_free(place->reference);
    memory_free(place->total);
    memory_free(place->value);
    row_classes_free(&place->classes);
    place->up = place->among = NULL;
    place->reference = NULL;
    place->total = NULL;
    place->value = NULL;
}

/* Frees the data of a region's rows. */
static void leave(struct proportional_solve *s, int32_t k) {
    if (s->proof != NULL)
        class_proof_leave(s->proof, s->layouts->of[k]);
    place_free(&s->place[k]);
}

/* Counts the steps of find_among, take_rows and values. */
static void count_steps(struct proportional_solve *s, int32_t k) {
    const struct region *const r = &s->regions.region[k];
    const int64_t sources = s->place[k].sources, classes = s->place[k].classes.count;
    const int64_t all = r->own + r->width;
    int64_t row = s->step[k], steps = 0, rest = sources; /* `rest`: number of sources at own
                                                            vertices, whose rows are found by
                                                            sweeps */
    steps += (sources + classes) * r->own * s->take_steps;
    for (int32_t c = r->child; c >= 0; c = s->regions.region[c].sibling) {
        const int64_t inner = s->place[c].sources, width = s->regions.region[c].width;
        steps += (sources + classes - inner) * s->add_steps;
        row -= s->step[c];
        rest -= inner;
        steps += inner * width * all;
        steps += (sources + classes - inner) * (CLASS_STEPS + LABEL_STEPS * width);
    }
    steps += (classes + rest + (sources > 0 ? r->portals : 0)) * row;
#pragma omp atomic
    s->steps += steps;
}

/* Allocates the numbers of region k's classes, set to 0. */
static bool prepare_values(struct proportional_solve *s, int32_t k) {
    const size_t bytes = (size_t)s->values->width * sizeof(double);
    const size_t classes = (size_t)s->place[k].classes.count;
    void *memory;
    if (!alloc(s, &memory, classes, bytes))
        return false;
    s->place[k].value = memset(memory, 0, classes * bytes);
    return true;
}

/* Finds the totals of all rows of region k. */
static void solve_region(struct proportional_solve *s, int32_t k) {
    const struct region *const region = s->regions.region;
    struct region_answers *const place = &s->place[k];
    const bool is_shared = is_large(s, k);
    void *memory;
    if (!goes_on(s) || !alloc(s, &memory, (size_t)place->classes.count, sizeof *place->total))
        return;
    place->total = memory;
    if (s->values != NULL && !prepare_values(s, k))
        return;
    if (s->proof != NULL && !class_proof_enter(s->proof, s->layouts->of[k], place->classes.count)) {
        note_failure(s);
        return;
    }
    if (!prepare_children(s, k, is_shared))
        return;
    if (place->sources > 0 && !find_among(s, k))
        return;
    take_rows(s, k, is_shared);
    count_steps(s, k);
    row_classes_drop_rows(&place->classes);
    for (int32_t c = region[k].child; c >= 0; c = region[c].sibling) {
        memory_free(s->place[c].up);
        s->place[c].up = NULL;
        row_classes_end(&s->place[c].classes);
    }
    for (int32_t c = region[k].child; c >= 0; c = region[c].sibling) {
        const int64_t own = (int64_t)s->place[c].sources + s->place[c].classes.count;
#pragma omp task firstprivate(c) if (s->step[c] * own > block_sizes.task_steps)
        solve_region(s, c);
    }
#pragma omp taskwait
    if (!goes_on(s))
        return;
    add_children(s, k, is_shared);
    for (int32_t c = region[k].child; c >= 0; c = region[c].sibling)
        leave(s, c);
    count_positions(s, region[k].own);
}

// All of it ---------------------------------------------------------------------------------------

static enum status prepare_all(struct proportional_solve *s, int32_t count, struct error *err) {
    static const char what[] = "proportional rows";
    const size_t regions = (size_t)s->regions.count;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, regions, sizeof *s->place, what, err));
    s->place = memory;
    memset(memory, 0, regions * sizeof *s->place);
    RETURN_ON_FAILURE(memory_alloc(&memory, regions, sizeof *s->step, what, err));
    s->step = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)s->threads, sizeof *s->worker, what, err));
    s->worker = memory;
    memset(memory, 0, (size_t)s->threads * sizeof *s->worker);
    const size_t cells = (size_t)s->regions.largest * LANES;
    for (int t = 0; t < s->threads; t++) {
        RETURN_ON_FAILURE(memory_alloc(&memory, cells, sizeof(path_length), what, err));
        s->worker[t].label = memory;
        RETURN_ON_FAILURE(memory_alloc(&memory, cells, sizeof(path_length), what, err));
        s->worker[t].inner = memory;
        RETURN_ON_FAILURE(memory_alloc(&memory, cells + 3 * LANES, sizeof(path_length), what, err));
        s->worker[t].rows.row = memory;
        if (s->values != NULL) {
            RETURN_ON_FAILURE(
                memory_alloc(&memory, (size_t)s->values->width, LANES * sizeof(double), what, err));
            s->worker[t].sums = memory;
        }
        if (s->proof != NULL && !class_prover_alloc(&s->worker[t].prover, s->proof))
            return fail(err, STATUS_NO_RESOURCE, "out of memory: %s", what);
    }
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)s->regions.largest, sizeof *s->numbers, what, err));
    s->numbers = memory;
    for (int32_t k = 0; k < s->regions.largest; k++)
        s->numbers[k] = k;
    for (int32_t k = 0; k < s->regions.count; k++) {
        const struct region *const r = &s->regions.region[k];
        const int64_t *const first = s->g->structure->first;
        s->place[k].first = positions_below(s->source, count, r->low);
        s->place[k].sources = positions_below(s->source, count, r->high) - s->place[k].first;
        s->step[k] = r->high - r->low + first[r->high] - first[r->low];
    }
    return STATUS_OK;
}

static void free_all(struct proportional_solve *s) {
    for (int32_t k = 0; s->place != NULL && k < s->regions.count; k++)
        place_free(&s->place[k]);
    for (int t = 0; s->worker != NULL && t < s->threads; t++) {
        memory_free(s->worker[t].label);
        memory_free(s->worker[t].inner);
        memory_free(s->worker[t].rows.row);
        memory_free(s->worker[t].sums);
        class_prover_free(&s->worker[t].prover);
    }
    memory_free(s->place);
    memory_free(s->step);
    memory_free(s->worker);
    memory_free(s->numbers);
}

/* Functions that answer the proof's questions (class_proof.h), by the numbers of layouts. */
static const path_length *refers(const void *context, int32_t inside, int32_t row,
                                 path_length *constant) {
    const struct proportional_solve *const s = context;
    const struct region_answers *const place = &s->place[s->layouts->region[inside]];
    *constant = place->reference[row].constant;
    return place->reference[row].class == NO_CLASS
               ? NULL
               : row_classes_row(&place->classes, place->reference[row].class);
}

static int32_t number_of(const void *context, int32_t inside, int32_t row) {
    const struct proportional_solve *const s = context;
    const struct region_answers *const place = &s->place[s->layouts->region[inside]];
    return row_classes_number(&place->classes, place->reference[row].class);
}

/* Tells the proof which vertices the sources are, and in which regions they lie. */
static enum status begin_proof(struct proportional_solve *s, int32_t count, struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)count, sizeof(int32_t), "the sources", err));
    int32_t *const vertex = memory;
    for (int32_t k = 0; k < count; k++)
        vertex[k] = s->g->tree->vertex[s->source[k]];
    const enum status status = class_proof_begin(s->proof, vertex, count, err);
    memory_free(memory);
    for (int32_t k = 0; k < s->regions.count && status == STATUS_OK; k++)
        class_proof_place(s->proof, s->layouts->of[k], s->place[k].first, s->place[k].sources);
    s->referee = (struct class_referee){.context = s, .refers = refers, .number = number_of};
    return status;
}

/* Takes over the totals that the proof has found. Returns whether they are proved. */
static bool end_proof(struct proportional_solve *s, int32_t count) {
    for (int t = 0; t < s->threads; t++)
        s->prove_s += s->worker[t].prover.seconds / s->threads;
    for (int32_t k = 0; k < count; k++) {
        const struct class_total *const total = &s->proof->total[k];
        add_totals(&s->out[k], total->sum, total->reached, total->farthest);
    }
    return class_proof_end(s->proof);
}

/* Solves for the sources of *s. *proved: their totals are proved. */
static enum status run(struct proportional_solve *s, int32_t count, bool *proved,
                       struct error *err) {
    enum status status;
    *proved = false;
    if (s->out != NULL)
        memset(s->out, 0, (size_t)count * sizeof *s->out);
    TRY(prepare_all(s, count, err));
    if (s->proof != NULL)
        TRY(begin_proof(s, count, err));
#pragma omp parallel num_threads(s->threads)
#pragma omp master
    {
        climb(s, 0);
        solve_region(s, 0);
    }
    if (s->failed)
        status = fail(err, STATUS_NO_RESOURCE, "out of memory: proportional rows");
    else if (!progress_goes_on(s->progress))
        status = progress_cancelled(err);
    else if (s->proof != NULL)
        *proved = end_proof(s, count);

cleanup:
    free_all(s);
    return status;
}

/* Solves for some sources. proves: proves the totals, if the proof is ready. */
static enum status solve(struct proportional *p, const int32_t *source, int32_t count, bool proves,
                         struct proportional_solve *s, bool *proved, struct error *err) {
    s->g = &p->g;
    s->kernels = proportional_kernels(p->options.isa);
    s->regions = p->regions;
    s->threads = p->options.threads;
    s->progress = p->options.progress;
    s->take_steps = p->options.values != NULL ? p->options.values->take_steps : 0;
    s->add_steps = p->options.values != NULL ? p->options.values->add_steps : 0;
    s->source = source;
    s->layouts = &p->layouts;
    s->proof = proves && p->proof.is_ready ? &p->proof : NULL;
    return run(s, count, proved, err);
}

/* Returns the number of parts into which the sources are split so that each fits into memory. */
static int64_t parts_for(const struct proportional *p, const int32_t *source, int32_t count) {
    /* Copies of the rows up: the rows, as much for classes and, if rows are proved, as much for the
     * proof. These may take 1 / PART_OF_ROOM of the free memory. */
    enum { PART_OF_ROOM = 2 };
    const uint64_t copies = p->proof.is_ready ? 3 : 2, room = memory_room() / PART_OF_ROOM;
    uint64_t bytes = 0;
    for (int32_t k = 0; k < p->regions.count; k++) {
        const struct region *const r = &p->regions.region[k];
        const int32_t sources =
            positions_below(source, count, r->high) - positions_below(source, count, r->low);
        bytes += copies * sizeof(path_length) * (uint64_t)sources *
                 (uint64_t)proportional_pitch(r->width);
    }
    if (p->options.values != NULL) /* counted as if each source had a class of its own */
        bytes += sizeof(double) * (uint64_t)count * (uint64_t)p->options.values->width;
    const int64_t parts = p->options.at_a_time > 0 ? (count - 1) / p->options.at_a_time + 1
                                                   : (int64_t)(bytes / (room > 0 ? room : 1)) + 1;
    return parts < count ? parts : count;
}

/* Solves for the sources in parts that fit into memory. The sources of a part are neighbours, whose
 * rows have many classes in common. out: totals, or NULL; row and value_out: rows of numbers and
 * the numbers, or NULL. */
static enum status solve_parts(struct proportional *p, const int32_t *source, int32_t count,
                               struct length_totals *out, const int32_t *row, double *value_out,
                               bool *proved, struct error *err) {
    const int64_t parts = parts_for(p, source, count), n = p->g.tree->n;
    *proved = true;
    for (int64_t part = 0; part < parts; part++) {
        const int32_t first = (int32_t)(part * count / parts);
        struct proportional_solve s = {.out = out != NULL ? out + first : NULL,
                                       .values = out == NULL ? p->options.values : NULL,
                                       .value_out = value_out,
                                       .value_row = row != NULL ? row + first : NULL,
                                       .positions = part * n,
                                       .all_positions = p->options.counts ? parts * n : 0};
        bool part_proved;
        RETURN_ON_FAILURE(solve(p, source + first, (int32_t)((part + 1) * count / parts) - first,
                                out != NULL, &s, &part_proved, err));
        *proved = *proved && part_proved;
        p->prove_s += s.prove_s;
    }
    return STATUS_OK;
}

enum status proportional_totals(struct proportional *p, const int32_t *source, int32_t count,
                                struct length_totals *out, bool *proved, struct error *err) {
    return solve_parts(p, source, count, out, NULL, NULL, proved, err);
}

enum status proportional_values(struct proportional *p, const int32_t *source, const int32_t *row,
                                int32_t count, double *out, struct error *err) {
    bool unproved;
    return solve_parts(p, source, count, NULL, row, out, &unproved, err);
}

/* Extrapolates by a power law from the steps of a few sources and of a quarter of them, because the
 * more rows there are, the fewer of them make a new class. */
enum status proportional_steps(struct proportional *p, const int32_t *source, int32_t count,
                               double *steps, struct error *err) {
    enum { FEW = 1024, PART = 32, LEAST = 64, QUARTER = 4 };
    const int32_t n = p->g.tree->n;
    int32_t few[FEW], some = count / PART;
    struct length_totals out[FEW];
    double found[2];
    *steps = (double)count * (double)(n + p->g.structure->first[n]);
    if (count < PROPORTIONAL_FEWEST)
        return STATUS_OK;
    some = some > FEW ? FEW : some < LEAST ? LEAST : some;
    for (int k = 0; k < 2; k++) {
        struct proportional_solve s = {.out = out};
        const int32_t own = k == 0 ? some / QUARTER : some;
        bool unproved;
        for (int32_t i = 0; i < own; i++)
            few[i] = source[(int64_t)i * count / own];
        RETURN_ON_FAILURE(solve(p, few, own, false, &s, &unproved, err));
        found[k] = (double)s.steps;
    }
    const double exponent = log(found[1] / found[0]) / log(QUARTER);
    *steps = found[1] * pow((double)count / some, exponent < 1 ? exponent : 1);
    return STATUS_OK;
}

enum status proportional_predict(struct proportional *p, const int32_t *source, int32_t count,
                                 bool *pays, struct error *err) {
    /* step_cost: time of a step compared with a step of a sweep. busy: number of threads that a
     * small graph keeps busy; sweeps keep all busy. */
    const double step_cost = 1.5, busy = 8;
    const int32_t n = p->g.tree->n;
    const double one_by_one = (double)count * (double)(n + p->g.structure->first[n]);
    const int threads = p->options.threads;
    double steps;
    *pays = false;
    if (count < PROPORTIONAL_FEWEST)
        return STATUS_OK;
    RETURN_ON_FAILURE(proportional_steps(p, source, count, &steps, err));
    *pays = steps * step_cost / fmin(busy, threads) < one_by_one / threads;
    return STATUS_OK;
}

enum status proportional_open(struct proportional *p, const struct proportional_graph *g,
                              const struct proportional_options *options, struct error *err) {
    *p = (struct proportional){.g = *g, .options = *options};
    RETURN_ON_FAILURE(regions_find(g->tree, g->structure,
                                   options->cut != NULL ? options->cut : &proportional_regions,
                                   options->threads, &p->regions, err));
    if (options->proves == NULL)
        return STATUS_OK;
    const double start = clock_seconds();
    RETURN_ON_FAILURE(region_layouts_find(&p->layouts, g->tree, g->structure, &p->regions, err));
    const enum status status =
        class_proof_open(&p->proof, options->proves, p->layouts.layout, p->regions.count,
                         p->layouts.vertex, p->layouts.local, options->isa, options->threads, err);
    p->prove_s += clock_seconds() - start;
    return status;
}

void proportional_close(struct proportional *p) {
    class_proof_close(&p->proof);
    region_layouts_free(&p->layouts);
    regions_free(&p->regions);
    *p = (struct proportional){0};
}

/* Finds the distances to region k's vertices, when those to its boundary are known. */
static void sweep_down(const struct proportional_graph *g, const struct regions *regions, int32_t k,
                       path_length *row) {
    const struct region *const r = &regions->region[k];
    const struct structure *const s = g->structure;
    for (int32_t i = r->own - 1; i >= 0; i--) {
        const int32_t v = regions->own_position[r->first_own + i];
        for (int64_t e = s->first[v]; e < s->first[v + 1]; e++)
            row[v] = min_length(row[v], row[s->higher[e]] + g->lengths.down[e]);
    }
    for (int32_t c = r->child; c >= 0; c = regions->region[c].sibling) {
#pragma omp task if (regions->region[c].high - regions->region[c].low > block_sizes.task_positions)
        sweep_down(g, regions, c, row);
    }
#pragma omp taskwait
}

void proportional_row(const struct proportional_graph *g, const struct regions *regions,
                      int threads, int32_t source, path_length *row) {
    const struct structure *const s = g->structure;
    for (int32_t v = 0; v < g->tree->n; v++)
        row[v] = v == source ? 0 : LENGTH_INF;
    for (int32_t v = source; v >= 0; v = g->tree->parent[v]) {
        for (int64_t e = s->first[v]; e < s->first[v + 1]; e++)
            row[s->higher[e]] = min_length(row[s->higher[e]], row[v] + g->lengths.up[e]);
    }
#pragma omp parallel num_threads(threads)
#pragma omp master
    sweep_down(g, regions, 0, row);
}
