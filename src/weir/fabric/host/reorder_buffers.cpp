#include "weir/fabric/host/reorder_buffers.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/parallel/border.hpp"

namespace weir::fabric {

namespace {

using metric_form::kScalar;
using metric_form::kSeries;

constexpr const char* kReordering = "morton2006reordering";

const MetricTable kReorderTable(
    {
        {"reorder_memory", "B", kScalar | kSeries, kReordering,
         "packets, with their headers, that all hosts hold until those before them are there: mean "
         "over the measuring window (series: over the bin). Lower is better"},
        {"reorder_memory_max", "B", kScalar, kReordering,
         "the most that all hosts have held at once, at the end of an instant, in the whole run. "
         "Lower is better"},
        {"reorder_memory_host", "B", kScalar, kReordering,
         "the most that one host has held at once in the whole run: the memory that it needs. "
         "Lower is better"},
        {"reorder_span_max", "", kScalar, kReordering,
         "packets of its flow that the earliest packet was ahead of the one that its host waited "
         "for, in the whole run: places that the order of a flow needs. Lower is better"},
        {"reorder_packets", "", kScalar | kSeries, kReordering,
         "packets that were held in the whole run (series: in the bin). Lower is better"},
        {"reorder_wait", "s", kScalar | kSeries, kReordering,
         "mean time that a packet which was held has waited, of those let go in the measuring "
         "window (series: in the bin). Lower is better"},
    },
    "host.order = \"reorder\"");

}  // namespace

ReorderBuffers::ReorderBuffers(Core& core) : core_(core), held_at_(core.host_count, 0) {
  core.peaks.push_back(&bytes_);
}

ReorderBuffers::Window& ReorderBuffers::window(std::uint32_t flow) {
  if (flow >= window_of_.size()) window_of_.resize(flow + 1, kNone);
  std::uint32_t& index = window_of_[flow];
  if (index == kNone) {
    if (free_windows_.empty()) {
      free_windows_.push_back(static_cast<std::uint32_t>(windows_.size()));
      windows_.push_back({std::vector<std::uint32_t>(8, kNone), 0});
    }
    index = free_windows_.back();
    free_windows_.pop_back();
  }
  return windows_[index];
}

void ReorderBuffers::put(std::uint32_t flow, std::uint32_t next, std::uint32_t sequence,
                         std::uint32_t what) {
  Window& w = window(flow);
  const std::uint32_t ahead = sequence - next;
  const std::size_t size = w.places.size();
  if (ahead >= size) {
    std::vector<std::uint32_t> larger(std::bit_ceil(std::size_t{ahead} + 1), kNone);
    for (std::size_t i = 0; i < size; ++i) {
      const auto number = static_cast<std::uint32_t>(next + i);
      larger[number & (larger.size() - 1)] = w.places[number & (size - 1)];
    }
    w.places.swap(larger);
  }
  w.places[sequence & (w.places.size() - 1)] = what;
  ++w.used;
}

void ReorderBuffers::change_bytes(std::uint32_t host, std::int64_t bytes) {
  byte_time_ += ExactSum(bytes_.level()) * (core_.now - changed_at_);
  changed_at_ = core_.now;
  bytes_.change(bytes, core_.now);
  held_at_[host] += bytes;
  most_at_host_ = std::max(most_at_host_, held_at_[host]);
}

void ReorderBuffers::hold(std::uint32_t flow, std::uint32_t next, std::uint32_t packet) {
  Packet& p = core_.packets[packet];
  put(flow, next, p.sequence, packet);
  p.ready = core_.now;  // of a packet that is held: since when
  most_ahead_ = std::max(most_ahead_, p.sequence - next);
  ++held_;
  ++ever_held_;
  change_bytes(p.destination, p.size);
}

void ReorderBuffers::skip(std::uint32_t flow, std::uint32_t next, std::uint32_t sequence) {
  put(flow, next, sequence, kLost);
}

std::uint32_t ReorderBuffers::take(std::uint32_t flow, std::uint32_t next) {
  if (flow >= window_of_.size() || window_of_[flow] == kNone) return kNone;
  Window& w = windows_[window_of_[flow]];
  std::uint32_t& place = w.places[next & (w.places.size() - 1)];
  const std::uint32_t what = place;
  if (what == kNone) return kNone;
  place = kNone;
  if (--w.used == 0) {
    free_windows_.push_back(window_of_[flow]);
    window_of_[flow] = kNone;
  }
  if (what == kLost) return kLost;
  const Packet& p = core_.packets[what];
  waited_.add(core_.now - p.ready);
  ++released_;
  --held_;
  change_bytes(p.destination, -static_cast<std::int64_t>(p.size));
  return what;
}

void ReorderBuffers::check(bool is_idle) const {
  if (!is_idle || held_ == 0) return;
  throw RunError(
      fmt::format("hosts hold {} packets until others come, but none is on its way", held_));
}

void ReorderBuffers::read(Readings& readings, Time now) const {
  ExactSum byte_time = byte_time_;
  byte_time += ExactSum(bytes_.level()) * (now.count - changed_at_);
  const bool is_first = core_.border == nullptr || core_.border->part() == 0;
  readings.mean("reorder_memory", byte_time, is_first ? now.count : 0);
  readings.count("reorder_packets", static_cast<double>(ever_held_));
  readings.mean("reorder_wait", waited_, ExactSum(released_) * kPicosecondsPerSecond);
  if (!readings.wants_values()) return;
  readings.largest("reorder_memory_max", static_cast<double>(bytes_.most()));
  readings.largest("reorder_memory_host", static_cast<double>(most_at_host_));
  readings.largest("reorder_span_max", static_cast<double>(most_ahead_));
}

std::size_t ReorderBuffers::memory() const {
  std::size_t bytes = (window_of_.capacity() + free_windows_.capacity()) * sizeof(std::uint32_t) +
                      windows_.capacity() * sizeof(Window) +
                      held_at_.capacity() * sizeof(std::int64_t) + bytes_.memory();
  for (const Window& w : windows_) bytes += w.places.capacity() * sizeof(std::uint32_t);
  return bytes;
}

void ReorderBuffers::checkpoint_held(NodeState& state,
                                     const std::function<void(std::uint32_t&)>& exchange) {
  for (const std::uint32_t flow : state.flows_to()) {
    const bool waits = !state.is_reading() && flow < window_of_.size() && window_of_[flow] != kNone;
    std::uint64_t places = waits ? windows_[window_of_[flow]].places.size() : 0;
    state(places);
    if (places == 0) continue;
    Window& w = window(flow);
    if (state.is_reading()) w.places.assign(places, kNone);
    state(w.used);
    for (std::uint32_t& what : w.places) {
      bool is_lost = what == kLost;
      bool is_held = what != kNone && !is_lost;
      state(is_lost, is_held);
      if (is_held) exchange(what);
      if (!state.is_reading()) continue;
      if (is_lost) what = kLost;
      held_ += is_held ? 1 : 0;
    }
  }
  state.of_host(held_at_);
  if (!state.is_reading()) return;
  bytes_.share(held_at_[state.node()], core_.now);
  changed_at_ = core_.now;
}

void ReorderBuffers::checkpoint_totals(TotalState& state) {
  if (!state.is_reading()) {
    byte_time_ += ExactSum(bytes_.level()) * (core_.now - changed_at_);
    changed_at_ = core_.now;
  }
  state.sum(ever_held_, released_, waited_, byte_time_);
  state.most(most_at_host_);
  state.most(most_ahead_);
  bytes_.checkpoint_totals(state);
}

}  // namespace weir::fabric
