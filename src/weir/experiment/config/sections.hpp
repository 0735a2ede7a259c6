#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/base/catalog.hpp"

namespace weir::experiment {

/// One section of an experiment file, as `weir describe SECTION` shows it.
struct Section {
  std::string name;     ///< "switch"; below another: "traffic.sources"
  std::string purpose;  ///< one line
  /// Kind of the model that the key `model` names, whose parameters join these; or empty.
  std::string kind;
  /// Model when the section is left out; empty: it must be there. "none": no such mechanism.
  std::string default_model;
  std::vector<Parameter> parameters;
  bool is_list = false;  ///< [[name]]
  /// Keys are free (dotted keys of other sections).
  bool is_open = false;
  /// Where the model that is taken by default depends on the experiment: by what. Empty otherwise.
  std::string default_by{};
};

/// In the order in which `--dump` writes them.
const std::vector<Section>& sections();

/// The section of that name; throws std::logic_error when there is none.
const Section& section(std::string_view name);

/// The section names a model.
bool is_model_section(std::string_view name);

/// Names of the sections that stand at the top level of a file, "include" and "plugins" among them.
const std::vector<std::string>& top_level_names();

}  // namespace weir::experiment
