// SPDX-License-Identifier: MIT
// Loops that do one thing only, for bench_ceilings: what the instructions of the
// solvers' inner loops, and the device's memory, reach when nothing else is in
// the way.
//
// The arithmetic stays in registers. A thread owns 64 cells, as in the min-plus
// products, and relaxes them in turn: 64 independent chains, of as many warps as
// fit on a multiprocessor. A cell's new value is an addend of its next
// one, cell = min(cell + left, right), so that no step can be left out, and the
// operands differ from thread to thread, so that they are in registers. Nothing
// is stored, but only the host knows that: each kernel compares its result with
// an argument before it drops it.
#include "experiments/ceilings/ceilings.h"
#include "gpu/launch/launch.cuh" // launch

#include <stdint.h>

namespace {

constexpr int threads = 128;    // threads of a block
constexpr int own = 8;          // a thread owns own x own cells
constexpr int far = 1 << 30;    // right operand, about as large as INF
constexpr int never = 0x5bd1e9; // a value that no loop ends with, which the compiler cannot know

// Number of blocks that run at the same time, so that all blocks are one wave.
template <typename... Parameters>
enum status resident_blocks(void (*kernel)(Parameters...), int *blocks, struct error *err) {
    int device = 0, multiprocessors = 0, each = 0;
    enum status status = gpu_check(cudaGetDevice(&device), "asking for the device", err);
    if (status == STATUS_OK)
        status = gpu_check(
            cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
            "counting multiprocessors", err);
    if (status == STATUS_OK)
        status = gpu_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, 0),
                           "counting resident blocks", err);
    *blocks = multiprocessors * each;
    return status;
}

// Launches kernel(steps, arguments...). *amount is the number of operations in all, with per_thread
// operations for each thread and step.
template <typename... Parameters, typename... Arguments>
enum status launch_steps(void (*kernel)(int, Parameters...), int steps, double per_thread,
                         double *amount, struct error *err, Arguments... arguments) {
    int blocks = 0;
    enum status status = resident_blocks(kernel, &blocks, err);
    if (status == STATUS_OK)
        status = launch(err, kernel, dim3(static_cast<unsigned>(blocks)), dim3(threads), 0, steps,
                        arguments...);
    *amount = per_thread * threads * blocks * steps;
    return status;
}

// Relaxations -----------------------------------------------------------------------------

// Signed 32-bit cells: the instruction of dpx32, to which min(a + b, c) compiles on sm_90.
struct viaddmin_s32 {
    using type = int32_t;
    static constexpr int per_cell = 1;
    static __device__ type operand(int value) {
        return value;
    }
    static __device__ type relax(type cell, type left, type right) {
        return __viaddmin_s32(cell, left, right);
    }
    static __device__ int bits(type cell) {
        return cell;
    }
};

// Two unsigned 16-bit cells in a register, as in dpx16.
struct viaddmin_u16x2 {
    using type = uint32_t;
    static constexpr int per_cell = 2;
    static __device__ type operand(int value) {
        const uint32_t half = static_cast<uint32_t>(value < far ? value : 0x7fff - (value - far));
        return half << 16 | half;
    }
    static __device__ type relax(type cell, type left, type right) {
        return __viaddmin_u16x2(cell, left, right);
    }
    static __device__ int bits(type cell) {
        return static_cast<int>(cell);
    }
};

// Cells of single precision: an addition and a minimum.
struct fp32_add_min {
    using type = float;
    static constexpr int per_cell = 1;
    static __device__ type operand(int value) {
        return static_cast<float>(value);
    }
    static __device__ type relax(type cell, type left, type right) {
        return fminf(cell + left, right);
    }
    static __device__ int bits(type cell) {
        return __float_as_int(cell);
    }
};

constexpr int unrolled = 4; // relaxations of a cell per pass of the loop

template <typename Operation>
__global__ void __launch_bounds__(threads)
    relax_loop(int steps, int left_from, int right_from, int unwanted, int *sink) {
    using type = typename Operation::type;
    type cell[own][own], left[own], right[own];
#pragma unroll
    for (int x = 0; x < own; x++) {
        left[x] = Operation::operand(left_from + x + static_cast<int>(threadIdx.x));
        right[x] = Operation::operand(right_from + x + static_cast<int>(threadIdx.x));
#pragma unroll
        for (int c = 0; c < own; c++)
            cell[x][c] = Operation::operand(c);
    }
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
#pragma unroll
        for (int u = 0; u < unrolled; u++) {
#pragma unroll
            for (int r = 0; r < own; r++) {
#pragma unroll
                for (int c = 0; c < own; c++)
                    cell[r][c] = Operation::relax(cell[r][c], left[r], right[c]);
            }
        }
    }
    int result = 0;
#pragma unroll
    for (int r = 0; r < own; r++) {
#pragma unroll
        for (int c = 0; c < own; c++)
            result ^= Operation::bits(cell[r][c]) * (r * own + c + 1);
    }
    if (result == unwanted)
        *sink = result;
}

template <typename Operation>
enum status launch_relaxations(const struct ceiling_memory *memory, int steps, double *amount,
                               struct error *err) {
    return launch_steps(relax_loop<Operation>, steps, own * own * unrolled * Operation::per_cell,
                        amount, err, 1, far, never, memory->sink);
}

// Relaxations that update a predecessor for each cell: an addition, a comparison and two
// selections.
__global__ void __launch_bounds__(threads)
    predecessor_loop(int steps, int left_from, int right_from, int unwanted, int *sink) {
    int32_t cell[own][own], pred[own][own], left[own], right[own];
#pragma unroll
    for (int x = 0; x < own; x++) {
        left[x] = left_from + x + static_cast<int>(threadIdx.x);
        right[x] = right_from + x + static_cast<int>(threadIdx.x);
#pragma unroll
        for (int c = 0; c < own; c++) {
            cell[x][c] = c;
            pred[x][c] = -1;
        }
    }
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
#pragma unroll
        for (int r = 0; r < own; r++) {
#pragma unroll
            for (int c = 0; c < own; c++) {
                const int32_t sum = cell[r][c] + left[r];
                const bool shorter = sum < right[c];
                cell[r][c] = shorter ? sum : right[c];
                pred[r][c] = shorter ? s : pred[r][c];
            }
        }
    }
    int result = 0;
#pragma unroll
    for (int r = 0; r < own; r++) {
#pragma unroll
        for (int c = 0; c < own; c++)
            result ^= (cell[r][c] ^ pred[r][c]) * (r * own + c + 1);
    }
    if (result == unwanted)
        *sink = result;
}

// Tensor cores ----------------------------------------------------------------------------

constexpr int fragments = 4;          // a warp owns fragments x fragments accumulators
constexpr int mma_macs = 16 * 8 * 16; // multiply-adds of one instruction
constexpr int warp_threads = 32;

// sum += a x b for 16 x 8 sums of 16 products each, spread over the warp.
__device__ __forceinline__ void multiply_add(float (&sum)[4], const uint32_t (&a)[4],
                                             const uint32_t (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    (void)sum, (void)a, (void)b;
#endif
}

// Two bf16 powers of two, 2^(-7d) with d in 1 .. 8: operands are like those of
// the tensor variant, which encodes a distance as an exponent.
__device__ __forceinline__ uint32_t two_powers(int d) {
    const uint32_t half = static_cast<uint32_t>(127 - 7 * (1 + d % 8)) << 7;
    return half << 16 | half;
}

__global__ void __launch_bounds__(threads)
    mma_loop(int steps, int left_from, int right_from, float unwanted, float *sink) {
    float sum[fragments][fragments][4] = {};
    uint32_t a[fragments][4], b[fragments][2];
#pragma unroll
    for (int f = 0; f < fragments; f++) {
#pragma unroll
        for (int x = 0; x < 4; x++)
            a[f][x] = two_powers(left_from + static_cast<int>(threadIdx.x) + f + 3 * x);
#pragma unroll
        for (int x = 0; x < 2; x++)
            b[f][x] = two_powers(right_from + static_cast<int>(threadIdx.x) / 4 + f + 3 * x);
    }
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
#pragma unroll
        for (int u = 0; u < unrolled; u++) {
#pragma unroll
            for (int r = 0; r < fragments; r++) {
#pragma unroll
                for (int c = 0; c < fragments; c++)
                    multiply_add(sum[r][c], a[r], b[c]);
            }
        }
    }
    float result = 0;
#pragma unroll
    for (int r = 0; r < fragments; r++) {
#pragma unroll
        for (int c = 0; c < fragments; c++)
            result += (sum[r][c][0] + sum[r][c][1]) + (sum[r][c][2] + sum[r][c][3]);
    }
    if (result == unwanted)
        *sink = result;
}

// Memory ----------------------------------------------------------------------------------

constexpr int in_flight = 8; // loads that a thread has under way at once

__device__ __forceinline__ int mixed(int4 word) {
    return word.x ^ word.y ^ word.z ^ word.w;
}

__global__ void __launch_bounds__(threads)
    read_loop(int steps, const int4 *from, size_t count, int unwanted, int *sink) {
    const size_t first = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
    const size_t stride = static_cast<size_t>(gridDim.x) * threads;
    int result = 0;
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
        size_t i = first;
        for (; i + (in_flight - 1) * stride < count; i += in_flight * stride) {
            int4 word[in_flight];
#pragma unroll
            for (int x = 0; x < in_flight; x++)
                word[x] = from[i + x * stride];
#pragma unroll
            for (int x = 0; x < in_flight; x++)
                result += mixed(word[x]);
        }
        for (; i < count; i += stride)
            result += mixed(from[i]);
    }
    if (result == unwanted)
        *sink = result;
}

} // namespace

enum status ceiling_viaddmin_s32(const struct ceiling_memory *memory, int steps, double *amount,
                                 struct error *err) {
    return launch_relaxations<viaddmin_s32>(memory, steps, amount, err);
}

enum status ceiling_viaddmin_u16x2(const struct ceiling_memory *memory, int steps, double *amount,
                                   struct error *err) {
    return launch_relaxations<viaddmin_u16x2>(memory, steps, amount, err);
}

enum status ceiling_fp32_add_min(const struct ceiling_memory *memory, int steps, double *amount,
                                 struct error *err) {
    return launch_relaxations<fp32_add_min>(memory, steps, amount, err);
}

enum status ceiling_s32_with_predecessor(const struct ceiling_memory *memory, int steps,
                                         double *amount, struct error *err) {
    return launch_steps(predecessor_loop, steps, own * own, amount, err, 1, far, never,
                        memory->sink);
}

enum status ceiling_bf16_mma(const struct ceiling_memory *memory, int steps, double *amount,
                             struct error *err) {
    const double per_thread =
        static_cast<double>(mma_macs) * fragments * fragments * unrolled / warp_threads;
    return launch_steps(mma_loop, steps, per_thread, amount, err, 0, 0, -1.0f,
                        reinterpret_cast<float *>(memory->sink));
}

enum status ceiling_memory_read(const struct ceiling_memory *memory, int steps, double *amount,
                                struct error *err) {
    double unused = 0;
    *amount = static_cast<double>(memory->device_bytes) * steps;
    return launch_steps(read_loop, steps, 0, &unused, err,
                        static_cast<const int4 *>(memory->device[0]),
                        memory->device_bytes / sizeof(int4), never, memory->sink);
}
