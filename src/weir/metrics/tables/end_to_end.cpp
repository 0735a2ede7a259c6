#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kMarks = "packet-marking 5.1, 5.2; runs with a [marking] model";
constexpr const char* kReaction =
    "packet-marking 3.4, 5.19; infiniband-queueing 3.5; runs with a [reaction] model";
constexpr const char* kAdmission = "infiniband-queueing 3.3; runs with an [admission] model";

/// Of runs with a marker. The bits mean what the marker says.
const MetricTable kMarksTable(
    {
        {"marked_a", "1", kScalar | kSeries, kMarks,
         "share of the delivered data packets that carry mark bit A; scalar: in the measuring "
         "window"},
        {"marked_b", "1", kScalar | kSeries, kMarks, "the same for bit B"},
        {"marked_both", "1", kScalar | kSeries, kMarks, "the same for both bits"},
        {"marked_any", "1", kScalar | kSeries, kMarks, "the same for at least one bit"},
        {"marks", "", kScalar | kSeries, kMarks,
         "mark bits that switches set, whole run (series: in the bin); label: A or B. A packet "
         "that "
         "has the bit is not counted again"},
        {"marks_repeated", "", kScalar, kMarks,
         "times that a switch would have set the bit (the label) and the packet had it, whole run"},
        {"first_mark", "ns", kScalar, kMarks, "time of the first mark with the bit (the label)"},
        {"last_mark", "ns", kScalar, kMarks, "time of the last mark with the bit (the label)"},
        {"marks_at_port", "", kScalar, kMarks,
         "mark bits set at a port (the label), whole run, for the ports with the most"},
    },
    "a [marking] model");

/// Of runs with a source reaction.
const MetricTable kReactionsTable(
    {
        {"window_reductions", "", kScalar | kSeries, kReaction,
         "times that marks made the window of a flow smaller, whole run; series: in the bin"},
        {"window_increases", "", kScalar | kSeries, kReaction,
         "times that ACKs without mark made it larger again, whole run; series: in the bin"},
        {"delay_increases", "", kScalar | kSeries, kReaction,
         "times that marks made a flow wait longer between packets (more slots, a lower rate, a "
         "higher "
         "index), whole run; series: in the bin"},
        {"delay_reductions", "", kScalar | kSeries, kReaction,
         "ACKs without mark that found a flow waiting so, and took some or all of it back, whole "
         "run; "
         "series: in the bin"},
        {"fresh_starts", "", kScalar | kSeries, kReaction,
         "throttled flows whose queue ran empty and that began as new ones (immediate recovery), "
         "whole "
         "run; series: in the bin"},
        {"packets_held", "", kScalar | kSeries, kReaction,
         "packets that were injected later because marks had throttled their flow, whole run "
         "(series: "
         "in the bin); of cold traffic: wrongly throttled"},
        {"throttled_flows", "1", kScalar | kSeries, kReaction,
         "share of the flows with packets waiting or on their way that marks have throttled, mean "
         "over "
         "flows and time in the measuring window; series: in the bin"},
        {"window", "", kScalar | kSeries, kReaction,
         "window of those flows in packets, mean over flows and time in the measuring window; "
         "series: "
         "in the bin"},
        {"injection_rate", "1", kScalar | kSeries, kReaction,
         "rate that the reaction allows those flows, over that of the link, mean over flows and "
         "time "
         "in the measuring window; series: in the bin"},
    },
    "a [reaction] model");

/// Of runs with admission control.
const MetricTable kAdmissionTable(
    {
        {"connections_asked", "", kScalar, kAdmission,
         "connections that asked for bandwidth, whole run"},
        {"connections_accepted", "", kScalar, kAdmission, "connections that got it, whole run"},
        {"connections_rejected", "", kScalar, kAdmission,
         "times that a connection was rejected, whole run"},
        {"connections_given_up", "", kScalar, kAdmission,
         "connections that did not ask again after a rejection, whole run"},
        {"connections_released", "", kScalar, kAdmission,
         "connections that have ended and hold no bandwidth any more, whole run"},
        {"connection_setup", "ns", kScalar, kAdmission,
         "from the first question of an accepted connection to its acceptance, mean over the whole "
         "run"},
        {"reserved_share", "1", kSeries, kAdmission,
         "share of its bandwidth that the most reserved link has given away", kSeries},
        {"reserved_share_max", "1", kScalar, kAdmission,
         "the same, largest at any moment of the whole run"},
        {"reservations_left", "Gbps", kScalar, kAdmission,
         "reserved bandwidth over all links when the run ended"},
    },
    "an [admission] model");

}  // namespace

}  // namespace weir::metrics
