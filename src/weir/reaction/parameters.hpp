#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/paced.hpp"
#include "weir/reaction/window.hpp"

namespace weir::reaction {

/// A window that marks do not move.
struct FixedWindow {
  bool is_bounded = true;
  std::uint32_t packets = 8;
};
/// `window_kind` and `window`.
Keys<FixedWindow> fixed_window_keys(FixedWindow defaults);
Window read_fixed_window(const Checked<FixedWindow>& file);

/// What has a window and a wait of its own: a flow, or all flows of a host together.
struct WindowScope {
  ReactionParts::Scope scope = ReactionParts::Scope::flow;
};
Key<WindowScope> scope_key();

/// Picoseconds of a time that may be left out.
inline double in_picoseconds(const std::optional<Time>& given, double otherwise) {
  return given ? static_cast<double>(given->count) : otherwise;
}

/// Refuses acknowledgements that cannot tell `model` what it has to know: none at all; with a
/// bounded window or where `wants_unmarked`, those for marked packets only. Throws InputError.
/// `because`: what wants the unmarked ones.
void require_acks(const fabric::ReactionContext& context, const std::string& model,
                  const Window& window, const std::string& because = {});

/// Notes of a reaction to marks: that there is no marker, or one that cannot mark; else what to say
/// if a run ends without a mark.
void note_missing_marks(const fabric::ReactionContext& context, const std::string& model,
                        ReactionParts& parts);

/// What the reactions that keep a rate have in common: where from, how far down, what brings it
/// back, window.
struct RateSettings : FixedWindow {
  bool starts_full = false;
  double least_rate = 1.0 / 256;
  Recovery recovery = Recovery::per_ack;
};
const Keys<RateSettings>& rate_keys();

/// Of aimd and fimd.
struct FactorSettings : RateSettings {
  double factor = 4;  ///< m
};
Keys<FactorSettings> factor_keys();

/// aimd, fimd and pipd differ in their law only.
std::unique_ptr<fabric::Reaction> make_rate_reaction(const std::string& model,
                                                     std::unique_ptr<const RateLaw> law,
                                                     const Checked<RateSettings>& file,
                                                     const fabric::ReactionContext& context);

}  // namespace weir::reaction
