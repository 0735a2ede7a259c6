#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/fabric/hooks/mechanism.hpp"

namespace weir::fabric {

class TotalState;

/// A number that the whole network has, of outputs that are congested or the like, and the largest
/// that it has been. In a network in parts each instance knows its own share of it: it keeps the
/// changes, from which the largest is found at the end. Within one instant the increases must come
/// before the decreases.
class LoggedPeak {
 public:
  /// Before anything changes.
  void divide() { is_divided_ = true; }
  void add(std::int64_t by, std::int64_t at) {
    now_ += by;
    most_ = std::max(most_, now_);
    if (!is_divided_) return;
    const bool goes_on =
        !changes_.empty() && changes_.back().at == at && (changes_.back().by > 0) == (by > 0);
    if (goes_on) {
      changes_.back().by += by;
    } else {
      changes_.push_back({at, by});
    }
  }
  [[nodiscard]] std::int64_t now() const { return now_; }
  /// Of this instance.
  [[nodiscard]] std::int64_t most() const { return most_; }
  void read(Readings& readings, std::string_view metric) const {
    if (is_divided_) {
      readings.most_at_once(metric, changes_);
    } else {
      readings.largest(metric, static_cast<double>(most_));
    }
  }
  /// Of all instances, read into one of them; share() says what of it is here.
  void checkpoint_totals(TotalState& state);
  /// While a checkpoint is read: this instance has so much of it.
  void share(std::int64_t by) { now_ += by; }
  [[nodiscard]] std::size_t memory() const { return changes_.capacity() * sizeof(Change); }

 private:
  std::int64_t now_ = 0;
  std::int64_t most_ = 0;
  bool is_divided_ = false;
  std::vector<Change> changes_;
};

}  // namespace weir::fabric
