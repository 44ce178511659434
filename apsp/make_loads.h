// SPDX-License-Identifier: MIT
/* apsp --demand and --gravity: load the trips of a table, or those that masses of vertices make, on
 * the edges of their shortest paths, all or nothing. */
#ifndef APSP_MAKE_LOADS_H
#define APSP_MAKE_LOADS_H

#include "cli/solver_main.h" // struct solver_request

/* The options of the command line. */
struct make_loads {
    const char *trips;   /* path of a table of trips; NULL: none are loaded */
    const char *masses;  /* path of a table of masses: from vertex s to t go the mass of s in the
                            first column times that of t in the second one; NULL: none do */
    const char *columns; /* names of these two, with a comma between them; NULL: those of a table
                            with two, or the one of a table with one for both */
    double decay;        /* exp(-distance / decay) times as many trips go there; 0: no fewer */
};

/* Loads trips or those of masses on g, writes the load of each edge to the request's output, and
 * says where the trips went. Trips that have several shortest paths are divided among them.
 * With --check the loads are judged before they are written (flows/proof.h). only_plans: it only
 * says how the trips of masses would be loaded, and how long it would take. Fails as trips_read,
 * mass_table_read, betweenness_find and betweenness_prove. */
enum status make_loads(const struct make_loads *how, const struct solver_request *request,
                       const struct graph *g, bool only_plans, struct error *err);

#endif
