#pragma once

#include "weir/fabric/flow_routing.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::metrics {

/// What flow routing by packets did and cost in the whole run (explicit-rates 3.7).
void report_flow_routing(RunResult& result, const fabric::FlowRouting& flow_routing);

}  // namespace weir::metrics
