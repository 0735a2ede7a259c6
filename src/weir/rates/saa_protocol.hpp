#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/rates/parties.hpp"

namespace weir::rates {

struct SaaSettings {
  Time probe_period = Time::max();  ///< from an answer to the next probe; max(): only probe() asks
  Time packet_time{};  ///< at line rate, of data packets that probe in place of probes; 0: none
};

/// Single application assignment (zdornov2009, section 4.1): r(f) = w_f / W_f, with W_f the largest
/// weight of the links of its route. A link keeps W_l and nothing else; a source w_f, W_f and r(f).
///
/// Every flow announces itself and probes once per period. With piggy-backed probing data packets
/// carry what the source believes and the maximum that they meet; the destination writes back only
/// when these differ (inject() sends such a packet).
template <class Number>
class SaaProtocol : public ChangingParties<SaaProtocol<Number>> {
 public:
  enum class Kind : std::uint8_t { start, probe, end, data };
  struct Message {
    Kind kind = Kind::probe;
    Number weight{0};           ///< w_f; of data: the W_f that the source knows
    Number heaviest{0};         ///< running maximum of W_l
    std::uint64_t version = 0;  ///< of the links when it left; for the watch, not for agents
  };
  using Settings = SaaSettings;
  /// State of a link.
  struct Link {
    Number weight{0};  ///< W_l
  };
  /// State of a source, per flow.
  struct Flow {
    Number rate{0};
    Number heaviest{0};  ///< W_f
    bool is_active = false;
    bool is_in_flight = false;
    bool wants_to_end = false;
    bool is_timed = false;
  };

  SaaProtocol(const ControlPlane& plane, Carrier<Message>& carrier, Settings settings = {})
      : ChangingParties<SaaProtocol>(plane.flow_count()),
        plane_(plane),
        carrier_(carrier),
        settings_(settings),
        links_(plane.link_count()),
        flows_(plane.flow_count()),
        satisfied_at_(plane.flow_count(), UINT64_MAX),
        changed_at_(plane.flow_count()) {}

  void begin(FlowIndex f) {
    flows_[f].is_active = true;
    ++active_;
    send(f, {Kind::start, weight(f), Number(0)});
  }
  void finish(FlowIndex f) {
    ++leaving_;
    flows_[f].wants_to_end = true;
    if (!flows_[f].is_in_flight) leave(f);
  }
  /// Asks for W_f, unless an answer is outstanding.
  void probe(FlowIndex f) {
    if (flows_[f].is_active && !flows_[f].is_in_flight)
      send(f, {Kind::probe, weight(f), Number(0)});
  }
  /// A data packet with the two fields of piggy-backed probing. Data is not a control packet: any
  /// number of them may be on their way.
  void inject(FlowIndex f) {
    if (flows_[f].is_active) {
      carrier_.send_with_data(f, {Kind::data, flows_[f].heaviest, Number(0), version_});
    }
  }

  void at_link(LinkIndex l, FlowIndex, Message& m) {
    Link& link = links_[l];
    if (m.kind == Kind::start) link.weight += share_of(m.weight, l);
    if (m.kind == Kind::end) link.weight -= share_of(m.weight, l);
    if (m.kind == Kind::start || m.kind == Kind::end) ++version_;
    m.heaviest = std::max(m.heaviest, link.weight);
  }
  bool at_destination(FlowIndex f, Message& m) {
    if (m.kind != Kind::data || m.heaviest != m.weight) return true;
    note_satisfied(f, m);
    return false;
  }
  void at_source(FlowIndex f, const Message& m) {
    Flow& flow = flows_[f];
    if (m.kind != Kind::data) flow.is_in_flight = false;
    if (m.kind == Kind::end) {
      --leaving_;
      return this->gone(f);
    }
    if (!flow.is_active) return;
    flow.heaviest = m.heaviest;
    const Number rate = weight(f) / m.heaviest;
    if (rate != flow.rate) {
      flow.rate = rate;
      changed_at_[f] = carrier_.now();
      carrier_.rate_changed(f);
    }
    note_satisfied(f, m);
    if (flow.wants_to_end && !flow.is_in_flight) return leave(f);
    if (m.kind != Kind::data) wait(f);
  }
  void on_timer(FlowIndex f) {
    Flow& flow = flows_[f];
    flow.is_timed = false;
    if (settings_.packet_time == Time()) return probe(f);
    inject(f);
    if (flow.is_active) wait(f);
  }

  /// All flows have found nothing new since the weight of a link last changed.
  [[nodiscard]] bool is_settled() const {
    if (leaving_ > 0) return false;
    return active_ == 0 || (satisfied_ == active_ && satisfied_version_ == version_);
  }

  [[nodiscard]] const Link& link(LinkIndex l) const { return links_[l]; }
  [[nodiscard]] const Flow& flow(FlowIndex f) const { return flows_[f]; }
  [[nodiscard]] Number rate(FlowIndex f) const { return flows_[f].rate; }
  /// When it last changed.
  [[nodiscard]] Time changed_at(FlowIndex f) const { return changed_at_[f]; }

  void checkpoint(StateArchive& state) {
    this->checkpoint_parties(state);
    state(links_, flows_, satisfied_at_, changed_at_, version_, satisfied_version_, satisfaction_,
          satisfied_, active_, leaving_);
  }

 private:
  [[nodiscard]] Number weight(FlowIndex f) const { return Number(plane_.weight(f)); }
  [[nodiscard]] Number share_of(const Number& weight, LinkIndex l) const {
    return NumberTraits<Number>::quotient_up(weight, Number(plane_.link(l).capacity));
  }
  void send(FlowIndex f, Message m) {
    flows_[f].is_in_flight = true;
    m.version = version_;
    carrier_.send_along(f, m);
  }
  /// For the next probe, or the next data packet.
  void wait(FlowIndex f) {
    Flow& flow = flows_[f];
    const bool has_data = settings_.packet_time > Time();
    if (flow.is_timed || (!has_data && settings_.probe_period == Time::max())) return;
    flow.is_timed = true;
    constexpr double kLongest = 1e15;  // a quarter of an hour
    const double packet = static_cast<double>(settings_.packet_time.count);
    const double gap =
        has_data ? std::min(packet / static_cast<double>(flow.rate) + 1, kLongest) : 0;
    carrier_.wake(f, has_data ? Time(static_cast<std::int64_t>(gap)) : settings_.probe_period);
  }
  void leave(FlowIndex f) {
    flows_[f].is_active = false;
    flows_[f].wants_to_end = false;
    flows_[f].rate = Number(0);
    --active_;
    satisfied_ = 0;
    satisfied_version_ = UINT64_MAX;
    send(f, {Kind::end, weight(f), Number(0)});
    carrier_.rate_changed(f);
  }
  void note_satisfied(FlowIndex f, const Message& m) {
    if (m.version != version_ || m.kind == Kind::start) return;
    if (satisfied_version_ != version_) {
      satisfied_version_ = version_;
      satisfied_ = 0;
      ++satisfaction_;
    }
    if (satisfied_at_[f] == satisfaction_) return;
    satisfied_at_[f] = satisfaction_;
    ++satisfied_;
  }

  const ControlPlane& plane_;
  Carrier<Message>& carrier_;
  Settings settings_;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  // What an observer needs to know when it is over; agents do not look at it.
  std::vector<std::uint64_t> satisfied_at_;  ///< per flow: newest count in which it is
  std::vector<Time> changed_at_;
  std::uint64_t version_ = 0;  ///< of the weights of all links
  std::uint64_t satisfied_version_ = UINT64_MAX;
  std::uint64_t satisfaction_ = 0;
  std::uint32_t satisfied_ = 0;
  std::uint32_t active_ = 0;
  std::uint32_t leaving_ = 0;
};

}  // namespace weir::rates
