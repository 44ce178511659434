// SPDX-License-Identifier: MIT
#include "libapsp/objects.h"

#include "common/base/memory.h" // memory_alloc
#include "libapsp/structs.h"    // struct_take

#include <string.h>

_Static_assert((int)APSP_OK == STATUS_OK && (int)APSP_REFUTED == STATUS_REFUTED &&
                   (int)APSP_BAD_INPUT == STATUS_BAD_INPUT &&
                   (int)APSP_NEGATIVE_CYCLE == STATUS_NEGATIVE_CYCLE &&
                   (int)APSP_NO_RESOURCE == STATUS_NO_RESOURCE &&
                   (int)APSP_CANCELLED == STATUS_CANCELLED,
               "statuses are passed on as they are");
_Static_assert(APSP_INF == INF, "distances are passed on as they are");
_Static_assert(sizeof((apsp_error *)NULL)->text == sizeof((struct error *)NULL)->text,
               "messages are passed on whole");

apsp_status end_call(enum status status, const struct error *err, apsp_error *error) {
    if (status != STATUS_OK && error != NULL)
        memcpy(error->text, err->text, sizeof error->text);
    return (apsp_status)status;
}

enum status check_min_plus(const apsp_graph *graph, struct error *err) {
    const enum semiring semiring = graph->graph.semiring;
    return semiring == SEMIRING_MIN_PLUS
               ? STATUS_OK
               : fail(err, STATUS_BAD_INPUT,
                      "expected a graph of min-plus, found one of %s, which is for apsp_solve, "
                      "apsp_solve_rows and apsp_verify",
                      semiring_name(semiring));
}

enum status check_range(const char *name, int64_t value, int64_t lowest, int64_t highest,
                        struct error *err) {
    if (value >= lowest && value <= highest)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected %lld .. %lld, found %lld", name,
                (long long)lowest, (long long)highest, (long long)value);
}

enum status new_object(void **object, size_t size, const char *what, struct error *err) {
    RETURN_ON_FAILURE(memory_alloc(object, 1, size, what, err));
    memset(*object, 0, size);
    return STATUS_OK;
}

enum status take_options(apsp_options *to, const apsp_options *from, struct error *err) {
    return struct_take(to, sizeof *to, SIZE_UP_TO(apsp_options, progress_to), from, "apsp_options",
                       err);
}

enum status index_rows(apsp_result *result, struct error *err) {
    const struct vertex_list *const sources = &result->result.sources;
    const int32_t n = result->result.dist.n;
    void *memory;
    if (sources->vertex == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(memory_alloc(&memory, (size_t)n, sizeof *result->row_of, "the rows", err));
    result->row_of = memory;
    for (int32_t v = 0; v < n; v++)
        result->row_of[v] = -1;
    for (int32_t r = 0; r < sources->count; r++)
        result->row_of[sources->vertex[r]] = r;
    return STATUS_OK;
}
