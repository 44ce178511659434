// SPDX-License-Identifier: MIT
/* The proof of an index's rows on a GPU. Only builds with CUDA have it. */
#ifndef INDEX_INDEX_GPU_H
#define INDEX_INDEX_GPU_H

#include "index/index_prove.h" // index_device_proof

index_device_proof index_prove_rows_on_gpu;

#endif
