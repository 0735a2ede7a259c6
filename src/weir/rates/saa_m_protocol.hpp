#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/rates/parties.hpp"
#include "weir/rates/saa_m_link.hpp"

namespace weir::rates {

/// What the document leaves open of SAA-M (zdornov2009, section 4.1.3).
struct SaaMSettings {
  std::uint64_t seed = 1;
  Time idle_period = microseconds(20);  ///< between probes once nothing has changed lately
  int quiet_probes = 3;                 ///< in a row, until probes become idle
  double backoff_min = 1;               ///< round trips
  double backoff_max = 8;               ///< at first; 0 with backoff_min 0: none
  double backoff_limit = 64;            ///< doubled up to this
  int attempts = 16;                    ///< failures until a flow waits for a change
  double negligible = 0;                ///< so little is neither reserved nor missed
};

/// Maximal single application assignment (zdornov2009, section 4.1.3): after SAA's share, every
/// flow reserves all that its route has left, and claims it when all links have granted it; else it
/// cancels and waits a random time. Number must be exact: free capacity is compared with zero.
template <class Number>
class SaaMProtocol : public ChangingParties<SaaMProtocol<Number>> {
 public:
  using Message = SaaMMessage<Number>;
  using Kind = typename Message::Kind;
  using Link = SaaMLink<Number>;
  enum class Phase : std::uint8_t { absent, waits_for_answer, waits_for_timer, held };
  /// State of a source, per flow.
  struct Flow {
    Number rate{0};
    Number heaviest{0};  ///< W_f
    Number asked{0};     ///< what the reservation under way is for, or was when it was given up
    Phase phase = Phase::absent;
    Kind sent = Kind::start;  ///< whose answer is awaited
    bool wants_to_end = false;
    bool is_held = false;
    std::uint8_t failures = 0;
    std::uint8_t quiet = 0;  ///< probes in a row that found nothing to do
    Time sent_at;
    Time wakes_at;
    RandomStream random;
  };

  SaaMProtocol(const ControlPlane& plane, Carrier<Message>& carrier, SaaMSettings settings = {})
      : ChangingParties<SaaMProtocol>(plane.flow_count()),
        plane_(plane),
        carrier_(carrier),
        settings_(settings),
        links_(plane.link_count()),
        flows_(plane.flow_count()),
        watch_(plane.flow_count()) {
    for (LinkIndex l = 0; l < links_.size(); ++l) links_[l].free = Number(plane.link(l).capacity);
    for (FlowIndex f = 0; f < flows_.size(); ++f) {
      flows_[f].random = RandomStream(settings.seed, f, StreamPurpose::arbitration);
    }
  }

  void begin(FlowIndex f) {
    ++active_;
    send(f, {Kind::start, true, weight(f)});
  }
  void finish(FlowIndex f) {
    ++leaving_;
    flows_[f].wants_to_end = true;
    if (is_at_rest(f)) leave(f);
  }

  // A flow may be held while something else finds its rate: it ends what it is doing and asks no
  // more until it is told to go on.
  void on_held(std::function<void(FlowIndex)> tell) { tell_held_ = std::move(tell); }
  void hold(FlowIndex f) {
    flows_[f].is_held = true;
    if (is_at_rest(f)) be_held(f);
  }
  [[nodiscard]] bool is_at_rest(FlowIndex f) const {
    return flows_[f].phase == Phase::waits_for_timer || flows_[f].phase == Phase::held;
  }
  /// Of a flow at rest.
  void set_rate(FlowIndex f, const Number& rate) { change_rate(f, rate, Number(0)); }
  void resume(FlowIndex f) {
    flows_[f].is_held = false;
    probe(f);
  }

  void at_link(LinkIndex l, FlowIndex, Message& m) {
    if (m.kind != Kind::probe) ++version_;
    links_[l].visit(m, Number(plane_.link(l).capacity));
  }

  void at_source(FlowIndex f, const Message& m) {
    Flow& flow = flows_[f];
    switch (m.kind) {
      case Kind::start:
        ++watch_.announced;
        flow.heaviest = m.heaviest;
        return change_rate(f, Number(weight(f) / m.heaviest), Number(0));
      case Kind::update:
        return next_step(f);
      case Kind::probe:
        return decide(f, m);
      case Kind::reserve:
        if (!m.is_granted) return send(f, {Kind::cancel, true, flow.asked});
        flow.failures = 0;
        return change_rate(f, Number(flow.rate + flow.asked), flow.asked);
      case Kind::cancel:
        return back_off(f);
      case Kind::end:
        flow.phase = Phase::absent;
        --watch_.announced;
        --leaving_;
        return this->gone(f);
    }
  }

  void on_timer(FlowIndex f) {
    Flow& flow = flows_[f];
    // A timer that was set before the flow ended and began again is not the one awaited.
    if (flow.phase == Phase::waits_for_timer && flow.wakes_at == carrier_.now()) probe(f);
  }

  /// All flows have found nothing to do since the state of a link last changed.
  [[nodiscard]] bool is_settled() const {
    if (leaving_ > 0) return false;
    return active_ == 0 || (watch_.satisfied == active_ && watch_.version == version_);
  }

  /// Flows that have announced themselves to all their links.
  [[nodiscard]] std::uint32_t announced() const { return watch_.announced; }
  /// Control packets that the flow has sent, up to the one that told of its last change of rate.
  [[nodiscard]] std::uint32_t messages_to_rate(FlowIndex f) const { return watch_.sent_to_rate[f]; }

  [[nodiscard]] const Link& link(LinkIndex l) const { return links_[l]; }
  [[nodiscard]] const Flow& flow(FlowIndex f) const { return flows_[f]; }
  [[nodiscard]] Number rate(FlowIndex f) const { return flows_[f].rate; }
  /// When it last changed.
  [[nodiscard]] Time changed_at(FlowIndex f) const { return watch_.changed_at[f]; }

  void checkpoint(StateArchive& state) {
    this->checkpoint_parties(state);
    state(links_, flows_, watch_, version_, active_, leaving_);
  }

 private:
  /// What an observer needs to know when it is over; agents do not look at it.
  struct Watch {
    explicit Watch(std::size_t flows)
        : probed(flows),
          satisfied_at(flows, UINT64_MAX),
          sent(flows),
          sent_to_rate(flows),
          changed_at(flows) {}
    std::vector<std::uint64_t> probed;        ///< version of the links when the probe left
    std::vector<std::uint64_t> satisfied_at;  ///< version at which the flow had nothing to do
    std::uint64_t version = 0;
    std::uint32_t satisfied = 0;
    std::uint32_t announced = 0;
    std::vector<std::uint32_t> sent;
    std::vector<std::uint32_t> sent_to_rate;
    std::vector<Time> changed_at;

    void checkpoint(StateArchive& state) {
      state(probed, satisfied_at, version, satisfied, announced, sent, sent_to_rate, changed_at);
    }
  };

  [[nodiscard]] Number weight(FlowIndex f) const { return Number(plane_.weight(f)); }

  void send(FlowIndex f, const Message& m) {
    flows_[f].phase = Phase::waits_for_answer;
    flows_[f].sent = m.kind;
    flows_[f].sent_at = carrier_.now();
    ++watch_.sent[f];
    carrier_.send_along(f, m);
  }
  void be_held(FlowIndex f) {
    flows_[f].phase = Phase::held;
    if (tell_held_) tell_held_(f);
  }
  void probe(FlowIndex f) {
    if (flows_[f].is_held) return be_held(f);
    watch_.probed[f] = version_;
    send(f, {Kind::probe, true, NumberTraits<Number>::unbounded()});
  }
  void change_rate(FlowIndex f, const Number& rate, const Number& claimed) {
    const Number change = rate - flows_[f].rate;
    flows_[f].rate = rate;
    flows_[f].quiet = 0;
    send(f, {Kind::update, true, change, claimed});
    watch_.sent_to_rate[f] = watch_.sent[f];
    watch_.changed_at[f] = carrier_.now();
    carrier_.rate_changed(f);
  }
  void next_step(FlowIndex f) {
    if (flows_[f].wants_to_end) return leave(f);
    probe(f);
  }

  void decide(FlowIndex f, const Message& m) {
    Flow& flow = flows_[f];
    if (flow.wants_to_end) return leave(f);
    const bool is_new = m.heaviest != flow.heaviest;
    flow.heaviest = m.heaviest;
    const Number least = weight(f) / m.heaviest;
    const Number negligible(settings_.negligible);
    if (flow.rate + negligible < least) return change_rate(f, least, Number(0));
    if (m.oversubscribed > Number(0)) {
      const Number most = std::min(Number(weight(f) / m.oversubscribed), flow.rate);
      if (most < flow.rate) return change_rate(f, most, Number(0));
    } else if (m.amount > negligible && may_try(flow, m.amount, is_new)) {
      flow.asked = m.amount;
      flow.quiet = 0;
      return send(f, {Kind::reserve, true, m.amount});
    }
    rest(f, is_new);
  }

  /// After too many failures only something new makes a flow try again.
  bool may_try(Flow& flow, const Number& left, bool is_new) const {
    if (flow.failures < settings_.attempts) return true;
    if (!is_new && left == flow.asked) return false;
    flow.failures = 0;
    return true;
  }

  void rest(FlowIndex f, bool is_new) {
    Flow& flow = flows_[f];
    flow.quiet = is_new ? std::uint8_t{0} : static_cast<std::uint8_t>(flow.quiet + 1);
    note_satisfied(f);
    if (flow.quiet < settings_.quiet_probes) return probe(f);
    flow.quiet = static_cast<std::uint8_t>(settings_.quiet_probes);
    wait(f, settings_.idle_period);
  }

  void note_satisfied(FlowIndex f) {
    if (watch_.probed[f] != version_) return;
    if (watch_.version != version_) {
      watch_.version = version_;
      watch_.satisfied = 0;
    }
    if (watch_.satisfied_at[f] == version_) return;
    watch_.satisfied_at[f] = version_;
    ++watch_.satisfied;
  }

  void back_off(FlowIndex f) {
    Flow& flow = flows_[f];
    if (flow.wants_to_end) return leave(f);
    ++flow.failures;
    if (settings_.backoff_max <= 0) return probe(f);
    double longest = settings_.backoff_max;
    for (int i = 1; i < flow.failures && longest < settings_.backoff_limit; ++i) longest *= 2;
    longest = std::min(longest, std::max(settings_.backoff_limit, settings_.backoff_max));
    const double trips =
        settings_.backoff_min + flow.random.unit() * (longest - settings_.backoff_min);
    const Time trip = carrier_.now() - flow.sent_at;
    wait(f, Time(static_cast<std::int64_t>(trips * static_cast<double>(trip.count)) + 1));
  }

  void wait(FlowIndex f, Time time) {
    if (flows_[f].is_held) return be_held(f);
    flows_[f].phase = Phase::waits_for_timer;
    flows_[f].wakes_at = carrier_.now() + time;
    carrier_.wake(f, time);
  }

  void leave(FlowIndex f) {
    Flow& flow = flows_[f];
    --active_;
    watch_.satisfied = 0;
    flow.wants_to_end = false;
    flow.is_held = false;
    const Number rate = flow.rate;
    flow.rate = Number(0);
    flow.failures = 0;
    flow.quiet = 0;
    send(f, {Kind::end, true, weight(f), rate});
    carrier_.rate_changed(f);
  }

  const ControlPlane& plane_;
  Carrier<Message>& carrier_;
  SaaMSettings settings_;
  std::function<void(FlowIndex)> tell_held_;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  Watch watch_;
  std::uint64_t version_ = 0;  ///< of the state of all links, for the watch only
  std::uint32_t active_ = 0;
  std::uint32_t leaving_ = 0;
};

}  // namespace weir::rates
