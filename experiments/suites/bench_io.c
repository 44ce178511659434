// SPDX-License-Identifier: MIT
/* make bench-io: what reading and writing costs, beside the plain way of doing it.
 *
 *     text result   result_write_text on 1 and 2 threads   against fprintf per cell
 *     .npy result   result_write_npy
 *     reading back  result_read of both
 *     graph         graph_read                              against fscanf per edge
 *
 * One process, temporary files in $TMPDIR (or /tmp), warm page cache: medians of
 * REPETITIONS after a warm-up, wall-clock and CPU seconds (user and system, all
 * threads). What is written is read back and compared before anything is printed. */
#include "common/base/clock.h"      // clock_seconds
#include "common/base/median.h"     // median
#include "common/base/splitmix64.h" // splitmix64_next
#include "common/graph/graph.h"     // graph_build
#include "common/graph/graph_io.h"  // graph_read
#include "common/rows/result_io.h"  // result_write_text, result_write_npy, result_read

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    VERTICES = 5000,
    EDGES = 500000,
    LONGEST_DISTANCE = 30, /* about the longest distance of the published dense graphs */
    HEAVIEST_EDGE = 100,
    REPETITIONS = 5,
    MAX_PATH = 512,
};

/* Indices of the temporary files. */
enum { TEXT, TEXT_FPRINTF, NPY_DIST, NPY_PRED, NPY_JSON, GRAPH, FILES };
static const char *const file_name[FILES] = {"text",         "fprintf",  "npy.dist.npy",
                                             "npy.pred.npy", "npy.json", "graph"};
static char folder[MAX_PATH];
static char path[FILES][MAX_PATH + 32];
static char npy_prefix[MAX_PATH + 32];

static struct result written; /* the result that the writers write */
static struct edge graph_edges[EDGES];
static struct error failure;

static void remove_files(void) {
    for (int f = 0; f < FILES; f++)
        unlink(path[f]);
    rmdir(folder);
}

/* A signal that arrived. The current repetition is finished first, so that the writers' own
 * temporary files are gone. */
static volatile sig_atomic_t received;

static void remember_signal(int signal_number) {
    received = signal_number;
}

static void stop_if_asked(void) {
    if (received == 0)
        return;
    remove_files();
    signal(received, SIG_DFL);
    raise(received);
}

static _Noreturn void die(const char *reason) {
    remove_files();
    fprintf(stderr, "bench_io: %s\n", reason);
    exit(STATUS_NO_RESOURCE);
}

static void require(enum status status) {
    if (status != STATUS_OK)
        die(failure.text);
}

static void make_folder(void) {
    const char *base = getenv("TMPDIR");
    if (base == NULL || *base == '\0')
        base = "/tmp";
    int length = snprintf(folder, sizeof folder, "%s/bench_io.XXXXXX", base);
    if (length < 0 || (size_t)length >= sizeof folder || mkdtemp(folder) == NULL) {
        fprintf(stderr, "bench_io: cannot make a folder in %s\n", base);
        exit(STATUS_NO_RESOURCE);
    }
    for (int f = 0; f < FILES; f++)
        snprintf(path[f], sizeof path[f], "%s/%s", folder, file_name[f]);
    snprintf(npy_prefix, sizeof npy_prefix, "%s/npy", folder);
    signal(SIGINT, remember_signal);
    signal(SIGTERM, remember_signal);
}

/* Test data ---------------------------------------------------------------------------- */

/* Draws a number in 0 .. bound - 1, the same on every machine (splitmix64.h). */
static int32_t draw(uint64_t *state, int32_t bound) {
    return (int32_t)(splitmix64_next(state) % (uint64_t)bound);
}

/* Makes numbers like those of a dense graph's result. They need not be a result, because only the
 * files matter. */
static void make_result(uint64_t *state) {
    require(matrix_alloc(&written.dist, VERTICES, "distances", &failure));
    require(matrix_alloc(&written.pred, VERTICES, "predecessors", &failure));
    for (int32_t i = 0; i < VERTICES; i++) {
        int32_t *dist = matrix_row(&written.dist, i), *pred = matrix_row(&written.pred, i);
        for (int32_t j = 0; j < VERTICES; j++) {
            dist[j] = i == j ? 0 : 1 + draw(state, LONGEST_DISTANCE);
            pred[j] = i == j ? -1 : draw(state, VERTICES);
        }
    }
    written.edges_read = EDGES;
    written.limit = NO_LIMIT;
    snprintf(written.made.program, sizeof written.made.program, "bench_io");
    snprintf(written.made.variant, sizeof written.made.variant, "none");
    snprintf(written.made.graph, sizeof written.made.graph, "none");
}

static void make_graph(uint64_t *state) {
    FILE *file = fopen(path[GRAPH], "we");
    if (file == NULL)
        die("cannot write the graph");
    fprintf(file, "%d %d\n", VERTICES, EDGES);
    for (int e = 0; e < EDGES; e++) {
        struct edge edge = {draw(state, VERTICES), draw(state, VERTICES),
                            1 + draw(state, HEAVIEST_EDGE)};
        fprintf(file, "%d %d %d\n", edge.from, edge.to, edge.weight);
        graph_edges[e] = edge;
    }
    if (fclose(file) != 0)
        die("cannot write the graph");
}

/* Timed work ----------------------------------------------------------------------------- */

static void write_text_on_1(void) {
    require(result_write_text(path[TEXT], &written, 1, &failure));
}

static void write_text_on_2(void) {
    require(result_write_text(path[TEXT], &written, 2, &failure));
}

static void fprintf_matrix(FILE *file, const struct matrix *m) {
    fputc('\n', file);
    for (int32_t i = 0; i < m->n; i++) {
        const int32_t *row = matrix_row(m, i);
        for (int32_t j = 0; j < m->n; j++)
            fprintf(file, j + 1 < m->n ? "%d\t" : "%d\n", row[j]);
    }
}

/* Writes the text in the thesis's way, by fprintf. */
static void write_text_by_fprintf(void) {
    FILE *file = fopen(path[TEXT_FPRINTF], "we");
    if (file == NULL)
        die("cannot write a result");
    fprintf(file, "|V| = %d, |E| = %lld\n", written.dist.n, (long long)written.edges_read);
    fprintf_matrix(file, &written.dist);
    fprintf_matrix(file, &written.pred);
    if (fclose(file) != 0)
        die("cannot write a result");
}

static void write_npy(void) {
    require(result_write_npy(npy_prefix, &written, 2, &failure));
}

static void read_result(const char *from) {
    struct result result = {0};
    require(result_read(from, &result, &failure));
    result_free(&result);
}

static void read_text(void) {
    read_result(path[TEXT]);
}

static void read_npy(void) {
    read_result(path[NPY_DIST]);
}

static void read_graph(void) {
    struct graph g = {0};
    require(graph_read(path[GRAPH], &g, &failure));
    graph_free(&g);
}

static struct edge *fscanf_edges(int *n, int *count) {
    FILE *file = fopen(path[GRAPH], "re");
    if (file == NULL || fscanf(file, "%d %d", n, count) != 2)
        die("cannot read the graph");
    struct edge *edges = malloc((size_t)*count * sizeof *edges);
    if (edges == NULL)
        die("out of memory");
    for (int e = 0; e < *count; e++) {
        if (fscanf(file, "%d %d %d", &edges[e].from, &edges[e].to, &edges[e].weight) != 3)
            die("cannot read the graph");
    }
    fclose(file);
    return edges;
}

/* Reads a graph in the thesis's way, by fscanf, and ends with graph_build, as graph_read does. */
static void read_graph_by_fscanf(void) {
    struct graph g = {0};
    int n = 0, count = 0;
    struct edge *edges = fscanf_edges(&n, &count);
    require(graph_build(&g, n, edges, count, &failure));
    graph_free(&g);
    free(edges);
}

static void build_graph(void) {
    static struct edge edges[EDGES]; /* a copy, because graph_build consumes it */
    struct graph g = {0};
    memcpy(edges, graph_edges, sizeof edges);
    require(graph_build(&g, VERTICES, edges, EDGES, &failure));
    graph_free(&g);
}

/* Timing --------------------------------------------------------------------------------- */

struct contest {
    const char *what;
    void (*run)(void);
    int baseline;       /* index of the contest that it is compared with; its own index: none */
    const char *output; /* file that it writes, which is read back; NULL: none */
    double wall_s, cpu_s;
};

enum {
    BY_FPRINTF,
    BY_1,
    BY_2,
    NPY,
    READ_TEXT,
    READ_NPY,
    BY_FSCANF,
    BY_GRAPH_READ,
    BUILD,
    CONTESTS
};

static struct contest contests[CONTESTS] = {
    [BY_FPRINTF] = {"write text, fprintf per cell", write_text_by_fprintf, BY_FPRINTF,
                    path[TEXT_FPRINTF], 0, 0},
    [BY_1] = {"write text, result_write_text, 1 thread", write_text_on_1, BY_FPRINTF, path[TEXT], 0,
              0},
    [BY_2] = {"write text, result_write_text, 2 threads", write_text_on_2, BY_FPRINTF, path[TEXT],
              0, 0},
    [NPY] = {"write .npy, result_write_npy", write_npy, BY_FPRINTF, path[NPY_DIST], 0, 0},
    [READ_TEXT] = {"read text, result_read", read_text, READ_TEXT, NULL, 0, 0},
    [READ_NPY] = {"read .npy, result_read", read_npy, READ_TEXT, NULL, 0, 0},
    [BY_FSCANF] = {"read graph, fscanf and graph_build", read_graph_by_fscanf, BY_FSCANF, NULL, 0,
                   0},
    [BY_GRAPH_READ] = {"read graph, graph_read", read_graph, BY_FSCANF, NULL, 0, 0},
    [BUILD] = {"(graph_build, part of both)", build_graph, BUILD, NULL, 0, 0},
};

static double cpu_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void measure(struct contest *contest) {
    double wall[REPETITIONS] = {0}, cpu[REPETITIONS] = {0};
    for (int r = -1; r < REPETITIONS; r++) { /* repetition -1 is the warm-up */
        double wall_start = clock_seconds(), cpu_start = cpu_seconds();
        contest->run();
        if (r >= 0) {
            wall[r] = clock_seconds() - wall_start;
            cpu[r] = cpu_seconds() - cpu_start;
        }
        stop_if_asked();
    }
    contest->wall_s = median(wall, REPETITIONS);
    contest->cpu_s = median(cpu, REPETITIONS);
}

/* Checking ------------------------------------------------------------------------------- */

static bool same_matrix(const struct matrix *left, const struct matrix *right) {
    if (left->n != right->n || left->cell == NULL || right->cell == NULL)
        return false;
    for (int32_t i = 0; i < left->n; i++) {
        if (memcmp(matrix_row(left, i), matrix_row(right, i), (size_t)left->n * sizeof(int32_t)))
            return false;
    }
    return true;
}

/* Checks a written result. The one that fprintf wrote has no # lines, which result_read does not
 * need. */
static void check_result(const struct contest *contest) {
    struct result result = {0};
    require(result_read(contest->output, &result, &failure));
    if (!same_matrix(&result.dist, &written.dist) || !same_matrix(&result.pred, &written.pred)) {
        snprintf(failure.text, sizeof failure.text, "%s: read back, it differs", contest->what);
        die(failure.text);
    }
    result_free(&result);
}

/* Checks that both ways of reading give the graph whose edges were written. */
static void check_graph(void) {
    struct graph made = {0}, loaded = {0}, scanned = {0};
    int n = 0, count = 0;
    struct edge *edges = fscanf_edges(&n, &count);
    require(graph_build(&made, VERTICES, graph_edges, EDGES, &failure));
    require(graph_build(&scanned, n, edges, count, &failure));
    require(graph_read(path[GRAPH], &loaded, &failure));
    free(edges);
    if (loaded.edges_read != EDGES || graph_checksum(&loaded) != graph_checksum(&made) ||
        graph_checksum(&scanned) != graph_checksum(&made))
        die("the graph that was read is not the one that was written");
    graph_free(&made);
    graph_free(&loaded);
    graph_free(&scanned);
}

static void report(void) {
    struct stat text;
    if (stat(path[TEXT], &text) != 0)
        die("the text result has gone");
    printf("n = %d, distances and predecessors (%.0f MB as text); graph of %d edges.\n", VERTICES,
           (double)text.st_size * 1e-6, EDGES);
    printf("Medians of %d after a warm-up; every result read back and compared.\n\n", REPETITIONS);
    printf("%-42s %9s %9s %9s %9s\n", "", "wall_s", "cpu_s", "ratio", "cpu ratio");
    for (int c = 0; c < CONTESTS; c++) {
        const struct contest *contest = &contests[c], *baseline = &contests[contest->baseline];
        printf("%-42s %9.4f %9.4f", contest->what, contest->wall_s, contest->cpu_s);
        if (contest != baseline)
            printf(" %8.1fx %8.1fx", baseline->wall_s / contest->wall_s,
                   baseline->cpu_s / contest->cpu_s);
        putchar('\n');
    }
}

int main(void) {
    uint64_t state = 2017;
    make_folder();
    make_result(&state);
    make_graph(&state);
    check_graph();
    for (int c = 0; c < CONTESTS; c++) {
        measure(&contests[c]);
        if (contests[c].output != NULL)
            check_result(&contests[c]);
    }
    report();
    result_free(&written);
    remove_files();
    return fflush(stdout) == 0 ? STATUS_OK : STATUS_NO_RESOURCE;
}
