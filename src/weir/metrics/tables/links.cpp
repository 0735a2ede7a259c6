#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kLinks = "iba2015volume1, section 16.1.3";
constexpr const char* kTrees = "lippens2010, section 1.1";
constexpr const char* kSeriesOfLinks = "metrics.links = true";
constexpr const char* kSingleLinks = "metrics.link_series = true";
constexpr std::uint8_t kBoth = kScalar | kSeries;

const MetricTable kLinksTable({
    {"link_utilization", "1", kSeries, kLinks,
     "share of time for which a link was sending; label: transmitting port", 0, kSingleLinks},
    {"link_wait", "1", kSeries, kLinks,
     "share of time for which a link had packets and no credit (the port counter XmitWait); label: "
     "transmitting port. Lower is better",
     0, kSingleLinks},
    {"link_queued", "B", kSeries, kLinks, "bytes that wait for an output; label: transmitting port",
     kSeries, kSingleLinks},
    {"egress_queued", "B", kSeries, "lippens2010, section 4.1.1",
     "bytes that wait in the egress buffer of a port; label: port", kSeries, kSingleLinks},
    {"link_utilization_mean",
     "1",
     kScalar | kSeries,
     kLinks,
     "share of time for which a link was sending, mean over a group of links; label: group",
     0,
     {},
     kSeriesOfLinks},
    {"link_utilization_max",
     "1",
     kScalar | kSeries,
     kLinks,
     "share of time for which the busiest link of a group was sending; label: group",
     0,
     {},
     kSeriesOfLinks},
    {"link_wait_mean",
     "1",
     kScalar | kSeries,
     kLinks,
     "share of time for which a link had packets and no credit (XmitWait), mean over a group of "
     "links; label: group. Lower is better",
     0,
     {},
     kSeriesOfLinks},
    {"link_wait_max",
     "1",
     kScalar | kSeries,
     kLinks,
     "largest share of time for which a link of a group had packets and no credit (XmitWait); "
     "label: group. Lower is better",
     0,
     {},
     kSeriesOfLinks},
    {"hot_link_utilization",
     "1",
     kScalar | kSeries,
     "ferrer2012, section 7.6",
     "share of time for which the links into the hot destinations were sending, mean over them; "
     "label aimed: links at which hot traffic aims at the time, over bins that lie wholly in the "
     "time of an aim (needs metrics.links = true)",
     0,
     {},
     kSeriesOfLinks},
    {"hot_link_queued", "B", kScalar | kSeries, "ferrer2012, section 7.6",
     "bytes in a switch that wait for the link into a hot destination, at its inputs and its "
     "output, mean over these links; scalar: mean over the samples of the measuring window",
     kBoth, kSeriesOfLinks},
    {"hot_link_queued_max", "B", kScalar, "ferrer2012, section 7.6", "the largest of these samples",
     kScalar, kSeriesOfLinks},
    {"ties_per_packet", "1", kScalar, kThisProgram,
     "reasons to decide beyond the first (a new head of a queue, a free link, credit) that an "
     "output of a switch had within one instant, over the packets that switches sent in the whole "
     "run"},
    {"hot_sources", "", kScalar, "rocher2021, section 4.2.1",
     "hosts that send hot traffic with fixed aims; label: switches from the nearest aim on the "
     "default route (1: at the same switch)"},
    {"heads_passed_over", "", kScalar, kThisProgram,
     "packets at the head of a switch's queue that were passed by many others of the same output "
     "and class: more than 8 times the square of the switch's ports, for each queue of an input. "
     "Above 0 somebody starves"},
    {"queued", "B", kScalar | kSeries, "ferrer2012, section 7.6",
     "bytes in all switches that wait for an output, mean over time in the measuring window; "
     "series: in the bin"},
    {"queued_max", "B", kScalar, "ferrer2012, section 7.6",
     "bytes in all switches that wait for an output, largest sample in the measuring window",
     kScalar, kSeriesOfLinks},
    {"buffer_occupancy_mean", "1", kScalar | kSeries, "ferrer2012, section 7.6",
     "filled share of the switches' ingress buffers, mean over buffers and time in the measuring "
     "window; series: in the bin"},
    {"buffer_occupancy_max", "1", kScalar | kSeries, "ferrer2012, section 7.6",
     "filled share of the fullest ingress buffer of a switch", kBoth, kSeriesOfLinks},
    {"buffer_occupancy_used", "1", kScalar, "ferrer2012, section 7.6",
     "filled share of those ingress buffers of switches that hold something, mean over buffers and "
     "samples",
     kScalar, kSeriesOfLinks},
    {"egress_occupancy_mean", "1", kScalar | kSeries, "ferrer2012, section 7.6",
     "filled share of the switches' egress buffers (waiting packets), mean over buffers and time "
     "in the measuring window; series: in the bin"},
    {"egress_occupancy_max", "1", kScalar | kSeries, "ferrer2012, section 7.6",
     "filled share of the fullest egress buffer of a switch", kBoth, kSeriesOfLinks},
    {"egress_occupancy_used", "1", kScalar, "ferrer2012, section 7.6",
     "filled share of those egress buffers of switches that hold something, mean over buffers and "
     "samples",
     kScalar, kSeriesOfLinks},
    {"tree_roots", "", kScalar | kSeries, kTrees,
     "roots of congestion trees; scalar: mean over the samples", kBoth, kSeriesOfLinks},
    {"tree_roots_max", "", kScalar, kTrees, "most roots of congestion trees in one sample", kScalar,
     kSeriesOfLinks},
    {"tree_ports", "", kScalar | kSeries, kTrees,
     "ports that belong to any congestion tree; scalar: mean over the samples", kBoth,
     kSeriesOfLinks},
    {"tree_ports_max", "", kScalar, kTrees,
     "most ports that belong to congestion trees in one sample", kScalar, kSeriesOfLinks},
    {"tree_size", "", kScalar | kSeries, kTrees,
     "ports of the largest congestion tree; scalar: in the largest sample", kBoth, kSeriesOfLinks},
    {"tree_depth", "", kScalar | kSeries, kTrees,
     "links from a root to the farthest branch of its congestion tree; scalar: in the largest "
     "sample",
     kBoth, kSeriesOfLinks},
    {"tree_hosts", "", kScalar | kSeries, kTrees,
     "hosts that a congestion tree holds up at their own link; scalar: in the largest sample",
     kBoth, kSeriesOfLinks},
    {"events", "", kScalar, kThisProgram, "simulated events"},
    {"packet_hops", "", kScalar, kThisProgram, "packets sent over links, one for each link"},
    {"simulated_time", "ns", kScalar, kThisProgram, "simulated time when the run ended"},
    {"warmup_detected", "ns", kScalar, "white2000mser5; white1997truncation",
     "time at which the measuring window begins, as detected from the run itself", 0,
     "experiment.warmup = \"auto\""},
});

}  // namespace

}  // namespace weir::metrics
