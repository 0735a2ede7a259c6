#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

/// Of searches (experiment.find).
const MetricTable kSearchTable({
    {"saturation_load", "1", kScalar, kThisProgram,
     "load beyond which the backlog of the sources grows without end; all other numbers of such a "
     "run are those of the highest load below it that was tried. Higher is better"},
    {"saturation_throughput", "Gbps", kScalar, kThisProgram,
     "delivered payload of the varied traffic at the highest load that was still delivered. Higher "
     "is better"},
    {"probe_load", "1", kScalar, kThisProgram,
     "load that the search tried; label: number of the probe"},
    {"probe_delivered", "1", kScalar, kThisProgram,
     "delivered payload of the varied traffic at the load of a probe; label: number of the probe"},
    {"probe_latency", "ns", kScalar, kThisProgram,
     "mean latency of the varied traffic at the load of a probe; label: number of the probe"},
});

}  // namespace

}  // namespace weir::metrics
