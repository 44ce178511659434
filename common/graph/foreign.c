// SPDX-License-Identifier: MIT
#include "common/graph/foreign.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Where the mark of a kind is. */
enum place {
    BYTES,  /* at an offset, byte by byte */
    ROOT,   /* the name of the root element of an XML document; "": any */
    TEXT,   /* first in the text behind comments: small letters, one blank for several */
    LAYOUT, /* a function tells */
    FILES,  /* the name of a file in a zip archive, or its end */
};

/* The beginning of a text, without comments. */
struct text_head {
    char folded[FOREIGN_BYTES + 1]; /* in small letters, one blank for several and for line ends */
    struct text_line first;         /* the first line, as it is */
};

struct foreign {
    enum place place;
    const char *mark;
    size_t length, offset; /* of BYTES */
    const char *within;    /* of TEXT: what follows somewhere; NULL: nothing */
    bool (*matches)(const struct text_head *head); /* of LAYOUT */
    const char *what, *advice;
};

#define AT(offset, mark) .place = BYTES, (mark), sizeof(mark) - 1, (offset)
#define READ                                                                                       \
    "'python3 -m apsp convert FILE graph.csv' makes one of it, and apsp.read(\"FILE\") reads it "  \
    "in "                                                                                          \
    "Python"
#define GEOPANDAS                                                                                  \
    "in Python, apsp.measures(momepy.gdf_to_nx(geopandas.read_file(\"FILE\")), "                   \
    "weight=\"mm_len\") "                                                                          \
    "takes it"

/* The vertices of a Wavefront model come first, "v 0.5 1 -2", perhaps behind names. */
static bool has_points(const struct text_head *head) {
    struct text_line line = head->first;
    double number;
    if (line.end - line.begin < 2 || memcmp(line.begin, "v ", 2) != 0)
        return false;
    line.begin += 2;
    for (int k = 0; k < 3; k++) {
        if (text_take_real(&line, NUMBER_FLOAT64, &number) != TEXT_REAL)
            return false;
    }
    return true;
}

/* The first that matches counts. */
static const struct foreign kinds[] = {
    {AT(0, "\x93NUMPY"), .what = "a NumPy array (.npy)", .advice = READ},
    {AT(0, "MATLAB 5.0 MAT-file"), .what = "a MATLAB file", .advice = READ},
    {AT(0, "MATLAB 7.3 MAT-file"), .what = "a MATLAB 7.3 file, which is HDF5",
     .advice =
         "in Python, apsp.shortest_path(h5py.File(\"FILE\")[NAME][:].T) takes a matrix of it"},
    {AT(0, "\x89HDF\r\n\x1a\n"), .what = "an HDF5 file",
     .advice = "in Python, apsp.shortest_path(h5py.File(\"FILE\")[NAME][:]) takes a matrix of it"},
    {AT(4, "\n\tOSMHeader"), .what = "OpenStreetMap's PBF",
     .advice =
         "'osmium cat FILE -o roads.osm' makes XML of it, which apsp.read(\"roads.osm\") reads "
         "in Python by osmnx"},
    {AT(0, "SQLite format 3"), .what = "an SQLite database, perhaps a GeoPackage",
     .advice = "\"sqlite3 -csv -header FILE 'SELECT source, target, weight FROM TABLE' | apsp -\" "
               "reads a table of edges"},
    {AT(0, "\x00\x00\x27\x0a"), .what = "a shapefile", .advice = GEOPANDAS},
    {AT(0, "PAR1"), .what = "a Parquet file",
     .advice =
         "in Python, pandas.read_parquet(\"FILE\").to_csv(\"graph.csv\", index=False) makes a "
         "table of edges of it"},
    {AT(0, "ARROW1"), .what = "an Arrow or Feather file",
     .advice =
         "in Python, pandas.read_feather(\"FILE\").to_csv(\"graph.csv\", index=False) makes a "
         "table of edges of it"},
    {AT(0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), .what = "a file of Excel or another Office program",
     .advice = "save the sheet with the edges as CSV"},
    {AT(0, "\x80\x02"), .what = "a pickle of Python",
     .advice = "in Python, apsp.shortest_path(pickle.load(open(\"FILE\", \"rb\"))) takes a graph"},
    {AT(0, "\x80\x03"), .what = "a pickle of Python",
     .advice = "in Python, apsp.shortest_path(pickle.load(open(\"FILE\", \"rb\"))) takes a graph"},
    {AT(0, "\x80\x04"), .what = "a pickle of Python",
     .advice = "in Python, apsp.shortest_path(pickle.load(open(\"FILE\", \"rb\"))) takes a graph"},
    {AT(0, "\x80\x05"), .what = "a pickle of Python",
     .advice = "in Python, apsp.shortest_path(pickle.load(open(\"FILE\", \"rb\"))) takes a graph"},
    {AT(0, "RDX"), .what = "data of R",
     .advice =
         "in R, write.csv(igraph::as_data_frame(G), \"graph.csv\", row.names = FALSE) writes a "
         "table of edges"},
    {AT(0, "X\n\0\0\0"), .what = "data of R",
     .advice =
         "in R, write.csv(igraph::as_data_frame(readRDS(\"FILE\")), \"graph.csv\", row.names = "
         "FALSE) writes a table of edges"},
    {AT(257, "ustar"), .what = "a tar archive",
     .advice = "'tar -xOf ARCHIVE FILE | apsp -' reads one file of it"},
    {AT(0, "\x1f\x8b"), .what = "a file that was compressed twice",
     .advice = "'gzip -dc FILE | apsp -' reads it"},
    {AT(0, "\xfd"
           "7zXZ"),
     .what = "a file that was compressed twice", .advice = "decompress it once"},
    {AT(0, "PK\3\4"), .what = "a zip archive in a compressed file", .advice = "decompress it once"},
    {AT(0, "7z\xbc\xaf\x27\x1c"), .what = "a 7z archive",
     .advice = "'7z x -so ARCHIVE FILE | apsp -' reads one file of it"},
    {AT(0, "Rar!\x1a\x07"), .what = "a RAR archive", .advice = "unpack it first"},
    {AT(0, "\xff\xfe"), .what = "text in UTF-16",
     .advice = "'iconv -f UTF-16 -t UTF-8 FILE | apsp -' reads it"},
    {AT(0, "\xfe\xff"), .what = "text in UTF-16",
     .advice = "'iconv -f UTF-16 -t UTF-8 FILE | apsp -' reads it"},
    {AT(0, "\x89PNG"), .what = "a picture (PNG)", .advice = "name the file with its edges"},
    {AT(0, "\xff\xd8\xff"), .what = "a picture (JPEG)", .advice = "name the file with its edges"},
    {AT(0, "%PDF-"), .what = "a PDF document", .advice = "name the file with its edges"},
    {AT(0, "\x7f"
           "ELF"),
     .what = "a program", .advice = "name the file with its edges"},
    {AT(0, "version https://git-lfs"), .what = "a pointer of Git LFS in place of the file",
     .advice = "'git lfs pull' fetches the file"},
    {AT(0, ">>graph6<<"), .what = "graph6",
     .advice = "in Python, apsp.shortest_path(networkx.read_graph6(\"FILE\")) takes it"},
    {AT(0, ">>sparse6<<"), .what = "sparse6",
     .advice = "in Python, apsp.shortest_path(networkx.read_sparse6(\"FILE\")) takes it"},
    {AT(0, "APSPX\r\n\x1a"), .what = "a distance index of these programs",
     .advice = "query reads it"},
    {.place = ROOT, "graphml", .what = "GraphML", .advice = READ},
    {.place = ROOT, "gexf", .what = "GEXF", .advice = READ},
    {.place = ROOT, "osm", .what = "OpenStreetMap's XML", .advice = READ},
    {.place = ROOT,
     "html",
     .what = "a page of HTML, perhaps in place of a download",
     .advice = "fetch the file itself"},
    {.place = ROOT, "", .what = "XML", .advice = "write its edges as CSV: source,target,weight"},
    {.place = TEXT,
     "%%matrixmarket matrix array",
     .what = "a dense matrix of Matrix Market",
     .advice = READ},
    {.place = TEXT, "*vertices", .what = "a network of Pajek", .advice = READ},
    {.place = TEXT, "*network", .what = "a network of Pajek", .advice = READ},
    {.place = TEXT, "graph [", .what = "GML", .advice = READ},
    {.place = TEXT, "creator", .within = "graph [", .what = "GML", .advice = READ},
    {.place = TEXT, "version ", .within = "graph [", .what = "GML", .advice = READ},
    {.place = TEXT, "comment ", .within = "graph [", .what = "GML", .advice = READ},
    {.place = TEXT,
     "strict ",
     .within = "{",
     .what = "a graph of Graphviz (DOT)",
     .advice = "in Python, apsp.shortest_path(networkx.nx_pydot.read_dot(\"FILE\")) takes it"},
    {.place = TEXT,
     "digraph",
     .within = "{",
     .what = "a graph of Graphviz (DOT)",
     .advice = "in Python, apsp.shortest_path(networkx.nx_pydot.read_dot(\"FILE\")) takes it"},
    {.place = TEXT,
     "graph",
     .within = "{",
     .what = "a graph of Graphviz (DOT)",
     .advice = "in Python, apsp.shortest_path(networkx.nx_pydot.read_dot(\"FILE\")) takes it"},
    {.place = TEXT, "function mpc", .what = "a case of MATPOWER", .advice = READ},
    {.place = TEXT, "[title]", .what = "a network of EPANET", .advice = READ},
    {.place = TEXT, "[junctions]", .what = "a network of EPANET", .advice = READ},
    {.place = TEXT,
     "name",
     .within = "dimension",
     .what = "an instance of TSPLIB",
     .advice = "its points have edges to all others; in Python, sklearn.neighbors.kneighbors_graph "
               "gives each its nearest ones"},
    {.place = TEXT,
     "dl ",
     .within = "data:",
     .what = "a network of UCINET (DL)",
     .advice = "write its edges as CSV: source,target,weight"},
    {.place = TEXT, "off ", .what = "a mesh (OFF)", .advice = READ},
    {.place = TEXT, "mtllib ", .what = "a mesh (Wavefront OBJ)", .advice = READ},
    {.place = TEXT, "o ", .within = " v ", .what = "a mesh (Wavefront OBJ)", .advice = READ},
    {.place = TEXT, "g ", .within = " v ", .what = "a mesh (Wavefront OBJ)", .advice = READ},
    {.place = LAYOUT, .matches = has_points, .what = "a mesh (Wavefront OBJ)", .advice = READ},
    {.place = TEXT,
     "ply ",
     .within = "element vertex",
     .what = "a mesh (PLY)",
     .advice =
         "'meshio convert FILE mesh.off' makes one of it that apsp.read(\"mesh.off\") reads in "
         "Python"},
    {.place = TEXT,
     "solid ",
     .within = "facet",
     .what = "a mesh (STL)",
     .advice =
         "'meshio convert FILE mesh.off' makes one of it that apsp.read(\"mesh.off\") reads in "
         "Python"},
    {.place = TEXT, "{", .within = "featurecollection", .what = "GeoJSON", .advice = GEOPANDAS},
    {.place = TEXT, "{", .within = "\"", .what = "JSON", .advice = READ},
    {.place = TEXT,
     "[ {",
     .what = "JSON",
     .advice = "in Python, pandas.read_json(\"FILE\").to_csv(\"graph.csv\", index=False) makes a "
               "table of edges of it"},
    {.place = TEXT,
     "[{",
     .what = "JSON",
     .advice = "in Python, pandas.read_json(\"FILE\").to_csv(\"graph.csv\", index=False) makes a "
               "table of edges of it"},
    {.place = TEXT,
     "|v| =",
     .what = "a result of these programs",
     .advice = "verify reads it, beside the graph"},
    {.place = FILES,
     "stop_times.txt",
     .what = "a feed of public transport (GTFS)",
     .advice = "docs/files.md makes a graph of its stop_times.txt in ten lines of Python"},
    {.place = FILES,
     "xl/workbook.xml",
     .what = "a workbook of Excel",
     .advice = "save the sheet with the edges as CSV"},
    {.place = FILES, "indptr.npy", .what = "a sparse matrix of SciPy (.npz)", .advice = READ},
    {.place = FILES, ".npy", .what = "arrays of NumPy (.npz)", .advice = READ},
    {.place = FILES, ".shp", .what = "a shapefile", .advice = GEOPANDAS},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool has_bytes(struct text_line bytes, const struct foreign *kind) {
    const size_t size = (size_t)(bytes.end - bytes.begin);
    return size >= kind->offset && size - kind->offset >= kind->length &&
           memcmp(bytes.begin + kind->offset, kind->mark, kind->length) == 0;
}

static void skip_space(struct text_line *rest) {
    while (rest->begin < rest->end && isspace((unsigned char)*rest->begin))
        rest->begin++;
}

static bool begins(struct text_line rest, const char *mark) {
    const size_t length = strlen(mark);
    return (size_t)(rest.end - rest.begin) >= length && memcmp(rest.begin, mark, length) == 0;
}

/* Skips up to the end of `mark`; to the end if it is not there. */
static void skip_past(struct text_line *rest, const char *mark) {
    const char *const found =
        memmem(rest->begin, (size_t)(rest->end - rest->begin), mark, strlen(mark));
    rest->begin = found != NULL ? found + strlen(mark) : rest->end;
}

/* Finds the name of the root element of an XML document, without its namespace; false if it is no
 * such document, or if the root is farther away. */
static bool find_root(struct text_line rest, struct text_line *name) {
    for (;;) {
        skip_space(&rest);
        if (!begins(rest, "<"))
            return false;
        if (begins(rest, "<?"))
            skip_past(&rest, "?>");
        else if (begins(rest, "<!--"))
            skip_past(&rest, "-->");
        else if (begins(rest, "<!"))
            skip_past(&rest, ">");
        else
            break;
    }
    name->begin = name->end = rest.begin + 1;
    while (name->end < rest.end && (isalnum((unsigned char)*name->end) || *name->end == '_' ||
                                    *name->end == '-' || *name->end == ':')) {
        if (*name->end++ == ':')
            name->begin = name->end;
    }
    /* A tag of a TNTP network has blanks in its name. */
    struct text_line behind = {name->end, rest.end};
    skip_past(&behind, ">");
    return name->end > name->begin && behind.begin[-1] == '>' &&
           (*name->end == '>' || memchr(name->end, '=', (size_t)(behind.begin - name->end)));
}

static bool is_root(struct text_line name, const char *mark) {
    const size_t length = strlen(mark);
    return length == 0 || ((size_t)(name.end - name.begin) == length &&
                           strncasecmp(name.begin, mark, length) == 0);
}

/* Skips lines that are comments, except Matrix Market's banner. */
static void skip_comments(struct text_line *rest) {
    for (;;) {
        skip_space(rest);
        if (!(begins(*rest, "#") || begins(*rest, "%")) || begins(*rest, "%%MatrixMarket"))
            return;
        skip_past(rest, "\n");
    }
}

static void take_head(struct text_line rest, struct text_head *head) {
    char *to = head->folded;
    skip_comments(&rest);
    const char *const feed = memchr(rest.begin, '\n', (size_t)(rest.end - rest.begin));
    head->first = (struct text_line){rest.begin, feed != NULL ? feed : rest.end};
    for (; rest.begin < rest.end; rest.begin++) {
        const unsigned char c = (unsigned char)*rest.begin;
        if (!isspace(c) && c != '\0')
            *to++ = (char)tolower(c);
        else if (to > head->folded && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
}

static bool has_text(const struct text_head *head, const struct foreign *kind) {
    const size_t length = strlen(kind->mark);
    return strncmp(head->folded, kind->mark, length) == 0 &&
           (kind->within == NULL || strstr(head->folded + length, kind->within) != NULL);
}

const struct foreign *foreign_find(struct text_line beginning) {
    struct text_head head;
    struct text_line root;
    for (size_t k = 0; k < KINDS; k++) {
        if (kinds[k].place == BYTES && has_bytes(beginning, &kinds[k]))
            return &kinds[k];
    }
    if (begins(beginning, "\xef\xbb\xbf"))
        beginning.begin += 3;
    const bool is_xml = find_root(beginning, &root);
    take_head(beginning, &head);
    for (size_t k = 0; k < KINDS; k++) {
        const struct foreign *const kind = &kinds[k];
        if ((kind->place == ROOT && is_xml && is_root(root, kind->mark)) ||
            (kind->place == TEXT && has_text(&head, kind)) ||
            (kind->place == LAYOUT && kind->matches(&head)))
            return kind;
    }
    return NULL;
}

const struct foreign *foreign_find_archive(const char *members) {
    for (size_t k = 0; k < KINDS; k++) {
        if (kinds[k].place != FILES)
            continue;
        const size_t length = strlen(kinds[k].mark);
        for (const char *at = members; (at = strstr(at, kinds[k].mark)) != NULL; at += length) {
            if (at[length] == '\0' || at[length] == ',' || at[length] == ' ')
                return &kinds[k];
        }
    }
    return NULL;
}

bool foreign_is_certain(const struct foreign *kind) {
    return kind->place == BYTES || kind->place == FILES;
}

enum status foreign_refuse(const struct foreign *kind, const char *name, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "%s: expected a graph, found %s; %s", name, kind->what,
                kind->advice);
}
