#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weir/workload/chakra/trace.hpp"
#include "weir/workload/schedule.hpp"

namespace weir::workload {

/// Who takes part in collective operations, by pg_name.
using ChakraGroups = std::map<std::string, std::vector<std::uint32_t>>;

/// What a trace leaves open.
struct ChakraChoices {
  bool has_rings = true;         ///< all-reduces in rings, else by recursive doubling
  double operations_per_ns = 0;  ///< of nodes with num_ops in place of a duration; 0: not known
  ChakraGroups groups;           ///< beside those that nodes of the trace name
};

/// CPUs of a rank, which work side by side.
enum class ChakraCpu : std::uint8_t { device, communication, host, memory };

/// Tags from here on are those of collective operations.
inline constexpr std::uint32_t kFirstCollectiveTag = std::uint32_t{1} << 31;

/// The traces of all ranks, in their order, as a schedule. Throws InputError with file and node.
Schedule schedule_of(const std::vector<ChakraTrace>& traces, const ChakraChoices& choices);

/// {"1": [0, 1], ..}: a file of groups as ASTRA-sim has it. Throws InputError.
ChakraGroups read_chakra_groups(const std::string& path);

}  // namespace weir::workload
