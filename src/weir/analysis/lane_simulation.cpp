#include "weir/analysis/lane_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>

#include "weir/analysis/ge_distribution.hpp"
#include "weir/analysis/slice_counter.hpp"
#include "weir/analysis/threshold_queue.hpp"
#include "weir/base/error.hpp"
#include "weir/base/random.hpp"
#include "weir/vl_sharing/lane_lender.hpp"

namespace weir::analysis {
namespace {

class LaneSimulation {
 public:
  LaneSimulation(const LaneSharing& sharing, const SimulationPlan& plan)
      : sharing_(sharing),
        levels_(sharing.without_others()),
        s_(stage_probability(sharing.arrival_scv, "arrival_scv")),
        r_(stage_probability(sharing.service_scv, "service_scv")),
        random_(plan.seed, 0, StreamPurpose::arrivals),
        counter_(plan),
        lender_(sharing.may_lend),
        stamps_(sharing.arrival_rates.size()),
        is_drawn_(sharing.arrival_rates.size(), true) {
    length_ = counter_.add("queue_length");
    blocking_ = counter_.add("blocking_probability");
    throughput_ = counter_.add("queue_throughput");
    response_ = counter_.add("response_time");
    busy_ = counter_.add("busy_probability");
    carried_ = counter_.add("carried_load");
    wait_ = counter_.add("lane_wait");
    for (std::size_t k = 0; k < sharing.rates.size(); ++k) {
      held_.push_back(counter_.add("level_probability", std::to_string(k + 1)));
    }
  }

  std::optional<std::vector<SimulatedMeasure>> run() {
    std::vector<double> rates(2 * stamps_.size());
    bool more = true;
    while (more) {
      double all = 0;
      for (std::size_t vl = 0; vl < stamps_.size(); ++vl) {
        rates[2 * vl] = all += s_ * sharing_.arrival_rates[vl];
        rates[2 * vl + 1] = all += completions(vl);
      }
      pass(random_.exponential(1 / all));
      const double which = random_.unit() * all;
      const auto event = static_cast<std::size_t>(
          std::upper_bound(rates.begin(), rates.end() - 1, which) - rates.begin());
      if (event % 2 == 0) {
        more = batch(event / 2);
      } else {
        complete(event / 2);
      }
    }
    if (counter_.is_interrupted()) return std::nullopt;
    return counter_.take();
  }

 private:
  [[nodiscard]] std::int64_t packets(std::size_t vl) const {
    return static_cast<std::int64_t>(stamps_[vl].size());
  }
  [[nodiscard]] double completions(std::size_t vl) const {
    const std::size_t lanes = lender_.lanes(vl);
    return stamps_[vl].empty() || lanes == 0 ? 0 : r_ * sharing_.rates[lanes - 1];
  }
  void tell(std::size_t vl) {
    std::size_t level = 0;
    while (level + 1 < levels_.levels.size() && packets(vl) > levels_.levels[level].last) ++level;
    lender_.update(vl, packets(vl), level + 1);
  }
  void pass(double time) {
    now_ += time;
    const auto n = static_cast<double>(stamps_[0].size());
    counter_.count(length_, n * time, time);
    counter_.count(busy_, n > 0 ? time : 0, time);
    counter_.count(throughput_, 0, time);
    counter_.count(carried_, 0, time * sharing_.rates.front());
    const auto& waiting = lender_.waiting();
    const bool waits = std::find(waiting.begin(), waiting.end(), 0U) != waiting.end();
    counter_.count(wait_, waits ? time : 0, time);
    for (std::size_t k = 0; k < held_.size(); ++k) {
      counter_.count(held_[k], n > 0 && lender_.lanes(0) == k + 1 ? time : 0, time);
    }
  }
  void depart(std::size_t vl, double stay) {
    if (vl != 0) return;
    counter_.count(throughput_, 1, 0);
    counter_.count(carried_, 1, 0);
    counter_.count(response_, stay, 1);
  }
  bool batch(std::size_t vl) {
    for (;;) {
      // A lent lane still has its own memory.
      const auto lanes = static_cast<std::int64_t>(std::max<std::size_t>(1, lender_.lanes(vl)));
      const bool is_full = packets(vl) >= lanes * sharing_.capacity;
      if (vl == 0) counter_.count(blocking_, is_full ? 1 : 0, 1);
      if (!is_full) {
        const bool serves_at_once = stamps_[vl].empty() && lender_.lanes(vl) > 0;
        if (serves_at_once && r_ < 1 && random_.unit() >= r_) {
          depart(vl, 0);
        } else {
          if (stamps_[vl].empty()) is_drawn_[vl] = serves_at_once;
          stamps_[vl].push_back(now_);
          tell(vl);
          start_returned();
        }
      }
      if (vl == 0 && !counter_.next_arrival()) return false;
      if (s_ == 1 || random_.unit() < s_) return true;
    }
  }
  /// The packet in service leaves, and those behind it whose services take no time.
  void leave(std::size_t vl) {
    do {
      depart(vl, now_ - stamps_[vl].front());
      stamps_[vl].pop_front();
    } while (!stamps_[vl].empty() && r_ < 1 && random_.unit() >= r_);
    tell(vl);
  }
  void complete(std::size_t vl) {
    leave(vl);
    start_returned();
    lender_.check();
  }
  /// VLs that have their lanes back begin with packets that came meanwhile. What takes no time
  /// gives lanes to others.
  void start_returned() {
    for (std::size_t vl = 0; vl < stamps_.size(); ++vl) {
      if (stamps_[vl].empty() || is_drawn_[vl] || lender_.lanes(vl) == 0) continue;
      is_drawn_[vl] = true;
      if (r_ == 1 || random_.unit() < r_) continue;
      leave(vl);
      vl = static_cast<std::size_t>(-1);  // from the first one again
    }
  }

  const LaneSharing& sharing_;
  LevelQueue levels_;
  double s_;
  double r_;
  RandomStream random_;
  SliceCounter counter_;
  vl_sharing::LaneLender lender_;
  std::vector<std::deque<double>> stamps_;  ///< arrival times of the packets of each VL
  std::vector<bool>
      is_drawn_;  ///< whether its first packet takes time is known: it had lanes since
  std::size_t length_, blocking_, throughput_, response_, busy_, carried_, wait_;
  std::vector<std::size_t> held_;
  double now_ = 0;
};

}  // namespace

void LaneSharing::check() const {
  if (arrival_rates.empty() || arrival_rates.size() > 15) {
    throw InputError("arrival_rates",
                     fmt::format("must be those of 1 to 15 VLs, not {}", arrival_rates.size()));
  }
  check_rate(arrival_rates.front(), "arrival_rates");
  for (const double rate : arrival_rates) {
    if (rate != 0) check_rate(rate, "arrival_rates");
  }
  (void)without_others();
}

LevelQueue LaneSharing::without_others() const {
  return ArrivalJobThresholdQueue{
      arrival_rates.front(), arrival_scv, service_scv, rates, capacity, thresholds}
      .levels();
}

std::optional<std::vector<SimulatedMeasure>> simulate(const LaneSharing& sharing,
                                                      const SimulationPlan& plan) {
  sharing.check();
  return LaneSimulation(sharing, plan).run();
}

}  // namespace weir::analysis
