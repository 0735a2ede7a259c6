#include "weir/experiment/run/checkpoints.hpp"

#include <cstring>
#include <exception>
#include <sstream>

#include "weir/base/error.hpp"
#include "weir/base/ranks.hpp"
#include "weir/base/state_archive.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment {

Checkpoints::Checkpoints(const Configuration& configuration)
    : configuration_(configuration), file_(configuration), cpu_before_(cpu_seconds()) {}

bool Checkpoints::is_on(const Simulation& simulation) const {
  if (!configuration_.checkpoints.is_on() || !failure_.empty()) return false;
  bool has_some = simulation.no_checkpoints().empty();
  // Others may have other sources.
  for (const auto& one : gathered(configuration_.ranks, std::vector<std::uint8_t>{has_some}))
    has_some = has_some && one.front() != 0;
  return has_some;
}

std::string Checkpoints::read() const {
  if (!configuration_.checkpoints.is_on()) return {};
  Ranks* const ranks = configuration_.ranks;
  if (ranks == nullptr) return file_.read();
  const std::string mine = ranks->rank() == 0 ? file_.read() : std::string();
  const auto* bytes = reinterpret_cast<const std::byte*>(mine.data());
  const Ranks::Parcel first = ranks->gather({bytes, bytes + mine.size()}).front();
  return {reinterpret_cast<const char*>(first.data()), first.size()};
}

std::unique_ptr<Simulation> Checkpoints::begin(const std::shared_ptr<const Network>& network) {
  std::string state = read();
  if (!state.empty()) {
    SimulationAdditions additions;
    additions.goes_on = true;
    auto simulation = std::make_unique<Simulation>(configuration_, network, additions);
    std::istringstream in(std::move(state), std::ios::binary);
    StateArchive archive(in);
    archive(earlier_);
    simulation->checkpoint(archive);
    has_kept_ = true;
    return simulation;
  }
  return std::make_unique<Simulation>(configuration_, network);
}

void Checkpoints::keep(Simulation& simulation) {
  if (!is_on(simulation)) return;
  std::ostringstream out(std::ios::binary);
  StateArchive archive(out);
  Earlier until_now{
      earlier_.wall_seconds + std::chrono::duration<double>(Clock::now() - began_).count(),
      earlier_.cpu_seconds + cpu_seconds() - cpu_before_ +
          simulation.fabric().cpu_seconds_of_helpers()};
  archive(until_now);
  simulation.checkpoint(archive);
  Ranks* const ranks = configuration_.ranks;
  kept_ = Clock::now();
  try {
    together(ranks, [&] {
      if (ranks == nullptr || ranks->rank() == 0) file_.write(std::move(out).str());
    });
    has_kept_ = true;
  } catch (const InputError& error) {
    failure_ = error.what();
  }
}

void Checkpoints::keep_if_due(Simulation& simulation) {
  const std::chrono::duration<double> passed = Clock::now() - kept_;
  const bool is_due =
      configuration_.checkpoints.is_on() && passed.count() >= configuration_.checkpoints.seconds;
  if (configuration_.checkpoints.is_on() && of_first(configuration_.ranks, is_due))
    keep(simulation);
}

void Checkpoints::end(metrics::RunResult& result) {
  result.earlier_seconds = earlier_.wall_seconds;
  result.cpu_seconds += earlier_.cpu_seconds;
  if (!failure_.empty()) result.notes.push_back(failure_);
  forget();
}

void Checkpoints::forget() const {
  const Ranks* ranks = configuration_.ranks;
  if (has_kept_ && (ranks == nullptr || ranks->rank() == 0)) file_.remove();
}

}  // namespace weir::experiment
