#include <algorithm>

#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks.hpp"

namespace weir::isolation {

namespace {

/// Xon/Xoff per buffer class on top of the link's flow control: an ingress class above `xoff` bytes
/// stops its sender, below `xon` bytes lets it go again. The building block of SAQ and CFQ flow
/// control.
class XonXoff : public fabric::PortAgent {
 public:
  XonXoff(Bytes xoff, Bytes xon) : xoff_(xoff.count), xon_(xon.count) {}

  void on_stored(fabric::Core& core, PortId port, const fabric::Packet& packet) override {
    const std::size_t i = prepare(core, port, packet.buffer);
    if (told_off_[i] || core.stored[i] <= xoff_) return;
    told_off_[i] = true;
    core.send_control(core.upstream_of(port), port, {kOff, packet.buffer, 0});
  }
  void on_removed(fabric::Core& core, PortId port, const fabric::Packet& packet) override {
    const std::size_t i = prepare(core, port, packet.buffer);
    if (!told_off_[i] || core.stored[i] >= xon_) return;
    told_off_[i] = false;
    core.send_control(core.upstream_of(port), port, {kOn, packet.buffer, 0});
  }
  void on_control(fabric::Core& core, PortId port, const fabric::ControlMessage& message) override {
    off_[prepare(core, port, message.a)] = message.kind == kOff;
    if (message.kind == kOn) core.mark_dirty(port.value);
  }
  [[nodiscard]] bool may_send(PortId port, std::uint16_t buffer) const override {
    const std::size_t i = static_cast<std::size_t>(port.value) * classes_ + buffer;
    return i >= off_.size() || !off_[i];
  }

 private:
  static constexpr std::uint16_t kOff = 1;
  static constexpr std::uint16_t kOn = 2;

  std::size_t prepare(const fabric::Core& core, PortId port, std::uint16_t buffer) {
    if (off_.empty()) {
      classes_ = static_cast<std::size_t>(core.buffers);
      off_.resize(core.stored.size());
      told_off_.resize(core.stored.size());
    }
    return core.buffer_index(port.value, buffer);
  }

  std::int64_t xoff_;
  std::int64_t xon_;
  std::size_t classes_ = 1;
  std::vector<bool> off_;       ///< per sending port and class
  std::vector<bool> told_off_;  ///< per receiving port and class
};

const Registration<fabric::AgentFactory> registration(
    fabric::agent_registry(),
    {"xon-xoff",
     "stops the sender of a buffer class above `xoff`, lets it go below `xon`",
     "recn-fbicm 3.1.3, 3.5.7",
     {Parameter::of(ParameterType::bytes, "xoff", "occupancy of a class that stops its sender")
          .required(),
      Parameter::of(ParameterType::bytes, "xon", "occupancy below which it may go again")
          .required()}},
    [](const Settings& settings, const topology::Graph&) {
      if (settings.bytes("xon") > settings.bytes("xoff"))
        throw settings.error("xon", "is above xoff");
      return std::make_unique<XonXoff>(settings.bytes("xoff"), settings.bytes("xon"));
    });

}  // namespace

}  // namespace weir::isolation
