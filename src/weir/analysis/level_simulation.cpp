#include "weir/analysis/level_simulation.hpp"

#include <deque>
#include <string>

#include "weir/analysis/ge_distribution.hpp"
#include "weir/analysis/slice_counter.hpp"
#include "weir/base/random.hpp"

namespace weir::analysis {
namespace {

class LevelSimulation {
 public:
  LevelSimulation(const LevelQueue& queue, const SimulationPlan& plan)
      : queue_(queue),
        capacity_(queue.levels.back().last),
        batches_(stage_probability(queue.arrival_scv, "arrival_scv") * queue.arrival_rate),
        s_(stage_probability(queue.arrival_scv, "arrival_scv")),
        r_(stage_probability(queue.service_scv, "service_scv")),
        random_(plan.seed, 0, StreamPurpose::arrivals),
        counter_(plan) {
    length_ = counter_.add("queue_length");
    blocking_ = counter_.add("blocking_probability");
    throughput_ = counter_.add("queue_throughput");
    response_ = counter_.add("response_time");
    busy_ = counter_.add("busy_probability");
    carried_ = counter_.add("carried_load");
    for (std::size_t k = 0; queue.levels.size() > 1 && k < queue.levels.size(); ++k) {
      levels_.push_back(counter_.add("level_probability", std::to_string(k + 1)));
    }
  }

  std::optional<std::vector<SimulatedMeasure>> run() {
    bool more = true;
    while (more) {
      const double completions = stamps_.empty() ? 0 : r_ * queue_.levels[level()].rate;
      pass(random_.exponential(1 / (batches_ + completions)));
      if (random_.unit() * (batches_ + completions) < batches_) {
        more = batch();
      } else {
        complete();
      }
    }
    if (counter_.is_interrupted()) return std::nullopt;
    return counter_.take();
  }

 private:
  [[nodiscard]] std::size_t level() const {
    std::size_t k = 0;
    while (static_cast<std::int64_t>(stamps_.size()) > queue_.levels[k].last) ++k;
    return k;
  }
  void pass(double time) {
    now_ += time;
    const bool is_busy = !stamps_.empty();
    counter_.count(length_, static_cast<double>(stamps_.size()) * time, time);
    counter_.count(busy_, is_busy ? time : 0, time);
    counter_.count(throughput_, 0, time);
    counter_.count(carried_, 0, time * queue_.levels.front().rate);
    if (levels_.empty()) return;
    const std::size_t at = level();
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      counter_.count(levels_[k], is_busy && k == at ? time : 0, time);
    }
  }
  void depart(double stay) {
    counter_.count(throughput_, 1, 0);
    counter_.count(carried_, 1, 0);
    counter_.count(response_, stay, 1);
  }
  /// A Poisson event of arrivals: packets one after another.
  bool batch() {
    for (;;) {
      const bool is_full = static_cast<std::int64_t>(stamps_.size()) == capacity_;
      counter_.count(blocking_, is_full ? 1 : 0, 1);
      if (!is_full) {
        if (stamps_.empty() && r_ < 1 && random_.unit() >= r_) {
          depart(0);
        } else {
          stamps_.push_back(now_);
        }
      }
      if (!counter_.next_arrival()) return false;
      if (s_ == 1 || random_.unit() < s_) return true;
    }
  }
  /// The packet in service leaves, and those behind it whose services take no time.
  void complete() {
    do {
      depart(now_ - stamps_.front());
      stamps_.pop_front();
    } while (!stamps_.empty() && r_ < 1 && random_.unit() >= r_);
  }

  const LevelQueue& queue_;
  std::int64_t capacity_;
  double batches_;  ///< rate
  double s_;
  double r_;
  RandomStream random_;
  SliceCounter counter_;
  std::size_t length_, blocking_, throughput_, response_, busy_, carried_;
  std::vector<std::size_t> levels_;
  std::deque<double> stamps_;  ///< arrival times of those in the system, oldest first
  double now_ = 0;
};

}  // namespace

std::optional<std::vector<SimulatedMeasure>> simulate(const LevelQueue& queue,
                                                      const SimulationPlan& plan) {
  queue.check();
  return LevelSimulation(queue, plan).run();
}

}  // namespace weir::analysis
