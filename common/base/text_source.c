// SPDX-License-Identifier: MIT
#include "common/base/text_source.h"

#include "common/base/block_sizes.h" // block_sizes
#include "common/base/byte_source.h" // byte_source_open, byte_source_read
#include "common/base/memory.h"      // memory_alloc, memory_resize

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static enum status alloc_buffer(struct text_source *source, size_t capacity, struct error *err) {
    void *buffer;
    enum status status = memory_alloc(&buffer, capacity, 1, source->name, err);
    source->buffer = buffer;
    source->capacity = capacity;
    return status;
}

uint64_t text_source_max_bytes(const struct text_source *source) {
    return source->file != NULL ? byte_source_max_bytes(source->file)
                                : source->bytes_left + (source->end - source->begin);
}

/* Returns how many bytes to read at a time: a share of the file, which is little compared with its
 * edges in memory. A pipe gives few at a time. */
static size_t bytes_for(const struct text_source *source, int threads) {
    enum { SHARE = 8 };
    const size_t most = block_sizes.shared_bytes, least = block_sizes.read_bytes;
    const uint64_t file = text_source_max_bytes(source);
    if (threads == 1 || file / SHARE < least || file == UINT64_MAX)
        return least;
    return file / SHARE < most ? (size_t)(file / SHARE) : most;
}

enum status text_source_open_shared(struct text_source *source, const char *path, int threads,
                                    struct error *err) {
    *source = (struct text_source){.name = path};
    int fd;
    if (strcmp(path, "-") == 0) {
        source->name = "standard input";
        fd = dup(STDIN_FILENO);
    } else {
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (fd < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot open %s: %s",
                    *source->name != '\0' ? source->name : "''", strerror(errno));
    RETURN_ON_FAILURE(byte_source_open(&source->file, fd, source->name, err));
    byte_source_share(source->file, threads);
    return alloc_buffer(source, bytes_for(source, threads), err);
}

enum status text_source_open(struct text_source *source, const char *path, struct error *err) {
    return text_source_open_shared(source, path, 1, err);
}

enum status text_source_open_memory(struct text_source *source, const char *name, const void *bytes,
                                    size_t size, size_t capacity, struct error *err) {
    *source = (struct text_source){.name = name, .bytes = bytes, .bytes_left = size};
    return alloc_buffer(source, capacity, err);
}

void text_source_close(struct text_source *source) {
    byte_source_close(source->file);
    memory_free(source->buffer);
    source->file = NULL;
    source->buffer = NULL;
}

static size_t read_memory(struct text_source *source, size_t room) {
    const size_t got = room < source->bytes_left ? room : source->bytes_left;
    if (got > 0) {
        memcpy(source->buffer + source->end, source->bytes, got);
        source->bytes += got;
        source->bytes_left -= got;
    }
    return got;
}

/* Makes room, then reads once. Sets at_end if the input has ended. */
static enum status refill(struct text_source *source, struct error *err) {
    if (!progress_goes_on(source->progress))
        return progress_cancelled(err);
    if (source->begin > 0) {
        memmove(source->buffer, source->buffer + source->begin, source->end - source->begin);
        source->end -= source->begin;
        source->begin = 0;
    }
    if (source->end == source->capacity) {
        void *larger = source->buffer;
        RETURN_ON_FAILURE(memory_resize(&larger, source->capacity, 2, source->name, err));
        source->buffer = larger;
        source->capacity *= 2;
    }
    size_t got = 0, room = source->capacity - source->end;
    if (source->file == NULL)
        got = read_memory(source, room);
    else
        RETURN_ON_FAILURE(
            byte_source_read(source->file, source->buffer + source->end, room, &got, err));
    source->end += got;
    source->at_end = got == 0;
    return STATUS_OK;
}

static bool begins_with_mark(struct text_line line) {
    static const char mark[] = "\xef\xbb\xbf";
    const size_t length = sizeof mark - 1;
    return (size_t)(line.end - line.begin) >= length && memcmp(line.begin, mark, length) == 0;
}

/* Finds the byte that ends the lines of a file, by its beginning. */
static enum status find_feed(struct text_source *source, struct error *err) {
    enum { LOOKED_AT = 1 << 16 };
    struct text_line bytes;
    RETURN_ON_FAILURE(text_source_peek(source, LOOKED_AT, &bytes, err));
    const size_t length = (size_t)(bytes.end - bytes.begin);
    const bool old = length > 0 && memchr(bytes.begin, '\n', length) == NULL &&
                     memchr(bytes.begin, '\r', length - 1) != NULL;
    source->feed = old ? '\r' : '\n';
    return STATUS_OK;
}

enum status text_source_next(struct text_source *source, size_t max_length, struct text_line *line,
                             bool *found, struct error *err) {
    size_t searched = 0;
    const char *feed;
    if (source->feed == '\0')
        RETURN_ON_FAILURE(find_feed(source, err));
    for (;;) {
        const char *begin = source->buffer + source->begin;
        size_t available = source->end - source->begin;
        feed = memchr(begin + searched, source->feed, available - searched);
        searched = available;
        if (feed != NULL || source->at_end || available > max_length)
            break;
        RETURN_ON_FAILURE(refill(source, err));
    }
    line->begin = source->buffer + source->begin;
    line->end = feed != NULL ? feed : source->buffer + source->end;
    *found = feed != NULL || line->begin < line->end;
    if (!*found)
        return STATUS_OK;
    source->line++;
    if ((size_t)(line->end - line->begin) > max_length)
        return text_source_fail(source, err, "expected a line of at most %zu bytes", max_length);
    source->begin = (size_t)(line->end - source->buffer) + (feed != NULL);
    if (line->end > line->begin && line->end[-1] == '\r')
        line->end--;
    if (!source->begun && begins_with_mark(*line))
        line->begin += 3;
    source->begun = true;
    return STATUS_OK;
}

enum status text_source_peek(struct text_source *source, size_t wanted, struct text_line *bytes,
                             struct error *err) {
    while (source->end - source->begin < wanted && !source->at_end)
        RETURN_ON_FAILURE(refill(source, err));
    const size_t available = source->end - source->begin;
    bytes->begin = source->buffer + source->begin;
    bytes->end = bytes->begin + (available < wanted ? available : wanted);
    return STATUS_OK;
}

const char *text_source_members(const struct text_source *source) {
    return source->file != NULL ? byte_source_members(source->file) : "";
}

enum status text_source_next_filled(struct text_source *source, size_t max_length,
                                    struct text_line *line, bool *found, struct error *err) {
    for (;;) {
        enum status status = text_source_next(source, max_length, line, found, err);
        if (status != STATUS_OK || !*found)
            return status;
        struct text_line rest = *line;
        text_skip_blanks(&rest);
        if (rest.begin < rest.end)
            return STATUS_OK;
    }
}

void text_source_put_back(struct text_source *source, struct text_line line) {
    source->begin = (size_t)(line.begin - source->buffer);
    source->line--;
}

enum status text_source_fail(const struct text_source *source, struct error *err,
                             const char *format, ...) {
    char text[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (source->line == 0)
        return fail(err, STATUS_BAD_INPUT, "%s: %s", source->name, text);
    return fail(err, STATUS_BAD_INPUT, "%s:%lld: %s", source->name, (long long)source->line, text);
}

const char *text_excerpt(struct text_line rest, char *out, size_t size) {
    text_skip_blanks(&rest);
    if (rest.begin == rest.end) {
        snprintf(out, size, "the end of the line");
        return out;
    }
    const size_t longest = size - sizeof "'...'";
    size_t length = 0;
    while (rest.begin + length < rest.end && !text_is_blank(rest.begin[length]))
        length++;
    bool cut = length > longest;
    if (cut)
        length = longest;
    char *to = out;
    *to++ = '\'';
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)rest.begin[k];
        *to++ = c < ' ' || c >= 0x7f ? '?' : (char)c;
    }
    strcpy(to, cut ? "...'" : "'");
    return out;
}

/* Reads an exponent, which may end anywhere, unlike the numbers of text_take_integer. If no digit
 * follows, returns false and takes nothing. Exponents beyond +-10^6, which no digits on a line can
 * offset, become +-10^6. */
static bool take_exponent(const char **at, const char *end, int64_t *exponent) {
    enum { HIGHEST = 1000000 };
    const char *from = *at + 1;
    bool negative = false;
    if (from < end && (*from == '-' || *from == '+'))
        negative = *from++ == '-';
    const char *digits = from;
    int64_t magnitude = 0;
    for (; from < end && *from >= '0' && *from <= '9'; from++)
        magnitude = magnitude < HIGHEST ? magnitude * 10 + (*from - '0') : HIGHEST;
    if (from == digits)
        return false;
    *exponent = negative ? -magnitude : magnitude;
    *at = from;
    return true;
}

__extension__ typedef unsigned __int128 wide;

/* A number +-m * 10^power. m has `digits` digits, the last of which is not zero; 0 has no digits. m
 * is exact if it has at most MAX_DIGITS. */
struct signed_decimal {
    bool negative;
    wide m;
    int64_t digits, power;
};

/* Limits of exact scaling: a scale below 2^30 times m / 10^p is an integer only if 2^p or 5^p
 * divides the scale, so p < 30. If the product fits in an int32, m < 2^31 * 5^29. */
enum { MAX_DIGITS = 30, MAX_PLACES = 29, MAX_BEFORE_POINT = 17 };

/* Takes a number of up to 18 digits without an exponent, the most frequent kind, in words of 64
 * bits. */
static bool take_few_digits(struct text_line *rest, struct signed_decimal *d) {
    enum { MOST = 18 };
    const char *at = rest->begin, *const end = rest->end;
    const bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    const char *const first = at, *point = NULL;
    uint64_t m = 0;
    int digits = 0;
    for (; at < end && at - first <= MOST; at++) {
        const unsigned digit = (unsigned)(*at - '0');
        if (digit <= 9) {
            m = m * 10 + digit;
            digits += m > 0;
        } else if (*at == '.' && point == NULL) {
            point = at;
        } else {
            break;
        }
    }
    const int64_t places = point != NULL ? at - point - 1 : 0;
    if (at - first - (point != NULL) < 1 || (at < end && !text_is_blank(*at)))
        return false;
    *d = (struct signed_decimal){.negative = negative, .power = m > 0 ? -places : 0};
    for (; m > 0 && m % 10 == 0; m /= 10, digits--)
        d->power++;
    d->m = m;
    d->digits = digits;
    rest->begin = at;
    return true;
}

static bool take_decimal(struct text_line *rest, struct signed_decimal *d) {
    /* zeros: number of zeros after m that are not part of it yet */
    int64_t zeros = 0, places = 0, exponent = 0;
    bool any = false, point = false;
    text_skip_blanks(rest);
    if (take_few_digits(rest, d))
        return true;
    const char *at = rest->begin, *end = rest->end;
    *d = (struct signed_decimal){0};
    if (at < end && (*at == '-' || *at == '+'))
        d->negative = *at++ == '-';
    for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        any = true;
        places += point;
        if (*at == '0') {
            zeros += d->digits > 0;
            continue;
        }
        d->digits += zeros + 1;
        for (; d->digits <= MAX_DIGITS && zeros > 0; zeros--)
            d->m *= 10;
        if (d->digits <= MAX_DIGITS)
            d->m = d->m * 10 + (unsigned)(*at - '0');
        zeros = 0;
    }
    if (any && at < end && (*at == 'e' || *at == 'E') && !take_exponent(&at, end, &exponent))
        return false;
    if (!any || (at < end && !text_is_blank(*at)))
        return false;
    d->power = d->digits > 0 ? zeros - places + exponent : 0;
    rest->begin = at;
    return true;
}

enum text_number text_take_scaled(struct text_line *rest, int32_t scale, int64_t *value) {
    const int64_t limit = INT64_C(100000000000000000);
    struct signed_decimal d;
    if (!take_decimal(rest, &d))
        return TEXT_NO_NUMBER;
    wide magnitude = (wide)limit;
    if (d.digits + d.power <= MAX_BEFORE_POINT) {
        if (d.digits > MAX_DIGITS || d.power < -MAX_PLACES ||
            __builtin_mul_overflow(d.m, (wide)scale, &magnitude))
            return TEXT_NO_INTEGER;
        for (; d.power > 0; d.power--)
            magnitude *= 10;
        for (; d.power < 0; d.power++) {
            if (magnitude % 10 != 0)
                return TEXT_NO_INTEGER;
            magnitude /= 10;
        }
    }
    const int64_t cut = magnitude < (wide)limit ? (int64_t)magnitude : limit;
    *value = d.negative ? -cut : cut;
    return TEXT_INTEGER;
}

/* Converts a number if it is the product or quotient of an integer of at most 2^53 and an exact
 * power of ten: then it is rounded only once. Rounding the result again, to a float, is right
 * unless it lies half-way between two floats. Returns whether it did. */
static bool take_short(const struct signed_decimal *d, enum number_type type, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MOST = sizeof powers / sizeof *powers - 1 };
    const wide most = (wide)1 << DBL_MANT_DIG;
    uint64_t bits;
    if (d->digits > MAX_DIGITS || d->m > most || d->power > MOST || d->power < -MOST)
        return false;
    const double m = (double)(uint64_t)d->m;
    const double rounded = d->power < 0 ? m / powers[-d->power] : m * powers[d->power];
    memcpy(&bits, &rounded, sizeof bits);
    const uint64_t beyond = (UINT64_C(1) << (DBL_MANT_DIG - FLT_MANT_DIG)) - 1;
    if (type == NUMBER_FLOAT32 &&
        ((rounded != 0 && rounded < FLT_MIN) || (bits & beyond) == (beyond + 1) / 2))
        return false;
    const double magnitude = number_rounded(type, rounded);
    *value = d->negative ? -magnitude : magnitude;
    return true;
}

/* Converts a number if it is at most 2^64 divided by a power of ten that a word holds, as programs
 * print it with 17 digits: a quotient of integers, with a bit for the remainder, is rounded once.
 * Returns whether it did. */
static bool take_quotient(const struct signed_decimal *d, enum number_type type, double *value) {
    enum { MOST = 19, BITS = 64 };
    const bool is_short = d->digits <= MAX_DIGITS && d->m > 0 && d->m >> BITS == 0;
    uint64_t power = 1;
    if (!is_short || type != NUMBER_FLOAT64 || d->power >= 0 || d->power < -MOST)
        return false;
    for (int k = 0; k < -d->power; k++)
        power *= 10;
    /* Shifted so far to the left that the quotient has 63 or 64 bits. */
    const uint64_t m = (uint64_t)d->m;
    const int shift = BITS - 1 + __builtin_clzll(m) - __builtin_clzll(power);
    const wide numerator = (wide)m << shift;
    const uint64_t quotient = (uint64_t)(numerator / power);
    const uint64_t follows = numerator % power != 0;
    const double magnitude = ldexp((double)(quotient | follows), -shift);
    *value = d->negative ? -magnitude : magnitude;
    return true;
}

/* A locale whose numbers have a decimal point, for strtod. Making it takes no memory, so it cannot
 * fail. */
static locale_t plain_locale;

static void make_plain_locale(void) {
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Rounds any number, however long. */
static double round_long(struct text_line number, enum number_type type) {
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    char text[TEXT_LONGEST_REAL + 1];
    const size_t length = (size_t)(number.end - number.begin);
    memcpy(text, number.begin, length);
    text[length] = '\0';
    pthread_once(&made, make_plain_locale);
    return type == NUMBER_FLOAT32 ? (double)strtof_l(text, NULL, plain_locale)
                                  : strtod_l(text, NULL, plain_locale);
}

/* Takes an infinity. */
static bool take_infinity(struct text_line *rest, double *value) {
    static const char *const words[] = {"infinity", "inf"};
    const char *at = rest->begin;
    const bool negative = at < rest->end && *at == '-';
    at += at < rest->end && (*at == '-' || *at == '+');
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t length = strlen(words[w]);
        if ((size_t)(rest->end - at) < length || strncasecmp(at, words[w], length) != 0)
            continue;
        at += length;
        if (at < rest->end && !text_is_blank(*at))
            return false;
        rest->begin = at;
        *value = negative ? -INFINITY : INFINITY;
        return true;
    }
    return false;
}

enum text_number text_take_real(struct text_line *rest, enum number_type type, double *value) {
    struct signed_decimal d;
    text_skip_blanks(rest);
    const struct text_line before = *rest;
    if (!take_decimal(rest, &d))
        return take_infinity(rest, value) ? TEXT_REAL : TEXT_NO_NUMBER;
    if (take_short(&d, type, value) || take_quotient(&d, type, value))
        return TEXT_REAL;
    const struct text_line number = {before.begin, rest->begin};
    if (number.end - number.begin > TEXT_LONGEST_REAL) {
        *rest = before;
        return TEXT_NO_NUMBER;
    }
    *value = round_long(number, type);
    return isinf(*value) ? TEXT_TOO_LARGE : TEXT_REAL;
}
