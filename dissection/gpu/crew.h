// SPDX-License-Identifier: MIT
/* The GPUs of this process that solve one graph by dissection, one or several, and what they share.
 *
 * Sources are arranged in the order of elimination, so that neighbours share work. Every GPU has
 * the whole eliminated graph and claims some sources when it is ready for more. The first GPU works
 * in the thread that calls crew_together, each other one in a thread of its own. Where several
 * processes solve together, each has a crew, and the crews claim from the same sources.
 *
 * A GPU's thread writes to its own struct crew_gpu. While GPUs work together, only two parts of
 * struct crew are written: its last members, guarded by the lock, and the results of claimed
 * sources.
 *
 *     crew_arrange(c, err)
 *     crew_gather(c, room, err)
 *     as often as needed:
 *         crew_claim_anew(c, err)
 *         crew_together(c, work that calls crew_claim, err)
 *     crew_dismiss(c) */
#ifndef DISSECTION_GPU_CREW_H
#define DISSECTION_GPU_CREW_H

#include "certificate/gpu/gpu_lane_proof.h" // struct gpu_lane_proof
#include "classes/gpu/classes.h"            // struct gpu_classes
#include "elimination/dissection.h"         // struct dissection
#include "elimination/gpu/products.h"       // struct product_pieces, struct product_batch
#include "gpu/device_memory.h"              // struct device_memory
#include "gpu/gpu_hands.h"                  // struct gpu_hand
#include "measures/digit_levels.h"          // struct digit_levels
#include "solve/solver.h"                   // struct solver_task

#include <cuda_runtime_api.h>
#include <pthread.h>

#define crew_arrange         BY_LENGTH(crew_arrange)
#define crew_gather          BY_LENGTH(crew_gather)
#define crew_together        BY_LENGTH(crew_together)
#define crew_report_memory   BY_LENGTH(crew_report_memory)
#define crew_release         BY_LENGTH(crew_release)
#define crew_dismiss         BY_LENGTH(crew_dismiss)
#define crew_reverse         BY_LENGTH(crew_reverse)
#define crew_select          BY_LENGTH(crew_select)
#define crew_claim_anew      BY_LENGTH(crew_claim_anew)
#define crew_claim           BY_LENGTH(crew_claim)
#define crew_goes_on         BY_LENGTH(crew_goes_on)
#define crew_report_progress BY_LENGTH(crew_report_progress)
#define crew_start_clock     BY_LENGTH(crew_start_clock)
#define crew_stop_clock      BY_LENGTH(crew_stop_clock)
#define crew_find_least      BY_LENGTH(crew_find_least)
#define crew_agree           BY_LENGTH(crew_agree)

struct crew;
struct crew_gpu;
struct host_totals; /* see totals.h */

/* A function that does a GPU's work in the GPU's thread, while the GPU is the current device. gpu:
 * its struct crew_gpu. */
typedef enum status crew_work(void *gpu, struct error *err);

/* Seconds of the parts of the work, most of them on the device. */
struct crew_times {
    double close, sweep, prove;
};

struct crew_gpu {
    struct crew *crew;
    int device;
    struct device_memory memory; /* owner of all device memory below */
    size_t free, all;            /* bytes of device memory that were free before, and bytes of all
                                    device memory */
    cudaEvent_t begin, end;
    struct crew_times times;

    /* Sweeps (sweeps.h). Sources are those of crew->order, with the PRODUCT_LANES that fill it
     * up. */
    struct product_pieces products;
    const int32_t *source, *vertex; /* on the device: position and vertex of each source */
    int32_t lanes;                  /* most sources of a batch */
    bool keeps_labels;              /* a batch has memory for the labels of all vertices */
    struct product_batch batch;

    /* Totals by sweeps (swept_totals.h) */
    struct gpu_totals totals;    /* totals of all sources; shift is crew->shift */
    int slots;                   /* number of blocks with counts of their own */
    struct gpu_lane_proof proof; /* ready if totals can be proved */

    struct gpu_classes classes; /* totals by classes of rows (class_totals.h) */
    bool proved;                /* all rows that this GPU has streamed are proved (crew_rows.h) */
};

struct crew {
    /* Set by the caller, who frees d, pieces and regions. All other members are 0 at first. */
    const struct solver_task *task;
    int threads;                                 /* number of host threads */
    struct pieces_options sizes;                 /* largest sizes of pieces */
    int32_t small_top;                           /* a top of up to this number of vertices is not
                                                    cut into pieces */
    int32_t lanes;                               /* most sources of a batch */
    const struct regions_options *other_regions; /* for tests: how to cut the graph into regions;
                                                    classes are then used whether they pay or not;
                                                    NULL: as usual */
    struct dissection d;
    bool by_classes; /* totals are to be found by classes of rows */
    bool proves;     /* rows are to be proved on the device */

    /* The graph in the form that the devices have: */
    bool reversed;          /* d.lengths are those of the reversed graph */
    struct pieces pieces;   /* the pieces, if by_classes is false */
    struct regions regions; /* the regions, if by_classes is true */
    double cut_s;           /* seconds that finding the pieces or regions took */

    /* The answer. Sources are in the order of elimination. */
    int32_t *order;    /* positions of the sources in the tree, ascending */
    int32_t *position; /* position of each source's row in the answer */
    bool is_finite;    /* totals by sweeps assume that all distances are finite */
#ifdef LENGTH_F64
    struct digit_levels levels; /* digit levels of sums of reciprocals, for totals by sweeps; zeroed
                                   if the sink does not want them */
#endif
    int32_t shift;             /* right shift from distances to bins of the histogram of totals by
                                  sweeps */
    struct host_totals *found; /* memory for totals by classes */
    bool refuted;              /* the row of the largest distance is wrong */
    bool proved;               /* the devices have proved the whole answer */

    struct crew_gpu *gpu;
    struct gpu_hand hand[SOLVER_MAX_TOGETHER]; /* host thread of each GPU */
    int count;
    pthread_mutex_t turn; /* held by the GPU that hands rows on */
    pthread_mutex_t lock; /* guards the next two members */
    int32_t claimed;      /* number of sources claimed */
    bool stops;           /* a GPU has failed, and the others are to stop */
};

/* Arranges the sources of the answer: sets `order`, filled up with PRODUCT_LANES copies of the last
 * source, and `position`. STATUS_NO_RESOURCE if there is not enough memory. */
enum status crew_arrange(struct crew *c, struct error *err);

/* Opens the GPUs that the task lists, but not more than there are batches of sources, and passes
 * their number to the task's on_devices. room: see struct device_memory. The caller frees the GPUs
 * with crew_dismiss, also after a failure. */
enum status crew_gather(struct crew *c, const struct gpu_room *room, struct error *err);

/* Has all GPUs work at the same time, and waits for them. Reports the failure of the first GPU in
 * the list that has failed itself; GPUs that only stopped because of another one do not count. If
 * there are several GPUs, the report names the one that failed. */
enum status crew_together(struct crew *c, crew_work *work, struct error *err);

/* Calls the task's on_memory with the use of each GPU's memory. */
void crew_report_memory(const struct crew *c);

/* Frees everything that the devices hold of the graph. */
void crew_release(const struct crew *c);

/* Frees what crew_arrange and crew_gather have allocated, and everything that the devices hold.
 * Safe on a crew that has not been gathered. */
void crew_dismiss(struct crew *c);

/* Switches to the reversed graph, or back to the graph itself. Changes d.lengths only. */
void crew_reverse(struct crew *c, bool reversed);

/* Makes the GPU the current device, unless it is the only one and is current anyway. */
enum status crew_select(const struct crew_gpu *gpu, struct error *err);

/* Returns whether this GPU is the one whose thread called crew_together, which alone may report. */
static inline bool crew_is_first(const struct crew_gpu *gpu) {
    return gpu == gpu->crew->gpu;
}

/* Makes all sources claimable by all processes once more. */
enum status crew_claim_anew(struct crew *c, struct error *err);

/* Claims the next sources for a GPU: at most `most`, and a multiple of `unit` unless they are the
 * last ones or `most` sets no limit. Returns their number, 0 if none is left, and stores the first.
 * If several GPUs or processes claim, each gets the share that claims_share gives it. */
int32_t crew_claim(struct crew_gpu *gpu, int32_t most, int32_t unit, int32_t *first);

/* Returns whether no GPU has failed and the solve is not told to stop. */
bool crew_goes_on(const struct crew_gpu *gpu);

/* Reports the number of sources that are done. */
void crew_report_progress(const struct crew_gpu *gpu, int32_t done);

/* Functions that measure a time on the device. Stopping waits for the device and adds the time to
 * *seconds. */
enum status crew_start_clock(const struct crew_gpu *gpu, struct error *err);
enum status crew_stop_clock(const struct crew_gpu *gpu, double *seconds, struct error *err);

/* All processes call these functions at the same time. crew_find_least lowers a number to the least
 * of all processes; the other one leaves a fact true only if it is true for all. They fail if a
 * process has failed before. */
enum status crew_find_least(const struct crew *c, int *number, struct error *err);
enum status crew_agree(const struct crew *c, bool *fact, struct error *err);

#endif
