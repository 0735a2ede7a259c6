#include <algorithm>

#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// A queue per output of the switch at every input, all in the port's shared memory.
class VoqSwitch : public fabric::QueueingScheme {
 public:
  [[nodiscard]] int classes() const override { return 1; }
  [[nodiscard]] int classify(const fabric::Packet&, PortId) const override { return 0; }
  [[nodiscard]] std::optional<bool> voq() const override { return true; }
};

/// The same queues with a fixed part of the memory and credits for each. The sender keeps apart
/// what takes different outputs of the next switch, so its egress side has as many queues.
class CreditedVoqSwitch : public fabric::QueueingScheme {
 public:
  explicit CreditedVoqSwitch(const topology::Graph& graph) {
    for (std::size_t s = 0; s < graph.switch_count(); ++s) {
      outputs_ = std::max(outputs_, static_cast<int>(graph.degree(graph.node(SwitchId(s)))));
    }
  }
  [[nodiscard]] int classes() const override { return outputs_; }
  /// On the way into a host all packets are alike.
  [[nodiscard]] int classify(const fabric::Packet&, PortId) const override { return 0; }
  [[nodiscard]] bool is_end_to_end() const override { return false; }
  [[nodiscard]] bool is_by_output() const override { return true; }
  [[nodiscard]] int classify_by_output(const fabric::Packet&, PortId,
                                       std::uint16_t output) const override {
    return output;
  }
  /// One output a class: its FIFO is the virtual output queue.
  [[nodiscard]] std::optional<bool> voq() const override { return false; }
  [[nodiscard]] std::optional<fabric::Memory> memory() const override {
    return fabric::Memory::split;
  }

 private:
  int outputs_ = 1;  ///< of the largest switch
};

struct VoqSwitchSettings {
  bool has_credits_per_queue = false;
};

std::unique_ptr<fabric::QueueingScheme> make_voqsw(const Checked<VoqSwitchSettings>& settings,
                                                   const topology::Graph& graph) {
  if (!settings->has_credits_per_queue) return std::make_unique<VoqSwitch>();
  return std::make_unique<CreditedVoqSwitch>(graph);
}

const Registration<fabric::QueueingFactory> kVoqsw(
    fabric::queueing_registry(),
    {"voqsw", "a queue per output of the switch at every input",
     "gomez2003voqsw; lippens2010, section 5.1"},
    Keys<VoqSwitchSettings>{
        choice(&VoqSwitchSettings::has_credits_per_queue, "flow_control",
               "shared: one memory and one credit account for all queues of a port; per-queue: a "
               "fixed part of the memory and credits for each, and an egress queue for each output "
               "of the next switch",
               {{"shared", false}, {"per-queue", true}})},
    make_voqsw);

const FormerName kOneQueue(fabric::queueing_registry(), "1q",
                           "'voqsw' (a queue per output, the default) or 'fifo' (one queue, as "
                           "with switch.voq = false)");

}  // namespace

}  // namespace weir::queueing
