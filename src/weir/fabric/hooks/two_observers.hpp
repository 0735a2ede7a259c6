#pragma once

#include "weir/fabric/hooks/hooks.hpp"

namespace weir::fabric {

/// Tells two.
class TwoObservers final : public Observer {
 public:
  TwoObservers(Observer& first, Observer& second) : first_(first), second_(second) {}

  void on_generated(const Message& message, Time now) override {
    first_.on_generated(message, now);
    second_.on_generated(message, now);
  }
  void on_refused(HostId source, const MessageRequest& request,
                  std::uint8_t traffic_class) override {
    first_.on_refused(source, request, traffic_class);
    second_.on_refused(source, request, traffic_class);
  }
  void on_injected(const Packet& packet, const Message& message) override {
    first_.on_injected(packet, message);
    second_.on_injected(packet, message);
  }
  void on_delivered(const Packet& packet, const Message& message, Time now,
                    bool in_order) override {
    first_.on_delivered(packet, message, now, in_order);
    second_.on_delivered(packet, message, now, in_order);
  }
  void on_message_complete(const Message& message, Time now) override {
    first_.on_message_complete(message, now);
    second_.on_message_complete(message, now);
  }
  void on_lost(const Packet& packet, const Message& message, PortId port, Time now) override {
    first_.on_lost(packet, message, port, now);
    second_.on_lost(packet, message, port, now);
  }
  void on_sample(const Fabric& fabric, Time now) override {
    first_.on_sample(fabric, now);
    second_.on_sample(fabric, now);
  }
  void on_set_aside(const SetAsideEvent& event) override {
    first_.on_set_aside(event);
    second_.on_set_aside(event);
  }

  [[nodiscard]] bool tells_flows_apart() const override {
    return first_.tells_flows_apart() || second_.tells_flows_apart();
  }

 private:
  Observer& first_;
  Observer& second_;
};

}  // namespace weir::fabric
