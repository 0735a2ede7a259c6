#include "weir/experiment/run/checkpoints.hpp"

#include <cstring>
#include <exception>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/base/ranks.hpp"
#include "weir/base/state_archive.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/store/packed_result.hpp"

namespace weir::experiment {

Checkpoints::Checkpoints(const Configuration& configuration)
    : configuration_(configuration), file_(configuration), cpu_before_(cpu_seconds()) {}

bool Checkpoints::has_state(const Simulation& simulation) const {
  bool has_some = simulation.no_checkpoints().empty();
  // Others may have other sources.
  for (const auto& one : gathered(configuration_.ranks, std::vector<std::uint8_t>{has_some}))
    has_some = has_some && one.front() != 0;
  return has_some;
}

std::string Checkpoints::bytes() const {
  if (!configuration_.checkpoints.is_on()) return {};
  Ranks* const ranks = configuration_.ranks;
  if (ranks == nullptr) return file_.read();
  const std::string mine = ranks->rank() == 0 ? file_.read() : std::string();
  const auto* bytes = reinterpret_cast<const std::byte*>(mine.data());
  const Ranks::Parcel first = ranks->gather({bytes, bytes + mine.size()}).front();
  return {reinterpret_cast<const char*>(first.data()), first.size()};
}

void Checkpoints::read() {
  if (std::exchange(has_read_, true)) return;
  std::string kept = bytes();
  if (kept.empty()) return;
  under_way_.emplace(std::move(kept), std::ios::binary);
  StateArchive archive(*under_way_);
  bool is_under_way = false;
  archive(earlier_, finished_, is_under_way);
  if (!is_under_way) under_way_.reset();
  finished_kept_ = finished_.size();
  has_kept_ = true;
}

std::vector<metrics::RunResult> Checkpoints::finished() {
  read();
  std::vector<metrics::RunResult> results;
  results.reserve(finished_.size());
  for (const auto& one : finished_) results.push_back(unpacked_result(one));
  return results;
}

void Checkpoints::add(metrics::RunResult& result) {
  cpu_of_helpers_ += std::exchange(result.cpu_seconds, 0);
  if (configuration_.checkpoints.is_on()) finished_.push_back(packed(result));
}

std::unique_ptr<Simulation> Checkpoints::begin(const Configuration& simulated,
                                               const std::shared_ptr<const Network>& network) {
  read();
  SimulationAdditions additions;
  additions.goes_on = under_way_.has_value();
  auto simulation = std::make_unique<Simulation>(simulated, network, additions);
  if (under_way_) {
    StateArchive archive(*under_way_);
    simulation->checkpoint(archive);
    under_way_.reset();
  }
  return simulation;
}

void Checkpoints::keep(Simulation& simulation) {
  if (!configuration_.checkpoints.is_on() || !failure_.empty()) return;
  kept_ = Clock::now();
  bool is_under_way = has_state(simulation);
  if (!is_under_way && finished_.size() == finished_kept_) return;
  std::ostringstream out(std::ios::binary);
  StateArchive archive(out);
  Earlier until_now{
      earlier_.wall_seconds + std::chrono::duration<double>(Clock::now() - began_).count(),
      earlier_.cpu_seconds + cpu_seconds() - cpu_before_ + cpu_of_helpers_ +
          simulation.fabric().cpu_seconds_of_helpers()};
  archive(until_now, finished_, is_under_way);
  if (is_under_way) simulation.checkpoint(archive);
  Ranks* const ranks = configuration_.ranks;
  try {
    together(ranks, [&] {
      if (ranks == nullptr || ranks->rank() == 0) file_.write(std::move(out).str());
    });
    has_kept_ = true;
    finished_kept_ = finished_.size();
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
  result.cpu_seconds += earlier_.cpu_seconds + cpu_of_helpers_;
  if (!failure_.empty()) result.notes.push_back(failure_);
  forget();
}

void Checkpoints::forget() const {
  const Ranks* ranks = configuration_.ranks;
  if (has_kept_ && (ranks == nullptr || ranks->rank() == 0)) file_.remove();
}

}  // namespace weir::experiment
