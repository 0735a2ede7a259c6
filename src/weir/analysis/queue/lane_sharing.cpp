#include <fmt/format.h>

#include "weir/analysis/lane_simulation.hpp"
#include "weir/analysis/queue/parameters.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

std::vector<bool> lenders(const Settings& settings, std::size_t vls) {
  std::vector<bool> out(vls, false);
  for (const std::int64_t vl : settings.integers("lenders")) {
    if (vl < 0 || vl >= static_cast<std::int64_t>(vls)) {
      throw InputError(fmt::format("lenders: there is no VL {}: arrival_rates has {}", vl, vls));
    }
    out[static_cast<std::size_t>(vl)] = true;
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
     "yan2012, sections 5.2.1 and 5.3.1",
     {Parameter::of(ParameterType::reals, "arrival_rates",
                    "packets that arrive at VL 0, 1, ... in a unit of time; 0: none")
          .required(),
      arrival_scv_key(), service_scv_key(),
      Parameter::of(ParameterType::reals, "rates", "service rate with 1, 2, ... lanes").required(),
      capacity_key("packets that one lane holds; k times that with k lanes"),
      Parameter::of(ParameterType::integers, "thresholds",
                    "thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates")
          .required(),
      Parameter::of(ParameterType::integers, "lenders", "VLs that may be lent while they are idle")
          .required()}},
    [](const Settings& s) {
      const std::vector<double> arrivals = s.reals("arrival_rates");
      return std::make_unique<LaneModel>(LaneSharing{
          arrivals, lenders(s, arrivals.size()), s.real("arrival_scv"), s.real("service_scv"),
          s.reals("rates"), s.integer("capacity"), s.integers("thresholds")});
    });

}  // namespace
}  // namespace weir::analysis
