#include "weir/base/metric_registry.hpp"

namespace weir::selection {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kNotifications = "rocher2021, section 3";

const MetricTable kNotificationsTable(
    {
        {"notifications", "", kScalar | kSeries, kNotifications,
         "adaptive routing notifications sent, whole run; series: in the bin. Lower is better"},
        {"notification_bytes", "B", kScalar, kNotifications,
         "bytes of adaptive routing notifications, whole run. Lower is better"},
        {"roots_declared", "", kScalar | kSeries, kNotifications,
         "outputs that the congestion detector declared to be roots of congestion, whole run; "
         "series: in the bin"},
        {"roots", "", kScalar | kSeries, kNotifications,
         "outputs that the congestion detector holds for roots of congestion, mean over time in "
         "the measuring window; series: in the bin"},
        {"roots_max", "", kScalar, kNotifications,
         "most outputs that the congestion detector held for roots of congestion at one moment of "
         "the whole run"},
        {"notification_entries", "", kScalar | kSeries, kNotifications,
         "live entries in the notification tables of all switches; scalar: mean over the samples",
         kScalar | kSeries},
        {"notification_entries_max", "", kScalar, kNotifications,
         "live entries in the notification tables of all switches, largest sample", kScalar},
        {"notification_entries_consumed", "", kScalar | kSeries, kNotifications,
         "live entries of notification tables for which the switch diverts packets; scalar: mean "
         "over the samples",
         kScalar | kSeries},
        {"notification_entries_at_switch", "", kScalar | kSeries, kNotifications,
         "live entries in the fullest notification table of a switch; scalar: mean over the "
         "samples",
         kScalar | kSeries},
        {"notification_entries_at_switch_max", "", kScalar, kNotifications,
         "live entries in the fullest notification table of a switch, largest sample", kScalar},
        {"notification_entries_at_hosts", "", kScalar | kSeries, kNotifications,
         "live entries in the notification tables of all hosts; scalar: mean over the samples",
         kScalar | kSeries},
        {"notification_entries_at_hosts_max", "", kScalar, kNotifications,
         "live entries in the notification tables of all hosts, largest sample", kScalar},
        {"notification_entries_made", "", kScalar, kNotifications,
         "entries that switches made in their notification tables, whole run"},
        {"notification_entries_evicted", "", kScalar, kNotifications,
         "entries of full notification tables (selection.table_entries) that made room for others, "
         "whole run. Lower is better"},
        {"notification_entries_left", "", kScalar, kNotifications,
         "live entries in the notification tables of switches when the run ended"},
    },
    "a [selection] model other than fixed");

}  // namespace

}  // namespace weir::selection
