// SPDX-License-Identifier: MIT
#include "tests/unit/class_answers.h"

#include "common/graph/graph.h" // struct graph, INF

#include <stdlib.h>
#include <string.h>

int32_t answer_rows(const struct answer *a, int32_t k) {
    return a->rows[k].sources + a->rows[k].classes;
}

static bool is_inside(const struct answer *a, int32_t k, int32_t source) {
    const int32_t number = source - a->rows[k].first_source;
    return number >= 0 && number < a->rows[k].sources;
}

int32_t answer_vertex(const struct answer *a, int32_t k, int32_t x) {
    return a->cut->vertex[a->cut->layout[k].first + x];
}

/* Returns whether two rows differ by a constant on the boundary of region k. */
static bool differ_by(const struct answer *a, int32_t k, const int32_t *one, const int32_t *other,
                      int32_t *constant, bool *is_reached) {
    bool same = true;
    *is_reached = false;
    *constant = 0;
    for (int32_t b = 0; b < a->cut->layout[k].width; b++) {
        const int32_t v = answer_vertex(a, k, b);
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
    r->reference = (struct class_reference *)new_cells(2 * (int64_t)answer_rows(a, around));
    for (int32_t row = 0; row < answer_rows(a, around); row++) {
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

int32_t answer_row(const struct answer *a, int32_t k, const struct class_part *part, int32_t lane) {
    const struct class_rows *const rows = &a->rows[k];
    const struct class_layout *const r = &a->cut->layout[k];
    if (part->inside == CLASS_CLASSES)
        return lane < rows->classes ? rows->sources + lane : -1;
    if (part->inside == CLASS_OWN) {
        for (int32_t s = 0; s < a->count && lane < r->own; s++) {
            if (a->source[s] == answer_vertex(a, k, r->start + lane))
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
            const int32_t row = answer_row(a, k, part, lane);
            const int64_t first = part->cell +
                                  lane / CLASS_TILE * (int64_t)class_numbers(r) * CLASS_TILE +
                                  lane % CLASS_TILE;
            if (row < 0)
                continue;
            a->region[k].cell[row] = first;
            for (int32_t x = 0; x < class_numbers(r); x++) {
                const int64_t cell = (int64_t)a->region[k].source[row] * a->cut->n;
                if (answer_vertex(a, k, x) >= 0)
                    a->label[first + (int64_t)x * CLASS_TILE] = dist[cell + answer_vertex(a, k, x)];
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
    own->portal_row = new_cells((int64_t)answer_rows(a, k) * pitch);
    own->total = must_have(malloc(sizeof *own->total * ((size_t)classes + 1)));
    own->tight = (uint32_t *)new_cells((int64_t)answer_rows(a, k) * class_words(r));
    own->cell = must_have(calloc((size_t)answer_rows(a, k) + 1, sizeof *own->cell));
    for (int32_t row = 0; row < answer_rows(a, k); row++) {
        const int32_t *const from = dist + (int64_t)own->source[row] * a->cut->n;
        for (int32_t x = 0; x < r->portals; x++)
            own->portal_row[(int64_t)row * pitch + x] =
                answer_vertex(a, k, x) >= 0 ? from[answer_vertex(a, k, x)] : -77;
        for (int32_t b = 0; b < r->width && row >= a->rows[k].sources; b++)
            own->class_row[(int64_t)(row - a->rows[k].sources) * r->start + b] =
                from[answer_vertex(a, k, b)];
    }
    a->rows[k].source_row = own->source_row;
    a->rows[k].class_row = own->class_row;
    a->rows[k].portal_row = own->portal_row;
    a->rows[k].reference = own->reference;
    a->rows[k].total = own->total;
    a->rows[k].tight = own->tight;
}

struct answer answer_of(const struct cut *c, const int32_t *dist, int percent) {
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

void answer_free(struct answer *a) {
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

void answer_reset(struct answer *a) {
    memset(a->total, 0, sizeof *a->total * (size_t)a->count);
    for (int32_t k = 0; k < a->cut->count; k++) {
        const struct class_layout *const r = &a->cut->layout[k];
        const size_t rows = (size_t)answer_rows(a, k);
        memset(a->region[k].tight, 0, rows * sizeof(uint32_t) * (size_t)class_words(r));
        memset(a->region[k].total, 0x2d, sizeof(struct class_total) * (size_t)a->rows[k].classes);
        memset(a->region[k].source_row, 0x2d,
               (size_t)a->rows[k].sources * sizeof(int32_t) * (size_t)r->start);
    }
}

bool answer_has_totals(const struct answer *a, const int32_t *dist) {
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

bool answer_is_right(const struct answer *a, const int32_t *answered, const int32_t *dist) {
    for (int32_t k = 0; k < a->cut->count; k++) {
        for (int32_t row = 0; row < answer_rows(a, k); row++) {
            const int64_t first = (int64_t)a->region[k].source[row] * a->cut->n;
            for (int32_t x = 0; x < class_numbers(&a->cut->layout[k]); x++) {
                const int32_t v = answer_vertex(a, k, x);
                if (v >= 0 && answered[first + v] != dist[first + v])
                    return false;
            }
        }
    }
    return true;
}

void case_begin(struct case_of *t, struct random *random, const struct shape *shape) {
    t->shape = *shape;
    t->cut = cut_of(random, shape);
    t->g = cut_graph(&t->cut, random, shape);
    t->dist = distances_of(&t->g, &t->farthest);
    t->a = answer_of(&t->cut, t->dist, shape->sources);
}

void case_end(struct case_of *t) {
    answer_free(&t->a);
    free(t->dist);
    graph_free(&t->g);
    cut_free(&t->cut);
}

// Corruptions ---------------------------------------------------------------

/* Cells of an answer that have been changed, and their values before, to change them back. */
static struct { int32_t *at, was; } changes[1 << 14];
static int changed;

static void put(int32_t *at, int32_t value) {
    CU_ASSERT_FATAL(changed < (int)(sizeof changes / sizeof *changes));
    changes[changed].at = at;
    changes[changed++].was = *at;
    *at = value;
}

void answer_change_back(struct answer *a) {
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
    const int32_t rows = answer_rows(a, k);
    struct place p = {k, rows > 0 ? random_in(random, 0, rows - 1) : -1, -1};
    if (rows > 0 && random_in(random, 0, 1) == 0 && a->rows[k].classes > 0)
        p.row = random_in(random, a->rows[k].sources, rows - 1);
    for (int k_th = 0; k_th < 8 && from < end && p.row >= 0 && p.x < 0; k_th++) {
        p.x = random_in(random, from, end - 1);
        if (answer_vertex(a, k, p.x) < 0)
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

int32_t answer_class(const struct answer *a, int32_t k, int32_t row) {
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
        if (answer_vertex(a, p->k, x) >= 0 && *label_at(a, p, x) < INF)
            put_all(a, p, x, *label_at(a, p, x) + by);
    }
    for (int32_t row = 0; row < answer_rows(a, r->parent); row++) {
        struct class_reference *const own = &a->region[p->k].reference[row];
        if (answer_class(a, p->k, row) == number)
            put(&own->constant, own->constant - by);
    }
}

static void use_class(const struct answer *a, const struct place *p, int32_t of) {
    put(&a->region[p->k].reference[p->row].of, of);
}

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
            if (answer_row(a, k, part, (part->blocks - 1) * CLASS_TILE + lane) >= 0)
                return true;
        }
        return false;
    }
    if (a->rows[k].classes == 0)
        return false;
    const struct place p = {k, random_in(random, a->rows[k].sources, answer_rows(a, k) - 1), 0};
    const struct class_layout *const r = &a->cut->layout[k];
    int32_t nearest = INF;
    for (int32_t b = 0; b < r->width; b++)
        nearest = *class_at(a, &p, b) < nearest ? *class_at(a, &p, b) : nearest;
    move_class(a, &p, what == NEGATIVE_CLASS ? -nearest - 1 : 1);
    for (int32_t row = 0; row < answer_rows(a, r->parent) && what == WHOLE_CLASS; row++) {
        struct class_reference *const own = &a->region[k].reference[row];
        if (answer_class(a, k, row) == p.row - a->rows[k].sources)
            put(&own->constant, own->constant + 1);
    }
    return true;
}

static bool corrupt_reference(struct answer *a, struct random *random, enum corruption what) {
    const int32_t k = random_in(random, 0, a->cut->count - 1);
    const int32_t around = a->cut->layout[k].parent;
    if (around < 0)
        return false;
    const int32_t rows = answer_rows(a, around), classes = a->rows[k].classes;
    if (rows == 0)
        return false;
    const struct place p = {k, random_in(random, 0, rows - 1), 0};
    const int32_t out_of_range[] = {rows,     rows + 1,       INT32_MAX,
                                    ~classes, ~(classes + 1), CLASS_NONE + 1};
    struct class_reference *const own = &a->region[k].reference[p.row];
    const int32_t number = answer_class(a, k, p.row), other = random_in(random, 0, rows - 1);
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
        return own->of != CLASS_NONE && answer_class(a, k, p.row) != number;
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

bool answer_corrupt(struct answer *a, struct random *random, enum corruption what) {
    if (what >= CONSTANT)
        return corrupt_reference(a, random, what);
    return what == WHOLE_CLASS || what == NEGATIVE_CLASS || what == LEFT_OUT
               ? corrupt_rows(a, random, what)
               : corrupt_labels(a, random, what);
}

void answer_move_far(struct answer *a, int32_t k, int32_t by) {
    const struct place p = {k, a->rows[k].sources, 0};
    move_class(a, &p, by);
    put(label_at(a, &p, a->cut->layout[k].start), INF);
}
