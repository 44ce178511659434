// SPDX-License-Identifier: MIT
#include "verify/paths.h"

#include "common/base/memory.h"             // memory_alloc
#include "common/base/number_text.h"        // number_text
#include "common/certificate/certificate.h" // certificate_tree, certificate_path_in
#include "common/cli/json_answer.h"         // json_answer_number

#include <stdio.h>
#include <stdlib.h>

/* Counts the edges of every path. It follows predecessors up to a vertex whose count is known and
 * comes back, so it visits each vertex once. */
static void count_edges(struct tree *tree) {
    const int32_t n = tree->graph->n;
    enum { UNKNOWN = -2, NONE = -1 };
    for (int32_t v = 0; v < n; v++)
        tree->edges[v] = tree->parent[v] < 0 ? NONE : UNKNOWN;
    tree->edges[tree->from] = 0;
    for (int32_t v = 0; v < n; v++) {
        int32_t passed = 0, at = v;
        for (; tree->edges[at] == UNKNOWN; at = tree->parent[at])
            tree->path[passed++] = at;
        for (int32_t edges = tree->edges[at]; passed > 0;)
            tree->edges[tree->path[--passed]] = ++edges;
    }
}

enum status path_tree_find(const struct graph *g, int32_t from, double limit, const void *dist,
                           const int32_t *pred, struct tree *tree, struct error *err) {
    const size_t n = (size_t)g->n;
    void *memory;
    *tree = (struct tree){.graph = g, .from = from, .dist = dist, .limit = limit};
    RETURN_ON_FAILURE(memory_alloc(&memory, 3 * n, sizeof(int32_t), "the paths", err));
    tree->parent = memory;
    tree->edges = tree->parent + n;
    tree->path = tree->edges + n;
    RETURN_ON_FAILURE(certificate_tree(g, from, dist, pred, tree->parent, err));
    count_edges(tree);
    return STATUS_OK;
}

void path_tree_free(struct tree *tree) {
    memory_free(tree->parent); /* edges and path are in the same block */
    *tree = (struct tree){0};
}

/* The weight of the tree's edge into a vertex that is reached and not the first. */
static double last_weight(const struct tree *tree, int32_t v) {
    const struct graph *const g = tree->graph;
    const int64_t e = graph_find_edge(g, tree->parent[v], v);
    return g->type == NUMBER_INT32 ? g->weight[e] : g->real_weight[e];
}

static double distance(const struct tree *tree, int32_t v) {
    return number_at(tree->graph->type, tree->dist, v);
}

/* Both for people, and for --json. */
static const char *text_of(const struct tree *tree, double number, char text[NUMBER_TEXT_MAX]) {
    return number_text(tree->graph->type, number, text);
}

static json_t *answer_of(const struct tree *tree, double number) {
    return json_answer_number(tree->graph->type, number);
}

/* The number of a vertex in text. */
static int32_t number(const struct tree *tree, int32_t v) {
    return graph_number(tree->graph, v);
}

/* Stores the vertices of a path in tree->path. */
static int32_t find_path(const struct tree *tree, int32_t to) {
    int32_t length;
    certificate_path_in(tree->parent, tree->from, to, tree->path, &length);
    return length;
}

void path_print(const struct tree *tree, int32_t to) {
    const int32_t length = find_path(tree, to), *path = tree->path;
    char limit[LIMIT_TEXT], text[NUMBER_TEXT_MAX], weight[NUMBER_TEXT_MAX];
    if (length == 0) {
        printf("no path from %d to %d%s\n", number(tree, tree->from), number(tree, to),
               limit_text(tree->limit, limit));
        return;
    }
    printf("path from %d to %d, distance %s, %d edge%s:\n", number(tree, tree->from),
           number(tree, to), text_of(tree, distance(tree, to), text), length - 1,
           length == 2 ? "" : "s");
    for (int32_t k = 1; k < length; k++)
        printf("%d -> %d\tweight %s\tdistance %s\n", number(tree, path[k - 1]),
               number(tree, path[k]), text_of(tree, last_weight(tree, path[k]), weight),
               text_of(tree, distance(tree, path[k]), text));
}

json_t *path_answer(const struct tree *tree, int32_t to) {
    const int32_t length = find_path(tree, to), *path = tree->path;
    if (length == 0)
        return json_pack("{s:i, s:i, s:n, s:n}", "from", tree->from, "to", to, "distance", "edges");
    json_t *edges = json_array();
    for (int32_t k = 1; k < length; k++)
        json_array_append_new(edges,
                              json_pack("{s:i, s:i, s:o, s:o}", "from", path[k - 1], "to", path[k],
                                        "weight", answer_of(tree, last_weight(tree, path[k])),
                                        "distance", answer_of(tree, distance(tree, path[k]))));
    return json_pack("{s:i, s:i, s:o, s:o}", "from", tree->from, "to", to, "distance",
                     answer_of(tree, distance(tree, to)), "edges", edges);
}

void path_tree_print(const struct tree *tree) {
    char limit[LIMIT_TEXT], text[NUMBER_TEXT_MAX];
    printf("paths from %d%s:\n", number(tree, tree->from), limit_text(tree->limit, limit));
    for (int32_t v = 0; v < tree->graph->n; v++) {
        const int32_t length = find_path(tree, v);
        if (length == 0) {
            printf("%d\tno path\n", number(tree, v));
            continue;
        }
        printf("%d\tdistance %s\t", number(tree, v), text_of(tree, distance(tree, v), text));
        for (int32_t k = 0; k < length; k++)
            printf("%s%d", k == 0 ? "" : " -> ", number(tree, tree->path[k]));
        putchar('\n');
    }
}

json_t *path_tree_answer(const struct tree *tree) {
    json_t *vertices = json_array();
    for (int32_t v = 0; v < tree->graph->n; v++) {
        json_t *vertex;
        if (tree->edges[v] < 0)
            vertex = json_pack("{s:i, s:n, s:n, s:n, s:n}", "vertex", v, "distance", "edges",
                               "predecessor", "weight");
        else if (tree->edges[v] == 0)
            vertex = json_pack("{s:i, s:o, s:i, s:n, s:n}", "vertex", v, "distance",
                               answer_of(tree, 0), "edges", 0, "predecessor", "weight");
        else
            vertex = json_pack("{s:i, s:o, s:i, s:i, s:o}", "vertex", v, "distance",
                               answer_of(tree, distance(tree, v)), "edges", tree->edges[v],
                               "predecessor", tree->parent[v], "weight",
                               answer_of(tree, last_weight(tree, v)));
        json_array_append_new(vertices, vertex);
    }
    return json_pack("{s:i, s:o}", "from", tree->from, "vertices", vertices);
}

void path_tree_print_dot(const struct tree *tree) {
    const int32_t from = number(tree, tree->from);
    int32_t unreachable = 0;
    char limit[LIMIT_TEXT], text[NUMBER_TEXT_MAX];
    for (int32_t v = 0; v < tree->graph->n; v++)
        unreachable += tree->edges[v] < 0;
    printf("digraph \"shortest paths from %d\" {\n", from);
    printf("    label=\"shortest paths from %d%s; not reached: %d of %d vertices\";\n", from,
           limit_text(tree->limit, limit), unreachable, tree->graph->n);
    printf("    %d [label=\"%d\\n%d\", shape=doublecircle];\n", from, from, 0);
    for (int32_t v = 0; v < tree->graph->n; v++) {
        if (tree->edges[v] > 0)
            printf("    %d [label=\"%d\\n%s\"];\n", number(tree, v), number(tree, v),
                   text_of(tree, distance(tree, v), text));
    }
    for (int32_t v = 0; v < tree->graph->n; v++) {
        if (tree->edges[v] > 0)
            printf("    %d -> %d [label=\"%s\"];\n", number(tree, tree->parent[v]), number(tree, v),
                   text_of(tree, last_weight(tree, v), text));
    }
    puts("}");
}
