// SPDX-License-Identifier: MIT
/* Kernels for flows by classes of rows (flows/class_flows.h) on a GPU.
 *
 * A warp takes a strip of up to 32 rows of a region (classes/strips.h), a lane for each row, and
 * walks over the region's entries in the order in which a CPU does. Lanes wait for no other lane,
 * so that a row has the same bits wherever it is found.
 *
 * Pairs of all lanes follow one another. A tile has the pairs of 32 rows, of one vertex after the
 * other: row r of rows with `width` vertices has vertex b at tile_at(r, b, width).
 *
 * Functions work in the default stream and may return before they are done. */
#ifndef FLOWS_GPU_GPU_FLOW_KERNELS_H
#define FLOWS_GPU_GPU_FLOW_KERNELS_H

#include "common/base/error.h" // enum status

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define FLOW_ANYWHERE __host__ __device__
#else
#define FLOW_ANYWHERE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of a strip, and warps of a block. */
enum { STRIP_LANES = 32, FLOW_BLOCK_WARPS = 4 };

/* References of rows to classes: there is no path into the region. */
enum { NO_FLOW_CLASS = -1 };

/* A distance, infinite if there is no path, and the number of shortest paths, 0 if there is none.
 */
struct flow_pair {
    double length, paths;
} __attribute__((aligned(16)));

static FLOW_ANYWHERE inline ptrdiff_t tile_at(int32_t row, int32_t vertex, int32_t width) {
    return ((ptrdiff_t)(row / STRIP_LANES) * width + vertex) * STRIP_LANES + row % STRIP_LANES;
}

/* Consecutive rows of a region, all of one kind, as struct row_strip has them. */
struct flow_strip {
    int32_t region;
    int32_t child; /* the region inside that has the sources; OF_OWN or OF_CLASSES */
    int32_t
        first; /* number of the first row: of the child's sources, in own_source or of classes */
    int32_t count; /* number of rows, at most STRIP_LANES */
};

/* A region (classes/regions.h), whose numbers of vertices these are. */
struct flow_place {
    int32_t own, width;
    int32_t pitch;                  /* length of a row of `among`: own + width or more, even */
    int32_t portals;                /* number of vertices on boundaries of regions inside */
    int32_t parent, child, sibling; /* numbers of regions; -1: there is none */
    int32_t first_own;              /* place of its first own position among all own positions */
    int64_t first_below;            /* where its lists of entries by their higher ends begin */
    int32_t first_source, sources;
    int32_t own_sources;
    const int32_t *own_source;           /* own_sources: numbers of the sources at own positions */
    const int32_t *outer, *outer_portal; /* width */
    const int32_t *portal;               /* portals */
    struct flow_pair *own_up; /* own x width: from own positions, inside the region; no tiles */
    struct flow_pair *up;     /* tiles of `sources` rows: to the boundary, inside the region */
    struct flow_pair *among;  /* portals x pitch: from portals to all vertices; NULL: no sources */
    int32_t classes;
    struct flow_pair *class_row; /* tiles of `classes` rows: relative distances and path counts */
    uint64_t *mass;              /* classes: sum of the masses of a class's rows */
    double *asked;       /* (sources + classes) x width: flow that a row needs at the boundary */
    int32_t first_strip; /* number of its first strip among those of its group */
    int32_t strips;
    struct flow_pair *portal_row; /* strips x portals x STRIP_LANES */
    /* Arrays with an item for each lane of the parent's strips: */
    int32_t *reference;     /* class of the row in this region; while classes are looked for, the
                               slot and then the lane of the row that the class is named after */
    struct flow_pair *norm; /* what the row's key is relative to */
    int32_t *number;        /* class of a row that a class is named after */
    int32_t *named;         /* rows that the classes are named after, by class */
    uint64_t *hash;         /* mask + 1 slots; 0: empty */
    int32_t *least;         /* mask + 1: the first row with the slot's hash */
    uint32_t mask;
};

/* Consecutive entries. */
struct flow_own {
    int64_t entry;
    int32_t entries;
};

/* Arrays on the device. Entries are listed region by region: in the order of own positions, from
 * which they lead up, and in that of vertices, own and of the boundary, to which they lead up. */
struct flow_net {
    struct flow_place *place;
    const struct flow_own *own;        /* n: entries up from own positions, by place */
    const int32_t *local;              /* by entry: the number of the higher end */
    const struct flow_pair *up, *down; /* by entry */
    const struct flow_own *below;      /* entries up to each vertex of each region; */
    const int32_t *lower;              /* in this order: the number of the lower end */
    const struct flow_pair *way;       /* down the entry */
    const int32_t *source_number;      /* by source: its own number in its region */
    const uint64_t *source_mass;       /* by source */
    const double *target_mass;         /* n, by place among own positions */
    int32_t *classes;                  /* by region: number of its classes */
    const struct flow_strip *strip;    /* strips of a group of regions of one depth */
    double *flow;                      /* flow down entries, in the order of `below` */
    double *ends;                      /* n, by place: flow that ends there */
    /* Room for each warp that runs at the same time: */
    struct flow_pair *label; /* most_locals x STRIP_LANES */
    struct flow_pair *inner; /* most_locals x STRIP_LANES */
    double *carried;         /* most_locals x STRIP_LANES */
    int32_t most_locals;
    int32_t warps;  /* number of warps that there is room for, a multiple of FLOW_BLOCK_WARPS */
    uint32_t *next; /* number of items that warps have taken */
};

/* Rows first .. of a region, a tile of STRIP_LANES. */
struct flow_tile {
    int32_t region, first;
};

/* Strips first .. first + count - 1 of a region with so many entries, which one warp passes
 * backwards. Their sums follow those of earlier parts: of the region's entries, then of its own
 * positions. */
struct flow_part {
    int32_t region, first, count;
    int64_t sums, entries;
};

/* The parts of a region, and the number of its entries. */
struct flow_sum {
    int32_t region, first, parts;
    int64_t sums, entry, entries;
};

/* Stores how many warps run at the same time on the current device. */
enum status flow_warps(int32_t *warps, struct error *err);

/* Finds own_up for tiles of own positions. */
enum status flow_own_up(const struct flow_net *net, const struct flow_tile *tile, int32_t count,
                        struct error *err);

/* Finds `up` for the net's strips, which are of no classes, from own_up and that of regions inside.
 */
enum status flow_climb(const struct flow_net *net, int32_t strips, struct error *err);

/* Finds `among` for tiles of portals: of the boundary, from those of the parent; or of own
 * positions, after those of the boundary. */
enum status flow_among_boundary(const struct flow_net *net, const struct flow_tile *tile,
                                int32_t count, struct error *err);
enum status flow_among_own(const struct flow_net *net, const struct flow_tile *tile, int32_t count,
                           struct error *err);

/* Finds the labels of portals, portal_row, for the net's strips. */
enum status flow_portal_rows(const struct flow_net *net, int32_t strips, struct error *err);

/* Finds the classes of the rows of the net's strips in all regions inside. Tables are 0, `least`
 * has INT32_MAX. `inside` lists these regions. net->classes, reference, named. */
enum status flow_classify(const struct flow_net *net, int32_t strips, const int32_t *inside,
                          int32_t count, struct error *err);

/* Adds up `mass`, which is 0, and copies class_row for tiles of classes. */
enum status flow_name_classes(const struct flow_net *net, int32_t strips,
                              const struct flow_tile *tile, int32_t count, struct error *err);

/* Passes parts backwards: `asked` of their rows, and sums. */
enum status flow_back(const struct flow_net *net, const struct flow_part *part, int32_t count,
                      double *sums, struct error *err);

/* Sets net->flow and net->ends of regions to the sums of their parts, in their order. blocks:
 * number of blocks that add up the parts of each region, 1 .. 65535. */
enum status flow_add(const struct flow_net *net, const struct flow_sum *sum, int32_t count,
                     const double *sums, int32_t blocks, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
