#include "weir/fabric/hooks.hpp"

namespace weir::isolation {

namespace {

/// A queue per output of the switch at every input, all in the port's shared memory.
class VoqSwitch : public fabric::QueueingScheme {
 public:
  [[nodiscard]] int classes() const override { return 1; }
  [[nodiscard]] int classify(const fabric::Packet&, PortId) const override { return 0; }
  [[nodiscard]] std::optional<bool> voq() const override { return true; }
};

const Registration<fabric::QueueingFactory> registration(
    fabric::queueing_registry(),
    {"voqsw",
     "a queue per output of the switch at every input, in one shared memory",
     "recn-fbicm 3.1.2",
     {}},
    [](const Settings&, const topology::Graph&) { return std::make_unique<VoqSwitch>(); });

}  // namespace

}  // namespace weir::isolation
