// SPDX-License-Identifier: MIT
/* The proof of classes on a CPU before answers that are made by hand from textbook distances, with
 * every instruction set; and callers that do not do what they have to. */
#include "certificate/class_proof.h"
#include "common/graph/graph.h" // INF
#include "tests/unit/class_proving.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Mistakes that a caller makes with a region. */
enum fault {
    NOTHING,
    ENTERS_EARLY,   /* before the region around has been entered, */
    ENTERS_TWICE,   /* at once, */
    ENTERS_AGAIN,   /* or after it has been left */
    TAKES_LATE,     /* when the regions inside have been entered */
    TAKES_EARLY,    /* before the region has been entered */
    TAKES_UNKNOWN,  /* a row that there is not, */
    TAKES_BELOW,    /* whose number may be below 0 */
    TAKES_TOO_MANY, /* lanes */
    TAKES_CLASSES,  /* only */
    LACKS_ROW,      /* of a class that is taken */
    ADDS_UNKNOWN,   /* a row that there is not, */
    ADDS_BELOW,     /* whose number may be below 0 */
    ADDS_LATE,      /* when a region inside has been left */
    NAMES_ANOTHER,  /* number of a class than that of the row that it referred to, */
    NAMES_BELOW,    /* and one below 0, */
    NAMES_UNKNOWN,  /* or of no class */
    PLACES_BEYOND,  /* the last source, */
    PLACES_BELOW,   /* before the first, */
    PLACES_FEWER,   /* than none, */
    PLACES_ANOTHER, /* source than those around, */
    PLACES_NONE,    /* of its sources, */
    PLACES_LATE,    /* when the outermost region has been entered */
    MAKES_CLASSES,  /* of the outermost region, or fewer than none of another one */
    FAULTS,
};

static struct {
    enum fault what;
    int32_t region;
} fault;

static bool is_faulty(int32_t region, enum fault what) {
    return fault.what == what && fault.region == region;
}

/* A caller of the proof. */
struct caller {
    struct answer *a;
    struct class_proof proof;
    struct class_prover prover;
    struct class_referee referee;
    int32_t *local; /* of each number of all regions */
    int32_t *label; /* room for those of a strip */
    int32_t *row;   /* the rows of a region that are taken, in this order: */
    int32_t rows;
    struct random random;
};

static enum isa isa;

/* Chooses one of the instruction sets of this CPU. */
static void vary(int way) {
    isa = (enum isa)(way % ISA_COUNT);
    while (!isa_is_supported(isa))
        isa = (enum isa)((isa + 1) % ISA_COUNT);
}

// The referee -------------------------------------------------------------------------------------

static const int32_t *refers(const void *context, int32_t inside, int32_t row, int32_t *constant) {
    const struct answer *const a = ((const struct caller *)context)->a;
    const struct class_reference *const own = &a->region[inside].reference[row];
    const int32_t named = own->of >= 0 ? a->region[inside].reference[own->of].of : own->of;
    *constant = own->constant;
    return named >= 0 || named == CLASS_NONE
               ? NULL
               : a->region[inside].class_row + (int64_t)~named * a->cut->layout[inside].start;
}

static int32_t number(const void *context, int32_t inside, int32_t row) {
    const struct answer *const a = ((const struct caller *)context)->a;
    const int32_t right = answer_class(a, inside, row), classes = a->rows[inside].classes;
    return is_faulty(inside, NAMES_ANOTHER)   ? (right + 1) % classes
           : is_faulty(inside, NAMES_BELOW)   ? -1 - right
           : is_faulty(inside, NAMES_UNKNOWN) ? classes + right
                                              : right;
}

// The caller --------------------------------------------------------------------------------------

/* Numbers the vertices of each region as they come. */
static void number_labels(struct caller *c) {
    const struct cut *const cut = c->a->cut;
    int32_t *const order = new_cells(cut->n);
    for (int32_t k = 0; k < cut->count; k++) {
        const struct class_layout *const r = &cut->layout[k];
        int32_t next = 0;
        for (int32_t i = 0; i < r->own + r->width; i++)
            order[i] = i;
        shuffle(&c->random, order, r->own + r->width);
        for (int32_t x = 0; x < class_numbers(r); x++)
            c->local[r->first + x] = answer_vertex(c->a, k, x) >= 0 ? order[next++] : 0;
    }
    free(order);
}

/* Lists the rows of a region in any order, but for what is left out. */
static void list_rows(struct caller *c, int32_t k) {
    const struct region_rows *const r = &c->a->region[k];
    c->rows = 0;
    for (int32_t p = 0; p < r->parts; p++) {
        const bool lacks = k == c->a->left_out_region && p == c->a->left_out_part;
        for (int32_t lane = 0; lane < (r->part[p].blocks - lacks) * CLASS_TILE; lane++) {
            const int32_t row = answer_row(c->a, k, &r->part[p], lane);
            if (row >= 0)
                c->row[c->rows++] = row;
        }
    }
    shuffle(&c->random, c->row, c->rows);
}

/* The labels of a strip; those of other lanes are anything. */
static void load_labels(struct caller *c, int32_t k, const int32_t *row, int32_t count) {
    const struct class_layout *const r = &c->a->cut->layout[k];
    for (int32_t i = 0; i < (r->own + r->width) * CLASS_LANES; i++)
        c->label[i] = (int32_t)random_word(&c->random);
    for (int32_t x = 0; x < class_numbers(r); x++) {
        for (int32_t lane = 0; lane < count && answer_vertex(c->a, k, x) >= 0; lane++)
            c->label[c->local[r->first + x] * CLASS_LANES + lane] =
                c->a->label[c->a->region[k].cell[row[lane]] + (int64_t)x * CLASS_TILE];
    }
}

/* Takes rows of a region, a strip of any length at a time. */
static void take_rows(struct caller *c, int32_t k) {
    const struct class_layout *const r = &c->a->cut->layout[k];
    for (int32_t first = 0, count; first < c->rows; first += count) {
        const int32_t *class_row[CLASS_LANES + 1] = {NULL};
        int32_t row[CLASS_LANES + 1];
        const int32_t left = c->rows - first,
                      most = random_in(&c->random, 0, 1) == 0 ? random_in(&c->random, 1, 32) : 32;
        count = left < most ? left : most;
        struct class_lanes lanes = {
            .region = k, .count = count, .row = row, .label = c->label, .class_row = class_row};
        load_labels(c, k, c->row + first, count);
        for (int32_t lane = 0; lane < count; lane++) {
            const int32_t class = c->row[first + lane] - c->a->rows[k].sources;
            row[lane] = c->row[first + lane];
            if (class >= 0 && !is_faulty(k, LACKS_ROW))
                class_row[lane] = c->a->region[k].class_row + (int64_t) class * r->start;
        }
        if (is_faulty(k, TAKES_TOO_MANY)) {
            row[CLASS_LANES] = row[0];
            lanes.count = CLASS_LANES + 1;
        }
        if (is_faulty(k, TAKES_UNKNOWN))
            row[count - 1] = answer_rows(c->a, k);
        if (is_faulty(k, TAKES_BELOW))
            row[0] = -1;
        class_proof_take(&c->proof, &lanes, &c->referee, &c->prover);
    }
}

static void place(struct caller *c) {
    for (int32_t k = 0; k < c->a->cut->count; k++) {
        int32_t first = c->a->rows[k].first_source, count = c->a->rows[k].sources;
        if (is_faulty(k, PLACES_BEYOND))
            count = c->a->count + c->a->more - first + 1;
        if (is_faulty(k, PLACES_BELOW))
            first = -1;
        if (is_faulty(k, PLACES_FEWER))
            count = -1;
        if (is_faulty(k, PLACES_ANOTHER))
            first = first > 0 && random_in(&c->random, 0, 1) == 0 ? first - 1 : first + 1;
        if (is_faulty(k, PLACES_NONE))
            count = 0;
        class_proof_place(&c->proof, k, first, count);
    }
}

static bool enter(struct caller *c, int32_t k) {
    const int32_t classes = c->a->rows[k].classes;
    return class_proof_enter(&c->proof, k,
                             !is_faulty(k, MAKES_CLASSES) ? classes
                             : k == AROUND                ? classes + 1
                                                          : -1);
}

/* Leaves only rows of classes in the list. */
static void list_classes(struct caller *c, int32_t k) {
    int32_t classes = 0;
    for (int32_t row = 0; row < c->rows; row++) {
        if (c->row[row] >= c->a->rows[k].sources)
            c->row[classes++] = c->row[row];
    }
    c->rows = classes;
}

/* Enters a region and takes its rows. */
static bool take_region(struct caller *c, int32_t k) {
    const struct class_layout *const r = &c->a->cut->layout[k];
    const bool is_entered = r->parent >= 0 && is_faulty(r->parent, TAKES_LATE);
    list_rows(c, k);
    if (is_faulty(k, TAKES_EARLY))
        take_rows(c, k);
    if (!is_entered && !enter(c, k))
        return false;
    for (int32_t inside = 0; inside < r->children && is_faulty(k, TAKES_LATE); inside++) {
        if (!enter(c, r->first_child + inside))
            return false;
    }
    if (is_faulty(k, ENTERS_TWICE) && !enter(c, k))
        return false;
    if (is_faulty(k, ENTERS_AGAIN)) {
        take_rows(c, k);
        class_proof_leave(&c->proof, k);
        if (!enter(c, k))
            return false;
    }
    if (is_faulty(k, PLACES_LATE))
        class_proof_place(&c->proof, k, c->a->rows[k].first_source, c->a->rows[k].sources);
    if (is_faulty(k, TAKES_CLASSES))
        list_classes(c, k);
    for (int times = k == c->a->unreferred; times < 1 + (k == c->a->taken_twice); times++)
        take_rows(c, k);
    return true;
}

/* Goes through the regions from the outermost to those inside. */
static bool descend(struct caller *c) {
    bool is_done = fault.what != ENTERS_EARLY || take_region(c, fault.region);
    for (int32_t k = 0; k < c->a->cut->count && is_done; k++)
        is_done = is_faulty(k, ENTERS_EARLY) || take_region(c, k);
    return is_done;
}

static void ascend(struct caller *c) {
    for (int32_t k = c->a->cut->count - 1; k >= 0; k--) {
        const struct class_layout *const r = &c->a->cut->layout[k];
        const int32_t rows = answer_rows(c->a, k), middle = random_in(&c->random, 0, rows);
        if (is_faulty(k, ADDS_LATE))
            class_proof_leave(&c->proof, r->first_child);
        for (int times = k == c->a->unadded; times < 1 + (k == c->a->added_twice); times++) {
            class_proof_add(&c->proof, k, is_faulty(k, ADDS_BELOW) ? -1 : 0, middle, &c->referee,
                            &c->prover);
            class_proof_add(&c->proof, k, middle, rows + is_faulty(k, ADDS_UNKNOWN), &c->referee,
                            &c->prover);
        }
    }
}

static enum status run(struct caller *c, bool *proved, struct error *err) {
    const int32_t sources = c->a->count + c->a->more;
    *proved = false;
    if (sources < 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(class_proof_begin(&c->proof, c->a->source, sources, err));
    place(c);
    if (!descend(c))
        return fail(err, STATUS_NO_RESOURCE, "no rows");
    ascend(c);
    *proved = class_proof_end(&c->proof);
    memcpy(c->a->total, c->proof.total,
           sizeof *c->a->total * (size_t)(sources < c->a->count ? sources : c->a->count));
    return STATUS_OK;
}

static enum status prove(const struct graph *g, struct answer *a, bool *is_ready, bool *proved,
                         struct error *err) {
    const struct cut *const cut = a->cut;
    struct caller c = {.a = a, .random = {81}};
    enum status status;
    *is_ready = *proved = false;
    answer_reset(a);
    c.referee = (struct class_referee){.context = &c, .refers = refers, .number = number};
    c.local = new_cells(cut->numbers);
    c.label = must_have(aligned_alloc(64, sizeof *c.label * CLASS_LANES * (size_t)(cut->n + 1)));
    c.row = new_cells(2 * cut->n);
    number_labels(&c);
    status =
        class_proof_open(&c.proof, g, cut->layout, cut->count, cut->vertex, c.local, isa, 2, err);
    *is_ready = status == STATUS_OK && c.proof.is_ready;
    if (*is_ready && !class_prover_alloc(&c.prover, &c.proof))
        status = fail(err, STATUS_NO_RESOURCE, "no prover");
    for (int times = 0; times < 2 && *is_ready && status == STATUS_OK; times++) {
        status = run(&c, proved, err);
        if (times == 0) /* nothing of this matters when it begins anew */
            class_proof_place(&c.proof, 0, -1, 0);
    }
    class_prover_free(&c.prover);
    class_proof_close(&c.proof);
    CU_ASSERT(c.prover.row == NULL && c.proof.rows == NULL && !c.proof.is_ready);
    free(c.local);
    free(c.label);
    free(c.row);
    return status;
}

/* It reads labels in place of rows of portals, and the referee can refer to no other rows than
 * those there are. */
static bool knows(enum corruption what) {
    return what != PORTAL_CELL && what != OUT_OF_RANGE;
}

static const struct class_proving on_cpu = {.prove = prove, .knows = knows, .vary = vary};

static void test_right(void) {
    proving_right(&on_cpu);
}

static void test_distances(void) {
    proving_distances(&on_cpu);
}

static void test_edges(void) {
    proving_edges(&on_cpu);
}

static void test_corrupted(void) {
    proving_corrupted(&on_cpu);
}

static void test_large(void) {
    proving_large(&on_cpu);
}

static void test_large_sums(void) {
    proving_large_sums(&on_cpu);
}

static void test_out_of_range(void) {
    proving_out_of_range(&on_cpu);
}

static void test_edge_of_range(void) {
    proving_edge_of_range(&on_cpu);
}

static void test_far_class(void) {
    proving_far_class(&on_cpu);
}

static void test_steps(void) {
    proving_steps(&on_cpu);
}

/* Returns whether a fault can be made with a region. */
static bool is_possible(const struct answer *a, enum fault what, int32_t k) {
    const struct class_layout *const r = &a->cut->layout[k];
    const struct class_rows *const rows = &a->rows[k];
    if (answer_rows(a, k) == 0)
        return false;
    switch (what) {
    case TAKES_LATE:
    case ADDS_UNKNOWN:
    case ADDS_BELOW:
    case ADDS_LATE:
        return r->children > 0;
    case ENTERS_EARLY:
        return r->parent >= 0;
    case NAMES_ANOTHER:
        return rows->classes > 1;
    case LACKS_ROW:
    case NAMES_BELOW:
    case NAMES_UNKNOWN:
        return rows->classes > 0;
    case TAKES_CLASSES:
    case PLACES_ANOTHER:
    case PLACES_NONE:
        return rows->sources > 0;
    default:
        return true;
    }
}

/* Whatever a caller does wrong is noticed, and leads nowhere. */
static void test_faults(void) {
    enum { CASES = 12 };
    struct random random = {82};
    int tried[FAULTS] = {0};
    for (int round = 0; round < CASES; round++) {
        struct shape shape = plain_shape;
        struct case_of t;
        struct error err = {0};
        bool is_ready, proved;
        shape.sources = round % 2 == 0 ? 100 : 40;
        if (round % 3 == 0) /* nothing of LEFT's own is missed if its rows are not taken */
            shape.size[GROUP_LEFT_PORTALS] = shape.size[GROUP_LEFT_OTHERS] = 0;
        case_begin(&t, &random, &shape);
        for (int what = NOTHING; what < FAULTS; what++) {
            for (int32_t k = 0; k < t.cut.count; k++) {
                if (!is_possible(&t.a, (enum fault)what, k))
                    continue;
                vary(round + what);
                fault.what = (enum fault)what;
                fault.region = k;
                CU_ASSERT_EQUAL(prove(&t.g, &t.a, &is_ready, &proved, &err), STATUS_OK);
                CU_ASSERT_EQUAL(proved, what == NOTHING);
                tried[what]++;
            }
        }
        fault.what = NOTHING;
        case_end(&t);
    }
    for (int what = 0; what < FAULTS; what++)
        CU_ASSERT(tried[what] >= CASES);
}

/* The only label of each region, or two, of a source. */
static void take_one(struct class_proof *proof, int32_t region, int32_t own, int32_t boundary,
                     const struct class_referee *referee, struct class_prover *prover) {
    static const int32_t row[] = {0};
    static const int32_t *const class_row[] = {NULL};
    _Alignas(64) int32_t label[2 * CLASS_LANES] = {own};
    const struct class_lanes lanes = {
        .region = region, .count = 1, .row = row, .label = label, .class_row = class_row};
    label[CLASS_LANES] = boundary;
    class_proof_take(proof, &lanes, referee, prover);
}

static const int32_t *refers_to_none(const void *context, int32_t inside, int32_t row,
                                     int32_t *constant) {
    (void)context, (void)inside, (void)row;
    *constant = 0;
    return NULL;
}

/* A source that is said to lie in another region than it does reaches nothing, not even itself: its
 * row has no tight edge that could be wrong. */
static void test_elsewhere(void) {
    static const struct class_referee referee = {.refers = refers_to_none};
    static const int32_t source[] = {1};
    int32_t at[3], vertex[SMALL_NUMBERS], local[SMALL_NUMBERS] = {0};
    const struct cut c = small_cut(at, vertex);
    struct graph g = graph_of(3, NULL, 0);
    struct class_proof proof;
    struct class_prover prover;
    struct error err = {0};
    local[c.layout[LEFT].first] = local[c.layout[RIGHT].first] = 1;
    CU_ASSERT_EQUAL_FATAL(
        class_proof_open(&proof, &g, c.layout, c.count, c.vertex, local, isa_best(), 2, &err),
        STATUS_OK);
    CU_ASSERT_FATAL(proof.is_ready && class_prover_alloc(&prover, &proof));
    for (int32_t in = LEFT; in <= RIGHT; in++) {
        CU_ASSERT_EQUAL_FATAL(class_proof_begin(&proof, source, 1, &err), STATUS_OK);
        class_proof_place(&proof, AROUND, 0, 1);
        class_proof_place(&proof, LEFT, 0, in == LEFT);
        class_proof_place(&proof, RIGHT, 0, in == RIGHT);
        CU_ASSERT_FATAL(class_proof_enter(&proof, AROUND, 0));
        take_one(&proof, AROUND, INF, INF, &referee, &prover);
        CU_ASSERT_FATAL(class_proof_enter(&proof, LEFT, 0) && class_proof_enter(&proof, RIGHT, 0));
        take_one(&proof, in, in == LEFT ? 0 : INF, INF, &referee, &prover);
        class_proof_add(&proof, AROUND, 0, 1, &referee, &prover);
        CU_ASSERT_EQUAL(class_proof_end(&proof), in == LEFT);
    }
    class_prover_free(&prover);
    class_proof_close(&proof);
    graph_free(&g);
}

/* A region cannot have sources that the region around has not, nor the outermost one other ones
 * than all. */
static void test_nesting(void) {
    static const struct {
        int32_t region, first, count;
        bool may_be;
    } places[] = {{INSIDE, 0, 1, false}, {INSIDE, 1, 1, true},  {INSIDE, 2, 1, false},
                  {INSIDE, 0, 2, false}, {INSIDE, 1, 2, false}, {INSIDE, 0, 0, true},
                  {INSIDE, 2, 0, true},  {AROUND, 0, 2, false}, {AROUND, 1, 2, false},
                  {AROUND, 0, 3, true}};
    struct random random = {84};
    struct case_of t;
    struct class_proof proof;
    struct error err = {0};
    case_begin(&t, &random, &plain_shape);
    int32_t *const local = new_cells(t.cut.numbers);
    CU_ASSERT_EQUAL_FATAL(class_proof_open(&proof, &t.g, t.cut.layout, t.cut.count, t.cut.vertex,
                                           local, isa_best(), 2, &err),
                          STATUS_OK);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        CU_ASSERT_EQUAL_FATAL(class_proof_begin(&proof, t.a.source, 3, &err), STATUS_OK);
        class_proof_place(&proof, AROUND, 0, 3);
        class_proof_place(&proof, LEFT, 1, 1);
        class_proof_place(&proof, places[k].region, places[k].first, places[k].count);
        CU_ASSERT(class_proof_enter(&proof, AROUND, 0) && class_proof_enter(&proof, LEFT, 0));
        CU_ASSERT(class_proof_enter(&proof, INSIDE, 0));
        CU_ASSERT_EQUAL(proof.wrong == 0, places[k].may_be);
    }
    class_proof_close(&proof);
    free(local);
    case_end(&t);
}

/* Sources must be vertices. */
static void test_sources(void) {
    static const int32_t wrong[] = {-1, 3, INT_MAX, INT_MIN};
    int32_t at[3], vertex[SMALL_NUMBERS], local[SMALL_NUMBERS] = {0};
    const struct cut c = small_cut(at, vertex);
    struct graph g = small_graph();
    struct class_proof proof;
    struct error err = {0};
    CU_ASSERT_EQUAL_FATAL(
        class_proof_open(&proof, &g, c.layout, c.count, c.vertex, local, isa_best(), 2, &err),
        STATUS_OK);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const int32_t source[] = {0, wrong[k], 1};
        CU_ASSERT_EQUAL(class_proof_begin(&proof, source, 3, &err), STATUS_OK);
        CU_ASSERT(proof.wrong != 0);
        CU_ASSERT_EQUAL(class_proof_begin(&proof, source + 2, 1, &err), STATUS_OK);
        CU_ASSERT(proof.wrong == 0);
    }
    class_proof_close(&proof);
    graph_free(&g);
}

/* The rows of a path's classes: 1 is the only class of each region. */
static const int32_t at_boundary[] = {0};

static const int32_t *refers_to_class(const void *context, int32_t inside, int32_t row,
                                      int32_t *constant) {
    (void)context, (void)row;
    *constant = inside == 1 ? 0 : 3; /* 0 is at 0, and 1 at 3 */
    return at_boundary;
}

static int32_t number_of_class(const void *context, int32_t inside, int32_t row) {
    (void)context, (void)inside, (void)row;
    return 0;
}

/* A path from 0 in the outermost region over 1 in the next to 2 in the innermost: no edge leads
 * outwards, so that nothing but the total of 0 lacks if a region's rows have not been added. */
static void test_unadded(void) {
    enum { NUMBERS = 20, DEPTHS = 3 };
    static const int32_t vertex[NUMBERS] = {0,  -1, -1, -1, 0,  -1, -1, -1, 1,  -1,
                                            -1, -1, 1,  -1, -1, -1, 2,  -1, -1, -1};
    static const int32_t local[NUMBERS] = {[4] = 1, [12] = 1};
    static const struct class_layout layout[DEPTHS] = {
        {.own = 1, .portals = 1, .parent = -1, .first_child = 1, .children = 1},
        {.own = 1,
         .width = 1,
         .start = 4,
         .portals = 5,
         .first_child = 2,
         .children = 1,
         .first = 4},
        {.own = 1, .width = 1, .start = 4, .parent = 1, .first_child = 3, .first = 12}};
    static const struct class_referee referee = {.refers = refers_to_class,
                                                 .number = number_of_class};
    static const int32_t *const class_row[] = {at_boundary};
    static const int32_t row[] = {0}, source[] = {0}, own[] = {0, 3, 4};
    struct graph g = graph_of(3, (struct edge[]){{0, 1, 3}, {1, 2, 4}}, 2);
    struct class_proof proof;
    struct class_prover prover;
    struct error err = {0};
    CU_ASSERT_EQUAL_FATAL(
        class_proof_open(&proof, &g, layout, DEPTHS, vertex, local, isa_best(), 2, &err),
        STATUS_OK);
    CU_ASSERT_FATAL(proof.is_ready && class_prover_alloc(&prover, &proof));
    for (int unadded = 0; unadded < DEPTHS; unadded++) {
        CU_ASSERT_EQUAL_FATAL(class_proof_begin(&proof, source, 1, &err), STATUS_OK);
        class_proof_place(&proof, 0, 0, 1);
        for (int32_t k = 0; k < DEPTHS; k++) {
            _Alignas(64) int32_t label[2 * CLASS_LANES] = {own[k]};
            const struct class_lanes lanes = {
                .region = k, .count = 1, .row = row, .label = label, .class_row = class_row};
            CU_ASSERT_FATAL(class_proof_enter(&proof, k, k > 0));
            class_proof_take(&proof, &lanes, &referee, &prover);
        }
        for (int32_t k = DEPTHS - 2; k >= 0; k--) {
            if (k != unadded)
                class_proof_add(&proof, k, 0, 1, &referee, &prover);
        }
        const bool all = unadded == DEPTHS - 1; /* the innermost region has nothing to add */
        CU_ASSERT_EQUAL(class_proof_end(&proof), all);
        CU_ASSERT(!all || (proof.total[0].sum == 3 + 7 && proof.total[0].reached == 3));
    }
    class_prover_free(&prover);
    class_proof_close(&proof);
    graph_free(&g);
}

/* A proof is not ready if labels are said to be where there are none. */
static void test_places(void) {
    struct random random = {83};
    struct case_of t;
    struct error err = {0};
    case_begin(&t, &random, &plain_shape);
    int32_t *const local = new_cells(t.cut.numbers);
    for (int32_t k = 0; k < t.cut.count; k++) {
        const struct class_layout *const r = &t.cut.layout[k];
        const int32_t all = r->own + r->width, wrong[] = {-1, all, INT_MAX, INT_MIN};
        const int32_t last[] = {r->start, r->start + r->own - 1};
        for (int at = 0; at < 2 && r->own > 0; at++) {
            int32_t *const changed = &local[r->first + last[at]];
            for (int way = 0; way < 5; way++) {
                struct class_proof proof;
                *changed = way < 4 ? wrong[way] : all - 1;
                CU_ASSERT_EQUAL(class_proof_open(&proof, &t.g, t.cut.layout, t.cut.count,
                                                 t.cut.vertex, local, ISA_PORTABLE, 2, &err),
                                STATUS_OK);
                CU_ASSERT_EQUAL(proof.is_ready, way == 4);
                class_proof_close(&proof);
            }
            *changed = 0;
        }
    }
    free(local);
    case_end(&t);
}

CU_TestInfo class_proof_tests[] = {
    {"right answers are proved", test_right},
    {"wrong distances", test_distances},
    {"answers of graphs with an edge more or less", test_edges},
    {"wrong rows, references and labels", test_corrupted},
    {"large regions", test_large},
    {"sums beyond 32 bits", test_large_sums},
    {"distances out of range", test_out_of_range},
    {"distances at the edge of the range", test_edge_of_range},
    {"a class out of range", test_far_class},
    {"steps that are missing, or twice", test_steps},
    {"callers that do something wrong", test_faults},
    {"a source elsewhere", test_elsewhere},
    {"sources that the region around has not", test_nesting},
    {"sources that are no vertices", test_sources},
    {"rows inside that have not been added", test_unadded},
    {"places of labels that there are not", test_places},
    CU_TEST_INFO_NULL,
};
