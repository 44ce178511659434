// SPDX-License-Identifier: MIT
#include "classes/proportional_model.h"

#include "classes/class_sample.h" // class_sample
#include "classes/proportional.h" // PROPORTIONAL_FEWEST
#include "common/base/memory.h"   // memory_alloc

#include <math.h>

const struct regions_options proportional_regions = {
    .leaf = 64, .ratio = 4, .worth = 600, .worth_width = 10};
const struct regions_options gpu_class_regions = {
    .leaf = 256, .ratio = 8, .worth = 200, .worth_width = 0};

/* Work to find the rows of a graph. */
struct class_work {
    double relaxations;
    double labels;  /* number of labels that are summed up */
    double lookups; /* number of times that the class of a row is looked up */
};

/* Nanoseconds of a relaxation, a label and a lookup on one thread of core_costs' machine. Fitted to
 * the times of 21 road networks, neighbour graphs, grids, power grids, rivers and others of 30 000
 * to 436 000 vertices, New York and Colorado among them, which took 0.76 to 1.39 times the
 * prediction. */
static const double relaxation_ns = 0.027, label_ns = 0.43, lookup_ns = 57;

/* Returns the ratio of the number of classes of all regions to the prediction of class_count.
 * sampled: result of class_sample. Fitted to the times of the graphs that relaxation_ns is fitted
 * to. */
static double share_of_all(double sampled) {
    const double scale = 1.7, power = 0.875;
    return scale * pow(sampled, power);
}

/* Adds the work of the rows of region k. row: relaxations of one row on each region's own vertices.
 * each: number of sources for each position. share: number of classes over that of class_count. */
static void add_region(const struct regions *r, const double *row, double each, double share,
                       int32_t k, struct class_work *work) {
    const struct region *const region = &r->region[k];
    const double sources = each * (region->high - region->low), n = r->region[0].high;
    const double width = region->width, all = region->own + width;
    const double outside = each * n - sources;
    const double classes =
        fmin(share * class_count(outside, width, region->high - region->low), outside);
    const double shared = 0.5; /* share of an inner region's boundary that no other boundary has */
    double portals = width, own = sources;
    for (int32_t c = region->child; c >= 0; c = r->region[c].sibling) {
        const struct region *const child = &r->region[c];
        const double inner = each * (child->high - child->low);
        own -= inner;
        portals += shared * child->width;
        work->relaxations += inner * child->width * (all + width); /* rows from inner regions */
        work->lookups += sources + classes - inner;
    }
    work->relaxations += (classes + own + fmin(portals, all)) * row[k];
    work->labels += (classes + sources) * region->own;
}

/* Stores the relaxations that one row takes on each region's own vertices. */
static enum status find_rows(const struct tree *tree, const struct regions *r, double **row,
                             struct error *err) {
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)r->count, sizeof **row, "a look at the regions", err));
    *row = memory;
    for (int32_t k = 0; k < r->count; k++)
        (*row)[k] = 0;
    for (int32_t v = 0; v < tree->n; v++)
        (*row)[r->of[v]] += 1 + tree->count[v];
    return STATUS_OK;
}

/* Returns the nanoseconds that all rows take if the number of classes is `share` times that of
 * class_count. */
static double rows_ns(const struct regions *r, const double *row, double each, double share) {
    struct class_work work = {0, 0, 0};
    for (int32_t k = 0; k < r->count; k++)
        add_region(r, row, each, share, k, &work);
    return relaxation_ns * work.relaxations + label_ns * work.labels + lookup_ns * work.lookups;
}

double proportional_seconds(const struct look *look, const struct graph *g, int32_t sources,
                            int threads) {
    const double worth_s = 0.25, worth_thread_s = 0.05; /* least seconds for which a sample pays, on
                                                           one thread and for each thread */
    const struct tree *const tree = look_tree(look);
    struct regions r = {0};
    double *row = NULL, seconds = HUGE_VAL;
    struct error ignored;
    enum status status = STATUS_OK;
    if (!look->pays || !look_is_whole(look) || sources < PROPORTIONAL_FEWEST)
        return HUGE_VAL;
    TRY(regions_outline(tree, &proportional_regions, &r, &ignored));
    TRY(find_rows(tree, &r, &row, &ignored));
    const double each = (double)sources / tree->n;
    const double eliminate_ns = core_costs.elimination * (double)tree_pairs(tree);
    seconds = 1e-9 * (eliminate_ns + rows_ns(&r, row, each, share_of_all(class_typical_share)));
    if (seconds > fmax(worth_s, worth_thread_s * threads)) {
        const double share = share_of_all(class_sample(g, tree, &r, threads));
        seconds = 1e-9 * (eliminate_ns + rows_ns(&r, row, each, share));
    }

cleanup:
    memory_free(row);
    regions_free(&r);
    return status == STATUS_OK ? seconds : HUGE_VAL;
}

bool proportional_may_pay(const struct look *look, int32_t sources) {
    enum { ENTRIES_EACH = 64, PART = 8 };
    const struct tree *const tree = look_tree(look);
    if (!look->pays || !look_is_whole(look) || look->found.core == 0)
        return false;
    return tree->entries < (int64_t)ENTRIES_EACH * tree->n &&
           core_costs.elimination * (double)tree_pairs(tree) <
               core_costs.sweep * (double)tree->entries * sources / PART;
}
