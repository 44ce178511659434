// SPDX-License-Identifier: MIT
/* Reading graphs: what is accepted, and what is said of what is not. */
#include "common/graph/graph_io.h"
#include "tests/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LITERAL(text) text, sizeof(text) - 1

/* One graph, 0 -> 1 of weight 5 and 1 -> 2 of weight -7, in many notations. */
static void test_accepted(void) {
    static const struct {
        const char *text;
        size_t size;
    } files[] = {
        {LITERAL("3 2\n0 1 5\n1 2 -7\n")},
        {LITERAL("3 2\n0 1 5\n1 2 -7")},
        {LITERAL("3 2\r\n0 1 5\r\n1 2 -7\r\n")},
        {LITERAL("\n\n  3\t2 \n\n 0   1\t5\n\n1 2 -7 \n\n")},
        {LITERAL("3 2\n1 2 -7\n0 1 +5\n")},
        {LITERAL("3 4\n1 2 -7\n0 1 5\n0 1 6\n2 2 0\n")},
        /* GAP */
        {LITERAL("0 1 5\n1 2 -7\n")},
        {LITERAL("1 2 -7\n\n0 1 5")},
        {LITERAL("\r\n 0 1\t5 \r\n1 2 -7\r\n2 2 3\r\n0 1 6\r\n")},
        /* DIMACS */
        {LITERAL("p sp 3 2\na 1 2 5\na 2 3 -7\n")},
        {LITERAL("c\nc a 1 2 6\n\np sp 3 2\nc---\na 1 2 5\nc the last\na 2 3 -7\nc")},
        {LITERAL(" c \r\n p\tsp 3  2\r\n  c\r\n a 1 2 5\r\na 2 3 -7")},
        /* Matrix Market */
        {LITERAL("%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 5\n2 3 -7\n")},
        {LITERAL("%%matrixmarket MATRIX Coordinate INTEGER general\n%\n% x\n\n3 3 2\n"
                 "1 2 5\n%\n2 3 -7")},
        {LITERAL("%%MatrixMarket matrix coordinate real general\r\n3 3 3\r\n"
                 "1 2 5.0000000000000000e+00\r\n2 3 -7.\r\n2 2 .0\r\n")},
        {LITERAL("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n2 3 -70E-1\n")},
        {LITERAL("\xef\xbb\xbf%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 5\n"
                 "2 3 -7\n")},
        /* SNAP */
        {LITERAL("# x\n0\t1\t5\n1\t2\t-7\n")},
        {LITERAL("#\r\n\r\n#\r\n0 1  5\r\n#\r\n1 2\t-7")},
        /* CSV */
        {LITERAL("source,target,weight\n0,1,5\n1,2,-7\n")},
        {LITERAL("\xef\xbb\xbf\"W\";x;DST id;Src_ID\r\n5.0;\"a;\"\"b\"\"\";1;\"0\"\r\n"
                 "-7;;2; 1 ")},
        {LITERAL("u\tv\tw\n0\t1\t5\n1\t2\t-7\n")},
        /* TNTP */
        {LITERAL("<NUMBER OF NODES> 3\n<number of links>\t2\n<X>\n~\n<END OF METADATA>\n"
                 "~ init term\n1 2 0 0 5 ;\n\t2\t3\t0.5\tx\t-7.0\t0.15\t4\t0\t0\t1\t;\n")},
    };
    uint32_t checksum = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct graph g;
        struct error err = {0};
        CU_ASSERT_EQUAL(graph_read(temporary_file(files[f].text, files[f].size), &g, &err),
                        STATUS_OK);
        CU_ASSERT_STRING_EQUAL(err.text, "");
        CU_ASSERT_EQUAL(g.n, 3);
        CU_ASSERT_EQUAL(g.m, 2);
        if (f == 0)
            checksum = graph_checksum(&g);
        CU_ASSERT_EQUAL(graph_checksum(&g), checksum);
        graph_free(&g);
    }
}

#define MTX "%%MatrixMarket matrix coordinate "

/* Graphs that a file gives with different options and Matrix Market's kinds of matrices. */
static void test_reading(void) {
    static const struct {
        const char *text;
        struct graph_reading how;
        int64_t edges_read, m;
        struct edge edges[4];
    } files[] = {
        {"3 2\n0 1 5\n2 1 4\n",
         {.undirected = true},
         4,
         4,
         {{0, 1, 5}, {1, 0, 5}, {1, 2, 4}, {2, 1, 4}}},
        {"3 3\n0 1 5\n1 0 4\n2 2 1\n", {.undirected = true}, 5, 2, {{0, 1, 4}, {1, 0, 4}}},
        {"1 1\n0 0 -2\n", {.undirected = true}, 1, 1, {{0, 0, -2}}},
        {"0 2 7\n", {.undirected = true}, 2, 2, {{0, 1, 7}, {1, 0, 7}}},
        {"0 2 7\n", {.keep_gaps = true}, 1, 1, {{0, 2, 7}}},
        {"p sp 2 1\na 2 1 9\n", {.undirected = true}, 2, 2, {{0, 1, 9}, {1, 0, 9}}},
        {MTX "integer symmetric\n3 3 3\n2 1 5\n3 3 1\n3 2 6\n",
         {0},
         5,
         4,
         {{0, 1, 5}, {1, 0, 5}, {1, 2, 6}, {2, 1, 6}}},
        {MTX "integer symmetric\n2 2 1\n2 1 5\n",
         {.undirected = true},
         2,
         2,
         {{0, 1, 5}, {1, 0, 5}}},
        {MTX "pattern general\n3 3 2\n2 1\n1 3\n", {0}, 2, 2, {{0, 2, 1}, {1, 0, 1}}},
        {MTX "pattern symmetric\n2 2 1\n2 1\n", {.scale = 10}, 2, 2, {{0, 1, 10}, {1, 0, 10}}},
        {MTX "real general\n2 2 2\n1 2 0.5\n2 1 -1.25e1\n",
         {.scale = 2},
         2,
         2,
         {{0, 1, 1}, {1, 0, -25}}},
        {MTX "integer general\n2 2 1\n1 2 0.5\n", {.scale = 2}, 1, 1, {{0, 1, 1}}},
        {MTX "unsigned-integer symmetric\n2 2 1\n2 1 5\n", {0}, 2, 2, {{0, 1, 5}, {1, 0, 5}}},
        {MTX "integer skew-symmetric\n3 3 2\n2 1 2147483647\n3 2 -6\n",
         {0},
         4,
         4,
         {{0, 1, -INT32_MAX}, {1, 0, INT32_MAX}, {1, 2, 6}, {2, 1, -6}}},
        {"#\n0 2\n1 0\n", {.scale = 3}, 2, 2, {{0, 2, 3}, {1, 0, 3}}},
        {"v,u\n2,0\n0,1\n",
         {.undirected = true},
         4,
         4,
         {{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {2, 0, 1}}},
        {"u,v,cost,w\n0,2,7,5\n", {.weight_column = "W"}, 1, 1, {{0, 1, 5}}},
        {"u,v,w,b\n0,2,7,1e0\n", {.weight_column = "b", .scale = 4}, 1, 1, {{0, 1, 4}}},
        {"2 2\n0 1 2.50\n1 0 3\n", {.scale = 100}, 2, 2, {{0, 1, 250}, {1, 0, 300}}},
        {"0 1 .001\n1 0 -1e-3\n", {.scale = 1000}, 2, 2, {{0, 1, 1}, {1, 0, -1}}},
        {"0 1 0.5\n", {.type = READ_INT32}, -1, 0, {{0}}},
        {"0 1 5.0\n1 0 1e3\n0 0 .0\n0 0 1\n", {0}, 4, 2, {{0, 1, 5}, {1, 0, 1000}}},
        {MTX "integer general\n2 2 1\n1 2 5.0\n", {0}, -1, 0, {{0}}},
        {"p sp 2 2\na 1 2 2147483.647\na 2 1 -2147483.648\n",
         {.scale = 1000},
         2,
         2,
         {{0, 1, INT32_MAX}, {1, 0, INT32_MIN}}},
        {"p sp 2 2\na 1 2 1e0\na 2 1 2.0\n",
         {.scale = 1, .undirected = true},
         4,
         2,
         {{0, 1, 1}, {1, 0, 1}}},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct graph g;
        struct error err = {0};
        const char *path = temporary_file(files[f].text, strlen(files[f].text));
        enum status status = graph_read_as(path, &files[f].how, &g, &err);
        CU_ASSERT_EQUAL(status == STATUS_OK, files[f].edges_read >= 0);
        if (status != STATUS_OK)
            continue;
        CU_ASSERT_EQUAL(g.edges_read, files[f].edges_read);
        CU_ASSERT_EQUAL_FATAL(g.m, files[f].m);
        for (int32_t e = 0; e < g.m; e++) {
            const struct edge edge = files[f].edges[e];
            CU_ASSERT(g.first[edge.from] <= e && e < g.first[edge.from + 1]);
            CU_ASSERT_EQUAL(g.head[e], edge.to);
            CU_ASSERT_EQUAL(g.weight[e], edge.weight);
        }
        graph_free(&g);
    }
}

/* A refused file leaves no memory in use, and a size that fits in no memory is reported. The
 * messages are in the tables of tests/e2e/test_loader.py and test_formats.py. */
static void test_refused(void) {
    static const struct {
        const char *text;
        enum status status;
        const char *message;
    } files[] = {
        {"3 2\n0 1 5\n", STATUS_BAD_INPUT, ":2: expected 2 edges"},
        {"2147483647 0\n", STATUS_NO_RESOURCE, "2147483647 vertices need"},
        {"0 1 5\n1 2 6\n2 0 7\n", STATUS_BAD_INPUT,
         ":1: expected a graph, found what may be 3 edges or a matrix of 3 rows"},
        {"p sp 2147483647 0\n", STATUS_NO_RESOURCE, "2147483647 vertices need"},
        {MTX "real general\n2147483647 2147483647 0\n", STATUS_NO_RESOURCE,
         "2147483647 vertices need"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct graph g;
        struct error err = {0};
        const char *path = temporary_file(files[f].text, strlen(files[f].text));
        CU_ASSERT_EQUAL(graph_read(path, &g, &err), files[f].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, files[f].message));
        if (strstr(err.text, files[f].message) == NULL)
            printf("\n    expected \"%s\"\n    found    \"%s\"\n", files[f].message, err.text);
        CU_ASSERT_PTR_NULL(g.first);
    }
}

/* METIS is read if the format is named. */
static void test_metis(void) {
    static const struct {
        /* message: NULL: the text is read, as 0 - 1 of weight 5 and 1 - 2 of weight 7 */
        const char *text, *message;
    } files[] = {
        {"3 2 1\n2 5\n1 5 3 7\n2 7\n", NULL},
        {"% x\n 3\t2 001 \r\n2 5\r\n%\r\n3 7 1 5\r\n2 7", NULL},
        {"3 2 111 2\n9 8 7 2 5\n9 8 7 1 5 3 7\n9 8 7 2 7\n\n%\n", NULL},
        {"3 3 1\n2 5 2 6\n1 5 1 6 3 7\n2 7\n", NULL}, /* a parallel edge */
        {"3 2 1\n2 5\n1 5 3 7\n2 8\n", ": expected one weight for the edge of vertices 2 and 3"},
        {"3 2\n2\n1\n2 1\n", ": expected every edge in the lists of both its ends"},
        {"3 2\n2\n3 1\n2 1\n", ":4: expected 2 edges, each in the lists of both its ends"},
        {"3 2\n2\n\n2\n", ":4: expected 2 edges, each in the lists of both its ends, found 2"},
        {"3 2\n2\n1 3\n", ":3: expected a line for each of 3 vertices"},
    };
    const struct graph_reading how = {.format = graph_format_find("metis")};
    CU_ASSERT_PTR_NOT_NULL_FATAL(how.format);
    CU_ASSERT_PTR_NULL(graph_format_find("METIS"));
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct graph g;
        struct error err = {0};
        const char *path = temporary_file(files[f].text, strlen(files[f].text));
        const enum status status = graph_read_as(path, &how, &g, &err);
        CU_ASSERT_EQUAL(status == STATUS_OK, files[f].message == NULL);
        if (status == STATUS_OK) {
            CU_ASSERT_EQUAL(g.n, 3);
            CU_ASSERT_EQUAL_FATAL(g.m, 4);
            CU_ASSERT(g.weight[0] == 5 && g.weight[1] == 5 && g.weight[2] == 7 && g.weight[3] == 7);
            CU_ASSERT(g.head[0] == 1 && g.head[1] == 0 && g.head[2] == 2 && g.head[3] == 1);
        } else if (files[f].message != NULL) {
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, files[f].message));
            CU_ASSERT_PTR_NULL(g.first);
        }
        graph_free(&g);
    }
}

/* With a scale, weights are decimal, and weights that do not fit are refused. */
static void test_scale_refused(void) {
    static const struct {
        int32_t scale;
        const char *text, *message;
    } files[] = {
        {10, "0 1 2.55\n", ":1: expected an integer for the weight w times 10, found '2.55'"},
        {1, "2 1\n0 1 1e-1\n", ":2: expected an integer for the weight w times 1, found '1e-1'"},
        {1000, "0 1 9007199254740.992\n",
         ":1: expected the weight w times 1000 in -9007199254740991 .. 9007199254740991, found "
         "'9007199254740.992'"},
        {1000, "0 1 9007199254741\n", ":1: expected the weight w times 1000 in"},
        {2, "2 1\n0 1 x\n", ":2: expected an edge 'u v w', found 'x' where the weight w should be"},
        {2, "2 1\n0 1.0 5\n", ":2: expected an edge 'u v w', found '1.0' where the head v"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        const struct graph_reading how = {.scale = files[f].scale};
        struct graph g;
        struct error err = {0};
        const char *path = temporary_file(files[f].text, strlen(files[f].text));
        CU_ASSERT_EQUAL(graph_read_as(path, &how, &g, &err), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, files[f].message));
        CU_ASSERT_PTR_NULL(g.first);
    }
}

/* Weights decide on the type, unless the caller does; edges of infinite weight are left out. */
static void test_real_weights(void) {
    static const struct {
        const char *text;
        struct graph_reading how;
        enum number_type type;
        int64_t edges_read;
        int32_t m;
        double weights[4];
    } files[] = {
        {"0 1 7\n1 0 0.5\n1 2 -3\n1 2 3\n", {0}, NUMBER_FLOAT64, 4, 3, {7, 0.5, -3}},
        {"p sp 2 2\na 1 2 1e-1\na 2 1 inf\n", {0}, NUMBER_FLOAT64, 2, 1, {0.1}},
        {"u,v,w\n0,1,Infinity\n1,0,-0.0\n", {0}, NUMBER_FLOAT64, 2, 1, {0}},
        {"3 2\n0 1 3000000000\n1 2 .5\n", {0}, NUMBER_FLOAT64, 2, 2, {3e9, 0.5}},
        {"0 1 5\n1 0 6\n", {.type = READ_FLOAT32}, NUMBER_FLOAT32, 2, 2, {5, 6}},
        {"0 1 16777217\n", {.type = READ_FLOAT32}, NUMBER_FLOAT32, 1, 1, {16777216}},
        {"0 1 1e300\n", {.type = READ_FLOAT64}, NUMBER_FLOAT64, 1, 1, {1e300}},
        {"0 1\n", {.type = READ_FLOAT64, .format = NULL}, NUMBER_FLOAT64, -1, 0, {0}},
        {"#\n0 1\n", {.type = READ_FLOAT64}, NUMBER_FLOAT64, 1, 1, {1}},
        {"0 1 0.25\n", {.type = READ_FLOAT64, .scale = 8}, NUMBER_FLOAT64, 1, 1, {2}},
        {"0 1 0.25\n1 1 9\n", {.undirected = true}, NUMBER_FLOAT64, 3, 2, {0.25, 0.25}},
        {MTX "real skew-symmetric\n2 2 1\n2 1 0.5\n", {0}, NUMBER_FLOAT64, 2, 2, {-0.5, 0.5}},
        /* rounding to a double first would give 1 + 2^-22 */
        {"0 1 1.00000017881393432617187499\n",
         {.type = READ_FLOAT32},
         NUMBER_FLOAT32,
         1,
         1,
         {1 + 0x1p-23}},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct graph g;
        struct error err = {0};
        const char *path = temporary_file(files[f].text, strlen(files[f].text));
        const enum status status = graph_read_as(path, &files[f].how, &g, &err);
        CU_ASSERT_EQUAL(status == STATUS_OK, files[f].edges_read >= 0);
        if (status != STATUS_OK)
            continue;
        CU_ASSERT_EQUAL(g.type, files[f].type);
        CU_ASSERT_EQUAL(g.edges_read, files[f].edges_read);
        CU_ASSERT_EQUAL_FATAL(g.m, files[f].m);
        for (int32_t e = 0; e < g.m; e++)
            CU_ASSERT_EQUAL(g.real_weight[e], files[f].weights[e]);
        graph_free(&g);
    }
}

/* Integers beyond int32 make an integral graph of float64, in every notation and with a scale,
 * unless another weight has decimals or the caller chooses a type. */
static void test_integral(void) {
    static const struct {
        const char *text;
        struct graph_reading how;
        enum number_type type;
        bool integral;
        double weight; /* weight of the first edge */
    } files[] = {
        {"0 1 2147483647\n", {0}, NUMBER_INT32, false, INT32_MAX},
        {"0 1 2147483648\n", {0}, NUMBER_FLOAT64, true, 0x1p31},
        {"0 1 -2147483648\n", {0}, NUMBER_INT32, false, INT32_MIN},
        {"0 1 -2147483649\n", {0}, NUMBER_FLOAT64, true, -0x1p31 - 1},
        {"0 1 9007199254740991\n", {0}, NUMBER_FLOAT64, true, 0x1p53 - 1},
        {"0 1 -9007199254740991\n", {0}, NUMBER_FLOAT64, true, 1 - 0x1p53},
        {"0 1 3e9\n", {0}, NUMBER_FLOAT64, true, 3e9},
        {"0 1 2.5e15\n", {0}, NUMBER_FLOAT64, true, 2.5e15},
        {"0 1 3000000000.0\n", {0}, NUMBER_FLOAT64, true, 3e9},
        {"0 1 4503599627370495.5\n", {0}, NUMBER_FLOAT64, false, 0x1p52 - 0.5},
        {"0 1 3000000000\n1 0 0.5\n", {0}, NUMBER_FLOAT64, false, 3e9},
        {"0 1 3.000001\n", {.scale = 1000000000}, NUMBER_FLOAT64, true, 3000001000.},
        {"0 1 3000000000\n", {.type = READ_FLOAT64}, NUMBER_FLOAT64, false, 3e9},
        {"0 1 5\n", {.type = READ_INT64}, NUMBER_FLOAT64, true, 5},
        {MTX "integer skew-symmetric\n2 2 1\n2 1 3000000000\n", {0}, NUMBER_FLOAT64, true, -3e9},
        {"p sp 2 1\na 1 2 5000000000\n", {0}, NUMBER_FLOAT64, true, 5e9},
        {"from,to,weight\n0,1,5000000000\n", {0}, NUMBER_FLOAT64, true, 5e9},
        {"2 1 001\n2 5000000000\n1 5000000000\n", {0}, NUMBER_FLOAT64, true, 5e9},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct graph g;
        struct error err = {0};
        const char *path = temporary_file(files[f].text, strlen(files[f].text));
        CU_ASSERT_EQUAL_FATAL(graph_read_as(path, &files[f].how, &g, &err), STATUS_OK);
        CU_ASSERT_EQUAL(g.type, files[f].type);
        CU_ASSERT_EQUAL(g.integral, files[f].integral);
        CU_ASSERT_EQUAL(graph_weight(&g, 0), files[f].weight);
        graph_free(&g);
    }
}

/* The checksum equals that of the int32 graph as long as weights fit. */
static void test_integral_checksum(void) {
    static const char text[] = "0 1 2147483647\n1 0 -7\n", long_text[] = "0 1 2147483648\n1 0 7\n";
    const struct graph_reading wide = {.type = READ_INT64}, real = {.type = READ_FLOAT64};
    struct graph g, other;
    struct error err;
    const char *path = temporary_file(text, sizeof text - 1);
    CU_ASSERT_EQUAL_FATAL(graph_read(path, &g, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(graph_widen(&g, &other, &err), STATUS_OK);
    CU_ASSERT(other.integral && other.type == NUMBER_FLOAT64);
    CU_ASSERT_EQUAL(graph_checksum(&g), graph_checksum(&other));
    graph_free(&other);
    CU_ASSERT_EQUAL_FATAL(graph_read_as(path, &wide, &other, &err), STATUS_OK);
    CU_ASSERT_EQUAL(graph_checksum(&g), graph_checksum(&other));
    graph_free(&other);
    graph_free(&g);
    path = temporary_file(long_text, sizeof long_text - 1);
    CU_ASSERT_EQUAL_FATAL(graph_read(path, &g, &err), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(graph_read_as(path, &real, &other, &err), STATUS_OK);
    CU_ASSERT_EQUAL(graph_checksum(&g), graph_checksum(&other));
    graph_free(&other);
    graph_free(&g);
}

static void test_real_refused(void) {
    static const struct {
        enum reading_type type;
        const char *text, *message;
    } files[] = {
        {READ_BY_WEIGHTS, "0 1 0.5\n1 0 nan\n",
         ":2: expected an edge 'u v w', found 'nan' where the weight w should be"},
        {READ_INT32, "0 1 3000000000\n1 0 2\n",
         ":1: expected the weight w in -2147483648 .. 2147483647, found '3000000000'; --type int64 "
         "reads larger ones"},
        {READ_BY_WEIGHTS, "0 1 3000000000\n1 0 9007199254740992\n",
         ":2: expected the weight w in -9007199254740991 .. 9007199254740991, found "
         "'9007199254740992'; --type float64 rounds larger ones"},
        {READ_BY_WEIGHTS, "0 1 1e16\n1 0 x\n", ":1: expected the weight w in -9007199254740991"},
        {READ_BY_WEIGHTS, MTX "unsigned-integer general\n2 2 1\n1 2 -5000000000\n",
         ":3: expected the weight w in 0 .. 9007199254740991, found '-5000000000'"},
        {READ_INT64, "0 1 3000000000\n1 0 0.5\n", ":2: expected an integer for the weight w"},
        {READ_INT64, "0 1 -9007199254740992\n", ":1: expected the weight w in -9007199254740991"},
        {READ_FLOAT64, "0 1 1e309\n", ":1: expected the weight w in the range of a float64"},
        {READ_FLOAT32, "0 1 3.5e38\n", ":1: expected the weight w in the range of a float32"},
        {READ_FLOAT64, "0 1 -inf\n", ":1: expected the weight w to be finite, or inf for no edge"},
        {READ_INT32, "0 1 inf\n", ":1: expected an edge 'u v w', found 'inf'"},
        {READ_BY_WEIGHTS, MTX "unsigned-integer general\n2 2 1\n1 2 0.5\n",
         ":3: expected an integer for the weight w, found '0.5'"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        const struct graph_reading how = {.type = files[f].type};
        struct graph g;
        struct error err = {0};
        const char *path = temporary_file(files[f].text, strlen(files[f].text));
        CU_ASSERT_EQUAL(graph_read_as(path, &how, &g, &err), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, files[f].message));
        if (strstr(err.text, files[f].message) == NULL)
            printf("\n    expected \"%s\"\n    found    \"%s\"\n", files[f].message, err.text);
        CU_ASSERT_PTR_NULL(g.first);
    }
}

/* Reads text through a buffer; returns the checksum of the graph, or 0 with a message. */
static uint32_t read_through(const char *text, size_t capacity, int32_t scale, struct error *err) {
    const struct graph_reading how = {.scale = scale};
    struct text_source source;
    struct graph g;
    uint32_t checksum = 0;
    *err = (struct error){0};
    CU_ASSERT_EQUAL(text_source_open_memory(&source, "memory", text, strlen(text), capacity, err),
                    STATUS_OK);
    if (graph_read_source(&source, &how, &g, err) == STATUS_OK)
        checksum = graph_checksum(&g);
    text_source_close(&source);
    graph_free(&g);
    return checksum;
}

/* Wherever the buffer ends, edges and messages about mistakes are the same, on the fast path and on
 * the slow one. */
static void test_buffers(void) {
    static const char *const texts[] = {
        "3 4\n0 1 5\n1 2 -7\n0 2 1234567\n2 0 12345678\n",
        "0 1 5\n1 2 -7\n0 2 1234567\n2 0 12345678\n0 01 0000004\n",
        "c x\np sp 3 4\na 1 2 5\nc y\na 2 3 -7\na 1 3 1234567\na 3 1 12345678\n",
        MTX "integer general\n%\n3 3 4\n1 2 5\n2 3 -7\n1 3 1234567\n3 1 12345678\n",
        MTX "pattern symmetric\n%\n3 3 4\n1 2\n2 3\n1 3\n3 1\n",
        "\xef\xbb\xbf# x\n0\t1\t5\n1\t2\t-7\n0\t2\t1234567\n# y\n2\t0\t12345678\n",
        "# x\n0\t1\n1\t2\n0 2\n2 0\n",
        "\xef\xbb\xbfu,v\n0,1\n1,2\n0,\"2\"\n2,0\n",
        "u;v;w\n0;1;5\n1;2;-7\n0;2;1234567\n2;0;12345678\n",
        "<NUMBER OF NODES> 3\n<NUMBER OF LINKS> 1\n<END OF METADATA>\n1 2 0 0 5 0 ;\n",
        "3 4\n0 1 5\n1 2 -7\n0 2 1234567\n2 3 12345678\n",
        "p sp 3 4\na 1 2 5\na 2 3 -7\na 1 3 1234567\nb 3 1 12345678\n",
        "3 4\n0 1 5\n1 2 --7\n0 2 1234567\n2 0 12345678\n",
        "p sp 3 4\na 1 2 5\na 0 3 -7\na 1 3 1\na 3 1 2\n",
        "p sp 3 4\na 1 2 5\na 2 4 -7\na 1 3 1\na 3 1 2\n",
        MTX "pattern general\n3 3 4\n1 2\n3 0\n1 3\n3 1\n",
        "# x\n0\t1\n1\t2\n0\t\n2\t0\n",
        MTX "unsigned-integer general\n3 3 2\n1 2 5\n2 3 -7\n",
        MTX "integer skew-symmetric\n3 3 2\n1 2 5\n3 3 7\n",
        "u,v,w\n0,1,5\n1,2,7\n0,2\n2,0,5\n",
    };
    /* Blank lines at the end let the fast path read the last edge. */
    static const char rest[] = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
                               "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
    enum { RIGHT = 10 }; /* number of texts without a mistake, which come first */
    static const int32_t scales[] = {0, 10};
    for (size_t t = 0; t < sizeof texts / sizeof *texts * 2; t++) {
        const int32_t scale = scales[t % 2];
        char text[512];
        struct error whole, err;
        snprintf(text, sizeof text, "%s%s", texts[t / 2], rest);
        const uint32_t checksum = read_through(text, strlen(text) + 1, scale, &whole);
        CU_ASSERT_EQUAL(whole.text[0] == '\0', t / 2 < RIGHT);
        for (size_t capacity = strlen(text); capacity >= 1; capacity--) {
            CU_ASSERT_EQUAL(read_through(text, capacity, scale, &err), checksum);
            CU_ASSERT_STRING_EQUAL(err.text, whole.text);
        }
    }
}

static void test_unreadable(void) {
    struct graph g;
    struct error err;
    CU_ASSERT_EQUAL(graph_read("/no/such/file", &g, &err), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(err.text, "cannot open /no/such/file: No such file or directory");
    CU_ASSERT_EQUAL(graph_read("/tmp", &g, &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "cannot read /tmp"));
}

static void test_gzip(void) {
    static const char text[] = "3 2\n0 1 5\n1 2 -7\n";
    const char *path = temporary_path();
    gzFile file = gzopen(path, "wb");
    struct graph g;
    struct error err;
    char bytes[256];
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    gzputs(file, text);
    gzclose(file);
    CU_ASSERT_EQUAL(graph_read(path, &g, &err), STATUS_OK);
    CU_ASSERT_EQUAL(g.m, 2);
    graph_free(&g);

    FILE *whole = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
    size_t size = fread(bytes, 1, sizeof bytes, whole);
    fclose(whole);
    /* Cut anywhere after its header of ten bytes, or damaged in its checksum, a file is refused. */
    for (size_t cut = 10; cut < size; cut++) {
        CU_ASSERT_EQUAL(graph_read(temporary_file(bytes, cut), &g, &err), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NULL(strstr(err.text, "<fd:"));
    }
    bytes[size - 5] ^= 1;
    CU_ASSERT_EQUAL(graph_read(temporary_file(bytes, size), &g, &err), STATUS_BAD_INPUT);
}

/* A graph that is larger than every buffer on the way is written and read back. */
static void test_round_trip(void) {
    enum { N = 400 };
    struct random random = {1};
    struct graph g = random_graph(&random, N, 70, WEIGHTS_NEGATIVE), read;
    struct error err;
    const char *path = temporary_path();
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "%d %lld\n", N, (long long)g.m);
    for (int32_t u = 0; u < N; u++) {
        for (int64_t e = g.first[u]; e < g.first[u + 1]; e++)
            fprintf(file, "%d %d %d\n", u, g.head[e], g.weight[e]);
    }
    fclose(file);
    CU_ASSERT_EQUAL_FATAL(graph_read(path, &read, &err), STATUS_OK);
    CU_ASSERT_EQUAL(read.m, g.m);
    CU_ASSERT_EQUAL(graph_checksum(&read), graph_checksum(&g));
    graph_free(&g);
    graph_free(&read);
}

CU_TestInfo graph_io_tests[] = {
    {"accepted, in every format", test_accepted},
    {"options and kinds of matrices", test_reading},
    {"refused, with the reason", test_refused},
    {"METIS", test_metis},
    {"refused with a scale", test_scale_refused},
    {"real weights", test_real_weights},
    {"integers beyond int32", test_integral},
    {"the checksum of integers of two types", test_integral_checksum},
    {"real weights refused", test_real_refused},
    {"buffers of every size", test_buffers},
    {"unreadable files", test_unreadable},
    {"gzip, whole, cut and damaged", test_gzip},
    {"round trip", test_round_trip},
    CU_TEST_INFO_NULL,
};
