#pragma once

#include "weir/fabric/hooks/flow_routing.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::metrics {

/// What flow routing by packets did and cost in the whole run (zdornov2009, chapter 3).
void report_flow_routing(RunResult& result, const fabric::FlowRouting& flow_routing);

}  // namespace weir::metrics
