#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

constexpr const char* kFlowRates = "zdornov2009, section 1.4";

/// Of rate calculations. Rates are fractions of the line rate.
const MetricTable kRatesTable(
    {
        {"flows", "", kScalar, kFlowRates, "flows that got a rate"},
        {"applications", "", kScalar, kFlowRates, "applications to which the flows belong"},
        {"assigned_rate_mean", "1", kScalar, kFlowRates,
         "assigned rate of a flow, mean over the flows. Higher is better"},
        {"assigned_rate_min", "1", kScalar, kFlowRates,
         "least assigned rate of a flow. Higher is better"},
        {"assigned_rate_max", "1", kScalar, kFlowRates, "largest assigned rate of a flow"},
        {"assigned_rate_sorted", "1", kScalar, kFlowRates,
         "assigned rates of the flows in ascending order; label: place, from 0.0 for the least to "
         "1.0 for the largest"},
        {"application_rate_mean", "1", kScalar, kFlowRates,
         "rate of an application (the least rate over weight of its flows), mean over the "
         "applications. Higher is better"},
        {"application_rate_min", "1", kScalar, kFlowRates,
         "least rate of an application (the least rate over weight of its flows). Higher is "
         "better"},
        {"application_rate_max", "1", kScalar, kFlowRates,
         "largest rate of an application (the least rate over weight of its flows)"},
        {"application_rate_sorted", "1", kScalar, kFlowRates,
         "rates of the applications in ascending order; label: place, from 0.0 for the least to "
         "1.0 for the largest"},
        {"rate_levels", "", kScalar, kFlowRates,
         "number of different ratios of rate to weight; of max-min fair rates, the steps in which "
         "they were filled"},
        {"link_weight_max", "1", kScalar, kFlowRates,
         "largest weight of a link's flows over its capacity: the shortest time that a phase can "
         "take, in times that a flow of weight 1 takes at line rate"},
        {"phase_time", "1", kScalar, kFlowRates,
         "end of the last flow when all begin together, keep their rates and are as long as their "
         "weights, in times that a flow of weight 1 takes at line rate; of several phases the sum. "
         "Lower is better"},
        {"calculation_settled", "", kScalar, kFlowRates,
         "1 when the protocol's rates were all final before `protocol.limit`, else 0"},
        {"calculation_time_mean", "ns", kScalar, kFlowRates,
         "time from the last start or end of a flow until a flow's rate is final, mean over the "
         "flows. Lower is better"},
        {"calculation_time_max", "ns", kScalar, kFlowRates,
         "time from the last start or end of a flow until the last flow's rate is final. Lower is "
         "better"},
        {"calculation_packets_mean", "", kScalar, kFlowRates,
         "control packets that a flow's source sends, mean over the flows; with SAA-M, those after "
         "all flows are known and up to the last change of the flow's rate. Lower is better"},
        {"calculation_packets_max", "", kScalar, kFlowRates,
         "control packets of the flow whose source sends the most. Lower is better"},
        {"calculation_packets_along", "", kScalar, kFlowRates,
         "control packets sent along routes, in all"},
        {"calculation_packets_between", "", kScalar, kFlowRates,
         "control packets sent from neighbour to neighbour, in all"},
        {"calculation_fields", "", kScalar, kFlowRates,
         "data packets that carried fields of piggy-backed probing"},
        {"calculation_announced", "", kScalar, kFlowRates,
         "announcements of flows that rode on the packets that set their paths up "
         "(protocol.announce = \"set-up\")"},
        {"calculation_bytes", "B", kScalar, kFlowRates,
         "bytes of control packets and fields, over all links. Lower is better"},
        {"calculation_trip_max", "ns", kScalar, kFlowRates,
         "longest round trip of a control packet along a route"},
        {"calculation_rounds", "", kScalar, kFlowRates,
         "number of the newest round; with DAFA, calculations that were begun"},
        {"calculation_iterations", "", kScalar, kFlowRates,
         "iterations of the newest calculation of DAFA"},
        {"calculation_leader_time", "ns", kScalar, kFlowRates,
         "time from the beginning of the newest calculation of DAFA until the leader knew all "
         "rates"},
        {"expected_rate_mean", "1", kScalar, kFlowRates,
         "rate of a flow by the centralized calculation `rates.algorithm`, mean over the flows "
         "that "
         "are there"},
        {"calculation_deviation", "1", kScalar, kFlowRates,
         "largest difference between a flow's rate and the one that `rates.algorithm` gives it, "
         "over the latter. Lower is better"},
        {"oversubscription_max", "1", kScalar, kFlowRates,
         "largest sum of the rates of a link's flows over its capacity, at any time. Above 1 "
         "packets must wait"},
        {"carried_rate_mean", "1", kScalar, kFlowRates,
         "rate of a flow that its links can carry, mean over the flows that are there and over "
         "time from the first change to the last. Higher is better"},
        {"oversubscribed_share", "1", kScalar, kFlowRates,
         "share of the links with flows whose flows sent more than the link carries, mean over "
         "time. Lower is better"},
        {"flow_contention_mean", "", kScalar, kFlowRates,
         "flows on the fullest link of a flow's path, mean over the flows. Lower is better"},
        {"flow_contention_max", "", kScalar, kFlowRates,
         "flows on the fullest link of the network. Lower is better"},
        {"link_flows_max", "", kScalar, kFlowRates,
         "flows on the fullest link of a group of links; label: group"},
        {"link_flows_share", "1", kScalar, kFlowRates,
         "share of the links of a group that carry a number of flows from 0 to 15; label: group "
         "and number, as in up 1: 3"},

    },
    "experiment.kind = \"rates\"");

/// Of simulated flows.
const MetricTable kDeliveredRatesTable(
    {
        {"delivered_rate_mean", "1", kScalar, kFlowRates,
         "delivered bytes of a flow on the wire in the measuring window, over the line rate, mean "
         "over the flows. Higher is better"},
        {"delivered_rate_min", "1", kScalar, kFlowRates,
         "delivered bytes of the slowest flow on the wire in the measuring window, over the line "
         "rate. Higher is better"},
        {"delivered_rate_max", "1", kScalar, kFlowRates,
         "delivered bytes of the fastest flow on the wire in the measuring window, over the line "
         "rate"},
        {"delivered_rate_sorted", "1", kScalar, kFlowRates,
         "delivered rates of the flows in ascending order, over the line rate; label: place, from "
         "0.0 for the least to 1.0 for the largest"},
        {"delivered_application_rate_mean", "1", kScalar, kFlowRates,
         "delivered rate of an application (the least rate over weight of its flows), mean over "
         "the applications. Higher is better"},
        {"delivered_application_rate_min", "1", kScalar, kFlowRates,
         "least delivered rate of an application (the least rate over weight of its flows). Higher "
         "is better"},
        {"delivered_application_rate_max", "1", kScalar, kFlowRates,
         "largest delivered rate of an application (the least rate over weight of its flows)"},
        {"delivered_application_rate_sorted", "1", kScalar, kFlowRates,
         "delivered rates of the applications in ascending order; label: place, from 0.0 for the "
         "least to 1.0 for the largest"},
    },
    "endless [[flow]]s, or [[traffic]] with `rate`, in a simulation");
const MetricTable kCompletedTable(
    {
        {"completed_flows", "", kScalar, kFlowRates,
         "flows all of whose data was delivered. Higher is better"},
        {"completed_rate_mean", "1", kScalar, kFlowRates,
         "size of a flow on the wire over its time from its start to the last delivery, over the "
         "line rate; mean over the flows that have ended. Higher is better"},
        {"completed_rate_min", "1", kScalar, kFlowRates,
         "size on the wire over time from start to last delivery of the slowest flow that has "
         "ended, over the line rate. Higher is better"},
        {"completed_rate_max", "1", kScalar, kFlowRates,
         "size on the wire over time from start to last delivery of the fastest flow that has "
         "ended, over the line rate"},
        {"completed_rate_sorted", "1", kScalar, kFlowRates,
         "rates of the flows that have ended, from start to last delivery, in ascending order, "
         "over "
         "the line rate; label: place, from 0.0 for the least to 1.0 for the largest"},
    },
    "[[flow]]s with sizes, or [[traffic]] with `rate`, in a simulation");
const MetricTable kConnectionsTable(
    {
        {"connection_rate", "1", kScalar, kFlowRates,
         "delivered bytes of a connection on the wire in the measuring window, over the line rate; "
         "label: hosts and number of the connection"},
        {"connection_assigned_rate", "1", kScalar, kFlowRates,
         "rate assigned to a connection, over the line rate; label: hosts and number of the "
         "connection"},
        {"connection_end", "ns", kScalar, kFlowRates,
         "time at which all data of a connection was delivered; label: hosts and number of the "
         "connection"},
    },
    "several connections of flows between two hosts in a simulation, at most 64 in all");
const MetricTable kRecalculationTable(
    {
        {"recalculations", "", kScalar, kFlowRates,
         "times that the rates have settled after flows (applications) had started or ended"},
        {"recalculation_time_mean", "ns", kScalar, kFlowRates,
         "time from a start or end to the last rate that changed before the rates settled, mean "
         "over these times; of several changes in between, from the last. Lower is better"},
        {"recalculation_time_max", "ns", kScalar, kFlowRates,
         "longest time from a start or end to the last rate that changed before the rates settled. "
         "Lower is better"},
    },
    "[protocol] in a simulation");
const MetricTable kPhaseTable(
    {
        {"delivered_phase_time", "1", kScalar, kFlowRates,
         "time of the last delivery of a flow, in times that a flow of weight 1 takes at line "
         "rate; of several phases and their barriers together. Lower is better"},
    },
    "[[flow]]s of one size in a simulation");
const MetricTable kPhasesTable(
    {
        {"phase_length", "ns", kScalar, kFlowRates,
         "time from the start of a phase to the last delivery of its flows; label: its number. "
         "Lower is better"},
    },
    "[[flow]]s of several phases in a simulation");

}  // namespace

}  // namespace weir::metrics
