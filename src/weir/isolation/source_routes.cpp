#include "weir/isolation/source_routes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weir::isolation {

namespace {

constexpr std::size_t kMostKnown = std::size_t{1} << 20;

}  // namespace

void SourceRoutes::attach(const fabric::FabricView& fabric) {
  ports_ = fabric.ports;
  links_ = fabric.links;
  routing_ = &fabric.routing;
  lane_bits_ = lane_bits(static_cast<unsigned>(routing_->lanes()));
  for (const fabric::PortInfo& info : ports_)
    width_.push_back(static_cast<std::uint8_t>(turn_bits(info.degree) + lane_bits_));
  const std::size_t pairs = std::size_t{ports_.host_count()} * ports_.host_count();
  known_.resize(std::bit_ceil(std::min(2 * pairs, kMostKnown)));
}

std::uint64_t SourceRoutes::route(std::uint32_t source, std::uint32_t destination) {
  Known& known = known_[place(source, destination)];
  if (known.source != source || known.destination != destination)
    known = {source, destination, follow(source, destination)};
  return known.route;
}

std::uint64_t SourceRoutes::follow(std::uint32_t source, std::uint32_t destination) {
  TurnPool pool;
  std::uint32_t at = links_.receiver(ports_.first_of(source));
  std::uint8_t lane = routing_->injection_lane(HostId(source), HostId(destination));
  while (!ports_.is_host(at)) {
    const fabric::PortInfo& in = ports_[at];
    routing::RouteQuery query;
    query.at = SwitchId(in.node - ports_.host_count());
    query.in_port = PortId(at);
    query.source = HostId(source);
    query.destination = HostId(destination);
    query.lane = lane;
    const routing::Candidate next = routing_->default_route(query);
    if (!pool.append(turn(at, next.port, next.lane), width_[at])) {
      throw InputError("isolation.model",
                       fmt::format("the route from host {} to host {} does not fit into a "
                                   "turn pool of {} bits; isolation.model = \"fbicm\" needs none",
                                   source, destination, TurnPool::kMostBits));
    }
    lane = next.lane;
    at = links_.receiver(in.first_port + next.port);
  }
  longest_ = std::max(longest_, pool.bits);
  return pool.value;
}

std::size_t SourceRoutes::memory() const {
  return width_.capacity() + headers_.capacity() * sizeof(std::uint64_t) +
         known_.capacity() * sizeof(Known);
}

}  // namespace weir::isolation
