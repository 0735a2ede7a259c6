#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "rates/rational.hpp"
#include "weir/base/random.hpp"
#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Carries messages with delays drawn from a range, in picoseconds; messages over one link and
/// those of one flow keep their order. With equal bounds all delays are the same.
template <class Protocol>
class DelayCarrier final : public Carrier<typename Protocol::Message> {
 public:
  using Message = typename Protocol::Message;

  DelayCarrier(const ControlPlane& plane, std::int64_t shortest, std::int64_t longest,
               std::uint64_t seed = 1)
      : plane_(plane),
        shortest_(shortest),
        longest_(longest),
        random_(seed, 0, StreamPurpose::test),
        last_(plane.link_count(), 0) {
    in_flight.assign(plane.flow_count(), 0);
    sent.assign(plane.flow_count(), 0);
  }

  void attach(Protocol& protocol) { protocol_ = &protocol; }
  void at(std::int64_t time, std::function<void()> what) { events_.emplace(time, std::move(what)); }

  /// One event. False: there is none.
  bool step() {
    if (events_.empty()) return false;
    auto next = events_.extract(events_.begin());
    now_ = next.key();
    next.mapped()();
    if (after_event) after_event();
    return true;
  }
  /// Returns false when there was still something to do at `limit`.
  bool run(std::int64_t limit) {
    while (!events_.empty() && events_.begin()->first <= limit) {
      step();
      if (protocol_->is_settled() && now_ >= settle_after) return true;
    }
    return events_.empty();
  }

  [[nodiscard]] Time now() const override { return Time(now_); }
  void send_along(FlowIndex flow, const Message& message) override {
    ++sent[flow];
    most_in_flight = std::max(most_in_flight, ++in_flight[flow]);
    if (on_send) on_send(flow, message);
    go(flow, message, 0, now_);
  }
  void send_over(LinkIndex link, const Message& message, MessageClass) override {
    ++over;
    const std::int64_t time = std::max(now_ + delay(), last_[link]);
    last_[link] = time;
    events_.emplace(time, [this, link, message] { protocol_->at_element(link, message); });
  }
  void wake(std::uint32_t who, Time after) override {
    events_.emplace(now_ + after.count, [this, who] { protocol_->on_timer(who); });
  }

  /// Longest time that a message can take along `links` links and back.
  [[nodiscard]] std::int64_t longest_trip(std::size_t links) const {
    return static_cast<std::int64_t>(links + 2) * longest_;
  }

  std::function<void()> after_event;
  std::function<void(FlowIndex, const Message&)> on_send;
  std::function<void(LinkIndex, FlowIndex, const Message&)> on_link;  ///< after it was processed
  std::int64_t settle_after = 0;  ///< what the protocol says before does not end run()
  int most_in_flight = 0;         ///< messages of one flow
  std::vector<int> in_flight;
  std::vector<std::uint32_t> sent;  ///< per flow
  std::uint64_t over = 0;

 private:
  [[nodiscard]] std::int64_t delay() {
    return shortest_ + static_cast<std::int64_t>(
                           random_.below(static_cast<std::uint64_t>(longest_ - shortest_) + 1));
  }
  void go(FlowIndex flow, Message message, std::size_t hop, std::int64_t began) {
    const auto route = plane_.route(flow);
    events_.emplace(now_ + delay(), [this, flow, message, hop, began, route]() mutable {
      if (hop < route.size()) {
        protocol_->at_link(route[hop], flow, message);
        if (on_link) on_link(route[hop], flow, message);
        go(flow, std::move(message), hop + 1, began);
      } else if (hop == route.size()) {
        if (protocol_->at_destination(flow, message)) {
          go(flow, std::move(message), hop + 1, began);
        } else {
          --in_flight[flow];
        }
      } else {
        --in_flight[flow];
        protocol_->at_source(flow, message);
      }
    });
  }

  const ControlPlane& plane_;
  std::int64_t shortest_;
  std::int64_t longest_;
  RandomStream random_;
  Protocol* protocol_ = nullptr;
  std::multimap<std::int64_t, std::function<void()>> events_;
  std::vector<std::int64_t> last_;
  std::int64_t now_ = 0;
};

/// Weighted max-min rates by progressive filling (zdornov2009, section 4.2.2), normalized; flows
/// that are not in `is_active` get nothing.
inline std::vector<Rational> progressive_filling(const ControlPlane& plane,
                                                 std::vector<bool> is_active) {
  std::vector<Rational> rate(plane.flow_count(), 0);
  std::vector<Rational> rest;
  for (LinkIndex l = 0; l < plane.link_count(); ++l) rest.emplace_back(plane.link(l).capacity);
  while (true) {
    std::vector<Rational> weight(plane.link_count(), 0);
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      if (!is_active[f]) continue;
      for (const LinkIndex l : plane.route(f)) weight[l] += Rational(plane.weight(f));
    }
    Rational least = -1;
    for (LinkIndex l = 0; l < plane.link_count(); ++l) {
      if (weight[l] > 0 && (least < 0 || rest[l] / weight[l] < least)) least = rest[l] / weight[l];
    }
    if (least < 0) return rate;
    for (LinkIndex l = 0; l < plane.link_count(); ++l) rest[l] -= least * weight[l];
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
      if (!is_active[f]) continue;
      rate[f] += least;
      for (const LinkIndex l : plane.route(f)) {
        if (rest[l] == 0) is_active[f] = false;
      }
    }
  }
}

/// A row of switches: link i leads from the i-th to the next.
struct Row {
  explicit Row(std::size_t links) {
    ElementIndex last = plane.add_element(false);
    for (std::size_t i = 0; i < links; ++i) {
      const ElementIndex next = plane.add_element(false);
      link.push_back(plane.add_cable(last, next));
      last = next;
    }
  }
  FlowIndex add_flow(std::vector<std::size_t> places, double weight = 1,
                     ApplicationIndex application = 0) {
    std::vector<LinkIndex> links;
    for (const std::size_t place : places) links.push_back(link[place]);
    return plane.add_flow(links, weight, application);
  }
  ControlPlane plane;
  std::vector<LinkIndex> link;
};

/// Sends in lockstep: all messages of a step visit their links in the order of their flows, then
/// all answers arrive.
template <class Message>
class LockstepCarrier final : public Carrier<Message> {
 public:
  explicit LockstepCarrier(const ControlPlane& plane) : plane_(plane) {}

  [[nodiscard]] Time now() const override { return Time(static_cast<std::int64_t>(steps_)); }
  void send_along(FlowIndex flow, const Message& message) override {
    waiting.emplace(flow, message);
  }
  void send_over(LinkIndex, const Message&, MessageClass) override {}
  void wake(std::uint32_t, Time) override {}

  template <class Protocol>
  void step(Protocol& protocol) {
    ++steps_;
    std::multimap<FlowIndex, Message> moving;
    std::swap(moving, waiting);
    for (auto& [flow, message] : moving) {
      for (const LinkIndex l : plane_.route(flow)) protocol.at_link(l, flow, message);
    }
    for (const auto& [flow, message] : moving) protocol.at_source(flow, message);
  }

  std::multimap<FlowIndex, Message> waiting;  ///< what the next step carries

 private:
  const ControlPlane& plane_;
  std::size_t steps_ = 0;
};

/// A connected network of switches and hosts with flows between them along paths that cross no
/// switch twice. All sizes are at least 2.
struct RandomNetwork {
  std::size_t switches = 2;
  std::size_t more_cables = 0;
  std::size_t hosts = 2;
  std::size_t flows = 2;
  std::size_t applications = 1;
  bool has_weights = true;
  bool has_capacities = true;
  std::uint64_t seed = 1;

  [[nodiscard]] ControlPlane build() const {
    RandomStream random(seed, 1, StreamPurpose::test);
    const auto below = [&](std::size_t n) {
      return static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(n)));
    };
    // Fractions that a double holds exactly.
    const auto capacity = [&] { return has_capacities ? 0.25 * (1 + below(4)) : 1.0; };
    ControlPlane plane;
    for (std::uint32_t s = 0; s < switches; ++s) {
      plane.add_element(false);
      if (s > 0) plane.add_cable(s, below(s), capacity());
    }
    for (std::size_t i = 0; i < more_cables; ++i) {
      const std::uint32_t a = below(switches);
      const std::uint32_t b = below(switches);
      if (a != b) plane.add_cable(a, b, capacity());
    }
    std::vector<ElementIndex> ends;
    for (std::size_t h = 0; h < hosts; ++h) {
      ends.push_back(plane.add_element(true));
      plane.add_cable(ends.back(), below(switches), capacity());
    }
    for (std::size_t f = 0; f < flows; ++f) {
      const std::uint32_t source = below(hosts);
      const std::uint32_t other = below(hosts - 1);
      std::vector<bool> is_visited(plane.element_count(), false);
      std::vector<LinkIndex> links;
      find_path(plane, ends[source], ends[other < source ? other : other + 1], is_visited, links,
                below);
      plane.add_flow(links, has_weights ? 1 + below(4) : 1,
                     f < applications ? static_cast<std::uint32_t>(f) : below(applications));
    }
    return plane;
  }

 private:
  template <class Below>
  static bool find_path(const ControlPlane& plane, ElementIndex at, ElementIndex target,
                        std::vector<bool>& is_visited, std::vector<LinkIndex>& links,
                        const Below& below) {
    if (at == target) return true;
    is_visited[at] = true;
    const auto out = plane.out(at);
    const std::uint32_t first = below(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const LinkIndex l = out[(first + i) % out.size()];
      const ElementIndex next = plane.link(l).to;
      if (is_visited[next] || (plane.is_host(next) && next != target)) continue;
      links.push_back(l);
      if (find_path(plane, next, target, is_visited, links, below)) return true;
      links.pop_back();
    }
    return false;
  }
};

}  // namespace weir::rates
