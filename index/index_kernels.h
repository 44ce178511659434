// SPDX-License-Identifier: MIT
/* Loops of a distance index (index.h) over many cells of labels at a time, compiled for each
 * instruction set (common/base/isa.h) and type of cells. Sums of int32 may wrap around, because a
 * damaged file may hold any numbers. */
#ifndef INDEX_INDEX_KERNELS_H
#define INDEX_INDEX_KERNELS_H

#include "common/base/isa.h"    // ISA_KERNELS
#include "common/base/length.h" // path_length
#include "index/index_label.h"  // struct index_label, INDEX_PAD

#define index_kernels BY_LENGTH(index_kernels)
#define index_source  BY_LENGTH(index_source)

enum {
    INDEX_LANES = 16, /* number of sources that a table takes together */
    INDEX_QUAD = 4,   /* number of targets that a table takes together */
    INDEX_BLOCK = 64, /* most cells of a label that are made together */
};

/* The label of a vertex at the end of an edge, and the edge's length. */
struct index_source {
    const path_length *from;
    uint32_t count; /* number of cells of the label */
    path_length length;
};

/* Differences of the cells of a label from those of a row. */
struct index_span {
    path_length least,
        greatest;     /* least difference, or 0 if all are larger; greatest, or 0 if all are less */
    bool has_no_path; /* some cell of the label is LENGTH_INF, which has no difference */
};

struct index_kernels {
    /* Returns the least a[k] + b[k], k < count; twice LENGTH_INF if count is 0. Both labels have as
     * many cells stored. */
    path_length (*meet)(const struct index_label *a, const struct index_label *b, uint32_t count);
    /* Stores cells 0 .. count - 1 of a label, which are stored, in `to`, which has room for
     * INDEX_PAD cells more. */
    void (*expand)(const struct index_label *label, uint32_t count, path_length *to);
    /* Stores in to[k], k < count, the least from[k] + length over all sources with more than k
     * cells, at most LENGTH_INF. Sources are sorted by falling count. `to` must have room for
     * INDEX_BLOCK cells more. */
    void (*label)(path_length *to, uint32_t count, const struct index_source *source, int sources);
    /* Stores in least[q * INDEX_LANES + lane] the least lanes[k * INDEX_LANES + lane] +
     * label[q][k], k < count; LENGTH_INF if it is above `largest`. `lanes` and `least` are 64-byte
     * aligned. */
    void (*meet_lanes)(const path_length *lanes, const path_length *const label[INDEX_QUAD],
                       uint32_t count, path_length largest, path_length *least);
#ifndef LENGTH_F64
    /* Returns how label[k], k < count, differs from row[k], k < row_count, and from 0 beyond. */
    struct index_span (*span)(const int32_t *label, uint32_t count, const int32_t *row,
                              uint32_t row_count);
    /* Stores in to[k], k < count, the difference of label[k] from the row, less `added`, which must
     * leave 0 to INDEX_NO_PATH - 1; INDEX_NO_PATH if label[k] is INF. The row is that of span. */
    void (*narrow)(const int32_t *label, uint32_t count, const int32_t *row, uint32_t row_count,
                   int32_t added, uint16_t *to);
#endif
};

ISA_KERNELS(index_kernels);

#endif
