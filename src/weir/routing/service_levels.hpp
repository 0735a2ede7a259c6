#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/topology/import_text.hpp"

namespace weir::routing {

inline constexpr std::size_t kServiceLevels = 16;
/// Of management; a service level that a table maps to it is discarded.
inline constexpr std::uint8_t kManagementVl = 15;

/// The service level that the subnet manager gives packets from one LID to another.
struct PathRecord {
  std::uint16_t from = 0;
  std::uint16_t to = 0;
  std::uint8_t service_level = 0;
  std::uint32_t line = 0;
};

struct PathRecords {
  topology::TextPlace place;
  std::vector<PathRecord> records;
};

/// Reads path records as `saquery PathRecord` prints them (for the whole subnet, or the answers to
/// several questions one after another) and as OpenSM's opensm-path-records.dump. Throws InputError
/// "file:line: ..." for anything else and for records that are cut off.
PathRecords parse_path_records(std::string_view text, const std::string& file);

/// The SL2VL table of a pair of ports: VL by service level.
struct ServiceLevelTable {
  std::uint16_t lid = 0;
  std::uint8_t in = 0;
  std::uint8_t out = 0;
  std::uint32_t line = 0;
  std::array<std::uint8_t, kServiceLevels> vl{};
};

struct ServiceLevelTables {
  topology::TextPlace place;
  std::vector<ServiceLevelTable> tables;
};

/// Reads SL2VL tables from OpenSM's opensm-sl2vl.dump, and as `saquery SL2VL` and `smpquery sl2vl`
/// print them, one node or many. Throws InputError "file:line: ..." for anything else and for a
/// table of less or more than 16 service levels.
ServiceLevelTables parse_service_level_tables(std::string_view text, const std::string& file);

/// An entry of a VL arbitration table.
struct VlEntry {
  std::uint8_t vl = 0;
  std::uint8_t weight = 0;

  bool operator==(const VlEntry&) const = default;
  auto operator<=>(const VlEntry&) const = default;
};

/// The VL arbitration tables of a port, entries without weight left out.
struct PortArbitration {
  std::uint16_t lid = 0;
  std::uint8_t port = 0;
  std::uint32_t line = 0;
  std::vector<VlEntry> low;
  std::vector<VlEntry> high;
};

struct PortArbitrations {
  topology::TextPlace place;
  std::vector<PortArbitration> ports;  ///< by LID and port
};

/// Reads VL arbitration tables as `saquery VLAR` and `smpquery vlarb` print them. Throws InputError
/// "file:line: ..." for anything else and for tables that are cut off.
PortArbitrations parse_port_arbitrations(std::string_view text, const std::string& file);

}  // namespace weir::routing
