#include "common/cli.h"

#include "common/output.h" // output_remove_on_signal

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char version[64];

void cli_start(const char *program) {
    snprintf(version, sizeof version, "%s %s", program, APSP_VERSION);
    argp_program_version = version;
    argp_err_exit_status = STATUS_BAD_INPUT;
    output_remove_on_signal();
}

int cli_fail(enum status status, const struct error *err) {
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, err->text);
    return (int)status;
}

int cli_finish(void) {
    if (ferror(stdout) == 0 && fclose(stdout) == 0)
        return STATUS_OK;
    struct error err;
    fail(&err, STATUS_NO_RESOURCE, "cannot write standard output: %s", strerror(errno));
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, err.text);
    return STATUS_NO_RESOURCE;
}

int64_t cli_integer(struct argp_state *state, const char *option, const char *text, int64_t lowest,
                    int64_t highest) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < lowest || value > highest)
        argp_error(state, "%s: expected an integer in %lld .. %lld, found '%s'", option,
                   (long long)lowest, (long long)highest, text);
    return value;
}
