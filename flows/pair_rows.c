// SPDX-License-Identifier: MIT
#include "flows/pair_rows.h"

#include "classes/row_chunks.h" // row_chunk_of
#include "common/base/memory.h" // memory_resize

#include <string.h>

static bool resize(void *array, size_t count, size_t size) {
    struct error ignored;
    void *block;
    memcpy(&block, array, sizeof block);
    if (memory_resize(&block, count, size, "classes", &ignored) != STATUS_OK)
        return false;
    memcpy(array, &block, sizeof block);
    return true;
}

/* Doubles the number of slots; at most half of them are in use. */
static bool widen_slots(struct pair_rows *set) {
    enum { FIRST = 64 };
    const int32_t slots = set->slots == 0 ? FIRST : 2 * set->slots;
    if (!resize(&set->slot, (size_t)slots, sizeof *set->slot))
        return false;
    set->slots = slots;
    for (int32_t k = 0; k < slots; k++)
        set->slot[k] = -1;
    for (int32_t k = 0; k < set->count; k++) {
        uint64_t at = set->hash[k];
        while (set->slot[at & (uint64_t)(slots - 1)] >= 0)
            at++;
        set->slot[at & (uint64_t)(slots - 1)] = k;
    }
    return true;
}

double *pair_rows_row(const struct pair_rows *set, int32_t k) {
    int32_t before;
    double *const chunk = set->chunk[row_chunk_of(PAIR_ROWS_BITS, k, &before)];
    return chunk + (size_t)(k - before) * set->cells;
}

/* Makes room for the rows of another chunk. */
static bool widen_rows(struct pair_rows *set) {
    int32_t before;
    const int chunk = row_chunk_of(PAIR_ROWS_BITS, set->count, &before);
    const size_t more = (size_t)row_chunk_room(PAIR_ROWS_BITS, chunk);
    const size_t room = (size_t)set->count + more;
    if (chunk >= PAIR_ROWS_CHUNKS - 1 ||
        !resize(&set->chunk[chunk], more * set->cells, sizeof **set->chunk) ||
        !resize(&set->mass, room, sizeof *set->mass) ||
        !resize(&set->hash, room, sizeof *set->hash))
        return false;
    set->room = (int32_t)room;
    return true;
}

int32_t pair_rows_find(struct pair_rows *set, const double *row, uint64_t hash, double mass) {
    const size_t bytes = set->cells * sizeof *row;
    if (2 * (set->count + 1) > set->slots && !widen_slots(set))
        return -1;
    uint64_t at = hash;
    for (int32_t k; (k = set->slot[at & (uint64_t)(set->slots - 1)]) >= 0; at++) {
        if (set->hash[k] == hash && memcmp(pair_rows_row(set, k), row, bytes) == 0) {
            set->mass[k] += mass;
            return k;
        }
    }
    if (set->count == set->room && !widen_rows(set))
        return -1;
    set->slot[at & (uint64_t)(set->slots - 1)] = set->count;
    memcpy(pair_rows_row(set, set->count), row, bytes);
    set->mass[set->count] = mass;
    set->hash[set->count] = hash;
    return set->count++;
}

void pair_rows_free(struct pair_rows *set) {
    for (int chunk = 0; chunk < PAIR_ROWS_CHUNKS; chunk++)
        memory_free(set->chunk[chunk]);
    memory_free(set->mass);
    memory_free(set->hash);
    memory_free(set->slot);
    *set = (struct pair_rows){0};
}
