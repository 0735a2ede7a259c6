#pragma once

#include <string>
#include <vector>

namespace weir::experiment {

/// A model, or a choice of a key, as one of two that are put into an experiment together.
struct Part {
  std::string name;  ///< as in a file, with what tells it from a part of the same model
  std::string own;   ///< the keys that are this part, as TOML
  /// Keys of other sections without which it means nothing, as TOML: the first of these that a run
  /// takes. They give way to what another part says.
  std::vector<std::string> needs{{}};
};

/// Parts of which an experiment has one at a time.
struct Dimension {
  std::string name;   ///< section, or key, that chooses one
  std::string title;  ///< for people
  std::vector<Part> parts;
};

/// All that a network can be put together from, out of the catalogue and out of the choices of
/// keys: whatever is registered is in it. Models that need a file are left out.
std::vector<Dimension> dimensions();

/// A tree of eight hosts, or what the parts make of it, of which some send to one host until all of
/// it is delivered, as TOML.
const char* small_experiment();

}  // namespace weir::experiment
