#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "weir/experiment/config/flows.hpp"
#include "weir/topology/graph.hpp"

namespace weir::experiment {

/// Reads the paths that flows say themselves (`path` of [[flow]]).
class PathReader {
 public:
  /// `graph` must outlive the reader.
  explicit PathReader(const topology::Graph& graph) : graph_(graph) {}

  /// Transmitting ports from the source's own to the last into the destination. Throws InputError
  /// for a port that there is not, and for a path that is broken, comes to a port twice or does not
  /// end at the destination.
  std::vector<PortId> read(const Checked<FlowKeys>& flow, HostId source, HostId destination);

 private:
  [[nodiscard]] PortId find(const Checked<FlowKeys>& flow, const std::string& name);

  const topology::Graph& graph_;
  std::unordered_map<std::string, PortId> ports_;  ///< with cables, by name; empty: not needed yet
};

}  // namespace weir::experiment
