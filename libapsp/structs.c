// SPDX-License-Identifier: MIT
#include "libapsp/structs.h"

#include "common/base/version.h" // PROJECT_VERSION

#include <string.h>

static size_t size_of(const void *their) {
    size_t size;
    memcpy(&size, their, sizeof size);
    return size;
}

enum status struct_check(const void *to, size_t first, const char *name, struct error *err) {
    const size_t size = size_of(to);
    if (size >= first)
        return STATUS_OK;
    return fail(err, STATUS_BAD_INPUT, "%s: expected a struct of %zu bytes or more, found %zu",
                name, first, size);
}

enum status struct_take(void *to, size_t known, size_t first, const void *from, const char *name,
                        struct error *err) {
    if (from == NULL)
        return STATUS_OK;
    RETURN_ON_FAILURE(struct_check(from, first, name, err));
    const size_t size = size_of(from);
    const char *bytes = from;
    for (size_t b = known; b < size; b++) {
        if (bytes[b] != 0)
            return fail(err, STATUS_BAD_INPUT, "%s: library %s does not know all that is asked for",
                        name, PROJECT_VERSION);
    }
    memcpy((char *)to + sizeof size, bytes + sizeof size,
           (size < known ? size : known) - sizeof size);
    return STATUS_OK;
}

void struct_give(void *to, const void *from, size_t known) {
    const size_t size = size_of(to);
    memcpy((char *)to + sizeof size, (const char *)from + sizeof size,
           (size < known ? size : known) - sizeof size);
}
