#pragma once

#include <string>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/paced.hpp"
#include "weir/reaction/window.hpp"

namespace weir::reaction {

/// Appends to a list of parameters.
std::vector<Parameter> joined(std::vector<Parameter> first, const std::vector<Parameter>& second);

/// `window_kind` and `window` of reactions whose windows marks do not move.
std::vector<Parameter> fixed_window_parameters(const std::string& kind,
                                               const std::string& default_size);
Window read_fixed_window(const Settings& settings);

/// `scope` of reactions with windows: a flow, or all flows of a host together.
Parameter scope_parameter();
ReactionParts::Scope read_scope(const Settings& settings);

/// Refuses acknowledgements that cannot tell `model` what it has to know: none at all; with a
/// bounded window or where `wants_unmarked`, those for marked packets only. Throws InputError.
/// `because`: what wants the unmarked ones.
void require_acks(const fabric::ReactionContext& context, const std::string& model,
                  const Window& window, const std::string& because = {});

/// Notes of a reaction to marks: that there is no marker, or one that cannot mark; else what to say
/// if a run ends without a mark.
void note_missing_marks(const fabric::ReactionContext& context, const std::string& model,
                        ReactionParts& parts);

/// Parameters of the reactions that keep a rate: where from, how far down, what brings it back,
/// window.
std::vector<Parameter> rate_parameters();
Recovery read_recovery(const Settings& settings);

/// aimd, fimd and pipd differ in their law only.
std::unique_ptr<fabric::Reaction> make_rate_reaction(const std::string& model,
                                                     std::unique_ptr<const RateLaw> law,
                                                     const Settings& settings,
                                                     const fabric::ReactionContext& context);

}  // namespace weir::reaction
