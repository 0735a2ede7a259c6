#include "weir/fabric/message_timing.hpp"

#include <algorithm>

namespace weir::fabric {

namespace {

/// 0 where a byte takes no whole number of picoseconds.
std::int64_t whole_ps_per_byte(Rate rate) {
  constexpr std::int64_t kBitTimesPs = 8'000'000'000'000;
  return kBitTimesPs % rate.count == 0 ? kBitTimesPs / rate.count : 0;
}

}  // namespace

MessageTiming::MessageTiming(const topology::Graph& graph, const routing::Route& route,
                             const FabricSettings& settings)
    : mtu_(settings.mtu.count),
      header_((settings.header - settings.carried_data).count),
      cut_through_(settings.switching == Switching::cut_through) {
  if (route.end != routing::RouteEnd::delivered) return;
  const Time in_switch = settings.routing_delay + settings.crossbar_delay;
  for (const routing::Channel& channel : route.channels) {
    const topology::LinkSpec& link = graph.port(channel.port).link;
    const std::int64_t before = links_.empty() ? 0 : last_delay_ + in_switch.count;
    links_.push_back({link.rate.count, whole_ps_per_byte(link.rate), before});
    last_delay_ = link.delay.count;
  }
}

std::int64_t MessageTiming::Link::duration(std::int64_t bytes) const {
  return ps_per_byte != 0 ? bytes * ps_per_byte
                          : serialization_time(Bytes(bytes), Rate(rate)).count;
}

std::int64_t MessageTiming::step(std::size_t k, std::int64_t bytes) const {
  const std::int64_t received = links_[k - 1].duration(bytes);
  // A faster link waits until it cannot run dry.
  const std::int64_t wait =
      cut_through_ ? std::max<std::int64_t>(0, received - links_[k].duration(bytes)) : received;
  return links_[k].before + wait;
}

// Packet i starts on link k when packet i - 1 has left it and when it has come over link k - 1:
// the longest path through a grid of links and packets. All packets are full but the last, so that
// the longest path goes from packet to packet on one link, the slowest so far, but for the last
// such step, which may be on any link; from there it is the last packet's own way.
Time MessageTiming::time(Bytes payload) const {
  const std::int64_t packets = (payload.count - 1) / mtu_ + 1;
  const std::int64_t full = mtu_ + header_;
  const std::int64_t rest = payload.count - (packets - 1) * mtu_ + header_;
  std::int64_t first_start = 0;
  std::int64_t last_start = 0;
  std::int64_t slowest = 0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    if (k > 0) last_start += step(k, rest);
    if (packets == 1) continue;
    if (k > 0) first_start += step(k, full);
    const std::int64_t duration = links_[k].duration(full);
    slowest = std::max(slowest, duration);
    last_start = std::max(last_start, first_start + (packets - 2) * slowest + duration);
  }
  return Time(last_start + links_.back().duration(rest) + last_delay_);
}

}  // namespace weir::fabric
