// SPDX-License-Identifier: MIT
/* The version of programs, library and packages. libapsp/apsp.h repeats it as APSP_VERSION, because
 * users get only that file; a test compares the two. */
#ifndef COMMON_BASE_VERSION_H
#define COMMON_BASE_VERSION_H

#define PROJECT_VERSION "0.2.0"

#endif
