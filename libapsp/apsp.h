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

/* These are also the exit statuses of the programs, except the last. */
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
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above */
    void *progress_to;
    int type; /* of a file's weights: APSP_INT32, which is 0, for integers only; APSP_FLOAT32;
                 APSP_FLOAT64; or APSP_TYPE_OF_FILE */
    /* Format of a file; NULL: its content tells. */
    const char *format;        /* "csv": a name of apsp_format_at() */
    const char *edge_columns;  /* of a table, "TAIL,HEAD", by name or number */
    const char *weight_column; /* of a table, by name or number */
    int unweighted;            /* not 0: every edge of a file weighs 1 */
    int keep_gaps;             /* not 0: numbers of a list that do not occur are vertices, too */
    int through_zones;         /* not 0: paths may lead through the zones of a TNTP network */
    /* NULL, or called with a line, without its end, for each thing that the graph of a file has
     * otherwise than the file says: before apsp_graph_read returns, perhaps in another thread. */
    void (*note)(void *to, const char *line);
    void *note_to;
    /* semiring, which says what path is the best (docs/semirings.md): NULL or "min-plus", the least
     * sum of weights; "min-max", the least greatest weight; "max-min", the greatest least one;
     * "max-product", the greatest product of weights in 0 .. 1, which must be of a real type. Of
     * parallel edges the best one counts. Such a graph is for apsp_solve, apsp_solve_rows and
     * apsp_verify, with the engines "apsp" and "cpu"; the other functions, limits, sums along
     * paths, and sinks other than results, files and the caller's own refuse it. */
    const char *semiring;
} apsp_reading;
#define APSP_READING_INIT                                                                          \
    { sizeof(apsp_reading), 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL }
/* int32 if all weights are integers that it holds, otherwise float64, which stands for integers if
 * all weights are some that are below 2^53 (apsp_graph_is_integral). */
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
 * unless a message quotes a line of the file. Those of lists and tables are the numbers or words
 * that occur, by which messages call them unless they are 0 .. n-1 or 1 .. n
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
    APSP_UINT16 = 3, /* of an apsp_arrays only; "no path" is 65535 */
    APSP_INT64 = 4   /* of an apsp_arrays only; "no path" is 2^62 - 1 */
} apsp_type;

/* Edges in memory, which are the caller's: from[e] -> to[e] of weight[e]. */
typedef struct apsp_edges {
    size_t size;      /* sizeof(apsp_edges), by which the library knows the caller's version */
    int32_t vertices; /* >= 1 */
    int64_t count;
    const int32_t *from, *to;
    apsp_type type;       /* of the weights; NaN is refused, infinity is no edge, -0.0 is 0 */
    const void *weight;   /* int32_t, float or double; NULL: all are 1 */
    const int64_t *first; /* not NULL: `from` is not read, and the edges from v are first[v] ..
                             first[v + 1] - 1, from 0 to count; vertices + 1 entries */
    int lent; /* not 0: `to` and `weight` are memory that the library may write to and that stays
                 until the graph is freed, so that the graph need not have its own */
    int32_t zones; /* the first so many vertices are zones, as those of a TNTP network: a path may
                      begin or end at one, and leads through none */
    int integral;  /* not 0: weights of float64 are integers below 2^53, otherwise they are refused,
                      and stand for themselves (apsp_graph_is_integral) */
} apsp_edges;
#define APSP_EDGES_INIT                                                                            \
    { sizeof(apsp_edges), 0, 0, NULL, NULL, APSP_INT32, NULL, NULL, 0, 0, 0 }

/* Like apsp_graph_from_edges, for weights of any type. Edges by `first` whose ends ascend are not
 * sorted, which takes a third of the memory; if they are lent too, and of int32 or float64, the
 * graph takes none beside theirs but 8 bytes a vertex. What was lent is garbage after a failure. */
APSP_API apsp_status apsp_graph_make(apsp_graph **graph, const apsp_edges *edges,
                                     const apsp_reading *reading, apsp_error *error);
APSP_API apsp_type apsp_graph_type(const apsp_graph *graph);

/* 1 if the weights are integers: those of int32, or those of a graph of APSP_FLOAT64 that stands
 * for integers that int32 has no room for (apsp_graph_read, apsp_graph_make, apsp_graph_widen). Its
 * distances are exact and below 2^53, or refused, and int64 in files. Otherwise 0. */
APSP_API int apsp_graph_is_integral(const apsp_graph *graph);

APSP_API void apsp_graph_free(apsp_graph *graph);

APSP_API int32_t apsp_graph_vertices(const apsp_graph *graph);

/* The number of edges as the input counts them; the number of edges without parallel ones and
 * self-loops. */
APSP_API int64_t apsp_graph_edges_read(const apsp_graph *graph);
APSP_API int64_t apsp_graph_edges(const apsp_graph *graph);

/* Copies the name by which the graph's file calls vertex v, a number or a word, up to size - 1
 * bytes and ended by '\0'. Returns the length of all of it, as snprintf does. */
APSP_API size_t apsp_graph_vertex_name(const apsp_graph *graph, int32_t v, char *name, size_t size);

/* Returns whether there is an edge; if so, stores its weight in *weight, unless that is NULL or the
 * weights are not int32. O(log degree). */
APSP_API int apsp_graph_find_edge(const apsp_graph *graph, int32_t from, int32_t to,
                                  int32_t *weight);

/* The same for weights of any type. */
APSP_API int apsp_graph_find_weight(const apsp_graph *graph, int32_t from, int32_t to,
                                    double *weight);

/* Shows the edges of a graph, without parallel ones and self-loops, in rows that ascend: sets
 * vertices, count, first, to, type and weight, which are APSP_INT32 or APSP_FLOAT64, and `from` to
 * NULL, and zones. The arrays are the graph's, until it is freed. APSP_BAD_INPUT if the size is
 * less than that of 0.2.0, or if the graph has zones and the caller's struct does not. */
APSP_API apsp_status apsp_graph_view(const apsp_graph *graph, apsp_edges *edges, apsp_error *error);

/* Returns the format by which the Python package's apsp.read reads a file that begins with these
 * bytes, the first 4096 or all, decompressed, if it is no graph that apsp_graph_read reads:
 * "graphml", "npy". NULL if it has no mark of any. The text belongs to the library. */
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

/* The same for the cycle that apsp_solve_rows names for a request of these sources; NULL stands for
 * all vertices. */
APSP_API apsp_status apsp_graph_reached_cycle(const apsp_graph *graph, const int32_t *sources,
                                              int32_t source_count, int32_t *vertices,
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
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above */
    void *progress_to;
    /* GPUs that solve together, if the engine can: device_count different numbers, or, if that is
     * APSP_ALL_DEVICES, all of this host. "apsp" takes as many of them as are predicted to pay. 0:
     * only `device`. */
    const int *devices;
    int device_count;
} apsp_options;
#define APSP_OPTIONS_INIT                                                                          \
    { sizeof(apsp_options), NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL, 0 }

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

/* The rows of a result: how many there are, the vertices that they belong to, in their order, or
 * NULL if row v is that of vertex v, and the number of a vertex's row, -1 if there is none. */
APSP_API int32_t apsp_result_rows(const apsp_result *result);
APSP_API const int32_t *apsp_result_sources(const apsp_result *result);
APSP_API int32_t apsp_result_row(const apsp_result *result, int32_t from);

/* Beyond this distance, pairs count as pairs without a path. The first is for results of int32, and
 * APSP_INF if there is no limit; it rounds down. The second is for those of any type, and infinite
 * if there is none. */
APSP_API int32_t apsp_result_limit(const apsp_result *result);
APSP_API double apsp_result_real_limit(const apsp_result *result);

/* The matrices, row-major: the entry for the path from the source of row r to j is at
 * [r * leading + j], with *leading >= n. A distance is APSP_INF if there is no path. A predecessor
 * is the vertex before j on a shortest path, or -1 if there is none or j is the source. A result
 * with distances only has NULL for predecessors. The matrices belong to the result.
 * apsp_result_cells has distances of any type, apsp_result_distances is NULL unless it is int32. */
APSP_API apsp_type apsp_result_type(const apsp_result *result);
APSP_API const int32_t *apsp_result_distances(const apsp_result *result, size_t *leading);
APSP_API const void *apsp_result_cells(const apsp_result *result, size_t *leading);
APSP_API const int32_t *apsp_result_predecessors(const apsp_result *result, size_t *leading);

/* One int32 distance, APSP_NO_ROW if `from` has no row or the distances are not int32; and the
 * vertices of one path in order, path[0] = from .. path[*length - 1] = to. `path` has room for n;
 * *length is 0 if there is no path. APSP_BAD_INPUT if a vertex is out of range, if `from` has no
 * row, if the result has no predecessors, or if they do not lead to `from`, which can happen in a
 * result that was read. */
#define APSP_NO_ROW INT32_MIN
APSP_API int32_t apsp_result_distance(const apsp_result *result, int32_t from, int32_t to);
/* A distance of any type: infinite if there is no path, NaN if `from` has no row. */
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
    int32_t from, to;   /* the position of the entry; -1 if the size is wrong */
    int32_t distance;   /* as given; 0 if it is not int32, as are the other two numbers */
    int32_t via;  /* the predecessor, the tail of the edge into `to`, or a vertex of a cycle of
                     predecessors; -1: none of these */
    int has_edge; /* not 0: the next two are set */
    int32_t via_distance, weight; /* the distance from `from` to `via`, the weight of via -> to */
    apsp_type type;               /* of the graph; and the three numbers, of any type */
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

/* The same for distances of a type, int32, float or double, as those of a graph of that type are.
 */
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

/* A block of rows. The entry for sources[r] and vertex j is at [r * leading + j]. It belongs to the
 * library and lasts for the call that it is handed to. */
typedef struct apsp_rows {
    size_t size;                 /* of the library's struct */
    int32_t count, vertices;     /* rows, and columns */
    const int32_t *sources;      /* of the rows */
    const int32_t *positions;    /* of the rows in the answer: 0 .. (number of sources) - 1 */
    const void *distances;       /* int32_t, float or double */
    const int32_t *predecessors; /* as those of a result; NULL if no sink wants them */
    size_t leading;              /* of both, in entries */
    apsp_type type;
    int proved; /* not 0: the rows are proved, because the request asked for it */
} apsp_rows;

/* Needs of a caller's sink. If it needs nothing, it gets blocks as they come, from several
 * threads at the same time.
 *
 * Order takes memory and time: the rows are solved in rounds of as many as fit into 256 MiB, or
 * into a quarter of the memory that is left, 64 at the least, and the engine prepares the graph in
 * each. Engines that need a matrix have one round. */
enum {
    APSP_NEEDS_ORDER = 1, /* by ascending position, one block at a time */
    APSP_NEEDS_PREDECESSORS = 2,
    APSP_NEEDS_ONE_AT_A_TIME = 4
};

/* A sink. begin is called once, in the thread that works, with the number of rows and vertices;
 * then take for every block, so that the sink gets every row once; and end once after a begin that
 * succeeded, with how it went. Any may be NULL but take. Each returns APSP_OK, or ends the solve
 * with its status and the line that it stores in *error, which is never NULL: APSP_CANCELLED to
 * stop. Then the other threads may be in take, but begin no more calls. A sink must not free what
 * the solve uses. */
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

/* Which rows, and what of them. If all members but the size are zero, or a pointer to it is NULL,
 * they are the rows of all vertices in order. */
typedef struct apsp_request {
    size_t size; /* sizeof(apsp_request), by which the library knows the caller's version */
    const int32_t *sources; /* different vertices, in the order of the rows; NULL: every vertex */
    int32_t source_count;   /* 0 if sources is NULL */
    int32_t block;          /* rows of a block at most; 0, and what is more than 64: 64 */
    int check;              /* not 0: every block is proved before it is handed on; one that is
                               refuted ends the solve with APSP_REFUTED */
    double limit; /* pairs that are farther apart count as pairs without a path, for weights of 0 or
                     more; 0 or infinity: no limit. It is rounded down for int32 distances, so that
                     0.5 stands for the limit 0. For those of any type the least positive number,
                     DBL_TRUE_MIN, does */
    int *out_of_range;  /* unless NULL, 1 is stored if the solve fails because a distance does not
                           fit in int32, otherwise 0: in a graph of apsp_graph_widen it does */
    int limit_is_exact; /* not 0: the limit is meant as it is, also if it is 0 or DBL_TRUE_MIN */
    double grid; /* above 0: float64 weights are rounded to multiples of the largest power of two
                    that is not above it, a weight above 0 not to 0; 0: those of a sparse graph are
                    rounded to 2^-52 of a bound of the distances if only measures of many rows are
                    wanted and they are not on such a grid; below 0: they are not rounded. What was
                    done is in the measures and files */
    /* Further numbers of edges, finite, that add up along shortest paths, say kilometres where
     * weights are minutes: number c of edge e is along[c * m + e], in the order of the m edges of
     * apsp_graph_view. Of several shortest paths the one counts whose sum of the first number is
     * the least, then that of the second, and so on. The sum for the row at position p and vertex v
     * is stored at sums[(c * rows + p) * n + v], infinity if there is no path. With `check` sums
     * are proved, too. APSP_BAD_INPUT if a cycle of weight 0 makes them less and less. */
    int along_count;     /* 1 .. APSP_ALONG_MAX; 0 if along is NULL */
    const double *along; /* along_count * m; NULL: none */
    double *sums;        /* along_count * rows * n */
} apsp_request;
enum { APSP_ALONG_MAX = 16 };
#define APSP_REQUEST_INIT                                                                          \
    { sizeof(apsp_request), NULL, 0, 0, 0, 0, NULL, 0, 0, 0, NULL, NULL }

/* Solves for some sources or all and hands every row to every sink, in memory O(block * n) with
 * engines by rows; "apsp" takes one if a matrix does not fit. Predecessors are computed if a
 * sink wants them: those of the caller that say so, and unless options->distances_only, results and
 * files. Statuses are those of apsp_solve, and those of sinks; a negative cycle that no source
 * reaches is none. Sinks end in their order; if one fails then, those after it end with its status,
 * and only files before it are complete. */
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
    const char *path;   /* that of text; otherwise the PREFIX of PREFIX.dist.npy, PREFIX.npz and
                           what belongs to them */
    const char *format; /* as --format of the programs has it: "text", "npy", "npy:uint8",
                           "npy:uint16", "npy:auto" or "npz"; NULL: "npy" */
    const int32_t *targets; /* different vertices, of the columns in their order; NULL: every
                               vertex */
    int32_t target_count;   /* 0 if targets is NULL */
    /* Since 0.2: */
    int resume;         /* 1: a call that fails or is stopped leaves the rows that are finished in
                           PREFIX.partial, and the next call with the same request goes on with
                           them, as --resume of the programs does; 0: it leaves nothing */
    int32_t *rows_kept; /* where a call that resumes stores how many rows it found finished; or
                           NULL. Lasts as long as the sink */
} apsp_files;
#define APSP_FILES_INIT                                                                            \
    { sizeof(apsp_files), NULL, NULL, NULL, 0, 0, NULL }

/* A sink that writes them, as apsp_sink_file does: text and npz are kept in memory until the end,
 * npz as far as distances are finite. With "npz", and with targets, there are distances only.
 * "npy:auto" takes the smallest type that is certain to hold them. APSP_BAD_INPUT ends the solve if
 * a distance does not fit in the format's type, or the graph has no such vertex, or if the rows in
 * PREFIX.partial are those of another request. Only one sink of a solve may resume, with NumPy's
 * files and sinks beside it that take rows in any order; it goes on with rows of the program apsp,
 * too. The struct and what it points to may go after the call, but for rows_kept. */
APSP_API apsp_status apsp_sink_files(apsp_sink **sink, const apsp_files *files, apsp_error *error);

/* Arrays of the caller for an answer, whose row p begins at the entry p * leading. */
typedef struct apsp_arrays {
    size_t size;    /* sizeof(apsp_arrays), by which the library knows the caller's version */
    apsp_type type; /* of the distances: any; if those of the graph are real, float, double or, of
                       integers, APSP_INT64 */
    void *distances;
    int32_t *predecessors;  /* NULL: none */
    size_t leading;         /* of both, in entries */
    double divisor;         /* of the distances, for float and double; 0: 1 */
    double limit;           /* pairs farther apart count as pairs without a path; < 0: none */
    int32_t no_predecessor; /* is stored for no predecessor */
} apsp_arrays;
#define APSP_ARRAYS_INIT                                                                           \
    { sizeof(apsp_arrays), APSP_INT32, NULL, NULL, 0, 0, -1, -1 }

/* A sink that stores rows in arrays of the caller, which last until the solve ends. APSP_BAD_INPUT
 * ends the solve if a distance does not fit into 16 bits, is larger than a float or, for
 * APSP_INT64, is no integer below 2^53. */
APSP_API apsp_status apsp_sink_arrays(apsp_sink **sink, const apsp_arrays *arrays,
                                      apsp_error *error);

/* Betweenness: each pair of a source and another vertex counts once, and is divided among its
 * shortest paths. Of an undirected graph every pair is there from either end. Parallel edges are
 * one. */
typedef struct apsp_betweenness {
    size_t size;            /* sizeof(apsp_betweenness), by which the library knows the version */
    const int32_t *sources; /* different vertices; NULL: all */
    int32_t source_count;   /* 0 if sources is NULL */
    /* By vertex, finite numbers of 0 or more: the pair of s and t counts from_mass[s] * to_mass[t]
     * times. NULL: all are 1. */
    const double *from_mass, *to_mass;
    int endpoints;      /* not 0: a vertex gets the pairs that it is an end of, too */
    const char *engine; /* "searches": Brandes' algorithm; "classes": elimination and classes of
                           rows, where they can be; NULL or "auto": whichever is predicted to be
                           faster */
    int threads;        /* 0: one per core */
    double grid;        /* as in apsp_request; but at 0, weights of float64 that are on no grid are
                           always rounded to one, on which ties are exact */
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above */
    void *progress_to;
    double *vertices; /* gets, by vertex, paths that lead through it and end elsewhere; or NULL */
    double *edges;    /* gets, by edge of apsp_graph_view, paths that use it; or NULL */
    double grid_spacing; /* is set to what weights were rounded to multiples of; 0: they were not */
    double grid_error;   /* is set to the most that a distance may have changed by that */
    int is_undirected;   /* is set to not 0 if each edge leads back with the same weight */
    const char *chosen;  /* is set to the engine that was taken */
    /* Trips to load in place of all pairs, without sources and masses: trips[k] of them, finite and
     * 0 or more, from vertex trip_from[k] to vertex trip_to[k]. */
    int64_t trip_count;                 /* 0 if trip_from is NULL */
    const int32_t *trip_from, *trip_to; /* trip_count each; NULL: pairs are loaded */
    const double *trips;                /* trip_count; NULL: one each */
    /* Are set, for trips and for pairs with a decay, to those that arrive at another vertex, that
     * end where they begin, and, of trips, that have no path, and to the lengths of all that
     * arrive. */
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
    int32_t decay_count;  /* 0: no decayed sums are wanted */
    int32_t limit_count;  /* 0: no sums within limits are wanted */
    const double *decays; /* 1e-300 .. 1e300, in the unit of the weights */
    const double *limits; /* 0 or more, in the unit of the weights, in any order */
    const char *engine;   /* for decayed sums, "searches": Dijkstra's algorithm; "classes":
                             elimination and classes of rows, where they can be, of many sums on a
                             GPU if there is one; NULL or "auto": whichever is predicted to be
                             faster */
    int threads;          /* 0: one per core */
    double grid;          /* as in apsp_betweenness */
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above */
    void *progress_to;
    /* Gets decayed[(source * decay_count + j) * mass_count + m], by position of the source: the sum
     * over vertices t of mass m of t times exp(-distance / decays[j]). NULL if decay_count is 0. */
    double *decayed;
    /* Gets within[(source * limit_count + j) * mass_count + m]: the sum of mass m of the vertices
     * at distances of at most limits[j]. NULL if limit_count is 0. */
    double *within;
    double grid_spacing; /* is set to what weights were rounded to multiples of; 0: they were not */
    double grid_error;   /* is set to the most that a distance may have changed by that */
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
    const int32_t *facilities; /* different vertices, of which the first is preferred to later ones
                                  at the same distance */
    int32_t facility_count;    /* 1 or more */
    int32_t k;                 /* 1 or more facilities that are wanted of each vertex */
    double grid;               /* as in apsp_betweenness */
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above */
    void *progress_to;
    /* Both get k entries of each vertex, by ascending distance from it; either may be NULL. */
    int32_t *nearest;    /* the facility's place in `facilities`; -1: there is none */
    double *distances;   /* infinite: there is none */
    double grid_spacing; /* is set to what weights were rounded to multiples of; 0: they were not */
    double grid_error;   /* is set to the most that a distance may have changed by that */
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
    int if_connected; /* 1: nothing is searched unless there is one component; 0: the largest finite
                         distance is found then, too */
    int check;        /* 1: prove the distances of all searches (APSP_REFUTED) */
    int threads;      /* 0: one per core */
    int32_t most_sources; /* stop when so many vertices have been searched; 0: go on to the end */
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above: of
                             searches, and as many as there may be */
    void *progress_to;
    /* Gets the eccentricity of each vertex, its largest distance to a vertex that it reaches. NULL:
     * they are not wanted, which mostly takes far fewer searches. */
    double *eccentricities;
    /* Get the vertices whose eccentricity is the radius, and the diameter, ascending; have room for
     * all. NULL: they are not wanted. */
    int32_t *center, *periphery;
    /* The others are set. */
    int closed;         /* 0: most_sources came first; diameter and radius are then NAN, the largest
                           distance is only one that exists, and arrays are as they were */
    int directed;       /* some edge has no reverse of the same weight */
    int out_of_range;   /* after APSP_BAD_INPUT: a distance does not fit in int32 */
    int32_t components; /* strongly connected ones; more than 1: diameter and radius are infinite,
                           and center and periphery have no vertices */
    double diameter, radius; /* the largest and the least eccentricity; the radius is NAN if it was
                                not wanted */
    double largest_distance; /* the largest finite distance */
    int32_t largest_from, largest_to; /* a pair that has it; -1: nothing was searched */
    int32_t
        central; /* a vertex whose eccentricity is the radius; -1: that is not finite or known */
    int32_t center_count, periphery_count;
    int32_t sources;  /* vertices that were searched */
    int32_t searches; /* from them and, if directed, to them */
    int32_t proved;   /* searches whose distances were proved */
} apsp_eccentricity;
#define APSP_ECCENTRICITY_INIT                                                                     \
    {                                                                                              \
        sizeof(apsp_eccentricity), 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0,  \
            0, 0, 0, 0, 0, 0, 0, 0, 0                                                              \
    }

/* Finds them exactly, the same with any number of threads, in O(searches (m + n log n)).
 * APSP_BAD_INPUT for weights below 0, zones, and int32 distances of 2^30 - 1 or more: measures take
 * these, and apsp_graph_widen makes room for the last. */
APSP_API apsp_status apsp_eccentricity_find(const apsp_graph *graph,
                                            apsp_eccentricity *eccentricity, apsp_error *error);

/* Searches from a few vertices, straight in rows of edges of the caller. */
typedef struct apsp_search {
    size_t size;       /* sizeof(apsp_search), by which the library knows the caller's version */
    int32_t vertices;  /* >= 1 */
    int is_wide;       /* not 0: `first` and `to` have int64_t; otherwise int32_t */
    int64_t count;     /* of to and weight, which may have more entries than `first` says */
    const void *first; /* the edges from v are first[v] .. first[v + 1] - 1, from 0 on; vertices + 1
                          entries */
    const void *to;    /* in any order; parallel edges and loops do no harm */
    const double *weight;   /* NULL: all are 1 */
    int undirected;         /* not 0: every edge leads both ways */
    int together;           /* not 0: one row, of the distances from the nearest of the sources */
    const int32_t *sources; /* NULL: all vertices */
    int32_t source_count;
    int threads;            /* 0: one per core, if the work is worth that */
    double limit;           /* distances beyond it count as none; < 0: no limit */
    double *distances;      /* a row of `vertices` entries for each source, infinite for no path */
    int32_t *predecessors;  /* the same, or NULL */
    int32_t *nearest;       /* together with predecessors: which of the sources it is; or NULL */
    int32_t no_predecessor; /* is stored for no predecessor, and for no source */
    int (*progress)(void *to, int64_t done, int64_t total); /* NULL, or as described above */
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
 * are reached are no rows of vertices; or for so many sources that apsp_solve_rows is expected to
 * be faster. All of it is for apsp_graph_make and apsp_solve_rows, which say what is wrong. The
 * distances are theirs, bit for bit. */
APSP_API apsp_status apsp_search_rows(const apsp_search *search, int *searched, apsp_error *error);

/* Rows in the memory of a GPU: an engine that has them there copies them within it. The matrices
 * are row after row, as those of a result (apsp_result_cells) without padding; they are complete,
 * and any stream may read them. Predecessors are NULL if there are none. APSP_NO_RESOURCE ends the
 * solve if there is no such GPU, or not enough memory. */
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

/* Parts of the measures that take longer than all others together, by half if an engine is fast. */
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

/* The bit of the part that a measure of that name in the files (docs/measures.md) belongs to; 0 if
 * it belongs to none, and if there is no such measure. NULL: the bits of all parts. */
APSP_API unsigned apsp_measures_part(const char *name);
APSP_API void apsp_sink_free(apsp_sink *sink);
APSP_API void apsp_measures_free(apsp_measures *measures);

/* Measures of the pairs of a source and another vertex, and of the graph. */
typedef struct apsp_graph_measures {
    size_t size;                       /* sizeof(apsp_graph_measures), set by the caller */
    int32_t vertices, sources;         /* how many */
    int all_sources;                   /* not 0: every vertex is a source */
    int directed;                      /* not 0: some edge has no reverse of its weight */
    int64_t pairs, pairs_without_path; /* with path and without; without alone */
    /* The sum of all finite distances: high * 2^64 + low if they are integers
     * (apsp_graph_is_integral), otherwise 0; and rounded once. */
    int64_t distance_sum_high;
    uint64_t distance_sum_low;
    double distance_sum;
    double average_distance;          /* of the pairs that have a path; 0 if none has */
    int32_t largest_distance;         /* 0 if none is positive, or distances are not int32 */
    int32_t largest_from, largest_to; /* the first pair that has it, by the vertices' numbers */
    /* The rest is set only if all_sources, without a limit. Components are the connected ones of an
     * undirected graph, and the strongly connected ones of a directed graph: how many, and the
     * vertices of the largest. If there are several, the next four are infinite. */
    int32_t components, largest_component;
    double diameter, radius;
    double average_shortest_path_length; /* 0 if there is one vertex */
    double wiener_index;                 /* over unordered pairs if the graph is undirected */
    double global_efficiency;
    double largest_length; /* the largest distance, of any type */
    double grid;           /* what weights were rounded to multiples of; 0: they were not */
    double grid_error;     /* the most that a distance may have changed by that */
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
    APSP_ECCENTRICITY = 0, /* the longest one */
    APSP_REACHED = 1,      /* the number of them, that to itself included */
    APSP_DISTANCE_SUM = 2,
    APSP_CLOSENESS = 3, /* r / sum * (r / (n - 1)), r = reached - 1: Wasserman and Faust */
    APSP_HARMONIC = 4   /* the sum of 1 / distance over those that are not 0 */
} apsp_vertex_measure;

/* When a measure of vertices is an integer. */
typedef enum apsp_numbers {
    APSP_REALS = 0,             /* never */
    APSP_INTEGERS_OF_INT32 = 1, /* if distances are int32, or other integers */
    APSP_INTEGERS = 2           /* always */
} apsp_numbers;

/* A measure of vertices. The texts belong to the library. */
typedef struct apsp_column {
    size_t size; /* sizeof(apsp_column), set by the caller */
    apsp_vertex_measure which;
    /* The name of its column in the files if the graph is undirected, and if it is directed: of
     * distances from the vertex, and of those to it. */
    const char *name, *outwards, *inwards;
    apsp_numbers numbers;
    int dimension; /* if distances are s times as large, it is s to that power as large: -1 .. 1 */
    unsigned part; /* the bit of the part it belongs to, or 0 */
} apsp_column;
#define APSP_COLUMN_INIT                                                                           \
    { sizeof(apsp_column), APSP_ECCENTRICITY, NULL, NULL, NULL, APSP_REALS, 0, 0 }

/* Fills *column, up to its size, for index 0, 1, ... in the order of the files and returns 1.
 * Returns 0 beyond the last one, and if the size is less than that of 0.2.0. */
APSP_API int apsp_measures_column(size_t index, apsp_column *column);

/* Stores a measure of each source, in the order of the rows: the first function exactly, if the
 * measure is an integer (apsp_numbers); the second one rounded once, any of them. Measures inwards
 * need all sources, and are those outwards if the graph is undirected. APSP_BAD_INPUT otherwise. */
APSP_API apsp_status apsp_measures_integers(const apsp_measures *measures,
                                            apsp_vertex_measure which, apsp_direction direction,
                                            int64_t *values, apsp_error *error);
APSP_API apsp_status apsp_measures_reals(const apsp_measures *measures, apsp_vertex_measure which,
                                         apsp_direction direction, double *values,
                                         apsp_error *error);

/* Stores the vertices whose eccentricity is the radius, and those whose eccentricity is the
 * diameter, and how many they are: 0 unless all vertices are sources, without a limit, and the
 * graph is connected, strongly if it is directed. `vertices` has room for n. */
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

/* The same for distances of any type, from first + k * width up to, but not including, the next
 * bin. The width may be less than 1 unless they are int32. NULL, and no bins, if the part is
 * missing. */
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

/* How to build one: these, added up. */
enum {
    APSP_INDEX_BOTH_DIRECTIONS = 1, /* keep both though the graph is symmetric */
    APSP_INDEX_EVEN_IF_LARGER = 2 /* though it is larger than the matrix of all distances, or takes
                                     far longer than these */
};

/* Builds the index of a graph in memory. Uses only threads and progress of the options, which may
 * be NULL. APSP_BAD_INPUT if distances may not fit, or if the index would be larger than 1 MiB and
 * than the matrix of all distances, which is known before most of the work; APSP_NEGATIVE_CYCLE if
 * there is one. Real weights must be 0 or more; an index of them is of APSP_FLOAT64. The second
 * function takes `grid` as apsp_betweenness does: at 0, as in the first one, real weights that are
 * on no grid are rounded to 2^-52 of the largest distance; below 0 they are refused. */
APSP_API apsp_status apsp_index_build(apsp_index **index, const apsp_graph *graph, unsigned how,
                                      const apsp_options *options, apsp_error *error);
APSP_API apsp_status apsp_index_build_on_grid(apsp_index **index, const apsp_graph *graph,
                                              unsigned how, double grid,
                                              const apsp_options *options, apsp_error *error);

/* Gives an index other weights: those of a graph of the same vertices and edges, whose order of
 * elimination it keeps. That takes a fraction of the time of apsp_index_build_on_grid, whose
 * arguments it has, and statuses; APSP_BAD_INPUT names the first edge that differs. The index stays
 * as it was if it fails. No other call may use the index meanwhile. One that is mapped from a file
 * is in memory afterwards; the file stays as it is. */
APSP_API apsp_status apsp_index_update(apsp_index *index, const apsp_graph *graph, unsigned how,
                                       double grid, const apsp_options *options, apsp_error *error);

/* Writes an index, completely or not at all; maps a file. */
APSP_API apsp_status apsp_index_save(const apsp_index *index, const char *path, apsp_error *error);
APSP_API apsp_status apsp_index_open(apsp_index **index, const char *path, apsp_error *error);
APSP_API void apsp_index_close(apsp_index *index);

/* How many vertices the graph has; the type of distances; bytes of the file; the graph's checksum.
 */
APSP_API int32_t apsp_index_vertices(const apsp_index *index);
APSP_API apsp_type apsp_index_type(const apsp_index *index);
APSP_API uint64_t apsp_index_bytes(const apsp_index *index);
APSP_API uint32_t apsp_index_checksum(const apsp_index *index);

/* One distance; `index` must be of APSP_INT32. The second function takes any index: infinity is
 * "no path". */
APSP_API int32_t apsp_index_distance(const apsp_index *index, int32_t from, int32_t to);
APSP_API double apsp_index_real(const apsp_index *index, int32_t from, int32_t to);

/* Returns what weights were rounded to multiples of, 0 if they were not; *error: the most that a
 * distance may have changed by that. */
APSP_API double apsp_index_grid(const apsp_index *index, double *error);

/* The distances of `count` pairs, on `threads` threads (0: one per core). distances: room for as
 * many numbers of the index's type. */
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

/* Proves an index: rows that the queries' code makes, by the certificate, all of them or, if `rows`
 * is not 0, so many, evenly spread; and every edge that was merged. APSP_REFUTED if it is wrong or
 * of another graph. Uses only threads and progress of the options, which may be NULL. */
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
