#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

constexpr const char* kFlowRouting =
    "explicit-rates 3.7; simulations with flow_routing.set_up = \"packets\"";
constexpr const char* kCalculation = "explicit-rates 4.2; experiment.kind = \"rates\"";
constexpr const char* kFlowRates = "explicit-rates 4.2; simulations with endless [[flow]]s";

/// Of flow routing by packets.
const MetricTable kFlowRoutingTable({
    {"flow_set_ups", "", kScalar, kFlowRouting, "flows that were set up by a packet, whole run"},
    {"flow_tear_downs", "", kScalar, kFlowRouting,
     "tear-down packets, whole run; none where the last data packet does it"},
    {"flow_control_bytes", "B", kScalar, kFlowRouting,
     "bytes of set-up and tear-down packets and their answers, over all links, whole run"},
    {"flow_set_up_mean", "ns", kScalar, kFlowRouting,
     "from the wish to send to the answer to the set-up packet, mean over the whole run"},
    {"flow_set_up_max", "ns", kScalar, kFlowRouting, "the same, longest"},
    {"port_choices", "", kScalar, kFlowRouting,
     "times that a switch chose a port for a flow, whole run"},
    {"port_choices_diverted", "", kScalar, kFlowRouting,
     "of these, for another than the default port, which takes a cache entry"},
    {"route_cache_full", "", kScalar, kFlowRouting,
     "of these, for the default port because the route cache was full"},
    {"route_cache_entries_max", "", kScalar, kFlowRouting,
     "most entries at a time in the route cache of one input port"},
    {"route_cache_entries_left", "", kScalar, kFlowRouting,
     "entries in all route caches when the run ended"},
});

/// Of rate calculations. Rates are fractions of the line rate.
const MetricTable kRatesTable({
    {"flows", "", kScalar, kCalculation, "flows that got a rate"},
    {"applications", "", kScalar, kCalculation, "applications that they belong to"},
    {"assigned_rate_mean", "1", kScalar, kCalculation, "rates of flows: mean"},
    {"assigned_rate_min", "1", kScalar, kCalculation, "the same: least"},
    {"assigned_rate_max", "1", kScalar, kCalculation, "the same: largest"},
    {"assigned_rate_sorted", "1", kScalar, kCalculation,
     "the same, ascending, at a place (the label) from 0.0, the least, to 1.0, the largest"},
    {"application_rate_mean", "1", kScalar, kCalculation,
     "rates of applications, of each the least rate over weight of its flows: mean"},
    {"application_rate_min", "1", kScalar, kCalculation, "the same: least"},
    {"application_rate_max", "1", kScalar, kCalculation, "the same: largest"},
    {"application_rate_sorted", "1", kScalar, kCalculation,
     "the same, ascending, at a place (the label) from 0.0 to 1.0"},
    {"delivered_phase_time", "1", kScalar,
     "explicit-rates 4.2; simulations with [[flow]]s of one size",
     "time of the last delivery of a flow, in times that weight 1 takes at line rate"},
    {"delivered_rate_mean", "1", kScalar, kFlowRates,
     "delivered bytes on the wire of a flow in the window, over the line rate: mean"},
    {"delivered_rate_min", "1", kScalar, kFlowRates, "the same: least"},
    {"delivered_rate_max", "1", kScalar, kFlowRates, "the same: largest"},
    {"delivered_rate_sorted", "1", kScalar, kFlowRates,
     "the same, ascending, at a place (the label) from 0.0 to 1.0"},
    {"delivered_application_rate_mean", "1", kScalar, kFlowRates,
     "the same of applications, of each the least rate over weight of its flows: mean"},
    {"delivered_application_rate_min", "1", kScalar, kFlowRates, "the same: least"},
    {"delivered_application_rate_max", "1", kScalar, kFlowRates, "the same: largest"},
    {"delivered_application_rate_sorted", "1", kScalar, kFlowRates,
     "the same, ascending, at a place (the label) from 0.0 to 1.0"},
    {"rate_levels", "", kScalar, kCalculation,
     "different rates over weights; of max-min fair rates the steps in which they were filled"},
    {"link_weight_max", "1", kScalar, kCalculation,
     "largest weight of a link's flows over its capacity, W: a phase cannot be shorter, in times "
     "that weight 1 takes at line rate"},
    {"phase_time", "1", kScalar, kCalculation,
     "when the last flow ends if all begin together, keep their rates and are as long as their "
     "weights, in times that weight 1 takes at line rate"},
    {"calculation_settled", "", kScalar, kCalculation,
     "protocols: 1 when all rates were final before `protocol.limit`, else 0"},
    {"calculation_time_mean", "ns", kScalar, kCalculation,
     "protocols: from the last start or end of a flow until a flow's rate is final: mean over the "
     "flows"},
    {"calculation_time_max", "ns", kScalar, kCalculation, "the same: longest"},
    {"calculation_packets_mean", "", kScalar, kCalculation,
     "protocols: control packets that a flow's source sends: mean over the flows; of SAA-M those "
     "after all flows are known, up to the last change of the flow's rate"},
    {"calculation_packets_max", "", kScalar, kCalculation, "the same: most of a flow"},
    {"calculation_packets_along", "", kScalar, kCalculation,
     "protocols: control packets along routes, in all"},
    {"calculation_packets_between", "", kScalar, kCalculation,
     "protocols: control packets from neighbour to neighbour, in all"},
    {"calculation_fields", "", kScalar, kCalculation,
     "protocols: data packets that carried fields of piggy-backed probing"},
    {"calculation_bytes", "B", kScalar, kCalculation,
     "protocols: bytes of control packets and fields, on all links"},
    {"calculation_trip_max", "ns", kScalar, kCalculation,
     "protocols: longest round trip of a control packet along a route"},
    {"calculation_rounds", "", kScalar, kCalculation,
     "protocols: newest round; of DAFA calculations begun"},
    {"calculation_iterations", "", kScalar, kCalculation,
     "DAFA: iterations of the newest calculation"},
    {"calculation_leader_time", "ns", kScalar, kCalculation,
     "DAFA: from the beginning of the newest calculation until the leader knew all rates"},
    {"expected_rate_mean", "1", kScalar, kCalculation,
     "protocols: mean rate by the centralized calculation rates.algorithm"},
    {"calculation_deviation", "1", kScalar, kCalculation,
     "protocols: largest difference between a flow's rate and that of rates.algorithm, over the "
     "latter"},
    {"oversubscription_max", "1", kScalar, kCalculation,
     "protocols: largest sum of the rates of a link's flows over its capacity, at any time"},
    {"carried_rate_mean", "1", kScalar, kCalculation,
     "protocols with changes: mean rate over time and the flows that are there, from the first "
     "change to the last; flows of a link that is asked for too much get less alike"},
    {"oversubscribed_share", "1", kScalar, kCalculation,
     "protocols: share of the links with flows whose flows sent more than the link carries, mean "
     "over time"},
    {"flow_contention_mean", "", kScalar, kCalculation,
     "flows on the fullest link of a flow's path: mean over the flows"},
    {"flow_contention_max", "", kScalar, kCalculation, "flows on the fullest link of all"},
    {"link_flows_max", "", kScalar, kCalculation,
     "flows on the fullest link of a group of links (the label)"},
    {"link_flows_share", "1", kScalar, kCalculation,
     "share of the links of a group that carry so many flows, 0 to 15; label: group and number, as "
     "in up 1: 3"},
});

}  // namespace

}  // namespace weir::metrics
