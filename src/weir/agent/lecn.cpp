#include <optional>

#include "weir/base/keys.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/hooks/views.hpp"

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

  void attach(const fabric::FabricView& fabric) override {
    graph_ = &fabric.graph;
    ports_ = fabric.ports;
    links_ = fabric.links;
    buffers_ = fabric.buffers;
    scheduler_ = fabric.scheduler;
    messages_ = fabric.messages;
    classes_ = static_cast<std::size_t>(buffers_.classes());
    held_.resize(buffers_.size());
    status_.resize(graph_->node_count() * classes_);
    high_ = chosen_.high.value_or(Bytes(buffers_.capacity())).count;
    low_ = chosen_.low.value_or(Bytes(high_ / 2)).count;
  }
  [[nodiscard]] bool works_in_parts() const override { return true; }
  /// A link that is back hears at once what its far end has told meanwhile.
  [[nodiscard]] bool bears_failures_in_parts() const override { return false; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    state.of_ports(held_, classes_);
    state.slice(status_, state.node() * classes_, classes_);
  }
  void on_stored(PortId port, const fabric::Packet& packet) override {
    Status& status = status_of(port, packet.buffer);
    status.waiting += packet.size;
    if (status.is_congested || status.waiting <= high_) return;
    status.is_congested = true;
    tell(port, {*this, Told{kHold, packet.buffer}});
  }
  void on_removed(PortId port, const fabric::Packet& packet) override {
    Status& status = status_of(port, packet.buffer);
    status.waiting -= packet.size;
    if (!status.is_congested || status.waiting >= low_) return;
    status.is_congested = false;
    tell(port, {*this, Told{kGo, packet.buffer}});
  }
  void on_control(PortId port, const fabric::ControlMessage& message) override {
    const auto [what, buffer] = message.as<Told>();
    held_[buffers_.index(port.value, buffer)] = what == kHold ? 1 : 0;
    if (what == kGo) scheduler_.arbitrate(port.value);
  }
  /// A link that was down has missed what was told, so it is told anew.
  void on_link(PortId port, bool is_up) override {
    const PortId receiver(links_.receiver(port.value));
    for (int c = 0; c < buffers_.classes(); ++c) {
      const auto buffer = static_cast<std::uint16_t>(c);
      held_[buffers_.index(port.value, buffer)] = 0;
      if (is_up && !links_.leads_to_host(port.value) && status_of(receiver, buffer).is_congested) {
        messages_.send(port, receiver, {*this, Told{kHold, buffer}});
      }
    }
    if (is_up) return;
    messages_.lose(*this, [&](std::uint32_t at, const auto&) { return at == port.value; });
  }
  [[nodiscard]] bool may_send(PortId port, std::uint16_t buffer) const override {
    return held_[buffers_.index(port.value, buffer)] == 0;
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

  Status& status_of(PortId port, std::uint16_t buffer) {
    return status_[graph_->port(port).node.index() * classes_ + buffer];
  }

  /// All neighbours that send to the switch of ingress `port`.
  void tell(PortId port, const fabric::ControlMessage& message) {
    const NodeId node = graph_->port(port).node;
    const std::uint32_t first = graph_->first_port(node).value;
    for (std::uint32_t in = first; in < first + graph_->degree(node); ++in) {
      if (!graph_->port(PortId(in)).from.valid()) continue;
      const PortId sender = ports_.upstream_of(PortId(in));
      if (!links_.is_down(sender.value)) messages_.send(sender, PortId(in), message);
    }
  }

  const topology::Graph* graph_ = nullptr;
  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Buffers buffers_;
  fabric::Scheduler scheduler_;
  fabric::ControlMessages messages_;
  LecnSettings chosen_;
  std::int64_t high_ = 0;
  std::int64_t low_ = 0;
  std::size_t classes_ = 1;
  std::vector<std::uint8_t> held_;  ///< per sending port and class: 1 yes
  std::vector<Status> status_;      ///< per switch and class
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
