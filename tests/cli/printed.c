// SPDX-License-Identifier: MIT
#include "tests/cli/printed.h"
#include "tests/unit/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *printed(void (*print)(void *context), void *context) {
    const char *const path = temporary_path();
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO), file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    CU_ASSERT_FATAL(kept >= 0 && file >= 0);
    dup2(file, STDOUT_FILENO);
    print(context);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(file);
    return path;
}

void read_printed(void (*print)(void *context), void *context, struct json_document *document) {
    const char *const path = printed(print, context);
    FILE *const file = fopen(path, "r");
    struct error err;
    CU_ASSERT_FATAL(file != NULL && fseek(file, 0, SEEK_END) == 0);
    const long size = ftell(file);
    char *const text = malloc((size_t)size + 1);
    rewind(file);
    CU_ASSERT_FATAL(text != NULL && fread(text, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    CU_ASSERT_FATAL(json_text_read(path, text, (size_t)size, document, &err) == STATUS_OK);
    free(text);
}
