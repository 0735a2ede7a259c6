#include "weir/experiment/run/rated_traffic.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace weir::experiment {

/// The messages of another source, as those of flows.
class RatedTraffic::Source final : public fabric::MessageSource {
 public:
  Source(std::unique_ptr<fabric::MessageSource> inner, const Share& share, RatedTraffic& owner)
      : inner_(std::move(inner)), share_(share), owner_(owner) {
    traffic_class = inner_->traffic_class;
    service_level = inner_->service_level;
    reserve = inner_->reserve;
    connection = inner_->connection;
    keeps_rate = true;
  }

  std::optional<fabric::MessageRequest> next(Time now) override {
    std::optional<fabric::MessageRequest> message = inner_->next(now);
    if (!message) {
      owner_.end(share_, now);
      return message;
    }
    const std::vector<HostId>& all = share_.destinations;
    const auto place = std::lower_bound(all.begin(), all.end(), message->destination);
    message->tag = share_.first + static_cast<std::uint32_t>(place - all.begin());
    return message;
  }
  void withdraw() override { inner_->withdraw(); }
  [[nodiscard]] bool closed_loop() const override { return inner_->closed_loop(); }

 private:
  std::unique_ptr<fabric::MessageSource> inner_;
  const Share& share_;
  RatedTraffic& owner_;
};

RatedTraffic::RatedTraffic(const FlowList& flows, Ended ended)
    : flows_(flows.flows.size()), ended_(std::move(ended)) {
  for (std::uint32_t f = 0; f < flows.flows.size(); ++f) {
    const std::uint32_t entry = flows.traffic[f];
    if (entry == FlowList::kNoTraffic) continue;
    is_rated_[entry] = true;
    const rates::FlowRequest& flow = flows.flows[f];
    const std::uint16_t number = flows.connections[f];
    const bool goes_on = !shares_.empty() && shares_.back().entry == entry &&
                         shares_.back().source == flow.source &&
                         shares_.back().connection == number;
    if (!goes_on) shares_.push_back({entry, flow.source, number, {}, f});
    shares_.back().destinations.push_back(flow.destination);
  }
}

const RatedTraffic::Share& RatedTraffic::share_of(const traffic::HostSource& source) const {
  const auto key = std::tuple(std::uint32_t{source.source->traffic_class}, source.host.value,
                              source.source->connection);
  return *std::lower_bound(
      shares_.begin(), shares_.end(), key, [](const Share& share, const auto& wanted) {
        return std::tuple(share.entry, share.source.value, share.connection) < wanted;
      });
}

void RatedTraffic::wrap(traffic::Traffic& traffic) {
  for (traffic::HostSource& one : traffic.sources) {
    if (!has(one.source->traffic_class)) continue;
    const Share& share = share_of(one);
    one.source = std::make_unique<Source>(std::move(one.source), share, *this);
  }
}

void RatedTraffic::end(const Share& share, Time now) {
  for (std::uint32_t i = 0; i < share.destinations.size(); ++i) {
    Flow& flow = flows_[share.first + i];
    if (std::exchange(flow.is_over, true)) continue;
    if (flow.on_the_way == 0) ended_(share.first + i, now);
  }
}

}  // namespace weir::experiment
