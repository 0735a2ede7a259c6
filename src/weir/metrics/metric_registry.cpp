#include "weir/metrics/metric_registry.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace weir::metrics {

namespace {

using metric_form::kHistogram;
using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kCounts = "messages and packets as hosts see them";
constexpr const char* kEfficiency = "adaptive-routing-notifications 4.4; bytes of payload";
constexpr const char* kLatency = "packet-marking 4.6";
constexpr const char* kRates = "explicit-rates 4.2; recn-fbicm 4.4 (Jain)";
constexpr const char* kLinks = "InfiniBand port counters (PortXmitData, PortXmitWait)";
constexpr const char* kTrees = "recn-fbicm 3.4, glossary: root, branch, leaf";
constexpr const char* kSetAside = "recn-fbicm 4.4; runs with an [isolation] model";
constexpr const char* kRecovery = "adaptive-routing-notifications 5.1";
constexpr const char* kNotifications = "adaptive-routing-notifications 4.4";
constexpr const char* kMarks = "packet-marking 5.1, 5.2; runs with a [marking] model";
constexpr const char* kReaction =
    "packet-marking 3.4, 5.19; infiniband-queueing 3.5; runs with a [reaction] model";
constexpr const char* kAdmission = "infiniband-queueing 3.3; runs with an [admission] model";
constexpr const char* kStructure = "this program; experiment.kind = \"network\"";
constexpr const char* kAdapters = "packet-marking 3.7, 5.21, 5.22; experiment.kind = \"network\"";
constexpr const char* kZeroLoad = "packet-marking Eq. 5.2; experiment.kind = \"network\"";
constexpr const char* kResources = "recn-fbicm 3.11";
constexpr const char* kWorkloads = "adaptive-routing-notifications 4.4 (execution time)";
constexpr const char* kLanes = "infiniband-queueing 3.6 to 3.8; with [vl_sharing]";
constexpr const char* kQueues = "infiniband-queueing 4; experiment.kind = \"queue\"";
constexpr const char* kFlowRouting =
    "explicit-rates 3.7; simulations with flow_routing.set_up = \"packets\"";
constexpr const char* kCalculation = "explicit-rates 4.2; experiment.kind = \"rates\"";
constexpr const char* kFlowRates = "explicit-rates 4.2; simulations with endless [[flow]]s";
constexpr const char* kRun = "this program";

struct Row {
  const char* name;
  const char* unit;
  std::uint8_t forms;
  const char* source;
  const char* meaning;
};

constexpr Row kTraffic[] = {
    {"messages_generated", "", kScalar, kCounts,
     "messages that sources handed to their host, whole run"},
    {"messages_refused", "", kScalar, kCounts,
     "messages that a full source queue discarded, whole run"},
    {"messages_completed", "", kScalar, kCounts,
     "messages whose last byte was delivered, whole run"},
    {"bytes_generated", "B", kScalar, kCounts, "payload of the generated messages, whole run"},
    {"bytes_refused", "B", kScalar, kCounts, "payload of the discarded messages, whole run"},
    {"packets_injected", "", kScalar, kCounts, "data packets that entered the network, whole run"},
    {"bytes_injected", "B", kScalar, kCounts, "payload that entered the network, whole run"},
    {"packets_delivered", "", kScalar, kCounts,
     "data packets that reached their destination, whole run"},
    {"bytes_delivered", "B", kScalar, kCounts, "payload that reached its destination, whole run"},
    {"packets_measured", "", kScalar, kCounts, "data packets delivered in the measuring window"},
    {"efficiency", "1", kScalar | kSeries, kEfficiency,
     "network efficiency: delivered payload over what all links into hosts can carry"},
    {"efficiency_min", "1", kScalar, kEfficiency,
     "lowest bin of the efficiency in the measuring window"},
    {"efficiency_before", "1", kScalar, kRecovery,
     "efficiency before metrics.disturbed_from, over metrics.recovery_before"},
    {"efficiency_low", "1", kScalar, kRecovery,
     "lowest bin of the efficiency from metrics.disturbed_from to disturbed_until"},
    {"recovered", "1", kScalar, kRecovery,
     "1: the efficiency came back to metrics.recovery_level of efficiency_before for "
     "recovery_hold, or never left it; 0: it did not while disturbed"},
    {"recovery_time", "ns", kScalar, kRecovery,
     "from metrics.disturbed_from to the first bin of that stretch; 0: no drop; without recovery "
     "the time that was looked at"},
    {"throughput", "Gbps", kScalar | kSeries, kEfficiency, "delivered payload over time"},
    {"offered", "Gbps", kScalar | kSeries, kEfficiency, "generated payload over time"},
    {"injected", "Gbps", kScalar | kSeries, kEfficiency,
     "payload that entered the network over time"},
    {"completion_time", "ns", kScalar, kEfficiency,
     "time of the last delivery (execution time of a workload)"},
    {"packets_lost", "", kScalar, kCounts,
     "data packets discarded where links were down ([[failure]]), whole run"},
    {"out_of_order", "", kScalar, kCounts,
     "data packets delivered after a later one of their flow, whole run"},
    {"reorder_depth_mean", "", kScalar, kCounts,
     "packets by which an out-of-order packet was behind the newest of its flow, mean"},
    {"reorder_depth_max", "", kScalar, kCounts, "the same, largest"},
    {"source_rate_min", "Gbps", kScalar, kRates,
     "delivered payload of the slowest source in the window"},
    {"source_rate_mean", "Gbps", kScalar, kRates,
     "delivered payload of a source in the window, mean"},
    {"source_rate_max", "Gbps", kScalar, kRates,
     "delivered payload of the fastest source in the window"},
    {"fairness", "1", kScalar, kRates, "Jain index of the delivered payload over the sources"},
    {"flow_rate_min", "Gbps", kScalar, kRates,
     "delivered payload of the slowest flow in the window"},
    {"flow_rate_mean", "Gbps", kScalar, kRates, "delivered payload of a flow in the window, mean"},
    {"flow_rate_max", "Gbps", kScalar, kRates,
     "delivered payload of the fastest flow in the window"},
    {"flow_fairness", "1", kScalar, kRates, "Jain index of the delivered payload over the flows"},
};

/// Of runs with a [[workload]].
constexpr Row kWorkload[] = {
    {"execution_time", "s", kScalar, kWorkloads,
     "start of a workload (the label) to the end of its last operation; without label: first start "
     "to last end of all. Nothing when it was not done"},
    {"rank_finish_min", "s", kScalar, kWorkloads,
     "start of a workload to the end of the last operation of its first rank to finish"},
    {"rank_finish_mean", "s", kScalar, kWorkloads, "the same, mean over its ranks"},
    {"rank_finish_max", "s", kScalar, kWorkloads, "the same, last rank: the execution time"},
    {"communication_share", "1", kScalar, kWorkloads,
     "share of the time up to its finish in which a rank did not compute, mean over ranks"},
    {"unexpected_messages_max", "", kScalar, kWorkloads,
     "most messages that were at one rank before their receive"},
};

constexpr Row kNetwork[] = {
    {"link_utilization", "1", kSeries, kLinks,
     "share of time a link was sending; label: transmitting port"},
    {"link_wait", "1", kSeries, kLinks,
     "share of time a link had packets and no credit (XmitWait); label: transmitting port"},
    {"link_queued", "B", kSeries, kLinks, "bytes waiting for an output; label: transmitting port"},
    {"egress_queued", "B", kSeries, "recn-fbicm 3.3",
     "those of them in the egress buffer of the port (the label); the others wait at ingress"},
    {"link_utilization_mean", "1", kScalar | kSeries, kLinks,
     "mean over a group of links (the label)"},
    {"link_utilization_max", "1", kScalar | kSeries, kLinks, "busiest link of a group (the label)"},
    {"link_wait_mean", "1", kScalar | kSeries, kLinks, "mean XmitWait share over a group of links"},
    {"link_wait_max", "1", kScalar | kSeries, kLinks, "largest XmitWait share of a group of links"},
    {"hot_link_utilization", "1", kScalar | kSeries, "packet-marking 4.6",
     "mean share of time that the links into the hot destinations were sending"},
    {"hot_sources", "", kScalar, "adaptive-routing-notifications 7, G-14",
     "hosts that hot traffic with fixed aims comes from; label: that many switches from the "
     "nearest "
     "aim on the default route (1: at the same switch)"},
    {"queued", "B", kScalar | kSeries, "packet-marking 4.6",
     "bytes in switches that wait for an output, whole network; scalar: mean over the samples"},
    {"queued_max", "B", kScalar, "packet-marking 4.6", "the same, largest sample"},
    {"buffer_occupancy_mean", "1", kScalar | kSeries, "packet-marking 4.6",
     "filled share of the switches' ingress buffers, mean over buffers"},
    {"buffer_occupancy_max", "1", kScalar | kSeries, "packet-marking 4.6",
     "filled share of the fullest ingress buffer of a switch"},
    {"buffer_occupancy_used", "1", kScalar, "packet-marking 7.4",
     "filled share of those ingress buffers of switches that hold something, mean"},
    {"egress_occupancy_mean", "1", kScalar | kSeries, "packet-marking 4.6",
     "filled share of the switches' egress buffers (packets that wait), mean over buffers"},
    {"egress_occupancy_max", "1", kScalar | kSeries, "packet-marking 4.6",
     "filled share of the fullest egress buffer of a switch"},
    {"egress_occupancy_used", "1", kScalar, "packet-marking 7.4",
     "filled share of those egress buffers of switches that hold something, mean"},
    {"tree_roots", "", kScalar | kSeries, kTrees,
     "congestion trees (roots) at a sample; scalar: mean"},
    {"tree_roots_max", "", kScalar, kTrees, "most congestion trees in one sample"},
    {"tree_ports", "", kScalar | kSeries, kTrees, "ports in any congestion tree; scalar: mean"},
    {"tree_ports_max", "", kScalar, kTrees, "most ports in congestion trees in one sample"},
    {"tree_size", "", kScalar | kSeries, kTrees,
     "ports of the largest congestion tree; scalar: largest"},
    {"tree_depth", "", kScalar | kSeries, kTrees,
     "links from a root to its farthest branch; scalar: largest"},
    {"tree_hosts", "", kScalar | kSeries, kTrees,
     "hosts that a congestion tree holds up at their own link; scalar: largest"},
    {"events", "", kScalar, kRun, "events simulated"},
    {"packet_hops", "", kScalar, kRun, "packets sent over a link, summed over links"},
    {"simulated_time", "ns", kScalar, kRun, "simulated time at the end"},
    {"warmup_detected", "ns", kScalar, "MSER-5 (White, Cobb, Spratt 2000)",
     "where the measuring window begins, with experiment.warmup = \"auto\""},
};

/// Of runs with congestion isolation.
constexpr Row kIsolation[] = {
    {"set_aside_queues", "", kScalar | kSeries, kSetAside,
     "set-aside queues in use, whole network; scalar: mean over the samples"},
    {"set_aside_queues_max", "", kScalar, kSetAside, "most of them at one moment, whole run"},
    {"set_aside_at_side", "", kSeries, kSetAside,
     "set-aside queues in use at one side of a port (the label, as \"sw3[2] egress\"), for the "
     "sides "
     "with the most"},
    {"set_aside_at_side_max", "", kScalar | kSeries, kSetAside,
     "most set-aside queues in use at one side of a port; scalar: at any moment of the whole run"},
    {"set_aside_bytes", "B", kScalar | kSeries, kSetAside,
     "bytes in set-aside queues; scalar: mean over the samples"},
    {"set_aside_bytes_max", "B", kScalar, kSetAside, "the same, largest sample"},
    {"set_aside_roots", "", kScalar | kSeries, kSetAside,
     "congested outputs that queues are set aside for; scalar: mean over the samples"},
    {"set_aside_roots_max", "", kScalar, kSetAside, "most of them at one moment, whole run"},
    {"set_aside_hops", "", kScalar | kSeries, kSetAside,
     "links from a set-aside queue to the switch of its root, farthest one; scalar: largest"},
    {"set_aside_trees", "", kScalar, kSetAside,
     "times at which queues began to be set aside for an output that had none, whole run"},
    {"set_aside_allocations", "", kScalar | kSeries, kSetAside,
     "set-aside queues taken, whole run; series: in the bin"},
    {"set_aside_releases", "", kScalar | kSeries, kSetAside,
     "set-aside queues given back, whole run; series: in the bin"},
    {"set_aside_left", "", kScalar, kSetAside, "set-aside queues in use when the run ended"},
    {"set_aside_refusals", "", kScalar | kSeries, kSetAside,
     "requests for a set-aside queue that were refused, whole run (series: in the bin); label: "
     "why: "
     "full (no queue was free) or specific (the point lies behind another one, basic RECN)"},
    {"set_aside_detections", "", kScalar | kSeries, kSetAside,
     "times a normal queue was found congested, whole run; series: in the bin"},
    {"set_aside_notifications", "", kScalar | kSeries, kSetAside,
     "requests for a set-aside queue sent, inside switches and over links, whole run; series: in "
     "the bin"},
    {"control_messages", "", kScalar | kSeries, kSetAside,
     "messages of the isolation mechanism over links, whole run; series: in the bin"},
    {"control_bytes", "B", kScalar | kSeries, kSetAside,
     "their bytes, whole run; series: in the bin"},
    {"control_overhead", "1", kScalar | kSeries, kSetAside,
     "their share of all bytes on links; scalar: in the measuring window"},
    {"set_aside_lifetime", "ns", kHistogram, kSetAside,
     "time that a set-aside queue was in use, of those given back in the whole run: distribution"},
    {"set_aside_lifetime_mean", "ns", kScalar, kSetAside, "the same: mean"},
    {"set_aside_lifetime_max", "ns", kScalar, kSetAside, "the same: largest"},
    {"set_aside_lifetime_p50", "ns", kScalar, kSetAside, "the same: median"},
    {"set_aside_lifetime_p90", "ns", kScalar, kSetAside, "the same: 90th percentile"},
    {"set_aside_lifetime_p99", "ns", kScalar, kSetAside, "the same: 99th percentile"},
};

/// Of runs with admission control.
constexpr Row kAdmissionRows[] = {
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
     "share of its bandwidth that the most reserved link has given away, at the samples"},
    {"reserved_share_max", "1", kScalar, kAdmission,
     "the same, largest at any moment of the whole run"},
    {"reservations_left", "Gbps", kScalar, kAdmission,
     "reserved bandwidth over all links when the run ended"},
};

/// Of runs with a source reaction.
constexpr Row kReactionRows[] = {
    {"window_reductions", "", kScalar | kSeries, kReaction,
     "times that marks made the window of a flow smaller, whole run; series: in the bin"},
    {"window_increases", "", kScalar | kSeries, kReaction,
     "times that ACKs without mark made it larger again, whole run; series: in the bin"},
    {"delay_increases", "", kScalar | kSeries, kReaction,
     "times that marks made a flow wait longer between packets (more slots, a lower rate, a higher "
     "index), whole run; series: in the bin"},
    {"delay_reductions", "", kScalar | kSeries, kReaction,
     "ACKs without mark that found a flow waiting so, and took some or all of it back, whole run; "
     "series: in the bin"},
    {"fresh_starts", "", kScalar | kSeries, kReaction,
     "throttled flows whose queue ran empty and that began as new ones (immediate recovery), whole "
     "run; series: in the bin"},
    {"packets_held", "", kScalar | kSeries, kReaction,
     "packets that were injected later because marks had throttled their flow, whole run (series: "
     "in the bin); of cold traffic: wrongly throttled"},
    {"throttled_flows", "1", kScalar | kSeries, kReaction,
     "share of the flows with packets waiting or on their way that marks have throttled; scalar: "
     "over the samples"},
    {"window", "", kScalar | kSeries, kReaction,
     "window of those flows in packets, mean; scalar: over the samples"},
    {"injection_rate", "1", kScalar | kSeries, kReaction,
     "rate that the reaction allows those flows, over that of the link, mean; scalar: over the "
     "samples"},
};

/// Of runs with any selection but "fixed".
constexpr Row kAdaptive[] = {
    {"diverted", "", kScalar | kSeries, kNotifications,
     "times that a packet left its default route, whole run; series: in the bin"},
    {"adapted", "", kScalar | kSeries, kNotifications,
     "packets that became adapted (isolation of adapted flows), whole run (series: in the bin); "
     "label: where: switch or host"},
    {"adapted_delivered", "", kScalar, kNotifications, "adapted data packets delivered, whole run"},
    {"notifications", "", kScalar | kSeries, kNotifications,
     "adaptive routing notifications sent, whole run; series: in the bin"},
    {"notification_bytes", "B", kScalar, kNotifications, "their bytes, whole run"},
    {"roots_declared", "", kScalar | kSeries, kNotifications,
     "outputs that the congestion detector declared to be roots, whole run; series: in the bin"},
    {"roots", "", kScalar | kSeries, kNotifications,
     "outputs that it holds for roots; scalar: mean over the samples"},
    {"roots_max", "", kScalar, kNotifications, "most of them at one moment, whole run"},
    {"notification_entries", "", kScalar | kSeries, kNotifications,
     "live entries in the notification tables of all switches; scalar: mean over the samples"},
    {"notification_entries_max", "", kScalar, kNotifications, "the same, largest sample"},
    {"notification_entries_consumed", "", kScalar | kSeries, kNotifications,
     "of these, those for which the switch diverts packets; scalar: mean over the samples"},
    {"notification_entries_at_switch", "", kScalar | kSeries, kNotifications,
     "live entries in the fullest table of a switch; scalar: mean over the samples"},
    {"notification_entries_at_switch_max", "", kScalar, kNotifications, "the same, largest sample"},
    {"notification_entries_at_hosts", "", kScalar | kSeries, kNotifications,
     "live entries in all hosts; scalar: mean over the samples"},
    {"notification_entries_at_hosts_max", "", kScalar, kNotifications, "the same, largest sample"},
    {"notification_entries_made", "", kScalar, kNotifications,
     "entries that switches made, whole run"},
    {"notification_entries_evicted", "", kScalar, kNotifications,
     "entries that made room for others in full tables (selection.table_entries), whole run"},
    {"notification_entries_left", "", kScalar, kNotifications,
     "live entries in switches when the run ended"},
};

/// Of runs with a marker. The bits mean what the marker says.
constexpr Row kMarking[] = {
    {"marked_a", "1", kScalar | kSeries, kMarks,
     "share of the delivered data packets that carry mark bit A; scalar: in the measuring window"},
    {"marked_b", "1", kScalar | kSeries, kMarks, "the same for bit B"},
    {"marked_both", "1", kScalar | kSeries, kMarks, "the same for both bits"},
    {"marked_any", "1", kScalar | kSeries, kMarks, "the same for at least one bit"},
    {"marks", "", kScalar | kSeries, kMarks,
     "mark bits that switches set, whole run (series: in the bin); label: A or B. A packet that "
     "has the bit is not counted again"},
    {"marks_repeated", "", kScalar, kMarks,
     "times that a switch would have set the bit (the label) and the packet had it, whole run"},
    {"first_mark", "ns", kScalar, kMarks, "time of the first mark with the bit (the label)"},
    {"last_mark", "ns", kScalar, kMarks, "time of the last mark with the bit (the label)"},
    {"marks_at_port", "", kScalar, kMarks,
     "mark bits set at a port (the label), whole run, for the ports with the most"},
};

/// Of flow routing by packets.
constexpr Row kFlowRoutingRows[] = {
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
};

/// Of rate calculations. Rates are fractions of the line rate.
constexpr Row kCalculatedRates[] = {
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
};

/// Of searches (experiment.find).
constexpr Row kSearch[] = {
    {"saturation_load", "1", kScalar, kRun,
     "load from which on what waits at the sources grows without end; all other numbers of such a "
     "run are those of the highest load below it that was tried"},
    {"saturation_throughput", "Gbps", kScalar, kRun,
     "delivered payload of the varied traffic at the highest load that was still delivered"},
    {"probe_load", "1", kScalar, kRun, "load that a search tried; label: number of the probe"},
    {"probe_delivered", "1", kScalar, kRun, "of that load, what was delivered"},
    {"probe_latency", "ns", kScalar, kRun, "mean latency of the varied traffic at that load"},
};

/// Of queueing models: by their equations, and by simulation.
constexpr Row kQueueRows[] = {
    {"offered_load", "1", kScalar, kQueues, "arrival rate over the lowest level's service rate"},
    {"state_probability", "1", kScalar, kQueues,
     "probability of n packets in the system (the label)"},
    {"queue_length", "", kScalar, kQueues,
     "packets in the system, those in service included, mean; label: of that station"},
    {"simulated_queue_length", "", kScalar, kQueues,
     "simulation beside the model: packets in the system, those in service included, mean; label: "
     "of that station"},
    {"blocking_probability", "1", kScalar, kQueues, "probability that an arriving packet is lost"},
    {"simulated_blocking_probability", "1", kScalar, kQueues,
     "simulation beside the model: probability that an arriving packet is lost"},
    {"queue_throughput", "", kScalar, kQueues, "packets that leave in a unit of time"},
    {"simulated_queue_throughput", "", kScalar, kQueues,
     "simulation beside the model: packets that leave in a unit of time"},
    {"response_time", "", kScalar, kQueues,
     "time of a packet in the system, in the unit of the rates, mean"},
    {"simulated_response_time", "", kScalar, kQueues,
     "simulation beside the model: time of a packet in the system, in the unit of the rates, mean"},
    {"busy_probability", "1", kScalar, kQueues,
     "probability that the server works; label: of that station"},
    {"simulated_busy_probability", "1", kScalar, kQueues,
     "simulation beside the model: probability that the server works; label: of that station"},
    {"carried_load", "1", kScalar, kQueues, "throughput over the lowest level's service rate"},
    {"simulated_carried_load", "1", kScalar, kQueues,
     "simulation beside the model: throughput over the lowest level's service rate"},
    {"level_probability", "1", kScalar, kQueues,
     "probability that the server works at the rate of a level (the label)"},
    {"simulated_level_probability", "1", kScalar, kQueues,
     "simulation beside the model: probability that the server works at the rate of a level (the "
     "label)"},
    {"credit_stall", "1", kScalar, kQueues,
     "probability that the upstream station has packets and no credit"},
    {"simulated_credit_stall", "1", kScalar, kQueues,
     "simulation beside the model: probability that the upstream station has packets and no "
     "credit"},
    {"simulated_lane_wait", "1", kScalar,
     "infiniband-queueing 3.7, 3.8; queue.model = lane-sharing",
     "share of time in which VL 0 waits for a lane"},
    {"error_measure", "1", kScalar, "infiniband-queueing 5.4 (equations 5.23, 5.46)",
     "|simulation - model| / simulation; label: of that metric"},
};

/// Of runs with lanes. Labels name the host, or the port of a switch, and the VL: "h0 VL 0".
constexpr Row kLaneRows[] = {
    {"vl_queue_length", "", kScalar, kLanes,
     "packets of a VL at a port (the label), the one in service included, mean"},
    {"vl_busy", "1", kScalar, kLanes, "share of time in which a VL (the label) has packets"},
    {"vl_stalled", "1", kScalar, kLanes,
     "share of time in which a VL (the label) has packets and none is in service, for lack of "
     "credit or since the link is busy"},
    {"vl_lane_wait", "1", kScalar, kLanes,
     "share of time in which a VL (the label) waits for a lane"},
    {"vl_lanes", "1", kScalar, kLanes,
     "share of time in which a VL has packets and holds so many lanes (the label)"},
    {"vl_throughput", "1/s", kScalar, kLanes, "packets of a VL that leave a port (the label)"},
    {"vl_blocking", "1", kScalar, kLanes,
     "share of a VL's packets that the full queue of a host (the label) refused"},
};

/// Of networks that are measured without simulating (experiment.kind = "network").
constexpr Row kStatic[] = {
    {"hosts", "", kScalar, kStructure, "hosts of the network"},
    {"switches", "", kScalar, kStructure, "switches; label: of that stage"},
    {"cables", "", kScalar, kStructure, "cables, those of hosts too; one-way links count each"},
    {"links", "", kScalar, kStructure,
     "one-way links of a group (the label: injection, ejection, up, down, horizontal, switch; with "
     "the stage that they leave: \"up 1\")"},
    {"ports", "", kScalar, kStructure, "cabled ports of all switches"},
    {"switch_ports_min", "", kScalar, kStructure, "cabled ports of the smallest switch"},
    {"switch_ports_max", "", kScalar, kStructure, "cabled ports of the largest switch"},
    {"stages", "", kScalar, kStructure, "stages of switches, where the family has stages"},
    {"diameter", "", kScalar, kStructure,
     "links of the shortest path of the farthest pair of hosts"},
    {"distance_mean", "", kScalar, kStructure,
     "links of a shortest path, mean over pairs of hosts"},
    {"bisection", "", kScalar, kStructure,
     "cables to be cut to part the hosts into halves, where a closed form exists"},
    {"shortest_paths_min", "", kScalar, kStructure,
     "shortest paths of the pair of hosts with the fewest; label: of pairs at that many links"},
    {"shortest_paths_max", "", kScalar, kStructure,
     "shortest paths of the pair of hosts with the most; label: of pairs at that many links"},
    {"shortest_paths_mean", "", kScalar, kStructure,
     "shortest paths of a pair of hosts, mean; label: of pairs at that many links"},
    {"paths_min", "", kScalar, kStructure,
     "paths that the routing allows the pair of hosts with the fewest (see network.path_pairs)"},
    {"paths_max", "", kScalar, kStructure,
     "paths that the routing allows the pair of hosts with the most (see network.path_pairs)"},
    {"paths_mean", "", kScalar, kStructure,
     "paths that the routing allows a pair of hosts, mean (see network.path_pairs)"},
    {"paths", "", kScalar, kStructure, "paths that the routing allows network.pair"},
    {"route_links", "", kScalar, kStructure, "links of the default route of network.pair"},
    {"route_links_mean", "", kScalar, kStructure, "links of a default route, mean over pairs"},
    {"route_links_max", "", kScalar, kStructure, "links of the longest default route"},
    {"link_routes_min", "", kScalar, kStructure,
     "fewest pairs of hosts whose default route takes a link, over the links of a group (the "
     "label, as of links)"},
    {"link_routes_mean", "", kScalar, kStructure,
     "mean number of pairs of hosts whose default route takes a link, over the links of a group "
     "(the label, as of links)"},
    {"link_routes_max", "", kScalar, kStructure,
     "most pairs of hosts whose default route takes a link, over the links of a group (the label, "
     "as of links)"},
    {"link_destinations_min", "", kScalar, kStructure,
     "fewest destinations of the default routes over a link, over the links of a group (the label, "
     "as of links)"},
    {"link_destinations_mean", "", kScalar, kStructure,
     "mean number of destinations of the default routes over a link, over the links of a group "
     "(the label, as of links)"},
    {"link_destinations_max", "", kScalar, kStructure,
     "most destinations of the default routes over a link, over the links of a group (the label, "
     "as of links)"},
    {"channels", "", kScalar, kStructure, "channels between switches that some route uses"},
    {"dependencies", "", kScalar, kStructure, "channels that wait for each other, pairs"},
    {"dependency_cycle", "", kScalar, kStructure,
     "channels in a cycle of dependencies; 0: the routing cannot deadlock"},
    {"zero_load_latency", "ns", kScalar, kZeroLoad,
     "injection to delivery of a full packet from the first host of network.pair to the second, "
     "alone in the network"},
    {"zero_load_latency_mean", "ns", kScalar, kZeroLoad,
     "injection to delivery of a full packet alone in the network, mean over all pairs of hosts"},
    {"zero_load_latency_max", "ns", kScalar, kZeroLoad,
     "injection to delivery of a full packet alone in the network, farthest pair of hosts"},
    {"round_trip_time", "ns", kScalar, kZeroLoad,
     "zero-load latency of a full packet over network.pair and of its ACK back"},
    {"round_trip_time_max", "ns", kScalar, kZeroLoad,
     "zero-load latency of a full packet and of its ACK back, first pair of the farthest ones"},
};

/// What the source queues of a host adapter cost; experiment.kind = "network".
constexpr Row kAdapterRows[] = {
    {"source_memory", "B", kScalar, kAdapters,
     "payload that the source queues of a host hold: a window of packets for each destination, one "
     "packet a queue, or a shared memory"},
    {"source_counters", "", kScalar, kAdapters,
     "bits of counters of packets without ACK, one a destination, where packets are not kept"},
    {"source_area", "", kScalar, kAdapters,
     "mm^2 of silicon for both in 45 nm CMOS, by a fit to published areas"},
};

/// What the queueing scheme costs, in every run.
constexpr Row kResourceRows[] = {
    {"queues_per_port", "", kScalar, kResources,
     "queues of the switch port with the most of them; label: of its ingress or egress side"},
    {"cam_lines_per_port", "", kScalar, kResources,
     "lines of associative memory of that port, for queues that are set aside during the run; "
     "label: of one side"},
    {"memory_per_port", "B", kScalar, kResources,
     "packet memory of that port; label: of one side. Nothing for ideal output queues"},
    {"memory_per_class", "B", kScalar, kResources,
     "packet memory that a buffer class has for itself, where not all classes share; label: side"},
    {"queues_per_host", "", kScalar, kResources,
     "source queues of a host, and queues of its injection buffer where congestion isolation has "
     "one"},
    {"queues_total", "", kScalar, kResources,
     "queues of all cabled switch ports; label: of their ingress or egress sides, or the "
     "queues of all hosts (host)"},
    {"cam_lines_total", "", kScalar, kResources,
     "lines of associative memory of all cabled switch ports; label: of one side, or of all hosts "
     "(host)"},
    {"memory_total", "B", kScalar, kResources,
     "packet memory of all cabled switch ports; label: of one side, or of the source queues of all "
     "hosts, where they are bounded (host)"},
};

/// "(ns; scalar, series)", for people.
std::string form_text(const MetricKind& kind) {
  std::string text = kind.unit.empty() ? "count" : kind.unit == "1" ? "ratio" : kind.unit;
  std::string_view separator = "; ";
  for (const auto& [bit, name] : {std::pair(kScalar, "scalar"), std::pair(kSeries, "series"),
                                  std::pair(kHistogram, "histogram")}) {
    if ((kind.forms & bit) == 0) continue;
    text.append(separator).append(name);
    separator = ", ";
  }
  return "(" + text + ")";
}

void add(Registry<MetricKind>& registry, const std::string& name, const std::string& meaning,
         const std::string& source, const MetricKind& kind) {
  registry.add({{name, meaning + " " + form_text(kind), source, {}}, kind});
}

void add(Registry<MetricKind>& registry, const Row& row) {
  add(registry, row.name, row.meaning, row.source, {row.unit, row.forms});
}

void add_latency(Registry<MetricKind>& registry, const std::string& name, const std::string& what,
                 bool has_series) {
  const auto series = static_cast<std::uint8_t>(has_series ? kSeries : 0);
  const auto scalar_series = static_cast<std::uint8_t>(kScalar | series);
  const std::string window = what + ", of those in the measuring window";
  add(registry, name, window + ": distribution", kLatency, {"ns", kHistogram});
  add(registry, name + "_mean", window + ": mean", kLatency, {"ns", scalar_series});
  add(registry, name + "_max", window + ": largest", kLatency, {"ns", scalar_series});
  for (const auto& [suffix, text] :
       {std::pair("_p50", "median"), std::pair("_p90", "90th percentile"),
        std::pair("_p99", "99th percentile"), std::pair("_p999", "99.9th percentile")}) {
    add(registry, name + suffix, window + ": " + text, kLatency, {"ns", kScalar});
  }
}

std::unique_ptr<Registry<MetricKind>> make_registry() {
  auto registry = std::make_unique<Registry<MetricKind>>("metric");
  for (const Row& row : kTraffic) add(*registry, row);
  for (const Row& row : kWorkload) add(*registry, row);
  for (const Row& row : kNetwork) add(*registry, row);
  for (const Row& row : kIsolation) add(*registry, row);
  for (const Row& row : kAdmissionRows) add(*registry, row);
  for (const Row& row : kReactionRows) add(*registry, row);
  for (const Row& row : kAdaptive) add(*registry, row);
  for (const Row& row : kMarking) add(*registry, row);
  for (const Row& row : kFlowRoutingRows) add(*registry, row);
  for (const Row& row : kCalculatedRates) add(*registry, row);
  for (const Row& row : kSearch) add(*registry, row);
  for (const Row& row : kQueueRows) add(*registry, row);
  for (const Row& row : kLaneRows) add(*registry, row);
  for (const Row& row : kStatic) add(*registry, row);
  for (const Row& row : kAdapterRows) add(*registry, row);
  for (const Row& row : kResourceRows) add(*registry, row);
  add_latency(*registry, "latency", "generation of the message to delivery of a packet", true);
  add_latency(*registry, "network_latency", "injection to delivery of a packet", true);
  add_latency(*registry, "message_latency", "generation to complete delivery of a message", false);
  return registry;
}

}  // namespace

Registry<MetricKind>& metric_registry() {
  static const std::unique_ptr<Registry<MetricKind>> registry = make_registry();
  return *registry;
}

namespace {
// The catalog lists the metrics even if nothing was measured yet.
[[maybe_unused]] const Registry<MetricKind>& registered_at_start = metric_registry();
}  // namespace

const MetricKind& metric_kind(std::string_view name) {
  try {
    return metric_registry().find(name, {}, "metric").make;
  } catch (const InputError& error) {
    throw std::logic_error(error.what());
  }
}

std::string to_string(const MetricName& name) {
  return name.label.empty() ? name.metric : name.metric + "[" + name.label + "]";
}

MetricName parse_metric_name(std::string_view text, const SourcePosition& position,
                             std::string_view key) {
  MetricName name;
  const std::size_t open = text.find('[');
  name.metric = std::string(text.substr(0, open));
  if (open != std::string_view::npos) {
    if (text.back() != ']' || text.size() == open + 2) {
      throw InputError(position, key,
                       "'" + std::string(text) + "' is not of the form metric[label]");
    }
    name.label = std::string(text.substr(open + 1, text.size() - open - 2));
  }
  (void)metric_registry().find(name.metric, position, key);
  return name;
}

}  // namespace weir::metrics
