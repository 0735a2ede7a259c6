#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/hooks/selection.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/selection/port_order.hpp"

namespace weir::selection {
namespace {

struct SpraySettings {
  bool is_in_turn = false;
};

/// Packet spraying: each packet takes one of the allowed outputs, whatever its connection and the
/// traffic. In turn, a switch goes on after the port that it took last wherever it had a choice;
/// the first one is random, so that switches do not move in step.
class Spray : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override { state.of_switch(last_); }
  explicit Spray(const SpraySettings& settings) : settings_(settings) {}

  void attach(const fabric::FabricView& fabric) override {
    SelectionFunction::attach(fabric);
    last_.assign(fabric.graph.switch_count(), kNone);
  }
  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const auto allowed = view.candidates();
    if (allowed.size() == 1) return {allowed[0]};
    if (!settings_.is_in_turn) return {allowed[view.random.below(allowed.size())]};
    std::uint32_t& last = last_[view.at.value];
    const routing::Candidate output =
        last == kNone ? allowed[view.random.below(allowed.size())] : behind_port(allowed, last);
    last = output.port;
    return {output};
  }
  [[nodiscard]] std::size_t memory() const override {
    return last_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  SpraySettings settings_;
  std::vector<std::uint32_t> last_;  ///< per switch: local port taken last
};

const fabric::SelectionRegistration kSpray(
    fabric::selection_registry(),
    {"spray",
     "Oblivious: packet spraying; each packet takes another of the allowed outputs, whatever its "
     "connection",
     "dixit2013spraying"},
    Keys<SpraySettings>{choice(
        &SpraySettings::is_in_turn, "order",
        "random, every packet any output with equal probability; round-robin, one after the other "
        "at each switch, whatever the destination",
        {{"random", false}, {"round-robin", true}})},
    [](const Checked<SpraySettings>& settings) { return std::make_unique<Spray>(*settings); });

}  // namespace
}  // namespace weir::selection
