// SPDX-License-Identifier: MIT
// Which rows of regions each block of the kernels in class_kernels.h takes.
#ifndef CLASSES_GPU_CLASS_PARTS_CUH
#define CLASSES_GPU_CLASS_PARTS_CUH

#include "classes/gpu/class_kernels.h" // struct class_graph

#include "gpu/launch/launch.cuh" // launch
#include "gpu/launch/warp.cuh"   // warp_lanes

namespace {

using Graph = class_graph;
using Region = class_region;
using Part = class_part;
using ClassParts = class_parts;

constexpr int threads = 128; // number of threads of a block
constexpr int warps = threads / warp_lanes;
constexpr int tile = CLASS_TILE; // number of rows, and of columns, that a block takes at a time

// Returns the part that the block belongs to.
__device__ __forceinline__ Part part_of(const ClassParts &parts) {
    int32_t from = 0, to = parts.count;
    while (to - from > 1) {
        const int32_t middle = from + (to - from) / 2;
        if (parts.part[middle].block <= static_cast<int32_t>(blockIdx.x))
            from = middle;
        else
            to = middle;
    }
    return parts.part[from];
}

// Returns the first row of the part that the block takes if each block takes `each` rows.
__device__ __forceinline__ int32_t first_row(const Part &part, int32_t each) {
    return part.first + (static_cast<int32_t>(blockIdx.x) - part.block) * each;
}

// Returns the memory of the labels of the block's rows.
__device__ __forceinline__ path_length *labels_of(const Graph &g, const Part &part,
                                                  const Region &r) {
    const int32_t block = static_cast<int32_t>(blockIdx.x) - part.block;
    return g.label + part.cell + static_cast<int64_t>(block) * class_size(&r) * CLASS_TILE;
}

// Returns the number of the source that own vertex r.start + own of a region is; -1: none.
__device__ __forceinline__ int32_t source_at(const Graph &g, const Region &r, int32_t own) {
    return g.source[g.position[r.first_own + own]];
}

// Returns the number of the class in region `inside` that the reference of a row of the region
// around names; -1: none.
__device__ __forceinline__ int32_t class_of(const Region &inside, const class_reference &own) {
    if (own.of == CLASS_NONE)
        return -1;
    return own.of < 0 ? ~own.of : ~inside.reference[own.of].of;
}

// Launches a kernel for parts, if there are any, with `bytes` bytes of shared memory and `count`
// threads for each block.
template <typename Kernel>
enum status launch_parts(Kernel kernel, const class_graph *g, const class_parts *parts,
                         size_t bytes, struct error *err, int count = threads) {
    return parts->blocks == 0 ? STATUS_OK
                              : launch(err, kernel, dim3(static_cast<unsigned>(parts->blocks)),
                                       dim3(static_cast<unsigned>(count)), bytes, *g, *parts);
}

} // namespace

#endif
