// SPDX-License-Identifier: MIT
#include "common/graph/foreign.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Kinds of marks, by their place in a file. */
enum mark_place {
    BYTES,  /* bytes at an offset */
    ROOT,   /* name of the root element of an XML document; "": any */
    TEXT,   /* first text after comments: in lower case, each run of blanks replaced by one */
    LAYOUT, /* a function recognizes the kind */
    FILES,  /* the name of a file in a zip archive, or its end */
};

struct foreign {
    enum mark_place place;
    const char *mark;
    size_t length, offset; /* length and offset of BYTES */
    /* for TEXT, a text that must follow somewhere; NULL: none */
    const char *within;
    bool (*matches)(const char *folded); /* for LAYOUT, the function */
    const char *format; /* name of the format for apsp.read of the Python package; NULL: it does not
                           read the kind */
    const char *what, *advice;
};

#define AT(offset, mark) .place = BYTES, (mark), sizeof(mark) - 1, (offset)
#define READ(name)                                                                                 \
    .format = (name), .advice = "'python3 -m apsp convert FILE graph.csv' makes one of it, and "   \
                                "apsp.read(\"FILE\") reads it in Python"
#define GEOPANDAS                                                                                  \
    "in Python, apsp.measures(momepy.gdf_to_nx(geopandas.read_file(\"FILE\")), "                   \
    "weight=\"mm_len\") "                                                                          \
    "takes it"

/* Skips a word and the blank behind it; returns false if another word is there. */
static bool skip_word(const char **at, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || ((*at)[length] != ' ' && (*at)[length] != '\0'))
        return false;
    *at += length + ((*at)[length] == ' ');
    return true;
}

/* Skips `count` decimal numbers; returns false if there are fewer. */
static bool skip_numbers(const char **at, int count) {
    struct text_line rest = {*at, *at + strlen(*at)};
    double number;
    for (int k = 0; k < count; k++) {
        if (text_take_real(&rest, NUMBER_FLOAT64, &number) != TEXT_REAL)
            return false;
    }
    *at = rest.begin;
    return true;
}

/* Skips the name of an object, a group or materials of a Wavefront model. */
static bool skip_name(const char **at) {
    static const char *const keywords[] = {"mtllib", "usemtl", "o", "g", "s"};
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++) {
        if (!skip_word(at, keywords[k]))
            continue;
        *at += strcspn(*at, " ");
        *at += **at == ' ';
        return true;
    }
    return false;
}

/* Returns whether a text begins a Wavefront model: with a vertex, "v 0.5 1 -2", perhaps after
 * names. */
static bool is_obj(const char *at) {
    while (skip_name(&at))
        continue;
    return skip_word(&at, "v") && skip_numbers(&at, 3);
}

/* Returns whether a text begins with OFF and the numbers of vertices, faces and edges, or with a
 * comment before them. */
static bool is_off(const char *at) {
    return (skip_word(&at, "off") || skip_word(&at, "coff") || skip_word(&at, "noff") ||
            skip_word(&at, "cnoff")) &&
           (*at == '#' || skip_numbers(&at, 3));
}

/* Returns whether a text begins a graph of Graphviz, "strict digraph NAME {". */
static bool is_dot(const char *at) {
    (void)skip_word(&at, "strict");
    if (!skip_word(&at, "graph") && !skip_word(&at, "digraph"))
        return strncmp(at, "graph{", 6) == 0 || strncmp(at, "digraph{", 8) == 0;
    const char *const brace = strchr(at, '{');
    const char *const blank = strchr(at, ' ');
    return brace != NULL && (brace == at || blank == NULL || brace <= blank + 1);
}

/* All kinds; the first one that matches counts. */
static const struct foreign kinds[] = {
    {AT(0, "\x93NUMPY"), .what = "a NumPy array (.npy)", READ("npy")},
    {AT(0, "MATLAB 5.0 MAT-file"), .what = "a MATLAB file", READ("mat")},
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
    {.place = ROOT, "graphml", .what = "GraphML", READ("graphml")},
    {.place = ROOT, "gexf", .what = "GEXF", READ("gexf")},
    {.place = ROOT, "osm", .what = "OpenStreetMap's XML", READ("osm")},
    {.place = ROOT,
     "html",
     .what = "a page of HTML, perhaps in place of a download",
     .advice = "fetch the file itself"},
    {.place = ROOT, "", .what = "XML", .advice = "write its edges as CSV: source,target,weight"},
    {.place = TEXT,
     "%%matrixmarket matrix array",
     .what = "a dense matrix of Matrix Market",
     READ("array")},
    {.place = TEXT, "*vertices", .what = "a network of Pajek", READ("pajek")},
    {.place = TEXT, "*network", .what = "a network of Pajek", READ("pajek")},
    {.place = TEXT, "graph [", .what = "GML", READ("gml")},
    {.place = TEXT, "creator", .within = "graph [", .what = "GML", READ("gml")},
    {.place = TEXT, "version ", .within = "graph [", .what = "GML", READ("gml")},
    {.place = TEXT, "comment ", .within = "graph [", .what = "GML", READ("gml")},
    {.place = TEXT,
     "strict ",
     .within = "{",
     .what = "a graph of Graphviz (DOT)",
     .advice = "in Python, apsp.shortest_path(networkx.nx_pydot.read_dot(\"FILE\")) takes it"},
    {.place = LAYOUT,
     .matches = is_dot,
     .what = "a graph of Graphviz (DOT)",
     .advice = "in Python, apsp.shortest_path(networkx.nx_pydot.read_dot(\"FILE\")) takes it"},
    {.place = TEXT, "function mpc", .what = "a case of MATPOWER", READ("matpower")},
    {.place = TEXT, "[title]", .what = "a network of EPANET", READ("epanet")},
    {.place = TEXT, "[junctions]", .what = "a network of EPANET", READ("epanet")},
    {.place = TEXT,
     "name :",
     .within = "dimension",
     .what = "an instance of TSPLIB",
     .advice = "its points have edges to all others; in Python, sklearn.neighbors.kneighbors_graph "
               "gives each its nearest ones"},
    {.place = TEXT,
     "name:",
     .within = "dimension",
     .what = "an instance of TSPLIB",
     .advice = "its points have edges to all others; in Python, sklearn.neighbors.kneighbors_graph "
               "gives each its nearest ones"},
    {.place = TEXT,
     "dl ",
     .within = "data:",
     .what = "a network of UCINET (DL)",
     .advice = "write its edges as CSV: source,target,weight"},
    {.place = LAYOUT, .matches = is_off, .what = "a mesh (OFF)", READ("off")},
    {.place = LAYOUT, .matches = is_obj, .what = "a mesh (Wavefront OBJ)", READ("obj")},
    {.place = TEXT,
     "ply ",
     .within = "element vertex",
     .what = "a mesh (PLY)",
     .advice =
         "'meshio convert FILE mesh.off' makes one of it that apsp.read(\"mesh.off\") reads in "
         "Python"},
    {.place = TEXT,
     "solid ",
     .within = "facet normal",
     .what = "a mesh (STL)",
     .advice =
         "'meshio convert FILE mesh.off' makes one of it that apsp.read(\"mesh.off\") reads in "
         "Python"},
    {.place = TEXT, "{", .within = "featurecollection", .what = "GeoJSON", .advice = GEOPANDAS},
    {.place = TEXT, "{", .within = "\"", .what = "JSON", READ("json")},
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
    {.place = FILES, "stop_times.txt", .what = "a feed of public transport (GTFS)", READ("gtfs")},
    {.place = FILES,
     "xl/workbook.xml",
     .what = "a workbook of Excel",
     .advice = "save the sheet with the edges as CSV"},
    {.place = FILES, "indptr.npy", .what = "a sparse matrix of SciPy (.npz)", READ("npz")},
    {.place = FILES, ".npy", .what = "arrays of NumPy (.npz)", READ("npz")},
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

/* Skips the text up to the end of `mark`, or all of it if the mark is not there. */
static void skip_past(struct text_line *rest, const char *mark) {
    const char *const found =
        memmem(rest->begin, (size_t)(rest->end - rest->begin), mark, strlen(mark));
    rest->begin = found != NULL ? found + strlen(mark) : rest->end;
}

/* Finds the name of the root element of an XML document, without its namespace; returns false if it
 * is no XML document, or if the root is beyond the given bytes. */
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
    /* A tag in a TNTP network contains blanks. */
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

/* Writes the text after comments to `folded`, in lower case, with one blank in place of each run of
 * blanks and line ends. `folded` has room for FOREIGN_BYTES and a zero byte. */
static void fold(struct text_line rest, char *folded) {
    char *to = folded;
    skip_comments(&rest);
    for (; rest.begin < rest.end; rest.begin++) {
        const unsigned char c = (unsigned char)*rest.begin;
        if (!isspace(c) && c != '\0')
            *to++ = (char)tolower(c);
        else if (to > folded && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
}

static bool has_text(const char *folded, const struct foreign *kind) {
    const size_t length = strlen(kind->mark);
    return strncmp(folded, kind->mark, length) == 0 &&
           (kind->within == NULL || strstr(folded + length, kind->within) != NULL);
}

const struct foreign *foreign_find(struct text_line beginning) {
    char folded[FOREIGN_BYTES + 1];
    struct text_line root;
    for (size_t k = 0; k < KINDS; k++) {
        if (kinds[k].place == BYTES && has_bytes(beginning, &kinds[k]))
            return &kinds[k];
    }
    if (begins(beginning, "\xef\xbb\xbf"))
        beginning.begin += 3;
    const bool is_xml = find_root(beginning, &root);
    fold(beginning, folded);
    for (size_t k = 0; k < KINDS; k++) {
        const struct foreign *const kind = &kinds[k];
        if ((kind->place == ROOT && is_xml && is_root(root, kind->mark)) ||
            (kind->place == TEXT && has_text(folded, kind)) ||
            (kind->place == LAYOUT && kind->matches(folded)))
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

const char *foreign_format(const struct foreign *kind) {
    return kind != NULL ? kind->format : NULL;
}

enum status foreign_refuse(const struct foreign *kind, const char *name, struct error *err) {
    return fail(err, STATUS_BAD_INPUT, "%s: expected a graph, found %s; %s", name, kind->what,
                kind->advice);
}
