// SPDX-License-Identifier: MIT
#include "common/graph/name_table.h"

#include "common/base/memory.h"     // memory_resize
#include "common/base/splitmix64.h" // splitmix64_mix

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { FIRST_NAMES = 256, FIRST_TEXT = 4096 };
static const char what[] = "the names of vertices";

static uint64_t hash_number(const struct name_table *table, int64_t number) {
    return splitmix64_mix((uint64_t)number ^ table->seed);
}

static uint64_t hash_word(const struct name_table *table, const char *word, size_t length) {
    uint64_t hash = table->seed ^ length;
    for (size_t at = 0; at < length; at += sizeof hash) {
        uint64_t part = 0;
        memcpy(&part, word + at, length - at < sizeof part ? length - at : sizeof part);
        hash = splitmix64_mix(hash + SPLITMIX64_STEP) ^ part;
    }
    return splitmix64_mix(hash);
}

static uint64_t hash_of(const struct name_table *table, int32_t index) {
    if (!table->words)
        return hash_number(table, table->number[index]);
    const uint64_t begin = table->start[index];
    return hash_word(table, table->text + begin, table->start[index + 1] - begin);
}

static enum status resize(void *block, size_t count, size_t size, struct error *err) {
    void *resized;
    memcpy(&resized, block, sizeof resized); /* copies a pointer of any type */
    RETURN_ON_FAILURE(memory_resize(&resized, count, size, what, err));
    memcpy(block, &resized, sizeof resized);
    return STATUS_OK;
}

/* Puts all names into an empty hash table. */
static void fill_slots(struct name_table *table) {
    memset(table->slot, 0, table->slots * sizeof *table->slot);
    for (int32_t k = 0; k < table->count; k++) {
        uint32_t at = (uint32_t)hash_of(table, k) & (table->slots - 1);
        while (table->slot[at] != 0)
            at = (at + 1) & (table->slots - 1);
        table->slot[at] = k + 1;
    }
}

/* Makes room for one more name. */
static enum status make_room(struct name_table *table, struct error *err) {
    if (table->count == INT32_MAX - 1)
        return fail(err, STATUS_NO_RESOURCE, "expected fewer than %d different vertices",
                    INT32_MAX);
    if (table->count == table->capacity) {
        if (table->capacity == 0 &&
            getrandom(&table->seed, sizeof table->seed, GRND_NONBLOCK) != sizeof table->seed)
            table->seed = splitmix64_mix((uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)table);
        const int32_t more = table->capacity == 0        ? FIRST_NAMES
                             : table->capacity < 1 << 30 ? 2 * table->capacity
                                                         : INT32_MAX - 1;
        if (table->words)
            RETURN_ON_FAILURE(resize(&table->start, (size_t)more + 1, sizeof *table->start, err));
        else
            RETURN_ON_FAILURE(resize(&table->number, (size_t)more, sizeof *table->number, err));
        table->capacity = more;
    }
    if (2 * (uint64_t)(table->count + 1) > table->slots && table->slots < UINT32_C(1) << 31) {
        const uint32_t more = table->slots == 0 ? 2 * FIRST_NAMES : 2 * table->slots;
        RETURN_ON_FAILURE(resize(&table->slot, more, sizeof *table->slot, err));
        table->slots = more;
        fill_slots(table);
    }
    return STATUS_OK;
}

/* Adds the bytes of a word to the end of the text. */
static enum status append_word(struct name_table *table, const char *word, size_t length,
                               struct error *err) {
    const size_t begin = table->count == 0 ? 0 : table->start[table->count];
    if (begin + length > table->text_room) {
        const size_t doubled = table->text_room == 0 ? FIRST_TEXT : 2 * table->text_room;
        const size_t room = doubled > begin + length ? doubled : begin + length;
        RETURN_ON_FAILURE(resize(&table->text, room, 1, err));
        table->text_room = room;
    }
    memcpy(table->text + begin, word, length);
    table->start[table->count] = begin;
    table->start[++table->count] = begin + length;
    return STATUS_OK;
}

/* Turns all numbers into words. */
static enum status make_words(struct name_table *table, struct error *err) {
    enum { LONGEST = 24 };
    const int32_t count = table->count;
    const size_t capacity = table->capacity > 0 ? (size_t)table->capacity : FIRST_NAMES;
    RETURN_ON_FAILURE(resize(&table->start, capacity + 1, sizeof *table->start, err));
    table->start[0] = 0;
    table->count = 0;
    for (int32_t k = 0; k < count; k++) {
        char text[LONGEST];
        const int length = snprintf(text, sizeof text, "%" PRId64, table->number[k]);
        const enum status status = append_word(table, text, (size_t)length, err);
        if (status != STATUS_OK) {
            table->count = 0; /* some are not words yet, so the caller discards the table */
            return status;
        }
    }
    table->words = true;
    memory_free(table->number);
    table->number = NULL;
    if (table->slots > 0)
        fill_slots(table);
    return STATUS_OK;
}

enum status name_table_number(struct name_table *table, int64_t number, int32_t *index,
                              struct error *err) {
    enum { LONGEST = 24 };
    if (table->words) {
        char text[LONGEST];
        const int length = snprintf(text, sizeof text, "%" PRId64, number);
        return name_table_word(table, text, (size_t)length, index, err);
    }
    RETURN_ON_FAILURE(make_room(table, err));
    uint32_t at = (uint32_t)hash_number(table, number) & (table->slots - 1);
    for (; table->slot[at] != 0; at = (at + 1) & (table->slots - 1)) {
        *index = table->slot[at] - 1;
        if (table->number[*index] == number)
            return STATUS_OK;
    }
    *index = table->count++;
    table->number[*index] = number;
    table->slot[at] = *index + 1;
    return STATUS_OK;
}

enum status name_table_word(struct name_table *table, const char *word, size_t length,
                            int32_t *index, struct error *err) {
    if (!table->words)
        RETURN_ON_FAILURE(make_words(table, err));
    RETURN_ON_FAILURE(make_room(table, err));
    uint32_t at = (uint32_t)hash_word(table, word, length) & (table->slots - 1);
    for (; table->slot[at] != 0; at = (at + 1) & (table->slots - 1)) {
        *index = table->slot[at] - 1;
        const uint64_t begin = table->start[*index];
        if (table->start[*index + 1] - begin == length &&
            memcmp(table->text + begin, word, length) == 0)
            return STATUS_OK;
    }
    *index = table->count;
    RETURN_ON_FAILURE(append_word(table, word, length, err));
    table->slot[at] = *index + 1;
    return STATUS_OK;
}

void name_table_free(struct name_table *table) {
    memory_free(table->number);
    memory_free(table->start);
    memory_free(table->text);
    memory_free(table->slot);
    *table = (struct name_table){0};
}
