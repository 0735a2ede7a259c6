#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kLinks = "InfiniBand port counters (PortXmitData, PortXmitWait)";
constexpr const char* kTrees = "recn-fbicm 3.4, glossary: root, branch, leaf";
constexpr const char* kSeriesOfLinks = "metrics.links = true";
constexpr std::uint8_t kBoth = kScalar | kSeries;

const MetricTable kLinksTable({
    {"link_utilization", "1", kSeries, kLinks,
     "share of time a link was sending; label: transmitting port", 0, kSeriesOfLinks},
    {"link_wait", "1", kSeries, kLinks,
     "share of time a link had packets and no credit (XmitWait); label: transmitting port", 0,
     kSeriesOfLinks},
    {"link_queued", "B", kSeries, kLinks, "bytes waiting for an output; label: transmitting port",
     kSeries, kSeriesOfLinks},
    {"egress_queued", "B", kSeries, "recn-fbicm 3.3",
     "those of them in the egress buffer of the port (the label); the others wait at ingress",
     kSeries, kSeriesOfLinks},
    {"link_utilization_mean",
     "1",
     kScalar | kSeries,
     kLinks,
     "mean over a group of links (the label)",
     0,
     {},
     kSeriesOfLinks},
    {"link_utilization_max",
     "1",
     kScalar | kSeries,
     kLinks,
     "busiest link of a group (the label)",
     0,
     {},
     kSeriesOfLinks},
    {"link_wait_mean",
     "1",
     kScalar | kSeries,
     kLinks,
     "mean XmitWait share over a group of links",
     0,
     {},
     kSeriesOfLinks},
    {"link_wait_max",
     "1",
     kScalar | kSeries,
     kLinks,
     "largest XmitWait share of a group of links",
     0,
     {},
     kSeriesOfLinks},
    {"hot_link_utilization",
     "1",
     kScalar | kSeries,
     "packet-marking 4.6",
     "mean share of time that the links into the hot destinations were sending; label aimed: of "
     "those that hot traffic has as its aim at the time, over bins that lie wholly in the time of "
     "an "
     "aim (which needs metrics.links = true)",
     0,
     {},
     kSeriesOfLinks},
    {"ties_per_packet", "1", kScalar, kThisProgram,
     "reasons to decide beyond the first (a new head of a queue, its link, credit) that an output "
     "of a switch had within one instant, over the packets that switches sent; whole run"},
    {"hot_sources", "", kScalar, "adaptive-routing-notifications 7, G-14",
     "hosts that hot traffic with fixed aims comes from; label: that many switches from the "
     "nearest "
     "aim on the default route (1: at the same switch)"},
    {"heads_passed_over", "", kScalar, kThisProgram,
     "packets at the head of a queue in a switch that many others of the same output and class "
     "have "
     "passed: more than 8 times the square of the switch's ports, for each queue of an input; a "
     "rule "
     "that lets this happen starves somebody"},
    {"queued", "B", kScalar | kSeries, "packet-marking 4.6",
     "bytes in switches that wait for an output, whole network, mean over time in the measuring "
     "window; series: in the bin"},
    {"queued_max", "B", kScalar, "packet-marking 4.6",
     "the same, largest sample in the measuring window", kScalar, kSeriesOfLinks},
    {"buffer_occupancy_mean", "1", kScalar | kSeries, "packet-marking 4.6",
     "filled share of the switches' ingress buffers, mean over buffers and time in the measuring "
     "window; series: in the bin"},
    {"buffer_occupancy_max", "1", kScalar | kSeries, "packet-marking 4.6",
     "filled share of the fullest ingress buffer of a switch", kBoth, kSeriesOfLinks},
    {"buffer_occupancy_used", "1", kScalar, "packet-marking 7.4",
     "filled share of those ingress buffers of switches that hold something, mean over buffers and "
     "samples",
     kScalar, kSeriesOfLinks},
    {"egress_occupancy_mean", "1", kScalar | kSeries, "packet-marking 4.6",
     "filled share of the switches' egress buffers (packets that wait), mean over buffers and time "
     "in the measuring window; series: in the bin"},
    {"egress_occupancy_max", "1", kScalar | kSeries, "packet-marking 4.6",
     "filled share of the fullest egress buffer of a switch", kBoth, kSeriesOfLinks},
    {"egress_occupancy_used", "1", kScalar, "packet-marking 7.4",
     "filled share of those egress buffers of switches that hold something, mean over buffers and "
     "samples",
     kScalar, kSeriesOfLinks},
    {"tree_roots", "", kScalar | kSeries, kTrees,
     "congestion trees (roots) at a sample; scalar: mean", kBoth, kSeriesOfLinks},
    {"tree_roots_max", "", kScalar, kTrees, "most congestion trees in one sample", kScalar,
     kSeriesOfLinks},
    {"tree_ports", "", kScalar | kSeries, kTrees, "ports in any congestion tree; scalar: mean",
     kBoth, kSeriesOfLinks},
    {"tree_ports_max", "", kScalar, kTrees, "most ports in congestion trees in one sample", kScalar,
     kSeriesOfLinks},
    {"tree_size", "", kScalar | kSeries, kTrees,
     "ports of the largest congestion tree; scalar: largest", kBoth, kSeriesOfLinks},
    {"tree_depth", "", kScalar | kSeries, kTrees,
     "links from a root to its farthest branch; scalar: largest", kBoth, kSeriesOfLinks},
    {"tree_hosts", "", kScalar | kSeries, kTrees,
     "hosts that a congestion tree holds up at their own link; scalar: largest", kBoth,
     kSeriesOfLinks},
    {"events", "", kScalar, kThisProgram, "events simulated"},
    {"packet_hops", "", kScalar, kThisProgram, "packets sent over a link, summed over links"},
    {"simulated_time", "ns", kScalar, kThisProgram, "simulated time at the end"},
    {"warmup_detected", "ns", kScalar, "MSER-5 (White, Cobb, Spratt 2000)",
     "where the measuring window begins", 0, "experiment.warmup = \"auto\""},
});

}  // namespace

}  // namespace weir::metrics
