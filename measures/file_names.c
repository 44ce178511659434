// SPDX-License-Identifier: MIT
#include "measures/file_names.h"

#include <stdio.h>

char *measures_file_name(const char *prefix, const char *suffix, struct error *err) {
    char *path;
    if (asprintf(&path, "%s%s", prefix, suffix) < 0) {
        fail(err, STATUS_NO_RESOURCE, "out of memory: file name %s%s", prefix, suffix);
        return NULL;
    }
    return path;
}
