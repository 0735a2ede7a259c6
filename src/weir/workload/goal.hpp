#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "weir/workload/schedule.hpp"

namespace weir::workload {

/// Reads a schedule in GOAL, the text that LogGOPSim's txt2bin reads and schedule generators write:
///
///     num_ranks 2
///     rank 0 {
///       l1: calc 100                        // ns
///       l2: send 10b to 1 tag 2 cpu 0 nic 0
///       l2 requires l1
///     }
///     rank 1 { l1: recv 10b from 0 tag 2
///     }
///
/// Statements end with their line or with the brace behind them. A receive may be from -1 and have
/// tag -1: any. Labels, tags, cpus and nics may be left out; comments are // and /* */. Beyond
/// txt2bin: comments may stand anywhere, options in any order, a label may be used before it is
/// given, and the file may leave out ranks that do nothing. `file` is the text's name in messages.
/// Throws InputError with file, line and column.
Schedule parse_goal(std::string_view text, const std::string& file);
Schedule read_goal(std::istream& in, const std::string& file);

/// The same schedule as GOAL text, which reads back to an equal one (labels are made anew).
std::string to_goal(const Schedule& schedule);

}  // namespace weir::workload
