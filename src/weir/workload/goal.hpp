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

/// Reads what txt2bin makes of such text. Numbers have their least significant byte first, and
/// nothing is padded, so that the layout is that of every machine txt2bin runs on:
///
///     magic number 4223 (8 bytes), ranks (4), highest cpu (1), highest nic (1),
///     per rank: begin and end (8 each), counted from behind the magic number;
///     there: operations (4), those that wait for none (4), the numbers of these (4 each),
///     per operation (39 bytes): how many it waits for (4), kind (1: 1 send, 2 receive,
///       3 calculation), peer (4), size (8), tag (4), cpu (1), nic (1), how many wait for its end
///       (4), where they begin in the list behind (4), how many wait for its start (4), where (4);
///     behind the operations the numbers of those that wait (4 each).
///
/// All counts, places and lists must agree. Throws InputError with file and byte.
Schedule parse_goal_binary(std::string_view bytes, const std::string& file);
/// It is no text. What it is instead, parse_goal_binary() finds out.
bool is_goal_binary(std::string_view bytes);

/// Text, or what txt2bin made of it.
Schedule read_goal(std::istream& in, const std::string& file);

/// The same schedule as GOAL text, which reads back to an equal one (labels are made anew).
std::string to_goal(const Schedule& schedule);

}  // namespace weir::workload
