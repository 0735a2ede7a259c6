#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kNotifications = "rocher2021, section 3";

/// Of runs with any selection but "fixed".
const MetricTable kSelectionsTable(
    {
        {"diverted", "", kScalar | kSeries, kNotifications,
         "times that a packet left its default route, whole run; series: in the bin"},
        {"adapted", "", kScalar | kSeries, kNotifications,
         "packets that became adapted packets (isolation of adapted flows), whole run (series: in "
         "the bin); label: switch or host, where it happened"},
        {"adapted_delivered", "", kScalar, kNotifications,
         "adapted data packets delivered, whole run"},
        {"adapted_innocent", "", kScalar, kNotifications,
         "adapted data packets delivered to hosts to which no hot traffic goes, whole run; runs "
         "with hot traffic. Lower is better"},
    },
    "a [selection] model other than fixed");

}  // namespace

}  // namespace weir::metrics
