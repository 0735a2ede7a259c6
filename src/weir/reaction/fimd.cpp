#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

const Registration<fabric::ReactionFactory> kFimd(
    fabric::reaction_registry(),
    {"fimd",
     "fast increase, multiplicative decrease: a marked ACK divides the rate of its flow by the "
     "factor, and it grows by that factor in 1 / least_rate packet times",
     "santos2003endtoend; yan2012, section 3.3.2"},
    factor_keys(), [](const Checked<FactorSettings>& file, const fabric::ReactionContext& context) {
      return make_rate_reaction("fimd", make_fimd(file->factor, file->least_rate), file, context);
    });

}  // namespace

}  // namespace weir::reaction
