#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kHistogram;
using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kSetAside = "recn-fbicm 4.4; runs with an [isolation] model";
constexpr const char* kResources = "recn-fbicm 3.11";

/// Of runs with congestion isolation.
const MetricTable kSetAsideTable(
    {
        {"set_aside_queues", "", kScalar | kSeries, kSetAside,
         "set-aside queues in use, whole network, mean over time in the measuring window; series: "
         "in "
         "the bin"},
        {"set_aside_queues_max", "", kScalar, kSetAside, "most of them at one moment, whole run"},
        {"set_aside_at_side", "", kSeries, kSetAside,
         "set-aside queues in use at one side of a port (the label, as \"sw3[2] egress\"), for the "
         "sides with the most",
         kSeries},
        {"set_aside_at_side_max", "", kScalar | kSeries, kSetAside,
         "most set-aside queues in use at one side of a port; scalar: at any moment of the whole "
         "run",
         kSeries},
        {"set_aside_bytes", "B", kScalar | kSeries, kSetAside,
         "bytes in set-aside queues, mean over time in the measuring window; series: in the bin"},
        {"set_aside_bytes_max", "B", kScalar, kSetAside, "most of them at one moment, whole run"},
        {"set_aside_roots", "", kScalar | kSeries, kSetAside,
         "congested outputs that queues are set aside for, mean over time in the measuring window; "
         "series: in the bin"},
        {"set_aside_roots_max", "", kScalar, kSetAside, "most of them at one moment, whole run"},
        {"set_aside_hops", "", kScalar | kSeries, kSetAside,
         "links from a set-aside queue to the switch of its root, farthest one; scalar: of the "
         "whole "
         "run",
         kSeries},
        {"set_aside_trees", "", kScalar, kSetAside,
         "times at which queues began to be set aside for an output that had none, whole run"},
        {"set_aside_allocations", "", kScalar | kSeries, kSetAside,
         "set-aside queues taken, whole run; series: in the bin"},
        {"set_aside_releases", "", kScalar | kSeries, kSetAside,
         "set-aside queues given back, whole run; series: in the bin"},
        {"set_aside_left", "", kScalar, kSetAside, "set-aside queues in use when the run ended"},
        {"set_aside_refusals", "", kScalar | kSeries, kSetAside,
         "requests for a set-aside queue that were refused, whole run (series: in the bin); label: "
         "why: "
         "full (no queue was free) or specific (the point lies behind another one, basic RECN)"},
        {"set_aside_detections", "", kScalar | kSeries, kSetAside,
         "times a normal queue was found congested, whole run; series: in the bin"},
        {"set_aside_notifications", "", kScalar | kSeries, kSetAside,
         "requests for a set-aside queue sent, inside switches and over links, whole run; series: "
         "in "
         "the bin"},
        {"control_messages", "", kScalar | kSeries, kSetAside,
         "messages of the isolation mechanism over links, whole run; series: in the bin"},
        {"control_bytes", "B", kScalar | kSeries, kSetAside,
         "their bytes, whole run; series: in the bin"},
        {"control_overhead", "1", kScalar | kSeries, kSetAside,
         "their share of all bytes on links; scalar: in the measuring window"},
        {"set_aside_lifetime", "ns", kHistogram, kSetAside,
         "time that a set-aside queue was in use, of those given back in the whole run: "
         "distribution"},
        {"set_aside_lifetime_mean", "ns", kScalar, kSetAside, "the same: mean"},
        {"set_aside_lifetime_max", "ns", kScalar, kSetAside, "the same: largest"},
        {"set_aside_lifetime_p50", "ns", kScalar, kSetAside, "the same: median"},
        {"set_aside_lifetime_p90", "ns", kScalar, kSetAside, "the same: 90th percentile"},
        {"set_aside_lifetime_p99", "ns", kScalar, kSetAside, "the same: 99th percentile"},
    },
    "an [isolation] model");

/// What the queueing scheme costs, in every run.
const MetricTable kResourcesTable({
    {"queues_per_port", "", kScalar, kResources,
     "queues of the switch port with the most of them; label: of its ingress or egress side"},
    {"cam_lines_per_port", "", kScalar, kResources,
     "lines of associative memory of that port, for queues that are set aside during the run; "
     "label: of one side"},
    {"memory_per_port", "B", kScalar, kResources,
     "packet memory of that port; label: of one side. Nothing for ideal output queues"},
    {"memory_per_class", "B", kScalar, kResources,
     "packet memory that a buffer class has for itself, where not all classes share; label: side"},
    {"queues_per_host", "", kScalar, kResources,
     "source queues of a host, and queues of its injection buffer where congestion isolation has "
     "one"},
    {"queues_total", "", kScalar, kResources,
     "queues of all cabled switch ports; label: of their ingress or egress sides, or the "
     "queues of all hosts (host)"},
    {"cam_lines_total", "", kScalar, kResources,
     "lines of associative memory of all cabled switch ports; label: of one side, or of all hosts "
     "(host)"},
    {"memory_total", "B", kScalar, kResources,
     "packet memory of all cabled switch ports; label: of one side, or of the source queues of all "
     "hosts, where they are bounded (host)"},
});

}  // namespace

}  // namespace weir::metrics
