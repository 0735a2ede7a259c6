#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kHistogram;
using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kCompletion = "li2019hpcc, section 5.1";
constexpr const char* kCompletionNeeds = "metrics.slowdown = true";
constexpr const char* kCounts = "weir2026, docs/architecture.md";
constexpr const char* kEfficiency = "rocher2021, section 4.3";
constexpr const char* kHeat = "ferrer2012, section 4.2";
constexpr const char* kLatency = "ferrer2012, section 7.6";
constexpr const char* kRates = "jain1984fairness";
constexpr const char* kRecovery = "rocher2021, section 4.3";
constexpr const char* kWorkloads = "rocher2021, section 4.4";

const MetricTable kTrafficTable({
    {"messages_generated", "", kScalar, kCounts,
     "messages that sources handed to their host, whole run"},
    {"messages_refused", "", kScalar, kCounts,
     "messages that a full source queue discarded, whole run. Lower is better"},
    {"messages_completed", "", kScalar, kCounts,
     "messages whose last byte was delivered, whole run"},
    {"bytes_generated", "B", kScalar, kCounts, "payload of the generated messages, whole run"},
    {"bytes_refused", "B", kScalar, kCounts,
     "payload of the discarded messages, whole run. Lower is better"},
    {"packets_injected", "", kScalar, kCounts, "data packets that entered the network, whole run"},
    {"bytes_injected", "B", kScalar, kCounts, "payload that entered the network, whole run"},
    {"packets_delivered", "", kScalar, kCounts,
     "data packets that reached their destination, whole run"},
    {"bytes_delivered", "B", kScalar, kCounts, "payload that reached its destination, whole run"},
    {"packets_measured", "", kScalar, kCounts, "data packets delivered in the measuring window"},
    {"efficiency", "1", kScalar | kSeries, kEfficiency,
     "network efficiency: delivered payload over what the links into all hosts of the network can "
     "carry, also into hosts to which nothing is sent; headers and ACKs count as nothing. Label: "
     "one class, over the same links. Higher is better"},
    {"efficiency_min", "1", kScalar, kEfficiency,
     "network efficiency in its lowest bin of the measuring window. Higher is better"},
    {"efficiency_before", "1", kScalar, kRecovery,
     "network efficiency over metrics.recovery_before, which ends at metrics.disturbed_from", 0,
     "metrics.disturbed_from"},
    {"efficiency_low", "1", kScalar, kRecovery,
     "network efficiency in its lowest bin from metrics.disturbed_from to disturbed_until. Higher "
     "is better",
     0, "metrics.disturbed_from"},
    {"recovered", "1", kScalar, kRecovery,
     "1 when the efficiency came back to metrics.recovery_level of efficiency_before for "
     "metrics.recovery_hold, or never left it; 0 when it did not while disturbed. Higher is better",
     0, "metrics.disturbed_from"},
    {"recovery_time", "ns", kScalar, kRecovery,
     "time from metrics.disturbed_from to the first bin from which on the efficiency had "
     "recovered; 0: no drop; without recovery, the time that was looked at. Lower is better",
     0, "metrics.disturbed_from"},
    {"throughput", "Gbps", kScalar | kSeries, kEfficiency,
     "delivered payload over time. Higher is better"},
    {"offered", "Gbps", kScalar | kSeries, kEfficiency, "generated payload over time"},
    {"injected", "Gbps", kScalar | kSeries, kEfficiency,
     "payload that entered the network, over time"},
    {"completion_time", "ns", kScalar, kEfficiency,
     "time of the last delivery, which is the execution time of a workload. Lower is better"},
    {"packets_lost", "", kScalar, kCounts,
     "data packets discarded where links were down ([[failure]]), whole run. Lower is better"},
    {"out_of_order", "", kScalar, kCounts,
     "data packets delivered after a later one of their flow, whole run. Lower is better"},
    {"out_of_order_share", "", kScalar, kCounts,
     "data packets delivered after a later one of their flow, over all that were delivered, whole "
     "run. Lower is better"},
    {"reorder_depth_mean", "", kScalar, kCounts,
     "packets by which an out-of-order packet was behind the newest of its flow, mean. Lower is "
     "better"},
    {"reorder_depth_max", "", kScalar, kCounts,
     "packets by which an out-of-order packet was behind the newest of its flow, largest. Lower is "
     "better"},
    {"source_rate_min", "Gbps", kScalar, kRates,
     "delivered payload of the slowest source over time, in the measuring window. Higher is "
     "better"},
    {"source_rate_mean", "Gbps", kScalar, kRates,
     "delivered payload of a source over time, in the measuring window, mean over the sources. "
     "Higher is better"},
    {"source_rate_max", "Gbps", kScalar, kRates,
     "delivered payload of the fastest source over time, in the measuring window"},
    {"fairness", "1", kScalar, kRates,
     "Jain index of the delivered payload over the sources: 1 when all got the same, 1/n when one "
     "of n got all. Higher is better"},
    {"victims_by_routes", "", kScalar, kHeat,
     "flows of cold classes with a message whose route shares a link with the route of a hot flow, "
     "or may do so, and that go to no destination of hot traffic; whole run. "
     "victims_by_waiting says which of them did wait",
     0, "metrics.waiting = true"},
    {"flow_rate_min", "Gbps", kScalar, kRates,
     "delivered payload of the slowest flow over time, in the measuring window. Higher is better",
     0, "metrics.per_flow = true"},
    {"flow_rate_mean", "Gbps", kScalar, kRates,
     "delivered payload of a flow over time, in the measuring window, mean over the flows. Higher "
     "is better",
     0, "metrics.per_flow = true"},
    {"flow_rate_max", "Gbps", kScalar, kRates,
     "delivered payload of the fastest flow over time, in the measuring window", 0,
     "metrics.per_flow = true"},
    {"flow_fairness", "1", kScalar, kRates,
     "Jain index of the delivered payload over the flows: 1 when all got the same, 1/n when one of "
     "n got all. Higher is better",
     0, "metrics.per_flow = true"},
});

/// Of runs with a [[workload]].
const MetricTable kWorkloadTable(
    {
        {"execution_time", "s", kScalar, kWorkloads,
         "time from the start of a workload to the end of its last operation; label: workload; "
         "without label, from the first start to the last end of all. Missing when it did not "
         "finish. Lower is better"},
        {"rank_finish_min", "s", kScalar, kWorkloads,
         "time from the start of a workload to the end of the last operation of its first rank to "
         "finish. Lower is better"},
        {"rank_finish_mean", "s", kScalar, kWorkloads,
         "time from the start of a workload to the end of a rank's last operation, mean over its "
         "ranks. Lower is better"},
        {"rank_finish_max", "s", kScalar, kWorkloads,
         "time from the start of a workload to the end of the last operation of its last rank to "
         "finish, which is the execution time. Lower is better"},
        {"communication_share", "1", kScalar, kWorkloads,
         "share of the time up to its finish in which a rank did not compute, mean over the ranks. "
         "Lower is better"},
        {"unexpected_messages_max", "", kScalar, kWorkloads,
         "most messages that were at one rank before their receive"},
    },
    "a [[workload]]");

/// Distribution, mean, largest and percentiles of a latency: the time `from_to` of all `what`
/// delivered in the measuring window.
std::vector<MetricRow> latency_rows(const std::string& name, const std::string& from_to,
                                    const std::string& what, bool has_series) {
  const std::uint8_t mean_and_max = has_series ? kScalar | kSeries : kScalar;
  const std::string time = " time " + from_to + ", of the " + what +
                           " delivered in the measuring window. Lower is better";
  const std::string percentile = " percentile of the" + time;
  return {{name, "ns", kHistogram, kLatency, "distribution of the" + time},
          {name + "_mean", "ns", mean_and_max, kLatency, "mean" + time},
          {name + "_max", "ns", mean_and_max, kLatency, "longest" + time},
          {name + "_p50", "ns", kScalar, kLatency, "median" + time},
          {name + "_p90", "ns", kScalar, kLatency, "90th" + percentile},
          {name + "_p99", "ns", kScalar, kLatency, "99th" + percentile},
          {name + "_p999", "ns", kScalar, kLatency, "99.9th" + percentile}};
}

const MetricTable kLatencyTable(
    latency_rows("latency", "from the generation of a packet's message to the packet's delivery",
                 "packets", true));
const MetricTable kNetworkLatencyTable(latency_rows(
    "network_latency", "from the injection of a packet to its delivery", "packets", true));
const MetricTable kMessageLatencyTable(
    latency_rows("message_latency", "from the generation of a message to its complete delivery",
                 "messages", false));

/// Distribution of what `what` says, of the messages generated in the measuring window.
std::vector<MetricRow> completion_rows(const std::string& name, const std::string& unit,
                                       const std::string& what) {
  const std::string of =
      " " + what +
      ", of the messages generated in the measuring window that were complete when the run ended. "
      "Label: a traffic class, a size class (metrics.sizes), or both, as in [cold, <= 10 KB]. "
      "Lower is better";
  const std::string percentile = " percentile of the" + of;
  return {{name + "_mean", unit, kScalar, kCompletion, "mean" + of},
          {name + "_max", unit, kScalar, kCompletion, "largest" + of},
          {name + "_p50", unit, kScalar, kCompletion, "median" + of},
          {name + "_p95", unit, kScalar, kCompletion, "95th" + percentile},
          {name + "_p99", unit, kScalar, kCompletion, "99th" + percentile},
          {name + "_p999", unit, kScalar, kCompletion, "99.9th" + percentile}};
}

const MetricTable kSlowdownTable(
    completion_rows("slowdown", "1",
                    "slowdown of a message: its completion time over that of the same message "
                    "alone on the default route"),
    kCompletionNeeds);
const MetricTable kCompletionTable(
    completion_rows("message_completion", "ns",
                    "completion time of a message, the flow-completion time of data centres: from "
                    "its generation to the delivery of its last byte"),
    kCompletionNeeds);
const MetricTable kCompletionCounts(
    {{"message_completion", "ns", kHistogram, kCompletion,
      "distribution of the completion time of the messages generated in the measuring window"},
     {"messages_unfinished", "", kScalar, kCounts,
      "messages generated in the measuring window that were not complete when the run ended, those "
      "that lost something included; slowdowns and completion times say nothing of them. Lower is "
      "better"}},
    kCompletionNeeds);

}  // namespace

}  // namespace weir::metrics
