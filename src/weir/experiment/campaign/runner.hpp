#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/store/results_record.hpp"

namespace weir::experiment {

/// How far a run is.
struct RunProgress {
  std::size_t run = 0;  ///< index of the variant
  Time now;
  Time end;  ///< Time::max(): unknown
  std::uint64_t packet_hops = 0;
  double wall_seconds = 0;
};

/// Called by one thread at a time.
struct RunListener {
  std::function<void(std::size_t run)> on_start;
  std::function<void(const RunProgress&)> on_progress;
  /// A run has ended, well or not: record.status says.
  std::function<void(std::size_t run, const RunRecord&)> on_end;
  /// RunOptions::skip has left it out.
  std::function<void(std::size_t run)> on_skip = nullptr;
};

class RunHelper;

struct RunOptions {
  unsigned jobs = 0;                             ///< threads; 0: one a core
  const std::atomic<bool>* interrupt = nullptr;  ///< ends all runs soon when it becomes true
  /// Only these runs, begun in this order; not given: all.
  std::optional<std::vector<std::size_t>> order = std::nullopt;
  /// Asked just before a run begins: true leaves it out.
  std::function<bool(std::size_t run)> skip = nullptr;
  NetworkCache* networks = nullptr;  ///< where networks are kept that others use, too
  RunHelper* helper = nullptr;       ///< carries out runs besides the threads
  /// The numbers of a run go when on_end has seen them: the outcomes have none.
  bool drop_results = false;
};

/// What became of a run.
struct RunOutcome {
  std::optional<RunRecord> record;  ///< nothing: interrupted, or not begun
  bool is_input_error = false;      ///< it failed because its configuration cannot work
};

/// Runs one configuration to its end. A RunError makes a record with status "failed"; InputErrors
/// come through. Nothing when `go_on` said no.
std::optional<RunRecord> run_one(const Configuration& configuration, const Variant& variant,
                                 NetworkCache& networks,
                                 const std::function<bool(const RunProgress&)>& go_on);

class RunQueue;

/// Others that carry out runs, beside the threads of run_all(): other processes, say.
class RunHelper {
 public:
  RunHelper() = default;
  RunHelper(const RunHelper&) = delete;
  RunHelper& operator=(const RunHelper&) = delete;
  virtual ~RunHelper() = default;

  /// Takes runs off the queue until it gives no more, and returns when those have ended. Called by
  /// the thread that called run_all().
  virtual void work(RunQueue& queue) = 0;
  /// Runs that it carries out at a time.
  [[nodiscard]] virtual std::size_t at_a_time() const = 0;
  /// It carries out a run that is the only one by all processes together, those of run_all()
  /// included.
  [[nodiscard]] virtual bool shares_single_run() const { return false; }
};

/// Runs variants on a pool of threads; the outcomes stand in the order of the variants, the same
/// for any number of threads. All configurations are checked before the first run begins: throws
/// InputError. What shows only when a network is built is thrown, too, when there is one variant;
/// of several, that one fails and the others go on.
std::vector<RunOutcome> run_all(const std::vector<Variant>& variants, const RunOptions& options,
                                const RunListener& listener);

/// Number of threads that `jobs` means: one a core for 0.
unsigned thread_count(unsigned jobs);

/// What a run will be, before it has run: no status, no numbers.
RunRecord describe_run(const Configuration& configuration, const Variant& variant);

}  // namespace weir::experiment
