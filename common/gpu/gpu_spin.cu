// SPDX-License-Identifier: MIT
// Work that keeps a GPU from lowering its clocks.
#include "common/gpu/gpu_solver.h" // gpu_spin

#include "common/gpu/flags.cuh"  // cycles
#include "common/gpu/launch.cuh" // launch, multiprocessors

namespace {

constexpr int64_t spin_cycles = 400000; // a fifth of a millisecond at 2 GHz, one at idle clocks

__global__ void spin() {
    const int64_t begun = cycles();
    while (cycles() - begun < spin_cycles) {
    }
}

} // namespace

enum status gpu_spin(struct error *err) {
    int count = 0;
    RETURN_ON_FAILURE(multiprocessors(&count, err));
    return launch(err, spin, dim3(static_cast<unsigned>(count)), dim3(128), 0);
}
