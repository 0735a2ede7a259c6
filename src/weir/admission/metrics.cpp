#include "weir/base/metric_registry.hpp"

namespace weir::admission {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kAdmission = "yan2012, section 3.2";
constexpr const char* kPolicing = "weir2026, docs/mechanisms/admission.md";

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
        {"reservations_exceeded", "", kScalar, kPolicing,
         "sources that sent more than they had reserved, by more than 1 %: bytes on the wire from "
         "the beginning of the first packet to that of the last; label: traffic class. Lower is "
         "better"},
        {"reservation_use_max", "1", kScalar, kPolicing,
         "rate of the source that used most of its reservation, over that reservation; label: "
         "traffic class"},
        {"reservations_left", "Gbps", kScalar, kAdmission,
         "reserved bandwidth over all links when the run ended"},
    },
    "an [admission] model");

/// Of runs whose connections fill arbitration tables.
const MetricTable kEntriesTable(
    {
        {"vl_entries", "", kSeries, "yan2012, section 5.2",
         "entries that connections of a VL have in the arbitration table of a port; label: port "
         "and VL",
         kSeries},
    },
    "admission.tables = \"connections\"");

}  // namespace

}  // namespace weir::admission
