#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/until.hpp"
#include "weir/experiment/run/director.hpp"
#include "weir/experiment/run/divided_director.hpp"
#include "weir/experiment/run/flow_traffic.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/reservation_watch.hpp"
#include "weir/experiment/run/resources.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/fabric/parallel/territories.hpp"
#include "weir/metrics/recorder.hpp"

namespace weir {
class StateArchive;
}

namespace weir::experiment {

/// What a program adds to a run that no file says.
struct SimulationAdditions {
  /// Told everything, after what measures the run. Lives as long as the simulation.
  fabric::Observer* observer = nullptr;
  /// It does not act on the fabric, and looks neither at tags nor at lanes and buffer classes. Such
  /// a one may watch a run by several threads: it is told in the order of time, of what happens in
  /// one instant in any order, but later than it happens.
  bool only_watches = false;
  /// Adds classes and sources behind those of the configuration.
  std::function<void(const topology::Graph&, traffic::Traffic&)> add_traffic = nullptr;
  /// How a run with several threads divides the network, which no number depends on. Empty:
  /// fabric::divide().
  std::function<fabric::Territories(const topology::Graph&, std::size_t threads)> divide = nullptr;
  /// Nothing happens before Simulation::checkpoint() has read where to go on from.
  bool goes_on = false;
};

/// One run, from a configuration to its numbers:
///
///   Simulation simulation(configuration, network);
///   while (simulation.advance()) show(simulation.fabric().now());
///   RunResult result = simulation.finish(wall_seconds);
class Simulation {
 public:
  /// Builds everything. Throws InputError, with its place, for what does not fit together.
  Simulation(const Configuration& configuration, std::shared_ptr<const Network> network,
             const SimulationAdditions& additions = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Simulates a short while, `step` at most. False when the run is over. Throws RunError.
  bool advance() { return advance(step_); }
  [[nodiscard]] Time step() const { return step_; }
  bool advance(Time step);
  /// Between two steps: writes down all of its state, of several processes the first one does; or
  /// reads it, in a simulation of the same configuration that `goes_on`, divided as it likes.
  /// Throws std::exception for what is no such state.
  void checkpoint(StateArchive& state);
  /// Key of what keeps the run from having checkpoints; empty: nothing.
  [[nodiscard]] std::string no_checkpoints() const;
  /// The numbers so far. Call it once.
  [[nodiscard]] metrics::RunResult finish(double wall_seconds);

  [[nodiscard]] const fabric::Fabric& fabric() const { return *fabric_; }
  [[nodiscard]] const metrics::Recorder& recorder() const { return *recorder_; }
  /// With the paths of its flows.
  [[nodiscard]] const Network& network() const { return *network_; }
  /// What the mechanisms say of themselves, for the user.
  [[nodiscard]] std::vector<std::string> notes() const { return fabric_->notes(); }
  /// What all [[flow]]s come to, about.
  [[nodiscard]] FlowWork flow_work() const { return flows_.work(end_); }
  /// Longest simulated time; Time::max(): as long as it takes.
  [[nodiscard]] Time end() const { return end_; }

 private:
  void build(const Configuration& configuration, const fabric::FabricSettings& settings,
             const fabric::Mechanisms& mechanisms, traffic::Traffic traffic,
             std::vector<workload::Workload> workloads, const SimulationAdditions& additions);
  /// Throws InputError for what a divided network cannot do.
  void refuse_threads(const Configuration& configuration) const;
  /// And for what one that is divided among processes cannot.
  static void refuse_ranks(const SimulationAdditions& additions);
  /// Runs to `target`, starting sources that become due on the way and carrying workloads on. True
  /// when nothing is left.
  bool run_to(Time target);
  /// Looks at the estimate that ends the run, when it is time for it. True: it is good enough.
  bool is_known();
  [[nodiscard]] std::string missed_precision() const;

  FlowTraffic flows_;
  ReservationWatch reservations_;
  std::shared_ptr<const Network> network_;  ///< with the paths of the flows
  ResourceReport resources_;
  bool is_watched_;                                 ///< by an observer of a program
  std::map<std::size_t, std::size_t> hot_sources_;  ///< by switches to the nearest aim
  Time end_;
  Time window_;  ///< where the measuring window begins; 0 also where that is detected
  Time step_;
  bool until_idle_;  ///< ends when nothing is left to do
  bool until_workload_;
  std::optional<Precision> precision_;  ///< that ends the run
  std::optional<LookPlan> looks_;
  double relative_half_width_ = std::numeric_limits<double>::infinity();  ///< at the last look
  std::unique_ptr<metrics::Recorder> recorder_;
  std::unique_ptr<Director> director_;        ///< only where something happens on deliveries
  std::unique_ptr<DividedDirector> divided_;  ///< does its part in a network that is divided
  std::unique_ptr<fabric::Observer> both_;    ///< only where somebody else is told, too
  std::unique_ptr<fabric::Fabric> fabric_;
};

}  // namespace weir::experiment
