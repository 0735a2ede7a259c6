#include <fmt/format.h>

#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

struct LipdSettings : RateSettings, WindowScope {
  std::optional<Time> slot;
};

std::unique_ptr<fabric::Reaction> make_lipd(const Checked<LipdSettings>& file,
                                            const fabric::ReactionContext& context) {
  ReactionParts parts;
  parts.window = read_fixed_window(file);
  parts.scope = file->scope;
  const Recovery recovery = file->recovery;
  require_acks(context, "lipd", parts.window,
               recovery == Recovery::per_ack ? "recovery = \"per-ack\"" : "");
  const Time slot = file->slot ? *file->slot : packet_time(*context.graph, context.fabric);
  auto delay = std::make_unique<LinearDelay>(file->least_rate, recovery, slot);
  parts.notes.push_back(fmt::format("reaction lipd: slots of {}, at most {:.6g} between packets",
                                    to_string(slot), delay->most()));
  note_missing_marks(context, "lipd", parts);
  parts.delay = std::move(delay);
  return std::make_unique<FlowReaction>(std::move(parts), context);
}

const Registration<fabric::ReactionFactory> kLipd(
    fabric::reaction_registry(),
    {"lipd", "linear inter-packet delay: a marked ACK adds a slot between the packets of its flow",
     "santos2003endtoend; ferrer2012, section 3.5.1"},
    Keys<LipdSettings>{
        key(&LipdSettings::slot, "slot",
            "length of a waiting slot (default: time of the largest packet on a host's link)")
            .at_least(1),
        scope_key()}
        .with(rate_keys()),
    make_lipd);

}  // namespace

}  // namespace weir::reaction
