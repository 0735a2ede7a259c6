#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weir/experiment/run/protocol_calculation.hpp"

namespace weir::cli {

/// What a protocol found, in summary.
std::vector<std::vector<std::string>> protocol_rows(
    const experiment::ProtocolCalculation& calculation);
/// Its flows; at most `rows` of them, 0: all.
void print_protocol_flows(const experiment::ProtocolCalculation& calculation,
                          const experiment::RoutedFlows& flows, const topology::Graph& graph,
                          std::size_t rows);
nlohmann::ordered_json protocol_json(const experiment::ProtocolCalculation& calculation,
                                     const experiment::RoutedFlows& flows,
                                     const topology::Graph& graph);

}  // namespace weir::cli
