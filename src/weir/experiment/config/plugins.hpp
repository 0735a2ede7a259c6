#pragma once

#include <string>
#include <vector>

#include "weir/base/config.hpp"

namespace weir::experiment {

/// A shared library with models of its own, which stands in this program until it ends.
struct Plugin {
  std::string file;     ///< absolute name
  std::string content;  ///< configuration_hash() of the file's bytes, as it was loaded
  std::string name;     ///< ModelInfo::plugin of its models
};

/// Loads a plug-in (WEIR_PLUGIN, weir/base/plugin.hpp): the registries know its models from here
/// on. The same content again, under whatever name, is the same plug-in. No other thread may use
/// the registries meanwhile. Throws InputError, at `position` and about `key`, for a file that
/// cannot be loaded, that is no plug-in or one for another interface, that has changed since it
/// was loaded, or that has a model whose name is taken; then none of its models is known.
const Plugin& load_plugin(const std::string& path, const SourcePosition& position = {},
                          const std::string& key = "plugins");

/// The same, and every experiment that is read from here on has it among its `plugins`.
void load_plugin_for_all(const std::string& path, const std::string& key = "plugins");

/// All that are loaded, in that order.
std::vector<Plugin> loaded_plugins();

/// Loads what the key `plugins` of an experiment names, relative to the file that it stands in, and
/// writes it back as tables of `file`, absolute, and `content`: what is run is what was loaded.
/// Throws InputError, also where `content` stands already and is another.
void load_plugins(ConfigTable& table);

/// load_plugins() of `over` after those of `base`: included files keep theirs.
void join_plugins(const ConfigTable& base, ConfigTable& over);

/// Adds those of load_plugin_for_all().
void add_plugins_for_all(ConfigTable& table);

/// Adds those that a model named in `table` comes from, where they are loaded for another reason:
/// for another file of the same program, say. Then its results depend on them, too.
void add_used_plugins(ConfigTable& table);

/// Of results: plug-ins that are gone are left out, and others are taken as they are now. Their
/// numbers are stored; the models are only needed to draw the network.
void excuse_plugins(ConfigTable& table);

}  // namespace weir::experiment
