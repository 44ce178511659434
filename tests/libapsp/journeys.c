// SPDX-License-Identifier: MIT
#include "tests/libapsp/journeys.h"

#include "libapsp/apsp.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 12, EDGES = 60, ROUNDS = 10 };

struct journey {
    pthread_t thread;
    unsigned seed;
    const char *engine;
    char path[256];
    bool arrived;
};

static void draw(unsigned *seed, int32_t *numbers, int32_t lowest, int32_t count) {
    for (int e = 0; e < EDGES; e++)
        numbers[e] = lowest + (int32_t)(rand_r(seed) % count);
}

/* Counts the rows and their largest distance, from several threads at the same time. */
struct counted {
    pthread_mutex_t lock;
    int32_t rows, largest;
};

static apsp_status count_rows(void *self, const apsp_rows *rows, apsp_error *error) {
    struct counted *counted = self;
    const int32_t *distances = rows->distances;
    (void)error;
    for (int32_t r = 0; r < rows->count; r++) {
        for (int32_t v = 0; v < rows->vertices; v++) {
            const int32_t d = distances[(size_t)r * rows->leading + (size_t)v];
            pthread_mutex_lock(&counted->lock);
            counted->largest = d != APSP_INF && d > counted->largest ? d : counted->largest;
            pthread_mutex_unlock(&counted->lock);
        }
    }
    pthread_mutex_lock(&counted->lock);
    counted->rows += rows->count;
    pthread_mutex_unlock(&counted->lock);
    return APSP_OK;
}

/* Rows to a callback, measures and files, proved, as they come or in order. */
static bool visit_rows(const struct journey *j, const apsp_graph *graph, unsigned needs) {
    struct counted counted = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
    apsp_sink counting = APSP_SINK_INIT;
    apsp_sink *measuring = NULL, *filing = NULL;
    apsp_measures *measures = NULL;
    apsp_graph_measures found = APSP_GRAPH_MEASURES_INIT;
    apsp_options options = APSP_OPTIONS_INIT;
    apsp_request request = APSP_REQUEST_INIT;
    counting.take = count_rows;
    counting.self = &counted;
    counting.needs = needs;
    options.engine = j->engine;
    options.threads = 2;
    request.block = 5;
    request.check = 1;
    bool arrived = apsp_sink_measures(&measuring, &measures, NULL) == APSP_OK &&
                   apsp_sink_file(&filing, j->path, APSP_NPY, NULL) == APSP_OK;
    const apsp_sink *const sinks[] = {&counting, measuring, filing};
    arrived = arrived && apsp_solve_rows(graph, &request, &options, sinks, 3, NULL) == APSP_OK &&
              apsp_measures_graph(measures, &found, NULL) == APSP_OK &&
              counted.rows == found.vertices && counted.largest == found.largest_distance;
    apsp_sink_free(measuring);
    apsp_sink_free(filing);
    apsp_measures_free(measures);
    return arrived;
}

static bool visit_all(struct journey *j, apsp_format format) {
    int32_t tails[EDGES], heads[EDGES], weights[EDGES], path[N], length;
    apsp_graph *graph = NULL;
    apsp_result *result = NULL, *again = NULL;
    apsp_options options = APSP_OPTIONS_INIT;
    char written[300];
    draw(&j->seed, tails, 0, N);
    draw(&j->seed, heads, 0, N);
    draw(&j->seed, weights, 1, 9);
    options.engine = j->engine;
    snprintf(written, sizeof written, "%s%s", j->path, format == APSP_NPY ? ".dist.npy" : "");
    const bool arrived =
        apsp_graph_from_edges(&graph, N, EDGES, tails, heads, weights, NULL, NULL) == APSP_OK &&
        apsp_solve(graph, &options, &result, NULL) == APSP_OK &&
        apsp_verify(graph, result, NULL, NULL, NULL) == APSP_OK &&
        apsp_result_path(result, 0, 1, path, &length, NULL) == APSP_OK &&
        apsp_result_write(result, j->path, format, 1, NULL) == APSP_OK &&
        apsp_result_read(&again, written, NULL) == APSP_OK &&
        apsp_verify(graph, again, NULL, NULL, NULL) == APSP_OK && visit_rows(j, graph, 0) &&
        visit_rows(j, graph, APSP_NEEDS_ORDER);
    apsp_result_free(again);
    apsp_result_free(result);
    apsp_graph_free(graph);
    return arrived;
}

static void *travel(void *journey) {
    struct journey *j = journey;
    j->arrived = true;
    for (int round = 0; round < ROUNDS; round++)
        j->arrived &= visit_all(j, round % 2 == 0 ? APSP_NPY : APSP_TEXT);
    return NULL;
}

bool journeys_arrive(const char *path, const char *const *with, int count) {
    bool arrived = true;
    int started = 0;
    struct journey *journeys = calloc((size_t)count, sizeof *journeys);
    for (; journeys != NULL && started < count; started++) {
        struct journey *j = &journeys[started];
        j->seed = (unsigned)started + 1;
        j->engine = with[started];
        snprintf(j->path, sizeof j->path, "%s-%d", path, started);
        if (pthread_create(&j->thread, NULL, travel, j) != 0)
            break;
    }
    for (int t = 0; t < started; t++) {
        pthread_join(journeys[t].thread, NULL);
        arrived &= journeys[t].arrived;
    }
    free(journeys);
    return arrived && started == count;
}
