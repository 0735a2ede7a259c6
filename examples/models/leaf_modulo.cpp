#include <fmt/format.h>

#include <utility>

#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// The queue is the destination's leaf switch modulo Q: a hot host takes its neighbours below the
/// same leaf with it, and packets to other leaves only where they share the remainder.
class LeafModulo : public fabric::QueueingScheme {
 public:
  LeafModulo(std::vector<std::uint32_t> leaf_of, std::uint32_t queues)
      : leaf_of_(std::move(leaf_of)), queues_(queues) {}
  [[nodiscard]] int classes() const override { return static_cast<int>(queues_); }
  [[nodiscard]] int classify(const fabric::Packet& packet, PortId) const override {
    return static_cast<int>(leaf_of_[packet.destination] % queues_);
  }

 private:
  std::vector<std::uint32_t> leaf_of_;  ///< per host: number of the switch that it hangs on
  std::uint32_t queues_;
};

struct LeafModuloSettings {
  std::uint32_t queues = 4;
};

const Registration<fabric::QueueingFactory> kLeafModulo(
    fabric::queueing_registry(),
    {"leaf-modulo", "queue = leaf switch of the destination mod Q, each with its own credits",
     "weir2026"},
    Keys<LeafModuloSettings>{
        key(&LeafModuloSettings::queues, "queues", "number of queues Q").range(1, 256)},
    [](const Checked<LeafModuloSettings>& settings, const topology::Graph& graph) {
      if (settings->queues > graph.switch_count()) {
        throw settings.error(&LeafModuloSettings::queues,
                             fmt::format("{} queues are more than the {} switches",
                                         settings->queues, graph.switch_count()));
      }
      std::vector<std::uint32_t> leaf_of;
      for (std::size_t host = 0; host < graph.host_count(); ++host) {
        const PortId at_leaf = graph.port(graph.host_port(HostId(host))).to;
        leaf_of.push_back(graph.port(at_leaf).node.value);
      }
      return std::make_unique<LeafModulo>(std::move(leaf_of), settings->queues);
    });

}  // namespace

}  // namespace weir::queueing
