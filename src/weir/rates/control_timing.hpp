#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/units.hpp"
#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Timing of control packets (explicit-rates 4.4, Table 6.2). They have absolute, preemptive
/// priority over data, so that data need not be simulated to know when they arrive.
struct ControlTiming {
  Time routing = nanoseconds(100);  ///< in switches, after the tail has arrived
  Time propagation = nanoseconds(15);
  Rate rate = gigabits_per_second(10);
  Bytes control_size{40};
  Time control_processing = nanoseconds(60);
  Bytes broadcast_size{8};
  Time broadcast_processing = nanoseconds(30);
  Time reduction = nanoseconds(200);  ///< of the answers of an element's neighbours (3.15)
  Bytes result_header{8};             ///< before 8 B for every application

  [[nodiscard]] Bytes size(MessageClass sort, std::size_t applications) const {
    if (sort == MessageClass::broadcast) return broadcast_size;
    if (sort == MessageClass::result) {
      return result_header + Bytes(8 * static_cast<std::int64_t>(applications));
    }
    return control_size;
  }
  /// At the input of a switch for messages between neighbours, at its output for those of flows.
  [[nodiscard]] Time processing(MessageClass sort) const {
    return sort == MessageClass::broadcast ? broadcast_processing : control_processing;
  }
};

/// What control packets have cost.
struct ControlCounters {
  std::uint64_t along = 0;          ///< sent by sources along routes
  std::uint64_t over = 0;           ///< sent from neighbour to neighbour
  std::uint64_t transmissions = 0;  ///< on links, of either
  Bytes bytes;                      ///< likewise
  Time longest_trip;                ///< of a packet along a route and back
};

}  // namespace weir::rates
