#pragma once

#include <string>

#include "weir/base/catalog.hpp"

namespace weir::experiment {

/// A model that a section names, with its checked settings.
template <class Factory>
struct Chosen {
  std::string name;
  Settings settings;              ///< of the model
  const Factory* make = nullptr;  ///< null: "none"
};

}  // namespace weir::experiment
