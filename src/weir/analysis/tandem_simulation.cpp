#include "weir/analysis/tandem_simulation.hpp"

#include <deque>

#include "weir/analysis/slice_counter.hpp"
#include "weir/base/error.hpp"
#include "weir/base/random.hpp"

namespace weir::analysis {
namespace {

class TandemSimulation {
 public:
  TandemSimulation(const CreditTandem& tandem, double credit_delay, const SimulationPlan& plan)
      : tandem_(tandem),
        credit_delay_(credit_delay),
        random_(plan.seed, 0, StreamPurpose::arrivals),
        counter_(plan),
        credits_(tandem.capacity_2) {
    length_ = counter_.add("queue_length");
    length_1_ = counter_.add("queue_length", "1");
    length_2_ = counter_.add("queue_length", "2");
    blocking_ = counter_.add("blocking_probability");
    throughput_ = counter_.add("queue_throughput");
    response_ = counter_.add("response_time");
    stall_ = counter_.add("credit_stall");
    busy_1_ = counter_.add("busy_probability", "1");
    busy_2_ = counter_.add("busy_probability", "2");
  }

  std::optional<std::vector<SimulatedMeasure>> run() {
    bool more = true;
    while (more) {
      const bool sends = !first_.empty() && credits_ > 0;
      const double rate_1 = sends ? tandem_.rate_1 : 0;
      const double rate_2 = second_.empty() ? 0 : tandem_.rate_2;
      const double all = tandem_.arrival_rate + rate_1 + rate_2;
      const double gap = random_.exponential(1 / all);
      // Exponential times forget: when a credit comes first, the rest is drawn anew.
      if (!returning_.empty() && returning_.front() <= now_ + gap) {
        pass(returning_.front() - now_, sends);
        now_ = returning_.front();
        returning_.pop_front();
        ++credits_;
        continue;
      }
      pass(gap, sends);
      now_ += gap;
      const double which = random_.unit() * all;
      if (which < tandem_.arrival_rate) {
        more = arrive();
      } else if (which < tandem_.arrival_rate + rate_1) {
        --credits_;
        second_.push_back(first_.front());
        first_.pop_front();
      } else {
        leave();
      }
      check();
    }
    if (counter_.is_interrupted()) return std::nullopt;
    return counter_.take();
  }

 private:
  void pass(double time, bool sends) {
    const auto i = static_cast<double>(first_.size());
    const auto j = static_cast<double>(second_.size());
    counter_.count(length_, (i + j) * time, time);
    counter_.count(length_1_, i * time, time);
    counter_.count(length_2_, j * time, time);
    counter_.count(throughput_, 0, time);
    counter_.count(stall_, !first_.empty() && credits_ == 0 ? time : 0, time);
    counter_.count(busy_1_, sends ? time : 0, time);
    counter_.count(busy_2_, second_.empty() ? 0 : time, time);
  }
  bool arrive() {
    const bool is_full = static_cast<std::int64_t>(first_.size()) == tandem_.capacity_1;
    counter_.count(blocking_, is_full ? 1 : 0, 1);
    if (!is_full) first_.push_back(now_);
    return counter_.next_arrival();
  }
  void leave() {
    counter_.count(throughput_, 1, 0);
    counter_.count(response_, now_ - second_.front(), 1);
    second_.pop_front();
    if (credit_delay_ > 0) {
      returning_.push_back(now_ + credit_delay_);
    } else {
      ++credits_;
    }
  }
  void check() const {
    const auto places = credits_ + static_cast<std::int64_t>(second_.size() + returning_.size());
    if (credits_ < 0 || places != tandem_.capacity_2) {
      throw RunError("credits of the tandem do not add up");
    }
  }

  const CreditTandem& tandem_;
  double credit_delay_;
  RandomStream random_;
  SliceCounter counter_;
  std::int64_t credits_;
  std::size_t length_, length_1_, length_2_, blocking_, throughput_, response_, stall_, busy_1_,
      busy_2_;
  std::deque<double> first_;      ///< arrival times of those upstream
  std::deque<double> second_;     ///< and of those downstream
  std::deque<double> returning_;  ///< when credits on their way are back
  double now_ = 0;
};

}  // namespace

std::optional<std::vector<SimulatedMeasure>> simulate(const CreditTandem& tandem,
                                                      double credit_delay,
                                                      const SimulationPlan& plan) {
  tandem.check();
  return TandemSimulation(tandem, credit_delay, plan).run();
}

}  // namespace weir::analysis
