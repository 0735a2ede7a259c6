#include "weir/isolation/source_routes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weir::isolation {

namespace {

constexpr std::size_t kMostKnown = std::size_t{1} << 20;
/// A few hosts can have many flows.
constexpr std::size_t kFewestFlows = std::size_t{1} << 14;
/// Pairs of switches whose routes are tried before the run; what is longer beyond is found when it
/// is used.
constexpr std::size_t kMostTried = std::size_t{1} << 17;

}  // namespace

void SourceRoutes::attach(const fabric::FabricView& fabric) {
  ports_ = fabric.ports;
  links_ = fabric.links;
  packets_ = fabric.packets;
  paths_ = fabric::KnownPaths(fabric);
  header_ = packets_.reserve<std::uint64_t>();
  by_connection_ = paths_.by_connection();
  lane_bits_ = lane_bits(static_cast<unsigned>(fabric.routing.lanes()));
  for (const fabric::PortInfo& info : ports_)
    width_.push_back(static_cast<std::uint8_t>(turn_bits(info.degree) + lane_bits_));
  const std::size_t pairs = std::size_t{ports_.host_count()} * ports_.host_count();
  const std::size_t wished = std::max(2 * pairs, by_connection_ ? kFewestFlows : 0);
  known_.resize(std::bit_ceil(std::min(wished, kMostKnown)));
  check_lengths();
}

/// Routes from a host of each switch to one of each other switch: how long a route is depends on
/// little else. In large networks from some switches, the first and the last among them, which in
/// most topologies are as far from others as any.
void SourceRoutes::check_lengths() {
  std::vector<std::uint32_t> hosts;
  std::vector<bool> is_seen(ports_.size());
  for (std::uint32_t host = 0; host < ports_.host_count(); ++host) {
    const std::uint32_t at = links_.receiver(ports_.first_of(host));
    if (at >= ports_.size() || ports_.is_host(at) || is_seen[ports_[at].first_port]) continue;
    is_seen[ports_[at].first_port] = true;
    hosts.push_back(host);
  }
  if (hosts.size() < 2) return;
  const std::size_t last = hosts.size() - 1;
  const std::size_t sources = std::clamp(kMostTried / hosts.size(), std::size_t{2}, last + 1);
  for (std::size_t i = 0; i < sources; ++i) {
    const std::size_t from = i * last / (sources - 1);
    for (std::size_t to = 0; to <= last; ++to)
      if (to != from) (void)turns({HostId(hosts[from]), HostId(hosts[to]), 0});
  }
}

std::uint64_t SourceRoutes::follow(const fabric::ConnectionName& connection) {
  const TurnPool pool = turns(connection);
  longest_ = std::max(longest_, pool.bits);
  return pool.value;
}

TurnPool SourceRoutes::turns(const fabric::ConnectionName& connection) {
  TurnPool pool;
  paths_.follow(connection, [&](std::uint32_t at, routing::Candidate next) {
    if (!pool.append(turn(at, next.port, next.lane), width_[at])) refuse(connection);
    return true;
  });
  return pool;
}

void SourceRoutes::refuse(const fabric::ConnectionName& connection) {
  std::size_t switches = 0;
  std::size_t bits = 0;
  unsigned narrowest = TurnPool::kMostBits;
  unsigned widest = 0;
  paths_.follow(connection, [&](std::uint32_t at, routing::Candidate) {
    const unsigned width = width_[at];
    narrowest = std::min(narrowest, width);
    widest = std::max(widest, width);
    bits += width;
    return ++switches < ports_.size();
  });
  const std::string turn =
      narrowest == widest ? fmt::to_string(widest) : fmt::format("{} to {}", narrowest, widest);
  const std::string lanes =
      lane_bits_ == 0 ? "" : fmt::format(" ({} of them for the VC)", lane_bits_);
  throw InputError(
      "isolation.model",
      fmt::format("the route from host {} to host {} turns at {} switches, with {} bits each{}: {} "
                  "bits, and the header of a packet holds at most {}; take isolation.model = "
                  "\"fbicm\", which knows congested points by destinations and needs no routes",
                  connection.source.value, connection.destination.value, switches, turn, lanes,
                  bits, TurnPool::kMostBits));
}

std::size_t SourceRoutes::memory() const {
  return width_.capacity() + known_.capacity() * sizeof(Known);
}

}  // namespace weir::isolation
