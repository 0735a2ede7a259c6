#include "weir/routing/staged_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "weir/base/error.hpp"

namespace weir::routing {
namespace {

/// 0 .. bound-1 from source, destination and stage. Finalizer of SplitMix64 (Steele et al. 2014).
std::uint8_t pair_hash(const RouteQuery& query, std::uint32_t stage, std::uint16_t bound) {
  std::uint64_t x = (std::uint64_t{query.source.value} << 32U) | query.destination.value;
  x += (stage + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  x ^= x >> 31U;
  return static_cast<std::uint8_t>(((x & 0xffffffffU) * bound) >> 32U);
}

void add_range(CandidateList& out, std::uint8_t preferred, std::uint16_t first,
               std::uint16_t count) {
  out.add({preferred, 0});
  for (std::uint16_t port = first; port < first + count; ++port) {
    if (port != preferred) out.add({port, 0});
  }
}

}  // namespace

StagedTree::StagedTree(UpChoice up, std::vector<Stage> stages, std::vector<Place> places,
                       std::vector<Digits> digits)
    : up_(up), stages_(std::move(stages)), places_(std::move(places)), digits_(std::move(digits)) {
  if (stages_.empty() || digits_.size() % stages_.size() != 0) {
    throw RunError("staged routing: digit table and stages do not match");
  }
}

std::uint8_t StagedTree::up_port(const RouteQuery& query, std::uint32_t stage) const {
  switch (up_) {
    case UpChoice::destination:
      return digits(query.destination, stage).up;
    case UpChoice::source:
      return digits(query.source, stage).up;
    case UpChoice::hash:
      break;
  }
  const Stage& here = stages_[stage];
  return static_cast<std::uint8_t>(here.first_up + pair_hash(query, stage, here.ups));
}

std::uint8_t StagedTree::down_port(const RouteQuery& query, std::uint32_t stage) const {
  const Digits& to = digits(query.destination, stage);
  switch (up_) {
    case UpChoice::destination:
      return static_cast<std::uint8_t>(to.child + to.parallel);
    case UpChoice::source:
      return static_cast<std::uint8_t>(to.child + digits(query.source, stage).parallel);
    case UpChoice::hash:
      break;
  }
  return static_cast<std::uint8_t>(to.child + pair_hash(query, stage, stages_[stage].parallel));
}

bool StagedTree::goes_up(const topology::Graph& graph) const {
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const Place& place = places_[s];
    if (place.stage >= stages_.size()) return false;
    const Stage& stage = stages_[place.stage];
    const NodeId node = graph.node(SwitchId(s));
    if (stage.first_up + stage.ups > graph.degree(node)) return false;
    for (std::uint16_t up = 0; up < stage.ups; ++up) {
      const PortId to = graph.port(graph.port(node, stage.first_up + up)).to;
      if (!to.valid() || graph.is_host(graph.port(to).node)) return false;
      if (places_[graph.switch_of(graph.port(to).node).index()].stage != place.stage + 1)
        return false;
    }
  }
  return true;
}

bool StagedTree::goes_down(const topology::Graph& graph) const {
  constexpr std::uint32_t kNowhere = UINT32_MAX;
  // Where a down port leads, of all switches of a stage with one subtree: a subtree of the stage
  // below or, from the lowest, a host.
  std::vector<std::vector<std::uint32_t>> below(stages_.size());
  std::vector<std::uint32_t> subtrees(stages_.size(), 0);
  for (const Place& place : places_)
    subtrees[place.stage] = std::max(subtrees[place.stage], place.subtree + 1);
  for (std::size_t j = 0; j < stages_.size(); ++j)
    below[j].assign(std::size_t{subtrees[j]} * 256, kNowhere);
  std::vector<std::vector<bool>> is_known(stages_.size());
  for (std::size_t j = 0; j < stages_.size(); ++j) is_known[j].assign(subtrees[j], false);
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const Place& place = places_[s];
    const NodeId node = graph.node(SwitchId(s));
    std::uint32_t* const row = &below[place.stage][std::size_t{place.subtree} * 256];
    const bool is_first = !is_known[place.stage][place.subtree];
    is_known[place.stage][place.subtree] = true;
    for (std::size_t port = 0; port < graph.degree(node); ++port) {
      const Stage& stage = stages_[place.stage];
      if (port >= stage.first_up && port < std::size_t{stage.first_up} + stage.ups) continue;
      const PortId to = graph.port(graph.port(node, port)).to;
      std::uint32_t there = kNowhere;
      if (to.valid()) {
        const NodeId next = graph.port(to).node;
        if (graph.is_host(next)) {
          if (place.stage == 0) there = graph.host(next).value;
        } else if (const Place& its = places_[graph.switch_of(next).index()];
                   its.stage + 1 == place.stage) {
          there = its.subtree;
        }
      }
      if (is_first) row[port] = there;
      if (row[port] != there) row[port] = kNowhere;
    }
  }
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    if (graph.is_host(graph.port(graph.port(graph.host_port(HostId(h))).to).node)) return false;
    for (std::uint32_t j = 0; j < stages_.size(); ++j) {
      const Digits& d = digits(HostId(h), j);
      const Stage& stage = stages_[j];
      if (stage.ups == 0) {
        // Nothing is above these switches: each of them has to be above this host.
        if (subtrees[j] != 1 || d.subtree != 0) return false;
      } else if (d.up < stage.first_up || d.up >= stage.first_up + stage.ups) {
        return false;
      }
      if (d.subtree >= subtrees[j] || d.parallel >= stage.parallel) return false;
      const std::uint32_t aim = j == 0 ? h : digits(HostId(h), j - 1).subtree;
      for (std::size_t cable = 0; cable < stage.parallel; ++cable) {
        const std::size_t port = d.child + cable;
        if (port >= 256 || below[j][std::size_t{d.subtree} * 256 + port] != aim) return false;
      }
    }
  }
  return true;
}

bool StagedTree::is_proven(const topology::Graph& graph) const {
  return digits_.size() == graph.host_count() * stages_.size() &&
         places_.size() == graph.switch_count() && goes_up(graph) && goes_down(graph);
}

Candidate StagedTree::default_route(const RouteQuery& query) const {
  const Place& place = places_[query.at.index()];
  const Digits& to = digits(query.destination, place.stage);
  const bool below = to.subtree == place.subtree;
  if (up_ == UpChoice::destination) {
    return {below ? static_cast<std::uint8_t>(to.child + to.parallel) : to.up, 0};
  }
  return {below ? down_port(query, place.stage) : up_port(query, place.stage), 0};
}

void StagedTree::candidates(const RouteQuery& query, CandidateList& out) const {
  const Place& place = places_[query.at.index()];
  const Stage& stage = stages_[place.stage];
  const Digits& to = digits(query.destination, place.stage);
  if (to.subtree == place.subtree) {
    add_range(out, down_port(query, place.stage), to.child, stage.parallel);
  } else {
    add_range(out, up_port(query, place.stage), stage.first_up, stage.ups);
  }
}

}  // namespace weir::routing
