#include <fmt/format.h>

#include "weir/analysis/level_simulation.hpp"
#include "weir/analysis/queue/parameters.hpp"
#include "weir/analysis/threshold_queue.hpp"

namespace weir::analysis {
namespace {

ThresholdMode mode_of(const Settings& settings) {
  return settings.text("mode") == "above" ? ThresholdMode::above : ThresholdMode::at_or_above;
}

/// In packets; or in entries of the arbitration table, each worth some packets (3.7.2).
std::int64_t threshold_of(const Settings& s) {
  if (!s.has("threshold") && !s.has("threshold_entries")) {
    throw s.error("threshold",
                  "is missing; give it, or threshold_entries with packets_per_entry in its place");
  }
  if (s.has("threshold") && s.has("threshold_entries")) {
    throw s.error("threshold_entries", "and threshold say the same thing: give one of them");
  }
  if (s.has("threshold_entries") != s.has("packets_per_entry")) {
    throw s.error("packets_per_entry", s.has("threshold")
                                           ? "belongs to threshold_entries, which is not there"
                                           : "is missing; threshold_entries needs it");
  }
  if (s.has("threshold")) return s.integer("threshold");
  const std::int64_t packets = s.integer("threshold_entries") * s.integer("packets_per_entry");
  if (packets > s.integer("capacity")) {
    throw s.error("threshold_entries",
                  fmt::format("are worth {} packets, more than the {} of one lane", packets,
                              s.integer("capacity")));
  }
  return packets;
}

class LevelModel final : public QueueModel {
 public:
  explicit LevelModel(LevelQueue queue, std::string note = {})
      : queue_(std::move(queue)), note_(std::move(note)) {}

  [[nodiscard]] std::vector<Measure> solve() const override { return measures_of(queue_.solve()); }
  [[nodiscard]] std::vector<double> distribution() const override {
    return queue_.solve().distribution;
  }
  [[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan& plan) const override {
    return analysis::simulate(queue_, plan);
  }
  [[nodiscard]] std::vector<std::string> notes(bool) const override {
    return note_.empty() ? std::vector<std::string>() : std::vector<std::string>{note_};
  }

 private:
  LevelQueue queue_;
  std::string note_;
};

/// The document has such examples; where it is a slip, it should not pass unseen.
std::string slower_with_more(const std::string& key, double more, double fewer) {
  if (more >= fewer) return "";
  return fmt::format("{} {} is below {}: with more lanes the queue is served more slowly", key,
                     more, fewer);
}

std::string slower_with_more(const std::vector<double>& rates) {
  for (std::size_t k = 1; k < rates.size(); ++k) {
    if (rates[k] < rates[k - 1]) {
      return slower_with_more(fmt::format("rates[{}]", k), rates[k], rates[k - 1]);
    }
  }
  return "";
}

const Registration<QueueModelFactory> kEntryThreshold(
    queue_registry(),
    {"entry-threshold",
     "ET: a virtual lane borrows an empty one while it holds more packets than a threshold",
     "yan2007entry; yan2012, section 5.2",
     {arrival_rate_key(), arrival_scv_key(), service_scv_key(),
      Parameter::of(ParameterType::real, "own_rate", "service rate of one lane").required(),
      Parameter::of(ParameterType::real, "borrowed_rate", "service rate with the borrowed lane")
          .required(),
      capacity_key("packets that one lane holds; twice that with the borrowed one"),
      Parameter::of(ParameterType::integer, "threshold",
                    "packets above which a lane borrows, from 0 to the capacity of one lane"),
      Parameter::of(
          ParameterType::integer, "threshold_entries",
          "entries of the arbitration table that make the threshold, in place of `threshold`")
          .range(1, 64),
      Parameter::of(ParameterType::integer, "packets_per_entry", "packets that an entry is worth")
          .range(1, 1'000'000),
      mode_key()}},
    [](const Settings& s) {
      const EntryThresholdQueue queue{
          s.real("arrival_rate"),  s.real("arrival_scv"), s.real("service_scv"), s.real("own_rate"),
          s.real("borrowed_rate"), s.integer("capacity"), threshold_of(s),       mode_of(s)};
      return std::make_unique<LevelModel>(
          queue.levels(),
          slower_with_more("borrowed_rate", s.real("borrowed_rate"), s.real("own_rate")));
    });

const Registration<QueueModelFactory> kArrivalJobThreshold(
    queue_registry(),
    {"arrival-job-threshold",
     "AJT: one more shared lane each time the newest one holds more than its threshold",
     "yan2008job; yan2012, section 5.3",
     {arrival_rate_key(), arrival_scv_key(), service_scv_key(),
      Parameter::of(ParameterType::reals, "rates", "service rate with 1, 2, ... lanes").required(),
      capacity_key("packets that one lane holds; k times that with k lanes"),
      Parameter::of(ParameterType::integers, "thresholds",
                    "thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates")
          .required(),
      mode_key()}},
    [](const Settings& s) {
      const ArrivalJobThresholdQueue queue{s.real("arrival_rate"),
                                           s.real("arrival_scv"),
                                           s.real("service_scv"),
                                           s.reals("rates"),
                                           s.integer("capacity"),
                                           s.integers("thresholds"),
                                           mode_of(s)};
      return std::make_unique<LevelModel>(queue.levels(), slower_with_more(s.reals("rates")));
    });

}  // namespace
}  // namespace weir::analysis
