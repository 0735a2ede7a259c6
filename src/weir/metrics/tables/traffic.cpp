#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kHistogram;
using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kCounts = "messages and packets as hosts see them";
constexpr const char* kEfficiency = "adaptive-routing-notifications 4.4; bytes of payload";
constexpr const char* kLatency = "packet-marking 4.6";
constexpr const char* kRates = "explicit-rates 4.2; recn-fbicm 4.4 (Jain)";
constexpr const char* kRecovery = "adaptive-routing-notifications 5.1";
constexpr const char* kWorkloads = "adaptive-routing-notifications 4.4 (execution time)";

const MetricTable kTrafficTable({
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
     "network efficiency: delivered payload over what the links into all hosts of the network can "
     "carry, also into hosts that nothing is sent to; headers count as nothing, and so do ACKs. "
     "label: of one class, over the same links"},
    {"efficiency_min", "1", kScalar, kEfficiency,
     "lowest bin of the efficiency in the measuring window"},
    {"efficiency_before", "1", kScalar, kRecovery,
     "efficiency before metrics.disturbed_from, over metrics.recovery_before", 0,
     "metrics.disturbed_from"},
    {"efficiency_low", "1", kScalar, kRecovery,
     "lowest bin of the efficiency from metrics.disturbed_from to disturbed_until", 0,
     "metrics.disturbed_from"},
    {"recovered", "1", kScalar, kRecovery,
     "1: the efficiency came back to metrics.recovery_level of efficiency_before for "
     "recovery_hold, or never left it; 0: it did not while disturbed",
     0, "metrics.disturbed_from"},
    {"recovery_time", "ns", kScalar, kRecovery,
     "from metrics.disturbed_from to the first bin of that stretch; 0: no drop; without recovery "
     "the time that was looked at",
     0, "metrics.disturbed_from"},
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
     "delivered payload of the slowest flow in the window", 0, "metrics.per_flow = true"},
    {"flow_rate_mean", "Gbps", kScalar, kRates, "delivered payload of a flow in the window, mean",
     0, "metrics.per_flow = true"},
    {"flow_rate_max", "Gbps", kScalar, kRates,
     "delivered payload of the fastest flow in the window", 0, "metrics.per_flow = true"},
    {"flow_fairness", "1", kScalar, kRates, "Jain index of the delivered payload over the flows", 0,
     "metrics.per_flow = true"},
});

/// Of runs with a [[workload]].
const MetricTable kWorkloadTable(
    {
        {"execution_time", "s", kScalar, kWorkloads,
         "start of a workload (the label) to the end of its last operation; without label: first "
         "start "
         "to last end of all. Nothing when it was not done"},
        {"rank_finish_min", "s", kScalar, kWorkloads,
         "start of a workload to the end of the last operation of its first rank to finish"},
        {"rank_finish_mean", "s", kScalar, kWorkloads, "the same, mean over its ranks"},
        {"rank_finish_max", "s", kScalar, kWorkloads, "the same, last rank: the execution time"},
        {"communication_share", "1", kScalar, kWorkloads,
         "share of the time up to its finish in which a rank did not compute, mean over ranks"},
        {"unexpected_messages_max", "", kScalar, kWorkloads,
         "most messages that were at one rank before their receive"},
    },
    "a [[workload]]");

/// Distribution, mean, largest and percentiles of a latency; `what` is timed.
std::vector<MetricRow> latency_rows(const std::string& name, const std::string& what,
                                    bool has_series) {
  const std::uint8_t mean_and_max = has_series ? kScalar | kSeries : kScalar;
  const std::string window = what + ", of those in the measuring window: ";
  return {{name, "ns", kHistogram, kLatency, window + "distribution"},
          {name + "_mean", "ns", mean_and_max, kLatency, window + "mean"},
          {name + "_max", "ns", mean_and_max, kLatency, window + "largest"},
          {name + "_p50", "ns", kScalar, kLatency, window + "median"},
          {name + "_p90", "ns", kScalar, kLatency, window + "90th percentile"},
          {name + "_p99", "ns", kScalar, kLatency, window + "99th percentile"},
          {name + "_p999", "ns", kScalar, kLatency, window + "99.9th percentile"}};
}

const MetricTable kLatencyTable(latency_rows("latency",
                                             "generation of the message to delivery of a packet",
                                             true));
const MetricTable kNetworkLatencyTable(latency_rows("network_latency",
                                                    "injection to delivery of a packet", true));
const MetricTable kMessageLatencyTable(latency_rows("message_latency",
                                                    "generation to complete delivery of a message",
                                                    false));

}  // namespace

}  // namespace weir::metrics
