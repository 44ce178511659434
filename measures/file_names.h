// SPDX-License-Identifier: MIT
/* Names that who writes files of measures and who reads them share. docs/measures.md describes the
 * files. */
#ifndef MEASURES_FILE_NAMES_H
#define MEASURES_FILE_NAMES_H

#include "common/base/error.h" // struct error

#define MEASURES_CSV   ".csv"
#define MEASURES_EDGES ".edges.csv" /* with betweenness */
#define MEASURES_JSON  ".json"

/* Members of the .json. */
#define MEMBER_EDGES   "edges"
#define MEMBER_CSV_CRC "csv_checksum"
#define MEMBER_TYPE    "type"    /* of the distances; absent: int32 */
#define MEMBER_OMITTED "omitted" /* parts (parts.h) that were not wanted; absent: none */

#define MEMBER_FLOWS     "betweenness" /* an object; absent: there is none */
#define MEMBER_ENDPOINTS "endpoints"   /* in it, like the next two: of struct measured_flows */
#define MEMBER_TIMES     "weights_times"
#define MEMBER_SPACING   "grid"
#define MEMBER_EDGES_CRC "edges_checksum"

enum { MEASURES_DIGITS = 17 }; /* of real numbers, which give back the same double */

/* PREFIX.csv or PREFIX.json, to be freed with free; NULL without memory. */
char *measures_file_name(const char *prefix, const char *suffix, struct error *err);

#endif
