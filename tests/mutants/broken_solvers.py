# SPDX-License-Identifier: MIT
"""What break_solvers.py breaks: for each source the tests that go with it and its
mutants, each the text that stands there, what replaces it, and what that breaks.

Every mutant makes some answer wrong, or makes a solver refuse, crash or hang; of apsp
also a prediction or the choice that follows from it. What would only be slower, or right by
another way, does not belong here."""


class Mutant:

    def __init__(self, what, old, new, needs=None):
        self.what, self.old, self.new = what, old, new
        self.needs = needs  # of the CPU, as /proc/cpuinfo has it


class Source:

    def __init__(self, path, tests, mutants):
        self.path, self.tests = path, tests  # tests: arguments of the unit tests
        self.mutants = [Mutant(*mutant) for mutant in mutants]


def suites(*names, variants=()):
    """These suites, with these variants only."""
    return [word for name in variants for word in ("--variant", name)] + list(names)


def solving(*variants):
    return suites("solvers", "properties", variants=variants)


def label_correcting(*variants):
    return suites("solvers", "sparse", "properties", variants=variants)


DPX = ("cuda_blocked/dpx32", "cuda_blocked/dpx16")
PRODUCTS = DPX + ("cuda_blocked/tensor",)
BATCHED = tuple("cuda_blocked/batched" + stage for stage in ("-blocked", "-registers", "-6x6", ""))

SOURCES = [
    Source("cuda_simple/naive.cu", solving("cuda_simple/naive"), [
        ("row k and column k are swapped",
         "dist[i * ld + k] + dist[k * ld + j]",
         "dist[k * ld + i] + dist[j * ld + k]"),
    ]),
    Source("cuda_simple/thesis.cu", solving("cuda_simple/thesis"), [
        ("ties count as shorter", "to_k + from_k < dist", "to_k + from_k <= dist"),
    ]),
    Source("cuda_simple/vector.cu", solving("cuda_simple/vector"), [
        ("one lane without a path stands for four",
         "return min(min(distance.x, distance.y), min(distance.z, distance.w)) >= INF;",
         "return max(max(distance.x, distance.y), max(distance.z, distance.w)) >= INF;"),
    ]),
    Source("cuda_blocked/parts/phases.cuh",
           solving("cuda_blocked/thesis", "cuda_blocked/tile64", "cuda_blocked/tile32"), [
        ("cells outside read as 0", "dist[i * ld + j] : INF;", "dist[i * ld + j] : 0;"),
        ("the last pivot is left out", "pivot < tiles; pivot++", "pivot < tiles - 1; pivot++"),
    ]),
    Source("cuda_blocked/1_thesis.cu", solving("cuda_blocked/thesis"), [
        ("phase 1 has no barrier",
         "        __syncthreads();\n        tile.relax(tile, tile, k);",
         "        tile.relax(tile, tile, k);"),
    ]),
    Source("cuda_blocked/2_pivot.cu", solving("cuda_blocked/pivot"), [
        ("phase 2 has no barrier before it reads",
         "m.load(pivot_cell.i, pivot_cell.j));\n    __syncthreads();",
         "m.load(pivot_cell.i, pivot_cell.j));"),
        ("phase 3 leaves out the row above the pivot's",
         "if (row == pivot || column == pivot)",
         "if (row == pivot || row + 1 == pivot || column == pivot)"),
    ]),
    Source("cuda_blocked/3_tile32.cu", solving("cuda_blocked/tile32"), [
        ("the left operand is transposed",
         "left.dist[threadIdx.y][k]",
         "left.dist[k][threadIdx.y]"),
    ]),
    Source("cuda_blocked/4_tile64.cu", solving("cuda_blocked/tile64"), [
        ("two cells side by side share a predecessor",
         "&right.pred[k][x + c]",
         "&right.pred[k][x]"),
    ]),
    Source("cuda_blocked/5_batched.cu", solving(*BATCHED), [
        ("tiles that overlap the edge count as inside",
         "end * side <= m.n",
         "end * side < m.n + side"),
        ("phase 2 goes on to the next tile without a barrier",
         "        __syncthreads(); // the tile before has been read by all\n",
         ""),
    ]),
    Source("cuda_blocked/parts/dataflow.cuh",
           suites("queue", "solvers", "properties", variants=PRODUCTS), [
        ("nobody waits for the left panel",
         "return {board.left_ready + i, i == p ? 0 : p + 1};",
         "return {board.left_ready + i, 0};"),
        ("nobody waits for panels to be free", "s >= panels_kept ? 1 : 0, [&]", "0, [&]"),
        ("the last piece of a row is longer than the row",
         "left < queue.piece_tiles ? left : queue.piece_tiles",
         "queue.piece_tiles"),
        ("counts begin where they ended",
         "cudaMemsetAsync(board.left_ready, 0, board.words",
         "cudaMemsetAsync(board.left_ready, 0, 0 * board.words"),
    ]),
    Source("cuda_blocked/parts/panels.cuh", solving(*PRODUCTS), [
        ("a staged tile is read before it is there", "ld + x];\n    __syncthreads();", "ld + x];"),
    ]),
    Source("cuda_blocked/parts/min_plus_tile.cuh",
           suites("words", "solvers", "properties", variants=DPX), [
        ("slices are used before they have arrived",
         "            copy_wait<stages - 2>();\n", ""),
        ("the fourth cell's improvement is not stored", " || now[3] < was[3])", ")"),
        ("dpx16: the halves of a word of the left operand are swapped",
         "number == 0 ? two & 0xffff : two >> 16",
         "number != 0 ? two & 0xffff : two >> 16"),
        ("dpx16: 32766 counts as no path",
         "static_cast<word>(distance <= longest",
         "static_cast<word>(distance < longest"),
    ]),
    Source("cuda_blocked/6_dpx32.cu", solving("cuda_blocked/dpx32"), [
        ("row and column panel are swapped", "left.at(i, s),\n", "left.at(s, s),\n"),
    ]),
    Source("cuda_blocked/parts/offsets.cuh",
           suites("words", "solvers", variants=("cuda_blocked/dpx16",)), [
        ("16384 fits",
         "distance >= INF || distance - offset <= max_difference;",
         "distance >= INF || distance - offset <= max_difference + 1;"),
    ]),
    Source("cuda_blocked/parts/relative_tiles.cuh", solving("cuda_blocked/dpx16", "cuda_blocked/auto"), [
        ("a column's smallest is that of its row",
         "smallest(shared, 1, panels::pitch)",
         "smallest(shared, panels::pitch, 1)"),
    ]),
    Source("cuda_blocked/parts/short_tiles.cuh", solving("cuda_blocked/dpx16", "cuda_blocked/auto"), [
        ("the left operand's halves are swapped",
         "to[k * tile + row] = Format::left_word(two, 0);",
         "to[k * tile + row] = Format::left_word(two, 1);"),
    ]),
    Source("cuda_blocked/7_dpx16.cu", solving("cuda_blocked/dpx16"), [
        ("what failed is not made anew",
         "        if (attempt > 0)\n            RETURN_ON_FAILURE(gpu_fill_adjacency(m, err));\n",
         ""),
        ("whether differences fitted is not asked", "*exact = stopped == 0;", "*exact = true;"),
    ]),
    Source("cuda_blocked/parts/exponent_code.cuh",
           suites("words", "solvers", variants=("cuda_blocked/tensor",)), [
        ("27 is a distance",
         "no_path = at_zero - bits * (largest + 1); // this and below: dropped",
         "no_path = at_zero - bits * (largest + 1) - 1;"),
    ]),
    Source("cuda_blocked/parts/tensor_tile.cuh",
           suites("words", "solvers", variants=("cuda_blocked/tensor",)), [
        ("the last term is left out",
         "for (int k = 0; k < tile; k++)",
         "for (int k = 0; k < tile - 2; k++)"),
    ]),
    Source("cuda_blocked/8_tensor.cu", solving("cuda_blocked/tensor"), [
        ("whether distances fitted is not asked",
         "RETURN_ON_FAILURE(p.reachability.check(m, &exact, err));",
         "exact = true;"),
    ]),
    Source("cuda_blocked/parts/reachability.cu",
           solving("cuda_blocked/tensor", "cuda_blocked/dpx16", "cuda_blocked/resident"), [
        ("flags are not cleared",
         "cudaMemsetAsync(inf, 0, 2 * sizeof *inf, nullptr)",
         "cudaMemsetAsync(inf, 0, 0, nullptr)"),
    ]),
    Source("cuda_blocked/parts/probe.cu",
           suites("probe", "solvers",
                  variants=("cuda_blocked/auto",)), [
        ("a distance that is still changing counts",
         "if (found[sweeps - 1] == 0)",
         "if (found[0] != 0)"),
    ]),
    Source("cuda_blocked/parts/predecessors.cu",
           suites("probe", "solvers",
                  variants=("cuda_blocked/dpx32",)), [
        ("edges behind the first 256 are left out",
         "base < end; base += threads",
         "base < first + 1; base += threads"),
        ("an edge that is not tight will do",
         "before.value[s] + candidate[c].y == distance.value[s]",
         "before.value[s] + candidate[c].y <= distance.value[s] + 1"),
    ]),
    Source("cuda_blocked/9_resident.cu", solving("cuda_blocked/resident"), [
        ("nobody waits for the left operand",
         "            wait_for(p.flag(p.left_ready, s, in_column ? s : i));",
         "            (void)0;"),
        ("flags of the solve before are left",
         "cudaMemsetAsync(p.left_ready, 0, p.flags * sizeof(int32_t), nullptr)",
         "cudaMemsetAsync(p.left_ready, 0, 0, nullptr)"),
        ("one tile more than fits",
         "* (*limit / tile + 1) <= blocks",
         "* (*limit / tile) <= blocks"),
    ]),
    Source("cuda_blocked/auto.cu", solving("cuda_blocked/auto"), [
        ("what a variant leaves that was not exact is taken for the graph",
         "return done ? status : gpu_fill_adjacency(m, err);",
         "return done ? status : STATUS_OK;"),
        ("33 vertices go to thesis", "if (m->n <= one_tile)", "if (m->n <= one_tile + 1)"),
    ]),
    Source("cuda_sparse/parts/rows.cuh", solving("cuda_sparse/multisource"), [
        ("edges behind the first 1024 are left out",
         "first < end; first += sorted_at_once",
         "first < begin + 1; first += sorted_at_once"),
    ]),
    Source("cuda_sparse/parts/strip.cuh", label_correcting("cuda_sparse/multisource"), [
        ("rows are left one edge too early",
         "if (Format::weight(Format::edge_in(sheaf, 0)) >= limit)",
         "if (Format::weight(Format::edge_in(sheaf, 0)) + 1 >= limit)"),
        ("the source gets a predecessor",
         "v != first_source + c && own.label(c) < Format::no_path ?",
         "own.label(c) < Format::no_path ?"),
        ("worklist: who is listed stays due", "            due[w] = left;\n        }", "        }"),
    ]),
    Source("cuda_sparse/multisource.cu", label_correcting("cuda_sparse/multisource"), [
        ("16 bits: 32767 less the heaviest edge counts as exact",
         "found.farthest >= too_long",
         "found.farthest > too_long"),
        ("what gave up counts as done", "*done = found.gave_up == 0;", "*done = true;"),
    ]),
    Source("cuda_sparse/parts/out_edges.cu",
           suites("out_edges", "solvers", variants=("cuda_sparse/queued",)), [
        ("sums are overwritten while they are read",
         "sum[thread - distance] : 0;\n            __syncthreads();",
         "sum[thread - distance] : 0;"),
        ("the 1024 vertices before count twice",
         "before += sum[threads - 1];",
         "before += before + sum[threads - 1];"),
    ]),
    Source("cuda_sparse/queued.cu", label_correcting("cuda_sparse/queued"), [
        ("the queue's tail goes round one too late",
         "queue[tail < p.n ? tail : tail - p.n] = v;",
         "queue[tail <= p.n ? tail : tail - p.n] = v;"),
        ("weights beyond INF overflow",
         "min(distance + min(p.out.weight[e], INF), INF)",
         "min(distance + p.out.weight[e], INF)"),
        ("whether one gave up is not cleared",
         "cudaMemsetAsync(w.gave_up, 0, sizeof *w.gave_up, nullptr)",
         "cudaMemsetAsync(w.gave_up, 0, 0, nullptr)"),
    ]),
    Source("cuda_sparse/parts/labels.cuh", label_correcting("cuda_sparse/multisource"), [
        ("16 bits: any edge is tight", "differs * 0xffff | tail", "tail"),
    ]),
    Source("cuda_sparse/products.cu", suites("cuda_sparse/dissection"), [
        ("sources in the piece go round outside",
         "? min(label, row_within(p, job.piece, piece, source)[job.skipped + v])",
         "? max(label, row_within(p, job.piece, piece, source)[job.skipped + v])"),
        ("climbing forgets the boundary that is the outer one's, too",
         "else if (through == to)",
         "else if (through == to && through < 0)"),
        ("a target beyond an odd number counts",
         "for (; v + 1 < job.job.targets && !job.inside",
         "for (; v < job.job.targets && !job.inside"),
        ("what rounding cuts off is lost",
         "low[r] += d - (rounded_sum - high[r]);",
         "low[r] += 0 * (d - (rounded_sum - high[r]));"),
        ("sources that only fill up are counted",
         "if (lane + r * threads < b.count)\n            add_to",
         "if (lane + r * threads < b.lanes)\n            add_to"),
    ]),
    Source("cuda_sparse/dissection.c", suites("cuda_sparse/dissection"), [
        ("bins are never too few",
         "else if (t->largest >> s->totals.shift >= PRODUCT_BINS)",
         "else if (t->largest >> s->totals.shift >= 1000000)"),
        ("who reaches all is reached by all",
         "if (s->is_finite && t->largest >= INF)",
         "if (s->is_finite && t->largest > INF)"),
        ("totals of targets are those of sources",
         "*lengths = (struct lengths){.up = lengths->down, .down = lengths->up};",
         "*lengths = (struct lengths){.up = lengths->up, .down = lengths->down};"),
    ]),
    Source("dissection/pieces.c", suites("dissection/pieces"), [
        ("a middle piece may be a leaf's size",
         "return c->size[at] <= most && (parent < 0 || c->size[parent] > most);",
         "return c->size[at] <= most && (parent < 0 || c->size[parent] >= most);"),
    ]),
    Source("cuda_sparse/auto.cu",
           suites("sparse", "solvers", "properties",
                  variants=("cuda_sparse/auto",)), [
        ("a queue is not for one edge to a vertex",
         "return m->in.m / m->n < MANY_EDGES;",
         "return m->in.m / m->n < 1;"),
        ("the memory of queues does not count",
         "(queues > blocked ? queues : blocked)",
         "blocked"),
    ]),
    Source("common/gpu/gpu_matrices.cu", solving("cuda_simple/vector", "cuda_blocked/dpx32"), [
        ("padding has zeros on its diagonal", "i == j && i < n ? 0 : INF", "i == j ? 0 : INF"),
    ]),
    Source("common/gpu/gpu_solver.c",
           suites("libapsp/api", "solvers", "properties",
                  variants=("cuda_simple/vector", "cuda_blocked/dpx32", "cuda_blocked/auto")), [
        ("the largest |V| that fits is one too large",
         "while (does_not - fits > 1)",
         "while (does_not - fits > 2)"),
        ("the caller's GPU is not selected again",
         "        make_current(turn->callers);",
         "        (void)make_current;"),
    ]),
    Source("common/gpu/gpu_download.c",
           suites("gpu_download", "solvers", variants=("cuda_simple/thesis",)), [
        ("all chunks have one buffer",
         "gpu_check(cudaMemcpyAsync(d->buffer[chunk % 2], rows,",
         "gpu_check(cudaMemcpyAsync(d->buffer[0], rows,"),
    ]),
    Source("cpu/sequential.c", solving("cpu/sequential"), [
        ("ties count as shorter", "if (through_k < row_i[j]) {", "if (through_k <= row_i[j]) {"),
    ]),
    Source("cpu/blocked.c", suites("blocked", "solvers", "properties",
                                   variants=("cpu/blocked", "cpu/blocked16", "cpu/blocked32")), [
        ("16 bits: whether a distance was cut off is not asked",
         "*exact = from < 0;",
         "*exact = true;"),
        ("32 bits after 16: what 16 bits have left is the input",
         "    if (width == EITHER)\n        fill_wide(job);\n",
         ""),
        ("16 bits: the largest distance is that of the last row",
         "matrix_row(dist, i), largest);",
         "matrix_row(dist, i), 0);"),
    ]),
    Source("cpu/parts/closure.c",
           suites("blocked", "solvers", variants=("cpu/blocked16", "cpu/blocked32")), [
        ("products start where the first of row and column lacks one",
         "rows_lack > columns_lack ? rows_lack : columns_lack",
         "rows_lack > columns_lack ? columns_lack : rows_lack"),
        ("phase 2 leaves out the tail of the columns",
         "p < parts(depth, kernel->width); p++",
         "p < depth / kernel->width; p++"),
        ("phase 3 takes the last band for a whole one",
         "down = least(BAND, c->tasks_down - top);",
         "down = BAND;"),
    ]),
    Source("cpu/parts/work_stealing.h", suites("blocked", variants=()), [
        ("the last task of every queue is left out",
         "if (*task < work_queue_start(tasks, owner + 1, threads))",
         "if (*task + 1 < work_queue_start(tasks, owner + 1, threads))"),
    ]),
    Source("cpu/parts/min_plus_width.h", suites("min_plus", "blocked"), [
        ("close: the last vector of a row is left out",
         "j < MIN_PLUS_BLOCK; j += LANES",
         "j + LANES < MIN_PLUS_BLOCK; j += LANES"),
    ]),
    Source("cpu/parts/min_plus_kernels.c", suites("min_plus", "blocked"), [
        ("16 bits: no path is 65535",
         "#define NO_PATH       INF16",
         "#define NO_PATH       UINT16_MAX"),
    ]),
    Source("common/base/vector.h", suites("min_plus", "multisource", "blocked"), [
        ("portable: 16-bit minimum is signed", "_mm_subs_epu16", "_mm_subs_epi16"),
        ("avx2: 32-bit minimum is the maximum", "_mm256_min_epi32", "_mm256_max_epi32", "avx2"),
        ("avx512: 16 bits: less counts as equal",
         "_mm512_cmpeq_epi16_mask",
         "_mm512_cmple_epu16_mask",
         "avx512bw"),
    ]),
    Source("cpu/parts/predecessors.c",
           suites("blocked", "solvers", "properties",
                  variants=("cpu/blocked16", "cpu/blocked32")), [
        ("edges longer than the path are kept",
         "g->weight[e] == row[g->head[e]]",
         "g->weight[e] >= row[g->head[e]]"),
    ]),
    Source("cpu/parts/predecessors_width.h",
           suites("blocked", "solvers", variants=("cpu/blocked16", "cpu/blocked32")), [
        ("the last tight edge counts, not the first",
         "found[x] = vector_min(found[x], vector_where_equal(sum, target[x], tail, none));",
         "found[x] = vector_where_equal(sum, target[x], tail, found[x]);"),
    ]),
    Source("cpu/parts/dijkstra_width.h",
           suites("multisource", "solvers", "properties", variants=("cpu/johnson",)), [
        ("the last of four children is not looked at",
         "child + ARITY < count ? child + ARITY : count",
         "child + ARITY - 1 < count ? child + ARITY - 1 : count"),
        ("a vertex keeps its place when its distance falls",
         "dist[v] == no_path ? count++ : position[v]",
         "dist[v] == no_path ? count++ : count - 1"),
    ]),
    Source("cpu/parts/dijkstra.c", suites("multisource", "solvers", variants=("cpu/johnson",)), [
        ("64 bits: predecessors are not cleared",
         "    if (pred != NULL)\n        memset(pred, 0xff, (size_t)g->n * sizeof *pred);\n",
         ""),
    ]),
    Source("cpu/johnson.c",
           suites("solvers", "properties",
                  variants=("cpu/johnson", "cpu/multisource", "cpu/auto")), [
        ("potentials are those of the first source",
         "potentials_restore_row(task->graph, task->potential, block->source[r],",
         "potentials_restore_row(task->graph, task->potential, 0,"),
    ]),
    Source("cpu/multisource.c",
           suites("multisource", "solvers", "properties", variants=("cpu/multisource",)), [
        ("16 bits: whether distances fitted is not asked",
         "!plan->narrow_is_safe && kernel->overflowed(&w->strip)",
         "false"),
        ("the last strip is left out",
         "sources = plan->sources, strips = (sources - 1) / MAX_LANES + 1;",
         "sources = plan->sources, strips = sources > MAX_LANES ? sources / MAX_LANES : 1;"),
    ]),
    Source("cpu/parts/strip_width.h",
           suites("multisource", "solvers", variants=("cpu/multisource",)), [
        ("a change of the last vector only counts",
         "differs |= best[k] ^ vector_load(to + LANE(k));",
         "differs = best[k] ^ vector_load(to + LANE(k));"),
        ("the last columns are left out",
         "first < n; first += LINE",
         "first < n / LINE * LINE; first += LINE"),
    ]),
    Source("cpu/parts/transpose.h",
           suites("multisource", "blocked", "solvers",
                  variants=("cpu/multisource", "cpu/blocked16", "cpu/blocked32")), [
        ("16 bits: the upper half of a square is the lower one",
         "to[2 * c + 1] = _mm_unpackhi_epi64",
         "to[2 * c + 1] = _mm_unpacklo_epi64"),
    ]),
    Source("cpu/parts/prefix_sums.h",
           suites("blocked", "solvers", "properties",
                  variants=("cpu/blocked16", "cpu/blocked32", "cpu/multisource")), [
        ("all parts put their items to the same places",
         "            *at = place;\n",
         "            *at = first[k];\n"),
    ]),
    Source("cpu/parts/ordered_graph.c", suites("multisource", "solvers", variants=("cpu/multisource",)), [
        ("sorted rows stay in the spare ones",
         "    if (from != row)\n",
         "    if (from == NULL)\n"),
        ("the last chunk's edges are not counted",
         "        for (int chunk = 0; chunk < l->chunks; chunk++) {\n"
         "            int64_t *count",
         "        for (int chunk = 0; chunk < l->chunks - (l->chunks > 1); chunk++) {\n"
         "            int64_t *count"),
    ]),
    Source("cpu/auto.c", suites("cpu/auto", "solvers", variants=("cpu/auto",)), [
        ("what needs potentials goes to blocked",
         '*chosen = solver_find(&cpu_solver, "johnson");',
         '*chosen = solver_find(&cpu_solver, "blocked");'),
    ]),
    Source("common/solve/solve.c",
           solving("cpu/sequential", "cpu/blocked", "cpu/johnson", "cuda_simple/thesis"), [
        ("distances stay those of the reweighted graph",
         "        delivery->potential = potential;\n", ""),
        ("what is wide is solved in 32 bits",
         "variant->takes_potentials && !range_is_safe(&reduced)",
         "false"),
    ]),
    Source("common/base/progress.c", suites("libapsp/calls"), [
        ("the caller's no is not heeded",
         "if (p->on_report != NULL && !p->on_report(p->callback_context, done, total))",
         "if (p->on_report != NULL && !p->on_report(p->callback_context, done, total) && done < 0)"),
    ]),
    Source("common/solve/solve.c", suites("libapsp/calls"), [
        ("what was stopped counts as an answer",
         "    if (!progress_goes_on(request->progress))\n        status = progress_cancelled(err);\n",
         ""),
    ]),
    Source("apsp/engines.c", suites("solvers", variants=("cpu/sequential",)), [
        ("the last solver is not known", "s < ENGINE_SOLVERS; s++", "s < ENGINE_SOLVERS - 1; s++"),
    ]),
    Source("common/solve/potentials.c",
           suites("potentials", "solvers", "properties",
                  variants=("cpu/sequential", "cpu/johnson")), [
        ("INF counts as a distance",
         "return distance > -INF && distance < INF;",
         "return distance > -INF && distance <= INF;"),
        ("no path is restored as a distance",
         "row[j] = row[j] < INF ? (int32_t)(row[j] + potential[j] - potential[i]) : INF;",
         "row[j] = (int32_t)(row[j] + potential[j] - potential[i]);"),
    ]),
    Source("common/solve/bellman_ford.c",
           suites("potentials", "solvers", variants=("cpu/sequential",)), [
        ("ties count as shorter",
         "if (from + g->weight[e] >= find->distance[v])",
         "if (from + g->weight[e] > find->distance[v])"),
    ]),
    Source("common/solve/scaling.c", suites("potentials"), [
        ("levels do not count edges below 0",
         "if (s->level[c] + (weight < 0) > s->level[to]) {",
         "if (s->level[c] > s->level[to]) {"),
    ]),
    Source("common/solve/zero_cycles.c",
           suites("zero_cycles", "solvers", "properties",
                  variants=("cpu/sequential", "cpu/blocked")), [
        ("the source may have a predecessor", "    pred[source] = -1;\n", ""),
        ("who runs round is not noticed", "            if (walk[at] == k)\n", "            if (walk[at] > k)\n"),
        ("an edge into a component need not be tight",
         "(int64_t)dist[u] + z->entering_weight[e] == dist[v]",
         "(int64_t)dist[u] + z->entering_weight[e] >= dist[v]"),
    ]),
    Source("common/solve/delivery.c", solving("cpu/sequential", "cpu/multisource", "cuda_simple/thesis"), [
        ("the range of rows is not checked",
         "    if (!d->in_range)\n        RETURN_ON_FAILURE(check_range", "    if (d->potential != NULL && d->graph == NULL)\n        RETURN_ON_FAILURE(check_range"),
        ("predecessors that run round stay", "r < block->count && d->zero.components > 0; r++", "r < block->count && d->zero.components > 1; r++"),
    ]),
    Source("common/solve/range.c",
           suites("range", "blocked", "solvers", variants=("cpu/sequential", "cpu/blocked")), [
        ("INF counts as safe",
         "if ((int64_t)g->max_weight * (g->n - 1) < INF)",
         "if ((int64_t)g->max_weight * (g->n - 1) <= INF)"),
        ("the longest path may just reach the limit",
         "if ((int64_t)largest + g->max_weight < limit)",
         "if ((int64_t)largest + g->max_weight <= limit)"),
    ]),
    Source("apsp/auto.c", suites("apsp/plan"), [
        ("the first failure is the last",
         "failed && !task->delivery->refused ? next_of(&plan, taken, status, task) : plan.usable;",
         "failed && taken < 0 ? next_of(&plan, taken, status, task) : plan.usable;"),
        ("who has no memory ends the search",
         "if (!lacks_resources && (status != STATUS_BAD_INPUT || task->potential != NULL))",
         "if (status != STATUS_BAD_INPUT || task->potential != NULL)"),
        ("predecessors are not planned for",
         "{task->predecessors, task->options->files,",
         "{false, task->options->files,"),
    ]),
    Source("apsp/plan.c", suites("apsp/plan"), [
        ("what needs 64 bits is solved with 32",
         "if (f->wide && !variant->takes_potentials)",
         "if (f->wide && f->n < 0)"),
        ("who cannot be taken comes first",
         "return usable != (b->not_taken[0] == '\\0') ? usable :",
         "return usable != (b->not_taken[0] == '\\0') ? !usable :"),
        ("writing does not count",
         "p.potentials_s + p.solve_s + p.write_s;",
         "p.potentials_s + p.solve_s;"),
    ]),
    Source("apsp/features.c", suites("apsp/plan"), [
        ("of shortest paths the first counts", "hops[u] + 1 < hops[v])", "hops[v] == INT32_MAX)"),
        ("reduced weights always fit",
         "if (range_is_safe(&supposed)) {",
         "if (supposed.n > 0) {"),
    ]),
]
