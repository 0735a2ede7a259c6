#include <algorithm>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/flow_routing/flow_router.hpp"

namespace weir::flow_routing {

void FlowRouter::checkpoint(fabric::NodeState& state) {
  state.of_switch(random_);
  state.of_ports(load_);
  state.of_ports(entries_);
  if (state.is_reading()) {
    for (std::uint32_t port = state.first_port(); port < state.end_port(); ++port)
      counted_ += load_[port];
  }
  checkpoint_caches(state);
  state.of_flows(connections_);
  if (watch_ == nullptr) return;
  state.of_flows(paths_);
  paths_.resize(std::max(paths_.size(), connections_.size()));
  watch_->checkpoint(state);
}

void FlowRouter::checkpoint_caches(fabric::NodeState& state) {
  if (!state.is_reading() && by_port_.size() != caches_.size()) {
    for (const auto& [key, out] : caches_) by_port_.push_back(key);
    std::sort(by_port_.begin(), by_port_.end());
  }
  for (std::uint32_t port = state.first_port(); port < state.end_port(); ++port) {
    auto entry = std::lower_bound(by_port_.begin(), by_port_.end(), EntryKey{port, 0, 0});
    for (std::uint32_t i = 0; i < entries_[port]; ++i) {
      EntryKey key = state.is_reading() ? EntryKey{port, 0, 0} : *entry++;
      std::uint16_t out = state.is_reading() ? std::uint16_t{0} : caches_.at(key);
      state(key.source);
      state.flow_of(key.source, key.flow);
      state(out);
      if (state.is_reading()) caches_.emplace(key, out);
    }
  }
}

void FlowRouter::checkpoint_totals(fabric::TotalState& state) {
  by_port_.clear();  // of the nodes, which come before
  FlowRoutingCounters& c = counters_;
  state.sum(c.set_ups, c.tear_downs, c.routed, c.diverted, c.cache_full, c.control_bytes,
            c.completed_set_ups, c.set_up_time);
  state.most(c.entries_max);
  state.most(c.longest_set_up);
}

}  // namespace weir::flow_routing
