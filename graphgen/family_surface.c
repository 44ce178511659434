// SPDX-License-Identifier: MIT
/* Triangles that cover a closed surface, as those of a scanned body do.
 *
 * The surface is an octahedron with bumps. Vertices lie on rings between two poles, four more on
 * each ring than on the one before, up to the equator; what is left is spread over all rings. Two
 * rings are joined by triangles with one edge on either ring. So a graph of n >= 3 vertices has
 * 3 n - 6 edges, by Euler's formula. */
#include "graphgen/families.h"
#include "graphgen/random.h" // random_word

/* SIDE: distance of neighbouring vertices of a surface without bumps, in units of length. BUMP:
 * most that a coordinate of a vertex is moved. */
enum { SIDE = 1000, BUMP = 400, CORNERS = 4 };

/* A closed surface of `rings` rings between the poles, which are the first and the last vertex. */
struct surface {
    const struct family_request *request;
    const struct edge_sink *sink;
    int64_t rings;  /* number of rings */
    int64_t spread; /* number of vertices beyond those of the octahedron; -1 if n is 5 */
    uint64_t key;
};

/* A ring of vertices; a pole counts as a ring of one vertex. */
struct ring {
    int64_t height;      /* number of the ring, 0 and rings + 1 are poles */
    int64_t first, size; /* number of its first vertex, and of its vertices */
};

static int64_t ring_size(const struct surface *s, int64_t ring) {
    const int64_t from_pole = ring <= s->rings / 2 ? ring : s->rings + 1 - ring;
    return CORNERS * from_pole + s->spread * ring / s->rings - s->spread * (ring - 1) / s->rings;
}

/* Returns the ring after another one. */
static struct ring ring_after(const struct surface *s, const struct ring *ring) {
    const int64_t height = ring->height + 1;
    return (struct ring){height, ring->first + ring->size,
                         height > s->rings ? 1 : ring_size(s, height)};
}

/* A place in space, in units of length. */
struct place {
    int64_t at[3];
};

/* Returns the place of vertex k of a ring. Without bumps it stands on the border of a square that
 * stands on one of its corners. */
static struct place place_of(const struct surface *s, const struct ring *ring, int64_t k) {
    const int64_t quarter = ring->size * SIDE / CORNERS, along = k * SIDE;
    const int64_t corner = quarter > 0 ? along / quarter : 0;
    const int64_t rest = along - corner * quarter, to_go = quarter - rest;
    struct place place = {{0, 0, ring->height * SIDE}};
    place.at[0] = corner == 0 ? to_go : corner == 1 ? -rest : corner == 2 ? -to_go : rest;
    place.at[1] = corner == 0 ? rest : corner == 1 ? to_go : corner == 2 ? -rest : -to_go;
    for (int d = 0; d < 3; d++) {
        const uint64_t draw = random_word(s->key, (uint64_t)(3 * (ring->first + k) + d));
        place.at[d] += (int64_t)random_below(draw, BUMP + 1);
    }
    return place;
}

static enum status put(const struct surface *s, const struct ring *a, int64_t i,
                       const struct ring *b, int64_t j, struct error *err) {
    const struct place from = place_of(s, a, i), to = place_of(s, b, j);
    uint64_t square = 0;
    for (int d = 0; d < 3; d++)
        square += (uint64_t)((from.at[d] - to.at[d]) * (from.at[d] - to.at[d]));
    return s->sink->put(s->sink->to, (int32_t)(a->first + i), (int32_t)(b->first + j),
                        length_of(square), err);
}

/* Joins the vertices of a ring with their neighbours on it. */
static enum status close_ring(const struct surface *s, const struct ring *ring, struct error *err) {
    for (int64_t k = 0; k < ring->size && ring->size > 1; k++)
        RETURN_ON_FAILURE(put(s, ring, k, ring, (k + 1) % ring->size, err));
    return STATUS_OK;
}

/* Joins two rings: goes around both, always on along that one on which the next vertex comes
 * sooner. */
static enum status join_rings(const struct surface *s, const struct ring *a, const struct ring *b,
                              struct error *err) {
    int64_t i = 0, j = 0;
    const int64_t ends_a = a->size > 1 ? a->size : 0, ends_b = b->size > 1 ? b->size : 0;
    while (i < ends_a || j < ends_b) {
        RETURN_ON_FAILURE(put(s, a, i % a->size, b, j % b->size, err));
        if (j == ends_b || (i < ends_a && (i + 1) * b->size <= (j + 1) * a->size))
            i++;
        else
            j++;
    }
    return STATUS_OK;
}

/* Every two vertices are joined: a triangle or a tetrahedron, or less. */
static enum status put_few(const struct surface *s, struct error *err) {
    const int64_t n = s->request->graph.n;
    const struct ring all = {.size = n};
    RETURN_ON_FAILURE(s->sink->begin(s->sink->to, n * (n - 1) / 2, 0, err));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = i + 1; j < n; j++)
            RETURN_ON_FAILURE(put(s, &all, i, &all, j, err));
    }
    return STATUS_OK;
}

enum status generate_surface(const struct family_request *request, const struct edge_sink *sink,
                             struct error *err) {
    enum { FEW = 4, POLES = 2 };
    const int64_t n = request->graph.n, between = n - POLES;
    struct surface s = {.request = request, .sink = sink, .key = family_key(request, 0)};
    if (n <= FEW)
        return put_few(&s, err);
    int64_t half = root_above((uint64_t)between / CORNERS + 1, 2) - 1; /* rings up to the equator */
    half = half > 1 ? half : 1;
    s.rings = 2 * half - 1;
    s.spread = between - CORNERS * half * half;
    RETURN_ON_FAILURE(sink->begin(sink->to, 3 * n - 6, 0, err));
    struct ring below = {.size = 1};
    while (below.height <= s.rings) {
        const struct ring here = ring_after(&s, &below);
        RETURN_ON_FAILURE(close_ring(&s, &here, err));
        RETURN_ON_FAILURE(join_rings(&s, &below, &here, err));
        below = here;
    }
    return STATUS_OK;
}
