#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kMarks = "ferrer2012, section 4.2";
constexpr const char* kAdmission = "yan2012, section 3.2";

/// Of runs with a marker. The bits mean what the marker says.
const MetricTable kMarksTable(
    {
        {"marked_a", "1", kScalar | kSeries, kMarks,
         "share of the delivered data packets that carry mark bit A; scalar: in the measuring "
         "window"},
        {"marked_b", "1", kScalar | kSeries, kMarks,
         "share of the delivered data packets that carry mark bit B; scalar: in the measuring "
         "window"},
        {"marked_both", "1", kScalar | kSeries, kMarks,
         "share of the delivered data packets that carry both mark bits; scalar: in the measuring "
         "window"},
        {"marked_any", "1", kScalar | kSeries, kMarks,
         "share of the delivered data packets that carry at least one mark bit; scalar: in the "
         "measuring window"},
        {"marks", "", kScalar | kSeries, kMarks,
         "mark bits set by switches in the whole run (series: in the bin), where the packet did "
         "not carry the bit yet; label: A or B"},
        {"marks_repeated", "", kScalar, kMarks,
         "times in the whole run that a switch would have set a bit that the packet carried "
         "already; label: A or B"},
        {"first_mark", "ns", kScalar, kMarks, "time of the first mark; label: bit A or B"},
        {"last_mark", "ns", kScalar, kMarks, "time of the last mark; label: bit A or B"},
        {"marks_at_port", "", kScalar, kMarks,
         "mark bits set at a port in the whole run, for the ports with the most; label: port"},
    },
    "a [marking] model");

/// Of runs with admission control.
const MetricTable kAdmissionTable(
    {
        {"connections_asked", "", kScalar, kAdmission,
         "connections that asked for bandwidth, whole run"},
        {"connections_accepted", "", kScalar, kAdmission,
         "connections that were given the bandwidth they asked for, whole run"},
        {"connections_rejected", "", kScalar, kAdmission,
         "rejections of connections, whole run. Lower is better"},
        {"connections_given_up", "", kScalar, kAdmission,
         "connections that did not ask again after a rejection, whole run. Lower is better"},
        {"connections_released", "", kScalar, kAdmission,
         "connections that ended and released their bandwidth, whole run"},
        {"connection_setup", "ns", kScalar, kAdmission,
         "time from the first request of an accepted connection to its acceptance, mean over the "
         "whole run. Lower is better"},
        {"reserved_share", "1", kSeries, kAdmission,
         "reserved share of the bandwidth of the most reserved link", kSeries},
        {"reserved_share_max", "1", kScalar, kAdmission,
         "reserved share of the bandwidth of the most reserved link, largest at any moment of the "
         "whole run"},
        {"reservations_left", "Gbps", kScalar, kAdmission,
         "reserved bandwidth over all links when the run ended"},
    },
    "an [admission] model");

}  // namespace

}  // namespace weir::metrics
