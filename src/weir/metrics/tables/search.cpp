#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

/// Of searches (experiment.find).
const MetricTable kSearchTable({
    {"saturation_load", "1", kScalar, kThisProgram,
     "load from which on what waits at the sources grows without end; all other numbers of such a "
     "run are those of the highest load below it that was tried"},
    {"saturation_throughput", "Gbps", kScalar, kThisProgram,
     "delivered payload of the varied traffic at the highest load that was still delivered"},
    {"probe_load", "1", kScalar, kThisProgram,
     "load that a search tried; label: number of the probe"},
    {"probe_delivered", "1", kScalar, kThisProgram, "of that load, what was delivered"},
    {"probe_latency", "ns", kScalar, kThisProgram,
     "mean latency of the varied traffic at that load"},
});

}  // namespace

}  // namespace weir::metrics
