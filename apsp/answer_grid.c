// SPDX-License-Identifier: MIT
#include "apsp/answer_grid.h"

#include "cli/solver_report.h" // struct solver_arguments

enum status answer_grid_open(struct gridded *gridded, const struct solver_request *request,
                             const struct graph *g, bool rounds, const struct grid_purpose *purpose,
                             struct error *err) {
    const struct graph_reading *const reading = &request->arguments->reading;
    const double asked = rounds && reading->grid == GRID_AUTO ? GRID_AUTO : GRID_OFF;
    char line[GRID_TEXT];
    RETURN_ON_FAILURE(gridded_open(gridded, g, asked, purpose, NULL, err));
    if (gridded->rounding.changed > 0)
        graph_note(reading, grid_text(&gridded->rounding, line));
    else
        gridded->rounding = *request->rounding;
    return STATUS_OK;
}
