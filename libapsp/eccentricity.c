// SPDX-License-Identifier: MIT
/* The function of apsp.h for diameter, radius and eccentricities. */
#include "eccentricity/eccentricity.h" // eccentricities_find
#include "common/base/threads.h"       // THREADS_MAX
#include "libapsp/call.h"              // call_work
#include "libapsp/objects.h"           // struct apsp_graph, check_range
#include "libapsp/structs.h"           // struct_take

#include <math.h>
#include <string.h>

struct eccentricity_finding {
    const struct graph *graph;
    const apsp_eccentricity *asked;
    struct eccentricities found;
};

static enum status find(void *self, struct progress *progress, struct error *err) {
    struct eccentricity_finding *const f = self;
    const apsp_eccentricity *const asked = f->asked;
    const struct eccentricity_request request = {
        .graph = f->graph,
        .wants = (asked->diameter_only != 0 ? 0 : ECCENTRICITY_RADIUS) |
                 (asked->center != NULL ? ECCENTRICITY_CENTER : 0) |
                 (asked->periphery != NULL ? ECCENTRICITY_PERIPHERY : 0) |
                 (asked->eccentricities != NULL ? ECCENTRICITY_ALL : 0),
        .check = asked->check != 0,
        .threads = asked->threads,
        .most_sources = asked->most_sources,
        .if_together = asked->if_connected != 0,
        .progress = progress};
    return eccentricities_find(&request, &f->found, err);
}

static void copy_vertices(int32_t *to, const int32_t *from, int32_t count) {
    if (to != NULL && count > 0)
        memcpy(to, from, (size_t)count * sizeof *to);
}

/* Stores the finding in the caller's struct, as far as that reaches. */
static void give(const struct eccentricity_finding *f, apsp_eccentricity *to) {
    const struct eccentricities *const found = &f->found;
    to->closed = found->closed;
    to->directed = found->directed;
    to->components = found->components;
    to->diameter = found->diameter;
    to->radius = found->radius;
    to->largest_distance = found->largest;
    to->largest_from = found->from;
    to->largest_to = found->to;
    to->central = found->central;
    to->center_count = found->center_count;
    to->periphery_count = found->periphery_count;
    to->sources = found->sources;
    to->searches = found->searches;
    to->proved = found->proved;
    copy_vertices(to->center, found->center, found->center_count);
    copy_vertices(to->periphery, found->periphery, found->periphery_count);
    if (to->eccentricities != NULL && found->closed && found->sources > 0)
        memcpy(to->eccentricities, found->lower, (size_t)found->n * sizeof *found->lower);
}

apsp_status apsp_eccentricity_find(const apsp_graph *graph, apsp_eccentricity *eccentricity,
                                   apsp_error *error) {
    struct error err = {.is_out_of_range = false};
    apsp_eccentricity asked = APSP_ECCENTRICITY_INIT;
    struct eccentricity_finding f = {.graph = &graph->graph, .asked = &asked};
    bool taken = false;
    enum status status;
    TRY(struct_take(&asked, sizeof asked, SIZE_UP_TO(apsp_eccentricity, proved), eccentricity,
                    "apsp_eccentricity", &err));
    taken = true;
    TRY(check_min_plus(graph, &err));
    TRY(check_range("threads", asked.threads, 0, THREADS_MAX, &err));
    TRY(check_range("most_sources", asked.most_sources, 0, INT32_MAX, &err));
    TRY(call_work(&(struct listener){asked.progress, asked.progress_to}, find, &f, &err));
    give(&f, eccentricity);
cleanup:
    if (taken)
        eccentricity->out_of_range = status != STATUS_OK && err.is_out_of_range;
    eccentricities_free(&f.found);
    return end_call(status, &err, error);
}
