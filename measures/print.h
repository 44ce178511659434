// SPDX-License-Identifier: MIT
/* Prints measures for people. */
#ifndef MEASURES_PRINT_H
#define MEASURES_PRINT_H

#include "measures/measures.h" // struct measures

#include <stdio.h>

/* Writes the measures of the pairs and of the graph for people, a line each. Vertices are numbered
 * as in the graph's file. */
void measures_print(FILE *to, const struct measures *m);

#endif
