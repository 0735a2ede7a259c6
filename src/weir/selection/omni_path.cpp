#include <algorithm>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/selection/most_credits.hpp"
#include "weir/selection/sample.hpp"

namespace weir::selection {
namespace {

enum class Policy : std::uint8_t { random, greedy, greedy_random };

struct OmniPathSettings {
  Policy policy = Policy::greedy;
  double threshold = 0.75;
};

/// Omni-Path: each switch has a forwarding table with an output per destination, at first that of
/// the default route. When the buffer behind it is filled above a threshold, an alternative is
/// taken and written into the table, so that all later packets to the destination follow.
class OmniPath : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    if (state.is_host()) return;
    const std::size_t number = state.switch_number();
    if (tables_.size() <= number) tables_.resize(number + 1);
    state(tables_[number]);
  }
  explicit OmniPath(const OmniPathSettings& settings) : settings_(settings) {}

  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    std::uint16_t& entry = entry_of(view.at.value, view.packet.destination);
    routing::Candidate now = view.preferred;
    if (entry != kDefault) {
      // Where lanes differ by source, the entry stands for its port only.
      for (const routing::Candidate& candidate : view.candidates()) {
        if (candidate.port == entry) now = candidate;
      }
    }
    if (!is_busy(view, now)) return {now};
    const routing::Candidate next = alternative(view, now);
    if (next != now) entry = next.port;
    return {next};
  }
  [[nodiscard]] std::size_t memory() const override {
    std::size_t entries = 0;
    for (const auto& table : tables_) entries += table.capacity();
    return entries * sizeof(std::uint16_t);
  }

 private:
  static constexpr std::uint16_t kDefault = UINT16_MAX;

  std::uint16_t& entry_of(std::uint32_t at, std::uint32_t destination) {
    if (tables_.size() <= at) tables_.resize(at + 1);
    std::vector<std::uint16_t>& table = tables_[at];
    if (table.size() <= destination) table.resize(destination + 1, kDefault);
    return table[destination];
  }

  [[nodiscard]] bool is_busy(const fabric::SelectionView& view, routing::Candidate output) const {
    const std::int64_t capacity = view.capacity(output);
    const std::int64_t filled = capacity - view.credits(output);
    return static_cast<double>(filled) > settings_.threshold * static_cast<double>(capacity);
  }

  /// Another output by the policy, or `now` where none would do.
  [[nodiscard]] routing::Candidate alternative(fabric::SelectionView& view,
                                               routing::Candidate now) const {
    const auto allowed = view.candidates();
    if (settings_.policy == Policy::greedy) {
      const routing::Candidate best = most_credits(
          allowed, view.random, [&](routing::Candidate output) { return view.credits(output); });
      return view.credits(best) > view.credits(now) ? best : now;
    }
    const Sample others(allowed, allowed.size(), view.random, &now);
    for (const routing::Candidate& other : others.view()) {
      if (settings_.policy == Policy::random || !is_busy(view, other)) return other;
    }
    const bool is_down = view.credits(now) < 0;
    return is_down && !others.view().empty() ? others.view().front() : now;
  }

  OmniPathSettings settings_;
  std::vector<std::vector<std::uint16_t>> tables_;  ///< [switch][destination]: local port
};

const fabric::SelectionRegistration kOmniPath(
    fabric::selection_registry(),
    {"omni-path",
     "Adaptive, as in Omni-Path: while the output of a destination is busy, its switch moves the "
     "destination to another one",
     "intel2015omnipath; rocher2021, table 1"},
    Keys<OmniPathSettings>{
        choice(&OmniPathSettings::policy, "policy",
               "random: any other allowed output; greedy: the one with most credit; "
               "greedy-random: any other one that is not busy",
               {{"random", Policy::random},
                {"greedy", Policy::greedy},
                {"greedy-random", Policy::greedy_random}}),
        key(&OmniPathSettings::threshold, "threshold",
            "filled share of the buffer class behind an output above which it is busy")
            .range(0, 1)},
    [](const Checked<OmniPathSettings>& settings) {
      return std::make_unique<OmniPath>(*settings);
    });

}  // namespace
}  // namespace weir::selection
