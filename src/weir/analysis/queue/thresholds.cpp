#include <fmt/format.h>

#include "weir/analysis/level_simulation.hpp"
#include "weir/analysis/queue/parameters.hpp"

namespace weir::analysis {
namespace {

struct EntryThresholdSettings : EntryThresholdQueue {
  std::optional<std::int64_t> packets;
  std::optional<std::int64_t> entries;
  std::optional<std::int64_t> packets_per_entry;
};

/// In packets; or in entries of the arbitration table, each worth some packets (3.7.2).
std::int64_t threshold_of(const Checked<EntryThresholdSettings>& s) {
  using K = EntryThresholdSettings;
  if (!s->packets && !s->entries) {
    throw s.error(&K::packets,
                  "is missing; give it, or threshold_entries with packets_per_entry in its place");
  }
  if (s->packets && s->entries)
    throw s.error(&K::entries, "and threshold say the same thing: give one of them");
  if (s->entries.has_value() != s->packets_per_entry.has_value()) {
    throw s.error(&K::packets_per_entry, s->packets
                                             ? "belongs to threshold_entries, which is not there"
                                             : "is missing; threshold_entries needs it");
  }
  if (s->packets) return *s->packets;
  const std::int64_t packets = *s->entries * *s->packets_per_entry;
  if (packets > s->capacity) {
    throw s.error(&K::entries, fmt::format("are worth {} packets, more than the {} of one lane",
                                           packets, s->capacity));
  }
  return packets;
}

class LevelModel final : public QueueModel {
 public:
  LevelModel(LevelQueue queue, Boundary boundary, std::string note)
      : queue_(std::move(queue)), boundary_(boundary), note_(std::move(note)) {}

  [[nodiscard]] std::vector<Measure> solve() const override {
    return measures_of(queue_.solve(boundary_));
  }
  [[nodiscard]] std::vector<double> distribution() const override {
    return queue_.solve(boundary_).distribution;
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
  Boundary boundary_;
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

Keys<EntryThresholdSettings> entry_threshold_keys() {
  using K = EntryThresholdSettings;
  return {arrival_rate_key<K>(),
          arrival_scv_key<K>(),
          service_scv_key<K>(),
          key(&K::own_rate, "own_rate", "service rate of one lane").required(),
          key(&K::borrowed_rate, "borrowed_rate", "service rate with the borrowed lane").required(),
          lane_capacity_key<K>("packets that one lane holds; twice that with the borrowed one"),
          key(&K::packets, "threshold",
              "packets above which a lane borrows, from 0 to the capacity of one lane"),
          key(&K::entries, "threshold_entries",
              "entries of the arbitration table that make the threshold, in place of `threshold`")
              .range(1, 64),
          key(&K::packets_per_entry, "packets_per_entry", "packets that an entry is worth")
              .range(1, 1'000'000),
          mode_key<K>(),
          boundary_key<K>()};
}

const Registration<QueueModelFactory> kEntryThreshold(
    queue_registry(),
    {"entry-threshold",
     "ET: a virtual lane borrows an empty one while it holds more packets than a threshold",
     "yan2007entry; yan2012, section 5.2"},
    entry_threshold_keys(), [](const Checked<EntryThresholdSettings>& settings) {
      EntryThresholdQueue queue = *settings;
      queue.threshold = threshold_of(settings);
      return std::make_unique<LevelModel>(
          queue.levels(), queue.boundary,
          slower_with_more(settings.name_of(&EntryThresholdSettings::borrowed_rate),
                           queue.borrowed_rate, queue.own_rate));
    });

const Registration<QueueModelFactory> kArrivalJobThreshold(
    queue_registry(),
    {"arrival-job-threshold",
     "AJT: one more shared lane each time the newest one holds more than its threshold",
     "yan2008job; yan2012, section 5.3"},
    Keys<ArrivalJobThresholdQueue>{
        arrival_rate_key<ArrivalJobThresholdQueue>(), arrival_scv_key<ArrivalJobThresholdQueue>(),
        service_scv_key<ArrivalJobThresholdQueue>(), lane_rates_key<ArrivalJobThresholdQueue>(),
        lane_capacity_key<ArrivalJobThresholdQueue>(
            "packets that one lane holds; k times that with k lanes"),
        lane_thresholds_key<ArrivalJobThresholdQueue>(), mode_key<ArrivalJobThresholdQueue>(),
        boundary_key<ArrivalJobThresholdQueue>()},
    [](const Checked<ArrivalJobThresholdQueue>& queue) {
      return std::make_unique<LevelModel>(queue->levels(), queue->boundary,
                                          slower_with_more(queue->rates));
    });

}  // namespace
}  // namespace weir::analysis
