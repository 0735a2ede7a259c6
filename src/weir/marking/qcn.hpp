#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/fabric/messages_to_hosts.hpp"
#include "weir/marking/switch_marker.hpp"

namespace weir::marking {

/// What a switch tells the source of a packet.
struct QcnFeedback {
  std::uint32_t flow = 0;
  std::uint32_t severity = 0;  ///< quantized |F_b|, 1 to 63
};

struct QcnPointSettings {
  Bytes set_point = Bytes(26'000);     ///< Q_eq
  double weight = 2;                   ///< w
  Bytes sample_base = Bytes(150'000);  ///< between two samples of an uncongested queue
  double jitter = 0.15;                ///< they vary by this share
  Bytes message = Bytes(64);           ///< on the wire
};

/// Congestion point of quantized congestion notification. Every so many bytes that join the queue
/// of an output, it compares the queue with its set point and with what it was at the last sample;
/// if both together are too much, the source of the packet that joins is sent how much. Samples
/// come the sooner the worse the last one was. No bits are set. The queue is the egress buffer; in
/// switches without one, all that waits for the output at ingress. Source: ieee2010qau,
/// clause 30.2.1.
class CongestionPoint final : public SwitchMarker {
 public:
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override;
  void checkpoint_totals(fabric::TotalState& state) override;
  explicit CongestionPoint(const QcnPointSettings& settings)
      : SwitchMarker("qcn", Sides::any), settings_(settings) {}

  void on_ingress(PortId port, fabric::Packet& packet) override;
  void on_egress(PortId port, fabric::Packet& packet) override;
  void read(fabric::Readings& readings, Time now) const override;
  [[nodiscard]] std::size_t memory() const override;
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] std::vector<std::uint64_t> counts_for_notes() const override;
  [[nodiscard]] std::vector<std::string> notes_of(
      std::span<const std::uint64_t> counts) const override;

  /// Who takes the messages. Throws InputError when someone else does.
  void tell(fabric::Mechanism& source);
  /// 0: nothing to say.
  [[nodiscard]] std::uint32_t severity(std::int64_t queue, std::int64_t before) const;
  /// Bytes until the next sample, after one of this severity, without jitter.
  [[nodiscard]] double interval(std::uint32_t severity) const;

 private:
  struct Queue {
    std::int64_t before = 0;  ///< bytes at the last sample
    double left = 0;          ///< bytes until the next one
    RandomStream random;
  };

  void prepare(const fabric::FabricView& fabric) override;
  /// A packet has joined the queue of `output`, of class `buffer` where memory is split. It holds
  /// `bytes` with it.
  void consider(std::uint32_t output, std::uint16_t buffer, const fabric::Packet& packet,
                std::int64_t bytes);

  QcnPointSettings settings_;
  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Buffers buffers_;
  fabric::Packets packets_;
  bool is_split_ = false;  ///< memory
  fabric::MessagesToHosts* to_hosts_ = nullptr;
  fabric::Mechanism* source_ = nullptr;
  std::vector<Queue> queues_;  ///< per output and class
  std::uint64_t samples_ = 0;
};

}  // namespace weir::marking
