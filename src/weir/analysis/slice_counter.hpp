#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weir/analysis/queue_model.hpp"

namespace weir::analysis {

/// Sums of a simulation, cut into slices of equally many arrivals after a warm-up of a tenth.
class SliceCounter {
 public:
  explicit SliceCounter(const SimulationPlan& plan)
      : plan_(plan),
        warmup_(plan.arrivals / 10),
        per_slice_(std::max<std::int64_t>(1, (plan.arrivals - warmup_) / plan.slices)) {}

  /// A measure; its number stays valid. To be called before the first arrival.
  std::size_t add(std::string metric, std::string label = {}) {
    measures_.push_back({std::move(metric), std::move(label), {}});
    now_.emplace_back();
    return now_.size() - 1;
  }
  void count(std::size_t measure, double sum, double weight) {
    now_[measure].sum += sum;
    now_[measure].weight += weight;
  }
  /// After an arrival and all that it did. False: enough of them, or plan.go_on said no.
  bool next_arrival() {
    ++arrivals_;
    if (arrivals_ <= warmup_) {
      if (arrivals_ == warmup_) std::fill(now_.begin(), now_.end(), Slice{});
      return true;
    }
    if ((arrivals_ - warmup_) % per_slice_ != 0) return true;
    for (std::size_t i = 0; i < now_.size(); ++i) {
      measures_[i].slices.push_back(now_[i]);
      now_[i] = {};
    }
    const double done = static_cast<double>(arrivals_) / static_cast<double>(plan_.arrivals);
    is_interrupted_ = plan_.go_on && !plan_.go_on(done);
    return !is_interrupted_ && arrivals_ + per_slice_ <= plan_.arrivals;
  }
  [[nodiscard]] bool is_interrupted() const { return is_interrupted_; }
  [[nodiscard]] std::vector<SimulatedMeasure> take() { return std::move(measures_); }

 private:
  const SimulationPlan& plan_;
  std::int64_t warmup_;
  std::int64_t per_slice_;
  std::int64_t arrivals_ = 0;
  bool is_interrupted_ = false;
  std::vector<Slice> now_;
  std::vector<SimulatedMeasure> measures_;
};

}  // namespace weir::analysis
