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
 * Vertices are 0 .. n-1; weights and distances are 32-bit integers, or floating-point numbers of 32
 * or 64 bits. A function that can fail returns a status and, unless error is NULL, stores one line
 * in the caller's apsp_error. A function that makes an object stores it through its first or last
 * pointer, or NULL if it fails; the caller frees the object. Freeing NULL does nothing. The other
 * functions do not check their arguments: the object must exist and have the vertices.
 *
 * A struct that may grow begins with its size, which the caller sets to sizeof; the APSP_..._INIT
 * of its type does this and zeroes the rest. Later versions add members at the end and accept the
 * sizes of all versions from 0.2.0 on; a member that the caller's struct lacks has its default,
 * zero. If a struct is longer than the library knows, the rest must be zero. If it is shorter than
 * in 0.2.0, the call returns APSP_BAD_INPUT. apsp_error does not grow.
 *
 * The library keeps nothing between calls, prints nothing, installs no signal handler and ends no
 * process. Threads may use different objects at the same time, and may share graphs, results and
 * measures as long as nobody frees them; solves on GPUs take turns. The library reads the
 * environment variables APSP_MEMORY_LIMIT and APSP_SIMD (docs/install.md) and those of OpenMP,
 * whose threads solve, prove, write and call sinks. If the system refuses a thread, OpenMP ends the
 * process: if that may happen, ask for one thread.
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
 * engines/rates.json in XDG_CONFIG_HOME or in HOME's .config; a malformed file there is
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

/* "No path", in distances. Real ones lie between -APSP_INF and APSP_INF, both excluded. In min-max
 * the length from a vertex to itself is -APSP_INF; in max-min it is APSP_INF, and -APSP_INF stands
 * for no path. */
#define APSP_INF INT32_C(1073741823)

/* Statuses that functions return. All but APSP_CANCELLED are also exit statuses of the programs. */
typedef enum apsp_status {
    APSP_OK = 0,
    APSP_REFUTED = 1,        /* a proof found the result to be wrong */
    APSP_BAD_INPUT = 2,      /* malformed file, argument out of range, a distance that does not fit,
                                an engine that is not exact for this graph */
    APSP_NEGATIVE_CYCLE = 3, /* there are no shortest paths */
    APSP_NO_RESOURCE = 4,    /* no memory or GPU, or an output that cannot be written */
    APSP_CANCELLED = 5       /* a progress callback or a sink asked to stop */
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
                       integers; 0: they are not multiplied */
    int (*progress)(void *to, int64_t done, int64_t total); /* callback, see the top; NULL: none */
    void *progress_to;
    int type; /* type of the weights of a file: APSP_INT32 (0), for integers only; APSP_FLOAT32;
                 APSP_FLOAT64; or APSP_TYPE_OF_FILE */
    /* For files only. */
    const char *format;        /* a name that apsp_format_at() returns; NULL: the content tells */
    const char *edge_columns;  /* columns of a table, "TAIL,HEAD", by name or number; NULL: their
                                  names tell */
    const char *weight_column; /* column of a table, by name or number; NULL: the format's own */
    int unweighted;            /* not 0: every edge of a file weighs 1 */
    int keep_gaps;             /* not 0: numbers of a list that no edge has are vertices, too */
    int through_zones;         /* not 0: paths may lead through the zones of a TNTP network */
    /* Called with a line, without line feed, on each difference between the graph and the file that
     * it was read from, say edges that were left aside: before apsp_graph_read returns, perhaps in
     * another thread. NULL: not called. */
    void (*note)(void *to, const char *line);
    void *note_to;
    /* Semiring, which says which path is the best (docs/semirings.md): NULL or "min-plus", the
     * least sum of weights; "min-max", the least greatest weight; "max-min", the greatest least
     * one; "max-product", the greatest product of weights in 0 .. 1, which must be of a real type.
     * Only the best of parallel edges counts. Graphs of other semirings than min-plus are for
     * apsp_solve, apsp_solve_rows and apsp_verify, with the engines "apsp", "cpu" and
     * "cuda_sparse". Other functions refuse them, and so do limits, sums along paths, and all sinks
     * but results, files, measures and the caller's own. */
    const char *semiring;
} apsp_reading;
#define APSP_READING_INIT                                                                          \
    { sizeof(apsp_reading), 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL }
/* The weights of the file decide: the type is int32 if all are integers that fit, otherwise
 * float64. If all are integers below 2^53, float64 stands for integers (apsp_graph_is_integral). */
enum { APSP_TYPE_OF_FILE = -1 };

/* Makes a directed graph with n >= 1 vertices from `count` edges in memory: from[e] -> to[e] with
 * weight[e], or 1 if weight is NULL. Only the lightest of parallel edges counts, and a self-loop
 * only if it is a negative cycle. The arrays are copied. The scale and the type of the reading must
 * be 0. */
APSP_API apsp_status apsp_graph_from_edges(apsp_graph **graph, int32_t n, int64_t count,
                                           const int32_t *from, const int32_t *to,
                                           const int32_t *weight, const apsp_reading *reading,
                                           apsp_error *error);

/* Returns the name of a format that apsp_graph_read reads, for index 0, 1, ...; NULL beyond the
 * last one. */
APSP_API const char *apsp_format_at(size_t index);

/* Reads a file of edges in any format of docs/graph-formats.md, plain or compressed by gzip, xz,
 * bzip2 or zip; the content tells the format, and "-" is standard input. APSP_NO_RESOURCE if the
 * graph would take the memory that the library holds in this process over the limit
 * (docs/using.md). Vertices are 0 .. n-1 even if the file numbers them from 1, also in messages,
 * unless a message quotes a line of the file. In lists and tables, every number or word that occurs
 * names a vertex; messages use these names unless they are 0 .. n-1 or 1 .. n
 * (docs/graph-formats.md, vertices). */
APSP_API apsp_status apsp_graph_read(apsp_graph **graph, const char *path,
                                     const apsp_reading *reading, apsp_error *error);

/* Types of weights, and of the distances that they make. "No path" is APSP_INF or, in floating
 * point, infinity. A distance of floating-point weights is defined, not approximated: it is the
 * least, over all paths, of the sum rounded from left to right. So every engine gives the same
 * bits, and apsp_verify needs no tolerance. */
typedef enum apsp_type {
    APSP_INT32 = 0,
    APSP_FLOAT32 = 1,
    APSP_FLOAT64 = 2,
    APSP_UINT16 = 3, /* in apsp_arrays only; "no path" is 65535 */
    APSP_INT64 = 4   /* in apsp_arrays only; "no path" is 2^62 - 1 */
} apsp_type;

/* Edges in memory of the caller: edge e leads from[e] -> to[e] and weighs weight[e]. */
typedef struct apsp_edges {
    size_t size;      /* sizeof(apsp_edges), by which the library knows the caller's version */
    int32_t vertices; /* >= 1 */
    int64_t count;
    const int32_t *from, *to;
    apsp_type type; /* type of the weights; NaN is refused, infinity means no edge, -0.0 means 0 */
    const void *weight;   /* entries are int32_t, float or double; NULL: all weights are 1 */
    const int64_t *first; /* vertices + 1 entries, the first is 0, the last is count: the edges from
                             v are first[v] .. first[v + 1] - 1, and `from` is not read. NULL:
                             `from` has the tails */
    int lent; /* not 0: `to` and `weight` are memory that the library may write to and that stays
                 until the graph is freed, so that the graph need not have its own */
    int32_t zones; /* vertices 0 .. zones - 1 are zones, as in a TNTP network: a path may begin or
                      end at a zone, but leads through none */
    int integral;  /* not 0: float64 weights stand for integers (apsp_graph_is_integral); those that
                      are no integers below 2^53 are refused */
} apsp_edges;
#define APSP_EDGES_INIT                                                                            \
    { sizeof(apsp_edges), 0, 0, NULL, NULL, APSP_INT32, NULL, NULL, 0, 0, 0 }

/* Like apsp_graph_from_edges, for weights of any type. Edges given by `first` with ascending heads
 * in each row need not be sorted, so that the graph is made in a third of the memory. If they are
 * also lent, with weights of int32 or float64, the graph needs 8 bytes of memory per vertex beside
 * the caller's arrays. Lent arrays are garbage after a failure. */
APSP_API apsp_status apsp_graph_make(apsp_graph **graph, const apsp_edges *edges,
                                     const apsp_reading *reading, apsp_error *error);
APSP_API apsp_type apsp_graph_type(const apsp_graph *graph);

/* 1 if the weights are integers: those of int32, or float64 that stands for integers which int32
 * has no room for (apsp_graph_read, apsp_graph_make, apsp_graph_widen). Distances of such a float64
 * graph are exact and below 2^53, or refused, and are int64 in files. Otherwise 0. */
APSP_API int apsp_graph_is_integral(const apsp_graph *graph);

APSP_API void apsp_graph_free(apsp_graph *graph);

APSP_API int32_t apsp_graph_vertices(const apsp_graph *graph);

/* Return the number of edges: the first function as the input counts them, the second one without
 * parallel edges and self-loops. */
APSP_API int64_t apsp_graph_edges_read(const apsp_graph *graph);
APSP_API int64_t apsp_graph_edges(const apsp_graph *graph);

/* Copies the name by which the graph's file calls vertex v, a number or a word, up to size - 1
 * bytes and ended by '\0'. Returns the length of all of it, as snprintf does. */
APSP_API size_t apsp_graph_vertex_name(const apsp_graph *graph, int32_t v, char *name, size_t size);

/* Returns whether there is an edge; if so, stores its weight in *weight, unless that is NULL or the
 * weights are not int32. O(log degree). */
APSP_API int apsp_graph_find_edge(const apsp_graph *graph, int32_t from, int32_t to,
                                  int32_t *weight);

/* Like apsp_graph_find_edge, for weights of any type. */
APSP_API int apsp_graph_find_weight(const apsp_graph *graph, int32_t from, int32_t to,
                                    double *weight);

/* Shows the edges of a graph, without parallel ones and self-loops, in rows with ascending heads:
 * sets vertices, count, first, to, weight, zones, type to APSP_INT32 or APSP_FLOAT64, and `from` to
 * NULL. The arrays belong to the graph and last until it is freed. APSP_BAD_INPUT if the size is
 * less than that of 0.2.0, or if the graph has zones and the caller's struct does not. */
APSP_API apsp_status apsp_graph_view(const apsp_graph *graph, apsp_edges *edges, apsp_error *error);

/* Recognizes a file that apsp_graph_read does not read, but apsp.read of the Python package does.
 * Returns the format, such as "graphml" or "npy", of a file that begins with `bytes`, its first
 * 4096 bytes or all, decompressed; NULL if they show no such format. The text belongs to the
 * library. */
APSP_API const char *apsp_foreign_format(const void *bytes, size_t size);

/* CRC-32 of the graph, the same for every file format and order of edges. */
APSP_API uint32_t apsp_graph_checksum(const apsp_graph *graph);

/* Makes the same graph with weights of APSP_FLOAT64: distances of int32 weights are exact in it up
 * to 2^53. */
APSP_API apsp_status apsp_graph_widen(const apsp_graph *graph, apsp_graph **wide,
                                      apsp_error *error);

/* Finds the negative cycle that apsp_solve names. If there is one, returns APSP_NEGATIVE_CYCLE and
 * stores the cycle, vertices[0] -> vertices[1] -> ... -> vertices[*length - 1] -> vertices[0], and
 * its weight, 0 if weights are not int32; otherwise APSP_OK and *length = 0. `vertices` has room
 * for n. */
APSP_API apsp_status apsp_graph_negative_cycle(const apsp_graph *graph, int32_t *vertices,
                                               int32_t *length, int64_t *weight, apsp_error *error);

/* Like apsp_graph_negative_cycle, for the cycle that apsp_solve_rows names in a request of these
 * sources; NULL stands for all vertices. */
APSP_API apsp_status apsp_graph_reached_cycle(const apsp_graph *graph, const int32_t *sources,
                                              int32_t source_count, int32_t *vertices,
                                              int32_t *length, int64_t *weight, apsp_error *error);

/* Solving. */

/* One way to solve. The texts belong to the library. */
typedef struct apsp_engine {
    size_t size;                /* sizeof(apsp_engine), set by the caller */
    const char *name, *variant; /* such as "cpu", "blocked": see apsp_options */
    const char *summary;        /* one line that describes the variant */
    const char *source;         /* publication of the algorithm */
    int is_default;             /* not 0: it is the engine's default variant */
    int uses_gpu;               /* not 0: it needs a GPU, and a library built with CUDA */
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

#define APSP_ALL_DEVICES (-1)

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
    int (*progress)(void *to, int64_t done, int64_t total); /* callback, see the top; NULL: none */
    void *progress_to;
    /* Numbers of the GPUs that solve together, if the engine can: device_count different ones. If
     * device_count is APSP_ALL_DEVICES, all GPUs of this host do; if it is 0, only `device` does.
     * "apsp" takes as many of them as are predicted to pay. */
    const int *devices;
    int device_count;
} apsp_options;
#define APSP_OPTIONS_INIT                                                                          \
    { sizeof(apsp_options), NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL, 0 }

typedef struct apsp_result apsp_result;

/* Checks whether `bytes`, which the caller will hold for n vertices, fit into memory beside the
 * bytes that the library holds. APSP_NO_RESOURCE if they do not; APSP_BAD_INPUT if
 * APSP_MEMORY_LIMIT is malformed. The library checks its own memory by itself. */
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

/* The rows of a result. The first function returns how many there are; the second one the source of
 * each row, NULL if row v is that of vertex v; the third one the row of a source, -1 if it has
 * none. */
APSP_API int32_t apsp_result_rows(const apsp_result *result);
APSP_API const int32_t *apsp_result_sources(const apsp_result *result);
APSP_API int32_t apsp_result_row(const apsp_result *result, int32_t from);

/* Return the limit of a result: pairs that are farther apart count as pairs without a path. The
 * first function is for int32 distances: it rounds down, and APSP_INF means no limit. The second
 * one is for distances of any type: infinity means no limit. */
APSP_API int32_t apsp_result_limit(const apsp_result *result);
APSP_API double apsp_result_real_limit(const apsp_result *result);

/* The matrices, row-major: the entry for the path from the source of row r to j is at
 * [r * leading + j], with *leading >= n. A distance is APSP_INF if there is no path. A predecessor
 * is the vertex before j on a shortest path, or -1 if there is none or j is the source. A result
 * with distances only has NULL for predecessors. The matrices belong to the result.
 * apsp_result_cells returns distances of any type; apsp_result_distances returns NULL unless they
 * are int32. */
APSP_API apsp_type apsp_result_type(const apsp_result *result);
APSP_API const int32_t *apsp_result_distances(const apsp_result *result, size_t *leading);
APSP_API const void *apsp_result_cells(const apsp_result *result, size_t *leading);
APSP_API const int32_t *apsp_result_predecessors(const apsp_result *result, size_t *leading);

/* apsp_result_distance returns one int32 distance, APSP_NO_ROW if `from` has no row or the
 * distances are not int32. apsp_result_path stores the vertices of one shortest path in order,
 * path[0] = from .. path[*length - 1] = to. `path` has room for n; *length is 0 if there is no
 * path. It returns APSP_BAD_INPUT if a vertex is out of range, if `from` has no row, if the result
 * has no predecessors, or if predecessors do not lead to `from`, which can happen in a result that
 * was read. */
#define APSP_NO_ROW INT32_MIN
APSP_API int32_t apsp_result_distance(const apsp_result *result, int32_t from, int32_t to);
/* Returns a distance of any type: infinity if there is no path, NaN if `from` has no row. */
APSP_API double apsp_result_length(const apsp_result *result, int32_t from, int32_t to);
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

/* Returns whether the result names its graph; if so, stores that graph's checksum. */
APSP_API int apsp_result_checksum(const apsp_result *result, uint32_t *checksum);

/* A wrong entry of a result, and the evidence. Before the call all members but the size are zero.
 */
typedef struct apsp_refutation {
    size_t size;        /* sizeof(apsp_refutation), set by the caller */
    char check;         /* 'a', 'b' or 'c' of docs/certificate.md; '-': the number of vertices is
                           not the graph's */
    const char *reason; /* a few words, such as "an edge is shorter", which the library owns */
    int32_t from, to;   /* source and target of the entry; -1: the number of vertices is wrong */
    int32_t distance;   /* the wrong distance; 0 unless distances are int32 */
    int32_t via;  /* the predecessor, the tail of the edge into `to`, or a vertex of a cycle of
                     predecessors; -1: none of these */
    int has_edge; /* not 0: via_distance and weight are set */
    int32_t via_distance, weight; /* distance from `from` to `via`, and weight of via -> to; 0
                                     unless they are int32 */
    apsp_type type; /* type of the weights; distance, via_distance and weight of any type follow */
    double length, via_length, edge_length;
} apsp_refutation;
#define APSP_REFUTATION_INIT                                                                       \
    { sizeof(apsp_refutation), 0, NULL, 0, 0, 0, 0, 0, 0, 0, APSP_INT32, 0, 0, 0 }

/* Proves or refutes any result of k rows in O(k (n + m)). APSP_OK if it is proved; APSP_REFUTED,
 * with a message and, unless NULL, *refutation, if it is wrong. Uses only threads and progress of
 * the options, which may be NULL. */
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

/* Reads a result, of all vertices or of some sources. If the path is PREFIX.dist.npy, or PREFIX and
 * no file has that name, it reads NumPy files, otherwise text, plain or compressed. Only
 * apsp_verify tells whether the result is right.
 */
APSP_API apsp_status apsp_result_read(apsp_result **result, const char *path, apsp_error *error);

/* Like apsp_result_read, for distances of the type that a graph of that type has: APSP_INT32,
 * APSP_FLOAT32 or APSP_FLOAT64. */
APSP_API apsp_status apsp_result_read_as(apsp_result **result, const char *path, apsp_type type,
                                         apsp_error *error);

/* Rows. */

/* An answer consists of rows: the distances from one source to all vertices. apsp_solve_rows hands
 * them on in blocks while it computes them, so that a graph may be too large for a matrix.
 *
 *     static apsp_status take(void *self, const apsp_rows *rows, apsp_error *error) {
 *         const int32_t *distances = rows->distances;
 *         for (int32_t r = 0; r < rows->count; r++)
 *             use(self, rows->sources[r], distances + r * rows->leading);
 *         return APSP_OK;
 *     }
 *     ...
 *     apsp_sink sink = APSP_SINK_INIT;
 *     const apsp_sink *sinks[] = {&sink};
 *     sink.take = take;
 *     status = apsp_solve_rows(graph, NULL, NULL, sinks, 1, &error); */

/* A block of rows. The entry for sources[r] and vertex j is at [r * leading + j]. The block belongs
 * to the library and lasts for the call that gets it. */
typedef struct apsp_rows {
    size_t size;                 /* size of the struct in this version of the library */
    int32_t count, vertices;     /* number of rows, number of columns */
    const int32_t *sources;      /* source of each row */
    const int32_t *positions;    /* place of each row in the answer: 0 .. (number of sources) - 1 */
    const void *distances;       /* int32_t, float or double */
    const int32_t *predecessors; /* predecessors as in a result; NULL if no sink wants them */
    size_t leading;              /* entries from one row to the next in both matrices */
    apsp_type type;
    int proved; /* not 0: the rows are proved, because the request asked for it */
} apsp_rows;

/* Needs of a caller's sink. If it needs nothing, it gets blocks as they come, from several threads
 * at the same time.
 *
 * Order takes memory and time: rows are solved in rounds. A round has as many rows as fit into 256
 * MiB, or into a quarter of the memory that is left, 64 at the least, and the engine prepares the
 * graph again in each round. Engines that need a matrix have one round. */
enum {
    APSP_NEEDS_ORDER = 1, /* blocks come one at a time, rows by ascending position */
    APSP_NEEDS_PREDECESSORS = 2,
    APSP_NEEDS_ONE_AT_A_TIME = 4
};

/* A sink. The library calls begin once, in the thread that works, with the number of rows and
 * vertices; then take for every block, so that the sink gets every row once; and, if begin
 * succeeded, end once with the status of the solve. begin and end may be NULL. Each function
 * returns APSP_OK, or ends the solve with its status, APSP_CANCELLED to stop, and with the line
 * that it stores in *error, which is never NULL. Other threads may still be in take then, but begin
 * no more calls. A sink must not free what the solve uses. */
typedef struct apsp_sink {
    size_t size; /* sizeof(apsp_sink), by which the library knows the caller's version */
    apsp_status (*begin)(void *self, int32_t rows, int32_t vertices, apsp_type type,
                         apsp_error *error);
    apsp_status (*take)(void *self, const apsp_rows *rows, apsp_error *error);
    apsp_status (*end)(void *self, apsp_status how, apsp_error *error);
    void *self;
    unsigned needs; /* APSP_NEEDS_..., added up */
} apsp_sink;
#define APSP_SINK_INIT                                                                             \
    { sizeof(apsp_sink), NULL, NULL, NULL, NULL, 0 }

/* The rows that are wanted, and how. If all members but the size are zero, or a pointer to it is
 * NULL, the rows of all vertices are wanted, in order. */
typedef struct apsp_request {
    size_t size; /* sizeof(apsp_request), by which the library knows the caller's version */
    const int32_t *sources; /* different vertices, in the order of the rows; NULL: every vertex */
    int32_t source_count;   /* 0 if sources is NULL */
    int32_t block;          /* most rows of a block; 0 and numbers above 64 mean 64 */
    int check;              /* not 0: every block is proved before it is handed on; one that is
                               refuted ends the solve with APSP_REFUTED */
    double limit; /* pairs that are farther apart count as pairs without a path, for weights of 0 or
                     more; 0 or infinity: no limit. It is rounded down for int32 distances, so that
                     0.5 stands for the limit 0. For any type, DBL_TRUE_MIN, the least positive
                     number, stands for the limit 0 */
    int *out_of_range; /* set to 1 if a distance does not fit in int32, so that the solve fails (not
                          in a graph of apsp_graph_widen); otherwise to 0. NULL: not wanted */
    int limit_is_exact; /* not 0: `limit` is the limit also if it is 0 or DBL_TRUE_MIN */
    double grid; /* above 0: float64 weights are rounded to multiples of the largest power of two
                    that is not above `grid`, positive weights to positive ones; 0: they are rounded
                    only if measures alone are wanted of many rows of a sparse graph, to 2^-52 of a
                    bound of the distances, unless they are on such a grid; below 0: they are not
                    rounded. Measures and files say how weights were rounded */
    /* Further numbers of edges, finite, that add up along shortest paths, say kilometres where
     * weights are minutes: number c of edge e is along[c * m + e], in the order of the m edges of
     * apsp_graph_view. Of several shortest paths the one counts whose sum of the first number is
     * the least, then that of the second, and so on. The sum for the row at position p and vertex v
     * is stored at sums[(c * rows + p) * n + v], infinity if there is no path. With `check` sums
     * are proved, too. APSP_BAD_INPUT if a cycle of weight 0 makes them less and less. */
    int along_count;     /* 1 .. APSP_ALONG_MAX; 0 if along is NULL */
    const double *along; /* the numbers, along_count * m; NULL: none */
    double *sums;        /* gets the sums, along_count * rows * n */
} apsp_request;
enum { APSP_ALONG_MAX = 16 };
#define APSP_REQUEST_INIT                                                                          \
    { sizeof(apsp_request), NULL, 0, 0, 0, 0, NULL, 0, 0, 0, NULL, NULL }

/* Solves for some sources or all and hands every row to every sink, in memory O(block * n) with
 * engines that need no matrix; "apsp" takes such an engine if a matrix does not fit. Predecessors
 * are computed if a sink wants them: sinks of the caller that say so, and results and files unless
 * options->distances_only. Statuses are those of apsp_solve, and those of sinks; a negative cycle
 * that no source reaches does no harm. Sinks end in their order; if one fails then, those after it
 * end with its status, and only files before it are complete. */
APSP_API apsp_status apsp_solve_rows(const apsp_graph *graph, const apsp_request *request,
                                     const apsp_options *options, const apsp_sink *const *sinks,
                                     size_t sink_count, apsp_error *error);

/* Sinks of the library. Each serves one solve, and the caller frees it, which discards what is not
 * complete.
 *   - a file, as apsp_result_write makes it. APSP_NPY is written while rows come; APSP_TEXT is kept
 *     in memory until the end;
 *   - a result in memory, which is stored in *result if the solve succeeds, else NULL;
 *   - measures, which are stored in *measures in the same way. */
APSP_API apsp_status apsp_sink_file(apsp_sink **sink, const char *path, apsp_format format,
                                    apsp_error *error);
APSP_API apsp_status apsp_sink_result(apsp_sink **sink, apsp_result **result, apsp_error *error);

/* Files of rows, in any format that the programs write. */
typedef struct apsp_files {
    size_t size;        /* sizeof(apsp_files), by which the library knows the caller's version */
    const char *path;   /* path of the text, or the PREFIX of PREFIX.dist.npy, PREFIX.npz and the
                           files beside these */
    const char *format; /* as --format of the programs has it: "text", "npy", "npy:uint8",
                           "npy:uint16", "npy:auto" or "npz"; NULL: "npy" */
    const int32_t *targets; /* vertex of each column, all different; NULL: every vertex has one */
    int32_t target_count;   /* 0 if targets is NULL */
    /* Since 0.2: */
    int resume;         /* 1: a call that fails or is stopped leaves the rows that are finished in
                           PREFIX.partial, and the next call with the same request goes on with
                           them, as --resume of the programs does; 0: it leaves nothing */
    int32_t *rows_kept; /* unless NULL, the call stores here how many finished rows it has found;
                           the variable must stay valid as long as the sink */
} apsp_files;
#define APSP_FILES_INIT                                                                            \
    { sizeof(apsp_files), NULL, NULL, NULL, 0, 0, NULL }

/* A sink that writes such files, as apsp_sink_file does. Text and npz are kept in memory until the
 * end, of npz only the finite distances. With "npz", and with targets, there are distances only.
 * "npy:auto" takes the smallest type that is certain to hold all distances. APSP_BAD_INPUT ends the
 * solve if a distance does not fit in the format's type, if the graph lacks a target, or if the
 * rows in PREFIX.partial are those of another request. Only one sink of a solve may resume; its
 * format is one of NumPy's, and all other sinks take rows in any order. It also goes on with rows
 * that the program apsp has kept. The struct and its arrays may be freed after the call, except
 * rows_kept. */
APSP_API apsp_status apsp_sink_files(apsp_sink **sink, const apsp_files *files, apsp_error *error);

/* Arrays of the caller for an answer, whose row p begins at the entry p * leading. */
typedef struct apsp_arrays {
    size_t size;    /* sizeof(apsp_arrays), by which the library knows the caller's version */
    apsp_type type; /* type of the entries of `distances`; for a graph of real weights APSP_FLOAT32,
                       APSP_FLOAT64 or, if they stand for integers, APSP_INT64 */
    void *distances;
    int32_t *predecessors; /* NULL: none */
    size_t leading;        /* entries from one row to the next in both matrices */
    double divisor;        /* distances are divided by it, in float and double only; 0 means 1 */
    double limit; /* pairs farther apart count as pairs without a path; below 0: no limit */
    int32_t no_predecessor; /* is stored where there is no predecessor */
} apsp_arrays;
#define APSP_ARRAYS_INIT                                                                           \
    { sizeof(apsp_arrays), APSP_INT32, NULL, NULL, 0, 0, -1, -1 }

/* A sink that stores rows in arrays of the caller, which last until the solve ends. APSP_BAD_INPUT
 * ends the solve if a distance does not fit into 16 bits, is larger than a float or, for
 * APSP_INT64, is no integer below 2^53. */
APSP_API apsp_status apsp_sink_arrays(apsp_sink **sink, const apsp_arrays *arrays,
                                      apsp_error *error);

/* Betweenness: each pair of a source and another vertex counts once, and is divided among its
 * shortest paths. In an undirected graph every pair counts from either end. Parallel edges count as
 * one. */
typedef struct apsp_betweenness {
    size_t size;            /* sizeof(apsp_betweenness), by which the library knows the version */
    const int32_t *sources; /* different vertices; NULL: all */
    int32_t source_count;   /* 0 if sources is NULL */
    /* A finite number of 0 or more for each vertex: the pair of s and t counts
     * from_mass[s] * to_mass[t] times. NULL: all are 1. */
    const double *from_mass, *to_mass;
    int endpoints;      /* not 0: a vertex gets the pairs that it is an end of, too */
    const char *engine; /* "searches": Brandes' algorithm; "classes": elimination and classes of
                           rows, where they can be; NULL or "auto": whichever is predicted to be
                           faster */
    int threads;        /* 0: one per core */
    double grid;        /* as in apsp_request; but at 0, weights of float64 that are on no grid are
                           always rounded to one, on which ties are exact */
    int (*progress)(void *to, int64_t done, int64_t total); /* callback, see the top; NULL: none */
    void *progress_to;
    double *vertices; /* gets the betweenness of each vertex, from paths through it that end
                         elsewhere; NULL: not wanted */
    double *edges;    /* gets the betweenness of each edge of apsp_graph_view; NULL: not wanted */
    double grid_spacing; /* is set to the number whose multiples weights were rounded to; 0: no
                            rounding */
    double grid_error;   /* is set to the most that rounding may have changed a distance */
    int is_undirected;   /* is set to not 0 if each edge leads back with the same weight */
    const char *chosen;  /* is set to the engine that was taken */
    /* Trips to load in place of all pairs, without sources and masses: trips[k] of them, finite and
     * 0 or more, from vertex trip_from[k] to vertex trip_to[k]. */
    int64_t trip_count;                 /* 0 if trip_from is NULL */
    const int32_t *trip_from, *trip_to; /* trip_count each; NULL: pairs are loaded */
    const double *trips;                /* trip_count numbers of trips; NULL: one each */
    /* Are set, for trips and for pairs with a decay, to the number that arrive at another vertex,
     * to the number that end where they begin, to the number of trips without a path, and to the
     * sum of the lengths of all that arrive. */
    double trips_arrived, trips_within, trips_without_path, trips_length;
    /* A length, in the unit of the weights: pairs count exp(-distance / decay) times as much. 0:
     * there is no decay. */
    double decay;
} apsp_betweenness;
#define APSP_BETWEENNESS_INIT                                                                      \
    {                                                                                              \
        sizeof(apsp_betweenness), NULL, 0, NULL, NULL, 0, NULL, 0, 0, NULL, NULL, NULL, NULL, 0,   \
            0, 0, NULL, 0, NULL, NULL, NULL, 0, 0, 0, 0, 0                                         \
    }

/* Finds the betweenness of vertices and edges, exactly but for the rounding of float64 shares, and
 * the same bits with any number of threads. APSP_BAD_INPUT for weights below 0 and for a cycle of
 * weight 0, on which there is no number of shortest paths. */
APSP_API apsp_status apsp_betweenness_find(const apsp_graph *graph, apsp_betweenness *betweenness,
                                           apsp_error *error);

/* Accessibility: what can be reached from each vertex, weighted by how far it is. Every vertex has
 * the same number of masses, say jobs and shops; a source itself counts, at distance 0, and
 * vertices without a path from it do not. */
typedef struct apsp_accessibility {
    size_t size;            /* sizeof(apsp_accessibility), by which the library knows the version */
    const int32_t *sources; /* different vertices; NULL: all */
    int32_t source_count;   /* 0 if sources is NULL */
    int32_t mass_count;     /* masses of each vertex, 1 or more */
    const double *masses; /* mass m of vertex v is masses[v * mass_count + m], finite, 0 or more */
    int32_t decay_count;  /* number of decays; 0: no decayed sums are wanted */
    int32_t limit_count;  /* number of limits; 0: no sums within limits are wanted */
    const double *decays; /* 1e-300 .. 1e300, in the unit of the weights */
    const double *limits; /* 0 or more, in the unit of the weights, in any order */
    const char *engine;   /* for decayed sums, "searches": Dijkstra's algorithm; "classes":
                             elimination and classes of rows, where they can be, of many sums on a
                             GPU if there is one; NULL or "auto": whichever is predicted to be
                             faster */
    int threads;          /* 0: one per core */
    double grid;          /* as in apsp_betweenness */
    int (*progress)(void *to, int64_t done, int64_t total); /* callback, see the top; NULL: none */
    void *progress_to;
    /* Gets decayed[(source * decay_count + j) * mass_count + m], by position of the source: the sum
     * over vertices t of mass m of t times exp(-distance / decays[j]). NULL if decay_count is 0. */
    double *decayed;
    /* Gets within[(source * limit_count + j) * mass_count + m]: the sum of mass m of the vertices
     * at distances of at most limits[j]. NULL if limit_count is 0. */
    double *within;
    double grid_spacing; /* is set to the number whose multiples weights were rounded to; 0: no
                            rounding */
    double grid_error;   /* is set to the most that rounding may have changed a distance */
    const char *chosen;  /* is set to the engine that was taken for decayed sums */
} apsp_accessibility;
#define APSP_ACCESSIBILITY_INIT                                                                    \
    {                                                                                              \
        sizeof(apsp_accessibility), NULL, 0, 0, NULL, 0, 0, NULL, NULL, NULL, 0, 0, NULL, NULL,    \
            NULL, NULL, 0, 0, NULL                                                                 \
    }

/* Finds the accessibility of all sources, the same bits with any number of threads. A decayed sum
 * has a relative error of at most (2 D / decay + n + 64) 2^-53, D being the largest distance that
 * counts, but terms at distances beyond 700 decays, whose factor is below 1e-304, may be missing.
 * Sums within limits are exact if masses are whole numbers that add up to at most 2^53.
 * APSP_BAD_INPUT for weights below 0, for masses, decays and limits out of their ranges, and for
 * more than 65536 sums of a source of one kind. */
APSP_API apsp_status apsp_accessibility_find(const apsp_graph *graph,
                                             apsp_accessibility *accessibility, apsp_error *error);

/* The nearest of some facilities from each vertex; with k = 1, the network Voronoi diagram. */
typedef struct apsp_nearest {
    size_t size;               /* sizeof(apsp_nearest), by which the library knows the version */
    const int32_t *facilities; /* different vertices; of several at the same distance the earlier
                                  ones are preferred */
    int32_t facility_count;    /* 1 or more */
    int32_t k;                 /* number of facilities that are wanted of each vertex, 1 or more */
    double grid;               /* as in apsp_betweenness */
    int (*progress)(void *to, int64_t done, int64_t total); /* callback, see the top; NULL: none */
    void *progress_to;
    /* nearest and distances get k entries for each vertex, by ascending distance from it; either
     * may be NULL. */
    int32_t *nearest;    /* the facility's place in `facilities`; -1: there is none */
    double *distances;   /* its distance; infinite: there is none */
    double grid_spacing; /* is set to the number whose multiples weights were rounded to; 0: no
                            rounding */
    double grid_error;   /* is set to the most that rounding may have changed a distance */
} apsp_nearest;
#define APSP_NEAREST_INIT                                                                          \
    { sizeof(apsp_nearest), NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0 }

/* Finds the k nearest facilities of all vertices by one search from the facilities backwards, in
 * O(k (m + n) log n). APSP_BAD_INPUT for weights below 0. */
APSP_API apsp_status apsp_nearest_find(const apsp_graph *graph, apsp_nearest *nearest,
                                       apsp_error *error);

/* Diameter, radius and eccentricities by searches from a few vertices, which bound all others. */
typedef struct apsp_eccentricity {
    size_t size;       /* sizeof(apsp_eccentricity), by which the library knows the version */
    int diameter_only; /* 1: the diameter is found without the radius; 0: both are found */
    int if_connected;  /* 1: a graph with several components is not searched; 0: its largest finite
                          distance is found */
    int check;         /* 1: prove the distances of all searches (APSP_REFUTED) */
    int threads;       /* 0: one per core */
    int32_t most_sources; /* most vertices that are searched from; 0: no limit */
    int (*progress)(void *to, int64_t done, int64_t total); /* callback, see the top; NULL: none */
    void *progress_to;
    /* Gets the eccentricity of each vertex, its largest distance to a vertex that it reaches. NULL:
     * they are not wanted, which mostly takes far fewer searches. */
    double *eccentricities;
    /* Get the vertices whose eccentricity is the radius, and the diameter, ascending; have room for
     * all. NULL: they are not wanted. */
    int32_t *center, *periphery;
    /* All members below are set by the library. */
    int closed;         /* 0: the search ended at most_sources: diameter and radius are NAN,
                           largest_distance is the largest found, and arrays are unchanged */
    int directed;       /* 1: some edge has no reverse of the same weight */
    int out_of_range;   /* 1, after APSP_BAD_INPUT: a distance does not fit in int32 */
    int32_t components; /* number of strongly connected components; above 1: diameter and radius are
                           infinite, and center and periphery have no vertices */
    double diameter, radius; /* the largest and the least eccentricity; the radius is NAN if it was
                                not wanted */
    double largest_distance; /* the largest finite distance */
    int32_t largest_from, largest_to; /* a pair that has it; -1: nothing was searched */
    int32_t central; /* a vertex whose eccentricity is the radius; -1: the radius is infinite or
                        unknown */
    int32_t center_count, periphery_count;
    int32_t sources;  /* number of vertices that were searched from */
    int32_t searches; /* number of searches from these vertices and, if directed, to these */
    int32_t proved;   /* number of searches whose distances were proved */
} apsp_eccentricity;
#define APSP_ECCENTRICITY_INIT                                                                     \
    {                                                                                              \
        sizeof(apsp_eccentricity), 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0,  \
            0, 0, 0, 0, 0, 0, 0, 0, 0                                                              \
    }

/* Finds diameter, radius and eccentricities exactly, the same with any number of threads, in
 * O(searches (m + n log n)). APSP_BAD_INPUT for weights below 0, zones, and int32 distances of
 * 2^30 - 1 or more: apsp_sink_measures takes negative weights and zones, and apsp_graph_widen makes
 * room for large distances. Progress counts searches, out of the most that there may be. */
APSP_API apsp_status apsp_eccentricity_find(const apsp_graph *graph,
                                            apsp_eccentricity *eccentricity, apsp_error *error);

/* Searches from a few vertices in the caller's own rows of edges, which no graph is made of. */
typedef struct apsp_search {
    size_t size;          /* sizeof(apsp_search), by which the library knows the caller's version */
    int32_t vertices;     /* >= 1 */
    int is_wide;          /* not 0: entries of `first` and `to` are int64_t; 0: int32_t */
    int64_t count;        /* entries of `to` and `weight`; may be more than first[vertices] */
    const void *first;    /* vertices + 1 entries, the first is 0: the edges from v are first[v] ..
                             first[v + 1] - 1 */
    const void *to;       /* head of each edge, in any order; parallel edges and loops do no harm */
    const double *weight; /* NULL: all are 1 */
    int undirected;       /* not 0: every edge leads both ways */
    int together; /* not 0: the answer is one row, the distances from the nearest of all sources */
    const int32_t *sources; /* NULL: all vertices */
    int32_t source_count;
    int threads;       /* 0: one per core, if the work is worth that */
    double limit;      /* pairs farther apart count as pairs without a path; below 0: no limit */
    double *distances; /* a row of `vertices` entries for each source, infinite for no path */
    int32_t *predecessors; /* rows of predecessors, as large as distances; NULL: not wanted */
    int32_t *nearest; /* if `together`, and with predecessors: the nearest source of each vertex;
                         NULL: not wanted */
    int32_t no_predecessor; /* is stored where there is no predecessor, or no nearest source */
    int (*progress)(void *to, int64_t done, int64_t total); /* callback, see the top; NULL: none */
    void *progress_to;
} apsp_search;
#define APSP_SEARCH_INIT                                                                           \
    {                                                                                              \
        sizeof(apsp_search), 0, 0, 0, NULL, NULL, NULL, 0, 0, NULL, 0, 0, -1, NULL, NULL, NULL,    \
            -1, NULL, NULL                                                                         \
    }

/* Finds the distances from some vertices by Dijkstra's algorithm without making a graph: beside one
 * look through the weights and the rows of the answer, nothing is touched but what a search
 * reaches. Sets *searched to 0, and leaves garbage in the arrays, if that cannot be done or is not
 * worth it: if some weight is below 0, NaN, or so large that a sum may not be finite; if edges that
 * are reached are out of range, or their heads are no vertices; or for so many sources that
 * apsp_solve_rows is expected to be faster. Then call apsp_graph_make and apsp_solve_rows, which
 * say what is wrong. Distances are the same as theirs, bit for bit. */
APSP_API apsp_status apsp_search_rows(const apsp_search *search, int *searched, apsp_error *error);

/* A sink that keeps rows in the memory of a GPU; an engine that has them there copies them within
 * that memory. The matrices are row after row, as those of a result (apsp_result_cells) without
 * padding; they are complete, and any stream may read them. Predecessors are NULL if there are
 * none. APSP_NO_RESOURCE ends the solve if there is no such GPU, or not enough memory. */
typedef struct apsp_device_matrix apsp_device_matrix;
APSP_API apsp_status apsp_sink_device(apsp_sink **sink, int device, apsp_device_matrix **matrix,
                                      apsp_error *error);
APSP_API const void *apsp_device_matrix_cells(const apsp_device_matrix *matrix);
APSP_API const int32_t *apsp_device_matrix_predecessors(const apsp_device_matrix *matrix);
APSP_API void apsp_device_matrix_free(apsp_device_matrix *matrix);

/* Measures: what is computed from the rows and kept instead of them, in memory O(n). Names and
 * values are NetworkX's; docs/using.md has the differences. */
typedef struct apsp_measures apsp_measures;
APSP_API apsp_status apsp_sink_measures(apsp_sink **sink, apsp_measures **measures,
                                        apsp_error *error);

/* Parts of the measures that can be left out: they need every single distance, and take longer than
 * all other measures together. */
typedef enum apsp_measure_part {
    APSP_PART_HARMONIC = 1, /* APSP_HARMONIC of the vertices, and global_efficiency */
    APSP_PART_HISTOGRAM = 2 /* apsp_measures_histogram and apsp_measures_bins */
} apsp_measure_part;

/* apsp_sink_measures with only those of the parts whose bits are in `parts`; the other measures are
 * the same, to the last bit. Of a part that is missing, measures of vertices are APSP_BAD_INPUT and
 * global_efficiency is NaN; there are no bins, and apsp_measures_write leaves them out. Bits of no
 * part are APSP_BAD_INPUT here. */
APSP_API apsp_status apsp_sink_measures_of(apsp_sink **sink, unsigned parts,
                                           apsp_measures **measures, apsp_error *error);

/* Returns the bit of the part to which the measure of that name in the files (docs/measures.md)
 * belongs; 0 if it belongs to none, and if there is no such measure. NULL: the bits of all
 * parts. */
APSP_API unsigned apsp_measures_part(const char *name);
APSP_API void apsp_sink_free(apsp_sink *sink);
APSP_API void apsp_measures_free(apsp_measures *measures);

/* Measures of the pairs of a source and another vertex, and of the graph. */
typedef struct apsp_graph_measures {
    size_t size;                       /* sizeof(apsp_graph_measures), set by the caller */
    int32_t vertices, sources;         /* number of vertices, number of sources */
    int all_sources;                   /* not 0: every vertex is a source */
    int directed;                      /* not 0: some edge has no reverse of its weight */
    int64_t pairs, pairs_without_path; /* number of all pairs, number of pairs without a path */
    /* The sum of all finite distances: distance_sum_high * 2^64 + distance_sum_low if distances are
     * integers (apsp_graph_is_integral), otherwise these two are 0; and, rounded once,
     * distance_sum. */
    int64_t distance_sum_high;
    uint64_t distance_sum_low;
    double distance_sum;
    double average_distance;          /* of the pairs that have a path; 0 if none has */
    int32_t largest_distance;         /* 0 if none is positive, or distances are not int32 */
    int32_t largest_from, largest_to; /* first pair at that distance, by numbers of vertices */
    /* Members from here to global_efficiency are set only if all_sources, without a limit.
     * Components are connected in an undirected graph, strongly connected in a directed one: their
     * number, and the number of vertices of the largest. If there are several, diameter, radius,
     * average_shortest_path_length and wiener_index are infinite. In a graph of another
     * semiring than min-plus, the diameter is the worst length and the radius the best
     * eccentricity; both are the length of no path if there are several components. The other three
     * members are NaN in such a graph. */
    int32_t components, largest_component;
    double diameter, radius;
    double average_shortest_path_length; /* 0 if there is one vertex */
    double wiener_index;                 /* over unordered pairs if the graph is undirected */
    double global_efficiency;
    double largest_length; /* largest distance between two vertices, as float64 for every type; in
                              another semiring the worst length, infinite if no pair has a path */
    double grid;           /* weights were rounded to multiples of it; 0: they were not rounded */
    double grid_error;     /* the most that rounding may have changed a distance */
} apsp_graph_measures;
#define APSP_GRAPH_MEASURES_INIT                                                                   \
    {                                                                                              \
        sizeof(apsp_graph_measures), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   \
            0, 0, 0                                                                                \
    }

/* Fills *values, up to its size. APSP_BAD_INPUT if the size is less than that of 0.2.0. */
APSP_API apsp_status apsp_measures_graph(const apsp_measures *measures, apsp_graph_measures *values,
                                         apsp_error *error);

/* Measures of a vertex are about the finite distances from it or to it. */
typedef enum apsp_direction { APSP_OUTWARDS = 0, APSP_INWARDS = 1 } apsp_direction;
typedef enum apsp_vertex_measure {
    APSP_ECCENTRICITY = 0, /* the largest of these distances */
    APSP_REACHED = 1,      /* the number of these distances, the one to itself included */
    APSP_DISTANCE_SUM = 2,
    APSP_CLOSENESS = 3, /* r / sum * (r / (n - 1)), r = reached - 1: Wasserman and Faust */
    APSP_HARMONIC = 4   /* the sum of 1 / distance over the distances that are not 0 */
} apsp_vertex_measure;

/* When a measure of vertices is an integer. */
typedef enum apsp_numbers {
    APSP_REALS = 0,             /* the measure is never an integer */
    APSP_INTEGERS_OF_INT32 = 1, /* it is an integer if distances are: int32 or others */
    APSP_INTEGERS = 2           /* it is always an integer */
} apsp_numbers;

/* A measure of vertices. The texts belong to the library. */
typedef struct apsp_column {
    size_t size; /* sizeof(apsp_column), set by the caller */
    apsp_vertex_measure which;
    /* Names of its columns in the files: of an undirected graph; of a directed graph, for distances
     * from the vertex, and for distances to it. */
    const char *name, *outwards, *inwards;
    apsp_numbers numbers;
    int dimension; /* power of s by which it grows if all distances grow by the factor s: -1 .. 1 */
    unsigned part; /* bit of the part (apsp_measure_part) that it belongs to; 0: none */
    int sums_only; /* not 0: lengths of other semirings than min-plus do not have it */
} apsp_column;
#define APSP_COLUMN_INIT                                                                           \
    { sizeof(apsp_column), APSP_ECCENTRICITY, NULL, NULL, NULL, APSP_REALS, 0, 0, 0 }

/* Fills *column, up to its size, for index 0, 1, ... in the order of the files and returns 1.
 * Returns 0 beyond the last one, and if the size is less than that of 0.2.0. */
APSP_API int apsp_measures_column(size_t index, apsp_column *column);

/* Store a measure of each source, in the order of the rows. The first function stores it exactly,
 * and only if it is an integer (apsp_numbers); the second one stores any measure, rounded once.
 * Measures inwards need all sources; in an undirected graph they are those outwards. APSP_BAD_INPUT
 * otherwise. */
APSP_API apsp_status apsp_measures_integers(const apsp_measures *measures,
                                            apsp_vertex_measure which, apsp_direction direction,
                                            int64_t *values, apsp_error *error);
APSP_API apsp_status apsp_measures_reals(const apsp_measures *measures, apsp_vertex_measure which,
                                         apsp_direction direction, double *values,
                                         apsp_error *error);

/* Store the vertices whose eccentricity is the radius (center) or the diameter (periphery), and in
 * *count how many they are: 0 unless all vertices are sources, without a limit, and the graph is
 * connected, strongly if it is directed. `vertices` has room for n. */
APSP_API void apsp_measures_center(const apsp_measures *measures, int32_t *vertices,
                                   int32_t *count);
APSP_API void apsp_measures_periphery(const apsp_measures *measures, int32_t *vertices,
                                      int32_t *count);

/* How many pairs have which distance: the entry k of *bins is the number of those at distances
 * first + k * width .. first + (k + 1) * width - 1. The width is the least power of two with which
 * there are at most 1024 bins from the least distance or 0 to the largest. The entries belong to
 * the measures. NULL, and no bins, if distances are not int32 or the part is missing. */
APSP_API const int64_t *apsp_measures_histogram(const apsp_measures *measures, int32_t *first,
                                                int32_t *width, int32_t *bins);

/* Like apsp_measures_histogram, for distances of any type: entry k counts the pairs at distances
 * from first + k * width up to, but not including, the next bin. The width may be less than 1
 * unless distances are int32. NULL, and no bins, if the part is missing. */
APSP_API const int64_t *apsp_measures_bins(const apsp_measures *measures, double *first,
                                           double *width, int32_t *bins);

/* Writes PREFIX.csv with a row for each source, and PREFIX.json, as the programs' --measures=PREFIX
 * does (docs/measures.md): both or none. */
APSP_API apsp_status apsp_measures_write(const apsp_measures *measures, const char *prefix,
                                         apsp_error *error);

/* A distance index. */

/* Labels from which any distance of a graph follows in about a microsecond, in memory or in a file
 * that is mapped and not read (docs/index.md). Any number of threads may ask the same index at the
 * same time, without locks. Queries never leave the mapping, whatever its bytes are: of a damaged
 * file they are any numbers, and only apsp_index_verify tells. A file must not be shortened while
 * it is open. */
typedef struct apsp_index apsp_index;

/* How to build an index: these flags, added up. */
enum {
    APSP_INDEX_BOTH_DIRECTIONS = 1, /* keep labels of both directions of a symmetric graph */
    APSP_INDEX_EVEN_IF_LARGER = 2 /* build it even if it is larger than the matrix of all distances,
                                     or takes far longer than computing them */
};

/* Builds the index of a graph in memory. Uses only threads and progress of the options, which may
 * be NULL. APSP_BAD_INPUT if distances may not fit, or if the index would be larger than 1 MiB and
 * than the matrix of all distances, which is known before most of the work; APSP_NEGATIVE_CYCLE if
 * there is one. Real weights must be 0 or more; the distances of such an index are APSP_FLOAT64.
 * The second function takes `grid` as apsp_betweenness does: at 0, as in the first one, real
 * weights that are on no grid are rounded to 2^-52 of the largest distance; below 0 they are
 * refused. */
APSP_API apsp_status apsp_index_build(apsp_index **index, const apsp_graph *graph, unsigned how,
                                      const apsp_options *options, apsp_error *error);
APSP_API apsp_status apsp_index_build_on_grid(apsp_index **index, const apsp_graph *graph,
                                              unsigned how, double grid,
                                              const apsp_options *options, apsp_error *error);

/* Gives an index other weights: those of a graph of the same vertices and edges, whose order of
 * elimination it keeps. That takes a fraction of the time of apsp_index_build_on_grid, and has the
 * same arguments and statuses; APSP_BAD_INPUT names the first edge that differs. The index stays as
 * it was if it fails. No other call may use the index meanwhile. An index that was mapped from a
 * file is in memory afterwards; the file stays as it is. */
APSP_API apsp_status apsp_index_update(apsp_index *index, const apsp_graph *graph, unsigned how,
                                       double grid, const apsp_options *options, apsp_error *error);

/* apsp_index_save writes an index, completely or not at all; apsp_index_open maps the file of
 * one. */
APSP_API apsp_status apsp_index_save(const apsp_index *index, const char *path, apsp_error *error);
APSP_API apsp_status apsp_index_open(apsp_index **index, const char *path, apsp_error *error);
APSP_API void apsp_index_close(apsp_index *index);

/* Return the number of vertices, the type of distances, the size of the file in bytes, and the
 * checksum of the graph. */
APSP_API int32_t apsp_index_vertices(const apsp_index *index);
APSP_API apsp_type apsp_index_type(const apsp_index *index);
APSP_API uint64_t apsp_index_bytes(const apsp_index *index);
APSP_API uint32_t apsp_index_checksum(const apsp_index *index);

/* Return one distance. The first function is only for an index of APSP_INT32, the second one for
 * any; it returns infinity for "no path". */
APSP_API int32_t apsp_index_distance(const apsp_index *index, int32_t from, int32_t to);
APSP_API double apsp_index_real(const apsp_index *index, int32_t from, int32_t to);

/* Returns the number whose multiples weights were rounded to, 0 if they were not rounded; *error:
 * the most that rounding may have changed a distance. */
APSP_API double apsp_index_grid(const apsp_index *index, double *error);

/* The distances of `count` pairs, on `threads` threads (0: one per core). distances: room for
 * `count` numbers of the index's type. */
APSP_API apsp_status apsp_index_distances(const apsp_index *index, const int32_t *from,
                                          const int32_t *to, int64_t count, void *distances,
                                          int threads, apsp_error *error);

/* The distances from all sources to all targets, row by row of the sources. Vertices may repeat.
 * NULL for all vertices in order; the count is then n. So one source and NULL make a row. */
APSP_API apsp_status apsp_index_table(const apsp_index *index, const int32_t *sources,
                                      int32_t source_count, const int32_t *targets,
                                      int32_t target_count, void *distances, int threads,
                                      apsp_error *error);

/* Like apsp_result_path, by edges of the graph. APSP_BAD_INPUT if the index is damaged. */
APSP_API apsp_status apsp_index_path(const apsp_index *index, int32_t from, int32_t to,
                                     int32_t *path, int32_t *length, apsp_error *error);

/* Proves an index: the certificate proves rows that the code of queries makes, all of them or, if
 * `rows` is not 0, that number of rows, evenly spread; every edge that was merged is proved, too.
 * APSP_REFUTED if the index is wrong or belongs to another graph. Uses only threads and progress of
 * the options, which may be NULL. */
APSP_API apsp_status apsp_index_verify(const apsp_index *index, const apsp_graph *graph,
                                       int32_t rows, const apsp_options *options,
                                       apsp_error *error);

/* Later versions --------------------------------------------------------------------------------
 *
 * The contract of what follows in 0.2.x, written before its code so that all of it fits together.
 * The library has none of it yet: a program that defines APSP_TO_COME sees these declarations,
 * compiles, and does not link. What comes alive moves up, out of the condition. Until then any of
 * it may change. */
#ifdef APSP_TO_COME

/* A need of a sink that can take blocks in the memory of GPUs; all others get them in that of the
 * host. apsp_rows then ends with `int device`: -1, or the number of the GPU that has the block. */
enum { APSP_TAKES_DEVICE = 8 };

#endif /* APSP_TO_COME */

#ifdef __cplusplus
}
#endif

#endif
