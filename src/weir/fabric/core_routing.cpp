#include <span>

#include <fmt/format.h>

#include "weir/fabric/core.hpp"

namespace weir::fabric {

namespace {

routing::RouteQuery query_of(const Packet& p, std::uint32_t message, std::uint32_t switch_number,
                             std::uint32_t in_port, std::uint8_t lane) {
  routing::RouteQuery query;
  query.at = SwitchId(switch_number);
  query.in_port = PortId(in_port);
  query.source = HostId(p.source);
  query.destination = HostId(p.destination);
  query.lane = lane;
  query.message = message;
  return query;
}

/// What a selection function sees of the switch that asks.
class SwitchOutputs final : public SelectionView {
 public:
  SwitchOutputs(Core& core, const Packet& the_packet, const PortInfo& in, RandomStream& stream,
                routing::CandidateList& list)
      : SelectionView(the_packet, SwitchId(in.node - core.host_count),
                      {the_packet.out, the_packet.next_lane}, stream),
        core_(core),
        first_port_(in.first_port),
        list_(list) {
    list_.clear();
  }

  [[nodiscard]] std::span<const routing::Candidate> candidates() override {
    if (list_.empty()) {
      core_.models.routing->candidates(
          query_of(packet, core_.message_in_queries(packet), at.value, packet.in_port, packet.lane),
          list_);
      if (!core_.is_down.empty() && !core_.keeps_known_paths) leave_out_links_that_are_down();
    }
    return list_.view();
  }
  [[nodiscard]] std::int64_t credits(routing::Candidate output) const override {
    const std::uint32_t port = first_port_ + output.port;
    return current(port, core_.classify(packet, output.lane, core_.links[port].to));
  }
  [[nodiscard]] std::int64_t adapted_credits(routing::Candidate output) const override {
    return current(first_port_ + output.port, core_.adapted_class(output.lane));
  }
  [[nodiscard]] std::int64_t capacity(routing::Candidate) const override {
    return core_.links.capacity();
  }
  [[nodiscard]] std::int64_t queued(routing::Candidate output) const override {
    return core_.links[first_port_ + output.port].queued_bytes;
  }
  [[nodiscard]] std::int64_t message_bytes() const override {
    return packet.is_ack() ? 0 : core_.message_bytes(packet);
  }

 private:
  /// Unless all are.
  void leave_out_links_that_are_down() {
    routing::CandidateList working;
    for (const routing::Candidate& candidate : list_) {
      if (!core_.is_link_down(first_port_ + candidate.port)) working.add(candidate);
    }
    if (!working.empty()) list_ = working;
  }
  [[nodiscard]] std::int64_t current(std::uint32_t port, std::uint16_t buffer) const {
    if (core_.is_link_down(port)) return -1;
    core_.links.apply(port, core_.now);
    return core_.links.credits(port, buffer);
  }

  Core& core_;
  std::uint32_t first_port_;
  routing::CandidateList& list_;
};

}  // namespace

std::uint16_t Core::classify(const Packet& p, std::uint8_t lane, std::uint32_t receiver) const {
  if (p.is_adapted()) return adapted_class(lane);
  if (!end_to_end_classes) return classify_anew(p, lane, receiver);
  return static_cast<std::uint16_t>(lane * classes + p.buffer - p.lane * classes);
}

std::uint16_t Core::classify_anew(const Packet& p, std::uint8_t lane,
                                  std::uint32_t receiver) const {
  const QueueingScheme& scheme = *models.queueing;
  int within = 0;
  if (classes_by_output && ports[receiver].node >= host_count) {
    const auto query =
        query_of(p, message_in_queries(p), ports[receiver].node - host_count, receiver, lane);
    within =
        scheme.classify_by_output(p, PortId(receiver), models.routing->default_route(query).port);
  } else {
    within = scheme.classify(p, PortId(receiver));
  }
  return static_cast<std::uint16_t>(lane * classes + within);
}

std::uint32_t Core::message_in_queries(const Packet& p) const {
  if (p.is_ack() || p.message == kNone) return routing::RouteQuery::kNoMessage;
  if (border == nullptr) return p.message;
  // Parts know messages of their own only.
  return tells_connections ? connection_of(p) : 0;
}

void Core::enter_lane(Packet& p, routing::Candidate chosen) {
  p.out = chosen.port;
  p.next_lane = chosen.lane;
  // The next output is not in the cache yet: it is only looked at where the class depends on it.
  const std::uint32_t receiver =
      end_to_end_classes ? kNone : links[ports[p.in_port].first_port + p.out].to;
  p.next_buffer = classify(p, p.next_lane, receiver);
}

void Core::ask_for_route(Packet& p, std::uint32_t node) {
  const auto query = query_of(p, message_in_queries(p), node - host_count, p.in_port, p.lane);
  enter_lane(p, models.routing->default_route(query));
}

void Core::select_route(Packet& p) {
  const PortInfo& in = ports[p.in_port];
  if (!knows_routes_ahead) look_up_route(p, in.node);
  if (isolates_adapted) check_adapted(p);
  if (p.is_adapted()) return;
  SwitchOutputs view(*this, p, in, selection_random_[in.node - host_count], candidates_);
  const Selected selected = models.selection->select(view);
  if (selected.output == view.preferred && !selected.adapts) return;
  if (selected.output != view.preferred) ++counters.diverted;
  if (selected.adapts) {
    p.flags |= packet_flag::kAdapted;
    ++counters.adapted_in_switches;
  }
  enter_lane(p, selected.output);
}

void Core::route_flow(Packet& p) {
  const std::uint16_t out = mechanisms.flow_routing->route(p);
  if (out == p.out) return;
  if (!p.is_ack()) ++counters.diverted;
  enter_lane(p, {out, p.next_lane});
}

std::uint16_t Core::scheme_class(const Packet& p) const {
  return p.is_adapted() ? static_cast<std::uint16_t>(
                              models.queueing->classify(p, PortId(links[first_port[p.source]].to)))
                        : static_cast<std::uint16_t>(p.buffer - p.lane * classes);
}

void Core::check_adapted(const Packet& p) const {
  if ((p.buffer == adapted_class(p.lane)) == p.is_adapted()) return;
  throw RunError(
      fmt::format("isolation of adapted packets violated at {} ps: class {} of {} took a packet "
                  "from host {} to "
                  "host {} that is {}adapted",
                  now, p.buffer, graph.name(PortId(p.in_port)), p.source, p.destination,
                  p.is_adapted() ? "" : "not "));
}

}  // namespace weir::fabric
