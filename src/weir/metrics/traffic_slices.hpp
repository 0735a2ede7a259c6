#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/metrics/class_record.hpp"
#include "weir/metrics/slices.hpp"

namespace weir::metrics {

/// What happened in consecutive slices of time. All have the same length but the last, which ends
/// with the run and is up to twice as long.
struct SliceSequence {
  Time begin;
  Time length;
  Time end;
  std::vector<TrafficTotals> slices;

  [[nodiscard]] Time length_of(std::size_t slice) const {
    const bool is_last = slice + 1 == slices.size();
    return is_last ? end - begin - length * static_cast<std::int64_t>(slice) : length;
  }
};

/// Slices of time of several groups of traffic at once, in bounded memory: 512 to 1024 slices once
/// that many nanoseconds have passed, each a power of two times 1 ns long. Their limits depend on
/// nothing but where they begin. 64 KiB a group of traffic; nothing is allocated later.
class TrafficSlices {
 public:
  static constexpr std::size_t kMost = 1'024;

  TrafficSlices(std::size_t records, Time begin);

  /// When the open slice ends. Until then there is nothing to do.
  [[nodiscard]] Time next() const { return next_; }
  /// Ends the open slice. `totals`: of every record, since the beginning of the run. What happened
  /// before `begin` belongs to no slice: the first call only takes note of it. True: slices are
  /// twice as long from now on.
  bool close(std::span<const TrafficTotals> totals);

  [[nodiscard]] Time begin() const { return begin_; }
  [[nodiscard]] Time length() const;
  /// Slices that have ended.
  [[nodiscard]] std::size_t count() const;
  /// Adds the slices of a record to `sum`, which is empty or of the same time. `now`: time of
  /// `totals`, in the open slice.
  void add_to(SliceSequence& sum, std::size_t record, const TrafficTotals& totals, Time now) const;
  /// Adds what happened elsewhere in the same slices: as many have ended there.
  void merge(const TrafficSlices& other);
  /// As many of them, in which nothing has happened.
  [[nodiscard]] TrafficSlices emptied() const;
  template <class Archive>
  void serialize(Archive& archive) {
    for (CollapsingSlices<TrafficTotals>& one : closed_) archive(one);
    archive(before_, begin_.count, next_.count, has_begun_);
  }

 private:
  std::vector<CollapsingSlices<TrafficTotals>> closed_;  ///< per record
  std::vector<TrafficTotals> before_;                    ///< per record: at the last limit
  Time begin_;
  Time next_;
  bool has_begun_ = false;
};

/// Windows over consecutive equal stretches of time, so that the measuring window may be made to
/// begin at any of their limits when the run is over. When 16 are full, neighbours are merged.
/// Takes its memory at construction: 2.7 MB a group of traffic, and 1.8 MB more for each size class
/// of messages whose completions are measured.
class WindowGroups {
 public:
  static constexpr std::size_t kMost = 16;
  static constexpr std::size_t kSlices = TrafficSlices::kMost / kMost;  ///< of a stretch

  /// Windows of one stretch: per record, and the payload delivered per flow.
  struct Group {
    std::vector<WindowRecord> records;
    std::vector<std::int64_t> flow_delivered;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(records, flow_delivered);
    }
  };

  WindowGroups(std::size_t records, std::size_t hosts, std::size_t size_classes);

  /// Takes what the open stretch holds and leaves empty windows in `records` and `flow_delivered`.
  void close(std::span<ClassRecord> records, std::vector<std::int64_t>& flow_delivered);
  /// Merges neighbours. Call it when slices were, too.
  void collapse();
  /// Those that have ended, the first one first.
  [[nodiscard]] std::span<const Group> closed() const { return {groups_.data(), count_}; }
  /// Adds what happened elsewhere in the same stretches, as many of which have ended there; but for
  /// what was delivered per flow.
  void merge(const WindowGroups& other);
  /// So many stretches have ended, and nothing has happened in them.
  void skip(std::size_t count) { count_ = count; }
  [[nodiscard]] std::vector<std::int64_t>& flow_delivered(std::size_t group) {
    return groups_[group].flow_delivered;
  }
  /// For what belongs to a stretch but is known later only.
  [[nodiscard]] WindowRecord& window(std::size_t group, std::size_t record) {
    return groups_[group].records[record];
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(groups_, count_);
  }

 private:
  std::vector<Group> groups_;
  std::size_t count_ = 0;
};

}  // namespace weir::metrics
