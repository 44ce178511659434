#include "common/launch.cuh"
#include "tests/unit/shim_kernels.h"

static void reverse(int *values, int count, bool barrier) {
    DYNAMIC_SHARED(int, shared);
    const int own = static_cast<int>(threadIdx.x);
    shared[own] = values[own];
    if (barrier)
        __syncthreads();
    values[own] = shared[count - 1 - own];
}

void shim_reverse(int *values, int count, bool barrier) {
    struct error err;
    launch(&err, reverse, dim3(1), dim3(static_cast<unsigned>(count)),
           static_cast<size_t>(count) * sizeof(int), values, count, barrier);
}

static void take_turn(int *turns, int *next) {
    turns[blockIdx.x] = (*next)++;
}

void shim_order_of_blocks(int *turns, int blocks) {
    struct error err;
    int next = 0;
    launch(&err, take_turn, dim3(static_cast<unsigned>(blocks)), dim3(1), 0, turns, &next);
}
