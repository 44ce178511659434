#include "common/json_memory.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* "{}," over and over costs the most: three bytes of text make a hash table with
 * eight buckets, some 300 bytes. What is freed is not used again: another factor. */
enum { RESERVE = 256 * JSON_LONGEST, ALIGNMENT = _Alignof(max_align_t) };

/* Costs nothing until it is touched. */
static _Alignas(max_align_t) char reserve[RESERVE];
static size_t reserved;

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (memory != NULL)
        return memory;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > RESERVE - reserved)
        return NULL;
    memory = reserve + reserved;
    reserved += size;
    return memory;
}

void json_memory_free(void *memory) {
    const uintptr_t at = (uintptr_t)memory, first = (uintptr_t)reserve;
    if (at < first || at >= first + RESERVE)
        free(memory);
}

void json_memory_start(void) {
    reserved = 0;
    json_set_alloc_funcs(allocate, json_memory_free);
}
