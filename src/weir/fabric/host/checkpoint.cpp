#include "weir/fabric/checkpoint/node_state.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weir/fabric/host/hosts.hpp"
#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

void WaitingAcks::checkpoint(NodeState& state) {
  if (queues_.empty() || !state.is_host()) return;
  for (std::size_t vl = 0; vl < vls_; ++vl) {
    Queue& queue = queues_[state.node() * vls_ + vl];
    state(queue.passed);
    std::uint32_t packet = state.is_reading() ? 0 : queue.head;
    for (;;) {
      state.packet(packet);
      if (packet == kNone) break;
      if (state.is_reading()) {
        push(state.node(), packet);
      } else {
        packet = packets_[packet].next;
      }
    }
  }
}

// --- Source queues

void SourceQueueSet::checkpoint_queue_of(NodeState& state, std::uint32_t& queue) {
  // One that lasts by its place, that of a flow by the flow.
  std::uint32_t place = kNone;
  std::uint32_t flow = kNone;
  if (!state.is_reading() && queue != kNone) {
    flow = queues_[queue].flow;
    if (flow == kNone) place = queue - first_lasting(state.node());
  }
  state(place);
  state.flow_of(state.node(), flow);
  if (!state.is_reading()) return;
  queue = kNone;
  if (place != kNone) queue = first_lasting(state.node()) + place;
  if (flow != kNone) queue = queue_of(state.node(), flow);
}

void SourceQueueSet::checkpoint_queue(NodeState& state, std::uint32_t queue) {
  std::uint32_t message = state.is_reading() ? 0 : queues_[queue].head;
  for (;;) {
    state.message_of(state.node(), message);
    if (message == kNone) break;
    if (state.is_reading()) {
      append_message(queue, message);
    } else {
      message = messages_[message].next;
    }
  }
  SourceQueue& q = queues_[queue];
  state(q.bytes, q.turn, q.group, q.paused_until);
  state.source(q.first_waiter);
  state.source(q.last_waiter);
}

void SourceQueueSet::checkpoint_turns(NodeState& state) {
  for (std::size_t group = 0; group < groups_; ++group) {
    Turn& list = active_[std::size_t{state.node()} * groups_ + group];
    std::uint32_t queue = state.is_reading() ? 0 : list.first;
    for (;;) {
      checkpoint_queue_of(state, queue);
      if (queue == kNone) break;
      if (state.is_reading()) {
        insert_between(list.last, queue, kNone);
      } else {
        queue = queues_[queue].next_active;
      }
    }
  }
}

void SourceQueueSet::checkpoint(NodeState& state) {
  const std::uint32_t host = state.node();
  for (std::uint32_t i = 0; i < queues_a_host_; ++i)
    checkpoint_queue(state, first_lasting(host) + i);
  std::vector<std::uint32_t> of_flows;
  for (const std::uint32_t flow : state.flows()) {
    if (!state.is_reading() && flow < by_flow_.size() && by_flow_[flow] != kNone)
      of_flows.push_back(flow);
  }
  std::uint64_t count = of_flows.size();
  state(count);
  of_flows.resize(count);
  for (std::uint32_t& flow : of_flows) {
    state.flow_of(host, flow);
    checkpoint_queue(state, queue_of(host, flow));
  }
  checkpoint_turns(state);
  state.of_host(non_empty_);
  state.of_host(next_turn_);
  if (!memories_.empty()) {
    SharedMemory& memory = memories_[host];
    state(memory.free, memory.stored);
    state.message_of(host, memory.message);
  }
  if (due_.empty()) return;
  std::vector<Due>& heap = due_[host];
  count = heap.size();
  state(count);
  heap.resize(count);
  for (Due& due : heap) {
    state(due.time);
    // Its queue may be of another host by now, or of nobody.
    const bool is_its = !state.is_reading() && due.queue != kNone &&
                        queues_[due.queue].host == host &&
                        queues_[due.queue].paused_until == due.time;
    std::uint32_t queue = is_its ? due.queue : kNone;
    checkpoint_queue_of(state, queue);
    due.queue = state.is_reading() ? queue : due.queue;
  }
}

std::vector<std::uint32_t> SourceQueueSet::queues_of(const NodeState& state) const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < queues_a_host_; ++i) all.push_back(first_lasting(state.node()) + i);
  for (const std::uint32_t flow : state.flows()) {
    if (flow < by_flow_.size() && by_flow_[flow] != kNone) all.push_back(by_flow_[flow]);
  }
  return all;
}

// --- Hosts

Hosts::Numbers Hosts::numbers() const {
  const std::size_t hosts = core_.host_count;
  Numbers all;
  all.messages.resize(hosts);
  all.messages_to.resize(hosts);
  all.flows.resize(hosts);
  all.flows_to.resize(hosts);
  all.sources.resize(hosts);
  const auto is_here = [&](std::uint32_t host) {
    return core_.border == nullptr || core_.border->is_own_host(host);
  };
  for (const std::uint32_t handle : messages_.handles()) {
    const Message& message = messages_[handle];
    if (is_here(message.source)) all.messages[message.source].push_back(handle);
    if (is_here(message.destination)) all.messages_to[message.destination].push_back(handle);
  }
  flows_.for_each_number([&](std::uint32_t number) {
    const auto [source, destination] = flows_.name(number);
    if (is_here(source)) all.flows[source].push_back(number);
    if (is_here(destination)) all.flows_to[destination].push_back(number);
  });
  for (std::uint32_t number = 0; number < sources_.size(); ++number)
    all.sources[sources_[number].host].push_back(number);
  return all;
}

void Hosts::checkpoint_begun(NodeState& state, const std::vector<std::uint32_t>& messages) {
  const bool is_reading = state.is_reading();
  const auto ends_here = [&](std::uint32_t host) {
    return core_.border == nullptr || core_.border->is_own_host(host);
  };
  for (const std::uint32_t number : state.flows()) {
    Flow flow = is_reading ? Flow() : flows_.whole(number);
    state(flow);
    if (!is_reading) continue;
    const std::uint32_t here =
        flows_.find_or_add(flow.source, flow.destination, flow.keeps_rate, flow.connection);
    if (here != number) throw std::logic_error("the flows of a checkpoint are in another order");
    flows_.restore(here, flow);
  }
  for (const std::uint32_t handle : messages) {
    if (is_reading && messages_.take() != handle)
      throw std::logic_error("the messages of a checkpoint are in another order");
    Message message = messages_[handle];
    state(message);
    state.flow_of(state.node(), message.flow);
    if (!is_reading) continue;
    backlog_ += message.unsent;
    if (!ends_here(message.destination)) {
      message.undelivered = message.bytes;
      message.has_lost = false;
    }
    messages_[handle] = message;
  }
}

void Hosts::checkpoint_flows_to(NodeState& state, const std::vector<std::uint32_t>& flows) {
  if (state.is_reading()) flows_.find_incoming_by_name();
  std::uint64_t count = flows.size();
  state(count);
  std::vector<std::uint32_t> here = flows;
  here.resize(count);
  for (std::uint32_t& number : here) {
    Flow flow = state.is_reading() ? Flow() : flows_.whole(number);
    state(flow);
    if (!state.is_reading()) continue;
    number = flows_.find_or_add(flow.source, flow.destination, flow.keeps_rate, flow.connection);
    flow.injected = flows_.injected(number);
    flows_.restore(number, flow);
  }
  state.set_flows_to(std::move(here));
}

void Hosts::checkpoint_messages_to(NodeState& state, const std::vector<std::uint32_t>& messages) {
  const auto begins_here = [&](std::uint32_t host) {
    return core_.border == nullptr || core_.border->is_own_host(host);
  };
  std::vector<std::uint32_t> some_of_it_here;
  for (const std::uint32_t one : messages) {
    const Message& message = messages_[one];
    if (message.undelivered < message.bytes || message.has_lost) some_of_it_here.push_back(one);
  }
  std::uint64_t count = some_of_it_here.size();
  state(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    Message message;
    std::uint32_t at_source = kNone;
    std::uint32_t flow = kNone;  // at the source
    std::uint16_t connection = 0;
    if (!state.is_reading()) {
      message = messages_[some_of_it_here[i]];
      at_source = begins_here(message.source) ? some_of_it_here[i] : message.next;
      flow = flow_at_source(message);
      connection = flows_.connection_of(message.flow);
    }
    state(message, connection);
    state.message_of(message.source, at_source);
    state.flow_of(message.source, flow);
    if (!state.is_reading()) continue;
    if (begins_here(message.source)) {
      messages_[at_source].undelivered = message.undelivered;
      messages_[at_source].has_lost = message.has_lost;
      continue;
    }
    const std::uint32_t here = messages_.take();
    adopted(core_.border->part_of_host(message.source), at_source) = here;
    message.flow =
        flows_.find_or_add(message.source, message.destination, message.keeps_rate, connection);
    message.next = at_source;
    message.unsent = flow;
    messages_[here] = message;
  }
}

void Hosts::checkpoint_source(NodeState& state, std::uint32_t number) {
  Source& source = sources_[number];
  source.model->checkpoint(state);
  state(source.pending, source.connection, source.aim, source.connection_number, source.aims,
        source.next_at);
  state.source(source.next_waiter);
  queues_.checkpoint_queue_of(state, source.waits_at);
}

void Hosts::checkpoint_watch(NodeState& state, WaitingWatch& watch) {
  for (const std::uint32_t queue : queues_.queues_of(state)) {
    watch.checkpoint_source_queue(state, queue);
    for (std::uint32_t m = queues_[queue].head; m != kNone; m = messages_[m].next)
      watch.checkpoint_waiting(state, m);
  }
}

void Hosts::checkpoint(NodeState& state, const Numbers& numbers) {
  if (!state.is_host()) return;
  const std::uint32_t host = state.node();
  const std::span<const std::uint32_t> sources = numbers.sources[host];
  static const std::vector<std::uint32_t> kNothing;
  const bool is_reading = state.is_reading();
  checkpoint_flows_to(state, is_reading ? kNothing : numbers.flows_to[host]);
  checkpoint_messages_to(state, is_reading ? kNothing : numbers.messages_to[host]);
  state.set_sources(sources);
  queues_.checkpoint(state);
  if (core_.mechanisms.waiting) checkpoint_watch(state, *core_.mechanisms.waiting);
  for (const std::uint32_t source : sources) checkpoint_source(state, source);
  // Only parts with such sources have loops.
  std::size_t turn = loops_.empty() ? 0 : loops_[host].turn;
  state(turn);
  if (!loops_.empty()) loops_[host].turn = turn;
  acks_.checkpoint(state);
  state.of_host(vl_arbiters_);
  state.of_host(ack_random_);
  state.of_host(adapted_in_turn_);
  state.of_flows(kept_);
  if (!reorder_) return;
  reorder_->checkpoint_held(state, [&](std::uint32_t& packet) {
    // What has come from another part has the number that its message has here.
    const bool is_adopted = !state.is_reading() && !is_from_here(core_.packets[packet]);
    const std::uint32_t here = is_adopted ? core_.packets[packet].message : kNone;
    if (is_adopted) core_.packets[packet].message = messages_[here].next;
    state.packet(packet);
    if (is_adopted) core_.packets[packet].message = here;
    if (state.is_reading() && !is_from_here(core_.packets[packet])) adopt(packet);
  });
}

}  // namespace weir::fabric
