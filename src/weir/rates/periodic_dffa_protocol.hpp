#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/rates/dffa_link.hpp"
#include "weir/rates/fixed_point.hpp"
#include "weir/rates/parties.hpp"
#include "weir/rates/saa_m_protocol.hpp"

namespace weir::rates {

struct PeriodicDffaSettings {
  SaaMSettings saa_m{};
  Time period = microseconds(500);  ///< from one round to the next
  ElementIndex leader = 0;          ///< begins them
  /// So long after its result a rate grows: the others have theirs by then, and those that fall
  /// have fallen. As long again until the flow probes: the others have grown, and nothing is left
  /// over that is meant for somebody.
  Time calm = microseconds(100);
  double probe_retry = 0.5;  ///< round trips from a negative answer to the next question
};

/// DFFA periodically and SAA-M in between (zdornov2009, section 4.2.3, left open there). A flow
/// that starts or ends is SAA-M's business at once; every period a leader floods a new round, in
/// which all flows find their max-min rates. Those are a steady state of SAA-M: r(f) / w is at
/// least 1 / W of f's bottleneck and so at least 1 / W_f, and every flow crosses a full link. So
/// SAA-M leaves them alone until something changes.
///
/// A round needs the same flows in all links. Announcements bring back the newest round that they
/// have met; one that has met another round than that in which it left, or comes back to another,
/// makes its source begin a new round.
class PeriodicDffaProtocol : public ChangingParties<PeriodicDffaProtocol> {
 public:
  using Saa = SaaMProtocol<FixedPoint>;
  using Share = DffaMessage<double>;
  /// One of two: `share.kind` counts if `is_share`.
  struct Message {
    bool is_share = false;
    std::uint32_t newest = 0;  ///< of announcements: round met
    std::uint32_t left_in = 0;
    Saa::Message own{};
    Share share{};
  };
  struct Element {
    std::uint32_t round = 0;
    std::uint32_t last_broadcast = 0;
  };
  enum class Phase : std::uint8_t { absent, free, held, asking, waiting, calculating, calm };
  struct Flow {
    DffaLoop<double> loop;
    Phase phase = Phase::absent;
    bool is_announced = false;
    bool is_in_flight = false;  ///< of DFFA
    bool wants_to_end = false;
    bool has_grown = false;  ///< to its result, or need not
    Time sent_at;
    Time calm_until;
  };

  PeriodicDffaProtocol(const ControlPlane& plane, Carrier<Message>& carrier,
                       PeriodicDffaSettings settings)
      : ChangingParties(plane.flow_count()),
        plane_(plane),
        carrier_(carrier),
        settings_(settings),
        inner_(*this),
        saa_(plane, inner_, settings.saa_m),
        links_(plane.link_count()),
        elements_(plane.element_count()),
        flows_(plane.flow_count()) {
    saa_.on_held([this](FlowIndex f) { take_part(f); });
    for (LinkIndex l = 0; l < links_.size(); ++l) {
      links_[l].capacity = plane.link(l).capacity;
      links_[l].reset();
    }
  }

  void begin(FlowIndex f) {
    if (!is_timed_) {
      is_timed_ = true;
      carrier_.wake(leader_timer(), settings_.period);
    }
    flows_[f].phase = Phase::free;
    changed_ = true;
    saa_.start(f);
  }
  void finish(FlowIndex f) {
    changed_ = true;
    if (flows_[f].phase == Phase::free) return saa_.end(f);
    flows_[f].wants_to_end = true;  // after its result, which others count on
  }

  void at_link(LinkIndex l, FlowIndex f, Message& m) {
    const Element& element = elements_[plane_.link(l).from];
    if (!m.is_share) {
      const bool is_start = m.own.kind == Saa::Kind::start;
      if (is_start || m.own.kind == Saa::Kind::end) {
        links_[l].announce(plane_.weight(f), is_start);
        m.newest = std::max(m.newest, element.round);
        if (element.round != m.left_in) m.newest = std::max(m.newest, m.left_in + 1);
      }
      return saa_.at_link(l, f, m.own);
    }
    if (m.share.kind == Share::Kind::probe) {
      if (element.round != m.share.round) m.share.flag = false;
    } else if (m.share.round == element.round) {
      links_[l].visit(m.share);
    } else {
      m.share.is_outrun = true;
    }
  }

  void at_element(LinkIndex in, const Message& m) {
    const ElementIndex e = plane_.link(in).to;
    Element& element = elements_[e];
    if (m.share.round > element.round) {
      enter(e, m.share.round);
    } else if (m.share.round < element.round || element.last_broadcast >= m.share.round) {
      return;
    }
    if (!plane_.is_host(e)) flood(e, in);
  }

  void at_source(FlowIndex f, const Message& m) {
    if (!m.is_share) return own_answer(f, m);
    Flow& flow = flows_[f];
    flow.is_in_flight = false;
    const std::uint32_t round = elements_[plane_.source(f)].round;
    if (m.share.round != round || m.share.is_outrun) return ask(f);
    if (m.share.kind == Share::Kind::probe) {
      if (m.share.flag) {
        return send(f, flow.loop.begin(plane_.weight(f), true), Phase::calculating);
      }
      flow.phase = Phase::waiting;
      const double trip = static_cast<double>((carrier_.now() - flow.sent_at).count);
      return carrier_.wake(f, Time(static_cast<std::int64_t>(trip * settings_.probe_retry) + 1));
    }
    if (const auto next = flow.loop.next(m.share)) return send(f, *next, Phase::calculating);
    take_result(f);
  }

  void on_timer(std::uint32_t who) {
    const auto flows = static_cast<std::uint32_t>(flows_.size());
    if (who == leader_timer()) {
      carrier_.wake(who, settings_.period);
      return raise(settings_.leader, 0);
    }
    if (who > flows) return end_calm(who - flows - 1);
    if (flows_[who].phase == Phase::waiting) return ask(who);
    saa_.on_timer(who);
  }

  /// All flows have their max-min rates and SAA-M has found nothing to change.
  [[nodiscard]] bool is_settled() const {
    return busy_ == 0 && !changed_ && done_ >= announced_ && saa_.is_settled();
  }
  [[nodiscard]] FixedPoint rate(FlowIndex f) const { return saa_.rate(f); }
  [[nodiscard]] Time changed_at(FlowIndex f) const { return saa_.changed_at(f); }
  [[nodiscard]] const Saa& saa() const { return saa_; }
  [[nodiscard]] const DffaLink<double>& link(LinkIndex l) const { return links_[l]; }
  [[nodiscard]] const Element& element(ElementIndex e) const { return elements_[e]; }
  [[nodiscard]] std::uint32_t rounds_begun() const { return rounds_begun_; }

  void checkpoint(StateArchive& state) {
    checkpoint_parties(state);
    state(saa_, links_, elements_, flows_, is_timed_, busy_, announced_, done_, newest_,
          rounds_begun_, changed_);
  }

 private:
  /// What SAA-M sends, inside the common message.
  class Inner final : public Carrier<Saa::Message> {
   public:
    explicit Inner(PeriodicDffaProtocol& outer) : outer_(outer) {}
    [[nodiscard]] Time now() const override { return outer_.carrier_.now(); }
    void send_along(FlowIndex flow, const Saa::Message& message) override {
      const std::uint32_t round = outer_.elements_[outer_.plane_.source(flow)].round;
      const bool is_missed = message.kind == Saa::Kind::end && outer_.part_with(flow);
      outer_.carrier_.send_along(flow, {false, is_missed ? round + 1 : round, round, message, {}});
    }
    void send_over(LinkIndex, const Saa::Message&, MessageClass) override {}
    void wake(std::uint32_t who, Time after) override { outer_.carrier_.wake(who, after); }
    void rate_changed(FlowIndex flow) override { outer_.carrier_.rate_changed(flow); }

   private:
    PeriodicDffaProtocol& outer_;
  };

  [[nodiscard]] std::uint32_t leader_timer() const {
    return static_cast<std::uint32_t>(flows_.size());
  }

  void own_answer(FlowIndex f, const Message& m) {
    const ElementIndex host = plane_.source(f);
    const bool is_start = m.own.kind == Saa::Kind::start;
    if (is_start) {
      flows_[f].is_announced = changed_ = true;
      ++announced_;
    }
    const bool is_raced = m.newest != m.left_in || elements_[host].round != m.left_in;
    saa_.at_source(f, m.own);
    const bool is_end = m.own.kind == Saa::Kind::end;
    if ((is_start || is_end) && is_raced) raise(host, m.newest);
    if (is_end) gone(f);
  }

  /// It tells its links that it ends. True when a round counts on it.
  bool part_with(FlowIndex f) {
    Flow& flow = flows_[f];
    const bool is_missed = flow.phase == Phase::held;
    if (is_missed) --busy_;
    changed_ = true;
    --announced_;
    flow.phase = Phase::absent;
    flow.is_announced = false;
    flow.wants_to_end = false;
    return is_missed;
  }

  void raise(ElementIndex e, std::uint32_t above) {
    ++rounds_begun_;
    changed_ = false;
    done_ = 0;
    newest_ = std::max(elements_[e].round, above) + 1;
    enter(e, newest_);
    flood(e, kNone);
  }
  void enter(ElementIndex e, std::uint32_t round) {
    elements_[e].round = round;
    for (const LinkIndex l : plane_.out(e)) links_[l].reset();
    for (const FlowIndex f : plane_.flows_from(e)) {
      Flow& flow = flows_[f];
      if (!flow.is_announced) continue;
      const bool was_free = flow.phase == Phase::free || flow.phase == Phase::calm;
      if (flow.phase == Phase::free) ++busy_;
      if (was_free) {
        flow.phase = Phase::held;
        saa_.hold(f);  // take_part() when it is at rest
      } else if (flow.phase != Phase::held && !flow.is_in_flight) {
        ask(f);
      }
    }
  }
  void flood(ElementIndex e, LinkIndex in) {
    elements_[e].last_broadcast = elements_[e].round;
    const LinkIndex back = in == kNone ? kNone : plane_.link(in).back;
    Message message;
    message.is_share = true;
    message.share = {Share::Kind::broadcast, true, elements_[e].round, 0, 0};
    for (const LinkIndex l : plane_.out(e)) {
      if (l != back) carrier_.send_over(l, message, MessageClass::broadcast);
    }
  }

  void take_part(FlowIndex f) {
    if (flows_[f].phase == Phase::held && !flows_[f].is_in_flight) ask(f);
  }
  void ask(FlowIndex f) { send(f, {Share::Kind::probe, true, 0, 0, 0}, Phase::asking); }
  void send(FlowIndex f, Share share, Phase phase) {
    Flow& flow = flows_[f];
    flow.phase = phase;
    flow.is_in_flight = true;
    flow.sent_at = carrier_.now();
    share.round = elements_[plane_.source(f)].round;
    Message message;
    message.is_share = true;
    message.share = share;
    carrier_.send_along(f, message);
  }

  /// A rate that falls does so at once.
  void take_result(FlowIndex f) {
    Flow& flow = flows_[f];
    flow.phase = Phase::calm;
    flow.has_grown = false;
    if (elements_[plane_.source(f)].round == newest_) ++done_;
    if (saa_.is_at_rest(f) && result(f) < saa_.rate(f)) saa_.set_rate(f, result(f));
    be_calm(f, settings_.calm);
  }
  void be_calm(FlowIndex f, Time time) {
    flows_[f].calm_until = carrier_.now() + time;
    carrier_.wake(leader_timer() + 1 + f, time);
  }
  void end_calm(FlowIndex f) {
    Flow& flow = flows_[f];
    if (flow.phase != Phase::calm || flow.calm_until != carrier_.now()) return;
    if (!saa_.is_at_rest(f)) return be_calm(f, microseconds(1));  // the answer to its lower rate
    if (!flow.has_grown && !flow.wants_to_end) {
      flow.has_grown = true;
      be_calm(f, settings_.calm);
      if (saa_.rate(f) < result(f)) saa_.set_rate(f, result(f));
      return;
    }
    flow.phase = Phase::free;
    --busy_;
    if (flow.wants_to_end) return saa_.end(f);
    saa_.resume(f);
  }
  /// Rounded down, so that the rates of a link never exceed it.
  [[nodiscard]] FixedPoint result(FlowIndex f) const {
    constexpr double kSafe = 1 - 1e-9;
    return FixedPoint(flows_[f].loop.rate() * plane_.weight(f) * kSafe);
  }

  const ControlPlane& plane_;
  Carrier<Message>& carrier_;
  PeriodicDffaSettings settings_;
  Inner inner_;
  Saa saa_;
  std::vector<DffaLink<double>> links_;
  std::vector<Element> elements_;
  std::vector<Flow> flows_;
  bool is_timed_ = false;
  // What an observer needs to know.
  std::uint32_t busy_ = 0;  ///< flows in a calculation, or calm after it
  std::uint32_t announced_ = 0;
  std::uint32_t done_ = 0;  ///< flows with a result of the newest round
  std::uint32_t newest_ = 0;
  std::uint32_t rounds_begun_ = 0;
  bool changed_ = false;  ///< a flow has started or ended since the last round
};

}  // namespace weir::rates
