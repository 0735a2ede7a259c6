#include "weir/fabric/parallel/peak.hpp"

#include <limits>

namespace weir::fabric {

void Peak::merge(std::span<Peak* const> parts) {
  Peak& first = *parts.front();
  std::vector<std::size_t> next(parts.size(), 0);
  for (Peak* part : parts) part->end_instant();
  for (;;) {
    std::int64_t at = std::numeric_limits<std::int64_t>::max();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (next[p] < parts[p]->log_.size()) at = std::min(at, parts[p]->log_[next[p]].at);
    }
    if (at == std::numeric_limits<std::int64_t>::max()) break;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const std::vector<Change>& log = parts[p]->log_;
      if (next[p] < log.size() && log[next[p]].at == at) first.merged_ += log[next[p]++].by;
    }
    first.most_ = std::max(first.most_, first.merged_);
  }
  for (Peak* part : parts) part->log_.clear();
}

void Peaks::add(std::span<Peak* const> peaks) {
  peaks_.resize(peaks.size());
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    peaks[i]->set_in_parts();
    peaks_[i].push_back(peaks[i]);
  }
}

}  // namespace weir::fabric
