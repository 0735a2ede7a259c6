#include <optional>

#include "weir/base/keys.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks/hooks.hpp"

namespace weir::agent {

namespace {

struct LecnSettings {
  std::optional<Bytes> high;
  std::optional<Bytes> low;
};

/// Local explicit congestion notification: a switch tells its neighbours which of its outputs are
/// congested, and they hold back the packets that will take one. An output is congested from
/// `high` bytes that wait for it in all ingress buffers of its switch until there are `low`. The
/// neighbours keep apart what takes different outputs of the next switch, so that other packets
/// pass those that are held. Nobody farther away is told.
class Lecn : public fabric::PortAgent {
 public:
  explicit Lecn(const LecnSettings& chosen) : chosen_(chosen) {}

  [[nodiscard]] bool needs_classes_by_output() const override { return true; }

  void attach(const fabric::FabricView& fabric) override { core_ = &fabric.core; }
  void on_stored(fabric::Core& core, PortId port, const fabric::Packet& packet) override {
    Status& status = prepare(core, port, packet.buffer);
    status.waiting += packet.size;
    if (status.is_congested || status.waiting <= high_) return;
    status.is_congested = true;
    tell(core, port, {*this, Told{kHold, packet.buffer}});
  }
  void on_removed(fabric::Core& core, PortId port, const fabric::Packet& packet) override {
    Status& status = prepare(core, port, packet.buffer);
    status.waiting -= packet.size;
    if (!status.is_congested || status.waiting >= low_) return;
    status.is_congested = false;
    tell(core, port, {*this, Told{kGo, packet.buffer}});
  }
  void on_control(PortId port, const fabric::ControlMessage& message) override {
    const auto [what, buffer] = message.as<Told>();
    held_[core_->buffer_index(port.value, buffer)] = what == kHold;
    if (what == kGo) core_->mark_dirty(port.value);
  }
  /// A link that was down has missed what was told, so it is told anew.
  void on_link(fabric::Core& core, PortId port, bool is_up) override {
    if (held_.empty()) return;
    const PortId receiver(core.links[port.value].to);
    for (int c = 0; c < core.buffers; ++c) {
      const auto buffer = static_cast<std::uint16_t>(c);
      held_[core.buffer_index(port.value, buffer)] = false;
      if (is_up && !core.links[port.value].to_host &&
          status_of(core, receiver, buffer).is_congested) {
        core.send_control(port, receiver, {*this, Told{kHold, buffer}});
      }
    }
    if (is_up) return;
    core.lose_controls(*this, [&](std::uint32_t at, const auto&) { return at == port.value; });
  }
  [[nodiscard]] bool may_send(PortId port, std::uint16_t buffer) const override {
    const std::size_t i = static_cast<std::size_t>(port.value) * classes_ + buffer;
    return i >= held_.size() || !held_[i];
  }

 private:
  enum What : std::uint16_t { kHold, kGo };
  struct Told {
    What what;
    std::uint16_t buffer;
  };

  /// Of an output and the buffers of one VC before it.
  struct Status {
    std::int64_t waiting = 0;  ///< bytes in all ingress buffers of the switch
    bool is_congested = false;
  };

  Status& status_of(const fabric::Core& core, PortId port, std::uint16_t buffer) {
    return status_[core.graph.port(port).node.index() * classes_ + buffer];
  }

  Status& prepare(const fabric::Core& core, PortId port, std::uint16_t buffer) {
    if (held_.empty()) {
      classes_ = static_cast<std::size_t>(core.buffers);
      held_.resize(core.stored.size());
      status_.resize(core.graph.node_count() * classes_);
      high_ = chosen_.high.value_or(Bytes(core.links.capacity())).count;
      low_ = chosen_.low.value_or(Bytes(high_ / 2)).count;
    }
    return status_of(core, port, buffer);
  }

  /// All neighbours that send to the switch of ingress `port`.
  static void tell(fabric::Core& core, PortId port, const fabric::ControlMessage& message) {
    const NodeId node = core.graph.port(port).node;
    const std::uint32_t first = core.graph.first_port(node).value;
    for (std::uint32_t in = first; in < first + core.graph.degree(node); ++in) {
      if (!core.graph.port(PortId(in)).from.valid()) continue;
      const PortId sender = core.upstream_of(PortId(in));
      if (!core.is_link_down(sender.value)) core.send_control(sender, PortId(in), message);
    }
  }

  fabric::Core* core_ = nullptr;
  LecnSettings chosen_;
  std::int64_t high_ = 0;
  std::int64_t low_ = 0;
  std::size_t classes_ = 1;
  std::vector<bool> held_;      ///< per sending port and class
  std::vector<Status> status_;  ///< per switch and class
};

const Registration<fabric::AgentFactory> kLecn(
    fabric::agent_registry(),
    {"lecn",
     "tells the neighbours of a switch which of its outputs are congested; they hold back what "
     "will take one",
     "krishnan2004localized; lippens2010, section 4.1"},
    Keys<LecnSettings>{
        key(&LecnSettings::high, "high",
            "bytes that wait for an output in all ingress buffers of its switch, above which it is "
            "congested (default: what one input may hold for it)"),
        key(&LecnSettings::low, "low",
            "bytes below which it no longer is (default: half of high)")},
    [](const Checked<LecnSettings>& settings, const topology::Graph&) {
      const auto& [high, low] = *settings;
      const auto wrong = [&](const char* why) { return settings.error(&LecnSettings::low, why); };
      if (low && !high) throw wrong("needs agent.high, which it has to stay below");
      if (low && *low > *high) throw wrong("is above high");
      return std::make_unique<Lecn>(*settings);
    });

}  // namespace

}  // namespace weir::agent
