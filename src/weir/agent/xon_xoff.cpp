#include <algorithm>
#include <optional>

#include "weir/base/keys.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/hooks/views.hpp"

namespace weir::agent {

namespace {

/// Nothing chosen: three quarters of a class, and two thirds of that.
struct XonXoffSettings {
  std::optional<Bytes> xoff;
  std::optional<Bytes> xon;
};

/// Xon/Xoff per buffer class on top of the link's flow control: an ingress class above `xoff` bytes
/// stops its sender, below `xon` bytes lets it go again. The building block of SAQ and CFQ flow
/// control.
class XonXoff : public fabric::PortAgent {
 public:
  explicit XonXoff(const XonXoffSettings& chosen) : chosen_(chosen) {}

  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool bears_failures_in_parts() const override { return false; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    (void)prepare(PortId(state.first_port()), 0);
    state.of_ports(off_, classes_);
    state.of_ports(told_off_, classes_);
  }

  void attach(const fabric::FabricView& fabric) override {
    ports_ = fabric.ports;
    links_ = fabric.links;
    buffers_ = fabric.buffers;
    scheduler_ = fabric.scheduler;
    messages_ = fabric.messages;
  }
  void on_stored(PortId port, const fabric::Packet& packet) override {
    const std::size_t i = prepare(port, packet.buffer);
    if (told_off_[i] != 0 || buffers_.stored(i) <= xoff_) return;
    const PortId sender = ports_.upstream_of(port);
    if (links_.is_down(sender.value)) return;
    told_off_[i] = 1;
    messages_.send(sender, port, {*this, Told{kOff, packet.buffer}});
  }
  void on_removed(PortId port, const fabric::Packet& packet) override {
    const std::size_t i = prepare(port, packet.buffer);
    if (told_off_[i] == 0 || buffers_.stored(i) >= xon_) return;
    told_off_[i] = 0;
    messages_.send(ports_.upstream_of(port), port, {*this, Told{kOn, packet.buffer}});
  }
  void on_control(PortId port, const fabric::ControlMessage& message) override {
    const auto [what, buffer] = message.as<Told>();
    off_[prepare(port, buffer)] = what == kOff ? 1 : 0;
    if (what == kOn) scheduler_.arbitrate(port.value);
  }
  /// Both ends of a link that fails forget who is stopped: what comes through it is discarded, and
  /// once it is back the next packet that is one too many stops its sender anew.
  void on_link(PortId port, bool is_up) override {
    if (is_up || off_.empty()) return;
    messages_.lose(*this, [&](std::uint32_t at, const auto&) { return at == port.value; });
    for (int c = 0; c < buffers_.classes(); ++c) {
      const auto buffer = static_cast<std::uint16_t>(c);
      off_[buffers_.index(port.value, buffer)] = 0;
      told_off_[buffers_.index(links_.receiver(port.value), buffer)] = 0;
    }
  }
  [[nodiscard]] bool may_send(PortId port, std::uint16_t buffer) const override {
    const std::size_t i = static_cast<std::size_t>(port.value) * classes_ + buffer;
    return i >= off_.size() || off_[i] == 0;
  }

 private:
  enum What : std::uint16_t { kOff, kOn };
  struct Told {
    What what;
    std::uint16_t buffer;
  };

  std::size_t prepare(PortId port, std::uint16_t buffer) {
    if (off_.empty()) {
      classes_ = static_cast<std::size_t>(buffers_.classes());
      off_.resize(buffers_.size());
      told_off_.resize(buffers_.size());
      xoff_ = chosen_.xoff.value_or(Bytes(buffers_.capacity() * 3 / 4)).count;
      xon_ = chosen_.xon.value_or(Bytes(xoff_ * 2 / 3)).count;
    }
    return buffers_.index(port.value, buffer);
  }

  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Buffers buffers_;
  fabric::Scheduler scheduler_;
  fabric::ControlMessages messages_;
  XonXoffSettings chosen_;
  std::int64_t xoff_ = 0;
  std::int64_t xon_ = 0;
  std::size_t classes_ = 1;
  std::vector<std::uint8_t> off_;       ///< per sending port and class: 1 yes
  std::vector<std::uint8_t> told_off_;  ///< per receiving port and class
};

const Registration<fabric::AgentFactory> kXonXoff(
    fabric::agent_registry(),
    {"xon-xoff", "stops the sender of a buffer class above `xoff`, lets it go below `xon`",
     "lippens2010, section 4.1.2"},
    Keys<XonXoffSettings>{
        key(&XonXoffSettings::xoff, "xoff",
            "occupancy of a class that stops its sender (default: three quarters of the class)"),
        key(&XonXoffSettings::xon, "xon",
            "occupancy of a class below which its sender may go again (default: two thirds of "
            "xoff)")},
    [](const Checked<XonXoffSettings>& settings, const topology::Graph&) {
      const auto& [xoff, xon] = *settings;
      const auto wrong = [&](const char* why) {
        return settings.error(&XonXoffSettings::xon, why);
      };
      if (xon && !xoff) throw wrong("needs agent.xoff, which it has to stay below");
      if (xon && *xon > *xoff) throw wrong("is above xoff");
      return std::make_unique<XonXoff>(*settings);
    });

}  // namespace

}  // namespace weir::agent
