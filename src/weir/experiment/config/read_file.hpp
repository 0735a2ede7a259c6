#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/base/config.hpp"

namespace weir::experiment {

/// What messages call standard input.
inline constexpr const char* kStandardInput = "<stdin>";
/// "-" and its names in the file system.
bool is_standard_input(std::string_view path);

/// Reads an experiment file with everything that its `include` names: those first, in order, then
/// the file itself, whose keys win; lists of tables are replaced as a whole. In the result every
/// model section is a table (`routing = "x"` is short for `[routing] model = "x"`) and `traffic`,
/// `case` and `plot` are lists. Plug-ins that the files and the program name (plugins.hpp) are
/// loaded, and their list is `plugins`. Standard input is read to its end; what it includes and
/// names is sought in the current folder. Throws InputError, also when files include each other.
ConfigTable read_experiment(const std::string& path);

/// The same for text that stands in `file`, relative to whose folder includes are sought.
ConfigTable parse_experiment(std::string_view text, const std::string& file);

/// The same for a table that a program made; files that it includes are sought relative to the
/// folder of `file`.
ConfigTable complete_experiment(ConfigTable table, const std::string& file);

/// The table that RunRecord::configuration holds; see excuse_plugins(). `name` is what messages
/// call it. Throws InputError.
ConfigTable parse_stored_experiment(std::string_view text, const std::string& name);

/// Makes `routing = "x"` a table with `model = "x"`, for all sections that name a model.
void spell_out_models(ConfigTable& table);

/// An override from the command line, "key=value": the value is TOML, or else plain text. Errors
/// about it say "--set". Throws InputError.
ConfigTable parse_override(const std::string& text);

}  // namespace weir::experiment
