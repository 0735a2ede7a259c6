#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/routing/routing.hpp"

namespace weir::routing {

/// How the default route chooses among equally short paths.
enum class TieBreak : std::uint8_t {
  balanced,     ///< the cable with the fewest pairs of hosts so far
  destination,  ///< by the destination's number
  lowest_port,
};

struct TieBreakSettings {
  TieBreak tie_break = TieBreak::balanced;
};
const Keys<TieBreakSettings>& tie_break_keys();

/// Shortest paths on any graph, among those that a rule allows: with `goes_down` empty all; else no
/// cable marked as down is followed by one that is not (up*/down*).
///
/// Memory: a byte per switch, host and phase, and two per pair of switches and phase, where phase 1
/// is "only down from here". Throws InputError when a pair of hosts has no path, or above the limit
/// on tables.
class PathTable : public RoutingFunction {
 public:
  /// `goes_down` is indexed by the transmitting port. `name` is for messages.
  PathTable(std::string_view name, const topology::Graph& graph, TieBreak tie,
            const std::vector<bool>& goes_down = {});

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override {
    return {table_[state(query) * hosts_ + query.destination.index()], 0};
  }
  /// The default route, then every other first step of a shortest allowed path.
  void candidates(const RouteQuery& query, CandidateList& out) const override;

 private:
  friend class PathTableBuilder;

  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint16_t kFar = UINT16_MAX;

  /// Where a port of a switch leads: the switch and the phase there, or kNone.
  struct Step {
    std::uint32_t state = kNone;
    bool goes_down = false;
  };

  [[nodiscard]] std::size_t state(const RouteQuery& query) const {
    const std::size_t phase = phases_ == 1 ? 0 : phase_after_[query.in_port.index()];
    return phase * switches_ + query.at.index();
  }
  /// Steps that lead one nearer to the switch that `distance` counts to.
  template <class Visit>
  void for_each_step(std::size_t from, const std::uint16_t* distance, Visit visit) const {
    const bool only_down = from >= switches_;
    const std::size_t s = only_down ? from - switches_ : from;
    for (std::size_t i = first_step_[s]; i < first_step_[s + 1]; ++i) {
      const Step& step = steps_[i];
      if (step.state == kNone || (only_down && !step.goes_down)) continue;
      if (distance[step.state] + 1 == distance[from]) {
        visit(static_cast<std::uint8_t>(i - first_step_[s]), step.state);
      }
    }
  }

  std::size_t hosts_;
  std::size_t switches_;
  std::size_t phases_;
  std::vector<std::uint8_t> phase_after_;  ///< per receiving port; empty with one phase
  std::vector<std::uint32_t> first_step_;  ///< per switch
  std::vector<Step> steps_;                ///< per switch port
  std::vector<std::uint32_t> exit_of_;     ///< per host: index of its switch among exits
  std::vector<std::uint32_t> exits_;       ///< switches with cables to hosts
  std::vector<std::uint16_t> distance_;    ///< per exit, then state: steps left, or kFar
  std::vector<std::uint8_t> table_;        ///< per state, then host: port
};

}  // namespace weir::routing
