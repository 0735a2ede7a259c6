#pragma once

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

template <class List>
void SetAside::of_sides(fabric::NodeState& state, List& list, std::size_t each) const {
  const std::size_t of_a_port = 2 * std::size_t{classes_} * each;
  state.slice(list, state.first_port() * of_a_port,
              (state.end_port() - state.first_port()) * of_a_port);
}

}  // namespace weir::isolation
