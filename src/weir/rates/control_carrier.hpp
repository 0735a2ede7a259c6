#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/state_archive.hpp"
#include "weir/rates/control_medium.hpp"
#include "weir/rates/control_timing.hpp"
#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Carries the messages of a protocol over a medium with ControlTiming: a server for each output's
/// processing, first come first served; hosts process in no time. Answers are not processed on
/// their way back.
///
/// Memory: 16 B a link, a message's size in flight. A second control packet of a flow on its way is
/// a RunError.
template <class Protocol>
class ControlCarrier final : public Carrier<typename Protocol::Message> {
 public:
  using Message = typename Protocol::Message;

  ControlCarrier(const ControlPlane& plane, const ControlTiming& timing, ControlMedium& medium)
      : plane_(plane),
        timing_(timing),
        medium_(medium),
        ports_(plane.link_count()),
        messages_of_(plane.flow_count(), 0),
        is_on_its_way_(plane.flow_count(), false) {}

  void attach(Protocol& protocol) { protocol_ = &protocol; }
  /// Called whenever the rate of a flow may have changed.
  void listen(std::function<void(FlowIndex)> on_rate) { on_rate_ = std::move(on_rate); }

  [[nodiscard]] Time now() const override { return medium_.now(); }
  [[nodiscard]] const ControlCounters& counters() const { return counters_; }
  /// Control packets that a flow's source has sent.
  [[nodiscard]] std::uint32_t messages_of(FlowIndex f) const { return messages_of_[f]; }

  void send_along(FlowIndex flow, const Message& message) override {
    if (boards_ == flow) return board(flow, message);
    ++counters_.along;
    ++messages_of_[flow];
    if (is_on_its_way_[flow]) {
      throw RunError(fmt::format("two control packets of flow {} are on their way", flow));
    }
    is_on_its_way_[flow] = true;
    depart(flow, message, MessageClass::control);
  }
  void send_with_data(FlowIndex flow, const Message& message) override {
    ++counters_.with_data;
    depart(flow, message, MessageClass::fields);
  }
  void send_over(LinkIndex link, const Message& message, MessageClass sort) override {
    ++counters_.over;
    Envelope envelope{message, kNone, 0, link, sort, Stage::departs, false, now()};
    if (sort == MessageClass::reduced) {
      schedule(now() + timing_.reduction, ControlEvent::stage, std::move(envelope));
    } else {
      transmit(std::move(envelope));
    }
  }
  void wake(std::uint32_t who, Time after) override {
    medium_.schedule(now() + after, ControlEvent::timer, 0, who);
  }
  void rate_changed(FlowIndex flow) override {
    if (on_rate_) on_rate_(flow);
  }

  // The first message of a flow can ride on the packet that looks for its path (zdornov2009,
  // section 4.1.2). That packet says where it is; what it takes on its way is its own matter.
  /// What `send` sends along the flow's route waits for such a packet at its source.
  template <class Send>
  void board_while(FlowIndex flow, const Send& send) {
    boards_ = flow;
    send();
    boards_ = kNone;
  }
  /// It leaves by a link.
  void ride(FlowIndex flow, LinkIndex link) {
    protocol_->at_link(link, flow, riders_.at(flow).message);
  }
  /// It is at the destination, and its answer brings the message back.
  void turn(FlowIndex flow) { (void)protocol_->at_destination(flow, riders_.at(flow).message); }
  /// The answer is at the source.
  void alight(FlowIndex flow) {
    const Rider rider = std::move(riders_.at(flow));
    riders_.erase(flow);
    counters_.longest_trip = std::max(counters_.longest_trip, now() - rider.sent_at);
    is_on_its_way_[flow] = false;
    protocol_->at_source(flow, rider.message);
  }

  /// What the medium was asked for.
  void handle(ControlEvent event, std::uint32_t payload) {
    if (event == ControlEvent::timer) return protocol_->on_timer(payload);
    Envelope envelope = take(payload);
    if (event == ControlEvent::arrival) return arrive(std::move(envelope));
    if (envelope.stage == Stage::at_output) return process(std::move(envelope));
    if (envelope.stage != Stage::at_input) return transmit(std::move(envelope));
    protocol_->at_element(envelope.link, envelope.message);
  }

  /// Between two events, of which the medium knows.
  void checkpoint(StateArchive& state) {
    std::vector<std::pair<FlowIndex, Rider>> riders(riders_.begin(), riders_.end());
    state(ports_, envelopes_, unused_, messages_of_, is_on_its_way_, riders, counters_);
    if (state.is_reading()) riders_ = {riders.begin(), riders.end()};
  }

 private:
  /// What comes after the time that a message is waiting for.
  enum class Stage : std::uint8_t { at_output, at_input, departs, returns };
  struct Envelope {
    Message message;
    FlowIndex flow = kNone;  ///< kNone: between neighbours
    std::uint32_t hop = 0;   ///< place on the route, or on the way back
    LinkIndex link = kNone;  ///< the one it is on, or will be next
    MessageClass sort = MessageClass::control;
    Stage stage = Stage::at_output;
    bool is_data = false;
    Time sent_at;

    void checkpoint(StateArchive& state) {
      state(message, flow, hop, link, sort, stage, is_data, sent_at);
    }
  };
  /// A message on a packet that looks for the path of its flow.
  struct Rider {
    Message message;
    Time sent_at;

    void checkpoint(StateArchive& state) { state(message, sent_at); }
  };
  /// When the servers at a link are free.
  struct Port {
    Time output;  ///< processing before the link, of packets along routes
    Time input;   ///< processing after the link, of packets from neighbours
  };

  void board(FlowIndex flow, const Message& message) {
    ++counters_.with_set_up;
    is_on_its_way_[flow] = true;
    riders_.insert_or_assign(flow, Rider{message, now()});
    ride(flow, plane_.route(flow).front());
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
  void schedule(Time time, ControlEvent event, Envelope envelope) {
    const LinkIndex link = envelope.link;
    medium_.schedule(time, event, link, keep(std::move(envelope)));
  }

  [[nodiscard]] Time routing(ElementIndex e) const {
    return plane_.is_host(e) ? Time() : timing_.routing;
  }

  void depart(FlowIndex flow, const Message& message, MessageClass sort) {
    const LinkIndex first = plane_.route(flow).front();
    const bool is_data = sort == MessageClass::fields;
    to_output({message, flow, 0, first, sort, Stage::at_output, is_data, now()}, first);
  }

  void transmit(Envelope envelope) {
    const Bytes size = timing_.size(envelope.sort, plane_.application_count());
    ++counters_.transmissions;
    counters_.bytes += size;
    const Time arrival = medium_.transmit(envelope.link, size);
    schedule(arrival, ControlEvent::arrival, std::move(envelope));
  }

  /// A message of a flow stands before the next link of its route.
  void to_output(Envelope envelope, LinkIndex link) {
    envelope.link = link;
    envelope.stage = Stage::at_output;
    const ElementIndex e = plane_.link(link).from;
    if (plane_.is_host(e)) return process(std::move(envelope));
    Port& port = ports_[link];
    port.output = std::max(port.output, now() + timing_.routing) + timing_.control_processing;
    schedule(port.output, ControlEvent::stage, std::move(envelope));
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
    envelope.sort = MessageClass::control;
    go_back(std::move(envelope), routing(e));
  }

  void go_back(Envelope envelope, Time after) {
    const auto way = plane_.way_back(envelope.flow);
    if (envelope.hop == way.size()) {
      counters_.longest_trip = std::max(counters_.longest_trip, now() - envelope.sent_at);
      if (!envelope.is_data) is_on_its_way_[envelope.flow] = false;
      return protocol_->at_source(envelope.flow, envelope.message);
    }
    envelope.link = way[envelope.hop];
    envelope.stage = Stage::returns;
    if (after == Time()) return transmit(std::move(envelope));
    schedule(now() + after, ControlEvent::stage, std::move(envelope));
  }

  void arrive_from_neighbour(Envelope envelope, ElementIndex e) {
    if (plane_.is_host(e)) return protocol_->at_element(envelope.link, envelope.message);
    Port& port = ports_[envelope.link];
    port.input = std::max(port.input, now() + timing_.routing) + timing_.processing(envelope.sort);
    envelope.stage = Stage::at_input;
    schedule(port.input, ControlEvent::stage, std::move(envelope));
  }

  const ControlPlane& plane_;
  ControlTiming timing_;
  ControlMedium& medium_;
  Protocol* protocol_ = nullptr;
  std::function<void(FlowIndex)> on_rate_;
  std::vector<Port> ports_;
  std::vector<Envelope> envelopes_;
  std::vector<std::uint32_t> unused_;
  std::vector<std::uint32_t> messages_of_;
  std::vector<bool> is_on_its_way_;  ///< per flow: its control packet
  FlowIndex boards_ = kNone;         ///< whose message rides
  std::unordered_map<FlowIndex, Rider> riders_;
  ControlCounters counters_;
};

}  // namespace weir::rates
