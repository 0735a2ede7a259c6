#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/config/run_kind.hpp"
#include "weir/metrics/batch_means.hpp"

namespace weir::experiment {
namespace {

using analysis::Measure;
using analysis::SimulatedMeasure;
using metrics::BatchMeans;
using metrics::RunResult;

/// Parts of a simulation beside a model, for intervals.
constexpr std::int64_t kQueueSlices = 1000;

/// Names of metrics that have a model's value beside the simulation's.
std::string labelled(const std::string& metric, const std::string& label) {
  return label.empty() ? metric : metric + " " + label;
}

void add_simulated(RunResult& out, const SimulatedMeasure& measure) {
  std::vector<metrics::RatioSlice> slices;
  slices.reserve(measure.slices.size());
  for (const analysis::Slice& slice : measure.slices) slices.push_back({slice.sum, slice.weight});
  const BatchMeans means = metrics::batch_means(slices);
  out.add_scalar("simulated_" + measure.metric, measure.label, means.mean);
  metrics::Scalar& scalar = out.scalars.back();
  if (means.verdict == metrics::Verdict::estimated) {
    scalar.half_width = means.half_width;
    scalar.quality = metrics::Quality::estimated;
  }
  const double* model = out.scalar(measure.metric, measure.label);
  if (model == nullptr || !(means.mean != 0)) return;
  out.add_scalar("error_measure", labelled(measure.metric, measure.label),
                 analysis::error_measure(means.mean, *model));
}

/// Gives an InputError that names a key the key's place.
void with_place(const Chosen<analysis::QueueModelFactory>& chosen,
                const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    if (error.has_place() || !chosen.settings.has(error.key())) throw;
    throw chosen.settings.error(error.key(), error.message());
  }
}

/// The number in `[queue]` that is farthest from 1: the likeliest reason for an overflow.
std::string most_extreme_key(const Chosen<analysis::QueueModelFactory>& chosen) {
  std::string key;
  double most = -1;
  const auto look = [&](const std::string& name, double value) {
    const double distance = value == 0 ? 0.0 : std::abs(std::log10(std::abs(value)));
    if (distance > most) key = name;
    most = std::max(most, distance);
  };
  for (const Parameter& one :
       analysis::queue_registry().find(chosen.name, {}, "queue").info.parameters) {
    if (!chosen.settings.has(one.name)) continue;
    if (one.type == ParameterType::real) look(one.name, chosen.settings.real(one.name));
    if (one.type != ParameterType::reals) continue;
    for (const double value : chosen.settings.reals(one.name)) look(one.name, value);
  }
  return key;
}

/// Throws InputError where a number of the result is none: the keys are too far apart for it.
void check_finite(const Configuration& configuration, const std::string& metric, double value) {
  if (std::isfinite(value)) return;
  const Chosen<analysis::QueueModelFactory>& chosen = configuration.queue;
  throw chosen.settings.error(
      most_extreme_key(chosen),
      fmt::format("{} cannot be computed with this: the numbers of the model are too far apart",
                  metric));
}

/// The model of `[queue]`. Throws InputError at the place of the key.
std::unique_ptr<analysis::QueueModel> make_queue(const Configuration& configuration) {
  const Chosen<analysis::QueueModelFactory>& chosen = configuration.queue;
  if (chosen.make == nullptr) {
    throw InputError(configuration.source.position, "queue.model",
                     "is missing; it names a queueing model (see weir list queue)");
  }
  std::unique_ptr<analysis::QueueModel> model;
  with_place(chosen, [&] { model = (*chosen.make)(chosen.settings); });
  return model;
}

std::optional<RunResult> run_queue(const Configuration& configuration,
                                   const std::shared_ptr<const Network>&, const GoOn& go_on,
                                   RunKind::Clock::time_point start) {
  const auto model = make_queue(configuration);
  RunResult out;
  std::vector<Measure> measures;
  with_place(configuration.queue, [&] { measures = model->solve(); });
  for (const Measure& measure : measures) {
    check_finite(configuration, measure.metric, measure.value);
    out.add_scalar(measure.metric, measure.label, measure.value);
  }
  const std::size_t states = configuration.queue_keys->states;
  const std::vector<double> distribution =
      states == 0 ? std::vector<double>() : model->distribution();
  for (std::size_t n = 0; n < std::min(states, distribution.size()); ++n) {
    check_finite(configuration, "state_probability", distribution[n]);
    out.add_scalar("state_probability", std::to_string(n), distribution[n]);
  }
  const std::int64_t arrivals = configuration.queue_keys->simulate;
  if (arrivals > 0) {
    // Progress is told as shares of a second: the model's time has no unit.
    constexpr std::int64_t kSecond = 1'000'000'000'000;
    const auto tell = [&](double done) {
      return go_on({Time(static_cast<std::int64_t>(done * kSecond)), Time(kSecond), 0});
    };
    const auto simulated =
        model->simulate({configuration.fabric.seed, arrivals, kQueueSlices, tell});
    if (!simulated) return std::nullopt;
    for (const SimulatedMeasure& measure : *simulated) add_simulated(out, measure);
    if (simulated->empty()) out.notes.emplace_back("this model is not simulated");
  }
  for (std::string& note : model->notes(arrivals > 0)) out.notes.push_back(std::move(note));
  out.wall_seconds = seconds_since(start);
  return out;
}

KindNeeds needs_of_queue(const Configuration& configuration, const std::shared_ptr<const Network>&,
                         const std::function<double()>&) {
  // An arrival and its service cost about what a packet-hop does.
  return {static_cast<double>(configuration.queue_keys->simulate), 1 << 20, {}};
}

void check_queue(const Configuration& configuration) {
  (void)make_queue(configuration);
  constexpr std::int64_t kFewest = 10 * kQueueSlices;
  const std::int64_t arrivals = configuration.queue_keys->simulate;
  if (arrivals == 0 || arrivals >= kFewest) return;
  throw configuration.queue_keys.error(
      &QueueKeys::simulate,
      fmt::format("must be 0 or at least {}: fewer arrivals say nothing", kFewest));
}

const Registration<RunKind> kQueueKind(run_kind_registry(),
                                       {"queue",
                                        "a queueing model is solved, and simulated beside it",
                                        "yan2012, chapters 4 and 5",
                                        {}},
                                       RunKind{false, run_queue, needs_of_queue, check_queue, false,
                                               false, "simulated arrivals", nullptr,
                                               [](const Configuration& configuration) {
                                                 return configuration.queue_keys->simulate > 0;
                                               }});

}  // namespace

}  // namespace weir::experiment
