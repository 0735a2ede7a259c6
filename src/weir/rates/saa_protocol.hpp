#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Single application assignment (explicit-rates 3.8): r(f) = w_f / W_f, with W_f the largest
/// weight of the links of its route. A link keeps W_l and nothing else; a source w_f, W_f and r(f).
///
/// Every flow announces itself and probes once per period. With piggy-backed probing data packets
/// carry what the source believes and the maximum that they meet; the destination writes back only
/// when these differ (inject() sends such a packet).
template <class Number>
class SaaProtocol : public ProtocolDefaults {
 public:
  enum class Kind : std::uint8_t { start, probe, end, data };
  struct Message {
    Kind kind = Kind::probe;
    Number weight{0};    ///< w_f; of data: the W_f that the source knows
    Number heaviest{0};  ///< running maximum of W_l
  };
  struct Settings {
    Time probe_period = Time::max();  ///< max(): only probe() probes
  };
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
      : plane_(plane),
        carrier_(carrier),
        settings_(settings),
        links_(plane.link_count()),
        flows_(plane.flow_count()) {}

  void start(FlowIndex f) {
    flows_[f].is_active = true;
    send(f, {Kind::start, weight(f), Number(0)});
  }
  void end(FlowIndex f) {
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
      carrier_.send_along(f, {Kind::data, flows_[f].heaviest, Number(0)});
    }
  }

  void at_link(LinkIndex l, FlowIndex, Message& m) {
    Link& link = links_[l];
    if (m.kind == Kind::start) link.weight += share_of(m.weight, l);
    if (m.kind == Kind::end) link.weight -= share_of(m.weight, l);
    m.heaviest = std::max(m.heaviest, link.weight);
  }
  bool at_destination(FlowIndex, Message& m) {
    return m.kind != Kind::data || m.heaviest != m.weight;
  }
  void at_source(FlowIndex f, const Message& m) {
    Flow& flow = flows_[f];
    if (m.kind != Kind::data) flow.is_in_flight = false;
    if (!flow.is_active) return;
    if (m.kind != Kind::end) {
      flow.heaviest = m.heaviest;
      flow.rate = weight(f) / m.heaviest;
    }
    if (flow.wants_to_end && !flow.is_in_flight) return leave(f);
    if (m.kind != Kind::data && settings_.probe_period < Time::max() && !flow.is_timed) {
      flow.is_timed = true;
      carrier_.wake(f, settings_.probe_period);
    }
  }
  void on_timer(FlowIndex f) {
    flows_[f].is_timed = false;
    probe(f);
  }

  [[nodiscard]] const Link& link(LinkIndex l) const { return links_[l]; }
  [[nodiscard]] const Flow& flow(FlowIndex f) const { return flows_[f]; }
  [[nodiscard]] Number rate(FlowIndex f) const { return flows_[f].rate; }

 private:
  [[nodiscard]] Number weight(FlowIndex f) const { return Number(plane_.weight(f)); }
  [[nodiscard]] Number share_of(const Number& weight, LinkIndex l) const {
    return NumberTraits<Number>::quotient_up(weight, Number(plane_.link(l).capacity));
  }
  void send(FlowIndex f, const Message& m) {
    flows_[f].is_in_flight = true;
    carrier_.send_along(f, m);
  }
  void leave(FlowIndex f) {
    flows_[f].is_active = false;
    flows_[f].wants_to_end = false;
    flows_[f].rate = Number(0);
    send(f, {Kind::end, weight(f), Number(0)});
  }

  const ControlPlane& plane_;
  Carrier<Message>& carrier_;
  Settings settings_;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
};

}  // namespace weir::rates
