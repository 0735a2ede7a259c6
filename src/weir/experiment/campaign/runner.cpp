#include "weir/experiment/campaign/runner.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>

#include "weir/base/version.hpp"
#include "weir/experiment/campaign/run_queue.hpp"
#include "weir/experiment/config/cables.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment {
namespace {

RunRecord failed(const Configuration& configuration, const Variant& variant,
                 const std::string& error) {
  RunRecord record = describe_run(configuration, variant);
  record.status = "failed";
  record.error = error;
  record.finished = utc_now();
  return record;
}

/// What each thread of run_all() does.
void work(RunQueue& queue, NetworkCache& networks) {
  while (const auto run = queue.take()) {
    try {
      queue.end(*run, carry_out(queue.variant(*run), networks, [&](RunProgress progress) {
        progress.run = *run;
        queue.progress(progress);
        return !queue.must_stop();
      }));
    } catch (...) {
      queue.fail(std::current_exception());
    }
  }
}

}  // namespace

RunRecord describe_run(const Configuration& configuration, const Variant& variant) {
  RunRecord record;
  record.experiment = configuration.name;
  record.case_name = variant.case_name;
  record.place = variant.place;
  record.parameters = variant.settings;
  record.configuration = to_toml(configuration.resolved);
  record.configuration_hash = configuration_hash(configuration.resolved);
  record.seed = configuration.fabric.seed;
  record.version = version();
  record.host = host_description();
  record.started = utc_now();
  return record;
}

unsigned thread_count(unsigned jobs) {
  return jobs == 0 ? std::max(1U, std::thread::hardware_concurrency()) : jobs;
}

std::optional<RunRecord> run_one(const Configuration& configuration, const Variant& variant,
                                 NetworkCache& networks,
                                 const std::function<bool(const RunProgress&)>& go_on) {
  RunRecord record = describe_run(configuration, variant);
  const RunKind::Clock::time_point start = RunKind::Clock::now();
  const double cpu_before = cpu_seconds();
  try {
    const auto tell = [&](const KindProgress& how_far) {
      return go_on({0, how_far.now, how_far.end, how_far.packet_hops, seconds_since(start)});
    };
    const auto network = networks.get(configuration);
    auto result = configuration.kind->run(configuration, network, tell, start);
    if (!result) return std::nullopt;
    record.result = std::move(*result);
    if (network) {
      add_cable_delays(record.result, configuration, *network->graph);
      std::string note = tie_note(configuration, *network->graph);
      if (!note.empty()) record.result.notes.push_back(std::move(note));
    }
  } catch (const RunError& error) {
    record.status = "failed";
    record.error = error.what();
  } catch (const std::bad_alloc&) {
    record.status = "failed";
    record.error = "not enough memory";
  }
  record.result.wall_seconds = record.result.earlier_seconds + seconds_since(start);
  record.result.cpu_seconds += cpu_seconds() - cpu_before;
  record.finished = utc_now();
  return record;
}

RunOutcome carry_out(const Variant& variant, NetworkCache& networks,
                     const std::function<bool(const RunProgress&)>& go_on, Ranks* ranks) {
  Configuration configuration = resolve(variant.table);
  configuration.ranks = ranks;
  configuration.checkpoints = variant.checkpoints;
  try {
    return {run_one(configuration, variant, networks, go_on), false};
  } catch (const InputError& error) {
    return {failed(configuration, variant, error.what()), true};
  }
}

std::vector<RunOutcome> run_all(const std::vector<Variant>& variants, const RunOptions& options,
                                const RunListener& listener) {
  check_variants(variants);
  NetworkCache own_networks;
  NetworkCache& networks = options.networks != nullptr ? *options.networks : own_networks;
  RunQueue queue(variants, options, listener);
  const std::size_t runs = options.order ? options.order->size() : variants.size();
  const std::size_t count = std::min<std::size_t>(thread_count(options.jobs), runs);
  std::vector<std::thread> threads;
  const bool is_shared =
      runs == 1 && options.helper != nullptr && options.helper->shares_single_run();
  // The calling thread is one of them, or else the helper's.
  for (std::size_t i = is_shared ? count : options.helper != nullptr ? 0 : 1; i < count; ++i) {
    threads.emplace_back([&] { work(queue, networks); });
  }
  if (options.helper != nullptr) {
    options.helper->work(queue);
  } else {
    work(queue, networks);
  }
  for (std::thread& thread : threads) thread.join();
  return queue.outcomes();
}

}  // namespace weir::experiment
