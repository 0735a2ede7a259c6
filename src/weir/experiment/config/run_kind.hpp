#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::experiment {

struct Network;  // run/network.hpp

/// How far a run of any kind is, as it tells others while it works; see RunProgress.
struct KindProgress {
  Time now;
  Time end = Time::max();
  std::uint64_t packet_hops = 0;
};
/// Asked now and then while a run works: false ends it.
using GoOn = std::function<bool(const KindProgress&)>;

/// What a run needs, found out without running it.
struct KindNeeds {
  double packet_hops = 0;
  double memory = 0;                 ///< bytes
  std::vector<std::string> notes{};  ///< what the mechanisms of the run say of themselves
  std::string no_checkpoints{};      ///< key of what keeps it from having any; empty: nothing
};

/// How much a probe may simulate.
struct ProbeLimits {
  double packet_hops = 0;
  double seconds = 0;  ///< CPU time
};

/// What a run will do, judged by simulating parts of it.
struct Probe {
  double packet_hops = 0;  ///< of the whole run
  double simulated = 0;    ///< packet-hops of the parts
  double seconds = 0;      ///< CPU time of simulating them
  double set_up = 0;       ///< CPU time before the first packet
  /// Of the trajectories of the parts, which depend on the limits, but not on their `seconds` where
  /// these are not reached.
  std::uint64_t fingerprint = 0;
};

/// What a run does with its network: `experiment.kind` names it.
struct RunKind {
  bool simulates = true;  ///< needs [[traffic]] and a duration

  using Clock = std::chrono::steady_clock;
  /// Runs to the end. Nothing when `go_on` said no. Throws RunError.
  std::function<std::optional<metrics::RunResult>(
      const Configuration&, const std::shared_ptr<const Network>&, const GoOn&, Clock::time_point)>
      run;
  /// `mean_hops` gives the switches that a packet crosses, on average. Throws InputError as the run
  /// would.
  std::function<KindNeeds(const Configuration&, const std::shared_ptr<const Network>&,
                          const std::function<double()>& mean_hops)>
      needs;
  /// What only this kind asks of a configuration; may be empty. Throws InputError.
  std::function<void(const Configuration&)> check = nullptr;
  bool is_search = false;  ///< many simulations; `experiment.find` names it in place of `kind`
  /// Has a topology and all that belongs to one. Without it `run` and `needs` get none, and the
  /// sections of networks and traffic mean nothing.
  bool has_network = true;
  const char* work = "packet-hops";  ///< what KindNeeds::packet_hops counts, for people
  /// Where counting what is offered does not say what a run will do; may be empty. Throws
  /// InputError and RunError as the run would.
  std::function<Probe(const Configuration&, const std::shared_ptr<const Network>&,
                      const std::function<double()>& mean_hops, const ProbeLimits&)>
      probe = nullptr;
  /// Whether what a run measures depends on its seed; empty: it does.
  std::function<bool(const Configuration&)> is_drawn = nullptr;
  /// Keys that it sets by itself in each simulation, in all ways to write them: a sweep over them
  /// would change nothing. Empty: none.
  std::function<std::vector<std::string>(const Configuration&)> sets = nullptr;
  /// Several processes can carry out one run together (Configuration::ranks).
  bool works_in_ranks = false;
};

/// The kinds of experiments; a kind registers itself in a file of its own.
Registry<RunKind>& run_kind_registry();

/// Seconds of wall time since `start`.
double seconds_since(RunKind::Clock::time_point start);
/// Seconds of CPU time that the calling thread has used; a run has one thread.
double cpu_seconds();

}  // namespace weir::experiment
