// SPDX-License-Identifier: MIT
/* apsp --demand and --gravity: load trips on the edges of their shortest paths, all or nothing. The
 * trips are those of a table, or those that masses of vertices send and attract. */
#ifndef APSP_MAKE_LOADS_H
#define APSP_MAKE_LOADS_H

#include "cli/solver_main.h" // struct solver_request

/* The options of the command line. */
struct make_loads {
    const char *trips;   /* path of a table of trips; NULL: none are loaded */
    const char *masses;  /* path of a table of masses: from vertex s to t go (mass of s in the first
                            column) * (mass of t in the second column) trips; NULL: none */
    const char *columns; /* names of the two columns, "SENT,ATTRACTED"; NULL: the columns of a table
                            with two, or the only column of a table, twice */
    double decay; /* trips at a distance are exp(-distance / decay) times as many; 0: distance does
                     not matter */
};

/* Loads the trips on g, writes the load of each edge to the request's output, and says where the
 * trips went. Trips that have several shortest paths are divided among them. With --check the loads
 * are judged before they are written (flows/proof.h). only_plans: only says how the trips of masses
 * would be loaded, and how long that would take. Fails as trips_read, mass_table_read,
 * betweenness_find and betweenness_prove. */
enum status make_loads(const struct make_loads *how, const struct solver_request *request,
                       const struct graph *g, bool only_plans, struct error *err);

#endif
