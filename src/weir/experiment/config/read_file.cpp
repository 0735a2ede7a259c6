#include "weir/experiment/config/read_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/plugins.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;

using OpenFiles = std::vector<fs::path>;

ConfigTable with_includes(ConfigTable table, const std::string& file, OpenFiles& open);

/// Pipes have no canonical name; then the name as it stands.
fs::path unique_name(const fs::path& path) {
  std::error_code problem;
  fs::path name = fs::weakly_canonical(path, problem);
  return problem ? path : name;
}

/// What a terminal, a file or another program gives. The name has no folder: what the text names
/// is sought in the current one.
ConfigTable read_standard_input(const char* name) {
  std::string text;
  char part[1 << 16];
  errno = 0;
  while (const std::size_t read = std::fread(part, 1, sizeof part, stdin)) text.append(part, read);
  if (std::ferror(stdin) != 0) {
    throw InputError({std::make_shared<const std::string>(name)}, "",
                     "cannot be read: " + std::generic_category().message(errno));
  }
  return parse_experiment(text, name);
}

void to_list(ConfigTable& table, std::string_view key) {
  ConfigValue* value = table.find(key);
  if (value == nullptr || !value->is_table()) return;
  ConfigValue only = std::move(*value);
  const SourcePosition position = only.position;
  ConfigArray list;
  list.push_back(std::move(only));
  *value = ConfigValue(std::move(list), position);
}

void normalize(ConfigTable& table) {
  spell_out_models(table);
  for (const char* key : {"traffic", "case", "plot", "failure"}) to_list(table, key);
}

std::vector<ConfigValue> include_list(const ConfigTable& table) {
  const ConfigValue* value = table.find("include");
  if (value == nullptr) return {};
  std::vector<ConfigValue> names = value->is_array() ? value->array() : ConfigArray{*value};
  for (const ConfigValue& name : names) {
    if (!name.is_text()) {
      throw InputError(name.position, "include",
                       R"(must be a list of file names, as in ["base.toml"])");
    }
  }
  return names;
}

/// Gives a value and everything in it one place.
void move_to(ConfigValue& value, const SourcePosition& position) {
  value.position = position;
  if (value.is_array()) {
    for (ConfigValue& item : std::get<ConfigArray>(value.data)) move_to(item, position);
  } else if (value.is_table()) {
    value.table().position = position;
    for (ConfigEntry& entry : value.table().entries()) {
      entry.key_position = position;
      move_to(entry.value, position);
    }
  }
}

std::string chain(const OpenFiles& open, const fs::path& again) {
  std::string text;
  for (auto it = std::find(open.begin(), open.end(), again); it != open.end(); ++it) {
    text += it->filename().string() + " includes ";
  }
  return text + again.filename().string();
}

ConfigTable read_included(const ConfigValue& name, const std::string& from, OpenFiles& open) {
  fs::path path(name.text());
  if (path.is_relative()) path = fs::path(from).parent_path() / path;
  const fs::path unique = unique_name(path);
  if (std::find(open.begin(), open.end(), unique) != open.end()) {
    throw InputError(name.position, "include", "files include each other: " + chain(open, unique));
  }
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    throw InputError(name.position, "include", fmt::format("there is no file '{}'", path.string()));
  }
  open.push_back(unique);
  ConfigTable table = with_includes(read_toml_file(path.string()), path.string(), open);
  open.pop_back();
  return table;
}

ConfigTable with_includes(ConfigTable table, const std::string& file, OpenFiles& open) {
  constexpr std::size_t kMaxDepth = 32;
  const std::vector<ConfigValue> includes = include_list(table);
  if (!includes.empty() && open.size() > kMaxDepth) {
    throw InputError(includes[0].position, "include", "files include others too deeply");
  }
  table.erase("include");
  normalize(table);
  ConfigTable result;
  for (const ConfigValue& name : includes) {
    ConfigTable included = read_included(name, file, open);
    join_plugins(result, included);
    lay_over(result, included);
  }
  result.position = table.position;
  join_plugins(result, table);
  lay_over(result, table);
  return result;
}

}  // namespace

void spell_out_models(ConfigTable& table) {
  for (ConfigEntry& entry : table.entries()) {
    if (!entry.value.is_text() || !is_model_section(entry.key)) continue;
    ConfigTable section;
    section.position = entry.value.position;
    section.set("model", entry.value);
    entry.value.data = std::move(section);
  }
}

bool is_standard_input(std::string_view path) {
  return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0";
}

ConfigTable read_experiment(const std::string& path) {
  if (is_standard_input(path)) return read_standard_input(kStandardInput);
  return complete_experiment(read_toml_file(path), path);
}

ConfigTable parse_experiment(std::string_view text, const std::string& file) {
  return complete_experiment(parse_toml(text, file), file);
}

ConfigTable complete_experiment(ConfigTable table, const std::string& file) {
  OpenFiles open{unique_name(file)};
  ConfigTable whole = with_includes(std::move(table), file, open);
  add_plugins_for_all(whole);
  return whole;
}

ConfigTable parse_stored_experiment(std::string_view text, const std::string& name) {
  ConfigTable table = parse_toml(text, name);
  excuse_plugins(table);
  return complete_experiment(std::move(table), name);
}

ConfigTable parse_override(const std::string& text) {
  const SourcePosition position{std::make_shared<const std::string>("--set"), 0, 0};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(position, text, "must be of the form key=value, as in experiment.seed=2");
  }
  const std::string key = text.substr(0, equals);
  const std::string written = text.substr(equals + 1);
  ConfigValue value(written, position);
  try {
    const ConfigTable parsed = parse_toml("value = " + written, "--set");
    if (parsed.entries().size() == 1) value.data = parsed.find("value")->data;
  } catch (const InputError&) {
    // Not TOML: the text as it stands, as in host.mtu=4 KiB.
  }
  move_to(value, position);
  ConfigTable table = nested(key, value);
  spell_out_models(table);
  return table;
}

}  // namespace weir::experiment
