#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/error.hpp"

namespace weir::workload {

/// What a node of a Chakra trace is, as far as a schedule can have it.
enum class ChakraKind : std::uint8_t { nothing, computation, send, receive, collective };

/// A node of the trace of one rank.
struct ChakraNode {
  std::uint64_t id = 0;
  std::string name;
  ChakraKind kind = ChakraKind::nothing;
  bool is_memory = false;  ///< of computations: a load or store
  bool is_on_host = false;
  std::uint64_t microseconds = 0;
  std::vector<std::uint64_t> waits_for;          ///< ids, each once
  std::map<std::string, std::uint64_t> numbers;  ///< attributes: comm_size, comm_dst, ..
  std::string group;                             ///< pg_name; empty: all ranks
  std::string metadata;                          ///< values of a node without anything to do
};

/// The trace of one rank, in the order of ids.
struct ChakraTrace {
  std::shared_ptr<const std::string> file;
  std::vector<ChakraNode> nodes;

  [[nodiscard]] InputError error(const ChakraNode& node, std::string_view text) const;
};

/// Reads a trace: messages of protobuf, each behind its length, gzipped or not, or the same
/// messages as JSON, one behind the other, as Chakra's jsonizer writes them. A file is JSON when
/// its name ends so. The first message is the metadata, all others are nodes. Throws InputError
/// with file, and byte or node.
ChakraTrace read_chakra(const std::string& path);
/// The same of what stands in the file. `file`: its name, which tells JSON.
ChakraTrace parse_chakra(std::string bytes, const std::string& file);

}  // namespace weir::workload
