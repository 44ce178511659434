// SPDX-License-Identifier: MIT
#include "verify/paths.h"

#include "certificate/certificate.h" // certificate_tree, certificate_path_in
#include "cli/json_answer.h"         // json_answer_number
#include "common/base/memory.h"      // memory_alloc
#include "common/base/number_text.h" // number_text

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Counts the edges of every path. From each vertex it follows predecessors up to a vertex whose
 * count is known, and sets the counts on the way back, so each vertex is visited once. */
static void count_edges(struct path_tree *tree) {
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
                           const int32_t *pred, struct path_tree *tree, struct error *err) {
    const size_t n = (size_t)g->n;
    void *memory;
    *tree = (struct path_tree){.graph = g, .from = from, .dist = dist, .limit = limit};
    RETURN_ON_FAILURE(memory_alloc(&memory, 3 * n, sizeof(int32_t), "the paths", err));
    tree->parent = memory;
    tree->edges = tree->parent + n;
    tree->path = tree->edges + n;
    RETURN_ON_FAILURE(certificate_tree(g, from, dist, pred, tree->parent, err));
    count_edges(tree);
    return STATUS_OK;
}

void path_tree_free(struct path_tree *tree) {
    memory_free(tree->parent); /* edges and path are in the same allocation */
    *tree = (struct path_tree){0};
}

/* The weight of the tree's edge into v, which is reached and not the root. */
static double last_weight(const struct path_tree *tree, int32_t v) {
    const struct graph *const g = tree->graph;
    const int64_t e = graph_find_edge(g, tree->parent[v], v);
    return graph_weight(g, e);
}

static double distance(const struct path_tree *tree, int32_t v) {
    return number_at(tree->graph->type, tree->dist, v);
}

/* Returns whether `number` is the infinite length from a vertex to itself in min-max or max-min. */
static bool is_infinite(const struct path_tree *tree, double number) {
    return isinf(number) || (tree->graph->type == NUMBER_INT32 && fabs(number) >= INF);
}

/* text_of writes a length for people, answer_number for --json. */
static const char *text_of(const struct path_tree *tree, double number,
                           char text[NUMBER_TEXT_MAX]) {
    if (is_infinite(tree, number))
        return number > 0 ? "INF" : "-INF";
    return number_text(tree->graph->type, number, text);
}

static void answer_number(struct json_writer *w, const char *key, const struct path_tree *tree,
                          double number) {
    json_answer_number(w, key, graph_written_type(tree->graph),
                       is_infinite(tree, number) ? (double)INFINITY : number);
}

/* The name of a vertex in text. */
static struct vertex_name name_of(const struct path_tree *tree, int32_t v) {
    return graph_name(tree->graph, v);
}

/* Writes the name of a vertex, if vertices have names. */
static void answer_name(struct json_writer *w, const char *key, const struct path_tree *tree,
                        int32_t v) {
    if (tree->graph->naming.names != NULL)
        json_write_any_text(w, key, name_of(tree, v).text);
}

/* Stores the vertices of a path in tree->path. */
static int32_t find_path(const struct path_tree *tree, int32_t to) {
    int32_t length;
    certificate_path_in(tree->parent, tree->from, to, tree->path, &length);
    return length;
}

void path_print(const struct path_tree *tree, int32_t to) {
    const int32_t length = find_path(tree, to), *path = tree->path;
    char limit[LIMIT_TEXT], text[NUMBER_TEXT_MAX], weight[NUMBER_TEXT_MAX];
    if (length == 0) {
        printf("no path from %s to %s%s\n", name_of(tree, tree->from).text, name_of(tree, to).text,
               limit_text(tree->limit, limit));
        return;
    }
    printf("path from %s to %s, distance %s, %d edge%s:\n", name_of(tree, tree->from).text,
           name_of(tree, to).text, text_of(tree, distance(tree, to), text), length - 1,
           length == 2 ? "" : "s");
    for (int32_t k = 1; k < length; k++)
        printf("%s -> %s\tweight %s\tdistance %s\n", name_of(tree, path[k - 1]).text,
               name_of(tree, path[k]).text, text_of(tree, last_weight(tree, path[k]), weight),
               text_of(tree, distance(tree, path[k]), text));
}

void path_answer(struct json_writer *w, const struct path_tree *tree, int32_t to) {
    const int32_t length = find_path(tree, to), *path = tree->path;
    json_write_open(w, "path");
    json_write_integer(w, "from", tree->from);
    json_write_integer(w, "to", to);
    answer_name(w, "from_id", tree, tree->from);
    answer_name(w, "to_id", tree, to);
    if (length == 0) {
        json_write_null(w, "distance");
        json_write_null(w, "edges");
        json_write_close(w);
        return;
    }
    answer_number(w, "distance", tree, distance(tree, to));
    json_write_array(w, "edges");
    for (int32_t k = 1; k < length; k++) {
        json_write_open(w, NULL);
        json_write_integer(w, "from", path[k - 1]);
        json_write_integer(w, "to", path[k]);
        answer_number(w, "weight", tree, last_weight(tree, path[k]));
        answer_number(w, "distance", tree, distance(tree, path[k]));
        answer_name(w, "from_id", tree, path[k - 1]);
        answer_name(w, "to_id", tree, path[k]);
        json_write_close(w);
    }
    json_write_array_end(w);
    json_write_close(w);
}

void path_tree_print(const struct path_tree *tree) {
    char limit[LIMIT_TEXT], text[NUMBER_TEXT_MAX];
    printf("paths from %s%s:\n", name_of(tree, tree->from).text, limit_text(tree->limit, limit));
    for (int32_t v = 0; v < tree->graph->n; v++) {
        const int32_t length = find_path(tree, v);
        if (length == 0) {
            printf("%s\tno path\n", name_of(tree, v).text);
            continue;
        }
        printf("%s\tdistance %s\t", name_of(tree, v).text, text_of(tree, distance(tree, v), text));
        for (int32_t k = 0; k < length; k++)
            printf("%s%s", k == 0 ? "" : " -> ", name_of(tree, tree->path[k]).text);
        putchar('\n');
    }
}

void path_tree_answer(struct json_writer *w, const struct path_tree *tree) {
    json_write_open(w, "from");
    json_write_integer(w, "from", tree->from);
    answer_name(w, "from_id", tree, tree->from);
    json_write_array(w, "vertices");
    for (int32_t v = 0; v < tree->graph->n; v++) {
        const int32_t edges = tree->edges[v];
        json_write_open(w, NULL);
        json_write_integer(w, "vertex", v);
        if (edges < 0)
            json_write_null(w, "distance");
        else
            answer_number(w, "distance", tree, distance(tree, v));
        json_answer_integer_if(w, "edges", edges >= 0, edges);
        json_answer_integer_if(w, "predecessor", edges > 0, tree->parent[v]);
        if (edges > 0)
            answer_number(w, "weight", tree, last_weight(tree, v));
        else
            json_write_null(w, "weight");
        answer_name(w, "id", tree, v);
        json_write_close(w);
    }
    json_write_array_end(w);
    json_write_close(w);
}

/* The name of a vertex inside the quotes of a DOT string. */
static struct dot_name {
    char text[2 * VERTEX_NAME_SIZE];
} dot_name(const struct path_tree *tree, int32_t v) {
    const struct vertex_name name = name_of(tree, v);
    struct dot_name quoted;
    char *to = quoted.text;
    for (const char *c = name.text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            *to++ = '\\';
        *to++ = *c;
    }
    *to = '\0';
    return quoted;
}

/* The number of a vertex in DOT: its number in the graph's file, or counted from 0 if it has a
 * name. */
static int32_t dot_node(const struct path_tree *tree, int32_t v) {
    return tree->graph->naming.names != NULL ? v : v + tree->graph->naming.first;
}

void path_tree_print_dot(const struct path_tree *tree) {
    const struct dot_name from = dot_name(tree, tree->from);
    int32_t unreachable = 0;
    char limit[LIMIT_TEXT], text[NUMBER_TEXT_MAX];
    for (int32_t v = 0; v < tree->graph->n; v++)
        unreachable += tree->edges[v] < 0;
    printf("digraph \"shortest paths from %s\" {\n", from.text);
    printf("    label=\"shortest paths from %s%s; not reached: %d of %d vertices\";\n", from.text,
           limit_text(tree->limit, limit), unreachable, tree->graph->n);
    printf("    %d [label=\"%s\\n%s\", shape=doublecircle];\n", dot_node(tree, tree->from),
           from.text, text_of(tree, distance(tree, tree->from), text));
    for (int32_t v = 0; v < tree->graph->n; v++) {
        if (tree->edges[v] > 0)
            printf("    %d [label=\"%s\\n%s\"];\n", dot_node(tree, v), dot_name(tree, v).text,
                   text_of(tree, distance(tree, v), text));
    }
    for (int32_t v = 0; v < tree->graph->n; v++) {
        if (tree->edges[v] > 0)
            printf("    %d -> %d [label=\"%s\"];\n", dot_node(tree, tree->parent[v]),
                   dot_node(tree, v), text_of(tree, last_weight(tree, v), text));
    }
    puts("}");
}
