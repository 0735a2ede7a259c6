#include "weir/workload/mailbox.hpp"

#include <algorithm>

#include "weir/base/state_archive.hpp"

namespace weir::workload {

std::uint32_t Mailbox::send(std::uint32_t source, std::uint32_t tag) {
  return streams_[stream_key(source, tag)].sent++;
}

void Mailbox::arrive(std::uint32_t source, std::uint32_t tag, std::uint32_t place,
                     std::uint32_t message, std::vector<Match>& out) {
  const auto found = streams_.try_emplace(stream_key(source, tag)).first;
  Stream& stream = found->second;
  if (place != stream.arrived) {
    stream.early.emplace(place, Message{tag, message});
    return;
  }
  deliver(source, tag, message, out);
  ++stream.arrived;
  while (!stream.early.empty() && stream.early.begin()->first == stream.arrived) {
    const Message next = stream.early.begin()->second;
    stream.early.erase(stream.early.begin());
    deliver(source, next.tag, next.operation, out);
    ++stream.arrived;
  }
  if (stream.arrived == stream.sent) streams_.erase(found);
}

std::uint32_t Mailbox::take_first(std::map<Key, std::vector<Waiting>>& lists,
                                  std::map<Key, std::vector<Waiting>>::iterator list) {
  const std::uint32_t operation = list->second.front().operation;
  list->second.erase(list->second.begin());
  if (list->second.empty()) lists.erase(list);
  return operation;
}

void Mailbox::deliver(std::uint32_t source, std::uint32_t tag, std::uint32_t message,
                      std::vector<Match>& out) {
  const auto exact = posted_.find(key(source, tag));
  const auto open = std::find_if(open_.begin(), open_.end(), [&](const OpenReceive& one) {
    return (one.source == kAny || one.source == source) && (one.tag == kAny || one.tag == tag);
  });
  const bool has_exact = exact != posted_.end();
  if (open != open_.end() && (!has_exact || open->waiting.order < exact->second.front().order)) {
    out.push_back({open->waiting.operation, message});
    open_.erase(open);
  } else if (has_exact) {
    out.push_back({take_first(posted_, exact), message});
  } else {
    unexpected_[key(source, tag)].push_back({order_++, message});
    unexpected_max_ = std::max(unexpected_max_, ++unexpected_count_);
  }
}

std::optional<Match> Mailbox::post(std::uint32_t receive, std::uint32_t source, std::uint32_t tag) {
  const bool is_open = source == kAny || tag == kAny;
  auto first = unexpected_.end();
  if (!is_open) {
    first = unexpected_.find(key(source, tag));
  } else {
    for (auto it = unexpected_.begin(); it != unexpected_.end(); ++it) {
      const auto from = static_cast<std::uint32_t>(it->first >> 32U);
      const auto its_tag = static_cast<std::uint32_t>(it->first);
      if ((source != kAny && source != from) || (tag != kAny && tag != its_tag)) continue;
      if (first == unexpected_.end() || it->second.front().order < first->second.front().order) {
        first = it;
      }
    }
  }
  if (first != unexpected_.end()) {
    --unexpected_count_;
    return Match{receive, take_first(unexpected_, first)};
  }
  if (is_open) {
    open_.push_back({{order_++, receive}, source, tag});
  } else {
    posted_[key(source, tag)].push_back({order_++, receive});
  }
  return std::nullopt;
}

void Mailbox::add_sent(std::uint32_t receiver, std::vector<Sent>& out) const {
  for (const auto& [key, stream] : streams_) {
    if (stream.sent == 0) continue;
    out.push_back({static_cast<std::uint32_t>(key >> 32U), receiver,
                   static_cast<std::uint32_t>(key), stream.sent});
  }
}

void Mailbox::set_sent(const Sent& sent) {
  streams_[key(sent.source, sent.stream_tag)].sent = sent.count;
}

void Mailbox::checkpoint(StateArchive& state) {
  std::map<Key, std::pair<std::uint32_t, std::map<std::uint32_t, Message>>> arrived;
  for (const auto& [key, stream] : streams_)
    if (stream.arrived > 0 || !stream.early.empty()) arrived[key] = {stream.arrived, stream.early};
  state(order_, arrived, posted_, open_, unexpected_, unexpected_count_, unexpected_max_);
  if (!state.is_reading()) return;
  for (const auto& [key, its] : arrived) {
    streams_[key].arrived = its.first;
    streams_[key].early = its.second;
  }
}

}  // namespace weir::workload
