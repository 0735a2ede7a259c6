#pragma once

#include <fmt/format.h>

#include <vector>

#include "weir/base/error.hpp"
#include "weir/rates/dffa_link.hpp"
#include "weir/rates/parties.hpp"

namespace weir::rates {

/// Distributed flow-fair algorithm for a set of flows that is known beforehand
/// (zdornov2009, section 4.2.3): weighted max-min fair rates without state per flow in links,
/// without rounds. All flows of the plane take part; each may start at any time.
template <class Number>
class DffaStarProtocol : public ChangingParties<DffaStarProtocol<Number>> {
 public:
  using Message = DffaMessage<Number>;
  using Link = DffaLink<Number>;
  struct Settings {
    bool is_optimized = true;
  };
  struct Flow {
    DffaLoop<Number> loop;
    bool has_left = false;
    Time found_at;  ///< its rate is final
    Time left_at;   ///< and its links know
  };

  DffaStarProtocol(const ControlPlane& plane, Carrier<Message>& carrier, Settings settings = {})
      : ChangingParties<DffaStarProtocol>(plane.flow_count()),
        plane_(plane),
        carrier_(carrier),
        settings_(settings),
        links_(plane.link_count()),
        flows_(plane.flow_count()) {
    for (FlowIndex f = 0; f < flows_.size(); ++f) {
      for (const LinkIndex l : plane.route(f)) links_[l].announce(Number(plane.weight(f)), true);
    }
    for (LinkIndex l = 0; l < links_.size(); ++l) {
      links_[l].capacity = Number(plane.link(l).capacity);
      links_[l].reset();
    }
  }

  void begin(FlowIndex f) {
    carrier_.send_along(f, flows_[f].loop.begin(Number(plane_.weight(f)), settings_.is_optimized));
  }
  /// Throws RunError: without rounds nobody can leave.
  void finish(FlowIndex f) {
    throw RunError(fmt::format("flow {} cannot end: the flows of DFFA* are fixed", f));
  }
  void at_link(LinkIndex l, FlowIndex, Message& m) { links_[l].visit(m); }
  void at_source(FlowIndex f, const Message& m) {
    const auto next = flows_[f].loop.next(m);
    carrier_.rate_changed(f);
    if (next) {
      if (flows_[f].loop.is_final()) flows_[f].found_at = carrier_.now();
      return carrier_.send_along(f, *next);
    }
    flows_[f].has_left = true;
    flows_[f].left_at = carrier_.now();
    ++left_;
  }
  [[nodiscard]] bool is_settled() const { return left_ == flows_.size(); }

  [[nodiscard]] const Link& link(LinkIndex l) const { return links_[l]; }
  [[nodiscard]] const Flow& flow(FlowIndex f) const { return flows_[f]; }
  [[nodiscard]] Number rate(FlowIndex f) const {
    return flows_[f].loop.rate() * Number(plane_.weight(f));
  }

  void checkpoint(StateArchive& state) {
    this->checkpoint_parties(state);
    state(links_, flows_, left_);
  }

 private:
  const ControlPlane& plane_;
  Carrier<Message>& carrier_;
  Settings settings_;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::size_t left_ = 0;
};

}  // namespace weir::rates
