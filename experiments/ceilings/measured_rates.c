// SPDX-License-Identifier: MIT
#include "experiments/ceilings/measured_rates.h"

#include "common/base/median.h" // median
#include "common/base/memory.h" // memory_alloc
#include "common/base/output.h" // output_open, output_commit

#include <stdlib.h>

enum status rates_prepare(struct measured_rates *rates, int repetitions, const char *header,
                          struct error *err) {
    void *values = NULL;
    *rates = (struct measured_rates){.repetitions = repetitions};
    RETURN_ON_FAILURE(
        memory_alloc(&values, (size_t)repetitions, sizeof *rates->values, "the rates", err));
    rates->values = values;
    rates->rows = open_memstream(&rates->text, &rates->text_bytes);
    if (rates->rows == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory for the rows");
    fputs(header, rates->rows);
    return STATUS_OK;
}

double rates_median(struct measured_rates *rates) {
    return median(rates->values, rates->repetitions);
}

enum status rates_write(struct measured_rates *rates, const char *path, struct error *err) {
    struct output out = {.fd = -1};
    if (path == NULL)
        return STATUS_OK;
    if (fflush(rates->rows) != 0)
        return fail(err, STATUS_NO_RESOURCE, "out of memory for the rows");
    enum status status = output_open(&out, path, err);
    if (status == STATUS_OK)
        status = output_write(&out, rates->text, rates->text_bytes, err);
    if (status == STATUS_OK)
        status = output_commit(&out, err);
    output_discard(&out);
    return status;
}

void rates_release(struct measured_rates *rates) {
    if (rates->rows != NULL)
        fclose(rates->rows);
    free(rates->text);
    memory_free(rates->values);
    *rates = (struct measured_rates){0};
}
