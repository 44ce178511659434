// SPDX-License-Identifier: MIT
/* Which regions are those of a graph: layouts, vertices and graphs that do not go with one another
 * are refused, whatever is wrong by one. */
#include "certificate/class_regions.h"
#include "tests/unit/class_cuts.h"
#include "tests/unit/real_graphs.h" // graph_of_real

#include <stddef.h> // offsetof
#include <string.h>

struct example {
    struct cut cut;
    struct graph g;
};

static void begin(struct example *t, struct random *random, const struct shape *shape) {
    t->cut = cut_of(random, shape);
    t->g = cut_graph(&t->cut, random, shape);
}

static void end(struct example *t) {
    graph_free(&t->g);
    cut_free(&t->cut);
}

static bool are_its(const struct graph *g, const struct cut *c) {
    struct class_regions regions;
    struct error err = {0};
    bool are;
    CU_ASSERT_EQUAL(class_regions_find(&regions, g, c->layout, c->count, c->vertex, 2, &are, &err),
                    STATUS_OK);
    class_regions_free(&regions);
    return are;
}

/* Returns whether a layout is taken of which one field of a region is changed. */
static bool takes(const struct example *t, int32_t k, size_t field, int32_t by) {
    struct cut changed_cut = t->cut;
    int32_t *const at = (int32_t *)((char *)&changed_cut.layout[k] + field);
    *at += by;
    return are_its(&t->g, &changed_cut);
}

/* Fields of regions that are wrong by one or so. */
static void test_layouts(void) {
#define FIELD(name) offsetof(struct class_layout, name)
    static const struct {
        int32_t region;
        size_t field;
        int32_t by;
    } wrong[] = {
        {LEFT, FIELD(parent), 1},         {LEFT, FIELD(parent), -1},
        {INSIDE, FIELD(parent), -1},      {INSIDE, FIELD(parent), 1},
        {INSIDE, FIELD(parent), 9},       {AROUND, FIELD(first_child), 1},
        {AROUND, FIELD(first_child), -1}, {LEFT, FIELD(first_child), -1},
        {LEFT, FIELD(first_child), 1},    {AROUND, FIELD(children), 1},
        {AROUND, FIELD(children), -1},    {LEFT, FIELD(children), 1},
        {LEFT, FIELD(children), -1},      {RIGHT, FIELD(children), 1},
        {INSIDE, FIELD(children), -1},    {LEFT, FIELD(width), 1},
        {LEFT, FIELD(width), -1},         {INSIDE, FIELD(width), -1},
        {AROUND, FIELD(width), 1},        {LEFT, FIELD(start), 4},
        {LEFT, FIELD(start), -4},         {LEFT, FIELD(own), -1},
        {INSIDE, FIELD(own), 1},          {INSIDE, FIELD(own), -1},
        {AROUND, FIELD(portals), -1},     {LEFT, FIELD(portals), -1},
        {LEFT, FIELD(portals), 100},      {LEFT, FIELD(portals), -8},
        {RIGHT, FIELD(portals), 1},       {LEFT, FIELD(first), 4},
        {INSIDE, FIELD(first), -4},       {INSIDE, FIELD(first), 1},
    };
#undef FIELD
    struct random random = {67};
    struct example t;
    begin(&t, &random, &plain_shape);
    CU_ASSERT(are_its(&t.g, &t.cut));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        CU_ASSERT_FALSE(takes(&t, wrong[k].region, wrong[k].field, wrong[k].by));
    for (t.cut.count = 1; t.cut.count < REGIONS; t.cut.count++)
        CU_ASSERT_FALSE(are_its(&t.g, &t.cut));
    end(&t);
}

/* Returns whether vertices are taken of which one is changed. */
static bool takes_vertex(const struct example *t, int32_t k, int32_t x, int32_t vertex) {
    int32_t *const at = &t->cut.vertex[t->cut.layout[k].first + x];
    const int32_t was = *at;
    *at = vertex;
    const bool ready = are_its(&t->g, &t->cut);
    *at = was;
    return ready;
}

/* No region may have a vertex that does not belong there. */
static void test_vertices(void) {
    struct random random = {68};
    struct example t;
    begin(&t, &random, &plain_shape);
    const struct class_layout *const r = t.cut.layout;
    const int32_t of_left = t.cut.at[t.cut.begin[GROUP_LEFT_OTHERS]];
    const int32_t of_right = t.cut.at[t.cut.begin[GROUP_RIGHT]];
    const int32_t other = t.cut.at[t.cut.begin[GROUP_OTHERS]];
    const int32_t portal = t.cut.at[t.cut.begin[GROUP_PORTALS]];
    const int32_t own[] = {-1, -2, t.cut.n, INT32_MAX, INT32_MIN, of_left, portal};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        CU_ASSERT_FALSE(takes_vertex(&t, RIGHT, r[RIGHT].start, own[k]));
    const int32_t boundary[] = {-1, t.cut.n, INT32_MIN, of_right, other};
    for (size_t k = 0; k < sizeof boundary / sizeof *boundary; k++)
        CU_ASSERT_FALSE(takes_vertex(&t, LEFT, 0, boundary[k]));
    CU_ASSERT_FALSE(takes_vertex(&t, INSIDE, 0, of_left)); /* it is no portal there */
    CU_ASSERT_FALSE(takes_vertex(&t, INSIDE, 0, other));
    CU_ASSERT(r[INSIDE].width < r[INSIDE].start); /* 7 < 8 */
    CU_ASSERT_FALSE(takes_vertex(&t, INSIDE, r[INSIDE].width, of_right));
    CU_ASSERT_FALSE(takes_vertex(&t, INSIDE, r[INSIDE].width, -2));
    end(&t);
}

/* A vertex in two regions and one in none, if no edge tells: none leads to either. */
static void test_unknown_vertex(void) {
    struct shape shape = plain_shape;
    struct random random = {69};
    struct example t;
    shape.edges = 0;
    begin(&t, &random, &shape);
    CU_ASSERT(are_its(&t.g, &t.cut));
    struct class_layout *const last = &t.cut.layout[INSIDE];
    for (last->own--; last->own % 4 > 0; last->own--) /* the rest fills up */
        t.cut.vertex[last->first + last->start + last->own] = -1;
    CU_ASSERT_FALSE(are_its(&t.g, &t.cut));
    end(&t);
}

/* Edges between regions, and weights that are out of range or real. */
static void test_graphs(void) {
    struct random random = {70};
    struct example t;
    begin(&t, &random, &plain_shape);
    const int32_t left = t.cut.at[t.cut.begin[GROUP_LEFT_OTHERS]];
    const int32_t right = t.cut.at[t.cut.begin[GROUP_RIGHT]];
    const int32_t inside = t.cut.at[t.cut.begin[GROUP_INSIDE]];
    const int32_t other = t.cut.at[t.cut.begin[GROUP_OTHERS]];
    const int32_t portal = t.cut.at[t.cut.begin[GROUP_PORTALS]];
    const struct edge wrong[] = {{left, right, 9},  {right, left, 9},   {inside, left, 9},
                                 {other, left, 9},  {right, inside, 9}, {inside, other, 9},
                                 {portal, left, 0}, {portal, left, -1}, {left, portal, 0}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct graph g = changed_graph(&t.g, &wrong[k], -1);
        CU_ASSERT_FALSE(are_its(&g, &t.cut));
        graph_free(&g);
    }
    struct graph heavy = graph_of(t.cut.n, (struct edge[]){{portal, left, INF + 1}}, 1);
    CU_ASSERT_FALSE(are_its(&heavy, &t.cut));
    graph_free(&heavy);
    struct graph real =
        graph_of_real(t.cut.n, NUMBER_FLOAT64, (struct real_edge[]){{portal, left, 1.5}}, 1);
    CU_ASSERT_FALSE(are_its(&real, &t.cut));
    graph_free(&real);
    end(&t);
}

/* Vertex 1 is RIGHT's, too, in place of 2: there are as many vertices and edges as in the graph. */
static void test_vertex_twice(void) {
    struct graph g = small_graph();
    int32_t at[3], vertex[SMALL_NUMBERS];
    const struct cut c = small_cut(at, vertex);
    CU_ASSERT(are_its(&g, &c));
    vertex[RIGHT_OWN] = vertex[LEFT_OWN];
    CU_ASSERT_FALSE(are_its(&g, &c));
    graph_free(&g);
}

/* RIGHT is inside no region: rows would lack its vertices. */
static void test_left_over(void) {
    struct graph g = small_graph();
    int32_t at[3], vertex[SMALL_NUMBERS];
    struct cut c = small_cut(at, vertex);
    c.layout[AROUND].children = 1;
    CU_ASSERT_FALSE(are_its(&g, &c));
    graph_free(&g);
}

/* Vertex 0 is twice on LEFT's boundary: the edge to it would stand for that from 1 to 2, which is
 * in no region. */
static void test_boundary_twice(void) {
    struct graph g = graph_of(3, (struct edge[]){{1, 0, 3}, {1, 2, 7}}, 2);
    struct graph without = graph_of(3, (struct edge[]){{0, 1, 3}}, 1);
    int32_t at[3], vertex[SMALL_NUMBERS];
    struct cut c = small_cut(at, vertex);
    c.layout[LEFT].width = 2;
    vertex[c.layout[LEFT].first + 1] = 0;
    CU_ASSERT_FALSE(are_its(&g, &c));
    CU_ASSERT_FALSE(are_its(&without, &c));
    graph_free(&g);
    graph_free(&without);
}

/* The outermost region has a boundary, of whose vertex 1 nothing outside tells. */
static void test_outermost_boundary(void) {
    int32_t vertex[] = {1, -1, -1, -1, 0, -1, -1, -1, 0, -1, -1, -1, 1, -1, -1, -1};
    struct graph g = graph_of(2, NULL, 0);
    struct cut c = {.n = 2,
                    .count = 2,
                    .vertex = vertex,
                    .layout = {{.own = 1,
                                .width = 1,
                                .start = 4,
                                .portals = 5,
                                .parent = -1,
                                .first_child = 1,
                                .children = 1},
                               {.own = 1, .width = 1, .start = 4, .first = 8}}};
    CU_ASSERT_FALSE(are_its(&g, &c));
    c.layout[AROUND].width = 0;
    vertex[0] = -1;
    CU_ASSERT_FALSE(are_its(&g, &c)); /* nor have its vertices room before them */
    graph_free(&g);
}

/* Fields that are far off lead nowhere; nor do edges that are in two regions. */
static void test_far_off(void) {
    enum { FAR = 100000 };
    struct random random = {73};
    struct example t;
    begin(&t, &random, &plain_shape);
    const struct class_layout *const r = t.cut.layout;
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, first), FAR));
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, first), -FAR));
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, width), FAR));
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, own), FAR));
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, own), -r[AROUND].own - 20));
    CU_ASSERT_FATAL(r[LEFT].start == r[RIGHT].start && r[LEFT].own == r[RIGHT].own);
    memcpy(&t.cut.vertex[r[RIGHT].first], &t.cut.vertex[r[LEFT].first],
           sizeof(int32_t) * (size_t)class_numbers(&r[LEFT]));
    CU_ASSERT_FALSE(are_its(&t.g, &t.cut));
    end(&t);
}

CU_TestInfo class_regions_tests[] = {
    {"wrong layouts", test_layouts},
    {"wrong vertices", test_vertices},
    {"a vertex in no region", test_unknown_vertex},
    {"graphs that the regions are not of", test_graphs},
    {"a vertex in two regions", test_vertex_twice},
    {"a region in no other", test_left_over},
    {"a vertex twice on a boundary", test_boundary_twice},
    {"a boundary of the outermost region", test_outermost_boundary},
    {"fields that are far off", test_far_off},
    CU_TEST_INFO_NULL,
};
