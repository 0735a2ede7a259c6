#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

constexpr const char* kStructure = "dally2004principles, section 3.1";
constexpr const char* kAdapters = "ferrer2012, sections 6.4 and 8.6.2";
constexpr const char* kZeroLoad = "ferrer2012, section 5.3.1";

/// Of networks that are measured without simulating (experiment.kind = "network").
const MetricTable kNetworkTable({
    {"hosts", "", kScalar, kStructure, "hosts of the network"},
    {"switches", "", kScalar, kStructure, "switches of the network; label: stage"},
    {"cables", "", kScalar, kStructure,
     "cables of the network, those of hosts included; one-way links count each"},
    {"cable_delay_min", "ns", kScalar, "weir2026, docs/guide/statistics.md",
     "propagation delay of the shortest cable, where the seed draws the lengths"},
    {"cable_delay_mean", "ns", kScalar, "weir2026, docs/guide/statistics.md",
     "propagation delay of a cable, where the seed draws the lengths, mean over all cables"},
    {"cable_delay_max", "ns", kScalar, "weir2026, docs/guide/statistics.md",
     "propagation delay of the longest cable, where the seed draws the lengths"},
    {"links", "", kScalar, kStructure,
     "one-way links of a group; label: injection, ejection, up, down, horizontal or switch, with "
     "the stage that they leave, as in \"up 1\""},
    {"ports", "", kScalar, kStructure, "cabled ports of all switches"},
    {"ports_built", "", kScalar, kStructure,
     "ports of all switches, with those that no cable uses, as at the ends of a line"},
    {"switch_ports_min", "", kScalar, kStructure, "cabled ports of the smallest switch"},
    {"switch_ports_max", "", kScalar, kStructure, "cabled ports of the largest switch"},
    {"stages", "", kScalar, kStructure, "stages of switches, where the family has stages"},
    {"diameter", "", kScalar, kStructure,
     "links of the shortest path between the farthest pair of hosts"},
    {"distance_mean", "", kScalar, kStructure,
     "links of a shortest path, mean over pairs of hosts"},
    {"bisection", "", kScalar, kStructure,
     "cables that part the hosts into halves, where a closed form exists"},
    {"shortest_paths_min", "", kScalar, kStructure,
     "shortest paths of the pair of hosts with the fewest; label: links between the hosts of the "
     "pairs"},
    {"shortest_paths_max", "", kScalar, kStructure,
     "shortest paths of the pair of hosts with the most; label: links between the hosts of the "
     "pairs"},
    {"shortest_paths_mean", "", kScalar, kStructure,
     "shortest paths of a pair of hosts, mean over the pairs; label: links between the hosts of "
     "the pairs"},
    {"paths_min", "", kScalar, kStructure,
     "paths that the routing allows the pair of hosts with the fewest (pairs: network.path_pairs)"},
    {"paths_max", "", kScalar, kStructure,
     "paths that the routing allows the pair of hosts with the most (pairs: network.path_pairs)"},
    {"paths_mean", "", kScalar, kStructure,
     "paths that the routing allows a pair of hosts, mean over the pairs (pairs: "
     "network.path_pairs)"},
    {"paths", "", kScalar, kStructure,
     "paths that the routing allows the pair of hosts network.pair"},
    {"route_links", "", kScalar, kStructure,
     "links of the default route of the pair of hosts network.pair"},
    {"route_links_mean", "", kScalar, kStructure,
     "links of a default route, mean over pairs of hosts"},
    {"route_links_max", "", kScalar, kStructure, "links of the longest default route"},
    {"link_routes_min", "", kScalar, kStructure,
     "pairs of hosts whose default route takes a link, for the link of a group with the fewest; "
     "label: group of links"},
    {"link_routes_mean", "", kScalar, kStructure,
     "pairs of hosts whose default route takes a link, mean over the links of a group; label: "
     "group of links"},
    {"link_routes_max", "", kScalar, kStructure,
     "pairs of hosts whose default route takes a link, for the link of a group with the most; "
     "label: group of links"},
    {"link_destinations_min", "", kScalar, kStructure,
     "destinations of the default routes over a link, for the link of a group with the fewest; "
     "label: group of links"},
    {"link_destinations_mean", "", kScalar, kStructure,
     "destinations of the default routes over a link, mean over the links of a group; label: group "
     "of links"},
    {"link_destinations_max", "", kScalar, kStructure,
     "destinations of the default routes over a link, for the link of a group with the most; "
     "label: group of links"},
    {"channels", "", kScalar, kStructure, "channels between switches that some route uses"},
    {"dependencies", "", kScalar, kStructure, "pairs of channels of which one waits for the other"},
    {"dependency_cycle", "", kScalar, kStructure,
     "channels in a cycle of dependencies; 0: the routing cannot deadlock"},
    {"zero_load_latency", "ns", kScalar, kZeroLoad,
     "time from injection to delivery of a full packet over the pair of hosts network.pair, alone "
     "in the network. Lower is better"},
    {"zero_load_latency_mean", "ns", kScalar, kZeroLoad,
     "time from injection to delivery of a full packet alone in the network, mean over all pairs "
     "of hosts. Lower is better"},
    {"zero_load_latency_max", "ns", kScalar, kZeroLoad,
     "time from injection to delivery of a full packet alone in the network, over the farthest "
     "pair of hosts. Lower is better"},
    {"round_trip_time", "ns", kScalar, kZeroLoad,
     "zero-load latency of a full packet over the pair of hosts network.pair and of its ACK back. "
     "Lower is better"},
    {"round_trip_time_max", "ns", kScalar, kZeroLoad,
     "zero-load latency of a full packet and of its ACK back, over the first of the farthest pairs "
     "of hosts. Lower is better"},
});

/// What the source queues of a host adapter cost; experiment.kind = "network".
const MetricTable kAdaptersTable({
    {"source_memory", "B", kScalar, kAdapters,
     "payload that the source queues of a host hold: a window of packets for each destination, one "
     "packet a queue, or a shared memory. Lower is cheaper"},
    {"source_counters", "", kScalar, kAdapters,
     "bits of counters of unacknowledged packets, one counter a destination, where packets are not "
     "kept. Lower is cheaper"},
    {"source_area", "", kScalar, kAdapters,
     "silicon of a host's source queues and counters in 45 nm CMOS, in mm^2, by a fit to published "
     "areas. Lower is cheaper"},
});

}  // namespace

}  // namespace weir::metrics
