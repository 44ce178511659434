#include "common/json_memory.h"

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* "{}," over and over costs the most: three bytes of text make a hash table with
 * eight buckets, some 300 bytes. What is freed is not used again: another factor. */
enum { RESERVE = 256 * JSON_LONGEST, ALIGNMENT = _Alignof(max_align_t) };

/* One thread at a time has these. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool has_turn;
/* Costs nothing until it is touched. */
static _Alignas(max_align_t) char reserve[RESERVE];
static size_t reserved;

/* What jansson allocated with before, for this process may use it too. */
static json_malloc_t plain_malloc;
static json_free_t plain_free;

/* A thread that never asked for the reserve may come here as well. */
static void *allocate(size_t size) {
    void *memory = plain_malloc(size);
    if (memory != NULL || !has_turn)
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
        plain_free(memory);
}

void json_memory_start(void) {
    if (!has_turn) {
        pthread_mutex_lock(&turn);
        has_turn = true;
        json_get_alloc_funcs(&plain_malloc, &plain_free);
        json_set_alloc_funcs(allocate, json_memory_free);
    }
    reserved = 0;
}

void json_memory_end(void) {
    json_set_alloc_funcs(plain_malloc, plain_free);
    has_turn = false;
    pthread_mutex_unlock(&turn);
}
