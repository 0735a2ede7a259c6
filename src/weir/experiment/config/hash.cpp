#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "weir/base/uint128.hpp"
#include "weir/experiment/config/configuration.hpp"

namespace weir::experiment {
namespace {

std::string content_hash(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return configuration_hash(std::string_view(text.str()));
}

/// Absolute names of files give way to what is in them: a run is the same wherever they lie.
void replace_files(ConfigValue& value) {
  if (value.is_table()) {
    for (ConfigEntry& entry : value.table().entries()) replace_files(entry.value);
  } else if (value.is_array()) {
    for (ConfigValue& item : std::get<ConfigArray>(value.data)) replace_files(item);
  } else if (value.is_text() && value.text().starts_with('/')) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(value.text(), ignored)) {
      value.data = "contents " + content_hash(value.text());
    }
  }
}

}  // namespace

std::string configuration_hash(std::string_view text) {
  constexpr Uint128 kPrime = (static_cast<Uint128>(0x0000000001000000ULL) << 64U) | 0x13bULL;
  Uint128 hash = (static_cast<Uint128>(0x6c62272e07bb0142ULL) << 64U) | 0x62b821756295c58dULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= kPrime;
  }
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash >> 64U),
                     static_cast<std::uint64_t>(hash));
}

std::string configuration_hash(const ConfigTable& resolved) {
  ConfigValue copy(resolved, {});
  ConfigTable& table = copy.table();
  for (const char* name : {"plot", "results", "case", "sweep", "replicate"}) table.erase(name);
  if (ConfigValue* experiment = table.find("experiment")) {
    for (const char* key : {"name", "title", "description", "threads"})
      experiment->table().erase(key);
  }
  if (ConfigValue* plugins = table.find("plugins"); plugins != nullptr && plugins->is_array()) {
    // Their content, as it was loaded, stands beside the name.
    for (ConfigValue& one : std::get<ConfigArray>(plugins->data)) {
      if (one.is_table()) one.table().erase("file");
    }
  }
  replace_files(copy);
  return configuration_hash(std::string_view(to_toml(table)));
}

}  // namespace weir::experiment
