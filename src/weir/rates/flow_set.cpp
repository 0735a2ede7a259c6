#include "weir/rates/flow_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/base/error.hpp"

namespace weir::rates {

FlowSetBuilder::FlowSetBuilder(std::vector<Fraction> capacities)
    : last_user_(capacities.size(), UINT32_MAX) {
  for (std::size_t l = 0; l < capacities.size(); ++l) {
    if (capacities[l].value() < 0) {
      throw InputError(
          fmt::format("the capacity of link {} is negative: {}", l, capacities[l].to_string()));
    }
  }
  set_.capacities_ = std::move(capacities);
}

FlowSetBuilder::FlowSetBuilder(std::size_t links)
    : FlowSetBuilder(std::vector<Fraction>(links, Fraction(1))) {}

void FlowSetBuilder::reserve(std::size_t flows, std::size_t total_length) {
  set_.first_.reserve(flows + 1);
  set_.links_.reserve(total_length);
}

FlowId FlowSetBuilder::add(std::span<const LinkId> path, const Fraction& weight,
                           ApplicationId application) {
  const FlowId flow(set_.flow_count());
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("flow {}: {}", flow.value, why));
  };
  if (path.empty()) refuse("its path has no link");
  if (!(weight.value() > 0)) {
    refuse(fmt::format("weights are greater than 0, this is {}", weight.to_string()));
  }
  for (const LinkId link : path) {
    if (link.index() >= set_.link_count()) {
      refuse(
          fmt::format("link {} of its path is not among {} links", link.value, set_.link_count()));
    }
    if (last_user_[link.index()] == flow.value) {
      refuse(fmt::format("its path crosses link {} twice", link.value));
    }
    if (set_.capacity(link).is_zero()) {
      refuse(fmt::format("link {} of its path has no capacity", link.value));
    }
    last_user_[link.index()] = flow.value;
  }
  set_.links_.insert(set_.links_.end(), path.begin(), path.end());
  if (set_.links_.size() > UINT32_MAX) refuse("all paths together are longer than 2^32 links");
  set_.first_.push_back(static_cast<std::uint32_t>(set_.links_.size()));
  if (set_.weights_.empty() && weight != Fraction(1)) {
    set_.weights_.assign(flow.index(), Fraction(1));
  }
  if (set_.is_weighted() || weight != Fraction(1)) set_.weights_.push_back(weight);
  if (set_.application_of_.empty() && application.value != 0) {
    set_.application_of_.assign(flow.index(), ApplicationId(0));
  }
  if (!set_.application_of_.empty() || application.value != 0) {
    set_.application_of_.push_back(application);
  }
  set_.applications_ = std::max(set_.applications_, application.index() + 1);
  return flow;
}

FlowId FlowSetBuilder::add(std::initializer_list<int> path, const Fraction& weight,
                           ApplicationId application) {
  std::vector<LinkId> links;
  for (const int link : path) links.emplace_back(link);
  return add(links, weight, application);
}

FlowSet FlowSetBuilder::build() {
  if (set_.flow_count() == 0) throw InputError("there is no flow");
  std::vector<bool> has_flow(set_.applications_);
  if (set_.application_of_.empty()) has_flow[0] = true;
  for (const ApplicationId a : set_.application_of_) has_flow[a.index()] = true;
  const auto none = std::find(has_flow.begin(), has_flow.end(), false);
  if (none != has_flow.end()) {
    throw InputError(fmt::format("application {} has no flow, application {} has",
                                 none - has_flow.begin(), set_.applications_ - 1));
  }
  return std::exchange(set_, FlowSet());
}

FlowsByLink::FlowsByLink(const FlowSet& set)
    : first_(set.link_count() + 1), flows_(set.total_length()) {
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    for (const LinkId l : set.path(FlowId(f))) ++first_[l.index() + 1];
  }
  for (std::size_t l = 0; l < set.link_count(); ++l) first_[l + 1] += first_[l];
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    for (const LinkId l : set.path(FlowId(f))) flows_[next[l.index()]++] = FlowId(f);
  }
}

std::vector<Fraction> link_weights(const FlowSet& set) {
  std::vector<Fraction> weights(set.link_count());
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    const Fraction weight = set.weight(FlowId(f));
    for (const LinkId l : set.path(FlowId(f))) weights[l.index()] += weight;
  }
  for (std::size_t l = 0; l < weights.size(); ++l) {
    if (!weights[l].is_zero()) weights[l] = weights[l] / set.capacity(LinkId(l));
  }
  return weights;
}

std::vector<std::uint32_t> contention(const FlowSet& set) {
  std::vector<std::uint32_t> flows(set.link_count());
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    for (const LinkId l : set.path(FlowId(f))) ++flows[l.index()];
  }
  return flows;
}

}  // namespace weir::rates
