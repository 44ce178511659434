// SPDX-License-Identifier: MIT
#include "index/index.h"

#include "common/base/crc32.h"  // crc32_add
#include "common/base/memory.h" // memory_free
#include "common/base/output.h" // output_open
#include "index/index_cells.h"
#include "index/index_order.h" // index_live_free
#include "index/index_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are mapped as they are");

void index_place_sections(struct distance_index *x, const struct index_header *header,
                          const void *image, enum isa isa) {
    const char *const bytes = image;
    const struct index_place *const s = header->section;
    const struct index_cells *const cells =
        header->cell == sizeof(double) ? &index_cells_f64 : &index_cells;
    const bool one = header->directions == 1;
    *x = (struct distance_index){
        .header = *header,
        .order = (const int32_t *)(bytes + s[INDEX_ORDER].offset),
        .head = (const uint32_t *)(bytes + s[INDEX_HEADS].offset),
        .higher = (const int32_t *)(bytes + s[INDEX_HIGHER].offset),
        .kernels = cells->kernels(isa),
        .cells = cells,
    };
    for (int d = 0; d < 2; d++) {
        const int from = one ? 0 : d;
        const struct index_place *const label = &s[INDEX_LABELS_OUT + from];
        const struct index_place *const row = &s[INDEX_ROWS_OUT + from];
        x->vertex[d] = (const void *)(bytes + s[INDEX_VERTICES_OUT + from].offset);
        x->label[d] = bytes + label->offset;
        x->label_cells[d] = label->bytes / index_label_cell(header) - INDEX_PAD;
        if (row->bytes > 0) {
            x->row[d] = (const void *)(bytes + row->offset);
            x->row_cells[d] = row->bytes / sizeof(int32_t) - INDEX_PAD;
        }
        x->entry[d] = (const void *)(bytes + s[INDEX_ENTRIES_OUT + from].offset);
        x->edge[d] = (const uint8_t *)bytes + s[INDEX_EDGES].offset +
                     (uint64_t)from * index_edge_bytes(header);
    }
}

enum status index_find_names(struct distance_index *x, struct error *err) {
    const struct index_place *const place = &x->header.section[INDEX_NAMES];
    const char *const bytes = x->mapping != NULL ? x->mapping : x->image;
    x->naming = (struct vertex_naming){.first = x->header.first_vertex};
    return place->bytes == 0 ? STATUS_OK
                             : names_view(&x->naming.names, bytes + place->offset, place->bytes,
                                          x->header.vertices, err);
}

enum status index_save(const struct distance_index *x, const char *path, struct error *err) {
    struct output out = {.fd = -1};
    const char *const bytes = x->image != NULL ? x->image : x->mapping;
    struct index_header header = x->header;
    enum status status;
    for (int s = 0; s < INDEX_SECTIONS; s++) {
        struct index_place *const place = &header.section[s];
        place->crc = crc32_add(0, bytes + place->offset, place->bytes);
    }
    header.crc = crc32_add(0, &header, offsetof(struct index_header, crc));
    TRY(output_open(&out, path, err));
    TRY(output_write(&out, &header, sizeof header, err));
    TRY(output_write(&out, bytes + sizeof header, header.bytes - sizeof header, err));
    TRY(output_commit(&out, err));
cleanup:
    output_discard(&out);
    return status;
}

static enum status malformed(const char *path, const char *expected, const char *found,
                             struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "%s: expected %s, found %s", path, expected, found);
}

/* Returns the bytes of a section of cells, whose number the header does not tell; UINT64_MAX: they
 * are no whole number of cells, or fewer than stand at the end. */
static uint64_t whole_cells(const struct index_place *place, uint64_t cell) {
    return place->bytes % cell == 0 && place->bytes / cell >= INDEX_PAD ? place->bytes : UINT64_MAX;
}

bool index_section_may_lack(const struct index_header *h, int section) {
    const bool is_in = section == INDEX_VERTICES_IN || section == INDEX_ENTRIES_IN ||
                       section == INDEX_LABELS_IN || section == INDEX_ROWS_IN;
    const bool is_row = section == INDEX_ROWS_OUT || section == INDEX_ROWS_IN;
    return section == INDEX_NAMES || (is_in && h->directions == 1) ||
           (is_row && h->cell != sizeof(int32_t));
}

uint64_t index_section_bytes(const struct index_header *h, int section) {
    const uint64_t n = (uint64_t)h->vertices;
    if (section != INDEX_NAMES && index_section_may_lack(h, section))
        return 0;
    switch (section) {
    case INDEX_VERTICES_OUT:
    case INDEX_VERTICES_IN:
        return n * sizeof(struct index_vertex);
    case INDEX_ORDER:
        return n * sizeof(int32_t);
    case INDEX_HEADS:
        return (n + 1) * sizeof(uint32_t);
    case INDEX_LABELS_OUT:
    case INDEX_LABELS_IN:
        return whole_cells(&h->section[section], index_label_cell(h));
    case INDEX_ROWS_OUT:
    case INDEX_ROWS_IN:
        return whole_cells(&h->section[section], sizeof(int32_t));
    case INDEX_HIGHER:
        return memory_times(h->entries, sizeof(int32_t));
    case INDEX_ENTRIES_OUT:
    case INDEX_ENTRIES_IN: /* struct index_entry for the type of cells */
        return memory_times(h->entries, 2 * (uint64_t)h->cell);
    case INDEX_EDGES:
        return h->directions * index_edge_bytes(h);
    default: /* names_view() checks the section's size against the number of vertices */
        return h->section[INDEX_NAMES].bytes;
    }
}

/* Sections lie one behind the other, each at the next multiple of 64 bytes. */
static enum status check_sections(const struct index_header *h, const char *path,
                                  struct error *err) {
    uint64_t end = sizeof *h;
    for (int s = 0; s < INDEX_SECTIONS; s++) {
        const struct index_place *const place = &h->section[s];
        const uint64_t bytes = index_section_bytes(h, s);
        const bool absent = index_section_may_lack(h, s) && bytes == 0;
        const uint64_t offset = absent ? 0 : end;
        if (place->bytes != bytes || place->offset != offset || bytes > h->bytes - end)
            return fail(err, STATUS_BAD_INPUT,
                        "%s: expected section %d at %llu in %llu bytes, found %llu bytes at %llu",
                        path, s, (unsigned long long)offset, (unsigned long long)h->bytes,
                        (unsigned long long)place->bytes, (unsigned long long)place->offset);
        end = index_section_end(end + bytes);
        if (end > h->bytes)
            break;
    }
    return end == h->bytes ? STATUS_OK
                           : malformed(path, "sections up to the end of the file", "others", err);
}

/* Returns whether all unused numbers of a header are 0. */
static bool has_zeros(const struct index_header *h) {
    bool zero = true;
    for (size_t k = 0; k < sizeof h->zeros / sizeof *h->zeros; k++)
        zero = zero && h->zeros[k] == 0;
    for (int s = 0; s < INDEX_SECTIONS; s++)
        zero = zero && h->section[s].zero == 0 &&
               (h->section[s].offset != 0 || h->section[s].crc == 0);
    return zero;
}

/* Returns whether a header's grid and size of cells suit its type: a header of real weights must
 * have a grid. */
static bool has_grid(const struct index_header *h) {
    int exponent;
    if (h->type == INDEX_INT32)
        return h->spacing == 0 && h->grid_error == 0 && h->cell == sizeof(int32_t);
    return isfinite(h->spacing) && h->spacing > 0 && frexp(h->spacing, &exponent) == 0.5 &&
           h->grid_error >= 0 && isfinite(h->grid_error) &&
           (h->cell == sizeof(int32_t) || h->cell == sizeof(double));
}

static enum status check_header(const struct index_header *h, uint64_t bytes, const char *path,
                                struct error *err) {
    if (memcmp(h->magic, INDEX_MAGIC, sizeof h->magic) != 0)
        return malformed(path, "a distance index (.apspx)", "another kind of file", err);
    if (h->version != INDEX_VERSION)
        return fail(err, STATUS_BAD_INPUT, "%s: expected a distance index of version %d, found %u",
                    path, (int)INDEX_VERSION, h->version);
    if (h->crc != crc32_add(0, h, offsetof(struct index_header, crc)))
        return malformed(path, "a header with its checksum", "a damaged one", err);
    if (h->type != INDEX_INT32 && h->type != INDEX_INT64 && h->type != INDEX_FLOAT64)
        return fail(err, STATUS_BAD_INPUT,
                    "%s: expected weights of type 1 (int32), 2 (int64) or 3 (float64), found %u",
                    path, h->type);
    if (h->vertices < 1 || h->directions < 1 || h->directions > 2 || h->first_vertex < 0 ||
        h->first_vertex > 1 || h->largest < 0 || h->largest >= INF || h->height < 1 ||
        h->height > (uint32_t)h->vertices || h->directed > 1 || h->loops > 1 || !has_grid(h) ||
        !has_zeros(h))
        return malformed(path, "a header of a distance index", "numbers out of range", err);
    if (bytes < h->bytes)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %llu bytes, found %llu: it is truncated",
                    path, (unsigned long long)h->bytes, (unsigned long long)bytes);
    if (bytes > h->bytes)
        return fail(err, STATUS_BAD_INPUT, "%s: expected %llu bytes, found %llu", path,
                    (unsigned long long)h->bytes, (unsigned long long)bytes);
    return check_sections(h, path, err);
}

static enum status cannot_open(const char *path, struct error *err) {
    return fail(err, STATUS_NO_RESOURCE, "cannot open %s: %s", path, strerror(errno));
}

enum status index_open(struct distance_index *x, const char *path, struct error *err) {
    struct index_header header;
    struct stat about;
    void *mapping = MAP_FAILED;
    enum isa isa;
    enum status status;
    *x = (struct distance_index){0};
    TRY(isa_choose(&isa, err));
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? fail(err, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno))
                   : cannot_open(path, err);
    if (fstat(fd, &about) != 0) {
        status = cannot_open(path, err);
        goto close;
    }
    if (!S_ISREG(about.st_mode)) {
        status = malformed(path, "a regular file, which can be mapped", "another", err);
        goto close;
    }
    const ssize_t got = pread(fd, &header, sizeof header, 0);
    if (got < 0) {
        status = cannot_open(path, err);
        goto close;
    }
    if (got < (ssize_t)sizeof header)
        memset((char *)&header + got, 0, sizeof header - (size_t)got);
    status = check_header(&header, (uint64_t)about.st_size, path, err);
    if (status != STATUS_OK)
        goto close;
    mapping = mmap(NULL, header.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapping == MAP_FAILED) {
        status = cannot_open(path, err);
        goto close;
    }
    index_place_sections(x, &header, mapping, isa);
    x->mapping = mapping;
    status = index_find_names(x, err);
close:
    close(fd);
cleanup:
    return status;
}

bool index_is_meant(const char *path) {
    char magic[sizeof(((struct index_header *)NULL)->magic)];
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    const ssize_t got = pread(fd, magic, sizeof magic, 0);
    close(fd);
    return got == (ssize_t)sizeof magic && memcmp(magic, INDEX_MAGIC, sizeof magic) == 0;
}

void index_close(struct distance_index *x) {
    naming_free(&x->naming);
    index_live_free(x->live);
    memory_free(x->image);
    if (x->mapping != NULL)
        munmap(x->mapping, x->header.bytes);
    *x = (struct distance_index){0};
}
