// SPDX-License-Identifier: MIT
#include "elimination/schedule.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc

#include <stdbool.h>

/* Steps have one of these numbers of entries, or a multiple of the last one: fewer changes are
 * worth some entries that say the same twice. */
static const int32_t rounded[] = {0, 1, 2, 4, 6, 8, 12, 16};

enum { CLASSES = sizeof rounded / sizeof *rounded, COARSEST = 4 };

struct making {
    const struct tree *tree;
    int32_t *child, *next; /* of each position: the first child, and the next one of its parent */
    int32_t *size;         /* of its subtree */
    int32_t *slot;
    int32_t *taken; /* positions by their steps */
    int32_t count;  /* how many are taken */
    int32_t base;   /* the first slot of pieces */
    int32_t *link;  /* of each position in a queue: the next one */
    int32_t head[CLASSES], tail[CLASSES], length[CLASSES];
    int32_t *entries;      /* of each position taken: how many its step has */
    int32_t waiting_size;  /* of pieces whose roots are in a queue */
    int32_t waiting_depth; /* the largest depth of their parents; -1 if they have none */
};

enum { MAKING_ARRAYS = 7 };

static int32_t class_of(const struct making *m, int32_t at) {
    int32_t class = 0;
    while (class < CLASSES - 1 && rounded[class] < m->tree->count[at])
        class ++;
    return class;
}

static int32_t entries_of(const struct making *m, int32_t at) {
    const int32_t class = class_of(m, at), more = m->tree->count[at] - rounded[class];
    return rounded[class] + (more > 0 ? (more + COARSEST - 1) / COARSEST * COARSEST : 0);
}

static void enqueue(struct making *m, int32_t at) {
    const int32_t class = class_of(m, at);
    m->link[at] = -1;
    if (m->head[class] < 0)
        m->head[class] = at;
    else
        m->link[m->tail[class]] = at;
    m->tail[class] = at;
    m->length[class]++;
}

static void take(struct making *m, int32_t at, int32_t slot, int32_t entries) {
    m->taken[m->count++] = at;
    m->slot[at] = slot;
    m->entries[at] = entries;
}

/* The queue to take from after steps of `class`, if that has run empty. */
static int32_t next_class(const struct making *m, int32_t class) {
    while (m->length[class] == 0)
        class = class == 0 ? CLASSES - 1 : class - 1;
    return class;
}

/* All positions of the pieces that wait, in an order of few changes of the number of entries. */
static void take_pieces(struct making *m) {
    enum { WORTH = 8 }; /* entries too many that cost as much as a change */
    int32_t class = 0;
    for (int32_t taken = 0; taken < m->waiting_size; taken++) {
        const int32_t next = next_class(m, class);
        const int32_t more = rounded[class] - rounded[next];
        if (next == 0 || more < 0 || more * m->length[next] > WORTH)
            class = next;
        const int32_t at = m->head[next], own = entries_of(m, at);
        m->head[next] = m->link[at];
        m->length[next]--;
        take(m, at, m->base + taken, own > rounded[class] ? own : rounded[class]);
        for (int32_t child = m->child[at]; child >= 0; child = m->next[child])
            enqueue(m, child);
    }
    m->waiting_size = 0;
    m->waiting_depth = -1;
}

static bool is_in_piece(const struct making *m, int32_t at) {
    return m->size[at] <= block_sizes.piece_positions;
}

/* A piece waits for others, as long as the labels of what is above it are kept. */
static void add_piece(struct making *m, int32_t root) {
    const int32_t depth = m->tree->depth[root] - 1;
    if (m->waiting_size + m->size[root] > block_sizes.piece_positions)
        take_pieces(m);
    enqueue(m, root);
    m->waiting_size += m->size[root];
    m->waiting_depth = depth > m->waiting_depth ? depth : m->waiting_depth;
}

static void take_top(struct making *m, int32_t at) {
    const int32_t depth = m->tree->depth[at];
    if (m->waiting_depth >= depth)
        take_pieces(m);
    take(m, at, m->tree->n - m->tree->fringe + depth, entries_of(m, at));
}

/* The tree below `root`, from the top. */
static void take_tree(struct making *m, int32_t root) {
    if (is_in_piece(m, root)) {
        add_piece(m, root);
        return;
    }
    take_top(m, root);
    for (int32_t at = root;;) {
        const int32_t child = m->child[at];
        if (child < 0 && at == root)
            return;
        if (child < 0) {
            at = m->tree->parent[at];
            continue;
        }
        m->child[at] = m->next[child];
        if (is_in_piece(m, child)) {
            add_piece(m, child);
        } else {
            take_top(m, child);
            at = child;
        }
    }
}

/* Children, sizes of subtrees, and the slots that depths above the pieces take. */
static void begin(struct making *m) {
    const struct tree *tree = m->tree;
    for (int32_t at = 0; at < tree->fringe; at++) {
        m->child[at] = -1;
        m->size[at] = 1;
    }
    for (int32_t at = 0; at < tree->fringe; at++) {
        const int32_t parent = tree->parent[at];
        if (parent < 0)
            continue;
        m->size[parent] += m->size[at];
        m->next[at] = m->child[parent];
        m->child[parent] = at;
    }
    m->base = tree->n - tree->fringe;
    for (int32_t at = 0; at < tree->fringe; at++) {
        const int32_t after = tree->n - tree->fringe + tree->depth[at] + 1;
        if (!is_in_piece(m, at) && after > m->base)
            m->base = after;
    }
    for (int class = 0; class < CLASSES; class ++)
        m->head[class] = -1, m->length[class] = 0;
    m->waiting_size = 0;
    m->waiting_depth = -1;
}

static void find_runs(const struct making *m, struct schedule *s) {
    s->runs = 0;
    for (int32_t step = 0; step < m->count; step++) {
        const int32_t entries = m->entries[m->taken[step]];
        if (step == 0 || s->run[s->runs - 1].entries != entries)
            s->run[s->runs++] = (struct schedule_run){entries, 0};
        s->run[s->runs - 1].steps++;
    }
}

static void find_entries(const struct making *m, const struct structure *structure,
                         const struct lengths *lengths, struct schedule *s) {
    const bool narrow = s->narrow_own != NULL;
    int64_t entry = 0;
    for (int32_t step = 0; step < m->count; step++) {
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
            s->down[entry] = lengths->down[e];
            if (narrow)
                s->narrow_above[entry] = (uint16_t)above;
            else
                s->wide_above[entry] = above;
        }
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

static enum status schedule_alloc(struct schedule *s, size_t n, size_t entries, bool narrow,
                                  struct error *err) {
    const size_t slot = narrow ? sizeof(uint16_t) : sizeof(int32_t);
    void *step = NULL, *run = NULL, *down = NULL;
    enum status status;
    TRY(memory_alloc(&step, n, sizeof(int32_t), "the schedule", err));
    s->step = step;
    TRY(memory_alloc(&run, n, sizeof(struct schedule_run), "the schedule", err));
    s->run = run;
    TRY(memory_alloc(&down, entries, sizeof(path_length), "the schedule", err));
    s->down = down;
    TRY(memory_alloc(&s->steps, n, slot, "the schedule", err));
    TRY(memory_alloc(&s->entries, entries, slot, "the schedule", err));
    s->narrow_own = narrow ? s->steps : NULL;
    s->narrow_above = narrow ? s->entries : NULL;
    s->wide_own = narrow ? NULL : s->steps;
    s->wide_above = narrow ? NULL : s->entries;

cleanup:
    return status;
}

enum status schedule_find(const struct tree *tree, const struct structure *structure,
                          const struct lengths *lengths, struct schedule *schedule,
                          struct error *err) {
    const size_t n = (size_t)tree->n;
    size_t entries = 0;
    struct making m = {.tree = tree};
    void *memory;
    *schedule = (struct schedule){0};
    RETURN_ON_FAILURE(
        memory_alloc(&memory, n, MAKING_ARRAYS * sizeof(int32_t), "the schedule", err));
    m.child = memory;
    m.next = m.child + n;
    m.size = m.next + n;
    m.slot = m.size + n;
    m.taken = m.slot + n;
    m.link = m.taken + n;
    m.entries = m.link + n;
    begin(&m);
    for (int32_t at = tree->fringe - 1; at >= 0; at--) {
        if (tree->parent[at] < 0)
            take_tree(&m, at);
    }
    take_pieces(&m);
    for (int32_t at = 0; at < tree->fringe; at++)
        entries += (size_t)m.entries[at];
    schedule->slots =
        m.base +
        (tree->fringe < block_sizes.piece_positions ? tree->fringe : block_sizes.piece_positions);
    const enum status status =
        schedule_alloc(schedule, n, entries, schedule->slots <= UINT16_MAX + 1, err);
    if (status == STATUS_OK) {
        for (int32_t at = tree->fringe; at < tree->n; at++) {
            m.slot[at] = at - tree->fringe;
            schedule->step[at] = -1;
        }
        find_runs(&m, schedule);
        find_entries(&m, structure, lengths, schedule);
    } else {
        schedule_free(schedule);
    }
    memory_free(memory);
    return status;
}
