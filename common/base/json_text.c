// SPDX-License-Identifier: MIT
#include "common/base/json_text.h"

#include "common/base/memory.h"      // memory_alloc
#include "common/base/number_text.h" // number_text

#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100, LONGEST_NUMBER = 400 };

/* Returns the number of bytes of the UTF-8 sequence at `text`, which ends with a NUL; 0 if it is
 * not UTF-8. */
static int utf8_length(const char *text) {
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80)
        return 1;
    const int length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
    uint32_t code = byte[0] & (0x7fU >> length);
    if (byte[0] < 0xc2 || byte[0] > 0xf4)
        return 0;
    for (int k = 1; k < length; k++) {
        if ((byte[k] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte[k] & 0x3fU);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < lowest[length] || code > 0x10ffff || surrogate ? 0 : length;
}

/* Reading. */

struct json_reader {
    const char *at;           /* the rest of the text; a NUL, which no JSON contains, ends it */
    struct json_value *value; /* the next free value */
    char *text;               /* room for the next text */
    const char *expected;     /* set if the JSON is malformed: what was expected */
    int depth;
};

static bool bad(struct json_reader *r, const char *expected) {
    if (r->expected == NULL)
        r->expected = expected;
    return false;
}

static void skip_blanks(struct json_reader *r) {
    r->at += strspn(r->at, " \t\r\n");
}

static bool take(struct json_reader *r, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* Reads four hexadecimal digits. */
static bool read_unit(struct json_reader *r, uint32_t *unit) {
    *unit = 0;
    for (int k = 0; k < 4; k++) {
        static const char digits[] = "0123456789abcdef";
        const char c = *r->at >= 'A' && *r->at <= 'F' ? (char)(*r->at + 'a' - 'A') : *r->at;
        const char *digit = c != '\0' ? strchr(digits, c) : NULL;
        if (digit == NULL)
            return bad(r, "four hexadecimal digits after \\u");
        *unit = *unit << 4 | (uint32_t)(digit - digits);
        r->at++;
    }
    return true;
}

/* Converts the digits after \u to UTF-8. */
static bool read_code(struct json_reader *r) {
    uint32_t code, low;
    if (!read_unit(r, &code))
        return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (!take(r, "\\u") || !read_unit(r, &low) || low < 0xdc00 || low >= 0xe000)
            return bad(r, "the second half of a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code == 0 || (code >= 0xdc00 && code < 0xe000)) {
        return bad(r, "a character after \\u");
    }
    const int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char mark[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int k = length - 1; k > 0; k--, code >>= 6)
        r->text[k] = (char)(0x80 | (code & 0x3f));
    r->text[0] = (char)(mark[length] | code);
    r->text += length;
    return true;
}

static bool read_text(struct json_reader *r, const char **text) {
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    *text = r->text;
    if (*r->at != '"')
        return bad(r, "a text in quotation marks");
    r->at++;
    while (*r->at != '"') {
        const int length = utf8_length(r->at);
        if (length == 0 || (unsigned char)*r->at < ' ')
            return bad(r, "UTF-8 without control characters in a text, and its end");
        if (*r->at != '\\') {
            memcpy(r->text, r->at, (size_t)length);
            r->text += length;
            r->at += length;
            continue;
        }
        r->at++;
        if (take(r, "u")) {
            if (!read_code(r))
                return false;
            continue;
        }
        const char *escape = *r->at != '\0' ? strchr(escapes, *r->at) : NULL;
        if (escape == NULL)
            return bad(r, "one of \"\\/bfnrtu after a \\");
        *r->text++ = meant[escape - escapes];
        r->at++;
    }
    r->at++;
    *r->text++ = '\0';
    return true;
}

/* Returns the decimal point of the locale. localeconv() would write to memory that all threads
 * share, and they would wait for one another. */
static const char *decimal_point(void) {
    return nl_langinfo(RADIXCHAR);
}

/* Reads a number with a decimal point by strtod, which expects the locale's point. */
static double to_double(const char *digits, size_t length) {
    const char *const point = decimal_point();
    char local[LONGEST_NUMBER + 16];
    size_t used = 0;
    for (size_t k = 0; k < length; k++) {
        if (digits[k] != '.')
            local[used++] = digits[k];
        else
            used += (size_t)snprintf(local + used, 8, "%s", point);
    }
    local[used] = '\0';
    return strtod(local, NULL);
}

static bool read_number(struct json_reader *r, struct json_value *value) {
    static const char digits[] = "0123456789";
    const char *const begin = r->at;
    take(r, "-");
    const size_t whole = strspn(r->at, digits);
    bool well = whole > 0 && (whole == 1 || *r->at != '0');
    r->at += whole;
    value->kind = JSON_IS_INTEGER;
    if (take(r, ".")) {
        const size_t places = strspn(r->at, digits);
        value->kind = JSON_IS_REAL;
        well = well && places > 0;
        r->at += places;
    }
    if (take(r, "e") || take(r, "E")) {
        value->kind = JSON_IS_REAL;
        if (!take(r, "+"))
            take(r, "-");
        const size_t exponent = strspn(r->at, digits);
        well = well && exponent > 0;
        r->at += exponent;
    }
    const size_t length = (size_t)(r->at - begin);
    if (!well || length > LONGEST_NUMBER)
        return bad(r, "a value");
    errno = 0;
    value->number = to_double(begin, length);
    if (errno == ERANGE && (value->number > 1 || value->number < -1))
        return bad(r, "a number of at most 10^308");
    errno = 0;
    value->integer = value->kind == JSON_IS_INTEGER ? strtoll(begin, NULL, 10) : 0;
    return errno != ERANGE || bad(r, "an integer of at most 64 bits");
}

static bool read_value(struct json_reader *r, struct json_value *value);

/* Reads values up to `end`; those of an object have names. */
static bool read_inside(struct json_reader *r, struct json_value *value, const char *end) {
    struct json_value **link = &value->first;
    if (++r->depth > DEEPEST)
        return bad(r, "at most 100 values inside one another");
    skip_blanks(r);
    bool more = !take(r, end);
    while (more) {
        struct json_value *const inside = r->value++;
        const char *name = NULL;
        *inside = (struct json_value){0};
        skip_blanks(r);
        if (value->kind == JSON_IS_OBJECT) {
            if (!read_text(r, &name))
                return false;
            if (json_text_member(value, name) != NULL)
                return bad(r, "each name once in an object");
            skip_blanks(r);
            if (!take(r, ":"))
                return bad(r, "':' after a name");
        }
        if (!read_value(r, inside))
            return false;
        inside->name = name;
        *link = inside;
        link = &inside->next;
        skip_blanks(r);
        more = take(r, ",");
        if (!more && !take(r, end))
            return bad(r, value->kind == JSON_IS_OBJECT ? "',' or '}'" : "',' or ']'");
    }
    r->depth--;
    return true;
}

static bool read_value(struct json_reader *r, struct json_value *value) {
    static const struct {
        const char *word;
        enum json_kind kind;
    } words[] = {
        {"null", JSON_IS_NULL},
        {"false", JSON_IS_FALSE},
        {"true", JSON_IS_TRUE},
    };
    skip_blanks(r);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        if (take(r, words[w].word)) {
            value->kind = words[w].kind;
            return true;
        }
    }
    if (*r->at == '"') {
        value->kind = JSON_IS_TEXT;
        return read_text(r, &value->text);
    }
    if (*r->at == '[' || *r->at == '{') {
        value->kind = *r->at++ == '[' ? JSON_IS_ARRAY : JSON_IS_OBJECT;
        return read_inside(r, value, value->kind == JSON_IS_ARRAY ? "]" : "}");
    }
    return read_number(r, value);
}

static bool read_all(struct json_reader *r, struct json_value *root, const char *end) {
    skip_blanks(r);
    if (*r->at != '[' && *r->at != '{')
        return bad(r, "'{'");
    if (!read_value(r, root))
        return false;
    skip_blanks(r);
    return r->at == end || bad(r, "the end");
}

enum status json_text_read(const char *path, const char *text, size_t size,
                           struct json_document *document, struct error *err) {
    /* A complete value has at least two bytes, and its text is not longer than the value. */
    const size_t values = (size / 2 + DEEPEST + 2) * sizeof(struct json_value);
    *document = (struct json_document){0};
    RETURN_ON_FAILURE(
        memory_alloc(&document->memory, values + 2 * (size + 1), 1, "a JSON file", err));
    struct json_value *const root = document->memory;
    char *const copy = (char *)document->memory + values;
    memcpy(copy, text, size);
    copy[size] = '\0';
    *root = (struct json_value){0};
    struct json_reader r = {.at = copy, .value = root + 1, .text = copy + size + 1};
    if (!read_all(&r, root, copy + size)) {
        int line = 1;
        for (const char *c = copy; c < r.at; c++)
            line += *c == '\n';
        return fail(err, STATUS_BAD_INPUT, "%s:%d: expected JSON: %s", path, line, r.expected);
    }
    document->root = root;
    return STATUS_OK;
}

const struct json_value *json_text_member(const struct json_value *object, const char *name) {
    const struct json_value *member = object->kind == JSON_IS_OBJECT ? object->first : NULL;
    while (member != NULL && strcmp(member->name, name) != 0)
        member = member->next;
    return member;
}

/* Writing. */

static void flush(struct json_writer *w) {
    fwrite(w->text, 1, w->length, w->to);
    w->length = 0;
}

/* Appends bytes, at most JSON_LONGEST. */
static void put(struct json_writer *w, const char *bytes, size_t count) {
    if (w->to != NULL && w->length + count > JSON_LONGEST)
        flush(w);
    if (count > JSON_LONGEST - w->length)
        count = JSON_LONGEST - w->length;
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
}

static void put_word(struct json_writer *w, const char *word) {
    put(w, word, strlen(word));
}

static bool is_utf8(const char *text) {
    while (*text != '\0' && utf8_length(text) > 0)
        text += utf8_length(text);
    return *text == '\0';
}

/* Writes a text; unless it is UTF-8, U+FFFD replaces each byte beyond ASCII. */
static void put_text(struct json_writer *w, const char *text) {
    static const char special[] = "\"\\\b\f\n\r\t", escapes[] = "\"\\bfnrt";
    const bool all = is_utf8(text);
    put_word(w, "\"");
    for (; *text != '\0'; text++) {
        const char *const escaped = strchr(special, *text);
        char code[8] = {'\\'};
        if (escaped != NULL)
            code[1] = escapes[escaped - special];
        else if ((unsigned char)*text < ' ')
            snprintf(code, sizeof code, "\\u%04X", (unsigned)*text);
        else if ((unsigned char)*text < 0x80 || all)
            code[0] = *text;
        else
            snprintf(code, sizeof code, "\xef\xbf\xbd");
        put_word(w, code);
    }
    put_word(w, "\"");
}

static void put_line(struct json_writer *w) {
    put_word(w, "\n");
    for (int k = 0; k < w->depth; k++)
        put_word(w, "  ");
}

/* Begins a member or, if the name is NULL, an element. */
static void put_name(struct json_writer *w, const char *name) {
    const bool one_line = w->to != NULL;
    if (w->follows)
        put_word(w, name != NULL || one_line ? "," : ", ");
    w->follows = true;
    if (name == NULL)
        return;
    if (!one_line)
        put_line(w);
    put_text(w, name);
    put_word(w, one_line ? ":" : ": ");
}

void json_write_begin(struct json_writer *w, FILE *to) {
    w->length = 0;
    w->depth = 1;
    w->follows = false;
    w->to = to;
    put_word(w, "{");
}

void json_write_open(struct json_writer *w, const char *name) {
    put_name(w, name);
    put_word(w, "{");
    w->depth++;
    w->follows = false;
}

void json_write_close(struct json_writer *w) {
    w->depth--;
    if (w->follows && w->to == NULL)
        put_line(w);
    put_word(w, "}");
    w->follows = true;
    if (w->depth > 0)
        return;
    put_word(w, "\n");
    if (w->to != NULL)
        flush(w);
}

void json_write_array(struct json_writer *w, const char *name) {
    put_name(w, name);
    put_word(w, "[");
    w->follows = false;
}

void json_write_array_end(struct json_writer *w) {
    put_word(w, "]");
    w->follows = true;
}

void json_write_text(struct json_writer *w, const char *name, const char *text) {
    if (is_utf8(text))
        json_write_any_text(w, name, text);
    else
        json_write_null(w, name);
}

void json_write_any_text(struct json_writer *w, const char *name, const char *text) {
    put_name(w, name);
    put_text(w, text);
}

void json_write_integer(struct json_writer *w, const char *name, int64_t integer) {
    char digits[NUMBER_TEXT_MAX];
    number_put_integer(digits, integer);
    put_name(w, name);
    put_word(w, digits);
}

int json_text_real(char text[JSON_REAL_SIZE], double number, int digits) {
    char *end = number_put_rounded(text, number, digits);
    if (strpbrk(text, ".ein") == NULL) /* nor in inf and nan */
        end = stpcpy(end, ".0");
    return (int)(end - text);
}

/* Turns the e+05 of printf into e5, and e-05 into e-5. */
static void shorten_exponent(char *text) {
    char *const exponent = strchr(text, 'e');
    if (exponent == NULL)
        return;
    char *to = exponent + 1;
    const char *from = to;
    if (*from == '-')
        to++;
    from += strspn(from, "+-");
    from += strspn(from, "0");
    memmove(to, from, strlen(from) + 1);
}

void json_write_real(struct json_writer *w, const char *name, double number, int digits) {
    char text[JSON_REAL_SIZE];
    put_name(w, name);
    if (!isfinite(number)) {
        put_word(w, "null");
        return;
    }
    json_text_real(text, number, digits);
    if (w->to != NULL)
        shorten_exponent(text);
    put_word(w, text);
}

int json_text_number(char text[JSON_REAL_SIZE], enum number_type type, double number) {
    char digits[NUMBER_TEXT_MAX];
    number_text(type, number, digits);
    const bool is_whole = type == NUMBER_INT32 || strpbrk(digits, ".ein") != NULL;
    return snprintf(text, JSON_REAL_SIZE, "%s%s", digits, is_whole ? "" : ".0");
}

void json_write_number(struct json_writer *w, const char *name, enum number_type type,
                       double number) {
    char text[JSON_REAL_SIZE];
    put_name(w, name);
    json_text_number(text, type, number);
    put_word(w, isfinite(number) ? text : "null");
}

void json_write_bool(struct json_writer *w, const char *name, bool truth) {
    put_name(w, name);
    put_word(w, truth ? "true" : "false");
}

void json_write_null(struct json_writer *w, const char *name) {
    put_name(w, name);
    put_word(w, "null");
}

void json_write_json(struct json_writer *w, const char *name, const char *json, size_t size) {
    const char *const end = json + size;
    put_name(w, name);
    while (json < end) {
        size_t count = (size_t)(end - json) < JSON_LONGEST ? (size_t)(end - json) : JSON_LONGEST;
        const char *const feed = w->to != NULL ? memchr(json, '\n', count) : NULL;
        if (feed != NULL)
            count = (size_t)(feed - json);
        put(w, json, count);
        json += count;
        /* Strings contain no line feed, so it begins an indentation. */
        if (feed != NULL)
            for (json++; json < end && *json == ' ';)
                json++;
    }
}

enum status json_write_out(struct json_writer *w, struct json_long_text *to, struct error *err) {
    if (to->capacity - to->size < w->length) {
        const size_t capacity = 2 * to->capacity + sizeof w->text;
        RETURN_ON_FAILURE(memory_resize(&to->text, capacity, 1, "a JSON file", err));
        to->capacity = capacity;
    }
    memcpy((char *)to->text + to->size, w->text, w->length);
    to->size += w->length;
    w->length = 0;
    return STATUS_OK;
}
