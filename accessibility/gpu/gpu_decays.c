// SPDX-License-Identifier: MIT
#include "accessibility/gpu/gpu_decays.h"

#ifndef APSP_NO_CUDA

#include "classes/gpu/classes.h"        // gpu_classes_values
#include "classes/proportional_model.h" // gpu_class_regions
#include "gpu/gpu_room.h"               // gpu_room_find
#include "gpu/gpu_solver.h"             // gpu_turn_begin

#include <cuda_runtime_api.h>
#include <math.h>

#define gpu_decay_finder BY_LENGTH(gpu_decay_finder)

/* Seconds of a step, as measured on one H200. */
static const double step_s = 4e-13;

/* State of one task. */
struct gpu_decaying {
    struct gpu_turn turn;
    bool has_turn; /* the turn on the GPU has to be ended */
    struct regions regions;
    struct gpu_classes classes;
};

static enum status open(const struct decay_task *t, struct gpu_decaying *d, struct error *err) {
    const struct solver_options options = {.device = t->device, .keeps_device = true};
    const struct class_values values = {
        .masses = t->masses, .decays = t->decays, .mass = t->mass, .rate = t->rate};
    struct gpu_classes_options how = {
        .threads = t->threads, .progress = t->progress, .values = &values};
    struct gpu_room room;
    *d = (struct gpu_decaying){.has_turn = false};
    RETURN_ON_FAILURE(gpu_turn_begin(&d->turn, &options, err));
    d->has_turn = true;
    RETURN_ON_FAILURE(regions_find(t->graph->tree, t->graph->structure,
                                   t->cut != NULL ? t->cut : &gpu_class_regions, t->threads,
                                   &d->regions, err));
    RETURN_ON_FAILURE(gpu_room_find(t->device, NULL, &room, err));
    how.room = room.free / 8 * 7;
    return gpu_classes_open(&d->classes, t->graph, &d->regions, &how, err);
}

static void end(struct gpu_decaying *d) {
    gpu_classes_close(&d->classes);
    regions_free(&d->regions);
    (void)cudaGetLastError();
    if (d->has_turn)
        gpu_turn_end(&d->turn);
}

/* *is: classes on the GPU are predicted to take less time than searches. Compares first with the
 * time for rows no two of which are proportional, which needs no trial. */
static enum status is_faster(const struct decay_task *t, struct gpu_decaying *d, bool *is,
                             struct error *err) {
    double steps;
    *is = gpu_classes_most(&d->classes, t->sources) * step_s < t->other_s;
    if (*is)
        return STATUS_OK;
    RETURN_ON_FAILURE(gpu_classes_predict(&d->classes, t->source, t->sources, &steps, err));
    *is = steps * step_s < t->other_s;
    return STATUS_OK;
}

static enum status find(const struct decay_task *t, double *decayed, bool *done,
                        struct error *err) {
    struct gpu_decaying d;
    enum status status;
    *done = false;
    TRY(open(t, &d, err));
    TRY(is_faster(t, &d, done, err));
    d.classes.all = t->counts ? t->sources : 0;
    if (*done)
        status = gpu_classes_values(&d.classes, t->source, t->row, t->sources, decayed, err);

cleanup:
    end(&d);
    *done = *done && status == STATUS_OK;
    return status;
}

static enum status predict(const struct decay_task *t, double *seconds, struct error *err) {
    struct gpu_decaying d;
    double steps = 0;
    enum status status;
    TRY(open(t, &d, err));
    status = gpu_classes_predict(&d.classes, t->source, t->sources, &steps, err);

cleanup:
    end(&d);
    *seconds = steps * step_s;
    return status;
}

extern const struct decay_finder gpu_decay_finder;
const struct decay_finder gpu_decay_finder = {.find = find, .predict = predict};

#ifndef LENGTH_F64
extern const struct decay_finder gpu_decay_finder_f64;

static void wake(int device) {
    const struct solver_options options = {.device = device};
    struct gpu_turn turn;
    struct error ignored;
    if (gpu_turn_begin(&turn, &options, &ignored) != STATUS_OK)
        return;
    cudaFree(NULL);
    gpu_turn_end(&turn);
}

const struct decay_engine gpu_decays = {
    .of_int32 = &gpu_decay_finder, .of_float64 = &gpu_decay_finder_f64, .wake = wake};
#endif

#endif
