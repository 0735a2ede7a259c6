#include "weir/selection/notification_table.hpp"

#include <algorithm>

#include "weir/base/state_archive.hpp"

namespace weir::selection {

using Entry = NotificationTable::Entry;

namespace {

bool is_same_flow(const Notification& a, const Notification& b) {
  return a.destination == b.destination && a.port == b.port && a.scheme_class == b.scheme_class;
}

}  // namespace

Entry* NotificationTable::find_exact(const Notification& about) {
  for (Entry& entry : entries_) {
    if (entry.about.id == about.id && is_same_flow(entry.about, about)) return &entry;
  }
  return nullptr;
}

Entry* NotificationTable::find_consumed(std::uint32_t destination, std::uint16_t scheme_class) {
  for (Entry& entry : entries_) {
    if (entry.is_consumed && entry.about.destination == destination &&
        entry.about.scheme_class == scheme_class) {
      return &entry;
    }
  }
  return nullptr;
}

Entry* NotificationTable::find_any(std::uint32_t destination, std::uint16_t scheme_class) {
  Entry* found = nullptr;
  for (Entry& entry : entries_) {
    if (entry.about.destination != destination || entry.about.scheme_class != scheme_class) {
      continue;
    }
    if (found == nullptr || entry.refreshed > found->refreshed) found = &entry;
  }
  return found;
}

template <class Match>
void NotificationTable::remove_if(Match match) {
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(), match), entries_.end());
  filter_ = 0;
  earliest_ = INT64_MAX;
  for (const Entry& entry : entries_) {
    filter_ |= std::uint64_t{1} << (entry.about.destination & 63U);
    earliest_ = std::min(earliest_, entry.expires);
  }
  const auto is_unused = [&](const Alternative& one) {
    return std::none_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return entry.is_consumed && entry.about.destination == one.destination;
    });
  };
  alternatives_.erase(std::remove_if(alternatives_.begin(), alternatives_.end(), is_unused),
                      alternatives_.end());
}

void NotificationTable::purge_all(std::int64_t now) {
  remove_if([&](const Entry& entry) { return entry.expires <= now; });
}

void NotificationTable::erase(const Notification& about) {
  const auto match = [&](const Entry& entry) { return is_same_flow(entry.about, about); };
  if (std::any_of(entries_.begin(), entries_.end(), match)) remove_if(match);
}

bool NotificationTable::make_room(std::size_t limit) {
  if (limit == 0 || entries_.size() < limit) return false;
  const auto oldest =
      std::min_element(entries_.begin(), entries_.end(),
                       [](const Entry& a, const Entry& b) { return a.refreshed < b.refreshed; });
  const Notification about = oldest->about;
  remove_if([&](const Entry& entry) {
    return entry.about.id == about.id && is_same_flow(entry.about, about);
  });
  return true;
}

bool NotificationTable::renew(const Notification& about, std::int64_t now, std::int64_t expires) {
  purge(now);
  if (Entry* known = find_exact(about)) {
    refresh(*known, now, expires);
    return true;
  }
  erase(about);
  return false;
}

Entry& NotificationTable::add(const Notification& about, std::int64_t now, std::int64_t expires) {
  filter_ |= std::uint64_t{1} << (about.destination & 63U);
  earliest_ = std::min(earliest_, expires);
  Entry entry;
  entry.about = about;
  refresh(entry, now, expires);
  entries_.push_back(std::move(entry));
  return entries_.back();
}

void NotificationTable::refresh_root(std::uint32_t id, std::int64_t now, std::int64_t expires) {
  for (Entry& entry : entries_) {
    if (entry.about.id == id) refresh(entry, now, expires);
  }
}

std::optional<std::uint16_t> NotificationTable::alternative(std::uint32_t destination) const {
  for (const Alternative& one : alternatives_) {
    if (one.destination == destination) return one.port;
  }
  return std::nullopt;
}

void NotificationTable::set_alternative(std::uint32_t destination, std::uint16_t port) {
  for (Alternative& one : alternatives_) {
    if (one.destination != destination) continue;
    one.port = port;
    return;
  }
  alternatives_.push_back({destination, port});
}

std::size_t NotificationTable::memory() const {
  std::size_t bytes =
      entries_.capacity() * sizeof(Entry) + alternatives_.capacity() * sizeof(Alternative);
  for (const Entry& entry : entries_) bytes += entry.sent.capacity() * sizeof(std::int64_t);
  return bytes;
}

void Entry::checkpoint(StateArchive& state) { state(about, is_consumed, expires, refreshed, sent); }

void NotificationTable::checkpoint(StateArchive& state) {
  state(filter_, earliest_, entries_, alternatives_);
}

}  // namespace weir::selection
