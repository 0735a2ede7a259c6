#include <utility>

#include "weir/admission/link_by_link.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::admission {

void Asked::checkpoint(StateArchive& state) { state(request, links, vl); }

/// A connection that is not over, with what it has reserved in one part of a network.
struct LinkByLink::Reservation {
  struct Hop {
    std::uint32_t number = 0;
    int place = -1;  ///< in the table of the link
  };

  ConnectionKey key;
  Asked asked;
  bool is_guest = false;
  std::vector<Hop> hops;  ///< that hold

  void checkpoint(StateArchive& state) { state(key, asked, is_guest, hops); }
};

void LinkByLink::checkpoint(fabric::NodeState& state) {
  for (std::uint32_t port = state.first_port(); tables_ && port < state.end_port(); ++port)
    tables_->checkpoint(state, PortId(port));
  if (state.is_host()) checkpoint_own(state, own_[state.node()]);
}

void LinkByLink::checkpoint_own(fabric::NodeState& state, OfHost& connections) {
  std::uint64_t count = connections.all.size();
  state(count, connections.unused);
  connections.all.resize(count);
  for (auto& one : connections.all) {
    if (!one) one = std::make_unique<Connection>();
    state(one->key, one->asked, one->state, one->attempt, one->since);
    state.source(one->asked.request.asker);
    state.message_of(state.node(), one->last_message);
    if (!state.is_reading()) continue;
    one->hold_nothing();
    if (one->last_message != fabric::kNone) ending_[one->last_message] = one.get();
  }
}

std::vector<LinkByLink::Reservation> LinkByLink::reservations() const {
  std::vector<Reservation> all;
  for_each([&](const Connection& c) {
    Reservation& one = all.emplace_back(Reservation{c.key, c.asked, c.is_guest, {}});
    for (std::size_t hop = 0; hop < c.hops(); ++hop) {
      if (c.holds[hop] != 0) one.hops.push_back({static_cast<std::uint32_t>(hop), c.places[hop]});
    }
  });
  return all;
}

void LinkByLink::take_over(const Reservation& one) {
  if (is_divided_ && !one.is_guest) asked_by_all_->put(one.key, one.asked);
  for (const Reservation::Hop& hop : one.hops) {
    if (!ports_.is_here(one.asked.links[hop.number])) continue;
    Connection* c = find(one.key);
    if (c == nullptr) c = &welcome(one.key, one.asked);
    hold(*c, hop.number);
    c->places[hop.number] = hop.place;
  }
}

void LinkByLink::checkpoint_totals(fabric::TotalState& state) {
  std::uint64_t classes = counters_.size();
  state(classes);
  if (classes > counters_.size()) counters_.resize(classes);
  for (std::uint64_t i = 0; i < classes; ++i) {
    AdmissionCounters& c = counters_[i];
    state.sum(c.asked, c.accepted, c.rejected, c.given_up, c.released, c.setup);
  }
  state.most(largest_share_);
  std::vector<Reservation> all;
  if (!state.is_reading()) all = reservations();
  state(all);
  if (!state.is_reading()) return;
  for (const Reservation& one : all) take_over(one);
  // What is left of some is held elsewhere alone, or comes from another part, as that of a guest.
  for (const OfHost& host : own_) {
    for (const auto& c : host.all) {
      const bool has_left = c->state == State::closing && c->last_message == fabric::kNone;
      if (has_left && c->held == 0) leave_place(*c);
    }
  }
}

}  // namespace weir::admission
