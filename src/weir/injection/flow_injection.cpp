#include "weir/injection/flow_injection.hpp"

#include <algorithm>
#include <cmath>

#include "weir/base/random.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::injection {

namespace {

constexpr std::uint32_t kUncontrolled = std::numeric_limits<std::uint32_t>::max() - 1;

double bytes_per_ps(Rate rate) { return static_cast<double>(rate.count) / 8e12; }

/// Bytes that leave in a turn of the low-priority table, with what goes before them by the other.
double bytes_of_turn(const fabric::VlArbitration& tables, double packet) {
  constexpr double kUnit = 64;
  constexpr int kNoLimit = 255;
  double bytes = 0;
  for (const auto* table : {&tables.high, &tables.low}) {
    for (const fabric::VlWeight& entry : *table) bytes += entry.weight * kUnit + packet;
  }
  if (tables.high.empty() || tables.high_limit == kNoLimit) return bytes;
  const double limit = tables.high_limit * (tables.limit_unit > 0 ? tables.limit_unit : packet);
  return bytes + (bytes / packet) * (limit + packet);
}

}  // namespace

void FlowInjection::attach(const fabric::FabricView& fabric) {
  const topology::Graph& graph = fabric.graph;
  const fabric::FabricSettings& settings = fabric.settings;
  ports_ = fabric.ports;
  links_ = fabric.links;
  packets_ = fabric.packets;
  seed_ = settings.seed;
  first_size_ = static_cast<double>(settings.mtu.count + settings.header.count);
  hosts_.resize(graph.host_count());
  const double turn = bytes_of_turn(settings.vl_arbitration, first_size_);
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    hosts_[h].link = bytes_per_ps(graph.port(graph.host_port(HostId(h))).link.rate);
    hosts_[h].longest_lag = turn / hosts_[h].link;
  }
}

bool FlowInjection::set_rate(const fabric::ConnectionName& connection, Rate rate, Time now) {
  const auto [place, is_new] = by_name_.emplace(
      name_of(connection.source.value, connection.destination.value, connection.number),
      static_cast<std::uint32_t>(flows_.size()));
  Host& host = hosts_[connection.source.index()];
  if (is_new) {
    flows_.emplace_back();
    flows_.back().order = order_++;
    flows_.back().next = kNone;
    (host.first == kNone ? host.first : flows_[host.last].next) = place->second;
    host.last = place->second;
    by_message_flow_.clear();  // it may have been known as one without a rate
  }
  RatedFlow& flow = flows_[place->second];
  const auto at = static_cast<double>(now.count);
  if (flow.is_waiting) settle(flow, at);
  if (flow.rate <= 0) catch_up(host, flow);
  flow.rate = bytes_per_ps(rate);
  if (flow.is_waiting) update(host, at);
  return is_new;
}

std::uint32_t FlowInjection::index_of(const fabric::Message& message) {
  if (!message.keeps_rate) return kUncontrolled;
  if (message.flow >= by_message_flow_.size()) by_message_flow_.resize(message.flow + 1, kNone);
  std::uint32_t& known = by_message_flow_[message.flow];
  if (known == kNone) {
    const std::uint16_t number = packets_.connection_of(message.flow);
    const auto found = by_name_.find(name_of(message.source, message.destination, number));
    known = found == by_name_.end() ? kUncontrolled : found->second;
  }
  return known;
}

void FlowInjection::update(Host& host, double now) const {
  // Time in which no flow has packets counts as if it had the rate that comes after it.
  if (host.has_packets) {
    host.size -= std::min(host.size, host.rate * (now - host.base));
    host.base = std::max(host.base, now);
  }
  double sum = 0;
  host.has_packets = false;
  for (std::uint32_t f = host.first; f != kNone; f = flows_[f].next) {
    if (!flows_[f].is_waiting) continue;
    sum += flows_[f].rate;
    host.has_packets = true;
  }
  host.rate = std::min(sum, host.link);
}

double FlowInjection::least_tag(const Host& host) const {
  double least = kNever;
  for (std::uint32_t f = host.first; f != kNone; f = flows_[f].next) {
    if (flows_[f].is_waiting && flows_[f].rate > 0) least = std::min(least, flows_[f].tag);
  }
  return least;
}

void FlowInjection::catch_up(const Host& host, RatedFlow& flow) const {
  const double least = least_tag(host);
  if (least < kNever) flow.tag = std::max(flow.tag, least);
}

void FlowInjection::begin(Host& host, RatedFlow& flow, std::uint32_t host_number,
                          double now) const {
  double phase = 0;
  double host_phase = 0;
  if (random_phase_) {
    // Entities above those of all ports, whose arbiters use this purpose, too.
    RandomStream random(seed_, 1U << 31U | flow.order, StreamPurpose::arbitration);
    phase = random.unit();
    RandomStream of_host(seed_, ~host_number, StreamPurpose::arbitration);
    host_phase = of_host.unit();
  }
  flow.is_new = false;
  flow.base = now;
  flow.size = phase * first_size_;
  if (!host.is_new) return;
  host.is_new = false;
  host.base = now;
  host.size = host_phase * first_size_;
}

void FlowInjection::on_waiting(const fabric::Message& message, Time now) {
  const std::uint32_t index = index_of(message);
  if (index == kUncontrolled) return;
  RatedFlow& flow = flows_[index];
  Host& host = hosts_[message.source];
  const auto at = static_cast<double>(now.count);
  if (flow.is_new || flow.empty < now.count) {
    catch_up(host, flow);
    if (flow.is_new) {
      begin(host, flow, message.source, at);
    } else {
      welcome(flow, at);
    }
  }
  flow.is_waiting = true;
  update(host, at);
}

void FlowInjection::on_empty(const fabric::Message& message, Time now) {
  const std::uint32_t index = index_of(message);
  if (index == kUncontrolled) return;
  RatedFlow& flow = flows_[index];
  flow.is_waiting = false;
  flow.empty = now.count;
  update(hosts_[message.source], static_cast<double>(now.count));
}

void FlowInjection::on_injected(HostId host, const fabric::Packet& packet,
                                const fabric::Message& message, Time now) {
  const std::uint32_t index = index_of(message);
  if (index == kUncontrolled) {
    const Time duration(links_.duration(ports_.first_of(host.value), packet.size));
    Host& its = hosts_[host.index()];
    if (its.is_passed) add_lag(its, static_cast<double>(duration.count));
    its.is_passed = false;
    take_link(its, now, now + duration, false);
    return;
  }
  RatedFlow& flow = flows_[index];
  const auto size = static_cast<double>(packet.size);
  flow.tag += size / flow.rate;
  count(hosts_[host.index()], flow, size, static_cast<double>(now.count));
}

void FlowInjection::take_link(Host& host, Time now, Time end, bool is_ack) const {
  const bool goes_on = is_ack && host.other_until == static_cast<double>(now.count);
  if (!goes_on) {
    host.other_from = static_cast<double>(now.count);
    host.other_is_acks = is_ack;
  }
  host.other_until = static_cast<double>(end.count);
}

void FlowInjection::on_ack(HostId host, Time now, Time end) {
  take_link(hosts_[host.index()], now, end, true);
}

void FlowInjection::on_passed(HostId host, Time ready, Time now) {
  Host& its = hosts_[host.index()];
  // Of what was on the link before; the packet that goes now comes to it in on_injected().
  add_lag(its,
          wait_for_other(its, static_cast<double>(ready.count), static_cast<double>(now.count)));
  its.is_passed = true;
}

fabric::FlowRank FlowInjection::rank(const fabric::Message& message, Time now) {
  const std::uint32_t index = index_of(message);
  if (index == kUncontrolled) return {now, kNever, kUncontrolled};
  const RatedFlow& flow = flows_[index];
  if (!flow.is_waiting) on_waiting(message, now);  // it got its rate while it had packets
  if (flow.rate <= 0) return {Time::max()};
  const Turn turn = this->turn(hosts_[message.source], flow);
  if (!(turn.at < static_cast<double>(Time::max().count))) return {Time::max()};
  return {Time(static_cast<std::int64_t>(std::ceil(turn.at))), turn.tag, flow.order};
}

void FlowInjection::checkpoint(fabric::NodeState& state) {
  if (!state.is_host()) return;
  // Who knows the rates has told of the flows again by the time that this is read, in their order.
  if (state.is_reading()) by_message_flow_.clear();
  Host& host = hosts_[state.node()];
  state(host.rate, host.base, host.size, host.lag, host.other_from, host.other_until,
        host.other_is_acks, host.is_passed, host.is_new, host.has_packets);
  for (std::uint32_t f = host.first; f != kNone; f = flows_[f].next) {
    RatedFlow& flow = flows_[f];
    state(flow.rate, flow.tag, flow.base, flow.size, flow.empty, flow.is_waiting, flow.is_new);
  }
}

const Keys<PhaseSettings>& phase_keys() {
  static const Keys<PhaseSettings> keys{choice(
      &PhaseSettings::is_random, "phase",
      "when sources that begin together send their first packets: random, within a period of each; "
      "or aligned, at once",
      {{"random", true}, {"aligned", false}})};
  return keys;
}

}  // namespace weir::injection
