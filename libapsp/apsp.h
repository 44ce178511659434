// SPDX-License-Identifier: MIT
/* apsp: exact all-pairs shortest paths on CPU and GPU, with a proof.
 *
 *     apsp_graph *graph = NULL;
 *     apsp_result *result = NULL;
 *     apsp_error error;
 *     apsp_status status = apsp_graph_read(&graph, "graphFile.txt", NULL, &error);
 *     if (status == APSP_OK)
 *         status = apsp_solve(graph, NULL, &result, &error);
 *     if (status == APSP_OK)
 *         printf("%d\n", (int)apsp_result_distance(result, 0, 1));
 *     else
 *         fprintf(stderr, "%s\n", error.text);
 *     apsp_result_free(result);
 *     apsp_graph_free(graph);
 *
 * Vertices are 0 .. n-1; weights and distances are 32-bit integers. A function that can fail
 * returns a status and, unless error is NULL, stores one line in the caller's apsp_error. A
 * function that makes an object stores it through its first or last pointer, or NULL if it fails;
 * the caller frees the object. Freeing NULL does nothing. The other functions do not check their
 * arguments: the object must exist and have the vertices.
 *
 * A struct that may grow begins with its size, which the caller sets to sizeof; the APSP_..._INIT
 * of its type does this and zeroes the rest. Later versions add members at the end and accept the
 * sizes of all versions from 0.2.0 on; a member that the caller's struct lacks has its default,
 * zero. If a struct is longer than the library knows, the rest must be zero. If it is shorter than
 * in 0.2.0, the call returns APSP_BAD_INPUT. apsp_error does not grow.
 *
 * The library keeps nothing between calls, prints nothing, installs no signal handler and ends no
 * process. Threads may use different objects at the same time, and may share graphs and results
 * as long as nobody frees them; solves on GPUs take turns. The library reads the environment
 * variables APSP_MEMORY_LIMIT and APSP_SIMD (docs/install.md) and those of OpenMP, whose threads
 * solve, prove and write. If the system refuses a thread, OpenMP ends the process: if that may
 * happen, ask for one thread.
 *
 * A forked child may use the library and the objects of its parent, whatever the parent has done
 * before, except GPUs: CUDA does not work in a child of a process that has used it. There, an
 * engine that needs a GPU fails with APSP_NO_RESOURCE, and "apsp" chooses the CPU. The child does
 * not continue the work that other threads of the parent were doing at the fork.
 *
 * Long work takes a callback, `progress`. The waiting thread calls it about every 50 milliseconds
 * with the amount of work that is done (0 of 1 if that is not known), and after success once more
 * with done = total. It returns whether to go on. After it has returned 0, it is not called again,
 * and the work ends within some 0.1 seconds with APSP_CANCELLED, unless it is complete by then.
 * Kernels on a GPU and reads or writes that wait finish first. The callback must return, and must
 * not call the library with the same objects.
 *
 * The engine "apsp" predicts by the rates that apsp --calibrate has written, if any, to
 * apsp/rates.json in XDG_CONFIG_HOME or in HOME's .config; a malformed file there is
 * APSP_BAD_INPUT.
 *
 * Link with `pkg-config --cflags --libs apsp`, or with --static added for libapsp.a. */
#ifndef APSP_H
#define APSP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define APSP_API __attribute__((visibility("default")))
#else
#define APSP_API
#endif

/* The version of this header. While the first number is 0, programs that were compiled with another
 * second number must be compiled again; the soname changes with it. */
#define APSP_VERSION "0.2.0"

/* The version of the library in use, to be compared with APSP_VERSION. */
APSP_API const char *apsp_version(void);

/* "No path", in distances. Real ones lie between -APSP_INF and APSP_INF, both excluded. */
#define APSP_INF INT32_C(1073741823)

/* These are also the exit statuses of the programs, except the last. */
typedef enum apsp_status {
    APSP_OK = 0,
    APSP_REFUTED = 1,        /* apsp_verify found the result to be wrong */
    APSP_BAD_INPUT = 2,      /* malformed file, argument out of range, a distance that does not fit,
                                an engine that is not exact for this graph */
    APSP_NEGATIVE_CYCLE = 3, /* there are no shortest paths */
    APSP_NO_RESOURCE = 4,    /* no memory or GPU, or an output that cannot be written */
    APSP_CANCELLED = 5       /* a progress callback asked to stop */
} apsp_status;

/* After a failure: one line, without a line feed, that says where it happened, what was expected
 * and what was found. */
typedef struct apsp_error {
    char text[1024];
} apsp_error;

/* Graphs. */

typedef struct apsp_graph apsp_graph;

/* How to read a graph. If all members but the size are zero, or a pointer to it is NULL, edges are
 * read as they are. */
typedef struct apsp_reading {
    size_t size;    /* sizeof(apsp_reading), by which the library knows the caller's version */
    int undirected; /* not 0: every edge leads in both directions */
    int32_t scale;  /* 1 .. 10^9: weights may be decimal and are multiplied by it, which must give
                       integers; 0: weights must be integers */
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above */
    void *progress_to;
} apsp_reading;
#define APSP_READING_INIT                                                                          \
    { sizeof(apsp_reading), 0, 0, NULL, NULL }

/* Makes a directed graph with n >= 1 vertices from `count` edges in memory: from[e] -> to[e] with
 * weight[e], or 1 if weight is NULL. Only the lightest of parallel edges counts, and a self-loop
 * only if it is a negative cycle. The arrays are copied. reading->scale must be 0. */
APSP_API apsp_status apsp_graph_from_edges(apsp_graph **graph, int32_t n, int64_t count,
                                           const int32_t *from, const int32_t *to,
                                           const int32_t *weight, const apsp_reading *reading,
                                           apsp_error *error);

/* Reads thesis text, DIMACS .gr, Matrix Market, GAP .wel, SNAP edge lists, CSV or TNTP, plain or
 * gzip; the content tells the format, and "-" is standard input. APSP_NO_RESOURCE if the edges, or
 * distances alone, would take the memory that the library holds in this process over the limit
 * (docs/using.md). Vertices are 0 .. n-1 even if the file numbers them from 1, also in messages,
 * unless a message quotes a line of the file. */
APSP_API apsp_status apsp_graph_read(apsp_graph **graph, const char *path,
                                     const apsp_reading *reading, apsp_error *error);

APSP_API void apsp_graph_free(apsp_graph *graph);

APSP_API int32_t apsp_graph_vertices(const apsp_graph *graph);

/* The number of edges as the input counts them; the number of edges without parallel ones and
 * self-loops. */
APSP_API int64_t apsp_graph_edges_read(const apsp_graph *graph);
APSP_API int64_t apsp_graph_edges(const apsp_graph *graph);

/* Whether there is an edge; if so, stores its weight in *weight, unless that is NULL. O(log
 * degree). */
APSP_API int apsp_graph_find_edge(const apsp_graph *graph, int32_t from, int32_t to,
                                  int32_t *weight);

/* CRC-32 of the graph, the same for every file format and order of edges. */
APSP_API uint32_t apsp_graph_checksum(const apsp_graph *graph);

/* Finds the negative cycle that apsp_solve names. If there is one, returns APSP_NEGATIVE_CYCLE and
 * stores the cycle, vertices[0] -> vertices[1] -> ... -> vertices[*length - 1] -> vertices[0], and
 * its weight; otherwise APSP_OK and *length = 0. `vertices` has room for n. */
APSP_API apsp_status apsp_graph_negative_cycle(const apsp_graph *graph, int32_t *vertices,
                                               int32_t *length, int64_t *weight, apsp_error *error);

/* Solving. */

/* One way to solve. The texts belong to the library. */
typedef struct apsp_engine {
    size_t size;                /* sizeof(apsp_engine), set by the caller */
    const char *name, *variant; /* "cpu", "blocked"; for apsp_options */
    const char *summary;        /* one line */
    const char *source;         /* its publication */
    int is_default;             /* not 0: it is the engine's default variant */
    int uses_gpu;               /* not 0: it needs one, and a library built with CUDA */
    int distances_only;         /* not 0: it gives no predecessors */
} apsp_engine;
#define APSP_ENGINE_INIT                                                                           \
    { sizeof(apsp_engine), NULL, NULL, NULL, NULL, 0, 0, 0 }

/* Fills *engine, up to its size, for index 0, 1, ... and returns 1. Returns 0 beyond the last one,
 * and if the size is less than that of 0.2.0. */
APSP_API int apsp_engine_at(size_t index, apsp_engine *engine);

/* Stores the name of a GPU; numbers start at 0. APSP_NO_RESOURCE, with the reason, if the library
 * cannot use it. */
APSP_API apsp_status apsp_gpu_name(int device, char *name, size_t size, apsp_error *error);

/* How to solve. If all members but the size are zero, or a pointer to it is NULL, the library
 * chooses. */
typedef struct apsp_options {
    size_t size;         /* sizeof(apsp_options), by which the library knows the caller's version */
    const char *engine;  /* NULL: "apsp", which takes the engine with the least predicted time, and
                            one on the CPU if the GPU fails */
    const char *variant; /* NULL: the engine's default */
    int threads;         /* 0: one per core */
    int device;          /* number of the GPU, if the engine uses one */
    int tile;            /* tile size, if the engine lets the caller choose; 0: its default */
    int distances_only;  /* not 0: no predecessors */
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above */
    void *progress_to;
} apsp_options;
#define APSP_OPTIONS_INIT                                                                          \
    { sizeof(apsp_options), NULL, NULL, 0, 0, 0, 0, NULL, NULL }

typedef struct apsp_result apsp_result;

/* Checks whether so many bytes, which the caller will hold for n vertices, fit into memory beside
 * what the library holds. APSP_NO_RESOURCE if they do not; APSP_BAD_INPUT if APSP_MEMORY_LIMIT is
 * malformed. The library checks its own memory by itself. */
APSP_API apsp_status apsp_memory_check(int32_t n, uint64_t bytes, apsp_error *error);

/* Computes all distances and, unless options say otherwise, predecessors. Edges may be negative.
 * APSP_NEGATIVE_CYCLE if there is one (the message names it; see apsp_graph_negative_cycle);
 * APSP_BAD_INPUT if a distance does not fit or the engine is not exact for this graph;
 * APSP_NO_RESOURCE if memory or the GPU fails. No number in a result is wrong. An engine gives the
 * same result, byte for byte, on any number of threads. The engine that "apsp" chooses depends on
 * the machine, and so does the choice among several shortest paths. */
APSP_API apsp_status apsp_solve(const apsp_graph *graph, const apsp_options *options,
                                apsp_result **result, apsp_error *error);

APSP_API void apsp_result_free(apsp_result *result);

/* Results. */

APSP_API int32_t apsp_result_vertices(const apsp_result *result);

/* The matrices, row-major: the entry for the path from i to j is at [i * leading + j], with
 * *leading >= n. A distance is APSP_INF if there is no path. A predecessor is the vertex before j
 * on a shortest path from i, or -1 if there is none or i = j. A result with distances only has NULL
 * for predecessors. The matrices belong to the result. */
APSP_API const int32_t *apsp_result_distances(const apsp_result *result, size_t *leading);
APSP_API const int32_t *apsp_result_predecessors(const apsp_result *result, size_t *leading);

/* One distance; and the vertices of one path in order, path[0] = from .. path[*length - 1] = to.
 * `path` has room for n; *length is 0 if there is no path. APSP_BAD_INPUT if a vertex is out of
 * range, if the result has no predecessors, or if they do not lead to `from`, which can happen in a
 * result that was read. */
APSP_API int32_t apsp_result_distance(const apsp_result *result, int32_t from, int32_t to);
APSP_API apsp_status apsp_result_path(const apsp_result *result, int32_t from, int32_t to,
                                      int32_t *path, int32_t *length, apsp_error *error);

/* How the result was made:
 *   - the engine that was asked for ("apsp:auto", "cpu:blocked"), "" for a result that was read;
 *   - the engine or variant that it chose ("cpu:blocked", or "blocked" if it chooses among its own
 *     variants), "" if it does not choose;
 *   - the seconds that solving took, and in *total with allocation and transfers; 0 for a result
 *     that was read. */
APSP_API const char *apsp_result_engine(const apsp_result *result);
APSP_API const char *apsp_result_chosen(const apsp_result *result);
APSP_API double apsp_result_seconds(const apsp_result *result, double *total);

/* Whether the result names its graph; if so, stores that graph's checksum. */
APSP_API int apsp_result_checksum(const apsp_result *result, uint32_t *checksum);

/* A wrong entry of a result, and the evidence. Before the call all members but the size are zero.
 */
typedef struct apsp_refutation {
    size_t size;        /* sizeof(apsp_refutation), set by the caller */
    char check;         /* 'a', 'b' or 'c' of docs/certificate.md; '-': the number of vertices is
                           not the graph's */
    const char *reason; /* a few words, such as "an edge is shorter", which the library owns */
    int32_t from, to;   /* the position of the entry; -1 if the size is wrong */
    int32_t distance;   /* as given */
    int32_t via;  /* the predecessor, the tail of the edge into `to`, or a vertex of a cycle of
                     predecessors; -1: none of these */
    int has_edge; /* not 0: the next two are set */
    int32_t via_distance, weight; /* the distance from `from` to `via`, the weight of via -> to */
} apsp_refutation;
#define APSP_REFUTATION_INIT                                                                       \
    { sizeof(apsp_refutation), 0, NULL, 0, 0, 0, 0, 0, 0, 0 }

/* Proves or refutes any result in O(n^2 + n m). APSP_OK if it is proved; APSP_REFUTED, with a
 * message and, unless NULL, *refutation, if it is wrong. Uses only threads and progress of the
 * options, which may be NULL. */
APSP_API apsp_status apsp_verify(const apsp_graph *graph, const apsp_result *result,
                                 const apsp_options *options, apsp_refutation *refutation,
                                 apsp_error *error);

typedef enum apsp_format {
    APSP_TEXT = 0, /* path: the thesis's text, with INF if there is no path */
    APSP_NPY = 1   /* path.dist.npy, path.pred.npy and, last, path.json */
} apsp_format;

/* Writes a result, completely or not at all, and syncs it, so that it outlives a power cut after
 * the call. The path "-" is standard output, for text only. */
APSP_API apsp_status apsp_result_write(const apsp_result *result, const char *path,
                                       apsp_format format, int threads, apsp_error *error);

/* Reads a result. If the path is PREFIX.dist.npy, or PREFIX and no file has that name, it reads
 * NumPy files, otherwise text, plain or gzip. Only apsp_verify tells whether the result is right.
 */
APSP_API apsp_status apsp_result_read(apsp_result **result, const char *path, apsp_error *error);

/* To come -------------------------------------------------------------------------------------
 *
 * The contract of what follows in 0.2.x, written before its code so that all of it fits together.
 * The library has none of it yet: a program that defines APSP_TO_COME sees these declarations,
 * compiles, and does not link. What comes alive moves up, out of the condition. Until then any of
 * it may change. */
#ifdef APSP_TO_COME

/* Types of weights and of the distances that they make. "No path" is APSP_INF for integers and
 * infinity otherwise. A distance in floating point is defined, not approximated: it is the least,
 * over all paths, of the sum rounded from left to right. So every engine gives the same bits, and
 * apsp_verify needs no tolerance. */
typedef enum apsp_type { APSP_INT32 = 0, APSP_FLOAT32 = 1, APSP_FLOAT64 = 2 } apsp_type;

/* Edges in memory, which are the caller's: from[e] -> to[e] of weight[e]. */
typedef struct apsp_edges {
    size_t size;
    int32_t vertices;
    int64_t count;
    const int32_t *from, *to;
    apsp_type type;     /* of the weights; NaN is refused, infinity is no edge, -0.0 is 0 */
    const void *weight; /* NULL: all are 1 */
} apsp_edges;
#define APSP_EDGES_INIT                                                                            \
    { sizeof(apsp_edges), 0, 0, NULL, NULL, APSP_INT32, NULL }

/* Like apsp_graph_from_edges, for weights of any type. */
APSP_API apsp_status apsp_graph_make(apsp_graph **graph, const apsp_edges *edges,
                                     const apsp_reading *reading, apsp_error *error);
APSP_API apsp_type apsp_graph_type(const apsp_graph *graph);

/* An answer consists of rows. A block holds the distances from some sources to all vertices,
 * row after row; the entry for sources[r] and vertex j is at [r * leading + j]. It belongs to the
 * library and lasts for the call that it is handed to. */
typedef struct apsp_rows {
    size_t size;
    int32_t count, vertices; /* rows, and columns */
    const int32_t *sources;  /* count vertices, in host memory */
    apsp_type type;
    size_t leading; /* of both matrices, in entries */
    const void *distances;
    const int32_t *predecessors; /* as those of a result; NULL if no sink asked for them */
    int device;                  /* -1: host memory; otherwise the number of the GPU that has it */
    int proved;                  /* not 0: conditions (a) to (c) of the certificate hold */
} apsp_rows;

/* What a sink needs of the blocks that it takes; one that needs nothing takes them as they come,
 * from several threads and devices at the same time. */
enum {
    APSP_NEEDS_ORDER = 1, /* by ascending source */
    APSP_NEEDS_HOST = 2,  /* in host memory */
    APSP_NEEDS_PREDECESSORS = 4,
    APSP_NEEDS_ONE_AT_A_TIME = 8
};

/* A sink: begin is called once, take for every block, end once after a begin that succeeded, with
 * how it went. Each returns APSP_OK or ends the solve with its status and its line. Any may be
 * NULL but take. The library's own sinks are made by the functions below and freed by
 * apsp_sink_free, which discards what is not complete. */
typedef struct apsp_sink {
    size_t size;
    unsigned needs;
    apsp_status (*begin)(void *self, int64_t rows, int32_t vertices, apsp_type type,
                         apsp_error *error);
    apsp_status (*take)(void *self, const apsp_rows *rows, apsp_error *error);
    apsp_status (*end)(void *self, apsp_status how, apsp_error *error);
    void *self;
} apsp_sink;
#define APSP_SINK_INIT                                                                             \
    { sizeof(apsp_sink), 0, NULL, NULL, NULL, NULL }

/* Which rows, and what of them. */
typedef struct apsp_request {
    size_t size;
    const int32_t *sources; /* NULL: every vertex */
    int64_t source_count;
    int reversed;  /* not 0: distances to the sources instead of from them */
    double limit;  /* longer distances count as no path; infinity: none */
    int32_t block; /* rows of a block at most; 0: as many as memory and engine suggest */
    int check;     /* not 0: every block is proved before it is handed on; one that is refuted
                      ends the solve with APSP_REFUTED */
} apsp_request;

/* Solves for some sources or all, in memory O(block * n) with engines that work row by row, and
 * hands every block to every sink. Matrix engines hold n * n and hand out rows when they are done.
 * The graph may be too large for a matrix. */
APSP_API apsp_status apsp_solve_rows(const apsp_graph *graph, const apsp_request *request,
                                     const apsp_options *options, apsp_sink *const *sinks,
                                     size_t sink_count, apsp_error *error);

/* Sinks of the library: a file, as apsp_result_write makes it; a result in memory, which is the
 * caller's once the solve has succeeded; measures. */
APSP_API apsp_status apsp_sink_file(apsp_sink **sink, const char *path, apsp_format format,
                                    apsp_error *error);
APSP_API apsp_status apsp_sink_result(apsp_sink **sink, apsp_result **result, apsp_error *error);
APSP_API void apsp_sink_free(apsp_sink *sink);

/* Measures: what is computed from the rows and kept instead of them. Those of a vertex are about
 * the distances from it, or to it if the request was reversed; vertices without a path to are left
 * out, as each says. */
typedef struct apsp_measures apsp_measures;
typedef enum apsp_vertex_measure {
    APSP_ECCENTRICITY = 0, /* the longest finite distance */
    APSP_REACHED = 1,      /* vertices at a finite distance, itself included */
    APSP_SUM = 2,          /* of the finite distances, exact for integers up to 2^53 */
    APSP_CLOSENESS = 3,    /* (r - 1) / sum * (r - 1) / (n - 1), r reached: Wasserman and Faust */
    APSP_HARMONIC = 4      /* the sum of 1 / distance over the other vertices reached */
} apsp_vertex_measure;
typedef enum apsp_graph_measure {
    APSP_RADIUS = 0,    /* the least eccentricity, and the largest; of a graph in which some */
    APSP_DIAMETER = 1,  /* vertex does not reach all, both are infinity */
    APSP_AVERAGE = 2,   /* of the finite distances between different vertices */
    APSP_WIENER = 3,    /* the sum of all distances; infinity if one is */
    APSP_EFFICIENCY = 4 /* the mean of 1 / distance over all ordered pairs */
} apsp_graph_measure;
APSP_API apsp_status apsp_sink_measures(apsp_sink **sink, apsp_measures **measures,
                                        apsp_error *error);
/* values: room for the rows that were solved, in the order of their sources. */
APSP_API apsp_status apsp_measures_of_vertices(const apsp_measures *measures,
                                               apsp_vertex_measure which, double *values,
                                               apsp_error *error);
APSP_API apsp_status apsp_measures_of_graph(const apsp_measures *measures, apsp_graph_measure which,
                                            double *value, apsp_error *error);
/* How many finite distances fall into each of `bins` equal parts of [0, longest]. */
APSP_API apsp_status apsp_measures_histogram(const apsp_measures *measures, int32_t bins,
                                             int64_t *counts, double *longest, apsp_error *error);
APSP_API void apsp_measures_free(apsp_measures *measures);

/* A distance index: labels from which any distance of a graph is found in microseconds, in a file
 * that is mapped and not read. Queries may come from any number of threads at the same time, take
 * no locks and never leave the mapping, whatever its bytes are; apsp_index_verify judges those. */
typedef struct apsp_index apsp_index;
APSP_API apsp_status apsp_index_build(const apsp_graph *graph, const char *path,
                                      const apsp_options *options, apsp_error *error);
APSP_API apsp_status apsp_index_open(apsp_index **index, const char *path, apsp_error *error);
APSP_API int32_t apsp_index_vertices(const apsp_index *index);
APSP_API apsp_type apsp_index_type(const apsp_index *index);
/* Of `count` pairs; distances: room for as many numbers of the index's type. */
APSP_API apsp_status apsp_index_distances(const apsp_index *index, const int32_t *from,
                                          const int32_t *to, int64_t count, void *distances,
                                          apsp_error *error);
/* Of all sources to all targets, row by row of the sources. */
APSP_API apsp_status apsp_index_table(const apsp_index *index, const int32_t *sources,
                                      int32_t source_count, const int32_t *targets,
                                      int32_t target_count, void *distances, apsp_error *error);
/* Like apsp_result_path, by edges of the original graph. */
APSP_API apsp_status apsp_index_path(const apsp_index *index, int32_t from, int32_t to,
                                     int32_t *path, int32_t *length, apsp_error *error);
/* Streams every row that the index says through the certificate; `rows` of them, spread evenly, if
 * that is not 0. */
APSP_API apsp_status apsp_index_verify(const apsp_index *index, const apsp_graph *graph,
                                       int32_t rows, const apsp_options *options,
                                       apsp_error *error);
APSP_API void apsp_index_close(apsp_index *index);

#endif /* APSP_TO_COME */

#ifdef __cplusplus
}
#endif

#endif
