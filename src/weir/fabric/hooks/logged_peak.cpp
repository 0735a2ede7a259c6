#include "weir/fabric/hooks/logged_peak.hpp"

#include <algorithm>

#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::fabric {

void LoggedPeak::checkpoint_totals(TotalState& state) {
  // Who has no log writes one with the same largest number and the same last one.
  std::vector<Change> log = changes_;
  if (!is_divided_) log = {{0, most_}, {0, now_ - most_}};
  state(log);
  if (!state.takes()) return;
  changes_.insert(changes_.end(), log.begin(), log.end());
  const auto comes_first = [](const Change& a, const Change& b) {
    return a.at != b.at ? a.at < b.at : (a.by > 0) > (b.by > 0);
  };
  std::stable_sort(changes_.begin(), changes_.end(), comes_first);
  std::int64_t level = 0;
  most_ = 0;
  for (const Change& change : changes_) {
    level += change.by;
    most_ = std::max(most_, level);
  }
}

}  // namespace weir::fabric
