#include "weir/workload/chakra/groups.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "weir/traffic/column_reader.hpp"

namespace weir::workload {
namespace {

using nlohmann::json;

/// Nothing where it is no list of whole numbers.
std::optional<std::vector<std::uint32_t>> ranks_of(const json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::uint32_t> ranks;
  for (const json& one : list) {
    if (!one.is_number_unsigned() || one.get<std::uint64_t>() >= kAny) return std::nullopt;
    ranks.push_back(one.get<std::uint32_t>());
  }
  return ranks;
}

/// The list of groups within "['[{..}]']", however it is quoted; nothing where there is none.
std::string list_in(const std::string& values) {
  const std::size_t begin = values.find("[{");
  const std::size_t end = values.rfind("}]");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return values.substr(begin, end + 2 - begin);
}

}  // namespace

void add_groups(const ChakraTrace& trace, std::size_t ranks, ChakraGroups& groups) {
  for (const ChakraNode& node : trace.nodes) {
    if (node.metadata.find("pg_name") == std::string::npos) continue;
    if (node.kind != ChakraKind::nothing) continue;
    const json list = json::parse(list_in(node.metadata), nullptr, false);
    if (!list.is_array()) {
      throw trace.error(node, "its values name groups (pg_name), but are no list of them in JSON");
    }
    for (const json& one : list) {
      const auto name = one.find("pg_name");
      const auto its = one.find("ranks");
      auto members = its == one.end() ? std::nullopt : ranks_of(*its);
      if (name == one.end() || !name->is_string() || !members) {
        throw trace.error(node, "a group needs pg_name and ranks: " + one.dump());
      }
      if (members->empty()) {
        members->resize(ranks);
        std::iota(members->begin(), members->end(), std::uint32_t{0});
      }
      const auto [known, is_new] = groups.try_emplace(name->get<std::string>(), *members);
      if (is_new || known->second == *members) continue;
      throw trace.error(
          node, fmt::format("group '{}' has the ranks {} here and {} elsewhere", known->first,
                            fmt::join(*members, ", "), fmt::join(known->second, ", ")));
    }
  }
}

ChakraGroups read_chakra_groups(const std::string& path) {
  const SourcePosition place{std::make_shared<const std::string>(path), 0, 0};
  std::ifstream in = traffic::open_input(path);
  json file;
  try {
    file = json::parse(in);
  } catch (const json::parse_error& problem) {
    throw InputError(place, "", fmt::format("at byte {}: no JSON", problem.byte));
  }
  if (!file.is_object()) {
    throw InputError(place, "", "must have a list of ranks for each group: {\"1\": [0, 1]}");
  }
  ChakraGroups groups;
  for (const auto& [name, list] : file.items()) {
    const auto members = ranks_of(list);
    if (!members || members->empty()) {
      throw InputError(place, name, "must be a list of ranks, such as [0, 1]");
    }
    groups[name] = *members;
  }
  return groups;
}

}  // namespace weir::workload
