// SPDX-License-Identifier: MIT
#include "engines/rates.h"

#include "common/base/json_text.h" // struct json_writer, json_text_read
#include "common/base/memory.h"    // memory_free
#include "common/base/output.h"    // atomic files

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 1 }; /* version of the file's format */

static const struct {
    struct rate_limits limits;
    double built_in;
} table[RATES] = {
    [RATE_READ] = {{"read_edge_ns", 1, 1e5}, 70},
    [RATE_TOUCH] = {{"touch_cell_ns", 1e-3, 1e3}, 1},
    [RATE_FORMAT] = {{"text_cell_ns", 0.1, 1e5}, 8},
    [RATE_WRITE] = {{"write_cell_ns", 1e-2, 1e5}, 2},
    [RATE_CONTEXT] = {{"gpu_context_ms", 1e-3, 1e5}, 250},
    [RATE_UPLOAD] = {{"gpu_upload_edge_ns", 1e-2, 1e4}, 2},
    [RATE_DOWNLOAD] = {{"gpu_download_cell_ns", 1e-2, 1e3}, 0.35},
    [RATE_SEQUENTIAL] = {{"cpu_sequential", 1e-3, 1e3}, 1},
    [RATE_BLOCKED] = {{"cpu_blocked", 1e-3, 1e3}, 1},
    [RATE_JOHNSON] = {{"cpu_johnson", 1e-3, 1e3}, 1},
    [RATE_MULTISOURCE] = {{"cpu_multisource", 1e-3, 1e3}, 1},
    [RATE_CUDA_SIMPLE] = {{"cuda_simple", 1e-3, 1e3}, 1},
    [RATE_CUDA_BLOCKED] = {{"cuda_blocked", 1e-3, 1e3}, 1},
    [RATE_CUDA_SPARSE] = {{"cuda_sparse", 1e-3, 1e3}, 1},
};

const struct rate_limits *rate_limits(enum rate rate) {
    return &table[rate].limits;
}

void rates_default(struct rates *rates) {
    for (enum rate r = 0; r < RATES; r++)
        rates->of[r] = table[r].built_in;
}

double rates_reading_speed_up(int threads) {
    const double each = 0.25, most = 4; /* two threads gain little, and many wait for memory */
    return fmin(1 + each * (threads - 1), most);
}

enum rate rate_of_name(const char *name) {
    for (enum rate r = 0; name != NULL && r < RATES; r++) {
        if (strcmp(table[r].limits.name, name) == 0)
            return r;
    }
    return RATES;
}

double rates_find(const struct rates *rates, const char *name) {
    const enum rate rate = rate_of_name(name);
    return rate < RATES ? rates->of[rate] : 1;
}

enum status rates_path(char **path, struct error *err) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length = 0;
    *path = NULL;
    if (config != NULL && config[0] == '/')
        length = asprintf(path, "%s/apsp/rates.json", config);
    else if (home != NULL && home[0] == '/')
        length = asprintf(path, "%s/.config/apsp/rates.json", home);
    if (length >= 0)
        return STATUS_OK;
    *path = NULL;
    return fail(err, STATUS_NO_RESOURCE, "out of memory: the name of the rates' file");
}

static enum status malformed(const char *path, struct error *err, const char *expected) {
    return fail(err, STATUS_BAD_INPUT, "%s: expected %s (apsp --calibrate makes it anew)", path,
                expected);
}

/* Reads the whole file into `text`, which has room for JSON_LONGEST + 1 bytes; *size is -1 if there
 * is no file that this user may read. */
static enum status read_text(const char *path, char *text, ssize_t *size, struct error *err) {
    struct stat file;
    /* O_NONBLOCK, so that opening a pipe does not wait. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *size = -1;
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES
                   ? STATUS_OK
                   : fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
        close(fd);
        return malformed(path, err, "a regular file");
    }
    ssize_t got = 1;
    for (*size = 0; got > 0 && *size <= JSON_LONGEST; *size += got > 0 ? got : 0)
        got = read(fd, text + *size, (size_t)(JSON_LONGEST + 1 - *size));
    const int reason = errno;
    close(fd);
    if (got < 0)
        return fail(err, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(reason));
    return STATUS_OK;
}

static enum status take_rate(const char *path, const struct json_value *value, struct rates *rates,
                             struct error *err) {
    const enum rate rate = rate_of_name(value->name);
    if (rate == RATES)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected names of rates, found '%.40s' (apsp --calibrate makes it anew)",
                    path, value->name);
    const struct rate_limits *limits = rate_limits(rate);
    const double number = value->number;
    const bool is_number = value->kind == JSON_IS_INTEGER || value->kind == JSON_IS_REAL;
    if (!is_number || !(number >= limits->lowest && number <= limits->highest))
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected a number in %g .. %g for %s (apsp --calibrate makes it anew)",
                    path, limits->lowest, limits->highest, value->name);
    rates->of[rate] = number;
    return STATUS_OK;
}

static enum status take_rates(const char *path, const struct json_value *root, struct rates *rates,
                              struct error *err) {
    const struct json_value *of = json_text_member(root, "rates");
    const struct json_value *version = json_text_member(root, "version");
    if (version == NULL || version->kind != JSON_IS_INTEGER || version->integer != VERSION)
        return malformed(path, err, "\"version\": 1");
    if (of == NULL || of->kind != JSON_IS_OBJECT)
        return malformed(path, err, "an object \"rates\"");
    for (const struct json_value *rate = of->first; rate != NULL; rate = rate->next)
        RETURN_ON_FAILURE(take_rate(path, rate, rates, err));
    return STATUS_OK;
}

enum status rates_read(const char *path, struct rates *rates, bool *found, struct error *err) {
    char text[JSON_LONGEST + 1];
    ssize_t size = 0;
    struct json_document json;
    rates_default(rates);
    *found = false;
    RETURN_ON_FAILURE(read_text(path, text, &size, err));
    if (size < 0)
        return STATUS_OK;
    if (size > JSON_LONGEST)
        return fail(err, STATUS_BAD_INPUT, "%s: expected at most %d bytes", path, JSON_LONGEST);
    *found = true;
    enum status status;
    TRY(json_text_read(path, text, (size_t)size, &json, err));
    TRY(take_rates(path, json.root, rates, err));
cleanup:
    memory_free(json.memory);
    if (status != STATUS_OK)
        rates_default(rates);
    return status;
}

enum status rates_here(struct rates *rates, struct error *err) {
    char *path;
    bool found;
    rates_default(rates);
    RETURN_ON_FAILURE(rates_path(&path, err));
    const enum status status = path != NULL ? rates_read(path, rates, &found, err) : STATUS_OK;
    free(path);
    return status;
}

/* Makes the missing folders of a path. If one cannot be made, opening the file reports why. */
static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700); /* mode of the XDG base directory specification */
        *slash = '/';
    }
}

enum status rates_write(const char *path, const struct rates *rates, struct error *err) {
    struct output out = {.fd = -1};
    struct stat there;
    char *folders = strdup(path);
    enum status status;
    if (folders == NULL)
        return fail(err, STATUS_NO_RESOURCE, "out of memory: cannot write %s", path);
    make_folders(folders);
    free(folders);
    /* A pipe or a device must not be opened: a pipe might wait, a device might do anything. */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return fail(err, STATUS_NO_RESOURCE, "cannot write %s: expected a regular file", path);

    struct json_writer json;
    json_write_begin(&json, NULL);
    json_write_integer(&json, "version", VERSION);
    json_write_open(&json, "rates");
    for (enum rate r = 0; r < RATES; r++)
        json_write_real(&json, table[r].limits.name, rates->of[r], 6);
    json_write_close(&json);
    json_write_close(&json);
    TRY(output_open(&out, path, err));
    TRY(output_write(&out, json.text, json.length, err));
    TRY(output_commit(&out, err));
cleanup:
    output_discard(&out);
    return status;
}
