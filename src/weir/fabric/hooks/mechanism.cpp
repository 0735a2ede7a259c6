#include "weir/fabric/hooks/mechanism.hpp"

#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::fabric {

void Mechanism::checkpoint_message(NodeState& state, std::uint32_t, ControlMessage& message) {
  state(message.content_);
}

}  // namespace weir::fabric
