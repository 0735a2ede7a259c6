#include "weir/fabric/vl_table_filler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/base/error.hpp"

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
  const auto take = [&](bool is_new) {
    for (std::size_t i = 0; i < entries_.size() && rest > 0; ++i) {
      const Entry& entry = entries_[i];
      const bool fits = is_new ? entry.sum == 0 : entry.sum > 0 && entry.vl == vl;
      const int part = fits ? std::min(rest, kMostWeight - entry.sum) : 0;
      if (part == 0) continue;
      parts.push_back({i, part});
      rest -= part;
    }
  };
  take(false);
  take(true);
  if (rest > 0) return std::nullopt;
  for (const Part& part : parts) {
    entries_[part.entry].vl = vl;
    entries_[part.entry].sum += part.weight;
  }
  connections_.emplace(next_, std::move(parts));
  return next_++;
}

void VlTableFiller::remove(int connection) {
  for (const Part& part : connections_.at(connection)) entries_[part.entry].sum -= part.weight;
  connections_.erase(connection);
}

int VlTableFiller::entries(int vl) const {
  return static_cast<int>(std::count_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.sum > 0 && entry.vl == vl;
  }));
}

std::vector<VlWeight> VlTableFiller::table() const {
  std::vector<VlWeight> out;
  for (const Entry& entry : entries_) {
    if (entry.sum > 0) out.push_back({static_cast<std::uint8_t>(entry.vl), kMostWeight});
  }
  return out;
}

}  // namespace weir::fabric
