// SPDX-License-Identifier: MIT
#include "tests/unit/class_cuts.h"

#include "common/graph/graph.h" // struct graph, INF

#include <stdlib.h>
#include <string.h>

void *must_have(void *memory) {
    if (memory == NULL)
        abort();
    return memory;
}

int32_t *new_cells(int64_t count) {
    return must_have(calloc((size_t)count + 1, sizeof(int32_t)));
}

const struct shape plain_shape = {.size = {4, 3, 2, 5, 4, 2},
                                  .count = REGIONS,
                                  .percent = 100,
                                  .edges = 60,
                                  .sources = 100,
                                  .lightest = 1,
                                  .heaviest = 20};

struct shape random_shape(struct random *random, int round) {
    struct shape s = {.count = round % 3 == 0 ? INSIDE : REGIONS,
                      .percent = random_in(random, 60, 100),
                      .edges = random_in(random, 12, 45),
                      .sources = round % 2 == 0 ? 100 : 70,
                      .lightest = 1,
                      .heaviest = round % 4 == 0 ? 3 : 20};
    for (int group = 0; group < GROUPS; group++)
        s.size[group] = random_in(random, group == GROUP_OTHERS ? 0 : 1, 6);
    if (s.count < REGIONS)
        s.size[GROUP_INSIDE] = s.size[GROUP_LEFT_PORTALS] = 0;
    if (round % 16 == 7) /* parts without an edge between them */
        s.size[GROUP_PORTALS] = 0;
    if (round % 16 == 15) {
        s.count = 1;
        for (int group = 0; group < GROUP_PORTALS; group++)
            s.size[group] = 0;
    }
    return s;
}

void shuffle(struct random *random, int32_t *list, int32_t count) {
    for (int32_t k = count - 1; k > 0; k--) {
        const int32_t other = random_in(random, 0, k), was = list[k];
        list[k] = list[other];
        list[other] = was;
    }
}

/* Gives the next numbers to vertices of a list, in any order. */
static void put_some(struct cut *c, struct random *random, const int32_t *list, int32_t count,
                     int percent) {
    const int32_t first = c->numbers;
    for (int32_t k = 0; k < count; k++) {
        if (random_in(random, 1, 100) <= percent)
            c->vertex[c->numbers++] = list[k];
    }
    shuffle(random, c->vertex + first, c->numbers - first);
}

static void put_group(struct cut *c, struct random *random, int group, int percent) {
    put_some(c, random, c->at + c->begin[group], c->begin[group + 1] - c->begin[group], percent);
}

static void fill_up(struct cut *c) {
    while (c->numbers % 4 > 0)
        c->vertex[c->numbers++] = -1;
}

static void put_region(struct cut *c, struct random *random, int32_t k, int percent) {
    static const int portals[] = {GROUP_PORTALS, GROUP_LEFT_PORTALS, -1, -1},
                     others[] = {GROUP_OTHERS, GROUP_LEFT_OTHERS, GROUP_RIGHT, GROUP_INSIDE};
    struct class_layout *const r = &c->layout[k];
    const struct class_layout *const left = &c->layout[LEFT];
    *r = (struct class_layout){.parent = k == AROUND   ? -1
                                         : k == INSIDE ? LEFT
                                                       : AROUND,
                               .first = c->numbers};
    if (k == AROUND && c->count > 1)
        r->first_child = LEFT, r->children = 2;
    if (k == LEFT && c->count == REGIONS)
        r->first_child = INSIDE, r->children = 1;
    if (k == LEFT || k == RIGHT)
        put_group(c, random, GROUP_PORTALS, percent);
    if (k == INSIDE) {
        put_some(c, random, c->vertex + left->first, left->width, percent);
        put_group(c, random, GROUP_LEFT_PORTALS, percent);
        shuffle(random, c->vertex + r->first, c->numbers - (int32_t)r->first);
    }
    r->width = c->numbers - (int32_t)r->first;
    fill_up(c);
    r->start = c->numbers - (int32_t)r->first;
    if (portals[k] >= 0)
        put_group(c, random, portals[k], 100);
    r->portals = r->children > 0 ? c->numbers - (int32_t)r->first : 0;
    put_group(c, random, others[k], 100);
    r->own = c->numbers - (int32_t)r->first - r->start;
    fill_up(c);
}

struct cut cut_of(struct random *random, const struct shape *shape) {
    struct cut c = {.count = shape->count};
    for (int group = 0; group < GROUPS; group++)
        c.begin[group + 1] = c.begin[group] + shape->size[group];
    c.n = c.begin[GROUPS];
    c.at = new_cells(c.n);
    c.vertex = new_cells((int64_t)REGIONS * (c.n + 8));
    for (int32_t v = 0; v < c.n; v++)
        c.at[v] = v;
    shuffle(random, c.at, c.n);
    for (int32_t k = 0; k < c.count; k++)
        put_region(&c, random, k, shape->percent);
    return c;
}

void cut_free(struct cut *c) {
    free(c->at);
    free(c->vertex);
}

/* Returns whether there may be an edge from one vertex to another: some region has both, and one is
 * its own. */
static bool may_join(const struct cut *c, int32_t from, int32_t to) {
    for (int32_t k = 0; k < c->count; k++) {
        const struct class_layout *const r = &c->layout[k];
        int32_t seen = 0, own = 0;
        for (int32_t x = 0; x < class_numbers(r); x++) {
            const int32_t v = c->vertex[r->first + x];
            if (v == from || v == to)
                seen++, own += x >= r->start;
        }
        if (seen == 2 && own > 0)
            return true;
    }
    return false;
}

struct graph cut_graph(const struct cut *c, struct random *random, const struct shape *shape) {
    struct edge *edges = must_have(malloc(sizeof *edges * ((size_t)c->n * (size_t)c->n + 1)));
    int64_t count = 0;
    for (int32_t u = 0; u < c->n; u++) {
        for (int32_t v = 0; v < c->n; v++) {
            if (u != v && random_in(random, 1, 100) <= shape->edges && may_join(c, u, v))
                edges[count++] =
                    (struct edge){u, v, random_in(random, shape->lightest, shape->heaviest)};
        }
    }
    struct graph g = graph_of(c->n, edges, count);
    free(edges);
    return g;
}

struct graph changed_graph(const struct graph *g, const struct edge *more, int64_t left_out) {
    struct edge *edges = must_have(malloc(sizeof *edges * ((size_t)g->m + 1)));
    int64_t count = 0;
    for (int32_t v = 0; v < g->n; v++) {
        for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
            if (e != left_out)
                edges[count++] = (struct edge){v, g->head[e], g->weight[e]};
        }
    }
    if (more != NULL)
        edges[count++] = *more;
    struct graph other = graph_of(g->n, edges, count);
    free(edges);
    return other;
}

struct cut small_cut(int32_t *at, int32_t *vertex) {
    static const int32_t numbers[SMALL_NUMBERS] = {0,  -1, -1, -1, 0,  -1, -1, -1, 1,  -1,
                                                   -1, -1, 0,  -1, -1, -1, 2,  -1, -1, -1};
    memcpy(vertex, numbers, sizeof numbers);
    memcpy(at, (int32_t[]){1, 2, 0}, 3 * sizeof *at);
    return (struct cut){
        .n = 3,
        .count = 3,
        .numbers = SMALL_NUMBERS,
        .begin = {0, 0, 0, 1, 2, 3, 3},
        .at = at,
        .vertex = vertex,
        .layout = {{.own = 1, .portals = 1, .parent = -1, .first_child = 1, .children = 2},
                   {.own = 1, .width = 1, .start = 4, .first = 4},
                   {.own = 1, .width = 1, .start = 4, .first = 12}}};
}

struct graph small_graph(void) {
    return graph_of(3, (struct edge[]){{0, 1, 3}, {0, 2, 7}}, 2);
}

int32_t *distances_of(const struct graph *g, int64_t *farthest) {
    const int64_t cells = (int64_t)g->n * g->n;
    int64_t *exact;
    int32_t *dist = new_cells(cells);
    CU_ASSERT_FATAL(reference_distances(g, &exact));
    *farthest = 0;
    for (int64_t k = 0; k < cells; k++) {
        dist[k] = exact[k] < INF ? (int32_t)exact[k] : INF;
        if (exact[k] != INT64_MAX && exact[k] > *farthest)
            *farthest = exact[k];
    }
    free(exact);
    return dist;
}
