#include "weir/fabric/hooks.hpp"

namespace weir::isolation {

namespace {

/// A queue per destination host in every buffer, each with its own memory and credits, so that no
/// destination can block another. The ideal that needs as many queues as hosts.
class VoqNetwork : public fabric::QueueingScheme {
 public:
  explicit VoqNetwork(std::size_t hosts) : hosts_(static_cast<int>(hosts)) {}
  [[nodiscard]] int classes() const override { return hosts_; }
  [[nodiscard]] int classify(const fabric::Packet& packet, PortId) const override {
    return static_cast<int>(packet.destination);
  }
  /// One output per destination: a FIFO per class has no HOL blocking.
  [[nodiscard]] std::optional<bool> voq() const override { return false; }
  [[nodiscard]] std::optional<fabric::Memory> memory() const override {
    return fabric::Memory::split;
  }

 private:
  int hosts_;
};

const Registration<fabric::QueueingFactory> registration(
    fabric::queueing_registry(),
    {"voqnet",
     "a queue per destination host with its own credits: no HOL blocking at all",
     "recn-fbicm 3.1.2, 3.1.3",
     {}},
    [](const Settings&, const topology::Graph& graph) {
      // Classes are counted in 16 bits; a queue per host beyond that is no design anyone builds.
      if (graph.host_count() > 16'384) {
        throw InputError(
            "queueing.model: voqnet keeps a queue per host in every buffer; 16384 hosts is the "
            "limit");
      }
      return std::make_unique<VoqNetwork>(graph.host_count());
    });

}  // namespace

}  // namespace weir::isolation
