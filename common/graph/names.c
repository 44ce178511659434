// SPDX-License-Identifier: MIT
#include "common/graph/names.h"

#include "common/base/crc32.h"       // crc32_add
#include "common/base/memory.h"      // memory_alloc
#include "common/base/number_text.h" // number_put_integer

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of names, in the first bytes of a block. */
enum { KIND_NUMBERS = 1, KIND_WORDS = 2 };

/* The head of a block. After it come, for numbers, int64[n]; for words, uint64 start[n + 1], int32
 * sorted[n] and the text. */
struct block_head {
    uint64_t kind;
    uint64_t text_bytes; /* length of the text in bytes; 0 for numbers */
};

static uint64_t block_bytes(uint64_t kind, int32_t n, uint64_t text_bytes) {
    const uint64_t count = (uint64_t)n;
    const uint64_t head = sizeof(struct block_head);
    if (kind == KIND_NUMBERS)
        return head + count * sizeof(int64_t);
    return memory_add(head + (count + 1) * sizeof(uint64_t) + count * sizeof(int32_t), text_bytes);
}

/* Sets the pointers into a block, whose length has been checked. */
static void find_parts(struct vertex_names *names, const void *block, uint64_t bytes, int32_t n) {
    const struct block_head *const head = block;
    names->n = n;
    names->block = block;
    names->bytes = bytes;
    names->text_bytes = head->text_bytes;
    if (head->kind == KIND_NUMBERS) {
        names->number = (const int64_t *)(head + 1);
        return;
    }
    names->start = (const uint64_t *)(head + 1);
    names->sorted = (const int32_t *)(names->start + n + 1);
    names->text = (const char *)(names->sorted + n);
}

static enum status alloc_names(struct vertex_names **names, uint64_t kind, int32_t n,
                               uint64_t text_bytes, struct error *err) {
    static const char what[] = "the names of vertices";
    const uint64_t bytes = block_bytes(kind, n, text_bytes);
    void *block = NULL;
    *names = NULL;
    RETURN_ON_FAILURE(memory_alloc(&block, bytes, 1, what, err));
    struct vertex_names *const made = calloc(1, sizeof *made);
    if (made == NULL) {
        memory_free(block);
        return fail(err, STATUS_NO_RESOURCE, "out of memory for %s", what);
    }
    *(struct block_head *)block = (struct block_head){kind, text_bytes};
    find_parts(made, block, bytes, n);
    made->owned = block;
    made->references = 1;
    *names = made;
    return STATUS_OK;
}

enum status names_of_numbers(struct vertex_names **names, const int64_t *number, int32_t n,
                             struct error *err) {
    RETURN_ON_FAILURE(alloc_names(names, KIND_NUMBERS, n, 0, err));
    memcpy((struct block_head *)(*names)->owned + 1, number, (size_t)n * sizeof *number);
    return STATUS_OK;
}

/* Returns the bytes of a word; an empty one if the block is damaged. */
static const char *word(const struct vertex_names *names, int32_t v, size_t *length) {
    const uint64_t begin = names->start[v], end = names->start[v + 1];
    const bool inside = begin <= end && end <= names->text_bytes;
    *length = inside ? (size_t)(end - begin) : 0;
    return inside ? names->text + begin : names->text;
}

static int compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length) {
    const int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_words(const void *a, const void *b, void *names) {
    size_t length[2];
    const char *const first = word(names, *(const int32_t *)a, &length[0]);
    const char *const second = word(names, *(const int32_t *)b, &length[1]);
    return compare_bytes(first, length[0], second, length[1]);
}

enum status names_of_words(struct vertex_names **names, const uint64_t *start, const char *text,
                           int32_t n, struct error *err) {
    RETURN_ON_FAILURE(alloc_names(names, KIND_WORDS, n, start[n], err));
    struct vertex_names *const made = *names;
    uint64_t *const starts = (uint64_t *)((struct block_head *)made->owned + 1);
    int32_t *const sorted = (int32_t *)(starts + n + 1);
    memcpy(starts, start, ((size_t)n + 1) * sizeof *start);
    memcpy(sorted + n, text, start[n]);
    for (int32_t v = 0; v < n; v++)
        sorted[v] = v;
    qsort_r(sorted, (size_t)n, sizeof *sorted, compare_words, made);
    return STATUS_OK;
}

enum status names_view(struct vertex_names **names, const void *block, uint64_t bytes, int32_t n,
                       struct error *err) {
    const struct block_head *const head = block;
    *names = NULL;
    if (bytes < sizeof *head || (head->kind != KIND_NUMBERS && head->kind != KIND_WORDS) ||
        (head->kind == KIND_NUMBERS && head->text_bytes != 0) ||
        block_bytes(head->kind, n, head->text_bytes) != bytes)
        return fail(err, STATUS_BAD_INPUT, "expected the names of %d vertices, found others", n);
    struct vertex_names *const made = calloc(1, sizeof *made);
    if (made == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory for the names of vertices");
    find_parts(made, block, bytes, n);
    made->references = 1;
    *names = made;
    return STATUS_OK;
}

static bool words_are_sound(const struct vertex_names *names) {
    if (names->start[0] != 0 || names->start[names->n] != names->text_bytes)
        return false;
    for (int32_t v = 0; v < names->n; v++) {
        if (names->start[v] >= names->start[v + 1] ||
            names->start[v + 1] - names->start[v] > NAMES_LONGEST)
            return false;
    }
    for (int32_t k = 0; k < names->n; k++) {
        if (names->sorted[k] < 0 || names->sorted[k] >= names->n)
            return false;
        if (k > 0 && compare_words(&names->sorted[k - 1], &names->sorted[k], (void *)names) >= 0)
            return false; /* n different words in order, so `sorted` is a permutation */
    }
    return true;
}

bool names_are_sound(const struct vertex_names *names) {
    if (names->number == NULL)
        return words_are_sound(names);
    for (int32_t v = 1; v < names->n; v++) {
        if (names->number[v - 1] >= names->number[v])
            return false;
    }
    return true;
}

struct vertex_names *names_share(struct vertex_names *names) {
    if (names != NULL)
        __atomic_add_fetch(&names->references, 1, __ATOMIC_RELAXED);
    return names;
}

void names_free(struct vertex_names *names) {
    if (names == NULL || __atomic_sub_fetch(&names->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    memory_free(names->owned);
    free(names);
}

/* Writes a number as names_put writes a name. */
static size_t put_number(int64_t number, char *to, size_t size) {
    return size >= NUMBER_TEXT_MAX ? (size_t)(number_put_integer(to, number) - to)
                                   : (size_t)snprintf(to, size, "%" PRId64, number);
}

size_t names_put(const struct vertex_names *names, int32_t v, char *to, size_t size) {
    if (names->number != NULL)
        return put_number(names->number[v], to, size);
    size_t length;
    const char *const text = word(names, v, &length);
    const size_t copied = length < size ? length : size - 1;
    memcpy(to, text, copied);
    to[copied] = '\0';
    return length;
}

bool names_take_number(const char *text, size_t length, int64_t *number) {
    enum { LONGEST = 18 }; /* number of digits that always fit in an int64 */
    const bool negative = length > 0 && *text == '-';
    const char *const digits = text + negative;
    const size_t count = length - negative;
    if (count == 0 || count > LONGEST || (digits[0] == '0' && (count > 1 || negative)))
        return false;
    *number = 0;
    for (size_t k = 0; k < count; k++) {
        if (digits[k] < '0' || digits[k] > '9')
            return false;
        *number = 10 * *number + (digits[k] - '0');
    }
    *number = negative ? -*number : *number;
    return true;
}

int32_t names_at_least(const struct vertex_names *names, int64_t number) {
    int32_t low = 0, high = names->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (names->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool names_find(const struct vertex_names *names, const char *name, size_t length, int32_t *v) {
    int64_t number;
    if (names->number != NULL) {
        if (!names_take_number(name, length, &number))
            return false;
        *v = names_at_least(names, number);
        return *v < names->n && names->number[*v] == number;
    }
    int32_t low = 0, high = names->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const int32_t candidate = names->sorted[middle];
        if (candidate < 0 || candidate >= names->n)
            return false;
        size_t its_length;
        const char *const its = word(names, candidate, &its_length);
        const int order = compare_bytes(its, its_length, name, length);
        if (order == 0) {
            *v = candidate;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool names_equal(const struct vertex_names *a, const struct vertex_names *b) {
    if (a == b)
        return true;
    return a != NULL && b != NULL && a->n == b->n && a->bytes == b->bytes &&
           memcmp(a->block, b->block, a->bytes) == 0;
}

/* Returns the vertex in the graph that has the names or numbers. */
static int32_t named_vertex(const struct vertex_naming *naming, int32_t v) {
    return naming->part != NULL ? naming->part[v] : v;
}

size_t naming_put(const struct vertex_naming *naming, int32_t v, char *to, size_t size) {
    const int32_t named = named_vertex(naming, v);
    if (naming->names != NULL)
        return names_put(naming->names, named, to, size);
    return put_number((int64_t)named + naming->first, to, size);
}

/* Returns whether a word has to be quoted in a table. */
static bool needs_quotes(const char *text, size_t length) {
    for (size_t k = 0; k < length; k++) {
        const bool at_end = k == 0 || k + 1 == length;
        if (strchr(",;\t\"\n\r", text[k]) != NULL || (at_end && text[k] == ' '))
            return true;
    }
    return false;
}

size_t naming_put_field(const struct vertex_naming *naming, int32_t v, char *to) {
    if (naming->names == NULL || naming->names->number != NULL)
        return naming_put(naming, v, to, NUMBER_TEXT_MAX);
    size_t length;
    const char *const text = word(naming->names, named_vertex(naming, v), &length);
    char *at = to;
    const bool quoted = needs_quotes(text, length);
    if (quoted)
        *at++ = '"';
    for (size_t k = 0; k < length; k++) {
        if (text[k] == '"')
            *at++ = '"';
        *at++ = text[k];
    }
    if (quoted)
        *at++ = '"';
    return (size_t)(at - to);
}

/* Returns whether a character is a blank that may surround a name. */
static bool is_blank(char c, char separator) {
    return (c == ' ' || c == '\t' || c == '\r') && (c != separator || separator == ' ');
}

static const char *skip_blanks(const char *at, const char *end, char separator) {
    while (at < end && is_blank(*at, separator))
        at++;
    return at;
}

bool naming_take_field(const char **at, const char *end, char separator,
                       char name[NAMES_LONGEST + 1], size_t *length) {
    const char *c = skip_blanks(*at, end, separator);
    const bool quoted = c < end && *c == '"';
    bool closed = !quoted;
    *length = 0;
    for (c += quoted; c < end; c++) {
        closed |= quoted && *c == '"' && (c + 1 == end || c[1] != '"');
        if (closed && (quoted || *c == separator || (separator == ' ' && is_blank(*c, ' '))))
            break;
        c += quoted && *c == '"';
        if (*length <= NAMES_LONGEST)
            name[(*length)++] = *c;
    }
    while (!quoted && *length > 0 && is_blank(name[*length - 1], separator))
        --*length;
    c += quoted && closed;
    *at = skip_blanks(c, end, separator);
    return closed && (!quoted || *at == end || **at == separator || (separator == ' ' && *at > c));
}

size_t naming_longest_field(const struct vertex_naming *naming) {
    size_t longest = NUMBER_TEXT_MAX, length;
    if (naming->names == NULL || naming->names->number != NULL)
        return longest;
    for (int32_t v = 0; v < naming->names->n; v++) {
        (void)word(naming->names, v, &length);
        longest = 2 * length + 2 > longest ? 2 * length + 2 : longest;
    }
    return longest;
}

uint32_t naming_checksum(const struct vertex_naming *naming, int32_t n) {
    char name[NAMES_LONGEST + 1];
    uint32_t crc = 0;
    for (int32_t v = 0; v < n; v++) {
        const size_t length = naming_put(naming, v, name, sizeof name);
        crc = crc32_add(crc32_add(crc, name, length), "\n", 1);
    }
    return crc;
}

struct vertex_name naming_name(const struct vertex_naming *naming, int32_t v) {
    static const char cut[] = "...";
    struct vertex_name name = {""};
    if (naming_put(naming, v, name.text, sizeof name.text) >= sizeof name.text)
        memcpy(name.text + sizeof name.text - sizeof cut, cut, sizeof cut);
    printable(name.text);
    return name;
}

int32_t naming_first_difference(const struct vertex_naming *a, const struct vertex_naming *b,
                                int32_t n) {
    for (int32_t v = 0; v < n; v++) {
        if (strcmp(naming_name(a, v).text, naming_name(b, v).text) != 0)
            return v;
    }
    return 0;
}

bool naming_find(const struct vertex_naming *naming, int32_t n, const char *name, size_t length,
                 int32_t *v) {
    int64_t number;
    if (naming->part != NULL)
        return false;
    if (naming->names != NULL)
        return names_find(naming->names, name, length, v);
    if (!names_take_number(name, length, &number) || number < naming->first ||
        number - naming->first >= n)
        return false;
    *v = (int32_t)(number - naming->first);
    return true;
}

enum status naming_take(const struct vertex_naming *naming, int32_t n, const char *where,
                        const char *name, size_t length, int32_t *v, struct error *err) {
    if (naming_find(naming, n, name, length, v))
        return STATUS_OK;
    const struct vertex_name first = naming_name(naming, 0), last = naming_name(naming, n - 1);
    const int shown = length < VERTEX_NAME_SIZE ? (int)length : VERTEX_NAME_SIZE;
    if (naming->names == NULL)
        return fail(err, STATUS_BAD_INPUT, "%s: expected vertices %s .. %s, found %.*s%s", where,
                    first.text, last.text, shown, name, naming_remark(naming));
    return fail(err, STATUS_BAD_INPUT,
                "%s: expected one of the graph's %d vertices, which are called %s, ..., %s, found "
                "'%.*s'",
                where, n, first.text, last.text, shown, name);
}

const char *naming_remark(const struct vertex_naming *naming) {
    return naming->names != NULL || naming->first == 0 ? "" : " (vertices are numbered from 1)";
}

struct vertex_naming naming_share(const struct vertex_naming *naming) {
    return (struct vertex_naming){naming->first, names_share(naming->names), naming->part};
}

struct vertex_naming naming_of_part(const struct vertex_naming *naming, const int32_t *vertex) {
    return (struct vertex_naming){naming->first, names_share(naming->names), vertex};
}

void naming_free(struct vertex_naming *naming) {
    names_free(naming->names);
    *naming = (struct vertex_naming){0};
}
