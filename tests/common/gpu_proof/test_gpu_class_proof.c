// SPDX-License-Identifier: MIT
/* The proof of classes, on the shim, before answers that are made by hand from textbook distances:
 * it proves right ones, and refutes each whose distances, rows, references or labels are wrong. */
#include "common/gpu_proof/gpu_class_proof.h"
#include "tests/unit/real_graphs.h" // graph_of_real
#include "tests/unit/support.h"

#include "cuda_runtime_api.h" // the shim's controls

#include <stddef.h> // offsetof
#include <stdlib.h>
#include <string.h>

// Graphs in regions -------------------------------------------------------------------------------

/* Region AROUND has the vertices of PORTALS and OTHERS, LEFT those of LEFT_PORTALS and LEFT_OTHERS,
 * RIGHT and INSIDE those of the groups of their names. INSIDE lies in LEFT. Sources are numbered in
 * the order of the groups. */
enum { AROUND, LEFT, RIGHT, INSIDE, REGIONS };
enum {
    GROUP_INSIDE,
    GROUP_LEFT_PORTALS,
    GROUP_LEFT_OTHERS,
    GROUP_RIGHT,
    GROUP_PORTALS,
    GROUP_OTHERS,
    GROUPS
};

struct shape {
    int32_t size[GROUPS];
    int32_t count;               /* regions */
    int percent, edges, sources; /* of portals on a boundary, of pairs, of vertices */
    int32_t lightest, heaviest;
};

struct cut {
    int32_t n, count, numbers;
    int32_t begin[GROUPS + 1]; /* of each group in `at` */
    int32_t *at;               /* all vertices, by groups */
    int32_t *vertex;           /* as gpu_class_proof_open takes them */
    struct class_layout layout[REGIONS];
};

static void *must_have(void *memory) {
    if (memory == NULL)
        abort();
    return memory;
}

static int32_t *new_cells(int64_t count) {
    return must_have(calloc((size_t)count + 1, sizeof(int32_t)));
}

static void shuffle(struct random *random, int32_t *list, int32_t count) {
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

static struct cut cut_of(struct random *random, const struct shape *shape) {
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

static void free_cut(struct cut *c) {
    free(c->at);
    free(c->vertex);
}

/* Whether there may be an edge from one vertex to another: some region has both, and one is its
 * own. */
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

static struct graph graph_in(const struct cut *c, struct random *random,
                             const struct shape *shape) {
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

/* The same graph with one more edge or, if `left_out` is the number of one, one less. */
static struct graph changed_graph(const struct graph *g, const struct edge *more,
                                  int64_t left_out) {
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

/* All distances, INF if there is no path or none that short; *farthest is the largest. */
static int32_t *distances_of(const struct graph *g, int64_t *farthest) {
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

// Answers -----------------------------------------------------------------------------------------

/* The rows of a region, each being that of a source. */
struct region_rows {
    int32_t *source;
    int64_t *cell; /* where its labels begin, CLASS_TILE from one to the next */
    int32_t *source_row, *class_row, *portal_row;
    struct class_reference *reference;
    struct class_total *total;
    uint32_t *tight;
    struct class_part part[REGIONS + 1];
    int32_t parts;
};

struct answer {
    const struct cut *cut;
    int32_t count, *source;    /* which vertex each source is */
    int32_t below[GROUPS + 1]; /* sources in groups before each */
    struct class_rows rows[REGIONS];
    struct region_rows region[REGIONS];
    int32_t *label;
    int64_t cells;
    struct class_total *total;
    int32_t left_out_region, left_out_part; /* whose last block nobody checks; -1: none */
    int32_t unreferred, unadded, taken_twice, added_twice; /* regions; -1: none */
    int32_t more;                                          /* sources are said to be finished */
};

static int32_t rows_of(const struct answer *a, int32_t k) {
    return a->rows[k].sources + a->rows[k].classes;
}

static bool is_inside(const struct answer *a, int32_t k, int32_t source) {
    const int32_t number = source - a->rows[k].first_source;
    return number >= 0 && number < a->rows[k].sources;
}

static int32_t vertex_of(const struct answer *a, int32_t k, int32_t x) {
    return a->cut->vertex[a->cut->layout[k].first + x];
}

/* Whether two rows differ by a constant on the boundary of region k. */
static bool differ_by(const struct answer *a, int32_t k, const int32_t *one, const int32_t *other,
                      int32_t *constant, bool *is_reached) {
    bool same = true;
    *is_reached = false;
    *constant = 0;
    for (int32_t b = 0; b < a->cut->layout[k].width; b++) {
        const int32_t v = vertex_of(a, k, b);
        if (one[v] == INF || other[v] == INF) {
            same = same && one[v] == other[v];
            continue;
        }
        same = same && (!*is_reached || one[v] - other[v] == *constant);
        *constant = one[v] - other[v];
        *is_reached = true;
    }
    return same;
}

/* Finds the classes of a region, and their references. */
static void find_classes(struct answer *a, int32_t k, const int32_t *dist) {
    const int32_t around = a->cut->layout[k].parent, n = a->cut->n;
    struct region_rows *const r = &a->region[k];
    const int32_t *const source = a->region[around].source;
    r->reference = (struct class_reference *)new_cells(2 * (int64_t)rows_of(a, around));
    for (int32_t row = 0; row < rows_of(a, around); row++) {
        const int32_t *const own = dist + (int64_t)source[row] * n;
        int32_t constant;
        bool is_reached;
        differ_by(a, k, own, own, &constant, &is_reached);
        r->reference[row] = (struct class_reference){CLASS_NONE, 12345};
        if (!is_reached ||
            (row < a->rows[around].sources && is_inside(a, k, a->rows[around].first_source + row)))
            continue;
        for (int32_t other = 0; other < row && r->reference[row].of == CLASS_NONE; other++) {
            const bool names = r->reference[other].of < 0 && r->reference[other].of != CLASS_NONE;
            if (names &&
                differ_by(a, k, own, dist + (int64_t)source[other] * n, &constant, &is_reached))
                r->reference[row] = (struct class_reference){other, constant};
        }
        if (r->reference[row].of != CLASS_NONE)
            continue;
        r->reference[row] = (struct class_reference){~a->rows[k].classes, 0};
        r->source[a->rows[k].sources + a->rows[k].classes++] = source[row];
    }
}

static void add_part(struct answer *a, int32_t k, int32_t inside, int32_t rows) {
    struct region_rows *const r = &a->region[k];
    const struct class_part *const last = r->parts > 0 ? &r->part[r->parts - 1] : NULL;
    const int32_t blocks = (rows + CLASS_TILE - 1) / CLASS_TILE;
    if (rows == 0)
        return;
    r->part[r->parts++] = (struct class_part){
        last != NULL ? last->block + last->blocks : 0, blocks, k, inside, 0, a->cells};
    a->cells += (int64_t)blocks * CLASS_TILE * class_numbers(&a->cut->layout[k]);
}

/* Which row of region k is that of a part's lane; -1: none. */
static int32_t row_of(const struct answer *a, int32_t k, const struct class_part *part,
                      int32_t lane) {
    const struct class_rows *const rows = &a->rows[k];
    const struct class_layout *const r = &a->cut->layout[k];
    if (part->inside == CLASS_CLASSES)
        return lane < rows->classes ? rows->sources + lane : -1;
    if (part->inside == CLASS_OWN) {
        for (int32_t s = 0; s < a->count && lane < r->own; s++) {
            if (a->source[s] == vertex_of(a, k, r->start + lane))
                return s - rows->first_source;
        }
        return -1;
    }
    const struct class_rows *const inside = &a->rows[part->inside];
    return lane < inside->sources ? inside->first_source - rows->first_source + lane : -1;
}

static void put_labels(struct answer *a, int32_t k, const int32_t *dist) {
    const struct class_layout *const r = &a->cut->layout[k];
    for (int32_t p = 0; p < a->region[k].parts; p++) {
        const struct class_part *const part = &a->region[k].part[p];
        for (int32_t lane = 0; lane < part->blocks * CLASS_TILE; lane++) {
            const int32_t row = row_of(a, k, part, lane);
            const int64_t first = part->cell +
                                  lane / CLASS_TILE * (int64_t)class_numbers(r) * CLASS_TILE +
                                  lane % CLASS_TILE;
            if (row < 0)
                continue;
            a->region[k].cell[row] = first;
            for (int32_t x = 0; x < class_numbers(r); x++) {
                const int64_t cell = (int64_t)a->region[k].source[row] * a->cut->n;
                if (vertex_of(a, k, x) >= 0)
                    a->label[first + (int64_t)x * CLASS_TILE] = dist[cell + vertex_of(a, k, x)];
            }
        }
    }
}

static void put_rows(struct answer *a, int32_t k, const int32_t *dist) {
    const struct class_layout *const r = &a->cut->layout[k];
    struct region_rows *const own = &a->region[k];
    const int32_t classes = a->rows[k].classes, pitch = class_pitch(r->portals);
    own->source_row = new_cells((int64_t)a->rows[k].sources * r->start);
    own->class_row = new_cells((int64_t)classes * r->start);
    own->portal_row = new_cells((int64_t)rows_of(a, k) * pitch);
    own->total = must_have(malloc(sizeof *own->total * ((size_t)classes + 1)));
    own->tight = (uint32_t *)new_cells((int64_t)rows_of(a, k) * class_words(r));
    own->cell = must_have(calloc((size_t)rows_of(a, k) + 1, sizeof *own->cell));
    for (int32_t row = 0; row < rows_of(a, k); row++) {
        const int32_t *const from = dist + (int64_t)own->source[row] * a->cut->n;
        for (int32_t x = 0; x < r->portals; x++)
            own->portal_row[(int64_t)row * pitch + x] =
                vertex_of(a, k, x) >= 0 ? from[vertex_of(a, k, x)] : -77;
        for (int32_t b = 0; b < r->width && row >= a->rows[k].sources; b++)
            own->class_row[(int64_t)(row - a->rows[k].sources) * r->start + b] =
                from[vertex_of(a, k, b)];
    }
    a->rows[k].source_row = own->source_row;
    a->rows[k].class_row = own->class_row;
    a->rows[k].portal_row = own->portal_row;
    a->rows[k].reference = own->reference;
    a->rows[k].total = own->total;
    a->rows[k].tight = own->tight;
}

/* The answer that has these distances from so many percent of the vertices. */
static struct answer answer_of(const struct cut *c, const int32_t *dist, int percent) {
    static const int32_t first[] = {0, GROUP_INSIDE, GROUP_RIGHT, GROUP_INSIDE},
                         end[] = {GROUPS, GROUP_RIGHT, GROUP_PORTALS, GROUP_LEFT_PORTALS};
    struct answer a = {.cut = c,
                       .left_out_region = -1,
                       .unreferred = -1,
                       .unadded = -1,
                       .taken_twice = -1,
                       .added_twice = -1};
    struct random random = {31};
    a.source = new_cells(c->n);
    for (int group = 0; group < GROUPS; group++) {
        for (int32_t k = c->begin[group]; k < c->begin[group + 1]; k++) {
            if (random_in(&random, 1, 100) <= percent)
                a.source[a.count++] = c->at[k];
        }
        a.below[group + 1] = a.count;
    }
    for (int32_t k = 0; k < c->count; k++) {
        const struct class_layout *const r = &c->layout[k];
        struct class_rows *const rows = &a.rows[k];
        struct region_rows *const own = &a.region[k];
        rows->first_source = a.below[first[k]];
        rows->sources = a.below[end[k]] - rows->first_source;
        own->source = new_cells(2 * (int64_t)c->n);
        for (int32_t row = 0; row < rows->sources; row++)
            own->source[row] = a.source[rows->first_source + row];
        if (k > 0)
            find_classes(&a, k, dist);
        for (int32_t child = r->first_child; child < r->first_child + r->children; child++)
            add_part(&a, k, child, a.below[end[child]] - a.below[first[child]]);
        add_part(&a, k, CLASS_OWN, rows->sources > 0 ? r->own : 0);
        add_part(&a, k, CLASS_CLASSES, rows->classes);
    }
    a.total = must_have(malloc(sizeof *a.total * ((size_t)a.count + 1)));
    a.label = new_cells(a.cells);
    for (int64_t cell = 0; cell < a.cells; cell++)
        a.label[cell] = (int32_t)random_word(&random);
    for (int32_t k = 0; k < c->count; k++)
        put_rows(&a, k, dist);
    for (int32_t k = 0; k < c->count; k++)
        put_labels(&a, k, dist);
    return a;
}

static void free_answer(struct answer *a) {
    for (int32_t k = 0; k < a->cut->count; k++) {
        const struct region_rows *const r = &a->region[k];
        free(r->source);
        free(r->cell);
        free(r->source_row);
        free(r->class_row);
        free(r->portal_row);
        free(r->reference);
        free(r->total);
        free(r->tight);
    }
    free(a->source);
    free(a->label);
    free(a->total);
}

// Proofs ------------------------------------------------------------------------------------------

/* What the caller of the proof sets, and what the proof must not read before it sets it. */
static void reset(struct answer *a) {
    memset(a->total, 0, sizeof *a->total * (size_t)a->count);
    for (int32_t k = 0; k < a->cut->count; k++) {
        const struct class_layout *const r = &a->cut->layout[k];
        const size_t rows = (size_t)rows_of(a, k);
        memset(a->region[k].tight, 0, rows * sizeof(uint32_t) * (size_t)class_words(r));
        memset(a->region[k].total, 0x2d, sizeof(struct class_total) * (size_t)a->rows[k].classes);
        memset(a->region[k].source_row, 0x2d,
               (size_t)a->rows[k].sources * sizeof(int32_t) * (size_t)r->start);
    }
}

/* The parts of a region's rows without what is left out. */
static struct class_parts parts_of(const struct answer *a, int32_t k, struct class_part *list) {
    const struct region_rows *const r = &a->region[k];
    struct class_parts parts = {list, 0, 0};
    for (int32_t p = 0; p < r->parts; p++) {
        const bool lacks = k == a->left_out_region && p == a->left_out_part;
        list[parts.count] = r->part[p];
        list[parts.count].block = parts.blocks;
        list[parts.count].blocks -= lacks;
        parts.blocks += list[parts.count].blocks;
        parts.count += list[parts.count].blocks > 0;
    }
    return parts;
}

/* Parts of all rows of a region that has others inside. */
static struct class_parts all_rows(const struct answer *a, int32_t k, struct class_part *part) {
    const bool has_inside = a->cut->layout[k].children > 0;
    *part = (struct class_part){
        .blocks = has_inside ? (rows_of(a, k) + CLASS_ROWS - 1) / CLASS_ROWS : 0, .region = k};
    return (struct class_parts){part, 1, part->blocks};
}

static enum status run(struct gpu_class_proof *proof, struct answer *a, bool *proved,
                       struct error *err) {
    struct class_part list[REGIONS + 1];
    RETURN_ON_FAILURE(gpu_class_proof_begin(proof, err));
    RETURN_ON_FAILURE(gpu_class_proof_sources(proof, a->source, a->count, err));
    for (int32_t k = 0; k < a->cut->count; k++) {
        const struct class_parts rows = parts_of(a, k, list);
        for (int times = 0; times < 1 + (k == a->taken_twice); times++)
            RETURN_ON_FAILURE(gpu_class_proof_take(proof, &rows, a->label, err));
        const struct class_parts all = all_rows(a, k, list);
        if (k != a->unreferred)
            RETURN_ON_FAILURE(gpu_class_proof_refer(proof, &all, err));
    }
    for (int32_t k = a->cut->count - 1; k >= 0; k--) {
        const struct class_parts all = all_rows(a, k, list);
        for (int times = k == a->unadded; times < 1 + (k == a->added_twice); times++)
            RETURN_ON_FAILURE(gpu_class_proof_add(proof, &all, err));
    }
    gpu_class_proof_finish(proof, a->count + a->more);
    return gpu_class_proof_end(proof, proved, err);
}

/* Proves an answer of g from the beginning to the end; nothing is held then. */
static enum status prove(const struct graph *g, struct answer *a, bool *is_ready, bool *proved,
                         struct error *err) {
    struct gpu_class_proof proof;
    *is_ready = *proved = false;
    reset(a);
    enum status status =
        gpu_class_proof_open(&proof, g, a->cut->layout, a->cut->count, a->cut->vertex, err);
    if (status == STATUS_OK && proof.is_ready) {
        *is_ready = true;
        proof.rows = a->rows;
        proof.total = a->total;
        status = run(&proof, a, proved, err);
    }
    gpu_class_proof_close(&proof);
    CU_ASSERT(proof.memory == NULL && !proof.is_ready);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    return status;
}

static bool is_proved(const struct graph *g, struct answer *a) {
    struct error err = {""};
    bool is_ready, proved;
    CU_ASSERT_EQUAL(prove(g, a, &is_ready, &proved, &err), STATUS_OK);
    CU_ASSERT(is_ready);
    return proved;
}

/* Whether the totals are those of the distances. */
static bool totals_are(const struct answer *a, const int32_t *dist) {
    for (int32_t s = 0; s < a->count; s++) {
        struct class_total expected = {0, 0, 0};
        for (int32_t v = 0; v < a->cut->n; v++) {
            const int32_t d = dist[(int64_t)a->source[s] * a->cut->n + v];
            if (d == INF)
                continue;
            expected.sum += d;
            expected.reached++;
            expected.farthest = d > expected.farthest ? d : expected.farthest;
        }
        const struct class_total *const t = &a->total[s];
        if (t->sum != expected.sum || t->reached != expected.reached ||
            t->farthest != expected.farthest)
            return false;
    }
    return true;
}

/* Whether all rows that are there are right. */
static bool is_right(const struct answer *a, const int32_t *answered, const int32_t *dist) {
    for (int32_t k = 0; k < a->cut->count; k++) {
        for (int32_t row = 0; row < rows_of(a, k); row++) {
            const int64_t first = (int64_t)a->region[k].source[row] * a->cut->n;
            for (int32_t x = 0; x < class_numbers(&a->cut->layout[k]); x++) {
                const int32_t v = vertex_of(a, k, x);
                if (v >= 0 && answered[first + v] != dist[first + v])
                    return false;
            }
        }
    }
    return true;
}

static struct shape random_shape(struct random *random, int round) {
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

/* A graph, how it is cut, and its answer. */
struct case_of {
    struct shape shape;
    struct cut cut;
    struct graph g;
    int32_t *dist;
    int64_t farthest;
    struct answer a;
};

static void begin_case(struct case_of *t, struct random *random, const struct shape *shape) {
    t->shape = *shape;
    t->cut = cut_of(random, shape);
    t->g = graph_in(&t->cut, random, shape);
    t->dist = distances_of(&t->g, &t->farthest);
    t->a = answer_of(&t->cut, t->dist, shape->sources);
}

static void end_case(struct case_of *t) {
    free_answer(&t->a);
    free(t->dist);
    graph_free(&t->g);
    free_cut(&t->cut);
}

// Right answers and wrong distances ---------------------------------------------------------------

#ifdef APSP_SANITIZED
enum { ROUNDS = 24, TRIES = 3 };
#else
enum { ROUNDS = 64, TRIES = 6 };
#endif

static void test_right(void) {
    struct random random = {61};
    for (int round = 0; round < ROUNDS; round++) {
        const struct shape shape = random_shape(&random, round);
        struct case_of t;
        begin_case(&t, &random, &shape);
        cuda_shim_set_order((enum cuda_shim_order)(round % 3));
        CU_ASSERT(is_proved(&t.g, &t.a));
        CU_ASSERT(totals_are(&t.a, t.dist));
        end_case(&t);
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
}

/* Proves an answer with other distances: it is proved if and only if no row is wrong. */
static bool try_distances(const struct case_of *t, const int32_t *answered) {
    struct answer a = answer_of(&t->cut, answered, t->shape.sources);
    const bool right = is_right(&a, answered, t->dist);
    CU_ASSERT_EQUAL(is_proved(&t->g, &a), right);
    CU_ASSERT(!right || totals_are(&a, t->dist));
    free_answer(&a);
    return right;
}

/* Changes distances from some vertex in one of several ways. */
static void change(struct random *random, const struct case_of *t, int32_t *dist) {
    enum { ONE, ALL, NO_PATH, A_PATH, TO_ITSELF, WAYS };
    const int32_t n = t->cut.n, source = random_in(random, 0, n - 1), by = random_in(random, 0, 1);
    int32_t *const row = dist + (int64_t)source * n;
    int32_t *const cell = &row[random_in(random, 0, n - 1)];
    switch (random_in(random, 0, WAYS - 1)) {
    case ONE:
        *cell += 2 * by - 1;
        break;
    case ALL: /* as if the source were not at 0 */
        for (int32_t v = 0; v < n; v++)
            row[v] += row[v] < INF ? 1 : 0;
        break;
    case NO_PATH:
        *cell = INF;
        break;
    case A_PATH:
        *cell = *cell == INF ? random_in(random, 1, 30) : *cell;
        break;
    default:
        row[source] = by == 0 ? INF : 1;
    }
}

/* Each distance that is there counts. */
static void test_distances(void) {
    struct random random = {62};
    int refuted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const struct shape shape = random_shape(&random, round);
        struct case_of t;
        begin_case(&t, &random, &shape);
        const size_t bytes = sizeof(int32_t) * (size_t)t.cut.n * (size_t)t.cut.n;
        int32_t *const answered = new_cells((int64_t)t.cut.n * t.cut.n);
        for (int k = 0; k < TRIES; k++) {
            memcpy(answered, t.dist, bytes);
            change(&random, &t, answered);
            refuted += !try_distances(&t, answered);
        }
        free(answered);
        end_case(&t);
    }
    CU_ASSERT(refuted > ROUNDS);
}

/* Answers of the graph with an edge more or less: some vertex is too near or too far, and all
 * others are where they then are. */
static void test_edges(void) {
    struct random random = {63};
    int right = 0, wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const struct shape shape = random_shape(&random, round);
        struct case_of t;
        begin_case(&t, &random, &shape);
        for (int k = 0; k < TRIES && t.g.m > 0; k++) {
            const struct edge more = {random_in(&random, 0, t.cut.n - 1),
                                      random_in(&random, 0, t.cut.n - 1), random_in(&random, 1, 3)};
            int64_t farthest;
            struct graph other =
                changed_graph(&t.g, k % 2 == 0 ? &more : NULL,
                              k % 2 == 0 ? -1 : (int64_t)random_in(&random, 0, (int32_t)t.g.m - 1));
            int32_t *const answered = distances_of(&other, &farthest);
            if (try_distances(&t, answered))
                right++;
            else
                wrong++;
            free(answered);
            graph_free(&other);
        }
        end_case(&t);
    }
    CU_ASSERT(right > ROUNDS / 2 && wrong > ROUNDS);
}

// Wrong rows, references and labels ---------------------------------------------------------------

/* What has been changed in an answer, to change it back. */
static struct { int32_t *at, was; } changes[1 << 14];
static int changed;

static void put(int32_t *at, int32_t value) {
    CU_ASSERT_FATAL(changed < (int)(sizeof changes / sizeof *changes));
    changes[changed].at = at;
    changes[changed++].was = *at;
    *at = value;
}

static void change_back(struct answer *a) {
    while (changed > 0) {
        changed--;
        *changes[changed].at = changes[changed].was;
    }
    a->left_out_region = -1;
}

/* A row of region k, and a number in it that is a vertex's; -1: there is none. */
struct place {
    int32_t k, row, x;
};

static struct place place_in(const struct answer *a, struct random *random, int32_t from,
                             int32_t end, int32_t k) {
    const int32_t rows = rows_of(a, k);
    struct place p = {k, rows > 0 ? random_in(random, 0, rows - 1) : -1, -1};
    if (rows > 0 && random_in(random, 0, 1) == 0 && a->rows[k].classes > 0)
        p.row = random_in(random, a->rows[k].sources, rows - 1);
    for (int k_th = 0; k_th < 8 && from < end && p.row >= 0 && p.x < 0; k_th++) {
        p.x = random_in(random, from, end - 1);
        if (vertex_of(a, k, p.x) < 0)
            p.x = -1;
    }
    return p;
}

static int32_t *label_at(const struct answer *a, const struct place *p, int32_t x) {
    return &a->label[a->region[p->k].cell[p->row] + (int64_t)x * CLASS_TILE];
}

static int32_t *portal_at(const struct answer *a, const struct place *p, int32_t x) {
    const int32_t pitch = class_pitch(a->cut->layout[p->k].portals);
    return &a->region[p->k].portal_row[(int64_t)p->row * pitch + x];
}

static int32_t *class_at(const struct answer *a, const struct place *p, int32_t x) {
    const int32_t number = p->row - a->rows[p->k].sources;
    return &a->region[p->k].class_row[(int64_t)number * a->cut->layout[p->k].start + x];
}

/* Puts a distance wherever the answer has it: in the label, and in the rows if it says so. */
static void put_all(const struct answer *a, const struct place *p, int32_t x, int32_t value) {
    const struct class_layout *const r = &a->cut->layout[p->k];
    put(label_at(a, p, x), value);
    if (x < r->portals)
        put(portal_at(a, p, x), value);
    if (x < r->width && p->row >= a->rows[p->k].sources)
        put(class_at(a, p, x), value);
}

/* Which class of region k a row of the region around is of; -1: of none. */
static int32_t class_of(const struct answer *a, int32_t k, int32_t row) {
    const struct class_reference *const reference = a->region[k].reference;
    if (reference[row].of == CLASS_NONE)
        return -1;
    return reference[row].of >= 0 ? ~reference[reference[row].of].of : ~reference[row].of;
}

/* Moves all finite labels of a class's row, whose constants make good for it. */
static void move_class(const struct answer *a, const struct place *p, int32_t by) {
    const struct class_layout *const r = &a->cut->layout[p->k];
    const int32_t number = p->row - a->rows[p->k].sources;
    for (int32_t x = 0; x < class_numbers(r); x++) {
        if (vertex_of(a, p->k, x) >= 0 && *label_at(a, p, x) < INF)
            put_all(a, p, x, *label_at(a, p, x) + by);
    }
    for (int32_t row = 0; row < rows_of(a, r->parent); row++) {
        struct class_reference *const own = &a->region[p->k].reference[row];
        if (class_of(a, p->k, row) == number)
            put(&own->constant, own->constant - by);
    }
}

static void use_class(const struct answer *a, const struct place *p, int32_t of) {
    put(&a->region[p->k].reference[p->row].of, of);
}

enum corruption {
    OWN_LABEL,
    BOUNDARY_LABEL,
    CLASS_AND_LABEL,
    WHOLE_CLASS,
    PORTAL_CELL,
    PORTAL_AND_LABEL,
    NEGATIVE,
    NEGATIVE_CLASS,
    ABOVE_INF,
    NO_PATH,
    A_PATH,
    LEFT_OUT,
    CONSTANT,
    ANOTHER_CLASS,
    NO_CLASS,
    A_CLASS,
    OUT_OF_RANGE,
    TO_A_REFERENCE,
    CORRUPTIONS,
};

/* Corrupts a row's labels. Returns false if there is nothing to corrupt. */
static bool corrupt_labels(struct answer *a, struct random *random, enum corruption what) {
    const int32_t k = random_in(random, 0, a->cut->count - 1), by = 2 * random_in(random, 0, 1) - 1;
    const struct class_layout *const r = &a->cut->layout[k];
    const bool at_boundary = what == BOUNDARY_LABEL || what == CLASS_AND_LABEL ||
                             (what > PORTAL_AND_LABEL && random_in(random, 0, 2) == 0);
    const int32_t from = at_boundary || what == PORTAL_CELL ? 0 : r->start;
    const int32_t end = at_boundary                                       ? r->width
                        : what == PORTAL_CELL || what == PORTAL_AND_LABEL ? r->portals
                                                                          : class_numbers(r);
    struct place p = place_in(a, random, from, end, k);
    const bool of_class = p.row >= a->rows[k].sources;
    if (p.row < 0 || p.x < 0)
        return false;
    int32_t *const label = label_at(a, &p, p.x);
    const int32_t was = *label;
    switch (what) {
    case OWN_LABEL:
    case BOUNDARY_LABEL:
        put(label, was + by);
        return true;
    case CLASS_AND_LABEL:
        if (of_class)
            put_all(a, &p, p.x, was + by);
        return of_class;
    case PORTAL_CELL:
        put(portal_at(a, &p, p.x), was + by);
        return true;
    case PORTAL_AND_LABEL:
        put_all(a, &p, p.x, was + by);
        return true;
    case NEGATIVE:
        put_all(a, &p, p.x, -random_in(random, 1, 1000));
        return true;
    case ABOVE_INF:
        put_all(a, &p, p.x, random_in(random, 0, 1) == 0 ? INF + 1 : INT32_MAX);
        return true;
    case NO_PATH:
        put_all(a, &p, p.x, INF);
        return was != INF;
    default: /* A_PATH */
        put_all(a, &p, p.x, random_in(random, 0, 40));
        return was == INF;
    }
}

/* Corrupts a whole row of a class, or leaves rows out. */
static bool corrupt_rows(struct answer *a, struct random *random, enum corruption what) {
    const int32_t k = random_in(random, 0, a->cut->count - 1);
    if (what == LEFT_OUT) {
        a->left_out_region = k;
        a->left_out_part = random_in(random, 0, a->region[k].parts);
        if (a->left_out_part == a->region[k].parts)
            return false;
        const struct class_part *const part = &a->region[k].part[a->left_out_part];
        for (int32_t lane = 0; lane < CLASS_TILE; lane++) {
            if (row_of(a, k, part, (part->blocks - 1) * CLASS_TILE + lane) >= 0)
                return true;
        }
        return false;
    }
    if (a->rows[k].classes == 0)
        return false;
    const struct place p = {k, random_in(random, a->rows[k].sources, rows_of(a, k) - 1), 0};
    const struct class_layout *const r = &a->cut->layout[k];
    int32_t nearest = INF;
    for (int32_t b = 0; b < r->width; b++)
        nearest = *class_at(a, &p, b) < nearest ? *class_at(a, &p, b) : nearest;
    move_class(a, &p, what == NEGATIVE_CLASS ? -nearest - 1 : 1);
    for (int32_t row = 0; row < rows_of(a, r->parent) && what == WHOLE_CLASS; row++) {
        struct class_reference *const own = &a->region[k].reference[row];
        if (class_of(a, k, row) == p.row - a->rows[k].sources)
            put(&own->constant, own->constant + 1);
    }
    return true;
}

static bool corrupt_reference(struct answer *a, struct random *random, enum corruption what) {
    const int32_t k = random_in(random, 0, a->cut->count - 1);
    const int32_t around = a->cut->layout[k].parent;
    if (around < 0)
        return false;
    const int32_t rows = rows_of(a, around), classes = a->rows[k].classes;
    if (rows == 0)
        return false;
    const struct place p = {k, random_in(random, 0, rows - 1), 0};
    const int32_t out_of_range[] = {rows,     rows + 1,       INT32_MAX,
                                    ~classes, ~(classes + 1), CLASS_NONE + 1};
    struct class_reference *const own = &a->region[k].reference[p.row];
    const int32_t number = class_of(a, k, p.row), other = random_in(random, 0, rows - 1);
    const bool from_inside =
        p.row < a->rows[around].sources && is_inside(a, k, a->rows[around].first_source + p.row);
    if (from_inside || (what == A_CLASS && (number >= 0 || classes == 0)) ||
        (what != A_CLASS && what != OUT_OF_RANGE && number < 0))
        return false;
    switch (what) {
    case CONSTANT:
        put(&own->constant, own->constant + 2 * random_in(random, 0, 1) - 1);
        return true;
    case ANOTHER_CLASS:
        use_class(a, &p,
                  a->region[k].reference[other].of < 0 && random_in(random, 0, 1) == 0
                      ? other
                      : ~random_in(random, 0, classes - 1));
        return own->of != CLASS_NONE && class_of(a, k, p.row) != number;
    case NO_CLASS:
        use_class(a, &p, CLASS_NONE);
        return true;
    case A_CLASS:
        use_class(a, &p, ~random_in(random, 0, classes - 1));
        return true;
    case TO_A_REFERENCE:
        use_class(a, &p, random_in(random, 0, 1) == 0 && own->of >= 0 ? p.row : other);
        return own->of >= 0 && (a->region[k].reference[own->of].of >= 0 ||
                                a->region[k].reference[own->of].of == CLASS_NONE);
    default: /* OUT_OF_RANGE */
        use_class(a, &p, out_of_range[random_in(random, 0, 5)]);
        return true;
    }
}

static bool corrupt(struct answer *a, struct random *random, enum corruption what) {
    if (what >= CONSTANT)
        return corrupt_reference(a, random, what);
    return what == WHOLE_CLASS || what == NEGATIVE_CLASS || what == LEFT_OUT
               ? corrupt_rows(a, random, what)
               : corrupt_labels(a, random, what);
}

/* Nothing can be changed in one place without being noticed, and what is changed back is proved. */
static void test_corrupted(void) {
    struct random random = {64};
    int tried[CORRUPTIONS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        const struct shape shape = random_shape(&random, round);
        struct case_of t;
        begin_case(&t, &random, &shape);
        for (int what = 0; what < CORRUPTIONS; what++) {
            for (int k = 0; k < 2 * TRIES; k++) {
                if (corrupt(&t.a, &random, (enum corruption)what)) {
                    CU_ASSERT_FALSE(is_proved(&t.g, &t.a));
                    tried[what]++;
                }
                change_back(&t.a);
            }
        }
        CU_ASSERT(is_proved(&t.g, &t.a));
        end_case(&t);
    }
    for (int what = 0; what < CORRUPTIONS; what++)
        CU_ASSERT(tried[what] > ROUNDS / 16);
}

/* Regions with several blocks of rows, and boundaries of several words of bits. */
static void test_large(void) {
    const struct shape shape = {.size = {80, 34, 4, 70, 36, 3},
                                .count = REGIONS,
                                .percent = 97,
                                .edges = 4,
                                .sources = 100,
                                .lightest = 1,
                                .heaviest = 9};
    struct random random = {65};
    struct case_of t;
    begin_case(&t, &random, &shape);
    CU_ASSERT(t.cut.layout[INSIDE].width > 32 && t.a.rows[INSIDE].sources > CLASS_TILE);
    CU_ASSERT(rows_of(&t.a, AROUND) > CLASS_ROWS && rows_of(&t.a, LEFT) > CLASS_ROWS);
    CU_ASSERT(t.a.rows[RIGHT].classes > CLASS_TILE);
    for (int order = 0; order < 3; order++) {
        cuda_shim_set_order((enum cuda_shim_order)order);
        CU_ASSERT(is_proved(&t.g, &t.a) && totals_are(&t.a, t.dist));
    }
    cuda_shim_set_order(CUDA_SHIM_ASCENDING);
    for (int what = 0; what < CORRUPTIONS; what++) {
        if (corrupt(&t.a, &random, (enum corruption)what))
            CU_ASSERT_FALSE(is_proved(&t.g, &t.a));
        change_back(&t.a);
    }
    end_case(&t);
}

/* Distances so large that a weight leads out of range are not proved, nor those that are out of it
 * and given as "no path". */
static void test_out_of_range(void) {
    struct random random = {66};
    int in_range = 0, out_of_range = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct shape shape = random_shape(&random, round);
        struct case_of t;
        shape.sources = 100;
        shape.heaviest = INF / random_in(&random, 2, 9);
        shape.lightest = shape.heaviest / 2;
        if (round % 3 == 1) /* just in range, or not */
            shape.lightest = 1;
        begin_case(&t, &random, &shape);
        const bool fits = t.farthest < INF && (double)t.farthest + t.g.max_weight < INF;
        CU_ASSERT_EQUAL(is_proved(&t.g, &t.a), fits);
        CU_ASSERT(!fits || totals_are(&t.a, t.dist));
        in_range += fits;
        out_of_range += !fits;
        end_case(&t);
    }
    CU_ASSERT(in_range > 2 && out_of_range > 2);
}

// Graphs and regions that do not go with one another ----------------------------------------------

static bool is_ready(const struct graph *g, const struct cut *c) {
    struct gpu_class_proof proof;
    struct error err = {""};
    CU_ASSERT_EQUAL(gpu_class_proof_open(&proof, g, c->layout, c->count, c->vertex, &err),
                    STATUS_OK);
    const bool ready = proof.is_ready;
    gpu_class_proof_close(&proof);
    CU_ASSERT_EQUAL(cuda_shim_held(), 0);
    return ready;
}

/* Whether a layout is taken of which one field of a region is changed. */
static bool takes(const struct case_of *t, int32_t k, size_t field, int32_t by) {
    struct cut changed_cut = t->cut;
    int32_t *const at = (int32_t *)((char *)&changed_cut.layout[k] + field);
    *at += by;
    return is_ready(&t->g, &changed_cut);
}

static const struct shape plain = {.size = {4, 3, 2, 5, 4, 2},
                                   .count = REGIONS,
                                   .percent = 100,
                                   .edges = 60,
                                   .sources = 100,
                                   .lightest = 1,
                                   .heaviest = 20};

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
    struct case_of t;
    begin_case(&t, &random, &plain);
    CU_ASSERT(is_ready(&t.g, &t.cut));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        CU_ASSERT_FALSE(takes(&t, wrong[k].region, wrong[k].field, wrong[k].by));
    for (t.cut.count = 1; t.cut.count < REGIONS; t.cut.count++)
        CU_ASSERT_FALSE(is_ready(&t.g, &t.cut));
    end_case(&t);
}

/* Whether vertices are taken of which one is changed. */
static bool takes_vertex(const struct case_of *t, int32_t k, int32_t x, int32_t vertex) {
    int32_t *const at = &t->cut.vertex[t->cut.layout[k].first + x];
    const int32_t was = *at;
    *at = vertex;
    const bool ready = is_ready(&t->g, &t->cut);
    *at = was;
    return ready;
}

/* Vertices where they do not belong. */
static void test_vertices(void) {
    struct random random = {68};
    struct case_of t;
    begin_case(&t, &random, &plain);
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
    end_case(&t);
}

/* A vertex in two regions and one in none, if no edge tells: none leads to either. */
static void test_unknown_vertex(void) {
    struct shape shape = plain;
    struct random random = {69};
    struct case_of t;
    shape.edges = 0;
    begin_case(&t, &random, &shape);
    CU_ASSERT(is_ready(&t.g, &t.cut));
    struct class_layout *const last = &t.cut.layout[INSIDE];
    for (last->own--; last->own % 4 > 0; last->own--) /* the rest fills up */
        t.cut.vertex[last->first + last->start + last->own] = -1;
    CU_ASSERT_FALSE(is_ready(&t.g, &t.cut));
    end_case(&t);
}

/* Edges between regions, and weights that are out of range or real. */
static void test_graphs(void) {
    struct random random = {70};
    struct case_of t;
    begin_case(&t, &random, &plain);
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
        CU_ASSERT_FALSE(is_ready(&g, &t.cut));
        graph_free(&g);
    }
    struct graph heavy = graph_of(t.cut.n, (struct edge[]){{portal, left, INF + 1}}, 1);
    CU_ASSERT_FALSE(is_ready(&heavy, &t.cut));
    graph_free(&heavy);
    struct graph real =
        graph_of_real(t.cut.n, NUMBER_FLOAT64, (struct real_edge[]){{portal, left, 1.5}}, 1);
    CU_ASSERT_FALSE(is_ready(&real, &t.cut));
    graph_free(&real);
    end_case(&t);
}

/* Region AROUND has the portal 0, from which edges lead to 1 in LEFT and to 2 in RIGHT. */
enum { SMALL_NUMBERS = 20, LEFT_OWN = 8, RIGHT_OWN = 16 };

static struct cut small_cut(int32_t *at, int32_t *vertex) {
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

/* A class's row so far away that sums are out of range, whose constant makes good for it: nothing
 * behind the boundary seems to be reached. */
static void test_far_class(void) {
    struct graph g = graph_of(3, (struct edge[]){{0, 1, 3}, {0, 2, 7}}, 2);
    const int32_t dist[] = {0, 3, 7, INF, 0, INF, INF, INF, 0};
    int32_t at[3], vertex[SMALL_NUMBERS];
    const struct cut c = small_cut(at, vertex);
    struct answer a = answer_of(&c, dist, 100);
    CU_ASSERT(is_proved(&g, &a) && totals_are(&a, dist));
    const struct place p = {LEFT, a.rows[LEFT].sources, 0};
    move_class(&a, &p, INF - 1);
    put(label_at(&a, &p, c.layout[LEFT].start), INF);
    CU_ASSERT_FALSE(is_proved(&g, &a));
    change_back(&a);
    free_answer(&a);
    graph_free(&g);
}

/* Vertex 1 is RIGHT's, too, in place of 2: there are as many vertices and edges as in the graph. */
static void test_vertex_twice(void) {
    struct graph g = graph_of(3, (struct edge[]){{0, 1, 3}, {0, 2, 7}}, 2);
    int32_t at[3], vertex[SMALL_NUMBERS];
    const struct cut c = small_cut(at, vertex);
    CU_ASSERT(is_ready(&g, &c));
    vertex[RIGHT_OWN] = vertex[LEFT_OWN];
    CU_ASSERT_FALSE(is_ready(&g, &c));
    graph_free(&g);
}

/* Fields that are far off lead nowhere; nor do edges that are in two regions. */
static void test_far_off(void) {
    enum { FAR = 100000 };
    struct random random = {73};
    struct case_of t;
    begin_case(&t, &random, &plain);
    const struct class_layout *const r = t.cut.layout;
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, first), FAR));
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, first), -FAR));
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, width), FAR));
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, own), FAR));
    CU_ASSERT_FALSE(takes(&t, INSIDE, offsetof(struct class_layout, own), -r[AROUND].own - 20));
    CU_ASSERT_FATAL(r[LEFT].start == r[RIGHT].start && r[LEFT].own == r[RIGHT].own);
    memcpy(&t.cut.vertex[r[RIGHT].first], &t.cut.vertex[r[LEFT].first],
           sizeof(int32_t) * (size_t)class_numbers(&r[LEFT]));
    CU_ASSERT_FALSE(is_ready(&t.g, &t.cut));
    end_case(&t);
}

/* A device without memory is no failure; whatever other call fails, there is a status and a line.
 */
static void test_failures(void) {
    struct random random = {71};
    struct case_of t;
    bool failed = true;
    begin_case(&t, &random, &plain);
    for (int fail_at = 1; failed; fail_at++) {
        struct error err = {""};
        bool ready, proved;
        cuda_shim_fail_after(fail_at);
        const enum status status = prove(&t.g, &t.a, &ready, &proved, &err);
        failed = cuda_shim_fail_after(0) == 0;
        CU_ASSERT_EQUAL(ready, fail_at > 2 || !failed);
        CU_ASSERT_EQUAL(status, failed && fail_at > 1 ? STATUS_NO_RESOURCE : STATUS_OK);
        CU_ASSERT_EQUAL(proved, !failed);
        if (status != STATUS_OK)
            CU_ASSERT(strstr(err.text, "unknown error") != NULL && strchr(err.text, '\n') == NULL);
        CU_ASSERT(failed || fail_at > 10);
    }
    end_case(&t);
}

/* What a caller does for no region, or twice, or says of too many or too few sources. */
static void test_steps(void) {
    enum { CASES = 60 };
    struct random random = {73};
    int refuted = 0;
    for (int round = 0; round < CASES; round++) {
        struct shape shape = plain;
        struct case_of t;
        shape.sources = round % 2 == 0 ? 8 : 40;
        begin_case(&t, &random, &shape);
        for (int32_t k = 0; k < t.cut.count; k++) {
            int32_t *const steps[] = {&t.a.unreferred, &t.a.unadded, &t.a.taken_twice,
                                      &t.a.added_twice};
            for (int step = 0; step < 4; step++) {
                if (rows_of(&t.a, k) == 0 || (step != 2 && t.cut.layout[k].children == 0))
                    continue;
                *steps[step] = k;
                CU_ASSERT_FALSE(is_proved(&t.g, &t.a));
                *steps[step] = -1;
                refuted++;
            }
        }
        for (t.a.more = -1; t.a.more <= 1; t.a.more++)
            CU_ASSERT_EQUAL(is_proved(&t.g, &t.a), t.a.more == 0);
        end_case(&t);
    }
    CU_ASSERT(refuted > CASES);
}

CU_TestInfo gpu_class_proof_tests[] = {
    {"right answers are proved", test_right},
    {"wrong distances", test_distances},
    {"answers of graphs with an edge more or less", test_edges},
    {"wrong rows, references and labels", test_corrupted},
    {"large regions", test_large},
    {"distances out of range", test_out_of_range},
    {"wrong layouts", test_layouts},
    {"wrong vertices", test_vertices},
    {"a vertex in no region", test_unknown_vertex},
    {"graphs that the regions are not of", test_graphs},
    {"a class out of range", test_far_class},
    {"a vertex in two regions", test_vertex_twice},
    {"fields that are far off", test_far_off},
    {"steps that are missing, or twice", test_steps},
    {"failures of CUDA", test_failures},
    CU_TEST_INFO_NULL,
};
