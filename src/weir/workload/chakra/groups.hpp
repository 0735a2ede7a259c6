#pragma once

#include <string>

#include "weir/workload/chakra/schedule.hpp"

namespace weir::workload {

/// Adds the groups that nodes of a trace name: PyTorch writes pg_name and ranks of each as JSON
/// into the values of a METADATA_NODE. Throws InputError where a group has other ranks than before.
void add_groups(const ChakraTrace& trace, std::size_t ranks, ChakraGroups& groups);

}  // namespace weir::workload
