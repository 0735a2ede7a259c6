#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/engine/event_queue.hpp"
#include "weir/rates/control_timing.hpp"
#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Carries the messages of a protocol with ControlTiming: a server for each output's processing and
/// for each link, first come first served; hosts process in no time. Answers are not processed on
/// their way back. Events of one instant are in a total order, so that runs repeat exactly.
///
/// Memory: 24 B a link, a message's size in flight.
template <class Protocol>
class ControlNetwork final : public Carrier<typename Protocol::Message> {
 public:
  using Message = typename Protocol::Message;

  ControlNetwork(const ControlPlane& plane, const ControlTiming& timing)
      : plane_(plane),
        timing_(timing),
        ports_(plane.link_count()),
        messages_of_(plane.flow_count(), 0) {}

  void attach(Protocol& protocol) { protocol_ = &protocol; }

  /// Calls start(who) or end(who) of the protocol at `time`: a flow's number, or for DAFA an
  /// application's.
  void start_at(Time time, std::uint32_t who) { plan(time, who, true); }
  void end_at(Time time, std::uint32_t who) { plan(time, who, false); }

  /// Until nothing is under way any more, the protocol says that it has settled, or the time is up.
  /// True unless the latter.
  bool run(Time limit) {
    return run_until(limit, [this] { return planned_ == 0 && protocol_->is_settled(); });
  }
  /// Likewise until `is_over()`, asked after every event.
  template <class Stop>
  bool run_until(Time limit, Stop is_over) {
    while (const engine::Event* next = events_.peek()) {
      if (next->time > limit.count) return false;
      const engine::Event event = *next;
      events_.pop();
      now_ = Time(event.time);
      handle(event);
      if (is_over()) return true;
    }
    return true;
  }

  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] const ControlCounters& counters() const { return counters_; }
  /// Control packets that a flow's source has sent.
  [[nodiscard]] std::uint32_t messages_of(FlowIndex f) const { return messages_of_[f]; }

  void send_along(FlowIndex flow, const Message& message) override {
    ++counters_.along;
    ++messages_of_[flow];
    const LinkIndex first = plane_.route(flow).front();
    to_output({message, flow, 0, first, MessageClass::control, Stage::at_output, now_}, first);
  }
  void send_over(LinkIndex link, const Message& message, MessageClass sort) override {
    ++counters_.over;
    Envelope envelope{message, kNone, 0, link, sort, Stage::departs, now_};
    if (sort == MessageClass::reduced) {
      schedule(now_ + timing_.reduction, kStage, std::move(envelope));
    } else {
      transmit(std::move(envelope));
    }
  }
  void wake(std::uint32_t who, Time after) override {
    events_.push(engine::Event((now_ + after).count, kTimer, 0, who));
  }

 private:
  enum EventKind : std::uint32_t { kAction, kTimer, kArrival, kStage };
  /// What comes after the time that a message is waiting for.
  enum class Stage : std::uint8_t { at_output, at_input, departs, returns };
  struct Envelope {
    Message message;
    FlowIndex flow = kNone;  ///< kNone: between neighbours
    std::uint32_t hop = 0;   ///< place on the route, or on the way back
    LinkIndex link = kNone;  ///< the one it is on, or will be next
    MessageClass sort = MessageClass::control;
    Stage stage = Stage::at_output;
    Time sent_at;
  };
  /// When the servers of a link are free.
  struct Port {
    Time output;  ///< processing before the link, of packets along routes
    Time wire;
    Time input;  ///< processing after the link, of packets from neighbours
  };

  void plan(Time time, std::uint32_t who, bool is_start) {
    ++planned_;
    events_.push(engine::Event(time.count, kAction, is_start ? 0 : 1, who));
  }

  std::uint32_t keep(Envelope envelope) {
    if (unused_.empty()) {
      envelopes_.push_back(std::move(envelope));
      return static_cast<std::uint32_t>(envelopes_.size() - 1);
    }
    const std::uint32_t place = unused_.back();
    unused_.pop_back();
    envelopes_[place] = std::move(envelope);
    return place;
  }
  Envelope take(std::uint32_t place) {
    unused_.push_back(place);
    return std::move(envelopes_[place]);
  }
  void schedule(Time time, EventKind kind, Envelope envelope) {
    const LinkIndex link = envelope.link;
    events_.push(engine::Event(time.count, kind, link, keep(std::move(envelope))));
  }

  [[nodiscard]] Time routing(ElementIndex e) const {
    return plane_.is_host(e) ? Time() : timing_.routing;
  }

  void transmit(Envelope envelope) {
    Port& port = ports_[envelope.link];
    const Bytes size = timing_.size(envelope.sort, plane_.application_count());
    ++counters_.transmissions;
    counters_.bytes += size;
    port.wire = std::max(port.wire, now_) + serialization_time(size, timing_.rate);
    schedule(port.wire + timing_.propagation, kArrival, std::move(envelope));
  }

  /// A message of a flow stands before the next link of its route.
  void to_output(Envelope envelope, LinkIndex link) {
    envelope.link = link;
    envelope.stage = Stage::at_output;
    const ElementIndex e = plane_.link(link).from;
    if (plane_.is_host(e)) return process(std::move(envelope));
    Port& port = ports_[link];
    port.output = std::max(port.output, now_ + timing_.routing) + timing_.control_processing;
    schedule(port.output, kStage, std::move(envelope));
  }
  void process(Envelope envelope) {
    protocol_->at_link(envelope.link, envelope.flow, envelope.message);
    transmit(std::move(envelope));
  }

  void arrive(Envelope envelope) {
    const ElementIndex e = plane_.link(envelope.link).to;
    if (envelope.flow == kNone) return arrive_from_neighbour(std::move(envelope), e);
    ++envelope.hop;
    if (envelope.stage == Stage::returns) return go_back(std::move(envelope), routing(e));
    const auto route = plane_.route(envelope.flow);
    if (envelope.hop < route.size()) {
      const LinkIndex next = route[envelope.hop];
      return to_output(std::move(envelope), next);
    }
    if (!protocol_->at_destination(envelope.flow, envelope.message)) return;
    envelope.hop = 0;
    go_back(std::move(envelope), routing(e));
  }

  void go_back(Envelope envelope, Time after) {
    const auto way = plane_.way_back(envelope.flow);
    if (envelope.hop == way.size()) {
      counters_.longest_trip = std::max(counters_.longest_trip, now_ - envelope.sent_at);
      return protocol_->at_source(envelope.flow, envelope.message);
    }
    envelope.link = way[envelope.hop];
    envelope.stage = Stage::returns;
    if (after == Time()) return transmit(std::move(envelope));
    schedule(now_ + after, kStage, std::move(envelope));
  }

  void arrive_from_neighbour(Envelope envelope, ElementIndex e) {
    if (plane_.is_host(e)) return protocol_->at_element(envelope.link, envelope.message);
    Port& port = ports_[envelope.link];
    port.input = std::max(port.input, now_ + timing_.routing) + timing_.processing(envelope.sort);
    envelope.stage = Stage::at_input;
    schedule(port.input, kStage, std::move(envelope));
  }

  void handle(const engine::Event& event) {
    switch (event.kind()) {
      case kAction:
        --planned_;
        if (event.entity() == 0) return protocol_->start(event.payload);
        return protocol_->end(event.payload);
      case kTimer:
        return protocol_->on_timer(event.payload);
      case kArrival:
        return arrive(take(event.payload));
      default: {
        Envelope envelope = take(event.payload);
        if (envelope.stage == Stage::at_output) return process(std::move(envelope));
        if (envelope.stage != Stage::at_input) return transmit(std::move(envelope));
        return protocol_->at_element(envelope.link, envelope.message);
      }
    }
  }

  const ControlPlane& plane_;
  ControlTiming timing_;
  Protocol* protocol_ = nullptr;
  engine::EventQueue events_;
  Time now_;
  std::vector<Port> ports_;
  std::vector<Envelope> envelopes_;
  std::vector<std::uint32_t> unused_;
  std::vector<std::uint32_t> messages_of_;
  ControlCounters counters_;
  std::size_t planned_ = 0;
};

}  // namespace weir::rates
