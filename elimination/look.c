// SPDX-License-Identifier: MIT
#include "elimination/look.h"

#include "common/base/block_sizes.h"    // block_sizes
#include "common/base/chunks.h"         // threads_paid
#include "common/base/clock.h"          // clock_seconds
#include "common/base/memory.h"         // memory_alloc
#include "elimination/cluster_order.h"  // cluster_order_find
#include "elimination/minimum_degree.h" // minimum_degree_begin
#include "elimination/order.h"          // order_left

#include <math.h>
#include <pthread.h>
#include <string.h>

/* Nanoseconds that steps take, as measured on one thread of the machine that core_costs were
 * measured on. */
static const double pattern_ns = 12, /* finding the pattern, for each edge */
    start_ns = 10,                   /* one unit of work of minimum_degree.h */
    order_ns = 80,                   /* ordering by order.h, for each entry of the pattern */
    order_most_ns = 400,             /* ordering by order.h, for each entry of the pattern of a
                                        graph without small separators, the slowest kind */
    cluster_ns = 300, /* ordering by cluster_order.h, for each entry of the pattern */
    tree_ns = 130,    /* building the tree, for each vertex */
    structure_ns = 120, entry_ns = 10; /* finding structure and schedule, for each vertex and for
                                          each entry */

/* Most neighbours of vertices that the start of the order eliminates where the graph does not fall
 * into clusters; fill is as little then as with the whole order by order.h. */
enum { START = 4 };

/* Largest share of the time that the graph takes in any case which a look may cost without success,
 * unless it is near one. */
static const double max_share = 0.03;

/* Largest share of the time of the best other way which an elimination may take until its core is
 * small enough. */
static const double most_share = 0.15;

/* Search for a graph's levels, beside the start of the order or when they are wanted. */
struct depth_search {
    const struct pattern *p;
    int32_t levels; /* number of levels, as in struct elimination_features, once `done` */
    double width;   /* mean number of vertices on a level, once `done` */
    pthread_t thread;
    bool runs; /* the thread has begun, and nobody has waited for it */
    bool done; /* the search has ended, with `status` and, if that is a failure, `err` */
    enum status status;
    struct error err;
};

struct looking {
    const struct pattern *pattern;
    const struct core_costs *costs;
    const struct look_limits *limits;
    int threads;
    struct minimum_degree *start;
    int32_t *vertex;
    int32_t known;          /* the order is right for cuts at up to this number of neighbours */
    struct order_runs runs; /* runs of the order */
    void *runs_memory;      /* memory of the arrays of `runs` */
    double spent_ns;
    struct depth_search levels;
    bool gives_up; /* no elimination pays, so the order and the tree are not wanted */
    struct elimination_features *found;
};

/* Returns the number of threads, so that each has enough to do. Steps are short, and one thread
 * that waits for a core holds up all others at the end of each step. So with many threads, a
 * quarter of the cores is left to other work of the process, such as creating a GPU's context. */
static int threads_for(int threads, int32_t n, int64_t m) {
    enum { MANY = 8 };
    const int fewer = threads < MANY ? threads : threads - threads / 4;
    return threads_paid(fewer, n + m, block_sizes.thread_pattern);
}

/* Runs a breadth-first search from `source` in the pattern; returns the number of levels. queue[0
 * .. *count - 1]: the vertices reached, the farthest last. */
static int32_t search(const struct pattern *p, int32_t source, int32_t *level, int32_t *queue,
                      int32_t *count) {
    *count = 1;
    queue[0] = source;
    level[source] = 0;
    for (int32_t next = 0; next < *count; next++) {
        const int32_t v = queue[next];
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            const int32_t to = p->neighbour[e];
            if (level[to] >= 0)
                continue;
            level[to] = level[v] + 1;
            queue[(*count)++] = to;
        }
    }
    return level[queue[*count - 1]] + 1;
}

/* Estimates the depth of the largest component that contains one of a few vertices, in levels, and
 * the average number of vertices of a level. */
static enum status find_levels(struct depth_search *l, struct error *err) {
    enum { SOURCES = 4 };
    const struct pattern *const p = l->p;
    void *memory;
    int32_t largest = 0;
    RETURN_ON_FAILURE(
        memory_alloc(&memory, (size_t)p->n, 2 * sizeof(int32_t), "a look at the graph", err));
    int32_t *const level = memory, *const queue = level + p->n;
    for (int32_t v = 0; v < p->n; v++)
        level[v] = -1;
    for (int32_t s = 0; s < SOURCES && largest <= p->n / 2; s++) {
        const int32_t source = (int32_t)((int64_t)p->n * s / SOURCES);
        int32_t count;
        search(p, source, level, queue, &count);
        const int32_t farthest = queue[count - 1];
        for (int32_t k = 0; k < count; k++)
            level[queue[k]] = -1;
        const int32_t levels = search(p, farthest, level, queue, &count);
        if (count > largest) {
            largest = count;
            l->levels = levels;
            l->width = (double)count / levels;
        }
    }
    memory_free(memory);
    return STATUS_OK;
}

static void *find_levels_beside(void *argument) {
    struct depth_search *const levels = argument;
    levels->status = find_levels(levels, &levels->err);
    return NULL;
}

/* Begins the search for levels in a thread of its own, if the look may use more than one. */
static void begin_levels(struct looking *l) {
    struct depth_search *const levels = &l->levels;
    levels->p = l->pattern;
    levels->runs =
        l->threads > 1 && pthread_create(&levels->thread, NULL, find_levels_beside, levels) == 0;
}

/* Waits for the search for levels, or searches here, and stores the levels in l->found. */
static enum status wait_for_levels(struct looking *l, struct error *err) {
    struct depth_search *const levels = &l->levels;
    if (levels->runs)
        pthread_join(levels->thread, NULL);
    else if (!levels->done)
        find_levels_beside(levels);
    levels->runs = false;
    levels->done = true;
    l->found->levels = levels->levels;
    l->found->width = levels->width;
    if (levels->status != STATUS_OK)
        *err = levels->err;
    return levels->status;
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double rows_of(const struct looking *l) {
    return l->costs->rows > 0 ? l->costs->rows : l->pattern->n;
}

/* Returns the predicted seconds of the whole solution if the vertices that are left become the
 * core; HUGE_VAL if there may be none. */
static double with_core(const struct looking *l) {
    const struct core_costs *c = l->costs;
    if (c->core == 0)
        return HUGE_VAL;
    const double n = l->pattern->n, core = n - minimum_degree_eliminated(l->start);
    const double entries = (double)minimum_degree_entries(l->start);
    const double ns = rows_of(l) * (entries * c->sweep + (n - core) * c->vertex) +
                      core * core * lesser(c->pair, core * c->closure);
    return 1e-9 * l->limits->slowness * ns;
}

/* Returns the predicted seconds if all vertices are eliminated. On a surface the fill grows with
 * the number of vertices and with the square of the separator's size; an expander has nearly all
 * fill that there can be. */
static double without_core(const struct looking *l) {
    const double each = 20, separator = 8;
    const struct core_costs *c = l->costs;
    const double n = l->pattern->n, rest = n - minimum_degree_eliminated(l->start);
    const double width = l->found->width;
    const double more = lesser(rest * rest / 2, each * rest + separator * width * width);
    const double entries = (double)minimum_degree_entries(l->start) + more;
    return 1e-9 * l->limits->slowness * rows_of(l) * (entries * c->sweep + n * c->vertex);
}

/* Orders the vertices that the start has left. */
static enum status order_rest(struct looking *l, struct error *err) {
    int64_t entries;
    RETURN_ON_FAILURE(
        order_left(l->start, l->vertex + minimum_degree_eliminated(l->start), &entries, err));
    l->spent_ns += order_ns * (double)entries;
    l->known = l->pattern->n;
    return STATUS_OK;
}

static void add_layer(struct order_runs *runs) {
    runs->layer[runs->layers + 1] = runs->layer[runs->layers];
    runs->layers++;
}

/* Adds the run that ends at `end` to the last layer, unless it is empty. */
static void add_run(struct order_runs *runs, int32_t end) {
    int32_t *const count = &runs->layer[runs->layers];
    if (end == runs->first[*count])
        return;
    runs->first[++*count] = end;
}

/* Notes the runs of the order in layers: the blocks that began it; `clusters` clusters, of which
 * cluster c has the positions cluster[c] .. cluster[c + 1] - 1 after the blocks; and one run of the
 * rest. */
static enum status find_runs(struct looking *l, const int32_t *cluster, int32_t clusters,
                             struct error *err) {
    enum { LAYERS = 3 };
    struct order_runs *const runs = &l->runs;
    const int32_t *block;
    const int32_t blocks = minimum_degree_blocks(l->start, &block);
    const size_t most = (size_t)blocks + (size_t)clusters + 1;
    RETURN_ON_FAILURE(
        memory_alloc(&l->runs_memory, most + 1 + LAYERS + 1, sizeof(int32_t), "the order", err));
    runs->layer = l->runs_memory;
    runs->first = runs->layer + LAYERS + 1;
    runs->layer[0] = runs->first[0] = 0;
    add_layer(runs);
    for (int32_t b = 1; b <= blocks; b++)
        add_run(runs, block[b]);
    const int32_t after = runs->first[runs->layer[runs->layers]];
    add_layer(runs);
    for (int32_t c = 1; c <= clusters; c++)
        add_run(runs, after + cluster[c]);
    add_layer(runs);
    add_run(runs, l->pattern->n);
    return STATUS_OK;
}

/* Orders the vertices that the start has left by clusters. *clusters: number of clusters; 0: the
 * graph does not fall into clusters, and the order is unchanged. */
static enum status order_by_clusters(struct looking *l, int32_t *clusters, struct error *err) {
    struct pattern rest = {0};
    int32_t *first = NULL;
    void *memory = NULL;
    enum status status;
    TRY(minimum_degree_rest(l->start, &rest, err));
    TRY(memory_alloc(&memory, (size_t)rest.n, sizeof(int32_t), "the order", err));
    int32_t *const order = memory, *const left = l->vertex + (l->pattern->n - rest.n);
    TRY(cluster_order_find(&rest, l->threads, order, clusters, &first, err));
    if (*clusters == 0)
        goto cleanup;
    minimum_degree_order(l->start, l->vertex);
#pragma omp parallel for num_threads(l->threads) schedule(static)
    for (int32_t k = 0; k < rest.n; k++)
        order[k] = left[order[k]];
    memcpy(left, order, (size_t)rest.n * sizeof *left);
    l->spent_ns += start_ns * (double)minimum_degree_work(l->start) +
                   cluster_ns * (double)rest.first[rest.n] / l->threads;
    l->known = l->pattern->n;
    TRY(find_runs(l, first, *clusters, err));

cleanup:
    memory_free(first);
    memory_free(memory);
    pattern_free(&rest);
    return status;
}

/* Returns the seconds of the fastest way without a whole order, as far as the first steps tell. */
static double least_otherwise(const struct looking *l) {
    return lesser(l->limits->other_s, with_core(l));
}

/* Returns whether the whole order is found, whatever it is worth. */
static bool is_asked_for(const struct looking *l) {
    return l->costs == NULL || isinf(l->limits->other_s);
}

/* Returns whether the order of the vertices that are left takes next to none of the time that the
 * graph takes in any case. */
static bool order_takes_nothing(const struct looking *l) {
    const double entries = (double)minimum_degree_rest_entries(l->start);
    return 1e-9 * order_most_ns * entries < max_share * least_otherwise(l);
}

/* Returns the predicted seconds with an order of all vertices, that of the order included. The
 * levels are known. */
static double with_order(const struct looking *l) {
    const double entries = (double)minimum_degree_rest_entries(l->start);
    return without_core(l) + 1e-9 * order_ns * entries;
}

/* Stores in *orders whether an order of all vertices is to be found: it is asked for, it takes next
 * to no time, or it is predicted to pay. That prediction needs the levels. */
static enum status choose_order(struct looking *l, bool *orders, struct error *err) {
    *orders = is_asked_for(l) || order_takes_nothing(l);
    if (*orders)
        return STATUS_OK;
    RETURN_ON_FAILURE(wait_for_levels(l, err));
    *orders = with_order(l) < least_otherwise(l);
    return STATUS_OK;
}

/* Stores in *pays whether the order of all vertices is to be the one by clusters, which many
 * threads find sooner, but which leaves more work: the best other way takes several times as long,
 * so that the order is wanted in any case, or it is wanted quickly. */
static enum status choose_clusters(struct looking *l, bool *pays, struct error *err) {
    const double sure = 4;
    RETURN_ON_FAILURE(choose_order(l, pays, err));
    if (!*pays || is_asked_for(l) || l->limits->quick)
        return STATUS_OK;
    RETURN_ON_FAILURE(wait_for_levels(l, err));
    *pays = sure * with_order(l) < least_otherwise(l);
    return STATUS_OK;
}

/* Returns whether no elimination will pay, because few vertices have few neighbours, and because an
 * order of all vertices is far from paying although its time is rather overestimated. */
static bool is_hopeless(const struct looking *l, double least) {
    enum { FEW = 32, FAR = 16 }; /* few: 1 / FEW of the vertices; far: FAR times as long */
    return minimum_degree_eliminated(l->start) < l->pattern->n / FEW &&
           without_core(l) > FAR * least;
}

/* Eliminates vertices with few neighbours. */
static enum status start_order(struct looking *l, struct error *err) {
    enum status status = STATUS_OK;
    RETURN_ON_FAILURE(minimum_degree_begin(l->pattern, l->threads, &l->start, err));
#pragma omp parallel num_threads(l->threads)
#pragma omp single
    status =
        minimum_degree_start(l->start, MINIMUM_DEGREE_BLOCK_MOST, block_sizes.order_vertices, err);
    return status;
}

/* Progress of the first step [0] and the last step [1] of an elimination that leaves a core. */
struct core_steps {
    double step_s;     /* predicted seconds of each step */
    double fewer[2];   /* number of vertices that the step eliminated */
    double saved_s[2]; /* predicted seconds of the solution that the step saved */
    int count;         /* number of steps so far */
};

/* Returns the mean ratio of a step's progress to that of the step before, over `count` >= 2 steps,
 * of which the first made done[0] and the last made done[1]. */
static double ratio_of(const double done[2], int count) {
    return pow(done[1] / done[0], 1.0 / (count - 1));
}

/* Returns the number of further steps that make `missing` more, if their progress goes on falling
 * as over the `count` steps so far (ratio_of); HUGE_VAL: they never come so far. doubt: factor >= 1
 * by which chance may have lowered the progress of the last step. */
static double steps_for(double missing, const double done[2], int count, double doubt) {
    if (missing <= 0)
        return 0;
    if (!(done[0] > 0 && done[1] > 0))
        return HUGE_VAL;
    const double likely[2] = {done[0], doubt * done[1]}, ratio = ratio_of(likely, count);
    if (ratio >= 1)
        return missing / done[1];
    const double left = 1 - missing * (1 - ratio) / (done[1] * ratio);
    return left > 0 ? log(left) / log(ratio) : HUGE_VAL;
}

/* Returns whether another step is expected to pay: it saves more than it takes, or a few such steps
 * make the core small enough. */
static bool step_pays(const struct looking *l, const struct core_steps *s) {
    const double worth = 2; /* seconds that a step is to save for each second that it takes, because
                               predictions of both are rough */
    const double core = l->pattern->n - minimum_degree_eliminated(l->start);
    const double too_many = core - l->costs->core, too_long = with_core(l) - l->limits->other_s;
    if (s->count < 2)
        return true;
    /* 1 and the relative standard error of the ratio of two counts of vertices */
    const double doubt = 1 + sqrt(1 / s->fewer[0] + 1 / s->fewer[1]);
    const double steps = fmax(steps_for(too_many, s->fewer, s->count, doubt),
                              steps_for(too_long, s->saved_s, s->count, doubt));
    if (steps > 0)
        return (s->count + steps) * s->step_s < most_share * l->limits->other_s;
    return s->saved_s[1] * ratio_of(s->saved_s, s->count) > worth * s->step_s;
}

/* Eliminates vertices with few neighbours, in steps of the same predicted time, for as long as they
 * pay. The first two together take a small share of the `least` seconds that the graph takes in any
 * case. */
static enum status eliminate_few(struct looking *l, double least, struct error *err) {
    struct core_steps s = {.step_s = max_share / 2 * least};
    double limit = (double)minimum_degree_work(l->start);
    while (step_pays(l, &s)) {
        const double before_s = with_core(l);
        const int32_t before = minimum_degree_eliminated(l->start);
        limit = lesser(limit + 1e9 * s.step_s / start_ns, 1e18);
        RETURN_ON_FAILURE(minimum_degree_go_on(l->start, MINIMUM_DEGREE_MOST, (int64_t)limit, err));
        const int last = s.count++ > 0;
        s.fewer[last] = minimum_degree_eliminated(l->start) - before;
        s.saved_s[last] = before_s - with_core(l);
    }
    return STATUS_OK;
}

static enum status find_order(struct looking *l, struct error *err) {
    const int32_t n = l->pattern->n;
    int32_t clusters = 0;
    bool pays = false, orders;
    if (!is_asked_for(l))
        begin_levels(l);
    RETURN_ON_FAILURE(start_order(l, err));
    if (cluster_order_can_pay(n - minimum_degree_eliminated(l->start)))
        RETURN_ON_FAILURE(choose_clusters(l, &pays, err));
    if (pays)
        RETURN_ON_FAILURE(order_by_clusters(l, &clusters, err));
    if (clusters > 0)
        return STATUS_OK;
    RETURN_ON_FAILURE(minimum_degree_go_on(l->start, START, INT64_MAX, err));
    RETURN_ON_FAILURE(choose_order(l, &orders, err));
    if (!orders && minimum_degree_eliminated(l->start) < n) {
        const double least = least_otherwise(l);
        l->gives_up = is_hopeless(l, least);
        if (l->gives_up)
            return STATUS_OK;
        RETURN_ON_FAILURE(eliminate_few(l, least, err));
    }
    minimum_degree_order(l->start, l->vertex);
    l->spent_ns += start_ns * (double)minimum_degree_work(l->start);
    l->known = minimum_degree_eliminated(l->start) == n ? n : minimum_degree_reached(l->start) + 1;
    if (orders && l->known < n)
        RETURN_ON_FAILURE(order_rest(l, err));
    return find_runs(l, NULL, 0, err);
}

/* The trees that a look keeps: none that is right, the one that is cut, or both. */
enum kept_trees { KEPT_NOTHING, KEPT_CUT, KEPT_WHOLE };

/* Cuts the tree of an order that is right for cuts at up to `known` neighbours, and finds out
 * whether the elimination pays. Stores the number of entries of the fringe. KEPT_WHOLE: keeps a
 * copy of the uncut tree, which takes less memory than choosing the cut. */
static enum status cut_tree(struct look *look, const struct core_costs *costs, int32_t known,
                            enum kept_trees kept, int threads, int64_t *entries,
                            struct error *err) {
    const int32_t n = look->tree.n;
    struct tree_choice cut = {.most = n, .fringe = n, .entries = look->tree.entries};
    if (costs != NULL)
        RETURN_ON_FAILURE(tree_choose_cut(&look->tree, costs, known, threads, &cut, err));
    look->pays = cut.most >= 0;
    look->found.pays = look->pays;
    look->found.core = look->pays ? n - cut.fringe : n;
    look->found.shared_s = 1e-9 * cut.ns;
    *entries = look->pays ? cut.entries : look->tree.entries;
    if (kept == KEPT_NOTHING || !look->pays || cut.most == n)
        return STATUS_OK;
    if (kept == KEPT_WHOLE)
        RETURN_ON_FAILURE(tree_copy(&look->tree, threads, &look->whole, err));
    return tree_cut(&look->tree, cut.most, err);
}

/* Builds the tree of the order, cuts it, and notes its features in `found`. */
static enum status find_tree(struct looking *l, struct look *look, struct error *err) {
    const int32_t n = l->pattern->n;
    RETURN_ON_FAILURE(tree_build(l->pattern, l->vertex, &l->runs, l->threads, &look->tree, err));
    l->spent_ns += tree_ns * n;
    if (l->known == n) {
        look->found.fill = (double)look->tree.entries / n;
        look->found.height = look->tree.height;
    }
    const enum kept_trees kept = l->limits->only_features ? KEPT_NOTHING
                                 : l->known == n          ? KEPT_WHOLE
                                                          : KEPT_CUT;
    int64_t entries;
    RETURN_ON_FAILURE(cut_tree(look, l->costs, l->known, kept, l->threads, &entries, err));
    look->found.once_s = 1e-9 * (l->spent_ns + structure_ns * n + entry_ns * (double)entries);
    return STATUS_OK;
}

bool look_is_whole(const struct look *look) {
    return look->found.fill > 0;
}

const struct tree *look_tree(const struct look *look) {
    return look->whole.n > 0 ? &look->whole : &look->tree;
}

enum status look_again(const struct look *other, const struct core_costs *costs, int threads,
                       struct look *look, struct error *err) {
    const double start = clock_seconds();
    int64_t entries;
    enum status status;
    *look = (struct look){.found = other->found};
    TRY(tree_copy(look_tree(other), threads, &look->tree, err));
    status = cut_tree(look, costs, look->tree.n, KEPT_CUT, threads, &entries, err);

cleanup:
    look->seconds = clock_seconds() - start;
    if (status != STATUS_OK)
        look_free(look);
    return status;
}

enum status look_at(const struct graph *g, const struct core_costs *costs,
                    const struct look_limits *limits, struct look *look, struct error *err) {
    struct looking l = {.pattern = &look->pattern,
                        .costs = costs,
                        .limits = limits,
                        .threads = threads_for(limits->threads, g->n, g->m)};
    void *vertex = NULL;
    const double start = clock_seconds();
    enum status status = STATUS_OK;
    *look = (struct look){.found = {.known = true, .core = g->n}};
    l.found = &look->found;
    l.spent_ns = pattern_ns * (double)g->m;
    if (!order_is_available() || (costs != NULL && !order_can_pay(g->n, g->m)))
        return STATUS_OK;
    TRY(pattern_find(g, limits->threads, &look->pattern, err));
    if (costs != NULL && !order_can_pay(g->n, look->pattern.first[g->n]))
        goto cleanup;
    TRY(memory_alloc(&vertex, (size_t)g->n, sizeof(int32_t), "the order", err));
    l.vertex = vertex;
    TRY(find_order(&l, err));
    if (!l.gives_up)
        TRY(find_tree(&l, look, err));
    if (!is_asked_for(&l))
        TRY(wait_for_levels(&l, err));

cleanup:
    if (l.levels.runs)
        pthread_join(l.levels.thread, NULL);
    look->seconds = clock_seconds() - start;
    minimum_degree_free(l.start);
    memory_free(l.runs_memory);
    memory_free(vertex);
    if (status != STATUS_OK)
        look_free(look);
    return status;
}

uint64_t look_memory(int32_t n, int64_t m) {
    const int64_t both_ways = m < INT64_MAX / 2 ? 2 * m : INT64_MAX;
    const uint64_t start = minimum_degree_memory(n, both_ways), order = order_memory(n, both_ways);
    const uint64_t clusters = cluster_order_memory(n, both_ways);
    const uint64_t trees = memory_add(pattern_memory(n, m), tree_memory(n));
    return memory_add(trees, memory_add(start, order > clusters ? order : clusters)) +
           3 * (uint64_t)n * sizeof(int32_t);
}

void look_free(struct look *look) {
    pattern_free(&look->pattern);
    tree_free(&look->tree);
    tree_free(&look->whole);
    look->pays = false;
}
