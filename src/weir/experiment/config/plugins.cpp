#include "weir/experiment/config/plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>

#include "weir/base/catalog.hpp"
#include "weir/base/plugin.hpp"
#include "weir/base/version.hpp"
#include "weir/experiment/config/configuration.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlugins = "plugins";

/// What this process has loaded. Libraries are process-wide, and so is this.
struct Loaded {
  std::mutex mutex;
  std::deque<Plugin> all;  ///< references to them stay
  std::vector<const Plugin*> for_all;
  std::map<std::string, std::string> refused;  ///< by content: what was wrong once it was loaded
};

Loaded& loaded() {
  static Loaded one;
  return one;
}

/// How messages end that a new build would help.
std::string build_again() {
  return fmt::format("; build it again with the headers of this weir, {} (docs/guide/plugins.md)",
                     version());
}

/// The bytes of a plug-in, which are looked at before any of its code is run.
class PluginFile {
 public:
  PluginFile(const std::string& path, const SourcePosition& position, std::string key)
      : path_(path), position_(position), key_(std::move(key)) {
    std::error_code problem;
    if (!fs::exists(path_, problem)) throw error("there is no file '{}'", path_);
    if (!fs::is_regular_file(path_, problem)) throw error("'{}' is no file", path_);
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw error("'{}' cannot be read", path_);
    bytes_ = text.str();
  }

  [[nodiscard]] std::string content() const { return configuration_hash(bytes_); }

  void check_interface() const {
    constexpr std::string_view kMark = WEIR_PLUGIN_MARK;
    const std::string_view bytes = bytes_;
    if (!bytes.starts_with("\x7F"
                           "ELF")) {
      throw error("'{}' is no shared library", path_);
    }
    // weir's own library has the mark without facts, since it looks for it.
    const auto has_facts = [&](std::size_t at) {
      return at == std::string_view::npos || !bytes.substr(at + kMark.size()).starts_with('\0');
    };
    std::size_t at = bytes.find(kMark);
    while (!has_facts(at)) at = bytes.find(kMark, at + 1);
    if (at == std::string_view::npos) {
      throw error(
          "'{}' is no plug-in of weir: one of its files needs the line 'WEIR_PLUGIN;' after "
          "#include \"weir/base/plugin.hpp\"",
          path_);
    }
    std::string_view rest = bytes.substr(at + kMark.size());
    const std::string_view interface = part(rest);
    const std::string_view build = part(rest);
    if (interface != WEIR_PLUGIN_INTERFACE) {
      throw error("'{}' is built for the interface {}, this weir has {}{}", path_, interface,
                  WEIR_PLUGIN_INTERFACE, build_again());
    }
    if (build != WEIR_PLUGIN_BUILD) {
      throw error("'{}' is built with {}, this weir with {}{}", path_, build, WEIR_PLUGIN_BUILD,
                  build_again());
    }
  }

  /// Runs its initializers, which register its models under `name`.
  [[nodiscard]] PluginModels load(const std::string& name) const {
    Catalog::instance().begin_plugin(name);
    void* const library = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::string problem = library == nullptr ? ::dlerror() : "";
    PluginModels models = Catalog::instance().end_plugin();
    if (library != nullptr && ::dlsym(library, "weir_plugin") == nullptr) {
      problem = "it does not export weir_plugin";
    }
    for (const PluginModels::Clash& clash : models.clashes) {
      problem += fmt::format("{}its {} '{}' has the name of {}", problem.empty() ? "" : "; ",
                             clash.kind, clash.name,
                             clash.taken_by.empty() ? "one that weir has itself"
                                                    : "one that " + clash.taken_by + " brought");
    }
    if (problem.empty() && models.added.empty()) {
      problem = "it registers no model, or stands in this program already (LD_PRELOAD)";
    }
    if (problem.empty()) return models;
    for (const auto& [kind, model] : models.added) kind->remove(model);
    // Its initializers run only once.
    if (library != nullptr) loaded().refused.emplace(content(), problem);
    throw refusal(problem);
  }

  [[nodiscard]] InputError refusal(const std::string& problem) const {
    return error("'{}' cannot be loaded: {}", path_, problem);
  }
  template <class... Values>
  [[nodiscard]] InputError error(fmt::format_string<Values...> text, Values&&... values) const {
    return {position_, key_, fmt::format(text, std::forward<Values>(values)...)};
  }

 private:
  /// Up to the next ';', taken from `rest`. What is longer than facts are is not one.
  static std::string_view part(std::string_view& rest) {
    constexpr std::size_t kLongest = 200;
    const std::size_t end = std::min({rest.find(';'), rest.size(), kLongest});
    const std::string_view found = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return found;
  }

  std::string path_;
  SourcePosition position_;
  std::string key_;
  std::string bytes_;
};

const Plugin* find_content(const std::string& content) {
  for (const Plugin& plugin : loaded().all) {
    if (plugin.content == content) return &plugin;
  }
  return nullptr;
}

bool is_loaded(const std::string& content) {
  const std::lock_guard lock(loaded().mutex);
  return find_content(content) != nullptr;
}

std::string absolute(const std::string& path) {
  std::error_code problem;
  const fs::path name = fs::weakly_canonical(fs::absolute(path), problem);
  return problem ? path : name.string();
}

/// The file's name, or all of the path where another plug-in has that name.
std::string name_of(const std::string& file) {
  std::string name = fs::path(file).filename().string();
  for (const Plugin& plugin : loaded().all) {
    if (plugin.name == name) return file;
  }
  return name;
}

const Plugin& load(const std::string& path, const SourcePosition& position,
                   const std::string& key) {
  const std::lock_guard lock(loaded().mutex);
  const std::string name = absolute(path);
  const PluginFile file(name, position, key);
  const std::string content = file.content();
  if (const Plugin* known = find_content(content)) return *known;
  for (const Plugin& plugin : loaded().all) {
    if (plugin.file != name) continue;
    throw file.error("'{}' has changed since this program loaded it: start again", name);
  }
  if (const auto it = loaded().refused.find(content); it != loaded().refused.end()) {
    throw file.refusal(it->second);
  }
  file.check_interface();
  PluginModels models = file.load(name_of(name));
  return loaded().all.emplace_back(Plugin{name, content, models.plugin});
}

ConfigValue entry_of(const Plugin& plugin, const SourcePosition& position) {
  ConfigTable table;
  table.position = position;
  table.set("file", ConfigValue(plugin.file, position));
  table.set("content", ConfigValue(plugin.content, position));
  return {std::move(table), position};
}

/// An entry as a user may write it: a name, or a table of `file` and `content`.
struct WrittenPlugin {
  std::string path;  ///< relative to nothing but the current folder
  std::optional<std::string> content;
  SourcePosition position;
};

WrittenPlugin written_plugin(const ConfigValue& value) {
  const auto wrong = [](const SourcePosition& at) {
    return InputError(at, kPlugins, R"(must be a list of file names, as in ["models.so"])");
  };
  WrittenPlugin out;
  const ConfigValue* file = &value;
  out.position = value.position;
  if (value.is_table()) {
    const ConfigTable table = placed_table(value);
    for (const ConfigEntry& entry : table.entries()) {
      if (entry.key != "file" && entry.key != "content") {
        throw InputError(
            entry.value.position, "plugins." + entry.key,
            "unknown key" + suggestion(entry.key, std::vector<std::string>{"file", "content"}));
      }
      if (!entry.value.is_text()) throw wrong(entry.value.position);
    }
    file = value.table().find("file");
    if (file == nullptr) throw InputError(out.position, "plugins.file", "is missing");
    if (const ConfigValue* content = value.table().find("content")) out.content = content->text();
  }
  if (!file->is_text()) throw wrong(file->position);
  fs::path path(file->text());
  if (path.is_relative()) {
    const std::string from = file->position.file ? *file->position.file : "";
    path = fs::path(from).parent_path() / path;
  }
  out.path = path.string();
  return out;
}

ConfigArray list_of(const ConfigTable& table) {
  const ConfigValue* value = table.find(kPlugins);
  if (value == nullptr) return {};
  return value->is_array() ? value->array() : ConfigArray{*value};
}

bool has_content(const ConfigArray& list, const std::string& content) {
  return std::any_of(list.begin(), list.end(), [&](const ConfigValue& one) {
    const ConfigValue* there = one.is_table() ? one.table().find("content") : nullptr;
    return there != nullptr && there->is_text() && there->text() == content;
  });
}

void set_list(ConfigTable& table, ConfigArray list) {
  if (list.empty()) {
    table.erase(kPlugins);
    return;
  }
  const SourcePosition position = list.front().position;
  table.set(kPlugins, ConfigValue(std::move(list), position));
}

void add(ConfigTable& table, const Plugin& plugin) {
  ConfigArray list = list_of(table);
  if (has_content(list, plugin.content)) return;
  list.push_back(entry_of(plugin, table.position));
  set_list(table, std::move(list));
}

/// The value, or one within, is the name of a model that the plug-in brought.
bool names_model_of(const ConfigValue& value, const std::vector<std::string>& models) {
  if (value.is_text()) return std::find(models.begin(), models.end(), value.text()) != models.end();
  if (value.is_array()) {
    const ConfigArray& list = value.array();
    return std::any_of(list.begin(), list.end(),
                       [&](const ConfigValue& one) { return names_model_of(one, models); });
  }
  if (!value.is_table()) return false;
  const std::vector<ConfigEntry>& entries = value.table().entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const ConfigEntry& entry) { return names_model_of(entry.value, models); });
}

std::vector<std::string> models_of(const Plugin& plugin) {
  std::vector<std::string> names;
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    for (const ModelInfo* model : kind->models()) {
      if (model->plugin == plugin.name) names.push_back(model->name);
    }
  }
  return names;
}

}  // namespace

const Plugin& load_plugin(const std::string& path, const SourcePosition& position,
                          const std::string& key) {
  return load(path, position, key);
}

void load_plugin_for_all(const std::string& path, const std::string& key) {
  const Plugin& plugin = load(path, {}, key);
  const std::lock_guard lock(loaded().mutex);
  auto& list = loaded().for_all;
  if (std::find(list.begin(), list.end(), &plugin) == list.end()) list.push_back(&plugin);
}

std::vector<Plugin> loaded_plugins() {
  const std::lock_guard lock(loaded().mutex);
  return {loaded().all.begin(), loaded().all.end()};
}

void load_plugins(ConfigTable& table) {
  if (!table.contains(kPlugins)) return;
  ConfigArray list;
  for (const ConfigValue& value : list_of(table)) {
    const WrittenPlugin written = written_plugin(value);
    if (written.content && is_loaded(*written.content)) {
      // As resolve() finds it, for every run.
      if (!has_content(list, *written.content)) list.push_back(value);
      continue;
    }
    const Plugin& plugin = load(written.path, written.position, kPlugins);
    if (written.content && *written.content != plugin.content) {
      throw InputError(written.position, kPlugins,
                       fmt::format("'{}' has the content {}, not {}: it was built again since this "
                                   "was written; without `content` it is taken as it is",
                                   plugin.file, plugin.content, *written.content));
    }
    if (!has_content(list, plugin.content)) list.push_back(entry_of(plugin, written.position));
  }
  set_list(table, std::move(list));
}

void join_plugins(const ConfigTable& base, ConfigTable& over) {
  load_plugins(over);
  ConfigArray list = list_of(base);
  for (const ConfigValue& one : list_of(over)) {
    if (!has_content(list, one.table().find("content")->text())) list.push_back(one);
  }
  set_list(over, std::move(list));
}

void add_plugins_for_all(ConfigTable& table) {
  std::vector<const Plugin*> for_all;
  {
    const std::lock_guard lock(loaded().mutex);
    for_all = loaded().for_all;
  }
  for (const Plugin* plugin : for_all) add(table, *plugin);
}

void add_used_plugins(ConfigTable& table) {
  for (const Plugin& plugin : loaded_plugins()) {
    if (has_content(list_of(table), plugin.content)) continue;
    if (names_model_of(ConfigValue(table, {}), models_of(plugin))) add(table, plugin);
  }
}

void excuse_plugins(ConfigTable& table) {
  ConfigArray list;
  for (const ConfigValue& value : list_of(table)) {
    const WrittenPlugin written = written_plugin(value);
    std::error_code ignored;
    if (!fs::exists(written.path, ignored)) continue;
    list.emplace_back(written.path, written.position);
  }
  set_list(table, std::move(list));
}

}  // namespace weir::experiment
