#include <fmt/format.h>

#include <map>
#include <tuple>

#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

/// Messages on their way that carry a token, counted by kind, receiver, other port, and name.
struct SetAside::InFlight {
  using Key = std::tuple<Kind, std::uint32_t, std::uint16_t, std::uint16_t, std::uint16_t,
                         std::uint64_t, std::uint8_t>;
  std::map<Key, int> tokens;

  static Key key(Kind kind, std::uint32_t port, std::uint16_t buffer, LocalPort from,
                 const LineName& name) {
    return {kind, port, buffer, from.number, from.buffer, name.value, name.bits};
  }
  [[nodiscard]] int count(Kind kind, Side to, LocalPort from, const LineName& name) const {
    const auto found = tokens.find(key(kind, to.port(), to.buffer, from, name));
    return found == tokens.end() ? 0 : found->second;
  }
};

void SetAside::fail(Side side, const Line& one, const std::string& what) const {
  throw RunError(fmt::format("set-aside queue {} at {} {} for {}: {} (at {})", one.queue,
                             side.is_egress() ? "egress" : "ingress",
                             graph_->name(PortId(side.port())), graph_->name(one.root), what,
                             to_string(clock_.now())));
}

void SetAside::add_in_flight(InFlight& in_flight) const {
  messages_.for_each(*this, [&](std::uint32_t port, const fabric::ControlMessage& message) {
    const auto told = message.as<Told>();
    const bool is_request = told.kind == kNotifyInside || told.kind == kNotify;
    const bool is_token = told.kind == kTokenInside || told.kind == kToken;
    if (!is_token && !(is_request && told.flag)) return;
    ++in_flight.tokens[InFlight::key(told.kind, port, told.buffer, told.from(), told.line())];
  });
}

void SetAside::check(bool is_idle) const {
  check_sides();
  if (!settings_.has_egress_queues) check_waiting();
  // Both ends of a cable count; they may be in different parts of the network.
  if (instances_.front() == this) check_flags();
  if (is_idle) check_released();
}

/// Each side has one line for a point at most, each line is consistent, and queues are held exactly
/// when they must be.
void SetAside::check_sides() const {
  std::int64_t all_bytes = 0;
  for (std::size_t s = 0; s < side_count(); ++s) {
    const Side side = side_at(s);
    for (std::uint64_t left = valid(side); left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
      const Line& one = line(side, l);
      all_bytes += bytes(side, one);
      const bool has_asked =
          side.is_egress() ? one.notified_in.any() && !is_host(side.port()) : one.notified_up;
      if (one.is_leaf == has_asked) fail(side, one, "is a leaf although it has asked upstream");
      const bool is_twin = find_line(side, [&](const Line& other) {
                             return &other != &one && other.name == one.name;
                           }) != kNoLine;
      if (is_twin) fail(side, one, "there are two for the same point");
      bool is_blocked = false;
      for (const Barrier& b : one.barriers) {
        is_blocked = is_blocked || !is_past(side, b);
      }
      const bool must_wait = is_blocked || one.xoff_received || one.stopped_inside;
      if (!is_relay(side) && queue(side, one.queue).is_held != must_wait)
        fail(side, one, must_wait ? "is served although it must wait" : "waits for nothing");
      check_line(side, l);
    }
  }
  if (all_bytes == static_cast<std::int64_t>(counters_.bytes)) return;
  throw RunError(fmt::format("{} bytes are counted in set-aside queues, but {} are in them",
                             counters_.bytes, all_bytes));
}

/// Switches that queue at ingress only: what waits for each output.
void SetAside::check_waiting() const {
  std::vector<OutputState> found(outputs_.size());
  for (std::size_t s = 0; s < side_count(); ++s) {
    const Side side = side_at(s);
    if (side.is_egress() || is_host(side.port())) continue;
    for (std::uint32_t q = 0; q < sides_[s].normal_queues + settings_.lines; ++q) {
      const bool waits = waits_for_output(side, line_of(side, q));
      for (std::uint32_t p = queue(side, q).head; p != fabric::kNone; p = packets_[p].next) {
        OutputState& output = found[place_of_output(side, packets_[p])];
        ++output.joined;
        if (waits) output.waiting += packets_[p].size;
      }
    }
  }
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const bool is_right = found[o].waiting == outputs_[o].waiting &&
                          found[o].joined == outputs_[o].joined - outputs_[o].crossed;
    if (!is_right) throw RunError("what waits for an output at ingress is counted wrong");
  }
}

void SetAside::check_flags() const {
  InFlight in_flight;
  for (const SetAside* one : instances_) one->add_in_flight(in_flight);
  for (std::size_t s = 0; s < side_count(); ++s) {
    const Side side = side_at(s);
    const SetAside* its = instance_at(side.port());
    if (its != nullptr) its->check_flags(side, in_flight);
  }
}

/// Behind every flag there is a line, or the request or the token is on its way; and every
/// line that owes a token has its flag.
void SetAside::check_flags(Side side, const InFlight& in_flight) const {
  const auto one_of = [&](const Line& one, bool has_flag, bool has_line, int on_way) {
    if ((has_line ? 1 : 0) + on_way != (has_flag ? 1 : 0))
      fail(side, one, has_flag ? "its token is lost" : "has a token that nobody has given");
  };
  const auto check_inside = [&](const LineName& name, const Line& one, const InputFlags& flags) {
    const fabric::PortInfo& info = ports_[side.port()];
    for (unsigned i = 0; i < info.degree * lanes_; ++i) {
      const unsigned lane = i / info.degree;
      const Side in = Side::ingress(info.first_port + i % info.degree, class_in(side.buffer, lane));
      const std::uint32_t child = find_child(in, local(side), name);
      const bool has_line = child != kNoLine && line(in, child).is_owed;
      one_of(one, flags.test(i % info.degree, lane), has_line,
             in_flight.count(kNotifyInside, in, local(side), name) +
                 in_flight.count(kTokenInside, side, local(in), name));
    }
  };
  const std::uint32_t port = side.port();
  if (side.is_egress() && !is_host(port)) {
    Line root;
    root.root = PortId(port);
    check_inside({}, root, root_notified_[egress_at(side)]);
  }
  for (std::uint64_t left = valid(side); left != 0; left &= left - 1) {
    const Line& one = line(side, static_cast<std::uint32_t>(std::countr_zero(left)));
    if (side.is_egress()) {
      if (!is_host(port)) check_inside(one.name, one, one.notified_in);
      continue;
    }
    const Side up = Side::egress(ports_[port].upstream, side.buffer);
    // The sender may be in another process, with what is on its way to it.
    const SetAside* sender = instance_at(up.port());
    if (sender == nullptr) continue;
    const std::uint32_t child = sender->find_child(up, {}, one.name);
    one_of(
        one, one.notified_up, child != kNoLine,
        in_flight.count(kNotify, up, {}, one.name) + in_flight.count(kToken, side, {}, one.name));
  }
}

/// The network is empty.
void SetAside::check_released() const {
  for (std::size_t s = 0; s < side_count(); ++s) {
    const Side side = side_at(s);
    if (valid(side) != 0) {
      fail(side, line(side, static_cast<std::uint32_t>(std::countr_zero(valid(side)))),
           "is left over although the network is empty");
    }
    if (side.is_egress() && root_notified_[egress_at(side)].any()) {
      throw RunError(
          fmt::format("{} still counts inputs that hold queues for it although the "
                      "network is empty",
                      graph_->name(PortId(side.port()))));
    }
  }
}

void SetAside::for_each_line(const std::function<void(const fabric::SetAsideLine&)>& visit) const {
  if (in_use() == 0) return;
  for (std::size_t s = 0; s < side_count(); ++s) {
    const Side side = side_at(s);
    for (std::uint64_t left = valid(side); left != 0; left &= left - 1) {
      const Line& one = line(side, static_cast<std::uint32_t>(std::countr_zero(left)));
      const fabric::Queue& q = queue(side, one.queue);
      visit({side, one.root, one.hops, q.bytes, packets_in(side, one.queue), one.is_leaf,
             one.is_root, is_relay(side) ? one.stops_inside : q.is_held});
    }
  }
}

std::vector<std::string> SetAside::notes() const {
  // lippens2010, section 4.1.2: set-aside queues must not starve the normal ones of memory.
  const fabric::FabricSettings& fabric = *fabric_settings_;
  std::int64_t memory = fabric.ingress_buffer.count;
  if (settings_.has_egress_queues) memory = std::min(memory, fabric.egress_buffer.count);
  memory /= classes_;
  const std::int64_t packet = fabric.mtu.count + fabric.header.count;
  std::int64_t round_trip = 0;
  for (const fabric::PortInfo& info : ports_) {
    if (info.upstream == fabric::kNone || info.upstream_ps_per_byte == 0) continue;
    round_trip = std::max(round_trip, 2 * info.upstream_delay / info.upstream_ps_per_byte);
  }
  const std::int64_t most = settings_.lines * (settings_.xoff.count + packet + round_trip);
  std::vector<std::string> all;
  if (!settings_.note.empty()) all.push_back(settings_.note);
  if (4 * most > 3 * memory) {
    all.push_back(fmt::format(
        "{} set-aside queues may fill {} of the {} of {} before their senders stop, more than "
        "three quarters: normal queues may starve",
        settings_.lines, to_string(Bytes(most)), to_string(Bytes(memory)),
        classes_ == 1 ? "a side" : "a class at a side"));
  }
  return all;
}

}  // namespace weir::isolation
