#include "weir/experiment/run/flow_messages.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "weir/base/state_archive.hpp"

namespace weir::experiment {

/// All of a flow at once, or packet by packet whenever there is room.
class FlowMessages::Single final : public fabric::MessageSource {
 public:
  Single(FlowMessages& owner, std::uint32_t flow, Bytes packet, Time start)
      : owner_(owner),
        destination_(owner.list_.flows[flow].destination),
        size_(owner.list_.sizes[flow]),
        flow_(flow),
        is_endless_(size_.count == 0),
        start_(start),
        stop_(owner.list_.stops[flow]) {
    traffic_class = owner.class_of(flow);
    service_level = owner.list_.service_levels[flow];
    connection = owner.list_.connections[flow];
    keeps_rate = true;
    if (is_endless_) size_ = packet;
  }

  void begin(Time at) {
    start_ += at;
    if (stop_ != Time::max()) stop_ += at;
  }
  std::optional<fabric::MessageRequest> next(Time now) override {
    if (is_done_) return std::nullopt;
    const Time at = std::max(now, start_);
    is_done_ = !is_endless_ || at >= stop_;
    if (at < stop_) return fabric::MessageRequest{at, destination_, size_, flow_};
    owner_.end(flow_, now);
    return std::nullopt;
  }
  [[nodiscard]] bool closed_loop() const override { return is_endless_; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(StateArchive& state) override { state(is_done_); }
  [[nodiscard]] std::uint32_t flow() const { return flow_; }

 private:
  FlowMessages& owner_;
  HostId destination_;
  Bytes size_;
  std::uint32_t flow_;
  bool is_endless_;
  bool is_done_ = false;
  Time start_;
  Time stop_;
};

/// The messages of another source, as those of flows.
class FlowMessages::Wrapped final : public fabric::MessageSource {
 public:
  Wrapped(std::unique_ptr<fabric::MessageSource> inner, const Share& share, FlowMessages& owner)
      : inner_(std::move(inner)), share_(share), owner_(owner) {
    traffic_class = inner_->traffic_class;
    service_level = inner_->service_level;
    reserve = inner_->reserve;
    connection = inner_->connection;
    keeps_rate = true;
  }

  std::optional<fabric::MessageRequest> next(Time now) override {
    std::optional<fabric::MessageRequest> message = inner_->next(now);
    const std::vector<HostId>& all = share_.destinations;
    if (!message) {
      for (std::uint32_t i = 0; i < all.size(); ++i) owner_.end(share_.first + i, now);
      return message;
    }
    const auto place = std::lower_bound(all.begin(), all.end(), message->destination);
    message->tag = share_.first + static_cast<std::uint32_t>(place - all.begin());
    return message;
  }
  void withdraw() override { inner_->withdraw(); }
  [[nodiscard]] bool closed_loop() const override { return inner_->closed_loop(); }
  [[nodiscard]] bool has_checkpoints() const override { return inner_->has_checkpoints(); }
  void checkpoint(StateArchive& state) override { inner_->checkpoint(state); }

 private:
  std::unique_ptr<fabric::MessageSource> inner_;
  const Share& share_;
  FlowMessages& owner_;
};

FlowMessages::FlowMessages(const FlowList& flows, std::size_t first_class, Ended ended)
    : list_(flows),
      first_class_(first_class),
      flows_(flows.flows.size()),
      ended_(std::move(ended)) {
  for (std::size_t c = 0; c < flows.classes.size(); ++c) is_of_flows_[first_class + c] = true;
  for (std::uint32_t f = 0; f < flows.written; ++f) flows_[f].is_over = flows.sizes[f].count > 0;
  for (auto f = static_cast<std::uint32_t>(flows.written); f < flows.flows.size(); ++f) {
    const std::uint32_t entry = flows.tables[f];
    is_of_flows_[entry] = true;
    const rates::FlowRequest& flow = flows.flows[f];
    const std::uint16_t number = flows.connections[f];
    const bool goes_on = !shares_.empty() && shares_.back().entry == entry &&
                         shares_.back().source == flow.source &&
                         shares_.back().connection == number;
    if (!goes_on) shares_.push_back({entry, flow.source, number, {}, f});
    shares_.back().destinations.push_back(flow.destination);
  }
}

std::unique_ptr<fabric::MessageSource> FlowMessages::source(std::uint32_t flow, Bytes packet,
                                                            Time start) {
  return std::make_unique<Single>(*this, flow, packet, start);
}

void FlowMessages::begin(fabric::MessageSource& source, Time at) {
  static_cast<Single&>(source).begin(at);
}

std::uint32_t FlowMessages::flow_of(const fabric::MessageSource& source) {
  return static_cast<const Single&>(source).flow();
}

const FlowMessages::Share& FlowMessages::share_of(const traffic::HostSource& source) const {
  const auto key = std::tuple(std::uint32_t{source.source->traffic_class}, source.host.value,
                              source.source->connection);
  return *std::lower_bound(
      shares_.begin(), shares_.end(), key, [](const Share& share, const auto& wanted) {
        return std::tuple(share.entry, share.source.value, share.connection) < wanted;
      });
}

void FlowMessages::wrap(traffic::Traffic& traffic) {
  for (traffic::HostSource& one : traffic.sources) {
    if (!has(one.source->traffic_class)) continue;
    const Share& share = share_of(one);
    one.source = std::make_unique<Wrapped>(std::move(one.source), share, *this);
  }
}

std::vector<FlowMessages::Flow> FlowMessages::shared(Ranks& ranks) const {
  std::vector<Flow> sums(flows_.size());
  for (const std::vector<Flow>& its : gathered(&ranks, flows_)) {
    for (std::size_t f = 0; f < sums.size(); ++f) {
      Flow& flow = sums[f];
      flow.generated += its[f].generated;
      flow.over_at = std::max(flow.over_at, its[f].over_at);
      flow.is_over = flow.is_over || its[f].is_over;
      flow.completed += its[f].completed;
      flow.last = std::max(flow.last, its[f].last);
    }
  }
  return sums;
}

void FlowMessages::share(Ranks& ranks) { flows_ = shared(ranks); }

void FlowMessages::checkpoint(StateArchive& state, const fabric::Fabric& fabric) {
  std::vector<Flow> all = flows_;
  if (!state.is_reading() && fabric.ranks() != nullptr) all = shared(*fabric.ranks());
  state(all);
  if (!state.is_reading()) return;
  for (std::uint32_t f = 0; f < flows_.size(); ++f) {
    const rates::FlowRequest& its = list_.flows[f];
    Flow& flow = flows_[f];
    flow.is_over = all[f].is_over;
    if (fabric.has(its.source)) {
      flow.generated = all[f].generated;
      flow.over_at = all[f].over_at;
    }
    if (fabric.has(its.destination)) {
      flow.completed = all[f].completed;
      flow.last = all[f].last;
    }
  }
}

void FlowMessages::end(std::uint32_t flow, Time now) {
  Flow& its = flows_[flow];
  if (std::exchange(its.is_over, true)) return;
  its.over_at = now;
  if (ended_ && ended(flow)) ended_(flow, now);
}

}  // namespace weir::experiment
