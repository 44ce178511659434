// SPDX-License-Identifier: MIT
/* Compiled for both types of cells (common/base/length.h).
 *
 * Every label is made of those of higher neighbours, which are ancestors. So a thread keeps the
 * labels on the way from a subtree's root down to the current vertex; those above all subtrees are
 * made first and kept as well. What is stored goes to memory of the thread, and from there to its
 * place when it is known how much all subtrees before it store. */
#include "index/index_labels.h"

#include "common/base/atomics.h"     // atomic_raise
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/lowest_failure.h"
#include "common/base/memory.h" // memory_alloc
#include "common/base/turns.h"
#include "index/index_kernels.h"
#include "index/index_label.h"
#include "index/index_parts.h"

#include <math.h>
#include <omp.h>

#include <string.h>

#ifdef LENGTH_F64
typedef double stored_cell;
#else
typedef uint16_t stored_cell;
#endif

/* Properties of a label, as bits. */
enum { IS_OF_PARENT = 1, IS_ROW = 2, HAS_NO_PATH = 4 };

/* Rows of the vertices of a subtree, in their order; none if cells are float64. */
struct subtree_rows {
    path_length *cell;
    size_t count, room; /* number of cells, and of those that there is memory for */
};

/* State of making the labels of one direction. */
struct label_making {
    const struct index_filling *f;
    const struct index_subtrees *subtrees;
    const struct index_kernels *kernels;
    int direction;
    path_length *top;        /* labels of all positions above the subtrees, whole */
    stored_cell *top_stored; /* the same labels as they are stored */
    uint64_t *place;     /* by position: where the label is stored: the number of its first cell, at
                            first among those of its subtree */
    int64_t *top_cell;   /* by position above the subtrees: index in `top` and `top_stored` of its
                            label's first cell */
    int32_t *added;      /* by position: number that is added to all cells of the label */
    int32_t *row_of;     /* by position: position of the label whose row its label is stored with */
    int32_t *row_cells;  /* by position of a row: number of cells that labels need of it */
    uint32_t *row_place; /* by position of a row: place of the row, as in struct index_vertex */
    uint8_t *kind;       /* by position: properties of its label, as bits */
    struct subtree_rows *rows; /* rows of each subtree */
    stored_cell *to;           /* cells of the section of labels */
};

/* Memory of a thread. */
struct labelling {
    struct index_source *source; /* a source for each higher neighbour of a vertex, at most */
    path_length *way;     /* labels of the vertices from a subtree's root down to the current one,
                             whole, `pitch` cells from one to the next */
    stored_cell *stored;  /* cells of a subtree's labels that are to be stored */
    size_t pitch;         /* number of cells of the longest label, and INDEX_BLOCK more */
    size_t count;         /* number of cells in `stored` so far */
    path_length farthest; /* largest distance to a root in the labels that the thread has made */
    struct subtree_rows *rows; /* rows of the subtree that the thread works on */
};

/* Returns the entries of a position, in the order of its list in the structure. */
static inline const struct index_entry *entries_of(const struct label_making *m, int32_t at) {
    return m->f->x->entry[m->direction] + index_first_entry_at(m->f->tree, m->f->structure, at);
}

/* Returns the label of a position, whole: one above all subtrees, or on the way from `root`, the
 * root of a subtree, to the current position. */
static path_length *label_at(const struct label_making *m, const struct labelling *l, int32_t root,
                             int32_t at) {
    if (index_is_top(m->subtrees, at))
        return m->top + m->top_cell[at];
    const int32_t *const depth = m->f->tree->depth;
    return l->way + (size_t)(depth[at] - depth[root]) * l->pitch;
}

/* Notes the distance of a position from its root. */
static inline void note_farthest(struct labelling *l, path_length distance) {
    l->farthest = distance > l->farthest ? distance : l->farthest;
}

/* Finds the label of a position, whole, from the labels of its higher neighbours. */
static path_length *find_label(const struct label_making *m, struct labelling *l, int32_t root,
                               int32_t at) {
    const struct tree *const tree = m->f->tree;
    const struct structure *const s = m->f->structure;
    const struct index_entry *const entry = entries_of(m, at);
    path_length *const label = label_at(m, l, root, at);
    const uint32_t above = (uint32_t)tree->depth[at];
    int sources = 0;
    for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
        const int32_t to = s->higher[e];
        const path_length length = entry[e - s->first[at]].length;
        if (length < LENGTH_INF)
            l->source[sources++] = (struct index_source){label_at(m, l, root, to),
                                                         (uint32_t)tree->depth[to] + 1, length};
    }
    m->kernels->label(label, above, l->source, sources);
    for (uint32_t k = 0; k < above && m->f->g->min_weight < 0; k++)
        label[k] = label[k] > LENGTH_INF / 2 ? LENGTH_INF : label[k];
    label[above] = 0;
    note_farthest(l, label[0]);
    return label;
}

/* Appends a label to the rows of a subtree. */
static enum status append_row(struct subtree_rows *rows, const path_length *label, size_t cells,
                              struct error *err) {
    if (rows->count + cells > rows->room) {
        const size_t room = 2 * (rows->count + cells);
        void *memory = rows->cell;
        RETURN_ON_FAILURE(memory_resize(&memory, room, sizeof *label, "the labels", err));
        rows->cell = memory;
        rows->room = room;
    }
    memcpy(rows->cell + rows->count, label, cells * sizeof *label);
    rows->count += cells;
    return STATUS_OK;
}

#ifdef LENGTH_F64

/* Rows, and labels that are their parents', are of int32 only. */
static bool take_parents(const struct label_making *m, int32_t at) {
    (void)m, (void)at;
    return false;
}

static size_t store_label(const struct label_making *m, const struct labelling *l, int32_t root,
                          int32_t at, const path_length *label, stored_cell *to) {
    const size_t cells = (size_t)m->f->tree->depth[at] + 1;
    (void)l, (void)root;
    memcpy(to, label, cells * sizeof *label);
    return cells;
}

#else

/* Returns the length of the row of a position, counted in INDEX_ROW_STEP cells. */
static uint32_t row_steps(const struct label_making *m, int32_t at) {
    return ((uint32_t)m->row_cells[at] + INDEX_ROW_STEP - 1) / INDEX_ROW_STEP;
}

/* Notes that labels need so many cells of the row of a position. */
static void need_row(const struct label_making *m, int32_t at, int32_t cells) {
    atomic_raise(&m->row_cells[at], cells);
}

/* Returns whether a label is that of its parent, a number added. Such a label is not stored if the
 * parent's is, and if all its cells are lengths of paths. */
static bool is_of_parent(const struct label_making *m, int32_t at) {
    enum { LARGEST = 1 << (63 - INDEX_PLACE_BITS) }; /* the number must have room in a place */
    const int32_t parent = m->f->tree->parent[at];
    if (m->f->tree->count[at] != 1 || (m->kind[parent] & (IS_OF_PARENT | HAS_NO_PATH)) != 0)
        return false;
    const int32_t length = entries_of(m, at)->length;
    return length > -LARGEST / 2 && length < LARGEST / 2;
}

/* Returns whether a label is its parent's, which then tells all about it. */
static bool take_parents(const struct label_making *m, int32_t at) {
    const int32_t parent = m->f->tree->parent[at];
    if (!is_of_parent(m, at))
        return false;
    m->kind[at] = IS_OF_PARENT;
    m->row_of[at] = m->row_of[parent];
    m->added[at] = m->added[parent] + entries_of(m, at)->length;
    return true;
}

/* Finds a row that a label differs little from: of those that its higher neighbours are stored
 * with, the first one. Returns its position; -1: there is none. */
static int32_t find_row(const struct label_making *m, const struct labelling *l, int32_t root,
                        int32_t at, const int32_t *label, struct index_span *span) {
    const struct tree *const tree = m->f->tree;
    const struct structure *const s = m->f->structure;
    const uint32_t cells = (uint32_t)tree->depth[at] + 1;
    int32_t tried = -1;
    for (int64_t e = s->first[at]; e < s->first[at + 1]; e++) {
        const int32_t row = m->row_of[s->higher[e]];
        if (row == tried)
            continue;
        tried = row;
        *span = m->kernels->span(label, cells, label_at(m, l, root, row),
                                 (uint32_t)tree->depth[row] + 1);
        if ((int64_t)span->greatest - span->least < block_sizes.index_span)
            return row;
    }
    if (tried < 0)
        *span = m->kernels->span(label, cells, NULL, 0);
    return -1;
}

/* Finds how a label is stored, and stores its cells in `to` unless it is a row. Returns the number
 * of cells stored; `to` has room for INDEX_PAD more. */
static size_t store_label(const struct label_making *m, const struct labelling *l, int32_t root,
                          int32_t at, const path_length *label, stored_cell *to) {
    const struct tree *const tree = m->f->tree;
    const int32_t cells = tree->depth[at] + 1;
    struct index_span span;
    const int32_t row = find_row(m, l, root, at, label, &span);
    m->kind[at] = span.has_no_path ? HAS_NO_PATH : 0;
    if (row < 0) {
        m->kind[at] |= IS_ROW;
        m->row_of[at] = at;
        m->place[at] = 0;
        m->added[at] = 0;
        need_row(m, at, cells);
        return 0;
    }
    m->row_of[at] = row;
    need_row(m, row, cells);
    m->added[at] = span.least;
    m->kernels->narrow(label, (uint32_t)cells, label_at(m, l, root, row),
                       (uint32_t)tree->depth[row] + 1, span.least, to);
    return (size_t)cells;
}

#endif

/* Makes the label of a position above all subtrees. */
static void make_top_label(const struct label_making *m, struct labelling *l, int32_t at) {
    const path_length *const label = find_label(m, l, -1, at);
    if (!take_parents(m, at))
        store_label(m, l, -1, at, label, m->top_stored + m->top_cell[at]);
}

/* Makes the labels of a position above all subtrees and of those below it that are, too. labelling:
 * memory of each thread. */
static void make_top_below(const struct label_making *m, struct labelling *labelling, int32_t at) {
    const int32_t *const size = m->subtrees->size;
    while (at >= 0 && progress_goes_on(m->f->progress)) {
        int32_t next = -1;
        make_top_label(m, &labelling[omp_get_thread_num()], at);
        for (int32_t child = at - 1; child > at - size[at]; child -= size[child]) {
            if (!index_is_top(m->subtrees, child))
                continue;
            if (next >= 0) {
#pragma omp task firstprivate(next)
                make_top_below(m, labelling, next);
            }
            next = child;
        }
        at = next;
    }
}

/* Returns whether the cells of a label are stored in the section of labels. */
static inline bool is_stored(const struct label_making *m, int32_t at) {
    return (m->kind[at] & (IS_OF_PARENT | IS_ROW)) == 0;
}

/* Makes the labels above all subtrees, and stores them from cell *count on. */
static enum status make_top(const struct label_making *m, struct labelling *labelling,
                            uint64_t *count, struct error *err) {
    const int32_t n = m->f->tree->n, *const depth = m->f->tree->depth;
#pragma omp parallel num_threads(m->f->threads)
#pragma omp single
    for (int32_t at = n - 1; at >= 0; at -= m->subtrees->size[at]) {
        if (index_is_top(m->subtrees, at)) {
#pragma omp task firstprivate(at)
            make_top_below(m, labelling, at);
        }
    }
    if (!progress_goes_on(m->f->progress))
        return progress_cancelled(err);
    for (int32_t at = n - 1; at >= 0; at--) {
        if (!index_is_top(m->subtrees, at) || !is_stored(m, at))
            continue;
        m->place[at] = *count;
        *count += (uint64_t)depth[at] + 1;
    }
#pragma omp parallel for num_threads(m->f->threads) schedule(dynamic, 1024)
    for (int32_t at = 0; at < n; at++) {
        if (index_is_top(m->subtrees, at) && is_stored(m, at))
            memcpy(m->to + m->place[at], m->top_stored + m->top_cell[at],
                   ((size_t)depth[at] + 1) * sizeof *m->to);
    }
    return STATUS_OK;
}

/* Makes the label of a position of a subtree. */
static enum status make_label(const struct label_making *m, struct labelling *l, int32_t root,
                              int32_t at, struct error *err) {
    const bool is_parents = take_parents(m, at);
    if (is_parents && m->subtrees->size[at] == 1) { /* a leaf, whose label no other needs */
        const path_length *const above = label_at(m, l, root, m->f->tree->parent[at]);
        note_farthest(l, join_lengths(above[0], entries_of(m, at)->length));
        return STATUS_OK;
    }
    const path_length *const label = find_label(m, l, root, at);
    if (is_parents)
        return STATUS_OK;
    const size_t cells = store_label(m, l, root, at, label, l->stored + l->count);
    if (!is_stored(m, at))
        return append_row(l->rows, label, (size_t)m->f->tree->depth[at] + 1, err);
    m->place[at] = l->count;
    l->count += cells;
    return STATUS_OK;
}

static enum status make_subtree(const struct label_making *m, struct labelling *l, int32_t r,
                                struct error *err) {
    const int32_t root = m->subtrees->root[r];
    l->rows = &m->rows[r];
    l->count = 0;
    for (int32_t at = root; at > root - m->subtrees->size[root]; at--)
        RETURN_ON_FAILURE(make_label(m, l, root, at, err));
    return STATUS_OK;
}

/* Makes the labels of all subtrees, on all threads, and stores them one subtree after the other,
 * from cell *count on. */
static enum status make_subtrees(const struct label_making *m, struct labelling *labelling,
                                 uint64_t *count, struct error *err) {
    struct lowest_failure failed;
    struct turns turns;
    uint64_t next = *count;
    lowest_failure_begin(&failed);
    turns_begin(&turns);
#pragma omp parallel for num_threads(m->f->threads) schedule(monotonic : dynamic, 1)
    for (int32_t r = 0; r < m->subtrees->count; r++) {
        struct labelling *const l = &labelling[omp_get_thread_num()];
        const int32_t root = m->subtrees->root[r];
        uint64_t place;
        struct error mine;
        const enum status one =
            progress_goes_on(m->f->progress) ? make_subtree(m, l, r, &mine) : STATUS_CANCELLED;
        if (one != STATUS_OK)
            l->count = 0;
        if (one != STATUS_OK && one != STATUS_CANCELLED)
            lowest_failure_note(&failed, r, one, &mine);
        turns_wait(&turns, r);
        place = next;
        next += l->count;
        turns_pass(&turns);
        if (one != STATUS_OK)
            continue;
        memcpy(m->to + place, l->stored, l->count * sizeof *m->to);
        for (int32_t at = root; at > root - m->subtrees->size[root]; at--)
            m->place[at] += is_stored(m, at) ? place : 0;
    }
    turns_end(&turns);
    *count = next;
    return progress_goes_on(m->f->progress) ? lowest_failure_end(&failed, err)
                                            : progress_cancelled(err);
}

/* Tells the vertices where their labels are. row: by position, place of each row; NULL: there are
 * none. */
static void tell_places(const struct label_making *m, const uint32_t *row) {
    const struct tree *const tree = m->f->tree;
    struct index_vertex *const vertex = (struct index_vertex *)m->f->x->vertex[m->direction];
#pragma omp parallel for num_threads(m->f->threads) schedule(static)
    for (int32_t at = 0; at < tree->n; at++) {
        struct index_vertex *const own = &vertex[tree->vertex[at]];
        const bool is_of_parent = (m->kind[at] & IS_OF_PARENT) != 0;
        const uint64_t place = m->place[is_of_parent ? tree->parent[at] : at];
        own->label = (uint64_t)(int64_t)m->added[at] << INDEX_PLACE_BITS | place;
        own->row = row != NULL ? row[m->row_of[at]] : 0;
        own->entries = (own->entries & UINT64_MAX >> 1) | (uint64_t)is_of_parent << 63;
    }
}

#ifdef LENGTH_F64

static enum status place_rows(const struct label_making *m, struct index_made *made,
                              struct error *err) {
    (void)made, (void)err;
    tell_places(m, NULL);
    return STATUS_OK;
}

#else

/* Copies the row of a position from its label to its place. */
static void copy_row(const struct label_making *m, int32_t at, const int32_t *label, int32_t *to) {
    const size_t cells = (size_t)m->f->tree->depth[at] + 1;
    const size_t needed = (size_t)row_steps(m, at) * INDEX_ROW_STEP;
    int32_t *const row = to + (size_t)m->row_place[at] * INDEX_ROW_STEP;
    memcpy(row, label, cells * sizeof *row);
    memset(row + cells, 0, (needed - cells) * sizeof *row);
}

/* Copies the rows of a subtree to their places. */
static void copy_rows(const struct label_making *m, int32_t r, int32_t *to) {
    const int32_t root = m->subtrees->root[r], *from = m->rows[r].cell;
    for (int32_t at = root; at > root - m->subtrees->size[root]; at--) {
        if ((m->kind[at] & IS_ROW) == 0)
            continue;
        copy_row(m, at, from, to);
        from += m->f->tree->depth[at] + 1;
    }
}

/* Copies the rows to where they lie, in the order of positions backwards, and tells the vertices
 * where their labels are. */
static enum status place_rows(const struct label_making *m, struct index_made *made,
                              struct error *err) {
    const int32_t n = m->f->tree->n;
    const struct index_subtrees *const s = m->subtrees;
    uint64_t next = 0;
    void *memory;
    for (int32_t at = n - 1; at >= 0; at--) {
        if ((m->kind[at] & IS_ROW) == 0)
            continue;
        if (next > UINT32_MAX)
            return fail(err, STATUS_NO_RESOURCE,
                        "the index is too large: expected rows of fewer "
                        "than 2^34 cells");
        m->row_place[at] = (uint32_t)next;
        next += row_steps(m, at);
    }
    const size_t cells = (size_t)next * INDEX_ROW_STEP;
    RETURN_ON_FAILURE(memory_alloc(&memory, cells + INDEX_PAD, sizeof(int32_t), "the labels", err));
    int32_t *const to = made->row[m->direction] = memory;
    made->row_cells[m->direction] = cells;
    memset(to + cells, 0, INDEX_PAD * sizeof *to);
#pragma omp parallel num_threads(m->f->threads)
    {
#pragma omp for schedule(dynamic, 1024) nowait
        for (int32_t at = 0; at < n; at++) {
            if (index_is_top(s, at) && (m->kind[at] & IS_ROW) != 0)
                copy_row(m, at, m->top + m->top_cell[at], to);
        }
#pragma omp for schedule(dynamic, 1)
        for (int32_t r = 0; r < s->count; r++)
            copy_rows(m, r, to);
    }
    tell_places(m, m->row_place);
    return STATUS_OK;
}

#endif

static void label_making_free(struct label_making *m) {
    for (int32_t r = 0; m->rows != NULL && r < m->subtrees->count; r++)
        memory_free(m->rows[r].cell);
    memory_free(m->rows);
    memory_free(m->top);
    memory_free(m->top_stored);
    memory_free(m->place);
}

static enum status label_making_alloc(struct label_making *m, struct error *err) {
    const int32_t n = m->f->tree->n, *const depth = m->f->tree->depth;
    const size_t subtrees = (size_t)m->subtrees->count + 1;
    size_t cells = 0;
    void *memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, subtrees, sizeof *m->rows, "the labels", err));
    m->rows = memset(memory, 0, subtrees * sizeof *m->rows);
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)n,
                                   2 * sizeof(int64_t) + 4 * sizeof(int32_t) + sizeof(uint8_t),
                                   "the labels", err));
    m->place = memory;
    m->top_cell = (int64_t *)(m->place + n);
    m->added = memset(m->top_cell + n, 0, (size_t)n * sizeof *m->added);
    m->row_of = m->added + n;
    m->row_place = (uint32_t *)(m->row_of + n);
    m->row_cells = memset(m->row_place + n, 0, (size_t)n * sizeof *m->row_cells);
    m->kind = memset(m->row_cells + n, 0, (size_t)n);
    for (int32_t at = n - 1; at >= 0; at--) {
        if (!index_is_top(m->subtrees, at))
            continue;
        m->top_cell[at] = (int64_t)cells;
        cells += (size_t)depth[at] + 1 + INDEX_BLOCK; /* kernels write beyond a label */
    }
    RETURN_ON_FAILURE(memory_alloc(&memory, cells + 1, sizeof *m->top, "the labels", err));
    m->top = memory;
    RETURN_ON_FAILURE(memory_alloc(&memory, cells + 1, sizeof *m->top_stored, "the labels", err));
    m->top_stored = memory;
    return STATUS_OK;
}

/* Finds how much memory a thread needs: the most higher neighbours of a vertex, the most labels on
 * the way down from a subtree's root, and the most cells that the labels of a subtree have
 * together. */
static void find_most(const struct label_making *m, int32_t *neighbours, int32_t *way,
                      size_t *stored) {
    const struct tree *const tree = m->f->tree;
    const struct index_subtrees *const s = m->subtrees;
    *neighbours = *way = 1;
    *stored = 1;
    for (int32_t at = 0; at < tree->n; at++)
        *neighbours = tree->count[at] > *neighbours ? tree->count[at] : *neighbours;
    for (int32_t r = 0; r < s->count; r++) {
        const int32_t root = s->root[r];
        size_t cells = 0;
        for (int32_t at = root; at > root - s->size[root]; at--) {
            const int32_t down = tree->depth[at] - tree->depth[root] + 1;
            *way = down > *way ? down : *way;
            cells += (size_t)tree->depth[at] + 1;
        }
        *stored = cells > *stored ? cells : *stored;
    }
}

/* Allocates the memory of all threads in one block, which the caller frees. */
static enum status labelling_alloc(const struct label_making *m, struct labelling **labelling,
                                   struct error *err) {
    const size_t threads = (size_t)m->f->threads;
    const size_t pitch = ((size_t)m->f->tree->height + INDEX_BLOCK + 15) / 16 * 16;
    int32_t neighbours, way;
    size_t stored;
    void *memory;
    find_most(m, &neighbours, &way, &stored);
    stored = (stored + INDEX_PAD + 15) / 16 * 16;
    const size_t cells = pitch * (size_t)way;
    const size_t each = sizeof **labelling + cells * sizeof(path_length) +
                        stored * sizeof(stored_cell) +
                        (size_t)neighbours * sizeof(struct index_source);
    RETURN_ON_FAILURE(memory_alloc(&memory, threads, each, "the labels", err));
    path_length *const cell = memory;
    stored_cell *const store = (stored_cell *)(cell + threads * cells);
    struct index_source *const source = (struct index_source *)(store + threads * stored);
    *labelling = (struct labelling *)(source + threads * (size_t)neighbours);
    for (size_t t = 0; t < threads; t++)
        (*labelling)[t] = (struct labelling){.source = source + t * (size_t)neighbours,
                                             .way = cell + t * cells,
                                             .stored = store + t * stored,
                                             .pitch = pitch};
    return STATUS_OK;
}

enum status index_labels_make(const struct index_filling *f, const struct index_subtrees *subtrees,
                              int direction, void *to, struct index_made *made, struct error *err) {
    struct label_making m = {.f = f,
                             .subtrees = subtrees,
                             .kernels = index_kernels(f->isa),
                             .direction = direction,
                             .to = to};
    struct labelling *labelling = NULL;
    void *memory = NULL;
    enum status status;
    uint64_t count = index_label_zeros(&f->x->header);
    memset(m.to, 0, count * sizeof *m.to);
    TRY(label_making_alloc(&m, err));
    TRY(labelling_alloc(&m, &labelling, err));
    memory = labelling->way; /* the beginning of the block */
    TRY(make_top(&m, labelling, &count, err));
    TRY(make_subtrees(&m, labelling, &count, err));
    TRY(place_rows(&m, made, err));
    memset(m.to + count, 0, INDEX_PAD * sizeof *m.to);
    made->cells[direction] = count;
    for (int t = 0; t < f->threads; t++)
        made->farthest[direction] = fmax(made->farthest[direction], (double)labelling[t].farthest);
cleanup:
    label_making_free(&m);
    memory_free(memory);
    return status;
}
