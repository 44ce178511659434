// SPDX-License-Identifier: MIT
#include "common/rows/result_format.h"

#include <string.h>

static const struct result_format formats[] = {
    {"text", .type = NPY_INT32},
    {"npy", .npy = true, .type = NPY_INT32},
    {"npy:uint8", .npy = true, .type = NPY_UINT8},
    {"npy:uint16", .npy = true, .type = NPY_UINT16},
    {"npy:auto", .npy = true, .smallest = true, .type = NPY_INT32},
    {"npz", .npy = true, .npz = true, .type = NPY_INT32},
    {"none", .drops = true, .type = NPY_INT32},
};

enum status result_format_find(const char *what, const char *name, bool may_drop,
                               const struct result_format **format, struct error *err) {
    const size_t count = sizeof formats / sizeof *formats - !may_drop;
    char names[128] = "";
    for (size_t f = 0; f < count; f++) {
        if (strcmp(formats[f].name, name) == 0) {
            *format = &formats[f];
            return STATUS_OK;
        }
        strcat(names, f == 0 ? "" : f + 1 == count ? " or " : ", ");
        strcat(names, formats[f].name);
    }
    return fail(err, STATUS_BAD_INPUT, "%s: expected %s, found '%s'", what, names, name);
}

enum status result_format_type(const char *what, const struct result_format *format,
                               const struct graph *g, enum npy_type *type, struct error *err) {
    *type = format->type;
    if (g->type == NUMBER_INT32 || (g->integral && npy_type_is_narrow(format->type)))
        return STATUS_OK;
    if (!g->integral && result_format_narrows(format))
        return fail(err, STATUS_BAD_INPUT,
                    "%s %s: expected distances that are integers, found those of a graph with %s "
                    "weights: take %s npy",
                    what, format->name, graph_type_name(g), what);
    *type = npy_type_of_graph(g);
    return STATUS_OK;
}
