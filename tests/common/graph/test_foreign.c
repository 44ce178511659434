// SPDX-License-Identifier: MIT
/* Files of other kinds are named, and no graph is taken for one: foreign.h. */
#include "common/graph/foreign.h"
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

#define BYTES(literal) (literal), sizeof(literal) - 1

static const struct foreign *kind_of(const char *bytes, size_t size) {
    /* A block of exact size, so that a sanitizer notices reads behind it. */
    char *const copy = malloc(size + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    memcpy(copy, bytes, size);
    const struct foreign *const kind = foreign_find((struct text_line){copy, copy + size});
    free(copy);
    return kind;
}

static void check_refusal(const struct foreign *kind, const char *what, const char *advice) {
    struct error err;
    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    CU_ASSERT_EQUAL(foreign_refuse(kind, "f", &err), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "f: expected a graph, found "));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, what));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, advice));
}

/* Files as the programs that write them begin them. */
static void test_kinds(void) {
    static const char convert[] = "'python3 -m apsp convert FILE graph.csv'";
    static const struct {
        const char *bytes;
        size_t size;
        const char *what, *advice;
    } files[] = {
        {BYTES("\x93NUMPY\1\0v\0{'descr': '<f8'"), "NumPy", convert},
        {BYTES("MATLAB 5.0 MAT-file Platform: posix"), "MATLAB file", convert},
        {BYTES("MATLAB 7.3 MAT-file, Platform: GLNXA64"), "HDF5", "h5py"},
        {BYTES("\x89HDF\r\n\x1a\n\0"), "HDF5", "h5py"},
        {BYTES("\0\0\0\r\n\tOSMHeader"), "PBF", "osmium cat"},
        {BYTES("SQLite format 3\0"), "GeoPackage", "sqlite3"},
        {BYTES("\0\0\x27\x0a\0\0"), "shapefile", "geopandas"},
        {BYTES("PAR1\x15"), "Parquet", "read_parquet"},
        {BYTES("\x80\4\x95"), "pickle", "pickle.load"},
        {BYTES("\xff\xfes\0o\0"), "UTF-16", "iconv"},
        {BYTES("\x89PNG\r\n"), "PNG", "edges"},
        {BYTES("\x1f\x8b\x08"), "compressed twice", "gzip -dc"},
        {BYTES("<?xml version=\"1.0\"?>\n<!-- yEd -->\n<graphml xmlns=\"http://g\">"), "GraphML",
         convert},
        {BYTES("\xef\xbb\xbf<gexf version='1.3'>"), "GEXF", convert},
        {BYTES("<?xml version='1.0'?><osm version=\"0.6\">"), "OpenStreetMap", convert},
        {BYTES("<!DOCTYPE html>\n<html lang=\"en\">"), "HTML", "fetch"},
        {BYTES("<x:gpx xmlns:x=\"g\">"), "XML", "CSV"},
        {BYTES("%%MatrixMarket matrix array real general\n2 2\n"), "dense matrix", convert},
        {BYTES("*Vertices 3\r\n1 \"a\""), "Pajek", convert},
        {BYTES("% made by hand\n*vertices 3\n"), "Pajek", convert},
        {BYTES("graph\n[\n  directed 0\n"), "GML", convert},
        {BYTES("Creator \"Mark Newman on Sat\"\ngraph\n[\n"), "GML", convert},
        {BYTES("strict digraph {\n a -> b;\n}"), "DOT", "read_dot"},
        {BYTES("%% case9\nfunction mpc = case9\n"), "MATPOWER", convert},
        {BYTES("[TITLE]\n water\n\n[JUNCTIONS]\n"), "EPANET", convert},
        {BYTES("NAME : a280\nTYPE : TSP\nDIMENSION : 280\n"), "TSPLIB", "kneighbors_graph"},
        {BYTES("OFF\n3 1 0\n0 0 0\n"), "OFF", convert},
        {BYTES("OFF # a mesh\n3 1 0\n"), "OFF", convert},
        {BYTES("graph{\n a -- b\n}"), "DOT", "read_dot"},
        {BYTES("graph G {a -- b}"), "DOT", "read_dot"},
        {BYTES("o A\ng B\nv 1 2 3\n"), "OBJ", convert},
        {BYTES("# Blender v2.8 OBJ File\nmtllib a.mtl\no A\nv 1 1 0.5\n"), "OBJ", convert},
        {BYTES("# cow\nv 1.0 2 -3e-2\nv 0 0 0\n"), "OBJ", convert},
        {BYTES("ply\nformat ascii 1.0\nelement vertex 8\n"), "PLY", "meshio"},
        {BYTES("{\"directed\": false, \"nodes\": [{\"id\": 0}]"), "JSON", convert},
        {BYTES("{ \"type\": \"FeatureCollection\",\n"), "GeoJSON", "geopandas"},
        {BYTES("[\n {\"source\": 1}]"), "JSON", "read_json"},
        {BYTES("|V| = 4, |E| = 5\n\n0\t5\n"), "result", "verify"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        check_refusal(kind_of(files[f].bytes, files[f].size), files[f].what, files[f].advice);
    char tar[512] = "data/edges.txt";
    memcpy(tar + 257, "ustar", 5);
    check_refusal(kind_of(tar, sizeof tar), "tar", "tar -xOf");
}

static void test_archives(void) {
    check_refusal(foreign_find_archive("agency.txt, stops.txt, stop_times.txt"), "GTFS", "convert");
    check_refusal(foreign_find_archive("indices.npy, indptr.npy, format.npy"), "SciPy", "convert");
    check_refusal(foreign_find_archive("[Content_Types].xml, xl/workbook.xml and 3 more"), "Excel",
                  "CSV");
    CU_ASSERT_PTR_NULL(foreign_find_archive("a.csv, b.npy.csv"));
}

/* The beginning of a graph of each format, whole or cut, has no mark of another kind. */
static void test_graphs(void) {
    static const char *const graphs[] = {
        "4 5\n0 1 5\n",
        "0 1 5\n0 2 9\n",
        "c A graph.\np sp 4 5\na 1 2 5\n",
        "%%MatrixMarket matrix coordinate integer general\n% A graph.\n4 4 5\n1 2 5\n",
        "# FromNodeId\tToNodeId\n0\t1\n",
        "source,target,weight\n0,1,5\n",
        "name;from;to;cost\na;0;1;5\n",
        "<NUMBER OF ZONES> 4\n<NUMBER OF NODES> 4\n",
        "<FIRST THRU NODE> 1\n",
        "% Undirected.\n4 5 001\n2 5 3 9\n",
        "% sym unweighted\n1 2\n",
        "v,w,name\n0,1,2\n",
        "alice bob 3\n",
        "off on\n",
        "o g\nv w\n",
        "graph paper\nx y\n",
        "name dimension\n",
        "ply cut\n",
        "solid facet\n",
        "digraph a\nb c\n",
        "*a *b\n",
        "v 1 2\n",
        "v w 3\n",
        "o g\n",
        "graph,edge\n",
        "\n\n4 5\n",
        "",
    };
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
        for (size_t size = 0; size <= strlen(graphs[g]); size++)
            CU_ASSERT_PTR_NULL(kind_of(graphs[g], size));
    }
}

/* Any bytes may follow a mark, or replace part of it. */
static void test_any_bytes(void) {
    static const char *const marks[] = {"<?xml ", "<!--", "<a:",   "<a b='",
                                        "v 1 2 ", "{",    "# \n%", "\xef\xbb\xbf<"};
    static const char others[] = "<>?-! =:ab\n\0{}'\"1.e";
    struct random random = {5};
    char bytes[64] = "";
    for (int round = 0; round < 20000; round++) {
        const char *const mark = marks[random_in(&random, 0, 7)];
        const size_t size = (size_t)random_in(&random, 0, sizeof bytes - 1);
        for (size_t b = 0; b < size; b++)
            bytes[b] =
                b < strlen(mark) ? mark[b] : others[random_in(&random, 0, sizeof others - 1)];
        (void)kind_of(bytes, size);
    }
}

CU_TestInfo foreign_tests[] = {
    {"each kind is named", test_kinds},
    {"zip archives", test_archives},
    {"no graph is of another kind", test_graphs},
    {"any bytes", test_any_bytes},
    CU_TEST_INFO_NULL,
};
