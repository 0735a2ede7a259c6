#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kHistogram;
using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kSetAside = "lippens2010, section 4";
constexpr const char* kResources = "lippens2010, section 5";

/// Of runs with congestion isolation, as seen from outside; what the mechanism counts it tells.
const MetricTable kSetAsideTable(
    {
        {"set_aside_at_side", "", kSeries, kSetAside,
         "set-aside queues in use at one side of a port, for the sides with the most; label: side, "
         "as in \"sw3[2] egress\"",
         kSeries},
        {"set_aside_at_side_max", "", kScalar | kSeries, kSetAside,
         "most set-aside queues in use at one side of a port; scalar: at any moment of the whole "
         "run",
         kSeries},
        {"set_aside_roots", "", kScalar | kSeries, kSetAside,
         "congested outputs for which queues are set aside, mean over time in the measuring "
         "window; series: in the bin"},
        {"set_aside_roots_max", "", kScalar, kSetAside,
         "most congested outputs for which queues are set aside at one moment of the whole run"},
        {"set_aside_hops", "", kScalar | kSeries, kSetAside,
         "links from a set-aside queue to the switch of its root, for the farthest one; scalar: of "
         "the whole run",
         kSeries},
        {"set_aside_trees", "", kScalar, kSetAside,
         "times that queues began to be set aside for an output that had none, whole run"},
        {"set_aside_lifetime", "ns", kHistogram, kSetAside,
         "time for which a set-aside queue was in use, of those given back in the whole run"},
        {"set_aside_lifetime_mean", "ns", kScalar, kSetAside,
         "time for which a set-aside queue was in use, of those given back in the whole run: mean"},
        {"set_aside_lifetime_max", "ns", kScalar, kSetAside,
         "time for which a set-aside queue was in use, of those given back in the whole run: "
         "largest"},
        {"set_aside_lifetime_p50", "ns", kScalar, kSetAside,
         "time for which a set-aside queue was in use, of those given back in the whole run: "
         "median"},
        {"set_aside_lifetime_p90", "ns", kScalar, kSetAside,
         "time for which a set-aside queue was in use, of those given back in the whole run: 90th "
         "percentile"},
        {"set_aside_lifetime_p99", "ns", kScalar, kSetAside,
         "time for which a set-aside queue was in use, of those given back in the whole run: 99th "
         "percentile"},
    },
    "an [isolation] model");

/// What the queueing scheme costs, in every run.
const MetricTable kResourcesTable({
    {"queues_per_port", "", kScalar, kResources,
     "queues of the switch port with the most queues; label: its ingress or egress side. Lower is "
     "cheaper"},
    {"cam_lines_per_port", "", kScalar, kResources,
     "lines of associative memory of a switch port, for queues that are set aside during the run; "
     "label: one side. Lower is cheaper"},
    {"memory_per_port", "B", kScalar, kResources,
     "packet memory of the switch port with the most; label: one side. Nothing for ideal output "
     "queues. Lower is cheaper"},
    {"memory_per_class", "B", kScalar, kResources,
     "packet memory that a buffer class has for itself, where not all classes share; label: side"},
    {"queues_per_host", "", kScalar, kResources,
     "source queues of a host, with the queues of its injection buffer where congestion isolation "
     "has one. Lower is cheaper"},
    {"queues_total", "", kScalar, kResources,
     "queues of all cabled switch ports; label: their ingress or egress sides, or host for the "
     "queues of all hosts. Lower is cheaper"},
    {"cam_lines_total", "", kScalar, kResources,
     "lines of associative memory of all cabled switch ports; label: one side, or host for those "
     "of all hosts. Lower is cheaper"},
    {"memory_total", "B", kScalar, kResources,
     "packet memory of all cabled switch ports; label: one side, or host for the bounded source "
     "queues of all hosts. Lower is cheaper"},
});

}  // namespace

}  // namespace weir::metrics
