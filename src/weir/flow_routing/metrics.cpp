#include "weir/base/metric_registry.hpp"

namespace weir::flow_routing {

namespace {

using metric_form::kScalar;

constexpr const char* kFlowRouting = "zdornov2009, section 3.1";

const MetricTable kFlowRoutingTable(
    {
        {"flow_set_ups", "", kScalar, kFlowRouting, "flows set up by a packet, whole run"},
        {"flow_tear_downs", "", kScalar, kFlowRouting,
         "tear-down packets, whole run; none where the last data packet tears the flow down"},
        {"flow_control_bytes", "B", kScalar, kFlowRouting,
         "bytes of set-up and tear-down packets and of their answers, over all links, whole run"},
        {"flow_set_up_mean", "ns", kScalar, kFlowRouting,
         "time from a flow's wish to send to the answer to its set-up packet, mean over the whole "
         "run. Lower is better"},
        {"flow_set_up_max", "ns", kScalar, kFlowRouting,
         "time from a flow's wish to send to the answer to its set-up packet, longest of the whole "
         "run. Lower is better"},
        {"port_choices", "", kScalar, kFlowRouting,
         "times that a switch chose a port for a flow, whole run"},
        {"port_choices_diverted", "", kScalar, kFlowRouting,
         "port choices other than the default port, each of which takes an entry of the route "
         "cache, whole run"},
        {"route_cache_full", "", kScalar, kFlowRouting,
         "port choices that fell back to the default port because the route cache was full, whole "
         "run. Lower is better"},
        {"route_cache_entries_max", "", kScalar, kFlowRouting,
         "most entries at a time in the route cache of one input port"},
        {"route_cache_entries_left", "", kScalar, kFlowRouting,
         "entries in all route caches when the run ended"},
    },
    "flow_routing.set_up = \"packets\"");

}  // namespace

}  // namespace weir::flow_routing
