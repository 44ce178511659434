// SPDX-License-Identifier: MIT
#include "elimination/schedule.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // chunk_begin
#include "common/base/memory.h"      // memory_alloc

#include <stdbool.h>
#include <string.h>

/* Numbers of entries that steps may have: one of these, or a multiple of the last one. Steps are
 * filled up by repeated entries, because changes of the number cost more. */
static const int32_t rounded[] = {0, 1, 2, 4, 6, 8, 12, 16};

enum { CLASSES = sizeof rounded / sizeof *rounded, COARSEST = 4 };

/* State while a schedule is found. A batch is the pieces that are taken together. */
struct schedule_making {
    const struct tree *tree;
    const struct structure *structure;
    const struct lengths *lengths;
    struct schedule *schedule;
    int threads, chunks;
    /* Arrays by position: */
    int32_t *size;  /* number of positions of its subtree; if that is larger than a piece, any
                       number larger than a piece's */
    int32_t *child; /* inside a piece: the first child; -1: none */
    int32_t *next;  /* inside a piece: the next child of the same parent; at a piece's root: the
                       next root of its batch; -1: none */
    int32_t *link;  /* next position in the same queue */
    int32_t *slot;
    int32_t *entries; /* number of entries of its step */
    /* Arrays by step: */
    int32_t *taken; /* position taken; before its batch is taken, the batch's first step has the
                       batch's first root */
    int32_t *batch; /* first step of each batch, `batches` entries */
    int32_t batches;
    int32_t base; /* first slot of the positions in pieces */
};

enum { MAKING_ARRAYS = 7 };

/* Counts in a chunk of the steps. */
struct step_counts {
    int64_t entries;   /* number of entries of the chunk's steps; later, of all steps before it */
    int32_t runs;      /* number of runs that begin in the chunk; later, of all runs that begin
                          before it */
    int32_t continued; /* number of steps at the chunk's beginning that belong to a run from
                          before */
};

/* Queues of the positions that may be taken next, one for each class of numbers of entries; the
 * longest waiting comes first. */
struct queues {
    int32_t head[CLASSES], tail[CLASSES], length[CLASSES];
};

static int32_t class_of(const struct schedule_making *m, int32_t at) {
    int32_t class = 0; /* counted without a branch, which the processor could not predict */
    for (int32_t k = 0; k < CLASSES - 1; k++)
        class += rounded[k] < m->tree->count[at];
    return class;
}

static int32_t entries_of(const struct schedule_making *m, int32_t at) {
    const int32_t class = class_of(m, at), more = m->tree->count[at] - rounded[class];
    return rounded[class] + (more > 0 ? (more + COARSEST - 1) / COARSEST * COARSEST : 0);
}

static void enqueue(const struct schedule_making *m, struct queues *q, int32_t at) {
    const int32_t class = class_of(m, at);
    m->link[at] = -1;
    if (q->length[class]++ == 0)
        q->head[class] = at;
    else
        m->link[q->tail[class]] = at;
    q->tail[class] = at;
}

/* Returns the class whose queue to take from after a step of `class`: the same, or the next lower
 * one that is not empty. */
static int32_t next_class(const struct queues *q, int32_t class) {
    while (q->length[class] == 0)
        class = class == 0 ? CLASSES - 1 : class - 1;
    return class;
}

/* Lists the children of the positions of a piece, the highest first. */
static void find_children(const struct schedule_making *m, int32_t root) {
    const int32_t low = root + 1 - m->size[root];
    memset(m->child + low, 0xff, (size_t)m->size[root] * sizeof *m->child); /* -1 */
    for (int32_t at = low; at < root; at++) {
        const int32_t parent = m->tree->parent[at];
        m->next[at] = m->child[parent];
        m->child[parent] = at;
    }
}

/* Takes all positions of a batch, in an order in which the number of entries seldom changes. */
static void take_batch(const struct schedule_making *m, int32_t first_step) {
    enum { WORTH = 8 }; /* number of repeated entries that cost as much as a change */
    struct queues q = {{0}, {0}, {0}};
    int32_t class = 0, size = 0;
    for (int32_t root = m->taken[first_step]; root >= 0; root = m->next[root]) {
        find_children(m, root);
        enqueue(m, &q, root);
        size += m->size[root];
    }
    for (int32_t taken = 0; taken < size; taken++) {
        const int32_t next = next_class(&q, class);
        const int32_t more = rounded[class] - rounded[next];
        if (next == 0 || more < 0 || more * q.length[next] > WORTH)
            class = next;
        const int32_t at = q.head[next], own = entries_of(m, at);
        q.head[next] = m->link[at];
        q.length[next]--;
        m->taken[first_step + taken] = at;
        m->slot[at] = m->base + taken;
        m->entries[at] = own > rounded[class] ? own : rounded[class];
        for (int32_t child = m->child[at]; child >= 0; child = m->next[child])
            enqueue(m, &q, child);
    }
}

/* Returns the first position, which is also the first step, of chunk c. */
static int32_t part_begin(const struct schedule_making *m, int c) {
    return (int32_t)chunk_begin(m->tree->fringe, m->chunks, c);
}

static bool is_in_piece(const struct schedule_making *m, int32_t at) {
    return m->size[at] <= block_sizes.piece_positions;
}

/* Finds the sizes of a chunk's subtrees, and the slots and numbers of entries of positions above
 * the pieces. A subtree that begins before the chunk reaches down to the next position that is not
 * deeper; sizes beyond a piece's are not exact. Returns the slot after the last one given out. */
static int32_t find_sizes(const struct schedule_making *m, int c) {
    const struct tree *tree = m->tree;
    const int32_t begin = part_begin(m, c), end = part_begin(m, c + 1);
    int32_t after = tree->n - tree->fringe;
    for (int32_t at = begin; at < end; at++)
        m->size[at] = 1;
    for (int32_t at = begin; at < end; at++) {
        const int32_t depth = tree->depth[at], parent = tree->parent[at];
        int32_t low = at + 1 - m->size[at];
        while (low <= begin && low > 0 && at - low < block_sizes.piece_positions &&
               tree->depth[low - 1] > depth)
            low--;
        m->size[at] = at + 1 - low;
        if (parent >= 0 && parent < end)
            m->size[parent] += m->size[at];
        if (is_in_piece(m, at))
            continue;
        m->slot[at] = tree->n - tree->fringe + depth;
        m->entries[at] = entries_of(m, at);
        after = m->slot[at] >= after ? m->slot[at] + 1 : after;
    }
    return after;
}

/* Pieces that wait to become a batch. */
struct waiting_pieces {
    int32_t first, last; /* first and last root of the pieces */
    int32_t size;
    int32_t depth; /* the largest depth of their parents; -1 if they have none */
};

/* Makes the waiting pieces the batch that begins at `step`. Returns the step after it. */
static int32_t end_batch(struct schedule_making *m, struct waiting_pieces *w, int32_t step) {
    const int32_t size = w->size;
    if (size > 0) {
        m->batch[m->batches++] = step;
        m->taken[step] = w->first;
        m->next[w->last] = -1;
    }
    *w = (struct waiting_pieces){.depth = -1};
    return step + size;
}

/* Goes down all trees, from the highest position to the lowest, and gives steps to the positions
 * above the pieces and to batches. A piece waits for other pieces as long as the labels of its
 * ancestors are kept. */
static void find_batches(struct schedule_making *m) {
    struct waiting_pieces w = {.depth = -1};
    int32_t step = 0;
    for (int32_t at = m->tree->fringe - 1; at >= 0;) {
        const int32_t depth = m->tree->depth[at];
        if (!is_in_piece(m, at)) {
            if (w.depth >= depth)
                step = end_batch(m, &w, step);
            m->taken[step++] = at--;
            continue;
        }
        if (w.size + m->size[at] > block_sizes.piece_positions)
            step = end_batch(m, &w, step);
        if (w.size == 0)
            w.first = at;
        else
            m->next[w.last] = at;
        w.last = at;
        w.size += m->size[at];
        w.depth = depth - 1 > w.depth ? depth - 1 : w.depth;
        at -= m->size[at];
    }
    end_batch(m, &w, step);
}

static bool begins_run(const struct schedule_making *m, int32_t step) {
    return step == 0 || m->entries[m->taken[step]] != m->entries[m->taken[step - 1]];
}

/* Counts each chunk of the steps, then turns the counts into sums over the chunks before it.
 * part[chunks] has the sums over all. */
static void count_parts(const struct schedule_making *m, struct step_counts *part) {
#pragma omp parallel for num_threads(m->threads) schedule(dynamic)
    for (int c = 0; c < m->chunks; c++) {
        part[c] = (struct step_counts){0};
        for (int32_t step = part_begin(m, c); step < part_begin(m, c + 1); step++) {
            part[c].entries += m->entries[m->taken[step]];
            part[c].runs += begins_run(m, step);
        }
    }
    struct step_counts before = {0};
    for (int c = 0; c <= m->chunks; c++) {
        const struct step_counts own = c < m->chunks ? part[c] : (struct step_counts){0};
        part[c] = before;
        before.entries += own.entries;
        before.runs += own.runs;
    }
}

static void fill_runs(const struct schedule_making *m, struct step_counts *part, int c) {
    int32_t run = part->runs;
    for (int32_t step = part_begin(m, c); step < part_begin(m, c + 1); step++) {
        if (begins_run(m, step))
            m->schedule->run[run++] = (struct schedule_run){m->entries[m->taken[step]], 0};
        if (run > part->runs)
            m->schedule->run[run - 1].steps++;
        else
            part->continued++;
    }
}

static void fill_entries(const struct schedule_making *m, const struct step_counts *part, int c) {
    const struct schedule *s = m->schedule;
    const struct structure *const structure = m->structure;
    const bool narrow = s->narrow_own != NULL;
    int64_t entry = part->entries;
    for (int32_t step = part_begin(m, c); step < part_begin(m, c + 1); step++) {
        const int32_t at = m->taken[step];
        s->step[at] = step;
        if (narrow)
            s->narrow_own[step] = (uint16_t)m->slot[at];
        else
            s->wide_own[step] = m->slot[at];
        const int64_t last = structure->first[at + 1] - 1;
        const int32_t entries = m->entries[at];
        for (int32_t k = 0; k < entries; k++, entry++) {
            const int64_t own = structure->first[at] + k, e = own < last ? own : last;
            const int32_t above = m->slot[structure->higher[e]];
            s->down[entry] = m->lengths->down[e];
            if (narrow)
                s->narrow_above[entry] = (uint16_t)above;
            else
                s->wide_above[entry] = above;
        }
    }
}

static void fill(const struct schedule_making *m, struct step_counts *part) {
#pragma omp parallel for num_threads(m->threads) schedule(dynamic)
    for (int c = 0; c < m->chunks; c++) {
        fill_runs(m, &part[c], c);
        fill_entries(m, &part[c], c);
    }
    for (int c = 0; c < m->chunks; c++) {
        if (part[c].continued > 0)
            m->schedule->run[part[c].runs - 1].steps += part[c].continued;
    }
}

/* Finds the slots and steps of all positions. */
static void find_steps(struct schedule_making *m) {
    const struct tree *tree = m->tree;
    int32_t base = tree->n - tree->fringe;
#pragma omp parallel for num_threads(m->threads) schedule(dynamic) reduction(max : base)
    for (int c = 0; c < m->chunks; c++) {
        const int32_t after = find_sizes(m, c);
        base = after > base ? after : base;
    }
    m->base = base;
    find_batches(m);
#pragma omp parallel for num_threads(m->threads) schedule(dynamic, 4)
    for (int32_t b = 0; b < m->batches; b++)
        take_batch(m, m->batch[b]);
#pragma omp parallel for num_threads(m->threads)
    for (int32_t at = tree->fringe; at < tree->n; at++) {
        m->slot[at] = at - tree->fringe;
        m->schedule->step[at] = -1;
    }
}

void schedule_free(struct schedule *schedule) {
    memory_free(schedule->step);
    memory_free(schedule->run);
    memory_free(schedule->steps);
    memory_free(schedule->entries);
    memory_free(schedule->down);
    *schedule = (struct schedule){0};
}

static enum status alloc_streams(struct schedule *s, size_t steps, const struct step_counts *all,
                                 struct error *err) {
    const bool narrow = s->slots <= UINT16_MAX + 1;
    const size_t slot = narrow ? sizeof(uint16_t) : sizeof(int32_t), entries = (size_t)all->entries;
    void *memory;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)all->runs, sizeof(struct schedule_run), "the schedule", err));
    s->run = memory;
    s->runs = all->runs;
    RETURN_ON_FAILURE(memory_alloc(&memory, entries, sizeof(path_length), "the schedule", err));
    s->down = memory;
    RETURN_ON_FAILURE(memory_alloc(&s->steps, steps, slot, "the schedule", err));
    RETURN_ON_FAILURE(memory_alloc(&s->entries, entries, slot, "the schedule", err));
    s->narrow_own = narrow ? s->steps : NULL;
    s->narrow_above = narrow ? s->entries : NULL;
    s->wide_own = narrow ? NULL : s->steps;
    s->wide_above = narrow ? NULL : s->entries;
    return STATUS_OK;
}

enum status schedule_find(const struct tree *tree, const struct structure *structure,
                          const struct lengths *lengths, int threads, struct schedule *schedule,
                          struct error *err) {
    const size_t n = (size_t)tree->n;
    const int used = threads_paid(threads, tree->n + tree->entries, block_sizes.thread_entries);
    struct schedule_making m = {.tree = tree,
                                .structure = structure,
                                .lengths = lengths,
                                .schedule = schedule,
                                .threads = used,
                                .chunks = chunks_for(used)};
    void *memory = NULL, *parts = NULL, *step;
    enum status status;
    *schedule = (struct schedule){0};
    TRY(memory_alloc(&memory, n, MAKING_ARRAYS * sizeof(int32_t), "the schedule", err));
    TRY(memory_alloc(&parts, (size_t)m.chunks + 1, sizeof(struct step_counts), "the schedule",
                     err));
    TRY(memory_alloc(&step, n, sizeof(int32_t), "the schedule", err));
    schedule->step = step;
    m.size = memory;
    m.child = m.size + n;
    m.next = m.child + n;
    m.link = m.next + n;
    m.slot = m.link + n;
    m.entries = m.slot + n;
    m.taken = m.entries + n;
    m.batch = schedule->step; /* schedule->step serves as scratch for the batches; it is filled when
                                 they are done */
    find_steps(&m);
    count_parts(&m, parts);
    schedule->slots =
        m.base +
        (tree->fringe < block_sizes.piece_positions ? tree->fringe : block_sizes.piece_positions);
    TRY(alloc_streams(schedule, n, (struct step_counts *)parts + m.chunks, err));
    fill(&m, parts);

cleanup:
    memory_free(memory);
    memory_free(parts);
    if (status != STATUS_OK)
        schedule_free(schedule);
    return status;
}
