#include "weir/fabric/hooks/mechanism.hpp"

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/hooks/injection_buffer.hpp"

namespace weir::fabric {

void Mechanism::checkpoint_message(NodeState& state, std::uint32_t, ControlMessage& message) {
  state(message.content_);
}

void InjectionChanges::checkpoint(StateArchive& state) { state(any, all, destinations); }

}  // namespace weir::fabric
