#include "common/matrix.h"

#include "common/memory.h" // memory_alloc

#include <stdlib.h>

enum { CELLS_PER_LINE = 64 / sizeof(int32_t) };

enum status matrix_alloc(struct matrix *m, int32_t n, const char *what, struct error *err) {
    m->n = n;
    m->ld = ((size_t)n + CELLS_PER_LINE - 1) / CELLS_PER_LINE * CELLS_PER_LINE;
    void *cells;
    enum status status = memory_alloc(&cells, (size_t)n * m->ld, sizeof(int32_t), what, err);
    m->cell = cells;
    return status;
}

void matrix_free(struct matrix *m) {
    free(m->cell);
    *m = (struct matrix){0};
}
