#pragma once

#include <vector>

#include "weir/routing/routing.hpp"

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
  /// Digits of one host at one stage.
  struct Digits {
    std::uint32_t subtree = 0;  ///< equals Place::subtree of the switches above this host
    std::uint8_t child = 0;     ///< first down port toward the host
    std::uint8_t parallel = 0;  ///< offset to the parallel down port that its default route takes
    std::uint8_t up = 0;        ///< up port (local number) that its default route takes
  };
  struct Place {
    std::uint32_t subtree = 0;
    std::uint32_t stage = 0;  ///< from 0
  };
  struct Stage {
    std::uint16_t parallel = 1;  ///< cables to each child
    std::uint16_t first_up = 0;
    std::uint16_t ups = 0;  ///< 0 at the top
  };

  /// `digits` holds stages.size() entries a host, `places` one entry a switch.
  StagedTree(UpChoice up, std::vector<Stage> stages, std::vector<Place> places,
             std::vector<Digits> digits);

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override;
  /// The default route first; then all other up ports, or all other cables to the child.
  void candidates(const RouteQuery& query, CandidateList& out) const override;
  [[nodiscard]] bool depends_on_source() const override { return up_ != UpChoice::destination; }
  /// See StagedTreeProof.
  [[nodiscard]] bool is_proven(const topology::Graph& graph) const override;

 private:
  [[nodiscard]] const Digits& digits(HostId host, std::uint32_t stage) const {
    return digits_[host.index() * stages_.size() + stage];
  }
  [[nodiscard]] std::uint8_t up_port(const RouteQuery& query, std::uint32_t stage) const;
  [[nodiscard]] std::uint8_t down_port(const RouteQuery& query, std::uint32_t stage) const;

  UpChoice up_;
  std::vector<Stage> stages_;
  std::vector<Place> places_;
  std::vector<Digits> digits_;
};

}  // namespace weir::routing
