#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/selection.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/selection/flow_hash.hpp"
#include "weir/selection/port_order.hpp"

namespace weir::selection {
namespace {

struct EcmpSettings {
  bool salts_switches = true;
};

/// Equal-cost multi-path by a hash: all packets of a connection take the same of the allowed
/// outputs, whatever the traffic, and never overtake each other. Outputs are numbered by port, as
/// the tables of switches are. The salt comes from the seed, so that draws differ.
class Ecmp final : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit Ecmp(const EcmpSettings& settings) : settings_(settings) {}

  void attach(const fabric::FabricView& fabric) override {
    SelectionFunction::attach(fabric);
    packets_ = fabric.packets;
    seed_ = fabric.settings.seed;
  }
  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const auto allowed = view.candidates();
    if (allowed.size() == 1) return {allowed[0]};
    return {output_of(connection_of(packets_, view.packet), view.at, allowed)};
  }
  [[nodiscard]] bool keeps_paths() const override { return true; }
  [[nodiscard]] routing::Candidate output_of(
      const fabric::ConnectionName& connection, SwitchId at,
      std::span<const routing::Candidate> allowed) const override {
    const std::uint64_t salt = mixed(seed_, settings_.salts_switches ? at.value : 0);
    return by_port(allowed, scaled(flow_hash(connection, salt), allowed.size()));
  }

 private:
  EcmpSettings settings_;
  fabric::Packets packets_;
  std::uint64_t seed_ = 0;
};

const fabric::SelectionRegistration kEcmp(
    fabric::selection_registry(),
    {"ecmp",
     "Oblivious: equal-cost multi-path; a hash of source, destination and connection chooses among "
     "the allowed outputs, for all packets of a connection alike",
     "hopps2000ecmp"},
    Keys<EcmpSettings>{choice(
        &EcmpSettings::salts_switches, "salt",
        "what goes into the hash besides: per-switch, a number of the switch; same, one number "
        "everywhere: flows that one stage sends the same way stay together at the next "
        "(polarization)",
        {{"per-switch", true}, {"same", false}})},
    [](const Checked<EcmpSettings>& settings) { return std::make_unique<Ecmp>(*settings); });

}  // namespace
}  // namespace weir::selection
