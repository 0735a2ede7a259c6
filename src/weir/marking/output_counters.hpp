#pragma once

#include <cstdint>
#include <vector>

#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/switch/ingress.hpp"
#include "weir/fabric/switch/switch_model.hpp"

namespace weir::marking {

/// Two counters for each output of each switch (Santos, Turner, Janakiraman 2003): data packets in
/// the switch that will leave by it, and how many of the next that do are to be marked.
class OutputCounters {
 public:
  /// Memory for all ports.
  void resize(std::size_t ports) { outputs_.assign(ports, {}); }

  /// A data packet has entered the switch of `output` and will leave by it.
  void enter(std::uint32_t output) { ++outputs_[output].waiting; }
  /// A data packet starts to leave. True: it is to be marked.
  bool leave(std::uint32_t output) {
    Output& o = outputs_[output];
    --o.waiting;
    if (o.to_mark == 0) return false;
    --o.to_mark;
    ++o.marked;
    return true;
  }
  /// Not counting the one whose transmission has started.
  [[nodiscard]] std::uint32_t waiting(std::uint32_t output) const {
    return outputs_[output].waiting;
  }
  [[nodiscard]] std::uint32_t to_mark(std::uint32_t output) const {
    return outputs_[output].to_mark;
  }
  /// The next `packets` through `output` are to be marked, whatever was planned before.
  void plan(std::uint32_t output, std::uint32_t packets) {
    outputs_[output].to_mark = packets;
    outputs_[output].planned += packets;
  }

  /// Throws RunError unless packets counted as waiting are those that wait, and no output has
  /// marked more than was ever planned.
  void check(const fabric::Ports& ports, const fabric::Packets& packets,
             const topology::Graph& graph, const fabric::SwitchModel& switches) const;
  void checkpoint(fabric::NodeState& state);
  [[nodiscard]] std::size_t memory() const { return outputs_.capacity() * sizeof(Output); }

 private:
  struct Output {
    std::uint32_t waiting = 0;  ///< C1, cnt1
    std::uint32_t to_mark = 0;  ///< C2, cnt2
    std::uint64_t planned = 0;  ///< sum of all values that to_mark was set to
    std::uint64_t marked = 0;
  };
  std::vector<Output> outputs_;  ///< per port
};

/// visit(output) for every output that data packets stored at ingress `port` want, `arriving` among
/// them, which is in no queue yet.
template <class Visit>
void for_each_wanted_output(const fabric::Ports& ports, const fabric::IngressBuffers& ingress,
                            std::uint32_t port, const fabric::Packet& arriving, Visit visit) {
  fabric::PortMask wanted = ingress.outputs_wanted_at(
      port, [](const fabric::Packet& stored) { return !stored.is_ack(); });
  if (!arriving.is_ack()) wanted.set(arriving.out);
  const fabric::PortInfo& info = ports[port];
  wanted.find_cyclic(0, info.degree, [&](unsigned output) {
    visit(info.first_port + output);
    return false;
  });
}

}  // namespace weir::marking
