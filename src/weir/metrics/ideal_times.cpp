#include "weir/metrics/ideal_times.hpp"

#include <algorithm>

namespace weir::metrics {

std::uint32_t IdealTimes::find_kind(const fabric::Message& message) {
  const auto [known, is_new] =
      known_.try_emplace(timing_(HostId(message.source), HostId(message.destination)),
                         static_cast<std::uint32_t>(kinds_.size() + 1));
  if (is_new) kinds_.push_back({&known->first, 0, Time(0)});
  return known->second;
}

Time IdealTimes::of(const fabric::Message& message) {
  if (message.flow >= kind_of_flow_.size()) {
    kind_of_flow_.resize(std::max<std::size_t>(message.flow + 1, kind_of_flow_.size() * 2));
  }
  std::uint32_t& number = kind_of_flow_[message.flow];
  if (number == 0) number = find_kind(message);
  Kind& kind = kinds_[number - 1];
  if (kind.bytes != message.bytes) {
    kind.bytes = message.bytes;
    kind.ideal = kind.timing->is_known() ? kind.timing->time(Bytes(message.bytes)) : Time(0);
  }
  return kind.ideal;
}

}  // namespace weir::metrics
