// SPDX-License-Identifier: MIT
#include "tests/unit/support.h"

#include "certificate/certificate.h" // certify_or_refute
#include "common/base/isa.h"         // isa_name, isa_is_supported
#include "engines/cpu_variants.h"    // cpu_solver
#include "solve/solve.h"             // solve

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t random_word(struct random *random) {
    uint64_t x = random->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

int32_t random_in(struct random *random, int32_t lowest, int32_t highest) {
    uint64_t range = (uint64_t)((int64_t)highest - lowest + 1);
    return (int32_t)(lowest + (int64_t)(random_word(random) % range));
}

static void *must(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "out of memory in a test\n");
        abort();
    }
    return memory;
}

static void must_succeed(enum status status, const struct error *err) {
    if (status != STATUS_OK) {
        fprintf(stderr, "a test's preparation failed: %s\n", err->text);
        abort();
    }
}

struct graph graph_of(int32_t n, const struct edge *edges, int64_t count) {
    struct graph g;
    struct error err;
    const size_t bytes = sizeof *edges * (size_t)count;
    struct edge *own = must(malloc(bytes + 1));
    if (count > 0)
        memcpy(own, edges, bytes);
    must_succeed(graph_build(&g, n, own, count, &err), &err);
    free(own);
    return g;
}

struct graph random_graph(struct random *random, int32_t n, int percent, enum weights weights) {
    struct edge *edges = must(malloc(sizeof *edges * (size_t)n * (size_t)n + 1));
    int32_t *potential = must(malloc(sizeof *potential * (size_t)n));
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++)
        potential[v] = random_in(random, 0, 20);
    for (int32_t u = 0; u < n; u++) {
        for (int32_t v = 0; v < n; v++) {
            if (u == v || random_in(random, 1, 100) > percent)
                continue;
            int32_t weight = 0;
            switch (weights) {
            case WEIGHTS_POSITIVE:
                weight = random_in(random, 1, 100);
                break;
            case WEIGHTS_ZERO:
                weight = random_in(random, 0, 2);
                break;
            case WEIGHTS_NEGATIVE:
                weight = random_in(random, 0, 20) + potential[u] - potential[v];
                break;
            case WEIGHTS_LARGE:
            default:
                weight = random_in(random, 0, 1 << 20);
                break;
            }
            edges[count++] = (struct edge){u, v, weight};
        }
    }
    struct graph g = graph_of(n, edges, count);
    free(edges);
    free(potential);
    return g;
}

bool reference_distances(const struct graph *g, int64_t **distances) {
    const size_t n = (size_t)g->n;
    int64_t *d = must(malloc(sizeof *d * n * n));
    for (size_t c = 0; c < n * n; c++)
        d[c] = INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        d[i * n + i] = 0;
        for (int64_t e = g->first[i]; e < g->first[i + 1]; e++) {
            int64_t *cell = &d[i * n + (size_t)g->head[e]];
            if (g->weight[e] < *cell)
                *cell = g->weight[e];
        }
    }
    *distances = NULL;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n && d[i * n + k] != INT64_MAX; j++) {
                int64_t to_k = d[i * n + k], from_k = d[k * n + j];
                if (from_k != INT64_MAX && to_k + from_k < d[i * n + j])
                    d[i * n + j] = to_k + from_k;
            }
            if (d[i * n + i] < 0) {
                free(d);
                return false;
            }
        }
    }
    *distances = d;
    return true;
}

bool equals_reference(const struct matrix *dist, const int64_t *distances) {
    for (int32_t i = 0; i < dist->n; i++) {
        for (int32_t j = 0; j < dist->n; j++) {
            int64_t expected = distances[(size_t)i * (size_t)dist->n + (size_t)j];
            if (matrix_row(dist, i)[j] != (expected == INT64_MAX ? INF : expected))
                return false;
        }
    }
    return true;
}

void matrix_task_begin(struct matrix_task *t, const struct graph *g,
                       const struct solver_options *options, struct matrix *dist,
                       struct matrix *pred) {
    struct error err;
    matrix_sink_begin(&t->sink, dist, pred);
    t->delivery = (struct delivery){.graph = g,
                                    .sources = {NULL, g->n},
                                    .limit = NO_LIMIT,
                                    .with_pred = pred != NULL,
                                    .sink = &t->sink.sink,
                                    .ready_made = g->min_weight < 0};
    t->task = (struct solver_task){.graph = g,
                                   .delivery = &t->delivery,
                                   .predecessors = pred != NULL,
                                   .limit = NO_LIMIT,
                                   .repetitions = 1,
                                   .options = options};
    CU_ASSERT_EQUAL_FATAL(delivery_open(&t->delivery, 1, &err), STATUS_OK);
}

void matrix_task_end(struct matrix_task *t) {
    delivery_close(&t->delivery);
}

void solve_reference(const struct graph *g, struct matrix *dist, struct matrix *pred) {
    static const struct solver_options options = {.threads = 1};
    const bool is_small = g->n <= 128;
    struct timing timing;
    struct error err;
    *dist = new_matrix(g->n);
    *pred = new_matrix(g->n);
    must_succeed(solve(solver_find(&cpu_solver, is_small ? "sequential" : "johnson"), g, &options,
                       dist, pred, NULL, 1, &timing, &err),
                 &err);
}

enum status certify(const struct graph *g, const struct matrix *dist, const struct matrix *pred,
                    int threads, struct error *err) {
    return certify_or_refute(g, dist, pred, threads, NULL, NULL, err);
}

struct matrix new_matrix(int32_t n) {
    struct matrix m;
    struct error err;
    must_succeed(matrix_alloc(&m, n, "a test", &err), &err);
    return m;
}

struct matrix copy_matrix(const struct matrix *m) {
    struct matrix copy = new_matrix(m->n);
    for (int32_t i = 0; i < m->n; i++)
        memcpy(matrix_row(&copy, i), matrix_row(m, i), sizeof(int32_t) * (size_t)m->n);
    return copy;
}

bool same_matrix(const struct matrix *a, const struct matrix *b) {
    if (a->n != b->n || a->rows != b->rows)
        return false;
    for (int32_t i = 0; i < a->rows; i++) {
        if (memcmp(matrix_row(a, i), matrix_row(b, i), sizeof(int32_t) * (size_t)a->n) != 0)
            return false;
    }
    return true;
}

static char directory[40];
static int files_made;

bool stop_after(void *context, int64_t done, int64_t total) {
    int *const left = context;
    CU_ASSERT(done >= 0 && done <= total);
    return (*left)-- > 0;
}

void on_every_isa(void (*check)(void)) {
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        if (!isa_is_supported((enum isa)isa))
            continue;
        setenv("APSP_SIMD", isa_name((enum isa)isa), 1);
        check();
    }
    unsetenv("APSP_SIMD");
}

void temporary_start(void) {
    static const char name[] = "apsp-tests-XXXXXX";
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || snprintf(directory, sizeof directory, "%s/%s", parent, name) >=
                              (int)sizeof directory) /* tests have room for short paths only */
        snprintf(directory, sizeof directory, "/tmp/%s", name);
    must(mkdtemp(directory));
    setenv("XDG_CONFIG_HOME", NOWHERE, 1);
}

const char *temporary_path(void) {
    enum { PATHS = 8 };
    static char paths[PATHS][64];
    char *path = paths[files_made % PATHS];
    snprintf(path, sizeof paths[0], "%s/%d", directory, files_made++);
    return path;
}

const char *temporary_file(const void *content, size_t size) {
    const char *path = temporary_path();
    FILE *file = must(fopen(path, "wb"));
    fwrite(content, 1, size, file);
    fclose(file);
    return path;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void temporary_finish(void) {
    enum { DESCRIPTORS = 8 };
    nftw(directory, remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

struct graph random_streets(struct random *random, int32_t side, int32_t lowest, int32_t highest,
                            bool is_directed) {
    struct edge *const edges = must(malloc(4 * (size_t)side * (size_t)side * sizeof *edges));
    int64_t count = 0;
    for (int32_t v = 0; v < side * side; v++) {
        const int32_t next[] = {v % side + 1 < side ? v + 1 : -1,
                                v / side + 1 < side ? v + side : -1};
        for (int way = 0; way < 2; way++) {
            const int32_t weight = random_in(random, lowest, highest);
            if (next[way] < 0 || random_in(random, 0, 5) == 0)
                continue;
            edges[count++] = (struct edge){v, next[way], weight};
            if (!is_directed || random_in(random, 0, 9) > 0)
                edges[count++] = (struct edge){
                    next[way], v, is_directed ? random_in(random, lowest, highest) : weight};
        }
    }
    struct graph g = graph_of(side * side, edges, count);
    free(edges);
    return g;
}
