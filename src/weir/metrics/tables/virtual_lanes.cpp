#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

constexpr const char* kQueues = "yan2012, chapters 4 and 5";

/// Of queueing models: by their equations, and by simulation.
const MetricTable kQueueingModelsTable(
    {
        {"offered_load", "1", kScalar, kQueues,
         "arrival rate over the service rate of the lowest level"},
        {"state_probability", "1", kScalar, kQueues,
         "probability of a number of packets in the system; label: number"},
        {"queue_length", "", kScalar, kQueues,
         "packets in the system, those in service included, mean; label: one station. Lower is "
         "better"},
        {"simulated_queue_length", "", kScalar, kQueues,
         "simulated beside the model: packets in the system, those in service included, mean; "
         "label: one station. Lower is better"},
        {"blocking_probability", "1", kScalar, kQueues,
         "probability that an arriving packet is lost. Lower is better"},
        {"simulated_blocking_probability", "1", kScalar, kQueues,
         "simulated beside the model: probability that an arriving packet is lost. Lower is "
         "better"},
        {"queue_throughput", "", kScalar, kQueues,
         "packets that leave in a unit of time. Higher is better"},
        {"simulated_queue_throughput", "", kScalar, kQueues,
         "simulated beside the model: packets that leave in a unit of time. Higher is better"},
        {"response_time", "", kScalar, kQueues,
         "time of a packet in the system, in the unit of the rates, mean. Lower is better"},
        {"simulated_response_time", "", kScalar, kQueues,
         "simulated beside the model: time of a packet in the system, in the unit of the rates, "
         "mean. Lower is better"},
        {"busy_probability", "1", kScalar, kQueues,
         "probability that the server works; label: one station"},
        {"simulated_busy_probability", "1", kScalar, kQueues,
         "simulated beside the model: probability that the server works; label: one station"},
        {"carried_load", "1", kScalar, kQueues,
         "throughput over the service rate of the lowest level. Higher is better"},
        {"simulated_carried_load", "1", kScalar, kQueues,
         "simulated beside the model: throughput over the service rate of the lowest level. Higher "
         "is better"},
        {"level_probability", "1", kScalar, kQueues,
         "probability that the server works at the rate of a level; label: level"},
        {"simulated_level_probability", "1", kScalar, kQueues,
         "simulated beside the model: probability that the server works at the rate of a level; "
         "label: level"},
        {"credit_stall", "1", kScalar, kQueues,
         "probability that the upstream station has packets and no credit. Lower is better"},
        {"simulated_credit_stall", "1", kScalar, kQueues,
         "simulated beside the model: probability that the upstream station has packets and no "
         "credit. Lower is better"},
        {"simulated_lane_wait", "1", kScalar, kQueues,
         "simulated beside the model: share of time in which VL 0 waits for a lane. Lower is "
         "better"},
        {"error_measure", "1", kScalar, "yan2012, equations 5.23 and 5.46",
         "difference between simulation and model over the simulation; label: metric. Lower is "
         "better"},
    },
    "experiment.kind = \"queue\"");

}  // namespace

}  // namespace weir::metrics
