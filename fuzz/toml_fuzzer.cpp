// Experiment files: any bytes are read or refused with an InputError, and what was read is written
// as TOML that reads back to the same text.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "weir/base/config.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string written;
  try {
    written = weir::to_toml(weir::parse_toml(text, "fuzz.toml"));
  } catch (const weir::InputError&) {
    return 0;
  }
  if (weir::to_toml(weir::parse_toml(written, "written.toml")) != written) std::abort();
  return 0;
}
