// SPDX-License-Identifier: MIT
/* Decayed sums by classes of rows on a GPU (classes/gpu/classes.h). */
#ifndef ACCESSIBILITY_GPU_GPU_DECAYS_H
#define ACCESSIBILITY_GPU_GPU_DECAYS_H

#include "accessibility/decay_engine.h" // struct decay_engine

extern const struct decay_engine gpu_decays;

#endif
