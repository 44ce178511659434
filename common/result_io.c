#include "common/result_io.h"

#include "common/result_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_parse_checksum(const char *text, struct provenance *made) {
    enum { DIGITS = 8 };
    if (strlen(text) != DIGITS || strspn(text, "0123456789abcdef") != DIGITS)
        return;
    made->checksum = (uint32_t)strtoul(text, NULL, 16);
    made->has_checksum = true;
}

enum status result_read(const char *path, struct result *result, struct error *err) {
    static const char suffix[] = ".dist.npy";
    size_t length = strlen(path), suffix_length = sizeof suffix - 1;
    enum status status;
    *result = (struct result){0};
    if (length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0) {
        char *prefix = strndup(path, length - suffix_length);
        status = prefix != NULL ? result_read_npy(prefix, result, err)
                                : fail(err, STATUS_NO_RESOURCE, "out of memory: %s", path);
        free(prefix);
    } else {
        status = result_read_text(path, result, err);
    }
    if (status != STATUS_OK)
        result_free(result);
    return status;
}

void result_free(struct result *result) {
    matrix_free(&result->dist);
    matrix_free(&result->pred);
    *result = (struct result){0};
}
