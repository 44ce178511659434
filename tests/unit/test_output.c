/* Files that appear completely or not at all. */
#include "common/output.h"
#include "tests/unit/support.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool contains(const char *path, const char *expected) {
    char found[64];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    return strcmp(found, expected) == 0;
}

/* How many hidden files are named after it. */
static int hidden_beside(const char *path) {
    const char *slash = strrchr(path, '/');
    char pattern[256];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%.*s/.%s.*", (int)(slash - path), path, slash + 1);
    const int count = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return count;
}

static void write_all(const char *path, const char *text) {
    struct output out;
    struct error err;
    CU_ASSERT_EQUAL_FATAL(output_open(&out, path, &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_write(&out, text, strlen(text), &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_commit(&out, &err), STATUS_OK);
    output_discard(&out);
}

static void test_commit_and_discard(void) {
    const char *path = temporary_path();
    struct output out;
    struct error err;
    write_all(path, "old");
    CU_ASSERT(contains(path, "old"));

    CU_ASSERT_EQUAL_FATAL(output_open(&out, path, &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_write(&out, "new", 3, &err), STATUS_OK);
    CU_ASSERT(contains(path, "old"));
    CU_ASSERT_EQUAL(hidden_beside(path), 1);
    output_discard(&out);
    CU_ASSERT(contains(path, "old"));
    CU_ASSERT_EQUAL(hidden_beside(path), 0);

    write_all(path, "new");
    CU_ASSERT(contains(path, "new"));
}

static void test_permissions(void) {
    struct stat file;
    mode_t mask = umask(027);
    const char *path = temporary_path();
    write_all(path, "x");
    CU_ASSERT_EQUAL(stat(path, &file), 0);
    CU_ASSERT_EQUAL(file.st_mode & 0777, 0640);
    chmod(path, 0604);
    write_all(path, "y");
    CU_ASSERT_EQUAL(stat(path, &file), 0);
    CU_ASSERT_EQUAL(file.st_mode & 0777, 0604);
    umask(mask);
}

static void test_links(void) {
    const char *target = temporary_path(), *link = temporary_path(), *chain = temporary_path();
    struct stat file;
    /* One absolute and one relative link, to a file that does not exist yet. */
    CU_ASSERT_EQUAL(symlink(target, link), 0);
    CU_ASSERT_EQUAL(symlink(strrchr(link, '/') + 1, chain), 0);
    write_all(chain, "through");
    CU_ASSERT(contains(target, "through"));
    CU_ASSERT_EQUAL(lstat(link, &file), 0);
    CU_ASSERT(S_ISLNK(file.st_mode));
    CU_ASSERT_EQUAL(lstat(chain, &file), 0);
    CU_ASSERT(S_ISLNK(file.st_mode));
    write_all(chain, "again");
    CU_ASSERT(contains(target, "again"));

    const char *loop = temporary_path();
    struct output out;
    struct error err;
    CU_ASSERT_EQUAL(symlink(loop, loop), 0);
    CU_ASSERT_EQUAL(output_open(&out, loop, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "Too many levels of symbolic links"));
}

/* Appending to what a descriptor is open on, not replacing it. */
static void test_descriptor_names(void) {
    const char *path = temporary_path();
    write_all(path, "old ");
    FILE *file = fopen(path, "a");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    char name[64];
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(file));
    write_all(name, "new");
    CU_ASSERT(contains(path, "old new"));
    /* The same through a symbolic link. */
    const char *link = temporary_path();
    CU_ASSERT_EQUAL(symlink(name, link), 0);
    write_all(link, "er");
    CU_ASSERT(contains(path, "old newer"));
    fclose(file);
}

static void test_is_stdout(void) {
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    static const char *const others[] = {"/dev/stderr", "/dev/fd/11", "/dev/fd/1x",
                                         "/dev/null",   "stdout",     ""};
    const char *link = temporary_path(), *chain = temporary_path();
    CU_ASSERT_EQUAL(symlink("/dev/fd/1", link), 0);
    CU_ASSERT_EQUAL(symlink(link, chain), 0);
    CU_ASSERT(output_is_stdout(link) && output_is_stdout(chain));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        CU_ASSERT(output_is_stdout(names[k]));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        CU_ASSERT(!output_is_stdout(others[k]));
}

static void test_refused(void) {
    struct output out;
    struct error err;
    CU_ASSERT_EQUAL(output_open(&out, "/no/such/directory/file", &err), STATUS_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "cannot write /no/such/directory/file: No such file or directory");
    CU_ASSERT_EQUAL(output_open(&out, "/tmp", &err), STATUS_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(err.text, "cannot write /tmp: Is a directory");
    CU_ASSERT_EQUAL_FATAL(output_open(&out, "/dev/full", &err), STATUS_OK);
    CU_ASSERT_EQUAL(output_write(&out, "x", 1, &err), STATUS_NO_RESOURCE);
    CU_ASSERT_STRING_EQUAL(err.text, "cannot write /dev/full: No space left on device");
    output_discard(&out);
    CU_ASSERT_EQUAL(access("/dev/full", F_OK), 0);
}

CU_TestInfo output_tests[] = {
    {"commit and discard", test_commit_and_discard},
    {"permissions", test_permissions},
    {"symbolic links", test_links},
    {"names of descriptors", test_descriptor_names},
    {"names of stdout", test_is_stdout},
    {"refused", test_refused},
    CU_TEST_INFO_NULL,
};
