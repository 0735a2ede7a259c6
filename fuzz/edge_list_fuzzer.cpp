// Edge lists: any bytes make a network or are refused with an InputError; what was read is exported
// to an edge list that reads back to the same one.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "weir/base/error.hpp"
#include "weir/topology/export.hpp"
#include "weir/topology/import_edge_list.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string written;
  try {
    written = weir::topology::to_edge_list(weir::topology::parse_edge_list(text, "fuzz.txt", {}));
  } catch (const weir::InputError&) {
    return 0;
  }
  const auto again = weir::topology::parse_edge_list(written, "written.txt", {});
  if (weir::topology::to_edge_list(again) != written) std::abort();
  return 0;
}
