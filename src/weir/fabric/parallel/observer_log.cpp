#include "weir/fabric/parallel/observer_log.hpp"

#include <algorithm>

#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/fabric/host/hosts.hpp"

namespace weir::fabric {

ObserverLog::Entry& ObserverLog::add(Kind kind, const Message& message) {
  Entry& entry = entries_.emplace_back();
  entry.at = core_->now;
  entry.kind = kind;
  entry.generated = message.generated;
  entry.bytes = message.bytes;
  entry.source = message.source;
  entry.destination = message.destination;
  entry.newest = message.newest;
  entry.traffic_class = message.traffic_class;
  entry.service_level = message.service_level;
  entry.flow = hosts_->flow_at_source(message);
  entry.part = core_->border->part_of_host(message.source);
  return entry;
}

ObserverLog::Entry& ObserverLog::add(Kind kind, const Message& message, const Packet& packet) {
  Entry& entry = add(kind, message);
  entry.injected = packet.injected;
  entry.size = packet.size;
  entry.sequence = packet.sequence;
  entry.flags = packet.flags;
  entry.hops = packet.hops;
  return entry;
}

void ObserverLog::on_generated(const Message& message, Time now) {
  add(Kind::generated, message);
  if (work_ != nullptr) work_->on_generated(message, now);
}

void ObserverLog::on_refused(HostId source, const MessageRequest& request,
                             std::uint8_t traffic_class) {
  Entry& entry = entries_.emplace_back();
  entry.at = core_->now;
  entry.kind = Kind::refused;
  entry.source = source.value;
  entry.destination = request.destination.value;
  entry.generated = request.at.count;
  entry.bytes = request.size.count;
  entry.traffic_class = traffic_class;
  if (work_ != nullptr) work_->on_refused(source, request, traffic_class);
}

void ObserverLog::on_injected(const Packet& packet, const Message& message) {
  add(Kind::injected, message, packet);
  if (work_ != nullptr) work_->on_injected(packet, message);
}

void ObserverLog::on_delivered(const Packet& packet, const Message& message, Time now,
                               bool in_order) {
  add(Kind::delivered, message, packet).in_order = in_order;
  if (work_ != nullptr) work_->on_delivered(packet, message, now, in_order);
}

void ObserverLog::on_message_complete(const Message& message, Time now) {
  entries_.back().is_complete = true;
  if (work_ != nullptr) work_->on_message_complete(message, now);
}

void ObserverLog::on_lost(const Packet& packet, const Message& message, PortId port, Time now) {
  add(Kind::lost, message, packet).newest = port.value;
  if (work_ != nullptr) work_->on_lost(packet, message, port, now);
}

void ObserverLog::on_set_aside(const SetAsideEvent& event) {
  Entry& entry = entries_.emplace_back();
  entry.at = event.at.count;
  entry.kind = Kind::set_aside;
  entry.source = event.side.index;
  entry.part = event.side.buffer;
  entry.destination = event.root.value;
  entry.flow = event.hops;
  entry.flags = event.kind;
  entry.generated = event.lifetime.count;
}

void ObserverLog::set_apart(std::int64_t end) {
  apart_.clear();
  if (entries_.empty() || entries_.back().at < end) {
    std::swap(entries_, apart_);
    return;
  }
  const auto first = std::partition_point(entries_.begin(), entries_.end(),
                                          [end](const Entry& one) { return one.at < end; });
  apart_.assign(entries_.begin(), first);
  entries_.erase(entries_.begin(), first);
}

void ObserverReplay::set_apart(std::int64_t end) {
  if (ranks_ != nullptr) return;
  const auto is_empty = [end](const ObserverLog* log) {
    return log->entries_.empty() || log->entries_.front().at >= end;
  };
  if (std::all_of(logs_.begin(), logs_.end(), is_empty)) return;
  if (is_left_.load(std::memory_order_acquire)) {
    for (const ObserverLog* log : logs_) {
      if (log->entries_.size() <= kMany) continue;
      tell_all(end);
      return;
    }
    return;
  }
  for (std::size_t i = 0; i < logs_.size(); ++i) {
    logs_[i]->set_apart(end);
    next_[i] = 0;
  }
  is_left_.store(true, std::memory_order_release);
}

bool ObserverReplay::tell_next() {
  std::size_t first = logs_.size();
  for (std::size_t i = 0; i < logs_.size(); ++i) {
    if (next_[i] == logs_[i]->apart_.size()) continue;
    if (first == logs_.size() ||
        logs_[i]->apart_[next_[i]].at < logs_[first]->apart_[next_[first]].at) {
      first = i;
    }
  }
  if (first == logs_.size()) return false;
  tell(logs_[first]->apart_[next_[first]++]);
  return true;
}

bool ObserverReplay::tell_some() {
  if (!is_left_.load(std::memory_order_acquire)) return false;
  if (is_busy_.test_and_set(std::memory_order_acquire)) return false;
  try {
    std::size_t told = 0;
    while (told < kSome && tell_next()) ++told;
    if (told < kSome) is_left_.store(false, std::memory_order_release);
  } catch (...) {
    is_left_.store(false, std::memory_order_release);
    is_busy_.clear(std::memory_order_release);
    throw;
  }
  is_busy_.clear(std::memory_order_release);
  return true;
}

void ObserverReplay::tell_all(std::int64_t end) {
  if (ranks_ != nullptr) {
    tell_all_ranks();
    return;
  }
  while (is_left_.load(std::memory_order_acquire)) (void)tell_some();
  set_apart(end);
  while (is_left_.load(std::memory_order_acquire)) (void)tell_some();
}

void ObserverReplay::tell_all_ranks() {
  std::vector<ObserverLog::Entry> here;
  for (ObserverLog* log : logs_) {
    here.insert(here.end(), log->entries_.begin(), log->entries_.end());
    log->entries_.clear();
  }
  std::vector<ObserverLog::Entry> all;
  for (const auto& some : gathered(ranks_, std::move(here)))
    all.insert(all.end(), some.begin(), some.end());
  // Within an instant in the order of parts, as in one process.
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& one, const auto& other) { return one.at < other.at; });
  for (const ObserverLog::Entry& entry : all) tell(entry);
}

void ObserverReplay::tell(const ObserverLog::Entry& entry) {
  using Kind = ObserverLog::Kind;
  if (entry.kind == Kind::refused) {
    observer_.on_refused(HostId(entry.source),
                         {Time(entry.generated), HostId(entry.destination), Bytes(entry.bytes), 0},
                         entry.traffic_class);
    return;
  }
  if (entry.kind == Kind::set_aside) {
    observer_.on_set_aside({Time(entry.at),
                            {entry.source, entry.part},
                            PortId(entry.destination),
                            entry.flow,
                            static_cast<SetAsideEvent::Kind>(entry.flags),
                            Time(entry.generated)});
    return;
  }
  Message message;
  message.generated = entry.generated;
  message.bytes = entry.bytes;
  message.source = entry.source;
  message.destination = entry.destination;
  message.newest = entry.newest;
  message.traffic_class = entry.traffic_class;
  message.service_level = entry.service_level;
  if (tells_flows_apart_) message.flow = number_of(entry.part, entry.flow);
  if (entry.kind == Kind::generated) {
    observer_.on_generated(message, Time(entry.at));
    return;
  }
  Packet packet;
  packet.injected = entry.injected;
  packet.source = entry.source;
  packet.destination = entry.destination;
  packet.sequence = entry.sequence;
  packet.size = entry.size;
  packet.traffic_class = entry.traffic_class;
  packet.service_level = entry.service_level;
  packet.flags = entry.flags;
  packet.hops = entry.hops;
  if (entry.kind == Kind::injected) {
    observer_.on_injected(packet, message);
    return;
  }
  if (entry.kind == Kind::lost) {
    observer_.on_lost(packet, message, PortId(entry.newest), Time(entry.at));
    return;
  }
  observer_.on_delivered(packet, message, Time(entry.at), entry.in_order);
  if (entry.is_complete) observer_.on_message_complete(message, Time(entry.at));
}

std::uint32_t ObserverReplay::number_of(std::uint16_t part, std::uint32_t flow) {
  std::vector<std::uint32_t>& numbers = numbers_[part];
  if (flow >= numbers.size()) numbers.resize(flow + flow / 2 + 64, kNone);
  if (numbers[flow] == kNone) numbers[flow] = flows_++;
  return numbers[flow];
}

}  // namespace weir::fabric
