// SPDX-License-Identifier: MIT
#include "graphgen/families.h"

#include "graphgen/random.h" // random_key

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first stream of random bits after those of generate.c. */
enum { FIRST_STREAM = 16 };

const struct family families[] = {
    {.name = "grid",
     .summary = "a square grid, rows from left to right; the last row may be short",
     .degree = {"neighbours: 4, 6 (triangles) or 8 (both diagonals)", 4000, 8000, 2000, 4000},
     .generate = generate_grid},
    {.name = "road",
     .summary = "streets of towns in regions that few roads join, with dead ends; lengths",
     .degree = {"mean number of roads at a vertex", 2000, 4000, 1, 2760},
     .cut_exponent = true,
     .lengths = true,
     .streets = true,
     .generate = generate_road},
    {.name = "geometric",
     .summary = "random points, joined if they are near each other; lengths",
     .degree = {"mean number of neighbours", 0, 64000, 1, 8000},
     .dimensions = true,
     .lengths = true,
     .generate = generate_geometric},
    {.name = "knn",
     .summary = "random points, each joined with the K nearest; lengths",
     .degree = {"K", 1000, 64000, 1000, 8000},
     .dimensions = true,
     .lengths = true,
     .generate = generate_knn},
    {.name = "power-grid",
     .summary = "random points, each joined with the nearest that came before it, some with the "
                "nearest two; lengths",
     .degree = {"mean number of lines at a vertex", 2000, 4000, 1, 2670},
     .lengths = true,
     .generate = generate_power_grid},
    {.name = "transit",
     .summary = "lines of stops between interchanges on a grid, and fast lines between far ones; "
                "seconds",
     .lengths = true,
     .generate = generate_transit},
    {.name = "river",
     .summary = "a tree of streams; lengths",
     .lengths = true,
     .generate = generate_river},
    {.name = "surface",
     .summary = "triangles that cover a closed surface with bumps; lengths",
     .lengths = true,
     .generate = generate_surface},
    {.name = "power-law",
     .summary = "preferential attachment (Barabasi and Albert 1999)",
     .degree = {"edges of each new vertex", 1000, 64000, 1000, 4000},
     .generate = generate_power_law},
    {.name = "rmat",
     .summary =
         "R-MAT, as Graph500 makes its Kronecker graphs, of 2^k vertices; loops and repeated "
         "edges are dropped",
     .degree = {"drawn edges a vertex", 1000, 64000, 1000, 16000},
     .drops = true,
     .power_of_two = true,
     .generate = generate_rmat},
    {.name = "disconnected",
     .summary = "ten random directed graphs of equal size, nothing between them",
     .degree = {"edges a vertex", 0, 64000, 1000, 8000},
     .one_way = true,
     .generate = generate_disconnected},
    {.name = "tree",
     .summary = "each vertex hangs on a random earlier one",
     .generate = generate_tree},
    {.name = "ring",
     .summary = "one directed cycle through all vertices in random order",
     .one_way = true,
     .generate = generate_ring},
    {.name = "star", .summary = "vertex 0 joined with every other", .generate = generate_star},
    {.name = "complete", .summary = "every two vertices joined", .generate = generate_complete},
};
const size_t family_count = sizeof families / sizeof *families;

const struct family *family_find(const char *name) {
    for (size_t f = 0; f < family_count; f++) {
        if (strcmp(families[f].name, name) == 0)
            return &families[f];
    }
    return NULL;
}

bool thousandths_read(const char *text, int64_t *value) {
    enum { MAX_DIGITS = 9, PLACES = 3 };
    int digits = 0, places = -1; /* places: decimals read so far; -1: before the point */
    for (*value = 0; *text != '\0'; text++) {
        if (*text == '.' && places < 0) {
            places = 0;
            continue;
        }
        if (!isdigit((unsigned char)*text) || ++digits > MAX_DIGITS || places == PLACES)
            return false;
        *value = *value * 10 + (*text - '0');
        places += places >= 0;
    }
    for (; places < PLACES; places += 1 + (places < 0))
        *value *= 10;
    return digits > 0;
}

const char *thousandths_write(int64_t value, char *text, size_t size) {
    snprintf(text, size, "%" PRId64 ".%03" PRId64, value / THOUSANDTHS, value % THOUSANDTHS);
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
    return text;
}

/* Appends `more` to a text that has room for `size` bytes. */
static void append(char *text, size_t size, const char *more) {
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

void family_names(char *text, size_t size) {
    text[0] = '\0';
    for (size_t f = 0; f < family_count; f++) {
        append(text, size, f > 0 ? "|" : "");
        append(text, size, families[f].name);
    }
}

void family_summaries(char *text, size_t size) {
    char line[256], usual[32];
    text[0] = '\0';
    append(text, size, "Families, and what --degree means for them:");
    for (size_t f = 0; f < family_count; f++) {
        const struct family *family = &families[f];
        snprintf(line, sizeof line, "\n\n%s: %s", family->name, family->summary);
        append(text, size, line);
        if (family->degree.meaning != NULL) {
            snprintf(line, sizeof line, " [%s; default: %s]", family->degree.meaning,
                     thousandths_write(family->degree.usual, usual, sizeof usual));
            append(text, size, line);
        }
    }
}

int64_t root_above(uint64_t x, int power) {
    __extension__ typedef unsigned __int128 wide;
    uint64_t below = 0, above = UINT64_C(1) << (power == 2 ? 32 : 22);
    while (below < above) {
        const uint64_t middle = below + (above - below) / 2;
        wide product = 1;
        for (int factor = 0; factor < power; factor++)
            product *= middle;
        if (product >= x)
            above = middle;
        else
            below = middle + 1;
    }
    return (int64_t)below;
}

int32_t length_of(uint64_t square) {
    /* sqrt may be rounded otherwise than IEEE 754 says; the loops correct its result. */
    uint64_t root = (uint64_t)sqrt((double)square);
    while (root * root > square)
        root--;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return (int32_t)(root > 0 ? root : 1);
}

uint64_t family_key(const struct family_request *request, uint64_t use) {
    return random_key(request->graph.seed, FIRST_STREAM + use, (uint64_t)request->graph.n);
}

int64_t family_draws(const struct family_request *request) {
    return request->degree / THOUSANDTHS * request->graph.n;
}

/* State of writing the edges that a generator puts. */
struct graph_writing {
    struct family_request *request;
    const struct graph_layout *layout;
    struct output *out;
    struct weight_source weights;
    struct graph_writer writer;
    uint64_t index; /* index of the next weight to draw */
};

/* Returns whether each edge is written in both directions. */
static bool both_ways(const struct family_request *request) {
    return !request->family->one_way && !request->undirected;
}

static enum status begin_writing(void *to, int64_t edges, int64_t one_way, struct error *err) {
    struct graph_writing *w = to;
    w->request->graph.edges = both_ways(w->request) ? 2 * edges - one_way : edges;
    w->request->dropped = w->request->family->drops ? family_draws(w->request) - edges : 0;
    return graph_writer_open(&w->writer, w->layout, w->request->graph.decimals, w->out,
                             w->request->graph.n, w->request->graph.edges, false, err);
}

static enum status put_direction(struct graph_writing *w, int32_t u, int32_t v, int32_t length,
                                 uint64_t index, struct error *err) {
    const int32_t weight = w->request->lengths ? length : weights_draw(&w->weights, index, u, v);
    return graph_writer_put(&w->writer, (struct edge){u, v, weight}, err);
}

/* Indices of weights do not depend on which edges lead one way. */
static enum status write_one_way(void *to, int32_t u, int32_t v, int32_t length,
                                 struct error *err) {
    struct graph_writing *w = to;
    const uint64_t index = w->index;
    w->index += 2;
    return put_direction(w, u, v, length, index, err);
}

static enum status write_edge(void *to, int32_t u, int32_t v, int32_t length, struct error *err) {
    struct graph_writing *w = to;
    const uint64_t index = w->index;
    RETURN_ON_FAILURE(write_one_way(to, u, v, length, err));
    if (!both_ways(w->request))
        return STATUS_OK;
    return put_direction(w, v, u, length, index + w->request->asymmetric, err);
}

enum status family_write(struct family_request *request, const struct graph_layout *layout,
                         struct output *out, struct error *err) {
    struct graph_writing w = {.request = request, .layout = layout, .out = out};
    const struct edge_sink sink = {&w, begin_writing, write_edge, write_one_way};
    weights_start(&w.weights, &request->graph);
    enum status status = request->family->generate(request, &sink, err);
    if (status == STATUS_OK)
        status = graph_writer_finish(&w.writer, err);
    graph_writer_close(&w.writer);
    return status;
}
