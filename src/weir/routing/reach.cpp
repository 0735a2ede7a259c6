#include "weir/routing/reach.hpp"

#include <algorithm>
#include <utility>

namespace weir::routing {

Reach::Reach(const topology::Graph& graph, const RoutingFunction& routing)
    : graph_(graph),
      routing_(routing),
      lanes_(static_cast<std::size_t>(routing.lanes())),
      seen_(graph.port_count() * lanes_),
      met_(graph.port_count()) {}

void Reach::add(HostId source, HostId destination, std::vector<PortId>& links) {
  ++call_;
  const auto meet = [&](const Channel& channel) {
    const std::size_t port = channel.port.index();
    if (std::exchange(seen_[port * lanes_ + channel.lane], call_) == call_) return;
    if (std::exchange(met_[port], call_) != call_) links.push_back(channel.port);
    open_.push_back(channel);
  };
  meet({graph_.host_port(source), routing_.injection_lane(source, destination)});
  CandidateList allowed;
  while (!open_.empty()) {
    const Channel channel = open_.back();
    open_.pop_back();
    const NodeId next = graph_.port(graph_.port(channel.port).to).node;
    if (graph_.is_host(next)) continue;
    const RouteQuery query = query_after(graph_, channel, source, destination);
    allowed.clear();
    routing_.candidates(query, allowed);
    for (const Candidate& one : allowed) {
      if (is_cabled(graph_, query.at, one)) meet({graph_.port(next, one.port), one.lane});
    }
  }
}

namespace {

constexpr std::size_t kMostKept = 64U << 20U;  ///< bytes
constexpr std::uint8_t kIsKnown = 1;
constexpr std::uint8_t kLeads = 2;

}  // namespace

Encounter::Encounter(const topology::Graph& graph, const RoutingFunction& routing,
                     const std::vector<bool>& links)
    : graph_(graph),
      routing_(routing),
      links_(links),
      lanes_(static_cast<std::size_t>(routing.lanes())),
      keeps_(!routing.depends_on_source()),
      known_(keeps_ ? graph.host_count() : 1) {}

Encounter::Known& Encounter::known_of(HostId destination) {
  Known& known = known_[keeps_ ? destination.index() : 0];
  if (!keeps_) {
    std::fill(known.begin(), known.end(), std::uint8_t{0});
  }
  if (!known.empty()) return known;
  const std::size_t size = (graph_.port_count() * lanes_ + 3) / 4;
  if (bytes_ + size > kMostKept) {
    for (Known& one : known_) Known().swap(one);
    bytes_ = 0;
  }
  known.assign(size, 0);
  bytes_ += size;
  return known;
}

bool Encounter::is_possible(HostId source, HostId destination) {
  now_ = &known_of(destination);
  return leads({graph_.host_port(source), routing_.injection_lane(source, destination)}, source,
               destination);
}

bool Encounter::leads(const Channel& channel, HostId source, HostId destination) {
  if (links_[channel.port.index()]) return true;
  const NodeId next = graph_.port(graph_.port(channel.port).to).node;
  if (graph_.is_host(next)) return false;
  const std::size_t number = channel.port.index() * lanes_ + channel.lane;
  const auto shift = static_cast<unsigned>(number % 4 * 2);
  const unsigned known = static_cast<unsigned>((*now_)[number / 4]) >> shift;
  if ((known & kIsKnown) != 0) return (known & kLeads) != 0;
  const auto note = [&](unsigned bits) {
    std::uint8_t& four = (*now_)[number / 4];
    four = static_cast<std::uint8_t>(four | bits << shift);
  };
  note(kIsKnown);
  const RouteQuery query = query_after(graph_, channel, source, destination);
  CandidateList allowed;
  routing_.candidates(query, allowed);
  const bool does = std::any_of(allowed.begin(), allowed.end(), [&](const Candidate& one) {
    return is_cabled(graph_, query.at, one) &&
           leads({graph_.port(next, one.port), one.lane}, source, destination);
  });
  if (does) note(kLeads);
  return does;
}

}  // namespace weir::routing
