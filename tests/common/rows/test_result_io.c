// SPDX-License-Identifier: MIT
/* Results on disk: written, read back, and refused when damaged. */
#include "common/rows/result_io.h"

#include "common/base/memory.h" // memory_alloc
#include "common/rows/result_reader.h"
#include "tests/unit/support.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A result with every kind of entry. */
static struct result random_result(struct random *random, int32_t n, bool with_pred) {
    struct result r = {.edges_read = 12345678901, .dist = new_matrix(n), .limit = NO_LIMIT};
    if (with_pred)
        r.pred = new_matrix(n);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            static const int32_t highest[] = {9, 99, 9999, 10000, 12345678, INF - 1};
            int32_t d = random_in(random, 0, highest[random_in(random, 0, 5)]);
            int kind = random_in(random, 0, 9);
            matrix_row(&r.dist, i)[j] = kind == 0 ? INF : kind == 1 ? -d : d;
            if (with_pred)
                matrix_row(&r.pred, i)[j] = random_in(random, -1, n - 1);
        }
    }
    r.made = (struct provenance){.program = "cpu",
                                 .variant = "sequential",
                                 .graph = "some \"graph\".txt",
                                 .checksum = 0x00c0ffee,
                                 .has_checksum = true,
                                 .solve_s = 0.25,
                                 .total_s = 0.5};
    return r;
}

static bool same_result(const struct result *a, const struct result *b) {
    return same_matrix(&a->dist, &b->dist) && (a->pred.cell == NULL) == (b->pred.cell == NULL) &&
           (a->pred.cell == NULL || same_matrix(&a->pred, &b->pred)) && a->limit == b->limit &&
           a->made.has_checksum == b->made.has_checksum && a->made.checksum == b->made.checksum;
}

static void check_npy(const struct result *written, int threads) {
    const char *prefix = temporary_path();
    struct result read;
    struct error err;
    char path[96];
    snprintf(path, sizeof path, "%s.dist.npy", prefix);
    CU_ASSERT_EQUAL(result_write_npy(prefix, written, threads, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(result_read(path, &read, &err), STATUS_OK);
    CU_ASSERT(same_result(written, &read));
    result_free(&read);
}

static void test_round_trips(void) {
    static const int32_t sizes[] = {1, 2, 3, 16, 17, 100, 350};
    struct random random = {1};
    struct error err;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int with_pred = 0; with_pred <= 1; with_pred++) {
            struct result written = random_result(&random, sizes[s], with_pred == 1), read;
            written.limit = s % 2 == 0 ? NO_LIMIT : (int32_t)s - 1;
            for (int threads = 1; threads <= 3; threads++) {
                const char *path = temporary_path();
                CU_ASSERT_EQUAL(result_write_text(path, &written, threads, &err), STATUS_OK);
                CU_ASSERT_EQUAL_FATAL(result_read(path, &read, &err), STATUS_OK);
                CU_ASSERT(same_result(&written, &read));
                CU_ASSERT_EQUAL(read.edges_read, written.edges_read);
                result_free(&read);
            }
            check_npy(&written, 0);
            result_free(&written);
        }
    }
}

/* Like random_result, with distances of a real type. */
static struct result random_real_result(struct random *random, enum number_type type, int32_t n) {
    struct error err;
    struct result r;
    CU_ASSERT_EQUAL_FATAL(result_alloc(&r, type, n, n, true, "g", &err), STATUS_OK);
    r.edges_read = 12;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            const double scale = random_in(random, 0, 1) == 0 ? 1e-3 : 0x1p-40;
            const double d = random_in(random, -9, INT32_MAX) * scale;
            const bool reached = random_in(random, 0, 9) > 0;
            if (type == NUMBER_FLOAT32)
                r.dist.cell_f32[(size_t)i * r.dist.ld + (size_t)j] = reached ? (float)d : INFINITY;
            else
                r.dist.cell_f64[(size_t)i * r.dist.ld + (size_t)j] = reached ? d : INFINITY;
            matrix_row(&r.pred, i)[j] = random_in(random, -1, n - 1);
        }
    }
    return r;
}

/* Reads a result as one of that type, and compares the bits. */
static void check_read_as(const struct result *written, const char *path) {
    const enum number_type type = written->dist.type;
    const size_t bytes = (size_t)written->dist.n * number_size(type);
    struct result_reader reader;
    struct error err;
    bool same = true;
    CU_ASSERT_EQUAL_FATAL(result_reader_open(&reader, path, type, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(result_reader_load(&reader, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(reader.rows->type, type);
    for (int32_t i = 0; i < written->dist.n; i++)
        same &= memcmp(matrix_row_cells(&written->dist, i),
                       matrix_row_cells(&reader.result.dist, i), bytes) == 0;
    CU_ASSERT(same);
    CU_ASSERT(same_matrix(&written->pred, &reader.result.pred));
    CU_ASSERT_EQUAL(reader.result.limit, written->limit);
    result_reader_close(&reader);
}

static void test_real_round_trips(void) {
    static const int32_t sizes[] = {1, 3, 17, 100, 2, 2, 2};
    /* Limits keep all bits, whatever the type of the distances. */
    static const double limits[] = {NO_LIMIT, 0, 5, 0.1, 1e-300, 3.4e38, 0x1.123456789abcdp-3};
    struct random random = {1};
    struct error err;
    for (size_t s = 0; s < COUNT(sizes); s++) {
        for (int type = NUMBER_FLOAT32; type <= NUMBER_FLOAT64; type++) {
            const char *const path = temporary_path(), *const prefix = temporary_path();
            struct result written = random_real_result(&random, (enum number_type)type, sizes[s]);
            written.limit = limits[s];
            CU_ASSERT_EQUAL(result_write_text(path, &written, 2, &err), STATUS_OK);
            check_read_as(&written, path);
            CU_ASSERT_EQUAL(result_write_npy(prefix, &written, 2, &err), STATUS_OK);
            check_read_as(&written, prefix);
            result_free(&written);
        }
    }
}

/* Entries of one type are read as numbers of another type that can hold them. */
static void test_entries_of_other_types(void) {
    static const float f32[] = {0.25F, INFINITY, 5};
    static const double f64[] = {0.25, INFINITY, 0.1};
    static const int32_t i32[] = {7, INF, -3};
    static const int64_t i64[] = {7, INT64_MAX / 2, INF, (INT64_C(1) << 53) + 1};
    static const double whole[] = {7, INFINITY, 1 - 0x1p53, 0x1p53};
    static const uint8_t u8[] = {7, UINT8_MAX, 0};
    double wide[4];
    int64_t longs[4];
    float narrow[3];
    int32_t integers[3];
    CU_ASSERT_EQUAL(npy_type_read(NPY_FLOAT32, f32, 3, true, NUMBER_FLOAT64, wide), 3);
    CU_ASSERT(wide[0] == 0.25 && isinf(wide[1]) && wide[2] == 5);
    CU_ASSERT_EQUAL(npy_type_read(NPY_FLOAT64, f64, 3, true, NUMBER_FLOAT32, narrow), 2);
    CU_ASSERT(narrow[0] == 0.25F && isinf(narrow[1]));
    CU_ASSERT_EQUAL(npy_type_read(NPY_INT32, i32, 3, true, NUMBER_FLOAT32, narrow), 3);
    CU_ASSERT(narrow[0] == 7 && isinf(narrow[1]) && narrow[2] == -3);
    CU_ASSERT_EQUAL(npy_type_read(NPY_INT64, i64, 4, true, NUMBER_FLOAT64, wide), 3);
    CU_ASSERT(wide[0] == 7 && isinf(wide[1]) && wide[2] == INF);
    CU_ASSERT_EQUAL(npy_type_read(NPY_INT64, i64, 3, true, NUMBER_INT32, integers), 3);
    CU_ASSERT(integers[0] == 7 && integers[1] == INF && integers[2] == INF);
    CU_ASSERT_EQUAL(npy_type_convert(NPY_INT64, ISA_PORTABLE, NUMBER_FLOAT64, whole, 4, longs), 3);
    CU_ASSERT(longs[0] == 7 && longs[1] == INT64_MAX / 2 && longs[2] == 1 - (INT64_C(1) << 53));
    CU_ASSERT_EQUAL(npy_type_convert(NPY_INT64, ISA_PORTABLE, NUMBER_FLOAT64, f64, 2, longs), 0);
    CU_ASSERT_EQUAL(npy_type_read(NPY_UINT8, u8, 3, true, NUMBER_FLOAT64, wide), 3);
    CU_ASSERT(wide[0] == 7 && isinf(wide[1]) && wide[2] == 0);
    CU_ASSERT_EQUAL(npy_type_read(NPY_FLOAT32, f32, 3, true, NUMBER_INT32, integers), 0);
    CU_ASSERT_EQUAL(npy_type_read(NPY_FLOAT32, f32 + 1, 2, true, NUMBER_INT32, integers), 2);
    CU_ASSERT(integers[0] == INF && integers[1] == 5);
}

/* Rows of fewer than 1000 bytes are packed, some dozens together (tests/unit/small_blocks.c). */
static void test_long_rows(void) {
    static const int32_t sizes[] = {249, 250, 251, 513};
    struct random random = {1};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct result written = random_result(&random, sizes[s], true);
        for (int threads = 1; threads <= 3; threads++)
            check_npy(&written, threads);
        result_free(&written);
    }
}

static void test_exact_text(void) {
    static const char expected[] = "|V| = 2, |E| = 3\n"
                                   "\n"
                                   "0\t-7\n"
                                   "INF\t0\n"
                                   "\n"
                                   "-1\t0\n"
                                   "-1\t-1\n"
                                   "# solver: cuda_simple thesis\n"
                                   "# solve_s: 0.5\n"
                                   "# total_s: 1.25\n"
                                   "# graph: g.txt\n"
                                   "# graph checksum: 0000002a\n";
    struct result r = {.edges_read = 3,
                       .limit = NO_LIMIT,
                       .dist = new_matrix(2),
                       .pred = new_matrix(2),
                       .made = {.program = "cuda_simple",
                                .variant = "thesis",
                                .graph = "g.txt",
                                .checksum = 42,
                                .has_checksum = true,
                                .solve_s = 0.5,
                                .total_s = 1.25}};
    const int32_t dist[] = {0, -7, INF, 0}, pred[] = {-1, 0, -1, -1};
    for (int c = 0; c < 4; c++) {
        matrix_row(&r.dist, c / 2)[c % 2] = dist[c];
        matrix_row(&r.pred, c / 2)[c % 2] = pred[c];
    }
    char found[sizeof expected + 1];
    const char *path = temporary_path();
    struct error err;
    CU_ASSERT_EQUAL(result_write_text(path, &r, 1, &err), STATUS_OK);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    CU_ASSERT_STRING_EQUAL(found, expected);
    result_free(&r);
}

#define LITERAL(text) text, sizeof(text) - 1

static void test_accepted(void) {
    static const struct {
        const char *text;
        size_t size;
    } files[] = {
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\nINF\t0\n\n-1\t0\n-1\t-1\n")},
        /* As the thesis's programs write it: CRLF, more blank lines, trailing tabs, no last line
           feed. */
        {LITERAL("|V| = 2, |E| = 1\r\n\r\n\r\n0\t5\t\r\nINF\t0\t\r\n\r\n\r\n-1\t0\t\r\n-1\t-1\t")},
        {LITERAL("|V| = 2, |E| = 1\n\n\n0\t5\t\n\xe2\x88\x9e\t0\t\n\n\n-1\t0\t\n-1\t-1\t\n")},
        {LITERAL("\xef\xbb\xbf|V| = 2, |E| = 1\n\n0\t5\nINF\t0\n\n-1\t0\n-1\t-1\n")},
        {LITERAL("|V|=2,|E|=1\n0 5\nINF 0\n-1 0\n-1 -1\n# solver: mine\n#\n")},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct result r;
        struct error err;
        CU_ASSERT_EQUAL_FATAL(result_read(temporary_file(files[f].text, files[f].size), &r, &err),
                              STATUS_OK);
        CU_ASSERT_EQUAL(r.dist.n, 2);
        CU_ASSERT_EQUAL(r.edges_read, 1);
        CU_ASSERT_EQUAL(matrix_row(&r.dist, 0)[1], 5);
        CU_ASSERT_EQUAL(matrix_row(&r.dist, 1)[0], INF);
        CU_ASSERT_EQUAL(matrix_row(&r.pred, 0)[1], 0);
        CU_ASSERT_EQUAL(matrix_row(&r.pred, 1)[1], -1);
        CU_ASSERT(!r.made.has_checksum);
        result_free(&r);
    }
}

static void test_refused(void) {
    static const struct {
        const char *text;
        size_t size;
        enum status status;
        const char *message;
    } files[] = {
        {LITERAL(""), STATUS_BAD_INPUT, "expected a result, found an empty file"},
        {LITERAL("2 1\n0 1 5\n"), STATUS_BAD_INPUT, ":1: expected '|V| = n, |E| = m'"},
        {LITERAL("|V| = 0, |E| = 1\n"), STATUS_BAD_INPUT, ":1: expected '|V| = n, |E| = m'"},
        {LITERAL("|V| = 99999999999, |E| = 1\n"), STATUS_BAD_INPUT, ":1: expected '|V| = n"},
        {LITERAL("|V| = 2147483647, |E| = 1\n"), STATUS_BAD_INPUT, "truncated: no distances"},
        {LITERAL("|V| = 2147483647, |E| = 1\n\n0\t5\n"), STATUS_NO_RESOURCE,
         "2147483647 vertices need"},
        {LITERAL("|V| = 2, |E| = 1\n|S| = 0:\n\n0\t5\n"), STATUS_BAD_INPUT,
         ":2: expected '|S| = k: vertices', found '|S|'"},
        {LITERAL("|V| = 2, |E| = 1\n|S| = 1: 2\n\n0\t5\n"), STATUS_BAD_INPUT,
         "entry 0: expected a vertex in 0 .. 1"},
        {LITERAL("|V| = 2, |E| = 1\n|S| = 2: 1 1\n\n0\t5\n"), STATUS_BAD_INPUT,
         "entry 1: expected a vertex in 0 .. 1 that is not there before"},
        {LITERAL("|V| = 2, |E| = 1\n|S| = 2: 1\n\n0\t5\n"), STATUS_BAD_INPUT,
         ":2: expected predecessor number 2 of 2"},
        {LITERAL("|V| = 2, |E| = 1\n|T| = 1: 1\n\n5\n0\n"), STATUS_BAD_INPUT,
         "columns are missing: expected distances to all 2 vertices, found 1 targets"},
        {LITERAL("|V| = 2, |E| = 1\n|S| = 1: 1\n|T| =\n"), STATUS_BAD_INPUT, "columns are missing"},
        {LITERAL("|V| = 2, |E| = 1 x\n"), STATUS_BAD_INPUT, ":1: expected '|V| = n, |E| = m'"},
        {LITERAL("|V| = 2, |E| = 1\n"), STATUS_BAD_INPUT, "truncated: no distances"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\n"), STATUS_BAD_INPUT,
         "truncated: expected 2 rows of distances"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\nINF\t0\n"), STATUS_BAD_INPUT,
         "truncated: expected predecessors"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\nINF\t0\n# solver: x\n"), STATUS_BAD_INPUT,
         "truncated: expected predecessors"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\nINF\t0\n\n-1\t0\n"), STATUS_BAD_INPUT,
         "truncated: expected 2 rows of predecessors"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\nINF\t0\n\n-1\t0\n-1"), STATUS_BAD_INPUT,
         ":7: expected predecessor number 2 of 2, found the end of the line"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\t6\n"), STATUS_BAD_INPUT,
         ":3: expected 2 entries, found '6' after them"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\tINFINITE\n"), STATUS_BAD_INPUT,
         ":3: expected distance number 2 of 2, found 'INFINITE'"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\tnan\n"), STATUS_BAD_INPUT, "found 'nan'"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5.0\n"), STATUS_BAD_INPUT, "found '5.0'"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t1073741823\n"), STATUS_BAD_INPUT, "found '1073741823'"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t-1073741823\n"), STATUS_BAD_INPUT, "found '-1073741823'"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\nINF\t0\n\n-1\tINF\n"), STATUS_BAD_INPUT,
         ":6: expected predecessor number 2 of 2, found 'INF'"},
        {LITERAL("|V| = 2, |E| = 1\n\n0\t5\nINF\t0\n\n-1\t0\n-1\t-1\n7\n"), STATUS_BAD_INPUT,
         ":8: expected the end of the file, found '7'"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct result r;
        struct error err = {0};
        enum status status = result_read(temporary_file(files[f].text, files[f].size), &r, &err);
        CU_ASSERT_EQUAL(status, files[f].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, files[f].message));
        if (strstr(err.text, files[f].message) == NULL)
            printf("\n    expected \"%s\"\n    found    \"%s\"\n", files[f].message, err.text);
        CU_ASSERT_PTR_NULL(r.dist.cell);
    }
}

/* The header of a 2 x 2 matrix, to be damaged. */
static const char npy_head[] = "\x93NUMPY\x01\x00\x76\x00"
                               "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }"
                               "                                                          \n";
enum { NPY_HEAD = 128, NPY_FILE = NPY_HEAD + 16 };

static enum status read_npy_bytes(const char *bytes, size_t size, const char *json,
                                  struct error *err) {
    const char *prefix = temporary_path();
    char path[96];
    FILE *file;
    struct result r;
    snprintf(path, sizeof path, "%s.json", prefix);
    if (json != NULL && (file = fopen(path, "w")) != NULL) {
        fputs(json, file);
        fclose(file);
    }
    snprintf(path, sizeof path, "%s.dist.npy", prefix);
    if ((file = fopen(path, "wb")) != NULL) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
    enum status status = result_read(path, &r, err);
    result_free(&r);
    return status;
}

static void replace(char *bytes, const char *old, const char *new) {
    char *at = strstr(bytes + 10, old);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_EQUAL(strlen(old), strlen(new));
    memcpy(at, new, strlen(new));
}

static void test_npy_refused(void) {
    static const char complete[] = "{\"predecessors\": false}";
    char bytes[NPY_FILE];
    struct error err;
    CU_ASSERT_EQUAL(sizeof npy_head - 1, NPY_HEAD);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, npy_head, NPY_HEAD);
    CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, complete, &err), STATUS_OK);

    CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, NULL, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "which marks the result complete"));
    CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, "{\"predecessors\": tr", &err),
                    STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, "{}", &err), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, "[1]", &err), STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, "{\"predecessors\": true}", &err),
                    STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ".pred.npy: No such file"));

    for (size_t size = 0; size < NPY_FILE; size++)
        CU_ASSERT_EQUAL(read_npy_bytes(bytes, size, complete, &err), STATUS_BAD_INPUT);

    static const struct {
        const char *old, *new;
    } damages[] = {
        {"<i4", "<i8"},       {"<i4", ">i4"},       {"<i4", "<f2"},     {"<i4", "|u1"},
        {"<i4", "|i1"},       {"<i4", ">u2"},       {"False", "True "}, {"(2, 2)", "(2, 3)"},
        {"(2, 2)", "(4, 1)"}, {"(2, 2)", "(0, 0)"}, {"descr", "Descr"}, {", }", ",x}"},
    };
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        memcpy(bytes, npy_head, NPY_HEAD);
        replace(bytes, damages[d].old, damages[d].new);
        CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, complete, &err), STATUS_BAD_INPUT);
    }
    memcpy(bytes, npy_head, NPY_HEAD);
    CU_ASSERT_EQUAL(
        read_npy_bytes(bytes, NPY_FILE, "{\"predecessors\": false, \"type\": \"float64\"}", &err),
        STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected \"type\": \"int32\", as"));
    CU_ASSERT_EQUAL(
        read_npy_bytes(bytes, NPY_FILE, "{\"predecessors\": false, \"infinity\": 255}", &err),
        STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "expected \"infinity\": 1073741823, as"));
    bytes[6] = 9;
    CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, complete, &err), STATUS_BAD_INPUT);
    bytes[6] = 1;
    bytes[9] = 0x7f; /* a header of 32 KB */
    CU_ASSERT_EQUAL(read_npy_bytes(bytes, NPY_FILE, complete, &err), STATUS_BAD_INPUT);
}

/* A result with distances only replaces an older one with predecessors, and removes these. */
static void test_npy_replaced(void) {
    struct random random = {2};
    struct result full = random_result(&random, 5, true), bare = random_result(&random, 5, false);
    const char *prefix = temporary_path();
    char path[96];
    struct error err;
    CU_ASSERT_EQUAL(result_write_npy(prefix, &full, 1, &err), STATUS_OK);
    CU_ASSERT_EQUAL(result_write_npy(prefix, &bare, 1, &err), STATUS_OK);
    snprintf(path, sizeof path, "%s.pred.npy", prefix);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    result_free(&full);
    result_free(&bare);
}

/* Reads all rows in blocks of up to `most` rows, the last ones first, and compares them. */
static void check_blocks(struct row_reader *rows, int32_t most, const struct result *expected) {
    const size_t bytes = (size_t)rows->n * sizeof(int32_t);
    int32_t *pred_rows[ROW_BLOCK_MAX];
    struct row_block block;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(rows->begin(rows, 1, most, &err), STATUS_OK);
    for (int32_t first = (rows->sources.count - 1) / most * most; first >= 0; first -= most) {
        const int32_t left = rows->sources.count - first;
        CU_ASSERT_EQUAL_FATAL(
            rows->read(rows, first, left < most ? left : most, &block, pred_rows, &err), STATUS_OK);
        for (int32_t r = 0; r < block.count; r++) {
            const int32_t p = block.position[r];
            CU_ASSERT_EQUAL(p, first + r);
            CU_ASSERT_EQUAL(block.source[r], row_source(&rows->sources, p));
            CU_ASSERT_EQUAL(memcmp(block.dist[r], matrix_row(&expected->dist, p), bytes), 0);
            CU_ASSERT_EQUAL(memcmp(block.pred[r], matrix_row(&expected->pred, p), bytes), 0);
        }
    }
    CU_ASSERT_EQUAL(rows->end(rows, &err), STATUS_OK);
}

/* Rows of files are read in any order; a change of a file during that is noticed. */
static void test_reader(void) {
    static int32_t vertices[] = {40, 3, 77, 5, 12};
    struct random random = {3};
    struct result written = random_result(&random, 81, true);
    const char *prefix = temporary_path();
    char path[96];
    int32_t *pred_rows[ROW_BLOCK_MAX];
    struct row_block block;
    struct error err;
    snprintf(path, sizeof path, "%s.pred.npy", prefix);
    for (int partial = 0; partial <= 1; partial++) {
        struct result_reader reader;
        if (partial) {
            written.sources = (struct vertex_list){vertices, 5};
            written.dist.rows = written.pred.rows = 5;
        }
        CU_ASSERT_EQUAL(result_write_npy(prefix, &written, 1, &err), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(result_reader_open(&reader, prefix, NUMBER_INT32, &err), STATUS_OK);
        const struct row_reader *const rows = reader.rows;
        const int32_t last = rows->sources.count - 1;
        CU_ASSERT_EQUAL(last, partial ? 4 : 80);
        for (int32_t most = 1; most <= ROW_BLOCK_MAX; most += 21)
            check_blocks(reader.rows, most, &written);
        const int file = open(path, O_WRONLY);
        const char changed = 5;
        CU_ASSERT_EQUAL(pwrite(file, &changed, 1, 128 + 81 * 4), 1);
        close(file);
        CU_ASSERT_EQUAL(rows->read(reader.rows, 1, 1, &block, pred_rows, &err), STATUS_OK);
        CU_ASSERT_EQUAL(rows->end(reader.rows, &err), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ".pred.npy: expected the file that "));
        CU_ASSERT_EQUAL(truncate(path, 128 + (last + 1) * 81 * 4 - 1), 0);
        CU_ASSERT_EQUAL(rows->read(reader.rows, last, 1, &block, pred_rows, &err),
                        STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ".pred.npy: expected more bytes"));
        result_reader_close(&reader);
    }
    written.sources.vertex = NULL;
    result_free(&written);
}

static const enum npy_type narrow[] = {NPY_UINT8, NPY_UINT16};

/* Fills in distances that a type can hold, among them its largest one and INF. */
static void fill_for(struct random *random, enum npy_type type, const struct matrix *dist) {
    const int32_t largest = (int32_t)npy_types[type].no_path - 1;
    for (int32_t i = 0; i < dist->rows; i++) {
        for (int32_t j = 0; j < dist->n; j++) {
            const int32_t kind = random_in(random, 0, 9);
            matrix_row(dist, i)[j] = kind == 0   ? INF
                                     : kind == 1 ? largest
                                                 : random_in(random, 0, largest);
        }
    }
}

/* Returns rows of sources in reverse order, without predecessors. */
static struct result rows_for(struct random *random, enum npy_type type, int32_t rows, int32_t n) {
    struct result r = {
        .edges_read = 1, .type = type, .sources = {.count = rows}, .limit = NO_LIMIT};
    struct error err;
    void *list;
    CU_ASSERT_EQUAL_FATAL(matrix_alloc_rows(&r.dist, rows, n, "distances", &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(memory_alloc(&list, (size_t)rows, sizeof(int32_t), "", &err), STATUS_OK);
    r.sources.vertex = list;
    for (int32_t p = 0; p < rows; p++)
        r.sources.vertex[p] = rows - 1 - p;
    fill_for(random, type, &r.dist);
    return r;
}

/* Rows go through a buffer many at a time, or one at a time. */
static void test_narrow(void) {
    static const int32_t sizes[] = {1, 65, 4095, 4096, 8191, 8192, 9001};
    struct random random = {3};
    for (size_t k = 0; k < COUNT(narrow) * COUNT(sizes); k++) {
        const int32_t n = sizes[k / 2];
        struct result r = rows_for(&random, narrow[k % 2], n < 70 ? n : 70, n);
        check_npy(&r, 2);
        result_free(&r);
    }
}

static void test_misfits(void) {
    struct random random = {5};
    struct error err;
    for (size_t t = 0; t < COUNT(narrow); t++) {
        const int32_t no_path = (int32_t)npy_types[narrow[t]].no_path;
        const int32_t misfits[] = {-1, -no_path, no_path, no_path + 1, 2 * no_path + 2, INF - 1};
        for (size_t k = 0; k < COUNT(misfits); k++) {
            const char *prefix = temporary_path();
            char expected[96], path[96];
            struct result r = rows_for(&random, narrow[t], 2, 3);
            r.made.naming.first = 1;
            matrix_row(&r.dist, 0)[2] = misfits[k];
            CU_ASSERT_EQUAL(result_write_npy(prefix, &r, 1, &err), STATUS_BAD_INPUT);
            snprintf(expected, sizeof expected,
                     "the distance from 2 to 3 is %d, and %s holds 0 .. %d:", misfits[k],
                     npy_types[narrow[t]].name, no_path - 1);
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, expected));
            snprintf(path, sizeof path, "%s.dist.npy", prefix);
            CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
            result_free(&r);
        }
    }
}

/* Tests every length, so that every lane of a vector is the last one once. */
static void check_narrowing(void) {
    enum { LONGEST = 150 };
    struct random random = {4};
    struct matrix dist = new_matrix(LONGEST);
    uint16_t to[LONGEST];
    int32_t back[LONGEST];
    enum isa isa;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(isa_choose(&isa, &err), STATUS_OK);
    for (int32_t n = 1; n < LONGEST; n++) {
        for (size_t t = 0; t < COUNT(narrow); t++) {
            int32_t *const row = matrix_row(&dist, n);
            fill_for(&random, narrow[t], &dist);
            CU_ASSERT_EQUAL(npy_type_convert(narrow[t], isa, NUMBER_INT32, row, n, to), n);
            CU_ASSERT_EQUAL(npy_type_read(narrow[t], to, n, true, NUMBER_INT32, back), n);
            CU_ASSERT_EQUAL(memcmp(row, back, (size_t)n * sizeof *row), 0);
            const int32_t wrong = random_in(&random, 0, n - 1);
            row[wrong] = random_in(&random, 0, 1) == 0 ? -1 : (int32_t)npy_types[narrow[t]].no_path;
            CU_ASSERT_EQUAL(npy_type_convert(narrow[t], isa, NUMBER_INT32, row, n, to), wrong);
        }
    }
    matrix_free(&dist);
}

static void test_narrowing(void) {
    on_every_isa(check_narrowing);
}

static void check_smallest_type(void) {
    static const struct {
        int32_t distance;
        enum npy_type type;
    } cases[] = {{254, NPY_UINT8}, {255, NPY_UINT16}, {65534, NPY_UINT16}, {65535, NPY_INT32},
                 {-1, NPY_INT32},  {INF, NPY_UINT8},  {INF - 1, NPY_INT32}};
    static const struct {
        double distance;
        enum npy_type type;
    } longs[] = {{254, NPY_UINT8},     {65534, NPY_UINT16}, {INF - 1, NPY_INT32},  {INF, NPY_INT64},
                 {1 - INF, NPY_INT32}, {-INF, NPY_INT64},   {INFINITY, NPY_UINT8}, {-1, NPY_INT32}};
    enum isa isa;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(isa_choose(&isa, &err), STATUS_OK);
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct matrix dist = new_matrix(37);
        for (int32_t i = 0; i < dist.n; i++)
            memset(matrix_row(&dist, i), 0, (size_t)dist.n * sizeof(int32_t));
        matrix_row(&dist, 30)[36] = cases[c].distance;
        CU_ASSERT_EQUAL(npy_type_for_matrix(&dist, isa, 2), cases[c].type);
        matrix_free(&dist);
    }
    for (size_t c = 0; c < COUNT(longs); c++) {
        double cells[4] = {0, 7, longs[c].distance, INFINITY}, back[4];
        struct matrix dist = {.cells = cells, .type = NUMBER_FLOAT64, .n = 2, .ld = 2, .rows = 2};
        int64_t to[4];
        CU_ASSERT_EQUAL(npy_type_for_matrix(&dist, isa, 2), longs[c].type);
        for (enum npy_type type = 0; type <= NPY_INT64; type++) {
            const bool fits = npy_types[type].size >= npy_types[longs[c].type].size;
            CU_ASSERT_EQUAL(npy_type_convert(type, isa, NUMBER_FLOAT64, cells, 4, to),
                            fits ? 4 : 2);
            CU_ASSERT(!fits || npy_type_read(type, to, 4, true, NUMBER_FLOAT64, back) == 4);
            CU_ASSERT(!fits || memcmp(cells, back, sizeof cells) == 0);
        }
    }
}

static void test_smallest_type(void) {
    on_every_isa(check_smallest_type);
}

CU_TestInfo result_io_tests[] = {
    {"round trips", test_round_trips},
    {"round trips of real distances", test_real_round_trips},
    {"entries of other types", test_entries_of_other_types},
    {"long rows of NumPy files", test_long_rows},
    {"exact text", test_exact_text},
    {"accepted oddities", test_accepted},
    {"refused, with the reason", test_refused},
    {"NumPy files refused", test_npy_refused},
    {"NumPy files replaced", test_npy_replaced},
    {"rows of NumPy files", test_reader},
    {"distances in fewer bytes", test_narrow},
    {"distances that do not fit", test_misfits},
    {"narrowing, every length", test_narrowing},
    {"the smallest type", test_smallest_type},
    CU_TEST_INFO_NULL,
};
