#include "weir/fabric/compatibility.hpp"

#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "weir/fabric/connection_tables.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/fabric/hooks/known_paths.hpp"
#include "weir/fabric/stop_and_go.hpp"
#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

namespace {

/// Congestion isolation needs buffers at ingress, and says what queues they have.
void check_isolation(const Core& core) {
  if (core.settings.architecture == Architecture::output_queued) {
    throw InputError("isolation.model",
                     "packets are set aside in ingress buffers, where what is congested blocks the "
                     "rest; in switches with switch.architecture = \"oq\" nothing waits there, and "
                     "outputs have room for everything: take \"cioq\" or \"iq\"");
  }
  if (core.settings.architecture == Architecture::input_queued_single) {
    throw InputError("isolation.model",
                     "packets are set aside in switches whose inputs send to several outputs at "
                     "once (switch.architecture = \"iq\"), or which have buffers at both sides "
                     "(\"cioq\"; with switch.speedup = 1 inputs send one packet at a time, into a "
                     "buffer before each link)");
  }
  if (!core.end_to_end_classes) {
    throw InputError("isolation.model",
                     "a congested point is that of one class, which packets keep on their way, and "
                     "queueing.model gives them another class in every buffer; take "
                     "queueing.model = \"fifo\", or one with classes that stay, as "
                     "\"service-level\"");
  }
  if (core.isolates_adapted) {
    throw InputError("isolation.model",
                     "a congested point is that of one class, which packets keep on their way, and "
                     "selection.isolation gives those that leave their routes another one; take "
                     "one of the two");
  }
  if (core.models.queueing->voq().value_or(false)) {
    throw InputError("isolation.model",
                     "says itself which queues a buffer has: take queueing.model = \"fifo\", and "
                     "isolation.ingress = \"per-output\" for a normal queue for each output");
  }
  const auto* follower = dynamic_cast<const NeedsKnownPaths*>(core.mechanisms.isolation.get());
  if (follower != nullptr && !core.models.selection->keeps_paths())
    throw InputError("isolation.model", follower->why_known_paths());
}

/// Flow routing finds paths among outputs without lanes, one after another, and loses no packet.
void check_flow_routing(const Core& core) {
  if (!core.is_fixed) {
    throw InputError("selection.model",
                     "flow routing chooses outputs by flow, beside which no other selection "
                     "than \"fixed\" can be");
  }
  if (core.models.routing->lanes() > 1) {
    throw InputError("routing.model", "flow routing needs a routing with one lane");
  }
  if (core.models.queueing->is_by_output()) {
    throw InputError("queueing.flow_control",
                     "per-queue credits are for the output that a packet takes at the "
                     "next switch, which its sender does not know with flow routing");
  }
  if (dynamic_cast<const NeedsKnownPaths*>(core.mechanisms.isolation.get()) != nullptr) {
    throw InputError("isolation.model",
                     "congested points are known by the routes that hosts write into the headers "
                     "of packets, and with flow routing only switches know the path of a flow; "
                     "take isolation.model = \"fbicm\", which knows them by destinations");
  }
  if (core.mechanisms.vl_sharing) {
    throw InputError("vl_sharing.model",
                     "lanes serve messages that need no set-up; take it or flow routing by "
                     "packets");
  }
  if (core.mechanisms.admission) {
    throw InputError("admission.model",
                     "bandwidth is reserved along default routes, which packets leave with "
                     "flow routing; take one of the two");
  }
}

/// Reservations are for the links of a route that is known beforehand, and end with a packet.
void check_admission(const Core& core) {
  if (!core.models.selection->keeps_paths()) {
    throw InputError("admission.model",
                     "bandwidth is reserved along the routes that packets will take, which needs "
                     "a selection that keeps a connection on one path: selection.model = "
                     "\"fixed\" or \"ecmp\"");
  }
  if (core.settings.when_full == WhenFull::discard) {
    throw InputError("admission.model",
                     "the last packet of a connection releases its bandwidth, so that no "
                     "message may be refused after it; take host.when_full = \"wait\"");
  }
  if (core.settings.saturation == Saturation::full_rate) {
    throw InputError("host.saturation",
                     "\"full-rate\" refuses messages, and the last one of a connection "
                     "releases "
                     "its bandwidth (admission.model); take \"per-queue\"");
  }
}

/// Connections fill entries of the VL that they have on their whole route, and only entries that
/// stay serve what has no connection.
void check_connection_tables(const Core& core) {
  if (core.settings.arbiter != ArbiterKind::vl_weighted) {
    throw InputError("admission.tables",
                     "connections fill VL arbitration tables, which serve packets with "
                     "switch.arbiter = \"vl-weighted\" only");
  }
  if (!core.end_to_end_classes || core.models.routing->lanes() > 1) {
    throw InputError(
        "admission.tables",
        "a connection fills entries of one VL on its whole route, which needs a "
        "queueing.model with the same class in every buffer, as \"service-level\", and a routing "
        "with one lane");
  }
  const ConnectionTables& tables = *core.mechanisms.admission->tables();
  for (int vl = core.buffers; vl < ConnectionTables::kDataVls; ++vl) {
    if (!tables.is_high(static_cast<std::uint16_t>(vl))) continue;
    throw InputError("admission.high_vls", fmt::format("there is no VL {}; a port has {} (0 to {})",
                                                       vl, core.buffers, core.buffers - 1));
  }
  const bool are_packets =
      core.settings.acks == AckMode::in_band || core.settings.acks == AckMode::becn;
  const auto vl = vl_without_entry(core);
  if (!are_packets || !vl) return;
  throw InputError(
      "host.acks",
      fmt::format(
          "ACK packets have no connection, and VL {} has no entry but those of connections; "
          "give it weight in vl_arbitration.low, or take host.acks = \"ideal\"",
          *vl));
}

/// A service level of their own must make a difference to ACKs.
void check_ack_level(const Core& core) {
  std::set<int> classes;
  Packet packet;
  packet.destination = core.host_count > 1 ? 1 : 0;
  for (std::uint8_t level = 0; level < 16; ++level) {
    packet.service_level = level;
    classes.insert(core.models.queueing->classify(packet, PortId(0)));
  }
  if (classes.size() > 1) return;
  throw InputError("host.ack_service_level",
                   "queueing.model gives all service levels the same class; take "
                   "\"service-level\"");
}

/// Flows with rates of their own do not wait behind each other.
void check_injection(const Core& core) {
  if (!core.mechanisms.injection->ranks_flows() ||
      core.settings.source_queues == SourceQueueKind::per_destination) {
    return;
  }
  throw InputError("injection.model",
                   "chooses among the flows of a host, which needs host.source_queues = "
                   "\"per-destination\"");
}

std::string routing_lanes(const routing::RoutingFunction& routing) {
  return routing.lanes() == 1 ? "one VC" : fmt::format("{} VCs", routing.lanes());
}

}  // namespace

const Models& checked(const Models& models, const Mechanisms& mechanisms,
                      const FabricSettings& settings) {
  if (!models.graph || !models.routing || !models.selection || !models.queueing) {
    throw std::logic_error(
        "a fabric needs a graph, a routing function, a selection function and a queueing scheme");
  }
  if (models.queueing->is_by_output() && !models.selection->is_fixed()) {
    throw InputError("queueing.flow_control",
                     "per-queue credits are for the output that a packet takes at the "
                     "next switch, which its sender knows with selection.model = \"fixed\" only");
  }
  if (mechanisms.agent && mechanisms.agent->needs_classes_by_output() &&
      !models.queueing->is_by_output()) {
    throw InputError(
        "agent.model",
        "senders are told of outputs of the next switch and need a queue for each of "
        "them; take queueing.model = \"voqsw\" and queueing.flow_control = \"per-queue\"");
  }
  if (models.selection->isolates() && !models.queueing->is_end_to_end()) {
    throw InputError("selection.isolation",
                     "adapted packets have a class of their own in every buffer, which "
                     "needs a queueing.model that gives a packet the same class in all of them");
  }
  const int classes = models.queueing->classes() + models.selection->added_classes();
  const int all = classes * models.routing->lanes();
  validate(adapted(settings, *models.queueing), all,
           mechanisms.admission && mechanisms.admission->tables() != nullptr);
  if (settings.arbiter == ArbiterKind::vl_weighted && all > 15 &&
      !(models.queueing->has_management_vl() && all == models.queueing->classes())) {
    throw InputError(
        "switch.arbiter",
        fmt::format("vl-weighted serves class 15 as VL 15, before its tables, and here it is "
                    "one of {} for data ({} of the queueing model in {} of the routing); take at "
                    "most 15, or "
                    "another arbiter",
                    all, classes, routing_lanes(*models.routing)));
  }
  return models;
}

std::optional<std::uint16_t> vl_without_entry(const Core& core) {
  const Admission* admission = core.mechanisms.admission.get();
  const ConnectionTables* tables = admission != nullptr ? admission->tables() : nullptr;
  for (std::uint16_t vl = 0; tables != nullptr && vl < core.buffers; ++vl) {
    if (!tables->serves_without(vl)) return vl;
  }
  return std::nullopt;
}

void check_mechanisms(const Core& core) {
  const Mechanisms& mechanisms = core.mechanisms;
  if (mechanisms.flow_routing) check_flow_routing(core);
  if (mechanisms.isolation) check_isolation(core);
  if (mechanisms.admission) check_admission(core);
  if (mechanisms.admission && mechanisms.admission->tables() != nullptr)
    check_connection_tables(core);
  if (mechanisms.injection) check_injection(core);
  if (core.settings.ack_service_level) check_ack_level(core);
}

std::string key_of(const Core& core, const Mechanism* mechanism) {
  const Mechanisms& all = core.mechanisms;
  if (mechanism == core.models.selection.get()) return "selection.model";
  if (mechanism == all.marker.get()) return "marking.model";
  if (mechanism == all.agent.get()) return "agent.model";
  if (mechanism == all.reaction.get()) return "reaction.model";
  if (mechanism == all.injection.get()) return "injection.model";
  if (mechanism == all.isolation.get()) return "isolation.model";
  if (mechanism == all.admission.get()) return "admission.model";
  if (mechanism == all.vl_sharing.get()) return "vl_sharing.model";
  if (mechanism == all.flow_routing.get()) return "flow_routing.set_up";
  if (mechanism == all.control.get()) return "protocol.model";
  if (mechanism == all.waiting.get()) return "metrics.waiting";
  if (mechanism == core.stop_and_go.get()) return "flow_control.model";
  return "host.order";
}

}  // namespace weir::fabric
