// Reads what tells service levels and virtual lanes of an InfiniBand subnet (man pages saquery(8),
// smpquery(8); OpenSM's dumps). Records of saquery have a field a line:
//
//   PathRecord dump:
//                   slid....................2
//
// opensm-path-records.dump and opensm-sl2vl.dump have a block a node:
//
//   Channel Adapter 0x0000000000100001, base LID 2, "node001", port 1
//   # LID  : SL : MTU : RATE
//   0x0005 : 1  : 4   : 16
//
//   Switch 0x0000000000200000, base LID 1, "sw1"
//   #in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
//   0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7
//
// and smpquery
//
//   # SL2VL table: Lid 1
//   ports: in  0, out  1: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|
//   # VLArbitration tables: Lid 2 port 1 LowCap 8 HighCap 8
//   # Low priority VL Arbitration Table:
//   VL    : |0x0 |0x1 |
//   WEIGHT: |0x4 |0x4 |

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "weir/routing/service_levels.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::routing {
namespace {

using topology::excerpt;
using topology::kHighestUnicastLid;
using topology::LineCursor;
using topology::LineReader;
using topology::TextPlace;

constexpr std::uint8_t kHighestPort = 254;

/// What the three readers have in common: lines, numbers, and words of what is wrong.
class LayerReader {
 public:
  LayerReader(std::string_view text, const std::string& file) : reader_(text), place_(file) {}

 protected:
  /// Moves to the next line that says something; false at the end.
  bool next() {
    while (reader_.next()) {
      cursor_ = LineCursor(reader_.line());
      cursor_.skip_blanks();
      const std::string_view rest = cursor_.rest();
      if (!rest.empty() && !rest.starts_with("ibwarn:") && !is_rule(rest)) return true;
    }
    return false;
  }
  [[nodiscard]] LineCursor& cursor() { return cursor_; }
  [[nodiscard]] std::string_view rest() const { return cursor_.rest(); }
  [[nodiscard]] std::uint32_t line() const { return static_cast<std::uint32_t>(reader_.number()); }
  [[nodiscard]] const TextPlace& place() const { return place_; }
  [[nodiscard]] InputError error(std::string_view message) const {
    return place_.error(reader_.number(), cursor_.column(), message);
  }
  [[nodiscard]] InputError no_line_of(std::string_view what) const {
    return error(fmt::format("'{}' is no line of {}", excerpt(rest()), what));
  }

  /// A number in decimal, or in hexadecimal after 0x.
  std::uint64_t number(std::string_view what, std::uint64_t low, std::uint64_t high) {
    const LineCursor start = cursor_;
    const bool is_hex = cursor_.accept("0x") || cursor_.accept("0X");
    const auto value = cursor_.number(is_hex ? 16 : 10, high);
    if (value && *value >= low) return *value;
    cursor_ = start;
    throw error(fmt::format("expected {} from {} to {}, not '{}'", what, low, high,
                            excerpt(rest().substr(0, rest().find_first_of(" \t|,:")))));
  }
  std::uint16_t lid() {
    return static_cast<std::uint16_t>(number("a unicast LID", 1, kHighestUnicastLid));
  }
  std::uint8_t port() { return static_cast<std::uint8_t>(number("a port", 0, kHighestPort)); }
  std::uint8_t level() { return static_cast<std::uint8_t>(number("a service level", 0, 15)); }
  void expect(std::string_view literal) {
    cursor_.skip_blanks();
    if (!cursor_.accept(literal)) throw error(fmt::format("expected '{}'", literal));
    cursor_.skip_blanks();
  }
  void expect_end() {
    cursor_.skip_blanks();
    if (!cursor_.at_end()) throw error(fmt::format("'{}' is left over", excerpt(rest())));
  }
  /// A field of saquery, "slid....................2": moves to its value.
  bool accept_field(std::string_view name) {
    if (!rest().starts_with(name) || rest().substr(name.size(), 2) != "..") return false;
    cursor_.advance(name.size());
    while (cursor_.accept(".")) {
    }
    return true;
  }
  /// "Switch 0x.., base LID 1, ..", as OpenSM's dumps begin a node: its LID.
  std::optional<std::uint16_t> accept_node() {
    if (!rest().starts_with("Switch 0x") && !rest().starts_with("Channel Adapter 0x") &&
        !rest().starts_with("Router 0x")) {
      return std::nullopt;
    }
    constexpr std::string_view kBase = ", base LID ";
    const std::size_t at = rest().find(kBase);
    if (at == std::string_view::npos) throw error("expected ', base LID N' after the GUID");
    cursor_.advance(at + kBase.size());
    return lid();
  }
  /// Numbers between bars, or blanks, to the end of the line.
  std::vector<std::uint8_t> list(std::string_view what, std::uint64_t high) {
    std::vector<std::uint8_t> values;
    while (true) {
      while (!cursor_.at_end() && (cursor_.peek() == '|' || cursor_.peek() == ' ')) {
        cursor_.advance(1);
      }
      cursor_.skip_blanks();
      if (cursor_.at_end()) return values;
      values.push_back(static_cast<std::uint8_t>(number(what, 0, high)));
    }
  }

 private:
  /// "#-----": between the tables of a dump.
  static bool is_rule(std::string_view text) {
    return text.size() > 2 && text.find_first_not_of("#-") == std::string_view::npos;
  }

  LineReader reader_;
  TextPlace place_;
  LineCursor cursor_{std::string_view()};
};

/// A path record that is being read.
struct OpenPath {
  std::uint32_t line = 0;
  std::optional<std::uint16_t> from, to;
  std::optional<std::uint8_t> level;
};

class PathReader : LayerReader {
 public:
  using LayerReader::LayerReader;

  PathRecords read() {
    while (next()) {
      if (rest().starts_with("PathRecord dump")) {
        close();
        open_.emplace();
        open_->line = line();
        node_.reset();
      } else if (const auto node = accept_node()) {
        close();
        node_ = node;
      } else if (rest().starts_with('#')) {
        continue;
      } else if (node_) {
        read_row();
      } else if (open_) {
        read_field();
      } else {
        throw no_line_of("a list of path records (saquery PathRecord)");
      }
    }
    close();
    if (records_.empty()) {
      throw place().error(
          "no path record: this is neither output of saquery PathRecord nor OpenSM's "
          "opensm-path-records.dump");
    }
    return {place(), std::move(records_)};
  }

 private:
  void read_field() {
    if (accept_field("slid")) {
      open_->from = lid();
    } else if (accept_field("dlid")) {
      open_->to = lid();
    } else if (accept_field("sl")) {
      open_->level = level();
    } else if (rest().find("..") == std::string_view::npos) {
      throw no_line_of("a path record");
    } else {
      return;
    }
    expect_end();
  }
  void read_row() {
    const std::uint16_t to = lid();
    expect(":");
    if (rest().starts_with("UNREACHABLE")) return;  // is missed where it is needed
    records_.push_back({*node_, to, level(), line()});
    expect(":");
  }
  void close() {
    if (!open_) return;
    const char* missing = !open_->from ? "slid" : !open_->to ? "dlid" : !open_->level ? "sl" : "";
    if (*missing != '\0') {
      throw place().error(open_->line, fmt::format("the path record has no '{}'", missing));
    }
    records_.push_back({*open_->from, *open_->to, *open_->level, open_->line});
    open_.reset();
  }

  std::vector<PathRecord> records_;
  std::optional<OpenPath> open_;       ///< record of saquery
  std::optional<std::uint16_t> node_;  ///< block of a dump
};

class TableReader : LayerReader {
 public:
  using LayerReader::LayerReader;

  ServiceLevelTables read() {
    while (next()) read_line();
    close();
    if (tables_.empty()) {
      throw place().error(
          "no SL2VL table: this is neither output of saquery SL2VL or smpquery sl2vl nor OpenSM's "
          "opensm-sl2vl.dump");
    }
    return {place(), std::move(tables_)};
  }

 private:
  void read_line() {
    if (rest().starts_with("SL2VLTableRecord dump")) {
      close();
      record_.emplace();
      record_->line = line();
    } else if (const auto node = accept_node()) {
      close();
      node_ = node;
    } else if (cursor().accept("# SL2VL table: ")) {
      close();
      if (!cursor().accept("Lid ")) {
        throw error("the table is of a node without LID: ask smpquery by LID, not by direct route");
      }
      node_ = lid();
    } else if (rest().starts_with('#')) {
      return;
    } else if (record_) {
      read_field();
    } else if (!node_) {
      throw no_line_of("a dump of SL2VL tables");
    } else if (cursor().accept("ports:")) {
      expect("in");
      const std::uint8_t in = port();
      expect(",");
      expect("out");
      const std::uint8_t out = port();
      expect(":");
      add({*node_, in, out, line(), {}});
    } else {
      const std::uint8_t in = port();
      cursor().skip_blanks();
      const std::uint8_t out = port();
      expect(":");
      add({*node_, in, out, line(), {}});
    }
  }
  void read_field() {
    if (accept_field("LID")) {
      record_->lid = lid();
    } else if (accept_field("InPort")) {
      record_->in = port();
    } else if (accept_field("OutPort")) {
      record_->out = port();
    } else if (cursor().accept("SL:")) {
      return;  // the service levels in order
    } else if (cursor().accept("VL:")) {
      if (record_->lid == 0) throw error("the VLs of a table whose LID does not stand before them");
      add(*record_);
      record_.reset();
      return;
    } else {
      throw no_line_of("a SL2VL table");
    }
    expect_end();
  }
  void add(ServiceLevelTable table) {
    const std::vector<std::uint8_t> vls = list("a VL", 15);
    if (vls.size() != kServiceLevels) {
      throw error(fmt::format("a table has {} VLs, one for each service level, not {}",
                              kServiceLevels, vls.size()));
    }
    std::copy(vls.begin(), vls.end(), table.vl.begin());
    tables_.push_back(table);
  }
  void close() const {
    if (record_) throw place().error(record_->line, "the SL2VL table is cut off: it has no VLs");
  }

  std::vector<ServiceLevelTable> tables_;
  std::optional<ServiceLevelTable> record_;
  std::optional<std::uint16_t> node_;
};

class ArbitrationReader : LayerReader {
 public:
  using LayerReader::LayerReader;

  PortArbitrations read() {
    while (next()) read_line();
    close_list();
    if (ports_.empty()) {
      throw place().error(
          "no VL arbitration table: this is neither output of saquery VLAR nor of smpquery vlarb");
    }
    PortArbitrations all{place(), {}};
    for (auto& [at, port] : ports_) all.ports.push_back(std::move(port));
    return all;
  }

 private:
  void read_line() {
    if (rest().starts_with("VLArbTableRecord dump")) {
      close_list();
      port_ = nullptr;
      list_ = nullptr;
      lid_ = 0;
      is_record_ = true;
    } else if (cursor().accept("# VLArbitration tables: ")) {
      close_list();
      is_record_ = false;
      if (!cursor().accept("Lid ")) {
        throw error("the tables are of a node without LID: ask smpquery by LID");
      }
      lid_ = lid();
      expect("port");
      choose(port());
      list_ = nullptr;
    } else if (rest().starts_with("# Low priority") || rest().starts_with("# High priority")) {
      close_list();
      if (port_ == nullptr) throw error("a table before the line '# VLArbitration tables: ..'");
      list_ = rest()[2] == 'L' ? &port_->low : &port_->high;
    } else if (rest().starts_with('#')) {
      return;  // "No VLArbitration tables": switches have none at their own port 0
    } else if (is_record_ && accept_field("LID")) {
      lid_ = lid();
    } else if (is_record_ && accept_field("Port")) {
      if (lid_ == 0) throw error("a port whose LID does not stand before it");
      choose(port());
    } else if (is_record_ && accept_field("Block")) {
      if (port_ == nullptr) throw error("a block whose port does not stand before it");
      // Blocks of 32 entries: two of low, two of high priority.
      list_ = number("a block", 1, 4) <= 2 ? &port_->low : &port_->high;
    } else if (cursor().accept("VL")) {
      expect(":");
      close_list();
      vls_ = list("a VL", 15);
    } else if (cursor().accept("WEIGHT") || cursor().accept("Weight")) {
      expect(":");
      read_weights();
    } else {
      throw no_line_of("a dump of VL arbitration tables");
    }
  }
  void choose(std::uint8_t port) {
    port_ = &ports_[{lid_, port}];
    if (port_->line == 0) {
      *port_ = {lid_, port, line(), {}, {}};
    } else if (!is_record_) {
      throw error(fmt::format("second tables of LID {} port {}: the first are on line {}", lid_,
                              port, port_->line));
    }
  }
  void read_weights() {
    if (list_ == nullptr) throw error("weights that belong to no table");
    const std::vector<std::uint8_t> weights = list("a weight", 255);
    if (weights.size() != vls_.size()) {
      throw error(fmt::format("{} weights for {} VLs", weights.size(), vls_.size()));
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] != 0) list_->push_back({vls_[i], weights[i]});
    }
    vls_.clear();
  }
  void close_list() const {
    if (!vls_.empty()) throw error("the VLs before this line have no weights");
  }

  std::map<std::pair<std::uint16_t, std::uint8_t>, PortArbitration> ports_;
  bool is_record_ = false;
  std::uint16_t lid_ = 0;
  PortArbitration* port_ = nullptr;
  std::vector<VlEntry>* list_ = nullptr;
  std::vector<std::uint8_t> vls_;  ///< that wait for their weights
};

}  // namespace

PathRecords parse_path_records(std::string_view text, const std::string& file) {
  return PathReader(text, file).read();
}

ServiceLevelTables parse_service_level_tables(std::string_view text, const std::string& file) {
  return TableReader(text, file).read();
}

PortArbitrations parse_port_arbitrations(std::string_view text, const std::string& file) {
  return ArbitrationReader(text, file).read();
}

}  // namespace weir::routing
