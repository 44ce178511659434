// SPDX-License-Identifier: MIT
/* Kernels for flows by classes of rows (flows/class_flows.h) on a GPU.
 *
 * A warp takes a strip of up to 32 rows of a region (classes/strips.h), a lane for each row.
 * Downwards it finds the labels of a few own positions at a time, a panel, from those of higher
 * vertices. With each label it notes the way: the one entry that ends all shortest paths to the
 * position, as is the rule. Backwards, flow goes over ways alone; only where ties are, all entries
 * are looked at again. Lanes wait for no other lane, so that a row has the same bits wherever it is
 * found.
 *
 * A label is a distance and the number of shortest paths. Distances lie apart from the numbers,
 * which are read only where a distance is shortest: memory is what kernels wait for. Labels of all
 * lanes follow one another. A tile has the labels of 32 rows, of one vertex after the other: row r
 * of rows with `width` vertices has vertex b at tile_at(r, b, width).
 *
 * Functions work in the default stream and may return before they are done. */
#ifndef FLOWS_GPU_GPU_FLOW_KERNELS_H
#define FLOWS_GPU_GPU_FLOW_KERNELS_H

#include "common/base/error.h"  // enum status
#include "common/base/length.h" // path_length

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define FLOW_ANYWHERE __host__ __device__
#else
#define FLOW_ANYWHERE
#endif

#define flow_warps          BY_LENGTH(flow_warps)
#define flow_own_up         BY_LENGTH(flow_own_up)
#define flow_climb          BY_LENGTH(flow_climb)
#define flow_among_boundary BY_LENGTH(flow_among_boundary)
#define flow_among_own      BY_LENGTH(flow_among_own)
#define flow_rows           BY_LENGTH(flow_rows)
#define flow_classify       BY_LENGTH(flow_classify)
#define flow_name_classes   BY_LENGTH(flow_name_classes)
#define flow_back           BY_LENGTH(flow_back)
#define flow_add            BY_LENGTH(flow_add)
#define flow_add_all        BY_LENGTH(flow_add_all)

#ifdef __cplusplus
extern "C" {
#endif

/* Number of rows of a strip, number of warps of a block, number of own positions of a panel, and
 * number of labels of a row that are read together. */
enum { STRIP_LANES = 32, FLOW_BLOCK_WARPS = 4, FLOW_PANEL = 4, FLOW_COLUMNS = 8 };

/* Value of a row's reference to a class: there is no path into the region. */
enum { NO_FLOW_CLASS = -1 };

/* Exponent of a mass of 0, below those of all others. */
enum { NO_MASS = -9999 };

/* Values of a way: no shortest path to the position comes down an entry, or more than one entry
 * ends shortest paths. */
enum flow_way { NO_FLOW_WAY = -1, MANY_FLOW_WAYS = -2 };

/* Label of one vertex in one row. */
struct flow_pair {
    path_length length; /* LENGTH_INF: no path */
    double paths;       /* number of shortest paths; 0: no path */
};

/* Labels: an array of their lengths, and one of their path counts. */
struct flow_labels {
    path_length *length;
    double *paths;
};

static FLOW_ANYWHERE inline ptrdiff_t tile_at(int32_t row, int32_t vertex, int32_t width) {
    return ((ptrdiff_t)(row / STRIP_LANES) * width + vertex) * STRIP_LANES + row % STRIP_LANES;
}

/* Mass of a class: the sum of the masses of its rows, each decayed over the row's least distance to
 * the region. Rows are added in any order. Sums of whole numbers do not depend on the order, so a
 * row's mass is split into a whole number of units and a whole number of much smaller units. */
struct flow_mass {
    uint64_t high; /* number of units of all rows that have been added */
    uint64_t low;  /* number of smaller units of all rows that have been added */
    double sum;    /* mass of all rows, set once all have been added */
};

/* Consecutive rows of a region, all of one kind, as in struct row_strip. */
struct flow_strip {
    int32_t region;
    int32_t child; /* region inside that has the sources; OF_OWN or OF_CLASSES */
    int32_t first; /* number of the first row: among the child's sources, in own_source, or among
                      the classes */
    int32_t count; /* number of rows, at most STRIP_LANES */
};

/* A region (classes/regions.h). Its vertices are numbered as there. */
struct flow_place {
    int32_t own, width;
    int32_t pitch, up_pitch;        /* length of a row of `among` and of `own_up`, multiples of
                                       FLOW_COLUMNS; behind the labels there are no paths */
    int32_t portals;                /* number of vertices on boundaries of regions inside */
    int32_t parent, child, sibling; /* numbers of these regions; -1: none */
    int32_t first_own;              /* place of its first own position among all own positions */
    int32_t first_panel;            /* number of its first panel */
    int32_t first_source, sources;
    int32_t own_sources;
    const int32_t *own_source;           /* number of the source at each own position that is one,
                                            own_sources entries */
    const int32_t *outer, *outer_portal; /* by boundary vertex, width entries: as in struct
                                            regions */
    const int32_t *portal;               /* local number of each portal, portals entries */
    struct flow_labels own_up;           /* labels from all vertices to the boundary inside the
                                            region, (own + width) x up_pitch */
    struct flow_labels up;               /* labels to the boundary inside the region, tiles of
                                            `sources` rows */
    struct flow_labels among;            /* labels from portals to all vertices, portals x pitch;
                                            NULL: the region has no sources */
    int32_t classes;
    struct flow_labels class_row; /* relative distances and path counts at the boundary, tiles of
                                     `classes` rows */
    struct flow_mass *mass;       /* mass of each class, classes entries */
    double *asked;                /* flow that each row needs at the boundary, for each of its
                                     paths there, (sources + classes) x width */
    int32_t first_strip;          /* number of its first strip among those of its group */
    int32_t strips;
    struct flow_labels row; /* labels of the rows of all strips at all vertices, tiles; only if
                               there are regions inside */
    int32_t *row_way;       /* way of each row to each own position, strips x own x STRIP_LANES;
                               only if there are regions inside */
    /* Arrays with one entry for each lane of the parent's strips: */
    int32_t *reference;     /* class of the row in this region; while classes are looked for, first
                               the slot of the row, then the number of the row that its class is
                               named after */
    struct flow_pair *norm; /* distance and path count to which the row's key is relative */
    int32_t *number;        /* for a row that a class is named after: the class */
    int32_t *named;         /* row that each class is named after */
    int32_t *exponent;      /* for a row that a class is named after: the binary exponent of the
                               largest mass of the class's rows; NO_MASS: all are 0 */
    uint64_t *hash;         /* hash in each slot, mask + 1 entries; 0: empty */
    int32_t *least;         /* lowest row with the slot's hash, mask + 1 entries */
    uint32_t mask;
};

/* A list of consecutive entries. */
struct flow_own {
    int64_t entry;
    int32_t entries;
};

/* Up to FLOW_PANEL consecutive own positions of a region, of which a warp reads the entries down
 * together. A panel has a row for each vertex from which an entry leads down to one of its
 * positions. Rows 0 .. FLOW_PANEL - 2 are of its own positions 1 .. FLOW_PANEL - 1. */
struct flow_panel {
    int64_t row;  /* index of the panel's first row among the rows of all panels */
    int32_t rows; /* number of the panel's rows */
};

/* Lengths of the entries of one row of a panel, one for each position; LENGTH_INF: no entry. */
struct flow_panel_lengths {
    path_length of[FLOW_PANEL];
} __attribute__((aligned(16)));

/* Returns the number of panels of a region. */
static FLOW_ANYWHERE inline int32_t panels_of(int32_t own) {
    return (own + FLOW_PANEL - 1) / FLOW_PANEL;
}

/* Arrays on the device. "By place" means one after the other in the order of regions, a region's
 * own positions in their order there. Entries are listed by place of their lower ends. */
struct flow_net {
    struct flow_place *place;
    const struct flow_own *own;     /* entries up from each own position, by place, n lists */
    const int32_t *local;           /* number of the higher end of each entry */
    struct flow_labels up;          /* length and path count up each entry */
    const struct flow_panel *panel; /* panels of each region */
    const int32_t *higher;          /* by row: number of the vertex from which its entries lead
                                       down */
    const struct flow_panel_lengths *down; /* by row: lengths down its entries */
    /* FLOW_PANEL items for each row, one for each position of the panel: */
    const double *down_paths;       /* path count of the entry; 0: no entry */
    const int32_t *entry;           /* number of the entry among those of its region */
    const int32_t *source_number;   /* number of each source in its region */
    const double *source_mass;      /* mass of each source */
    const double *target_mass;      /* mass of each own position as a target, by place, n
                                       entries */
    double rate;                    /* flow decays by exp(-rate) over a length of 1; 0: no decay */
    int32_t *classes;               /* number of classes of each region */
    const struct flow_strip *strip; /* strips of a group of regions of one depth */
    double *flow;  /* flow down each entry, then the flow that ends at each own position, by place:
                      entries + n numbers, for the sources being solved */
    double *total; /* the same for all sources so far */
    int64_t entries; /* number of entries of all regions */
    /* Scratch of most_locals x STRIP_LANES cells for each warp that runs at the same time: */
    struct flow_labels label; /* labels of the vertices of a region */
    struct flow_labels inner; /* labels at the boundary before paths outside are known */
    double *carried;          /* flow of each shortest path to each vertex */
    int32_t *way;             /* row of the panel of each own position over which all its shortest
                                 paths come down, or one of enum flow_way */
    int32_t most_locals;
    int32_t warps;  /* number of warps for which there is scratch, a multiple of FLOW_BLOCK_WARPS */
    uint32_t *next; /* number of items that warps have taken so far */
};

/* A tile: up to STRIP_LANES rows of a region, from row `first` on. */
struct flow_tile {
    int32_t region, first;
};

/* The strips first .. first + count - 1 of a region with `entries` entries, which one warp takes
 * backwards. sums: index of the part's sums, which are of the region's entries first, then of its
 * own positions. */
struct flow_part {
    int32_t region, first, count;
    int64_t sums, entries;
};

/* The sum over the parts of a region: `parts` parts, whose sums begin at index `sums`, of `entries`
 * entries from number `entry` on. */
struct flow_sum {
    int32_t region, first, parts;
    int64_t sums, entry, entries;
};

/* Stores the number of warps that run at the same time on the current device. */
enum status flow_warps(int32_t *warps, struct error *err);

/* Finds own_up for tiles of vertices. */
enum status flow_own_up(const struct flow_net *net, const struct flow_tile *tile, int32_t count,
                        struct error *err);

/* Finds `up` for the net's strips, none of which has rows of classes, from own_up and from `up` of
 * the regions inside. */
enum status flow_climb(const struct flow_net *net, int32_t strips, struct error *err);

/* Functions that find `among` for tiles of portals: portals on the boundary, from the parent's
 * `among`; then portals at own positions. */
enum status flow_among_boundary(const struct flow_net *net, const struct flow_tile *tile,
                                int32_t count, struct error *err);
enum status flow_among_own(const struct flow_net *net, const struct flow_tile *tile, int32_t count,
                           struct error *err);

/* Finds `row` and `row_way` for the net's strips, of regions with regions inside. */
enum status flow_rows(const struct flow_net *net, int32_t strips, struct error *err);

/* Finds the classes of the rows of the net's strips in all regions inside, which `inside` lists:
 * sets net->classes, reference and named. Before the call, tables must be 0 and `least`
 * INT32_MAX. */
enum status flow_classify(const struct flow_net *net, int32_t strips, const int32_t *inside,
                          int32_t count, struct error *err);

/* Adds up `mass`, whose numbers of units must be 0 before, and sets class_row for tiles of classes.
 */
enum status flow_name_classes(const struct flow_net *net, int32_t strips,
                              const struct flow_tile *tile, int32_t count, struct error *err);

/* Does the work backwards for parts: sets `asked` of their rows, and their sums. */
enum status flow_back(const struct flow_net *net, const struct flow_part *part, int32_t count,
                      double *sums, struct error *err);

/* Sets net->flow of regions to the sums of their parts, in their order. blocks: number of blocks
 * that add up the parts of each region, 1 .. 65535. */
enum status flow_add(const struct flow_net *net, const struct flow_sum *sum, int32_t count,
                     const double *sums, int32_t blocks, struct error *err);

/* Adds the first `count` numbers of net->flow to those of net->total. */
enum status flow_add_all(const struct flow_net *net, size_t count, struct error *err);

#ifdef __cplusplus
}
#endif

#endif
