#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"

namespace weir {

namespace {

/// Turns what toml++ read into a ConfigTable. Keys in `path` are dotted, for messages.
class TomlReader {
 public:
  explicit TomlReader(const std::string& file_name)
      : file_(std::make_shared<const std::string>(file_name)) {}

  [[nodiscard]] ConfigTable read(std::string_view text) const {
    try {
      return table(toml::parse(text), "");
    } catch (const toml::parse_error& error) {
      throw InputError(at(error.source().begin), "", error.description());
    }
  }

 private:
  [[nodiscard]] SourcePosition at(const toml::source_position& position) const {
    return {file_, static_cast<int>(position.line), static_cast<int>(position.column)};
  }

  [[nodiscard]] ConfigTable table(const toml::table& source, const std::string& path) const {
    ConfigTable result;
    result.position = at(source.source().begin);
    std::vector<ConfigEntry>& entries = result.entries();
    for (const auto& [key, node] : source) {
      std::string name(key.str());
      ConfigValue read = value(node, path.empty() ? name : path + "." + name);
      entries.push_back({std::move(name), std::move(read), at(key.source().begin)});
    }
    // toml++ sorts by name.
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      return std::tie(a.key_position.line, a.key_position.column) <
             std::tie(b.key_position.line, b.key_position.column);
    });
    return result;
  }

  [[nodiscard]] ConfigValue value(const toml::node& node, const std::string& path) const {
    const SourcePosition position = at(node.source().begin);
    switch (node.type()) {
      case toml::node_type::table:
        return {table(*node.as_table(), path), position};
      case toml::node_type::array:
        return {array(*node.as_array(), path), position};
      case toml::node_type::string:
        return {node.as_string()->get(), position};
      case toml::node_type::integer:
        return {node.as_integer()->get(), position};
      case toml::node_type::boolean:
        return {node.as_boolean()->get(), position};
      case toml::node_type::floating_point:
        return {finite(node.as_floating_point()->get(), position, path), position};
      default:
        throw InputError(position, path,
                         "dates and times of day have no meaning here; write a duration as a text "
                         "with a unit, as in \"30 ns\"");
    }
  }

  [[nodiscard]] ConfigArray array(const toml::array& source, const std::string& path) const {
    ConfigArray result;
    result.reserve(source.size());
    for (const toml::node& node : source) {
      result.push_back(value(node, path + "[" + std::to_string(result.size()) + "]"));
    }
    return result;
  }

  static double finite(double number, const SourcePosition& position, const std::string& path) {
    if (std::isfinite(number)) return number;
    throw InputError(position, path, "must be a finite number");
  }

  std::shared_ptr<const std::string> file_;
};

[[noreturn]] void refuse_file(const std::string& path, std::error_code reason) {
  throw InputError({std::make_shared<const std::string>(path)}, "",
                   "cannot be read: " + reason.message());
}

}  // namespace

ConfigTable parse_toml(std::string_view text, const std::string& file_name) {
  return TomlReader(file_name).read(text);
}

ConfigTable read_toml_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    refuse_file(path, std::make_error_code(std::errc::is_a_directory));
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) refuse_file(path, {errno, std::generic_category()});
  return parse_toml(text, path);
}

}  // namespace weir
