#include "weir/fabric/waiting_watch.hpp"

#include <algorithm>

#include "weir/base/error.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/switch/egress.hpp"
#include "weir/fabric/switch/ingress.hpp"

namespace weir::fabric {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kHeat = "ferrer2012, section 4.2";
constexpr const char* kOfWhom =
    ". Cold classes alone, without what goes to a destination of hot traffic; whole run";

const MetricTable kWaitingTable(
    {
        {"behind_hot_packets", "", kScalar | kSeries, kHeat,
         std::string("data packets delivered that stood in queues while hot traffic held these up "
                     "(series: in the bin)") +
             kOfWhom + ". Lower is better"},
        {"behind_hot_share", "1", kScalar, kHeat,
         std::string("these over all data packets delivered") + kOfWhom + ". Lower is better"},
        {"behind_hot_time", "ns", kScalar | kSeries, kHeat,
         std::string("time that data packets delivered stood in queues while hot traffic held "
                     "these up, in all (series: of those delivered in the bin)") +
             kOfWhom + ". Lower is better"},
        {"behind_hot_mean", "ns", kScalar, kHeat,
         std::string("that time over all data packets delivered") + kOfWhom + ". Lower is better"},
        {"victims_by_waiting", "", kScalar, kHeat,
         std::string("flows with a packet that stood in a queue while hot traffic held it up") +
             kOfWhom + ". Lower is better"},
        {"victims_by_waiting_share", "1", kScalar, kHeat,
         std::string("these over all flows with a delivered packet") + kOfWhom +
             ". Lower is better"},
    },
    "metrics.waiting = true");

template <class T>
T& grown(std::vector<T>& values, std::size_t index) {
  if (index >= values.size()) values.resize(index + index / 2 + 64);
  return values[index];
}

}  // namespace

void WaitingWatch::Tally::merge(const Tally& other) {
  packets += other.packets;
  victims += other.victims;
  time += other.time;
  flows += other.flows;
  victim_flows += other.victim_flows;
}

WaitingWatch::WaitingWatch(WaitingSettings settings) : settings_(std::move(settings)) {}

// --- Set-up

void WaitingWatch::use(Core& core) {
  core_ = &core;
  // Of a shared memory any packet may leave: nothing is behind anything.
  watches_sources_ = core.settings.source_queues != SourceQueueKind::shared_memory;
  is_entered_ = core.settings.architecture == Architecture::cioq;
  switches_have_egress_ = is_entered_ || core.settings.architecture == Architecture::output_queued;
  const std::size_t places = core.graph.port_count() * static_cast<std::size_t>(core.buffers);
  gates_.resize(2 * places);
  is_hot_destination_.resize(core.host_count);
  for (const HostId host : settings_.hot_destinations) is_hot_destination_[host.index()] = true;
  tallies_.resize(core.host_count * settings_.cold_classes.size());
}

void WaitingWatch::use_ingress(const IngressBuffers& buffers, std::size_t queues) {
  ingress_buffers_ = &buffers;
  ingress_.resize(queues);
}

void WaitingWatch::use_egress(const EgressBuffers& buffers, std::size_t queues) {
  egress_buffers_ = &buffers;
  egress_.resize(queues);
}

void WaitingWatch::attach(const FabricView& fabric) { slot_ = fabric.packets.reserve<Stay>(); }

// --- What is held up

std::int64_t WaitingWatch::held(const Gate& gate) const {
  return gate.since != kHasRoom && gate.is_hot ? gate.held + core_->now - gate.since : gate.held;
}

std::int64_t WaitingWatch::held(const QueueState& queue) const {
  switch (queue.head) {
    case Head::hot:
      return queue.held + core_->now - queue.begin;
    case Head::other:
      return queue.held + held(gates_[queue.gate]) - queue.begin;
    case Head::none:
      break;
  }
  return queue.held;
}

std::uint32_t WaitingWatch::gate_index(std::uint32_t port, std::uint16_t buffer,
                                       bool is_entry) const {
  return static_cast<std::uint32_t>(2 * core_->buffer_index(port, buffer)) + (is_entry ? 1 : 0);
}

bool WaitingWatch::is_held_up(const QueueState& queue) const {
  if (queue.head != Head::other) return queue.head == Head::hot;
  const Gate& gate = gates_[queue.gate];
  return gate.since != kHasRoom && gate.is_hot;
}

bool WaitingWatch::is_behind_hot(std::uint32_t port, std::uint16_t buffer, bool is_entry) const {
  std::int64_t all = 0;
  std::int64_t held_up = 0;
  const auto count = [&](const QueueState& queue, std::int64_t bytes) {
    all += bytes;
    held_up += is_held_up(queue) ? bytes : 0;
  };
  const bool is_split = core_->settings.memory == Memory::split;
  if (is_entry) {
    egress_buffers_->for_each_queue_at(
        port, buffer, is_split,
        [&](std::uint32_t queue, std::int64_t bytes) { count(egress_[queue], bytes); });
  } else if (ingress_buffers_ != nullptr) {
    ingress_buffers_->for_each_queue_at(
        core_->links[port].to, buffer, is_split,
        [&](std::uint32_t queue, std::int64_t bytes) { count(ingress_[queue], bytes); });
  }
  return held_up > 0 && 2 * held_up >= all;
}

void WaitingWatch::on_no_room(std::uint32_t port, std::uint16_t buffer, bool is_entry) {
  Gate& gate = gates_[gate_index(port, buffer, is_entry)];
  const bool for_hot = is_behind_hot(port, buffer, is_entry);
  if (gate.since != kHasRoom && gate.is_hot == for_hot) return;
  gate.held = held(gate);
  gate.since = core_->now;
  gate.is_hot = for_hot;
}

void WaitingWatch::on_no_room(std::uint32_t port, bool is_entry) {
  for (int b = 0; b < core_->buffers; ++b)
    on_no_room(port, static_cast<std::uint16_t>(b), is_entry);
}

void WaitingWatch::pass(std::uint32_t gate) {
  gates_[gate].held = held(gates_[gate]);
  gates_[gate].since = kHasRoom;
}

// --- Queues

void WaitingWatch::set_head(QueueState& queue, Head head, std::uint32_t gate) {
  queue.held = held(queue);
  queue.head = head;
  queue.gate = gate;
  queue.begin = head == Head::hot ? core_->now : head == Head::other ? held(gates_[gate]) : 0;
}

void WaitingWatch::show_packet(QueueState& queue, std::uint32_t head, std::uint32_t port,
                               bool is_entry) {
  if (head == kNone) {
    set_head(queue, Head::none, kNone);
    return;
  }
  const Packet& p = core_->packets[head];
  set_head(queue, is_hot(p) ? Head::hot : Head::other, gate_index(port, p.next_buffer, is_entry));
}

void WaitingWatch::show_message(QueueState& queue, std::uint32_t head) {
  if (head == kNone) {
    set_head(queue, Head::none, kNone);
    return;
  }
  const Message& m = (*core_->messages)[head];
  set_head(
      queue, settings_.hot_classes[m.traffic_class] ? Head::hot : Head::other,
      gate_index(core_->first_port[m.source], m.buffer, core_->mechanisms.isolation != nullptr));
}

void WaitingWatch::come(const QueueState& state, std::uint32_t queue, std::uint32_t packet) {
  Stay& stay = core_->records.of(slot_, packet);
  stay.begin = held(state);
  stay.queue = queue;
}

void WaitingWatch::leave(const QueueState& state, std::uint32_t packet) {
  Stay& stay = core_->records.of(slot_, packet);
  stay.waited += held(state) - stay.begin;
}

void WaitingWatch::on_ingress(std::uint32_t queue, std::uint32_t port, std::uint32_t packet,
                              std::uint32_t head) {
  const Packet& p = core_->packets[packet];
  if (head == packet) {
    show_packet(ingress_[queue], head, core_->ports[port].first_port + p.out, is_entered_);
  }
  come(ingress_[queue], queue, packet);
}

void WaitingWatch::on_left_ingress(std::uint32_t queue, std::uint32_t port, std::uint32_t packet,
                                   std::uint32_t head) {
  leave(ingress_[queue], packet);
  const std::uint32_t output =
      head == kNone ? kNone : core_->ports[port].first_port + core_->packets[head].out;
  show_packet(ingress_[queue], head, output, is_entered_);
}

void WaitingWatch::on_egress(std::uint32_t queue, std::uint32_t port, std::uint32_t packet,
                             std::uint32_t head) {
  const Packet& p = core_->packets[packet];
  pass(gate_index(port, p.next_buffer, true));
  if (head == packet) show_packet(egress_[queue], head, port, false);
  come(egress_[queue], queue, packet);
}

void WaitingWatch::on_transmit(std::uint32_t port, std::uint32_t packet) {
  const Packet& p = core_->packets[packet];
  const bool was_at_egress =
      port < core_->host_count ? core_->mechanisms.isolation != nullptr : switches_have_egress_;
  if (was_at_egress) {
    const std::uint32_t queue = core_->records.of(slot_, packet).queue;
    leave(egress_[queue], packet);
    show_packet(egress_[queue], egress_buffers_->head_of(queue), port, false);
  }
  pass(gate_index(port, p.next_buffer, false));
}

void WaitingWatch::on_moved(bool is_egress, std::uint32_t from, std::uint32_t from_head,
                            std::uint32_t to, std::uint32_t to_head, std::uint32_t packet) {
  std::vector<QueueState>& queues = is_egress ? egress_ : ingress_;
  const auto show = [&](std::uint32_t queue, std::uint32_t head) {
    std::uint32_t port = kNone;
    if (head != kNone) {
      port = is_egress
                 ? egress_buffers_->port_of(queue)
                 : core_->ports[core_->packets[head].in_port].first_port + core_->packets[head].out;
    }
    show_packet(queues[queue], head, port, !is_egress && is_entered_);
  };
  leave(queues[from], packet);
  show(from, from_head);
  if (to_head == packet) show(to, to_head);
  come(queues[to], to, packet);
}

// --- Hosts

WaitingWatch::QueueState& WaitingWatch::source_queue(std::uint32_t queue) {
  return grown(sources_, queue);
}

void WaitingWatch::on_waiting(std::uint32_t queue, std::uint32_t message, std::uint32_t head) {
  const Message& m = (*core_->messages)[message];
  if (settings_.hot_classes[m.traffic_class]) is_hot_destination_[m.destination] = true;
  if (!watches_sources_) return;
  QueueState& state = source_queue(queue);
  if (head == message) show_message(state, head);
  grown(message_begin_, message) = held(state);
}

void WaitingWatch::on_made(std::uint32_t queue, std::uint32_t message, std::uint32_t packet,
                           std::uint32_t head) {
  if (!watches_sources_) return;
  QueueState& state = source_queue(queue);
  core_->records.of(slot_, packet).waited = held(state) - message_begin_[message];
  if (head != message) show_message(state, head);
}

void WaitingWatch::on_message_moved(std::uint32_t message, std::uint32_t from,
                                    std::uint32_t from_head, std::uint32_t to,
                                    std::uint32_t to_head) {
  if (!watches_sources_) return;
  const std::int64_t waited = held(source_queue(from)) - message_begin_[message];
  show_message(source_queue(from), from_head);
  QueueState& target = source_queue(to);
  if (to_head == message) show_message(target, to_head);
  message_begin_[message] = held(target) - waited;
}

void WaitingWatch::on_delivered(std::uint32_t packet, std::uint32_t flow) {
  const Packet& p = core_->packets[packet];
  if (!settings_.cold_classes[p.traffic_class]) return;
  const std::int64_t time = core_->records.of(slot_, packet).waited;
  const bool is_victim = time > settings_.least.count;
  const std::size_t classes = settings_.cold_classes.size();
  Tally& tally = tallies_[p.destination * classes + p.traffic_class];
  ++tally.packets;
  tally.time += time;
  tally.victims += is_victim ? 1 : 0;
  std::uint8_t& known = grown(flows_, flow * classes + p.traffic_class);
  if (known == 0) {
    known = 1;
    ++tally.flows;
  }
  if (is_victim && known == 1) {
    known = 2;
    ++tally.victim_flows;
  }
}

Time WaitingWatch::waited(std::uint32_t packet) const {
  return Time(core_->records.of(slot_, packet).waited);
}

WaitingWatch::Tally WaitingWatch::tally(std::size_t traffic_class) const {
  const std::size_t classes = settings_.cold_classes.size();
  Tally sum;
  for (std::size_t host = 0; host < is_hot_destination_.size(); ++host) {
    if (!is_hot_destination_[host]) sum.merge(tallies_[host * classes + traffic_class]);
  }
  return sum;
}

void WaitingWatch::read(Readings& readings, Time /*now*/) const {
  constexpr double kPsPerNs = 1e3;
  for (std::size_t c = 0; c < settings_.cold_classes.size(); ++c) {
    if (!settings_.cold_classes[c]) continue;
    const Tally sum = tally(c);
    readings.count_of(c, "behind_hot_packets", static_cast<double>(sum.victims));
    readings.ratio_of(c, "behind_hot_share", ExactSum(sum.victims), ExactSum(sum.packets));
    const double time = static_cast<double>(sum.time) / kPsPerNs;
    readings.count_of(c, "behind_hot_time", time);
    readings.ratio_of(c, "behind_hot_mean", ExactSum(time), ExactSum(sum.packets));
    readings.count_of(c, "victims_by_waiting", static_cast<double>(sum.victim_flows));
    readings.ratio_of(c, "victims_by_waiting_share", ExactSum(sum.victim_flows),
                      ExactSum(sum.flows));
  }
}

void WaitingWatch::checkpoint(NodeState& state) {
  state.of_ports(gates_, 2 * static_cast<std::size_t>(core_->buffers));
  if (!state.is_host()) return;
  bool is_hot = is_hot_destination_[state.node()];
  state(is_hot);
  is_hot_destination_[state.node()] = is_hot;
  const std::size_t classes = settings_.cold_classes.size();
  state.of_host(tallies_, classes);
  for (const std::uint32_t flow : state.flows()) {
    for (std::size_t c = 0; c < classes; ++c) state(grown(flows_, flow * classes + c));
  }
}

void WaitingWatch::checkpoint_queues(NodeState& state, bool is_egress, std::uint32_t first,
                                     std::uint32_t end) {
  state.slice(is_egress ? egress_ : ingress_, first, end - first);
}

void WaitingWatch::checkpoint_source_queue(NodeState& state, std::uint32_t queue) {
  state(source_queue(queue));
}

void WaitingWatch::checkpoint_waiting(NodeState& state, std::uint32_t message) {
  state(grown(message_begin_, message));
}

void WaitingWatch::check(bool is_idle) const {
  const auto are_empty = [](const std::vector<QueueState>& queues) {
    return std::all_of(queues.begin(), queues.end(),
                       [](const QueueState& queue) { return queue.head == Head::none; });
  };
  if (!is_idle || (are_empty(ingress_) && are_empty(egress_) && are_empty(sources_))) return;
  throw RunError("packets are left in the watch of waiting behind hot traffic");
}

std::size_t WaitingWatch::memory() const {
  return (ingress_.capacity() + egress_.capacity() + sources_.capacity()) * sizeof(QueueState) +
         message_begin_.capacity() * sizeof(std::int64_t) + gates_.capacity() * sizeof(Gate) +
         tallies_.capacity() * sizeof(Tally) + flows_.capacity();
}

}  // namespace weir::fabric
