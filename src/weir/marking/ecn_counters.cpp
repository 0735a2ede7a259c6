#include <cstdint>
#include <string>

#include "weir/base/keys.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/marking/output_counters.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

namespace {

enum class Scope : std::uint8_t { wanted_outputs, all_outputs, full_buffer, input_output };

struct EcnSettings {
  Scope scope = Scope::wanted_outputs;
  double threshold = 1;
  std::uint32_t least_waiting = 2;  ///< with Scope::input_output
};

/// Marking for InfiniBand switches with small buffers: the arrival that fills an ingress buffer
/// makes outputs mark (bit A) as many packets as wait for them then. Full is a buffer without room
/// for another packet of the largest size; with a lower threshold, one filled to that share.
class EcnCounters final : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    SwitchMarker::checkpoint(state);
    counters_.checkpoint(state);
  }
  explicit EcnCounters(const EcnSettings& settings)
      : SwitchMarker("ecn-counters", Sides::ingress), settings_(settings) {}

  void on_ingress(PortId port, fabric::Packet& packet) override {
    if (!packet.is_ack()) counters_.enter(ports_.output_of(packet));
    const fabric::Fill fill = buffers_.fill(port.value, packet.buffer);
    if (is_full(fill) && !is_full({fill.bytes - packet.size, fill.capacity})) {
      trigger(port, packet);
    }
  }

  void on_transmit(PortId port, fabric::Packet& packet) override {
    if (!packet.is_ack() && counters_.leave(port.value)) mark_a(port, packet);
  }

  void check(bool) const override { counters_.check(ports_, packets_, graph(), switches()); }
  [[nodiscard]] std::size_t memory() const override {
    return SwitchMarker::memory() + counters_.memory();
  }

 private:
  void prepare(const fabric::FabricView& fabric) override {
    ports_ = fabric.ports;
    buffers_ = fabric.buffers;
    packets_ = fabric.packets;
    counters_.resize(ports_.size());
  }

  [[nodiscard]] bool is_full(const fabric::Fill& fill) const {
    if (settings_.threshold >= 1) return fill.bytes + largest_packet() > fill.capacity;
    return static_cast<double>(fill.bytes) >=
           settings_.threshold * static_cast<double>(fill.capacity);
  }

  void trigger(PortId port, fabric::Packet& packet) {
    switch (settings_.scope) {
      case Scope::full_buffer:
        mark_buffer(port, packet);
        return;
      case Scope::all_outputs: {
        const fabric::PortInfo& info = ports_[port.value];
        for (std::uint32_t out = 0; out < info.degree; ++out) plan(info.first_port + out);
        return;
      }
      case Scope::wanted_outputs:
      case Scope::input_output:
        for_each_wanted_output(ports_, *ingress(), port.value, packet, [&](std::uint32_t output) {
          if (counters_.waiting(output) >= settings_.least_waiting) plan(output);
        });
        return;
    }
  }
  void plan(std::uint32_t output) { counters_.plan(output, counters_.waiting(output)); }
  void mark_buffer(PortId port, fabric::Packet& arriving) {
    if (!arriving.is_ack()) mark_a(port, arriving);
    ingress()->for_each_at(port.value, [&](std::uint32_t handle) {
      fabric::Packet& stored = packets_.change(handle);
      if (!stored.is_ack()) mark_a(port, stored);
    });
  }

  EcnSettings settings_;
  fabric::Ports ports_;
  fabric::Buffers buffers_;
  fabric::Packets packets_;
  OutputCounters counters_;
};

EcnSettings ecn_settings(const Checked<EcnSettings>& file) {
  share_of_buffer(file, &EcnSettings::threshold);
  EcnSettings out = *file;
  if (out.scope == Scope::input_output) return out;
  if (file.is_given(&EcnSettings::least_waiting))
    throw file.error(&EcnSettings::least_waiting, "belongs to scope = \"input-output\"");
  out.least_waiting = 1;
  return out;
}

const Registration<fabric::MarkerFactory> kEcnCounters(
    fabric::marker_registry(),
    {"ecn-counters",
     "marks packets that wait for the outputs wanted from an ingress buffer that became full",
     "yan2012, section 3.3.1"},
    Keys<EcnSettings>{
        choice(&EcnSettings::scope, "scope",
               "which packets are marked: those for outputs that the full buffer wants, for all "
               "outputs, those in the buffer itself, or those for wanted outputs with at least "
               "least_waiting packets",
               {{"destinations-of-full-buffer", Scope::wanted_outputs},
                {"all-outputs", Scope::all_outputs},
                {"naive-full-buffer", Scope::full_buffer},
                {"input-output", Scope::input_output}}),
        key(&EcnSettings::threshold, "threshold",
            "share of the ingress buffer that counts as full; 1: no room for another packet of the "
            "largest size")
            .range(0, 1),
        key(&EcnSettings::least_waiting, "least_waiting",
            "packets that wait for an output for it to mark, with scope = \"input-output\"")
            .range(1, 1'000'000)},
    [](const Checked<EcnSettings>& file, const topology::Graph&) {
      return std::make_unique<EcnCounters>(ecn_settings(file));
    });

}  // namespace

}  // namespace weir::marking
