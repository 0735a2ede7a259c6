#include <fmt/format.h>

#include "weir/analysis/lane_simulation.hpp"
#include "weir/analysis/queue/parameters.hpp"

namespace weir::analysis {
namespace {

struct LaneSettings : LaneSharing {
  std::vector<std::int64_t> lenders;
};

LaneSharing with_lenders(const Checked<LaneSettings>& settings) {
  LaneSharing out = *settings;
  const std::size_t vls = out.arrival_rates.size();
  out.may_lend.assign(vls, false);
  for (const std::int64_t vl : settings->lenders) {
    if (vl < 0 || vl >= static_cast<std::int64_t>(vls)) {
      throw settings.error(&LaneSettings::lenders,
                           fmt::format("there is no VL {}: arrival_rates has {}", vl, vls));
    }
    out.may_lend[static_cast<std::size_t>(vl)] = true;
  }
  return out;
}

class LaneModel final : public QueueModel {
 public:
  explicit LaneModel(LaneSharing sharing) : sharing_(std::move(sharing)) { sharing_.check(); }

  [[nodiscard]] std::vector<Measure> solve() const override {
    return measures_of(sharing_.without_others().solve());
  }
  [[nodiscard]] std::vector<double> distribution() const override {
    return sharing_.without_others().solve().distribution;
  }
  [[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan& plan) const override {
    return analysis::simulate(sharing_, plan);
  }
  [[nodiscard]] std::vector<std::string> notes(bool simulates) const override {
    return {simulates
                ? "the equations take it that a lane is free whenever VL 0 wants one; only the "
                  "simulation has VLs wait for lanes"
                : "these measures take it that a lane is free whenever VL 0 wants one: "
                  "simulate says what contention for lanes costs"};
  }

 private:
  LaneSharing sharing_;
};

const Registration<QueueModelFactory> kLaneSharing(
    queue_registry(),
    {"lane-sharing",
     "VLs of a port that lend each other lanes (ET, AJT): measures of VL 0. In the equations a "
     "lane is free whenever VL 0 wants one; in the simulation VL 0 waits its turn",
     "yan2012, sections 5.2.1 and 5.3.1"},
    Keys<LaneSettings>{
        key(&LaneSettings::arrival_rates, "arrival_rates",
            "packets that arrive at VL 0, 1, ... in a unit of time; 0: none")
            .required(),
        arrival_scv_key<LaneSettings>(), service_scv_key<LaneSettings>(),
        lane_rates_key<LaneSettings>(),
        lane_capacity_key<LaneSettings>("packets that one lane holds; k times that with k lanes"),
        lane_thresholds_key<LaneSettings>(),
        key(&LaneSettings::lenders, "lenders", "VLs that may be lent while they are idle")
            .required()},
    [](const Checked<LaneSettings>& settings) {
      return std::make_unique<LaneModel>(with_lenders(settings));
    });

}  // namespace
}  // namespace weir::analysis
