#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/config/sections.hpp"
#include "weir/experiment/run/probe.hpp"
#include "weir/experiment/run/saturation_search.hpp"
#include "weir/experiment/run/simulate.hpp"

namespace weir::experiment {
namespace {

/// The load that is varied, and whose traffic it is.
struct LoadKey {
  std::string key;
  std::string traffic;
  std::string label;  ///< of its metrics; the only traffic is all traffic
};

/// "0" or "name" in "traffic.name.arrivals.load"; nothing for another form.
std::optional<std::string> traffic_of(const std::string& key) {
  constexpr std::string_view kBefore = "traffic.";
  constexpr std::string_view kAfter = ".arrivals.load";
  if (key.size() <= kBefore.size() + kAfter.size() || !key.starts_with(kBefore) ||
      !key.ends_with(kAfter)) {
    return std::nullopt;
  }
  return key.substr(kBefore.size(), key.size() - kBefore.size() - kAfter.size());
}

std::vector<LoadKey> loads_of(const Configuration& configuration) {
  std::vector<LoadKey> keys;
  for (std::size_t i = 0; i < configuration.traffic.size(); ++i) {
    const std::string key = fmt::format("traffic.{}.arrivals.load", i);
    if (find_value(configuration.source, key) == nullptr) continue;
    const std::string& name = configuration.traffic[i].name;
    keys.push_back({key, name, configuration.traffic.size() > 1 ? name : ""});
  }
  return keys;
}

LoadKey load_key(const Configuration& configuration, const Checked<FindKeys>& find) {
  const std::vector<LoadKey> loads = loads_of(configuration);
  if (!find->load) {
    if (loads.size() == 1) return loads.front();
    throw InputError(position_of(configuration.source, "experiment.find"), "experiment.find.load",
                     loads.empty()
                         ? "there is nothing to vary: no traffic has arrivals with a load"
                         : fmt::format("is missing: several traffics have a load, such as "
                                       "\"traffic.{}.arrivals.load\"",
                                       loads.front().traffic));
  }
  const std::string& key = *find->load;
  const auto traffic = traffic_of(key);
  std::vector<std::string> known;
  for (const LoadKey& load : loads) {
    if (key == load.key || traffic == load.traffic) return load;
    known.push_back(fmt::format("traffic.{}.arrivals.load", load.traffic));
  }
  throw find.error(&FindKeys::load, fmt::format("'{}' is no load of a traffic of this experiment{}",
                                                key, suggestion(key, known)));
}

SaturationRange range_of(const Checked<FindKeys>& find) {
  const SaturationRange range{find->low, find->high, find->resolution};
  if (range.low >= range.high) {
    throw find.error(&FindKeys::low, fmt::format("{} is not below experiment.find.high, {}",
                                                 range.low, range.high));
  }
  if (range.probes() > SaturationRange::kMostProbes) {
    throw find.error(&FindKeys::resolution,
                     fmt::format("would take {} runs, at most {} are made: a smaller range, or a "
                                 "coarser resolution",
                                 range.probes(), SaturationRange::kMostProbes));
  }
  return range;
}

/// The same experiment as a plain simulation at one load, divided as the search is.
Configuration at_load(const Configuration& configuration, const LoadKey& load, double value) {
  ConfigTable table = configuration.source;
  const SourcePosition position = position_of(table, load.key);
  lay_over(table, nested(load.key, ConfigValue(value, position), position));
  ConfigTable experiment = table.find("experiment")->table();
  experiment.erase("find");
  table.set("experiment", ConfigValue(std::move(experiment), position_of(table, "experiment")));
  Configuration one = resolve(table);
  one.threads = configuration.threads;
  one.ranks = configuration.ranks;
  return one;
}

std::vector<std::string> keys_of_load(const Configuration& configuration) {
  const LoadKey load = load_key(configuration, *configuration.find);
  return {load.key, fmt::format("traffic.{}.arrivals.load", load.traffic)};
}

void check_saturation(const Configuration& configuration) {
  const Checked<FindKeys>& find = *configuration.find;
  if (!configuration.duration) {
    throw InputError(position_of(configuration.source, "experiment.find"), "experiment.duration",
                     "is missing: a search needs runs of a given length");
  }
  const fabric::FabricSettings& fabric = configuration.fabric;
  if (fabric.backlog != Bytes::max() && fabric.when_full == fabric::WhenFull::wait) {
    throw InputError(
        position_of(configuration.source, "host.backlog"), "host.backlog",
        "makes sources wait, so that they never offer more than is delivered: leave it out in a "
        "search for saturation, or set host.when_full = \"discard\"");
  }
  const LoadKey load = load_key(configuration, find);
  // The highest load is the one that may be impossible.
  (void)at_load(configuration, load, range_of(find).high);
}

/// Delivered over offered payload in the measuring window.
double delivered_share(const metrics::RunResult& result, const LoadKey& load,
                       const Configuration& configuration) {
  const double* offered = result.scalar("offered", load.label);
  const double* throughput = result.scalar("throughput", load.label);
  if (offered == nullptr || throughput == nullptr || !(*offered > 0)) {
    throw InputError(position_of(configuration.source, "experiment.duration"),
                     "experiment.duration",
                     fmt::format("is too short for a search for saturation: traffic '{}' offers "
                                 "nothing after the warm-up",
                                 load.traffic));
  }
  return *throughput / *offered;
}

double scalar_of(const metrics::RunResult& result, std::string_view metric,
                 const std::string& label) {
  const double* value = result.scalar(metric, label);
  return value == nullptr ? std::numeric_limits<double>::quiet_NaN() : *value;
}

struct Probed {
  metrics::RunResult result;
  double latency = 0;     ///< ns
  double throughput = 0;  ///< Gbps
};

std::string verdict_text(const SaturationResult& found, const SaturationRange& range) {
  switch (found.verdict) {
    case SaturationVerdict::above_range:
      return fmt::format("not saturated: the highest load that was tried, {}, was still delivered",
                         range.high);
    case SaturationVerdict::at_lowest_load:
      return fmt::format("saturated at every load that was tried, down to {}",
                         found.probes.back().load);
    case SaturationVerdict::found:
      break;
  }
  return "";
}

/// The numbers of the highest load that was delivered, with those of the search.
metrics::RunResult report(const SaturationResult& found, const SaturationRange& range,
                          std::vector<Probed> probed, const LoadKey& load) {
  metrics::RunResult out;
  std::uint64_t fingerprint = 0;
  for (const Probed& one : probed) {
    fingerprint = fingerprint * 0x9e3779b97f4a7c15ULL + one.result.fingerprint;
  }
  double sustained = std::numeric_limits<double>::quiet_NaN();
  if (found.sustained) {
    sustained = probed[*found.sustained].throughput;
    out = std::move(probed[*found.sustained].result);
    out.notes.push_back(fmt::format("all other numbers are those at load {} of '{}'",
                                    found.probes[*found.sustained].load, load.traffic));
  }
  out.fingerprint = fingerprint;
  out.add_scalar("saturation_load", {}, found.load);
  if (found.verdict == SaturationVerdict::found) {
    out.scalars.back().half_width = found.half_width;
    out.scalars.back().quality = metrics::Quality::estimated;
  } else {
    out.notes.push_back(verdict_text(found, range));
  }
  out.add_scalar("saturation_throughput", {}, sustained);
  for (std::size_t i = 0; i < found.probes.size(); ++i) {
    const std::string label = std::to_string(i + 1);
    out.add_scalar("probe_load", label, found.probes[i].load);
    out.add_scalar("probe_delivered", label, found.probes[i].delivered);
    out.add_scalar("probe_latency", label, probed[i].latency);
  }
  return out;
}

/// The simulations of a search, one after the other.
class Probes {
 public:
  /// All outlive it. What a checkpoint knows already is not simulated again.
  Probes(const Configuration& configuration, const std::shared_ptr<const Network>& network,
         Checkpoints& checkpoints, const GoOn& go_on, RunKind::Clock::time_point start)
      : configuration_(configuration),
        network_(network),
        checkpoints_(checkpoints),
        go_on_(go_on),
        start_(start),
        load_(load_key(configuration, *configuration.find)),
        most_(static_cast<std::int64_t>(range_of(*configuration.find).probes())),
        known_(checkpoints.finished()) {}

  /// Delivered of a load. Nothing: the search is to end.
  std::optional<SaturationProbe> at(double value) {
    std::optional<metrics::RunResult> result;
    if (probed_.size() < known_.size()) {
      result = std::move(known_[probed_.size()]);
    } else {
      result = simulated(value);
      if (!result) return std::nullopt;
      checkpoints_.add(*result);
    }
    if (const double* hops = result->scalar("packet_hops"))
      hops_ += static_cast<std::uint64_t>(*hops);
    const double share = delivered(*result);
    const double latency = scalar_of(*result, "latency_mean", load_.label);
    const double throughput = scalar_of(*result, "throughput", load_.label);
    probed_.push_back({std::move(*result), latency, throughput});
    return SaturationProbe{value, value * share};
  }

  [[nodiscard]] const LoadKey& load() const { return load_; }
  /// All of them, in their order.
  [[nodiscard]] std::vector<Probed> take() { return std::move(probed_); }

 private:
  std::optional<metrics::RunResult> simulated(double value) {
    const std::int64_t duration = configuration_.duration->count;
    const std::int64_t before = static_cast<std::int64_t>(probed_.size()) * duration;
    return simulate(
        at_load(configuration_, load_, value), network_, checkpoints_,
        [&](const KindProgress& how_far) {
          return go_on_({Time(before + how_far.now.count), Time(most_ * duration),
                         hops_ + how_far.packet_hops});
        },
        start_);
  }

  [[nodiscard]] double delivered(const metrics::RunResult& result) const {
    try {
      return delivered_share(result, load_, configuration_);
    } catch (const InputError&) {
      checkpoints_.forget();  // it would fail again from there
      throw;
    }
  }

  const Configuration& configuration_;
  const std::shared_ptr<const Network>& network_;
  Checkpoints& checkpoints_;
  const GoOn& go_on_;
  RunKind::Clock::time_point start_;
  LoadKey load_;
  std::int64_t most_;                      ///< probes
  std::vector<metrics::RunResult> known_;  ///< of the first ones
  std::vector<Probed> probed_;
  std::uint64_t hops_ = 0;
};

std::optional<metrics::RunResult> run_saturation(const Configuration& configuration,
                                                 const std::shared_ptr<const Network>& network,
                                                 const GoOn& go_on,
                                                 RunKind::Clock::time_point start) {
  const SaturationRange range = range_of(*configuration.find);
  Checkpoints checkpoints(configuration);
  try {
    Probes probes(configuration, network, checkpoints, go_on, start);
    const auto found = search_saturation(range, [&](double load) { return probes.at(load); });
    if (!found) return std::nullopt;
    metrics::RunResult result = report(*found, range, probes.take(), probes.load());
    checkpoints.end(result);
    return result;
  } catch (const RunError&) {
    checkpoints.forget();  // it would fail again from there
    throw;
  }
}

KindNeeds needs_of_saturation(const Configuration& configuration,
                              const std::shared_ptr<const Network>& network,
                              const std::function<double()>& mean_hops) {
  const SaturationRange range = range_of(*configuration.find);
  const Configuration highest =
      at_load(configuration, load_key(configuration, *configuration.find), range.high);
  KindNeeds one = run_kind_registry()
                      .find("simulation", {}, "experiment.kind")
                      .make.needs(highest, network, mean_hops);
  one.packet_hops *= static_cast<double>(range.probes());
  return one;
}

/// All simulations together do about as much as the first: what is offered beyond saturation does
/// not get through.
Probe probe(const Configuration& configuration, const std::shared_ptr<const Network>& network,
            const std::function<double()>& mean_hops, const ProbeLimits& limits) {
  const SaturationRange range = range_of(*configuration.find);
  Probe one = probe_simulation(
      at_load(configuration, load_key(configuration, *configuration.find), range.high), network,
      mean_hops, limits);
  one.packet_hops *= static_cast<double>(range.probes());
  return one;
}

const Registration<RunKind> kSaturationKind(
    run_kind_registry(),
    {"saturation",
     "the load from which on latency diverges, by bisection over simulations (experiment.find)",
     "weir2026, docs/architecture.md",
     {}},
    RunKind{.run = run_saturation,
            .needs = needs_of_saturation,
            .check = check_saturation,
            .is_search = true,
            .probe = probe,
            .sets = keys_of_load,
            .works_in_ranks = true});

}  // namespace
}  // namespace weir::experiment
