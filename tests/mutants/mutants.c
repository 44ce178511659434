// SPDX-License-Identifier: MIT
#include "tests/mutants/mutants.h"

#include "certificate/certificate.h" // certify_rows
#include "tests/unit/support.h"      // random_graph, reference_distances

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_EDGE INT64_MAX

struct answer {
    struct matrix dist, pred;
};

/* A graph, its answer, and what solvers leave that go wrong. */
struct subject {
    struct random random;
    struct graph g;
    int64_t *weight_into;     /* [v][u], n * n: of the edge u -> v, or NO_EDGE */
    double limit;             /* of the answers, or NO_LIMIT */
    struct answer unlimited;  /* exact without the limit */
    struct answer right;      /* exact */
    struct answer tied;       /* exact, other paths if there are several */
    struct answer unfinished; /* after some steps of Floyd-Warshall, perhaps none */
    struct answer stale;      /* to another graph, with the same limit */
    /* The mutant in hand: */
    struct answer mutant;
    int32_t amount, down, right_by; /* meaning depends on the content */
};

static int64_t *weight_of(const struct subject *s, int32_t u, int32_t v) {
    return &s->weight_into[(size_t)v * (size_t)s->g.n + (size_t)u];
}

static int32_t any_vertex(struct subject *s) {
    return random_in(&s->random, 0, s->g.n - 1);
}

static void *memory(size_t count, size_t size) {
    void *block = malloc(count * size);
    if (block == NULL) {
        fprintf(stderr, "out of memory for mutants\n");
        abort();
    }
    return block;
}

/* Answers ------------------------------------------------------------------- */

static struct answer new_answer(int32_t n) {
    return (struct answer){new_matrix(n), new_matrix(n)};
}

static void free_answer(struct answer *answer) {
    matrix_free(&answer->dist);
    matrix_free(&answer->pred);
}

/* Predecessors of row i: a tree over tight edges, grown from i vertex by vertex, in
 * random order, so that no cycle can close. */
static void grow_tree(struct random *random, const struct graph *g, const struct answer *answer,
                      int32_t i, int32_t *frontier) {
    const int32_t *dist = matrix_row(&answer->dist, i);
    int32_t *pred = matrix_row(&answer->pred, i);
    int32_t waiting = 1;
    frontier[0] = i;
    for (int32_t v = 0; v < g->n; v++)
        pred[v] = -1;
    while (waiting > 0) {
        const int32_t at = random_in(random, 0, waiting - 1), u = frontier[at];
        frontier[at] = frontier[--waiting];
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const int32_t v = g->head[e];
            if (v != i && pred[v] == -1 && dist[v] == (int64_t)dist[u] + g->weight[e]) {
                pred[v] = u;
                frontier[waiting++] = v;
            }
        }
    }
}

/* The exact answer, by the tests' reference and not by a solver. */
static struct answer exact_answer(struct random *random, const struct graph *g) {
    struct answer answer = new_answer(g->n);
    int32_t *frontier = memory((size_t)g->n, sizeof *frontier);
    int64_t *distances = NULL;
    if (!reference_distances(g, &distances))
        abort(); /* random graphs have no negative cycles */
    for (int32_t i = 0; i < g->n; i++) {
        for (int32_t j = 0; j < g->n; j++) {
            const int64_t d = distances[(size_t)i * (size_t)g->n + (size_t)j];
            matrix_row(&answer.dist, i)[j] = d == INT64_MAX ? INF : (int32_t)d;
        }
        grow_tree(random, g, &answer, i, frontier);
    }
    free(distances);
    free(frontier);
    return answer;
}

/* Leaves out what is beyond the limit. */
static void cut_off(struct answer *answer, double limit) {
    for (int32_t i = 0; i < answer->dist.n; i++) {
        for (int32_t j = 0; j < answer->dist.n; j++) {
            if (matrix_row(&answer->dist, i)[j] > limit) {
                matrix_row(&answer->dist, i)[j] = INF;
                matrix_row(&answer->pred, i)[j] = -1;
            }
        }
    }
}

/* A distance of the answer, or one that is near if the cell at random has none. */
static int32_t some_limit(struct subject *s) {
    const int32_t d = matrix_row(&s->unlimited.dist, any_vertex(s))[any_vertex(s)];
    return d == INF || d == 0 ? random_in(&s->random, 0, 50) : d;
}

/* The same distances along other paths. */
static struct answer tied_answer(struct random *random, const struct graph *g,
                                 const struct answer *right) {
    struct answer answer = {copy_matrix(&right->dist), new_matrix(g->n)};
    int32_t *frontier = memory((size_t)g->n, sizeof *frontier);
    for (int32_t i = 0; i < g->n; i++)
        grow_tree(random, g, &answer, i, frontier);
    free(frontier);
    return answer;
}

/* Floyd-Warshall that stops early. */
static struct answer unfinished_answer(const struct subject *s, int32_t steps) {
    const int32_t n = s->g.n;
    struct answer answer = new_answer(n);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            const int64_t weight = *weight_of(s, i, j);
            const bool edge = i != j && weight != NO_EDGE;
            matrix_row(&answer.dist, i)[j] = i == j ? 0 : edge ? (int32_t)weight : INF;
            matrix_row(&answer.pred, i)[j] = edge ? i : -1;
        }
    }
    for (int32_t k = 0; k < steps; k++) {
        for (int32_t i = 0; i < n; i++) {
            const int32_t to_k = matrix_row(&answer.dist, i)[k];
            for (int32_t j = 0; j < n && to_k != INF; j++) {
                const int32_t from_k = matrix_row(&answer.dist, k)[j];
                if (from_k != INF && to_k + from_k < matrix_row(&answer.dist, i)[j]) {
                    matrix_row(&answer.dist, i)[j] = to_k + from_k;
                    matrix_row(&answer.pred, i)[j] = matrix_row(&answer.pred, k)[j];
                }
            }
        }
    }
    return answer;
}

/* Two graphs of three are large; sizes, densities and kinds of weights all meet. */
static void prepare(struct subject *s, uint64_t seed, int64_t number) {
    static const int percents[] = {1, 3, 10, 30};
    memset(s, 0, sizeof *s);
    s->random.state = seed + (uint64_t)number * UINT64_C(0x2545f4914f6cdd1d);
    const enum weights weights = (enum weights)(number % WEIGHT_KINDS);
    const int percent = percents[number / WEIGHT_KINDS % 4];
    const int32_t n = number % 3 == 0 ? random_in(&s->random, 2, MUTANTS_LARGE_ORDER - 1)
                                      : random_in(&s->random, MUTANTS_LARGE_ORDER, 200);
    s->g = random_graph(&s->random, n, percent, weights);
    s->weight_into = memory((size_t)n * (size_t)n, sizeof *s->weight_into);
    for (int32_t u = 0; u < n; u++) {
        for (int32_t v = 0; v < n; v++)
            *weight_of(s, u, v) = NO_EDGE;
        for (int64_t e = s->g.first[u]; e < s->g.first[u + 1]; e++)
            *weight_of(s, u, s->g.head[e]) = s->g.weight[e];
    }
    s->unlimited = exact_answer(&s->random, &s->g);
    s->right = (struct answer){copy_matrix(&s->unlimited.dist), copy_matrix(&s->unlimited.pred)};
    s->limit = number % 5 > 2 && s->g.min_weight >= 0 ? some_limit(s) : NO_LIMIT;
    cut_off(&s->right, s->limit);
    s->tied = tied_answer(&s->random, &s->g, &s->right);
    s->unfinished = unfinished_answer(s, number % 4 == 0 ? 0 : random_in(&s->random, 1, n - 1));
    struct graph other = random_graph(&s->random, n, percent, weights);
    s->stale = exact_answer(&s->random, &other);
    cut_off(&s->stale, s->limit);
    graph_free(&other);
    s->mutant = (struct answer){copy_matrix(&s->right.dist), copy_matrix(&s->right.pred)};
}

static void release(struct subject *s) {
    graph_free(&s->g);
    free(s->weight_into);
    free_answer(&s->unlimited);
    free_answer(&s->right);
    free_answer(&s->tied);
    free_answer(&s->unfinished);
    free_answer(&s->stale);
    free_answer(&s->mutant);
}

/* Contents: what stands in a corrupted cell ---------------------------------- */

struct entry {
    int32_t dist, pred;
};

static struct entry entry_of(const struct answer *answer, int32_t i, int32_t j) {
    return (struct entry){matrix_row(&answer->dist, i)[j], matrix_row(&answer->pred, i)[j]};
}

static struct entry a_little_off(struct subject *s, int32_t i, int32_t j) {
    struct entry entry = entry_of(&s->right, i, j);
    entry.dist += entry.dist == INF ? 0 : s->amount % 4;
    return entry;
}

static struct entry far_off(struct subject *s, int32_t i, int32_t j) {
    return (struct entry){s->amount, entry_of(&s->right, i, j).pred};
}

static struct entry unreachable(struct subject *s, int32_t i, int32_t j) {
    (void)s, (void)i, (void)j;
    return (struct entry){INF, -1};
}

static struct entry reachable(struct subject *s, int32_t i, int32_t j) {
    const struct entry entry = entry_of(&s->right, i, j);
    return entry.dist != INF ? entry : (struct entry){random_in(&s->random, 0, 200), any_vertex(s)};
}

static struct entry never_written(struct subject *s, int32_t i, int32_t j) {
    static const int32_t garbage[] = {0, -1, 0x5a5a5a5a, INT32_MIN, INT32_MAX, -INF, INF + 1};
    (void)i, (void)j;
    const int32_t value = garbage[s->down % (int32_t)(sizeof garbage / sizeof *garbage)];
    return (struct entry){value, value};
}

static struct entry unfinished(struct subject *s, int32_t i, int32_t j) {
    return entry_of(&s->unfinished, i, j);
}

static struct entry stale(struct subject *s, int32_t i, int32_t j) {
    return entry_of(&s->stale, i, j);
}

static struct entry row_below(struct subject *s, int32_t i, int32_t j) {
    return entry_of(&s->right, (i + 1) % s->g.n, j);
}

static struct entry column_beside(struct subject *s, int32_t i, int32_t j) {
    return entry_of(&s->right, i, (j + 1) % s->g.n);
}

static struct entry from_elsewhere(struct subject *s, int32_t i, int32_t j) {
    return entry_of(&s->right, (i + s->down) % s->g.n, (j + s->right_by) % s->g.n);
}

static struct entry transposed(struct subject *s, int32_t i, int32_t j) {
    return entry_of(&s->right, j, i);
}

/* The tail of an edge into j from a vertex that i reaches, a tight edge if so wished:
 * the first after a random vertex. -1 if there is none. */
static int32_t some_edge_into(struct subject *s, int32_t i, int32_t j, bool tight) {
    const int32_t *dist = matrix_row(&s->right.dist, i);
    const int32_t start = any_vertex(s);
    for (int32_t k = 0; k < s->g.n; k++) {
        const int32_t u = start + k < s->g.n ? start + k : start + k - s->g.n;
        const int64_t weight = *weight_of(s, u, j);
        if (weight != NO_EDGE && dist[u] != INF && (!tight || dist[u] + weight == dist[j]))
            return u;
    }
    return -1;
}

/* The end of a path that exists but need not be the shortest: what a checker misses
 * that only adds up weights along predecessors. */
static struct entry detour(struct subject *s, int32_t i, int32_t j) {
    const int32_t u = i == j ? -1 : some_edge_into(s, i, j, false);
    if (u < 0)
        return entry_of(&s->right, i, j);
    return (struct entry){(int32_t)(matrix_row(&s->right.dist, i)[u] + *weight_of(s, u, j)), u};
}

static struct entry any_predecessor(struct subject *s, int32_t i, int32_t j) {
    return (struct entry){entry_of(&s->right, i, j).dist, any_vertex(s)};
}

static struct entry neighbour(struct subject *s, int32_t i, int32_t j) {
    struct entry entry = entry_of(&s->right, i, j);
    if (entry.pred != -1)
        entry.pred = some_edge_into(s, i, j, false);
    return entry;
}

/* Right everywhere but for cycles: over edges of weight zero, tight predecessors may
 * lead back to where they came from. */
static struct entry tight_neighbour(struct subject *s, int32_t i, int32_t j) {
    struct entry entry = entry_of(&s->right, i, j);
    if (entry.pred != -1)
        entry.pred = some_edge_into(s, i, j, true);
    return entry;
}

/* As it is without the limit. */
static struct entry unlimited(struct subject *s, int32_t i, int32_t j) {
    return entry_of(&s->unlimited, i, j);
}

/* Cut off one too early or too late. */
static struct entry of_another_limit(struct subject *s, int32_t i, int32_t j) {
    const struct entry entry = entry_of(&s->unlimited, i, j);
    const double limit = s->limit + (s->limit == NO_LIMIT ? 0 : s->amount % 2 == 0 ? -1 : 1);
    return entry.dist <= limit ? entry : (struct entry){INF, -1};
}

static struct entry tied(struct subject *s, int32_t i, int32_t j) {
    return entry_of(&s->tied, i, j);
}

static const struct {
    const char *name;
    struct entry (*entry)(struct subject *s, int32_t i, int32_t j);
} contents[MUTANT_CONTENTS] = {
    {"distance a little off", a_little_off},
    {"distance far off", far_off},
    {"given as unreachable", unreachable},
    {"given as reachable", reachable},
    {"never written", never_written},
    {"unfinished, or the input", unfinished},
    {"answer to another graph", stale},
    {"the row below", row_below},
    {"the column beside", column_beside},
    {"from elsewhere", from_elsewhere},
    {"transposed", transposed},
    {"length of a detour", detour},
    {"predecessor at random", any_predecessor},
    {"predecessor a neighbour", neighbour},
    {"predecessor a tight neighbour", tight_neighbour},
    {"another shortest path", tied},
    {"beyond the limit", unlimited},
    {"of another limit", of_another_limit},
};

/* Shapes: which cells are corrupted ------------------------------------------ */

/* Rows top .. bottom - 1 of columns left .. end - 1. */
struct region {
    int32_t top, bottom, left, end;
};

static int32_t at_most(int32_t value, int32_t limit) {
    return value < limit ? value : limit;
}

static struct region one_cell(struct subject *s) {
    const int32_t i = any_vertex(s), j = any_vertex(s);
    return (struct region){i, i + 1, j, j + 1};
}

static struct region row(struct subject *s) {
    const int32_t i = any_vertex(s);
    return (struct region){i, i + 1, 0, s->g.n};
}

static struct region column(struct subject *s) {
    const int32_t j = any_vertex(s);
    return (struct region){0, s->g.n, j, j + 1};
}

/* A tile of some size that kernels use; the last ones are cut off by the matrix. */
static struct region tile(struct subject *s) {
    static const int32_t sides[] = {4, 8, 16, 25, 32, 64, 96, 128};
    const int32_t side = sides[random_in(&s->random, 0, 7)];
    const int32_t top = any_vertex(s) / side * side, left = any_vertex(s) / side * side;
    return (struct region){top, at_most(top + side, s->g.n), left, at_most(left + side, s->g.n)};
}

static struct region row_panel(struct subject *s) {
    struct region region = tile(s);
    region.left = 0;
    region.end = s->g.n;
    return region;
}

static struct region column_panel(struct subject *s) {
    struct region region = tile(s);
    region.top = 0;
    region.bottom = s->g.n;
    return region;
}

static struct region whole(struct subject *s) {
    return (struct region){0, s->g.n, 0, s->g.n};
}

static const struct {
    const char *name;
    struct region (*region)(struct subject *s);
} shapes[MUTANT_SHAPES] = {
    {"cell", one_cell},          {"row", row},
    {"column", column},          {"tile", tile},
    {"row of tiles", row_panel}, {"column of tiles", column_panel},
    {"whole matrix", whole},
};

/* The truth about a mutant ---------------------------------------------------- */

enum truth { RIGHT, WRONG_DISTANCE, WRONG_EDGE, CYCLE };

static bool is_last_edge(const struct subject *s, const int32_t *dist, int32_t p, int32_t j) {
    if (p < 0 || p >= s->g.n)
        return false;
    const int64_t weight = *weight_of(s, p, j);
    return weight != NO_EDGE && dist[p] != INF && dist[p] + weight == dist[j];
}

/* Step by step back from j: true if i comes within n steps. */
static bool reaches_source(const struct subject *s, const int32_t *pred, int32_t i, int32_t j) {
    int32_t steps = 0;
    while (j != i && steps++ < s->g.n)
        j = pred[j];
    return j == i;
}

/* By comparison with the exact distances, then cell by cell: shares no code and no idea
 * with the certificate. */
static enum truth truth_of(const struct subject *s) {
    const int32_t n = s->g.n;
    if (!same_matrix(&s->mutant.dist, &s->right.dist))
        return WRONG_DISTANCE;
    for (int32_t i = 0; i < n; i++) {
        const int32_t *dist = matrix_row(&s->mutant.dist, i);
        const int32_t *pred = matrix_row(&s->mutant.pred, i);
        for (int32_t j = 0; j < n; j++) {
            const bool none = i == j || dist[j] == INF;
            if (none ? pred[j] != -1 : !is_last_edge(s, dist, pred[j], j))
                return WRONG_EDGE;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            if (matrix_row(&s->mutant.dist, i)[j] != INF &&
                !reaches_source(s, matrix_row(&s->mutant.pred, i), i, j))
                return CYCLE;
        }
    }
    return RIGHT;
}

/* Judgement -------------------------------------------------------------------- */

/* Corrupts the mutant there: distances, predecessors or both. */
static void corrupt(struct subject *s, int content, const struct region *region) {
    const int parts = random_in(&s->random, 1, 3);
    s->amount = random_in(&s->random, -1000, 1000000);
    s->down = any_vertex(s);
    s->right_by = any_vertex(s);
    for (int32_t i = region->top; i < region->bottom; i++) {
        for (int32_t j = region->left; j < region->end; j++) {
            const struct entry entry = contents[content].entry(s, i, j);
            if (parts & 1)
                matrix_row(&s->mutant.dist, i)[j] = entry.dist;
            if (parts & 2)
                matrix_row(&s->mutant.pred, i)[j] = entry.pred;
        }
    }
}

static void restore(struct subject *s, const struct region *region) {
    const size_t size = sizeof(int32_t) * (size_t)(region->end - region->left);
    for (int32_t i = region->top; i < region->bottom; i++) {
        memcpy(matrix_row(&s->mutant.dist, i) + region->left,
               matrix_row(&s->right.dist, i) + region->left, size);
        memcpy(matrix_row(&s->mutant.pred, i) + region->left,
               matrix_row(&s->right.pred, i) + region->left, size);
    }
}

enum status mutants_certify(const struct graph *g, double limit, const struct matrix *dist,
                            const struct matrix *pred, int threads, struct error *err) {
    const struct row_sources all = {NULL, g->n};
    struct refutation refutation;
    return certify_rows(g, &all, limit, dist, pred, threads, NULL, &refutation, err);
}

/* Counts the verdict of a judge on the mutant, with and without predecessors, against the truth;
 * counts is all zeros before. */
static void judge(const struct subject *s, mutant_judge *prove, int threads,
                  struct mutant_counts *counts, struct error *err) {
    const enum truth truth = truth_of(s);
    struct error unused;
    const enum status verdict =
        prove(&s->g, s->limit, &s->mutant.dist, &s->mutant.pred, threads, err);
    const enum status without_pred =
        prove(&s->g, s->limit, &s->mutant.dist, NULL, threads, &unused);
    counts->tried = 1;
    counts->escaped = (truth != RIGHT && verdict != STATUS_REFUTED) ||
                      (truth == WRONG_DISTANCE && without_pred != STATUS_REFUTED);
    counts->slandered = (truth == RIGHT && verdict != STATUS_OK) ||
                        (truth != WRONG_DISTANCE && without_pred != STATUS_OK);
    if (counts->escaped || counts->slandered)
        return;
    counts->unchanged = truth == RIGHT && same_matrix(&s->mutant.pred, &s->right.pred);
    counts->accepted = truth == RIGHT && !counts->unchanged;
    counts->refuted_distance = truth == WRONG_DISTANCE;
    counts->refuted_edge = truth == WRONG_EDGE;
    counts->refuted_cycle = truth == CYCLE;
}

static void add(struct mutant_counts *sum, const struct mutant_counts *counts) {
    sum->tried += counts->tried;
    sum->unchanged += counts->unchanged;
    sum->accepted += counts->accepted;
    sum->refuted_distance += counts->refuted_distance;
    sum->refuted_edge += counts->refuted_edge;
    sum->refuted_cycle += counts->refuted_cycle;
    sum->escaped += counts->escaped;
    sum->slandered += counts->slandered;
}

static bool has_weight_zero(const struct graph *g) {
    for (int64_t e = 0; e < g->m; e++) {
        if (g->weight[e] == 0)
            return true;
    }
    return false;
}

void mutants_judge(uint64_t seed, int64_t count, mutant_judge *prove,
                   struct mutant_report *report) {
    enum { MUTANTS_OF_A_GRAPH = 2 * MUTANT_CONTENTS * MUTANT_SHAPES };
    memset(report, 0, sizeof *report);
    for (int64_t number = 0; report->all.tried < count; number++) {
        struct subject s;
        prepare(&s, seed, number);
        const bool with_zeros = has_weight_zero(&s.g);
        for (int m = 0; m < MUTANTS_OF_A_GRAPH && report->all.tried < count; m++) {
            const int content = m % MUTANT_CONTENTS, shape = m / MUTANT_CONTENTS % MUTANT_SHAPES;
            const struct region region = shapes[shape].region(&s);
            struct mutant_counts counts = {0};
            struct error err = {0};
            corrupt(&s, content, &region);
            judge(&s, prove, number % 32 == 1 ? 2 : 1, &counts, &err);
            if (counts.escaped + counts.slandered > 0)
                printf("\n    seed %" PRIu64 ", graph %" PRId64 ", n = %d, mutant %d (%s, %s at "
                       "(%d, %d)): %s %s\n",
                       seed, number, s.g.n, m, contents[content].name, shapes[shape].name,
                       region.top, region.left, counts.escaped ? "escaped" : "refuted wrongly",
                       err.text);
            restore(&s, &region);
            add(&report->by_content[content], &counts);
            add(&report->by_shape[shape], &counts);
            add(&report->all, &counts);
            if (s.g.n >= MUTANTS_LARGE_ORDER)
                add(&report->large, &counts);
            if (with_zeros)
                add(&report->with_zeros, &counts);
            if (s.limit < NO_LIMIT)
                add(&report->with_limit, &counts);
        }
        report->graphs++;
        release(&s);
    }
}

bool mutants_all_right(const struct mutant_report *report) {
    const struct mutant_counts *all = &report->all;
    bool every_kind = all->accepted > 0 && all->refuted_distance > 0 && all->refuted_edge > 0 &&
                      all->refuted_cycle > 0 && 2 * report->large.tried >= all->tried &&
                      report->with_zeros.tried > 0 && report->with_zeros.tried < all->tried &&
                      report->with_limit.tried > 0 && report->with_limit.tried < all->tried;
    for (int c = 0; c < MUTANT_CONTENTS; c++)
        every_kind = every_kind && report->by_content[c].tried > 0;
    for (int s = 0; s < MUTANT_SHAPES; s++)
        every_kind = every_kind && report->by_shape[s].accepted > 0;
    return every_kind && all->escaped == 0 && all->slandered == 0;
}

static void print_counts(const char *name, const struct mutant_counts *counts, FILE *to) {
    const int64_t columns[] = {
        counts->tried,        counts->unchanged,     counts->accepted, counts->refuted_distance,
        counts->refuted_edge, counts->refuted_cycle, counts->escaped,  counts->slandered};
    fprintf(to, "%-30s", name);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        fprintf(to, " %9" PRId64, columns[c]);
    fputc('\n', to);
}

void mutants_print(const struct mutant_report *report, FILE *to) {
    fprintf(to, "%-30s %9s %9s %9s %9s %9s %9s %9s %9s\n", "", "mutants", "unchanged", "as good",
            "distance", "edge", "cycle", "escaped", "slandered");
    for (int c = 0; c < MUTANT_CONTENTS; c++)
        print_counts(contents[c].name, &report->by_content[c], to);
    fputc('\n', to);
    for (int s = 0; s < MUTANT_SHAPES; s++)
        print_counts(shapes[s].name, &report->by_shape[s], to);
    fputc('\n', to);
    print_counts("n >= 128", &report->large, to);
    print_counts("some weight is 0", &report->with_zeros, to);
    print_counts("with a limit", &report->with_limit, to);
    print_counts("all", &report->all, to);
    const struct mutant_counts *all = &report->all;
    const int64_t misjudged = all->escaped + all->slandered;
    fprintf(to,
            "%" PRId64 " mutants of the answers to %" PRId64 " graphs: %" PRId64
            " unchanged, %" PRId64 " as good, %" PRId64 " wrong; %" PRId64 " judged wrongly\n",
            all->tried, report->graphs, all->unchanged, all->accepted,
            all->tried - all->unchanged - all->accepted - all->slandered, misjudged);
}
