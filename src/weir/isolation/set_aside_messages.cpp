#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

using fabric::ControlMessage;

// --- Requests

bool SetAside::may_ask_input(Side side, std::uint32_t l, unsigned input) const {
  return clock_.now().count >= retry_in_[retry_index(side.port(), l, input)];
}

bool SetAside::has_asked_input(Side side, std::uint32_t l, unsigned input) const {
  return l == kNoLine ? root_notified_[side.port()].test(input)
                      : line(side, l).notified_in.test(input);
}

void SetAside::ask_input(Side side, std::uint32_t l, unsigned input, Notice notice) {
  notice.flag = !has_asked_input(side, l, input);
  if (l == kNoLine) {
    root_notified_[side.port()].set(input);
  } else {
    Line& one = line(side, l);
    one.notified_in.set(input);
    one.is_leaf = false;
    update_urgent(side, one);
    notice.line = one.name;
  }
  ++counters_.notifications;
  send_inside(kNotifyInside, PortId(port_at(side.port(), input)), ports_[side.port()].number,
              notice);
}

void SetAside::ask_up(Side side, Line& one, Notice notice) {
  notice.flag = !one.notified_up;
  one.notified_up = true;
  one.is_leaf = false;
  update_urgent(side, one);
  notice.line = one.name;
  ++counters_.notifications;
  send(kNotify, ports_.upstream_of(PortId(side.port())), PortId(side.port()), notice);
}

void SetAside::refuse_inside(std::uint32_t port, std::uint16_t output, const Notice& notice) {
  Notice reply = notice;
  reply.flag = true;
  send_inside(kTokenInside, PortId(port_at(port, output)), ports_[port].number, reply);
}

void SetAside::refuse(std::uint32_t port, const Notice& notice) {
  Notice reply = notice;
  reply.flag = true;
  send(kToken, PortId(links_.receiver(port)), PortId(port), reply);
}

// --- Messages

void SetAside::send(Kind kind, PortId to, PortId from, const Notice& notice) {
  ++counters_.control_messages;
  const auto size = static_cast<std::uint32_t>(settings_.control_size.count);
  counters_.control_bytes += size;
  messages_.send_in_band(to, from, size, {*this, notice.as(kind, 0)});
}

void SetAside::send_inside(Kind kind, PortId to, std::uint16_t other, const Notice& notice) {
  messages_.send_inside(to, inside_delay_[ports_[to].node], {*this, notice.as(kind, other)});
}

void SetAside::prefetch_message(std::uint32_t port, const ControlMessage& message) const {
  const std::uint32_t destination = message.as<Told>().destination;
  prefetch_lines(Side::ingress(port), destination);
  prefetch_lines(Side::egress(port), destination);
}

void SetAside::on_control(PortId id, const ControlMessage& message) {
  const std::uint32_t port = id.value;
  const auto told = message.as<Told>();
  const Notice notice{told.line(), told.destination, PortId(told.root), told.hops, told.flag};
  switch (told.kind) {
    case kNotifyInside:
      on_request_inside(port, told.other, notice);
      return;
    case kNotify:
      on_request(port, notice);
      return;
    case kTokenInside:
      on_token_inside(port, told.other, notice);
      return;
    case kToken:
      on_token(port, notice);
      return;
    case kXoff:
    case kXon:
      on_stop(port, notice.line, told.kind == kXoff);
      return;
    case kTimer:
      on_timer(told.flag ? Side::egress(port) : Side::ingress(port), told.other);
      return;
  }
}

void SetAside::on_token_inside(std::uint32_t port, unsigned input, const Notice& notice) {
  const Side side = Side::egress(port);
  std::uint32_t l = kNoLine;
  if (notice.line == LineName{}) {
    root_notified_[port].clear(input);
  } else {
    l = find_name(side, notice.line);
    if (l == kNoLine || !line(side, l).notified_in.test(input)) return;
    line(side, l).notified_in.clear(input);
    on_token_back(side, l, input);
  }
  if (notice.flag) retry_in(port, l, input) = clock_.now().count + settings_.retry.count;
  if (l == kNoLine || line(side, l).notified_in.any()) return;
  line(side, l).is_leaf = true;
  update_urgent(side, line(side, l));
  try_free(side, l);
}

void SetAside::on_token(std::uint32_t port, const Notice& notice) {
  const Side side = Side::ingress(port);
  const std::uint32_t l = find_name(side, notice.line);
  if (l == kNoLine) return;
  if (notice.flag) line(side, l).retry_up_at = clock_.now().count + settings_.retry.count;
  take_token_back(side, l);
}

void SetAside::take_token_back(Side side, std::uint32_t l) {
  Line& one = line(side, l);
  one.notified_up = one.xoff_sent = false;
  one.is_leaf = true;
  on_token_back(side, l, 0);
  update_urgent(side, one);
  try_free(side, l);
}

void SetAside::on_stop(std::uint32_t port, const LineName& parent, bool stop) {
  const Side side = Side::egress(port);
  const std::uint32_t l = find_child(side, 0, parent);
  if (l == kNoLine) return;  // it has been released meanwhile
  Line& one = line(side, l);
  one.xoff_received = stop;
  update(side, one);
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
  const Side sender = Side::egress(near);
  for (std::uint64_t left = valid(sender); left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
    Line& one = line(sender, l);
    one.parent = kCutOff;
    one.is_owed = one.xoff_received = false;
    update(sender, one);
    try_free(sender, l);
  }
  const Side receiver = Side::ingress(far);
  for (std::uint64_t left = valid(receiver); left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(std::countr_zero(left));
    if (line(receiver, l).notified_up) take_token_back(receiver, l);
  }
}

bool SetAside::rejoin(Side side, std::uint32_t l, const Notice& notice) {
  if (l == kNoLine || line(side, l).parent != kCutOff) return false;
  line(side, l).parent = notice.line;
  line(side, l).is_owed = true;
  return true;
}

}  // namespace weir::isolation
