// SPDX-License-Identifier: MIT
#include "common/graph/plain_edges.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/chunks.h"      // chunk_begin, chunks_for

#include <math.h>
#include <string.h>

/* The most bytes of a line, with its line feed. A line is read only if as many bytes follow its
 * beginning, so that no number has to be checked against the end of the buffer. */
enum {
    LONGEST_END = 12, /* bytes of an end, up to a digit that makes it too long, and the separator */
    LONGEST_REAL = 30, /* bytes of a real weight and the line feed */
    LONGEST_INTEGERS = 40,
    LONGEST = 2 + 2 * LONGEST_END + LONGEST_REAL
};

static size_t longest_of(const struct plain_edges *plain) {
    return plain->is_real ? LONGEST : LONGEST_INTEGERS;
}

/* The most digits of a number that take_digits reads without a loop. */
enum { FEW_DIGITS = 7 };

/* Returns the value of eight bytes that hold digits, the first of them in the lowest byte. */
static inline int32_t value_of(uint64_t digits) {
    const uint64_t pairs = UINT64_C(0x000000ff000000ff);
    digits = digits * 10 + (digits >> 8); /* makes pairs of digits, in every other byte */
    return (int32_t)(((digits & pairs) * UINT64_C(0x000f424000000064) +
                      ((digits >> 16) & pairs) * UINT64_C(0x0000271000000001)) >>
                     32);
}

/* Reads up to eleven digits at `at`, of which the first eight are in `digits`. Stores their value
 * and returns their number; 0: the value does not fit. */
static int take_many_digits(const char *at, uint64_t digits, int32_t *value) {
    enum { MOST = 11 };
    int64_t number = value_of(digits);
    int count = FEW_DIGITS + 1;
    for (; count < MOST && at[count] >= '0' && at[count] <= '9'; count++)
        number = number * 10 + (at[count] - '0');
    *value = (int32_t)number;
    return number <= INT32_MAX ? count : 0;
}

/* Reads up to eleven digits at `at`, where LONGEST_END bytes are readable. Stores their value and
 * returns their number; 0: this function cannot read the number. Examines eight bytes at the same
 * time, because the end of a loop would be mispredicted at nearly every number. */
static inline int take_digits(const char *at, int32_t *value) {
    const uint64_t ascii_zeros = UINT64_C(0x3030303030303030);
    const uint64_t high_bits = UINT64_C(0x8080808080808080);
    const uint64_t above_nine = UINT64_C(0x7676767676767676); /* 10 + 0x76 = 0x80 */
    uint64_t digits;
    memcpy(&digits, at, sizeof digits);
    digits ^= ascii_zeros;
    const uint64_t others = ((digits + above_nine) | digits) & high_bits;
    if (others == 0)
        return take_many_digits(at, digits, value);
    const int count = __builtin_ctzll(others) / 8;
    if (count == 0)
        return 0;
    *value = value_of(digits << 8 * (8 - count)); /* leading zeros come into the low bytes */
    return count;
}

/* Takes an integer and the line feed after it; returns NULL if there is no integer. */
static inline const char *take_integer(const char *at, int32_t *weight) {
    const bool negative = *at == '-';
    at += negative;
    const int count = take_digits(at, weight);
    if (count == 0 || count > FEW_DIGITS || at[count] != '\n')
        return NULL;
    if (negative)
        *weight = -*weight;
    return at + count + 1;
}

/* Takes a weight of a real graph and the line feed after it. Returns NULL if this function cannot
 * read one there. A small enough number without a fraction is read as an integer: that gives the
 * same value, except that "-0" becomes 0.0. */
static inline const char *take_real(const struct plain_edges *plain, const char *at,
                                    double *weight) {
    const double exact = plain->type == NUMBER_FLOAT32 ? 0x1p24 : INT32_MAX;
    int32_t integer;
    const char *after = take_integer(at, &integer);
    if (after != NULL) {
        *weight = integer;
    } else {
        const char *const feed = memchr(at, '\n', LONGEST_REAL);
        struct text_line number = {at, feed};
        if (feed == NULL || text_is_blank(*at) ||
            text_take_real(&number, plain->type, weight) != TEXT_REAL || number.begin != feed ||
            *weight == 0 || !(fabs(*weight) < exact))
            return NULL;
        after = feed + 1;
    }
    return *weight >= plain->lowest && *weight <= plain->highest ? after : NULL;
}

/* Lines for one thread. */
struct segment {
    const char *begin, *end;
    const char *at; /* beginning of the first line that has not been taken */
    int64_t lines;  /* number of line feeds, if several threads take lines */
    int64_t taken;  /* number of edges that were taken */
};

/* The body of take_lines, compiled once for each kind of syntax. readable: the end of the buffer.
 */
static inline __attribute__((always_inline)) void
take_lines_as(const struct plain_edges *plain, char keyword, char separator, int32_t first,
              bool named, bool unweighted, bool is_real, struct segment *segment,
              const char *readable, void *edges, int64_t room) {
    const size_t longest = is_real ? LONGEST : LONGEST_INTEGERS;
    const char after_head = unweighted ? '\n' : separator;
    const int32_t n = plain->n;
    const char *begin = segment->at;
    int64_t taken = 0;
    while (taken < room && begin < segment->end && (size_t)(readable - begin) >= longest) {
        const char *at = begin;
        int32_t from, to, integer = 1;
        double real = 0;
        if (keyword != '\0') {
            if (at[0] != keyword || at[1] != ' ')
                break;
            at += 2;
        }
        int count = take_digits(at, &from);
        if (count == 0 || (named && *at == '0' && count > 1) || at[count] != separator)
            break;
        from -= first;
        at += count + 1;
        count = take_digits(at, &to);
        if (count == 0 || (named && *at == '0' && count > 1) || at[count] != after_head)
            break;
        to -= first;
        if (from < 0 || from >= n || to < 0 || to >= n)
            break;
        at += count + 1;
        if (is_real)
            at = take_real(plain, at, &real);
        else if (!unweighted)
            at = take_integer(at, &integer);
        if (at == NULL)
            break;
        if (is_real)
            ((struct real_edge *)edges)[taken++] = (struct real_edge){from, to, real};
        else
            ((struct edge *)edges)[taken++] = (struct edge){from, to, integer};
        begin = at;
    }
    segment->at = begin;
    segment->taken = taken;
}

/* Takes lines of a segment until one is not plain. */
static void take_lines(const struct plain_edges *plain, struct segment *segment,
                       const char *readable, void *edges, int64_t room) {
    const struct edge_syntax *const syntax = plain->syntax;
    const char keyword = syntax->keyword != NULL ? *syntax->keyword : '\0';
    if (plain->is_real)
        take_lines_as(plain, keyword, syntax->separator, syntax->first, syntax->named, false, true,
                      segment, readable, edges, room);
    else if (syntax->separator == ' ' && keyword == '\0' && syntax->first == 0 &&
             !syntax->unweighted && syntax->named)
        take_lines_as(plain, '\0', ' ', 0, true, false, false, segment, readable, edges, room);
    else if (syntax->separator == ' ' && keyword == '\0' && syntax->first == 0 &&
             !syntax->unweighted)
        take_lines_as(plain, '\0', ' ', 0, false, false, false, segment, readable, edges, room);
    else
        take_lines_as(plain, keyword, syntax->separator, syntax->first, syntax->named,
                      syntax->unweighted, false, segment, readable, edges, room);
}

/* Returns the beginning of the first line at `at` or behind it; no line begins at the first byte of
 * the buffer. If the line there is too long to be plain, it may return a place in it, because no
 * thread gets past that line. */
static const char *next_line(const char *at, const char *readable) {
    const char *const from = at - 1;
    const size_t bytes = readable - from < LONGEST ? (size_t)(readable - from) : LONGEST;
    const char *const feed = memchr(from, '\n', bytes);
    return feed != NULL ? feed + 1 : from + bytes;
}

static int64_t count_lines(const char *at, const char *end) {
    enum { EACH = 128 }; /* number of bytes whose line feeds a count of one byte can hold */
    int64_t lines = 0;
    for (; end - at >= EACH; at += EACH) {
        unsigned char some = 0;
        for (int k = 0; k < EACH; k++)
            some = (unsigned char)(some + (at[k] == '\n'));
        lines += some;
    }
    for (; at < end; at++)
        lines += *at == '\n';
    return lines;
}

static size_t edge_size(const struct plain_edges *plain) {
    return plain->is_real ? sizeof(struct real_edge) : sizeof(struct edge);
}

enum { MOST_SEGMENTS = 256 };

/* Takes lines of `all` on several threads, of which each gets `most` / threads segments or fewer.
 * Threads count lines first, so that every segment knows the places of its edges. Edges behind a
 * line that is not plain are discarded. */
static void take_together(const struct plain_edges *plain, int threads, int64_t most,
                          struct segment *all, const char *readable, char *edges, int64_t room) {
    struct segment segments[MOST_SEGMENTS];
    const int count = chunks_for(threads) < most ? chunks_for(threads) : (int)most;
    const char *const begin = all->at;
    const int64_t bytes = all->end - begin;
    for (int s = 0; s < count; s++) {
        const bool is_last = s == count - 1;
        segments[s].begin = segments[s].at = s == 0 ? begin : segments[s - 1].end;
        segments[s].end =
            is_last ? all->end : next_line(begin + chunk_begin(bytes, count, s + 1), readable);
    }
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int s = 0; s < count; s++)
            segments[s].lines = count_lines(segments[s].begin, segments[s].end);
#pragma omp for schedule(dynamic) nowait
        for (int s = 0; s < count; s++) {
            int64_t place = 0;
            for (int before = 0; before < s; before++)
                place += segments[before].lines;
            const int64_t left = place < room ? room - place : 0;
            take_lines(plain, &segments[s], readable,
                       left > 0 ? edges + (size_t)place * edge_size(plain) : edges,
                       left < segments[s].lines ? left : segments[s].lines);
        }
    }
    all->taken = 0;
    for (int s = 0; s < count && all->at == segments[s].begin; s++) {
        all->taken += segments[s].taken;
        all->at = segments[s].at;
    }
}

int64_t plain_edges_take(struct plain_edges *plain, struct text_source *source, void *edges,
                         int64_t room) {
    const char *const readable = source->buffer + source->end;
    const size_t pays = block_sizes.thread_bytes;
    int64_t taken = 0;
    bool goes_on = source->feed == '\n';
    while (goes_on && taken < room && source->end - source->begin >= longest_of(plain)) {
        struct segment all = {.at = source->buffer + source->begin, .end = readable};
        const size_t window = (uint64_t)(room - taken) < plain->window / LONGEST
                                  ? (size_t)(room - taken) * LONGEST
                                  : plain->window;
        if (plain->threads > 1 && (size_t)(readable - all.at) > window)
            all.end = next_line(all.at + window, readable);
        const int64_t paid = (int64_t)((size_t)(all.end - all.at) / pays);
        const int64_t most = paid < MOST_SEGMENTS ? paid : MOST_SEGMENTS;
        const int threads = plain->threads < most ? plain->threads : (int)most;
        char *const to = (char *)edges + (size_t)taken * edge_size(plain);
        if (threads > 1)
            take_together(plain, threads, most, &all, readable, to, room - taken);
        else
            take_lines(plain, &all, readable, to, room - taken);
        taken += all.taken;
        source->begin = (size_t)(all.at - source->buffer);
        source->line += all.taken;
        goes_on = all.at == all.end;
        if (goes_on && plain->window < source->capacity)
            plain->window *= 2;
    }
    const bool meets_other = taken < room && source->end - source->begin >= longest_of(plain);
    if (meets_other)
        plain->window = pays;
    return taken;
}
