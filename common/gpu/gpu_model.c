// SPDX-License-Identifier: MIT
#include "common/gpu/gpu_model.h"

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

double gpu_loops_seconds(const struct solver_variant *variant, const struct model_question *q) {
    const struct variant_model *model = &variant->model;
    const struct gpu_traits *gpu = q->gpu;
    const double n = q->features->n;
    const double rate = q->predecessors && model->with_predecessors > 0 ? model->with_predecessors
                                                                        : model->distances;
    double slow = model->reads_memory ? gpu_slower_memory(gpu) : gpu_slower_instructions(gpu);
    if (model->adds_minima && gpu->capability < gpu_reference.capability)
        slow *= 2;
    double seconds = model->start_s + model->vertex_s * n + slow * (n * n * n) / rate;
    if (q->predecessors && model->with_predecessors == 0) /* derived, over tight edges */
        seconds += 2e-5 + gpu_slower_instructions(gpu) * n * (double)q->features->m / 16e12;
    return seconds;
}
