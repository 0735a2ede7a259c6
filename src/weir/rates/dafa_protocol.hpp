#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/rates/dafa_link.hpp"
#include "weir/rates/parties.hpp"
#include "weir/rates/pif.hpp"

namespace weir::rates {

struct DafaSettings {
  ElementIndex leader = 0;
  /// From the return of an application's last announcement to the trigger: its nodes wait for each
  /// other over an overlay tree of their own, which the document puts at 10 to 20 us.
  Time barrier = microseconds(15);
};

/// Distributed application-fair algorithm (zdornov2009, section 4.3.3): every element does the work
/// of its links; a leader goes through the iterations, each of two PIFs: who has become inactive
/// and what can the others still get; so much for everyone, and who is full now. DAFA* is one such
/// calculation (begin_calculation()); DAFA adds rounds: the nodes of an application announce their
/// flows, wait for each other and trigger a new round. Rates reach the sources by broadcast. A
/// round of others that began while an application announced itself may know some of its links
/// only: announcements bring back the newest round that they have met, and results up to it are not
/// for this application.
template <class Number>
class DafaProtocol : public ChangingParties<DafaProtocol<Number>> {
 public:
  using Message = DafaMessage<Number>;
  using Kind = typename Message::Kind;
  using Half = typename Message::Half;
  using Link = DafaLink<Number>;
  using Settings = DafaSettings;
  using Answer = DafaAnswer<Number>;
  /// State of a switch or host.
  struct Element {
    std::uint32_t round = 0;
    std::uint32_t result_round = 0;  ///< of the newest result passed on
    std::uint32_t step = 0;          ///< PIFs of this round so far
    PifNode<Answer> pif;
  };
  /// State of the nodes of an application: what their barrier waits for.
  struct Application {
    std::uint32_t outstanding = 0;
    std::uint32_t met = 0;  ///< newest round that its announcements have met in links
    std::uint32_t counted_after = UINT32_MAX;  ///< later rounds know all of its flows
    bool is_active = false;
    bool wants_to_end = false;
    Time passes_at;  ///< its newest barrier
    Time triggered_at;
    Time informed_at;  ///< last of its sources
  };
  struct Leader {
    Number rate{0};  ///< rho
    ApplicationSet inactive;
    std::uint32_t iterations = 0;
    std::vector<Number> rates;
    Time began_at;
    Time found_at;    ///< last application inactive: all rates known
    Time settled_at;  ///< collection that finds nothing more is over

    void checkpoint(StateArchive& state) {
      state(rate, inactive, iterations, rates, began_at, found_at, settled_at);
    }
  };

  DafaProtocol(const ControlPlane& plane, Carrier<Message>& carrier, Settings settings = {})
      : ChangingParties<DafaProtocol>(plane.application_count()),
        plane_(plane),
        carrier_(carrier),
        settings_(settings),
        count_(plane.application_count()),
        active_(plane.link_count() * count_, Number(0)),
        announced_(active_),
        announced_flows_(active_.size(), 0),
        links_(plane.link_count()),
        elements_(plane.element_count()),
        rates_(plane.flow_count(), Number(0)),
        applications_(count_),
        flows_of_(count_),
        toward_leader_(links_toward(plane, settings.leader)) {
    if (count_ > kMaxApplications) {
      throw InputError(fmt::format("{} applications: a control packet has bits for {}", count_,
                                   kMaxApplications));
    }
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      flows_of_[plane.application(f)].push_back(f);
    }
    for (LinkIndex l = 0; l < links_.size(); ++l) {
      Link& link = links_[l];
      link.capacity = Number(plane.link(l).capacity);
      link.active = std::span(active_).subspan(l * count_, count_);
      link.announced = std::span(announced_).subspan(l * count_, count_);
      link.announced_flows = std::span(announced_flows_).subspan(l * count_, count_);
    }
  }

  /// An application begins or ends its phase of communication.
  void begin(ApplicationIndex a) { announce_all(a, true); }
  /// An end that comes before the start is known to all links follows it.
  void finish(ApplicationIndex a) {
    if (applications_[a].outstanding > 0) {
      applications_[a].wants_to_end = true;
    } else {
      announce_all(a, false);
    }
  }
  /// All flows are there and their links know, without announcements: where DAFA* begins.
  void know_all() {
    for (FlowIndex f = 0; f < plane_.flow_count(); ++f) {
      const ApplicationIndex a = plane_.application(f);
      applications_[a].is_active = true;
      applications_[a].counted_after = 0;
      for (const LinkIndex l : plane_.route(f)) {
        links_[l].announce(a, Number(plane_.weight(f)), true);
      }
    }
  }
  /// The leader begins a round, as when it gets a trigger.
  void begin_calculation() {
    ++calculations_;
    leader_ = {};
    leader_.rates.assign(count_, Number(0));
    leader_.began_at = carrier_.now();
    enter(settings_.leader, elements_[settings_.leader].round + 1);
    lead(Half::collection);
  }

  void at_link(LinkIndex l, FlowIndex f, Message& m) {
    links_[l].announce(plane_.application(f), m.number, m.flag);
    m.round = std::max(m.round, elements_[plane_.link(l).from].round);
  }
  void at_source(FlowIndex f, const Message& m) {
    const ApplicationIndex a = plane_.application(f);
    Application& application = applications_[a];
    application.met = std::max(application.met, m.round);
    if (--application.outstanding > 0) return;
    if (application.wants_to_end) {
      application.wants_to_end = false;
      return announce_all(a, false);
    }
    application.passes_at = carrier_.now() + settings_.barrier;
    carrier_.wake(a, settings_.barrier);
    if (!application.is_active) this->gone(a);
  }
  /// The barrier of an application is over.
  void on_timer(ApplicationIndex a) {
    // After a new start another barrier follows.
    if (applications_[a].outstanding > 0 || applications_[a].passes_at != carrier_.now()) return;
    applications_[a].counted_after = applications_[a].met;
    applications_[a].triggered_at = carrier_.now();
    pass_trigger(plane_.source(flows_of_[a].front()));
  }

  void at_element(LinkIndex in, const Message& m) {
    const ElementIndex e = plane_.link(in).to;
    if (m.kind == Kind::trigger) return pass_trigger(e);
    Element& element = elements_[e];
    if (m.round < element.round) return;
    if (m.round > element.round) enter(e, m.round);
    if (m.kind == Kind::result) return pass_result(e, in, m);
    if (m.kind == Kind::forward && m.step() > element.step) {
      element.step = m.step();
      element.pif.join(in, plane_.out(e).size(), work(e, m));
      spread(e, m, plane_.link(in).back, MessageClass::control);
      if (element.pif.is_complete()) answer(e, m, MessageClass::control);
      return;
    }
    if (m.kind == Kind::forward) {
      element.pif.hear();
    } else {
      element.pif.hear({m.number, m.applications});
    }
    // Leaves of the tree have nothing to put together, whoever of their neighbours came last.
    const bool reduces = element.pif.has_children();
    if (element.pif.is_complete()) {
      answer(e, m, reduces ? MessageClass::reduced : MessageClass::control);
    }
  }

  [[nodiscard]] const Link& link(LinkIndex l) const { return links_[l]; }
  [[nodiscard]] const Element& element(ElementIndex e) const { return elements_[e]; }
  [[nodiscard]] const Application& application(ApplicationIndex a) const {
    return applications_[a];
  }
  [[nodiscard]] const Leader& leader() const { return leader_; }
  [[nodiscard]] Number rate(FlowIndex f) const { return rates_[f]; }
  [[nodiscard]] std::uint32_t calculations() const { return calculations_; }

  void checkpoint(StateArchive& state) {
    this->checkpoint_parties(state);
    // Links refer to the first three, whose places stay.
    state.slice(active_, 0, active_.size());
    state.slice(announced_, 0, announced_.size());
    state.slice(announced_flows_, 0, announced_flows_.size());
    state.slice(links_, 0, links_.size());
    state(elements_, rates_, applications_, leader_, pending_, calculations_);
  }

 private:
  void announce_all(ApplicationIndex a, bool is_start) {
    Application& application = applications_[a];
    if (flows_of_[a].empty()) throw InputError(fmt::format("application {} has no flow", a));
    if (application.outstanding > 0) {
      throw RunError(fmt::format("application {} has announcements outstanding", a));
    }
    application.is_active = is_start;
    application.counted_after = UINT32_MAX;
    application.outstanding = static_cast<std::uint32_t>(flows_of_[a].size());
    for (const FlowIndex f : flows_of_[a]) {
      if (!is_start) {
        rates_[f] = Number(0);
        carrier_.rate_changed(f);
      }
      Message message;
      message.flag = is_start;
      message.number = Number(plane_.weight(f));
      carrier_.send_along(f, message);
    }
  }

  void pass_trigger(ElementIndex e) {
    if (e == settings_.leader) return begin_calculation();
    Message message;
    message.kind = Kind::trigger;
    carrier_.send_over(toward_leader_[e], message, MessageClass::control);
  }

  void enter(ElementIndex e, std::uint32_t round) {
    elements_[e].round = round;
    elements_[e].step = 0;
    for (const LinkIndex l : plane_.out(e)) links_[l].reset();
  }

  /// What the links of an element do in a PIF.
  Answer work(ElementIndex e, const Message& m) {
    Answer own;
    for (const LinkIndex l : plane_.out(e)) {
      if (m.half == Half::collection) {
        own.least = std::min(own.least, links_[l].collect(m.applications));
      } else {
        own.full |= links_[l].distribute(m.number);
      }
    }
    return own;
  }

  void spread(ElementIndex e, const Message& m, LinkIndex except, MessageClass sort) {
    for (const LinkIndex l : plane_.out(e)) {
      if (l != except) carrier_.send_over(l, m, sort);
    }
  }

  void lead(Half half) {
    const ElementIndex e = settings_.leader;
    Message message;
    message.kind = Kind::forward;
    message.half = half;
    message.round = elements_[e].round;
    message.iteration = leader_.iterations;
    message.number = pending_;
    message.applications = leader_.inactive;
    elements_[e].step = message.step();
    elements_[e].pif.lead(plane_.out(e).size(), work(e, message));
    const bool is_first = half == Half::collection && leader_.iterations == 0;
    spread(e, message, kNone, is_first ? MessageClass::control : MessageClass::reduced);
  }

  /// All that was asked has come in: to the parent, or on to the next step.
  void answer(ElementIndex e, const Message& m, MessageClass sort) {
    const PifNode<Answer>& pif = elements_[e].pif;
    if (e == settings_.leader) return proceed(m.half, pif.answer());
    Message message = m;
    message.kind = Kind::feedback;
    message.number = pif.answer().least;
    message.applications = pif.answer().full;
    carrier_.send_over(plane_.link(pif.parent()).back, message, sort);
  }

  void proceed(Half half, const Answer& answer) {
    if (half == Half::collection) {
      if (answer.least == NumberTraits<Number>::unbounded()) return announce_result();
      pending_ = answer.least;
      leader_.rate += pending_;
      return lead(Half::distribution);
    }
    leader_.inactive = answer.full;
    for (std::size_t a = 0; a < count_; ++a) {
      if (answer.full[a]) leader_.rates[a] = leader_.rate;
    }
    leader_.found_at = carrier_.now();
    ++leader_.iterations;
    lead(Half::collection);
  }

  void announce_result() {
    leader_.settled_at = carrier_.now();
    Message message;
    message.kind = Kind::result;
    message.round = elements_[settings_.leader].round;
    message.rates = std::make_shared<const std::vector<Number>>(leader_.rates);
    pass_result(settings_.leader, kNone, message);
  }

  void pass_result(ElementIndex e, LinkIndex in, const Message& m) {
    if (elements_[e].result_round >= m.round) return;
    elements_[e].result_round = m.round;
    for (const FlowIndex f : plane_.flows_from(e)) {
      Application& application = applications_[plane_.application(f)];
      if (!application.is_active || m.round <= application.counted_after) continue;
      rates_[f] = (*m.rates)[plane_.application(f)] * Number(plane_.weight(f));
      application.informed_at = carrier_.now();
      carrier_.rate_changed(f);
    }
    if (plane_.is_host(e) && in != kNone) return;
    spread(e, m, in == kNone ? kNone : plane_.link(in).back, MessageClass::result);
  }

  const ControlPlane& plane_;
  Carrier<Message>& carrier_;
  Settings settings_;
  std::size_t count_;  ///< applications
  std::vector<Number> active_;
  std::vector<Number> announced_;
  std::vector<std::uint32_t> announced_flows_;
  std::vector<Link> links_;
  std::vector<Element> elements_;
  std::vector<Number> rates_;  ///< per flow
  std::vector<Application> applications_;
  std::vector<std::vector<FlowIndex>> flows_of_;
  std::vector<LinkIndex> toward_leader_;  ///< a forwarding-table entry an element
  Leader leader_;
  Number pending_{0};  ///< rate of the distribution under way
  std::uint32_t calculations_ = 0;
};

}  // namespace weir::rates
