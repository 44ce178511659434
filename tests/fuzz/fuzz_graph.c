// SPDX-License-Identifier: MIT
/* Fuzzes the readers of graphs. FUZZ_PREFIX stands before every input: the start of
 * a format, so that no execution is spent on others ("": any format). FUZZ_FORMAT names
 * one that is read only by its name, FUZZ_COLUMN a column of weights for half the
 * inputs, FUZZ_ALONG columns that add up along paths, for other halves. Every input is
 * read twice, through a buffer that holds all of it and through a small one: the
 * same graph, or the same message, must come of it, whether edges are read in haste
 * or one by one. */
#include "common/graph/graph_io.h" // graph_read_source
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#ifndef FUZZ_PREFIX
#define FUZZ_PREFIX ""
#endif
#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT "" /* there is none of that name */
#endif
#ifndef FUZZ_COLUMN
#define FUZZ_COLUMN NULL
#endif
#ifndef FUZZ_ALONG
#define FUZZ_ALONG NULL
#endif

enum { LONGEST_INPUT = 8192 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return setenv("APSP_MEMORY_LIMIT", FUZZ_MEMORY_BYTES, 1);
}

/* Checks that a graph has the canonical form of graph.h. */
static void check_canonical(const struct graph *g) {
    FUZZ_REQUIRE(g->n >= 1 && g->m <= g->edges_read);
    FUZZ_REQUIRE(g->first[0] == 0 && g->first[g->n] == g->m);
    for (int32_t u = 0; u < g->n; u++) {
        FUZZ_REQUIRE(g->first[u] <= g->first[u + 1]);
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            FUZZ_REQUIRE(g->head[e] >= 0 && g->head[e] < g->n);
            FUZZ_REQUIRE(e == g->first[u] || g->head[e - 1] < g->head[e]);
            const double weight = graph_weight(g, e);
            FUZZ_REQUIRE(g->head[e] != u || weight < 0);
            FUZZ_REQUIRE(g->min_weight <= weight && weight <= g->max_weight);
            FUZZ_REQUIRE(isfinite(weight) && (weight != 0 || !signbit(weight)));
            FUZZ_REQUIRE(g->type != NUMBER_FLOAT32 || (double)(float)weight == weight);
        }
    }
}

static enum status read_through(const char *text, size_t size, size_t capacity,
                                const struct graph_reading *how, uint32_t *checksum,
                                struct error *err) {
    struct text_source source;
    struct graph g;
    enum status status = text_source_open_memory(&source, "input", text, size, capacity, err);
    FUZZ_REQUIRE(status == STATUS_OK);
    status = graph_read_source(&source, how, &g, err);
    text_source_close(&source);
    if (status == STATUS_OK) {
        check_canonical(&g);
        *checksum = graph_checksum(&g);
        for (int64_t k = 0; k < how->columns->count * g.m; k++) {
            FUZZ_REQUIRE(isfinite(how->columns->value[k]));
            *checksum = *checksum * 31 + (uint32_t)(int32_t)fmod(how->columns->value[k], 1e9);
        }
        FUZZ_REQUIRE(how->along == NULL || how->columns->m == g.m);
    } else {
        FUZZ_REQUIRE(g.first == NULL && err->text[0] != '\0');
        FUZZ_REQUIRE(how->columns->value == NULL);
    }
    edge_columns_free(how->columns);
    graph_free(&g);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int32_t scales[] = {0, 1, 1000};
    static char text[sizeof FUZZ_PREFIX + LONGEST_INPUT];
    const size_t prefix = sizeof FUZZ_PREFIX - 1;
    if (size > LONGEST_INPUT)
        return 0;
    memcpy(text, FUZZ_PREFIX, prefix);
    if (size > 0)
        memcpy(text + prefix, data, size);
    size += prefix;
    /* The length chooses the options, so that an input is a plain graph file. */
    struct edge_columns columns;
    const struct graph_reading how = {.format = graph_format_find(FUZZ_FORMAT),
                                      .along = size / 48 % 2 != 0 ? FUZZ_ALONG : NULL,
                                      .columns = &columns,
                                      .weight_column = size / 6 % 2 != 0 ? FUZZ_COLUMN : NULL,
                                      .undirected = size % 2 != 0,
                                      .type = (enum reading_type)(size / 12 % 4),
                                      .scale = scales[size / 2 % 3]};
    uint32_t checksum[2] = {0};
    struct error err[2] = {0};
    const enum status whole = read_through(text, size, size + 1, &how, &checksum[0], &err[0]);
    const enum status parts = read_through(text, size, 1 + size % 61, &how, &checksum[1], &err[1]);
    FUZZ_REQUIRE(whole == parts && checksum[0] == checksum[1]);
    FUZZ_REQUIRE(strcmp(err[0].text, err[1].text) == 0);
    return 0;
}
