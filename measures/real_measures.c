// SPDX-License-Identifier: MIT
#include "measures/real_measures.h"

#include "common/base/block_sizes.h" // block_sizes

#include <math.h>
#include <string.h>

/* Numbers that are added up are at most 2^900 after scaling by 2^-200, if they need it. */
enum { LARGEST_EXPONENT = 900, SCALE_EXPONENT = -200 };

struct real_summing real_summing_for(const struct graph *g) {
    struct real_summing summing = {.bits = real_sum_bits(g->n)};
    const double largest = fmax(fabs(g->min_weight), fabs(g->max_weight));
    double least = largest; /* least absolute value of a weight that is not 0 */
    for (int64_t e = 0; e < g->m; e++) {
        const double size = fabs(g->real_weight[e]);
        least = size < least && size > 0 ? size : least;
    }
    /* Sums of weights below 0 and others are multiples of the last place of the least weight. */
    least *= g->min_weight < 0 ? 0x1p-53 : 1;
    if (largest > ldexp(1, LARGEST_EXPONENT) / g->n)
        summing.distance = SCALE_EXPONENT;
    if (largest > 0 && least < ldexp(1, -LARGEST_EXPONENT))
        summing.reciprocal = SCALE_EXPONENT;
    return summing;
}

/* Histogram ----------------------------------------------------------------------------------- */

static double bin_of(double d, int shift) {
    const double bin = floor(ldexp(d, -shift));
    return d < 0 && bin == 0 ? -1 : bin;
}

static bool fits(double least, double farthest, int shift) {
    return bin_of(farthest, shift) - bin_of(least, shift) < MEASURES_BINS;
}

/* Returns the least shift with which bins hold all distances from least to farthest; 0 if both are
 * 0. */
static int shift_for(double least, double farthest) {
    enum { BINS_BITS = 10, LEAST_EXPONENT = -1074 };
    _Static_assert(1 << BINS_BITS == MEASURES_BINS, "bins by bits");
    const double range = fmax(farthest, -least);
    int exponent;
    if (range == 0)
        return 0;
    frexp(range, &exponent);
    int shift = exponent - BINS_BITS - 1;
    shift = shift < LEAST_EXPONENT ? LEAST_EXPONENT : shift;
    while (!fits(least, farthest, shift))
        shift++;
    return shift;
}

/* Adds the counts of bins of one width to bins of another width, which is not smaller unless all
 * distances counted are 0. */
static void add_counts(const struct real_counts *from, int shift, int32_t first, int64_t *to) {
    const int by = shift - from->shift;
    for (int32_t k = 0; k < MEASURES_BINS; k++) {
        const int64_t count = from->at.count[0][k] + from->at.count[1][k];
        const int32_t bin = from->at.first + k;
        if (count != 0) /* 0 is in bin 0 of every width */
            to[(bin == 0 ? 0 : bin >> (by < 31 ? by : 31)) - first] += count;
    }
}

static void set_bins(struct real_counts *counts, int shift, int32_t first) {
    counts->shift = shift;
    counts->at.first = first;
    counts->at.factor[0] = ldexp(1, -(shift / 2));
    counts->at.factor[1] = ldexp(1, -(shift - shift / 2));
}

/* Makes room for distances from least to farthest: the bins become wider if they would be too many.
 */
static void widen(struct real_counts *counts, double least, double farthest) {
    if (farthest <= counts->farthest && least >= counts->least)
        return;
    int64_t wider[MEASURES_BINS] = {0};
    counts->farthest = fmax(farthest, counts->farthest);
    counts->least = fmin(least, counts->least);
    const int shift = shift_for(counts->least, counts->farthest);
    const int32_t first = (int32_t)bin_of(counts->least, shift);
    add_counts(counts, shift, first, wider);
    memcpy(counts->at.count[0], wider, sizeof wider);
    memset(counts->at.count[1], 0, sizeof wider);
    set_bins(counts, shift, first);
}

void real_counts_add(struct real_counts *counts, const struct answer_totals *totals) {
    int exponent;
    widen(counts, 0, totals->largest);
    frexp(totals->spacing, &exponent);
    /* A bin of one spacing may be wider than the bins of the histogram. */
    const int by = counts->shift - (exponent - 1 + totals->shift);
    for (int32_t k = 0; k < totals->bins; k++) {
        const int32_t bin = by < 0 ? k * (1 << (k > 0 ? -by : 0)) : k >> (by < 31 ? by : 31);
        if (totals->count[k] != 0)
            counts->at.count[0][bin - counts->at.first] += totals->count[k];
    }
}

void real_counts_merge(const struct real_counts *const *counts, int threads, int32_t sources,
                       struct distance_histogram *histogram) {
    int64_t count[MEASURES_BINS] = {0};
    double least = 0, farthest = 0;
    int32_t begin = 0, end = MEASURES_BINS;
    for (int t = 0; t < threads; t++) {
        least = fmin(least, counts[t]->least);
        farthest = fmax(farthest, counts[t]->farthest);
    }
    const int shift = shift_for(least, farthest);
    const int32_t first = (int32_t)bin_of(least, shift);
    for (int t = 0; t < threads; t++)
        add_counts(counts[t], shift, first, count);
    count[-first] -= sources;
    while (begin < end && count[begin] == 0)
        begin++;
    while (begin < end && count[end - 1] == 0)
        end--;
    *histogram = (struct distance_histogram){.width = ldexp(1, shift), .bins = end - begin};
    histogram->first = end == begin ? 0 : (first + begin) * histogram->width;
    memcpy(histogram->count, count + begin, (size_t)(end - begin) * sizeof *count);
}

/* Sums ---------------------------------------------------------------------------------------- */

void real_vertex_add(const struct length_order *order, struct real_vertex_totals *to,
                     const struct real_vertex_totals *other) {
    real_sum_add(&to->sum, &other->sum);
    real_sum_add(&to->reciprocals, &other->reciprocals);
    to->reached += other->reached;
    to->eccentricity = worse_length(order, other->eccentricity, to->eccentricity);
}

/* Distances below 2^53 spacings have no digits below the third level, so sums of them are exact. */
struct real_vertex_totals real_vertex_on_grid(const struct grid_totals *totals, double spacing,
                                              const struct real_summing *summing) {
    struct real_vertex_totals v = real_vertex_none(0);
    const int bits = summing->bits;
    int exponent;
    v.reached = totals->reached;
    v.eccentricity = totals->farthest * spacing;
    if (totals->part[0] != 0) {
        v.reciprocals.level = totals->level;
        memcpy(v.reciprocals.part, totals->part, sizeof totals->part);
    }
    if (totals->sum == 0)
        return v;
    v.sum.level = real_sum_level(ldexp(v.eccentricity, summing->distance), bits);
    frexp(spacing, &exponent);
    exponent += summing->distance - 1; /* exponent of the unit of the sum */
    spacing_count left = totals->sum;
    for (int p = 0; p < REAL_SUM_PARTS; p++) {
        /* difference to the exponent of the part's unit */
        const int up = exponent - bits * (v.sum.level - p);
        const spacing_count part = up >= 0 ? left * ((spacing_count)1 << up) : left >> -up;
        v.sum.part[p] = (int64_t)part;
        left -= up >= 0 ? left : part << -up;
    }
    return v;
}

/* Adds the numbers of one row of a tile. */
static void add_row(const struct real_thread *thread, const double *number, double largest,
                    struct real_sum *sum) {
    const int bits = thread->summing.bits;
    const int32_t level = real_sum_level(largest, bits);
    struct real_rounders rounders;
    struct real_sum of_tile = {.level = level};
    double digits[REAL_SUM_PARTS];
    if (level == REAL_SUM_EMPTY)
        return;
    for (int p = 0; p < REAL_SUM_PARTS; p++)
        rounders.part[p] = real_sum_rounder(level - p, bits);
    thread->kernels->add_up(number, &rounders, digits);
    for (int p = 0; p < REAL_SUM_PARTS; p++)
        of_tile.part[p] = real_sum_units(digits[p], level - p, bits);
    real_sum_add(sum, &of_tile);
}

/* Prepares column k of a tile for numbers of that level and lower ones. */
static void open_column(struct real_columns *columns, int k, int32_t level, int bits) {
    columns->most[k] = real_sum_most(level, bits);
    for (int p = 0; p < REAL_SUM_PARTS; p++) {
        columns->rounder[p][k] = level == REAL_SUM_EMPTY ? 0 : real_sum_rounder(level - p, bits);
        columns->sum[p][k] = 0;
    }
}

/* Moves the digits in column k to the column's sum. */
static void close_column(const struct real_columns *columns, int k, struct real_sum *sum,
                         int bits) {
    for (int p = 0; p < REAL_SUM_PARTS && sum->level != REAL_SUM_EMPTY; p++)
        sum->part[p] += real_sum_units(columns->sum[p][k], sum->level - p, bits);
}

static struct real_sum *sum_of(struct real_vertex_totals *v, bool reciprocals) {
    return reciprocals ? &v->reciprocals : &v->sum;
}

/* Adds the numbers of one row of a tile to the columns, whose sums are in `in`. */
static void add_column_numbers(const struct real_thread *thread, const double *number,
                               struct real_columns *columns, struct real_vertex_totals *in,
                               int32_t width, bool reciprocals) {
    const int bits = thread->summing.bits;
    const bool fit = thread->kernels->fit(number, columns);
    for (int32_t k = 0; k < width && !fit; k++) {
        const int32_t level = real_sum_level(fabs(number[k]), bits);
        struct real_sum *const sum = sum_of(&in[k], reciprocals);
        if (level <= sum->level)
            continue;
        close_column(columns, k, sum, bits);
        real_sum_raise(sum, level);
        open_column(columns, k, level, bits);
    }
    thread->kernels->add_to_columns(number, columns);
}

static void open_columns(struct real_thread *thread, struct real_vertex_totals *in, int32_t width) {
    const int bits = thread->summing.bits;
    for (int32_t k = 0; k < REAL_TILE; k++) {
        const bool is_column = k < width;
        open_column(&thread->distances, k, is_column ? in[k].sum.level : REAL_SUM_EMPTY, bits);
        open_column(&thread->reciprocals, k, is_column ? in[k].reciprocals.level : REAL_SUM_EMPTY,
                    bits);
        thread->reached[k] = 0;
        thread->farthest[k] = 0;
        thread->worst[k] = thread->order->to_itself;
    }
}

static void close_columns(const struct real_thread *thread, struct real_vertex_totals *in,
                          int32_t width) {
    for (int32_t k = 0; k < width; k++) {
        close_column(&thread->distances, k, &in[k].sum, thread->summing.bits);
        close_column(&thread->reciprocals, k, &in[k].reciprocals, thread->summing.bits);
        in[k].reached += thread->reached[k];
        in[k].eccentricity = worse_length(
            thread->order, thread->order->is_sum ? thread->farthest[k] : thread->worst[k],
            in[k].eccentricity);
    }
}

/* Blocks -------------------------------------------------------------------------------------- */

void real_thread_init(struct real_thread *thread, const struct real_measures_kernels *kernels,
                      const struct real_summing *summing, const struct length_order *order,
                      bool spares_reciprocals) {
    thread->kernels = kernels;
    thread->order = order;
    for (int32_t k = 0; k < REAL_TILE; k++)
        thread->worst[k] = order->to_itself;
    thread->summing = *summing;
    thread->spares_reciprocals = spares_reciprocals;
    thread->scales =
        (struct real_scales){ldexp(1, summing->distance), ldexp(1, summing->reciprocal)};
    thread->in = NULL;
}

void real_thread_forget(struct real_thread *thread, int32_t n) {
    memset(&thread->counts, 0, sizeof thread->counts);
    set_bins(&thread->counts, 0, 0);
    for (int32_t v = 0; v < n && thread->in != NULL; v++)
        thread->in[v] = real_vertex_none(thread->order->to_itself);
}

DEFINE_LENGTHS_TO_NUMBERS(lengths_to_numbers, double, (double)INFINITY)

/* Reads a tile of lengths of another semiring than min-plus. */
static void read_lengths(struct real_thread *thread, const struct row_block *block, int32_t r,
                         int32_t begin, int32_t width, double *worst) {
    double cell[REAL_TILE];
    for (int32_t k = 0; k < width; k++)
        cell[k] = block->type == NUMBER_FLOAT32 ? (double)block->dist_f32[r][begin + k]
                                                : block->dist_f64[r][begin + k];
    lengths_to_numbers(thread->order, cell, width, (int64_t)block->source[r] - begin, worst,
                       thread->worst);
    thread->kernels->read_f64(cell, width, &thread->scales, &thread->tile);
}

static void read_tile(struct real_thread *thread, const struct row_block *block, int32_t r,
                      int32_t begin, int32_t width) {
    if (block->type == NUMBER_FLOAT32)
        thread->kernels->read_f32(block->dist_f32[r] + begin, width, &thread->scales,
                                  &thread->tile);
    else
        thread->kernels->read_f64(block->dist_f64[r] + begin, width, &thread->scales,
                                  &thread->tile);
}

/* Returns the totals of the columns of a tile, vertices begin .. of a part, next to each other: a
 * copy if they are not. */
static struct real_vertex_totals *
columns_of(struct real_thread *thread, const struct row_part *part, int32_t begin, int32_t width) {
    if (thread->in == NULL || part == NULL)
        return thread->in != NULL ? thread->in + begin : NULL;
    for (int32_t k = 0; k < width; k++)
        thread->of_part[k] = thread->in[part->vertex[begin + k]];
    return thread->of_part;
}

/* Takes one tile: vertices begin .. of rows first .. last - 1 of a block of a part. */
static void take_tile(struct real_thread *thread, const struct row_part *part,
                      const struct row_block *block, int32_t first, int32_t last, int32_t begin,
                      struct real_vertex_totals *of_row) {
    const int32_t left = block->n - begin,
                  width = left < block_sizes.columns ? left : block_sizes.columns;
    struct real_tile *const tile = &thread->tile;
    struct real_vertex_totals *const in = columns_of(thread, part, begin, width);
    if (in != NULL)
        open_columns(thread, in, width);
    const bool is_sum = thread->order->is_sum;
    const bool adds_reciprocals = !thread->spares_reciprocals && is_sum;
    for (int32_t r = first; r < last; r++) {
        double worst = thread->order->to_itself;
        if (is_sum)
            read_tile(thread, block, r, begin, width);
        else
            read_lengths(thread, block, r, begin, width, &worst);
        add_row(thread, tile->distance, tile->largest_distance, &of_row[r].sum);
        if (!thread->spares_reciprocals) {
            widen(&thread->counts, tile->least, tile->farthest);
            thread->kernels->count(tile, &thread->counts.at);
        }
        if (adds_reciprocals)
            add_row(thread, tile->reciprocal, tile->largest_reciprocal, &of_row[r].reciprocals);
        of_row[r].reached += tile->reached;
        of_row[r].eccentricity =
            worse_length(thread->order, is_sum ? tile->farthest : worst, of_row[r].eccentricity);
        if (in == NULL)
            continue;
        add_column_numbers(thread, tile->distance, &thread->distances, in, width, false);
        if (adds_reciprocals)
            add_column_numbers(thread, tile->reciprocal, &thread->reciprocals, in, width, true);
        thread->kernels->reach(tile, thread->reached, thread->farthest);
    }
    if (in != NULL)
        close_columns(thread, in, width);
    for (int32_t k = 0; k < width && in != NULL && part != NULL; k++)
        thread->in[part->vertex[begin + k]] = in[k];
}

void real_thread_take(struct real_thread *thread, const struct row_part *part,
                      const struct row_block *block, struct real_vertex_totals *of_row) {
    /* Takes all rows at a time if columns are added up, otherwise one by one, in the order of
     * memory. */
    const int32_t rows = thread->in != NULL ? block->count : 1;
    for (int32_t r = 0; r < block->count; r++)
        of_row[r] = real_vertex_none(thread->order->to_itself);
    for (int32_t r = 0; r < block->count; r += rows) {
        for (int32_t begin = 0; begin < block->n; begin += block_sizes.columns)
            take_tile(thread, part, block, r, r + rows, begin, of_row);
    }
}
