#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weir/base/ranks.hpp"

namespace weir::fabric {

class TotalState;

/// The most that there has been at one moment of something that many nodes hold a share of. What
/// counts is what there is when an instant is over: within it nodes act in no order. In a network
/// in parts the share of each part is followed by itself, and merge() finds the most of all.
class Peak {
 public:
  /// From `now` on this part has so much more.
  void change(std::int64_t by, std::int64_t now) {
    if (now != changed_) end_instant();
    changed_ = now;
    level_ += by;
  }
  /// What this part has.
  [[nodiscard]] std::int64_t level() const { return level_; }
  /// Up to the last change; of all parts in the first one, up to the last merge(), and 0 elsewhere.
  [[nodiscard]] std::int64_t most() const { return is_in_parts_ ? most_ : std::max(most_, level_); }

  /// This is one of several.
  void set_in_parts() { is_in_parts_ = true; }
  /// Changes that have not been merged.
  [[nodiscard]] std::size_t unmerged() const { return log_.size(); }
  /// Of one thing, the first part's first, up to the instant `end`, which is not among them: all
  /// parts have ended those before it.
  static void merge(std::span<Peak* const> parts, std::int64_t end);
  /// The same of parts of which others are in other processes, which do it, too: all of their first
  /// ones know the most then.
  static void merge(std::span<Peak* const> here, std::int64_t end, Ranks& ranks);
  /// Of all parts, when their changes have been merged; share() says what of it is in this one.
  void checkpoint_totals(TotalState& state);
  /// While a checkpoint is read: this part has so much.
  void share(std::int64_t by, std::int64_t now) {
    level_ += by;
    logged_ = level_;
    changed_ = now;
  }
  [[nodiscard]] std::size_t memory() const { return log_.capacity() * sizeof(Change); }

 private:
  struct Change {
    std::int64_t at = 0;
    std::int64_t by = 0;
  };

  /// What is in the log of before `end`.
  [[nodiscard]] std::size_t logged_before(std::int64_t end) const {
    const auto is_before = [end](const Change& one) { return one.at < end; };
    return static_cast<std::size_t>(std::partition_point(log_.begin(), log_.end(), is_before) -
                                    log_.begin());
  }
  /// The first `count` of the log.
  void forget(std::size_t count) {
    log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(count));
  }
  void end_instant() {
    if (!is_in_parts_) {
      most_ = std::max(most_, level_);
    } else if (level_ != logged_) {
      log_.push_back({changed_, level_ - logged_});
      logged_ = level_;
    }
  }

  std::int64_t level_ = 0;
  std::int64_t changed_ = 0;
  std::int64_t most_ = 0;
  std::int64_t logged_ = 0;  ///< of the level
  std::int64_t merged_ = 0;  ///< level of all parts, in the first one
  bool is_in_parts_ = false;
  std::vector<Change> log_;  ///< in parts, since the last merge()
};

/// The peaks of a network in parts.
class Peaks {
 public:
  /// Those of one part; of all parts the same ones.
  void add(std::span<Peak* const> peaks);
  /// After a window: merges them, up to the instant `end`, if there is much of them.
  void merge_some(std::int64_t end) {
    for (const auto& parts : peaks_) {
      for (const Peak* one : parts) {
        if (one->unmerged() < kMany) continue;
        Peak::merge(parts, end);
        break;
      }
    }
  }
  /// By default when all parts have ended the same instant.
  void merge_all(Ranks* ranks = nullptr,
                 std::int64_t end = std::numeric_limits<std::int64_t>::max()) {
    for (const auto& parts : peaks_) {
      if (ranks == nullptr) {
        Peak::merge(parts, end);
      } else {
        Peak::merge(parts, end, *ranks);
      }
    }
  }
  /// merge_some() would merge something.
  [[nodiscard]] bool has_many() const {
    return std::any_of(peaks_.begin(), peaks_.end(), [](const auto& parts) {
      return std::any_of(parts.begin(), parts.end(),
                         [](const Peak* one) { return one->unmerged() >= kMany; });
    });
  }

 private:
  /// Changes in the log of a part.
  static constexpr std::size_t kMany = 1U << 12;

  std::vector<std::vector<Peak*>> peaks_;  ///< per thing and part
};

}  // namespace weir::fabric
