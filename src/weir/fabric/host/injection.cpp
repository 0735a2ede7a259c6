#include "weir/fabric/host/hosts.hpp"

#include <algorithm>
#include <bit>

#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

namespace {

bool precedes(const FlowRank& a, const FlowRank& b) {
  return a.tag != b.tag ? a.tag < b.tag : a.order < b.order;
}

}  // namespace

void Hosts::inject(std::uint32_t port) {
  const std::uint32_t host = core_.ports[port].node;
  Output& out = core_.links[port];
  if (injection_buffers_ != nullptr) {
    do {
      fill_injection_buffer(port, host);
    } while (injection_buffers_->arbitrate(port));
    return;
  }
  const bool has_acks = acks_.any(host);
  if (queues_.is_empty(host) && !has_acks) return;
  if (out.free_at > core_.now) {
    core_.wake(port, out.free_at);
    return;
  }
  if (core_.is_link_down(port)) return;
  core_.links.apply(port, core_.now);
  bool lacks_credit = false;
  const bool acks_first = vl_arbiters_.empty() && has_acks && acks_.precede(host);
  if (acks_first && send_ack(port, host, lacks_credit)) return;
  std::int64_t retry = kNever;
  bool may_inject = true;
  if (core_.mechanisms.injection && !queues_.is_empty(host)) {
    const auto at = core_.mechanisms.injection->may_inject(HostId(host), Time(core_.now)).count;
    may_inject = at <= core_.now;
    if (!may_inject) retry = at;
  }
  std::uint32_t choice = kNone;
  if (!vl_arbiters_.empty()) {
    if (arbitrate_vls(port, host, may_inject, lacks_credit, retry)) return;
  } else if (may_inject && choose(port, host, choice, lacks_credit, retry)) {
    acks_.on_data(host);
    send_packet(port, choice);
    return;
  } else if (has_acks && !acks_first && send_ack(port, host, lacks_credit)) {
    return;
  }
  if (may_inject && !loops_.empty() && draw_past_link(port, host, lacks_credit, retry)) return;
  if (lacks_credit) core_.await_feedback(port);
  core_.wake(port, retry);
}

bool Hosts::send_ack(std::uint32_t port, std::uint32_t host, bool& lacks_credit) {
  const std::uint32_t packet = acks_.front(host);
  const Packet& ack = core_.packets[packet];
  if (!core_.can_send(port, ack.next_buffer)) {
    lacks_credit = true;
    return false;
  }
  transmit_ack(port, host, 0);
  return true;
}

void Hosts::transmit_ack(std::uint32_t port, std::uint32_t host, std::size_t vl) {
  const std::uint32_t packet = acks_.front(host, vl);
  acks_.pop(host, !queues_.is_empty(host), vl);
  core_.packets[packet].injected = core_.now;
  ++core_.counters.acks_injected;
  const std::int64_t free_at = core_.transmit(port, packet);
  if (ranks_flows_)
    core_.mechanisms.injection->on_ack(HostId(host), Time(core_.now), Time(free_at));
  core_.wake(port, free_at);
}

SourceQueueSet::Answer Hosts::ask_flow(std::uint32_t queue, const Message& head) {
  using Answer = SourceQueueSet::Answer;
  if (core_.routes_flows && !core_.mechanisms.flow_routing->may_inject(head.flow)) {
    queues_[queue].paused_until = kNever;
    return Answer::pause;
  }
  if (core_.settings.source_queue_packets != 0 && is_queue_full(head.flow)) {
    queues_[queue].paused_until = kNever;
    return Answer::pause;
  }
  if (core_.mechanisms.reaction) {
    const std::int64_t at = core_.mechanisms.reaction->may_inject(head, Time(core_.now)).count;
    if (at > core_.now) {
      queues_[queue].paused_until = at;
      return Answer::pause;
    }
  }
  return Answer::take;
}

template <class IsOpen, class MayGo>
bool Hosts::find_queue(std::uint32_t host, std::uint32_t& choice, std::int64_t& retry,
                       IsOpen is_open, MayGo may_go) {
  using Answer = SourceQueueSet::Answer;
  if (core_.mechanisms.reaction) queues_.resume_due(host, core_.now, grouping());
  FlowRank best;
  std::uint32_t ranked = kNone;
  choice = queues_.find(host, is_open, [&](std::uint32_t queue) {
    Message& m = messages_[queues_[queue].head];
    FlowRank rank;
    if (ranks_flows_) {
      rank = core_.mechanisms.injection->rank(m, Time(core_.now));
      if (rank.at.count > core_.now) {
        retry = std::min(retry, rank.at.count);
        return Answer::pass;
      }
      if (ranked != kNone && !precedes(rank, best)) return Answer::pass;
    }
    if (must_adapt(host, m)) {
      if (queues_.by_class()) return Answer::pass;
      m.buffer = core_.adapted_class(m.lane);
    }
    if (!queues_.has_packet(queue) || !may_go(m, queues_[queue].group)) return Answer::pass;
    const Answer answer = ask_flow(queue, m);
    if (answer != Answer::take || !ranks_flows_) return answer;
    ranked = queue;
    best = rank;
    return Answer::pass;
  });
  if (ranks_flows_) choice = ranked;
  retry = std::min(retry, queues_.next_due(host));
  return choice != kNone;
}

// --- VL arbitration

void Hosts::find_heads(std::uint32_t port, std::uint32_t host, VlHeads& heads, bool& lacks_credit,
                       std::int64_t& retry) {
  using Answer = SourceQueueSet::Answer;
  set_adapted_aside(host);
  if (core_.mechanisms.reaction) queues_.resume_due(host, core_.now, grouping());
  queues_.find(
      host, [](std::uint32_t) { return true; },
      [&](std::uint32_t queue) {
        Message& m = messages_[queues_[queue].head];
        FlowRank rank;
        if (ranks_flows_) {
          rank = core_.mechanisms.injection->rank(m, Time(core_.now));
          if (rank.at.count > core_.now) {
            retry = std::min(retry, rank.at.count);
            return Answer::pass;
          }
        }
        if (must_adapt(host, m)) {
          if (queues_.by_class()) return Answer::pass;
          m.buffer = core_.adapted_class(m.lane);
        }
        const std::uint16_t vl = m.buffer;
        // An ACK of the same VL goes first unless data has a turn; so does a head that came before
        // in turn, or by rank.
        if ((heads.sendable >> vl & 1U) != 0) {
          const bool is_ack = (heads.acks >> vl & 1U) != 0;
          const bool goes_before =
              is_ack ? acks_.precede(host, vl) : !ranks_flows_ || !precedes(rank, heads.rank[vl]);
          if (goes_before) return Answer::pass;
        }
        if (!core_.can_send(port, vl)) {
          lacks_credit = true;
          core_.note_no_room(port, vl);
          return Answer::pass;
        }
        if (!core_.is_served(port, vl, 0, wire_size(m))) return Answer::pass;
        const Answer answer = ask_flow(queue, m);
        if (answer != Answer::take) return answer;
        heads.sendable |= 1U << vl;
        heads.acks &= ~(1U << vl);
        heads.rated = (heads.rated & ~(1U << vl)) | std::uint32_t{m.keeps_rate} << vl;
        heads.queue[vl] = queue;
        heads.bytes[vl] = wire_size(m);
        heads.rank[vl] = rank;
        return Answer::pass;
      });
  retry = std::min(retry, queues_.next_due(host));
}

bool Hosts::arbitrate_vls(std::uint32_t port, std::uint32_t host, bool may_inject,
                          bool& lacks_credit, std::int64_t& retry) {
  VlHeads heads;
  for (std::uint16_t vl = 0; vl < core_.buffers; ++vl) {
    if (!acks_.any(host, vl)) continue;
    const std::uint32_t size = core_.packets[acks_.front(host, vl)].size;
    if (core_.can_send(port, vl)) {
      heads.sendable |= 1U << vl;
      heads.acks |= 1U << vl;
      heads.bytes[vl] = size;
    } else {
      lacks_credit = true;
    }
  }
  if (may_inject && !queues_.is_empty(host)) find_heads(port, host, heads, lacks_credit, retry);
  if (heads.sendable == 0) return false;
  const auto vl =
      static_cast<std::uint32_t>(vl_arbiters_[host].pick(heads.sendable, heads.bytes.data()));
  if ((heads.acks >> vl & 1U) != 0) {
    transmit_ack(port, host, vl);
  } else {
    acks_.on_data(host, vl);
    if (heads.rated != 0) note_passed(host, heads, vl);
    send_packet(port, heads.queue[vl]);
  }
  return true;
}

void Hosts::note_passed(std::uint32_t host, const VlHeads& heads, std::uint32_t vl) {
  if ((heads.rated >> vl & 1U) != 0) return;
  Time ready = Time::max();
  for (std::uint32_t rest = heads.rated; rest != 0; rest &= rest - 1) {
    const auto other = static_cast<std::size_t>(std::countr_zero(rest));
    ready = std::min(ready, heads.rank[other].at);
  }
  core_.mechanisms.injection->on_passed(HostId(host), ready, Time(core_.now));
}

// --- Closed loops past full queues

template <class MayGo>
bool Hosts::draw_past(std::uint32_t host, std::int64_t& retry, MayGo may_go) {
  // Messages of flow routing cannot go before a connection is set up for them.
  if (core_.routes_flows) return false;
  Loops& loops = loops_[host];
  for (std::size_t i = 0; i < loops.sources.size(); ++i) {
    const std::uint32_t source = loops.sources[(loops.turn + i) % loops.sources.size()];
    Source& s = sources_[source];
    if (s.waits_at == kNone) continue;
    const MessageRequest waiting = *s.pending;
    for (int tries = 0; tries < kMostTries; ++tries) {
      s.model->withdraw();
      ask_model(s, core_.now);
      if (!s.pending || s.pending->at.count > core_.now) break;
      Message m;
      m.source = host;
      m.destination = s.pending->destination.value;
      m.bytes = m.unsent = s.pending->size.count;
      m.service_level = s.model->service_level;
      m.buffer = class_of(host, m.destination, m.service_level);
      m.flow = flow_of(s);
      const std::uint32_t queue = queue_for(host, m.destination, m.service_level, m.flow);
      // Behind others it would wait for what those wait for.
      bool goes = queues_[queue].head == kNone && queues_[queue].first_waiter == kNone &&
                  (core_.settings.source_queue_packets == 0 || !is_queue_full(m.flow)) && may_go(m);
      if (goes && core_.mechanisms.reaction) {
        const auto at = core_.mechanisms.reaction->may_inject(m, Time(core_.now)).count;
        goes = at <= core_.now;
        if (!goes) retry = std::min(retry, at);
      }
      if (!goes) {
        queues_.retire(queue);
        continue;
      }
      stop_waiting(source);
      loops.turn = (loops.turn + i + 1) % loops.sources.size();
      enqueue_pending(queue, source);
      return true;
    }
    s.pending = waiting;
  }
  return false;
}

bool Hosts::draw_past_link(std::uint32_t port, std::uint32_t host, bool& lacks_credit,
                           std::int64_t& retry) {
  if (core_.takes_nothing(port)) return false;
  return draw_past(host, retry, [&](const Message& m) {
    if (core_.can_send(port, m.buffer)) return true;
    lacks_credit = true;
    return false;
  });
}

bool Hosts::must_adapt(std::uint32_t host, const Message& message) const {
  if (!core_.isolates_adapted || core_.adapts_at_host[host] == 0) return false;
  if (message.buffer == core_.adapted_class(message.lane)) return false;
  const auto within = static_cast<std::uint16_t>(message.buffer - message.lane * core_.classes);
  return core_.models.selection->adapts_at_host(host, message.destination, within);
}

void Hosts::set_adapted_aside(std::uint32_t host) {
  if (!core_.isolates_adapted || core_.adapts_at_host[host] == 0 || !queues_.by_class()) return;
  const std::int64_t bound = core_.settings.closed_loop_packets;
  for (std::uint16_t c = 0; c < core_.buffers; ++c) {
    const std::uint32_t queue = queues_.queue_for(host, 0, 0, c);
    bool has_moved = false;
    while (queues_[queue].head != kNone) {
      Message& m = messages_[queues_[queue].head];
      if (!must_adapt(host, m)) break;
      const std::uint16_t adapted = core_.adapted_class(m.lane);
      const std::uint32_t target = queues_.queue_for(host, 0, 0, adapted);
      const bool has_room = queues_[target].bytes < bound * core_.settings.mtu.count;
      if (adapted_in_turn_[host] >= bound && !has_room) break;
      m.buffer = adapted;
      ++adapted_in_turn_[host];
      const std::uint32_t message = queues_[queue].head;
      queues_.move_head(queue, target);
      if (core_.mechanisms.waiting) {
        core_.mechanisms.waiting->on_message_moved(message, queue, queues_[queue].head, target,
                                                   queues_[target].head);
      }
      has_moved = true;
    }
    if (has_moved) use_room(queue);
  }
}

bool Hosts::choose(std::uint32_t port, std::uint32_t host, std::uint32_t& choice,
                   bool& lacks_credit, std::int64_t& retry) {
  set_adapted_aside(host);
  if (core_.takes_nothing(port)) {
    lacks_credit = lacks_credit || !queues_.is_empty(host);
    core_.note_no_room_at_all(port);
    return false;
  }
  const auto any = [](std::uint32_t) { return true; };
  return find_queue(host, choice, retry, any, [&](const Message& m, std::uint32_t) {
    if (!core_.can_send(port, m.buffer)) {
      lacks_credit = true;
      core_.note_no_room(port, m.buffer);
      return false;
    }
    // A VL has one queue here: its head needs no name.
    return core_.is_served(port, m.buffer, 0, wire_size(m));
  });
}

std::uint32_t Hosts::make_packet(Message& m, std::uint32_t handle) {
  const std::uint32_t packet = take_packet();
  Packet& p = core_.packets[packet];
  p.size = wire_size(m);
  p.source = m.source;
  p.destination = m.destination;
  p.message = handle;
  p.sequence = flows_.injected(m.flow)++;
  if (core_.border != nullptr)
    core_.border->begin(packet, p.size, m, flows_.across(m.flow), flows_.connection_of(m.flow));
  p.injected = core_.now;
  p.service_level = m.service_level;
  p.traffic_class = m.traffic_class;
  p.lane = p.next_lane = m.lane;
  p.buffer = p.next_buffer = m.buffer;
  if (core_.isolates_adapted) {
    if (m.buffer == core_.adapted_class(m.lane)) {
      p.flags |= packet_flag::kAdapted;
      ++core_.counters.adapted_at_hosts;
    } else {
      adapted_in_turn_[m.source] = 0;
    }
  }
  m.unsent -= p.size - core_.settings.header.count;
  if (m.unsent == 0) {
    p.flags |= packet_flag::kLastOfMessage;
    if (m.ends_connection) p.flags |= packet_flag::kLastOfConnection;
  }
  if (core_.routes_flows && core_.mechanisms.flow_routing->on_injected(m, p, Time(core_.now))) {
    p.flags |= flags_of(FlowStep::last);
  }
  return packet;
}

std::uint32_t Hosts::begin_packet(std::uint32_t choice) {
  const std::uint32_t handle = queues_[choice].head;
  Message& m = messages_[handle];
  const std::uint32_t packet = make_packet(m, handle);
  const std::int64_t payload = core_.packets[packet].size - core_.settings.header.count;
  queues_.on_sent(choice, payload);
  backlog_ -= payload;
  if (m.unsent == 0) queues_.pop(choice);
  const SourceQueue& queue = queues_[choice];
  // The messages of a flow may be of several service levels.
  const bool stays = queue.head == kNone || (queues_.serves_flows() && core_.buffers == 1);
  queues_.turn(choice, stays ? queue.group : group_of(messages_[queue.head]));
  ++core_.counters.packets_injected;
  if (core_.mechanisms.waiting)
    core_.mechanisms.waiting->on_made(choice, handle, packet, queue.head);
  if (core_.settings.source_queue_packets != 0) {
    if (m.flow >= kept_.size()) kept_.resize(m.flow + m.flow / 2 + 64, 0);
    ++kept_[m.flow];
  }
  const HostId source(m.source);
  if (core_.mechanisms.reaction) {
    core_.mechanisms.reaction->on_injected(m, core_.packets[packet], Time(core_.now));
  }
  core_.observer->on_injected(core_.packets[packet], m);
  if (core_.mechanisms.injection) {
    Injection& injection = *core_.mechanisms.injection;
    injection.on_injected(source, core_.packets[packet], m, Time(core_.now));
    if (ranks_flows_ && queue.head == kNone) injection.on_empty(m, Time(core_.now));
  }
  return packet;
}

void Hosts::settle_queue(std::uint32_t queue) {
  const std::uint32_t entry = queues_.entry_of(queue);
  queues_.fill_memory(queues_[queue].host, grouping());
  use_room(entry);
  queues_.retire(queue);
}

void Hosts::send_packet(std::uint32_t port, std::uint32_t choice) {
  const std::int64_t free_at = core_.transmit(port, begin_packet(choice));
  settle_queue(choice);
  // An ACK may have been left behind for lack of credit in its class.
  const std::uint32_t host = core_.ports[port].node;
  if (acks_.any(host) || !queues_.is_empty(host)) core_.wake(port, free_at);
}

// --- Injection buffers

void Hosts::update_groups(std::uint32_t port, std::uint32_t host) {
  InjectionChanges& changes = core_.mechanisms.isolation->injection_changes(port);
  if (!changes.any) return;
  if (changes.all || !queues_.by_flow()) {
    queues_.regroup(host, grouping());
  } else {
    for (const std::uint32_t destination : changes.destinations) {
      for (std::uint32_t number = 0; number < flows_.connections(); ++number) {
        for (const bool keeps_rate : {false, true}) {
          const std::uint32_t flow =
              flows_.find(host, destination, keeps_rate, static_cast<std::uint16_t>(number));
          if (flow != kNone) queues_.regroup_flow(flow, grouping());
        }
      }
    }
  }
  changes.clear();
}

void Hosts::fill_injection_buffer(std::uint32_t port, std::uint32_t host) {
  admit_acks(port, host, false);
  std::int64_t retry = kNever;
  while (!queues_.is_empty(host) && !core_.mechanisms.isolation->admits_nothing(port)) {
    if (core_.mechanisms.injection) {
      const auto at = core_.mechanisms.injection->may_inject(HostId(host), Time(core_.now)).count;
      if (at > core_.now) {
        retry = at;
        break;
      }
    }
    update_groups(port, host);
    const auto admits = [&](std::uint32_t group) {
      if (core_.buffers == 1) return core_.mechanisms.isolation->admits(Side::egress(port), group);
      const std::uint32_t number = core_.queue_number(group);
      const auto buffer = static_cast<std::uint16_t>(group - core_.queue_place(0, number));
      return core_.mechanisms.isolation->admits(Side::egress(port, buffer), number);
    };
    const auto is_open = [&](std::uint32_t group) {
      if (admits(group)) return true;
      if (core_.mechanisms.waiting) {
        const std::uint32_t buffer = group % static_cast<std::uint32_t>(core_.buffers);
        core_.mechanisms.waiting->on_no_room(port, static_cast<std::uint16_t>(buffer), true);
      }
      return false;
    };
    const auto may_go = [&](const Message&, std::uint32_t group) { return is_open(group); };
    std::uint32_t choice = kNone;
    if (!find_queue(host, choice, retry, is_open, may_go)) {
      const auto fits = [&](const Message& m) { return may_go(m, group_of(m)); };
      if (!loops_.empty() && draw_past(host, retry, fits)) continue;
      break;
    }
    const std::uint32_t packet = begin_packet(choice);
    const std::uint16_t buffer = core_.packets[packet].next_buffer;
    core_.packets[packet].ready = core_.now;
    core_.mechanisms.isolation->on_made(packet);
    injection_buffers_->push(port, packet);
    settle_queue(choice);
    acks_.on_data(host, acks_.vls() > 1 ? buffer : 0);
    admit_acks(port, host, false);
  }
  if (core_.mechanisms.waiting && core_.mechanisms.isolation->admits_nothing(port))
    core_.note_no_room_at_all(port, true);
  admit_acks(port, host, true);
  core_.wake(port, retry);
}

void Hosts::admit_acks(std::uint32_t port, std::uint32_t host, bool after_data) {
  for (std::size_t vl = 0; vl < acks_.vls(); ++vl) {
    while ((after_data || acks_.precede(host, vl)) && admit_ack(port, host, vl)) {
    }
  }
}

bool Hosts::admit_ack(std::uint32_t port, std::uint32_t host, std::size_t vl) {
  if (!acks_.any(host, vl)) return false;
  const std::uint32_t packet = acks_.front(host, vl);
  const Packet& ack = core_.packets[packet];
  Isolation& isolation = *core_.mechanisms.isolation;
  const Side side = Side::egress(port, ack.next_buffer);
  const auto connection = flows_.connections() == 1 ? std::uint16_t{0} : core_.connection_of(ack);
  const std::uint32_t number =
      isolation.injection_queue(side, ack.source, ack.destination, connection);
  if (!isolation.admits(side, number)) return false;
  acks_.pop(host, !queues_.is_empty(host), vl);
  ++core_.counters.acks_injected;
  core_.packets[packet].ready = core_.now;
  core_.mechanisms.isolation->on_made(packet);
  injection_buffers_->push(port, packet);
  return true;
}

}  // namespace weir::fabric
