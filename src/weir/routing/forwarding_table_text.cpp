// Reads dumps of forwarding tables (man pages dump_fts(8), ibroute(8); OpenSM's opensm-lfts.dump).
//
//   Unicast lids [0x0-0x4] of switch DR path slid 0; dlid 0; 0,3 guid 0x0002c90200000001 (leaf1):
//     Lid  Out   Destination
//          Port     Info
//   0x0001 003 : (Switch portguid 0x0002c90200000002: 'spine1')
//   4 valid lids dumped

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "weir/routing/forwarding_table.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::routing {
namespace {

using topology::excerpt;
using topology::kHighestUnicastLid;
using topology::LineCursor;
using topology::LineReader;

class Parser {
 public:
  Parser(std::string_view text, const std::string& file)
      : reader_(text), dump_{topology::TextPlace(file), {}} {}

  ForwardingDump parse() {
    while (reader_.next()) parse_line();
    if (is_open_) throw cut_off();
    if (dump_.tables.empty()) {
      throw dump_.place.error(
          "no line 'Unicast lids ... of switch ...': this is no output of dump_lfts");
    }
    return std::move(dump_);
  }

 private:
  void parse_line();
  void parse_header(LineCursor cursor);
  void parse_entry(LineCursor cursor);
  void parse_end(LineCursor cursor);
  void sort_entries(ForwardingTable& table) const;
  [[nodiscard]] InputError cut_off() const;
  [[nodiscard]] InputError error(const LineCursor& cursor, std::string_view message) const {
    return dump_.place.error(reader_.number(), cursor.column(), message);
  }

  LineReader reader_;
  ForwardingDump dump_;
  bool is_open_ = false;  ///< between a table's header and its count of LIDs
  std::map<std::uint64_t, std::size_t> line_of_guid_;
};

/// Column titles, and what the tools say around the tables.
bool is_remark(std::string_view rest) {
  return rest.empty() || rest.starts_with('#') || rest.starts_with("Lid ") ||
         rest.starts_with("Port ") || rest.starts_with("*** ") || rest.starts_with("ibwarn:") ||
         rest.starts_with("Switch top is");
}

void Parser::parse_line() {
  LineCursor cursor(reader_.line());
  cursor.skip_blanks();
  const std::string_view rest = cursor.rest();
  if (is_remark(rest)) return;
  if (rest.starts_with("Unicast lids ")) return parse_header(cursor);
  if (rest.starts_with("0x")) return parse_entry(cursor);
  if (rest.front() >= '0' && rest.front() <= '9') return parse_end(cursor);
  if (rest.starts_with("Multicast ")) {
    throw error(cursor, "this is a multicast table: dump the unicast tables (dump_fts without -M)");
  }
  if (rest.starts_with("SubnGet(LFT) failed")) {
    throw error(cursor, fmt::format("the dump is incomplete: {}", excerpt(rest)));
  }
  throw error(cursor, fmt::format("'{}' is no line of a forwarding table dump", excerpt(rest)));
}

InputError Parser::cut_off() const {
  const ForwardingTable& table = dump_.tables.back();
  return dump_.place.error(
      table.line, fmt::format("the table of {} is cut off: no line 'N valid lids dumped' ends it",
                              table.describe()));
}

/// The text between the first and the last parenthesis, without the quotes that OpenSM adds.
std::string_view name_in_parentheses(std::string_view tail) {
  const std::size_t open = tail.find('(');
  const std::size_t close = tail.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || open > close) return {};
  std::string_view name = tail.substr(open + 1, close - open - 1);
  if (name.size() >= 2 && name.front() == '\'' && name.back() == '\'') {
    name.remove_prefix(1);
    name.remove_suffix(1);
  }
  return name;
}

void Parser::parse_header(LineCursor cursor) {
  if (is_open_) throw cut_off();
  const std::string_view rest = cursor.rest();
  const std::size_t at_guid = rest.find(" guid 0x");
  if (rest.find("of switch ") == std::string_view::npos || at_guid == std::string_view::npos) {
    throw error(cursor, "expected 'Unicast lids [..] of switch .. guid 0x.. (name):'");
  }
  cursor.advance(at_guid + std::string_view(" guid 0x").size());
  const LineCursor start = cursor;
  const auto guid = cursor.number(16, UINT64_MAX);
  if (!guid) throw error(cursor, "expected the switch's GUID in hexadecimal");
  const auto [first, is_new] = line_of_guid_.emplace(*guid, reader_.number());
  if (!is_new) {
    throw error(start, fmt::format("second table of switch 0x{:016x}: the first is on line {}",
                                   *guid, first->second));
  }
  ForwardingTable table;
  table.line = reader_.number();
  table.guid = *guid;
  table.name = std::string(name_in_parentheses(cursor.rest()));
  dump_.tables.push_back(std::move(table));
  is_open_ = true;
}

void Parser::parse_entry(LineCursor cursor) {
  if (!is_open_)
    throw error(cursor, "an entry outside of a table: no 'Unicast lids' line stands before it");
  const LineCursor start = cursor;
  cursor.accept("0x");
  const auto lid = cursor.number(16, UINT64_MAX);
  if (!lid || *lid > kHighestUnicastLid) {
    throw error(start,
                fmt::format("expected a unicast LID from 0x0001 to 0x{:04x}", kHighestUnicastLid));
  }
  cursor.skip_blanks();
  const auto port = cursor.number(10, 255);
  if (!port ||
      (!cursor.at_end() && cursor.peek() != ' ' && cursor.peek() != '\t' && cursor.peek() != ':')) {
    throw error(cursor, fmt::format("LID {}: expected an output port from 0 to 255", *lid));
  }
  dump_.tables.back().entries.push_back({static_cast<std::uint16_t>(*lid),
                                         static_cast<std::uint8_t>(*port),
                                         static_cast<std::uint32_t>(reader_.number())});
}

void Parser::parse_end(LineCursor cursor) {
  const LineCursor start = cursor;
  const auto count = cursor.number(10, UINT64_MAX);
  cursor.skip_blanks();
  cursor.accept("valid ");
  if (!count || !cursor.accept("lids dumped")) {
    throw error(start,
                fmt::format("'{}' is no line of a forwarding table dump", excerpt(start.rest())));
  }
  if (!is_open_) throw error(start, "a count of LIDs outside of a table");
  ForwardingTable& table = dump_.tables.back();
  if (*count != table.entries.size()) {
    throw error(
        start,
        fmt::format(
            "the table of {} has {} entries, but {} were dumped: lines are missing or too many",
            table.describe(), table.entries.size(), *count));
  }
  sort_entries(table);
  is_open_ = false;
}

void Parser::sort_entries(ForwardingTable& table) const {
  auto& entries = table.entries;
  const auto by_lid = [](const auto& a, const auto& b) { return a.lid < b.lid; };
  if (!std::is_sorted(entries.begin(), entries.end(), by_lid)) {
    std::stable_sort(entries.begin(), entries.end(), by_lid);
  }
  const auto twice = std::adjacent_find(
      entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.lid == b.lid; });
  if (twice == entries.end()) return;
  throw dump_.place.error(std::next(twice)->line,
                          fmt::format("second entry of {} for LID {}: the first is on line {}",
                                      table.describe(), twice->lid, twice->line));
}

}  // namespace

std::string ForwardingTable::describe() const {
  return fmt::format("switch '{}' (0x{:016x})", excerpt(name), guid);
}

ForwardingDump parse_forwarding_tables(std::string_view text, const std::string& file) {
  return Parser(text, file).parse();
}

}  // namespace weir::routing
