// SPDX-License-Identifier: MIT
/* Lists of edges without a count of vertices: how they are read, and what is refused. */
#include "common/graph/graph_io.h"
#include "tests/unit/support.h"

#include <string.h>

/* The lines that reading a graph has noted, joined. */
static char noted[2048];

static void note(void *context, const char *line) {
    (void)context;
    const size_t used = strlen(noted);
    snprintf(noted + used, sizeof noted - used, "%s\n", line);
}

/* Writes a graph as "NAME>NAME:WEIGHT ..." in the order of its edges, with its vertices without
 * edges. */
static void describe(const struct graph *g, char *to) {
    to += sprintf(to, "%d:", g->n);
    for (int32_t u = 0; u < g->n; u++) {
        for (int64_t e = g->first[u]; e < g->first[u + 1]; e++) {
            const double weight = graph_weight(g, e);
            to += sprintf(to, " %s>%s:%g", graph_name(g, u).text, graph_name(g, g->head[e]).text,
                          weight);
        }
    }
}

struct file {
    const char *text;
    struct graph_reading how;
    const char *graph; /* expected graph; NULL: the file is refused */
    const char *said;  /* part of the notes or of the message; "": no notes; NULL: any */
};

static void check(const struct file *file) {
    char found[1024] = "refused";
    struct graph g;
    struct error err = {.text = ""};
    struct graph_reading how = file->how;
    how.on_note = note;
    noted[0] = '\0';
    const char *const path = temporary_file(file->text, strlen(file->text));
    const enum status status = graph_read_as(path, &how, &g, &err);
    if (status == STATUS_OK)
        describe(&g, found);
    else
        CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(found, file->graph != NULL ? file->graph : "refused");
    const char *const said = status == STATUS_OK ? noted : err.text;
    const bool right = file->said == NULL      ? true
                       : file->said[0] == '\0' ? said[0] == '\0'
                                               : strstr(said, file->said) != NULL;
    CU_ASSERT(right);
    if (!right || strcmp(found, file->graph != NULL ? file->graph : "refused") != 0)
        printf("\n    %s\n    gives \"%s\" and says \"%s\"\n", file->text, found, said);
    graph_free(&g);
}

#define CHECK_ALL(files)                                                                           \
    for (size_t f = 0; f < sizeof(files) / sizeof *(files); f++)                                   \
    check(&(files)[f])

/* Vertices are the names that occur. */
static void test_vertices(void) {
    static const struct file files[] = {
        {"# x\n1 2\n2 3\n3 1\n", {0}, "3: 1>2:1 2>3:1 3>1:1", ""},
        {"0 1 5\n1 2 6\n", {0}, "3: 0>1:5 1>2:6", ""},
        {"1 32\n1 22\n1 20\n",
         {0},
         "4: 1>20:1 1>22:1 1>32:1",
         "vertices are the 4 numbers that occur, of 0 .. 32"},
        {"u,v\n4294967297,21911883\n", {0}, "2: 4294967297>21911883:1", "the 2 numbers"},
        {"u,v\n-5,7\n7,-6\n", {0}, "3: -5>7:1 7>-6:1", NULL},
        {"u,v\n900000000000000000,1234567890123456789012\n",
         {0},
         "2: 900000000000000000>1234567890123456789012:1",
         "numbers and words"},
        {"007 7 1\n7 7 2\n", {0}, "2: 007>7:1", "numbers and words; all are taken as words"},
        {"A B\nB C\n", {0}, "3: A>B:1 B>C:1", ""},
        {"B A 3\nA C .5\n", {0}, "3: B>A:3 A>C:0.5", ""},
        {"1 2 3\n2 x 4\n", {0}, "3: 1>2:3 2>x:4", "because of 'x' in line 2"},
        {"x 1\n1 2\n", {0}, "3: x>1:1 1>2:1", "because of 'x' in line 1"},
        {"u,v\n1,2\n3,nan\n", {0}, NULL, ":3: expected a vertex, which is a number in the lines"},
        {"u,v\n1,2\nN/A,3\n", {0}, NULL, ":3: expected a vertex, which is a number in the lines"},
        {"u,v\n1,2\n3,NULL\n", {0}, NULL, ":3: expected a vertex, which is a number in the lines"},
        {"u,v\n1,2\n3,None\n", {0}, NULL, ":3: expected a vertex, which is a number in the lines"},
        {"u,v\n1,2\nna,3\n", {0}, NULL, ":3: expected a vertex, which is a number in the lines"},
        {"u,v\n1,2\n3,nay\n", {0}, "4: 1>2:1 3>nay:1", NULL},
        {"u,v\nNamibia,NA\n", {0}, "2: Namibia>NA:1", ""},
        {"u,v\n1,\n", {0}, NULL, ":2: expected a vertex in column 2, found nothing"},
        /* An end that occurs only in an absent edge is a vertex all the same. */
        {"u,v,w\n1,2,5\n2,3,inf\n", {0}, "3: 1>2:5", ""},
        {"u,v,w\n1,2,5\n2,3,inf\n", {.transform = WEIGHTS_ONE}, "3: 1>2:1", ""},
        {"1 32\n1 30\n", {.keep_gaps = true}, "33: 1>30:1 1>32:1", ""},
        {"1 3\n1 2\n", {.keep_gaps = true, .vertices_from = VERTICES_FROM_1}, "3: 1>2:1 1>3:1", ""},
        {"0 3\n1 2\n", {.keep_gaps = true, .vertices_from = VERTICES_FROM_1}, NULL, "--keep-gaps"},
        {"1 3 2\n0 1 inf\n",
         {.keep_gaps = true, .vertices_from = VERTICES_FROM_1, .transform = WEIGHTS_ONE},
         NULL,
         "--keep-gaps"},
        {"A B\nB C\n", {.keep_gaps = true}, NULL, "expected vertices that are numbers"},
        {"1 32\n1 30\n", {.vertices_from = VERTICES_FROM_1}, NULL, "--vertices-from: expected"},
        {"2 1\n0 1 5\n", {.keep_gaps = true}, NULL, "--keep-gaps: expected a list of edges"},
        {"3 2\n1 2 5\n3 1 6\n", {.vertices_from = VERTICES_FROM_1}, "3: 1>2:5 3>1:6", ""},
        {"p sp 2 1\na 0 1 5\n", {.vertices_from = VERTICES_FROM_0}, "2: 0>1:5", ""},
    };
    CHECK_ALL(files);
}

/* Files are read as the format that they have, or refused with advice. */
static void test_kinds(void) {
    static const struct file files[] = {
        {"0 3 0\n3 0 5\n0 5 0\n", {0}, NULL, "3 edges or a matrix of 3 rows"},
        {"0,3,0\n3,0,5\n0,5,0\n", {0}, NULL, "3 edges or a matrix of 3 rows"},
        {"0 1\n1 0\n", {0}, NULL, "2 edges or a matrix of 2 rows"},
        {"1 2\n2 1\n", {0}, "2: 1>2:1 2>1:1", ""},
        {"c d\nd e\n", {0}, "3: c>d:1 d>e:1", ""},
        {"Name Age\nBob 3\nEve 4\n", {0}, NULL, "found 2 columns of which none is known"},
        {"a p 3\np q 4\n", {0}, "3: a>p:3 p>q:4", ""},
        {"c x\nq\n", {0}, NULL, ":1: expected a graph"},
        {"0 1 2 3\n1 0 3 4\n2 3 0 1\n3 4 1 0\n", {0}, NULL, "a square matrix of 4 rows"},
        {"0 1 5 77\n1 2 6 88\n", {0}, NULL, "found 4 columns"},
        {"1 2 5 77\n", {.edge_columns = "1,2", .weight_column = "4"}, "2: 1>2:77", ""},
        {"4 4\n2 4\n1 3\n2 4\n1 3\n", {0}, NULL, "METIS's lists of neighbours"},
        {"5 1\n0 1\n", {0}, NULL, "'V E' before edges without weights"},
        {"4 3\n1 2\n2 3\n1 3\n", {0}, NULL, "'V E' before edges without weights"},
        {"3 1\n1 2\n2 3\n", {0}, "3: 1>2:1 2>3:1 3>1:1", ""},
        {"3 2\n2\n1 3\n2\n", {0}, "3: 1>2:1 2>1:1 2>3:1 3>2:1", ""},
        {"4 2\n2\n1 3\n2\n\n", {0}, "4: 1>2:1 2>1:1 2>3:1 3>2:1", ""},
        {"3 2 1\n2 5\n1 5 3 7\n2 7\n", {0}, "3: 1>2:5 2>1:5 2>3:7 3>2:7", ""},
        {"3 2 101\n9 2 5\n9 1 5 3 7\n9 2 7\n", {0}, "3: 1>2:5 2>1:5 2>3:7 3>2:7", ""},
        {"3 2 111 1\n9 8 2 5\n9 8 1 5 3 7\n9 8 2 7\n", {0}, "3: 1>2:5 2>1:5 2>3:7 3>2:7", ""},
        {"3 3\n0 1 5\n1 2\n2 0 1\n", {0}, NULL, ":3: expected an edge 'u v w'"},
        {"% sym unweighted\n% 2 3 3\n1 2\n2 3\n",
         {0},
         "3: 1>2:1 2>1:1 2>3:1 3>2:1",
         "read both ways, as '% sym' says"},
        {"% asym weighted\n1 2 4 99\n2 3 5 98\n", {0}, "3: 1>2:4 2>3:5", "a time, is left aside"},
        {"% asym weighted\n1 2 4\n", {.undirected = true}, "2: 1>2:4 2>1:4", ""},
        {"% bip\n1 1\n", {0}, NULL, "two kinds"},
        {"% any\n1 2\n", {0}, "2: 1>2:1", ""},
        {"p tw 3 2\n1 2\n2 3\n", {0}, "3: 1>2:1 2>1:1 2>3:1 3>2:1", "problem 'tw'"},
        {"c x\np edge 3 2\nn 1 5\ne 1 2\n", {0}, "3: 1>2:1 2>1:1", "1 edges were read; the line"},
        {"c x\np edge 3 1\n1 2\n", {0}, NULL, ":3: expected an edge 'e u v', found '1"},
        {"p max 2 1\na 1 2 5\n", {0}, NULL, "a maximum flow problem"},
        {"0 1 {'x': 'a, \\'b', 'weight': 3}\n1 2 {}\n", {0}, "3: 0>1:3 1>2:1", ""},
        {"a b {\"len\": 3}\nb c {'len': .5}\n", {.weight_column = "len"}, "3: a>b:3 b>c:0.5", ""},
        {"1 2 {'weight': 2}\n2 3 {'weight': 0}\n",
         {.transform = WEIGHTS_INVERSE},
         "3: 1>2:0.5",
         ""},
        {"0 1 {'weight': 3}\n1 2 5\n", {0}, NULL, ":2: expected an edge 'u v {...}', found '5'"},
        {"0 1 {'weigth': 3}\n", {0}, "2: 0>1:1", "no edge has an attribute 'weight'"},
        {"0 1 {'weigth': 3}\n", {.weight_column = "len"}, NULL, "expected an attribute 'len'"},
        {"#x\n# GMT Thu\n0 1 2\n", {0}, NULL, "format=\"adjlist\") reads it, or"},
        /* Comments at the beginning do not change the format of a file. */
        {"% x\n\n% y\n3 2\n2\n1 3\n2\n", {0}, "3: 1>2:1 2>1:1 2>3:1 3>2:1", ""},
        {"% x\n3 2 1\n2 5\n% y\n1 5 3 7\n2 7\n", {0}, "3: 1>2:5 2>1:5 2>3:7 3>2:7", ""},
        {"% x\n4 4\n2 4\n1 3\n2 4\n1 3\n", {0}, NULL, "METIS's lists of neighbours"},
        {"% x\n2 0\n\n\n", {0}, NULL, "METIS's lists of neighbours"},
        {"% x\n4 4\n2 4\n1 3\n2 4\n1 2\n4 3\n", {0}, "4: 1>2:1 1>3:1 2>4:1 4>3:1", ""},
        {"# x\n4 4\n2 4\n1 3\n2 4\n1 3\n", {0}, "4: 1>3:1 2>4:1", ""},
        {"# x\n0 3 0\n# y\n3 0 5\n0 5 0\n", {0}, NULL, "3 edges or a matrix of 3 rows"},
        {"% x\n0 3 0 1\n3 0 5 1\n0 5 0 1\n1 1 1 0\n", {0}, NULL, "a square matrix of 4 rows"},
        {"# x\n0,1,5\n# y\n1,2,7\n", {0}, "3: 0>1:5 1>2:7", ""},
        {"% x\n% y\nsource;target;cost\n% z\n0;1;5\n", {0}, "2: 0>1:5", ""},
        {"# x\nfrom to weight\n0 1 5\n", {0}, "2: 0>1:5", ""},
        {",a,b\na,0,1\nb,1,0\n", {0}, NULL, "a matrix under the names of its columns"},
        {"u;v;w\n0;1;1,5\n", {0}, NULL, "decimals have a point"},
        {"u,v,w\n0,1,NaN\n", {0}, NULL, "inf says that there is no edge"},
        {"# x\nn1,n2\nn2,n7\n", {0}, NULL, ":2: expected names of columns or an edge"},
    };
    CHECK_ALL(files);
}

/* Columns of a table are found by name, by number, and by the role of their name. */
static void test_columns(void) {
    static const struct file files[] = {
        {"node_1,node_2\n3,4\n", {0}, "2: 3>4:1", NULL},
        {"id_1,id_2\n0,1\n", {0}, "2: 0>1:1", ""},
        {"v1 v2 5\nv2 v3 6\n", {0}, "3: v1>v2:5 v2>v3:6", ""},
        {"u v 5\nv w 6\n", {0}, "3: u>v:5 v>w:6", ""},
        {"u v\nv w\n",
         {0},
         NULL,
         ":1: expected names of columns or an edge, found what may be both"},
        {"n1,n2\nn2,n7\n", {0}, NULL, "since 'n2' is a vertex: --edge-columns n1,n2 says"},
        {"n1,n2\nn2,n7\n", {.edge_columns = "n1,n2"}, "2: n2>n7:1", ""},
        {"source,target\nsource1,b\n", {0}, "2: source1>b:1", ""},
        {"start,end,length\n0,1,2.5\n", {0}, "2: 0>1:2.5", ""},
        {"d,o\n1,0\n", {0}, "2: 0>1:1", ""},
        {"start,end,i,j\n0,1,2,3\n", {0}, NULL, "found 4 columns of which none is known"},
        {"station1,station2,line,time\n1,2,9,7\n",
         {0},
         NULL,
         "--weight-column COL says which it is of: station1, station2, line, time"},
        {"station1,station2,line,time\n1,2,9,7\n",
         {.weight_column = "time"},
         "2: 1>2:7",
         "columns that are left aside: line"},
        {"station1,station2,line,time\n1,2,9,7\n",
         {.transform = WEIGHTS_ONE},
         "2: 1>2:1",
         "left aside: line, time"},
        {",source,target\n7,0,1\n", {.transform = WEIGHTS_ONE}, "2: 0>1:1", "aside: ''"},
        {"source,target,i,j\n0,1,5,6\n", {.transform = WEIGHTS_ONE}, "2: 0>1:1", "aside: i, j"},
        {"a,b,c\nx,y,3\n", {0}, NULL, "found 3 columns of which none is known"},
        {"a,b,c\nx,y,3\n", {.edge_columns = "B,a", .weight_column = "c"}, "2: y>x:3", ""},
        {"u,v,w\n1,2,3\n", {.edge_columns = "w,v"}, NULL, "expected a column 'weight', found none"},
        {"u,v,w\n1,2,3\n",
         {.edge_columns = "w,v", .transform = WEIGHTS_ONE},
         "2: 3>2:1",
         "left aside: u"},
        {"u,v,length,cost\n0,1,2,3\n",
         {.transform = WEIGHTS_ONE},
         "2: 0>1:1",
         "left aside: length, cost"},
        {"s,t,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11\n0,1,2,3,4,5,6,7,8,9,1,2,3\n",
         {.edge_columns = "s,t"},
         NULL,
         "s, t, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, ...;"},
        {"a,b,c\nx,y,3\n", {.edge_columns = "a,d"}, NULL, "expected a column 'd'"},
        {"a,b,c\nx,y,3\n",
         {.edge_columns = "1,2", .weight_column = "3"},
         "2: x>y:3",
         "line 1 is taken for the names of columns"},
        {"x,y,3\ny,z,4\n", {0}, "3: x>y:3 y>z:4", ""},
        {"0,1,3\n1,2,4\n", {0}, "3: 0>1:3 1>2:4", ""},
        {"0;1\n1;2\n2;0\n", {0}, "3: 0>1:1 1>2:1 2>0:1", ""},
        {"u|v\n\"a\"\"b\"|\" c \"\n", {0}, "2: a\"b> c :1", ""},
        {"\"from\" \"to\" \"weight\"\n\"New York\" \"Rome\" 3\n", {0}, "2: New York>Rome:3", ""},
        {"New York\tRome\t3\nRome\tOslo\t4\n", {0}, "3: New York>Rome:3 Rome>Oslo:4", ""},
        /* Gephi */
        {"Source,Target,Type,Weight\n0,1,Undirected,3\n1,2,Undirected,4\n",
         {0},
         "3: 0>1:3 1>0:3 1>2:4 2>1:4",
         "as the column 'Type' says"},
        {"Source,Target,Type,Weight\n0,1,Directed,3\n", {0}, "2: 0>1:3", ""},
        {"Source,Target,Type,Weight\n0,1,Directed,3\n1,2,Undirected,4\n",
         {0},
         NULL,
         ":3: expected edges of one type"},
        {"Source,Target,Type,Weight\n0,1,Directed,3\n1,0,Undirected,3\n",
         {.undirected = true},
         "2: 0>1:3 1>0:3",
         ""},
        {"Source,Target,Type,Weight\n0,1,road,3\n", {0}, "2: 0>1:3", "left aside: Type"},
        /* pgRouting */
        {"id,source,target,cost,reverse_cost\n1,0,1,2.5,-1\n2,1,2,0,4\n",
         {0},
         "3: 0>1:2.5 1>2:0 2>1:4",
         "as in pgRouting"},
        {"id,source,target,cost,reverse_cost\n1,0,1,2.5,-1\n2,1,2,-1,4\n",
         {0},
         "3: 0>1:2.5 2>1:4",
         "as in pgRouting"},
        {"source,target,cost,len,reverse_cost\n0,1,2,3,4\n",
         {.weight_column = "len"},
         NULL,
         "beside 'reverse_cost'"},
        {"source,target,cost,len,reverse_cost\n0,1,2,3,1\n",
         {.weight_column = "len", .undirected = true},
         "2: 0>1:3 1>0:3",
         "the column 'reverse_cost' is left aside"},
        /* OpenStreetMap */
        {"u,v,oneway,length\n0,1,maybe,3\n", {0}, NULL, "expected yes, no or -1"},
        {"u,v,key,oneway,length\n0,1,0,False,3\n1,0,0,False,3\n",
         {0},
         "2: 0>1:3 1>0:3",
         "as OSMnx's do"},
    };
    CHECK_ALL(files);
}

/* Any two of three columns without names may have the ends; the third one has the weights. */
static void test_ends_of_three(void) {
    static const char *const ends[] = {"1,2", "1,3", "2,3"}, *const back[] = {"2,1", "3,1", "3,2"},
                             *const texts[] = {"x,y,3\ny,z,4\n", "x,3,y\ny,4,z\n",
                                               "3,x,y\n4,y,z\n"};
    for (int k = 0; k < 3; k++) {
        check(&(struct file){texts[k], {.edge_columns = ends[k]}, "3: x>y:3 y>z:4", ""});
        check(&(struct file){texts[k], {.edge_columns = back[k]}, "3: y>x:3 z>y:4", ""});
    }
}

/* OpenStreetMap's words for one-way streets, and other words with the same meaning. */
static void test_oneway(void) {
    static const struct {
        const char *graph, *words[8];
    } ways[] = {{"2: 0>1:3", {"yes", "True", "1", "t", "Y", "F->T", "ft"}},
                {"2: 1>0:3", {"-1", "reverse", "TF"}},
                {"2: 0>1:3 1>0:3", {"no", "False", "0", "f", "n", "", "B"}}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        for (const char *const *word = ways[k].words; *word != NULL; word++) {
            char text[64];
            snprintf(text, sizeof text, "u,v,oneway,length\n0,1,%s,3\n", *word);
            check(&(struct file){text, {0}, ways[k].graph, "unless the column 'oneway' says"});
        }
    }
}

static void test_transforms(void) {
    static const struct file files[] = {
        {"0 1 4\n1 2 .5\n", {.transform = WEIGHTS_INVERSE}, "3: 0>1:0.25 1>2:2", ""},
        {"0 1 4\n1 2 0\n", {.transform = WEIGHTS_INVERSE}, "3: 0>1:0.25", ""},
        {"0 1 4\n1 5 0\n", {.transform = WEIGHTS_INVERSE, .keep_gaps = true}, "6: 0>1:0.25", ""},
        {"0 1 4\n", {.transform = WEIGHTS_ONE, .scale = 3}, NULL, "found --unweighted"},
        {"0 1 -4\n", {.transform = WEIGHTS_INVERSE}, NULL, "--weight-transform inverse"},
        {"0 1 inf\n", {.transform = WEIGHTS_INVERSE}, NULL, "--weight-transform inverse"},
        {"0 1 1e-309\n", {.transform = WEIGHTS_INVERSE}, NULL, "--weight-transform inverse"},
        {"0 1 4\n", {.transform = WEIGHTS_INVERSE, .scale = 2}, NULL, "--scale"},
        {"0 1 4\n", {.transform = WEIGHTS_INVERSE, .type = READ_INT32}, NULL, "--type"},
        {"0 1 -4.5\n1 2 x\n", {.transform = WEIGHTS_ONE}, NULL, ":2: expected an edge 'u v w'"},
        {"0 1 -4.5\n1 2 1e400\n", {.transform = WEIGHTS_ONE}, "3: 0>1:1 1>2:1", ""},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -3.5\n",
         {.transform = WEIGHTS_ONE},
         "2: 1>2:1 2>1:1",
         ""},
    };
    CHECK_ALL(files);
}

/* An edge whose weight says that there is none counts as read, both ways if edges are read so. */
static void test_absent(void) {
    static const struct {
        const char *text;
        bool is_symmetric;
    } files[] = {
        {"0 1 4\n1 2 %s\n0 2 5\n2 3 6\n", false},
        {"u,v,w\n0,1,4\n1,2,%s\n0,2,5\n2,3,6\n", false},
        {"%%%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n2 1 4\n3 2 %s\n3 1 5\n4 3 6\n",
         true}};
    for (size_t k = 0; k < 6 * sizeof files / sizeof *files; k++) {
        static const char *const absent[] = {
            [WEIGHTS_AS_READ] = "inf", [WEIGHTS_ONE] = "inf", [WEIGHTS_INVERSE] = "0"};
        const struct graph_reading how = {.transform = (enum weight_transform)(k % 3),
                                          .undirected = k / 3 % 2 == 1};
        const int times = how.undirected || files[k / 6].is_symmetric ? 2 : 1;
        char text[128];
        struct graph g;
        struct error err;
        snprintf(text, sizeof text, files[k / 6].text, absent[how.transform]);
        const char *const path = temporary_file(text, strlen(text));
        CU_ASSERT_EQUAL_FATAL(graph_read_as(path, &how, &g, &err), STATUS_OK);
        CU_ASSERT_EQUAL(g.edges_read, 4 * times);
        CU_ASSERT_EQUAL(g.m, 3 * times);
        graph_free(&g);
    }
}

/* Networks: a link ends with ';' or its line; numbers may have gaps; zones that a path could lead
 * through are noted. */
static void test_networks(void) {
#define HEAD(first)                                                                                \
    "<NUMBER OF NODES> 3\n<FIRST THRU NODE> " first "\n<NUMBER OF LINKS> 2\n<END OF METADATA>\n"
    static const struct file files[] = {
        {HEAD("2") "1 2 0 0 5 ;\n2 3 0 0 6\n", {0}, "3: 1>2:5 2>3:6", ""},
        {HEAD("2") "2 1 0 0 5 ;\n1 3 0 0 6\n",
         {0},
         "3: 1>3:6 2>1:5",
         "no path leads through the 1 zones (<FIRST THRU NODE> 2)"},
        {HEAD("2") "1 2 0 0 5 ;\n1 3 0 0 6\n",
         {.undirected = true},
         "3: 1>2:5 1>3:6 2>1:5 3>1:6",
         "--through-zones"},
        {HEAD("2") "2 1 0 0 5 ;\n2 3 0 0 6\n",
         {.undirected = true},
         "3: 1>2:5 2>1:5 2>3:6 3>2:6",
         "--through-zones"},
        {HEAD("1") "2 1 0 0 5 ;\n1 3 0 0 6\n", {0}, "3: 1>3:6 2>1:5", ""},
        {HEAD("1") "1 0 0 0 5 ;\n0 2 0 0 6\n",
         {.vertices_from = VERTICES_FROM_0},
         "3: 0>2:6 1>0:5",
         "through the 1 zones"},
        {HEAD("9") "2 1 0 0 5 ;\n1 3 0 0 6\n",
         {.through_zones = true},
         "3: 1>3:6 2>1:5",
         "through the 3 zones"},
        {HEAD("703") "702 701 0 0 5\n701 790 0 0 6\n",
         {0},
         "3: 701>790:6 702>701:5",
         "through the 2 zones"},
        {HEAD("702") "702 701 0 0 5\n701 790 0 0 6\n",
         {0},
         "3: 701>790:6 702>701:5",
         "through the 1 zones"},
        {HEAD("1") "701 702 0 0 5\n702 790 0 0 6 ;\n",
         {0},
         "3: 701>702:5 702>790:6",
         "not numbered 1 .. 3"},
        {HEAD("1") "701 702 0 0 4 ;\n702 790 0 0 0 ;\n",
         {.transform = WEIGHTS_INVERSE},
         "3: 701>702:0.25",
         "not numbered 1 .. 3"},
        {HEAD("1") "1 2 0 0 4 ;\n2 0 0 0 0 ;\n",
         {.transform = WEIGHTS_INVERSE},
         "3: 1>2:0.25",
         "not numbered 1 .. 3"},
        {HEAD("1") "701 702 0 0 5\n703 704 0 0 6 ;\n", {0}, NULL, "expected 3 nodes, found 4"},
        {HEAD("1") "1 2 0 0 5 ; x\n2 3 0 0 6\n", {0}, NULL, "found 'x' after it"},
        {HEAD("1") "1 2 8 9 5 ;\n2 3 7 4 6\n", {.weight_column = "4"}, "3: 1>2:9 2>3:4", ""},
        {HEAD("1") "1 2 8 9 5 ;\n2 3 7 4 6\n", {.weight_column = "Capacity"}, "3: 1>2:8 2>3:7", ""},
        {HEAD("1") "1 2 8 9 5 ;\n2 3 7 4 6\n",
         {.weight_column = "2"},
         NULL,
         "--weight-column: expected one of capacity .. link_type of a TNTP network, found '2'"},
    };
    CHECK_ALL(files);
}

CU_TestInfo list_tests[] = {
    {"vertices are what occurs", test_vertices},
    {"kinds of files", test_kinds},
    {"columns", test_columns},
    {"ends among three columns", test_ends_of_three},
    {"one-way streets", test_oneway},
    {"transformed weights", test_transforms},
    {"absent edges", test_absent},
    {"transportation networks", test_networks},
    CU_TEST_INFO_NULL,
};
