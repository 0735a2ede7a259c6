#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/message_timing.hpp"
#include "weir/fabric/packet.hpp"

namespace weir::metrics {

/// Ideal completion times of messages. 4 bytes a flow; what routes of equal links and delays have
/// in common is kept once, with the last size that was asked for. No allocation once every flow has
/// been seen.
class IdealTimes {
 public:
  using Timing = std::function<fabric::MessageTiming(HostId source, HostId destination)>;

  explicit IdealTimes(Timing timing) : timing_(std::move(timing)) {}

  /// 0 where the flow has no route that is known beforehand.
  [[nodiscard]] Time of(const fabric::Message& message);

 private:
  struct Kind {
    const fabric::MessageTiming* timing = nullptr;  ///< in `known_`
    std::int64_t bytes = 0;                         ///< of the last message that was asked for
    Time ideal;                                     ///< of it
  };
  /// Number of the kind of the message's flow, plus one.
  std::uint32_t find_kind(const fabric::Message& message);

  Timing timing_;
  std::vector<std::uint32_t> kind_of_flow_;  ///< kind plus one; 0: not asked yet
  std::vector<Kind> kinds_;
  std::map<fabric::MessageTiming, std::uint32_t> known_;  ///< kind plus one
};

}  // namespace weir::metrics
