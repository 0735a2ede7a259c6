#include "weir/base/keys.hpp"
#include "weir/base/random.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// A few FIFOs at every side ("4Q"); a hash of the destination says which, so that a flow keeps its
/// queue and its order. Unlike dbbm, destinations at a regular distance do not meet in one queue.
class FlowHash : public fabric::QueueingScheme {
 public:
  FlowHash(std::int64_t queues, std::size_t hosts) : queues_(static_cast<int>(queues)) {
    for (std::uint32_t h = 0; h < hosts; ++h) {
      RandomStream stream(0, h, StreamPurpose::placement);
      queue_of_.push_back(
          static_cast<std::uint16_t>(stream.below(static_cast<std::uint64_t>(queues))));
    }
  }
  [[nodiscard]] int classes() const override { return queues_; }
  [[nodiscard]] int classify(const fabric::Packet& packet, PortId) const override {
    return queue_of_[packet.destination];
  }
  [[nodiscard]] std::optional<bool> voq() const override { return false; }

 private:
  int queues_;
  std::vector<std::uint16_t> queue_of_;  ///< per host
};

struct FlowHashSettings {
  std::int64_t queues = 4;
};

const Registration<fabric::QueueingFactory> kFlowHash(
    fabric::queueing_registry(),
    {"flow-hash",
     "a few FIFOs in every buffer (4Q), chosen by a hash of the destination, each with its own "
     "credits",
     "weir2026, docs/mechanisms/virtual-lanes.md"},
    Keys<FlowHashSettings>{
        key(&FlowHashSettings::queues, "queues", "number of FIFOs").range(1, 256)},
    [](const Checked<FlowHashSettings>& settings, const topology::Graph& graph) {
      return std::make_unique<FlowHash>(settings->queues, graph.host_count());
    });

}  // namespace

}  // namespace weir::queueing
