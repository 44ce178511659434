// SPDX-License-Identifier: MIT
/* The GPUs of this process that solve one graph by dissection, one or several, and what they share.
 *
 * Sources are arranged in the order of elimination, so that neighbours share work. Every GPU has
 * the whole eliminated graph and claims some sources when it is ready for more. The first GPU works
 * in the thread that calls crew_together, each other one in a thread of its own. Where several
 * processes solve together, each has a crew, and the crews claim from the same sources.
 *
 * A GPU's thread writes to its own struct crew_gpu. While GPUs work together, nobody writes to
 * struct crew, but for its last members, which the lock guards, and the results of claimed sources.
 *
 *     crew_arrange(c, err)
 *     crew_gather(c, room, err)
 *     as often as needed: crew_claim_anew(c, err), crew_together(c, work that calls crew_claim,
 * err) crew_dismiss(c) */
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
struct host_totals; /* totals.h */

/* Work of one GPU, done in its thread while the GPU is the current device. `gpu` points to its
 * struct crew_gpu. */
typedef enum status crew_work(void *gpu, struct error *err);

/* Seconds of work, most of them on the device. */
struct crew_times {
    double close, sweep, prove;
};

struct crew_gpu {
    struct crew *crew;
    int device;
    struct device_memory memory; /* of all pointers to the device below */
    size_t free, all;            /* bytes of the device's that were free before, and in all */
    cudaEvent_t begin, end;
    struct crew_times times;

    /* Sweeps (sweeps.h). Sources are those of crew->order, PRODUCT_LANES more than there are. */
    struct product_pieces products;
    const int32_t *source, *vertex; /* on the device: the position of each source, its vertex */
    int32_t lanes;                  /* of a batch at most */
    bool keeps_labels;              /* a batch has room for the labels of all vertices */
    struct product_batch batch;

    /* Totals by sweeps (swept_totals.h) */
    struct gpu_totals totals;    /* of all sources; shift is crew->shift */
    int slots;                   /* blocks with counts of their own */
    struct gpu_lane_proof proof; /* ready if totals can be proved */

    struct gpu_classes classes; /* of totals by classes of rows (class_totals.h) */
    bool proved;                /* all rows that this GPU streamed (crew_rows.h) */
};

struct crew {
    /* Set by the caller, who frees d, pieces and regions; the rest is 0 */
    const struct solver_task *task;
    int threads;                 /* of the host */
    struct pieces_options sizes; /* of pieces */
    int32_t small_top;           /* a top of so many vertices is not cut into pieces */
    int32_t lanes;               /* of a batch at most */
    const struct regions_options *other_regions; /* NULL; or for tests: the regions of classes,
                                                    which are used whether that pays or not */
    struct dissection d;
    bool by_classes; /* totals are to be found by classes of rows */
    bool proves;     /* rows are to be proved on the device */

    /* The graph as the devices have it */
    bool reversed;          /* d.lengths are those of the reversed graph */
    struct pieces pieces;   /* unless by_classes, */
    struct regions regions; /* otherwise */
    double cut_s;           /* that finding these has taken */

    /* The answer. Arrays have sources in the order of elimination. */
    int32_t *order;    /* positions in the tree, ascending */
    int32_t *position; /* where in the answer their rows are */
    bool is_finite;    /* totals by sweeps take all distances for finite */
#ifdef LENGTH_F64
    struct digit_levels
        levels; /* of reciprocals of totals by sweeps, unless the sink spares them */
#endif
    int32_t shift;             /* of their histogram */
    struct host_totals *found; /* where totals by classes go */
    bool refuted;              /* the row of the largest distance is wrong */
    bool proved;               /* the devices have proved all of the answer */

    struct crew_gpu *gpu;
    struct gpu_hand hand[SOLVER_MAX_TOGETHER]; /* one for each GPU */
    int count;
    pthread_mutex_t turn; /* of the GPU that hands rows on */
    pthread_mutex_t lock; /* of what follows */
    int32_t claimed;      /* sources */
    bool stops;           /* a GPU has failed, and the others are to end */
};

/* Arranges the sources of the answer: `order`, which repeats the last source PRODUCT_LANES times,
 * and `position`. STATUS_NO_RESOURCE if there is not enough memory. */
enum status crew_arrange(struct crew *c, struct error *err);

/* Makes the GPUs that the task lists, but no more than there are batches of sources for, and tells
 * the task's on_devices how many. room: see struct device_memory. The caller frees with
 * crew_dismiss, also after a failure. */
enum status crew_gather(struct crew *c, const struct gpu_room *room, struct error *err);

/* Has all GPUs work at the same time, and waits for them. Reports the failure of the first GPU in
 * the list that had one, and names the GPU if there are others: those that only stopped for another
 * had none. */
enum status crew_together(struct crew *c, crew_work *work, struct error *err);

/* Tells the task's on_memory what each GPU's memory has been used for. */
void crew_report_memory(const struct crew *c);

/* Frees all that the devices hold of the graph. */
void crew_release(const struct crew *c);

/* Frees what crew_arrange and crew_gather have allocated, and all that the devices hold. Safe on a
 * crew that has not been gathered. */
void crew_dismiss(struct crew *c);

/* Goes on with the reversed graph, or with the graph itself: changes d.lengths only. */
void crew_reverse(struct crew *c, bool reversed);

/* Makes the GPU the current device, unless it is the only one and is current anyway. */
enum status crew_select(const struct crew_gpu *gpu, struct error *err);

/* Returns whether this GPU is the one whose thread called crew_together, which alone may report. */
static inline bool crew_is_first(const struct crew_gpu *gpu) {
    return gpu == gpu->crew->gpu;
}

/* Lets all sources be claimed, by all processes, once more. */
enum status crew_claim_anew(struct crew *c, struct error *err);

/* Claims the next sources for a GPU: at most `most`, and a multiple of `unit` unless they are the
 * last or `most` is none. Returns how many, 0 if none is left, and stores the first. Of several
 * takers, GPUs or processes, each takes what claims_share gives it. */
int32_t crew_claim(struct crew_gpu *gpu, int32_t most, int32_t unit, int32_t *first);

/* Returns whether no GPU has failed and nobody wants the solve to stop. */
bool crew_goes_on(const struct crew_gpu *gpu);

/* Reports how many sources are done. */
void crew_report_progress(const struct crew_gpu *gpu, int32_t done);

/* Measures a time on the device, and adds it to *seconds. Stopping waits for the device. */
enum status crew_start_clock(const struct crew_gpu *gpu, struct error *err);
enum status crew_stop_clock(const struct crew_gpu *gpu, double *seconds, struct error *err);

/* All processes call these at the same time: they lower a number to the least of all, or leave a
 * fact true only if it is true for all. They fail if a process has failed before. */
enum status crew_find_least(const struct crew *c, int *number, struct error *err);
enum status crew_agree(const struct crew *c, bool *fact, struct error *err);

#endif
