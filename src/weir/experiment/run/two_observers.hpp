#pragma once

#include "weir/fabric/hooks/hooks.hpp"

namespace weir::experiment {

/// Tells two.
class TwoObservers final : public fabric::Observer {
 public:
  TwoObservers(fabric::Observer& first, fabric::Observer& second)
      : first_(first), second_(second) {}

  void on_generated(const fabric::Message& message) override {
    first_.on_generated(message);
    second_.on_generated(message);
  }
  void on_refused(HostId source, const fabric::MessageRequest& request,
                  std::uint8_t traffic_class) override {
    first_.on_refused(source, request, traffic_class);
    second_.on_refused(source, request, traffic_class);
  }
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override {
    first_.on_injected(packet, message);
    second_.on_injected(packet, message);
  }
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override {
    first_.on_delivered(packet, message, now, in_order);
    second_.on_delivered(packet, message, now, in_order);
  }
  void on_message_complete(const fabric::Message& message, Time now) override {
    first_.on_message_complete(message, now);
    second_.on_message_complete(message, now);
  }
  void on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
               Time now) override {
    first_.on_lost(packet, message, port, now);
    second_.on_lost(packet, message, port, now);
  }
  void on_sample(const fabric::Fabric& fabric, Time now) override {
    first_.on_sample(fabric, now);
    second_.on_sample(fabric, now);
  }
  void on_set_aside(const fabric::SetAsideEvent& event) override {
    first_.on_set_aside(event);
    second_.on_set_aside(event);
  }

 private:
  fabric::Observer& first_;
  fabric::Observer& second_;
};

}  // namespace weir::experiment
