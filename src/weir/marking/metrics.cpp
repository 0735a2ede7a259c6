#include "weir/base/metric_registry.hpp"

namespace weir::marking {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kMarks = "ferrer2012, section 4.2";

/// Of all markers. The bits mean what the marker says.
const MetricTable kMarksTable(
    {
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

}  // namespace

}  // namespace weir::marking
