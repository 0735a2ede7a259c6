#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"

namespace weir {

namespace {

/// Refuses keys and brackets nested so deeply that reading them would exhaust the stack: toml++
/// bounds brackets only, and every table of a dotted key costs a level as well.
class NestingGuard {
 public:
  NestingGuard(std::string_view text, std::shared_ptr<const std::string> file)
      : text_(text), file_(std::move(file)) {}

  void check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_text(c);
      } else {
        count(c);
        ++at_;
      }
    }
  }

 private:
  static constexpr int kMaxBrackets = 64;
  static constexpr int kMaxDots = 32;

  void count(char c) {
    if (c == '.' && ++dots_ > kMaxDots) refuse("a key has too many parts", kMaxDots);
    if ((c == '[' || c == '{') && ++brackets_ > kMaxBrackets) {
      refuse("lists and tables are nested too deeply", kMaxBrackets);
    }
    if (c == ']' || c == '}') --brackets_;
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
  }

  void skip_text(char quote) {
    const bool is_long = text_.substr(at_).starts_with(std::string(3, quote));
    const std::string end(is_long ? 3 : 1, quote);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ += end.size();
    // A long text may end in up to two quotes of its own.
    for (int i = 0; is_long && i < 2 && at_ < text_.size() && text_[at_] == quote; ++i) ++at_;
  }

  [[noreturn]] void refuse(const std::string& what, int limit) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw InputError({file_, static_cast<int>(line), static_cast<int>(at_ - line_start + 1)}, "",
                     what + " (at most " + std::to_string(limit) + ")");
  }

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::size_t at_ = 0;
  int dots_ = 0;
  int brackets_ = 0;
};

/// Turns what toml++ read into a ConfigTable. Keys in `path` are dotted, for messages.
class TomlReader {
 public:
  explicit TomlReader(const std::string& file_name)
      : file_(std::make_shared<const std::string>(file_name)) {}

  [[nodiscard]] ConfigTable read(std::string_view text) const {
    NestingGuard(text, file_).check();
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

  static std::string dotted(const std::string& path, const std::string& name) {
    return path.empty() ? name : fmt::format("{}.{}", path, name);
  }

  [[nodiscard]] ConfigTable table(const toml::table& source, const std::string& path) const {
    ConfigTable result;
    result.position = at(source.source().begin);
    std::vector<ConfigEntry>& entries = result.entries();
    for (const auto& [key, node] : source) {
      std::string name(key.str());
      ConfigValue read = value(node, dotted(path, name));
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
        throw InputError(
            position, path,
            "dates and times of day have no meaning here; write a duration as a string "
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
