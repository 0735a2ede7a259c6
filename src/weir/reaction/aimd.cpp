#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

const Registration<fabric::ReactionFactory> kAimd(
    fabric::reaction_registry(),
    {"aimd",
     "additive increase, multiplicative decrease: a marked ACK divides the rate of its flow by the "
     "factor, and it grows by (factor - 1) least_rate^2 a packet time",
     "chiu1989aimd; santos2003endtoend; yan2012, section 3.3.3"},
    factor_keys(), [](const Checked<FactorSettings>& file, const fabric::ReactionContext& context) {
      return make_rate_reaction("aimd", make_aimd(file->factor, file->least_rate), file, context);
    });

}  // namespace

}  // namespace weir::reaction
