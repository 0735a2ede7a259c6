#include <memory>
#include <utility>

#include "weir/reaction/flow_reaction.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

struct StaticWindowSettings : WindowScope {
  std::uint32_t window = 2;
};

const Registration<fabric::ReactionFactory> kStaticWindow(
    fabric::reaction_registry(),
    {"static-window", "at most `window` packets of a flow on their way without ACK",
     "ferrer2012, sections 5.2.1 and 5.3.1"},
    Keys<StaticWindowSettings>{key(&StaticWindowSettings::window, "window",
                                   "packets of a flow that may be on their way without ACK")
                                   .range(1, 1'000'000),
                               scope_key()},
    [](const Checked<StaticWindowSettings>& file, const fabric::ReactionContext& context) {
      ReactionParts parts;
      parts.window = Window::fixed(file->window);
      parts.scope = file->scope;
      require_acks(context, "static-window", parts.window);
      parts.delay = std::make_unique<NoDelay>();
      return std::make_unique<FlowReaction>(std::move(parts), context);
    });

}  // namespace

}  // namespace weir::reaction
