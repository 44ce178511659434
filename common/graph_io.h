/* Reading graphs. Every program loads its graph here. */
#ifndef COMMON_GRAPH_IO_H
#define COMMON_GRAPH_IO_H

#include "common/graph.h" // struct graph

#define DEFAULT_GRAPH_FILE "graphFile.txt"

/* Loads the graph in `path` ("-" is standard input), plain or gzip-compressed,
 * in any known format; the format is told by the content. Memory grows only
 * with edges really read; a |V| whose distance matrix the machine could not
 * hold is refused (STATUS_NO_RESOURCE). Anything else wrong is
 * STATUS_BAD_INPUT, with file and line. The caller frees with graph_free.
 *
 * Thesis text (chapter 4): a line `V E`, then E lines `u v w`, vertices from
 * 0, fields separated by blanks; empty lines are skipped. */
enum status graph_read(const char *path, struct graph *g, struct error *err);

#endif
