// SPDX-License-Identifier: MIT
/* The flow of all shortest paths down the entries of an eliminated graph, by classes of rows
 * (classes/proportional.h).
 *
 * Each source has a row in a region: its distance and its path count to every vertex there. If, on
 * the boundary of the region, the distances of two rows differ by a constant and their path counts
 * by a factor, the same edges inside are tight for both rows, and both rows divide flow alike. Such
 * rows are a class. The flow that a row needs at the boundary, to serve all targets inside, is the
 * same for all rows of a class. So the work in a region, forwards and backwards, is done once for
 * each class. */
#ifndef FLOWS_CLASS_FLOWS_H
#define FLOWS_CLASS_FLOWS_H

#include "flows/counted.h" // struct counted

/* Vertices are given by their positions in the order of elimination. With up and down of the
 * entries exchanged, the flow is that of the reversed graph. */
struct class_flows_request {
    const struct counted *counted;
    const int32_t *source; /* positions of the sources, ascending */
    int32_t sources;
    const double *from_mass; /* mass of each source, > 0 */
    const double *to_mass;   /* mass of each position as a target, n entries; 0: it is no target */
    double rate;             /* flow to a target decays by exp(-rate) over a length of 1; 0: no
                                decay */
    int threads;             /* number of threads, >= 1 */
    int device;              /* number of the GPU, for engines on one */
    enum isa isa;
    struct progress *progress; /* counts positions; may be NULL */
    int64_t done, all;         /* number of positions that progress has counted before this work,
                                  and counts in total */
};

/* Predicted time and memory of find(). */
struct class_flows_cost {
    double seconds;  /* predicted seconds with r->threads threads */
    uint64_t memory; /* most bytes of main memory, without the request and the answer */
};

/* Engine that finds flows: on the CPU, or on a GPU (flows/gpu/gpu_class_flows.h). */
struct class_flows_engine {
    double step_ns; /* nanoseconds that one relaxation takes on one thread of the CPU, or on the
                       whole GPU */
    /* Predicts the cost of find() from the work for some of the sources. Fails as find(). */
    enum status (*predict)(const struct class_flows_request *r, struct class_flows_cost *cost,
                           struct error *err);
    /* Adds to flow[e] the flow down entry e. A source s sends from_mass of s times to_mass of t,
     * times exp(-rate d(s, t)), to each target t that it reaches, divided equally among the
     * shortest paths. Sets ends[v] to the flow that ends at position v. The product of any four
     * path counts must be finite in float64. The result, to the bit, does not depend on the number
     * of threads. STATUS_NO_RESOURCE if there is not enough memory; `flow` is garbage then.
     * STATUS_CANCELLED if progress says to stop. */
    enum status (*find)(const struct class_flows_request *r, double *flow, double *ends,
                        struct error *err);
};

extern const struct class_flows_engine cpu_class_flows;

struct flow_region; /* see flow_kernels.h */

/* Sets the flow at the own positions of a region to what each, as a target, takes from a source of
 * mass 1, by labels of FLOW_LANES rows. */
void class_flows_want(const struct class_flows_request *r, const struct flow_region *region,
                      const double *label, double *flow);

#endif
