#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/rates/dffa_link.hpp"
#include "weir/rates/parties.hpp"

namespace weir::rates {

/// What a source sends while a new calculation is under way.
enum class DuringCalculation : std::uint8_t {
  hold,    ///< its last result; a new flow what it has collected so far
  follow,  ///< what it has collected so far
};

struct DffaSettings {
  DuringCalculation rates = DuringCalculation::hold;
  double probe_retry = 0.5;  ///< round trips from a negative answer to the next question
};

/// Distributed flow-fair algorithm (zdornov2009, section 4.2.3): DFFA* anew, in a new round,
/// whenever a flow starts or ends. An announcement raises the round along its route; the
/// destination floods it. Sources begin when all switches of their route are in their round. One
/// control packet of a flow is on its way at a time: what the new round asks for waits for the
/// answer of the old one.
template <class Number>
class DffaProtocol : public ChangingParties<DffaProtocol<Number>> {
 public:
  using Message = DffaMessage<Number>;
  using Kind = typename Message::Kind;
  using Link = DffaLink<Number>;
  using Settings = DffaSettings;
  /// State of a switch or host.
  struct Element {
    std::uint32_t round = 0;
    std::uint32_t last_broadcast = 0;  ///< newest round that has been passed on
  };
  enum class Phase : std::uint8_t {
    absent,
    announcing,
    asking,
    waiting,
    calculating,
    done,
    ending
  };
  /// State of a source, per flow.
  struct Flow {
    DffaLoop<Number> loop;
    Number result{0};  ///< normalized, of the last loop that got so far
    Phase phase = Phase::absent;
    bool has_result = false;
    bool is_in_flight = false;
    bool wants_to_end = false;
    Time sent_at;
    Time found_at;  ///< of the last loop: its rate is final
    Time done_at;   ///< and its links know
  };

  DffaProtocol(const ControlPlane& plane, Carrier<Message>& carrier, Settings settings = {})
      : ChangingParties<DffaProtocol>(plane.flow_count()),
        plane_(plane),
        carrier_(carrier),
        settings_(settings),
        links_(plane.link_count()),
        elements_(plane.element_count()),
        flows_(plane.flow_count()) {
    for (LinkIndex l = 0; l < links_.size(); ++l) {
      links_[l].capacity = Number(plane.link(l).capacity);
      links_[l].reset();
    }
  }

  void begin(FlowIndex f) {
    flows_[f].phase = Phase::announcing;
    flows_[f].has_result = false;
    flows_[f].loop = {};
    announce(f, true);
    carrier_.rate_changed(f);
  }
  void finish(FlowIndex f) {
    flows_[f].wants_to_end = true;
    if (!flows_[f].is_in_flight) leave(f);
  }

  void at_link(LinkIndex l, FlowIndex f, Message& m) {
    const ElementIndex e = plane_.link(l).from;
    Element& element = elements_[e];
    if (m.kind == Kind::announce) {
      if (e == plane_.source(f)) return;  // its host has done so when it sent the packet
      element.round = std::max(element.round + 1, m.round);
      m.round = element.round;
      links_[l].announce(m.amount, m.flag);
      reset(e);
    } else if (m.kind == Kind::probe) {
      if (element.round != m.round) m.flag = false;
    } else {
      if (m.round < element.round) {
        m.is_outrun = true;
        return;
      }
      if (m.round > element.round) {
        throw RunError(fmt::format("a packet of flow {} is in round {}, element {} only in {}", f,
                                   m.round, e, element.round));
      }
      links_[l].visit(m);
    }
  }

  bool at_destination(FlowIndex f, Message& m) {
    if (m.kind != Kind::announce) return true;
    const ElementIndex e = plane_.destination(f);
    Element& element = elements_[e];
    enter(e, std::max(element.round + 1, m.round));
    flood(e, kNone);
    return true;
  }

  void at_element(LinkIndex in, const Message& m) {
    const ElementIndex e = plane_.link(in).to;
    Element& element = elements_[e];
    if (m.round > element.round) {
      enter(e, m.round);
    } else if (m.round < element.round || element.last_broadcast >= m.round) {
      return;
    }
    if (!plane_.is_host(e)) flood(e, in);
  }

  void at_source(FlowIndex f, const Message& m) {
    Flow& flow = flows_[f];
    flow.is_in_flight = false;
    if (m.kind == Kind::announce && flow.phase == Phase::ending) {
      flow.phase = Phase::absent;
      return this->gone(f);
    }
    if (flow.wants_to_end) return leave(f);
    const std::uint32_t round = elements_[plane_.source(f)].round;
    if (m.kind == Kind::announce) return ask(f);
    if (m.round != round || m.is_outrun) return ask(f);
    if (m.kind == Kind::probe) {
      if (m.flag) return send(f, flow.loop.begin(weight(f), true), Phase::calculating);
      flow.phase = Phase::waiting;
      const double trip = static_cast<double>((carrier_.now() - flow.sent_at).count);
      return carrier_.wake(f, Time(static_cast<std::int64_t>(trip * settings_.probe_retry) + 1));
    }
    const auto next = flow.loop.next(m);
    if (next && flow.loop.is_final()) {
      flow.result = flow.loop.rate();
      flow.has_result = true;
      flow.found_at = carrier_.now();
    }
    carrier_.rate_changed(f);
    if (next) return send(f, *next, Phase::calculating);
    flow.phase = Phase::done;
    flow.done_at = carrier_.now();
  }

  void on_timer(FlowIndex f) {
    if (flows_[f].phase == Phase::waiting) ask(f);
  }

  [[nodiscard]] const Link& link(LinkIndex l) const { return links_[l]; }
  [[nodiscard]] const Element& element(ElementIndex e) const { return elements_[e]; }
  [[nodiscard]] const Flow& flow(FlowIndex f) const { return flows_[f]; }
  /// What the source sends.
  [[nodiscard]] Number rate(FlowIndex f) const {
    const Flow& flow = flows_[f];
    if (flow.phase == Phase::absent || flow.phase == Phase::ending) return Number(0);
    const bool is_held = settings_.rates == DuringCalculation::hold && flow.has_result;
    return (is_held ? flow.result : flow.loop.rate()) * weight(f);
  }

  void checkpoint(StateArchive& state) {
    this->checkpoint_parties(state);
    state(links_, elements_, flows_);
  }

 private:
  [[nodiscard]] Number weight(FlowIndex f) const { return Number(plane_.weight(f)); }

  void send(FlowIndex f, Message m, Phase phase) {
    Flow& flow = flows_[f];
    flow.phase = phase;
    flow.is_in_flight = true;
    flow.sent_at = carrier_.now();
    m.round = elements_[plane_.source(f)].round;
    carrier_.send_along(f, m);
  }
  void ask(FlowIndex f) { send(f, {Kind::probe, true, 0, Number(0), Number(0)}, Phase::asking); }

  void announce(FlowIndex f, bool is_start) {
    const ElementIndex host = plane_.source(f);
    links_[plane_.route(f).front()].announce(weight(f), is_start);
    enter(host, elements_[host].round + 1);
    send(f, {Kind::announce, is_start, 0, weight(f), Number(0)}, flows_[f].phase);
  }
  void leave(FlowIndex f) {
    flows_[f].phase = Phase::ending;
    flows_[f].wants_to_end = false;
    announce(f, false);
    carrier_.rate_changed(f);
  }

  void reset(ElementIndex e) {
    for (const LinkIndex l : plane_.out(e)) links_[l].reset();
  }
  /// A new round: state of the links from scratch, and all flows of a host begin again.
  void enter(ElementIndex e, std::uint32_t round) {
    elements_[e].round = round;
    reset(e);
    for (const FlowIndex f : plane_.flows_from(e)) {
      Flow& flow = flows_[f];
      const bool takes_part = flow.phase == Phase::waiting || flow.phase == Phase::calculating ||
                              flow.phase == Phase::done || flow.phase == Phase::asking;
      if (!takes_part) continue;
      flow.loop = {};
      flow.phase = Phase::asking;
      carrier_.rate_changed(f);
      if (!flow.is_in_flight) ask(f);
    }
  }
  void flood(ElementIndex e, LinkIndex in) {
    elements_[e].last_broadcast = elements_[e].round;
    const LinkIndex back = in == kNone ? kNone : plane_.link(in).back;
    const Message message{Kind::broadcast, true, elements_[e].round, Number(0), Number(0)};
    for (const LinkIndex l : plane_.out(e)) {
      if (l != back) carrier_.send_over(l, message, MessageClass::broadcast);
    }
  }

  const ControlPlane& plane_;
  Carrier<Message>& carrier_;
  Settings settings_;
  std::vector<Link> links_;
  std::vector<Element> elements_;
  std::vector<Flow> flows_;
};

}  // namespace weir::rates
