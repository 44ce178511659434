// SPDX-License-Identifier: MIT
#include "gpu/gpu_model.h"

#include <math.h>

const struct gpu_traits gpu_reference = {
    .name = "NVIDIA H200",
    .multiprocessors = 132,
    .capability = 9,
    .shared = 227 << 10,
    .clock = 1.98e9,
    .bandwidth = 4.9e12,
    .memory = (size_t)140 << 30,
};

static double slower(double there, double here) {
    return here > 0 ? there / here : 1;
}

double gpu_slower_instructions(const struct gpu_traits *gpu) {
    return slower(gpu_reference.multiprocessors * gpu_reference.clock,
                  gpu->multiprocessors * gpu->clock);
}

double gpu_slower_memory(const struct gpu_traits *gpu) {
    return slower(gpu_reference.bandwidth, gpu->bandwidth);
}

double gpu_model_gpus(const struct model_question *q) {
    return q->gpus > 1 ? q->gpus : 1;
}

double gpu_model_rows(const struct model_question *q) {
    return ceil(model_rows(q) / gpu_model_gpus(q));
}

double gpu_loops_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const struct variant_model *model = &variant->model;
    const struct gpu_traits *gpu = q->gpu;
    const double n = q->features->n, gpus = gpu_model_gpus(q);
    /* During the work each GPU receives each row once, at least at the speed of PCI Express. */
    const double bytes_a_second = 2e10;
    const double copies_s = gpus > 1 ? n * n * sizeof(int32_t) / bytes_a_second : 0;
    const double rate = q->predecessors && model->with_predecessors > 0 ? model->with_predecessors
                                                                        : model->distances;
    double slow = model->reads_memory ? gpu_slower_memory(gpu) : gpu_slower_instructions(gpu);
    if (model->adds_minima && gpu->capability < gpu_reference.capability)
        slow *= 2;
    double seconds =
        model->start_s + model->vertex_s * n + fmax(slow * (n * n * n) / (rate * gpus), copies_s);
    /* predecessors are derived afterwards, over tight edges */
    if (q->predecessors && model->with_predecessors == 0)
        seconds +=
            2e-5 + gpu_slower_instructions(gpu) * n * (double)q->features->m / (16e12 * gpus);
    return seconds;
}
