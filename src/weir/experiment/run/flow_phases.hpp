#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/state_archive.hpp"
#include "weir/experiment/config/flows.hpp"

namespace weir::experiment {

/// The phases of [[flow]]s: those of one begin when the data of all flows of the one before is
/// there and a barrier has passed, as those of an application that alternates between calculation
/// and communication (zdornov2009, section 1.4). Phases are numbered from 0 here, from 1 in files.
class FlowPhases {
 public:
  FlowPhases() = default;
  /// Throws InputError for a number that no flow has before a larger one, and where a phase never
  /// ends because a flow of it has no size.
  FlowPhases(const RateInput& input, const FlowList& flows);

  [[nodiscard]] std::size_t count() const { return flows_.size(); }
  [[nodiscard]] std::size_t of(std::uint32_t flow) const { return phase_of_[flow]; }
  [[nodiscard]] const std::vector<std::uint32_t>& flows(std::size_t phase) const {
    return flows_[phase];
  }
  /// All data of a flow is there. True: another phase begins, at start(), and is current().
  bool end(std::uint32_t flow, Time now);
  [[nodiscard]] std::size_t current() const { return current_; }
  [[nodiscard]] Time start() const { return starts_[current_]; }
  [[nodiscard]] Time start_of(std::size_t phase) const { return starts_[phase]; }
  /// From its start to its last delivery; of a phase that has ended.
  [[nodiscard]] Time length(std::size_t phase) const { return ends_[phase] - starts_[phase]; }
  [[nodiscard]] std::size_t ended() const { return ends_.size(); }

  /// Which phases have begun and ended before the current one, of which no flow has ended: that is
  /// to be told again with end().
  void checkpoint(StateArchive& state);

 private:
  std::vector<std::size_t> phase_of_;              ///< per flow
  std::vector<std::vector<std::uint32_t>> flows_;  ///< per phase
  std::size_t current_ = 0;
  std::size_t left_ = 0;  ///< flows of the current phase that have not ended
  Time barrier_;
  std::vector<Time> starts_{Time()};  ///< of phases that have begun
  std::vector<Time> ends_;            ///< of phases that have ended
};

}  // namespace weir::experiment
