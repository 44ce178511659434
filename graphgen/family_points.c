// SPDX-License-Identifier: MIT
/* Neighbour graphs of random points in a square or a cube, and power grids, which grow from point
 * to point. */
#include "common/base/memory.h" // memory_alloc
#include "graphgen/families.h"
#include "graphgen/random.h" // random_word

#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = 3, MAX_NEIGHBOURS = 64 };

/* The square (or cube) is as large as a grid of as many points at this distance. */
enum { SPACING = 1000 };

struct point {
    int32_t at[MAX_DIMENSIONS]; /* coordinates; 0 in dimensions beyond the graph's */
};

/* Points, sorted into a grid of cells. Functions below number points by their places in this
 * order. */
struct points {
    int64_t n;
    int dimensions;
    int64_t side;    /* coordinates are 0 .. side - 1 */
    int64_t cell;    /* side of a cell; the last cell of a row may be longer */
    int64_t row;     /* number of cells in a row */
    int64_t cells;   /* number of all cells, row^dimensions */
    int64_t *start;  /* cell c holds points start[c] .. start[c + 1] - 1 */
    int32_t *vertex; /* vertex of each point */
    struct point *place;
};

static int64_t power(int64_t base, int exponent) {
    int64_t product = 1;
    for (int factor = 0; factor < exponent; factor++)
        product *= base;
    return product;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static uint64_t square_between(const struct points *p, int64_t a, int64_t b) {
    uint64_t square = 0;
    for (int d = 0; d < MAX_DIMENSIONS; d++) {
        const int64_t along = (int64_t)p->place[a].at[d] - p->place[b].at[d];
        square += (uint64_t)(along * along);
    }
    return square;
}

/* Returns the column, row and layer of the cell of a place. */
static struct point cell_at(const struct points *p, struct point place) {
    for (int d = 0; d < MAX_DIMENSIONS; d++)
        place.at[d] = (int32_t)least(place.at[d] / p->cell, p->row - 1);
    return place;
}

static int64_t cell_index(const struct points *p, struct point cell) {
    int64_t index = 0;
    for (int d = p->dimensions - 1; d >= 0; d--)
        index = index * p->row + cell.at[d];
    return index;
}

static struct point draw_place(const struct points *p, uint64_t key, int64_t v) {
    struct point place = {{0}};
    for (int d = 0; d < p->dimensions; d++) {
        const uint64_t draw = random_word(key, (uint64_t)(v * MAX_DIMENSIONS + d));
        place.at[d] = (int32_t)random_below(draw, (uint64_t)p->side);
    }
    return place;
}

static void points_free(struct points *p) {
    memory_free(p->start);
    memory_free(p->vertex);
    memory_free(p->place);
}

/* Draws the points and sorts them into cells whose side is at least `cell`. The caller ends with
 * points_free, also on failure. */
static enum status points_draw(struct points *p, const struct family_request *request, int64_t cell,
                               struct error *err) {
    const uint64_t key = family_key(request, 0);
    *p = (struct points){.n = request->graph.n, .dimensions = request->dimensions};
    p->side = root_above((uint64_t)(p->n * power(SPACING, p->dimensions)), p->dimensions);
    p->row = greatest(p->side / greatest(cell, SPACING), 1);
    p->cell = p->side / p->row;
    p->cells = power(p->row, p->dimensions);

    const size_t n = (size_t)p->n, starts = (size_t)p->cells + 2;
    void *block;
    RETURN_ON_FAILURE(memory_alloc(&block, n, sizeof *p->place, "places of points", err));
    p->place = block;
    RETURN_ON_FAILURE(memory_alloc(&block, n, sizeof *p->vertex, "numbers of points", err));
    p->vertex = block;
    RETURN_ON_FAILURE(memory_alloc(&block, starts, sizeof *p->start, "cells of points", err));
    p->start = block;

    memset(p->start, 0, starts * sizeof *p->start);
    for (int64_t v = 0; v < p->n; v++)
        p->start[cell_index(p, cell_at(p, draw_place(p, key, v))) + 2]++;
    for (int64_t c = 2; c < p->cells + 2; c++)
        p->start[c] += p->start[c - 1];
    /* start[c + 1] moves from the start of cell c to its end. */
    for (int64_t v = 0; v < p->n; v++) {
        const struct point place = draw_place(p, key, v);
        const int64_t point = p->start[cell_index(p, cell_at(p, place)) + 1]++;
        p->vertex[point] = (int32_t)v;
        p->place[point] = place;
    }
    return STATUS_OK;
}

static enum status put_between(const struct points *p, int64_t a, int64_t b,
                               const struct edge_sink *sink, struct error *err) {
    return sink->put(sink->to, p->vertex[a], p->vertex[b], length_of(square_between(p, a, b)), err);
}

/* Called for a cell near `point`, with the cell's points; `self` is the caller's. */
typedef enum status visit_cell(void *self, const struct points *p, int64_t point, int64_t cell,
                               struct error *err);

/* Visits the cells whose distance from the cell of a point is exactly `ring` columns, rows or
 * layers. */
static enum status visit_ring(const struct points *p, int64_t point, int64_t ring,
                              visit_cell *visit, void *self, struct error *err) {
    const struct point home = cell_at(p, p->place[point]);
    int64_t low[MAX_DIMENSIONS], high[MAX_DIMENSIONS];
    for (int d = 0; d < MAX_DIMENSIONS; d++) {
        const int64_t reach = d < p->dimensions ? ring : 0;
        low[d] = greatest(home.at[d] - reach, 0);
        high[d] = least(home.at[d] + reach, p->row - 1);
    }
    for (int64_t z = low[2]; z <= high[2]; z++) {
        for (int64_t y = low[1]; y <= high[1]; y++) {
            const bool outer = llabs(z - home.at[2]) == ring || llabs(y - home.at[1]) == ring;
            /* An inner row has only its two ends in the ring. */
            const int64_t step = outer || ring == 0 ? 1 : 2 * ring;
            for (int64_t x = outer ? low[0] : home.at[0] - ring; x <= high[0]; x += step) {
                if (x < 0)
                    continue;
                const struct point cell = {{(int32_t)x, (int32_t)y, (int32_t)z}};
                RETURN_ON_FAILURE(visit(self, p, point, cell_index(p, cell), err));
            }
        }
    }
    return STATUS_OK;
}

/* Pairs of points nearer than a radius. */
struct near_pairs {
    uint64_t square; /* square of the radius */
    int64_t edges;
    const struct edge_sink *sink; /* receives the edges; NULL: they are only counted */
};

static enum status visit_near(void *self, const struct points *p, int64_t point, int64_t cell,
                              struct error *err) {
    struct near_pairs *near = self;
    for (int64_t other = greatest(p->start[cell], point + 1); other < p->start[cell + 1]; other++) {
        if (square_between(p, point, other) >= near->square)
            continue;
        near->edges++;
        if (near->sink != NULL)
            RETURN_ON_FAILURE(put_between(p, point, other, near->sink, err));
    }
    return STATUS_OK;
}

static enum status visit_all_near(const struct points *p, struct near_pairs *near,
                                  struct error *err) {
    near->edges = 0;
    for (int64_t point = 0; point < p->n; point++) {
        for (int64_t ring = 0; ring <= 1; ring++)
            RETURN_ON_FAILURE(visit_ring(p, point, ring, visit_near, near, err));
    }
    return STATUS_OK;
}

/* The square of the radius of a circle or ball that holds degree / THOUSANDTHS points on average.
 * 355 / 113 stands for pi. */
static uint64_t radius_square(int64_t degree, int dimensions) {
    const int64_t points = degree * power(SPACING, dimensions) / THOUSANDTHS;
    if (dimensions == 2)
        return (uint64_t)(points * 113 / 355);
    const int64_t radius = root_above((uint64_t)(points / 4 * 3 * 113 / 355), 3);
    return (uint64_t)(radius * radius);
}

enum status generate_geometric(const struct family_request *request, const struct edge_sink *sink,
                               struct error *err) {
    struct near_pairs near = {.square = radius_square(request->degree, request->dimensions)};
    struct points p;
    enum status status;

    TRY(points_draw(&p, request, root_above(near.square, 2), err));
    TRY(visit_all_near(&p, &near, err));
    TRY(sink->begin(sink->to, near.edges, 0, err));
    near.sink = sink;
    status = visit_all_near(&p, &near, err);
cleanup:
    points_free(&p);
    return status;
}

/* The nearest points found so far, the nearest first; of two at the same distance, the earlier one
 * first. */
struct nearest_places {
    int64_t wanted, found;
    int32_t before; /* only points of vertices below this number are considered */
    uint64_t square[MAX_NEIGHBOURS];
    int64_t point[MAX_NEIGHBOURS];
};

static enum status visit_nearest(void *self, const struct points *p, int64_t point, int64_t cell,
                                 struct error *err) {
    struct nearest_places *nearest = self;
    (void)err;
    for (int64_t other = p->start[cell]; other < p->start[cell + 1]; other++) {
        if (other == point || p->vertex[other] >= nearest->before)
            continue;
        const uint64_t square = square_between(p, point, other);
        int64_t place = nearest->found;
        while (place > 0 &&
               (square < nearest->square[place - 1] ||
                (square == nearest->square[place - 1] && other < nearest->point[place - 1])))
            place--;
        if (place == nearest->wanted)
            continue;
        nearest->found = least(nearest->found + 1, nearest->wanted);
        for (int64_t later = nearest->found - 1; later > place; later--) {
            nearest->square[later] = nearest->square[later - 1];
            nearest->point[later] = nearest->point[later - 1];
        }
        nearest->square[place] = square;
        nearest->point[place] = other;
    }
    return STATUS_OK;
}

/* Writes the `wanted` points that are nearest to a point to list. Only points whose vertices are
 * below `before` count. */
static enum status find_nearest(const struct points *p, int64_t point, int64_t wanted,
                                int32_t before, int32_t *list, struct error *err) {
    struct nearest_places nearest = {.wanted = wanted, .before = before};
    for (int64_t ring = 0; ring < p->row; ring++) {
        /* A lower bound of the distances of points that are not yet visited. */
        const uint64_t far = (uint64_t)(greatest(ring - 1, 0) * p->cell);
        if (nearest.found == wanted && (wanted == 0 || nearest.square[wanted - 1] < far * far))
            break;
        RETURN_ON_FAILURE(visit_ring(p, point, ring, visit_nearest, &nearest, err));
    }
    for (int64_t k = 0; k < wanted; k++)
        list[k] = (int32_t)nearest.point[k];
    return STATUS_OK;
}

static bool holds(const int32_t *list, int64_t count, int64_t point) {
    for (int64_t k = 0; k < count; k++) {
        if (list[k] == point)
            return true;
    }
    return false;
}

enum status generate_knn(const struct family_request *request, const struct edge_sink *sink,
                         struct error *err) {
    const int64_t n = request->graph.n;
    const int64_t wanted = least(request->degree / THOUSANDTHS, n - 1);
    /* The volume of a cell, in which there are a few points. */
    const int64_t volume = greatest(wanted / 4, 1) * power(SPACING, request->dimensions);
    struct points p;
    void *block = NULL;
    enum status status;

    TRY(points_draw(&p, request, root_above((uint64_t)volume, request->dimensions), err));
    TRY(memory_alloc(&block, (size_t)(n * wanted), sizeof(int32_t), "nearest points", err));
    int32_t *lists = block;
    for (int64_t point = 0; point < n; point++)
        TRY(find_nearest(&p, point, wanted, (int32_t)n, lists + point * wanted, err));
    for (int pass = 0; pass < 2; pass++) {
        int64_t edges = 0;
        for (int64_t point = 0; point < n; point++) {
            for (int64_t k = 0; k < wanted; k++) {
                const int64_t other = lists[point * wanted + k];
                /* If both points are among the nearest of each other, the earlier one puts the
                 * edge. */
                if (other < point && holds(lists + other * wanted, wanted, point))
                    continue;
                edges++;
                if (pass == 1)
                    TRY(put_between(&p, point, other, sink, err));
            }
        }
        if (pass == 0)
            TRY(sink->begin(sink->to, edges, 0, err));
    }
cleanup:
    points_free(&p);
    memory_free(block);
    return status;
}

/* Returns how many of the vertices 0 .. v are joined with two that came before them. */
static int64_t twice_joined(const struct family_request *request, int64_t v) {
    return v < 2 ? 0 : (v - 1) * (request->degree - 2 * THOUSANDTHS) / (2 * THOUSANDTHS);
}

/* A power grid grows by lines to the nearest vertices that are there, some vertices by two lines
 * (after Schultz, Heitzig and Kurths, A random growth model for power grids, 2014, who also choose
 * lines by the detour that they spare). */
enum status generate_power_grid(const struct family_request *request, const struct edge_sink *sink,
                                struct error *err) {
    enum { LINES = 2 };
    const int64_t n = request->graph.n;
    int32_t earlier[LINES];
    struct points p;
    enum status status;

    TRY(points_draw(&p, request, SPACING, err));
    TRY(sink->begin(sink->to, n - 1 + twice_joined(request, n - 1), 0, err));
    for (int64_t point = 0; point < n; point++) {
        const int32_t v = p.vertex[point];
        const int64_t lines = (v > 0) + twice_joined(request, v) - twice_joined(request, v - 1);
        TRY(find_nearest(&p, point, lines, v, earlier, err));
        for (int64_t k = 0; k < lines; k++)
            TRY(put_between(&p, point, earlier[k], sink, err));
    }
cleanup:
    points_free(&p);
    return status;
}
