#include <algorithm>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/hooks/selection.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/selection/flow_hash.hpp"

namespace weir::selection {
namespace {

struct FlowletSettings {
  Time gap = microseconds(20);
  std::size_t entries = 1024;
};

/// Flowlet switching: packets of a connection follow each other by the same output until a pause;
/// the first one after it takes any of the allowed outputs at random. A pause that is longer than
/// what paths differ in delay keeps packets in order.
///
/// Each switch has a table with a fixed number of entries, and a hash of the connection says which
/// one: connections that share an entry share its output and its pauses.
class Flowlet : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    state.of_switch(tables_, settings_.entries);
  }
  explicit Flowlet(const FlowletSettings& settings) : settings_(settings) {}

  void attach(const fabric::FabricView& fabric) override {
    SelectionFunction::attach(fabric);
    clock_ = fabric.clock;
    packets_ = fabric.packets;
    seed_ = fabric.settings.seed;
    tables_.assign(fabric.graph.switch_count() * settings_.entries, {});
  }
  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const auto allowed = view.candidates();
    if (allowed.size() == 1) return {allowed[0]};
    Entry& entry = entry_of(view);
    const bool goes_on = clock_.now().count - entry.last <= settings_.gap.count;
    entry.last = clock_.now().count;
    // Of a connection that shares the entry, or of a link that is down by now.
    const bool is_allowed =
        std::find(allowed.begin(), allowed.end(), entry.output) != allowed.end();
    if (!goes_on || !is_allowed) entry.output = allowed[view.random.below(allowed.size())];
    return {entry.output};
  }
  [[nodiscard]] std::size_t memory() const override { return tables_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    std::int64_t last = INT64_MIN / 2;  ///< ps: when the last packet came
    routing::Candidate output;
  };

  Entry& entry_of(const fabric::SelectionView& view) {
    const std::uint64_t hash =
        flow_hash(connection_of(packets_, view.packet), mixed(seed_, view.at.value));
    return tables_[view.at.value * settings_.entries + scaled(hash, settings_.entries)];
  }

  FlowletSettings settings_;
  fabric::Clock clock_;
  fabric::Packets packets_;
  std::uint64_t seed_ = 0;
  std::vector<Entry> tables_;  ///< of all switches, one after the other
};

const fabric::SelectionRegistration kFlowlet(
    fabric::selection_registry(),
    {"flowlet",
     "Oblivious: flowlet switching; a connection keeps its output until it pauses, then takes any "
     "of the allowed ones at random",
     "vanini2017letflow"},
    Keys<FlowletSettings>{
        key(&FlowletSettings::gap, "gap",
            "time without a packet of the connection at the switch after which it may take another "
            "output; longer than what paths differ in delay keeps packets in order")
            .at_least(0),
        key(&FlowletSettings::entries, "entries",
            "connections that the table of a switch tells apart, of 16 bytes each; those whose "
            "hashes fall together share an entry")
            .range(1, 1'048'576)},
    [](const Checked<FlowletSettings>& settings) { return std::make_unique<Flowlet>(*settings); });

}  // namespace
}  // namespace weir::selection
