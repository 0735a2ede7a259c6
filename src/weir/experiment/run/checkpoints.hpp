#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/run/checkpoint_file.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment {

/// Keeps the state of a run in a file now and then, where Configuration::checkpoints asks for that,
/// and begins the run from there:
///
///   Checkpoints checkpoints(configuration);
///   auto simulation = checkpoints.begin(configuration, network);
///   while (simulation->advance()) checkpoints.keep_if_due(*simulation);
///   RunResult result = simulation->finish(seconds);
///   checkpoints.end(result);
///
/// A run of several simulations, one after the other, takes those that are over from finished(),
/// begins the next one, and add()s its result. A checkpoint has the results so far and the state of
/// the simulation under way.
///
/// Of several processes the first one writes and reads the file, and all make the same calls.
class Checkpoints {
 public:
  /// Of the run, which has one file, whatever it simulates.
  explicit Checkpoints(const Configuration& configuration);

  /// Results of the simulations that were over at the last checkpoint, in their order.
  [[nodiscard]] std::vector<metrics::RunResult> finished();
  /// One of several simulations is over. Its CPU time is the run's from now on.
  void add(metrics::RunResult& result);

  /// A simulation at the last checkpoint, or at its beginning. `simulated`: its configuration, with
  /// the run's `ranks`.
  std::unique_ptr<Simulation> begin(const Configuration& simulated,
                                    const std::shared_ptr<const Network>& network);
  /// A file that cannot be written ends the checkpoints, not the run; end() tells it. Of a
  /// simulation that has none the results before it are kept.
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
  [[nodiscard]] bool has_state(const Simulation& simulation) const;
  [[nodiscard]] std::string bytes() const;
  void read();

  const Configuration& configuration_;
  CheckpointFile file_;
  Earlier earlier_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point kept_ = Clock::now();
  double cpu_before_;
  double cpu_of_helpers_ = 0;  ///< in simulations that are over
  bool has_read_ = false;
  bool has_kept_ = false;
  std::vector<std::vector<std::uint8_t>> finished_;  ///< packed()
  std::size_t finished_kept_ = 0;                    ///< of these, in the file
  std::optional<std::istringstream> under_way_;      ///< stands before the state of a simulation
  std::string failure_;                              ///< why no more are kept
};

}  // namespace weir::experiment
