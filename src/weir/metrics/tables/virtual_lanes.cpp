#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;

constexpr const char* kLanes = "infiniband-queueing 3.6 to 3.8; with [vl_sharing]";
constexpr const char* kQueues = "infiniband-queueing 4; experiment.kind = \"queue\"";

/// Of runs with lanes. Labels name the host, or the port of a switch, and the VL: "h0 VL 0".
const MetricTable kLanesTable(
    {
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
    },
    "[vl_sharing]");

/// Of queueing models: by their equations, and by simulation.
const MetricTable kQueueingModelsTable({
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
});

}  // namespace

}  // namespace weir::metrics
