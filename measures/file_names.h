// SPDX-License-Identifier: MIT
/* Names that the code for writing and for reading files of measures shares. docs/measures.md
 * describes the files. */
#ifndef MEASURES_FILE_NAMES_H
#define MEASURES_FILE_NAMES_H

#include "common/base/error.h" // struct error

#define MEASURES_CSV   ".csv"
#define MEASURES_EDGES ".edges.csv" /* only if there is betweenness */
#define MEASURES_JSON  ".json"

/* Names of members of the .json file. */
#define MEMBER_EDGES   "edges"        /* number of edges in the graph's file */
#define MEMBER_CSV_CRC "csv_checksum" /* CRC-32 of the .csv file */
#define MEMBER_TYPE    "type"         /* number type of distances; absent: int32 */
#define MEMBER_OMITTED "omitted"      /* parts (parts.h) that the files lack; absent: no part */

#define MEMBER_FLOWS     "betweenness" /* an object; absent: there is no betweenness */
/* a member of MEMBER_FLOWS, as are the next two: see struct measured_flows */
#define MEMBER_ENDPOINTS "endpoints"
#define MEMBER_TIMES     "weights_times"
#define MEMBER_SPACING   "grid"
#define MEMBER_EDGES_CRC "edges_checksum"

enum { MEASURES_DIGITS = 17 }; /* digits of real numbers, enough to read back the same double */

/* Returns the name PREFIX.csv, PREFIX.json or the like. The caller frees it with free; NULL if
 * memory is short. */
char *measures_file_name(const char *prefix, const char *suffix, struct error *err);

#endif
