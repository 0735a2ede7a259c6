#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

using fabric::ControlMessage;

// --- Requests

bool SetAside::may_ask_input(Side side, std::uint32_t l, unsigned input) const {
  return clock_.now().count >= retry_in_[retry_index(side, l, input)];
}

bool SetAside::has_asked_input(Side side, std::uint32_t l, LocalPort input) const {
  const InputFlags& asked =
      l == kNoLine ? root_notified_[egress_at(side)] : line(side, l).notified_in;
  return asked.test(input.number, lane_of(input.buffer));
}

void SetAside::ask_input(Side side, std::uint32_t l, LocalPort input, Notice notice) {
  notice.flag = !has_asked_input(side, l, input);
  if (l == kNoLine) {
    root_notified_[egress_at(side)].set(input.number, lane_of(input.buffer));
  } else {
    Line& one = line(side, l);
    one.notified_in.set(input.number, lane_of(input.buffer));
    one.is_leaf = false;
    update_urgent(side, one);
    notice.line = one.name;
  }
  ++counters_.notifications;
  send_inside(kNotifyInside, input_of(side, input), side, notice);
}

void SetAside::ask_up(Side side, Line& one, Notice notice) {
  notice.flag = !one.notified_up;
  one.notified_up = true;
  one.is_leaf = false;
  update_urgent(side, one);
  notice.line = one.name;
  ++counters_.notifications;
  send(kNotify, side, notice);
}

void SetAside::refuse_inside(Side side, LocalPort output, const Notice& notice) {
  Notice reply = notice;
  reply.flag = true;
  send_inside(kTokenInside, output_of(side, output), side, reply);
}

void SetAside::refuse(Side side, const Notice& notice) {
  Notice reply = notice;
  reply.flag = true;
  send(kToken, side, reply);
}

// --- Messages

void SetAside::send(Kind kind, Side from, const Notice& notice) {
  ++counters_.control_messages;
  const auto size = static_cast<std::uint32_t>(settings_.control_size.count);
  counters_.control_bytes += size;
  const PortId port(from.port());
  const PortId to =
      from.is_egress() ? PortId(links_.receiver(from.port())) : ports_.upstream_of(port);
  messages_.send_in_band(to, port, size, {*this, notice.as(kind, from.buffer)});
}

void SetAside::send_inside(Kind kind, Side to, Side from, const Notice& notice) {
  const PortId port(to.port());
  messages_.send_inside(port, inside_delay_[ports_[port].node],
                        {*this, notice.as(kind, to.buffer, local(from))});
}

void SetAside::prefetch_message(std::uint32_t port, const ControlMessage& message) const {
  const auto told = message.as<Told>();
  prefetch_lines(Side::ingress(port, told.buffer), told.destination);
  prefetch_lines(Side::egress(port, told.buffer), told.destination);
}

void SetAside::on_control(PortId id, const ControlMessage& message) {
  const auto told = message.as<Told>();
  const Side ingress = Side::ingress(id.value, told.buffer);
  const Side egress = Side::egress(id.value, told.buffer);
  const Notice notice{told.line(), told.destination, PortId(told.root), told.hops, told.flag};
  switch (told.kind) {
    case kNotifyInside:
      on_request_inside(ingress, told.from(), notice);
      return;
    case kNotify:
      on_request(egress, notice);
      return;
    case kTokenInside:
      on_token_inside(egress, told.from(), notice);
      return;
    case kToken:
      on_token(ingress, notice);
      return;
    case kXoff:
    case kXon:
      on_stop(egress, notice.line, told.kind == kXoff);
      return;
    case kTimer:
      on_timer(told.flag ? egress : ingress, told.other);
      return;
  }
}

void SetAside::on_token_inside(Side side, LocalPort input, const Notice& notice) {
  std::uint32_t l = kNoLine;
  const unsigned lane = lane_of(input.buffer);
  if (notice.line == LineName{}) {
    root_notified_[egress_at(side)].clear(input.number, lane);
  } else {
    l = find_name(side, notice.line);
    if (l == kNoLine || !line(side, l).notified_in.test(input.number, lane)) return;
    line(side, l).notified_in.clear(input.number, lane);
    on_token_back(side, l, input);
  }
  if (notice.flag) {
    const std::int64_t at = clock_.now().count + settings_.retry.count;
    retry_in(side, l, input.number) = at;
    // Given back at once, a line without a queue would be asked for again with the next packet.
    if (l != kNoLine && is_relay(side)) line(side, l).retry_up_at = at;
  }
  if (l == kNoLine || line(side, l).notified_in.any()) return;
  line(side, l).is_leaf = true;
  update_urgent(side, line(side, l));
  try_free(side, l);
}

void SetAside::on_token(Side side, const Notice& notice) {
  const std::uint32_t l = find_name(side, notice.line);
  if (l == kNoLine) return;
  if (notice.flag) line(side, l).retry_up_at = clock_.now().count + settings_.retry.count;
  take_token_back(side, l);
}

void SetAside::take_token_back(Side side, std::uint32_t l) {
  Line& one = line(side, l);
  one.notified_up = one.xoff_sent = false;
  one.is_leaf = true;
  on_token_back(side, l, {});
  update_urgent(side, one);
  try_free(side, l);
}

void SetAside::on_stop(Side side, const LineName& parent, bool stop) {
  const std::uint32_t l = find_child(side, {}, parent);
  if (l == kNoLine) return;  // it has been released meanwhile
  Line& one = line(side, l);
  one.xoff_received = stop;
  update(side, one);
  if (!is_relay(side)) return;
  one.owes_inside = false;
  set_stop_inside(side, one, stop);
}

// --- Links that fail

void SetAside::on_link(PortId id, bool is_up) {
  if (is_up) return;  // who has something to ask asks with the next packet
  const std::uint32_t near = id.value;
  const std::uint32_t far = links_.receiver(near);
  messages_.lose(*this, [&](std::uint32_t port, const ControlMessage& message) {
    const Kind kind = message.as<Told>().kind;
    if (port == far) return kind == kToken;
    return port == near && (kind == kNotify || kind == kXoff || kind == kXon);
  });
  for (std::uint16_t buffer = 0; buffer < classes_; ++buffer) {
    if (ports_.is_here(near)) cut_off(Side::egress(near, buffer));
    if (!ports_.is_here(far)) continue;
    const Side receiver = Side::ingress(far, buffer);
    for (std::uint64_t left = valid(receiver); left != 0; left &= left - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
      if (line(receiver, l).notified_up) take_token_back(receiver, l);
    }
  }
}

void SetAside::cut_off(Side side) {
  for (std::uint64_t left = valid(side); left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
    Line& one = line(side, l);
    one.parent = kCutOff;
    one.is_owed = one.xoff_received = false;
    update(side, one);
    if (is_relay(side) && one.stops_inside) set_stop_inside(side, one, false);
    try_free(side, l);
  }
}

bool SetAside::rejoin(Side side, std::uint32_t l, const Notice& notice) {
  if (l == kNoLine || line(side, l).parent != kCutOff) return false;
  line(side, l).parent = notice.line;
  line(side, l).is_owed = true;
  return true;
}

}  // namespace weir::isolation
