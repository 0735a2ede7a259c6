#include "weir/isolation/set_aside.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weir::isolation {

using fabric::SetAsideEvent;

fabric::SideResources SetAside::resources(bool is_egress, std::uint32_t degree) const {
  if (is_egress && degree > 1 && !settings_.has_egress_queues) return {0, 0, settings_.lines};
  const std::uint32_t normal = is_egress || !settings_.has_detection_queues ? 1 : degree;
  return {normal, settings_.lines, settings_.lines};
}

void SetAside::attach(const fabric::FabricView& fabric) {
  clock_ = fabric.clock;
  ports_ = fabric.ports;
  links_ = fabric.links;
  buffers_ = fabric.buffers;
  packets_ = fabric.packets;
  messages_ = fabric.messages;
  graph_ = &fabric.graph;
  fabric_settings_ = &fabric.settings;
  observer_ = &fabric.observer;
  queues_ = fabric.side_queues;
  fabric.measures.follow(counters_.queue_peak);
  fabric.measures.follow(counters_.byte_peak);
  classes_ = static_cast<std::uint32_t>(buffers_.classes());
  classes_per_lane_ = static_cast<std::uint32_t>(buffers_.classes_per_lane());
  lanes_ = classes_ / classes_per_lane_;
  if (buffers_.classes() > kMostClasses) {
    throw InputError("isolation.model",
                     fmt::format("sets packets aside in each class of a buffer by itself, of which "
                                 "there may be {}, not {} (those of queueing.model in each lane of "
                                 "routing.model)",
                                 kMostClasses, classes_));
  }
  const std::size_t egress_sides = ports_.size() * classes_;
  lines_.resize(2 * egress_sides * settings_.lines);
  sides_.resize(2 * egress_sides);
  root_notified_.resize(egress_sides);
  changes_.resize(ports_.host_count());
  for (std::size_t s = 0; s < side_count(); ++s) {
    const Side side = side_at(s);
    const fabric::PortInfo& info = ports_[side.port()];
    degree_ = std::max<std::size_t>(degree_, info.degree);
    // Where an egress side has no queues, numbers are as if it had.
    const std::uint32_t normal = side.is_egress() ? 1 : resources(false, info.degree).normal_queues;
    sides_[s].normal_queues = normal;
    for (std::uint32_t l = 0; l < settings_.lines; ++l)
      line(side, l).queue = static_cast<std::uint16_t>(normal + l);
  }
  if (!settings_.has_egress_queues) outputs_.resize(egress_sides);
  retry_in_.assign(egress_sides * (settings_.lines + std::size_t{1}) * degree_, 0);
  // One cycle of the crossbar: the time that it takes for a packet to the fastest of its links.
  const Bytes packet(fabric.settings.mtu.count + fabric.settings.header.count);
  std::vector<Rate> fastest(fabric.graph.node_count());
  for (const topology::Port& port : fabric.graph.ports()) {
    Rate& rate = fastest[port.node.index()];
    if (port.to.valid()) rate = std::max(rate, port.link.rate);
  }
  for (const Rate rate : fastest) {
    const std::int64_t cycle = rate.count > 0 ? serialization_time(packet, rate).count : 0;
    const double speedup = settings_.has_egress_queues ? fabric.settings.speedup : 1.0;
    inside_delay_.push_back(static_cast<std::int64_t>(static_cast<double>(cycle) / speedup));
  }
}

void SetAside::meet(std::span<fabric::Mechanism* const> instances) {
  instances_.clear();
  for (const fabric::Mechanism* one : instances)
    instances_.push_back(dynamic_cast<const SetAside*>(one));
}

const SetAside* SetAside::instance_at(std::uint32_t port) const {
  for (const SetAside* one : instances_) {
    if (one->ports_.is_here(port)) return one;
  }
  return nullptr;
}

// --- Lines

std::uint32_t SetAside::take_line(Side side, PortId root, std::uint16_t hops) {
  const std::uint64_t all =
      settings_.lines == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << settings_.lines) - 1;
  const std::uint64_t free = all & ~valid(side);
  if (free == 0) {
    count_refusal(side, root, hops, SetAsideEvent::refused_full);
    return kNoLine;
  }
  const auto l = static_cast<std::uint32_t>(std::countr_zero(free));
  Line& one = line(side, l);
  one.name = one.parent = {};
  one.allocated_at = clock_.now().count;
  one.retry_up_at = 0;
  one.timer_at = fabric::kNever;
  one.root = root;
  one.output = {};
  one.hops = hops;
  one.is_valid = one.is_leaf = true;
  one.is_owed = one.is_root = one.notified_up = one.xoff_sent = one.xoff_received = false;
  one.stops_inside = one.stopped_inside = one.owes_inside = false;
  one.passed_inside = 0;
  one.notified_in.clear();
  one.barriers.clear();
  one.needed_for.reset();
  if (side.is_egress()) {
    for (unsigned i = 0; i < degree_; ++i) retry_in(side, l, i) = 0;
  } else {
    queues_->set_target(side, one.queue, {}, 0);
  }
  if (is_relay(side)) {
    // Who sends what it is for is known when that crosses.
    one.needed_for = Barrier{0, outputs_[egress_at(side)].joined};
    one.retry_up_at = clock_.now().count + settings_.retry.count;
  }
  sides_[at(side)].valid |= std::uint64_t{1} << l;
  watch(side, l);
  ++counters_.allocations;
  count_change(1, 0);
  counters_.side_max = std::max(counters_.side_max, in_use(side));
  report(side, one, SetAsideEvent::allocated);
  // Lines are looked at when packets leave the side. Where none is there, none may ever come.
  if (is_empty(side))
    arm_timer(side, l,
              clock_.now().count + std::max(settings_.min_lifetime, settings_.retry).count);
  return l;
}

bool SetAside::is_empty(Side side) const {
  for (std::uint32_t q = 0; q < sides_[at(side)].normal_queues + settings_.lines; ++q) {
    if (packets_in(side, q) != 0) return false;
  }
  return true;
}

void SetAside::count_refusal(Side side, PortId root, std::uint16_t hops, SetAsideEvent::Kind kind) {
  ++(kind == SetAsideEvent::refused_full ? counters_.refusals_full : counters_.refusals_specific);
  observer_->on_set_aside({clock_.now(), side, root, hops, kind, Time(0)});
}

void SetAside::count_detection(Side side, PortId root) {
  ++counters_.detections;
  observer_->on_set_aside({clock_.now(), side, root, 0, SetAsideEvent::detected, Time(0)});
}

void SetAside::count_change(std::int64_t queues, std::int64_t bytes) {
  counters_.queue_time = queue_time(counters_, clock_.now());
  counters_.byte_time = byte_time(counters_, clock_.now());
  counters_.changed = clock_.now().count;
  counters_.in_use += static_cast<std::uint64_t>(queues);
  counters_.bytes += static_cast<std::uint64_t>(bytes);
  if (queues != 0) counters_.queue_peak.change(queues, counters_.changed);
  if (bytes != 0) counters_.byte_peak.change(bytes, counters_.changed);
}

void SetAside::report(Side side, const Line& one, SetAsideEvent::Kind kind) const {
  observer_->on_set_aside(
      {clock_.now(), side, one.root, one.hops, kind, clock_.now() - Time(one.allocated_at)});
}

void SetAside::try_free(Side side, std::uint32_t l) {
  Line& one = line(side, l);
  if (!one.is_valid || !one.is_leaf || packets_in(side, one.queue) != 0) return;
  if (is_blocked(side, one) || is_needed(side, one)) return;
  std::int64_t due = one.allocated_at + settings_.min_lifetime.count;
  if (is_relay(side)) due = std::max(due, one.retry_up_at);
  if (clock_.now().count < due) {
    arm_timer(side, l, due);
    return;
  }
  one.is_valid = false;
  sides_[at(side)].valid &= ~(std::uint64_t{1} << l);
  sides_[at(side)].watched &= ~(std::uint64_t{1} << l);
  ++counters_.releases;
  count_change(-1, 0);
  queues_->let_go(side, one.queue);
  queues_->set_urgent(side, one.queue, false);
  report(side, one, SetAsideEvent::released);
  if (one.is_owed) {
    Notice notice;
    notice.line = one.parent;
    if (side.is_egress()) {
      send(kToken, side, notice);
    } else {
      send_inside(kTokenInside, output_of(side, one.output), side, notice);
    }
  }
  on_freed(side, l);
}

void SetAside::arm_timer(Side side, std::uint32_t l, std::int64_t at) {
  Line& one = line(side, l);
  if (one.timer_at <= at) return;
  one.timer_at = at;
  Told timer{};
  timer.kind = kTimer;
  timer.buffer = static_cast<std::uint8_t>(side.buffer);
  timer.other = static_cast<std::uint8_t>(l);
  timer.flag = side.is_egress();
  messages_.send_inside(PortId(side.port()), at - clock_.now().count, {*this, timer});
}

void SetAside::on_timer(Side side, std::uint32_t l) {
  Line& one = line(side, l);
  if (one.timer_at != clock_.now().count) return;  // set for the line that was here before
  one.timer_at = fabric::kNever;
  try_free(side, l);
}

// --- Queues

void SetAside::take_over(Side side, std::uint32_t l, std::uint32_t output) {
  const std::uint16_t taken = line(side, l).queue;
  count_change(0, queue(side, output).bytes);
  queues_->rename(side, output, taken);
  // Lines that wait for what was there now wait for it where it is.
  for (std::uint64_t left = valid(side); left != 0; left &= left - 1) {
    for (Barrier& barrier :
         line(side, static_cast<std::uint32_t>(std::countr_zero(left))).barriers) {
      if (barrier.queue == output) {
        barrier.queue = taken;
      } else if (barrier.queue == taken) {
        barrier.queue = output;
      }
    }
  }
  watch(side, l);
}

void SetAside::add_barrier(Side side, Line& one, const Barrier& barrier) {
  watch(side, static_cast<std::uint32_t>(&one - &line(side, 0)));
  for (Barrier& known : one.barriers) {
    if (known.queue != barrier.queue) continue;
    if (static_cast<std::int32_t>(barrier.until - known.until) > 0) known.until = barrier.until;
    return;
  }
  one.barriers.push_back(barrier);
}

bool SetAside::is_blocked(Side side, Line& one) {
  std::erase_if(one.barriers, [&](const Barrier& barrier) { return is_past(side, barrier); });
  return !one.barriers.empty();
}

void SetAside::update(Side side, Line& one) {
  if (one.xoff_received || one.stopped_inside || is_blocked(side, one)) {
    queues_->hold(side, one.queue);
  } else {
    queues_->let_go(side, one.queue);
  }
}

void SetAside::update_urgent(Side side, const Line& one) {
  if (settings_.drain_boost == 0) return;
  const std::uint32_t packets = packets_in(side, one.queue);
  queues_->set_urgent(side, one.queue, one.is_leaf && packets <= settings_.drain_boost);
}

void SetAside::on_removed(Side side, std::uint32_t queue, std::uint32_t packet) {
  const std::uint32_t l = line_of(side, queue);
  if (!settings_.has_egress_queues && !side.is_egress()) [[unlikely]]
    cross(side, l, packet);
  if (l == kNoLine) {
    on_left_normal(side, queue, packet);
  } else {
    count_change(0, -std::int64_t{packets_[packet].size});
    Line& one = line(side, l);
    const std::int64_t left = bytes(side, one);
    if (one.xoff_sent && left < settings_.xon.count) {
      one.xoff_sent = false;
      Notice notice;
      notice.line = one.name;
      send(kXon, side, notice);
    }
    if (one.stops_inside && left <= settings_.xoff.count) set_stop_inside(side, one, false);
    update_urgent(side, one);
    if (packets_in(side, queue) == 0) watch(side, l);
  }
  look_at_watched(side);
}

void SetAside::count_joined(Side side, std::uint32_t l, const fabric::Packet& p) {
  ++outputs_[place_of_output(side, p)].joined;
  if (waits_for_output(side, l)) count_waiting(side, p, p.size);
}

void SetAside::cross(Side side, std::uint32_t l, std::uint32_t packet) {
  const fabric::Packet& p = packets_[packet];
  if (waits_for_output(side, l)) count_waiting(side, p, -std::int64_t{p.size});
  const Side out = output_of(side, output_of(p));
  ++outputs_[egress_at(out)].crossed;
  on_passed(side, packet);
  look_at_watched(out);
}

void SetAside::look_at_watched(Side side) {
  // The queue that lost a packet may have been what others waited for.
  for (std::uint64_t left = sides_[at(side)].watched; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
    Line& one = line(side, l);
    if (!one.barriers.empty()) update(side, one);
    try_free(side, l);
    const bool may_be_freed = one.needed_for || (one.is_leaf && packets_in(side, one.queue) == 0);
    if (one.is_valid && one.barriers.empty() && !may_be_freed)
      sides_[at(side)].watched &= ~(std::uint64_t{1} << l);
  }
}

// --- Limits

void SetAside::limit_ingress(Side side, Line& one) {
  update_urgent(side, one);
  if (!one.notified_up || one.xoff_sent || bytes(side, one) <= settings_.xoff.count) return;
  one.xoff_sent = true;
  Notice notice;
  notice.line = one.name;
  send(kXoff, side, notice);
}

void SetAside::limit_egress(Side side, Line& one, bool is_past_lines) {
  update_urgent(side, one);
  if (!is_past_lines) one.owes_inside = false;
  if (!one.stops_inside) {
    if (!one.owes_inside && is_full(side, one)) set_stop_inside(side, one, true);
  } else if (is_past_lines && ++one.passed_inside >= kRoundsPast * degree_) {
    one.owes_inside = true;
    set_stop_inside(side, one, false);
  }
}

void SetAside::set_stop_inside(Side side, Line& one, bool stop) {
  one.stops_inside = stop;
  one.passed_inside = 0;
  if (stop && !is_host(side.port())) queues_->keep_turns(side, one.queue);
  const fabric::PortInfo& info = ports_[side.port()];
  one.notified_in.for_each(info.degree, [&](unsigned input, unsigned lane) {
    const Side in = Side::ingress(info.first_port + input, class_in(side.buffer, lane));
    const std::uint32_t child = child_at(in, side, one);
    if (child == kNoLine) return;
    line(in, child).stopped_inside = stop;
    update(in, line(in, child));
  });
}

void SetAside::join_parent(Side side, Line& one) {
  if (one.parent == LineName{}) return;
  const Side out = output_of(side, one.output);
  const std::uint32_t parent = find_name(out, one.parent);
  if (parent == kNoLine) return;
  queues_->set_target(side, one.queue, out, line(out, parent).queue);
  one.stopped_inside = line(out, parent).stops_inside;
}

bool SetAside::is_to_ask_for(Side side, LocalPort output) const {
  const Side out = output_of(side, output);
  return outputs_[egress_at(out)].waiting > settings_.detect.count &&
         !has_asked_input(out, kNoLine, local(side)) &&
         may_ask_input(out, kNoLine, local(side).number);
}

bool SetAside::has_injection_room(Side side) const {
  return queue(side, 0).bytes + buffers_.room(side.port(), side.buffer) <=
         settings_.injection_buffer.count;
}

bool SetAside::admits_nothing(std::uint32_t port) const {
  Side side = Side::egress(port);
  for (side.buffer = 0; side.buffer < classes_; ++side.buffer) {
    if (has_injection_room(side)) return false;
    const std::uint32_t open = find_line(
        side, [&](const Line& one) { return queue(side, one.queue).bytes < settings_.xoff.count; });
    if (open != kNoLine) return false;
  }
  return true;
}

std::size_t SetAside::memory() const {
  std::size_t bytes =
      lines_.capacity() * sizeof(Line) + sides_.capacity() * sizeof(SideState) +
      root_notified_.capacity() * sizeof(InputFlags) + retry_in_.capacity() * sizeof(std::int64_t) +
      changes_.capacity() * sizeof(fabric::InjectionChanges) +
      inside_delay_.capacity() * sizeof(std::int64_t) + outputs_.capacity() * sizeof(OutputState);
  for (const Line& one : lines_) bytes += one.barriers.capacity() * sizeof(Barrier);
  return bytes;
}

}  // namespace weir::isolation
