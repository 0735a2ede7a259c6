#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <variant>

#include "weir/base/config.hpp"

namespace weir {

namespace {

constexpr std::size_t kLineWidth = 100;

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string text_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string key_literal(std::string_view key) {
  return is_bare_key(key) ? std::string(key) : text_literal(key);
}

std::string real_literal(double number) {
  if (!std::isfinite(number)) throw std::logic_error("to_toml: a real number is not finite");
  std::string digits = fmt::format("{}", number);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

std::string inline_value(const ConfigValue& value);

std::string inline_table(const ConfigTable& table) {
  std::string out;
  for (const ConfigEntry& entry : table.entries()) {
    out += out.empty() ? " " : ", ";
    out += key_literal(entry.key) + " = " + inline_value(entry.value);
  }
  return out.empty() ? "{}" : "{" + out + " }";
}

std::string inline_array(const ConfigArray& array) {
  std::string out;
  for (const ConfigValue& value : array) {
    if (!out.empty()) out += ", ";
    out += inline_value(value);
  }
  return "[" + out + "]";
}

std::string inline_value(const ConfigValue& value) {
  struct Writer {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return real_literal(number); }
    std::string operator()(const std::string& text) const { return text_literal(text); }
    std::string operator()(const ConfigArray& array) const { return inline_array(array); }
    std::string operator()(const ConfigTable& table) const { return inline_table(table); }
  };
  return std::visit(Writer{}, value.data);
}

/// A list that does not fit into a line, its values filled into indented lines.
std::string wrapped_array(const ConfigArray& array) {
  std::string out = "[";
  std::string line;
  for (const ConfigValue& value : array) {
    const std::string item = inline_value(value) + ",";
    if (!line.empty() && line.size() + 1 + item.size() > kLineWidth) {
      out += "\n" + line;
      line.clear();
    }
    line += (line.empty() ? "  " : " ") + item;
  }
  return out + "\n" + line + "\n]";
}

bool is_array_of_tables(const ConfigValue& value) {
  return value.is_array() && !value.array().empty() &&
         std::all_of(value.array().begin(), value.array().end(),
                     [](const ConfigValue& item) { return item.is_table(); });
}

bool has_own_section(const ConfigValue& value) {
  return value.is_table() || is_array_of_tables(value);
}

class TomlWriter {
 public:
  /// Plain values first: after a header they would belong to the table it opens.
  void write(const ConfigTable& table, const std::string& path) {
    for (const ConfigEntry& entry : table.entries()) {
      if (!has_own_section(entry.value)) write_line(entry);
    }
    for (const ConfigEntry& entry : table.entries()) {
      if (!has_own_section(entry.value)) continue;
      const std::string name = key_literal(entry.key);
      write_sections(entry.value, path.empty() ? name : fmt::format("{}.{}", path, name));
    }
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write_line(const ConfigEntry& entry) {
    const std::string start = key_literal(entry.key) + " = ";
    std::string value = inline_value(entry.value);
    const bool is_long = start.size() + value.size() > kLineWidth;
    if (is_long && entry.value.is_array()) value = wrapped_array(entry.value.array());
    out_ += start + value + "\n";
  }

  void write_sections(const ConfigValue& value, const std::string& path) {
    if (value.is_table()) {
      const ConfigTable& table = value.table();
      if (needs_header(table)) write_header("[" + path + "]");
      write(table, path);
      return;
    }
    for (const ConfigValue& item : value.array()) {
      write_header("[[" + path + "]]");
      write(item.table(), path);
    }
  }

  /// A table that holds nothing but sections exists by their headers.
  static bool needs_header(const ConfigTable& table) {
    return table.empty() ||
           std::any_of(table.entries().begin(), table.entries().end(),
                       [](const ConfigEntry& entry) { return !has_own_section(entry.value); });
  }

  void write_header(const std::string& header) {
    if (!out_.empty()) out_ += "\n";
    out_ += header + "\n";
  }

  std::string out_;
};

}  // namespace

std::string to_toml(const ConfigTable& table) {
  TomlWriter writer;
  writer.write(table, "");
  return writer.take();
}

std::string to_toml(const ConfigValue& value) { return inline_value(value); }

}  // namespace weir
