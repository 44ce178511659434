// Times the Boost Graph Library on a graph and compares its distances with ours.
//
//     boost_peer --version
//     boost_peer GRAPH METHOD REPETITIONS DISTANCES.npy
//
// GRAPH is thesis text of a graph without negative edges; METHOD is dijkstra (from every vertex, on
// a compressed sparse row graph, with predecessors) or johnson (johnson_all_pairs_shortest_paths, which
// gives distances only); DISTANCES.npy is a proved result. Prints one JSON object: vertices, edges,
// seconds (a list), and "different", the number of distances that are not ours. One thread: Boost
// uses no more.

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/johnson_all_pairs_shortest.hpp>
#include <boost/version.hpp>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
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
    using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property,
                                                     boost::property<boost::edge_weight_t, std::int32_t>>;

public:
    explicit Dijkstra(const Edges &edges)
        : graph_(boost::edges_are_unsorted_multi_pass, edges.ends.begin(), edges.ends.end(),
                 edges.weights.begin(), edges.vertices),
          predecessors_(edges.vertices, std::vector<std::size_t>(edges.vertices)) {}

    void solve(Distances &distances) {
        for (std::size_t source = 0; source < distances.size(); source++)
            boost::dijkstra_shortest_paths(
                graph_, source,
                boost::weight_map(boost::get(boost::edge_weight, graph_))
                    .distance_map(distances[source].data())
                    .predecessor_map(predecessors_[source].data()));
    }

private:
    Graph graph_;
    std::vector<std::vector<std::size_t>> predecessors_;
};

class Johnson {
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                        boost::property<boost::vertex_distance_t, std::int32_t>,
                                        boost::property<boost::edge_weight_t, std::int32_t,
                                                        boost::property<boost::edge_weight2_t, std::int32_t>>>;

public:
    explicit Johnson(const Edges &edges)
        : graph_(edges.ends.begin(), edges.ends.end(), edges.weights.begin(), edges.vertices) {}

    void solve(Distances &distances) {
        if (!boost::johnson_all_pairs_shortest_paths(graph_, distances))
            throw std::runtime_error("johnson: found a negative cycle");
    }

private:
    Graph graph_;
};

template <typename Method>
void run(const Edges &edges, int repetitions, const std::vector<std::int32_t> &ours) {
    Method method(edges);
    const std::size_t n = edges.vertices;
    Distances distances(n, std::vector<std::int32_t>(n));
    std::cout << "{\"vertices\": " << n << ", \"edges\": " << edges.weights.size()
              << ", \"seconds\": [";
    for (int r = 0; r < repetitions; r++) {
        const auto start = std::chrono::steady_clock::now();
        method.solve(distances);
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

int run_method(const std::string &method, const Edges &edges, int repetitions,
               const std::vector<std::int32_t> &ours) {
    if (method == "dijkstra")
        run<Dijkstra>(edges, repetitions, ours);
    else if (method == "johnson")
        run<Johnson>(edges, repetitions, ours);
    else
        throw std::runtime_error("expected dijkstra or johnson, found '" + method + "'");
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    enum { GRAPH = 1, METHOD, REPETITIONS, OURS, WORDS };
    if (argc == 2 && std::string(argv[1]) == "--version") {
        std::cout << BOOST_VERSION / 100000 << '.' << BOOST_VERSION / 100 % 1000 << '\n';
        return 0;
    }
    if (argc != WORDS) {
        std::cerr << "boost_peer: expected GRAPH METHOD REPETITIONS DISTANCES.npy\n";
        return 2;
    }
    try {
        const Edges edges = read_graph(argv[GRAPH]);
        return run_method(argv[METHOD], edges, std::stoi(argv[REPETITIONS]),
                          read_npy(argv[OURS], edges.vertices * edges.vertices));
    } catch (const std::exception &error) {
        std::cerr << "boost_peer: " << error.what() << '\n';
        return 1;
    }
}
