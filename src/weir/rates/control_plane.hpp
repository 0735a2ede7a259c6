#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/base/state_archive.hpp"
#include "weir/base/units.hpp"
#include "weir/topology/graph.hpp"

namespace weir::rates {

/// Dense numbers of what rate protocols talk about. A link is one direction of a cable.
using ElementIndex = std::uint32_t;
using LinkIndex = std::uint32_t;
using FlowIndex = std::uint32_t;
using ApplicationIndex = std::uint32_t;
constexpr std::uint32_t kNone = UINT32_MAX;

/// Elements, links and routed flows as the protocols of zdornov2009, sections 4.1 and 4.3.3 see
/// them. The agent of a link sits in the element that sends on it. Routes are what route caches
/// would hold: carriers look at them, agents do not.
class ControlPlane {
 public:
  struct Link {
    ElementIndex from = kNone;  ///< kNone: not cabled
    ElementIndex to = kNone;
    LinkIndex back = kNone;               ///< the other direction of the cable, or kNone
    double capacity = 1;                  ///< share of the line rate that the flows may use
    Rate rate = gigabits_per_second(10);  ///< on the wire; the defaults are those of Table 6.2
    Time delay = nanoseconds(15);
  };

  ControlPlane() = default;
  /// All of a graph, without flows: elements are its nodes, links its transmitting ports.
  explicit ControlPlane(const topology::Graph& graph);

  ElementIndex add_element(bool is_host);
  /// Returns the link from `a` to `b`; the one back has the next number.
  LinkIndex add_cable(ElementIndex a, ElementIndex b, double capacity = 1);
  /// `links` from the first of the source to the last into the destination; `back` the way of
  /// answers (empty: against the links). Throws InputError when `links` is empty or does not hang
  /// together, or the weight is not positive.
  FlowIndex add_flow(std::span<const LinkIndex> links, double weight = 1,
                     ApplicationIndex application = 0, std::span<const LinkIndex> back = {});
  /// From now on the flow takes `links`, from its source to its destination; answers go on as
  /// before. Nothing of it may be on its way. Throws InputError as add_flow() does.
  void set_route(FlowIndex flow, std::span<const LinkIndex> links);
  /// Throws InputError when `capacity` is not positive.
  void set_capacity(LinkIndex link, double capacity);

  /// Routes; all else is as it was made.
  void checkpoint(StateArchive& state) { state(links_of_, routes_); }

  [[nodiscard]] std::size_t element_count() const { return is_host_.size(); }
  [[nodiscard]] std::size_t link_count() const { return links_.size(); }
  [[nodiscard]] std::size_t flow_count() const { return weight_.size(); }
  [[nodiscard]] std::size_t application_count() const { return applications_; }

  [[nodiscard]] bool is_host(ElementIndex e) const { return is_host_[e]; }
  [[nodiscard]] const Link& link(LinkIndex l) const { return links_[l]; }
  /// Links that leave an element.
  [[nodiscard]] std::span<const LinkIndex> out(ElementIndex e) const { return out_[e]; }

  [[nodiscard]] std::span<const LinkIndex> route(FlowIndex f) const {
    return part(links_of_, routes_[f]);
  }
  [[nodiscard]] std::span<const LinkIndex> way_back(FlowIndex f) const {
    return part(back_of_, ways_back_[f]);
  }
  [[nodiscard]] double weight(FlowIndex f) const { return weight_[f]; }
  [[nodiscard]] ApplicationIndex application(FlowIndex f) const { return application_[f]; }
  [[nodiscard]] ElementIndex source(FlowIndex f) const { return links_[route(f).front()].from; }
  [[nodiscard]] ElementIndex destination(FlowIndex f) const { return links_[route(f).back()].to; }
  /// Flows that begin at an element.
  [[nodiscard]] std::span<const FlowIndex> flows_from(ElementIndex e) const { return flows_[e]; }

 private:
  struct Part {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  [[nodiscard]] static std::span<const LinkIndex> part(const std::vector<LinkIndex>& all,
                                                       Part which) {
    return std::span(all).subspan(which.first, which.count);
  }
  void check_route(FlowIndex flow, std::span<const LinkIndex> links, const char* what) const;

  std::vector<bool> is_host_;
  std::vector<Link> links_;
  std::vector<std::vector<LinkIndex>> out_;
  std::vector<std::vector<FlowIndex>> flows_;
  std::vector<LinkIndex> links_of_;
  std::vector<Part> routes_;
  std::vector<LinkIndex> back_of_;
  std::vector<Part> ways_back_;
  std::vector<double> weight_;
  std::vector<ApplicationIndex> application_;
  std::size_t applications_ = 0;
};

/// The next link of every element on a shortest way to `target` (kNone there and where there is
/// none): one entry of each forwarding table.
std::vector<LinkIndex> links_toward(const ControlPlane& plane, ElementIndex target);

}  // namespace weir::rates
