// SPDX-License-Identifier: MIT
#include "flows/betweenness_scaling.h"

#include <math.h>

/* Returns the number of vertices that may be sources of pairs counted in a value. */
static int32_t vertices_counted(const struct betweenness_scaling *s) {
    return s->with_endpoints ? s->n : s->n - 1;
}

/* Returns the number of sources whose pairs may count in a value. of_source: it is the value of a
 * source. */
static int32_t sources_counted(const struct betweenness_scaling *s, bool of_source) {
    if (s->all)
        return vertices_counted(s);
    return of_source && !s->with_endpoints ? s->sources - 1 : s->sources;
}

double betweenness_factor(const struct betweenness_scaling *s, bool of_source) {
    const int32_t sources = sources_counted(s, of_source);
    if (vertices_counted(s) < 2)
        return 1;
    return sources == 0 ? (double)NAN
                        : (double)vertices_counted(s) / ((double)sources * (s->directed ? 1 : 2));
}

double betweenness_centrality_factor(const struct betweenness_scaling *s, bool of_source) {
    const int32_t sources = sources_counted(s, of_source);
    if (vertices_counted(s) < 2)
        return 1;
    return sources == 0 ? (double)NAN : 1 / ((double)sources * (vertices_counted(s) - 1));
}
