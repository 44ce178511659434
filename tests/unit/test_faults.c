// SPDX-License-Identifier: MIT
/* Every allocation of loading, solving, writing, reading back and proving fails in
 * turn. Each time it must be STATUS_NO_RESOURCE with a reason, or the right answer
 * without that memory; nothing may be left behind, neither files nor (the leak
 * sanitizer sees to it) memory. The linker has allocations of the library come here
 * first (--wrap). */
#include "certificate/certificate.h" // certify
#include "certificate/proving_sink.h"
#include "classes/proportional.h"  // proportional_totals
#include "common/graph/graph_io.h" // graph_read_as
#include "common/rows/column_sink.h"
#include "common/rows/npz_sink.h"
#include "common/rows/result_io.h"
#include "dissection/cpu.h"               // dissection_solve
#include "elimination/look.h"             // look_at
#include "elimination/order.h"            // order_is_available
#include "engines/cpu_auto.h"             // cpu_others
#include "engines/cpu_variants.h"         // cpu_solver
#include "flows/by_elimination.h"         // betweenness_by_elimination
#include "flows/gpu/gpu_flows.h"          // gpu_flows
#include "flows/gpu/gpu_search_kernels.h" // FLOW_SOURCES
#include "flows/source_rows.h"            // source_rows_levels
#include "graphgen/generate.h"
#include "index/index.h" // index_build
#include "libapsp/apsp.h"
#include "measures/compare.h"
#include "measures/write.h"
#include "solve/scaling.h"         // scaling_find
#include "solve/solve.h"           // solve
#include "tests/unit/eliminated.h" // struct eliminated
#include "tests/unit/support.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef APSP_BZIP2
#include <bzlib.h>
#endif
#ifdef APSP_LZMA
#include <lzma.h>
#endif

/* Allocations so far, and the one that fails; 0: none does. */
static long allocations, fail_at;

static bool fails(void) {
    return fail_at > 0 && ++allocations == fail_at;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text) {
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size) {
    return fails() ? NULL : __real_strndup(text, size);
}

static int print(char **out, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
static int print(char **out, const char *format, va_list args) {
    *out = (char *)1; /* undefined after a failure: nobody may use it */
    return fails() ? -1 : vasprintf(out, format, args);
}

int __wrap_asprintf(char **out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = print(out, format, args);
    va_end(args);
    return length;
}

/* With -D_FORTIFY_SOURCE, asprintf is a call of this function. */
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...) {
    (void)flag;
    va_list args;
    va_start(args, format);
    int length = print(out, format, args);
    va_end(args);
    return length;
}

/* Vertices of the graph, of a line, of a graph that is solved by parts, and of a path in it. */
enum { N = 6, LINE = 20, PARTED = 1024, PARTED_PATH = 150 };

/* Data that each step is given and must arrive at again. */
static char graph_path[64], text_path[64], npy_prefix[64], npz_prefix[64], npy_path[96],
    new_path[64], measures_prefix[64];
static struct graph graph;
static struct result solved = {.limit = NO_LIMIT}, again; /* again: for solve_again() */

static bool same_result(const struct result *r) {
    return same_matrix(&r->dist, &solved.dist) && same_matrix(&r->pred, &solved.pred);
}

static enum status load(struct error *err) {
    static const struct graph_reading how = {.scale = 1};
    struct graph g;
    enum status status = graph_read_as(graph_path, &how, &g, err);
    if (status == STATUS_OK)
        CU_ASSERT_EQUAL(graph_checksum(&g), graph_checksum(&graph));
    graph_free(&g);
    return status;
}

static enum status solve_again(struct error *err) {
    static const struct solver_options options = {0};
    struct timing timing, median;
    enum status status = solve(solver_find(&cpu_solver, "sequential"), &graph, &options,
                               &again.dist, &again.pred, NULL, 1, &timing, err);
    if (status == STATUS_OK)
        status = timing_median(&timing, 1, &median, err);
    if (status == STATUS_OK)
        CU_ASSERT(same_result(&again));
    return status;
}

/* With a core and predecessors; graph's weights may be below 0. */
static struct graph ring;

static enum status solve_by_elimination(struct error *err) {
    static const struct solver_options options = {.threads = 1};
    struct matrix dist = again.dist, pred = again.pred;
    struct matrix_task t;
    struct dissection_report report;
    matrix_task_begin(&t, &ring, &options, &dist, &pred);
    const enum status status = dissection_solve(&cpu_others, &t.task, 1, &report, err);
    matrix_task_end(&t);
    if (status == STATUS_OK)
        CU_ASSERT(report.core == N - 1 && matrix_row(&dist, 2)[N - 1] == 3 + 4 + 5 + 2 &&
                  matrix_row(&pred, 2)[N - 1] == 0);
    return status;
}

/* A component for the variant, and vertices that are searched; all proved and measured. */
static struct graph parted;

static enum status solve_parts(struct error *err) {
    static const struct solver_options options = {.threads = 1};
    struct solver_variant variant = *solver_find(&cpu_solver, "johnson");
    const struct solve_request request = {.graph = &parted,
                                          .sources = {NULL, parted.n},
                                          .limit = NO_LIMIT,
                                          .options = &options,
                                          .repetitions = 1};
    struct proving_sink proof = {0};
    struct measures m;
    struct timing timing;
    variant.searches = variant.name;
    measures_init(&m, &parted, 1);
    enum status status = proving_sink_open(&proof, &parted, NO_LIMIT, false, &m.sink, err);
    if (status == STATUS_OK)
        status = solve_rows(&variant, &request, &proof.sink, &timing, err);
    if (status == STATUS_OK)
        CU_ASSERT(proof.number != NULL && m.out[0].reached == PARTED_PATH);
    proving_sink_close(&proof);
    measures_free(&m);
    return status;
}

/* Totals of proportional rows, proved. */
static struct eliminated line;

static enum status prove_totals(struct error *err) {
    static const struct regions_options nested = {
        .leaf = 4, .ratio = 3, .worth = 6, .worth_width = 1};
    const int32_t n = line.d.tree.n;
    const struct proportional_graph g = eliminated_graph(&line, false);
    const struct proportional_options options = {.threads = 1,
                                                 .isa = isa_best(),
                                                 .proves = &line.graph[0],
                                                 .cut = &nested,
                                                 .at_a_time = n / 2};
    struct row_totals out[LINE];
    int32_t source[LINE];
    struct proportional p;
    bool proved = false;
    const int32_t count = some_positions(n, 1, source);
    enum status status = proportional_open(&p, &g, &options, err);
    CU_ASSERT_EQUAL(p.proof.is_ready, status == STATUS_OK);
    if (status == STATUS_OK)
        status = proportional_totals(&p, source, count, out, &proved, err);
    if (status == STATUS_OK)
        CU_ASSERT(proved && totals_are(&line, false, source, count, out));
    proportional_close(&p);
    return status;
}

/* A grid, of which minimum degree leaves a core to other orders. */
enum { SIDE = 6 };
static struct graph grid;

static enum status build_index(struct error *err) {
    static const struct index_options options = {.threads = 1, .even_if_larger = true};
    struct distance_index x;
    const enum status status = index_build(&x, &grid, &options, NULL, NULL, err);
    index_close(&x);
    return status;
}

static enum status find_whole_order(struct error *err) {
    static const struct look_limits limits = {.threads = 1};
    struct look look;
    const enum status status = look_at(&grid, NULL, &limits, &look, err);
    if (status == STATUS_OK)
        CU_ASSERT(look_is_whole(&look));
    look_free(&look);
    return status;
}

/* Flows of streets, on a GPU or, where that fails, on the CPU. Who has failed has not done it. */
enum { STREETS = 9 };
static struct graph streets;

static enum status find_flows_by(enum betweenness_way way, struct error *err) {
    enum { CROSSINGS = STREETS * STREETS };
    const struct betweenness_request request = {.graph = &streets,
                                                .sources = {NULL, CROSSINGS},
                                                .way = way,
                                                .threads = 1,
                                                .engine = &gpu_flows};
    double edge[4 * CROSSINGS] = {0}, ends[CROSSINGS] = {0}, begins[CROSSINGS] = {0};
    struct betweenness_plan plan = {.searches_s = (double)INFINITY};
    struct trip_totals totals;
    bool right = true;
    const enum status status =
        betweenness_by_elimination(&request, ISA_PORTABLE, &plan, edge, ends, begins, &totals, err);
    const bool done = plan.way == way;
    CU_ASSERT_EQUAL(done, status == STATUS_OK);
    for (int32_t v = 0; v < CROSSINGS && done; v++)
        right = right && ends[v] == begins[v] && ends[v] <= CROSSINGS - 1;
    CU_ASSERT(right);
    return status;
}

static enum status find_classes(struct error *err) {
    return find_flows_by(BETWEENNESS_BY_CLASSES, err);
}

static enum status find_sweeps(struct error *err) {
    return find_flows_by(BETWEENNESS_BY_SWEEPS, err);
}

/* Flows of a triangle with two trees. */
static enum status find_beside_trees(struct error *err) {
    enum { HUNG = 8 };
    struct edge edges[2 * HUNG] = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {0, 3, 1},
                                   {3, 4, 1}, {1, 5, 1}, {5, 6, 1}, {5, 7, 1}};
    struct graph g;
    struct betweenness found;
    RETURN_ON_FAILURE(graph_build(&g, HUNG, edges, graph_append_reverses(edges, HUNG), err));
    const struct betweenness_request request = {
        .graph = &g, .sources = {NULL, HUNG}, .edges = true, .totals = true, .threads = 1};
    const enum status status = betweenness_find(&request, &found, err);
    CU_ASSERT((found.vertex != NULL) == (status == STATUS_OK));
    CU_ASSERT(status != STATUS_OK ||
              (found.vertex[5] == 22 && found.totals.arrive == HUNG * (HUNG - 1)));
    betweenness_free(&found);
    graph_free(&g);
    return status;
}

/* Searches on a GPU, which fail as a whole. */
static enum status search_streets(struct error *err) {
    enum { CROSSINGS = STREETS * STREETS, COUNT = FLOW_SOURCES + 1 };
    int32_t some[COUNT];
    for (int32_t k = 0; k < COUNT; k++)
        some[k] = k % CROSSINGS;
    struct search_flows_request request = {.graph = &streets,
                                           .weighted = true,
                                           .sources = &(struct row_sources){some, COUNT},
                                           .threads = 1};
    double vertex[CROSSINGS] = {0}, edge[4 * CROSSINGS] = {0}, ends[CROSSINGS] = {0};
    double begins[CROSSINGS] = {0}, ended = 0, begun = 0;
    RETURN_ON_FAILURE(source_rows_levels(&streets, INF, &request.levels, err));
    RETURN_ON_FAILURE(source_rows_weighted_levels(&streets, &request.levels, err));
    const struct search_flows_sums sums = {vertex, edge, ends, begins};
    const enum status status = gpu_flows.searches->find(&request, &sums, err);
    for (int32_t v = 0; v < CROSSINGS; v++) {
        ended += ends[v];
        begun += begins[v];
    }
    CU_ASSERT_EQUAL(ended > 0, status == STATUS_OK);
    CU_ASSERT_DOUBLE_EQUAL(ended, begun, 1e-9 * ended);
    return status;
}

static struct graph new_grid(void) {
    struct edge edges[4 * SIDE * SIDE];
    int64_t count = 0;
    for (int32_t v = 0; v < SIDE * SIDE; v++) {
        if (v % SIDE + 1 < SIDE)
            edges[count++] = (struct edge){v, v + 1, 1 + v % 5};
        if (v + SIDE < SIDE * SIDE)
            edges[count++] = (struct edge){v, v + SIDE, 1 + v % 7};
    }
    return graph_of(SIDE * SIDE, edges, graph_append_reverses(edges, count));
}

static enum status find_by_scaling(struct error *err) {
    int64_t potential[N];
    struct edge_watch watch = {.total = 0};
    struct closed_walk walk;
    const enum status status = scaling_find(&graph, true, potential, &walk, &watch, err);
    if (status == STATUS_OK)
        CU_ASSERT(potential[0] == 0 && potential[1] == -1);
    free(walk.vertex);
    return status;
}

static enum status prove(struct error *err) {
    return certify(&graph, &solved.dist, &solved.pred, 1, err);
}

static enum status prove_distances(struct error *err) {
    return certify(&graph, &solved.dist, NULL, 1, err);
}

static enum status find_tree(struct error *err) {
    int32_t parent[16];
    return certificate_tree(&graph, 0, matrix_row(&solved.dist, 0), NULL, parent, err);
}

static enum status write_text(struct error *err) {
    return result_write_text(text_path, &solved, 1, err);
}

static enum status write_npy(struct error *err) {
    return result_write_npy(npy_prefix, &solved, 1, err);
}

/* Some columns, as a sparse matrix. */
static enum status write_npz(struct error *err) {
    static const int32_t vertices[] = {2, 0};
    const struct result_layout layout = {
        .n = N, .sources = {NULL, N}, .targets = {vertices, 2}, .limit = NO_LIMIT};
    struct npz_sink file;
    struct column_sink columns;
    enum status status = npz_sink_open(&file, npz_prefix, &layout, err);
    column_sink_open(&columns, &layout.targets, &file.sink);
    if (status == STATUS_OK)
        status = row_sink_take_matrices(&columns.sink, &layout.sources, &solved.dist, NULL, 1, err);
    if (status == STATUS_OK)
        status = npz_sink_finish(&file, 1, &solved.made, err);
    column_sink_close(&columns);
    npz_sink_close(&file);
    return status;
}

static enum status read_from(const char *path, struct error *err) {
    struct result r;
    enum status status = result_read(path, &r, err);
    if (status == STATUS_OK)
        CU_ASSERT(same_result(&r));
    result_free(&r);
    return status;
}

static enum status read_text(struct error *err) {
    return read_from(text_path, err);
}

static enum status read_npy(struct error *err) {
    return read_from(npy_path, err);
}

static enum status measure(struct measures *m, struct error *err) {
    const struct row_sources sources = {NULL, N};
    struct row_block block = {.n = N, .count = N};
    for (int32_t v = 0; v < N; v++) {
        block.position[v] = block.source[v] = v;
        block.dist[v] = matrix_row(&solved.dist, v);
    }
    measures_init(m, &graph, 1);
    RETURN_ON_FAILURE(m->sink.begin(&m->sink, N, NUMBER_INT32, &sources, false, 2, err));
    RETURN_ON_FAILURE(m->sink.take(&m->sink, &block, err));
    return measures_finish(m, err);
}

static enum status write_measures(struct error *err) {
    struct measures m;
    enum status status = measure(&m, err);
    if (status == STATUS_OK)
        status = measures_write(measures_prefix, &m, &solved.made, err);
    measures_free(&m);
    return status;
}

static enum status read_measures(struct error *err) {
    struct measures_file file = {0};
    struct measures m;
    enum status status = measure(&m, err);
    if (status == STATUS_OK)
        status = measures_read(measures_prefix, &file, err);
    if (status == STATUS_OK)
        status = measures_compare(&file, &m, err);
    measures_file_free(&file);
    measures_free(&m);
    return status;
}

static enum status generate(struct error *err) {
    static const struct graph_description description = {
        .n = 9, .edges = 30, .lowest = 1, .highest = 9};
    struct output out;
    enum status status = output_open(&out, new_path, err);
    if (status != STATUS_OK)
        return status;
    status = graph_generate(&description, graph_layout_find("gr"), &out, err);
    if (status == STATUS_OK)
        status = output_commit(&out, err);
    output_discard(&out);
    return status;
}

/* The graph both ways, made, solved, proved and read from a file by the public functions. */
static enum status by_library(struct error *err) {
    static const int32_t from[] = {0, 1, 2}, to[] = {1, 2, 2}, weight[] = {3, 0, 1};
    apsp_graph *made = NULL, *read = NULL;
    apsp_result *result = NULL, *result_read = NULL;
    apsp_reading reading = APSP_READING_INIT;
    apsp_error error;
    int32_t cycle[N], length;
    int64_t sum;
    apsp_options options = APSP_OPTIONS_INIT;
    reading.undirected = 1;
    apsp_status status = apsp_graph_from_edges(&made, 3, 3, from, to, weight, &reading, &error);
    reading = (apsp_reading){.size = sizeof reading, .scale = 1};
    options.threads = 1;
    if (status == APSP_OK)
        status = apsp_solve(made, NULL, &result, &error);
    if (status == APSP_OK)
        status = apsp_verify(made, result, &options, NULL, &error);
    if (status == APSP_OK)
        status = apsp_result_read(&result_read, text_path, &error);
    if (status == APSP_OK)
        status = apsp_graph_read(&read, graph_path, &reading, &error);
    if (status == APSP_OK)
        status = apsp_graph_negative_cycle(read, cycle, &length, &sum, &error);
    if (status == APSP_OK)
        CU_ASSERT(apsp_result_distance(result, 2, 0) == 3 && length == 0);
    apsp_result_free(result_read);
    apsp_result_free(result);
    apsp_graph_free(read);
    apsp_graph_free(made);
    return status == APSP_OK ? STATUS_OK : fail(err, (enum status)status, "%s", error.text);
}

/* Counts how often each row comes. */
static apsp_status count_rows(void *times, const apsp_rows *rows, apsp_error *error) {
    (void)error;
    for (int32_t r = 0; r < rows->count; r++)
        ((int *)times)[rows->positions[r]]++;
    return APSP_OK;
}

/* Rows of a graph in memory, proved, to every kind of sink; in order, or as they come from an
 * engine that another one replaces if it fails. */
static enum status rows_by_library(bool in_order, struct error *err) {
    static const int32_t from[] = {0, 1, 2, 0}, to[] = {1, 2, 0, 2}, weight[] = {3, 0, 1, 5};
    static const int32_t sources[] = {2, 0};
    apsp_graph *made = NULL;
    apsp_result *result = NULL;
    apsp_measures *measures = NULL;
    apsp_sink *own[4] = {NULL};
    apsp_sink counting = APSP_SINK_INIT;
    const apsp_request request = {.size = sizeof request,
                                  .sources = in_order ? sources : NULL,
                                  .source_count = in_order ? 2 : 0,
                                  .check = 1};
    const apsp_options options = {.size = sizeof options, .threads = 1};
    apsp_error error;
    int times[3] = {0};
    counting.take = count_rows;
    counting.self = times;
    counting.needs = in_order ? APSP_NEEDS_ORDER : 0;
    apsp_status status = apsp_graph_from_edges(&made, 3, 4, from, to, weight, NULL, &error);
    if (status == APSP_OK)
        status = apsp_sink_result(&own[0], &result, &error);
    if (status == APSP_OK)
        status = apsp_sink_measures(&own[1], &measures, &error);
    if (status == APSP_OK)
        status = apsp_sink_file(&own[2], npy_prefix, APSP_NPY, &error);
    if (status == APSP_OK)
        status = apsp_sink_file(&own[3], new_path, APSP_TEXT, &error);
    const apsp_sink *const sinks[] = {&counting, own[0], own[1], own[2], own[3]};
    if (status == APSP_OK) {
        status = apsp_solve_rows(made, &request, &options, sinks, 5, &error);
        CU_ASSERT((status == APSP_OK) == (measures != NULL));
        for (int r = 0; r < (in_order ? 2 : 3); r++)
            CU_ASSERT(times[r] == 1 || (status != APSP_OK && times[r] == 0));
    }
    if (status == APSP_OK)
        CU_ASSERT(apsp_result_distance(result, 2, 1) == 4);
    for (int s = 0; s < 4; s++)
        apsp_sink_free(own[s]);
    apsp_measures_free(measures);
    apsp_result_free(result);
    apsp_graph_free(made);
    return status == APSP_OK ? STATUS_OK : fail(err, (enum status)status, "%s", error.text);
}

static enum status rows_as_they_come(struct error *err) {
    return rows_by_library(false, err);
}

static enum status rows_in_order(struct error *err) {
    return rows_by_library(true, err);
}

/* Files in the tests' directory; *hidden counts those that begin with a dot. */
static int count_files(int *hidden) {
    char directory[64];
    int files = 0;
    snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(text_path, '/') - text_path),
             text_path);
    DIR *open_directory = opendir(directory);
    CU_ASSERT_PTR_NOT_NULL_FATAL(open_directory);
    *hidden = -2; /* . and .. */
    for (struct dirent *entry; (entry = readdir(open_directory)) != NULL; files++)
        *hidden += entry->d_name[0] == '.';
    closedir(open_directory);
    return files;
}

/* Fails its allocations in turn, until one run needs no more of them. */
static void check(enum status (*step)(struct error *err), long fewest) {
    struct error err;
    int hidden, files;
    CU_ASSERT_EQUAL_FATAL(step(&err), STATUS_OK);
    files = count_files(&hidden);
    for (long number = 1;; number++) {
        err.text[0] = '\0';
        allocations = 0;
        fail_at = number;
        enum status status = step(&err);
        fail_at = 0;
        CU_ASSERT_EQUAL(count_files(&hidden), files);
        CU_ASSERT_EQUAL(hidden, 0);
        if (allocations < number) {
            CU_ASSERT_EQUAL(status, STATUS_OK);
            CU_ASSERT(number > fewest);
            break;
        }
        CU_ASSERT(status == STATUS_NO_RESOURCE || status == STATUS_OK);
        CU_ASSERT((status == STATUS_OK) == (err.text[0] == '\0'));
    }
    /* The step succeeds now: its failure has spoiled nothing. */
    CU_ASSERT_EQUAL(step(&err), STATUS_OK);
}

/* Loads the graph from files that the other libraries have compressed. */
static void check_load_packed(const char *text, size_t size) {
    unsigned char packed[4096];
    (void)text, (void)size, (void)packed;
#ifdef APSP_LZMA
    size_t bytes = 0;
    CU_ASSERT_EQUAL_FATAL(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text,
                                                  size, packed, &bytes, sizeof packed),
                          LZMA_OK);
    snprintf(graph_path, sizeof graph_path, "%s", temporary_file(packed, bytes));
    check(load, 7);
#endif
#ifdef APSP_BZIP2
    char plain[1024];
    unsigned count = sizeof packed;
    memcpy(plain, text, size);
    CU_ASSERT_EQUAL_FATAL(
        BZ2_bzBuffToBuffCompress((char *)packed, &count, plain, (unsigned)size, 1, 0, 0), BZ_OK);
    snprintf(graph_path, sizeof graph_path, "%s", temporary_file(packed, count));
    check(load, 7);
#endif
}

static void test_each_allocation(void) {
    /* Negative edges, a cycle of weight zero, a self-loop, an unreachable vertex. */
    static const struct edge edges[] = {{0, 1, -1}, {1, 2, 0}, {2, 1, 0}, {2, 3, 4},
                                        {3, 0, 5},  {3, 4, 1}, {4, 4, 0}};
    enum { EDGES = sizeof edges / sizeof *edges };
    struct edge at_ring[N];
    snprintf(graph_path, sizeof graph_path, "%s", temporary_path());
    snprintf(text_path, sizeof text_path, "%s", temporary_path());
    snprintf(npy_prefix, sizeof npy_prefix, "%s", temporary_path());
    snprintf(npz_prefix, sizeof npz_prefix, "%s", temporary_path());
    snprintf(npy_path, sizeof npy_path, "%s.dist.npy", npy_prefix);
    snprintf(new_path, sizeof new_path, "%s", temporary_path());
    snprintf(measures_prefix, sizeof measures_prefix, "%s", temporary_path());
    gzFile file = gzopen(graph_path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    char text[1024];
    int size = snprintf(text, sizeof text, "p sp %d %d\n", N, EDGES);
    for (int e = 0; e < EDGES; e++)
        size += snprintf(text + size, sizeof text - (size_t)size, "a %d %d %d.0\n",
                         edges[e].from + 1, edges[e].to + 1, edges[e].weight);
    gzwrite(file, text, (unsigned)size);
    gzclose(file);
    graph = graph_of(N, edges, EDGES);
    for (int32_t v = 0; v < N - 1; v++) /* and one vertex at it */
        at_ring[v] = (struct edge){v, (v + 1) % (N - 1), 1 + v};
    at_ring[N - 1] = (struct edge){0, N - 1, 2};
    ring = graph_of(N, at_ring, N);
    solve_reference(&graph, &solved.dist, &solved.pred);
    again = (struct result){.dist = new_matrix(N), .pred = new_matrix(N)};

    check(load, 7);
    check_load_packed(text, (size_t)size);
    check(solve_again, 10);
    if (order_is_available()) {
        struct graph of_line = long_path(LINE, 3);
        check(solve_by_elimination, 30);
        eliminated_begin(&line, &of_line);
        check(prove_totals, 90);
        eliminated_end(&line);
        graph_free(&of_line);
    }
    struct edge path[PARTED_PATH - 1];
    for (int32_t v = 0; v < PARTED_PATH - 1; v++)
        path[v] = (struct edge){v, v + 1, 1};
    parted = graph_of(PARTED, path, PARTED_PATH - 1);
    check(solve_parts, 90);
    graph_free(&parted);
    grid = new_grid();
    check(build_index, 30);
    if (order_is_available())
        check(find_whole_order, 10);
    graph_free(&grid);
    streets = random_streets(&(struct random){.state = 7}, STREETS, 1, 3, false);
    if (order_is_available())
        check(find_classes, 30);
    check(find_beside_trees, 10);
    check(find_sweeps, 10);
    check(search_streets, 10);
    graph_free(&streets);
    check(find_by_scaling, 3);
    check(prove, 1);
    check(prove_distances, 1);
    check(find_tree, 0);
    check(write_text, 4);
    check(write_npy, 5);
    check(write_npz, 10);
    check(read_text, 4);
    check(read_npy, 4);
    check(write_measures, 12);
    check(read_measures, 12);
    check(generate, 4);
    check(by_library, 20);
    check(rows_as_they_come, 40);
    check(rows_in_order, 40);
    graph_free(&graph);
    graph_free(&ring);
    result_free(&solved);
    result_free(&again);
}

CU_TestInfo fault_tests[] = {
    {"each allocation fails in turn", test_each_allocation},
    CU_TEST_INFO_NULL,
};
