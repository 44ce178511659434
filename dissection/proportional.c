// SPDX-License-Identifier: MIT
#include "dissection/proportional.h"

#include "common/base/memory.h"              // memory_alloc
#include "common/graph/graph.h"              // INF
#include "dissection/proportional_kernels.h" // proportional_kernels

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    LANES = PROPORTIONAL_LANES,
    SHARD_BITS = 5,
    FIRST_ROOM_BITS = 6, /* a shard has room for 64 classes, then for twice as many more, ... */
    FIRST_ROOM = 1 << FIRST_ROOM_BITS,
    CHUNKS = 31 - SHARD_BITS - FIRST_ROOM_BITS,
    NO_CLASS = -1,
    TASK_STEPS = 1 << 20, /* work of more is divided among threads */
    TASKS_A_THREAD = 8,
    CLASS_STEPS = 300, /* to find a class; and for each label of the boundary */
    LABEL_STEPS = 10,
};

#define AT(number) ((ptrdiff_t)(number)*LANES)

/* Where to find the classes of a shard by their hashes. */
struct slots {
    struct slots *older; /* which had become too small; other threads may still look there */
    uint32_t mask;       /* their number - 1 */
    uint64_t slot[];     /* a hash and, in the lower half, the number of its class + 1; 0: empty */
};

/* A part of a table, to which one thread at a time adds, while others look for classes. */
struct shard {
    int32_t *chunk[CHUNKS]; /* rows of FIRST_ROOM << c classes each, as in struct proportional_rows;
                               they stay where they are */
    struct slots *slots;    /* NULL: there are no classes */
    int32_t count;          /* classes */
    int32_t first;          /* number of its first class, when all are known */
    char is_locked;
};

/* A set of classes, in one shard, or in several by the highest bits of their hashes. */
struct table {
    size_t pitch; /* of rows */
    int bits;     /* 0 or SHARD_BITS */
    struct shard *shard;
    int32_t count; /* of all shards, when all are known */
};

/* The class of a row of the parent, and what is to be added to all labels. */
struct reference {
    int32_t class; /* its number in its shard, times the number of shards, and the shard; or
                      NO_CLASS: there is no path into the region */
    int32_t constant;
};

struct class_totals {
    int64_t sum;
    int32_t reached, farthest;
};

/* What is known of a region. Its rows are those of the sources in it, then those of its classes. */
struct place {
    int32_t first, sources;      /* those in it */
    int32_t *up;                 /* their distances to the boundary, inside the region; */
    int32_t *above;              /* their distances to the boundary */
    struct table classes;        /* of the parent's rows, other than those of these sources */
    struct reference *reference; /* of each row of the parent */
    struct class_totals *total;  /* of each class */
};

/* One thread's. */
struct worker {
    int32_t *label; /* room for those of the largest region */
    struct proportional_rows rows;
};

struct solving {
    const struct proportional_graph *g;
    const struct proportional_kernels *kernels;
    struct regions regions;
    struct place *place; /* of each region */
    const int32_t *source;
    struct row_totals *out;
    int threads;
    int tasks; /* that a loop is divided into: OpenMP's library runs all on one thread if they are
                  more than 64 for each */
    struct worker *worker; /* of each thread */
    int32_t *boundary;     /* 0, 1, 2, ...: a number for each label of the largest region */
    int64_t *step;         /* of each region: those of a row, if there were no regions inside */
    struct progress *progress;
    int64_t positions;     /* that are done, */
    int64_t all_positions; /* of so many */
    int64_t steps;         /* that were taken; a relaxation is one */
    int32_t failed;        /* enum status: of a thread that failed */
};

static void note_failure(struct solving *s, enum status status) {
    if (status != STATUS_OK)
        __atomic_store_n(&s->failed, (int32_t)status, __ATOMIC_RELAXED);
}

static bool goes_on(const struct solving *s) {
    return __atomic_load_n(&s->failed, __ATOMIC_RELAXED) == STATUS_OK &&
           progress_goes_on(s->progress);
}

/* Memory without a message, which the main thread finds: there is only one reason. */
static bool alloc(struct solving *s, void **memory, size_t count, size_t size) {
    struct error ignored;
    const enum status status = memory_alloc(memory, count, size, "proportional rows", &ignored);
    note_failure(s, status);
    return status == STATUS_OK;
}

// Classes -----------------------------------------------------------------------------------------

static bool table_begin(struct solving *s, struct table *t, size_t pitch, bool is_shared) {
    const int bits = is_shared ? SHARD_BITS : 0;
    void *memory;
    if (!alloc(s, &memory, (size_t)1 << bits, sizeof *t->shard))
        return false;
    memset(memory, 0, ((size_t)1 << bits) * sizeof *t->shard);
    *t = (struct table){.pitch = pitch, .bits = bits, .shard = memory};
    return true;
}

static void free_slots(struct shard *shard) {
    while (shard->slots != NULL) {
        struct slots *const older = shard->slots->older;
        memory_free(shard->slots);
        shard->slots = older;
    }
}

static void table_free(struct table *t) {
    for (int k = 0; t->shard != NULL && k < 1 << t->bits; k++) {
        free_slots(&t->shard[k]);
        for (int c = 0; c < CHUNKS; c++)
            memory_free(t->shard[k].chunk[c]);
    }
    memory_free(t->shard);
    *t = (struct table){0};
}

static void lock(const struct table *t, struct shard *shard) {
    while (t->bits > 0 && __atomic_exchange_n(&shard->is_locked, 1, __ATOMIC_ACQUIRE) != 0)
        ;
}

static void unlock(const struct table *t, struct shard *shard) {
    if (t->bits > 0)
        __atomic_store_n(&shard->is_locked, 0, __ATOMIC_RELEASE);
}

/* Which chunk has the row of a class, and how many classes the chunks before it have. */
static int chunk_of(int32_t class, int32_t *before) {
    const int chunk = 31 - __builtin_clz(((uint32_t) class >> FIRST_ROOM_BITS) + 1);
    *before = (FIRST_ROOM << chunk) - FIRST_ROOM;
    return chunk;
}

static int32_t *class_row(const struct table *t, const struct shard *shard, int32_t class) {
    int32_t before;
    const int chunk = chunk_of(class, &before);
    return shard->chunk[chunk] + (size_t)(class - before) * t->pitch;
}

static uint64_t slot_for(uint32_t hash, int32_t class) {
    return (uint64_t)hash << 32 | ((uint32_t) class + 1);
}

/* Finds the class of a row; NO_CLASS: it is not there yet, and would be in *empty. */
static int32_t look_up(const struct table *t, const struct shard *shard, struct slots *slots,
                       const int32_t *row, uint32_t hash, uint64_t **empty) {
    for (uint32_t k = hash;; k++) {
        uint64_t *const slot = &slots->slot[k & slots->mask];
        const uint64_t found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
        const int32_t class = (int32_t)((uint32_t)found - 1);
        *empty = slot;
        if (found == 0)
            return NO_CLASS;
        if ((uint32_t)(found >> 32) == hash &&
            memcmp(class_row(t, shard, class), row, t->pitch * sizeof *row) == 0)
            return class;
    }
}

/* Makes room for another class, and slots enough that a third stay empty. */
static bool make_room(struct solving *s, const struct table *t, struct shard *shard) {
    struct slots *const older = shard->slots;
    const uint32_t slots = older == NULL ? 4 * FIRST_ROOM : 2 * (older->mask + 1);
    int32_t before;
    const int chunk = chunk_of(shard->count, &before);
    void *memory;
    if (chunk == CHUNKS) {
        note_failure(s, STATUS_NO_RESOURCE);
        return false;
    }
    if (shard->chunk[chunk] == NULL) {
        if (!alloc(s, &memory, t->pitch << chunk << FIRST_ROOM_BITS, sizeof(int32_t)))
            return false;
        shard->chunk[chunk] = memory;
    }
    if (older != NULL && (uint64_t)shard->count * 3 < (uint64_t)(older->mask + 1) * 2)
        return true;
    if (!alloc(s, &memory, 1, sizeof *older + slots * sizeof *older->slot))
        return false;
    struct slots *const larger = memory;
    *larger = (struct slots){.older = older, .mask = slots - 1};
    memset(larger->slot, 0, slots * sizeof *larger->slot);
    for (uint32_t k = 0; older != NULL && k <= older->mask; k++) {
        uint32_t to = (uint32_t)(older->slot[k] >> 32);
        if (older->slot[k] == 0)
            continue;
        while (larger->slot[to & larger->mask] != 0)
            to++;
        larger->slot[to & larger->mask] = older->slot[k];
    }
    __atomic_store_n(&shard->slots, larger, __ATOMIC_RELEASE);
    return true;
}

/* Adds the class of a row, unless another thread has. */
static int32_t add_class(struct solving *s, const struct table *t, struct shard *shard,
                         const int32_t *row, uint32_t hash) {
    int32_t class = NO_CLASS;
    uint64_t *empty;
    lock(t, shard);
    if (make_room(s, t, shard)) {
        class = look_up(t, shard, shard->slots, row, hash, &empty);
        if (class == NO_CLASS) {
            class = shard->count++;
            memcpy(class_row(t, shard, class), row, t->pitch * sizeof *row);
            __atomic_store_n(empty, slot_for(hash, class), __ATOMIC_RELEASE);
        }
    }
    unlock(t, shard);
    return class;
}

static struct shard *shard_for(const struct table *t, uint32_t hash) {
    return &t->shard[t->bits > 0 ? hash >> (32 - SHARD_BITS) : 0];
}

/* Returns the class of a row, as in struct reference, which it adds if it is new. */
static int32_t find_class(struct solving *s, const struct table *t, const int32_t *row,
                          uint32_t hash) {
    struct shard *const shard = shard_for(t, hash);
    struct slots *const slots = __atomic_load_n(&shard->slots, __ATOMIC_ACQUIRE);
    int32_t class = NO_CLASS;
    uint64_t *empty;
    if (slots != NULL)
        class = look_up(t, shard, slots, row, hash, &empty);
    if (class == NO_CLASS)
        class = add_class(s, t, shard, row, hash);
    return class == NO_CLASS ? NO_CLASS
                             : (int32_t)((uint32_t) class << t->bits | (shard - t->shard));
}

/* Has the caches fetch what find_class is about to read for `count` lanes: the slots, then the rows
 * of their classes. */
static void fetch_classes(const struct table *t, const uint32_t *hash, int32_t count) {
    const struct slots *slots[LANES];
    for (int32_t lane = 0; lane < count; lane++) {
        slots[lane] = __atomic_load_n(&shard_for(t, hash[lane])->slots, __ATOMIC_ACQUIRE);
        if (slots[lane] != NULL)
            __builtin_prefetch(&slots[lane]->slot[hash[lane] & slots[lane]->mask]);
    }
    for (int32_t lane = 0; lane < count; lane++) {
        const uint64_t found =
            slots[lane] == NULL
                ? 0
                : __atomic_load_n(&slots[lane]->slot[hash[lane] & slots[lane]->mask],
                                  __ATOMIC_ACQUIRE);
        if (found != 0)
            __builtin_prefetch(
                class_row(t, shard_for(t, hash[lane]), (int32_t)((uint32_t)found - 1)));
    }
}

/* All classes are known: numbers them, and keeps only their rows. */
static void table_end(struct table *t) {
    t->count = 0;
    for (int k = 0; k < 1 << t->bits; k++) {
        t->shard[k].first = t->count;
        t->count += t->shard[k].count;
        free_slots(&t->shard[k]);
    }
}

/* The number of a reference's class. */
static int32_t class_number(const struct table *t, int32_t class) {
    return t->shard[class & ((1 << t->bits) - 1)].first + (class >> t->bits);
}

static int32_t min_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Copies the row of class number `first` + i to lane i, i < count. */
static void load_classes(const struct solving *s, const struct table *t, int32_t width,
                         int32_t first, int32_t count, int32_t *label) {
    int32_t lane = 0, before, some;
    for (const struct shard *shard = t->shard; lane < count; shard++) {
        for (; lane < count && first + lane < shard->first + shard->count; lane += some) {
            const int32_t class = first + lane - shard->first;
            const int chunk = chunk_of(class, &before);
            const int32_t end = min_of(shard->count, before + (FIRST_ROOM << chunk));
            some = min_of(end - class, count - lane);
            s->kernels->take_rows(class_row(t, shard, class), some, width, NULL, label + lane);
        }
    }
}

// Strips ------------------------------------------------------------------------------------------

static struct proportional_region region_of(const struct solving *s, const struct region *r) {
    return (struct proportional_region){.own = r->own,
                                        .width = r->width,
                                        .position = s->regions.own_position + r->first_own,
                                        .first = s->g->structure->first,
                                        .local = s->regions.local,
                                        .up = s->g->lengths.up,
                                        .down = s->g->lengths.down};
}

static void fill(int32_t *label, int32_t from, int32_t to) {
    for (ptrdiff_t k = AT(from); k < AT(to); k++)
        label[k] = INF;
}

/* The region inside region k with a position, or k itself if it is an own one. near: such a region,
 * of a position nearby. */
static int32_t inside(const struct solving *s, int32_t k, int32_t position, int32_t near) {
    const struct region *const region = s->regions.region;
    if (near != k && position >= region[near].low && position < region[near].high)
        return near;
    int32_t c = s->regions.of[position];
    while (c != k && region[c].parent != k)
        c = region[c].parent;
    return c;
}

/* The row of a source in rows of a region's sources. */
static int32_t *row_of(const struct solving *s, int32_t k, int32_t *rows, int32_t source) {
    return rows + (size_t)(source - s->place[k].first) *
                      (size_t)proportional_pitch(s->regions.region[k].width);
}

/* Finds the labels of region k from `count` of its sources, by paths inside. */
static void find_up(const struct solving *s, int32_t k, int32_t first, int32_t count,
                    int32_t *label) {
    const struct region *const r = &s->regions.region[k];
    const struct proportional_region region = region_of(s, r);
    const int32_t end = s->place[k].first + first + count;
    int32_t c = k, some;
    fill(label, 0, r->own + r->width);
    for (int32_t source = end - count, lane = 0; source < end; source += some, lane += some) {
        const int32_t position = s->source[source];
        some = 1;
        c = inside(s, k, position, c);
        if (c == k) {
            label[AT(s->regions.own_number[position]) + lane] = 0;
            continue;
        }
        const struct region *const child = &s->regions.region[c];
        const int32_t child_end = s->place[c].first + s->place[c].sources;
        some = (child_end < end ? child_end : end) - source;
        s->kernels->take_rows(row_of(s, c, s->place[c].up, source), some, child->width,
                              s->regions.outer + child->outer, label + lane);
    }
    s->kernels->up(&region, label);
}

/* Finds the classes of `count` rows from number `row` on in region c, inside that of the labels.
 * source: the first row's, which the others' follow, or -1: they are classes. */
static void classify(struct solving *s, int32_t c, int32_t row, int32_t source, int32_t count,
                     struct worker *w) {
    const struct region *const child = &s->regions.region[c];
    struct place *const place = &s->place[c];
    const int32_t *const number = s->regions.outer + child->outer;
    const int32_t own_end = place->first + place->sources;
    const size_t pitch = place->classes.pitch;
    const bool inside =
        source >= place->first && source + count <= own_end; /* all of them: no classes */
    s->kernels->make_rows(w->label, number, child->width, !inside, &w->rows);
    if (inside) {
        memcpy(row_of(s, c, place->above, source), w->rows.row,
               (size_t)count * pitch * sizeof *place->above);
        return;
    }
    fetch_classes(&place->classes, w->rows.hash, count);
    for (int32_t lane = 0; lane < count; lane++) {
        const int32_t *const own = w->rows.row + (size_t)lane * pitch;
        const int32_t least = w->rows.least[lane], from = source + lane;
        if (source >= 0 && from >= place->first && from < own_end) {
            int32_t *const above = row_of(s, c, place->above, from);
            for (int32_t b = 0; b < child->width; b++)
                above[b] = own[b] < INF ? own[b] + least : INF;
            continue;
        }
        place->reference[row + lane] = (struct reference){
            .class =
                least >= INF ? NO_CLASS : find_class(s, &place->classes, own, w->rows.hash[lane]),
            .constant = least};
    }
}

static void add_totals(struct row_totals *to, int64_t sum, int32_t reached, int32_t farthest) {
    to->sum += sum;
    to->reached += reached;
    to->farthest = farthest > to->farthest ? farthest : to->farthest;
}

/* A strip of a region's rows: numbers first .. first + count - 1 of its sources, or, if not
 * of_sources, of its classes. */
static void take_strip(struct solving *s, int32_t k, bool of_sources, int32_t first,
                       int32_t count) {
    const struct region *const r = &s->regions.region[k];
    const struct proportional_region region = region_of(s, r);
    struct place *const place = &s->place[k];
    struct worker *const w = &s->worker[omp_get_thread_num()];
    int32_t *const label = w->label, *const boundary = label + AT(r->own);
    struct proportional_sums sums;
    if (of_sources) {
        find_up(s, k, first, count, label);
        s->kernels->take_rows(row_of(s, k, place->above, place->first + first), count, r->width,
                              NULL, boundary);
        s->kernels->lower(&region, label);
    } else {
        if (count < LANES)
            fill(boundary, 0, r->width);
        load_classes(s, &place->classes, r->width, first, count, boundary);
        s->kernels->down(&region, label);
    }
    memset(&sums, 0, sizeof sums);
    s->kernels->sum(label, r->own, &sums);
    for (int32_t lane = 0; lane < count; lane++) {
        if (of_sources)
            add_totals(&s->out[place->first + first + lane], sums.sum[lane], sums.reached[lane],
                       sums.farthest[lane]);
        else
            place->total[first + lane] =
                (struct class_totals){sums.sum[lane], sums.reached[lane], sums.farthest[lane]};
    }
    for (int32_t c = r->child; c >= 0; c = s->regions.region[c].sibling)
        classify(s, c, (of_sources ? 0 : place->sources) + first,
                 of_sources ? place->first + first : -1, count, w);
}

// Regions -----------------------------------------------------------------------------------------

/* Whether all threads work on region k together: there are not enough others of its size. */
static bool is_large(const struct solving *s, int32_t k) {
    enum { REGIONS_A_THREAD = 4, FEW = 64 * LANES };
    const struct region *const r = &s->regions.region[k];
    return s->threads > 1 && s->place[k].sources + s->place[k].classes.count > FEW &&
           (int64_t)(r->high - r->low) * REGIONS_A_THREAD * s->threads > s->g->tree->n;
}

/* Finds `up` of region k and of all regions inside. */
static void climb(struct solving *s, int32_t k) {
    const struct region *const r = &s->regions.region[k];
    struct place *const place = &s->place[k];
    const int32_t sources = place->sources;
    void *memory;
    for (int32_t c = r->child; c >= 0; c = s->regions.region[c].sibling) {
        if (s->place[c].sources == 0)
            continue;
#pragma omp task firstprivate(c) if (s->step[c] * s->place[c].sources > TASK_STEPS)
        climb(s, c);
    }
#pragma omp taskwait
    if (k == 0 || !goes_on(s) ||
        !alloc(s, &memory, (size_t)sources * (size_t)proportional_pitch(r->width),
               sizeof *place->up))
        return;
    place->up = memory;
    const int32_t strips = (sources - 1) / LANES + 1;
#pragma omp taskloop num_tasks(s->tasks) if (is_large(s, k))
    for (int32_t strip = 0; strip < strips; strip++) {
        const int32_t first = strip * LANES;
        const int32_t count = sources - first < LANES ? sources - first : LANES;
        struct worker *const w = &s->worker[omp_get_thread_num()];
        find_up(s, k, first, count, w->label);
        s->kernels->make_rows(w->label, s->boundary + r->own, r->width, false, &w->rows);
        memcpy(row_of(s, k, place->up, place->first + first), w->rows.row,
               (size_t)count * (size_t)proportional_pitch(r->width) * sizeof *place->up);
    }
}

/* Makes room for what the rows of region k say of region c inside. */
static bool prepare(struct solving *s, int32_t k, int32_t c, bool is_shared) {
    struct place *const place = &s->place[c];
    const size_t pitch = (size_t)proportional_pitch(s->regions.region[c].width);
    const size_t rows = (size_t)s->place[k].sources + (size_t)s->place[k].classes.count;
    void *memory;
    if (!alloc(s, &memory, rows, sizeof *place->reference))
        return false;
    place->reference = memory;
    if (!alloc(s, &memory, (size_t)place->sources * pitch, sizeof *place->above))
        return false;
    place->above = memory;
    return table_begin(s, &place->classes, pitch, is_shared);
}

static bool prepare_children(struct solving *s, int32_t k, bool is_shared) {
    bool prepared = true;
    for (int32_t c = s->regions.region[k].child; c >= 0; c = s->regions.region[c].sibling)
        prepared = prepared && prepare(s, k, c, is_shared);
    return prepared;
}

/* Takes all rows of region k. */
static void take_rows(struct solving *s, int32_t k, bool is_shared) {
    struct place *const place = &s->place[k];
    const int32_t of_sources = (place->sources + LANES - 1) / LANES;
    const int32_t of_classes = (place->classes.count + LANES - 1) / LANES;
#pragma omp taskloop num_tasks(s->tasks) if (is_shared)
    for (int32_t strip = 0; strip < of_sources + of_classes; strip++) {
        const bool source = strip < of_sources;
        const int32_t all = source ? place->sources : place->classes.count;
        const int32_t first = (source ? strip : strip - of_sources) * LANES;
        if (goes_on(s))
            take_strip(s, k, source, first, all - first < LANES ? all - first : LANES);
    }
}

/* Adds the totals of region c to those of rows of region k around it. */
static void add_child(struct solving *s, int32_t k, int32_t c, int32_t from, int32_t to) {
    const struct place *const place = &s->place[k], *const inner = &s->place[c];
    for (int32_t row = from; row < to; row++) {
        const struct reference own = inner->reference[row];
        const bool of_source = row < place->sources;
        const int32_t source = place->first + row;
        if (of_source && source >= inner->first && source < inner->first + inner->sources)
            continue;
        if (own.class == NO_CLASS)
            continue;
        const struct class_totals *const total =
            &inner->total[class_number(&inner->classes, own.class)];
        const int64_t sum = total->sum + (int64_t)total->reached * own.constant;
        const int32_t farthest = total->farthest + own.constant;
        if (total->reached == 0)
            continue;
        if (of_source) {
            add_totals(&s->out[source], sum, total->reached, farthest);
            continue;
        }
        struct class_totals *const sums = &place->total[row - place->sources];
        sums->sum += sum;
        sums->reached += total->reached;
        sums->farthest = farthest > sums->farthest ? farthest : sums->farthest;
    }
}

static void add_children(struct solving *s, int32_t k, bool is_shared) {
    enum { ROWS = 1 << 10 };
    const int32_t rows = s->place[k].sources + s->place[k].classes.count;
    const int32_t first_child = s->regions.region[k].child;
#pragma omp taskloop num_tasks(s->tasks) if (is_shared)
    for (int32_t from = 0; from < rows; from += ROWS) {
        for (int32_t c = first_child; c >= 0; c = s->regions.region[c].sibling)
            add_child(s, k, c, from, rows - from < ROWS ? rows : from + ROWS);
    }
}

static void place_free(struct place *place) {
    memory_free(place->up);
    memory_free(place->above);
    memory_free(place->reference);
    memory_free(place->total);
    table_free(&place->classes);
    place->up = place->above = NULL;
    place->reference = NULL;
    place->total = NULL;
}

static void count_positions(struct solving *s, int32_t more) {
    int64_t done;
#pragma omp atomic capture
    done = s->positions += more;
    if (omp_get_thread_num() == 0)
        progress_report(s->progress, done, s->all_positions);
}

/* Counts the steps of take_rows. */
static void count_steps(struct solving *s, int32_t k) {
    const struct region *const r = &s->regions.region[k];
    const int64_t rows = (int64_t)s->place[k].sources + s->place[k].classes.count;
    int64_t steps = rows * s->step[k];
    for (int32_t c = r->child; c >= 0; c = s->regions.region[c].sibling) {
        steps -= rows * s->step[c];
        steps +=
            (rows - s->place[c].sources) * (CLASS_STEPS + LABEL_STEPS * s->regions.region[c].width);
    }
#pragma omp atomic
    s->steps += steps;
}

/* Finds the totals of all rows of region k. */
static void solve_region(struct solving *s, int32_t k) {
    const struct region *const region = s->regions.region;
    struct place *const place = &s->place[k];
    const bool is_shared = is_large(s, k);
    void *memory;
    if (!goes_on(s) || !alloc(s, &memory, (size_t)place->classes.count, sizeof *place->total))
        return;
    place->total = memory;
    if (!prepare_children(s, k, is_shared))
        return;
    take_rows(s, k, is_shared);
    count_steps(s, k);
    memory_free(place->above);
    place->above = NULL;
    for (int32_t c = region[k].child; c >= 0; c = region[c].sibling) {
        memory_free(s->place[c].up);
        s->place[c].up = NULL;
        table_end(&s->place[c].classes);
    }
    for (int32_t c = region[k].child; c >= 0; c = region[c].sibling) {
        const int64_t own = (int64_t)s->place[c].sources + s->place[c].classes.count;
#pragma omp task firstprivate(c) if (s->step[c] * own > TASK_STEPS)
        solve_region(s, c);
    }
#pragma omp taskwait
    if (!goes_on(s))
        return;
    add_children(s, k, is_shared);
    for (int32_t c = region[k].child; c >= 0; c = region[c].sibling)
        place_free(&s->place[c]);
    count_positions(s, region[k].own);
}

// All of it ---------------------------------------------------------------------------------------

/* The number of sources below a position. */
static int32_t sources_below(const int32_t *source, int32_t count, int32_t position) {
    int32_t from = 0, to = count;
    while (from < to) {
        const int32_t middle = from + (to - from) / 2;
        if (source[middle] < position)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static enum status prepare_all(struct solving *s, int32_t count, struct error *err) {
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
        RETURN_ON_FAILURE(memory_alloc(&memory, cells, sizeof(int32_t), what, err));
        s->worker[t].label = memory;
        RETURN_ON_FAILURE(memory_alloc(&memory, cells + 3 * LANES, sizeof(int32_t), what, err));
        s->worker[t].rows.row = memory;
    }
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)s->regions.largest, sizeof *s->boundary, what, err));
    s->boundary = memory;
    for (int32_t k = 0; k < s->regions.largest; k++)
        s->boundary[k] = k;
    for (int32_t k = 0; k < s->regions.count; k++) {
        const struct region *const r = &s->regions.region[k];
        const int64_t *const first = s->g->structure->first;
        s->place[k].first = sources_below(s->source, count, r->low);
        s->place[k].sources = sources_below(s->source, count, r->high) - s->place[k].first;
        s->step[k] = r->high - r->low + first[r->high] - first[r->low];
    }
    return STATUS_OK;
}

static void free_all(struct solving *s) {
    for (int32_t k = 0; s->place != NULL && k < s->regions.count; k++)
        place_free(&s->place[k]);
    for (int t = 0; s->worker != NULL && t < s->threads; t++) {
        memory_free(s->worker[t].label);
        memory_free(s->worker[t].rows.row);
    }
    memory_free(s->place);
    memory_free(s->step);
    memory_free(s->worker);
    memory_free(s->boundary);
}

/* Solves for the sources of *s. */
static enum status run(struct solving *s, int32_t count, struct error *err) {
    enum status status;
    memset(s->out, 0, (size_t)count * sizeof *s->out);
    TRY(prepare_all(s, count, err));
#pragma omp parallel num_threads(s->threads)
#pragma omp master
    {
        climb(s, 0);
        solve_region(s, 0);
    }
    if (s->failed != STATUS_OK)
        status = fail(err, (enum status)s->failed, "out of memory: proportional rows");
    else if (!progress_goes_on(s->progress))
        status = progress_cancelled(err);

cleanup:
    free_all(s);
    return status;
}

/* Solves for the sources of *s, as many at a time as there is memory for. Neighbours are alike:
 * little is lost if they are next to each other. */
static enum status run_in_parts(const struct solving *all, int32_t count, int32_t at_a_time,
                                struct error *err) {
    /* Rows of sources, their distances up and those above, and the classes beside them. */
    enum { COPIES = 3, PART_OF_ROOM = 2 };
    const uint64_t room = memory_room() / PART_OF_ROOM;
    uint64_t bytes = 0;
    for (int32_t k = 0; k < all->regions.count; k++) {
        const struct region *const r = &all->regions.region[k];
        const int32_t sources =
            sources_below(all->source, count, r->high) - sources_below(all->source, count, r->low);
        bytes +=
            COPIES * sizeof(int32_t) * (uint64_t)sources * (uint64_t)proportional_pitch(r->width);
    }
    int64_t parts = (int64_t)(bytes / (room > 0 ? room : 1)) + 1;
    if (at_a_time > 0)
        parts = (count - 1) / at_a_time + 1;
    if (parts > count)
        parts = count;
    for (int64_t p = 0; p < parts; p++) {
        struct solving s = *all;
        const int32_t first = (int32_t)(p * count / parts);
        s.source = all->source + first;
        s.out = all->out + first;
        s.positions = p * s.g->tree->n;
        s.all_positions = parts * s.g->tree->n;
        RETURN_ON_FAILURE(run(&s, (int32_t)((p + 1) * count / parts) - first, err));
    }
    return STATUS_OK;
}

/* Predicts how many steps all sources take, from what a few take and a quarter of these: the more
 * rows there are, the fewer are of new classes. */
static enum status predict(const struct solving *all, int32_t count, double *steps,
                           struct error *err) {
    enum { FEW = 1024, PART = 32, LEAST = 64, QUARTER = 4 };
    int32_t source[FEW], some = count / PART;
    struct row_totals out[FEW];
    double found[2];
    some = some > FEW ? FEW : some < LEAST ? LEAST : some;
    for (int k = 0; k < 2; k++) {
        struct solving s = *all;
        const int32_t own = k == 0 ? some / QUARTER : some;
        for (int32_t i = 0; i < own; i++)
            source[i] = all->source[(int64_t)i * count / own];
        s.source = source;
        s.out = out;
        s.progress = NULL;
        RETURN_ON_FAILURE(run(&s, own, err));
        found[k] = (double)s.steps;
    }
    const double exponent = log(found[1] / found[0]) / log(QUARTER);
    *steps = found[1] * pow((double)count / some, exponent < 1 ? exponent : 1);
    return STATUS_OK;
}

enum status proportional_totals(const struct proportional_graph *g,
                                const struct proportional_options *options, const int32_t *source,
                                int32_t count, struct row_totals *out, bool *pays,
                                struct error *err) {
    enum { FEW = 256 }; /* sources, for whom nothing is gained */
    static const struct regions_options cut = {
        .leaf = 64, .ratio = 4, .worth = 600, .worth_width = 10};
    const int32_t n = g->tree->n;
    const double one_by_one = (double)count * (double)(n + g->structure->first[n]);
    const double step_cost = 1.5; /* over that of one of a sweep */
    double steps;
    struct solving s = {.g = g,
                        .kernels = proportional_kernels(options->isa),
                        .source = source,
                        .out = out,
                        .threads = options->threads,
                        .tasks = TASKS_A_THREAD * options->threads,
                        .progress = options->progress};
    enum status status;
    *pays = options->anyway;
    if (count < FEW && !*pays)
        return STATUS_OK;
    TRY(regions_find(g->tree, g->structure, options->cut != NULL ? options->cut : &cut, &s.regions,
                     err));
    if (!*pays) {
        TRY(predict(&s, count, &steps, err));
        *pays = steps * step_cost < one_by_one;
    }
    if (*pays)
        TRY(run_in_parts(&s, count, options->at_a_time, err));

cleanup:
    regions_free(&s.regions);
    return status;
}
