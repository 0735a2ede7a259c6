#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kNotifications = "adaptive-routing-notifications 4.4";

/// Of runs with any selection but "fixed".
const MetricTable kSelectionsTable(
    {
        {"diverted", "", kScalar | kSeries, kNotifications,
         "times that a packet left its default route, whole run; series: in the bin"},
        {"adapted", "", kScalar | kSeries, kNotifications,
         "packets that became adapted (isolation of adapted flows), whole run (series: in the "
         "bin); "
         "label: where: switch or host"},
        {"adapted_delivered", "", kScalar, kNotifications,
         "adapted data packets delivered, whole run"},
        {"adapted_innocent", "", kScalar, kNotifications,
         "of these, those to hosts that no hot traffic goes to; runs with hot traffic"},
        {"notifications", "", kScalar | kSeries, kNotifications,
         "adaptive routing notifications sent, whole run; series: in the bin"},
        {"notification_bytes", "B", kScalar, kNotifications, "their bytes, whole run"},
        {"roots_declared", "", kScalar | kSeries, kNotifications,
         "outputs that the congestion detector declared to be roots, whole run; series: in the "
         "bin"},
        {"roots", "", kScalar | kSeries, kNotifications,
         "outputs that it holds for roots, mean over time in the measuring window; series: in the "
         "bin"},
        {"roots_max", "", kScalar, kNotifications, "most of them at one moment, whole run"},
        {"notification_entries", "", kScalar | kSeries, kNotifications,
         "live entries in the notification tables of all switches; scalar: mean over the samples",
         kScalar | kSeries},
        {"notification_entries_max", "", kScalar, kNotifications, "the same, largest sample",
         kScalar},
        {"notification_entries_consumed", "", kScalar | kSeries, kNotifications,
         "of these, those for which the switch diverts packets; scalar: mean over the samples",
         kScalar | kSeries},
        {"notification_entries_at_switch", "", kScalar | kSeries, kNotifications,
         "live entries in the fullest table of a switch; scalar: mean over the samples",
         kScalar | kSeries},
        {"notification_entries_at_switch_max", "", kScalar, kNotifications,
         "the same, largest sample", kScalar},
        {"notification_entries_at_hosts", "", kScalar | kSeries, kNotifications,
         "live entries in all hosts; scalar: mean over the samples", kScalar | kSeries},
        {"notification_entries_at_hosts_max", "", kScalar, kNotifications,
         "the same, largest sample", kScalar},
        {"notification_entries_made", "", kScalar, kNotifications,
         "entries that switches made, whole run"},
        {"notification_entries_evicted", "", kScalar, kNotifications,
         "entries that made room for others in full tables (selection.table_entries), whole run"},
        {"notification_entries_left", "", kScalar, kNotifications,
         "live entries in switches when the run ended"},
    },
    "a [selection] model other than fixed");

}  // namespace

}  // namespace weir::metrics
