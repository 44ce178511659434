// SPDX-License-Identifier: MIT
#include "measures/edges_csv.h"

#include "common/base/json_text.h" // json_text_real
#include "measures/file_names.h"   // MEASURES_DIGITS

enum { NUMBER_SIZE = 32 }; /* the most bytes of a number, with its comma */

size_t edges_csv_row_size(const struct vertex_naming *naming) {
    return 2 * (naming_longest_field(naming) + 1) + 2 * NUMBER_SIZE;
}

int edges_csv_row(const struct measures *m, const struct vertex_naming *naming, int64_t row,
                  char *to) {
    const struct measured_flows *const flows = m->flows;
    int length = (int)naming_put_field(naming, flows->tail[row], to);
    to[length++] = ',';
    length += (int)naming_put_field(naming, flows->head[row], to + length);
    to[length++] = ',';
    length += json_text_real(to + length, flows->edge_betweenness[row], MEASURES_DIGITS);
    to[length++] = ',';
    length += json_text_real(to + length, flows->edge_centrality[row], MEASURES_DIGITS);
    to[length++] = '\n';
    to[length] = '\0';
    return length;
}
