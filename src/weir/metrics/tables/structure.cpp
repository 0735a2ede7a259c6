#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

constexpr const char* kStructure = "this program; experiment.kind = \"network\"";
constexpr const char* kAdapters = "packet-marking 3.7, 5.21, 5.22; experiment.kind = \"network\"";
constexpr const char* kZeroLoad = "packet-marking Eq. 5.2; experiment.kind = \"network\"";

/// Of networks that are measured without simulating (experiment.kind = "network").
const MetricTable kNetworkTable({
    {"hosts", "", kScalar, kStructure, "hosts of the network"},
    {"switches", "", kScalar, kStructure, "switches; label: of that stage"},
    {"cables", "", kScalar, kStructure, "cables, those of hosts too; one-way links count each"},
    {"cable_delay_min", "ns", kScalar, "this program; [link] lengths and perturbation",
     "propagation delay of the shortest cable, where the seed draws them"},
    {"cable_delay_mean", "ns", kScalar, "this program; [link] lengths and perturbation",
     "the same, mean over all cables"},
    {"cable_delay_max", "ns", kScalar, "this program; [link] lengths and perturbation",
     "the same, longest cable"},
    {"links", "", kScalar, kStructure,
     "one-way links of a group (the label: injection, ejection, up, down, horizontal, switch; with "
     "the stage that they leave: \"up 1\")"},
    {"ports", "", kScalar, kStructure, "cabled ports of all switches"},
    {"switch_ports_min", "", kScalar, kStructure, "cabled ports of the smallest switch"},
    {"switch_ports_max", "", kScalar, kStructure, "cabled ports of the largest switch"},
    {"stages", "", kScalar, kStructure, "stages of switches, where the family has stages"},
    {"diameter", "", kScalar, kStructure,
     "links of the shortest path of the farthest pair of hosts"},
    {"distance_mean", "", kScalar, kStructure,
     "links of a shortest path, mean over pairs of hosts"},
    {"bisection", "", kScalar, kStructure,
     "cables to be cut to part the hosts into halves, where a closed form exists"},
    {"shortest_paths_min", "", kScalar, kStructure,
     "shortest paths of the pair of hosts with the fewest; label: of pairs at that many links"},
    {"shortest_paths_max", "", kScalar, kStructure,
     "shortest paths of the pair of hosts with the most; label: of pairs at that many links"},
    {"shortest_paths_mean", "", kScalar, kStructure,
     "shortest paths of a pair of hosts, mean; label: of pairs at that many links"},
    {"paths_min", "", kScalar, kStructure,
     "paths that the routing allows the pair of hosts with the fewest (see network.path_pairs)"},
    {"paths_max", "", kScalar, kStructure,
     "paths that the routing allows the pair of hosts with the most (see network.path_pairs)"},
    {"paths_mean", "", kScalar, kStructure,
     "paths that the routing allows a pair of hosts, mean (see network.path_pairs)"},
    {"paths", "", kScalar, kStructure, "paths that the routing allows network.pair"},
    {"route_links", "", kScalar, kStructure, "links of the default route of network.pair"},
    {"route_links_mean", "", kScalar, kStructure, "links of a default route, mean over pairs"},
    {"route_links_max", "", kScalar, kStructure, "links of the longest default route"},
    {"link_routes_min", "", kScalar, kStructure,
     "fewest pairs of hosts whose default route takes a link, over the links of a group (the "
     "label, as of links)"},
    {"link_routes_mean", "", kScalar, kStructure,
     "mean number of pairs of hosts whose default route takes a link, over the links of a group "
     "(the label, as of links)"},
    {"link_routes_max", "", kScalar, kStructure,
     "most pairs of hosts whose default route takes a link, over the links of a group (the label, "
     "as of links)"},
    {"link_destinations_min", "", kScalar, kStructure,
     "fewest destinations of the default routes over a link, over the links of a group (the label, "
     "as of links)"},
    {"link_destinations_mean", "", kScalar, kStructure,
     "mean number of destinations of the default routes over a link, over the links of a group "
     "(the label, as of links)"},
    {"link_destinations_max", "", kScalar, kStructure,
     "most destinations of the default routes over a link, over the links of a group (the label, "
     "as of links)"},
    {"channels", "", kScalar, kStructure, "channels between switches that some route uses"},
    {"dependencies", "", kScalar, kStructure, "channels that wait for each other, pairs"},
    {"dependency_cycle", "", kScalar, kStructure,
     "channels in a cycle of dependencies; 0: the routing cannot deadlock"},
    {"zero_load_latency", "ns", kScalar, kZeroLoad,
     "injection to delivery of a full packet from the first host of network.pair to the second, "
     "alone in the network"},
    {"zero_load_latency_mean", "ns", kScalar, kZeroLoad,
     "injection to delivery of a full packet alone in the network, mean over all pairs of hosts"},
    {"zero_load_latency_max", "ns", kScalar, kZeroLoad,
     "injection to delivery of a full packet alone in the network, farthest pair of hosts"},
    {"round_trip_time", "ns", kScalar, kZeroLoad,
     "zero-load latency of a full packet over network.pair and of its ACK back"},
    {"round_trip_time_max", "ns", kScalar, kZeroLoad,
     "zero-load latency of a full packet and of its ACK back, first pair of the farthest ones"},
});

/// What the source queues of a host adapter cost; experiment.kind = "network".
const MetricTable kAdaptersTable({
    {"source_memory", "B", kScalar, kAdapters,
     "payload that the source queues of a host hold: a window of packets for each destination, one "
     "packet a queue, or a shared memory"},
    {"source_counters", "", kScalar, kAdapters,
     "bits of counters of packets without ACK, one a destination, where packets are not kept"},
    {"source_area", "", kScalar, kAdapters,
     "mm^2 of silicon for both in 45 nm CMOS, by a fit to published areas"},
});

}  // namespace

}  // namespace weir::metrics
