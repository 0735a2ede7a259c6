#pragma once

#include <string>

#include "weir/base/catalog.hpp"

namespace weir::traffic {

/// A model that a table names under `model`, with its checked settings.
template <class Factory>
struct ModelChoice {
  std::string name;
  std::string where;  ///< dotted path of the table
  Settings settings;
  const Factory* make = nullptr;

  /// The table with all defaults filled in.
  [[nodiscard]] ConfigValue resolved() const {
    ConfigTable table;
    table.set("model", ConfigValue(name, {}));
    const ConfigTable checked = settings.resolved();
    for (const ConfigEntry& entry : checked.entries()) table.set(entry.key, entry.value);
    return {std::move(table), {}};
  }
};

/// Reads `{ model = "name", ... }`, or just "name". Throws InputError.
template <class Factory>
ModelChoice<Factory> choose_model(const Registry<Factory>& registry, const ConfigValue& value,
                                  const std::string& where) {
  const std::string key = where + ".model";
  ConfigTable table;
  table.position = value.position;
  if (value.is_text()) {
    table.set("model", value);
  } else if (value.is_table()) {
    table = placed_table(value);
  } else {
    throw InputError(value.position, where,
                     "must be a table with 'model' or the name of a model, not " +
                         std::string(value.kind_name()));
  }
  const ConfigValue* name = table.find("model");
  if (name == nullptr) throw InputError(table.position, key, "is missing");
  if (!name->is_text()) throw InputError(name->position, key, "must be a string");
  const auto& model = registry.find(name->text(), name->position, key);
  return {model.info.name, where, Settings::check(table, model.info.parameters, where, {"model"}),
          &model.make};
}

}  // namespace weir::traffic
