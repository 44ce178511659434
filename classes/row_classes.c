// SPDX-License-Identifier: MIT
#include "classes/row_classes.h"

#include "classes/row_chunks.h"      // row_chunk_of
#include "common/base/block_sizes.h" // block_sizes
#include "common/base/memory.h"      // memory_alloc

#include <string.h>

enum {
    SHARD_BITS = 5,           /* number of highest bits of a hash that choose the shard, if several
                                 threads add rows */
    CHUNKS = 31 - SHARD_BITS, /* most chunks of a shard */
};

/* Hash table of the classes of a shard. */
struct shard_slots {
    struct shard_slots *older; /* smaller table before this one; other threads may still read it */
    uint32_t mask;             /* number of slots - 1 */
    uint64_t slot[];           /* upper half: hash; lower half: number of its class + 1; 0: empty */
};

/* A part of the set. One thread at a time adds to it, while others may look up classes in it. */
struct row_shard {
    path_length *chunk[CHUNKS]; /* rows; chunk c has those of first_room() << c classes, and is
                                   never moved */
    struct shard_slots *slots;  /* NULL: no classes yet */
    int32_t count;              /* number of classes */
    int32_t first;              /* number of the first class, once all are known */
    char is_locked;
};

/* Returns the number of classes of a shard's first chunk; each further chunk has twice as many as
 * the one before. */
static int32_t first_room(void) {
    return row_chunk_room(block_sizes.class_room_bits, 0);
}

/* Allocates without an error message; callers report the failure. */
static bool alloc(void **memory, size_t count, size_t size) {
    struct error ignored;
    return memory_alloc(memory, count, size, "classes of rows", &ignored) == STATUS_OK;
}

bool row_classes_begin(struct row_classes *c, size_t pitch, bool is_shared) {
    const int bits = is_shared ? SHARD_BITS : 0;
    void *memory;
    *c = (struct row_classes){.pitch = pitch, .bits = bits};
    if (!alloc(&memory, (size_t)1 << bits, sizeof *c->shard))
        return false;
    memset(memory, 0, ((size_t)1 << bits) * sizeof *c->shard);
    c->shard = memory;
    return true;
}

static void free_slots(struct row_shard *shard) {
    while (shard->slots != NULL) {
        struct shard_slots *const older = shard->slots->older;
        memory_free(shard->slots);
        shard->slots = older;
    }
}

void row_classes_drop_rows(struct row_classes *c) {
    for (int k = 0; c->shard != NULL && k < 1 << c->bits; k++) {
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            memory_free(c->shard[k].chunk[chunk]);
            c->shard[k].chunk[chunk] = NULL;
        }
    }
}

void row_classes_free(struct row_classes *c) {
    row_classes_drop_rows(c);
    for (int k = 0; c->shard != NULL && k < 1 << c->bits; k++)
        free_slots(&c->shard[k]);
    memory_free(c->shard);
    *c = (struct row_classes){0};
}

static void lock(const struct row_classes *c, struct row_shard *shard) {
    while (c->bits > 0 && __atomic_exchange_n(&shard->is_locked, 1, __ATOMIC_ACQUIRE) != 0)
        ;
}

static void unlock(const struct row_classes *c, struct row_shard *shard) {
    if (c->bits > 0)
        __atomic_store_n(&shard->is_locked, 0, __ATOMIC_RELEASE);
}

/* Returns the chunk that has the row of a class. *before: number of classes in the chunks before
 * it. */
static int chunk_of(int32_t class, int32_t *before) {
    return row_chunk_of(block_sizes.class_room_bits, class, before);
}

static path_length *class_row(const struct row_classes *c, const struct row_shard *shard,
                              int32_t class) {
    int32_t before;
    const int chunk = chunk_of(class, &before);
    return shard->chunk[chunk] + (size_t)(class - before) * c->pitch;
}

static uint64_t slot_for(uint32_t hash, int32_t class) {
    return (uint64_t)hash << 32 | ((uint32_t) class + 1);
}

/* Returns the class of a row; NO_CLASS: it is not there, and belongs into *empty. */
static int32_t look_up(const struct row_classes *c, const struct row_shard *shard,
                       struct shard_slots *slots, const path_length *row, uint32_t hash,
                       uint64_t **empty) {
    for (uint32_t k = hash;; k++) {
        uint64_t *const slot = &slots->slot[k & slots->mask];
        const uint64_t found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
        const int32_t class = (int32_t)((uint32_t)found - 1);
        *empty = slot;
        if (found == 0)
            return NO_CLASS;
        if ((uint32_t)(found >> 32) == hash &&
            memcmp(class_row(c, shard, class), row, c->pitch * sizeof *row) == 0)
            return class;
    }
}

/* Makes room for another class, and for so many slots that a third stay empty. */
static bool make_room(const struct row_classes *c, struct row_shard *shard) {
    struct shard_slots *const older = shard->slots;
    const uint32_t slots = older == NULL ? 4 * (uint32_t)first_room() : 2 * (older->mask + 1);
    int32_t before;
    const int chunk = chunk_of(shard->count, &before);
    void *memory;
    if (chunk == CHUNKS - block_sizes.class_room_bits)
        return false;
    if (shard->chunk[chunk] == NULL) {
        if (!alloc(&memory, c->pitch << chunk << block_sizes.class_room_bits, sizeof(path_length)))
            return false;
        shard->chunk[chunk] = memory;
    }
    if (older != NULL && (uint64_t)shard->count * 3 < (uint64_t)(older->mask + 1) * 2)
        return true;
    if (!alloc(&memory, 1, sizeof *older + slots * sizeof *older->slot))
        return false;
    struct shard_slots *const larger = memory;
    *larger = (struct shard_slots){.older = older, .mask = slots - 1};
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

/* Adds the class of a row, unless another thread has added it. Returns it. */
static int32_t add_class(const struct row_classes *c, struct row_shard *shard,
                         const path_length *row, uint32_t hash) {
    int32_t class = NO_CLASS;
    uint64_t *empty;
    lock(c, shard);
    if (make_room(c, shard)) {
        class = look_up(c, shard, shard->slots, row, hash, &empty);
        if (class == NO_CLASS) {
            class = shard->count++;
            memcpy(class_row(c, shard, class), row, c->pitch * sizeof *row);
            __atomic_store_n(empty, slot_for(hash, class), __ATOMIC_RELEASE);
        }
    }
    unlock(c, shard);
    return class;
}

static struct row_shard *shard_for(const struct row_classes *c, uint32_t hash) {
    return &c->shard[c->bits > 0 ? hash >> (32 - SHARD_BITS) : 0];
}

int32_t row_classes_find(const struct row_classes *c, const path_length *row, uint32_t hash) {
    struct row_shard *const shard = shard_for(c, hash);
    struct shard_slots *const slots = __atomic_load_n(&shard->slots, __ATOMIC_ACQUIRE);
    int32_t class = NO_CLASS;
    uint64_t *empty;
    if (slots != NULL)
        class = look_up(c, shard, slots, row, hash, &empty);
    if (class == NO_CLASS)
        class = add_class(c, shard, row, hash);
    return class == NO_CLASS ? NO_CLASS
                             : (int32_t)((uint32_t) class << c->bits | (shard - c->shard));
}

const path_length *row_classes_row(const struct row_classes *c, int32_t name) {
    return class_row(c, &c->shard[name & ((1 << c->bits) - 1)], name >> c->bits);
}

/* Prefetches the slots first, then the rows of their classes. */
void row_classes_fetch(const struct row_classes *c, const uint32_t *hash, int32_t count) {
    const struct shard_slots *slots[ROW_CLASSES_FETCHED];
    for (int32_t lane = 0; lane < count; lane++) {
        slots[lane] = __atomic_load_n(&shard_for(c, hash[lane])->slots, __ATOMIC_ACQUIRE);
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
                class_row(c, shard_for(c, hash[lane]), (int32_t)((uint32_t)found - 1)));
    }
}

void row_classes_end(struct row_classes *c) {
    c->count = 0;
    for (int k = 0; k < 1 << c->bits; k++) {
        c->shard[k].first = c->count;
        c->count += c->shard[k].count;
        free_slots(&c->shard[k]);
    }
}

int32_t row_classes_number(const struct row_classes *c, int32_t name) {
    return c->shard[name & ((1 << c->bits) - 1)].first + (name >> c->bits);
}

const path_length *row_classes_rows(const struct row_classes *c, int32_t number, int32_t *count) {
    const struct row_shard *shard = c->shard;
    int32_t before;
    while (number >= shard->first + shard->count)
        shard++;
    const int32_t class = number - shard->first;
    const int chunk = chunk_of(class, &before);
    const int32_t end = before + row_chunk_room(block_sizes.class_room_bits, chunk);
    *count = (end < shard->count ? end : shard->count) - class;
    return class_row(c, shard, class);
}
