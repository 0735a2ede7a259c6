#include "weir/fabric/vl_table_filler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/base/error.hpp"
#include "weir/base/state_archive.hpp"

namespace weir::fabric {

int VlTableFiller::weight_of(double share) {
  if (!(share > 0) || share > 1) {
    throw InputError(fmt::format("share: must be above 0 and at most 1, not {}", share));
  }
  return std::max(1, static_cast<int>(std::ceil(share * kEntries * kMostWeight)));
}

std::optional<int> VlTableFiller::add(int vl, int weight) {
  std::vector<Part> parts;
  int rest = weight;
  const auto take = [&](int in_entries_of) {
    for (std::size_t i = 0; i < entries_.size() && rest > 0; ++i) {
      const Entry& entry = entries_[i];
      const int part = entry.vl == in_entries_of ? std::min(rest, kMostWeight - entry.sum) : 0;
      if (part == 0) continue;
      parts.push_back({i, part});
      rest -= part;
    }
  };
  take(vl);
  take(-1);
  if (rest > 0) return std::nullopt;
  for (const Part& part : parts) {
    Entry& entry = entries_[part.entry];
    if (entry.vl < 0) ++used_.at(static_cast<std::size_t>(vl));
    entry.vl = vl;
    entry.sum += part.weight;
  }
  ++connections_of_.at(static_cast<std::size_t>(vl));
  connections_.emplace(next_, Connection{vl, std::move(parts)});
  return next_++;
}

void VlTableFiller::free(Entry& entry) {
  --used_[static_cast<std::size_t>(entry.vl)];
  entry.vl = -1;
}

void VlTableFiller::remove(int number) {
  const Connection& connection = connections_.at(number);
  const int vl = connection.vl;
  for (const Part& part : connection.parts) {
    Entry& entry = entries_[part.entry];
    entry.sum -= part.weight;
    if (end_ == EntriesEnd::with_connections && entry.sum == 0) free(entry);
  }
  connections_.erase(number);
  if (--connections_of_[static_cast<std::size_t>(vl)] > 0) return;
  for (Entry& entry : entries_) {
    if (entry.vl == vl) free(entry);
  }
}

VlWeight VlTableFiller::scheduled(int number) const {
  const Entry& entry = entries_.at(static_cast<std::size_t>(number));
  if (entry.vl < 0) return {};
  return {static_cast<std::uint8_t>(entry.vl), kMostWeight};
}

void VlTableFiller::Connection::checkpoint(StateArchive& state) { state(vl, parts); }

void VlTableFiller::checkpoint(StateArchive& state) {
  state(next_, connections_);
  // Without connections all entries are free.
  if (!connections_.empty()) state(entries_, used_, connections_of_);
}

std::vector<VlWeight> VlTableFiller::table() const {
  std::vector<VlWeight> out;
  for (int i = 0; i < size(); ++i) {
    const VlWeight one = scheduled(i);
    if (one.weight > 0) out.push_back(one);
  }
  return out;
}

}  // namespace weir::fabric
