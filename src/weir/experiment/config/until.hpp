#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/experiment/config/section_keys.hpp"
#include "weir/metrics/batch_means.hpp"

namespace weir {
class StateArchive;
}

namespace weir::experiment {

struct Configuration;  // configuration.hpp

/// What experiment.until = { metric = .., .. } asks for.
struct Precision {
  MetricName metric;
  Checked<UntilKeys> keys;

  /// Half width over mean; infinite where there is no estimate.
  [[nodiscard]] static double relative(const std::optional<metrics::BatchMeans>& estimate);
};

/// Reads the table { delivered = NAME }. Throws InputError where other keys stand beside it.
Checked<UntilKeys> read_delivered(const ConfigTable& table);

/// Number of the traffic class that it names: of a [[traffic]], or of [[flow]]s, which follow the
/// others. Throws InputError where there is none of that name, or its messages have no known
/// number.
std::size_t delivered_class(const Checked<UntilKeys>& until, const Configuration& configuration);

/// The messages that { delivered = NAME } waits for.
class LastMessage {
 public:
  /// All `messages` of a class.
  LastMessage(std::size_t traffic_class, std::uint64_t messages)
      : class_(static_cast<std::uint8_t>(traffic_class)), left_(messages) {}

  /// A message of a class is delivered, or will never be. True when it was the last one.
  bool count(std::uint8_t traffic_class) {
    return traffic_class == class_ && left_ > 0 && --left_ == 0;
  }
  /// So many messages of the class are delivered, or will never be.
  void count_all(std::uint64_t messages) { left_ -= std::min(left_, messages); }
  [[nodiscard]] std::uint8_t traffic_class() const { return class_; }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  [[nodiscard]] bool is_over() const { return left_ == 0; }
  void checkpoint(StateArchive& state);

 private:
  std::uint8_t class_;
  std::uint64_t left_;
};

/// Reads the table. Throws InputError for a metric that is not known or has no estimate.
Precision read_precision(const ConfigTable& table);
/// Throws InputError where the label is not one of this traffic.
void check_label(const Precision& precision, const Configuration& configuration);

/// When a run is looked at to see whether its estimate is good enough. Looking often would end it
/// at a moment at which the interval happens to be too narrow. So looks are spaced by a factor of
/// 1.5 in the time measured, the last one at the longest duration, and the run ends at the second
/// look in a row that is content. Depends on nothing but the two times.
class LookPlan {
 public:
  LookPlan(Time warmup, Time duration);

  /// Time of the next look; Time::max() after the last.
  [[nodiscard]] Time next() const { return next_ < times_.size() ? times_[next_] : Time::max(); }
  /// Says what the look at next() found. True: the run ends.
  bool look(bool is_content);
  void checkpoint(StateArchive& state);

 private:
  std::vector<Time> times_;
  std::size_t next_ = 0;
  int content_in_a_row_ = 0;
};

}  // namespace weir::experiment
