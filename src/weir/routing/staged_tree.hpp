#pragma once

#include <vector>

#include "weir/routing/routing.hpp"
#include "weir/routing/tree_table.hpp"

namespace weir::routing {

/// What chooses the up port of a packet, and its cable among parallel ones.
enum class UpChoice : std::uint8_t { destination, source, hash };

struct UpSettings {
  UpChoice up = UpChoice::destination;
};

/// Up to a switch above the destination, then down: the common form of the routings on trees and
/// bidirectional multistage networks. Per packet and switch it reads one 8-byte digit entry.
///
/// Ports of a stage: child c over parallel link j is port c * parallel + j; up ports are
/// contiguous.
class StagedTree : public RoutingFunction {
 public:
  using Digits = TreeTable::Digits;
  using Place = TreeTable::Place;
  struct Stage {
    std::uint16_t parallel = 1;  ///< cables to each child
    std::uint16_t first_up = 0;
    std::uint16_t ups = 0;  ///< 0 at the top
  };

  /// `digits` holds stages.size() entries a host, `places` one entry a switch.
  StagedTree(UpChoice up, std::vector<Stage> stages, std::vector<Place> places,
             std::vector<Digits> digits);

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override;
  [[nodiscard]] const TreeTable* tree_table() const override {
    return up_ == UpChoice::destination ? &table_ : nullptr;
  }
  /// The default route first; then all other up ports, or all other cables to the child.
  void candidates(const RouteQuery& query, CandidateList& out) const override;
  [[nodiscard]] bool depends_on_source() const override { return up_ != UpChoice::destination; }
  /// See StagedTreeProof.
  [[nodiscard]] bool is_proven(const topology::Graph& graph) const override;

 private:
  [[nodiscard]] std::uint8_t up_port(const RouteQuery& query, std::uint32_t stage) const;
  [[nodiscard]] std::uint8_t down_port(const RouteQuery& query, std::uint32_t stage) const;

  UpChoice up_;
  std::vector<Stage> stages_;
  TreeTable table_;
};

}  // namespace weir::routing
