#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// A queue per destination host in every buffer, each with its own memory and credits, so that no
/// destination can block another. The ideal that needs as many queues as hosts.
class VoqNetwork : public fabric::QueueingScheme {
 public:
  VoqNetwork(std::size_t hosts, Bytes queue) : hosts_(static_cast<int>(hosts)), queue_(queue) {}
  [[nodiscard]] int classes() const override { return hosts_; }
  [[nodiscard]] int classify(const fabric::Packet& packet, PortId) const override {
    return static_cast<int>(packet.destination);
  }
  /// One output per destination: a FIFO per class has no HOL blocking.
  [[nodiscard]] std::optional<bool> voq() const override { return false; }
  [[nodiscard]] std::optional<fabric::Memory> memory() const override {
    return fabric::Memory::split;
  }
  [[nodiscard]] Bytes least_memory() const override { return Bytes(queue_.count * hosts_); }

 private:
  int hosts_;
  Bytes queue_;
};

struct VoqNetworkSettings {
  Bytes queue{0};
};

const Registration<fabric::QueueingFactory> kVoqnet(
    fabric::queueing_registry(),
    {"voqnet", "a queue per destination host with its own credits: no HOL blocking at all",
     "lippens2010, section 5.2"},
    Keys<VoqNetworkSettings>{
        key(&VoqNetworkSettings::queue, "queue",
            "memory of a queue; where all of them need more than a side of a port has, the side "
            "gets more (default: an equal share)")},
    [](const Checked<VoqNetworkSettings>& settings, const topology::Graph& graph) {
      // Classes are counted in 16 bits; a queue per host beyond that is no design anyone builds.
      if (graph.host_count() > 16'384) {
        throw InputError("queueing.model",
                         "voqnet keeps a queue per host in every buffer; 16384 hosts is the "
                         "limit");
      }
      return std::make_unique<VoqNetwork>(graph.host_count(), settings->queue);
    });

}  // namespace

}  // namespace weir::queueing
