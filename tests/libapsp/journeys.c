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
        apsp_verify(graph, again, NULL, NULL, NULL) == APSP_OK;
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
