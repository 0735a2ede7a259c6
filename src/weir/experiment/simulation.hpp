#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/experiment/configuration.hpp"
#include "weir/experiment/network.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/recorder.hpp"
#include "weir/traffic/progress.hpp"

namespace weir::experiment {

/// One run, from a configuration to its numbers:
///
///   Simulation simulation(configuration, network);
///   while (simulation.advance()) show(simulation.fabric().now());
///   RunResult result = simulation.finish(wall_seconds);
class Simulation {
 public:
  /// Builds everything. Throws InputError, with its place, for what does not fit together.
  Simulation(const Configuration& configuration, std::shared_ptr<const Network> network);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Simulates a short while. False when the run is over. Throws RunError.
  bool advance();
  /// The numbers so far. Call it once.
  [[nodiscard]] metrics::RunResult finish(double wall_seconds);

  [[nodiscard]] const fabric::Fabric& fabric() const { return *fabric_; }
  /// Longest simulated time; Time::max(): as long as it takes.
  [[nodiscard]] Time end() const { return end_; }

 private:
  class Starter;

  void build(const Configuration& configuration, traffic::Traffic traffic);
  /// Runs to `target`, starting sources that become due on the way. True when nothing is left.
  bool run_to(Time target);

  std::shared_ptr<const Network> network_;
  Time end_;
  Time step_;
  bool until_drained_;
  std::unique_ptr<metrics::Recorder> recorder_;
  std::unique_ptr<Starter> starter_;  ///< only where sources wait for others
  std::unique_ptr<fabric::Fabric> fabric_;
};

}  // namespace weir::experiment
