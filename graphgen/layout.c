// SPDX-License-Identifier: MIT
#include "graphgen/layout.h"

#include "common/base/digits.h" // digits_put
#include "common/base/memory.h" // memory_alloc

#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 24, LINE_BYTES = 128, BUFFER_BYTES = 1 << 18 };

static const struct graph_layout layouts[] = {
    {.name = "text", .head = "$n $m\n", .edge = "$u $v $w\n", .sized = true},
    {.name = "gr", .head = "p sp $n $m\n", .edge = "a $u $v $w\n", .sized = true, .first = 1},
    {.name = "mtx",
     .head = "%%MatrixMarket matrix coordinate $t general\n$n $n $m\n",
     .edge = "$u $v $w\n",
     .sized = true,
     .first = 1},
    {.name = "wel", .head = "", .edge = "$u $v $w\n"},
    {.name = "snap", .head = "# FromNodeId\tToNodeId\tWeight\n", .edge = "$u\t$v\t$w\n"},
    {.name = "csv", .head = "source,target,weight\n", .edge = "$u,$v,$w\n"},
    {.name = "tntp",
     .head = "<NUMBER OF ZONES> $n\n<NUMBER OF NODES> $n\n<FIRST THRU NODE> 1\n"
             "<NUMBER OF LINKS> $m\n<END OF METADATA>\n\n"
             "~\tinit_node\tterm_node\tcapacity\tlength\tfree_flow_time\tb\tpower\tspeed\ttoll"
             "\tlink_type\t;\n",
     .edge = "\t$u\t$v\t1\t$w\t$w\t0.15\t4\t0\t0\t1\t;\n",
     .sized = true,
     .first = 1},
};

const struct graph_layout *graph_layout_find(const char *name) {
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        if (strcmp(layouts[l].name, name) == 0)
            return &layouts[l];
    }
    return NULL;
}

/* Copies the head of a layout with the graph's sizes in it; returns the end. */
static char *put_head(char *at, const struct graph_layout *layout, int decimals, int32_t n,
                      int64_t edges) {
    for (const char *c = layout->head; *c != '\0'; c++) {
        if (*c != '$')
            *at++ = *c;
        else if (*++c == 'n')
            at += snprintf(at, NUMBER_BYTES, "%d", n);
        else if (*c == 't')
            at += snprintf(at, NUMBER_BYTES, "%s", decimals > 0 ? "real" : "integer");
        else
            at += snprintf(at, NUMBER_BYTES, "%lld", (long long)edges);
    }
    return at;
}

/* Writes a weight / 10^decimals; returns the end. */
static char *put_weight(char *at, const struct digits *digits, int32_t weight, int decimals) {
    char text[DIGITS_LONGEST + LAYOUT_MAX_DECIMALS];
    int64_t magnitude = weight;
    if (decimals == 0)
        return digits_put(digits, at, weight);
    if (weight < 0) {
        *at++ = '-';
        magnitude = -magnitude;
    }
    const int length = snprintf(text, sizeof text, "%0*lld", decimals + 1, (long long)magnitude);
    const int whole = length - decimals;
    memcpy(at, text, (size_t)whole);
    at[whole] = '.';
    memcpy(at + whole + 1, text + whole, (size_t)decimals);
    return at + length + 1;
}

/* Writes the line of an edge, of at most LINE_BYTES; returns its end. */
static char *put_edge(char *at, const struct digits *digits, const struct graph_layout *layout,
                      int decimals, struct edge edge) {
    for (const char *c = layout->edge; *c != '\0'; c++) {
        if (*c != '$')
            *at++ = *c;
        else if (*++c == 'u')
            at = digits_put(digits, at, edge.from + layout->first);
        else if (*c == 'v')
            at = digits_put(digits, at, edge.to + layout->first);
        else
            at = put_weight(at, digits, edge.weight, decimals);
    }
    return at;
}

/* The average number of digits in the number of a vertex. */
static double digits_each(const struct graph_layout *layout, int32_t n) {
    const double last = (double)n - 1 + layout->first;
    double digits = 1;
    for (double least = 10; least <= last; least *= 10)
        digits += (last - least + 1) / n;
    return digits;
}

/* The least number of bytes that the edges take: with the shortest weights and, unless `uniform`,
 * one end of each edge with a single digit. */
static uint64_t least_bytes(const struct graph_layout *layout, int decimals, int32_t n,
                            int64_t edges, bool uniform) {
    const double rounding = 0.99, each = digits_each(layout, n);
    double line = 0;
    for (const char *c = layout->edge; *c != '\0'; c++) {
        if (*c != '$')
            line++;
        else if (*++c == 'w')
            line += decimals > 0 ? decimals + 2 : 1;
        else
            line += *c == 'u' && !uniform ? 1 : each;
    }
    const double bytes = rounding * line * (double)edges;
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

enum status graph_writer_open(struct graph_writer *writer, const struct graph_layout *layout,
                              int decimals, struct output *out, int32_t n, int64_t edges,
                              bool uniform, struct error *err) {
    *writer =
        (struct graph_writer){.layout = layout, .out = out, .decimals = decimals, .last = n - 1};
    void *block;
    RETURN_ON_FAILURE(
        output_check_room(out, least_bytes(layout, decimals, n, edges, uniform), err));
    RETURN_ON_FAILURE(memory_alloc(&block, 1, sizeof(struct digits), "a table of digits", err));
    writer->digits = block;
    RETURN_ON_FAILURE(memory_alloc(&block, BUFFER_BYTES, 1, "a buffer to write", err));
    writer->buffer = block;
    digits_fill(writer->digits);
    writer->at = put_head(writer->buffer, layout, decimals, n, edges);
    return STATUS_OK;
}

enum status graph_writer_put(struct graph_writer *writer, struct edge edge, struct error *err) {
    writer->at = put_edge(writer->at, writer->digits, writer->layout, writer->decimals, edge);
    writer->last_seen |= edge.from == writer->last || edge.to == writer->last;
    if (writer->at - writer->buffer <= BUFFER_BYTES - LINE_BYTES)
        return STATUS_OK;
    const size_t size = (size_t)(writer->at - writer->buffer);
    writer->at = writer->buffer;
    return output_write(writer->out, writer->buffer, size, err);
}

enum status graph_writer_finish(struct graph_writer *writer, struct error *err) {
    if (!writer->layout->sized && !writer->last_seen)
        RETURN_ON_FAILURE(
            graph_writer_put(writer, (struct edge){writer->last, writer->last, 0}, err));
    return output_write(writer->out, writer->buffer, (size_t)(writer->at - writer->buffer), err);
}

void graph_writer_close(struct graph_writer *writer) {
    memory_free(writer->buffer);
    memory_free(writer->digits);
    *writer = (struct graph_writer){0};
}
