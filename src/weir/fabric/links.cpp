#include "weir/fabric/links.hpp"

#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::fabric {

bool FeedbackQueue::insert_slowly(Feedback feedback) {
  if (count_ >= kInline) {
    if (!spill_) spill_ = std::make_unique<std::vector<Feedback>>();
    if (spill_->size() < count_ - kInline + 1) spill_->resize(spill_->size() * 2 + 4);
  }
  std::size_t i = count_++;
  for (; i > 0 && feedback.at < at(i - 1).at; --i) item(i) = at(i - 1);
  item(i) = feedback;
  return i == 0;
}

void FeedbackQueue::take_spilled() {
  items_[kInline - 1] = spill_->front();
  const std::size_t left = count_ - kInline;
  for (std::size_t i = 0; i < left; ++i) (*spill_)[i] = (*spill_)[i + 1];
}

Links::Links(const topology::Graph& graph, const FabricSettings& settings, int buffers)
    : buffers_(buffers),
      memory_(settings.memory),
      stop_and_go_(settings.flow_control != FlowControl::credits),
      is_quick_(settings.memory == Memory::split && !stop_and_go_ && buffers <= 8),
      capacity_(settings.memory == Memory::split ? settings.ingress_buffer.count / buffers
                                                 : settings.ingress_buffer.count),
      reserved_(settings.memory == Memory::reserved ? settings.reserved.count : 0),
      outputs_(graph.port_count()),
      feedback_(graph.port_count()),
      credits_(graph.port_count() * static_cast<std::size_t>(buffers), capacity_),
      room_(static_cast<std::size_t>(buffers), kNever) {
  if (memory_ != Memory::split) {
    shared_free_.assign(graph.port_count(), capacity_ - reserved_ * buffers);
  }
  if (stop_and_go_) stopped_.assign(credits_.size(), 0);
  for (std::size_t p = 0; p < outputs_.size(); ++p) {
    const topology::Port& port = graph.port(PortId(p));
    Output& out = outputs_[p];
    out.owner_degree = static_cast<std::uint16_t>(graph.degree(port.node));
    if (!port.to.valid()) continue;
    out.to = port.to.value;
    out.to_node = graph.port(port.to).node.value;
    out.to_host = out.is_open = graph.is_host(graph.port(port.to).node);
    out.delay = port.link.delay.count;
    out.rate = port.link.rate.count;
    constexpr std::int64_t kBitPicoseconds = 8'000'000'000'000;
    if (kBitPicoseconds % out.rate == 0) {
      out.ps_per_byte = static_cast<std::uint32_t>(kBitPicoseconds / out.rate);
    }
  }
}

void Links::foresee_feedback(const topology::Graph& graph, std::uint32_t port) {
  // A packet may leave the far buffer by each of its outputs, with the credits of as many under
  // way.
  const PortId to = graph.port(PortId(port)).to;
  if (to.valid()) feedback_[port].reserve(2 * graph.degree(graph.port(to).node));
}

void Links::expect(std::uint16_t buffer, std::uint32_t bytes) {
  std::int64_t& room = room_[buffer];
  if (room == kNever || room < bytes) room = bytes;
  room_of_all_ = std::max(room_of_all_, room);
}

bool Links::can_send_shared(std::uint32_t port, std::size_t i, std::int64_t room,
                            std::int64_t room_of_all) const {
  if (stop_and_go_) return stopped_[i] == 0;
  const std::int64_t used = capacity_ - credits_[i];
  // What is reserved for the class no other takes; the rest it shares with the largest of all.
  if (beyond(used + room) == 0) return true;
  return beyond(used + room_of_all) - beyond(used) <= shared_free_[port];
}

void Links::take_shared(std::uint32_t port, std::size_t i, std::uint32_t bytes) {
  const std::int64_t used = capacity_ - credits_[i];
  shared_free_[port] -= beyond(used) - beyond(used - bytes);
}

void Links::apply_one(std::uint32_t port, const Feedback& feedback) {
  const std::size_t i = index(port, feedback.buffer);
  if (feedback.kind != Feedback::credit) {
    stopped_[i] = feedback.kind == Feedback::stop ? 1 : 0;
    return;
  }
  if (memory_ != Memory::split) {
    const std::int64_t used = capacity_ - credits_[i];
    shared_free_[port] += beyond(used) - beyond(used - feedback.bytes);
  }
  credits_[i] += feedback.bytes;
}

std::int64_t Links::credits(std::uint32_t port, std::uint16_t buffer) const {
  if (outputs_[port].is_open) return capacity_;
  const std::size_t i = index(port, buffer);
  if (memory_ == Memory::split) return credits_[i];
  const std::int64_t used = capacity_ - credits_[i];
  const std::int64_t own = used < reserved_ ? reserved_ - used : 0;
  return own + shared_free_[port];
}

std::int64_t Links::credits_at(std::uint32_t port, std::uint16_t buffer, std::int64_t now) const {
  std::int64_t bytes = credits(port, buffer);
  const FeedbackQueue& queue = feedback_[port];
  for (std::size_t i = 0; i < queue.size() && queue.at(i).at <= now; ++i) {
    const Feedback& f = queue.at(i);
    if (f.kind == Feedback::credit && (f.buffer == buffer || memory_ != Memory::split))
      bytes += f.bytes;
  }
  return bytes;
}

std::int64_t Links::returning(std::uint32_t port, std::uint16_t buffer, std::int64_t after) const {
  std::int64_t bytes = 0;
  const FeedbackQueue& queue = feedback_[port];
  for (std::size_t i = queue.size(); i > 0 && queue.at(i - 1).at > after; --i) {
    const Feedback& feedback = queue.at(i - 1);
    const bool is_of_it = buffer == kEveryBuffer || feedback.buffer == buffer;
    if (is_of_it && feedback.kind == Feedback::credit) bytes += feedback.bytes;
  }
  return bytes;
}

std::size_t Links::memory() const {
  std::size_t bytes =
      outputs_.capacity() * sizeof(Output) + feedback_.capacity() * sizeof(FeedbackQueue) +
      (credits_.capacity() + shared_free_.capacity()) * sizeof(std::int64_t) + stopped_.capacity();
  for (const auto& queue : feedback_) bytes += queue.memory();
  return bytes;
}

// --- Checkpoints

void FeedbackQueue::checkpoint(StateArchive& state) {
  std::uint32_t count = count_;
  state(count, is_awaited_, is_announced_);
  if (state.is_reading()) count_ = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Feedback one = state.is_reading() ? Feedback() : at(i);
    state(one);
    if (state.is_reading()) (void)insert(one);
  }
}

void Links::checkpoint(NodeState& state) {
  for (std::uint32_t port = state.first_port(); port < state.end_port(); ++port) {
    Output& out = outputs_[port];
    bool is_open = out.is_open;
    state(out.free_at, out.wake_at, out.queued_bytes, out.bytes_sent, out.packets_sent,
          out.next_input, is_open, out.blocked, out.requests, out.blocked_since, out.wait_time,
          out.departing);
    out.is_open = is_open;
    feedback_[port].checkpoint(state);
  }
  state.of_ports(credits_, static_cast<std::size_t>(buffers_));
  state.of_ports(shared_free_);
  state.of_ports(stopped_, static_cast<std::size_t>(buffers_));
}

void Links::checkpoint_incoming(NodeState& state, std::uint32_t sender, std::int64_t now,
                                bool is_elsewhere) {
  std::vector<Feedback> on_its_way;
  const FeedbackQueue& queue = feedback_[sender];
  for (std::size_t i = 0; i < queue.size(); ++i)
    if (queue.at(i).at > now) on_its_way.push_back(queue.at(i));
  state(on_its_way);
  if (!state.is_reading() || !is_elsewhere) return;
  for (const Feedback& one : on_its_way) (void)feedback_[sender].insert(one);
}

void Links::checkpoint_all(StateArchive& state) { state(room_, room_of_all_); }

}  // namespace weir::fabric
