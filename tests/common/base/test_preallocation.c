// SPDX-License-Identifier: MIT
#include "common/base/preallocation.h"

#include "common/base/clock.h" // clock_seconds
#include "tests/unit/support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Sizes that are no multiples of pages or of the pieces that are allocated at a time. */
enum { LONG = (70 << 20) + 123, SHORT = (33 << 20) + 5, AT = 40 << 20 };

static int open_file(off_t bytes) {
    const char *const path = temporary_path();
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(ftruncate(fd, bytes), 0);
    return fd;
}

static off_t space_of(int fd) {
    enum { UNIT = 512 };
    struct stat file;
    CU_ASSERT_EQUAL(fstat(fd, &file), 0);
    return (off_t)file.st_blocks * UNIT;
}

/* Returns whether the file system can report allocated space before it is written. */
static bool can_take_space(void) {
    const int fd = open_file(0);
    const bool can = fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 1 << 20) == 0 && space_of(fd) >= 1 << 20;
    close(fd);
    return can;
}

/* Both files get all their space, and keep their sizes and the data written meanwhile. */
static void test_space(void) {
    static const char text[] = "a row";
    char read[sizeof text] = "";
    struct preallocation p = {.bytes = {LONG, SHORT}, .count = 2};
    struct stat file;
    p.fd[0] = open_file(LONG);
    p.fd[1] = open_file(SHORT);
    preallocation_start(&p);
    CU_ASSERT_EQUAL(pwrite(p.fd[0], text, sizeof text, AT), sizeof text);
    for (int k = 0; k < 2; k++) {
        const double begun = clock_seconds(), most_s = 60;
        while (can_take_space() && space_of(p.fd[k]) < (off_t)p.bytes[k] &&
               clock_seconds() - begun < most_s)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    preallocation_end(&p);
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(fstat(p.fd[k], &file), 0);
        CU_ASSERT_EQUAL(file.st_size, (off_t)p.bytes[k]);
        CU_ASSERT(!can_take_space() || space_of(p.fd[k]) >= (off_t)p.bytes[k]);
    }
    CU_ASSERT_EQUAL(pread(p.fd[0], read, sizeof read, AT), sizeof read);
    CU_ASSERT_STRING_EQUAL(read, text);
    close(p.fd[0]);
    close(p.fd[1]);
}

/* Allocation ends soon although much is left, for a descriptor that is no file, and if it has not
 * begun. */
static void test_end(void) {
    const off_t huge = (off_t)1 << 40;
    struct preallocation p = {.bytes = {(uint64_t)huge, 1}, .count = 2, .fd = {-1, -1}}, none = {0};
    const double begun = clock_seconds(), most_s = 10;
    p.fd[0] = open_file(huge);
    preallocation_start(&p);
    preallocation_end(&p);
    CU_ASSERT(clock_seconds() - begun < most_s);
    CU_ASSERT(space_of(p.fd[0]) < huge);
    preallocation_end(&p);
    preallocation_end(&none);
    close(p.fd[0]);
}

CU_TestInfo preallocation_tests[] = {
    {"space for files", test_space},
    {"an early end", test_end},
    CU_TEST_INFO_NULL,
};
