// SPDX-License-Identifier: MIT
#include "measures/print.h"

#include "common/base/number_text.h" // number_text
#include "measures/table.h"

#include <inttypes.h>

enum { EXACT_SIZE = 48 }; /* bytes of an exact_sum as text */

/* Writes the digits from the end of `text`; returns where they begin. */
static const char *exact_text(exact_sum value, char text[EXACT_SIZE]) {
    exact_sum rest = value < 0 ? -value : value;
    int at = EXACT_SIZE - 1;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        text[--at] = '-';
    return text + at;
}

static void print_name(FILE *to, const char *name) {
    fprintf(to, "%-30s", name);
}

/* Prints a line like "8 vertices: 0 3 4 7 ..." */
static void print_vertices(FILE *to, const char *name, const struct measures *m,
                           double eccentricity) {
    enum { SHOWN = 8 };
    int32_t vertex[SHOWN];
    const int32_t count = measures_find_vertices(m, eccentricity, vertex, SHOWN);
    print_name(to, name);
    fprintf(to, "%d %s:", count, count == 1 ? "vertex" : "vertices");
    for (int32_t k = 0; k < count && k < SHOWN; k++)
        fprintf(to, " %s", graph_name(m->graph, vertex[k]).text);
    fprintf(to, "%s\n", count > SHOWN ? " ..." : "");
}

static void print_pairs(FILE *to, const struct measures *m) {
    const struct pair_measures *pairs = &m->pairs;
    char text[NUMBER_TEXT_MAX];
    print_name(to, "pairs of vertices");
    fprintf(to, "%" PRId64, pairs->pairs);
    if (m->source != NULL)
        fprintf(to, ", from %d %s", m->count, m->count == 1 ? "source" : "sources");
    if (pairs->without_path > 0)
        fprintf(to, "; %" PRId64 " without a path, left out", pairs->without_path);
    if (m->limit < NO_LIMIT)
        fprintf(to, "; only paths up to %s count", limit_digits(m->limit, text));
    fprintf(to, "\n");
    print_name(to, m->order.is_sum ? "largest distance" : "worst distance");
    if (!measures_have_largest(m)) {
        fprintf(to, "none\n");
        return;
    }
    fprintf(to, "%s, from %s to %s\n", number_text(m->type, pairs->largest, text),
            graph_name(m->graph, pairs->from).text, graph_name(m->graph, pairs->to).text);
    if (!measures_have_paths(m))
        return;
    print_name(to, "average distance");
    fprintf(to, "%.6g\n", pairs->average);
}

/* Prints a line for each measure that has a label. */
static void print_labelled(FILE *to, const struct measures *m) {
    const struct measure_of_graph *row;
    for (size_t k = 0; (row = measure_of_graph_at(k)) != NULL; k++) {
        char text[EXACT_SIZE];
        if (row->label == NULL || !measures_have(m, row) || measure_is_null(m, row))
            continue;
        const struct measured value = row->value(m);
        if (row->form == MEASURE_VERTICES) {
            print_vertices(to, row->label, m, value.real);
            continue;
        }
        print_name(to, row->label);
        if (row->form == MEASURE_REAL)
            fprintf(to, "%.6g\n", value.real);
        else if (row->form == MEASURE_DISTANCE)
            fprintf(to, "%s\n", number_text(m->type, value.real, text));
        else
            fprintf(to, "%s\n",
                    measure_is_integer(row->form, measures_written_type(m))
                        ? exact_text(value.exact, text)
                        : number_text(NUMBER_FLOAT64, value.real, text));
    }
}

static void print_graph(FILE *to, const struct measures *m) {
    const struct graph_measures *g = &m->of_graph;
    char diameter[NUMBER_TEXT_MAX], radius[NUMBER_TEXT_MAX];
    print_name(to, m->directed ? "strongly connected" : "connected");
    if (g->components == 1)
        fprintf(to, "yes\n");
    else
        fprintf(to, "no: %d components, the largest of %d %s\n", g->components,
                g->largest_component, g->largest_component == 1 ? "vertex" : "vertices");
    print_name(to, "diameter, radius");
    if (g->components == 1)
        fprintf(to, "%s, %s\n", number_text(m->type, g->diameter, diameter),
                number_text(m->type, g->radius, radius));
    else
        fprintf(to, "infinite\n");
}

void measures_print(FILE *to, const struct measures *m) {
    print_pairs(to, m);
    if (measures_are_of_graph(m))
        print_graph(to, m);
    print_labelled(to, m);
    if (m->pairs.histogram.bins == 0)
        return;
    print_name(to, "histogram");
    char width[NUMBER_TEXT_MAX], first[NUMBER_TEXT_MAX];
    fprintf(to, "%d bins of width %s from %s\n", m->pairs.histogram.bins,
            number_text(NUMBER_FLOAT64, m->pairs.histogram.width, width),
            number_text(NUMBER_FLOAT64, m->pairs.histogram.first, first));
}
