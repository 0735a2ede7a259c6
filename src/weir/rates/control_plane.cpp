#include "weir/rates/control_plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "weir/base/error.hpp"

namespace weir::rates {

ControlPlane::ControlPlane(const topology::Graph& graph) {
  for (std::size_t n = 0; n < graph.node_count(); ++n) add_element(graph.is_host(NodeId(n)));
  links_.resize(graph.port_count());
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    const topology::Port& port = graph.port(PortId(p));
    if (!port.to.valid()) continue;
    const topology::Port& peer = graph.port(port.to);
    Link& link = links_[p];
    link.from = port.node.value;
    link.to = peer.node.value;
    if (port.to == port.from) link.back = port.to.value;
    link.rate = port.link.rate;
    link.delay = port.link.delay;
    out_[link.from].push_back(static_cast<LinkIndex>(p));
  }
}

ElementIndex ControlPlane::add_element(bool is_host) {
  is_host_.push_back(is_host);
  out_.emplace_back();
  flows_.emplace_back();
  return static_cast<ElementIndex>(is_host_.size() - 1);
}

LinkIndex ControlPlane::add_cable(ElementIndex a, ElementIndex b, double capacity) {
  const auto there = static_cast<LinkIndex>(links_.size());
  const LinkIndex back = there + 1;
  Link link;
  link.from = a;
  link.to = b;
  link.back = back;
  links_.push_back(link);
  std::swap(link.from, link.to);
  link.back = there;
  links_.push_back(link);
  out_[a].push_back(there);
  out_[b].push_back(back);
  set_capacity(there, capacity);
  set_capacity(back, capacity);
  return there;
}

void ControlPlane::set_capacity(LinkIndex link, double capacity) {
  if (!std::isfinite(capacity) || capacity <= 0) {
    throw InputError(fmt::format("capacity of link {} is {}: must be positive", link, capacity));
  }
  links_[link].capacity = capacity;
}

void ControlPlane::check_route(FlowIndex flow, std::span<const LinkIndex> links,
                               const char* what) const {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const bool exists = links[i] < links_.size() && links_[links[i]].from != kNone;
    if (exists && (i == 0 || links_[links[i - 1]].to == links_[links[i]].from)) continue;
    throw InputError(fmt::format("flow {}: {} is broken at its link {}", flow, what, i));
  }
}

FlowIndex ControlPlane::add_flow(std::span<const LinkIndex> links, double weight,
                                 ApplicationIndex application, std::span<const LinkIndex> back) {
  const auto flow = static_cast<FlowIndex>(flow_count());
  if (links.empty()) throw InputError(fmt::format("flow {} has no route", flow));
  if (!std::isfinite(weight) || weight <= 0) {
    throw InputError(fmt::format("weight of flow {} is {}: must be positive", flow, weight));
  }
  check_route(flow, links, "the route");
  check_route(flow, back, "the way of answers");
  routes_.push_back({links_of_.size(), links.size()});
  links_of_.insert(links_of_.end(), links.begin(), links.end());
  const std::size_t first_back = back_of_.size();
  if (back.empty()) {
    for (auto l = links.rbegin(); l != links.rend(); ++l) {
      if (links_[*l].back != kNone) back_of_.push_back(links_[*l].back);
    }
  } else {
    back_of_.insert(back_of_.end(), back.begin(), back.end());
  }
  ways_back_.push_back({first_back, back_of_.size() - first_back});
  weight_.push_back(weight);
  application_.push_back(application);
  applications_ = std::max<std::size_t>(applications_, application + std::size_t{1});
  flows_[source(flow)].push_back(flow);
  return flow;
}

void ControlPlane::set_route(FlowIndex flow, std::span<const LinkIndex> links) {
  if (links.empty()) throw InputError(fmt::format("flow {} has no route", flow));
  check_route(flow, links, "the route");
  if (links_[links.front()].from != source(flow) || links_[links.back()].to != destination(flow)) {
    throw InputError(fmt::format("flow {}: the route is one between other hosts", flow));
  }
  Part& route = routes_[flow];
  // What is longer than before goes to the end.
  if (links.size() > route.count) {
    route.first = links_of_.size();
    links_of_.resize(links_of_.size() + links.size());
  }
  route.count = links.size();
  std::copy(links.begin(), links.end(),
            links_of_.begin() + static_cast<std::ptrdiff_t>(route.first));
}

std::vector<LinkIndex> links_toward(const ControlPlane& plane, ElementIndex target) {
  std::vector<LinkIndex> next(plane.element_count(), kNone);
  std::vector<bool> is_known(plane.element_count(), false);
  std::queue<ElementIndex> open;
  open.push(target);
  is_known[target] = true;
  while (!open.empty()) {
    const ElementIndex e = open.front();
    open.pop();
    for (const LinkIndex away : plane.out(e)) {
      const ControlPlane::Link& link = plane.link(away);
      if (link.back == kNone || is_known[link.to]) continue;
      is_known[link.to] = true;
      next[link.to] = link.back;
      open.push(link.to);
    }
  }
  return next;
}

}  // namespace weir::rates
