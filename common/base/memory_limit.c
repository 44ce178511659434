// SPDX-License-Identifier: MIT
/* Finds the limit of memory; see memory.h. */
#include "common/base/memory_limit.h"
#include "common/base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Control groups -------------------------------------------------------------- */

/* Reads a file with one number. Anything else ("max") sets no limit. */
static uint64_t read_limit(const char *path) {
    char text[64] = "", *end;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return UINT64_MAX;
    const bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    if (!read || !isdigit((unsigned char)text[0]))
        return UINT64_MAX;
    errno = 0;
    const unsigned long long bytes = strtoull(text, &end, 10);
    return errno == 0 && (*end == '\n' || *end == '\0') ? bytes : UINT64_MAX;
}

/* Returns the lowest limit of the group in the folder `root` + mounted + group and of its parent
 * groups, up to the mounted one. */
static uint64_t lowest_of(const char *root, const char *mounted, const char *group,
                          const char *const *files) {
    char folder[PATH_MAX], path[PATH_MAX + 64];
    uint64_t lowest = UINT64_MAX;
    const int top = snprintf(folder, sizeof folder, "%s%s", root, mounted);
    if (top < 0 || (size_t)top + strlen(group) >= sizeof folder)
        return UINT64_MAX;
    strcpy(folder + top, group);
    for (;;) {
        for (int f = 0; files[f] != NULL; f++) {
            snprintf(path, sizeof path, "%s/%s", folder, files[f]);
            const uint64_t limit = read_limit(path);
            lowest = limit < lowest ? limit : lowest;
        }
        char *const last = strrchr(folder + top, '/');
        if (last == NULL)
            return lowest;
        *last = '\0';
    }
}

/* Decodes "\040" and similar codes, by which mountinfo writes blanks, in place. */
static void unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        unsigned code;
        if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1 && isdigit(from[1]) &&
            isdigit(from[2]) && isdigit(from[3])) {
            *to++ = (char)code;
            from += 3;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* Returns whether a list of words, separated by commas, contains the word. */
static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (; *list != '\0'; list += strcspn(list, ","), list += *list == ',') {
        if (strcspn(list, ",") == length && memcmp(list, word, length) == 0)
            return true;
    }
    return false;
}

/* One mounted hierarchy of control groups. */
struct mounted {
    char *top;   /* path of the mounted group */
    char *where; /* folder on which it is mounted */
    bool version_2;
};

/* Parses a line of mountinfo, which it overwrites; returns false if the line mounts anything but
 * control groups. */
static bool take_mount(char *line, struct mounted *m) {
    enum { TOP = 3, WHERE = 4 };
    char *fields = strstr(line, " - "), *rest;
    if (fields == NULL)
        return false;
    *fields = '\0';
    fields += 3;
    fields[strcspn(fields, "\n")] = '\0';
    const char *const type = strtok_r(fields, " ", &rest);
    (void)strtok_r(NULL, " ", &rest); /* skips the source, which is no device */
    const char *const options = strtok_r(NULL, " ", &rest);
    if (type == NULL)
        return false;
    m->version_2 = strcmp(type, "cgroup2") == 0;
    if (!m->version_2 &&
        (strcmp(type, "cgroup") != 0 || options == NULL || !has_word(options, "memory")))
        return false;
    m->top = m->where = NULL;
    char *field = strtok_r(line, " ", &rest);
    for (int f = 0; field != NULL && m->where == NULL; f++, field = strtok_r(NULL, " ", &rest)) {
        if (f == TOP)
            m->top = field;
        if (f == WHERE)
            m->where = field;
    }
    if (m->where == NULL)
        return false;
    unescape(m->top);
    unescape(m->where);
    if (strcmp(m->where, "/") == 0)
        m->where[0] = '\0';
    return true;
}

/* Returns the path of the process's group below the mounted one; the caller frees it. "" if the
 * process is in the mounted group, or if its group is not visible from here, so that only the limit
 * of the mounted one is known. NULL if there is no group or memory is short. */
static char *group_in(const char *root, const struct mounted *m) {
    char path[PATH_MAX], *line = NULL, *group = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return NULL;
    while (group == NULL && getline(&line, &size, file) > 0) {
        /* the line has the form hierarchy:controllers:group */
        char *const controllers = strchr(line, ':');
        char *const name = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (name == NULL)
            continue;
        *name = '\0';
        name[1 + strcspn(name + 1, "\n")] = '\0';
        const bool ours = m->version_2 ? strncmp(line, "0:", 2) == 0 && controllers[1] == '\0'
                                       : has_word(controllers + 1, "memory");
        if (ours)
            group = strdup(name + 1);
    }
    free(line);
    fclose(file);
    if (group == NULL)
        return NULL;
    const size_t top = strcmp(m->top, "/") == 0 ? 0 : strlen(m->top);
    const bool inside = strncmp(group, m->top, top) == 0 &&
                        (group[top] == '/' || group[top] == '\0') && strstr(group, "..") == NULL;
    memmove(group, inside ? group + top : "", inside ? strlen(group + top) + 1 : 1);
    if (strcmp(group, "/") == 0)
        group[0] = '\0';
    return group;
}

uint64_t memory_cgroup_limit(const char *root) {
    static const char *const files_1[] = {"memory.limit_in_bytes", NULL};
    static const char *const files_2[] = {"memory.max", "memory.high", NULL};
    char path[PATH_MAX], *line = NULL;
    size_t size = 0;
    uint64_t lowest = UINT64_MAX;
    snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return UINT64_MAX;
    while (getline(&line, &size, file) > 0) {
        struct mounted m;
        char *const group = take_mount(line, &m) ? group_in(root, &m) : NULL;
        if (group == NULL)
            continue;
        const uint64_t limit = lowest_of(root, m.where, group, m.version_2 ? files_2 : files_1);
        lowest = limit < lowest ? limit : lowest;
        free(group);
    }
    free(line);
    fclose(file);
    return lowest;
}

/* The variable ---------------------------------------------------------------- */

static enum status take_variable(uint64_t *bytes, struct error *err) {
    static const char units[] = "KMGT";
    const char *const text = getenv("APSP_MEMORY_LIMIT");
    *bytes = UINT64_MAX;
    if (text == NULL || *text == '\0')
        return STATUS_OK;
    char *end = NULL;
    uint64_t number = 0, unit = 1;
    errno = 0;
    if (isdigit((unsigned char)*text))
        number = strtoull(text, &end, 10);
    if (end != NULL && *end != '\0') {
        const char *const found = strchr(units, *end);
        unit = found != NULL ? UINT64_C(1024) << 10 * (found - units) : 0;
        end += strcmp(end + 1, "iB") == 0 ? 3 : 1;
    }
    const uint64_t whole = memory_times(number, unit);
    if (end == NULL || *end != '\0' || errno != 0 || whole == 0 || whole > INT64_MAX)
        return fail(err, STATUS_BAD_INPUT,
                    "APSP_MEMORY_LIMIT: expected a number of bytes from 1 to %" PRId64
                    ", or of K, M, G or T (powers of 1024), found '%.80s'",
                    INT64_MAX, text);
    *bytes = whole;
    return STATUS_OK;
}

/* All together ---------------------------------------------------------------- */

/* Limits that do not change while a process runs. */
static pthread_once_t queried = PTHREAD_ONCE_INIT;
static uint64_t machine_bytes = UINT64_MAX, cgroup_bytes = UINT64_MAX;

static void query_machine(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        machine_bytes = (uint64_t)pages * (uint64_t)page;
    cgroup_bytes = memory_cgroup_limit("");
    if (cgroup_bytes < UINT64_MAX)
        cgroup_bytes -= cgroup_bytes / 256;
}

/* Memory of the process in bytes: address space, data in it, and resident memory that belongs to no
 * file. */
struct usage {
    uint64_t mapped, data, resident;
};

static struct usage usage_now(void) {
    char text[256] = "";
    unsigned long long size = 0, resident = 0, shared = 0, code = 0, library = 0, data = 0;
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return (struct usage){0, 0, 0};
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0 || sscanf(text, "%20llu %20llu %20llu %20llu %20llu %20llu", &size, &resident,
                              &shared, &code, &library, &data) != 6)
        return (struct usage){0, 0, 0};
    return (struct usage){size * page, data * page,
                          resident > shared ? (resident - shared) * page : 0};
}

/* Returns the bytes of the stacks of all threads of OpenMP. It is not known how many of them run
 * already, so the stacks of running threads are subtracted twice. */
static uint64_t stacks(void) {
    pthread_attr_t attributes;
    size_t stack = 0;
    if (pthread_attr_init(&attributes) != 0)
        return 0;
    (void)pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_destroy(&attributes);
    return (uint64_t)(omp_get_max_threads() - 1) * stack;
}

static uint64_t less(uint64_t limit, uint64_t other) {
    return limit > other ? limit - other : 0;
}

static void lower(struct memory_limit *limit, uint64_t bytes, enum memory_limiter by) {
    if (bytes < limit->bytes)
        *limit = (struct memory_limit){bytes, by};
}

/* Returns the bytes of the process that the account does not count. */
static uint64_t beside(uint64_t all) {
    return less(all, memory_held());
}

/* Returns the soft limit of a resource; UINT64_MAX if there is none. */
static uint64_t rlimit_of(__rlimit_resource_t resource) {
    struct rlimit r;
    return getrlimit(resource, &r) == 0 && r.rlim_cur != RLIM_INFINITY ? r.rlim_cur : UINT64_MAX;
}

enum status memory_limit_find(struct memory_limit *limit, struct error *err) {
    uint64_t variable;
    RETURN_ON_FAILURE(take_variable(&variable, err));
    const struct usage usage = usage_now();
    pthread_once(&queried, query_machine);
    *limit = (struct memory_limit){less(machine_bytes, beside(usage.resident)), MEMORY_BY_MACHINE};
    lower(limit, less(cgroup_bytes, beside(usage.resident)), MEMORY_BY_CGROUP);
    const uint64_t mapped = rlimit_of(RLIMIT_AS), data = rlimit_of(RLIMIT_DATA);
    if (mapped < UINT64_MAX) /* only then OpenMP is asked for its number of threads */
        lower(limit, less(mapped, beside(usage.mapped) + stacks()), MEMORY_BY_ADDRESS_SPACE);
    if (data < UINT64_MAX)
        lower(limit, less(data, beside(usage.data)), MEMORY_BY_DATA);
    lower(limit, variable, MEMORY_BY_VARIABLE);
    return STATUS_OK;
}

enum status memory_limit_quick(struct memory_limit *limit, struct error *err) {
    uint64_t variable;
    enum status status = take_variable(&variable, err);
    pthread_once(&queried, query_machine);
    *limit = (struct memory_limit){machine_bytes, MEMORY_BY_MACHINE};
    lower(limit, cgroup_bytes, MEMORY_BY_CGROUP);
    lower(limit, variable, MEMORY_BY_VARIABLE);
    return status;
}
