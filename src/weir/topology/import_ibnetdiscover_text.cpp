// Reads what ibnetdiscover prints (format as of infiniband-diags 44, man page ibnetdiscover(8) and
// its real output): blocks of a node line and one line a cabled port.
//
//   Switch  36 "S-0002c90200000001"   # "leaf1" base port 0 lid 3 lmc 0
//   [1]  "H-0002c90300000000"[1](2c90300000001)   # "node1 HCA-1" lid 7 4xHDR
//
//   Ca  1 "H-0002c90300000000"   # "node1 HCA-1"
//   [1](2c90300000001)  "S-0002c90200000001"[1]   # lid 7 lmc 0 "leaf1" lid 3 4xHDR

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::topology {
namespace {

/// Of a node: InfiniBand Architecture vol. 1, NodeInfo:NumPorts.
constexpr std::size_t kMostInfinibandPorts = 254;
constexpr std::uint64_t kHighestLidField = 0xFFFF;
constexpr std::uint64_t kHighestLmc = 7;

/// Data rate of one lane in bit/s after line coding (InfiniBand Architecture vol. 2; IBTA roadmap).
/// SDR to QDR: 8b/10b. FDR10, FDR, EDR: 64b/66b. HDR and up: 256b/257b within RS-FEC(544,514).
struct ReadLaneSpeed {
  std::string_view name;
  std::int64_t rate;
};
constexpr std::array kReadLaneSpeeds{
    ReadLaneSpeed{"SDR", 2'000'000'000},   ReadLaneSpeed{"DDR", 4'000'000'000},
    ReadLaneSpeed{"QDR", 8'000'000'000},   ReadLaneSpeed{"FDR10", 10'000'000'000},
    ReadLaneSpeed{"FDR", 13'636'363'636},  ReadLaneSpeed{"EDR", 25'000'000'000},
    ReadLaneSpeed{"HDR", 50'000'000'000},  ReadLaneSpeed{"NDR", 100'000'000'000},
    ReadLaneSpeed{"XDR", 200'000'000'000}, ReadLaneSpeed{"???", 0},
};
constexpr std::array<int, 5> kWidths{1, 2, 4, 8, 12};

/// What a node id in quotes says: "S-0002c90200000001".
struct NodeKey {
  char kind;
  std::uint64_t guid;
};

class IbnetdiscoverParser {
 public:
  IbnetdiscoverParser(std::string_view text, const std::string& file)
      : reader_(text), subnet_{TextPlace(file), {}} {}

  DiscoveredSubnet parse() {
    while (reader_.next()) parse_line();
    if (subnet_.nodes.empty()) {
      throw subnet_.place.error("no 'Switch' or 'Ca' line: this is no output of ibnetdiscover");
    }
    for (auto& node : subnet_.nodes) sort_ports(node);
    return std::move(subnet_);
  }

 private:
  void parse_line();
  void parse_node(char kind, LineCursor cursor);
  void parse_port(LineCursor cursor);
  void parse_switch_comment(DiscoveredNode& node, LineCursor cursor);
  void parse_port_comment(const DiscoveredNode& node, DiscoveredPort& port, LineCursor cursor);
  /// What stands behind a port number; returns the port's GUID, or 0.
  std::uint64_t brackets_and_guid(LineCursor& cursor) const;
  void sort_ports(DiscoveredNode& node) const;

  std::uint64_t bracketed_port(LineCursor& cursor) const;
  NodeKey node_key(LineCursor& cursor) const;
  std::uint16_t lid(LineCursor& cursor) const;
  std::uint8_t lmc(LineCursor& cursor) const;
  /// Steps over the quoted name of a comment. Names may hold quotes: the last one of the line ends
  /// it.
  std::string name(LineCursor& cursor) const;
  void expect(LineCursor& cursor, std::string_view literal, std::string_view what) const;
  [[nodiscard]] InputError error(const LineCursor& cursor, std::string_view message) const {
    return subnet_.place.error(reader_.number(), cursor.column(), message);
  }

  LineReader reader_;
  DiscoveredSubnet subnet_;
  std::map<std::uint64_t, std::size_t> line_of_guid_;
  std::size_t ports_of_all_ = 0;
  std::uint64_t next_port_guid_ = 0;  ///< of the switch whose line comes next
};

/// "vendid=0x2c9", "switchguid=0x..(..)": facts that say nothing about the network.
bool is_identity(std::string_view line) {
  constexpr std::array<std::string_view, 7> kKeys{
      "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "hcaguid="};
  return std::any_of(kKeys.begin(), kKeys.end(),
                     [&](std::string_view key) { return line.starts_with(key); });
}

/// A GUID in hexadecimal digits; 0 for any other text.
std::uint64_t guid_in(std::string_view text) {
  LineCursor cursor(text);
  const auto guid = cursor.number(16, UINT64_MAX);
  return guid && cursor.at_end() ? *guid : 0;
}

/// "switchguid=0x200000(200000)": GUID of port 0 of the switch whose line comes next; else 0.
std::uint64_t port_guid_of_switch(std::string_view line) {
  const std::size_t open = line.find('(');
  if (!line.starts_with("switchguid=") || open == std::string_view::npos) return 0;
  const std::size_t close = line.find(')', open);
  return close == std::string_view::npos ? 0 : guid_in(line.substr(open + 1, close - open - 1));
}

/// Headings that -g prints, and lines of a console log around the output.
bool is_heading(std::string_view line) {
  return line.starts_with("Chassis ") || line.starts_with("Hostname:") ||
         line.starts_with("ibwarn:");
}

void IbnetdiscoverParser::parse_line() {
  LineCursor cursor(reader_.line());
  cursor.skip_blanks();
  if (cursor.at_end() || cursor.peek() == '#') return;
  if (const std::uint64_t guid = port_guid_of_switch(cursor.rest())) next_port_guid_ = guid;
  if (is_identity(cursor.rest()) || is_heading(cursor.rest())) return;
  if (cursor.peek() == '[') return parse_port(cursor);
  const LineCursor start = cursor;
  const std::string_view word = cursor.word();
  if (word == "Switch") return parse_node('S', cursor);
  if (word == "Ca" || word == "Hca") return parse_node('H', cursor);
  if (word == "Rt") return parse_node('R', cursor);
  throw error(start, fmt::format("'{}' starts no line of ibnetdiscover: expected Switch, Ca, Rt, a "
                                 "port in brackets or a comment",
                                 excerpt(word)));
}

void IbnetdiscoverParser::expect(LineCursor& cursor, std::string_view literal,
                                 std::string_view what) const {
  cursor.skip_blanks();
  if (!cursor.accept(literal)) throw error(cursor, fmt::format("expected {}", what));
}

NodeKey IbnetdiscoverParser::node_key(LineCursor& cursor) const {
  cursor.skip_blanks();
  const LineCursor start = cursor;
  const auto text = cursor.quoted();
  if (!text) throw error(start, "expected a node id in quotes, as \"S-0002c90200000001\"");
  LineCursor inside(*text);
  const char kind = inside.peek();
  const bool known = inside.accept("S-") || inside.accept("H-") || inside.accept("R-");
  const auto guid = known ? inside.number(16, UINT64_MAX) : std::nullopt;
  if (!guid || !inside.at_end()) {
    throw error(start,
                fmt::format("\"{}\" is no node id: expected S-, H- or R- and a GUID in hexadecimal",
                            excerpt(*text)));
  }
  return {kind, *guid};
}

std::string IbnetdiscoverParser::name(LineCursor& cursor) const {
  cursor.skip_blanks();
  const std::string_view rest = cursor.rest();
  const std::size_t end = rest.rfind('"');
  if (!rest.starts_with('"') || end == 0) throw error(cursor, "expected a node name in quotes");
  cursor.advance(end + 1);
  return std::string(rest.substr(1, end - 1));
}

std::uint16_t IbnetdiscoverParser::lid(LineCursor& cursor) const {
  expect(cursor, "lid ", "'lid' and a number");
  const auto value = cursor.number(10, kHighestLidField);
  if (!value) throw error(cursor, "expected a LID from 0 to 65535");
  return static_cast<std::uint16_t>(*value);
}

std::uint8_t IbnetdiscoverParser::lmc(LineCursor& cursor) const {
  expect(cursor, "lmc ", "'lmc' and a number");
  const auto value = cursor.number(10, kHighestLmc);
  if (!value) throw error(cursor, "expected an LMC from 0 to 7");
  return static_cast<std::uint8_t>(*value);
}

void IbnetdiscoverParser::parse_node(char kind, LineCursor cursor) {
  DiscoveredNode node;
  node.line = reader_.number();
  node.kind = kind;
  cursor.skip_blanks();
  const auto ports = cursor.number(10, kMostInfinibandPorts);
  if (!ports || *ports == 0) throw error(cursor, "expected the number of ports, 1 to 254");
  node.port_count = static_cast<std::uint16_t>(*ports);
  cursor.skip_blanks();
  const LineCursor at_id = cursor;
  const NodeKey key = node_key(cursor);
  node.guid = key.guid;
  if (key.kind != kind) {
    throw error(at_id, fmt::format("id \"{}-{:016x}\" does not fit the kind of node: expected {}-",
                                   key.kind, key.guid, kind));
  }
  const auto [first, is_new] = line_of_guid_.emplace(node.guid, node.line);
  if (!is_new) {
    throw error(at_id, fmt::format("second block of node \"{}-{:016x}\": the first is on line {}",
                                   kind, node.guid, first->second));
  }
  ports_of_all_ += node.port_count;
  if (ports_of_all_ > kMostPortsOfAll) {
    throw error(cursor, fmt::format("more than {} ports in the fabric", kMostPortsOfAll));
  }
  expect(cursor, "#", "'#' and the name of the node in quotes");
  node.name = name(cursor);
  if (kind == 'S') {
    parse_switch_comment(node, cursor);
    node.port_guid = next_port_guid_;
  }
  next_port_guid_ = 0;
  subnet_.nodes.push_back(std::move(node));
}

void IbnetdiscoverParser::parse_switch_comment(DiscoveredNode& node, LineCursor cursor) {
  cursor.skip_blanks();
  if (!cursor.accept("base") && !cursor.accept("enhanced")) {
    throw error(cursor, "expected 'base port 0' or 'enhanced port 0'");
  }
  expect(cursor, "port 0", "'port 0'");
  node.lid = lid(cursor);
  node.lmc = lmc(cursor);
}

std::uint64_t IbnetdiscoverParser::bracketed_port(LineCursor& cursor) const {
  cursor.skip_blanks();
  const LineCursor start = cursor;
  if (cursor.accept("[")) {
    const auto number = cursor.number(10, kMostInfinibandPorts);
    if (number && *number > 0 && cursor.accept("]")) return *number;
  }
  throw error(start, "expected a port number from 1 to 254 in brackets");
}

/// "[ext 4]" of a chassis and "(2c90300000001)", a port's GUID, in any order.
std::uint64_t IbnetdiscoverParser::brackets_and_guid(LineCursor& cursor) const {
  std::uint64_t guid = 0;
  for (;;) {
    cursor.skip_blanks();
    const bool is_guid = cursor.peek() == '(';
    if (!is_guid && !cursor.rest().starts_with("[ext ")) return guid;
    const std::size_t end = cursor.rest().find(is_guid ? ')' : ']');
    if (end == std::string_view::npos) throw error(cursor, "unclosed bracket");
    if (is_guid) guid = guid_in(cursor.rest().substr(1, end - 1));
    cursor.advance(end + 1);
  }
}

void IbnetdiscoverParser::parse_port(LineCursor cursor) {
  if (subnet_.nodes.empty()) throw error(cursor, "a port line before the first node");
  DiscoveredNode& node = subnet_.nodes.back();
  DiscoveredPort port;
  port.line = reader_.number();
  const LineCursor start = cursor;
  port.number = static_cast<std::uint16_t>(bracketed_port(cursor));
  if (port.number > node.port_count) {
    throw error(start, fmt::format("port {} of {}, which has {} ports", port.number,
                                   node.describe(), node.port_count));
  }
  const std::uint64_t guid = brackets_and_guid(cursor);
  if (!node.is_switch()) port.guid = guid;
  const NodeKey remote = node_key(cursor);
  port.remote_kind = remote.kind;
  port.remote_guid = remote.guid;
  port.remote_port = static_cast<std::uint16_t>(bracketed_port(cursor));
  (void)brackets_and_guid(cursor);
  expect(cursor, "#", "'#' and LID, width and speed");
  parse_port_comment(node, port, cursor);
  node.ports.push_back(std::move(port));
}

void IbnetdiscoverParser::parse_port_comment(const DiscoveredNode& node, DiscoveredPort& port,
                                             LineCursor cursor) {
  if (!node.is_switch()) {
    port.lid = lid(cursor);
    port.lmc = lmc(cursor);
  }
  (void)name(cursor);
  port.remote_lid = lid(cursor);
  cursor.skip_blanks();
  const LineCursor at_speed = cursor;
  const std::string_view speed = cursor.word();
  const auto rate = link_data_rate(speed);
  if (!rate) {
    throw error(at_speed,
                fmt::format("'{}' is no link width and speed: expected 1x, 2x, 4x, 8x or 12x and "
                            "SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR or XDR, as 4xHDR",
                            excerpt(speed)));
  }
  port.speed = std::string(speed);
  port.rate = *rate;
}

void IbnetdiscoverParser::sort_ports(DiscoveredNode& node) const {
  const auto by_number = [](const auto& a, const auto& b) { return a.number < b.number; };
  std::stable_sort(node.ports.begin(), node.ports.end(), by_number);
  const auto twice =
      std::adjacent_find(node.ports.begin(), node.ports.end(),
                         [](const auto& a, const auto& b) { return a.number == b.number; });
  if (twice == node.ports.end()) return;
  throw subnet_.place.error(std::next(twice)->line,
                            fmt::format("second line for port {} of {}: the first is line {}",
                                        twice->number, node.describe(), twice->line));
}

}  // namespace

std::string DiscoveredNode::describe() const {
  const std::string_view what = kind == 'S' ? "switch" : kind == 'R' ? "router" : "adapter";
  return fmt::format("{} '{}' (0x{:016x})", what, excerpt(name), guid);
}

std::optional<Rate> link_data_rate(std::string_view width_and_speed) {
  LineCursor cursor(width_and_speed);
  std::int64_t lanes = 0;
  if (!cursor.accept("??")) {
    const auto width = cursor.number(10, 12);
    if (!width || !cursor.accept("x")) return std::nullopt;
    if (std::find(kWidths.begin(), kWidths.end(), static_cast<int>(*width)) == kWidths.end()) {
      return std::nullopt;
    }
    lanes = static_cast<std::int64_t>(*width);
  }
  for (const ReadLaneSpeed& speed : kReadLaneSpeeds) {
    if (cursor.rest() == speed.name) return Rate(speed.rate * lanes);
  }
  return std::nullopt;
}

DiscoveredSubnet parse_ibnetdiscover(std::string_view text, const std::string& file) {
  return IbnetdiscoverParser(text, file).parse();
}

}  // namespace weir::topology
