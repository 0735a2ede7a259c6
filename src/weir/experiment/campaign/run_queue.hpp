#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "weir/experiment/campaign/runner.hpp"

namespace weir::experiment {

/// The runs of run_all(), for all who carry them out: threads here, other processes through a
/// RunHelper. Every member may be called from any thread.
///
///   while (auto run = queue.take()) queue.end(*run, carry_out(queue.variant(*run)));
class RunQueue {
 public:
  RunQueue(const std::vector<Variant>& variants, const RunOptions& options,
           const RunListener& listener);

  /// The next run that is to begin. Nothing: no more, or all must end.
  std::optional<std::size_t> take();
  /// take() has nothing more.
  [[nodiscard]] bool is_exhausted() const { return next_ >= order_.size() || must_stop(); }
  [[nodiscard]] const Variant& variant(std::size_t run) const { return variants_[run]; }
  /// There is one run, and no more.
  [[nodiscard]] bool is_single() const { return order_.size() == 1; }
  /// Tells how far a run is.
  void progress(const RunProgress& progress);
  /// A run that take() gave has ended. Without a record: it was interrupted.
  void end(std::size_t run, RunOutcome outcome);
  /// Runs that are going on must end soon, without a record.
  [[nodiscard]] bool must_stop() const;
  /// Ends everything; outcomes() throws `why`.
  void fail(std::exception_ptr why);

  /// When all have ended: what became of the runs, by index.
  std::vector<RunOutcome> outcomes();

 private:
  template <class Call>
  void tell(Call call);

  const std::vector<Variant>& variants_;
  const RunOptions& options_;
  const RunListener& listener_;
  std::vector<std::size_t> order_;
  std::vector<RunOutcome> outcomes_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

/// Carries out one run: an InputError makes a failed record. `ranks`: all of which do the same;
/// null: none.
RunOutcome carry_out(const Variant& variant, NetworkCache& networks,
                     const std::function<bool(const RunProgress&)>& go_on, Ranks* ranks = nullptr);

}  // namespace weir::experiment
