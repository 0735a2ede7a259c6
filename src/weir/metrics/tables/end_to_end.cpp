#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kMarks = "ferrer2012, section 4.2";

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
    },
    "a [marking] model");

}  // namespace

}  // namespace weir::metrics
