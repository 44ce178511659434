// SPDX-License-Identifier: MIT
/* Archives of more than 4 GiB, of whose members nothing is written: holes of the file. */
#include "common/base/zip.h"
#include "tests/unit/support.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Returns the 8 bytes behind a text in another text, as a little-endian number; 0 if it is not
 * there. */
static uint64_t number_behind(const unsigned char *text, size_t size, const char *wanted,
                              size_t skipped) {
    uint64_t number = 0;
    const unsigned char *const found = memmem(text, size, wanted, strlen(wanted));
    for (int k = 7; k >= 0 && found != NULL; k--)
        number = number << 8 | found[strlen(wanted) + skipped + (size_t)k];
    return number;
}

/* The directory has the offset of each member, and the end record that of the directory. */
static void test_large(void) {
    const uint64_t large = UINT64_C(5) << 30;
    struct zip_member members[] = {{.name = "first", .bytes = large},
                                   {.name = "second", .bytes = 3}};
    const uint64_t size = zip_place(members, 2), begin = members[1].at - strlen("second") - 50;
    const char *const path = temporary_path();
    unsigned char tail[512];
    struct output out;
    struct error err;
    uint32_t crc;
    CU_ASSERT_EQUAL(begin, members[0].at + large);
    CU_ASSERT_EQUAL_FATAL(output_open(&out, path, &err), STATUS_OK);
    CU_ASSERT_EQUAL(zip_write(&out, members, 2, &crc, &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_commit(&out, &err), STATUS_OK);
    const int fd = open(path, O_RDONLY);
    CU_ASSERT_EQUAL(lseek(fd, 0, SEEK_END), (off_t)size);
    const ssize_t got = pread(fd, tail, sizeof tail, (off_t)members[1].at + 3);
    close(fd);
    CU_ASSERT_EQUAL_FATAL(got, (ssize_t)(size - members[1].at - 3));
    /* behind the name: head of the extra field (4 bytes), both sizes, the offset */
    CU_ASSERT_EQUAL(number_behind(tail, (size_t)got, "first", 4), large);
    CU_ASSERT_EQUAL(number_behind(tail, (size_t)got, "first", 20), 0);
    CU_ASSERT_EQUAL(number_behind(tail, (size_t)got, "second", 20), begin);
    CU_ASSERT_EQUAL(number_behind(tail, (size_t)got, "PK\6\6", 44), members[1].at + 3);
    /* numbers of members on this disk and in all, and bytes of the directory, which ZIP64's record
     * has */
    CU_ASSERT_EQUAL(number_behind(tail, (size_t)got, "PK\5\6", 4), 2 | 2 << 16 | UINT64_MAX << 32);
}

CU_TestInfo zip_tests[] = {
    {"members of 5 GiB", test_large},
    CU_TEST_INFO_NULL,
};
