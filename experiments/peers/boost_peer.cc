// Times the Boost Graph Library on a graph and compares its distances with ours.
//
//     boost_peer --version
//     boost_peer GRAPH dijkstra REPETITIONS DISTANCES.npy
//
// GRAPH is thesis text of a graph without negative edges; DISTANCES.npy is a proved result.
// dijkstra_shortest_paths from every vertex of a compressed sparse row graph, with predecessors, on
// one thread: Boost uses no more, and its johnson_all_pairs_shortest_paths, which gives no
// predecessors, takes longer. Prints one JSON object: vertices, edges, seconds (a list), and
// "different", the number of distances that are not ours.

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/property_map.hpp>
#include <boost/version.hpp>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::int32_t unreachable = (1 << 30) - 1;
constexpr std::int32_t boost_unreachable = std::numeric_limits<std::int32_t>::max();

struct Edges {
    std::size_t vertices;
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    std::vector<std::int32_t> weights;
};

using Distances = std::vector<std::vector<std::int32_t>>;

Edges read_graph(const char *path) {
    std::ifstream file(path);
    Edges edges;
    std::size_t count;
    file >> edges.vertices >> count;
    for (std::size_t e = 0; file && e < count; e++) {
        std::size_t tail, head;
        std::int32_t weight;
        file >> tail >> head >> weight;
        edges.ends.emplace_back(tail, head);
        edges.weights.push_back(weight);
    }
    if (!file)
        throw std::runtime_error(std::string(path) + ": expected a graph of thesis text");
    return edges;
}

// The cells of a version 1 .npy file of int32 in C order.
std::vector<std::int32_t> read_npy(const char *path, std::size_t cells) {
    enum { LENGTH_AT = 8, HEADER_AT = 10 };
    std::ifstream file(path, std::ios::binary);
    unsigned char start[HEADER_AT] = {0};
    file.read(reinterpret_cast<char *>(start), sizeof start);
    file.seekg(HEADER_AT + start[LENGTH_AT] + 256 * start[LENGTH_AT + 1]);
    std::vector<std::int32_t> values(cells);
    file.read(reinterpret_cast<char *>(values.data()),
              static_cast<std::streamsize>(cells * sizeof values[0]));
    if (!file)
        throw std::runtime_error(std::string(path) + ": expected " + std::to_string(cells) +
                                 " distances");
    return values;
}

class Dijkstra {
    using Graph =
        boost::compressed_sparse_row_graph<boost::directedS, boost::no_property,
                                           boost::property<boost::edge_weight_t, std::int32_t>>;

  public:
    explicit Dijkstra(const Edges &edges)
        : graph_(boost::edges_are_unsorted_multi_pass, edges.ends.begin(), edges.ends.end(),
                 edges.weights.begin(), edges.vertices),
          predecessors_(edges.vertices, std::vector<std::size_t>(edges.vertices)) {
    }

    void solve(Distances &distances) {
        const auto row = [this](auto &cells) { // of each vertex its cell
            return boost::make_iterator_property_map(cells.begin(),
                                                     boost::get(boost::vertex_index, graph_));
        };
        for (std::size_t source = 0; source < distances.size(); source++)
            boost::dijkstra_shortest_paths(graph_, source,
                                           boost::weight_map(boost::get(boost::edge_weight, graph_))
                                               .distance_map(row(distances[source]))
                                               .predecessor_map(row(predecessors_[source])));
    }

  private:
    Graph graph_;
    std::vector<std::vector<std::size_t>> predecessors_;
};

void run(const Edges &edges, int repetitions, const std::vector<std::int32_t> &ours) {
    Dijkstra dijkstra(edges);
    const std::size_t n = edges.vertices;
    Distances distances(n, std::vector<std::int32_t>(n));
    std::cout << "{\"vertices\": " << n << ", \"edges\": " << edges.weights.size()
              << ", \"seconds\": [";
    for (int r = 0; r < repetitions; r++) {
        const auto start = std::chrono::steady_clock::now();
        dijkstra.solve(distances);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::cout << (r > 0 ? ", " : "") << took.count();
    }
    std::size_t different = 0;
    for (std::size_t i = 0; i < n; i++)
        for (std::size_t j = 0; j < n; j++) {
            const std::int32_t found = distances[i][j];
            different += (found == boost_unreachable ? unreachable : found) != ours[i * n + j];
        }
    std::cout << "], \"different\": " << different << "}\n";
}

} // namespace

int main(int argc, char **argv) {
    enum { GRAPH = 1, METHOD, REPETITIONS, OURS, WORDS };
    if (argc == 2 && std::string(argv[1]) == "--version") {
        std::cout << BOOST_VERSION / 100000 << '.' << BOOST_VERSION / 100 % 1000 << '\n';
        return 0;
    }
    if (argc != WORDS || std::string(argv[METHOD]) != "dijkstra") {
        std::cerr << "boost_peer: expected GRAPH dijkstra REPETITIONS DISTANCES.npy\n";
        return 2;
    }
    try {
        const Edges edges = read_graph(argv[GRAPH]);
        run(edges, std::stoi(argv[REPETITIONS]),
            read_npy(argv[OURS], edges.vertices * edges.vertices));
        return 0;
    } catch (const std::exception &error) {
        std::cerr << "boost_peer: " << error.what() << '\n';
        return 1;
    }
}
