// SPDX-License-Identifier: MIT
/* Graphs that look like road networks.
 *
 * Crossings stand on a square grid inside a disc. A border cuts the square around the disc in two,
 * further borders cut the halves, down to single crossings. At least one road crosses every border,
 * so that the graph is connected. Other roads have a price: a random number times s^(1/2 - E); s is
 * the number of places in the region that the border cuts, E the cut exponent. The cheapest roads
 * are taken, as many as the mean degree wants. A border is about s^(1/2) places long, so about s^E
 * roads cross it: with E = 1/2 roads are equally dense everywhere; real networks have about 1/3
 * (Dibbelt, Strasser and Wagner, Customizable Contraction Hierarchies, 2016). At last further
 * vertices are put on the roads, and some of these get dead ends.
 *
 * With --towns, one half of a region is denser than the other: roads of dense regions are cheaper,
 * and fewer vertices stand on each. With --one-way, some roads lead one way, but none that crosses
 * a border at any price: these join all crossings both ways, so that every vertex reaches every
 * other.
 *
 * The constants were fitted to New York (experiments/suites/roads.py compares), those of --towns
 * also to Colorado. */
#include "common/base/memory.h" // memory_alloc
#include "graphgen/families.h"
#include "graphgen/random.h" // random_word

#include <string.h>

/* Directions of the roads that begin at a crossing. */
enum road_way { TO_RIGHT = 1, TO_BELOW = 2 };

/* A crossing's byte: the roads that begin there, bits of enum road_way; those of them that cross a
 * border at any price, the same bits two further up; above, how sparse the region is. */
enum { CERTAIN_SHIFT = 2, SPARSE_SHIFT = 4 };

enum use { USE_WAYS, USE_SPLITS = 16, USE_PLACES, USE_EXTRAS, USE_ONE_WAY };

/* Roads are sorted into buckets by price: one for each power of two and each value of the
 * PRICE_BITS bits after the leading one. */
enum { PRICE_BITS = 10, PRICE_BUCKETS = 64 << PRICE_BITS };

enum {
    SPLIT_JITTER = 15,   /* most that a cut is moved, in percent of a region's side */
    BLOCK = 2000,        /* distance of neighbouring places, in units of length */
    BLOCK_JITTER = 1600, /* most that crossings are moved to the right and down */
    SHORTEST_DEAD_END = 100,
    DEAD_END_RANGE = 1000,
    TOWN = 256,        /* most places of a region that has one density */
    SPARSE_FACTOR = 4, /* powers of two by which a road has more vertices on it for each power of
                          two by which its region is sparser */
    SPARSE_LEAST = -4, /* least power of two of the vertices on a road */
    SPARSE_MOST = 5,   /* largest power of two of the vertices on a road */
};

struct road {
    const struct family_request *request;
    int64_t crossings;
    int64_t rows;      /* rows of the grid */
    int64_t *left;     /* the column of each row's first crossing */
    int64_t *first;    /* number of each row's first crossing; rows + 1 entries */
    int64_t on_roads;  /* number of vertices that divide roads */
    int64_t dead_ends; /* number of dead ends, each on a vertex of its own that divides a road */
    int64_t tails;     /* number of dead ends that have a second vertex */
    uint8_t *ways;     /* byte of each crossing: the roads that begin there (CERTAIN_SHIFT) */
    int64_t *priced;   /* number of roads in each bucket; NULL once the threshold is known */
    int64_t threshold; /* all roads of lower buckets are taken */
    int64_t spare;     /* number of roads of bucket `threshold` that are still to be taken */
    int64_t chosen;    /* number of roads of the graph */
    int64_t one_way;   /* number of roads that lead one way only */
};

/* A rectangle of the grid, which is cut in two again and again. */
struct grid_region {
    int64_t left, right, top, bottom; /* columns left .. right - 1, rows top .. bottom - 1 */
    uint64_t name; /* 1 for the whole grid; 2 * name and 2 * name + 1 for the halves of a region */
    int64_t density; /* power of two of the density, with FACTOR_BITS bits after the point */
};

/* A price is at most 2^MOST_POWER, so that its product with a draw of 32 bits fits in 64 bits. */
enum { FACTOR_BITS = 16, MOST_POWER = 15 };

/* A logarithm to the base 2 with `bits` bits after the point: the mantissa stands for the
 * fraction, which is exact enough here and the same everywhere. x > 0. */
static int64_t coarse_log(uint64_t x, int bits) {
    const int high = 63 - __builtin_clzll(x);
    const uint64_t mantissa = high >= bits ? x >> (high - bits) : x << (bits - high);
    return ((int64_t)high << bits) + (int64_t)(mantissa - (UINT64_C(1) << bits));
}

/* s^(1/2 - E) / density with FACTOR_BITS bits after the point, by the same logarithm. */
static uint64_t price_factor(const struct road *road, int64_t s, int64_t density) {
    const int64_t one = INT64_C(1) << FACTOR_BITS;
    const int64_t exponent = CUT_EXPONENT_HIGHEST - road->request->cut_exponent;
    const int64_t power = exponent * coarse_log((uint64_t)s, FACTOR_BITS) / THOUSANDTHS - density;
    const int64_t whole = power >= 0 ? power / one : -((one - 1 - power) / one);
    const uint64_t mantissa = (uint64_t)(one + power - whole * one);
    if (whole < 0)
        return whole > -FACTOR_BITS ? mantissa >> -whole : 1;
    return mantissa << (whole < MOST_POWER ? whole : MOST_POWER);
}

static void consider_road(struct road *road, int64_t crossing, enum road_way way, uint64_t factor) {
    const uint64_t key = family_key(road->request, USE_WAYS + way);
    const uint64_t draw = random_word(key, (uint64_t)crossing) >> 32;
    const uint64_t price = (draw * factor >> FACTOR_BITS) + 1;
    const int64_t bucket = coarse_log(price, PRICE_BITS);
    if (road->priced != NULL) {
        road->priced[bucket]++;
    } else if (bucket < road->threshold || (bucket == road->threshold && road->spare-- > 0)) {
        road->ways[crossing] |= (uint8_t)way;
        road->chosen++;
    }
}

/* The place, 1 .. length - 1, at which a side of `length` >= 2 places is cut. */
static int64_t cut_at(int64_t length, uint64_t draw) {
    const int64_t jitter = length * SPLIT_JITTER / 100;
    const int64_t odd = jitter == 0 && length % 2 == 1;
    return length / 2 - jitter + (int64_t)random_below(draw, (uint64_t)(2 * jitter + 1 + odd));
}

/* Returns whether there is a crossing at a place of the grid. */
static bool stands(const struct road *road, int64_t column, int64_t row) {
    const int64_t place = column - road->left[row];
    return place >= 0 && place < road->first[row + 1] - road->first[row];
}

static int64_t crossing_at(const struct road *road, int64_t column, int64_t row) {
    return road->first[row] + column - road->left[row];
}

/* The border between two halves. Roads lead over it to the right or down. */
struct border {
    int64_t column, row; /* place from which the first road starts */
    int64_t length;      /* number of places along the border */
    bool upright;
    uint64_t certain; /* index of the road that is taken at any price */
    uint64_t factor;  /* factor of the prices */
};

/* Counts the roads that may cross the border; if `consider`, also decides which are taken. */
static int64_t cross_border(struct road *road, const struct border *b, bool consider) {
    const int64_t across = b->upright, along = !b->upright;
    int64_t roads = 0;
    for (int64_t place = 0; place < b->length; place++) {
        const int64_t column = b->column + along * place, row = b->row + across * place;
        if (!stands(road, column, row) || !stands(road, column + across, row + along))
            continue;
        const int64_t crossing = crossing_at(road, column, row);
        const enum road_way way = b->upright ? TO_RIGHT : TO_BELOW;
        if (consider && roads == (int64_t)b->certain)
            road->ways[crossing] |= (uint8_t)(way | way << CERTAIN_SHIFT);
        else if (consider)
            consider_road(road, crossing, way, b->factor);
        roads++;
    }
    return roads;
}

/* Makes one half of a region denser than the other. */
static void part_density(const struct road *road, uint64_t draw, struct grid_region *one,
                         struct grid_region *two) {
    const int64_t most = (road->request->towns << FACTOR_BITS) / THOUSANDTHS;
    const int64_t more = (int64_t)random_below(draw, (uint64_t)(2 * most + 1)) - most;
    one->density += more;
    two->density -= more;
}

/* Notes at the crossing of a region of one place how sparse it is there. */
static void note_density(struct road *road, const struct grid_region *region) {
    const int64_t one = INT64_C(1) << FACTOR_BITS, middle = -SPARSE_LEAST;
    if (!stands(road, region->left, region->top))
        return;
    const int64_t power = (middle * one + one / 2 - SPARSE_FACTOR * region->density) / one;
    const int64_t range = SPARSE_MOST - SPARSE_LEAST;
    const int64_t sparse = power < 0 ? 0 : power > range ? range : power;
    uint8_t *const ways = &road->ways[crossing_at(road, region->left, region->top)];
    *ways = (uint8_t)((*ways & ((1 << SPARSE_SHIFT) - 1)) | sparse << SPARSE_SHIFT);
}

/* Cuts a region, considers the roads over the border, and goes on with the halves. */
static void cut_region(struct road *road, struct grid_region region) {
    const int64_t width = region.right - region.left, height = region.bottom - region.top;
    if (width * height <= 1) {
        if (width * height == 1)
            note_density(road, &region);
        return;
    }
    const uint64_t key = family_key(road->request, USE_SPLITS);
    const uint64_t draw = random_word(key, 4 * region.name);
    struct border b = {.upright = width > height || (width == height && draw & 1),
                       .factor = price_factor(road, width * height, region.density)};
    const int64_t cut = cut_at(b.upright ? width : height, random_word(key, 4 * region.name + 1));
    struct grid_region one = region, two = region;
    one.name = 2 * region.name;
    two.name = one.name + 1;
    if (b.upright)
        one.right = two.left = region.left + cut;
    else
        one.bottom = two.top = region.top + cut;
    b.column = two.left - b.upright;
    b.row = two.top - !b.upright;
    b.length = b.upright ? height : width;
    const int64_t roads = cross_border(road, &b, false);
    if (roads > 0) {
        b.certain = random_below(random_word(key, 4 * region.name + 2), (uint64_t)roads);
        cross_border(road, &b, true);
    }
    if (width * height > TOWN)
        part_density(road, random_word(key, 4 * region.name + 3), &one, &two);
    cut_region(road, one);
    cut_region(road, two);
}

/* Finds the price up to which roads are taken, so that there are `wanted` of them beside the
 * certain ones. */
static void find_threshold(struct road *road, int64_t wanted) {
    road->threshold = 0;
    for (; road->threshold < PRICE_BUCKETS && road->priced[road->threshold] <= wanted;
         road->threshold++)
        wanted -= road->priced[road->threshold];
    road->spare = wanted;
}

static enum status choose_roads(struct road *road, int64_t wanted, struct error *err) {
    const struct grid_region all = {0, road->rows, 0, road->rows, 1, 0};
    void *block;
    RETURN_ON_FAILURE(memory_alloc(&block, PRICE_BUCKETS, sizeof(int64_t), "prices", err));
    road->priced = block;
    memset(road->priced, 0, PRICE_BUCKETS * sizeof(int64_t));
    cut_region(road, all);
    find_threshold(road, wanted > 0 ? wanted : 0);
    memory_free(road->priced);
    road->priced = NULL;
    cut_region(road, all);
    road->chosen += road->crossings - 1;
    return STATUS_OK;
}

/* Fills the rows of a disc with crossings until there are enough: the last rows stay empty. Of two
 * rows side by side the longer one covers the shorter one, so whatever rectangle is cut out of the
 * grid, its crossings are connected. The caller frees left and first, also on failure. */
static enum status lay_out(struct road *road, struct error *err) {
    /* 355 / 113 stands for pi. The added 1 makes up for rounding. */
    const int64_t radius = root_above((uint64_t)road->crossings * 113 / 355, 2) + 1;
    void *block;
    road->rows = 2 * radius;
    RETURN_ON_FAILURE(
        memory_alloc(&block, (size_t)road->rows, sizeof(int64_t), "rows of crossings", err));
    road->left = block;
    RETURN_ON_FAILURE(
        memory_alloc(&block, (size_t)road->rows + 1, sizeof(int64_t), "rows of crossings", err));
    road->first = block;
    road->first[0] = 0;
    for (int64_t row = 0; row < road->rows; row++) {
        /* Twice the distance of the row's middle from the disc's. */
        const int64_t away = 2 * row + 1 - road->rows;
        const int64_t half = root_above((uint64_t)(4 * radius * radius - away * away), 2) / 2;
        const int64_t rest = road->crossings - road->first[row];
        road->left[row] = radius - half;
        road->first[row + 1] = road->first[row] + (rest < 2 * half ? rest : 2 * half);
    }
    return STATUS_OK;
}

/* Coordinates of a crossing, which is moved from its place. */
struct spot {
    int64_t x, y;
};

static struct spot spot_of(const struct road *road, int64_t column, int64_t row) {
    const uint64_t key = family_key(road->request, USE_PLACES);
    const uint64_t draw = random_word(key, (uint64_t)crossing_at(road, column, row));
    return (struct spot){column * BLOCK + (int64_t)random_below(draw, BLOCK_JITTER),
                         row * BLOCK + (int64_t)((draw & UINT32_MAX) % BLOCK_JITTER)};
}

static int32_t distance(struct spot a, struct spot b) {
    return length_of((uint64_t)((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)));
}

/* Edges that are not yet written. */
struct extras {
    uint64_t key, draws; /* key of the random words, and number of those that were drawn */
    int64_t sparse;      /* sum of the weights (sparse_weight) of the roads that are left */
    int64_t unassigned;  /* number of vertices inside roads that no road has got so far */
    /* Numbers of what is left: vertices inside roads, dead ends, dead ends with a second vertex. */
    int64_t on_roads, dead_ends, tails;
    int64_t next; /* number of the next vertex */
};

/* Draws a random event: returns true with probability favourable / all. */
static bool happens(struct extras *x, int64_t favourable, int64_t all) {
    const uint64_t draw = random_below(random_word(x->key, x->draws++), (uint64_t)all);
    return (int64_t)draw < favourable;
}

/* Roads share the vertices on roads by weight: that of one from the crossing with that byte. */
static int64_t sparse_weight(uint8_t ways) {
    return INT64_C(1) << (ways >> SPARSE_SHIFT);
}

/* How many vertices the next road of that weight has on it: if all weigh the same, all ways to
 * share them among the roads are equally likely. */
static int64_t share_of_road(struct extras *x, int64_t weight) {
    int64_t count = 0;
    while (x->unassigned > 0 &&
           happens(x, x->unassigned * weight, x->unassigned * weight + x->sparse - weight)) {
        x->unassigned--;
        count++;
    }
    x->sparse -= weight;
    return count;
}

static int32_t dead_end_length(struct extras *x) {
    return SHORTEST_DEAD_END +
           (int32_t)random_below(random_word(x->key, x->draws++), DEAD_END_RANGE);
}

/* Draws whether a dead end begins at a vertex inside a road and, if so, writes its one or two
 * edges. */
static enum status put_dead_end(struct extras *x, int64_t vertex, const struct edge_sink *sink,
                                struct error *err) {
    const bool here = happens(x, x->dead_ends, x->on_roads--);
    if (!here)
        return STATUS_OK;
    const int64_t end = x->next++;
    RETURN_ON_FAILURE(sink->put(sink->to, (int32_t)vertex, (int32_t)end, dead_end_length(x), err));
    if (!happens(x, x->tails, x->dead_ends--))
        return STATUS_OK;
    x->tails--;
    return sink->put(sink->to, (int32_t)end, (int32_t)x->next++, dead_end_length(x), err);
}

/* The directions that a road leads in. */
enum directions { BOTH_WAYS, FORWARDS, BACKWARDS };

static enum status put_piece(const struct edge_sink *sink, enum directions directions, int64_t from,
                             int64_t to, int64_t length, struct error *err) {
    const int32_t u = (int32_t)from, v = (int32_t)to, least = (int32_t)(length > 0 ? length : 1);
    if (directions == BOTH_WAYS)
        return sink->put(sink->to, u, v, least, err);
    const bool forwards = directions == FORWARDS;
    return sink->put_one_way(sink->to, forwards ? u : v, forwards ? v : u, least, err);
}

/* A road between two crossings. */
struct road_ends {
    int64_t from, to, length;
    int64_t weight; /* for its share of the vertices on roads */
    enum directions directions;
};

static enum status put_road(struct extras *x, const struct road_ends *r,
                            const struct edge_sink *sink, struct error *err) {
    const int64_t count = share_of_road(x, r->weight), length = r->length;
    int64_t last = r->from;
    for (int64_t piece = 0; piece <= count; piece++) {
        const int64_t end = piece < count ? x->next++ : r->to;
        const int64_t part = length * (piece + 1) / (count + 1) - length * piece / (count + 1);
        RETURN_ON_FAILURE(put_piece(sink, r->directions, last, end, part, err));
        if (piece < count)
            RETURN_ON_FAILURE(put_dead_end(x, end, sink, err));
        last = end;
    }
    return STATUS_OK;
}

/* Draws which roads lead one way, and which way. */
struct one_way_roads {
    uint64_t key;
    int64_t wanted, candidates; /* among the roads to come */
};

/* The directions of the next road; `certain`: one that joins all crossings. */
static enum directions directions_of_road(struct one_way_roads *o, bool certain) {
    if (certain)
        return BOTH_WAYS;
    const uint64_t draw = random_word(o->key, (uint64_t)o->candidates);
    if ((int64_t)random_below(draw, (uint64_t)o->candidates--) >= o->wanted)
        return BOTH_WAYS;
    o->wanted--;
    return draw & 1 ? FORWARDS : BACKWARDS;
}

static int64_t sum_of_weights(const struct road *road) {
    int64_t sum = 0;
    for (int64_t k = 0; k < road->crossings; k++) {
        const int roads = !!(road->ways[k] & TO_RIGHT) + !!(road->ways[k] & TO_BELOW);
        sum += roads * sparse_weight(road->ways[k]);
    }
    return sum;
}

static enum status put_roads(const struct road *road, const struct edge_sink *sink,
                             struct error *err) {
    struct extras x = {.key = family_key(road->request, USE_EXTRAS),
                       .sparse = sum_of_weights(road),
                       .unassigned = road->on_roads,
                       .on_roads = road->on_roads,
                       .dead_ends = road->dead_ends,
                       .tails = road->tails,
                       .next = road->crossings};
    struct one_way_roads one_way = {.key = family_key(road->request, USE_ONE_WAY),
                                    .wanted = road->one_way,
                                    .candidates = road->chosen - (road->crossings - 1)};
    for (int64_t row = 0; row < road->rows; row++) {
        for (int64_t from = road->first[row]; from < road->first[row + 1]; from++) {
            const int64_t column = road->left[row] + from - road->first[row];
            for (int below = 0; below <= 1; below++) {
                const int way = below ? TO_BELOW : TO_RIGHT;
                if (!(road->ways[from] & way))
                    continue;
                const struct road_ends ends = {
                    .from = from,
                    .to = crossing_at(road, column + !below, row + below),
                    .length = distance(spot_of(road, column, row),
                                       spot_of(road, column + !below, row + below)),
                    .weight = sparse_weight(road->ways[from]),
                    .directions =
                        directions_of_road(&one_way, road->ways[from] & way << CERTAIN_SHIFT)};
                RETURN_ON_FAILURE(put_road(&x, &ends, sink, err));
            }
        }
    }
    return STATUS_OK;
}

static enum status put_nothing(void *to, int32_t u, int32_t v, int32_t length, struct error *err) {
    (void)to, (void)u, (void)v, (void)length, (void)err;
    return STATUS_OK;
}

static enum status count_edge(void *to, int32_t u, int32_t v, int32_t length, struct error *err) {
    (void)u, (void)v, (void)length, (void)err;
    ++*(int64_t *)to;
    return STATUS_OK;
}

/* Finds how many roads lead one way, and how many edges these are. */
static enum status find_one_way(struct road *road, int64_t *edges, struct error *err) {
    const int64_t share = road->request->one_way, most = road->chosen - (road->crossings - 1);
    const struct edge_sink counting = {edges, NULL, put_nothing, count_edge};
    char asked[32], possible[32];
    *edges = 0;
    road->one_way = road->chosen * share / THOUSANDTHS;
    if (road->one_way > most)
        return fail(err, STATUS_BAD_INPUT,
                    "--one-way: a share of %s of these roads may lead one way at most, so that "
                    "every vertex reaches every other; found %s",
                    thousandths_write(most * THOUSANDTHS / road->chosen, possible, sizeof possible),
                    thousandths_write(share, asked, sizeof asked));
    return road->one_way > 0 ? put_roads(road, &counting, err) : STATUS_OK;
}

/* `share` millionths of n; 0 if share is negative. */
static int64_t part_of(int64_t n, int64_t share) {
    return share > 0 ? n * share / 1000000 : 0;
}

enum status generate_road(const struct family_request *request, const struct edge_sink *sink,
                          struct error *err) {
    const int64_t n = request->graph.n;
    /* The fewer roads meet, the more vertices stand on roads and in dead ends. In sparse regions
     * crossings are dead ends, too, and dead ends are longer. */
    const int64_t fewer = request->family->degree.usual - request->degree, towns = request->towns;
    struct road road = {
        .request = request,
        .on_roads = part_of(n, 150000 - 40 * towns + (200 + 110 * towns / THOUSANDTHS) * fewer),
        .dead_ends = part_of(n, 147000 - 40 * towns + (130 - 300 * towns / THOUSANDTHS) * fewer),
        .tails = part_of(n, 30000 + (40 + 215 * towns / THOUSANDTHS) * fewer)};
    int64_t one_way;
    void *block = NULL;
    enum status status;

    if (road.dead_ends > road.on_roads)
        road.dead_ends = road.on_roads;
    if (road.tails > road.dead_ends)
        road.tails = road.dead_ends;
    const int64_t extras = road.on_roads + road.dead_ends + road.tails;
    road.crossings = n - extras;
    TRY(lay_out(&road, err));
    TRY(memory_alloc(&block, (size_t)road.crossings, 1, "crossings", err));
    road.ways = block;
    memset(road.ways, 0, (size_t)road.crossings);
    TRY(choose_roads(&road, n * request->degree / (2 * THOUSANDTHS) - (n - 1), err));
    TRY(find_one_way(&road, &one_way, err));
    TRY(sink->begin(sink->to, road.chosen + extras, one_way, err));
    status = put_roads(&road, sink, err);
cleanup:
    memory_free(road.left);
    memory_free(road.first);
    memory_free(block);
    return status;
}
