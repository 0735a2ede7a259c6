#include "weir/fabric/parallel/peak.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::fabric {

void Peak::merge(std::span<Peak* const> parts, std::int64_t end) {
  Peak& first = *parts.front();
  std::vector<std::size_t> next(parts.size(), 0);
  std::vector<std::size_t> ends;
  for (Peak* part : parts) {
    part->end_instant();
    ends.push_back(part->logged_before(end));
  }
  for (;;) {
    std::int64_t at = std::numeric_limits<std::int64_t>::max();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (next[p] < ends[p]) at = std::min(at, parts[p]->log_[next[p]].at);
    }
    if (at == std::numeric_limits<std::int64_t>::max()) break;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const std::vector<Change>& log = parts[p]->log_;
      if (next[p] < ends[p] && log[next[p]].at == at) first.merged_ += log[next[p]++].by;
    }
    first.most_ = std::max(first.most_, first.merged_);
  }
  for (std::size_t p = 0; p < parts.size(); ++p) parts[p]->forget(ends[p]);
}

void Peak::merge(std::span<Peak* const> here, std::int64_t end, Ranks& ranks) {
  std::vector<Change> changes;
  for (Peak* part : here) {
    part->end_instant();
    const std::size_t count = part->logged_before(end);
    const auto last = part->log_.begin() + static_cast<std::ptrdiff_t>(count);
    changes.insert(changes.end(), part->log_.begin(), last);
    part->forget(count);
  }
  std::vector<Change> all;
  for (const std::vector<Change>& one : gathered(&ranks, std::move(changes)))
    all.insert(all.end(), one.begin(), one.end());
  std::sort(all.begin(), all.end(),
            [](const Change& one, const Change& other) { return one.at < other.at; });
  Peak& first = *here.front();
  for (std::size_t i = 0; i < all.size(); ++i) {
    first.merged_ += all[i].by;
    const bool ends_instant = i + 1 == all.size() || all[i + 1].at != all[i].at;
    if (ends_instant) first.most_ = std::max(first.most_, first.merged_);
  }
}

void Peaks::add(std::span<Peak* const> peaks) {
  peaks_.resize(peaks.size());
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    peaks[i]->set_in_parts();
    peaks_[i].push_back(peaks[i]);
  }
}

void Peak::checkpoint_totals(TotalState& state) {
  std::int64_t level = level_;
  std::int64_t so_far = most();
  state(level, so_far);
  if (!state.is_reading()) return;
  merged_ += level;
  if (state.takes()) most_ = std::max(most_, so_far);
}

}  // namespace weir::fabric
