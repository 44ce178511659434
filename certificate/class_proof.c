// SPDX-License-Identifier: MIT
#include "certificate/class_proof.h"

#include "certificate/class_check_kernels.h" // class_check_kernels
#include "common/base/clock.h"               // clock_seconds
#include "common/base/memory.h"              // memory_alloc

#include <string.h>

enum { WORD_BITS = 32 };

/* Reference of a row of the region around: the row of a class, and the constant to be added. */
struct row_reference {
    const path_length *class_row; /* NULL: there is no path into the region */
    path_length constant;
};

/* Bits that say how far the proof of a row is: it was taken; it was added to its total. */
enum { TAKEN = 1, ADDED = 2 };

struct class_proof_rows {
    int32_t first_source, sources, classes;
    bool is_entered;                 /* stays true when the region has been left */
    path_length *boundary;           /* distances from each source of the region to its boundary, as
                                        the row of the region around says */
    struct row_reference *reference; /* one for each row of the region around */
    const path_length **class_row;   /* the row of each class that has been taken; NULL: none yet */
    struct class_total *total;       /* totals of each class */
    uint32_t *tight;                 /* words_for() words for each row: bits of the vertices into
                                        which it has a tight edge */
    unsigned char *steps;            /* TAKEN, ADDED or both, for each row */
};

static void note(struct class_proof *p, bool wrong) {
    if (wrong)
        __atomic_store_n(&p->wrong, 1, __ATOMIC_RELAXED);
}

static const struct class_layout *layout_of(const struct class_proof *p, int32_t region) {
    return &p->regions.region[region];
}

static int32_t rows_of(const struct class_proof_rows *rows) {
    return rows->sources + rows->classes;
}

/* Returns the number of words that hold the bits of a row. */
static int32_t words_for(const struct class_layout *r) {
    return (class_bits(r) + WORD_BITS - 1) / WORD_BITS;
}

static uint32_t *words_of(const struct class_proof *p, int32_t region, int32_t row) {
    return p->rows[region].tight + (size_t)row * (size_t)words_for(layout_of(p, region));
}

/* Returns whether bits from .. to - 1 are set. */
static bool are_set(const uint32_t *words, int32_t from, int32_t to) {
    bool are = true;
    for (int32_t bit = from, next; bit < to; bit = next) {
        next = (bit / WORD_BITS + 1) * WORD_BITS;
        uint32_t wanted = ~0U << bit % WORD_BITS;
        if (next > to)
            wanted &= ~0U >> (next - to);
        are = are && (words[bit / WORD_BITS] & wanted) == wanted;
    }
    return are;
}

/* Returns whether a step of a row has been done; what it wrote is there then. */
static bool is_done(const struct class_proof_rows *rows, int32_t row, unsigned char step) {
    return (__atomic_load_n(&rows->steps[row], __ATOMIC_ACQUIRE) & step) != 0;
}

/* Notes that a step of a row is done; if it was done before, something is wrong. */
static void set_done(struct class_proof *p, const struct class_proof_rows *rows, int32_t row,
                     unsigned char step) {
    note(p, (__atomic_fetch_or(&rows->steps[row], step, __ATOMIC_ACQ_REL) & step) != 0);
}

static void add_total(struct class_total *to, path_length_sum sum, int32_t reached,
                      path_length farthest) {
    to->sum += sum;
    to->reached += reached;
    to->farthest = farthest > to->farthest ? farthest : to->farthest;
}

/* A row of the outermost region is complete. */
static void count_found(struct class_proof *p, int32_t row) {
    if (row < p->rows[0].sources)
        __atomic_fetch_add(&p->found, 1, __ATOMIC_RELAXED);
}

// Memory ------------------------------------------------------------------------------------------

static bool alloc(void *address, size_t count, size_t size) {
    struct error ignored;
    void *memory;
    if (memory_alloc(&memory, count, size, "the proof of classes", &ignored) != STATUS_OK)
        return false;
    memcpy(address, &memory, sizeof memory);
    return true;
}

static bool alloc_zeroed(void *address, size_t count, size_t size) {
    void *memory;
    if (!alloc(address, count, size))
        return false;
    memcpy(&memory, address, sizeof memory);
    memset(memory, 0, count * size);
    return true;
}

/* Finds where the labels are of all numbers, and of boundaries in the region around. */
static bool find_places(struct class_proof *p, const int32_t *local) {
    for (int32_t k = 0; k < p->regions.count; k++) {
        const struct class_layout *const r = layout_of(p, k);
        for (int64_t x = r->first; x < r->first + class_numbers(r); x++) {
            if (local[x] < 0 || local[x] >= r->own + r->width + (r->own + r->width == 0))
                return false;
            p->local[x] = local[x];
        }
        for (int64_t b = r->first; b < r->first + r->width; b++)
            p->outer[b] = p->local[layout_of(p, r->parent)->first + p->regions.outer[b]];
    }
    return true;
}

enum status class_proof_open(struct class_proof *p, const struct graph *g,
                             const struct class_layout *region, int32_t count,
                             const int32_t *vertex, const int32_t *local, enum isa isa, int threads,
                             struct error *err) {
    *p = (struct class_proof){.kernels = class_check_kernels(isa)};
    RETURN_ON_FAILURE(
        class_regions_find(&p->regions, g, region, count, vertex, threads, &p->is_ready, err));
    if (!p->is_ready)
        return STATUS_OK;
    const size_t numbers = (size_t)p->regions.numbers;
    if (!alloc(&p->local, numbers, sizeof *p->local) ||
        !alloc_zeroed(&p->outer, numbers, sizeof *p->outer) ||
        !alloc_zeroed(&p->rows, (size_t)count, sizeof *p->rows)) {
        p->is_ready = false;
        return fail(err, STATUS_NO_RESOURCE, "out of memory: the proof of classes");
    }
    p->is_ready = find_places(p, local);
    return STATUS_OK;
}

void class_proof_close(struct class_proof *p) {
    for (int32_t k = 0; p->rows != NULL && k < p->regions.count; k++)
        class_proof_leave(p, k);
    memory_free(p->rows);
    memory_free(p->local);
    memory_free(p->outer);
    memory_free(p->source);
    memory_free(p->total);
    class_regions_free(&p->regions);
    *p = (struct class_proof){0};
}

bool class_prover_alloc(struct class_prover *prover, const struct class_proof *p) {
    size_t width = 1, words = 1, numbers = 1;
    for (int32_t k = 0; k < p->regions.count; k++) {
        const struct class_layout *const r = layout_of(p, k);
        const size_t own_words = (size_t)words_for(r), own_numbers = (size_t)class_numbers(r);
        width = (size_t)r->start > width ? (size_t)r->start : width;
        words = own_words > words ? own_words : words;
        numbers = own_numbers > numbers ? own_numbers : numbers;
    }
    *prover = (struct class_prover){0};
    if (!alloc(&prover->row, width * CLASS_LANES, sizeof *prover->row) ||
        !alloc(&prover->tight, words * CLASS_LANES, sizeof *prover->tight) ||
        !alloc(&prover->lane, numbers, sizeof *prover->lane))
        return false;
    memset(prover->lane, -1, numbers * sizeof *prover->lane);
    return true;
}

void class_prover_free(struct class_prover *prover) {
    memory_free(prover->row);
    memory_free(prover->tight);
    memory_free(prover->lane);
    *prover = (struct class_prover){0};
}

enum status class_proof_begin(struct class_proof *p, const int32_t *vertex, int32_t count,
                              struct error *err) {
    for (int32_t k = 0; k < p->regions.count; k++) {
        class_proof_leave(p, k);
        p->rows[k] = (struct class_proof_rows){0};
    }
    memory_free(p->source);
    memory_free(p->total);
    p->source = NULL;
    p->total = NULL;
    p->sources = p->found = p->wrong = 0;
    if (!alloc(&p->source, (size_t)count, sizeof *p->source) ||
        !alloc_zeroed(&p->total, (size_t)count, sizeof *p->total))
        return fail(err, STATUS_NO_RESOURCE, "out of memory: the proof of classes");
    p->sources = count;
    for (int32_t k = 0; k < count; k++) {
        const bool is_vertex = vertex[k] >= 0 && vertex[k] < p->regions.n;
        p->source[k] = is_vertex ? vertex[k] : 0;
        note(p, !is_vertex);
    }
    return STATUS_OK;
}

void class_proof_place(struct class_proof *p, int32_t region, int32_t first, int32_t count) {
    const bool are_there =
        first >= 0 && count >= 0 && count <= p->sources - first && !p->rows[0].is_entered;
    note(p, !are_there);
    if (p->rows[0].is_entered)
        return;
    p->rows[region].first_source = are_there ? first : 0;
    p->rows[region].sources = are_there ? count : 0;
}

/* Returns whether a region may be entered: once, after the region around, where all of its sources
 * lie, too, and the outermost one has rows of all sources only. */
static bool may_enter(const struct class_proof *p, int32_t region, int32_t classes) {
    const struct class_proof_rows *const rows = &p->rows[region];
    const int32_t parent = layout_of(p, region)->parent;
    if (rows->is_entered || classes < 0)
        return false;
    if (parent < 0)
        return classes == 0 && rows->first_source == 0 && rows->sources == p->sources;
    const struct class_proof_rows *const around = &p->rows[parent];
    const int32_t before = rows->first_source - around->first_source;
    return around->steps != NULL &&
           (rows->sources == 0 || (before >= 0 && rows->sources <= around->sources - before));
}

bool class_proof_enter(struct class_proof *p, int32_t region, int32_t classes) {
    const struct class_layout *const r = layout_of(p, region);
    struct class_proof_rows *const rows = &p->rows[region];
    if (!may_enter(p, region, classes)) {
        note(p, true);
        return true;
    }
    __atomic_store_n(&rows->is_entered, true, __ATOMIC_RELEASE);
    rows->classes = classes;
    const size_t all = (size_t)rows_of(rows);
    if (!alloc_zeroed(&rows->class_row, (size_t)classes, sizeof *rows->class_row) ||
        !alloc_zeroed(&rows->total, (size_t)classes, sizeof *rows->total) ||
        !alloc_zeroed(&rows->tight, all * (size_t)words_for(r), sizeof *rows->tight) ||
        !alloc_zeroed(&rows->steps, all, sizeof *rows->steps))
        return false;
    for (int32_t c = r->first_child; c < r->first_child + r->children; c++) {
        struct class_proof_rows *const inside = &p->rows[c];
        const size_t cells = (size_t)inside->sources * (size_t)layout_of(p, c)->start;
        if (!alloc(&inside->boundary, cells, sizeof *inside->boundary) ||
            !alloc(&inside->reference, all, sizeof *inside->reference))
            return false;
    }
    return true;
}

void class_proof_leave(struct class_proof *p, int32_t region) {
    struct class_proof_rows *const rows = &p->rows[region];
    memory_free(rows->boundary);
    memory_free(rows->reference);
    memory_free(rows->class_row);
    memory_free(rows->total);
    memory_free(rows->tight);
    memory_free(rows->steps);
    rows->boundary = NULL;
    rows->reference = NULL;
    rows->class_row = NULL;
    rows->total = NULL;
    rows->tight = NULL;
    rows->steps = NULL;
}

// Rows --------------------------------------------------------------------------------------------

/* Returns whether all lanes are of rows that the region has now. */
static bool are_there(struct class_proof *p, const struct class_lanes *lanes) {
    const struct class_proof_rows *const rows = &p->rows[lanes->region];
    bool are = rows->steps != NULL && lanes->count <= CLASS_LANES;
    for (int32_t lane = 0; lane < lanes->count && are; lane++)
        are = lanes->row[lane] >= 0 && lanes->row[lane] < rows_of(rows);
    note(p, !are);
    return are;
}

/* Notes of which own vertices the lanes are, or that they are not. Returns whether any is. */
static bool note_sources(const struct class_proof *p, const struct class_lanes *lanes,
                         bool are_noted, int32_t *lane_of) {
    const struct class_proof_rows *const rows = &p->rows[lanes->region];
    bool any = false;
    for (int32_t lane = 0; lane < lanes->count; lane++) {
        if (lanes->row[lane] >= rows->sources)
            continue;
        const int32_t v = p->source[rows->first_source + lanes->row[lane]];
        if (p->regions.owner[v] != lanes->region)
            continue;
        lane_of[p->regions.number[v]] = are_noted ? lane : -1;
        any = true;
    }
    return any;
}

/* Returns whether a row has the distances to the boundary that rows of the region around say. */
static bool has_boundary(struct class_proof_rows *rows, const struct class_layout *r, int32_t row,
                         const path_length *class_row, const path_length *boundary) {
    const path_length *expected;
    if (row < rows->sources) {
        expected = rows->boundary != NULL ? rows->boundary + (size_t)row * (size_t)r->start : NULL;
    } else {
        expected = class_row;
        rows->class_row[row - rows->sources] = class_row;
    }
    return r->width == 0 || (expected != NULL &&
                             memcmp(expected, boundary, (size_t)r->width * sizeof *expected) == 0);
}

/* Which row of region c inside has the source of a row; -1: the source is another one. */
static int32_t row_inside(const struct class_proof *p, int32_t region, int32_t c, int32_t row) {
    const struct class_proof_rows *const rows = &p->rows[region], *const inside = &p->rows[c];
    const int32_t source = rows->first_source + row - inside->first_source;
    return row < rows->sources && source >= 0 && source < inside->sources ? source : -1;
}

static bool is_unreached(const path_length *row, int32_t width) {
    bool is = true;
    for (int32_t b = 0; b < width; b++)
        is = is && row[b] == LENGTH_INF;
    return is;
}

/* Checks what rows refer to in region c inside, and keeps their boundaries there for its sources.
 */
static void refer(struct class_proof *p, const struct class_lanes *lanes, int32_t c,
                  const struct class_referee *referee, path_length *room) {
    const struct class_layout *const inside = layout_of(p, c);
    const size_t width = (size_t)inside->width, pitch = (size_t)class_pitch(inside->width);
    struct class_proof_rows *const to = &p->rows[c];
    if (to->reference == NULL || to->boundary == NULL) {
        note(p, true);
        return;
    }
    p->kernels->make_rows(lanes->label, p->outer + inside->first, inside->width, room);
    for (int32_t lane = 0; lane < lanes->count; lane++) {
        const int32_t row = lanes->row[lane], source = row_inside(p, lanes->region, c, row);
        const path_length *const own = room + (size_t)lane * pitch;
        if (source >= 0) {
            memcpy(to->boundary + (size_t)source * (size_t)inside->start, own, width * sizeof *own);
            continue;
        }
        struct row_reference *const reference = &to->reference[row];
        reference->class_row = referee->refers(referee->context, c, row, &reference->constant);
        note(p, reference->class_row == NULL
                    ? !is_unreached(own, inside->width)
                    : !p->kernels->is_apart(own, reference->class_row, reference->constant,
                                            inside->width));
    }
    /* Rows that are there already may have been compared with what was there before. */
    note(p, __atomic_load_n(&to->is_entered, __ATOMIC_ACQUIRE));
}

void class_proof_take(struct class_proof *p, const struct class_lanes *lanes,
                      const struct class_referee *referee, struct class_prover *prover) {
    const struct class_layout *const r = layout_of(p, lanes->region);
    struct class_proof_rows *const rows = &p->rows[lanes->region];
    const int32_t words = words_for(r), pitch = class_pitch(r->width);
    struct class_checked checked = {.layout = r,
                                    .vertex = p->regions.vertex + r->first,
                                    .local = p->local + r->first,
                                    .first = p->regions.first + r->first,
                                    .edge = p->regions.edge,
                                    .largest = p->regions.largest};
    struct class_found found;
    const double start = clock_seconds();
    if (!are_there(p, lanes))
        return;
    if (note_sources(p, lanes, true, prover->lane))
        checked.lane = prover->lane;
    p->kernels->check(&checked, lanes->label, &found, prover->tight);
    note_sources(p, lanes, false, prover->lane);
    p->kernels->make_rows(lanes->label, checked.local, r->width, prover->row);
    for (int32_t lane = 0; lane < lanes->count; lane++) {
        const int32_t row = lanes->row[lane];
        const bool of_source = row < rows->sources;
        note(p, found.wrong[lane] != 0 ||
                    !has_boundary(rows, r, row, of_source ? NULL : lanes->class_row[lane],
                                  prover->row + (size_t)lane * (size_t)pitch));
        add_total(of_source ? &p->total[rows->first_source + row]
                            : &rows->total[row - rows->sources],
                  found.sum[lane], found.reached[lane], found.farthest[lane]);
        uint32_t *const to = words_of(p, lanes->region, row);
        for (int32_t w = 0; w < words; w++)
            to[w] |= prover->tight[(size_t)w * CLASS_LANES + (size_t)lane];
    }
    for (int32_t c = r->first_child; c < r->first_child + r->children; c++)
        refer(p, lanes, c, referee, prover->row);
    for (int32_t lane = 0; lane < lanes->count; lane++) {
        set_done(p, rows, lanes->row[lane], TAKEN);
        if (r->parent < 0 && r->children == 0)
            count_found(p, lanes->row[lane]);
    }
    prover->seconds += clock_seconds() - start;
}

// Totals ------------------------------------------------------------------------------------------

/* The row of region c that a row of the region around refers to, which has been taken; -1: there is
 * no path into it, or that is wrong. */
static int32_t row_referred(struct class_proof *p, int32_t c, int32_t row,
                            const struct class_referee *referee) {
    const struct class_proof_rows *const inside = &p->rows[c];
    const struct row_reference *const own = &inside->reference[row];
    if (own->class_row == NULL)
        return -1;
    const int32_t number = referee->number(referee->context, c, row);
    const bool is_there =
        number >= 0 && number < inside->classes && inside->class_row[number] == own->class_row;
    note(p, !is_there);
    return is_there ? inside->sources + number : -1;
}

/* Sets the bits of a row for those of a boundary that are set. */
static void hand_on(const int32_t *outer, const uint32_t *boundary, int32_t width,
                    uint32_t *tight) {
    for (int32_t first = 0; first < width; first += WORD_BITS) {
        uint32_t left = boundary[first / WORD_BITS];
        if (width - first < WORD_BITS)
            left &= (1U << (width - first)) - 1;
        for (; left != 0; left &= left - 1) {
            const int32_t bit = outer[first + __builtin_ctz(left)];
            tight[bit / WORD_BITS] |= 1U << bit % WORD_BITS;
        }
    }
}

/* Returns whether a constant can be added: in float64 it may be anything, even no number. */
static bool is_number(const struct class_proof *p, path_length constant) {
#ifdef LENGTH_F64
    return constant >= -p->regions.largest && constant <= p->regions.largest;
#else
    (void)p, (void)constant;
    return true;
#endif
}

static void add_row(struct class_proof *p, int32_t region, int32_t row,
                    const struct class_referee *referee) {
    const struct class_layout *const r = layout_of(p, region);
    const struct class_proof_rows *const rows = &p->rows[region];
    uint32_t *const tight = words_of(p, region, row);
    struct class_total *const to = row < rows->sources ? &p->total[rows->first_source + row]
                                                       : &rows->total[row - rows->sources];
    bool wrong = !is_done(rows, row, TAKEN);
    for (int32_t c = r->first_child; c < r->first_child + r->children; c++) {
        const struct class_layout *const inside = layout_of(p, c);
        int32_t from = row_inside(p, region, c, row);
        const bool of_source = from >= 0;
        if (!of_source)
            from = row_referred(p, c, row, referee);
        if (from < 0)
            continue;
        wrong = wrong || !is_done(&p->rows[c], from, inside->children > 0 ? ADDED : TAKEN);
        hand_on(p->regions.outer + inside->first, words_of(p, c, from), inside->width, tight);
        if (of_source)
            continue; /* its total is the source's already */
        const struct class_total *const found = &p->rows[c].total[from - p->rows[c].sources];
        const path_length constant = p->rows[c].reference[row].constant;
        if (found->reached == 0)
            continue;
        if (!is_number(p, constant)) {
            wrong = true;
            continue;
        }
        const path_length_sum farthest =
            (path_length_sum)found->farthest + (path_length_sum)constant;
        wrong = wrong || farthest > (path_length_sum)p->regions.largest;
        add_total(to, found->sum + found->reached * (path_length_sum)constant, found->reached,
                  (path_length)farthest);
    }
    note(p, wrong || !are_set(tight, r->start, r->portals));
    set_done(p, rows, row, ADDED);
    if (r->parent < 0)
        count_found(p, row);
}

/* Returns whether a region and those right inside have been entered. */
static bool have_entered(const struct class_proof *p, int32_t region) {
    const struct class_layout *const r = layout_of(p, region);
    bool have = p->rows[region].steps != NULL;
    for (int32_t c = r->first_child; c < r->first_child + r->children; c++)
        have = have && p->rows[c].steps != NULL && p->rows[c].reference != NULL;
    return have;
}

void class_proof_add(struct class_proof *p, int32_t region, int32_t from, int32_t to,
                     const struct class_referee *referee, struct class_prover *prover) {
    const double start = clock_seconds();
    const bool are_entered =
        have_entered(p, region) && from >= 0 && to <= rows_of(&p->rows[region]);
    note(p, !are_entered);
    for (int32_t row = from; row < to && are_entered && layout_of(p, region)->children > 0; row++)
        add_row(p, region, row, referee);
    prover->seconds += clock_seconds() - start;
}

bool class_proof_end(const struct class_proof *p) {
    bool proved = p->is_ready && p->wrong == 0 && p->found == p->sources;
    for (int32_t k = 0; k < p->sources; k++)
        proved = proved && p->total[k].reached > 0;
    return proved;
}
