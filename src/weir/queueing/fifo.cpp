#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// One first-in first-out queue for all packets of a port side: full head-of-line blocking.
class Fifo : public fabric::QueueingScheme {
 public:
  [[nodiscard]] int classes() const override { return 1; }
  [[nodiscard]] int classify(const fabric::Packet&, PortId) const override { return 0; }
  [[nodiscard]] std::optional<bool> voq() const override { return false; }
};

const Registration<fabric::QueueingFactory> kFifo(
    fabric::queueing_registry(),
    {"fifo",
     "one first-in first-out queue at every input, with head-of-line blocking",
     "karol1987input; lippens2010, section 1.2",
     {}},
    [](const Settings&, const topology::Graph&) { return std::make_unique<Fifo>(); });

}  // namespace

}  // namespace weir::queueing
