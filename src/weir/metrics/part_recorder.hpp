#pragma once

#include <memory>
#include <vector>

#include "weir/fabric/hooks/hooks.hpp"
#include "weir/metrics/monitor.hpp"
#include "weir/metrics/traffic_recorder.hpp"

namespace weir::metrics {

/// What a Recorder is told of one part of a divided network, measured there by the thread of the
/// part and put together with that of the others when somebody wants to know it.
class PartRecorder final : public fabric::Observer {
 public:
  /// `watchers`: of deliveries in this part. `in_order`: for what is told by time over all parts.
  PartRecorder(const topology::Graph& graph, const TrafficRecorderSettings& settings,
               std::vector<std::unique_ptr<Monitor>> watchers, fabric::Observer& in_order)
      : traffic_(graph, settings), watchers_(std::move(watchers)), in_order_(in_order) {}

  void on_generated(const fabric::Message& message, Time now) override {
    traffic_.on_generated(message, now);
  }
  void on_refused(HostId source, const fabric::MessageRequest& request,
                  std::uint8_t traffic_class) override {
    traffic_.on_refused(source, request, traffic_class);
  }
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override {
    traffic_.on_injected(packet, message);
  }
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override {
    traffic_.on_delivered(packet, message, now, in_order);
    if (packet.is_ack()) return;
    for (const auto& watcher : watchers_)
      watcher->on_delivered(packet, traffic_.is_victim(message), now);
  }
  void on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
               Time now) override {
    traffic_.on_lost(packet, message, port, now);
  }
  void on_message_complete(const fabric::Message& message, Time now) override {
    traffic_.on_message_complete(message, now);
  }
  [[nodiscard]] bool tells_flows_apart() const override { return traffic_.tells_flows_apart(); }
  void on_set_aside(const fabric::SetAsideEvent& event) override { in_order_.on_set_aside(event); }

  [[nodiscard]] TrafficRecorder& traffic() { return traffic_; }
  [[nodiscard]] const TrafficRecorder& traffic() const { return traffic_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Monitor>>& watchers() const { return watchers_; }

 private:
  TrafficRecorder traffic_;
  std::vector<std::unique_ptr<Monitor>> watchers_;
  fabric::Observer& in_order_;
};

}  // namespace weir::metrics
