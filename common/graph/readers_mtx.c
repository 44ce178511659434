// SPDX-License-Identifier: MIT
/* Matrix Market coordinate matrices, .mtx. */
#include "common/graph/readers.h"

enum { INTEGER, UNSIGNED, REAL, PATTERN, FIELDS };
enum { GENERAL, SYMMETRIC, SKEW, SYMMETRIES };

static bool mtx_matches(struct text_line first) {
    return readers_take_this_word(&first, "%%MatrixMarket");
}

/* Reads the first line, which has the field and the symmetry. */
static enum status take_banner(const struct reading *r, struct text_line line, int *field,
                               int *symmetry, struct error *err) {
    static const char *const fields[FIELDS] = {"integer", "unsigned-integer", "real", "pattern"};
    static const char *const symmetries[SYMMETRIES] = {"general", "symmetric", "skew-symmetric"};
    static const char expected[] = "'%%MatrixMarket matrix coordinate "
                                   "integer|unsigned-integer|real|pattern "
                                   "general|symmetric|skew-symmetric'";
    /* Other words in the format, for files that are no graphs. */
    static const char *const others[] = {"array", "complex", "hermitian"};
    static const char *const reasons[] = {
        "; a dense matrix is no list of edges, but apsp.read reads it in Python",
        "; a weight is one number",
        "; its entries are complex numbers",
    };
    enum { OTHERS = sizeof others / sizeof *others };
    char excerpt[READERS_EXCERPT];
    *field = *symmetry = -1;
    if (readers_take_this_word(&line, "%%MatrixMarket") &&
        readers_take_this_word(&line, "matrix") && readers_take_this_word(&line, "coordinate"))
        *field = readers_take_word(&line, fields, FIELDS);
    if (*field >= 0)
        *symmetry = readers_take_word(&line, symmetries, SYMMETRIES);
    if (*symmetry < 0) {
        struct text_line rest = line;
        const int other = readers_take_word(&rest, others, OTHERS);
        return text_source_fail(r->source, err, "expected %s, found %s%s", expected,
                                text_excerpt(line, excerpt, sizeof excerpt),
                                other >= 0 ? reasons[other] : "");
    }
    if (*symmetry == SKEW && (*field == UNSIGNED || *field == PATTERN))
        return text_source_fail(r->source, err,
                                "expected weights with a sign in a skew-symmetric matrix, found "
                                "'%s'",
                                fields[*field]);
    return readers_expect_end(r->source, line, expected, err);
}

static enum status read_mtx(struct reading *r, struct text_line line, struct error *err) {
    static const char sizes[] = "a line 'V V E'";
    int field, symmetry;
    int64_t rows = 0, columns = 0, edges = 0;
    RETURN_ON_FAILURE(take_banner(r, line, &field, &symmetry, err));
    const struct edge_syntax syntax = {
        .expected = field == PATTERN ? "an entry 'u v'" : "an entry 'u v w'",
        .comment = '%',
        .separator = field == UNSIGNED || symmetry == SKEW ? '\0' : ' ',
        .first = r->how->vertices_from != VERTICES_FROM_0,
        .unweighted = field == PATTERN,
        .integral = field == INTEGER || field == UNSIGNED,
        .natural = field == UNSIGNED,
        .skew = symmetry == SKEW,
    };
    if (symmetry == SKEW && r->both_ways && r->how->transform != WEIGHTS_ONE)
        return text_source_fail(r->source, err,
                                "expected edges that can be read both ways (--undirected), found "
                                "a skew-symmetric matrix");
    r->both_ways |= symmetry != GENERAL;
    r->skew = symmetry == SKEW;

    RETURN_ON_FAILURE(readers_demand_line(r, syntax.comment, sizes, &line, err));
    RETURN_ON_FAILURE(
        readers_take_number(r->source, &line, sizes, "number of rows V", 1, INT32_MAX, &rows, err));
    RETURN_ON_FAILURE(readers_take_sizes(r, &line, sizes, &columns, &edges, err));
    RETURN_ON_FAILURE(readers_expect_end(r->source, line, sizes, err));
    if (columns != rows)
        return text_source_fail(
            r->source, err, "expected as many columns as rows, found %lld rows and %lld columns",
            (long long)rows, (long long)columns);
    RETURN_ON_FAILURE(readers_announce(r, rows, edges, err));
    return readers_read_edges(r, &syntax, edges, err);
}

/* Matrix Market: `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, a line `V V E`, then E lines
 * `u v w`, vertices from 1; lines that begin with % are comments. FIELD is integer,
 * unsigned-integer, real or pattern (`u v`, weight 1), SYMMETRY general, symmetric (every edge in
 * both directions) or skew-symmetric (the reverse has the negated weight). */
const struct graph_format readers_mtx = {
    .name = "mtx", .first_lines = "'%%MatrixMarket ...'", .matches = mtx_matches, .read = read_mtx};
