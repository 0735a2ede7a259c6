#pragma once

#include <string>
#include <vector>

#include "weir/base/catalog.hpp"

namespace weir::experiment {

/// A whole congestion management, or classes of service, by the name of its document: the keys that
/// it fills in where the experiment does not set them stand in its ModelInfo, with their values as
/// defaults.
struct Preset {
  /// A key that means nothing beside what the experiment may choose.
  struct LeftOut {
    std::string key;
    std::string beside;                ///< set by the experiment, to something else than
    std::vector<std::string> but_for;  ///< these
  };

  bool manages = true;              ///< needs marks, a reaction to them and ACKs
  std::vector<std::string> needed;  ///< keys of which the experiment has to set one
  std::vector<LeftOut> left_out = {};
};

Registry<Preset>& preset_registry();

/// Fills in what `management.preset` stands for; the keys of a model only where the experiment does
/// not choose another one. Throws InputError where the experiment contradicts it. Isolation without
/// a switch.architecture gets the one that it needs.
void apply_preset(ConfigTable& experiment);

/// Takes what the preset of `written` has filled in out of `resolved` again: sections with a model
/// of which it says something are as written, single keys are gone unless written. For an
/// experiment of which cases or a sweep change the preset.
void take_preset_out(ConfigTable& resolved, const ConfigTable& written);
/// The same for the architecture of switches, which depends on whether there is isolation.
void take_architecture_out(ConfigTable& resolved, const ConfigTable& written);

}  // namespace weir::experiment
