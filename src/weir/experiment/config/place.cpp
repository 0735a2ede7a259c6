#include <algorithm>
#include <cctype>
#include <string>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::experiment {
namespace {

/// "file:12" or "--set".
bool is_place(std::string_view text) {
  if (text == "--set") return true;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(colon) + 1, text.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

/// "buffer.ingress", or "buffer" alone.
bool is_key(std::string_view text) {
  const auto& names = top_level_names();
  const std::string_view first = text.substr(0, text.find_first_of(".["));
  return text.find(' ') == std::string_view::npos &&
         std::find(names.begin(), names.end(), first) != names.end();
}

}  // namespace

void at_place(const ConfigTable& table, std::string_view key, const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    const std::string_view text = error.what();
    const std::size_t end = text.find(": ");
    const std::string_view start = text.substr(0, end == std::string_view::npos ? 0 : end);
    if (is_place(start)) throw;
    if (is_key(start)) throw InputError(position_of(table, start), start, text.substr(end + 2));
    throw InputError(position_of(table, key), key, text);
  }
}

}  // namespace weir::experiment
