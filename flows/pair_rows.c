// SPDX-License-Identifier: MIT
#include "flows/pair_rows.h"

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

static bool widen_rows(struct pair_rows *set) {
    enum { FIRST = 16 };
    const int32_t room = set->room == 0 ? FIRST : set->room + set->room / 2;
    if (!resize(&set->row, (size_t)room * set->cells, sizeof *set->row) ||
        !resize(&set->mass, (size_t)room, sizeof *set->mass) ||
        !resize(&set->hash, (size_t)room, sizeof *set->hash))
        return false;
    set->room = room;
    return true;
}

int32_t pair_rows_find(struct pair_rows *set, const double *row, uint64_t hash, double mass) {
    const size_t bytes = set->cells * sizeof *row;
    if (2 * (set->count + 1) > set->slots && !widen_slots(set))
        return -1;
    uint64_t at = hash;
    for (int32_t k; (k = set->slot[at & (uint64_t)(set->slots - 1)]) >= 0; at++) {
        if (set->hash[k] == hash && memcmp(set->row + (size_t)k * set->cells, row, bytes) == 0) {
            set->mass[k] += mass;
            return k;
        }
    }
    if (set->count == set->room && !widen_rows(set))
        return -1;
    set->slot[at & (uint64_t)(set->slots - 1)] = set->count;
    memcpy(set->row + (size_t)set->count * set->cells, row, bytes);
    set->mass[set->count] = mass;
    set->hash[set->count] = hash;
    return set->count++;
}

void pair_rows_free(struct pair_rows *set) {
    memory_free(set->row);
    memory_free(set->mass);
    memory_free(set->hash);
    memory_free(set->slot);
    *set = (struct pair_rows){0};
}
