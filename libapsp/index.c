// SPDX-License-Identifier: MIT
/* Distance indices of apsp.h. */
#include "index/index.h"

#include "common/base/memory.h"  // memory_free
#include "common/base/threads.h" // THREADS_MAX
#include "index/index_prove.h"
#include "index/index_query.h"
#include "libapsp/call.h" // call_work
#include "libapsp/objects.h"
#include "solve/gridded.h" // gridded_open

#include <math.h>

struct apsp_index {
    struct distance_index x;
};

static enum status new_index(apsp_index **index, struct error *err) {
    void *object;
    RETURN_ON_FAILURE(new_object(&object, sizeof **index, "an index", err));
    *index = object;
    return STATUS_OK;
}

void apsp_index_close(apsp_index *index) {
    if (index == NULL)
        return;
    index_close(&index->x);
    memory_free(index);
}

/* State that building and updating share. */
struct building_index {
    struct distance_index *x;
    bool is_update;
    const apsp_graph *graph;
    double grid;
    struct index_options options;
};

static enum status build_index(void *self, struct progress *progress, struct error *err) {
    struct building_index *const in = self;
    struct gridded gridded = {.rounded = NULL};
    const struct graph *const g = &gridded.graph;
    enum status status;
    TRY(gridded_open(&gridded, &in->graph->graph, in->grid, &index_purpose, progress, err));
    in->options.grid_error = gridded.rounding.distance_by;
    status = in->is_update ? index_update(in->x, g, &in->options, NULL, progress, err)
                           : index_build(in->x, g, &in->options, NULL, progress, err);
cleanup:
    gridded_close(&gridded);
    return status;
}

static enum status work(struct building_index *in, unsigned how, const apsp_options *options,
                        struct error *err) {
    apsp_options ours = APSP_OPTIONS_INIT;
    RETURN_ON_FAILURE(check_min_plus(in->graph, err));
    RETURN_ON_FAILURE(take_options(&ours, options, err));
    RETURN_ON_FAILURE(check_range("threads", ours.threads, 0, THREADS_MAX, err));
    RETURN_ON_FAILURE(
        check_range("how", how, 0, APSP_INDEX_BOTH_DIRECTIONS | APSP_INDEX_EVEN_IF_LARGER, err));
    in->options = (struct index_options){
        .threads = ours.threads,
        .both_directions = (how & APSP_INDEX_BOTH_DIRECTIONS) != 0,
        .even_if_larger = (how & APSP_INDEX_EVEN_IF_LARGER) != 0,
    };
    return call_work(&(struct listener){ours.progress, ours.progress_to}, build_index, in, err);
}

apsp_status apsp_index_build(apsp_index **index, const apsp_graph *graph, unsigned how,
                             const apsp_options *options, apsp_error *error) {
    return apsp_index_build_on_grid(index, graph, how, 0, options, error);
}

apsp_status apsp_index_build_on_grid(apsp_index **index, const apsp_graph *graph, unsigned how,
                                     double grid, const apsp_options *options, apsp_error *error) {
    struct error err;
    enum status status;
    *index = NULL;
    TRY(new_index(index, &err));
    struct building_index in = {.x = &(*index)->x, .graph = graph, .grid = grid};
    TRY(work(&in, how, options, &err));
cleanup:
    if (status != STATUS_OK) {
        apsp_index_close(*index);
        *index = NULL;
    }
    return end_call(status, &err, error);
}

apsp_status apsp_index_update(apsp_index *index, const apsp_graph *graph, unsigned how, double grid,
                              const apsp_options *options, apsp_error *error) {
    struct error err;
    struct building_index in = {.x = &index->x, .is_update = true, .graph = graph, .grid = grid};
    return end_call(work(&in, how, options, &err), &err, error);
}

apsp_status apsp_index_save(const apsp_index *index, const char *path, apsp_error *error) {
    struct error err;
    return end_call(index_save(&index->x, path, &err), &err, error);
}

apsp_status apsp_index_open(apsp_index **index, const char *path, apsp_error *error) {
    struct error err;
    enum status status;
    *index = NULL;
    TRY(new_index(index, &err));
    TRY(index_open(&(*index)->x, path, &err));
cleanup:
    if (status != STATUS_OK) {
        apsp_index_close(*index);
        *index = NULL;
    }
    return end_call(status, &err, error);
}

int32_t apsp_index_vertices(const apsp_index *index) {
    return index->x.header.vertices;
}

apsp_type apsp_index_type(const apsp_index *index) {
    return index_type(&index->x) == NUMBER_INT32 ? APSP_INT32 : APSP_FLOAT64;
}

uint64_t apsp_index_bytes(const apsp_index *index) {
    return index->x.header.bytes;
}

uint32_t apsp_index_checksum(const apsp_index *index) {
    return index->x.header.graph_checksum;
}

int32_t apsp_index_distance(const apsp_index *index, int32_t from, int32_t to) {
    return (int32_t)index_distance(&index->x, from, to);
}

double apsp_index_real(const apsp_index *index, int32_t from, int32_t to) {
    const double distance = index_distance(&index->x, from, to);
    return index_reaches(&index->x, distance) ? distance : (double)INFINITY;
}

double apsp_index_grid(const apsp_index *index, double *error) {
    *error = index->x.header.grid_error;
    return *error > 0 ? index->x.header.spacing : 0;
}

/* Checks an array of vertices; NULL means no array. */
static enum status check_vertices(const apsp_index *index, const char *name, const int32_t *vertex,
                                  int64_t count, struct error *err) {
    const int32_t n = index->x.header.vertices;
    for (int64_t k = 0; vertex != NULL && k < count; k++) {
        if (vertex[k] < 0 || vertex[k] >= n)
            return fail(err, STATUS_BAD_INPUT, "%s[%lld]: expected a vertex in 0 .. %d, found %d",
                        name, (long long)k, n - 1, vertex[k]);
    }
    return STATUS_OK;
}

struct asking {
    const apsp_index *index;
    const int32_t *from, *to;
    int64_t count, targets; /* count: number of pairs or of sources; targets: number of targets */
    void *distances;
    int threads;
};

static enum status ask_pairs(void *self, struct progress *progress, struct error *err) {
    const struct asking *const in = self;
    (void)progress, (void)err;
    index_distances(&in->index->x, in->from, in->to, in->count, in->distances, in->threads);
    return STATUS_OK;
}

apsp_status apsp_index_distances(const apsp_index *index, const int32_t *from, const int32_t *to,
                                 int64_t count, void *distances, int threads, apsp_error *error) {
    struct error err;
    struct asking in = {index, from, to, count, 0, distances, threads};
    enum status status;
    TRY(check_range("count", count, 0, INT64_MAX, &err));
    TRY(check_range("threads", threads, 0, THREADS_MAX, &err));
    TRY(check_vertices(index, "from", from, count, &err));
    TRY(check_vertices(index, "to", to, count, &err));
    TRY(call_work(&(struct listener){NULL, NULL}, ask_pairs, &in, &err));
cleanup:
    return end_call(status, &err, error);
}

static enum status ask_table(void *self, struct progress *progress, struct error *err) {
    const struct asking *const in = self;
    return index_table(&in->index->x, in->from, (int32_t)in->count, in->to, (int32_t)in->targets,
                       in->distances, (size_t)in->targets, in->threads, progress, err);
}

apsp_status apsp_index_table(const apsp_index *index, const int32_t *sources, int32_t source_count,
                             const int32_t *targets, int32_t target_count, void *distances,
                             int threads, apsp_error *error) {
    const int32_t n = index->x.header.vertices;
    struct error err;
    struct asking in = {index, sources, targets, source_count, target_count, distances, threads};
    enum status status;
    TRY(check_range("source_count", source_count, sources == NULL ? n : 0,
                    sources == NULL ? n : INT32_MAX, &err));
    TRY(check_range("target_count", target_count, targets == NULL ? n : 0,
                    targets == NULL ? n : INT32_MAX, &err));
    TRY(check_range("threads", threads, 0, THREADS_MAX, &err));
    TRY(check_vertices(index, "sources", sources, source_count, &err));
    TRY(check_vertices(index, "targets", targets, target_count, &err));
    TRY(call_work(&(struct listener){NULL, NULL}, ask_table, &in, &err));
cleanup:
    return end_call(status, &err, error);
}

apsp_status apsp_index_path(const apsp_index *index, int32_t from, int32_t to, int32_t *path,
                            int32_t *length, apsp_error *error) {
    const int32_t n = index->x.header.vertices;
    struct error err;
    enum status status;
    *length = 0;
    TRY(check_range("from", from, 0, n - 1, &err));
    TRY(check_range("to", to, 0, n - 1, &err));
    TRY(index_path(&index->x, from, to, path, length, &err));
cleanup:
    return end_call(status, &err, error);
}

struct proving_index {
    const apsp_index *index;
    const apsp_graph *graph;
    struct index_proving how;
};

static enum status prove_index(void *self, struct progress *progress, struct error *err) {
    struct proving_index *const in = self;
    struct gridded gridded = {.rounded = NULL};
    const struct graph *const given = &in->graph->graph;
    const double asked = index_grid(&in->index->x, given);
    enum status status;
    TRY(gridded_open(&gridded, given, asked, &index_purpose, progress, err));
    in->how.grid_error = gridded.rounding.distance_by;
    status = index_prove(&in->index->x, &gridded.graph, &in->how, progress, err);
cleanup:
    gridded_close(&gridded);
    return status;
}

apsp_status apsp_index_verify(const apsp_index *index, const apsp_graph *graph, int32_t rows,
                              const apsp_options *options, apsp_error *error) {
    const int32_t n = graph->graph.n;
    struct error err;
    apsp_options ours = APSP_OPTIONS_INIT;
    enum status status;
    TRY(check_min_plus(graph, &err));
    TRY(take_options(&ours, options, &err));
    TRY(check_range("threads", ours.threads, 0, THREADS_MAX, &err));
    TRY(check_range("rows", rows, 0, INT32_MAX, &err));
    struct proving_index in = {
        index, graph, {.rows = rows == 0 || rows > n ? n : rows, .threads = ours.threads}};
    TRY(call_work(&(struct listener){ours.progress, ours.progress_to}, prove_index, &in, &err));
cleanup:
    return end_call(status, &err, error);
}
