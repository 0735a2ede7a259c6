#include "weir/fabric/switch/input_queued.hpp"

#include "weir/fabric/part_loop.hpp"
#include "weir/fabric/switch/plain_input_queued.hpp"

namespace weir::fabric {

bool PlainInputQueued::run_until(Part& part, Time end, WhenIdle when_idle) {
  return part.run_until(*this, end, when_idle);
}

void PlainInputQueued::run_before(Part& part, std::int64_t end) { part.run_before(*this, end); }

std::unique_ptr<SwitchModel> make_input_queued(Core& core) {
  if (core.mechanisms.isolation) return std::make_unique<InputQueued<true>>(core);
  if (PlainInputQueued::serves(core)) return std::make_unique<PlainInputQueued>(core);
  return std::make_unique<InputQueued<false>>(core);
}

}  // namespace weir::fabric
