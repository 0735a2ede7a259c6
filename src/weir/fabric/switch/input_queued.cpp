#include "weir/fabric/switch/input_queued.hpp"

#include "weir/fabric/switch/plain_input_queued.hpp"

namespace weir::fabric {

std::unique_ptr<SwitchModel> make_input_queued(Core& core) {
  if (core.mechanisms.isolation) return std::make_unique<InputQueued<true>>(core);
  if (PlainInputQueued::serves(core)) return std::make_unique<PlainInputQueued>(core);
  return std::make_unique<InputQueued<false>>(core);
}

}  // namespace weir::fabric
