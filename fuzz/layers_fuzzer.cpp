// Service levels and virtual lanes: any bytes are path records, SL2VL tables or VL arbitration
// tables, or are refused with an InputError.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "weir/base/error.hpp"
#include "weir/routing/service_levels.hpp"

namespace {

template <class Read>
bool reads(Read read) {
  try {
    return read();
  } catch (const weir::InputError&) {
    return true;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool is_right =
      reads([&] {
        const auto paths = weir::routing::parse_path_records(text, "fuzz.txt");
        for (const auto& record : paths.records) {
          if (record.from == 0 || record.to == 0 || record.service_level > 15) return false;
        }
        return !paths.records.empty();
      }) &&
      reads([&] {
        const auto tables = weir::routing::parse_service_level_tables(text, "fuzz.txt");
        for (const auto& table : tables.tables) {
          for (const std::uint8_t vl : table.vl) {
            if (table.lid == 0 || vl > 15) return false;
          }
        }
        return !tables.tables.empty();
      }) &&
      reads([&] {
        const auto ports = weir::routing::parse_port_arbitrations(text, "fuzz.txt");
        for (const auto& port : ports.ports) {
          for (const auto& entry : port.low) {
            if (entry.vl > 15 || entry.weight == 0) return false;
          }
        }
        return !ports.ports.empty();
      });
  if (!is_right) std::abort();
  return 0;
}
