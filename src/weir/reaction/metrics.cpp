#include "weir/base/metric_registry.hpp"

namespace weir::reaction {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kReaction = "ferrer2012, section 5.2; yan2012, section 3.3.2";

const MetricTable kReactionsTable(
    {
        {"window_reductions", "", kScalar | kSeries, kReaction,
         "times that marks made the window of a flow smaller, whole run; series: in the bin"},
        {"window_increases", "", kScalar | kSeries, kReaction,
         "times that unmarked ACKs made the window of a flow larger again, whole run; series: in "
         "the bin"},
        {"delay_increases", "", kScalar | kSeries, kReaction,
         "times that marks made a flow wait longer between packets (more slots, a lower rate or a "
         "higher index), whole run; series: in the bin"},
        {"delay_reductions", "", kScalar | kSeries, kReaction,
         "unmarked ACKs that took back some or all of a flow's wait between packets, whole run; "
         "series: in the bin"},
        {"fresh_starts", "", kScalar | kSeries, kReaction,
         "throttled flows whose queue ran empty and that began as new ones (immediate recovery), "
         "whole run; series: in the bin"},
        {"packets_held", "", kScalar | kSeries, kReaction,
         "packets injected later because marks had throttled their flow, whole run (series: in the "
         "bin); those of cold traffic were throttled wrongly. Lower is better there"},
        {"throttled_flows", "1", kScalar | kSeries, kReaction,
         "share of the active flows (packets waiting or on their way) that marks have throttled, "
         "mean over flows and time in the measuring window; series: in the bin"},
        {"window", "", kScalar | kSeries, kReaction,
         "congestion window of the active flows in packets, mean over flows and time in the "
         "measuring window; series: in the bin"},
        {"injection_rate", "1", kScalar | kSeries, kReaction,
         "rate that the reaction allows an active flow over the rate of its link, mean over flows "
         "and time in the measuring window; series: in the bin"},
    },
    "a [reaction] model");

}  // namespace

}  // namespace weir::reaction
