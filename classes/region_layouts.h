// SPDX-License-Identifier: MIT
/* Regions (regions.h) in the form that a proof of classes of rows reads
 * (certificate/class_regions.h): breadth first, so that the regions inside a region follow one
 * another. */
#ifndef CLASSES_REGION_LAYOUTS_H
#define CLASSES_REGION_LAYOUTS_H

#include "certificate/class_regions.h" // struct class_layout
#include "classes/regions.h"           // struct regions

struct region_layouts {
    int32_t *region;             /* region of each layout */
    int32_t *of;                 /* layout of each region */
    struct class_layout *layout; /* layouts, one for each region */
    int32_t *vertex;             /* vertex at each number of all layouts; -1: none */
    int32_t *local;              /* local number in the region at each number of all layouts; 0 if
                                    there is no vertex */
};

/* Stores the number in the layout of each local number of a region: number[0 .. own + width -
 * 1]. */
void region_numbers(const struct regions *regions, int32_t region, int32_t *number);

/* Finds the layouts of all regions. The caller frees *l with region_layouts_free, also after a
 * failure. STATUS_NO_RESOURCE if there is not enough memory. */
enum status region_layouts_find(struct region_layouts *l, const struct tree *tree,
                                const struct structure *structure, const struct regions *regions,
                                struct error *err);

/* Frees *l and zeroes it; safe on a zeroed struct. */
void region_layouts_free(struct region_layouts *l);

#endif
