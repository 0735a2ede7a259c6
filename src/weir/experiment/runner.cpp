#include "weir/experiment/runner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "weir/base/version.hpp"
#include "weir/experiment/simulation.hpp"

namespace weir::experiment {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

RunRecord describe_run(const Configuration& configuration, const Variant& variant) {
  RunRecord record;
  record.experiment = configuration.name;
  record.case_name = variant.case_name;
  record.parameters = variant.settings;
  record.configuration = to_toml(configuration.resolved);
  record.configuration_hash = configuration_hash(configuration.resolved);
  record.seed = configuration.fabric.seed;
  record.version = version();
  record.host = host_description();
  record.started = utc_now();
  return record;
}

RunRecord failed(const Configuration& configuration, const Variant& variant,
                 const std::string& error) {
  RunRecord record = describe_run(configuration, variant);
  record.status = "failed";
  record.error = error;
  record.finished = utc_now();
  return record;
}

/// The threads of run_all() and what they share.
class Pool {
 public:
  Pool(const std::vector<Variant>& variants, const RunOptions& options, const RunListener& listener)
      : variants_(variants), options_(options), listener_(listener), outcomes_(variants.size()) {
    for (const Variant& variant : variants) (void)resolve(variant.table);
  }

  std::vector<RunOutcome> run() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = options_.jobs == 0 ? cores : options_.jobs;
    const std::size_t count = std::min(wanted, variants_.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(outcomes_);
  }

 private:
  void work() {
    for (;;) {
      const std::size_t index = next_++;
      if (index >= variants_.size() || must_stop()) return;
      try {
        run_variant(index);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stop_ = true;
      }
    }
  }

  void run_variant(std::size_t index) {
    tell([&] {
      if (listener_.on_start) listener_.on_start(index);
    });
    const auto go_on = [&](RunProgress progress) {
      progress.run = index;
      tell([&] {
        if (listener_.on_progress) listener_.on_progress(progress);
      });
      return !must_stop();
    };
    RunOutcome& outcome = outcomes_[index];
    const Configuration configuration = resolve(variants_[index].table);
    try {
      outcome.record = run_one(configuration, variants_[index], networks_, go_on);
    } catch (const InputError& error) {
      if (variants_.size() == 1) throw;
      outcome = {failed(configuration, variants_[index], error.what()), true};
    }
    if (!outcome.record) return;
    tell([&] {
      if (listener_.on_end) listener_.on_end(index, *outcome.record);
    });
  }

  template <class Call>
  void tell(Call call) {
    const std::lock_guard lock(mutex_);
    call();
  }

  [[nodiscard]] bool must_stop() const {
    return stop_ || (options_.interrupt != nullptr && *options_.interrupt);
  }

  const std::vector<Variant>& variants_;
  const RunOptions& options_;
  const RunListener& listener_;
  NetworkCache networks_;
  std::vector<RunOutcome> outcomes_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

std::optional<RunRecord> run_one(const Configuration& configuration, const Variant& variant,
                                 NetworkCache& networks,
                                 const std::function<bool(const RunProgress&)>& go_on) {
  RunRecord record = describe_run(configuration, variant);
  const Clock::time_point start = Clock::now();
  try {
    Simulation simulation(configuration, networks.get(configuration));
    while (simulation.advance()) {
      const fabric::Fabric& fabric = simulation.fabric();
      const RunProgress progress{0, fabric.now(), simulation.end(), fabric.counters().packet_hops,
                                 seconds_since(start)};
      if (!go_on(progress)) return std::nullopt;
    }
    record.result = simulation.finish(seconds_since(start));
  } catch (const RunError& error) {
    record.status = "failed";
    record.error = error.what();
  } catch (const std::bad_alloc&) {
    record.status = "failed";
    record.error = "not enough memory";
  }
  record.finished = utc_now();
  return record;
}

std::vector<RunOutcome> run_all(const std::vector<Variant>& variants, const RunOptions& options,
                                const RunListener& listener) {
  return Pool(variants, options, listener).run();
}

}  // namespace weir::experiment
