#pragma once

#include <cstdint>

#include "weir/rates/control_carrier.hpp"
#include "weir/rates/control_wires.hpp"

namespace weir::rates {

/// A protocol of one type on ControlWires.
template <class Protocol>
class ControlNetwork final : public Carrier<typename Protocol::Message> {
 public:
  using Message = typename Protocol::Message;

  ControlNetwork(const ControlPlane& plane, const ControlTiming& timing)
      : wires_(plane), carrier_(plane, timing, wires_) {}

  void attach(Protocol& protocol) {
    protocol_ = &protocol;
    carrier_.attach(protocol);
  }

  /// Calls start(who) or end(who) of the protocol at `time`: a flow's number, or for DAFA an
  /// application's.
  void start_at(Time time, std::uint32_t who) { wires_.plan(time, who, true); }
  void end_at(Time time, std::uint32_t who) { wires_.plan(time, who, false); }

  /// Until nothing is under way any more, the protocol says that it has settled, or the time is up.
  /// True unless the latter.
  bool run(Time limit) {
    return run_until(limit, [this] { return wires_.planned() == 0 && protocol_->is_settled(); });
  }
  /// Likewise until `is_over()`, asked after every event.
  template <class Stop>
  bool run_until(Time limit, Stop is_over) {
    return wires_.run(*this, limit, is_over);
  }

  void handle(ControlEvent event, std::uint32_t payload) { carrier_.handle(event, payload); }
  void start(std::uint32_t who) { protocol_->start(who); }
  void end(std::uint32_t who) { protocol_->end(who); }

  [[nodiscard]] Time now() const override { return wires_.now(); }
  [[nodiscard]] const ControlCounters& counters() const { return carrier_.counters(); }
  /// Control packets that a flow's source has sent.
  [[nodiscard]] std::uint32_t messages_of(FlowIndex f) const { return carrier_.messages_of(f); }

  void send_along(FlowIndex flow, const Message& message) override {
    carrier_.send_along(flow, message);
  }
  void send_with_data(FlowIndex flow, const Message& message) override {
    carrier_.send_with_data(flow, message);
  }
  void send_over(LinkIndex link, const Message& message, MessageClass sort) override {
    carrier_.send_over(link, message, sort);
  }
  void wake(std::uint32_t who, Time after) override { carrier_.wake(who, after); }

 private:
  ControlWires wires_;
  ControlCarrier<Protocol> carrier_;
  Protocol* protocol_ = nullptr;
};

}  // namespace weir::rates
