#include "weir/base/metric_registry.hpp"

namespace weir::metrics {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kLanes = "yan2012, chapters 4 and 5";
constexpr const char* kQueues = "yan2012, chapters 4 and 5";

/// Of runs with lanes. Labels name the host, or the port of a switch, and the VL: "h0 VL 0".
const MetricTable kLanesTable(
    {
        {"vl_queue_length", "", kScalar, kLanes,
         "packets of a VL at a port, the one in service included, mean over time; label: port and "
         "VL"},
        {"vl_busy", "1", kScalar, kLanes,
         "share of time in which a VL has packets; label: port and VL"},
        {"vl_stalled", "1", kScalar, kLanes,
         "share of time in which a VL has packets and none is in service, for lack of credit or "
         "because the link is busy; label: port and VL. Lower is better"},
        {"vl_lane_wait", "1", kScalar, kLanes,
         "share of time in which a VL waits for a lane; label: port and VL. Lower is better"},
        {"vl_lanes", "1", kScalar, kLanes,
         "share of time in which a VL has packets and holds a number of lanes; label: port, VL and "
         "number"},
        {"vl_throughput", "1/s", kScalar, kLanes,
         "packets of a VL that leave a port, in a unit of time; label: port and VL. Higher is "
         "better"},
        {"vl_blocking", "1", kScalar, kLanes,
         "share of a VL's packets that the full queue of a host refused; label: host and VL. Lower "
         "is better"},
    },
    "[vl_sharing]");

/// Of runs whose connections fill arbitration tables.
const MetricTable kEntriesTable(
    {
        {"vl_entries", "", kSeries, "yan2012, section 5.2",
         "entries that connections of a VL have in the arbitration table of a port; label: port "
         "and VL",
         kSeries},
        {"vl_borrowed", "1", kSeries, "yan2012, section 5.2",
         "share of the bin in which a VL has packets and holds a borrowed lane; label: port and "
         "VL"},
    },
    "admission.tables = \"connections\"");

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
