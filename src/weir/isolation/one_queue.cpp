#include "weir/fabric/hooks.hpp"

namespace weir::isolation {

namespace {

/// One buffer class. With `switch.voq = false` this is one FIFO per input (HOL blocking in full);
/// with virtual output queues it is the "1Q" of the adaptive-routing document, whose switches
/// always have them.
class OneQueue : public fabric::QueueingScheme {
 public:
  [[nodiscard]] int classes() const override { return 1; }
  [[nodiscard]] int classify(const fabric::Packet&, PortId) const override { return 0; }
};

const Registration<fabric::QueueingFactory> kOneQueue(fabric::queueing_registry(),
                                                      {"1q",
                                                       "all packets of a port in one buffer class",
                                                       "karol1987input; lippens2010, section 1.2",
                                                       {}},
                                                      [](const Settings&, const topology::Graph&) {
                                                        return std::make_unique<OneQueue>();
                                                      });

}  // namespace

}  // namespace weir::isolation
