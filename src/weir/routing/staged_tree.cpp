#include "weir/routing/staged_tree.hpp"

#include <utility>

#include "weir/base/error.hpp"
#include "weir/routing/staged_tree_proof.hpp"

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
    : up_(up),
      stages_(std::move(stages)),
      table_{stages_.size(), std::move(places), std::move(digits)} {
  if (stages_.empty() || table_.digits.size() % stages_.size() != 0) {
    throw RunError("staged routing: digit table and stages do not match");
  }
}

std::uint8_t StagedTree::up_port(const RouteQuery& query, std::uint32_t stage) const {
  switch (up_) {
    case UpChoice::destination:
      return table_.of(query.destination, stage).up;
    case UpChoice::source:
      return table_.of(query.source, stage).up;
    case UpChoice::hash:
      break;
  }
  const Stage& here = stages_[stage];
  return static_cast<std::uint8_t>(here.first_up + pair_hash(query, stage, here.ups));
}

std::uint8_t StagedTree::down_port(const RouteQuery& query, std::uint32_t stage) const {
  const Digits& to = table_.of(query.destination, stage);
  switch (up_) {
    case UpChoice::destination:
      return static_cast<std::uint8_t>(to.child + to.parallel);
    case UpChoice::source:
      return static_cast<std::uint8_t>(to.child + table_.of(query.source, stage).parallel);
    case UpChoice::hash:
      break;
  }
  return static_cast<std::uint8_t>(to.child + pair_hash(query, stage, stages_[stage].parallel));
}

bool StagedTree::is_proven(const topology::Graph& graph) const {
  return StagedTreeProof(graph, stages_, table_.places, table_.digits).holds();
}

Candidate StagedTree::default_route(const RouteQuery& query) const {
  if (up_ == UpChoice::destination) return {table_.port(query.at, query.destination), 0};
  const Place& place = table_.places[query.at.index()];
  const Digits& to = table_.of(query.destination, place.stage);
  const bool below = to.subtree == place.subtree;
  return {below ? down_port(query, place.stage) : up_port(query, place.stage), 0};
}

void StagedTree::candidates(const RouteQuery& query, CandidateList& out) const {
  const Place& place = table_.places[query.at.index()];
  const Stage& stage = stages_[place.stage];
  const Digits& to = table_.of(query.destination, place.stage);
  if (to.subtree == place.subtree) {
    add_range(out, down_port(query, place.stage), to.child, stage.parallel);
  } else {
    add_range(out, up_port(query, place.stage), stage.first_up, stage.ups);
  }
}

}  // namespace weir::routing
