#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/run/checkpoint_file.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {

/// Keeps the state of a run in a file now and then, where Configuration::checkpoints asks for that,
/// and begins the run from there:
///
///   Checkpoints checkpoints(configuration);
///   auto simulation = checkpoints.begin(network);
///   while (simulation->advance()) checkpoints.keep_if_due(*simulation);
///   RunResult result = simulation->finish(seconds);
///   checkpoints.end(result);
///
/// Of several processes the first one writes and reads the file, and all make the same calls.
class Checkpoints {
 public:
  explicit Checkpoints(const Configuration& configuration);

  /// A simulation at the last checkpoint, or at its beginning.
  std::unique_ptr<Simulation> begin(const std::shared_ptr<const Network>& network);
  /// A file that cannot be written ends the checkpoints, not the run; end() tells it.
  void keep(Simulation& simulation);
  void keep_if_due(Simulation& simulation);
  /// The run is over: the file goes, and its time is added to the result.
  void end(metrics::RunResult& result);
  /// Nothing is to go on from it.
  void forget() const;

  /// What the run took before it went on.
  struct Earlier {
    double wall_seconds = 0;
    double cpu_seconds = 0;  ///< of all threads in this process
  };
  [[nodiscard]] const Earlier& earlier() const { return earlier_; }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_on(const Simulation& simulation) const;
  [[nodiscard]] std::string read() const;

  const Configuration& configuration_;
  CheckpointFile file_;
  Earlier earlier_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point kept_ = Clock::now();
  double cpu_before_;
  bool has_kept_ = false;
  std::string failure_;  ///< why no more are kept
};

}  // namespace weir::experiment
