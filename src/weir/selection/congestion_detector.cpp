#include "weir/selection/congestion_detector.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::selection {

namespace {

/// Queues that count, however long they still are.
constexpr std::int64_t kAny = -1;

}  // namespace

void CongestionDetector::attach(const fabric::FabricView& fabric) {
  clock_ = fabric.clock;
  ports_ = fabric.ports;
  links_ = fabric.links;
  buffers_ = fabric.buffers;
  packets_ = fabric.packets;
  calls_ = fabric.selection;
  graph_ = &fabric.graph;
  ingress_ = fabric.ingress;
  if (fabric.is_divided) roots_.divide();
  const auto capacity = static_cast<double>(buffers_.capacity());
  const double whole =
      settings_.of_port ? static_cast<double>(fabric.settings.ingress_buffer.count) : capacity;
  limits_.high = static_cast<std::int64_t>(std::floor(settings_.high * whole));
  limits_.low = static_cast<std::int64_t>(std::ceil(settings_.low * whole));
  limits_.free = static_cast<std::int64_t>(std::floor(settings_.free * capacity));
  // A queue that counts is looked at until it is short: that takes those that just were not.
  calls_.watch_queues(static_cast<std::uint32_t>(limits_.low));
  outputs_.resize(ports_.size());
  std::uint32_t flags = 0;
  for (const fabric::PortInfo& port : ports_) {
    first_flag_.push_back(flags);
    if (port.node < ports_.host_count()) continue;
    flags += port.degree * static_cast<std::uint32_t>(buffers_.classes());
  }
  is_over_.assign(flags, 0);
}

void CongestionDetector::on_queued(std::uint32_t in_port, std::uint16_t out, std::uint16_t buffer) {
  const fabric::Queue& queue = ingress_->voq(in_port, out, buffer);
  const std::uint32_t port = ports_[in_port].first_port + out;
  Output& output = outputs_[port];
  if (queue.bytes > limits_.high) {
    std::uint8_t& is_over = is_over_[flag(in_port, out, buffer)];
    output.over = static_cast<std::uint16_t>(output.over + 1 - is_over);
    is_over = 1;
  } else if (output.over == 0 || is_over_[flag(in_port, out, buffer)] == 0) {
    return;
  }
  if (output.state == State::pending) test_again(port);
  if (output.state == State::idle && has_room_behind(port, queue.head_buffer)) begin(port);
}

void CongestionDetector::on_removed(std::uint32_t in_port, std::uint16_t out,
                                    std::uint16_t buffer) {
  const fabric::Queue& queue = ingress_->voq(in_port, out, buffer);
  const std::uint32_t port = ports_[in_port].first_port + out;
  if (outputs_[port].over == 0) return;
  if (queue.bytes < limits_.low) {
    std::uint8_t& is_over = is_over_[flag(in_port, out, buffer)];
    if (is_over != 0) {
      is_over = 0;
      shorten(port);
    }
  }
  if (outputs_[port].state == State::pending) test_again(port);
}

void CongestionDetector::test_again(std::uint32_t port) {
  if (!settings_.continuous || has_room_behind(port)) return;
  outputs_[port].state = State::idle;
  ++outputs_[port].generation;
}

void CongestionDetector::shorten(std::uint32_t port) {
  Output& output = outputs_[port];
  if (--output.over > 0) return;
  ++output.generation;
  if (output.state == State::root) count_roots(-1);
  output.state = State::idle;
}

void CongestionDetector::count_roots(int more) {
  root_time_ = root_time();
  roots_changed_ = clock_.now().count;
  roots_.add(more, roots_changed_);
}

void CongestionDetector::begin(std::uint32_t port) {
  outputs_[port].state = State::pending;
  ++outputs_[port].generation;
  set_timer(port, kPersistence, settings_.persistence);
}

void CongestionDetector::set_timer(std::uint32_t port, Timer timer, Time after) {
  calls_.set_timer(clock_.now() + after, port,
                   std::uint32_t{outputs_[port].generation} << 1U | timer);
}

void CongestionDetector::on_timer(std::uint32_t port, std::uint32_t what) {
  Output& output = outputs_[port];
  if (what >> 1U != output.generation) return;
  if ((what & 1U) == kRefresh) {
    listener_.on_root_refreshed(port, output.id);
    set_timer(port, kRefresh, settings_.refresh);
    return;
  }
  if (output.state == State::root) {
    report(port, kAny);
    set_timer(port, kPersistence, settings_.persistence);
    return;
  }
  const fabric::PortInfo& info = ports_[port];
  output.id =
      (info.node - ports_.host_count()) << 16U | std::uint32_t{info.number} << 8U | output.sequence;
  output.state = State::root;
  if (!report(port, settings_.ends_high ? limits_.high : kAny)) {
    output.state = State::idle;
    return;
  }
  ++output.sequence;
  ++roots_declared_;
  count_roots(1);
  set_timer(port, kRefresh, settings_.refresh);
  set_timer(port, kPersistence, settings_.persistence);
}

bool CongestionDetector::report(std::uint32_t port, std::int64_t above) {
  bool any = false;
  for_each_responsible(port, above, [&](const fabric::Packet& packet) {
    any = true;
    listener_.on_root(port, packet, outputs_[port].id);
  });
  return any;
}

bool CongestionDetector::has_room_behind(std::uint32_t port, std::uint16_t next_buffer) const {
  return links_.is_open(port) || links_.credits(port, next_buffer) > limits_.free;
}

bool CongestionDetector::has_room_behind(std::uint32_t port) const {
  bool any = false;
  for_each_responsible(port, kAny, [&](const fabric::Packet&) { any = true; });
  return any;
}

/// One packet a class: the head of the longest queue that counts, one that is not adapted if there
/// is one; those behind which there is no room are left out.
template <class Visit>
void CongestionDetector::for_each_responsible(std::uint32_t port, std::int64_t above,
                                              Visit visit) const {
  const fabric::PortInfo& info = ports_[port];
  for (std::uint16_t buffer = 0; buffer < buffers_.classes(); ++buffer) {
    const fabric::Packet* found = nullptr;
    std::uint32_t most = 0;
    for (std::uint32_t in_port = info.first_port; in_port < info.first_port + info.degree;
         ++in_port) {
      if (is_over_[flag(in_port, info.number, buffer)] == 0) continue;
      const fabric::Queue& queue = ingress_->voq(in_port, info.number, buffer);
      if (queue.head == fabric::kNone || queue.bytes <= above) continue;
      const fabric::Packet& head = packets_[queue.head];
      const bool is_better = found == nullptr || (found->is_adapted() && !head.is_adapted()) ||
                             (found->is_adapted() == head.is_adapted() && queue.bytes > most);
      if (!is_better) continue;
      found = &head;
      most = queue.bytes;
    }
    if (found != nullptr && has_room_behind(port, found->next_buffer)) visit(*found);
  }
}

void CongestionDetector::check() const {
  for (std::uint32_t port = 0; port < outputs_.size(); ++port) {
    const fabric::PortInfo& info = ports_[port];
    if (info.node < ports_.host_count() || !ports_.is_here(port)) continue;
    std::uint32_t over = 0;
    for (std::uint32_t in_port = info.first_port; in_port < info.first_port + info.degree;
         ++in_port) {
      for (std::uint16_t buffer = 0; buffer < buffers_.classes(); ++buffer) {
        const bool is_over = is_over_[flag(in_port, info.number, buffer)] != 0;
        over += is_over ? 1 : 0;
        const std::int64_t bytes = ingress_->voq(in_port, info.number, buffer).bytes;
        if (is_over ? bytes >= limits_.low : bytes <= limits_.high) continue;
        throw RunError(fmt::format("congestion detector: a queue of {} bytes for {} counts as {}",
                                   bytes, graph_->name(PortId(port)), is_over ? "long" : "short"));
      }
    }
    const bool is_lasting = outputs_[port].state != State::idle;
    if (over == outputs_[port].over && (!is_lasting || over > 0)) continue;
    throw RunError(fmt::format("congestion detector: {} long queues for {}, but {} are counted",
                               over, graph_->name(PortId(port)), outputs_[port].over));
  }
}

void CongestionDetector::checkpoint(fabric::NodeState& state) {
  state.of_ports(outputs_);
  const auto flags_before = [&](std::uint32_t port) {
    return port < first_flag_.size() ? first_flag_[port] : is_over_.size();
  };
  const std::size_t first = flags_before(state.first_port());
  state.slice(is_over_, first, flags_before(state.end_port()) - first);
  if (!state.is_reading()) return;
  for (std::uint32_t port = state.first_port(); port < state.end_port(); ++port)
    if (outputs_[port].state == State::root) roots_.share(1);
  roots_changed_ = clock_.now().count;
}

void CongestionDetector::checkpoint_totals(fabric::TotalState& state) {
  std::int64_t root_time_so_far = state.is_reading() ? root_time_ : root_time();
  state.sum(roots_declared_, root_time_so_far);
  if (state.takes()) root_time_ = root_time_so_far;
  roots_.checkpoint_totals(state);
}

}  // namespace weir::selection
