#include "weir/routing/staged_tree_proof.hpp"

#include <algorithm>

namespace weir::routing {

bool StagedTreeProof::holds() {
  if (!do_sizes_fit()) return false;
  for (std::size_t s = 0; s < places_.size(); ++s)
    if (!goes_up(s)) return false;
  find_ways_down();
  for (std::uint32_t h = 0; h < graph_.host_count(); ++h) {
    if (graph_.is_host(graph_.port(graph_.port(graph_.host_port(HostId(h))).to).node)) return false;
    for (std::uint32_t stage = 0; stage < stages_.size(); ++stage)
      if (!goes_down(h, stage)) return false;
  }
  return true;
}

bool StagedTreeProof::do_sizes_fit() const {
  return digits_.size() == graph_.host_count() * stages_.size() &&
         places_.size() == graph_.switch_count() &&
         std::all_of(places_.begin(), places_.end(),
                     [&](const auto& place) { return place.stage < stages_.size(); });
}

bool StagedTreeProof::goes_up(std::size_t s) const {
  const StagedTree::Stage& stage = stages_[places_[s].stage];
  const NodeId node = graph_.node(SwitchId(s));
  if (stage.first_up + stage.ups > graph_.degree(node)) return false;
  for (std::uint16_t up = 0; up < stage.ups; ++up) {
    const PortId to = graph_.port(graph_.port(node, stage.first_up + up)).to;
    if (!to.valid() || graph_.is_host(graph_.port(to).node)) return false;
    const std::size_t above = graph_.switch_of(graph_.port(to).node).index();
    if (places_[above].stage != places_[s].stage + 1) return false;
  }
  return true;
}

std::uint32_t StagedTreeProof::behind(std::size_t s, std::size_t port) const {
  const PortId to = graph_.port(graph_.port(graph_.node(SwitchId(s)), port)).to;
  if (!to.valid()) return kNowhere;
  const NodeId next = graph_.port(to).node;
  const std::uint32_t stage = places_[s].stage;
  if (graph_.is_host(next)) return stage == 0 ? graph_.host(next).value : kNowhere;
  const StagedTree::Place& place = places_[graph_.switch_of(next).index()];
  return place.stage + 1 == stage ? place.subtree : kNowhere;
}

void StagedTreeProof::find_ways_down() {
  subtrees_.assign(stages_.size(), 0);
  for (const StagedTree::Place& place : places_)
    subtrees_[place.stage] = std::max(subtrees_[place.stage], place.subtree + 1);
  std::vector<std::vector<bool>> is_known;
  for (const std::uint32_t subtrees : subtrees_) {
    ways_down_.emplace_back(subtrees * kMostPorts, kNowhere);
    is_known.emplace_back(subtrees, false);
  }
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const auto [subtree, stage] = places_[s];
    const std::size_t ports = std::min(graph_.degree(graph_.node(SwitchId(s))), kMostPorts);
    for (std::size_t port = 0; port < ports; ++port) {
      std::uint32_t& way = way_down(stage, subtree, port);
      const std::uint32_t there = behind(s, port);
      way = !is_known[stage][subtree] || way == there ? there : kNowhere;
    }
    is_known[stage][subtree] = true;
  }
}

bool StagedTreeProof::goes_down(std::uint32_t host, std::uint32_t stage) {
  const std::size_t own = host * stages_.size();
  const StagedTree::Digits& at = digits_[own + stage];
  const StagedTree::Stage& here = stages_[stage];
  if (here.ups == 0) {
    if (subtrees_[stage] != 1 || at.subtree != 0) return false;
  } else if (at.up < here.first_up || at.up >= here.first_up + here.ups) {
    return false;
  }
  if (at.subtree >= subtrees_[stage] || at.parallel >= here.parallel) return false;
  const std::uint32_t aim = stage == 0 ? host : digits_[own + stage - 1].subtree;
  for (std::size_t cable = 0; cable < here.parallel; ++cable) {
    const std::size_t port = at.child + cable;
    if (port >= kMostPorts || way_down(stage, at.subtree, port) != aim) return false;
  }
  return true;
}

}  // namespace weir::routing
