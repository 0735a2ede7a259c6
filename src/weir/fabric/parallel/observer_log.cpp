#include "weir/fabric/parallel/observer_log.hpp"

#include "weir/fabric/core.hpp"
#include "weir/fabric/host/hosts.hpp"

namespace weir::fabric {

ObserverLog::Entry& ObserverLog::add(Kind kind, const Message& message) {
  Entry& entry = entries_.emplace_back();
  entry.at = core_->now;
  entry.kind = kind;
  entry.message = message;
  const Hosts::Origin origin = hosts_->origin_of(message);
  entry.part = origin.part;
  entry.message.flow = origin.flow;
  return entry;
}

void ObserverLog::on_generated(const Message& message) { add(Kind::generated, message); }

void ObserverLog::on_refused(HostId source, const MessageRequest& request,
                             std::uint8_t traffic_class) {
  Entry& entry = entries_.emplace_back();
  entry.at = core_->now;
  entry.kind = Kind::refused;
  entry.source = source.value;
  entry.request = request;
  entry.traffic_class = traffic_class;
}

void ObserverLog::on_injected(const Packet& packet, const Message& message) {
  add(Kind::injected, message).packet = packet;
}

void ObserverLog::on_delivered(const Packet& packet, const Message& message, Time, bool in_order) {
  Entry& entry = add(Kind::delivered, message);
  entry.packet = packet;
  entry.in_order = in_order;
}

void ObserverLog::on_message_complete(const Message& message, Time) {
  add(Kind::complete, message);
}

void ObserverReplay::tell(std::span<ObserverLog* const> logs) {
  next_.assign(logs.size(), 0);
  for (;;) {
    std::size_t first = logs.size();
    for (std::size_t i = 0; i < logs.size(); ++i) {
      if (next_[i] == logs[i]->entries_.size()) continue;
      if (first == logs.size() ||
          logs[i]->entries_[next_[i]].at < logs[first]->entries_[next_[first]].at) {
        first = i;
      }
    }
    if (first == logs.size()) break;
    tell(logs[first]->entries_[next_[first]++]);
  }
  for (ObserverLog* log : logs) log->entries_.clear();
}

void ObserverReplay::tell(ObserverLog::Entry& entry) {
  using Kind = ObserverLog::Kind;
  if (entry.kind == Kind::refused) {
    observer_.on_refused(HostId(entry.source), entry.request, entry.traffic_class);
    return;
  }
  entry.message.flow = number_of(entry.part, entry.message.flow);
  switch (entry.kind) {
    case Kind::generated:
      observer_.on_generated(entry.message);
      return;
    case Kind::injected:
      observer_.on_injected(entry.packet, entry.message);
      return;
    case Kind::delivered:
      observer_.on_delivered(entry.packet, entry.message, Time(entry.at), entry.in_order);
      return;
    case Kind::complete:
      observer_.on_message_complete(entry.message, Time(entry.at));
      return;
    case Kind::refused:
      return;
  }
}

std::uint32_t ObserverReplay::number_of(std::uint16_t part, std::uint32_t flow) {
  std::vector<std::uint32_t>& numbers = numbers_[part];
  if (flow >= numbers.size()) numbers.resize(flow + flow / 2 + 64, kNone);
  if (numbers[flow] == kNone) numbers[flow] = flows_++;
  return numbers[flow];
}

}  // namespace weir::fabric
