#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

const Registration<fabric::ReactionFactory> kAimd(
    fabric::reaction_registry(),
    {"aimd",
     "additive increase, multiplicative decrease: a marked ACK divides the rate of its flow by the "
     "factor, and it grows by (factor - 1) least_rate^2 a packet time",
     "chiu1989aimd; santos2003endtoend; yan2012, section 3.3.3",
     joined({Parameter::of(ParameterType::real, "factor", "factor m of the decrease (n in FIMD)")
                 .by_default("4.0")
                 .range(1.0001, 1e6)},
            rate_parameters())},
    [](const Settings& settings, const fabric::ReactionContext& context) {
      return make_rate_reaction("aimd",
                                make_aimd(settings.real("factor"), settings.real("least_rate")),
                                settings, context);
    });

}  // namespace

}  // namespace weir::reaction
