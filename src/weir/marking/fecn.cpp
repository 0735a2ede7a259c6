#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/base/random.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

/// Ports that mark even while they have no credit for what lies behind them.
enum class VictimMask : std::uint8_t { none, hosts, all };

struct FecnSettings {
  int threshold = 15;
  std::int64_t marking_rate = 0;
  Bytes packet_size{0};
  VictimMask victim_mask = VictimMask::hosts;
};

/// InfiniBand congestion control (annex A10): a packet gets its FECN bit (bit B) when it joins the
/// queue of an output and that is filled beyond the threshold, unless the output is a victim: has
/// no credit for the packet, so that the root of the congestion lies further on. The queue is the
/// egress buffer; in switches without one, all that waits for the output at ingress, against the
/// size of an ingress buffer. With several VLs that have memory of their own, each has its queue.
class Fecn final : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    SwitchMarker::checkpoint(state);
    state.of_ports(waiting_, queues_);
    state.of_ports(random_);
  }
  explicit Fecn(const FecnSettings& settings)
      : SwitchMarker("fecn", Sides::any),
        settings_(settings),
        share_((16 - settings.threshold) / 16.0) {}

  void on_ingress(PortId, fabric::Packet& packet) override {
    if (egress() != nullptr) return;
    const std::uint32_t output = ports_.output_of(packet);
    std::int64_t& waiting = waiting_[index(output, packet.next_buffer)];
    waiting += packet.size;
    consider(output, packet, {waiting, buffers_.capacity()});
  }

  void on_egress(PortId port, fabric::Packet& packet) override {
    consider(port.value, packet, egress()->fill(port.value, packet.next_buffer));
  }

  void on_transmit(PortId port, fabric::Packet& packet) override {
    if (egress() == nullptr) waiting_[index(port.value, packet.next_buffer)] -= packet.size;
  }

  [[nodiscard]] std::optional<std::string> silence(fabric::Architecture) const override {
    if (settings_.threshold > 0) return std::nullopt;
    return "threshold = 0, which means never";
  }

  [[nodiscard]] std::size_t memory() const override {
    return SwitchMarker::memory() + waiting_.capacity() * sizeof(std::int64_t) +
           random_.capacity() * sizeof(RandomStream);
  }

 private:
  void prepare(const fabric::FabricView& fabric) override {
    ports_ = fabric.ports;
    links_ = fabric.links;
    buffers_ = fabric.buffers;
    if (egress() == nullptr) {
      const bool is_split = fabric.settings.memory == fabric::Memory::split;
      queues_ = is_split ? static_cast<std::uint32_t>(buffers_.classes()) : 1;
      waiting_.assign(ports_.size() * queues_, 0);
    }
    if (settings_.marking_rate == 0) return;
    for (std::uint32_t p = 0; p < ports_.size(); ++p)
      random_.emplace_back(fabric.settings.seed, p, StreamPurpose::marking);
  }
  [[nodiscard]] std::size_t index(std::uint32_t output, std::uint16_t buffer) const {
    return std::size_t{output} * queues_ + (queues_ == 1 ? 0 : buffer);
  }

  void consider(std::uint32_t output, fabric::Packet& packet, const fabric::Fill& fill) {
    if (settings_.threshold == 0 || packet.is_ack() || packet.size < settings_.packet_size.count)
      return;
    if (!fill.is_over(share_)) return;
    if (!is_masked(output) && !has_credit(output, packet)) return;
    // Eligible packets between marks are independent of each other, marking_rate on average.
    if (!random_.empty() &&
        random_[output].below(static_cast<std::uint64_t>(settings_.marking_rate) + 1) != 0) {
      return;
    }
    mark_b(PortId(output), packet);
  }
  [[nodiscard]] bool is_masked(std::uint32_t output) const {
    return settings_.victim_mask == VictimMask::all ||
           (settings_.victim_mask == VictimMask::hosts && links_.leads_to_host(output));
  }
  [[nodiscard]] bool has_credit(std::uint32_t output, const fabric::Packet& packet) const {
    return !links_.is_blocked(output) && links_.may_send(output, packet.next_buffer);
  }

  FecnSettings settings_;
  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Buffers buffers_;
  double share_;
  std::uint32_t queues_ = 1;           ///< per output
  std::vector<std::int64_t> waiting_;  ///< bytes; without egress buffers only
  std::vector<RandomStream> random_;   ///< per port, with a marking rate
};

const Registration<fabric::MarkerFactory> kFecn(
    fabric::marker_registry(),
    {"fecn",
     "InfiniBand: marks packets that join the queue of an output which is the root of congestion",
     "iba2015volume1, annex A10; gusat2005infiniband"},
    Keys<FecnSettings>{
        key(&FecnSettings::threshold, "threshold",
            "sensitivity from 0, never mark, to 15, most aggressive: a queue is congested beyond "
            "(16 - threshold)/16 of its buffer")
            .range(0, 15),
        key(&FecnSettings::marking_rate, "marking_rate",
            "mean number of packets that could be marked between two that are")
            .range(0, 65'535),
        key(&FecnSettings::packet_size, "packet_size", "size below which packets are not marked"),
        choice(
            &FecnSettings::victim_mask, "victim_mask",
            "ports that mark even while they lack credit",
            {{"none", VictimMask::none}, {"hosts", VictimMask::hosts}, {"all", VictimMask::all}})},
    [](const Checked<FecnSettings>& settings, const topology::Graph&) {
      return std::make_unique<Fecn>(*settings);
    });

}  // namespace

}  // namespace weir::marking
