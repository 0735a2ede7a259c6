#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/switch/egress.hpp"
#include "weir/fabric/switch/ingress.hpp"

namespace weir::marking {

/// Buffers that a marker looks at.
enum class Sides : std::uint8_t {
  ingress,  ///< packets wait there: iq, iq-single, cioq
  egress,   ///< cioq, oq
  both,     ///< cioq
  any,
};

/// What markers have in common: where they work, and setting bits that are counted. Bits are never
/// cleared, and ACKs are left alone (ferrer2012, section 4.2).
class SwitchMarker : public fabric::Marker {
 public:
  /// `name`: of the model, for messages.
  SwitchMarker(std::string name, Sides sides) : name_(std::move(name)), sides_(sides) {}

  void attach(const fabric::FabricView& fabric) final;
  /// Marks set, by bit, and the ports that set most.
  void read(fabric::Readings& readings, Time now) const override;
  [[nodiscard]] std::size_t memory() const override;
  [[nodiscard]] bool works_in_parts() const override { return true; }
  /// Of a marker that has_checkpoints() and state of its own: calls these first.
  void checkpoint(fabric::NodeState& state) override;
  void checkpoint_totals(fabric::TotalState& state) override;
  [[nodiscard]] const std::string& name() const { return name_; }
  /// What keeps it from ever marking a packet in such switches; nothing: it can.
  [[nodiscard]] virtual std::optional<std::string> silence(
      fabric::Architecture architecture) const {
    (void)architecture;
    return std::nullopt;
  }

 protected:
  /// The rest of attach(); what is below is known now.
  virtual void prepare(const fabric::FabricView& fabric) { (void)fabric; }

  [[nodiscard]] const fabric::Clock& clock() const { return clock_; }
  [[nodiscard]] const topology::Graph& graph() const { return *graph_; }
  /// Null where the architecture has none.
  [[nodiscard]] const fabric::IngressBuffers* ingress() const { return ingress_; }
  [[nodiscard]] const fabric::EgressBuffers* egress() const { return egress_; }
  [[nodiscard]] const fabric::SwitchModel& switches() const { return *switches_; }
  /// Bytes of the largest packet.
  [[nodiscard]] std::int64_t largest_packet() const { return largest_packet_; }
  /// Sets bit A, or B, of a data packet at `port`.
  void mark_a(PortId port, fabric::Packet& packet) {
    mark(marks_a_, fabric::packet_flag::kMarkA, port, packet);
  }
  void mark_b(PortId port, fabric::Packet& packet) {
    mark(marks_b_, fabric::packet_flag::kMarkB, port, packet);
  }

 private:
  void mark(fabric::MarkCounts& counts, std::uint8_t bit, PortId port, fabric::Packet& packet) {
    if ((packet.flags & bit) != 0) {
      ++counts.repeated;
      return;
    }
    packet.flags |= bit;
    const Time now = clock_.now();
    if (counts.set++ == 0) counts.first = now;
    counts.last = now;
    ++counts.by_port[port.index()];
  }

  std::string name_;
  Sides sides_;
  fabric::Clock clock_;
  std::int64_t largest_packet_ = 0;
  const topology::Graph* graph_ = nullptr;
  const fabric::IngressBuffers* ingress_ = nullptr;
  const fabric::EgressBuffers* egress_ = nullptr;
  const fabric::SwitchModel* switches_ = nullptr;
};

/// Value of a threshold given as share of a buffer. Throws InputError unless it is above 0 and at
/// most 1.
template <class S, class Owner>
double share_of_buffer(const Checked<S>& file, double Owner::*member) {
  const double share = (*file).*member;
  if (share > 0 && share <= 1) return share;
  throw file.error(member, "is a share of a buffer: more than 0, at most 1");
}
/// For silence(): why no bounded buffer is filled beyond all of it.
std::string beyond_all(std::string_view key, std::string_view buffer);

}  // namespace weir::marking
